"""What the expressions of a pack can mention: its kinds, zones, numbers and functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from altay_cli.expressions.environment import (
    Attribute,
    Environment,
    Function,
    Iterable,
    Reads,
    Symbol,
)
from altay_cli.expressions.printing import Printer
from altay_cli.expressions.typed import Choice, Tree
from altay_cli.expressions.types import BOOL, DYN, INT, NOTHING, STRING, Type, list_of, var
from altay_cli.pack.model import Shape, Zone
from altay_cli.pack.zones import PLAYERS
from altay_cli.source.document import Entry

T = var("T")
DRAWN = Type("drawn", (T,))
EFFECTS = Type("effects")
BAG = Type("bag", (T,))
PILE = Type("pile", (T,))


OF_STATE = frozenset({"known", "text", "words", "ended", "able", "unrecorded"})
"""Functions that read the state of a game besides their arguments."""


def reads(what: int | str) -> Reads:
    """Return the ``reads`` of code that looks at one thing."""
    return frozenset({what})


def function_keys(name: str, data: Entry) -> tuple[str, ...]:
    """Return the keys of the expressions of a function of the rules: what it gives, its `let`s."""
    own = f"fn {name}"
    return (own, *(f"{own} {let}" for let in data.get("let", {})))


def drawn_type(kind: str) -> Type:
    """Return the type of what chance brought, things of a kind."""
    return Type("drawn", (Type(kind),))


def parse_type(text: str, kinds: frozenset[str]) -> Type | None:
    """Read a type as rule files write it: ``int``, ``card``, ``card?``, ``bag(card)``, ...

    Returns None if there is no such type.
    """
    text = text.strip()
    if text in {"int", "bool", "string", "dyn"}:
        return {"int": INT, "bool": BOOL, "string": STRING, "dyn": DYN}[text]
    if text.startswith("drawn "):
        kind = text.removeprefix("drawn ")
        return drawn_type(kind) if kind in kinds else None
    if text == "effects":
        return EFFECTS
    text = text.removesuffix("?")
    if text in kinds:
        return Type(text)
    outer, bracket, rest = text.partition("(")
    if bracket and rest.endswith(")") and outer in {"list", "bag", "pile"}:
        inner = parse_type(rest[:-1], kinds)
        if inner is not None and (outer == "list" or inner.name in kinds):
            return Type(outer, (inner,))
    return None


def zone_type(zone: Zone) -> Type:
    """Return the type of what the zone holds in one place."""
    match zone.shape:
        case Shape.INT:
            return INT
        case Shape.BOOL:
            return BOOL
        case Shape.ENTITY:
            return Type(zone.kind)
        case _:
            return Type(zone.shape, (Type(zone.kind),))


def _generic(entity_types: list[Type]) -> dict[str, list[Function]]:
    """Return the functions over bags, piles and lists that every pack has."""

    def method(*parameters: Type, result: Type, code: str, safe: bool = False) -> Function:
        return Function(parameters, result, code, method=True, safe=safe)

    functions: dict[str, list[Function]] = {
        "count": [
            method(DRAWN, T, result=INT, code="{0}.count({1})", safe=True),
            method(BAG, T, result=INT, code="amount(S, {0}, {1})", safe=True),
            method(PILE, T, result=INT, code="lying(S, {0}, {1})", safe=True),
        ],
        "size": [
            method(BAG, result=INT, code="size_of(S, {0})", safe=True),
            method(PILE, result=INT, code="len({0})", safe=True),
            method(DRAWN, result=INT, code="{0}.size()", safe=True),
        ],
        "kinds": [method(BAG, result=list_of(T), code="kinds(S, {0})", safe=True)],
        "list": [method(BAG, result=list_of(T), code="things(S, {0})", safe=True)],
        "first": [
            method(BAG, result=T, code="first(S, {0})"),
            method(list_of(T), result=T, code="{0}[0]"),
            method(DRAWN, result=T, code="{0}.first()", safe=True),
        ],
        "last": [method(list_of(T), result=T, code="{0}[-1]")],
        "top": [method(PILE, result=T, code="{0}[0]")],
        "has": [method(BAG, BAG, result=BOOL, code="has(S, {0}, {1})", safe=True)],
        "surely": [method(BAG, T, result=INT, code="surely(S, {0}, {1})", safe=True)],
        "possibly": [method(BAG, T, result=INT, code="possibly(S, {0}, {1})", safe=True)],
        "may_lack": [method(BAG, list_of(T), result=BOOL, code="may_lack(S, {0}, {1})", safe=True)],
        "may_hold": [method(BAG, T, result=BOOL, code="may_hold(S, {0}, {1})", safe=True)],
        "plus": [
            method(BAG, BAG, result=BAG, code="plus(S, {0}, {1})", safe=True),
            method(BAG, T, INT, result=BAG, code="plus_count(S, {0}, {1}, {2})", safe=True),
        ],
        "minus": [method(BAG, BAG, result=BAG, code="minus(S, {0}, {1})", safe=True)],
        "overlap": [method(BAG, BAG, result=BAG, code="overlap(S, {0}, {1})", safe=True)],
        "times": [
            method(BAG, INT, result=BAG, code="times(S, {0}, {1})", safe=True),
            *(
                method(kind, INT, result=list_of(kind), code="repeat(S, {0}, {1})", safe=True)
                for kind in entity_types
            ),
        ],
        "bag": [
            method(list_of(T), result=BAG, code="counted(S, {0})", safe=True),
            *(
                method(kind, INT, result=Type("bag", (kind,)), code="some({0}, {1})", safe=True)
                for kind in entity_types
            ),
        ],
        "sum": [method(list_of(INT), result=INT, code="total(S, {0})", safe=True)],
        "flatten": [
            method(list_of(list_of(T)), result=list_of(T), code="flatten(S, {0})", safe=True)
        ],
        "longest": [
            method(list_of(list_of(T)), result=list_of(T), code="longest(S, {0})", safe=True)
        ],
        "take": [
            method(list_of(T), INT, result=list_of(T), code="take(S, {0}, {1})", safe=True),
            method(DRAWN, INT, result=DRAWN, code="{0}.part(0, max({1}, 0))", safe=True),
        ],
        "skip": [
            method(list_of(T), INT, result=list_of(T), code="skip(S, {0}, {1})", safe=True),
            method(DRAWN, INT, result=DRAWN, code="{0}.part(max({1}, 0))", safe=True),
        ],
        "after": [method(list_of(T), T, result=T, code="after(S, {0}, {1})")],
        "given": [method(DRAWN, result=BOOL, code="{0}.given()", safe=True)],
        "unrecorded": [Function((), Type("drawn", (NOTHING,)), "UNRECORDED", safe=True)],
        "min": [
            Function((INT, INT), INT, "min({0}, {1})", safe=True),
            method(list_of(INT), result=INT, code="min({0})"),
        ],
        "max": [
            Function((INT, INT), INT, "max({0}, {1})", safe=True),
            method(list_of(INT), result=INT, code="max({0})"),
        ],
        "lists.range": [Function((INT,), list_of(INT), "numbers_below(S, {0})", safe=True)],
        "answer_due": [Function((), BOOL, "(S.due is not None)", safe=True, reads=reads("due"))],
        "score": [
            Function((Type("player"),), INT, "S.score({0})", reads=reads("score")),
            Function((Type("player"), STRING), INT, "S.score({0}, {1})", reads=reads("score")),
        ],
        "known": [
            Function(
                (Type("player"),), BOOL, "({0} in S.players)", safe=True, reads=reads("players")
            ),
            *(method(kind, result=BOOL, code="{0}.known", safe=True) for kind in entity_types),
        ],
        "text": [Function((T,), STRING, "text(S, {0})", safe=True, reads=reads("text"))],
        "words": [Function((STRING,), STRING, "words(S, {0})", safe=True, reads=reads("text"))],
        "@in": [
            Function((T, BAG), BOOL, "lies_there(S, {0}, {1})", safe=True),
            Function((T, PILE), BOOL, "lies_in(S, {0}, {1})", safe=True),
        ],
        "@index": [],
    }
    return functions


def _add_filled(kind: str, field: str, functions: dict[str, list[Function]]) -> None:
    """Add the functions for bags laid on things of a kind, each of which lists what it accepts."""
    slots = Type("bag", (Type(kind),))

    def add(name: str, one: Type, other: Type, result: Type, helper: str) -> None:
        code = f"{helper}(S, {{0}}, {{1}}, {field!r})"
        found = Function((one, other), result, code, method=True, safe=True)
        functions.setdefault(name, []).append(found)

    add("fits", BAG, slots, BOOL, "fits")
    add("fills", BAG, slots, BOOL, "fills")
    add("pays", BAG, slots, BOOL, "fills")
    add("payments", BAG, slots, list_of(BAG), "payments")
    add("missing", slots, BAG, BAG, "missing")


ITERABLES = (
    Iterable(element=T, of=BAG, code="kinds(S, {0})"),
    Iterable(element=T, of=PILE, code="list({0})"),
)


def _add_unseen(kind: str, functions: dict[str, list[Function]]) -> None:
    """Let what asks whether something lies in a bag look at unseen things as well."""
    thing = Type(kind)
    bag = Type("bag", (thing,))
    found = Function((thing, bag), BOOL, "lies_among(S, {0}, {1})")
    functions["@in"].insert(0, found)
    functions["count"].insert(0, Function((bag, thing), INT, "count_of(S, {0}, {1})", method=True))


def base_environment(
    kinds: frozenset[str], declared: Entry, zones: tuple[Zone, ...], extra_names: dict[str, Symbol]
) -> Environment:
    """Build the environment of a pack, apart from its own functions.

    ``declared`` is what the rules say of their kinds; ``extra_names`` are constants: entities,
    numbers, options, rulings.
    """
    members: dict[tuple[str, str], Attribute] = {}
    functions = _generic([Type(kind) for kind in sorted(kinds)])
    for kind in sorted({zone.kind for zone in zones if zone.backs}):
        _add_unseen(kind, functions)
    names: dict[str, Symbol] = {
        "players": Symbol(list_of(Type("player")), f"S.cells[{PLAYERS}]", reads=reads("players"))
    }
    for kind in kinds:
        members[kind, "id"] = Attribute(STRING, "{0}.id")
        for field, text in _fields(declared.get(kind, {})):
            if text.startswith("formula("):
                functions.setdefault(field, []).append(
                    Function(
                        (Type(kind), Type("player")),
                        list_of(DYN),
                        f"{{0}}.f[{field!r}].fn(S, {{{{'me': {{1}}}}}})",
                        method=True,
                        reads=reads("formula"),
                    )
                )
                continue
            found = parse_type(text, kinds)
            if found is not None:
                members[kind, field] = Attribute(found, f"{{0}}.f[{field!r}]")
    for kind, entry in declared.items():
        if "filled_by" in entry:
            _add_filled(kind, entry["filled_by"], functions)
        if "grid" in entry:
            _add_grid(Type(kind), members, functions)
    for zone in zones:
        _add_zone(zone, names, members, functions)
    names.update(extra_names)
    return Environment(names, members, functions, ITERABLES, nullable=kinds)


def _fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the fields of a kind with their types as written; what it is made from is one, too."""
    yield from entry.get("fields", {}).items()
    if "parent" in entry:
        yield entry["parent"], entry["parent"]


