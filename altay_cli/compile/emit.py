"""From the trees of a compiled pack to Python: functions for expressions, effects and moves.

This is the last step, and nobody reads what is printed but Python. Names and constants of rule
files become names of our own making and ``repr``; no text of a rule becomes code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from altay_cli.compile import limits
from altay_cli.expressions.runtime import EXCEPT, TRY, payment, weight
from altay_cli.expressions.types import INT_MAX, INT_MIN
from altay_cli.pack import model as m

_WORDS = ("given", "due", "missing", "left", "drawn_card")
"""The names that the findings of a draw can mention besides those around it."""

_EMPTY = {"bag": "_Bag()", "list": "[]"}
"""What a slot holds for which nothing is written and nothing found; all others hold None."""

_MARK = re.compile(r"  # (\w+)$")
"""What ``marked`` puts behind code. Texts in it are quoted, and never end a line so."""

Block = list["str | Block"]
"""Lines; a block among them is indented. Of a line that goes on, only the first is indented."""

Argument = m.Piece | tuple[m.Piece, ...]


def marked(code: str, key: str) -> str:
    """Return code that has a line of its own, up to its end: faults on it are those of ``key``."""
    return f"{code}  # {key}"


def function(name: str, parameters: Iterable[str], body: Block) -> Block:
    """Return a function that raises nothing but our own errors."""
    return [f"def {name}({', '.join(parameters)}):", TRY, body, EXCEPT]


def text(block: Block, indent: str = "") -> str:
    """Return the source of a block."""
    deeper = f"{indent}    "
    parts = [text(one, deeper) if isinstance(one, list) else f"{indent}{one}\n" for one in block]
    return "".join(parts)


def print_pack(pack: m.Pack) -> str:
    """Return the source of a module with all functions of a pack.

    Its constant ``LINES`` tells which lines hold an expression, see ``pack.words``.
    """
    source = text(_PackPrinter(pack).module())
    marks = ((line, _MARK.search(code)) for line, code in enumerate(source.split("\n"), 1))
    lines = " ".join(f"{line} {mark[1]}" for line, mark in marks if mark is not None)
    return f"{source}LINES = {lines!r}\n"


def evaluating(name: str, names: Mapping[str, str], code: str, quick: str = "") -> Block:
    """Return a function ``name(S, v)`` that gives what ``code`` comes to, or ``quick`` if it can.

    ``names`` are the variables that the code reads, each with its key in ``v``.
    """
    body = [*payment(weight(code)), *unpacked(names), *_result(name, code, quick)]
    return function(name, "Sv", body)


def computing(own: m.RuleFunction, gives: str = "return") -> Block:
    """Return the lines that compute a function of the rules, and what is done with the value."""
    steps = limits.CALL_STEPS + weight(own.code) + sum(weight(code) for _, code in own.lets)
    lets = [marked(f"{name} = {code}", own.key) for name, code in own.lets]
    return [*payment(steps), *lets, *_result(own.key, own.code, own.quick, gives)]


def _result(name: str, code: str, quick: str, gives: str = "return") -> Block:
    """Return the lines that return a value, the last with its name as key."""
    if quick in ("", code):
        return [marked(f"{gives} {code}", name)]
    return ["try:", [f"{gives} {quick}"], "except _ABSORBED:", [marked(f"{gives} {code}", name)]]


class _PackPrinter:
    def __init__(self, pack: m.Pack) -> None:
        self.pack = pack
        self.may_raise = False
        """Whether what is printed is left where something raises, so that nothing is absorbed."""
        self.procedures = {ident: f"p_{n}" for n, ident in enumerate(pack.procedures)}

    def module(self) -> Block:
        """Print everything."""
        pack = self.pack
        block: Block = []
        for own in pack.functions.values():
            block += function(own.key, ("S", *own.parameters), computing(own))
        # Many conditions are written several times: Python compiles each once.
        printed: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}
        for expr in pack.exprs:
            code = pack.codes[expr.key]
            same = printed.setdefault((code, tuple(expr.locals.items())), expr.key)
            if same == expr.key:
                block += evaluating(same, expr.locals, code, pack.quick.get(same, ""))
            else:
                block.append(f"{expr.key} = {same}")
        for ident, procedure in pack.procedures.items():
            if not procedure.does.waits:
                parameters = ("S", *(f"v_{name}" for name in procedure.parameters))
                body = self.effects(procedure.does.tree)
                block += function(self.procedures[ident], parameters, body)
        for effects in pack.routines:
            if effects.waits:
                body = [f"S.start({self._constant(effects)}, v)"]
            else:
                body = [*unpacked(_free(effects.tree)), *self.effects(effects.tree)]
            block += function(effects.key, "Sv", body)
        for number, category in enumerate(pack.categories):
            counted = [line for part in category.parts for line in self._part(part)]
            body = ["_total = 0", *counted, "return _total"]
            block += function(f"s_{number}", ("S", "v", "_tell"), body)
        for key in m.STATUS:
            block += self._standing(key)
        self.may_raise = True
        for move in pack.moves:
            if not move.fallback:
                block += function(f"m_{move.number}", "Sv", self._whole_move(move))
        return block

    def _standing(self, key: str) -> Block:
        """Print a function of what the pack says of the course of the game, see ``m.Pack``."""
        ended = key == "ended"
        told = [self.pack.status[key]] if key in self.pack.status else []
        if ended:
            told += [ending.when for ending in self.pack.endings]
        body: Block = []
        for expr in told:
            line = ("if ", expr, ": return True") if ended else ("return ", expr)
            caught = "except (_Budget, *_ABSORBED, *_PYTHON) as _error:"
            body += ["try:", [self._line(*line)], caught, ["_fault(_error)"]]
        return function(f"g_{key}", "S", [*body, f"return {False if ended else None}"])

    def _part(self, part: m.Part) -> Block:
        """Print what adds the points for a part of a category to ``_total``.

        ``_tell``, if it is given, is called for each thing that is counted, with the part that
        counts it, the values of the moment, the points and how many of them the cap takes away.
        """
        lost = ("0",) if part.cap is None else ("max(_points - ", part.cap, ", 0)")
        values = "v" if part.each is None else f"{{**v, {part.each[0]!r}: _item}}"
        counted: Block = [
            *payment(limits.POINT_STEPS),
            self._line("_points = ", part.points),
            self._line("_lost = ", *lost),
            "_total += _points - _lost",
            "if _tell is not None:",
            [f"_tell({self._constant(part)}, {values}, _points, _lost)"],
        ]
        free = _read([part.points, part.cap])
        if part.each is None:
            return [*unpacked(free), *counted]
        name, items = part.each
        own = [ident for ident, key in free.items() if key == name]
        around = {**items.locals, **{i: k for i, k in free.items() if i not in own}}
        return [
            *unpacked(around),
            self._line("for _item in list(", items, "):"),
            [*(f"{ident} = _item" for ident in own), *counted],
        ]

    def _whole_move(self, move: m.MoveDef) -> Block:
        """Print what makes a move where it is legal, and returns ``m.LEGAL``.

        Else it changes nothing and returns the number of the requirement that fails, or
        ``m.UNCLEAR``.
        """
        inferred = {slot.name: slot.infer for slot in move.slots.values() if slot.infer is not None}
        lets = dict(move.lets)
        known: set[str] = set()
        body: Block = []

        def need(names: Mapping[str, str]) -> None:
            for ident, key in names.items():
                if ident in known:
                    continue
                known.add(ident)
                if key in inferred:
                    need(inferred[key].locals)
                    empty = _EMPTY.get(move.slots[key].shape, "None")
                    body.extend([
                        f"{ident} = v.get({key!r})",
                        f"if {ident} is None:",
                        [
                            self._line("_choices = ", inferred[key]),
                            "if len(_choices) > 1:",
                            [f"return {m.UNCLEAR}"],
                            f"{ident} = v[{key!r}] = _choices[0] if _choices else {empty}",
                        ],
                    ])  # fmt: skip
                elif key in lets:
                    need(lets[key].locals)
                    body.append(self._line(f"{ident} = ", lets[key]))
                else:
                    body.append(f"{ident} = v[{key!r}]")

        # A value that was left out is worked out before anything is asked of it.
        for name in inferred:
            need({f"v_{name}": name})
        later: Block = []
        for index, requirement in enumerate(move.requires):
            need(requirement.that.locals)
            test = self._line("if not ", requirement.that, ":")
            (later if requirement.afterwards else body).extend([test, [f"return {index}"]])
        free = _free(move.does.tree)
        need(free)
        paid = payment(limits.EFFECT_STEPS + weight(text([*body, *later])))
        does = (
            [f"S.start({self._constant(move.does)}, {values(free)})"]
            if move.does.waits
            else self.effects(move.does.tree)
        )
        # What a move requires is read exactly, what it does is what is known.
        return [*paid, *body, "S.exact = 0", *does, *later, f"return {m.LEGAL}"]

    def effects(self, effects: Sequence[m.Effect]) -> Block:
        """Print what carries out effects."""
        block: Block = [*payment(limits.EFFECT_STEPS * len(effects))] or ["pass"]
        for effect in effects:
            block += self._effect(effect)
            watching = [t for t in self.pack.watches if t.zones and m.changes(effect) & t.zones]
            if watching:
                block.append(f"S.changed({', '.join(map(self._constant, watching))})")
        return block

    def _effect(self, effect: m.Effect) -> Block:
        match effect:
            case m.IfEffect():
                head = self._line("if ", effect.condition, ":")
                other: Block = ["else:", self.effects(effect.otherwise)] if effect.otherwise else []
                return [head, self.effects(effect.then), *other]
            case m.EachEffect():
                head = self._line(f"for {effect.local} in list(", effect.items, "):")
                return [head, [*payment(1), *self.effects(effect.does)]]
            case m.WhileEffect():
                head = self._line("while ", effect.condition, ":")
                return [head, [*payment(limits.EFFECT_STEPS), *self.effects(effect.does)]]
            case m.LetEffect():
                values = zip(effect.locals, effect.values, strict=True)
                named = [self._line(f"{ident} = ", expr) for ident, (_, expr) in values]
                return [*named, *self.effects(effect.does)]
            case m.SetEffect():
                return self._set(effect)
        name, arguments = self._call(effect)
        return [self._line(f"{name}(", *_listed(arguments), ")")]

    def _set(self, effect: m.SetEffect) -> Block:
        """Print what puts a value into a cell, as ``Journal.put`` does."""
        before = "S.cells[_cell] + " if effect.add else ""
        lines: Block = [
            self._line("_cell = ", effect.place),
            self._line(f"_value = {before}", effect.value),
        ]
        if effect.add:
            lines += [
                f"if not {INT_MIN} <= _value <= {INT_MAX}:",
                ["_add(S.cells[_cell], _value - S.cells[_cell])"],
            ]
        for sign, bound in zip("<>", effect.bounds, strict=True):
            if bound is not None:
                lines.append(f"if _value {sign} {bound}: _value = {bound}")
        return [*lines, "S.entries.append((_cell, S.cells[_cell]))", "S.cells[_cell] = _value"]

    def _call(self, effect: m.Effect) -> tuple[str, Sequence[Argument]]:
        """Return the function that carries out an effect, and its arguments."""
        match effect:
            case m.CallEffect():
                return effect.operation, effect.arguments
            case m.DoEffect():
                given = dict(effect.arguments)
                wanted = self.pack.procedures[effect.procedure].parameters
                return self.procedures[effect.procedure], ["S", *(given[name] for name in wanted)]
            case m.AskEffect():
                about = "{", *_listed((f"{name!r}: ", expr) for name, expr in effect.values), "}"
                return "S.ask", [repr(effect.decision), effect.times or "1", effect.who, about]
            case m.RunEffect():
                return "S.start", [effect.what, ("{'me': ", effect.who or "v_me", "}")]
            case m.DrawEffect():
                return "S.draw", [self._constant(effect), values(_of_effect(effect))]
            case m.ReportEffect():
                return "S.reporter.report_text", [
                    self._constant(effect.text),
                    values(_of_effect(effect)),
                ]
        return "S.halt", ()

    def _line(self, *pieces: m.Piece) -> str:
        """Print a statement; each expression in it gets a line of its own."""
        return "".join(map(self._piece, pieces))

    def _piece(self, piece: m.Piece) -> str:
        if piece is None or isinstance(piece, str):
            return piece or "None"
        expr = piece.at if isinstance(piece, m.Place) else piece
        code = self.pack.codes[expr.key]
        if expr.key in self.pack.quick:
            # Where a move's function raises, the move is judged condition by condition, exactly;
            # of other functions nobody asks again.
            if not self.may_raise:
                return f"{expr.key}(S, {values(expr.locals)})"
            code = self.pack.quick[expr.key]
        return f"(\n{marked(code, expr.key)}\n)"

    def _constant(self, thing: object) -> str:
        name = f"K_{len(self.pack.constants)}"
        self.pack.constants[name] = thing
        return name


def _listed(arguments: Iterable[Argument]) -> list[m.Piece]:
    """Return the pieces of arguments, with commas between them."""
    several = [one if type(one) is tuple else (one,) for one in arguments]
    return [piece for pieces in several for piece in (", ", *pieces)][1:]


def values(names: Mapping[str, str]) -> str:
    """Return the code of the values that some expressions look up by name."""
    return f"{{{', '.join(f'{key!r}: {ident}' for ident, key in names.items())}}}"


def unpacked(names: Mapping[str, str]) -> list[str]:
    """Return the lines that take variables out of ``v``, where they are looked up by name."""
    return [f"{ident} = v[{key!r}]" for ident, key in names.items()]


def _free(effects: Sequence[m.Effect]) -> dict[str, str]:
    """Return the variables that effects read and do not name themselves, with their keys."""
    free: dict[str, str] = {}
    answers: set[str] = set()
    for effect in effects:
        free.update({i: key for i, key in _of_effect(effect).items() if i not in answers})
        if isinstance(effect, m.AskEffect):
            answers.add(effect.local)
    return free


def _of_effect(effect: m.Effect) -> dict[str, str]:
    own = _read(effect)
    bound: Sequence[str] = ()
    match effect:
        case m.ReportEffect():
            return _read(effect.text.exprs())
        case m.DrawEffect():
            only = _read([effect.only])
            of_rules = _read(part for text in effect.rules.values() for part in text.exprs())
            return {
                **_read(effect._replace(only=None)),
                **{i: k for i, k in only.items() if k != "it"},
                **{i: k for i, k in of_rules.items() if k not in _WORDS},
            }
        case m.RunEffect(who=None):
            own["v_me"] = "me"
        case m.EachEffect():
            bound = (effect.local,)
        case m.LetEffect():
            bound = effect.locals
    for branch in m.branches(effect):
        own |= _free(branch)
    return {i: key for i, key in own.items() if i not in bound}


def _read(parts: Iterable[object]) -> dict[str, str]:
    """Return the variables that expressions among some parts read, with their keys."""
    exprs = (part.at if isinstance(part, m.Place) else part for part in m.named(parts))
    return {ident: key for expr in exprs for ident, key in expr.locals.items()}
