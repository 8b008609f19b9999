"""Judging a recorded game: it is played through, and after slips as it was probably meant.

Where nothing need be wrong in a game that has an error, it is read again: a name may mean something
else that has the same name; an answer that nobody need write down may have been left out. What is
right for longer so is how the game is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, product
from math import inf
from typing import NamedTuple

from altay_cli.base.budget import Account, steps_for
from altay_cli.base.findings import Finding, Severity, errors_of
from altay_cli.match.match import NOTHING_MEANT, Match, Open
from altay_cli.match.referee import Checkpoint, Played, Referee, Repairing
from altay_cli.match.reporting import Doubt, Stop, Why
from altay_cli.moves.listing import Ability
from altay_cli.notation.tree import GameRecord, Statement
from altay_cli.pack.model import Pack
from altay_cli.repair import limits
from altay_cli.repair.search import Search, explicable

Watch = Callable[[GameRecord, Match], None]
"""Is given a recorded game and its match before it begins; the last of them is to be shown."""

Mend = Callable[[], GameRecord | None]
"""Returns a badly written game as it was meant; None if it is not badly written."""


class _Passage(NamedTuple):
    """What is read: a game, from whose account, up to which statement."""

    record: GameRecord
    account: Account
    until: Statement | None = None


class _Otherwise(Exception):  # noqa: N818 - no error: the game is read again
    """A game is to be read again in a match: another text of it, or with another meaning."""

    def __init__(self, record: GameRecord, match: Match) -> None:
        super().__init__()
        self.record = record
        self.match = match


def play(
    pack: Pack,
    options: Mapping[str, str],
    record: GameRecord,
    language: str = "en",
    watch: Watch | None = None,
    account: Account | None = None,
    *,
    complete: bool = False,
    mend: Mend | None = None,
) -> Played:
    """Play a recorded game through and report every move that the rules forbid.

    ``options`` are the values of all options of the pack. ``account`` is what the game may take of
    the budget of its file. ``complete`` says that everything must be written down. If there are
    errors, what ``mend`` gives is played instead. Whether it is watched or not, the same is found.
    Raises nothing, whatever the log is.
    """
    match = Match(pack, options, Ability, language, complete=complete)
    match, played = read(match, record, account, watch=watch, mend=mend)
    _tell_doubts(match, played)
    if watch is None:
        match.course.clear()
        played.state.forget()
    return played


def read(
    match: Match,
    record: GameRecord,
    account: Account | None = None,
    until: Statement | None = None,
    *,
    watch: Watch | None = None,
    mend: Mend | None = None,
) -> tuple[Match, Played]:
    """Read a game, and return the match in which it was read at last.

    If it has an error, what ``mend`` gives is read instead, or it may mean something else than it
    was first taken for. It is read up to a statement ``until``.
    """
    first, account = match, account or Account(steps_for(record.length), "this game")

    def otherwise() -> None:
        """Raise what is to be read instead of a game that has an error."""
        if match is first:
            if mend is not None and (meant := mend()) is not None:
                raise _Otherwise(meant, match.again(NOTHING_MEANT))
            if (other := meant_otherwise(match, passage)) is not None:
                raise _Otherwise(record, other)
        if match.doubtful and (answered := answered_before(match, passage)) is not None:
            other, error = answered
            if error is None or _has_fewer_errors(other, match, passage):
                raise _Otherwise(record, other)

    while True:
        passage, ask = _Passage(record, account, until), cache(otherwise)
        if watch is not None:
            watch(record, match)
        referee = Referee(match, record, account, partial(Search, ask=ask), until)
        try:
            played = referee.run()
            if match.report.errors:
                ask()
                other = _answered_behind_first(match, passage, errors_of(played.findings))
                if other is not None:
                    raise _Otherwise(record, other)
        except _Otherwise as other:
            # Some of it may have been played in that match.
            match = other.match.again(other.match.meant, other.match.answers_before)
            if other.record is not record:
                record, first, mend = other.record, match, None
            continue
        # The referee and its search hold each other: the collector need not find all this there.
        referee.checkpoints.clear()
        return match, played


def _answered_behind_first(
    match: Match, passage: _Passage, errors: Sequence[Finding]
) -> Match | None:
    """Return a match in which to play a game again with fewer errors; None if there is none.

    In it, an answer that nobody need write down was left out between the first error and the next.
    """
    if len(errors) < 2 or not match.doubtful:
        return None
    first, second, *_ = sorted(errors, key=lambda error: error.span)
    others = [
        _with_answer(match, statement)
        for statement in doubtful_before(match, second)
        if statement.span() > first.span
    ]
    is_judged = not _is_undecided(errors)
    counted = [
        (inf if is_judged and _is_undecided(found) else len(found), other)
        for other in others
        if (found := _errors(other, passage)) is not None
    ]
    least, best = min(counted, key=lambda one: one[0], default=(inf, None))
    return best if least < len(errors) else None


def _has_fewer_errors(other: Match, match: Match, passage: _Passage) -> bool:
    """Return whether a game has fewer errors if it is read as in the ``other`` match."""
    found = _errors(other, passage)
    if found is None:
        return False
    now = _errors(match, passage)
    if now is None:
        return True
    return len(found) < len(now) and (_is_undecided(now) or not _is_undecided(found))


def _is_undecided(errors: Iterable[Finding]) -> bool:
    """Return whether what follows is not judged, as it depends on hidden things.

    There are no errors behind that, so their number says nothing beside that of another reading.
    """
    return any(error.rule == "undecided" for error in errors)


def _errors(match: Match, passage: _Passage) -> Sequence[Finding] | None:
    """Return the errors of a game if it is read as in this match; None if that takes too much."""
    record, account, until = passage
    steps = account.available // limits.SHARES
    # What may be tried in the game that is told is not for what is only counted.
    spends = Account(steps, "this game")
    to_try = spends.trial_steps
    again = match.again(match.meant, match.answers_before)
    search = partial(Search, ask=lambda: None)
    errors = errors_of(Referee(again, record, spends, search, until).run().findings)
    account.spend(steps - spends.left + to_try - spends.trial_steps)
    return errors if spends.left > 0 else None


def _tell_doubts(match: Match, played: Played) -> None:
    """Tell with errors about hidden things where, by what is recorded, such things can be."""
    errors = errors_of(played.findings)
    misread = len(errors) - len(explicable(match, errors))
    if any(one.rule == "not-judged" for one in played.findings) or misread > limits.MOST_MISREAD:
        return
    doubts = dict(match.report.noted(Doubt))
    for number, finding in enumerate(played.findings):
        known = doubts.get(finding.span.line)
        if known is not None and finding.severity is Severity.ERROR:
            played.findings[number] = finding._replace(help=(*finding.help, *known))


class UpToFirst(Repairing):
    """Repairs nothing: a game is read up to its first error."""

    def laid_out(self, _unseated: Sequence[Finding]) -> None:
        """Read no further."""
        raise Stop(whole_game=True, why=Why.ASKED)

    def recover(self, _slip: Checkpoint) -> None:
        """Read no further."""
        raise Stop(whole_game=True, why=Why.ASKED)


class _TooOftenError(Exception):
    """The game would be played too often."""


class _Replay:
    """Plays a game again and again, up to its first error."""

    def __init__(self, passage: _Passage) -> None:
        # What is left after it is enough to judge what follows.
        account = Account(passage.account.available // 2, "this game", within=passage.account)
        self._reading = passage._replace(account=account)
        self._left = iter(range(limits.MAX_PLAYED))

    def error(self, match: Match) -> Finding | None:
        """Play the game in a match, and return its first error; raise if that is too often."""
        if next(self._left, None) is None:
            raise _TooOftenError
        record, account, until = self._reading
        Referee(match, record, account, UpToFirst, until).run()
        return _first_error(match)


# ---------------------------------------------------------------- other names


def meant_otherwise(match: Match, passage: _Passage) -> Match | None:
    """Return a match in which to play a game again that is right for longer then; None if none is.

    In it names mean other things than in ``match``; where there are too many ways to go through, it
    is left undecided what the first of them means.
    """
    replay, last, error = _Replay(passage), match, _first_error(match)
    try:
        while error is not None:
            better = _better(replay, last, error)
            if better is None:
                break
            last, error = better
    except _TooOftenError:
        # Without a name that is open, each decision that nobody wrote down is the usual one.
        if any(one.name for one in match.open):
            return match.again(None)
    return None if last is match else last


def _better(replay: _Replay, match: Match, error: Finding) -> tuple[Match, Finding | None] | None:
    """Return the game played so that its names mean what makes an error go away.

    With it comes its first error then. What is of no use by itself may be so with others.
    """
    meant = match.meant or {}
    matter: list[Open] = []
    # Each name by itself, and at last all of those together that make a difference.
    before = [one for one in match.open if one.statement.span()[:2] <= error.span[:2]]
    for names in chain(([one] for one in reversed(before)), [matter]):
        if names is matter and len(matter) == 1:
            break
        for ways in product(*(range(one.ways) for one in names)):
            chosen = {id(one.statement): way for one, way in zip(names, ways, strict=True)}
            if all(meant.get(key, 0) == way for key, way in chosen.items()):
                continue
            again = match.again({**meant, **chosen})
            first = replay.error(again)
            if _is_later(first, error):
                return again, first
            if first != error and names is not matter and names[0] not in matter:
                matter.append(names[0])
    return None


def _is_later(first: Finding | None, error: Finding) -> bool:
    """Tell whether the first error stands behind another one now, or there is none."""
    return first is None or first.span[:2] > error.span[:2]


def _first_error(match: Match) -> Finding | None:
    """Return the first error of a game; None if there is none."""
    return min(errors_of(match.report.findings), key=lambda one: one.span, default=None)


# ---------------------------------------------------------------- other answers


def answered_before(match: Match, passage: _Passage) -> tuple[Match, Finding | None] | None:
    """Return a match in which to play a game again that is right for longest, and its first error.

    In it, answers that nobody need write down were left out elsewhere than in ``match``. Where that
    makes no error go away, there is none.
    """
    replay, waiting, best = _Replay(passage), [match], None
    known: set[frozenset[tuple[int, int]]] = set()
    latest = _first_error(match)
    with suppress(_TooOftenError):
        while waiting:
            last = waiting.pop()
            error = _first_error(last)
            assert error is not None
            for statement in reversed(doubtful_before(last, error)):
                again = _with_answer(last, statement)
                key = frozenset(again.answers_before.items())
                if key in known:
                    continue
                known.add(key)
                first = replay.error(again)
                if first is None:
                    return again, None
                if first.span > error.span:
                    waiting.append(again)
                if latest is not None and _is_later(first, latest):
                    best, latest = (again, first), first
    return best


def _with_answer(match: Match, statement: Statement) -> Match:
    """Return a match in which one answer more was left out before a statement."""
    before = match.answers_before.get(id(statement), 0)
    return match.again(match.meant, {**match.answers_before, id(statement): before + 1})


def doubtful_before(match: Match, error: Finding) -> list[Statement]:
    """Return the last statements up to an error before which answers may have been left out."""
    near = {id(one): one for one in match.doubtful if one.span() <= error.span}
    return list(near.values())[-limits.MAX_PLAYED :]