def _add_zone(
    zone: Zone,
    names: dict[str, Symbol],
    members: dict[tuple[str, str], Attribute],
    functions: dict[str, list[Function]],
) -> None:
    """Add a zone; one per kind, like a hand, is a member of what it belongs to."""
    first = str(zone.first)
    held = zone_type(zone)
    if not zone.per:
        names[zone.name] = Symbol(held, _CELL.format(first), reads=reads(zone.index))
        return
    # Before its last key is known, what stands for a zone is the number of its first place.
    types = [Type(f"zone {zone.name} {depth}") for depth in range(len(zone.per))] + [held]
    codes = [
        "({0} + {1:index}" + (f" * {step})" if step > 1 else ")") for step in zone.steps[:-1]
    ] + [_CELL.format("{0} + {1:index}")]
    names[zone.name] = Symbol(types[0], first, reads=reads(zone.index))
    if "." not in zone.name:
        code = codes[0].replace("{0}", first).replace("{1:", "{0:")
        members[zone.per[0], zone.name] = Attribute(
            types[1], code, safe=True, reads=reads(zone.index)
        )
    for depth, kind in enumerate(zone.per):
        functions["@index"].append(
            Function((types[depth], Type(kind)), types[depth + 1], codes[depth], safe=True)
        )


_CELL = "S.cells[{}]"


