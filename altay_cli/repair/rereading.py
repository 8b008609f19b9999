"""What a game can mean that has an error, where nothing need be wrong: it is read again so.

A name may mean something else that has the same name; an answer that nobody
need write down may have been left out. What is right for longer so is how the game is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, errors_of
from altay_cli.match.course import Checkpoint, Repairing
from altay_cli.match.match import Match, Meant, Open
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop, Why
from altay_cli.notation import GameRecord, Statement

AGAIN_STEPS = 40_000_000
"""The budget for playing a game again: at most half of what is left for the file.

That is for each way to read it otherwise, and for all explanations of its errors together.
"""

MAX_MEANT = 24
"""How often a game is played to find out what was meant."""

MAX_ANSWERS = 24
"""How many times a game is reread to find the statements before which answers are missing."""

NEAR_ANSWERS = 6
"""The number of statements before an error that missing answers may belong to."""


class UpToFirst(Repairing):
    """Repairs nothing: a game is read up to its first error."""

    def laid_out(self, unseated: Sequence[Finding]) -> None:
        """Read no further."""
        del unseated
        raise Stop(whole_game=True, why=Why.ASKED)

    def recover(self, slip: Checkpoint) -> None:
        """Read no further."""
        del slip
        raise Stop(whole_game=True, why=Why.ASKED)


def allowance(account: Account | None) -> Account:
    """Return the budget for playing a game again otherwise."""
    steps = AGAIN_STEPS if account is None else min(AGAIN_STEPS, account.available // 2)
    return Account(steps, "this game", within=account)


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
    search = _Search(match, record, allowance(account), until)
    meant: Meant | None
    try:
        meant = search.best(match.meant or {}, first)
    except _TooManyError:
        meant = None
    return None if meant == match.meant else match.again(meant)


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
        self.tries += 1
        if self.tries > MAX_MEANT:
            raise _TooManyError
        match = self.match.again(meant)
        Referee(match, self.record, self.account, UpToFirst, self.until).run()
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
    errors = errors_of(match.report.findings)
    return min(errors, key=lambda one: one.span, default=None)


def answered_before(
    match: Match,
    record: GameRecord,
    account: Account | None = None,
    until: Statement | None = None,
) -> Match | None:
    """Return a match in which to play a game again without errors; None if there is none.

    In it, answers that nobody need write down were left out elsewhere.
    """
    own = allowance(account)
    tried: set[frozenset[tuple[int, int]]] = set()
    todo: list[tuple[dict[int, int], Match]] = [(dict(match.answers_before), match)]
    while todo and len(tried) < MAX_ANSWERS:
        before, last = todo.pop(0)
        first = _first_error(last)
        assert first is not None
        near = [s for s in last.doubtful if s.span() <= first.span][-NEAR_ANSWERS:]
        for statement in reversed(near):
            other = {**before, id(statement): before.get(id(statement), 0) + 1}
            key = frozenset(other.items())
            if key in tried or len(tried) >= MAX_ANSWERS:
                continue
            tried.add(key)
            again = match.again(match.meant)
            again.answers_before.update(other)
            Referee(again, record, own, UpToFirst, until).run()
            later = _first_error(again)
            if later is None:
                again = match.again(match.meant)
                again.answers_before.update(other)
                return again
            if later.span > first.span:
                todo.insert(0, (other, again))
    return None
