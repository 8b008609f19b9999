"""Print plans to list legal moves: nested loops that test each condition early."""

from __future__ import annotations

import ast
import marshal
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy

from altay_cli.base.budget import Budget
from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import bag_of
from altay_cli.compile.emit import Block, computing, evaluating, function, text, unpacked, values
from altay_cli.expressions.linking import payment, weight
from altay_cli.pack import limits
from altay_cli.pack.model import STEADY, Expr, Pack, Slot
from altay_cli.pack.plans import Early, Listing, Plan, Question, plan_of

FILE = "<listing>"
"""The file name of this code in tracebacks."""


def print_listing(pack: Pack) -> Listing:
    """Return the plans of a pack, and their printed code."""
    plans = {move.id: plan_of(move) for move in pack.moves if not move.fallback}
    constants: dict[str, object] = {}
    listers: Block = []
    worths: Block = []
    for ident, plan in plans.items():
        plan.early = {
            slot.name: _early(pack, plan, slot, plan.asked[number])
            for number, slot in enumerate(plan.slots, 1)
        }
        listers += _PlanPrinter(pack, plan, constants).lister()
        for place, policy in enumerate(pack.policies.values()):
            if ident in policy.worth:
                worths += _PlanPrinter(pack, plan, constants).worth(place, policy.worth[ident])
    # Moves share first conditions: each is tested once.
    same: dict[str, Expr] = {}
    for plan in plans.values():
        plan.gate = tuple(same.setdefault(pack.codes[e.key], e) for e in plan.gate)
    source = text([*listers, *worths])
    code = compile(text(_called_functions(pack, source)) + source, FILE, "exec", dont_inherit=True)
    return Listing(plans, constants, marshal.dumps(code))


def _early(pack: Pack, plan: Plan, slot: Slot, asked: Sequence[Question]) -> Early:
    """Sort the conditions on a slot that read no zone."""
    lets, held = {name for name, _ in plan.move.lets}, f"v_{slot.name}"
    sizes, each, rest = list[Expr](), list[Expr](), list[Expr]()
    for question in asked:
        expr = question.expr
        known = question.name is None and question.does is None and not expr.zones
        if not known or not expr.reads <= STEADY or not lets.isdisjoint(expr.locals.values()):
            continue
        code = pack.codes[expr.key]
        if _counts_only(code, held):
            sizes.append(expr)
        elif slot.shape == "bag" and _asks_each(code, held):
            each.append(expr)
        else:
            rest.append(expr)
    return Early(tuple(sizes), tuple(each), tuple(rest))