def numbers(tree: Tree, printer: Printer) -> str:
    """Return the code of the number of a place, of which a tree gives the value; or of several."""
    if isinstance(tree, Choice):
        branches = [
            f"{numbers(value, printer)} if {printer.condition(test)} else "
            for test, value in tree.branches
        ]
        return f"({''.join(branches)}{numbers(tree.otherwise, printer)})"
    before, after = _CELL.split("{}")
    return printer.code(tree).removeprefix(before).removesuffix(after)


def _add_grid(
    kind: Type,
    members: dict[tuple[str, str], Attribute],
    functions: dict[str, list[Function]],
) -> None:
    """Add what the places of a grid know of each other."""
    for field in ("column", "row"):
        members[kind.name, field] = Attribute(INT, f"{{0}}.f[{field!r}]", safe=True)
    for field in ("neighbours", "around"):
        members[kind.name, field] = Attribute(list_of(kind), f"{{0}}.f[{field!r}]", safe=True)
    for field in ("straight", "slanted", "rays"):
        held = list_of(list_of(kind))
        members[kind.name, field] = Attribute(held, f"{{0}}.f[{field!r}]", safe=True)
    lines = list_of(list_of(kind))
    for name, parameters, result, code in (
        ("to", (kind, INT, INT), kind, "grid_step({0}, {1}, {2})"),
        ("ray", (kind, INT, INT), list_of(kind), "grid_ray(S, {0}, {1}, {2})"),
        ("lines", (kind, INT), lines, "grid_lines(S, {0}, {1})"),
        ("lines", (list_of(kind), INT), lines, "lines_among(S, {0}, {1})"),
    ):
        function = Function(parameters, result, code, method=True, safe=True)
        functions.setdefault(name, []).append(function)


def with_standing(env: Environment) -> Environment:
    """Add `ended` and `able`, for everything that does not define these itself."""
    functions = {
        "ended": [Function((), BOOL, "S.ended", safe=True, reads=reads("ended"))],
        "able": [
            Function((Type("player"),), BOOL, "S.able({0})", reads=reads("able")),
            Function((Type("player"), STRING), BOOL, "S.able({0}, {1})", reads=reads("able")),
        ],
        **env.functions,
    }
    return replace(env, functions=functions)
