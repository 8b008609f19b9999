"""From the trees of a compiled pack to Python: functions for expressions, effects and moves.

This is the last step, and nobody reads what is printed but Python. Names and constants of rule
files become names of our own making and ``repr``; no text of a rule becomes code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from altay_cli.compile.touching import changed_by, sets_of_triggers
from altay_cli.expressions.linker import function as function_source
from altay_cli.expressions.linker import payment, weight
from altay_cli.expressions.runtime import EXCEPT, TRY
from altay_cli.pack import model as m

CALL_STEPS = 4
"""What a call of a function of the rules costs, beside what it does."""

POINT_STEPS = 5
"""What counting the points for one thing costs, beside the expressions for them."""

STEPS = 10
"""What an effect costs of the budget of its statement."""

_WORDS = ("given", "due", "missing", "left", "drawn_card")
"""The names that the findings of a draw can mention besides those around it."""

_EMPTY = {m.Shape.BAG: "_Bag()", m.Shape.LIST: "[]"}
"""What a slot holds for which nothing is written and nothing found; all others hold None."""


class Held(NamedTuple):
    """A line that holds an expression, or a function of the rules: ``code``, and its ``key``."""

    code: str
    key: str

    def __str__(self) -> str:
        return f"{self.code}  # {self.key}"


Line = str | Held
Source = tuple[Line, ...]
"""A part of a statement; an expression in it gets a line of its own."""


def print_pack(pack: m.Pack) -> str:
    """Return the source of a module with all functions of a pack.

    Its constant ``LINES`` tells which lines hold an expression, see ``faults.expression_at``.
    """
    printer = _PackPrinter(pack)
    printer.module()
    return f"{printer.text()}LINES = {printer.marks()!r}\n"


def print_function(name: str, names: Mapping[str, str], code: str) -> str:
    """Return the source of a function ``name(S, v)`` that gives what ``code`` comes to.

    ``names`` are the variables that the code reads, each with its key in ``v``.
    """
    return function_source(name, map(str, _body(name, names, code, "")))


def _body(name: str, names: Mapping[str, str], code: str, quick: str) -> list[Line]:
    """Return the lines of a function that gives what ``code`` comes to."""
    return [*payment(weight(code)), *_unpacked(names), *_result(name, code, quick)]


def _result(name: str, code: str, quick: str) -> list[Line]:
    """Return the lines that return a value, the last with its name as key."""
    if quick in ("", code):
        return [Held(f"return {code}", name)]
    return [
        "try:",
        f"    return {quick}",
        "except _Budget:",
        "    raise",
        "except _ABSORBED:",
        Held(f"    return {code}", name),
    ]


def _statement(*source: Line) -> list[Line]:
    """Return the lines of a statement, of which only the first is indented."""
    lines: list[Line] = []
    text = ""
    for part in source:
        if isinstance(part, str):
            text += part
        else:
            lines += [f"{text}(", part]
            text = ")"
    return [*lines, text]


def _listed(parts: Iterable[Source]) -> Source:
    """Return parts of a statement with commas between them."""
    listed = [piece for part in parts for piece in (", ", *part)]
    return tuple(listed[1:])


def _printed(lines: Iterable[Line]) -> str:
    return "".join([f"{line}\n" for line in lines])


class _PackPrinter:
    """Prints one pack."""

    def __init__(self, pack: m.Pack) -> None:
        self.pack = pack
        self.may_raise = False
        """Whether what is printed is left where something raises, so that nothing is absorbed."""
        self.lines: list[str] = []
        self._held: list[str] = []
        """The numbers of the lines with an expression, and the keys of that."""
        self.procedures = {ident: f"p_{n}" for n, ident in enumerate(pack.procedures)}

    def module(self) -> None:
        """Print everything."""
        for function in self.pack.functions.values():
            arguments = "".join(f", {ident}" for ident in function.parameters)
            paid = payment(
                CALL_STEPS + weight(function.code) + sum(weight(c) for _, c in function.lets)
            )
            body = [
                *paid,
                *(Held(f"{name} = {code}", function.name) for name, code in function.lets),
                *_result(function.name, function.code, function.quick),
            ]
            self._define(function.name, f"(S{arguments})", body)
            self._end_function()
        printed: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}
        for expr in self.pack.exprs:
            code = self.pack.codes[expr.key]
            same = printed.setdefault((code, tuple(expr.locals.items())), expr.key)
            if same == expr.key:
                quick = self.pack.quick.get(expr.key, "")
                self._define(expr.key, "(S, v)", _body(expr.key, expr.locals, code, quick))
                self._end_function()
            else:
                self._print(f"{expr.key} = {same}")
        self.effects()
        self.may_raise = True
        for move in self.pack.moves:
            self._whole_move(move)

    def effects(self) -> None:
        """Print all procedures, lists of effects and scores."""
        for ident, procedure in self.pack.procedures.items():
            if not procedure.does.waits:
                self._procedure(ident, procedure)
        for effects in self.pack.routines:
            self._routine(effects)
        for number, category in enumerate(self.pack.categories):
            self._category(number, category)
        for number, triggers in enumerate(sets_of_triggers(self.pack).values()):
            self._followers(number, triggers)

    def text(self) -> str:
        """Return what was printed."""
        return "\n".join(self.lines) + "\n"

    def marks(self) -> str:
        """Return the number of every line with an expression, each with the key of that."""
        return " ".join(self._held)

    def _print(self, *source: Line) -> None:
        """Print a statement, which begins with how far it is indented."""
        if len(source) == 1 and isinstance(source[0], str):
            self.lines.append(source[0])
        else:
            self._lines(_statement(*source))

    def _lines(self, lines: Iterable[Line], indent: str = "") -> None:
        """Print lines."""
        for line in lines:
            if isinstance(line, str):
                self.lines.append(indent + line)
            else:
                self.lines.append(f"{indent}{line.code}  # {line.key}")
                self._held.append(f"{len(self.lines)} {line.key}")

    def _define(self, name: str, arguments: str, body: Sequence[Line] = ()) -> None:
        self.lines += [f"def {name}{arguments}:", TRY]
        self._lines(body, "    ")

    def _end_function(self) -> None:
        self.lines.append(EXCEPT)

    def _unpack(self, names: Mapping[str, str]) -> None:
        """Print the values of names."""
        self._lines(_unpacked(names), "    ")

    # ------------------------------------------------------------ functions

    def _routine(self, effects: m.Effects) -> None:
        self._define(effects.key, "(S, v)")
        if effects.waits:
            self._print(f"    S.start({self._constant(effects)}, v)")
        else:
            free = _free(effects.tree)
            self._unpack(free)
            self._list(effects.tree, "    ")
        self._end_function()

    def _procedure(self, ident: str, procedure: m.Procedure) -> None:
        arguments = "".join(f", v_{name}" for name in procedure.parameters)
        self._define(self.procedures[ident], f"(S{arguments})")
        self._list(procedure.does.tree, "    ")
        self._end_function()

    def _category(self, number: int, category: m.Category) -> None:
        """Print a function of the points that a player gets in a category.

        ``_tell``, if it is given, is called for each thing that is counted, with the part that
        counts it, the values of the moment, the points and how many of them the cap takes away.
        """
        self._define(f"s_{number}", "(S, v, _tell)")
        self._print("    _total = 0")
        for part in category.parts:
            self._part(part)
        self._print("    return _total")
        self._end_function()

    def _part(self, part: m.Part) -> None:
        free = _read([part.points] if part.cap is None else [part.points, part.cap])
        indent, told = "    ", "v"
        if part.each is None:
            self._unpack(free)
        else:
            name, items = part.each
            own = [ident for ident, key in free.items() if key == name]
            self._unpack({**items.locals, **{i: k for i, k in free.items() if i not in own}})
            self._print("    for _item in list(", *self._text(items), "):")
            indent, told = "        ", f"{{**v, {name!r}: _item}}"
            self.lines += [f"{indent}{ident} = _item" for ident in own]
        self._pay(POINT_STEPS, indent)
        self._print(f"{indent}_points = ", *self._text(part.points))
        lost: Source = ("0",)
        if part.cap is not None:
            lost = ("max(_points - ", *self._text(part.cap), ", 0)")
        self._print(f"{indent}_lost = ", *lost)
        self._print(f"{indent}_total += _points - _lost")
        self._print(f"{indent}if _tell is not None:")
        self._print(f"{indent}    _tell({self._constant(part)}, {told}, _points, _lost)")

    def _followers(self, number: int, triggers: Sequence[m.Trigger]) -> None:
        """Print a function that carries out those triggers that hold; it returns if none does."""
        self._define(f"t_{number}", "(S)")
        inline = [one.when.key for one in triggers if one.when.key not in self.pack.quick]
        self._pay(sum(weight(self.pack.codes[key]) for key in inline), "    ")
        self._print("    _calm = True")
        for trigger in triggers:
            self._print("    if ", *self._text(trigger.when), ":")
            self._print("        _calm = False")
            self._print(f"        S.set_off({self._constant(trigger)})")
        self._print("    return _calm")
        self._end_function()

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
        body: list[Line] = []

        def need(names: Mapping[str, str]) -> None:
            for ident, key in names.items():
                if ident in known:
                    continue
                known.add(ident)
                if key in inferred:
                    slot = inferred[key]
                    assert slot.infer is not None
                    need(slot.infer.locals)
                    empty = _EMPTY.get(slot.shape, "None")
                    body.extend([
                        f"{ident} = v.get({key!r})",
                        f"if {ident} is None:",
                        *_statement("    _choices = ", *self._text(slot.infer)),
                        "    if len(_choices) > 1:",
                        f"        return {m.UNCLEAR}",
                        f"    {ident} = v[{key!r}] = _choices[0] if _choices else {empty}",
                    ])  # fmt: skip
                elif key in lets:
                    need(lets[key].locals)
                    body.extend(_statement(f"{ident} = ", *self._text(lets[key])))
                else:
                    body.append(f"{ident} = v[{key!r}]")

        # A value that was left out is worked out before anything is asked of it.
        for name in inferred:
            need({f"v_{name}": name})
        later: list[Line] = []
        for index, requirement in enumerate(move.requires):
            need(requirement.that.locals)
            lines = later if requirement.afterwards else body
            lines.extend(_statement("if not ", *self._text(requirement.that), ":"))
            lines.append(f"    return {index}")
        need(_free(move.does.tree))
        paid = payment(STEPS + weight(_printed((*body, *later))))
        self._define(f"m_{move.number}", "(S, v)", (*paid, *body))
        if move.does.waits:
            values = _values(_free(move.does.tree))
            self._print(f"    S.start({self._constant(move.does)}, {values})")
        else:
            self._list(move.does.tree, "    ")
        self._lines(later, "    ")
        self._print(f"    return {m.LEGAL}")
        self._end_function()

    # ------------------------------------------------------------ effects

    def _list(self, effects: Sequence[m.Effect], indent: str) -> None:
        if not effects:
            self._print(f"{indent}pass")
            return
        self._pay(STEPS * len(effects), indent)
        for effect in effects:
            _EFFECTS[type(effect)](self, effect, indent)
            written = changed_by(self.pack, effect) if self.pack.watches else set()
            watching = [t for t in self.pack.watches if t.zones and written & t.zones]
            if watching:
                told = ", ".join(map(self._constant, watching))
                self._print(f"{indent}S.changed({told})")

    def _pay(self, steps: int, indent: str) -> None:
        """Print what charges steps to the budget."""
        self._lines(payment(steps), indent)

    def _text(self, expr: m.Expr) -> Source:
        """Return an expression, on a line of its own: what fails there is the expression."""
        code = self.pack.codes[expr.key]
        if expr.key in self.pack.quick:
            if not self.may_raise:
                return (f"{expr.key}(S, {_values(expr.locals)})",)
            code = self.pack.quick[expr.key]
        return (Held(code, expr.key),)

    def _texts(self, exprs: Iterable[m.Expr]) -> Source:
        """Return expressions, with commas between them."""
        return _listed(self._text(expr) for expr in exprs)

    def _constant(self, thing: object) -> str:
        name = f"K_{len(self.pack.constants)}"
        self.pack.constants[name] = thing
        return name

    def _at(self, place: m.Place | None) -> Source:
        """Return the number of a place, None for out of the game."""
        return ("None",) if place is None else self._text(place.at)

    def _move(self, effect: m.MoveEffect, indent: str) -> None:
        arguments = [self._at(effect.source), self._at(effect.target)]
        verb = "move_all"
        if effect.what is not None:
            verb = "move_bag" if effect.what.type == "bag" else "move_one"
            what = (effect.what, effect.number) if effect.number else (effect.what,)
            arguments += [self._text(expr) for expr in what]
        if effect.top:
            arguments.append(("top=True",))
        self._print(f"{indent}S.{verb}(", *_listed(arguments), ")")

    def _set(self, effect: m.SetEffect, indent: str) -> None:
        parts = (effect.place.at, effect.value)
        bounds = "" if effect.bounds == (None, None) else f", {effect.bounds!r}"
        verb = "raise_by" if effect.add else "put_within" if bounds else "put"
        self._print(f"{indent}S.{verb}(", *self._texts(parts), f"{bounds})")

    def _if(self, effect: m.IfEffect, indent: str) -> None:
        self._print(f"{indent}if ", *self._text(effect.condition), ":")
        self._list(effect.then, indent + "    ")
        if effect.otherwise:
            self._print(f"{indent}else:")
            self._list(effect.otherwise, indent + "    ")

    def _each(self, effect: m.EachEffect, indent: str) -> None:
        items = self._text(effect.items)
        self._print(f"{indent}for {effect.local} in _run(S, list(", *items, ")):")
        self._list(effect.does, indent + "    ")

    def _let(self, effect: m.LetEffect, indent: str) -> None:
        for (_, expr), ident in zip(effect.values, effect.locals, strict=True):
            self._print(f"{indent}{ident} = ", *self._text(expr))
        self._list(effect.does, indent)

    def _do(self, effect: m.DoEffect, indent: str) -> None:
        given = dict(effect.arguments)
        wanted = self.pack.procedures[effect.procedure].parameters
        arguments = _listed([("S",), *(self._text(given[name]) for name in wanted)])
        self._print(f"{indent}{self.procedures[effect.procedure]}(", *arguments, ")")

    def _ask(self, effect: m.AskEffect, indent: str) -> None:
        times = self._text(effect.times) if effect.times else ("1",)
        about = [(f"{name!r}: ", *self._text(expr)) for name, expr in effect.values]
        arguments = (times, self._text(effect.who), ("{", *_listed(about), "}"))
        self._print(f"{indent}S.ask({effect.decision!r}, ", *_listed(arguments), ")")

    def _while(self, effect: m.WhileEffect, indent: str) -> None:
        self._print(f"{indent}while ", *self._text(effect.condition), ":")
        self._pay(STEPS, indent + "    ")
        self._list(effect.does, indent + "    ")

    def _run(self, effect: m.RunEffect, indent: str) -> None:
        who = self._text(effect.who) if effect.who else ("v_me",)
        what = self._text(effect.what)
        self._print(f"{indent}S.start(", *what, ", {'me': ", *who, "})")

    def _draw(self, effect: m.DrawEffect, indent: str) -> None:
        values = _values(_of_effect(effect))
        self._print(f"{indent}S.draw({self._constant(effect)}, {values})")

    def _say(self, effect: m.SayEffect, indent: str) -> None:
        values = _values(_of_effect(effect))
        self._print(f"{indent}S.say({self._constant(effect.text)}, {values})")

    def _reset(self, effect: m.ResetEffect, indent: str) -> None:
        zones = [zone.index for zone in self.pack.zones if zone.lifetime == effect.lifetime]
        self._print(f"{indent}S.reset({', '.join(map(str, zones))})")

    def _stop(self, effect: m.StopEffect, indent: str) -> None:
        del effect
        self._print(f"{indent}S.halt()")

    def _seat(self, effect: m.SeatEffect, indent: str) -> None:
        self._print(f"{indent}S.seat(", *self._text(effect.player), ")")

    def _unknown(self, effect: m.UnknownEffect, indent: str) -> None:
        parts = (effect.source.at, effect.target.at, effect.number)
        backs = f", {effect.backs!r}" if effect.backs else ""
        self._print(f"{indent}S.hide(", *self._texts(parts), f"{backs})")

    def _reveal(self, effect: m.RevealEffect, indent: str) -> None:
        parts = (effect.bag.at, effect.what, effect.number)
        self._print(f"{indent}S.reveal(", *self._texts(parts), ")")

    def _either(self, effect: m.EitherEffect, indent: str) -> None:
        what = self._text(effect.what)
        ways = [("(", *self._texts((source.at, target.at)), ")") for source, target in effect.ways]
        self._print(f"{indent}S.hidden.either(", *what, ", [", *_listed(ways), "])")

    def _lacks(self, effect: m.LacksEffect, indent: str) -> None:
        parts = (effect.bag.at, effect.what)
        self._print(f"{indent}S.hidden.lack(", *self._texts(parts), ")")

    def _unsure(self, effect: m.UnsureEffect, indent: str) -> None:
        self._print(f"{indent}S.mistrust(", *self._at(effect.bag), ")")


_EFFECTS: dict[type, Callable[[_PackPrinter, Any, str], None]] = {
    m.MoveEffect: _PackPrinter._move,
    m.SetEffect: _PackPrinter._set,
    m.IfEffect: _PackPrinter._if,
    m.EachEffect: _PackPrinter._each,
    m.LetEffect: _PackPrinter._let,
    m.DoEffect: _PackPrinter._do,
    m.AskEffect: _PackPrinter._ask,
    m.WhileEffect: _PackPrinter._while,
    m.RunEffect: _PackPrinter._run,
    m.DrawEffect: _PackPrinter._draw,
    m.SayEffect: _PackPrinter._say,
    m.ResetEffect: _PackPrinter._reset,
    m.SeatEffect: _PackPrinter._seat,
    m.StopEffect: _PackPrinter._stop,
    m.UnknownEffect: _PackPrinter._unknown,
    m.RevealEffect: _PackPrinter._reveal,
    m.EitherEffect: _PackPrinter._either,
    m.LacksEffect: _PackPrinter._lacks,
    m.UnsureEffect: _PackPrinter._unsure,
}
"""What prints each kind of effect."""


def _values(names: Mapping[str, str]) -> str:
    """Return the code of the values that some expressions look up by name."""
    return f"{{{', '.join(f'{key!r}: {ident}' for ident, key in names.items())}}}"


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
    own = _read(value for value in effect if isinstance(value, m.Expr | m.Place))
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
            around = (effect.seen, effect.times, effect.loop)
            ends = (effect.source, effect.target, effect.refill, effect.above, effect.below)
            told = _read(part for text in effect.rules.values() for part in text.exprs())
            only = _read([effect.only] if effect.only is not None else [])
            return {
                **_read(expr for expr in (*around, *ends) if expr is not None),
                **{i: k for i, k in only.items() if k != "it"},
                **{i: k for i, k in told.items() if k not in _WORDS},
            }
        case m.WhileEffect():
            return {**own, **_free(effect.does)}
        case m.RunEffect():
            return own if effect.who else {**own, "v_me": "me"}
        case m.SayEffect():
            return _read(effect.text.exprs())
        case m.EitherEffect():
            return {**own, **_read(bag for way in effect.ways for bag in way)}
        case _:
            return own


def _read(exprs: Iterable[m.Expr | m.Place]) -> dict[str, str]:
    """Return the variables that expressions read, with their keys."""
    found: dict[str, str] = {}
    for expr in exprs:
        if isinstance(expr, m.Place):
            found.update(expr.at.locals)
        else:
            found.update(expr.locals)
    return found
