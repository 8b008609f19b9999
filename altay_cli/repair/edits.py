"""An edit: a change of the log that repair tries out."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from altay_cli.base.findings import Finding
from altay_cli.match.sections import Checkpoint
from altay_cli.notation.tree import Statement


class EditKind(Enum):
    """What an edit does, the likeliest first."""

    SWAP = 0
    INSERT = 1
    INSERT_FOR_OTHERS = 2
    RENAME = 3
    REPLACE = 4
    DELETE = 5


INSERTIONS = frozenset({EditKind.INSERT, EditKind.INSERT_FOR_OTHERS})

Replacement = tuple[Statement, Sequence[Statement]]


class Edit(NamedTuple):
    """A change of a log, judged from a checkpoint on.

    text: for the question "did you mean ...?".
    where: the statement to mark, if that is not the slip.
    part: the columns to mark in it.
    error: the first that the edit explains; its finding replaces them all.
    group: edits of a group have the same effect: if one is useless, all are.
    """

    kind: EditKind
    checkpoint: Checkpoint
    replacements: Sequence[Replacement]
    text: str = ""
    where: Statement | None = None
    part: tuple[int, int] | None = None
    error: Finding | None = None
    group: object = None

    @property
    def assumed(self) -> list[Statement]:
        """The new statements."""
        logged = {id(statement) for statement, _ in self.replacements}
        return [
            statement
            for _, statements in self.replacements
            for statement in statements
            if id(statement) not in logged
        ]
