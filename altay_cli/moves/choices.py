"""Choose a move step by step, as by taps: things, numbers and words, until a statement is complete.

A move is a set of parts: what its slots hold, its first word, its player. A choice names one part;
those named before may be in any order. Things are always to be named. Words, numbers, a player and
a value that could be omitted are asked for only where moves differ in nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from altay_cli.base.findings import BudgetError
from altay_cli.base.values import Bag, Drawn, Entity, Placeholder, expand
from altay_cli.match.state import State
from altay_cli.moves import limits
from altay_cli.moves.addresses import Addresses, ref_of
from altay_cli.moves.listing import Move
from altay_cli.moves.wording import Speller
from altay_cli.pack.looks import Address, Ref
from altay_cli.pack.model import MoveDef, Slot, slots_of

THING, NUMBER, WORD, NAME, DRAW, STATEMENT = (
    "thing", "number", "word", "name", "draw", "statement",
)  # fmt: skip


UNNAMED = "?"
"""The name of a new player before it is known."""

_UNTYPED = f"{NAME} "
"""The key of that name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be named next in a move.

    key: identifies it among the choices of a game; pass it to ``Game.choices``.
    kind: "thing", "number", "word" (the first of a statement), "draw" (what chance can bring),
    "name" (of a new player: append it to the key), or "statement" where moves look the same.
    text: as in a statement.
    statement: complete with this choice; None if more must be named.
    further: how many moves need or allow more to be named.
    ids: the moves that it leads to, by their ids in the rules.
    next: whether it comes next in the order of the statement.
    ref, address: the thing, and where the view shows it; None if it shows it nowhere.
    certain: False for a thing that is only possibly there.
    count: how many of it chance can bring; None if hidden things decide.
    draws: whether the statement may draw; then the next choices are what can come.
    """

    key: str
    kind: str
    text: str
    statement: str | None
    further: int
    ids: tuple[str, ...] = ()
    next: bool = True
    ref: Ref | None = None
    address: Address | None = None
    certain: bool = True
    count: int | None = 1
    draws: bool = False

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, object]:
        """Return the choice as data for JSON, see docs/json.md."""
        found: dict[str, object] = {name: getattr(self, name) for name in self.__slots__}
        address = self.address
        return found | {
            "ids": list(self.ids),
            "address": None if address is None else address._asdict(),
        }


_OPTIONAL, _WORD, _NUMBER, _PLAYER = "optional", "word", "number", "player"
_WEAK = _OPTIONAL, _WORD, _NUMBER, _PLAYER
"""Classes of parts that are asked for only to distinguish moves, in this order."""


@dataclass(frozen=True, eq=False, slots=True)
class _MovePart:
    """A part of a move, with a key for each address.

    zones: the bags that may hide it.
    """

    kind: str
    text: str
    keys: tuple[str, ...]
    weak: str = ""
    thing: Entity | None = None
    addresses: tuple[Address | None, ...] = (None,)
    zones: tuple[Bag, ...] = ()


@dataclass(eq=False, slots=True)
class Way:
    """A move with its parts, in the order of its statement.

    asked: the weak classes that must be named.
    """

    move: Move
    parts: list[_MovePart]
    asked: set[str] = field(default_factory=set)

    def draws(self) -> bool:
        """Return True if something may be drawn."""
        return any(slot.shape == "drawn" for slot in self.move.definition.slots.values())

    def needs(self, part: _MovePart) -> bool:
        """Return True if a part must be named."""
        return not part.weak or part.weak in self.asked

    def unnamed(self, named: Sequence[str]) -> list[_MovePart] | None:
        """Return the parts that are not named; None if another part is."""
        parts = list(self.parts)
        for key in named:
            place = next((n for n, part in enumerate(parts) if key in part.keys), None)
            if place is None:
                return None
            del parts[place]
        return parts

    def disorder(self, named: Sequence[str]) -> int:
        """Return how many pairs are named in another order than in the statement."""
        parts, places = list(enumerate(self.parts)), list[int]()
        for key in named:
            place = next(n for n, (_, part) in enumerate(parts) if key in part.keys)
            places.append(parts.pop(place)[0])
        return sum(later < place for n, place in enumerate(places) for later in places[n + 1 :])


class Choices:
    """The choices in one state, from its legal moves.

    name: the name of a new player.
    complete: whether the steps lasted for all moves.
    """

    def __init__(
        self, state: State, spell: Speller, moves: Sequence[Move], name: str = UNNAMED
    ) -> None:
        self.name = name
        self._state = state
        self._spell = spell
        self._addresses = Addresses(state)
        self._things: dict[object, _MovePart] = {}
        self._slots: dict[str, list[Slot]] = {}
        self._ways: list[Way] = []
        self._surely: dict[_MovePart, int] = {}
        """How many things of a part are certainly there."""
        with suppress(BudgetError):
            state.grant(limits.LISTING_STEPS)
            for move in moves:
                state.charge(limits.CHOICE_STEPS)
                self._ways.append(Way(move, [*self._parts_of(move)]))
        self.complete = len(self._ways) == len(moves)
        _ask_for_little(self._ways)

    def completed(self, named: Sequence[str]) -> Way | None:
        """Return the move whose statement the named parts complete."""
        if _UNTYPED in named:
            return None
        ways = (way for way in self._ways if (parts := way.unnamed(named)) is not None
                and not any(map(way.needs, parts)))  # fmt: skip
        return min(ways, key=lambda way: way.disorder(named), default=None)

    def after(self, named: Sequence[str]) -> list[Choice]:
        """Return what can be named next, in the order of the moves."""
        leads: dict[str, list[tuple[Way, int]]] = {}
        comes_next: set[str] = set()
        asked: dict[str, _MovePart] = {}
        for way in self._ways:
            parts = way.unnamed(named)
            needed = list(filter(way.needs, parts or ()))
            if parts is None or not needed:
                continue
            comes_next.update(needed[0].keys)
            by_key = {key: part for part in parts for key in part.keys}
            for key, part in by_key.items():
                leads.setdefault(key, []).append((way, len(needed) - way.needs(part)))
                if way.needs(part):
                    asked.setdefault(key, part)
        choices = [
            self._choice([*named, key], part, leads[key], comes_next=key in comes_next)
            for key, part in asked.items()
        ]
        return sorted(choices, key=lambda choice: not choice.next)

    def _choice(
        self,
        named: Sequence[str],
        part: _MovePart,
        leads: Sequence[tuple[Way, int]],
        *,
        comes_next: bool,
    ) -> Choice:
        key = named[-1]
        complete = [way for way, left in leads if not left and key != _UNTYPED]
        way = min(complete, key=lambda way: way.disorder(named)) if complete[1:] else None
        way = way or next(iter(complete), None)
        return Choice(
            key,
            part.kind,
            part.text,
            None if way is None else way.move.statement,
            len(leads) - len(complete),
            tuple(dict.fromkeys(way.move.id for way, _ in leads)),
            comes_next,
            None if part.thing is None else ref_of(part.thing),
            part.addresses[part.keys.index(key)],
            self._is_certain(part, named.count(key)),
            draws=way is not None and way.draws(),
        )

    def _is_certain(self, part: _MovePart, count: int) -> bool:
        if not part.zones or part.thing is None:
            return True
        if part not in self._surely:
            self._state.grant(limits.LISTING_STEPS)
            self._surely[part] = 0
            with suppress(BudgetError):
                bounds = self._state.hidden.queries.count_bounds(part.zones, (part.thing,))
                self._surely[part] = bounds[0]
        return self._surely[part] >= count

    # ------------------------------------------------------------ parts

    def _parts_of(self, move: Move) -> Iterator[_MovePart]:
        if move.actor is not None:
            yield self._thing(move.actor, _ACTOR, move)
        yield _MovePart(WORD, move.kind, (f"word {move.kind}",), _WORD)
        for slot in self._slots_in_order(move.definition):
            yield from self._parts_in(slot, move)

    def _slots_in_order(self, move: MoveDef) -> list[Slot]:
        if move.id not in self._slots:
            written = (name for pattern in move.patterns for name in slots_of(pattern))
            names = dict.fromkeys([*written, *move.slots])
            self._slots[move.id] = [move.slots[name] for name in names]
        return self._slots[move.id]

    def _parts_in(self, slot: Slot, move: Move) -> Iterator[_MovePart]:
        value: Any = move.values.get(slot.name)
        if slot.shape == "new player":
            text = "" if value.id == UNNAMED else value.id
            yield _MovePart(NAME, text, (f"{_UNTYPED}{text}",))
        elif isinstance(value, Drawn):
            if slot.domain is not None:
                yield _number(slot, value.size())
        elif isinstance(value, Bag):
            yield from (self._thing(thing, slot, move) for thing in expand(value))
        elif value is None:
            if slot.hidden and not slot.optional:
                yield _MovePart(WORD, "?", (f"unknown {slot.name}",))
        else:
            for item in value if isinstance(value, list) else [value]:
                is_thing = isinstance(item, Entity)
                yield self._thing(item, slot, move) if is_thing else _number(slot, item)

    def _thing(self, thing: Entity, slot: Slot, move: Move) -> _MovePart:
        key: object = thing, id(slot), move.values.get("me")
        part = self._things.get(key)
        if part is None:
            part = self._new_thing(thing, slot, move)
            if self._is_same_for_all_moves(slot):
                self._things[key] = part
        return part

    def _is_same_for_all_moves(self, slot: Slot) -> bool:
        return all({"me"}.issuperset(place.at.locals.values()) for place in slot.reveals)

    def _new_thing(self, thing: Entity, slot: Slot, move: Move) -> _MovePart:
        cell = f" #{thing.cell}" if isinstance(thing, Placeholder) else ""
        shown: tuple[Address | None, ...] = self._addresses.of(thing, slot, move.values) or (None,)
        return _MovePart(
            THING,
            self._spell.name(thing),
            tuple(_key(f"{ref_of(thing)}{cell}", address) for address in shown),
            _OPTIONAL if slot.infer is not None else _PLAYER if slot is _ACTOR else "",
            thing,
            shown,
            self._hidden_in(slot, move.values),
        )

    def _hidden_in(self, slot: Slot, values: Mapping[str, Any]) -> tuple[Bag, ...]:
        state = self._state
        if not state.hidden.beliefs.groups:
            return ()
        bags = tuple(state.cells[place.at.fn(state, values)] for place in slot.reveals)
        return bags if any(any(bag.unknown) for bag in bags) else ()


_ACTOR = Slot("", "entity", "player", False, False, False, False, None, None, None, ())
"""The player who moves, as the value of a slot."""


def _key(ref: str, address: Address | None) -> str:
    return ref if address is None else f"{ref} in {'/'.join(address)}"


def _number(slot: Slot, value: object) -> _MovePart:
    weak = "" if slot.shape == "list" else _NUMBER
    return _MovePart(NUMBER, str(value), (f"{slot.name} {value}",), weak)


# ---------------------------------------------------------------- what must be named


def _ask_for_little(ways: Sequence[Way]) -> None:
    """Ask for the weak parts that distinguish moves with the same things."""
    for things, group in _by_parts(ways, ""):
        if not things:  # its first word is all that can be tapped
            _ask(group, _WORD)
        if len(group) > 1:
            _tell_apart(group, _WEAK)


def _tell_apart(ways: Sequence[Way], classes: Sequence[str]) -> None:
    if not classes:
        orders = Counter(tuple(part.keys for part in way.parts) for way in ways)
        for way in ways:
            if orders[tuple(part.keys for part in way.parts)] > 1:
                text = way.move.statement
                way.parts.append(_MovePart(STATEMENT, text, (f"{STATEMENT} {text}",)))
        return
    weak, *others = classes
    groups = _by_parts(ways, weak)
    if len(groups) > 1:
        _ask(ways, weak)
    for _, group in groups:
        if len(group) > 1:
            _tell_apart(group, others)


def _ask(ways: Iterable[Way], weak: str) -> None:
    for way in ways:
        way.asked.add(weak)


def _by_parts(
    ways: Iterable[Way], weak: str
) -> list[tuple[frozenset[tuple[tuple[str, ...], int]], list[Way]]]:
    groups: dict[frozenset[tuple[tuple[str, ...], int]], list[Way]] = {}
    for way in ways:
        keys = Counter(part.keys for part in way.parts if part.weak == weak)
        groups.setdefault(frozenset(keys.items()), []).append(way)
    return list(groups.items())
