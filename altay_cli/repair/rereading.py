"""What a game can mean that has an error, where nothing need be wrong: it is read again so.

A name may mean something else that has the same name; an answer that nobody need write down may
have been left out. What is right for longer so is how the game is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, errors_of
from altay_cli.match.course import Checkpoint, Repairing
from altay_cli.match.match import Match, Meant, Open
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop, Why
from altay_cli.notation import GameRecord, Statement

AGAIN_STEPS = 40_000_000
"""The budget for playing a game again: at most half of what is left for the file.

That is for each way to read it otherwise.
"""

MAX_PLAYED = 24
"""How often a game is played to find out what was meant, in each of the ways."""

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


class _TooManyError(Exception):
    """The game would be played too often."""


class Passage(NamedTuple):
    """What is read: a game, from whose account, up to which statement."""

    record: GameRecord
    account: Account | None = None
    until: Statement | None = None


class _Replay:
    """Plays a game again and again, up to its first error."""

    def __init__(self, passage: Passage) -> None:
        account = passage.account
        steps = AGAIN_STEPS if account is None else min(AGAIN_STEPS, account.available // 2)
        self._reading = passage._replace(account=Account(steps, "this game", within=account))
        self._left = iter(range(MAX_PLAYED))

    def error(self, match: Match) -> Finding | None:
        """Play the game in a match, and return its first error.

        Raises:
            _TooManyError: if that was done too often.

        """
        if next(self._left, None) is None:
            raise _TooManyError
        record, account, until = self._reading
        Referee(match, record, account, UpToFirst, until).run()
        return _first_error(match)


# ---------------------------------------------------------------- other names


def meant_otherwise(match: Match, passage: Passage) -> Match | None:
    """Return a match in which to play a game again that is right for longer then; None if none is.

    In it names mean other things than in ``match``; where there are too many ways to go through, it
    is left undecided what the first of them means.
    """
    error = _first_error(match)
    if error is None or not _before(match, error):
        return None
    replay, last = _Replay(passage), match
    meant: Meant | None = match.meant or {}
    try:
        while error is not None:
            better = _better(replay, last, error)
            if better is None:
                break
            last, error = better
        meant = last.meant
    except _TooManyError:
        meant = None
    return None if meant == match.meant else match.again(meant)


def _better(replay: _Replay, match: Match, error: Finding) -> tuple[Match, Finding | None] | None:
    """Return the game played so that its names mean what makes an error go away.

    With it comes its first error then. What is of no use by itself may be so with others.
    """
    meant = match.meant or {}
    matter: list[Open] = []
    # Each name by itself, and at last all of those together that make a difference.
    for names in chain(([one] for one in reversed(_before(match, error))), [matter]):
        if names is matter and len(matter) == 1:
            break
        for other in _others(meant, names):
            again = match.again(other)
            first = replay.error(again)
            if _is_later(first, error):
                return again, first
            if first != error and names is not matter and names[0] not in matter:
                matter.append(names[0])
    return None


def _others(meant: Meant, names: Sequence[Open]) -> Iterator[Meant]:
    """Yield all that some names can mean together, but for what they do."""
    for ways in product(*(range(one.ways) for one in names)):
        other = {**meant, **{id(n.statement): way for n, way in zip(names, ways, strict=True)}}
        if any(meant.get(key, 0) != way for key, way in other.items()):
            yield other


def _is_later(first: Finding | None, error: Finding) -> bool:
    """Tell whether the first error stands behind another one now, or there is none."""
    return first is None or first.span[:2] > error.span[:2]


def _before(match: Match, error: Finding) -> list[Open]:
    """Return the open names that stand before an error."""
    return [one for one in match.open if one.statement.span()[:2] <= error.span[:2]]


def _first_error(match: Match) -> Finding | None:
    """Return the first error of a game; None if there is none."""
    errors = errors_of(match.report.findings)
    return min(errors, key=lambda one: one.span, default=None)


# ---------------------------------------------------------------- other answers


def answered_before(match: Match, passage: Passage) -> tuple[Match, Finding | None] | None:
    """Return a match in which to play a game again that is right for longest, and its first error.

    In it, answers that nobody need write down were left out elsewhere than in ``match``. Where that
    makes no error go away, there is none.
    """
    replay = _Replay(passage)
    known: set[frozenset[tuple[int, int]]] = set()
    waiting, best = [match], None
    latest = _first_error(match)
    while waiting:
        last = waiting.pop()
        error = _first_error(last)
        assert error is not None
        for statement in reversed(doubtful_before(last, error)):
            before = last.answers_before.get(id(statement), 0)
            answers = {**last.answers_before, id(statement): before + 1}
            key = frozenset(answers.items())
            if key in known:
                continue
            known.add(key)
            again = match.again(match.meant, answers)
            try:
                first = replay.error(again)
            except _TooManyError:
                return best
            if first is None:
                return match.again(match.meant, answers), None
            if first.span > error.span:
                waiting.append(again)
            if latest is not None and _is_later(first, latest):
                best, latest = (match.again(match.meant, answers), first), first
    return best


def doubtful_before(match: Match, error: Finding) -> list[Statement]:
    """Return the last statements up to an error before which answers may have been left out."""
    near = {id(one): one for one in match.doubtful if one.span() <= error.span}
    return list(near.values())[-NEAR_ANSWERS:]
