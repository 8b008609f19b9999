"""Things that nobody has named, of which the back is seen: what stands for each of them.

Zones that say which fields of a thing its back tells hold such things one by one, so that rules can
list, count and move them. Which card each is lies hidden in a bag of its own (see ``hidden``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from altay_cli.base.errors import UnrecordedError
from altay_cli.base.text import Text
from altay_cli.base.values import Bag, Entity, Grid, Likeness
from altay_cli.hidden import lots
from altay_cli.hidden.course import Sink
from altay_cli.hidden.lots import Step, World
from altay_cli.match.waiting import Again, Forced, Frame, Loop, Pending, Waiting

if TYPE_CHECKING:
    from altay_cli.hidden.hidden import Hidden, Only
    from altay_cli.match.state import State


class Unseen(Likeness):
    """Stands for one thing of which nobody knows what it is.

    A field can be read where it is the same for all that the thing may be by what is recorded; the
    back tells such fields. ``hidden`` knows what it may be. It is equal to nothing but itself;
    where it may be what it is compared to, that cannot be told.
    """

    __slots__ = ("hidden",)

    known = False

    def __init__(self, hidden: Hidden, among: Sequence[Entity]) -> None:
        super().__init__(among, among[0])
        self.hidden = hidden
        self.f = Fields(self, hidden)
        self.parent = among[0].parent if len({item.parent for item in among}) == 1 else None

    def possible(self) -> Bag:
        """Return what it may be; nothing if that is not worked out any more."""
        self.hidden.state.charge(10)
        return self.hidden.may_hold(self.holder)

    def __eq__(self, other: object) -> bool:
        """Return whether it is a thing.

        Raises:
            UnrecordedError: if it may be, and may not.

        """
        if self is other or not isinstance(other, Entity):
            return self is other
        mine = self.possible()
        if isinstance(other, Unseen):
            theirs = other.possible()
            common = [item for item in mine if item in theirs]
            if mine and not any(self.hidden.has_copies(self.holder, item) for item in common):
                return False
        elif mine and (other not in mine or len(mine) == 1):
            return other in mine
        message = Text(
            "what follows depends on whether {name} is {thing}, which nobody recorded",
            name=self.id,
            thing=other.id,
        )
        raise unrecorded(self.hidden, message, [self.holder])

    __hash__ = Entity.__hash__


class Fields(dict[str, object]):
    """The fields of what may be one of several things, as far as they are known."""

    __slots__ = ("hidden", "of")

    def __init__(self, of: Likeness, hidden: Hidden) -> None:
        super().__init__()
        self.of = of
        self.hidden = hidden

    def __missing__(self, field: str) -> object:
        self.hidden.state.charge(10)
        things = self.hidden.may_hold(self.of.holder)
        possible = [item.f[field] for item in things]
        if possible and all(value == possible[0] for value in possible):
            return possible[0]
        name = self.of.id
        if self.of.known:  # by a name that several things have
            name = "/".join(self.hidden.state.name(item) for item in things)
        message = Text(
            "what follows depends on the {kind} of {name}, which nobody recorded",
            kind=field,
            name=name,
        )
        raise unrecorded(self.hidden, message, [self.of.holder])


class Undetermined(Exception):  # noqa: N818 - nothing is wrong
    """Something depends on what lies hidden in some bags together."""

    def __init__(self, where: Sequence[Bag]) -> None:
        super().__init__()
        self.where = where


def unrecorded(hidden: Hidden, message: str, where: Sequence[Bag]) -> Exception:
    """Return what to raise where something depends on what lies hidden in some bags together.

    Whoever goes through all that it may be hears where to look, whatever the rules do with errors.
    """
    return Undetermined(where) if hidden.splitting and where else UnrecordedError(message)


def unseen_in(bag: Bag) -> list[Unseen]:
    """Return what stands for unseen things in a bag."""
    return [item for item in bag if isinstance(item, Unseen)]


def deal(
    hidden: Hidden, source: Bag, target: Bag, count: int, only: Only, backs: Sequence[str]
) -> list[Sink]:
    """Move so many things of which only the back is seen; ``source`` holds as many.

    ``backs`` are the fields that it tells. Returns what will tell which they were, each by itself.
    """
    state, sinks = hidden.state, []
    if source:
        hidden.cover(source, only, apart=only is not None)
    for _ in range(count):
        possible = [item for item in hidden.may_hold(source) if only is None or only(item)]
        if not possible:  # it is not worked out any more what can come
            sinks.append(hidden.draw(source, target, 1, only))
            continue
        thing = Unseen(hidden, possible)
        hidden.take_in(thing)
        sinks.append(hidden.draw(source, thing.holder, 1, only))
        told = []
        for field in backs:
            values = {id(item.f[field]): item.f[field] for item in thing.possible()}
            if len(values) == 1:
                (thing.f[field],) = values.values()
                told.append(f"{state.word(field)} {state.text(thing.f[field])}")
        thing.id = f"? ({', '.join(told)})" if told else "?"
        state.add(target, thing, 1)
    return sinks


def find(
    hidden: Hidden, among: Sequence[Unseen], named: Sequence[Entity]
) -> tuple[Unseen, Entity] | None:
    """Let one of some unseen things be one of those that a name may mean.

    Returns what stood for it and what it is, which has come in its place; None if it cannot be,
    and nothing changes then.
    """
    state = hidden.state
    among = [one for one in among if one.holder.unknown.hidden > 0]
    if not among:
        return None
    possible = [item for item in named if any(hidden.may_be(u.holder, item) for u in among)]
    if not possible:
        hidden.doubt(among, named)
        return None
    among = [one for one in among if any(hidden.may_be(one.holder, item) for item in possible)]
    several = Likeness(possible, possible[-1]) if len(possible) > 1 else None
    hidden.name([one.holder for one in among], possible, several, _takings)
    item = several or possible[0]
    replace(state, among[0], item)
    return among[0], item


def _takings(
    world: World, zones: Sequence[int], kinds: Sequence[int], to: int | None
) -> Iterator[Step]:
    """Take a thing of some kinds out of one of some zones.

    All zones stay as full as they are but for the first: what lay there comes to where it was
    found. Which of the zones is which tells nobody anything.
    """
    for kind in kinds:
        for zone in zones:
            for left, share, named in lots.revealed(world, (zone,), kind, to):
                if zone == zones[0]:
                    yield left, share, named
                else:
                    for moved, _, poured in lots.poured(left, zones[0], zone):
                        yield moved, share, lots.Both(named, poured)


def replace(state: State, old: Unseen, new: Entity) -> None:
    """Put a thing in the place of what has stood for it, wherever that is or waits."""
    for zone in state.pack.zones:
        if zone.kind == old.kind:
            _replace_in(state, state.z, zone.index, old, new)
    if state.pending:
        waiting = tuple(_replaced(state, one, old, new) for one in state.pending)
        state.attribute(state, "pending", waiting)
    if state.forced:
        forced = tuple(_answered(state, one, old, new) for one in state.forced)
        state.attribute(state, "forced", forced)


def _replace_in(state: State, container: Any, key: object, old: Unseen, new: Entity) -> None:
    """Replace a thing in what a zone or a local name holds; what is shared stays shared."""
    value = container[key]
    state.charge(1)
    if value is old:
        state.put(container, key, new)
    elif isinstance(value, Bag):
        if old in value:
            state.add(value, old, -1)
            state.add(value, new, 1)
    elif isinstance(value, Grid | dict):
        for inner in value:
            _replace_in(state, value, inner, old, new)
    elif isinstance(value, list):
        for number in range(len(value)):
            _replace_in(state, value, number, old, new)
    elif isinstance(value, tuple) and any(part is old for part in value):
        state.put(container, key, tuple(new if part is old else part for part in value))


def _replaced(state: State, waiting: Waiting, old: Unseen, new: Entity) -> Waiting:
    """Return what waits with a thing in the place of another."""
    match waiting:
        case Pending() | Frame() | Again():
            _replace_all(state, waiting.values, old, new)
        case Loop():
            _replace_all(state, waiting.values, old, new)
            return waiting._replace(items=tuple(new if i is old else i for i in waiting.items))
    return waiting


def _answered(state: State, forced: Forced, old: Unseen, new: Entity) -> Forced:
    """Return what happened without a question, with a thing in the place of another."""
    _replace_all(state, forced.asked.values, old, new)
    answer = forced.answer
    if isinstance(answer, list):
        answer = [new if item is old else item for item in answer]
    return forced._replace(answer=new if answer is old else answer)


def _replace_all(state: State, values: dict[str, object], old: Unseen, new: Entity) -> None:
    for name in values:
        _replace_in(state, values, name, old, new)


def zones_of(bags: Iterable[Bag]) -> list[Bag]:
    """Return bags, and those in which it lies hidden what stands in them for one of several is."""
    return [
        one
        for bag in bags
        for one in (bag, *(thing.holder for thing in bag if isinstance(thing, Likeness)))
    ]
