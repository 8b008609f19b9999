"""Print the Python functions of a compiled pack.

Names and constants of rule files become generated names and ``repr``; no text of a rule becomes
code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from altay_cli.compile import limits
from altay_cli.expressions.linking import EXCEPT, TRY, payment, weight
from altay_cli.expressions.types import INT_MAX, INT_MIN
from altay_cli.pack import model as m

_WORDS = ("given", "due", "missing", "left", "drawn_card")
"""The names that findings of a draw can use as well."""

_EMPTY = {"bag": "_Bag()", "list": "[]"}
"""The value of an empty slot; by default None."""

_MARK = re.compile(r"  # (\w+)$")
"""The comment that ``marked`` adds; texts are quoted, so no other line ends so."""

Block = list["str | Block"]
"""Lines; nested blocks are indented, continuation lines are not."""

Argument = m.Piece | tuple[m.Piece, ...]


def marked(code: str, key: str) -> str:
    """Return code on its own line; its errors belong to ``key``."""
    return f"{code}  # {key}"


def function(name: str, parameters: Iterable[str], body: Block) -> Block:
    """Return a function that raises only errors of this program."""
    return [f"def {name}({', '.join(parameters)}):", TRY, body, EXCEPT]


def text(block: Block, indent: str = "") -> str:
    """Return the source of a block."""
    deeper = f"{indent}    "
    parts = [
        text(part, deeper) if isinstance(part, list) else f"{indent}{part}\n" for part in block
    ]
    return "".join(parts)


def print_pack(pack: m.Pack) -> str:
    """Return the source of a module with all functions of a pack.

    Its constant ``LINES`` maps lines to expressions, see ``pack.words``.
    """
    source = text(_PackPrinter(pack).module())
    marks = ((line, _MARK.search(code)) for line, code in enumerate(source.split("\n"), 1))
    lines = " ".join(f"{line} {mark[1]}" for line, mark in marks if mark is not None)
    return f"{source}LINES = {lines!r}\n"


def evaluating(name: str, names: Mapping[str, str], code: str, quick: str = "") -> Block:
    """Return a function ``name(S, v)`` for the value of ``code``, trying ``quick`` first.

    ``names`` are the variables of the code, each with its key in ``v``.
    """
    body = [*payment(weight(code)), *unpacked(names), *_return_lines(name, code, quick)]
    return function(name, "Sv", body)


def computing(rule: m.RuleFunction, gives: str = "return") -> Block:
    """Return lines that compute a function of the rules."""
    steps = limits.CALL_STEPS + weight(rule.code) + sum(weight(code) for _, code in rule.lets)
    lets = [marked(f"{name} = {code}", rule.key) for name, code in rule.lets]
    return [*payment(steps), *lets, *_return_lines(rule.key, rule.code, rule.quick, gives)]


def _return_lines(name: str, code: str, quick: str, gives: str = "return") -> Block:
    if quick in ("", code):
        return [marked(f"{gives} {code}", name)]
    return ["try:", [f"{gives} {quick}"], "except _ABSORBED:", [marked(f"{gives} {code}", name)]]


class _PackPrinter:
    def __init__(self, pack: m.Pack) -> None:
        self.pack = pack
        self.may_raise = False
        """Whether exceptions leave the function, so nothing needs absorbing."""
        self.procedures = {ident: f"p_{n}" for n, ident in enumerate(pack.procedures)}

    def module(self) -> Block:
        pack = self.pack
        block: Block = []
        for rule in pack.functions.values():
            block += function(rule.key, ("S", *rule.parameters), computing(rule))
        # Many conditions are repeated: Python compiles each once.
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
                body = [*unpacked(_free_variables(effects.tree)), *self.effects(effects.tree)]
            block += function(effects.key, "Sv", body)
        for number, category in enumerate(pack.categories):
            counted = [line for part in category.parts for line in self._category_part(part)]
            body = ["_total = 0", *counted, "return _total"]
            block += function(f"s_{number}", ("S", "v", "_tell"), body)
        for key in m.STATUS:
            block += self._status_function(key)
        self.may_raise = True
        for move in pack.moves:
            if not move.fallback:
                block += function(f"m_{move.number}", "Sv", self._move(move))
        return block

    def _status_function(self, key: str) -> Block:
        ended = key == "ended"
        exprs = [self.pack.status[key]] if key in self.pack.status else []
        if ended:
            exprs += [ending.when for ending in self.pack.endings]
        body: Block = []
        for expr in exprs:
            line = ("if ", expr, ": return True") if ended else ("return ", expr)
            caught = "except (_Budget, *_ABSORBED, *_PYTHON) as _error:"
            body += ["try:", [self._line(*line)], caught, ["_fault(_error)"]]
        return function(f"g_{key}", "S", [*body, f"return {False if ended else None}"])

    def _category_part(self, part: m.CategoryPart) -> Block:
        """Print the code that adds the points of a part to ``_total``.

        For each counted entity, it calls ``_tell``, if given: with the part, the values, the
        points, and how many the cap removes.
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
        free = _variables_read([part.points, part.cap])
        if part.each is None:
            return [*unpacked(free), *counted]
        name, items = part.each
        loop_names = [ident for ident, key in free.items() if key == name]
        around = {**items.locals, **{i: k for i, k in free.items() if i not in loop_names}}
        return [
            *unpacked(around),
            self._line("for _item in list(", items, "):"),
            [*(f"{ident} = _item" for ident in loop_names), *counted],
        ]

    def _move(self, move: m.MoveDef) -> Block:
        """Print the function that applies a legal move and returns ``m.LEGAL``.

        Else it changes nothing and returns the failed requirement, or ``m.UNCLEAR``.
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

        for name in inferred:
            need({f"v_{name}": name})
        later: Block = []
        for index, requirement in enumerate(move.requires):
            need(requirement.that.locals)
            test = self._line("if not ", requirement.that, ":")
            (later if requirement.afterwards else body).extend([test, [f"return {index}"]])
        free = _free_variables(move.does.tree)
        need(free)
        paid = payment(limits.EFFECT_STEPS + weight(text([*body, *later])))
        does = (
            [f"S.start({self._constant(move.does)}, {values(free)})"]
            if move.does.waits
            else self.effects(move.does.tree)
        )
        # Requirements read hidden contents exactly, effects the known part.
        return [*paid, *body, "S.exact = 0", *does, *later, f"return {m.LEGAL}"]

    def effects(self, effects: Sequence[m.Effect]) -> Block:
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
                return self._assignment(effect)
        name, arguments = self._call(effect)
        return [self._line(f"{name}(", *_comma_separated(arguments), ")")]

    def _assignment(self, effect: m.SetEffect) -> Block:
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
        match effect:
            case m.CallEffect():
                return effect.operation, effect.arguments
            case m.DoEffect():
                given = dict(effect.arguments)
                wanted = self.pack.procedures[effect.procedure].parameters
                return self.procedures[effect.procedure], ["S", *(given[name] for name in wanted)]
            case m.AskEffect():
                about = (
                    "{",
                    *_comma_separated((f"{name!r}: ", expr) for name, expr in effect.values),
                    "}",
                )
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
        return "".join(map(self._piece, pieces))

    def _piece(self, piece: m.Piece) -> str:
        if piece is None or isinstance(piece, str):
            return piece or "None"
        expr = piece.at if isinstance(piece, m.Place) else piece
        code = self.pack.codes[expr.key]
        if expr.key in self.pack.quick:
            # Only moves are judged again, step by step, if their function raises.
            if not self.may_raise:
                return f"{expr.key}(S, {values(expr.locals)})"
            code = self.pack.quick[expr.key]
        return f"(\n{marked(code, expr.key)}\n)"

    def _constant(self, thing: object) -> str:
        name = f"K_{len(self.pack.constants)}"
        self.pack.constants[name] = thing
        return name


def _comma_separated(arguments: Iterable[Argument]) -> list[m.Piece]:
    several = [argument if type(argument) is tuple else (argument,) for argument in arguments]
    return [piece for pieces in several for piece in (", ", *pieces)][1:]


def values(names: Mapping[str, str]) -> str:
    """Return the code for the values that expressions look up."""
    return f"{{{', '.join(f'{key!r}: {ident}' for ident, key in names.items())}}}"


def unpacked(names: Mapping[str, str]) -> list[str]:
    """Return lines that load variables from ``v``."""
    return [f"{ident} = v[{key!r}]" for ident, key in names.items()]


def _free_variables(effects: Sequence[m.Effect]) -> dict[str, str]:
    free: dict[str, str] = {}
    answers: set[str] = set()
    for effect in effects:
        free.update({i: key for i, key in _of_effect(effect).items() if i not in answers})
        if isinstance(effect, m.AskEffect):
            answers.add(effect.local)
    return free


def _of_effect(effect: m.Effect) -> dict[str, str]:
    free = _variables_read(effect)
    bound: Sequence[str] = ()
    match effect:
        case m.ReportEffect():
            return _variables_read(effect.text.exprs())
        case m.DrawEffect():
            only = _variables_read([effect.only])
            of_rules = _variables_read(
                part for text in effect.rules.values() for part in text.exprs()
            )
            return {
                **_variables_read(effect._replace(only=None)),
                **{i: k for i, k in only.items() if k != "it"},
                **{i: k for i, k in of_rules.items() if k not in _WORDS},
            }
        case m.RunEffect(who=None):
            free["v_me"] = "me"
        case m.EachEffect():
            bound = (effect.local,)
        case m.LetEffect():
            bound = effect.locals
    for branch in m.branches(effect):
        free |= _free_variables(branch)
    return {i: key for i, key in free.items() if i not in bound}


def _variables_read(parts: Iterable[object]) -> dict[str, str]:
    exprs = (part.at if isinstance(part, m.Place) else part for part in m.named(parts))
    return {ident: key for expr in exprs for ident, key in expr.locals.items()}
