"""Which of different things a name meant, where nobody wrote down which of them was there.

Two things can share a name and lie in a hand that is not recorded. Where what a statement does
depends on which of them was meant, one is taken, and a note says so. If that leads to an error,
the game is played again with the other; where every way leads to one, it is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from altay_cli.base.findings import Finding, Severity
from altay_cli.notation import GameRecord, Statement

if TYPE_CHECKING:
    from altay_cli.base.budget import Account
    from altay_cli.match.match import Match

MAX_TRIES = 24
"""How often a game is played to find out what was meant."""

Meant = dict[int, int]
"""By the identity of a statement, which of the things that a name in it can mean it meant."""


class Open(NamedTuple):
    """A statement with a name that can mean so many different things."""

    statement: Statement
    ways: int


class _TooManyError(Exception):
    """There are more ways than are gone through."""


def meant_otherwise(
    match: Match, record: GameRecord, account: Account | None = None, until: Statement | None = None
) -> Match | None:
    """Return a match in which to play a game again that is right for longer then; None if none is.

    In it names mean other things than in ``match``; where there are too many ways to go through, it
    is left undecided what the first of them means.
    """
    first = _first_error(match)
    if first is None or not _before(match, first):
        return None
    from altay_cli.repair.explaining import allowance

    search = _Search(match, record, allowance(account), until)
    again = match.again()
    try:
        again.meant = search.best(dict(match.meant or {}), first)
    except _TooManyError:
        again.meant = None
    return None if again.meant == match.meant else again


class _Search:
    """Plays a game with names meaning one thing or another."""

    def __init__(
        self, match: Match, record: GameRecord, account: Account, until: Statement | None
    ) -> None:
        self.match = match
        self.record = record
        self.account = account
        self.until = until
        self.tries = 0

    def best(self, meant: Meant, error: Finding) -> Meant:
        """Return what the names of a game mean where its first error comes latest, or none does."""
        match = self.match
        while True:
            found = self._better(meant, error, _before(match, error))
            if found is None:
                return meant
            meant, match = found
            later = _first_error(match)
            if later is None:
                return meant
            error = later

    def _better(
        self, meant: Meant, error: Finding, names: Sequence[Open]
    ) -> tuple[Meant, Match] | None:
        """Return what names mean if an error is not there then, with the game played so."""
        telling = []
        for one in reversed(names):
            changed = False
            for other in _others(meant, [one]):
                found, match = self._played(other)
                if _is_later(found, error):
                    return other, match
                changed = changed or found != error
            if changed:
                telling.append(one)
        for other in _others(meant, telling) if len(telling) > 1 else ():
            found, match = self._played(other)
            if _is_later(found, error):
                return other, match
        return None

    def _played(self, meant: Meant) -> tuple[Finding | None, Match]:
        """Play the game, and return its first error."""
        from altay_cli.match.referee import Referee

        self.tries += 1
        if self.tries > MAX_TRIES:
            raise _TooManyError
        match = self.match.again()
        match.meant = meant
        Referee(match, self.account, recovers=False).run(self.record, self.until)
        return _first_error(match), match


def _others(meant: Meant, names: Sequence[Open]) -> Iterator[Meant]:
    """Yield all that some names can mean together, but for what they do."""
    for ways in product(*(range(one.ways) for one in names)):
        other = {**meant, **{id(n.statement): way for n, way in zip(names, ways, strict=True)}}
        if any(meant.get(key, 0) != way for key, way in other.items()):
            yield other


def _is_later(found: Finding | None, error: Finding) -> bool:
    return found is None or found.span[:2] > error.span[:2]


def _before(match: Match, error: Finding) -> list[Open]:
    """Return the open names that stand before an error."""
    return [one for one in match.open if one.statement.span()[:2] <= error.span[:2]]


def _first_error(match: Match) -> Finding | None:
    """Return the first error of a game; None if there is none."""
    errors = [one for one in match.report.findings if one.severity is Severity.ERROR]
    return min(errors, key=lambda one: one.span, default=None)


__all__ = ["Meant", "Open", "meant_otherwise"]
