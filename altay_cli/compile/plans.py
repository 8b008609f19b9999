"""Prints how legal moves are found: Python generators of nested loops, one for each plan.

Each condition stands as early as it can be asked. What moves are worth to the policies is printed
with them: who judges needs none of this. Nobody reads what is printed but Python.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence

from altay_cli.base.budget import Budget
from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import bag_of
from altay_cli.compile.emit import Block, function, text
from altay_cli.expressions.linker import payment, weight
from altay_cli.pack.limits import CANDIDATE_STEPS
from altay_cli.pack.model import Expr, Pack, Shape, Slot
from altay_cli.pack.plans import Asked, Listing, Plan, Values, plan_of

FILE = "<listing>"
"""The file name that Python shows for what is printed here."""


def print_listing(pack: Pack) -> Listing:
    """Return how the moves of a linked pack are listed."""
    # A fallback stands for what is not legal.
    plans = {move.id: plan_of(move) for move in pack.moves if not move.fallback}
    printer = _Printer(pack)
    printer.module(plans)
    code = compile(text(printer.block), FILE, "exec", dont_inherit=True)
    return Listing(plans, printer.constants, marshal.dumps(code))


class _Printer:
    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.constants: dict[str, object] = {}
        self.block: Block = []
        self.hides = any(zone.backs for zone in pack.zones) or any(
            slot.reveals for move in pack.moves for slot in move.slots.values()
        )
        """Whether anything that a move names can be hidden."""
        self.lists: dict[str, int] = {}
        """The numbers of the lists that several moves take their values from, by their sources."""

    def module(self, plans: Mapping[str, Plan]) -> None:
        """Print the functions of plans.

        ``l_N(S, v, L)`` yields the values of the slots of move N and what each comes from; ``v``
        holds the values that are there before any slot, ``L`` is the lister. ``w_P_N(S, v)`` gives
        what move N, with these values in its slots, is worth to policy P.
        """
        for ident, plan in plans.items():
            _OnePlan(self, plan).printed()
            for place, policy in enumerate(self.pack.policies.values()):
                if ident in policy.worth:
                    name = f"w_{place}_{plan.move.number}"
                    _OnePlan(self, plan).worth(name, policy.worth[ident])
        # Most moves begin with the same conditions: each is asked once for all of them.
        same: dict[str, Expr] = {}
        for plan in plans.values():
            plan.gate = tuple(same.setdefault(self.pack.codes[e.key], e) for e in plan.gate)

    def constant(self, thing: object) -> str:
        """Return the name of a constant."""
        name = f"P_{len(self.constants)}"
        self.constants[name] = thing
        return name


class _OnePlan:
    def __init__(self, printer: _Printer, plan: Plan) -> None:
        self.out = printer
        self.plan = plan
        self.move = plan.move
        self.lets = dict(plan.move.lets)
        self.known: list[str] = []
        """The names that have a variable, in order."""
        self.asked: list[str] = []
        """What reads again what was asked: supposing what hidden things are may change it."""

    def printed(self) -> None:
        """Print the function."""
        plan, out = self.plan, self.out
        exprs = [one.expr for asked in plan.asked for one in asked]
        exprs += [expr for slot in plan.slots for expr in _exprs(slot)]
        # What is neither named nor filled by the plan itself is handed in with ``v``.
        base = {
            (ident, key)
            for expr in exprs
            for ident, key in expr.locals.items()
            if key not in self.lets and all(key != slot.name for slot in plan.slots)
        }
        head = [f"{ident} = v[{key!r}]" for ident, key in sorted(base)]
        self.asked = [line for line in head if line.endswith("['asked']")]
        allowed = self._allowed()
        body: Block = [*head]
        for number, slot in enumerate(plan.slots, 1):
            if slot.name in plan.common and self._is_needed(slot):
                body += [*self._share(number, slot), f"if not (d_{number} or L.tries): return"]
                if slot.name in allowed:
                    never = f"not L.tries and {allowed[slot.name]}.isdisjoint(d_{number})"
                    body.append(f"if {never}: return")
        body += self._stage(0, "return")
        inner = body
        for number, slot in enumerate(plan.slots, 1):
            inner = self._candidates(inner, number, slot)
            if slot.name in allowed:
                looked_at = f"v_{slot.name}"
                if slot.shape is Shape.BAG:
                    looked_at = f"next(iter({looked_at}), None)"
                left = self._unless_tried(number, slot)
                inner += [f"if {looked_at} not in {allowed[slot.name]}:", [left]]
            self.known.append(slot.name)
            inner += self._stage(number, "continue")
        values = "".join(f", {slot.name!r}: v_{slot.name}" for slot in plan.slots)
        there = ", ".join(
            f"{slot.name!r}: d_{number}"
            for number, slot in enumerate(plan.slots, 1)
            if self._is_traced(slot)
        )
        inner.append(f"yield {{**v{values}}}, {{{there}}}")
        out.block += function(f"l_{self.move.number}", "SvL", body)

    def _unless_tried(self, number: int, slot: Slot) -> str:
        """Print what leaves a value out, unless it is tried and its fixed conditions hold for it.

        Of what lies openly in its domain they are known without asking.
        """
        asked = tuple(one for one in self.plan.asked[number] if self._is_fixed(one, slot))
        names = self._pairs([*dict.fromkeys([*self.known, slot.name])])
        held = f"L.holds({self.out.constant(asked)}, {{**v, {names}}})"
        return f"if not (L.tries and {held}): continue"

    def worth(self, name: str, expr: Expr) -> None:
        """Print the function ``name`` of what an expression is, by the values of the slots."""
        needed = self._need(expr)
        lets = [self.lets[known] for known in self.known]
        read = {pair for one in (expr, *lets) for pair in one.locals.items()}
        given = sorted((ident, key) for ident, key in read if key not in self.lets)
        cost = weight("".join(self.out.pack.codes[one.key] for one in (expr, *lets)))
        unpacked = [f"{ident} = v[{key!r}]" for ident, key in given]
        body: Block = [*payment(cost), *unpacked, *needed, f"return {self._exact(expr)}"]
        self.out.block += function(name, "Sv", body)

    # ------------------------------------------------------------ what never changes

    def _allowed(self) -> dict[str, str]:
        """Return, by slot, the set of what passes all conditions on it that no state changes."""
        allowed: dict[str, str] = {}
        for number, slot in enumerate(self.plan.slots, 1):
            fixed = [one.expr for one in self.plan.asked[number] if self._is_fixed(one, slot)]
            if not fixed:
                continue
            passing = set()
            for thing in (*self.out.pack.entities[slot.kind], None):
                held = thing if slot.shape is Shape.ENTITY else bag_of([thing] if thing else [])
                if all(_holds(expr, {slot.name: held}) for expr in fixed):
                    passing.add(thing)
            allowed[slot.name] = self.out.constant(frozenset(passing))
        return allowed

    def _is_fixed(self, one: Asked, slot: Slot) -> bool:
        """Tell whether a condition depends only on the (first) thing in a slot."""
        if (
            one.name is not None
            or one.does is not None
            or slot.shape not in (Shape.ENTITY, Shape.BAG)
            or slot.kind == "player"
            or set(one.expr.locals.values()) != {slot.name}
            or one.expr.reads
        ):
            return False
        hint = self.out.pack.hints.get(one.expr.key)
        return slot.shape is Shape.ENTITY or (hint is not None and hint.size is None)

    # ------------------------------------------------------------ slots

    @staticmethod
    def _is_traced(slot: Slot) -> bool:
        """Tell whether the domain of a slot affects how its value is written."""
        return (
            slot.domain is not None
            and slot.shape not in (Shape.INT, Shape.DRAWN)
            and not slot.infer
        )

    def _candidates(self, block: Block, number: int, slot: Slot) -> Block:
        """Print the loop over what a slot can hold; return the block inside of it."""
        domain, found = slot.domain, f"d_{number}"
        if slot.infer is not None:
            block += self._guard(slot.infer, found)
        elif domain is None:
            things = "S.players"
            if slot.kind != "player":
                things = self.out.constant(self.out.pack.entities.get(slot.kind, ()))
            block.append(f"{found} = {things}")
        elif slot.name not in self.plan.common or slot.shape in (Shape.INT, Shape.DRAWN):
            block += self._guard(domain, found)
        elif self._is_needed(slot):
            block += ["if L.tries:", self._share(number, slot)]
        else:
            block += self._share(number, slot)
        asked = self.plan.asked[number]
        codes = "".join(self.out.pack.codes[one.expr.key] for one in asked)
        cost = CANDIDATE_STEPS + len(asked) + weight(codes)
        arguments = f"{self.out.constant(slot)}, {found}, v, {{{self._pairs(self.known)}}}"
        size = self._size(number, slot)
        inner: Block = [*payment(cost)]
        block += [f"for v_{slot.name} in L.candidates({arguments}, {size}):", inner]
        if self.asked and self.out.hides:
            inner.append(f"if L.tries: {'; '.join(self.asked)}")
        return inner

    def _share(self, number: int, slot: Slot) -> Block:
        """Print the domain of a slot that is shared by several moves."""
        assert slot.domain is not None
        shared = self.out.lists.setdefault(slot.domain.source, len(self.out.lists))
        return [
            f"d_{number} = L.lists.get({shared})",
            f"if d_{number} is None:",
            [*self._guard(slot.domain, f"d_{number}"), f"L.lists[{shared}] = d_{number}"],
        ]

    def _is_needed(self, slot: Slot) -> bool:
        """Tell whether there are no moves if the domain of a slot is empty."""
        if slot.infer is not None or slot.shape not in (Shape.ENTITY, Shape.BAG) or slot.hidden:
            return False
        return not slot.optional and slot.least is None

    def _size(self, number: int, slot: Slot) -> int | None:
        """Return how many things a slot must hold, if a condition says so."""
        asked = (one for one in self.plan.asked[number] if one.name is None and one.does is None)
        hints = (self.out.pack.hints.get(one.expr.key) for one in asked)
        sizes = (hint.size for hint in hints if hint is not None and hint.slot == slot.name)
        return next((size for size in sizes if size is not None), None)

    def _guard(self, expr: Expr, name: str) -> Block:
        """Print an assignment; if the expression fails, the value is empty."""
        return _absorbing([*self._need(expr), f"{name} = {self._exact(expr)}"], [f"{name} = ()"])

    # ------------------------------------------------------------ conditions

    def _stage(self, number: int, leave: str) -> Block:
        """Print the conditions that are asked once so many slots are filled."""
        asked = [
            one
            for one in self.plan.asked[number]
            if number == 0 or not self._is_fixed(one, self.plan.slots[number - 1])
        ]
        before = list(self.known)
        tried: Block = []
        quick = False
        for one in asked:
            if one.name is not None:
                continue
            if one.does is not None:
                values = f"{{**v, {self._pairs([slot.name for slot in self.plan.slots])}}}"
                arguments = f"{self.out.constant(self.move)}, {values}, {self.out.constant(one)}"
                tried.append(f"if not L.leads_to({arguments}): {leave}")
                continue
            tried += self._need(one.expr)
            quick = quick or one.expr.key in self.out.pack.quick
            tried.append(f"if not ({self._quick(one.expr)}): {leave}")
        # What later conditions need and is known by now is worked out once, outside of their loops.
        for one in asked:
            if one.name is not None and one.name in self._needed_after(number):
                tried += self._need(one.expr, one.name)
        if not tried:
            return []
        if not quick:
            return _absorbing(tried, [leave])
        # Something may have to absorb errors, which the quick code does not: where it raises, all
        # conditions of this stage are asked again, exactly, and the values that they name are set.
        again: Block = [
            f"_d = {{**v, {self._pairs(before)}}}",
            f"if not L.holds({self.out.constant(tuple(asked))}, _d): {leave}",
        ]
        for name in self.known:
            if name not in before:
                again += [f"if {name!r} not in _d: {leave}", f"v_{name} = _d[{name!r}]"]
        return _absorbing(tried, again)

    def _needed_after(self, number: int) -> set[str]:
        """Return the names of values that are needed after a stage."""
        plan = self.plan
        later = [one.expr for asked in plan.asked[number + 1 :] for one in asked if not one.name]
        for slot in plan.slots[number:]:
            later += _exprs(slot)
        needed: set[str] = set()
        while later:
            for key in later.pop().locals.values():
                if key in self.lets and key not in needed:
                    needed.add(key)
                    later.append(self.lets[key])
        return needed

    def _need(self, expr: Expr, name: str | None = None) -> Block:
        """Print the values that an expression needs and that have no variable yet."""
        block: Block = []
        for key in expr.locals.values():
            if key in self.lets and key not in self.known:
                block += self._need(self.lets[key], key)
        if name is not None and name not in self.known:
            block.append(f"v_{name} = {self._exact(expr)}")
            self.known.append(name)
        return block

    @staticmethod
    def _pairs(names: Sequence[str]) -> str:
        return ", ".join(f"{name!r}: v_{name}" for name in names)

    def _exact(self, expr: Expr) -> str:
        """Print an expression that is not evaluated again if it fails."""
        if expr.key in self.out.pack.quick:
            pairs = ", ".join(f"{key!r}: {ident}" for ident, key in expr.locals.items())
            return f"{expr.key}(S, {{{pairs}}})"
        return self.out.pack.codes[expr.key]

    def _quick(self, expr: Expr) -> str:
        """Print a condition that is evaluated again, exactly, if it fails."""
        return self.out.pack.quick.get(expr.key) or self.out.pack.codes[expr.key]


def _exprs(slot: Slot) -> list[Expr]:
    return [e for e in (slot.domain, slot.infer, slot.least, slot.most, slot.orders) if e]


def _absorbing(tried: Block, otherwise: Block) -> Block:
    """Return what is tried, and what is done where an expression has no value."""
    failed: Block = ["_fault(_error)", *otherwise]
    return ["try:", tried, "except _ABSORBED as _error:", failed]


def _holds(expr: Expr, values: Values) -> bool:
    """Tell whether a condition holds that no state changes."""
    try:
        return bool(expr.fn(Budget(), values))
    except ExpressionError:
        return False