class _PlanPrinter:
    """Prints the functions of one move."""

    def __init__(self, pack: Pack, plan: Plan, constants: dict[str, object]) -> None:
        self.pack = pack
        self.plan = plan
        self.constants = constants
        self.lets = dict(plan.move.lets)
        self.known: list[str] = []
        self.same: dict[str, str] = {}
        """By code of a call: the variable with its result."""
        self.begun: set[int] = set()
        """Slots whose sources are computed at once."""
        self.filled = {f"v_{slot.name}" for slot in plan.slots}
        self.certain: dict[str, str] = {}
        """By code of a condition: when all values of its slots fulfil it."""
        self.asked: list[str] = []
        """Rereads the conditions: supposing what hidden entities are may change them."""

    def lister(self) -> Block:
        """Print ``l_N(S, v, L)``, which yields the slot values of move N, and their sources.

        ``v`` holds the values known before any slot, and ``L`` is the lister.
        """
        plan = self.plan
        exprs = [question.expr for asked in plan.asked for question in asked]
        exprs += [expr for slot in plan.slots for expr in _exprs(slot)]
        base = {
            (ident, key)
            for expr in exprs
            for ident, key in expr.locals.items()
            if key not in self.lets and all(key != slot.name for slot in plan.slots)
        }
        head = unpacked(dict(sorted(base)))
        self.asked = [line for line in head if line.endswith("['asked']")]
        allowed = self._allowed()
        body: Block = [*head]
        begun = [
            (self._may_be_empty(number, slot), weight(self.pack.codes[slot.domain.key]), number)
            for number, slot in enumerate(plan.slots, 1)
            if slot.domain is not None and slot.name in plan.common and slot.infer is None
            if slot.shape not in ("int", "drawn")
        ]
        self.begun = {number for *_, number in begun}
        # Cheapest first.
        for may_be_empty, _, number in sorted(begun):
            slot = plan.slots[number - 1]
            assert slot.domain is not None
            body += self._guarded_assignment(slot.domain, f"d_{number}")
            if may_be_empty:
                continue
            # An empty source for a required slot leaves no move.
            body.append(f"if not (d_{number} or L.tries): return")
            if slot.name in allowed:
                never = f"not L.tries and {allowed[slot.name]}.isdisjoint(d_{number})"
                body.append(f"if {never}: return")
        body += self._stage_conditions(0, "return")
        inner = body
        for number, slot in enumerate(plan.slots, 1):
            inner = self._candidates(inner, number, slot)
            if slot.name in allowed:
                looked_at = f"v_{slot.name}"
                if slot.shape == "bag":
                    looked_at = f"next(iter({looked_at}), None)"
                # Known in advance for all visible entities of the domain.
                asked = tuple(
                    question for question in plan.asked[number] if self._is_fixed(question, slot)
                )
                pairs = self._pairs([*dict.fromkeys([*self.known, slot.name])])
                held = f"L.holds({self._constant(asked)}, {{**v, {pairs}}})"
                left = f"if not (L.tries and {held}): continue"
                inner += [f"if {looked_at} not in {allowed[slot.name]}:", [left]]
            self.known.append(slot.name)
            inner += self._stage_conditions(number, "continue")
        filled = "".join(f", {slot.name!r}: v_{slot.name}" for slot in plan.slots)
        domains = {
            f"d_{number}": slot.name
            for number, slot in enumerate(plan.slots, 1)
            if slot.domain and slot.shape not in ("int", "drawn") and not slot.infer
        }
        inner.append(f"yield {{**v{filled}}}, {values(domains)}")
        return function(f"l_{plan.move.number}", "SvL", body)

    def worth(self, policy: int, expr: Expr) -> Block:
        """Print ``w_P_N(S, v)``: the worth of move N for policy P."""
        needed = self._load_values(expr.locals.values())
        lets = [self.lets[known] for known in self.known]
        read = {pair for used in (expr, *lets) for pair in used.locals.items()}
        given = dict(sorted((ident, key) for ident, key in read if key not in self.lets))
        cost = weight("".join(self.pack.codes[used.key] for used in (expr, *lets)))
        body: Block = [
            *payment(cost),
            *unpacked(given),
            *needed,
            f"return {self._exact_code(expr)}",
        ]
        return function(f"w_{policy}_{self.plan.move.number}", "Sv", body)

    def _allowed(self) -> dict[str, str]:
        allowed: dict[str, str] = {}
        for number, slot in enumerate(self.plan.slots, 1):
            fixed = [
                question.expr
                for question in self.plan.asked[number]
                if self._is_fixed(question, slot)
            ]
            if not fixed:
                continue
            passing = set()
            for thing in (*self.pack.entities[slot.kind], None):
                held = thing if slot.shape == "entity" else bag_of([thing] if thing else [])
                with suppress(ExpressionError):
                    if all(expr.fn(Budget(), {slot.name: held}) for expr in fixed):
                        passing.add(thing)
            allowed[slot.name] = self._constant(frozenset(passing))
        return allowed

    def _is_fixed(self, question: Question, slot: Slot) -> bool:
        if (
            question.name is not None
            or question.does is not None
            or slot.shape not in ("entity", "bag")
            or slot.kind == "player"
            or set(question.expr.locals.values()) != {slot.name}
            or question.expr.reads
        ):
            return False
        code = self.pack.codes[question.expr.key]
        return slot.shape == "entity" or asks_first(code, f"v_{slot.name}")

    def _candidates(self, block: Block, number: int, slot: Slot) -> Block:
        domain, found = slot.domain, f"d_{number}"
        taken_from = slot.infer or domain
        if taken_from is not None:
            # An omitted value that cannot be inferred is empty.
            when = f"{found} and not L.tries" if slot.infer else "not L.tries"
            conditions = _certain_conditions(self.pack, slot, parsed(self._exact_code(taken_from)))
            self.certain |= dict.fromkeys(conditions, when)
        if slot.infer is not None:
            block += self._guarded_assignment(slot.infer, found)
            self._note_call(self._exact_code(slot.infer), found)
        elif domain is None:
            things = "S.players"
            if slot.kind != "player":
                things = self._constant(self.pack.entities.get(slot.kind, ()))
            block.append(f"{found} = {things}")
        elif number not in self.begun:
            block += self._guarded_assignment(domain, found)
        elif number > 1:  # values tried since may have changed it
            block += ["if L.tries:", self._guarded_assignment(domain, found)]
        asked = self.plan.asked[number]
        codes = "".join(self.pack.codes[question.expr.key] for question in asked)
        cost = limits.CANDIDATE_STEPS + len(asked) + weight(codes)
        bounds = slot.least or slot.most or slot.orders
        given, known = f"{self._constant(slot)}, {found}", self._pairs(self.known)
        exactly = (size for size, more in self._sizes_asked(number, slot) if not more)
        size = next(exactly, None)
        plain = f"L.slot_values({given}, {f'{{**v, {known}}}' if bounds else 'v'}, {size})"
        if slot.infer is None and slot.shape == "entity" and not (slot.optional or slot.hidden):
            plain = f"dict.fromkeys({found})"  # most slots: a call for each would take 10 % longer
        inner: Block = [*payment(cost)]
        tried = f"L.candidates({given}, v, {{{known}}}, {size})"
        block += [f"for v_{slot.name} in {tried} if L.tries else {plain}:", inner]
        # Suppose nothing if no named entity can be hidden.
        slots = (slot for move in self.pack.moves for slot in move.slots.values())
        hides = [zone for zone in self.pack.zones if zone.backs] or any(s.reveals for s in slots)
        if hides and slot.infer is None:
            self.same.clear()  # computed values may be outdated
        if self.asked and hides:
            inner.append(f"if L.tries: {'; '.join(self.asked)}")
        return inner

    def _may_be_empty(self, number: int, slot: Slot) -> bool:
        if slot.hidden or slot.shape == "list":
            return True
        asked = self._sizes_asked(number, slot)
        return bool(slot.least or slot.optional) and all(size <= 0 for size, _ in asked)

    def _sizes_asked(self, number: int, slot: Slot) -> list[tuple[int, bool]]:
        held = f"v_{slot.name}"
        asked = (
            question.expr
            for question in self.plan.asked[number]
            if not (question.name or question.does)
        )
        codes = [self.pack.codes[e.key] for e in asked if e.locals.get(held) == slot.name]
        return [size for code in codes if (size := size_asked(code, held)) is not None]

    def _guarded_assignment(self, expr: Expr, name: str) -> Block:
        tried = [*self._load_values(expr.locals.values()), f"{name} = {self._exact_code(expr)}"]
        return _try_lines(tried, [f"{name} = ()"])

    def _stage_conditions(self, number: int, leave: str) -> Block:
        asked = [
            question
            for question in self.plan.asked[number]
            if number == 0 or not self._is_fixed(question, self.plan.slots[number - 1])
        ]
        before = list(self.known)
        tried: Block = []
        quick = False
        for question in asked:
            if question.does is not None:
                filled = f"{{**v, {self._pairs([slot.name for slot in self.plan.slots])}}}"
                move, does = map(self._constant, (self.plan.move, question))
                tried.append(f"if not L.holds_after({move}, {filled}, {does}): {leave}")
            elif question.name is None:
                tried += self._load_values(question.expr.locals.values())
                key = question.expr.key
                quick = quick or key in self.pack.quick
                code = self._reusing(self.pack.quick.get(key, self.pack.codes[key]))
                tried.append(f"if not ({code}): {leave}")
        later = self._needed_after(number)
        tried += self._load_values(question.name for question in asked if question.name in later)
        for name in self.known[len(before) :]:
            self._note_call(self._exact_code(self.lets[name]), f"v_{name}")
        if not tried:
            return []
        if not quick:
            return _try_lines(tried, [leave])
        # If the quick code raises, all conditions of this stage are tested again, exactly.
        again: Block = [
            f"_d = {{**v, {self._pairs(before)}}}",
            f"if not L.holds({self._constant(tuple(asked))}, _d): {leave}",
        ]
        for name in self.known:
            if name not in before:
                again += [f"if {name!r} not in _d: {leave}", f"v_{name} = _d[{name!r}]"]
        return _try_lines(tried, again)

    def _needed_after(self, number: int) -> set[str]:
        plan = self.plan
        later = [
            question.expr
            for asked in plan.asked[number + 1 :]
            for question in asked
            if not question.name
        ]
        for slot in plan.slots[number:]:
            later += _exprs(slot)
        needed: set[str] = set()
        while later:
            for key in later.pop().locals.values():
                if key in self.lets and key not in needed:
                    needed.add(key)
                    later.append(self.lets[key])
        return needed

    def _load_values(self, names: Iterable[str]) -> Block:
        block: Block = []
        for name in names:
            if name in self.lets and name not in self.known:
                expr = self.lets[name]
                block += [
                    *self._load_values(expr.locals.values()),
                    f"v_{name} = {self._exact_code(expr)}",
                ]
                self.known.append(name)
        return block

    def _constant(self, thing: object) -> str:
        name = f"P_{len(self.constants)}"
        self.constants[name] = thing
        return name

    @staticmethod
    def _pairs(names: Sequence[str]) -> str:
        return ", ".join(f"{name!r}: v_{name}" for name in names)

    def _exact_code(self, expr: Expr) -> str:
        if expr.key in self.pack.quick:
            return f"{expr.key}(S, {values(expr.locals)})"
        return self._reusing(self.pack.codes[expr.key])

    def _note_call(self, code: str, variable: str) -> None:
        tree = parsed(code)
        if isinstance(tree, ast.Call):
            self.same[ast.unparse(tree)] = variable

    def _reusing(self, code: str) -> str:
        tree: ast.AST = parsed(code)
        if self.same:
            tree = _CallReuser(self.same).visit(tree)
        if self.certain and not self.filled.isdisjoint(_names_in(tree)):
            tree = _ConditionSkipper(self.certain).visit(tree)
        elif not self.same:
            return code
        return ast.unparse(tree)


