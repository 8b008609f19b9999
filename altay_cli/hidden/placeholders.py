"""Things that are not yet identified."""

from collections.abc import Mapping, Sequence
from functools import partial

from altay_cli.base.findings import Text, joined
from altay_cli.base.values import Entity, Placeholder
from altay_cli.hidden.queries import Queries


def named_placeholder(hidden: Queries, among: Sequence[Entity], cell: int) -> Placeholder:
    """Return a placeholder for a name that several things share, shown as the last of them.

    Unless they are copies, only a field that all share can be read.
    """
    thing = Placeholder(among, among[-1], cell, hidden.table.reporter.line)
    if thing.differs:
        thing.f = Fields(thing, hidden, {})
    return thing


def unseen_placeholder(
    hidden: Queries, among: Sequence[Entity], cell: int, seen: Mapping[str, object]
) -> Placeholder:
    """Return a placeholder for a thing that nobody named.

    Only fields that all candidates share, or that the back shows (``seen``), can be read.
    """
    equals = partial(_equals, hidden)
    thing = Placeholder(among, among[0], cell, hidden.table.reporter.line, equals)
    words = hidden.table.finding_words
    thing.id = "?"
    if seen:
        known = [joined([words.word(field), " ", words.text(seen[field])]) for field in seen]
        thing.id = joined(["? (", joined(known, ", "), ")"])
    thing.f = Fields(thing, hidden, seen)
    thing.parent = among[0].parent if len({item.parent for item in among}) == 1 else None
    return thing


def _equals(hidden: Queries, thing: Placeholder, other: Entity) -> bool:
    mine = hidden.possible_identities(thing)
    if isinstance(other, Placeholder) and not other.known:
        theirs = hidden.possible_identities(other)
        common = [item for item in mine if item in theirs]
        if mine and not any(hidden.has_copies(thing.cell, item) for item in common):
            return False
    elif mine and (other not in mine or len(mine) == 1):
        return other in mine
    message = Text(
        "the verdict depends on whether {name} is {thing}, which the log does not record",
        name=thing.id,
        thing=other.id,
    )
    raise hidden.unrecorded(message, [thing.cell])


class Fields(dict[str, object]):
    """The fields of a placeholder; only what is common is recorded."""

    __slots__ = ("hidden", "of")

    def __init__(self, of: Placeholder, hidden: Queries, seen: Mapping[str, object]) -> None:
        super().__init__(seen)
        self.of = of
        self.hidden = hidden

    def __missing__(self, field: str) -> object:
        things = self.hidden.possible_identities(self.of)
        possible = [item.f[field] for item in things]
        if possible and all(value == possible[0] for value in possible):
            return possible[0]
        name = self.of.id
        if self.of.known:  # named, by what several things are called
            names = map(self.hidden.table.finding_words.name, things)
            name = joined(names, "/")
        message = Text(
            "the verdict depends on the {kind} of {name}, which the log does not record",
            kind=field,
            name=name,
        )
        raise self.hidden.unrecorded(message, [self.of.cell])
