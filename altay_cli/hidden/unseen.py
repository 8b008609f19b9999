"""Things that nobody has named, of which the back is seen: what stands for each of them.

Zones that say which fields of a thing its back tells hold such things one by one, so that rules can
list, count and move them. Which card each is lies hidden in a place of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from altay_cli.base.findings import Text
from altay_cli.base.values import Bag, Entity, Likeness
from altay_cli.hidden.queries import Queries


class OneOf(Likeness):
    """Stands for a thing by a name that several have; it looks like the last of them.

    Unless they are copies of one, a field can be read where it is the same for all.
    """

    __slots__ = ()

    def __init__(self, hidden: Queries, among: Sequence[Entity], holder: int) -> None:
        super().__init__(among, among[-1], holder, hidden.table.reporter.line)
        if self.differs:
            self.f = Fields(self, hidden)


class Unseen(Likeness):
    """Stands for one thing of which nobody knows what it is.

    A field can be read where it is the same for all that the thing may be by what is recorded;
    ``seen`` are those that the back tells. ``hidden`` knows what it may be. It is equal to nothing
    but itself; where it may be what it is compared to, that cannot be told.
    """

    __slots__ = ("hidden",)

    known = False

    def __init__(
        self, hidden: Queries, among: Sequence[Entity], holder: int, seen: Mapping[str, object]
    ) -> None:
        super().__init__(among, among[0], holder, hidden.table.reporter.line)
        self.hidden = hidden
        fields = [
            f"{hidden.table.words.word(one)} {hidden.table.words.text(seen[one])}" for one in seen
        ]
        self.id = f"? ({', '.join(fields)})" if fields else "?"
        self.f = Fields(self, hidden)
        self.f.update(seen)
        self.parent = among[0].parent if len({item.parent for item in among}) == 1 else None

    def possible(self) -> Bag:
        """Return what it may be; nothing if that is not worked out any more."""
        self.hidden.table.charge(10)
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
        raise self.hidden.unrecorded(message, [self.holder])

    __hash__ = Entity.__hash__


class Fields(dict[str, object]):
    """The fields of what may be one of several things, as far as they are known."""

    __slots__ = ("hidden", "of")

    def __init__(self, of: Likeness, hidden: Queries) -> None:
        super().__init__()
        self.of = of
        self.hidden = hidden

    def __missing__(self, field: str) -> object:
        self.hidden.table.charge(10)
        things = self.hidden.may_hold(self.of.holder)
        possible = [item.f[field] for item in things]
        if possible and all(value == possible[0] for value in possible):
            return possible[0]
        name = self.of.id
        if self.of.known:  # by a name that several things have
            name = "/".join(self.hidden.table.words.name(item) for item in things)
        message = Text(
            "what follows depends on the {kind} of {name}, which nobody recorded",
            kind=field,
            name=name,
        )
        raise self.hidden.unrecorded(message, [self.of.holder])