def parsed(code: str) -> ast.expr:
    """Return the syntax tree of a printed expression."""
    return ast.parse(code, mode="eval").body


def replaced(tree: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """Return a copy of a tree with names replaced by expressions.

    >>> ast.unparse(replaced(parsed("held(S, v_p, 'v_p')"), {"v_p": parsed("x + 1")}))
    "held(S, x + 1, 'v_p')"
    """
    put: ast.expr = _NameReplacer(values).visit(deepcopy(tree))
    return put


def from_template(template: str, **values: ast.expr) -> str:
    """Return the code of a template with names replaced."""
    return ast.unparse(replaced(parsed(template), values))


def _names_in(tree: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _calls_in(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [(call.func.id, call) for call in calls if isinstance(call.func, ast.Name)]


def size_asked(code: str, held: str) -> tuple[int, bool] | None:
    """Return the required size of a variable, and whether it may be larger."""
    match parsed(code):
        case ast.Compare(
            ast.Call(ast.Name("size_of"), [_, size]),
            [ast.Eq() | ast.GtE() | ast.Gt() as sign],
            [ast.Constant(int(n))],
        ) if ast.unparse(size) == held:
            return n + isinstance(sign, ast.Gt), not isinstance(sign, ast.Eq)
    return None


def _counts_only(code: str, held: str) -> bool:
    """Return True if only the size of a variable is read.

    >>> _counts_only("size_of(S, v_cards) > 1", "v_cards")
    True
    """
    tree = parsed(code)
    sizes = [call for name, call in _calls_in(tree) if name == "size_of"]
    counted = [ast.unparse(call.args[1]) for call in sizes].count(held)
    return 0 < counted == _names_in(tree).count(held)


def _asks_each(code: str, held: str) -> bool:
    """Return True if a condition must hold for each kind of thing in a bag alone.

    >>> _asks_each("not _any_is(S, False, _run(S, kinds(S, v_x)), lambda _a: _a > 1)", "v_x")
    True
    """
    match parsed(code):
        case ast.UnaryOp(
            ast.Not(), ast.Call(ast.Name("_any_is"), [_, ast.Constant(False), row, ast.Lambda()])
        ):
            return ast.unparse(row) == f"_run(S, kinds(S, {held}))" and (
                _names_in(parsed(code)).count(held) == 1
            )
    return False


def asks_first(code: str, held: str) -> bool:
    """Return True if only the first entity is read."""
    tree, call = parsed(code), f"first(S, {held})"
    firsts = [
        ast.unparse(call_tree) for name, call_tree in _calls_in(tree) if name == "first"
    ].count(call)
    return firsts == _names_in(tree).count(held) > 0


def _called_functions(pack: Pack, source: str) -> Block:
    """Results are looked up in ``S.memo``, as the moves of a state repeat calls."""
    exprs, functions = (
        {e.key: e for e in pack.exprs},
        {function.key: function for function in pack.functions.values()},
    )
    block: Block = []
    ahead, printed = (
        [source],
        {function.key for function in functions.values() if not function.keeps},
    )
    while ahead:
        for name, _ in _calls_in(ast.parse(ahead.pop())):
            if name in printed or not (name in exprs or name in functions):
                continue
            printed.add(name)
            if name in exprs:
                both = pack.codes[name], pack.quick.get(name, "")
                lines = evaluating(name, exprs[name].locals, *both)
            else:
                called = functions[name]
                body: Block = [f"_k = ({name!r}, {', '.join(called.parameters)})"]
                body += ["if _k in S.memo: return S.memo[_k]", *computing(called, "S.memo[_k] =")]
                lines = function(name, ("S", *called.parameters), [*body, "return S.memo[_k]"])
            block += lines
            ahead.append(text(lines))
    return block


class _NameReplacer(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.values.get(node.id)
        if isinstance(value, ast.Name):
            return ast.Name(value.id, node.ctx)
        return node if value is None else deepcopy(value)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        value = self.values.get(node.arg)
        return ast.arg(value.id) if isinstance(value, ast.Name) else node


class _CallReuser(ast.NodeTransformer):
    def __init__(self, same: Mapping[str, str]) -> None:
        self.same = same

    def visit_Call(self, node: ast.Call) -> ast.AST:
        variable = self.same.get(ast.unparse(node))
        if variable is None:
            self.generic_visit(node)
            variable = self.same.get(ast.unparse(node))
        return node if variable is None else ast.Name(variable, ast.Load())


class _ConditionSkipper(ast.NodeTransformer):
    def __init__(self, certain: Mapping[str, str]) -> None:
        self.certain = certain

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Call | ast.Compare | ast.BoolOp):
            when = self.certain.get(ast.unparse(node))
            if when is not None:
                return ast.BoolOp(ast.Or(), [parsed(when), node])
        return self.generic_visit(node)


def _certain_conditions(pack: Pack, slot: Slot, tree: ast.expr) -> list[str]:
    if slot.orders:
        return []
    held, certain = ast.Name(f"v_{slot.name}"), []
    alone = slot.shape == "entity" and not (slot.optional or slot.hidden)
    if slot.shape == "bag":
        certain.append(from_template("has(S, tree, held)", tree=tree, held=held))
        if not (slot.infer or slot.least or slot.optional):
            certain.append(from_template("size_of(S, held) > 0", held=held))
    match tree:
        case ast.Call(ast.Name("payments"), [_, pool, cost, field]) if slot.infer:
            certain.append(
                from_template("fills(S, held, cost, field)", held=held, cost=cost, field=field)
            )
            certain.append(from_template("has(S, pool, held)", pool=pool, held=held))
        case ast.Call(ast.Name("kinds"), [_, bag]) if alone:
            certain.append(from_template("is_known_in(S, held, bag)", held=held, bag=bag))
        case ast.Call(ast.Name(name), [_, *given]) if name.startswith("F_"):
            rule = pack.functions[name.removeprefix("F_")]
            called = replaced(parsed(rule.code), dict(zip(rule.parameters, given, strict=True)))
            certain += [] if rule.lets else _certain_conditions(pack, slot, called)
        case ast.ListComp(
            ast.Name(item), [ast.comprehension(ast.Name(each), ast.Call(_, [_, row, *_]), [test])]
        ) if item == each and not slot.infer:
            if alone:
                certain.append(ast.unparse(replaced(test, {item: held})))
            elif slot.shape == "bag":
                match row:
                    case ast.Call(ast.Name("things" | "kinds"), [_, bag]):
                        certain.append(from_template("has(S, bag, held)", bag=bag, held=held))
                every = "next((False for item in _run(S, kinds(S, held)) if not test), True)"
                certain.append(from_template(every, item=ast.Name(item), held=held, test=test))
    return certain


def _exprs(slot: Slot) -> list[Expr]:
    return [e for e in (slot.domain, slot.infer, slot.least, slot.most, slot.orders) if e]


def _try_lines(tried: Block, otherwise: Block) -> Block:
    failed: Block = ["_fault(_error)", *otherwise]
    return ["try:", tried, "except _ABSORBED as _error:", failed]
