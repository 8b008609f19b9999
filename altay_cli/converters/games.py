"""Games that converters take and return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Imported(NamedTuple):
    """A game as a log, and the part that could not be converted."""

    log: str
    problem: str = ""


class Done(NamedTuple):
    """A move: the ids of its actor, its definition and the entities in its slots.

    comments: those that follow, without `#`.
    """

    actor: str
    move: str
    values: Mapping[str, Sequence[str]]
    comments: Sequence[str] = ()


class Recorded(NamedTuple):
    """A legal game to export.

    position: the statements of the initial position, if not the usual one.
    comments: those before the first move.
    first: the first player, in ``round``.
    drawn: the game ended without a winner.
    """

    tags: Mapping[str, str]
    players: Sequence[str]
    position: Sequence[Done]
    comments: Sequence[str]
    first: str
    round: int
    turns: Sequence[Done]
    winners: Sequence[str]
    drawn: bool
