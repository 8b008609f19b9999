"""From the trees of a compiled pack to Python: functions for expressions, effects and moves.

This is the last step, and nobody reads what is printed but Python. Names and constants of rule
files become names of our own making and ``repr``; no text of a rule becomes code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from altay_cli.expressions.linker import payment, weight
from altay_cli.pack import model as m
from altay_cli.pack.touching import changed_by

CALL_STEPS = 4
"""What a call of a function of the rules costs, beside what it does."""

STEPS = 10
"""What an effect costs of the budget of its statement."""

_WORDS = ("given", "due", "missing", "left", "drawn_card")
"""The names that the findings of a draw can mention besides those around it."""


_MARK = "  #\0"
"""Stands in a draft between an expression and its key, or the name of a function of the rules.

It is as long as what is printed in its place: the length of code is what running it costs.
"""

_SHOWN_MARK = "  # "


class Part(NamedTuple):
    """A function of a printed module: its name, the line it begins in, and its source.

    ``same`` is the name of another function that it is the same as.
    """

    name: str
    line: int
    source: str
    same: str


def print_pack(pack: m.Pack) -> str:
    """Return the source of a module with all functions of a pack.

    Its constant ``LINES`` tells which lines hold an expression, see ``faults.expression_at``.
    """
    printer = _Printer(pack, by_reference=False)
    printer.module()
    return f"{printer.text()}LINES = {printer.marks()!r}\n"


def print_parts(pack: m.Pack) -> tuple[list[Part], str]:
    """Return the functions of ``print_pack`` one by one, and its constant ``LINES``."""
    printer = _Printer(pack, by_reference=False)
    printer.module()
    return list(printer.parts()), printer.marks()


def print_effects(pack: m.Pack) -> str:
    """Return the source of a module with the effects of a pack alone.

    Every expression is called as it is at that moment, ``expr.fn``, so that tools can put another
    function in its place; the expressions are added to ``pack.constants``.
    """
    printer = _Printer(pack, by_reference=True)
    printer.effects()
    return printer.text()


def print_function(name: str, names: Mapping[str, str], code: str, quick: str = "") -> str:
    """Return the source of a function ``name(S, v)`` that gives what ``code`` comes to.

    ``names`` are the variables that the code reads, each with its key in ``v``. ``quick`` is code
    that need not absorb errors: ``code`` is asked where it raises.
    """
    lines = [f"    {line}\n" for line in _body(name, names, code, quick)]
    return f"def {name}(S, v):\n{''.join(lines)}".replace(_MARK, _SHOWN_MARK)


def _body(name: str, names: Mapping[str, str], code: str, quick: str) -> tuple[str, ...]:
    """Return the lines of a function that gives what ``code`` comes to."""
    return (*payment(weight(code)), *_unpacked(names), *_result(name, code, quick))


def _result(name: str, code: str, quick: str) -> list[str]:
    """Return the lines that return a value, the last marked with its name."""
    told = f"return {code}{_MARK}{name}"
    if quick in ("", code):
        return [told]
    return [
        "try:",
        f"    return {quick}",
        "except _Budget:",
        "    raise",
        "except _ABSORBED:",
        f"    {told}",
    ]


class _Printer:
    """Prints one pack."""

    def __init__(self, pack: m.Pack, by_reference: bool) -> None:
        self.pack = pack
        self.by_reference = by_reference
        self.may_raise = False
        """Whether what is printed is left where something raises, so that nothing is absorbed."""
        self.lines: list[str] = []
        """What was printed, as a draft with marks."""
        self._starts: list[tuple[str, int, str]] = []
        self.procedures = {ident: f"p_{n}" for n, ident in enumerate(pack.procedures)}
        self._printers: dict[type, Callable[[Any, str, _Scope], None]] = {
            m.MoveEffect: self._move,
            m.SetEffect: self._set,
            m.IfEffect: self._if,
            m.EachEffect: self._each,
            m.LetEffect: self._let,
            m.DoEffect: self._do,
            m.AskEffect: self._ask,
            m.WhileEffect: self._while,
            m.RunEffect: self._run,
            m.DrawEffect: self._draw,
            m.SayEffect: self._say,
            m.ResetEffect: self._reset,
            m.SeatEffect: self._seat,
            m.StopEffect: self._stop,
            m.UnknownEffect: self._unknown,
            m.RevealEffect: self._reveal,
            m.EitherEffect: self._either,
            m.LacksEffect: self._lacks,
            m.UnsureEffect: self._unsure,
        }

    def module(self) -> None:
        """Print everything."""
        for function in self.pack.functions.values():
            arguments = "".join(f", {ident}" for ident in function.parameters)
            lets = [f"{name} = {code}{_MARK}{function.name}" for name, code in function.lets]
            paid = payment(
                CALL_STEPS + weight(function.code) + sum(weight(c) for _, c in function.lets)
            )
            told = _result(function.name, function.code, function.quick)
            self._define(function.name, f"(S{arguments})", *paid, *lets, *told)
        printed: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}
        for expr in self.pack.exprs:
            code = self.pack.codes[expr.key]
            same = printed.setdefault((code, tuple(expr.locals.items())), expr.key)
            if same == expr.key:
                quick = self.pack.quick.get(expr.key, "")
                self._define(expr.key, "(S, v)", *_body(expr.key, expr.locals, code, quick))
            else:
                self._starts.append((expr.key, len(self.lines), same))
                self.lines.append(f"{expr.key} = {same}")
        self.effects()
        self.may_raise = True
        for move in self.pack.moves:
            self._whole_move(move)

    def effects(self) -> None:
        """Print all procedures and lists of effects."""
        for ident, procedure in self.pack.procedures.items():
            if not procedure.does.waits:
                self._procedure(ident, procedure)
        for effects in self.pack.routines:
            self._routine(effects)

    def text(self) -> str:
        """Return what was printed."""
        return "\n".join(self.lines).replace(_MARK, _SHOWN_MARK) + "\n"

    def marks(self) -> str:
        """Return the number of every line with an expression, each with the key of that."""
        lines = enumerate("\n".join(self.lines).split("\n"), 1)
        return " ".join([f"{n} {line.partition(_MARK)[2]}" for n, line in lines if _MARK in line])

    def parts(self) -> Iterator[Part]:
        """Yield what was printed, function by function."""
        line = 1
        ends = [start for _, start, _ in self._starts[1:]]
        for (name, start, same), end in zip(self._starts, [*ends, len(self.lines)], strict=True):
            source = "\n".join(self.lines[start:end]).replace(_MARK, _SHOWN_MARK) + "\n"
            yield Part(name, line, source, same)
            line += source.count("\n")

    def _define(self, name: str, arguments: str, *body: str) -> None:
        self._starts.append((name, len(self.lines), ""))
        self.lines.append(f"def {name}{arguments}:")
        self.lines.extend(f"    {line}" for line in body)

    # ------------------------------------------------------------ functions

    def _routine(self, effects: m.Effects) -> None:
        self._define(effects.key, "(S, v)")
        if effects.waits:
            self.lines.append(f"    S.start({self._constant(effects)}, v)")
            return
        free = _free(effects.tree)
        if not self.by_reference:
            self.lines.extend(f"    {line}" for line in _unpacked(free))
        self._list(effects.tree, "    ", _Scope("v", {*free}))

    def _procedure(self, ident: str, procedure: m.Procedure) -> None:
        arguments = "".join(f", v_{name}" for name in procedure.parameters)
        self._define(self.procedures[ident], f"(S{arguments})")
        scope = _Scope("v", {f"v_{name}" for name in procedure.parameters})
        if self.by_reference:
            pairs = ", ".join(f"{name!r}: v_{name}" for name in procedure.parameters)
            self.lines.append(f"    v = {{{pairs}}}")
        self._list(procedure.does.tree, "    ", scope)

    def _whole_move(self, move: m.MoveDef) -> None:
        """Print a move: a function that makes it where it is legal, and returns ``m.LEGAL``.

        Else it changes nothing and returns the number of the requirement that fails, or
        ``m.UNCLEAR``.
        """
        if move.fallback:
            return
        inferred = {slot.name: slot for slot in move.slots.values() if slot.infer is not None}
        lets = dict(move.lets)
        known: set[str] = set()
        body: list[str] = []

        def need(names: Mapping[str, str]) -> None:
            for ident, key in names.items():
                if ident in known:
                    continue
                known.add(ident)
                if key in inferred:
                    slot = inferred[key]
                    assert slot.infer is not None
                    need(slot.infer.locals)
                    empty = {"bag": "_Bag()", "list": "[]"}.get(slot.shape, "None")
                    body.extend([
                        f"{ident} = v.get({key!r})",
                        f"if {ident} is None:",
                        f"    _choices = {self._text(slot.infer)}",
                        "    if len(_choices) > 1:",
                        f"        return {m.UNCLEAR}",
                        f"    {ident} = v[{key!r}] = _choices[0] if _choices else {empty}",
                    ])  # fmt: skip
                elif key in lets:
                    need(lets[key].locals)
                    body.append(f"{ident} = {self._text(lets[key])}")
                else:
                    body.append(f"{ident} = v[{key!r}]")

        # A value that was left out is worked out before anything is asked of it.
        for name in inferred:
            need({f"v_{name}": name})
        later: list[str] = []
        for index, requirement in enumerate(move.requires):
            need(requirement.that.locals)
            lines = later if requirement.afterwards else body
            lines.append(f"if not {self._text(requirement.that)}:")
            lines.append(f"    return {index}")
        need(_free(move.does.tree))
        paid = payment(STEPS + weight("".join((*body, *later))))
        self._define(f"m_{move.number}", "(S, v)", *paid, *body)
        if move.does.waits:
            values = self._values(_free(move.does.tree), _Scope("v", known))
            self.lines.append(f"    S.start({self._constant(move.does)}, {values})")
        else:
            self._list(move.does.tree, "    ", _Scope("v", known))
        self.lines.extend(f"    {line}" for line in later)
        self.lines.append(f"    return {m.LEGAL}")

    # ------------------------------------------------------------ effects

    def _list(self, effects: Sequence[m.Effect], indent: str, scope: _Scope) -> None:
        if not effects:
            self.lines.append(f"{indent}pass")
            return
        self.lines.extend(indent + line for line in payment(STEPS * len(effects)))
        for effect in effects:
            self._printers[type(effect)](effect, indent, scope)
            written = changed_by(self.pack, effect) if self.pack.watches else set()
            watching = [
                t for t in self.pack.watches if t.zones and (written is None or written & t.zones)
            ]
            if watching:
                told = ", ".join(map(self._constant, watching))
                self.lines.append(f"{indent}S.changed({told})")

    def _text(self, expr: m.Expr, scope: _Scope | None = None) -> str:
        """Print an expression, on a line of its own: what fails there is the expression."""
        if self.by_reference:
            return f"{self._constant(expr)}.fn(S, {scope.values if scope else 'v'})"
        code = self.pack.codes[expr.key]
        if expr.key in self.pack.quick:
            if not self.may_raise:
                return f"{expr.key}(S, {self._values(expr.locals, scope or _Scope('v', set()))})"
            code = self.pack.quick[expr.key]
        return f"(\n{code}{_MARK}{expr.key}\n)"

    def _constant(self, thing: object) -> str:
        name = f"K_{len(self.pack.constants)}"
        self.pack.constants[name] = thing
        return name

    def _kept(self, expr: m.Expr, scope: _Scope) -> str:
        """Print a value that later changes of the state do not reach."""
        text = self._text(expr, scope)
        is_local = any(expr.source == key and i in scope.names for i, key in expr.locals.items())
        if expr.type != "bag" or is_local:
            return text
        return f"kept(S, {text})"

    def _values(self, names: Mapping[str, str], scope: _Scope) -> str:
        """Print the local values that some expressions look up by name."""
        if self.by_reference:
            return scope.values
        return f"{{{', '.join(f'{key!r}: {ident}' for ident, key in names.items())}}}"

    def _end(self, end: m.Expr | m.Place | None, scope: _Scope) -> str:
        if end is None:
            return "None"
        if isinstance(end, m.Expr):
            return self._text(end, scope)
        return f"({self._text(end.container, scope)}, {self._text(end.key, scope)})"

    def _move(self, effect: m.MoveEffect, indent: str, scope: _Scope) -> None:
        source, target = self._end(effect.source, scope), self._end(effect.target, scope)
        top = ", top=True" if effect.top else ""
        if effect.what is None:
            self.lines.append(f"{indent}S.move_all({source}, {target}{top})")
            return
        what = self._text(effect.what, scope)
        number = f", {self._text(effect.number, scope)}" if effect.number else ""
        verb = "move_bag" if effect.what.type == "bag" else "move_one"
        self.lines.append(f"{indent}S.{verb}({source}, {target}, {what}{number}{top})")

    def _set(self, effect: m.SetEffect, indent: str, scope: _Scope) -> None:
        parts = (effect.place.container, effect.place.key, effect.value)
        arguments = [self._text(part, scope) for part in parts]
        if effect.bounds != (None, None):
            arguments.append(repr(effect.bounds))
        verb = "raise_by" if effect.add else "put" if len(arguments) == 3 else "put_within"
        self.lines.append(f"{indent}S.{verb}({', '.join(arguments)})")

    def _if(self, effect: m.IfEffect, indent: str, scope: _Scope) -> None:
        self.lines.append(f"{indent}if {self._text(effect.condition, scope)}:")
        self._list(effect.then, indent + "    ", scope)
        if effect.otherwise:
            self.lines.append(f"{indent}else:")
            self._list(effect.otherwise, indent + "    ", scope)

    def _each(self, effect: m.EachEffect, indent: str, scope: _Scope) -> None:
        items = self._text(effect.items, scope)
        self.lines.append(f"{indent}for {effect.local} in _run(S, list({items})):")
        inner = self._named(effect.name, effect.local, indent + "    ", scope)
        self._list(effect.does, indent + "    ", inner)

    def _named(self, name: str, ident: str, indent: str, scope: _Scope) -> _Scope:
        """Return a scope with one more value, which the variable ``ident`` holds already."""
        if not self.by_reference:
            return _Scope(scope.values, {*scope.names, ident})
        values = f"{scope.values}_"
        self.lines.append(f"{indent}{values} = {{**{scope.values}, {name!r}: {ident}}}")
        return _Scope(values, scope.names)

    def _let(self, effect: m.LetEffect, indent: str, scope: _Scope) -> None:
        for (name, expr), ident in zip(effect.values, effect.locals, strict=True):
            self.lines.append(f"{indent}{ident} = {self._kept(expr, scope)}")
            scope = self._named(name, ident, indent, scope)
        self._list(effect.does, indent, scope)

    def _do(self, effect: m.DoEffect, indent: str, scope: _Scope) -> None:
        given = dict(effect.arguments)
        wanted = self.pack.procedures[effect.procedure].parameters
        arguments = "".join(f", {self._kept(given[name], scope)}" for name in wanted)
        self.lines.append(f"{indent}{self.procedures[effect.procedure]}(S{arguments})")

    def _ask(self, effect: m.AskEffect, indent: str, scope: _Scope) -> None:
        times = self._text(effect.times, scope) if effect.times else "1"
        about = ", ".join(f"{name!r}: {self._kept(expr, scope)}" for name, expr in effect.values)
        who = self._text(effect.who, scope)
        self.lines.append(f"{indent}S.ask({effect.decision!r}, {times}, {who}, {{{about}}})")

    def _while(self, effect: m.WhileEffect, indent: str, scope: _Scope) -> None:
        self.lines.append(f"{indent}while {self._text(effect.condition, scope)}:")
        self.lines.extend(f"{indent}    {line}" for line in payment(STEPS))
        self._list(effect.does, indent + "    ", scope)

    def _run(self, effect: m.RunEffect, indent: str, scope: _Scope) -> None:
        who = self._text(effect.who, scope) if effect.who else "v_me"
        self.lines.append(f"{indent}S.start({self._text(effect.what, scope)}, {{'me': {who}}})")

    def _draw(self, effect: m.DrawEffect, indent: str, scope: _Scope) -> None:
        values = self._values(_of_effect(effect), scope)
        self.lines.append(f"{indent}S.draw({self._constant(effect)}, {values})")

    def _say(self, effect: m.SayEffect, indent: str, scope: _Scope) -> None:
        values = self._values(_of_effect(effect), scope)
        self.lines.append(f"{indent}S.say({self._constant(effect.text)}, {values})")

    def _reset(self, effect: m.ResetEffect, indent: str, scope: _Scope) -> None:
        del scope
        self.lines.append(f"{indent}S.reset({effect.lifetime!r})")

    def _stop(self, effect: m.StopEffect, indent: str, scope: _Scope) -> None:
        del effect, scope
        self.lines.append(f"{indent}S.halt()")

    def _seat(self, effect: m.SeatEffect, indent: str, scope: _Scope) -> None:
        self.lines.append(f"{indent}S.seat({self._text(effect.player, scope)})")

    def _unknown(self, effect: m.UnknownEffect, indent: str, scope: _Scope) -> None:
        parts = (effect.source, effect.target, effect.number)
        arguments = ", ".join(self._text(part, scope) for part in parts)
        backs = f", {effect.backs!r}" if effect.backs else ""
        self.lines.append(f"{indent}S.hide({arguments}{backs})")

    def _reveal(self, effect: m.RevealEffect, indent: str, scope: _Scope) -> None:
        parts = (effect.bag, effect.what, effect.number)
        arguments = ", ".join(self._text(part, scope) for part in parts)
        self.lines.append(f"{indent}S.reveal({arguments})")

    def _either(self, effect: m.EitherEffect, indent: str, scope: _Scope) -> None:
        ways = "".join(
            f"({self._text(source, scope)}, {self._text(target, scope)}), "
            for source, target in effect.ways
        )
        self.lines.append(f"{indent}S.hidden.either({self._text(effect.what, scope)}, ({ways}))")

    def _lacks(self, effect: m.LacksEffect, indent: str, scope: _Scope) -> None:
        bag, what = (self._text(part, scope) for part in (effect.bag, effect.what))
        self.lines.append(f"{indent}S.hidden.lack({bag}, {what})")

    def _unsure(self, effect: m.UnsureEffect, indent: str, scope: _Scope) -> None:
        self.lines.append(f"{indent}S.attribute({self._text(effect.bag, scope)}, 'unsure', True)")


class _Scope:
    """Where effects stand: the variable with all values by name, and the variables in sight."""

    __slots__ = ("names", "values")

    def __init__(self, values: str, names: set[str]) -> None:
        self.values = values
        self.names = names


def _unpacked(names: Mapping[str, str]) -> list[str]:
    return [f"{ident} = v[{key!r}]" for ident, key in names.items()]


def _free(effects: Sequence[m.Effect]) -> dict[str, str]:
    """Return the variables that effects read and do not name themselves, with their keys."""
    found: dict[str, str] = {}
    answers: set[str] = set()
    for effect in effects:
        found.update({i: key for i, key in _of_effect(effect).items() if i not in answers})
        if isinstance(effect, m.AskEffect):
            answers.add(effect.local)
    return found


def _of_effect(effect: m.Effect) -> dict[str, str]:
    """Return the variables that an effect reads, with their keys."""
    own = _read(value for value in vars(effect).values() if isinstance(value, m.Expr | m.Place))
    match effect:
        case m.IfEffect():
            return {**own, **_free(effect.then), **_free(effect.otherwise)}
        case m.EachEffect():
            inner = _free(effect.does)
            inner.pop(effect.local, None)
            return {**own, **inner}
        case m.LetEffect():
            inner = {**_read(expr for _, expr in effect.values), **_free(effect.does)}
            return {i: k for i, k in inner.items() if i not in effect.locals}
        case m.DoEffect():
            return _read(expr for _, expr in effect.arguments)
        case m.AskEffect():
            return {**own, **_read(expr for _, expr in effect.values)}
        case m.DrawEffect():
            around = (effect.seen, effect.source, effect.target, effect.above, effect.below)
            when = (effect.refill, effect.times, effect.loop)
            told = _read(part for text in effect.rules.values() for part in text.exprs())
            only = _read([effect.only] if effect.only is not None else [])
            return {
                **_read(expr for expr in (*around, *when) if expr is not None),
                **{i: k for i, k in only.items() if k != "it"},
                **{i: k for i, k in told.items() if k not in _WORDS},
            }
        case m.WhileEffect():
            return {**own, **_free(effect.does)}
        case m.RunEffect():
            return own if effect.who else {**own, "v_me": "me"}
        case m.SayEffect():
            return _read(effect.text.exprs())
        case _:
            return own


def _read(exprs: Iterable[m.Expr | m.Place]) -> dict[str, str]:
    """Return the variables that expressions read, with their keys."""
    found: dict[str, str] = {}
    for expr in exprs:
        if isinstance(expr, m.Place):
            found.update({**expr.container.locals, **expr.key.locals})
        else:
            found.update(expr.locals)
    return found
