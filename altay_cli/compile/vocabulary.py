"""The vocabulary of the expressions of a pack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from altay_cli.expressions.environment import Environment, Function, Symbol, by_name, overload
from altay_cli.expressions.printing import Filled, Key, Printer
from altay_cli.expressions.typed import Applied, Conditional, Member, Reference, Tree
from altay_cli.expressions.types import BOOL, DYN, INT, NOTHING, STRING, Type, list_of, var
from altay_cli.pack.layout import PLAYERS
from altay_cli.pack.model import Shape, Slot, Zone
from altay_cli.source.document import Entry

T = var("T")
DRAWN = Type("drawn", (T,))
EFFECTS = Type("effects")
BAG = Type("bag", (T,))
PILE = Type("pile", (T,))
PLAYER = Type("player")

Row = tuple[str, Function]


def reads(what: int | str) -> frozenset[int | str]:
    """Return the ``reads`` of code that reads ``what``."""
    return frozenset({what})


def function_keys(name: str, data: Entry) -> tuple[str, ...]:
    """Return the keys of a rule function: its value and its `let`s."""
    main_key = f"fn {name}"
    return (main_key, *(f"{main_key} {let}" for let in data.get("let", {})))


def parse_type(text: str, kinds: frozenset[str]) -> Type | None:
    """Parse a type of rule files (``card?``, ``bag(card)``), or return None."""
    text = text.strip()
    plain = {"int": INT, "bool": BOOL, "string": STRING, "dyn": DYN, "effects": EFFECTS}
    if text in plain:
        return plain[text]
    if text.startswith("drawn "):
        kind = text.removeprefix("drawn ")
        return Type("drawn", (Type(kind),)) if kind in kinds else None
    text = text.removesuffix("?")
    if text in kinds:
        return Type(text)
    outer, bracket, rest = text.partition("(")
    if bracket and rest.endswith(")") and outer in {"list", "bag", "pile"}:
        inner = parse_type(rest[:-1], kinds)
        if inner is not None and (outer == "list" or inner.name in kinds):
            return Type(outer, (inner,))
    return None


def shape_of(text: str) -> tuple[Shape, str]:
    """Parse a shape, and the kind of its entities."""
    outer, bracket, inner = text.removesuffix(")").partition("(")
    if bracket:
        return cast("Shape", outer), inner
    if text.startswith("drawn "):
        return "drawn", text.removeprefix("drawn ")
    if text == "new player":
        return "new player", "player"
    if text in ("int", "bool"):
        return cast("Shape", text), ""
    return "entity", text.removesuffix("?")


def type_in(holder: Zone | Slot) -> Type:
    """Return the type of the contents of one place."""
    match holder.shape:
        case "int":
            return INT
        case "bool":
            return BOOL
        case "entity" | "new player":
            return Type(holder.kind)
        case _:
            return Type(holder.shape, (Type(holder.kind or "int"),))


_OF_ALL_GAMES = (
    overload("count", INT, "drawn_count(S, {0}, {1})", DRAWN, T),
    overload("count", INT, "amount(S, {0}, {1})", BAG, T),
    overload("count", INT, "count_in_pile(S, {0}, {1})", PILE, T),
    overload("size", INT, "size_of(S, {0})", BAG),
    overload("size", INT, "len({0})", PILE),
    overload("size", INT, "{0}.size()", DRAWN),
    overload("size", INT, "len({0})", EFFECTS),
    overload("kinds", list_of(T), "kinds(S, {0})", BAG),
    overload("list", list_of(T), "things(S, {0})", BAG),
    overload("first", T, "first(S, {0})", BAG, safe=False),
    overload("first", T, "{0}[0]", list_of(T), safe=False),
    overload("first", T, "{0}.first()", DRAWN),
    overload("last", T, "{0}[-1]", list_of(T), safe=False),
    overload("top", T, "{0}[0]", PILE, safe=False),
    overload("has", BOOL, "has(S, {0}, {1})", BAG, BAG),
    overload("surely", INT, "least_and_most(S, {0}, {1})[0]", BAG, T),
    overload("possibly", INT, "least_and_most(S, {0}, {1})[1]", BAG, T),
    overload("may_lack", BOOL, "may_lack(S, {0}, {1})", BAG, list_of(T)),
    overload("may_hold", BOOL, "may_hold(S, {0}, {1})", BAG, T),
    overload("plus", BAG, "plus(S, {0}, {1})", BAG, BAG),
    overload("plus", BAG, "plus(S, {0}, some(S, {1}, {2}))", BAG, T, INT),
    overload("minus", BAG, "minus(S, {0}, {1})", BAG, BAG),
    overload("overlap", BAG, "overlap(S, {0}, {1})", BAG, BAG),
    overload("times", BAG, "times(S, {0}, {1})", BAG, INT),
    overload("bag", BAG, "counted(S, {0})", list_of(T)),
    overload("sum", INT, "total(S, {0})", list_of(INT)),
    overload("flatten", list_of(T), "flatten(S, {0})", list_of(list_of(T))),
    overload("longest", list_of(T), "longest(S, {0})", list_of(list_of(T))),
    overload("take", list_of(T), "take(S, {0}, {1})", list_of(T), INT),
    overload("take", DRAWN, "drawn_part(S, {0}, 0, max({1}, 0))", DRAWN, INT),
    overload("skip", list_of(T), "skip(S, {0}, {1})", list_of(T), INT),
    overload("skip", DRAWN, "drawn_part(S, {0}, max({1}, 0))", DRAWN, INT),
    overload("after", T, "after(S, {0}, {1})", list_of(T), T, safe=False),
    overload("given", BOOL, "{0}.given()", DRAWN),
    overload("by_chance", BOOL, "{0}.by_chance()", DRAWN),
    overload("unrecorded", Type("drawn", (NOTHING,)), "UNRECORDED", method=False),
    overload("min", INT, "min({0}, {1})", INT, INT, method=False),
    overload("min", INT, "least(S, {0})", list_of(INT), safe=False),
    overload("max", INT, "max({0}, {1})", INT, INT, method=False),
    overload("max", INT, "greatest(S, {0})", list_of(INT), safe=False),
    overload("lists.range", list_of(INT), "numbers_below(S, {0})", INT, method=False),
    overload("answer_due", BOOL, "(S.next_decision is not None)", method=False, reads="due"),
    overload("score", INT, "S.score({0})", PLAYER, method=False, safe=False, reads="score"),
    overload(
        "score", INT, "S.score({0}, {1})", PLAYER, STRING, method=False, safe=False, reads="score"
    ),
    overload("known", BOOL, "({0} in S.players)", PLAYER, method=False, reads="players"),
    overload("text", STRING, "text(S, {0})", T, method=False, reads="text"),
    overload("words", STRING, "words(S, {0})", STRING, method=False, reads="text"),
    overload("@in", BOOL, "is_known_in(S, {0}, {1})", T, BAG, method=False),
    overload("@in", BOOL, "is_in_pile(S, {0}, {1})", T, PILE, method=False),
    overload("@list", list_of(T), "kinds(S, {0})", BAG, method=False),
    overload("@list", list_of(T), "list({0})", PILE, method=False),
)


def _placement_functions(kind: str, field: str) -> Iterator[Row]:
    """Yield the functions that match a bag with slots.

    ``field`` lists what each slot accepts.
    """
    slots = Type("bag", (Type(kind),))
    for name, first, second, gives, helper in (
        ("fits", BAG, slots, BOOL, "fits"),
        ("fills", BAG, slots, BOOL, "fills"),
        ("pays", BAG, slots, BOOL, "fills"),
        ("payments", BAG, slots, list_of(BAG), "payments"),
        ("missing", slots, BAG, BAG, "missing"),
    ):
        yield overload(name, gives, f"{helper}(S, {{0}}, {{1}}, {field!r})", first, second)


def base_environment(
    kinds: frozenset[str], declared: Entry, zones: tuple[Zone, ...], extra_names: dict[str, Symbol]
) -> Environment:
    """Build the environment of a pack, without its own functions.

    ``declared`` are the kinds; ``extra_names`` are constants.
    """
    members: dict[tuple[str, str], Symbol] = {}
    rows: list[Row] = []
    # The first match wins: bags with backs can hold unidentified entities as well.
    for kind in {zone.kind for zone in zones if zone.backs}:
        thing, bag = Type(kind), Type("bag", (Type(kind),))
        rows.append(
            overload("@in", BOOL, "is_in(S, {0}, {1})", thing, bag, method=False, safe=False)
        )
        rows.append(overload("count", INT, "count_of(S, {0}, {1})", bag, thing, safe=False))
    rows += _OF_ALL_GAMES
    for kind in sorted(kinds):
        thing = Type(kind)
        rows.append(overload("times", list_of(thing), "repeat(S, {0}, {1})", thing, INT))
        rows.append(overload("bag", Type("bag", (thing,)), "some(S, {0}, {1})", thing, INT))
        rows.append(overload("known", BOOL, "{0}.known", thing))
    names: dict[str, Symbol] = {
        "players": Symbol(
            list_of(PLAYER), f"S.cells[{PLAYERS}]", reads=reads("players"), cell=str(PLAYERS)
        )
    }
    for kind in kinds:
        members[kind, "id"] = Symbol(STRING, "{0}.id", safe=False)
        entry = declared.get(kind, {})
        made_from = [(entry["parent"], entry["parent"])] if "parent" in entry else []
        for field, text in (*entry.get("fields", {}).items(), *made_from):
            if text.startswith("formula("):
                code = f"{{0}}.f[{field!r}].fn(S, {{{{'me': {{1}}}}}})"
                looks = reads("formula")
                parameters = Type(kind), PLAYER
                rows.append(
                    (field, Function(parameters, list_of(DYN), code, method=True, reads=looks))
                )
                continue
            held = parse_type(text, kinds) or DYN  # an unknown type is reported for the kind
            members[kind, field] = Symbol(held, f"{{0}}.f[{field!r}]", safe=False)
    for kind, entry in declared.items():
        if "filled_by" in entry:
            rows += _placement_functions(kind, entry["filled_by"])
        if "grid" in entry:
            rows += _add_grid(Type(kind), members)
    for zone in zones:
        rows += _add_zone(zone, names, members)
    names.update(extra_names)
    return Environment(names, members, by_name(rows), nullable=kinds)


def _add_zone(
    zone: Zone, names: dict[str, Symbol], members: dict[tuple[str, str], Symbol]
) -> Iterator[Row]:
    """Add a zone, and yield access by its keys; a zone of one kind is a member of its entities."""
    first = str(zone.first)
    held = type_in(zone)
    if not zone.per:
        names[zone.name] = Symbol(held, f"S.cells[{first}]", reads=reads(zone.index), cell=first)
        return
    # Without its last key, a zone is the cell of its first place.
    types = [Type(f"zone {zone.name} {depth}") for depth in range(len(zone.per))] + [held]
    # Places of entities follow `nowhere` by index; nothing has index -1, so it leads to `nowhere`.
    codes: list[tuple[str, str | None]] = [
        ("({0} + {1:index}" + (f" * {step})" if step > 1 else ")"), None)
        for step in zone.steps[:-1]
    ]
    codes.append(("S.cells[{0} + {1:index}]", "{0} + {1:index}"))
    names[zone.name] = Symbol(types[0], first, reads=reads(zone.index))
    if "." not in zone.name:
        code, cell = codes[0]
        code = code.replace("{0}", first).replace("{1:", "{0:")
        cell = cell and cell.replace("{0}", first).replace("{1:", "{0:")
        members[zone.per[0], zone.name] = Symbol(types[1], code, reads=reads(zone.index), cell=cell)
    for depth, (kind, (code, cell)) in enumerate(zip(zone.per, codes, strict=True)):
        keyed = types[depth], Type(kind)
        yield "@index", Function(keyed, types[depth + 1], code, safe=True, cell=cell)


def cell_index(tree: Tree, printer: Printer, source: str | None = None) -> str:
    """Return the code of the index of the cell whose value ``tree`` gives.

    ``tree`` names a place of a zone, or chooses one of several. With its ``source``, a key that is
    null raises.
    """
    if isinstance(tree, Conditional):
        branches = [
            f"{cell_index(value, printer)} if {printer.condition(test)} else "
            for test, value in tree.branches
        ]
        return f"({''.join(branches)}{cell_index(tree.otherwise, printer)})"
    assert isinstance(tree, Reference | Member | Applied)
    assert tree.cell is not None
    number = tree._replace(code=tree.cell)
    return printer.code(number) if source is None else _checked_index(number, printer, source)


def _checked_index(tree: Tree, printer: Printer, source: str) -> str:
    match tree:
        case Member(operand=key):
            return tree.code.format(_key(key, printer, source))
        case Applied(arguments=(container, key)):
            row = Filled(_checked_index(container, printer, source))
            return tree.code.format(row, _key(key, printer, source))
    return printer.code(tree)


def _key(tree: Tree, printer: Printer, source: str) -> Key:
    key = Key(printer.code(tree))
    key.source = source[slice(*tree.place)]
    return key


def _add_grid(kind: Type, members: dict[tuple[str, str], Symbol]) -> Iterator[Row]:
    places, lines = list_of(kind), list_of(list_of(kind))
    for fields, held in (
        (("column", "row"), INT),
        (("neighbours", "around"), places),
        (("straight", "slanted", "rays"), lines),
    ):
        for field in fields:
            members[kind.name, field] = Symbol(held, f"{{0}}.f[{field!r}]")
    yield overload("to", kind, "grid_step({0}, {1}, {2})", kind, INT, INT)
    yield overload("ray", places, "grid_ray(S, {0}, {1}, {2})", kind, INT, INT)
    yield overload("lines", lines, "grid_lines(S, {0}, {1})", kind, INT)
    yield overload("lines", lines, "lines_among(S, {0}, {1})", places, INT)


STANDING = (
    overload(
        "ended",
        BOOL,
        "(S.evaluates_end and S.pack.standing['ended'](S))",
        method=False,
        reads="ended",
    ),
    overload("able", BOOL, "S.able({0})", PLAYER, method=False, safe=False, reads="able"),
    overload(
        "able", BOOL, "S.able({0}, {1})", PLAYER, STRING, method=False, safe=False, reads="able"
    ),
)
"""Questions that `status`, `outcome` and functions of the rules cannot ask."""

REACHING = (
    overload("_most", INT, "S.able.most({0}, {1})", PLAYER, INT, method=False, safe=False,
             reads="able"),
    overload("_reaches", BOOL, "S.able.reaches({0}, {1}, {2})", PLAYER, INT, INT, method=False,
             safe=False, reads="able"),
)  # fmt: skip
"""Questions of requirements with `best`; rules cannot ask them."""
