"""Things that are not yet identified."""

from collections.abc import Mapping, Sequence

from altay_cli.base.findings import Text, joined
from altay_cli.base.values import Entity, Placeholder
from altay_cli.hidden.queries import Queries


class OneOf(Placeholder):
    """A thing whose name several things share, shown as the last of them.

    Unless they are copies, only a field that all of them share can be read.
    """

    __slots__ = ()

    def __init__(self, hidden: Queries, among: Sequence[Entity], cell: int) -> None:
        super().__init__(among, among[-1], cell, hidden.table.reporter.line)
        if self.differs:
            self.f = Fields(self, hidden, {})


class Unseen(Placeholder):
    """An unidentified thing.

    Only fields that all candidates share, or that the back shows (``seen``), can be read.
    """

    __slots__ = ("hidden",)

    known = False

    def __init__(
        self, hidden: Queries, among: Sequence[Entity], cell: int, seen: Mapping[str, object]
    ) -> None:
        super().__init__(among, among[0], cell, hidden.table.reporter.line)
        self.hidden = hidden
        words = hidden.table.finding_words
        self.id = "?"
        if seen:
            known = [joined([words.word(field), " ", words.text(seen[field])]) for field in seen]
            self.id = joined(["? (", joined(known, ", "), ")"])
        self.f = Fields(self, hidden, seen)
        self.parent = among[0].parent if len({item.parent for item in among}) == 1 else None

    def __eq__(self, other: object) -> bool:
        """Return True if equal; raise UnrecordedError if that is uncertain."""
        if self is other or not isinstance(other, Entity):
            return self is other
        mine = self.hidden.possible_identities(self)
        if isinstance(other, Unseen):
            theirs = self.hidden.possible_identities(other)
            common = [item for item in mine if item in theirs]
            if mine and not any(self.hidden.has_copies(self.cell, item) for item in common):
                return False
        elif mine and (other not in mine or len(mine) == 1):
            return other in mine
        message = Text(
            "the verdict depends on whether {name} is {thing}, which the log does not record",
            name=self.id,
            thing=other.id,
        )
        raise self.hidden.unrecorded(message, [self.cell])

    __hash__ = Entity.__hash__


class Fields(dict[str, object]):
    """The fields of a placeholder; one that differs is not recorded."""

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
