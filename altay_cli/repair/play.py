"""Judging a recorded game: it is played through, and after slips as it was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, Severity, errors_of
from altay_cli.match.match import Match
from altay_cli.match.referee import Played, Referee
from altay_cli.moves.listing import Ability
from altay_cli.notation import GameRecord, Statement
from altay_cli.pack.model import Pack
from altay_cli.repair.causes import is_misread
from altay_cli.repair.rereading import (
    AGAIN_STEPS,
    Passage,
    answered_before,
    doubtful_before,
    meant_otherwise,
)
from altay_cli.repair.search import Search

COUNTED_PART = 8
"""What part of what is left may be taken to count the errors of a game if it is read otherwise."""

MOST_MISREAD = 10
"""Where more cannot be read, that is why something is not where it should be."""

Watch = Callable[[GameRecord, Match], None]
"""Is given a recorded game and its match before it begins; the last of them is to be shown."""

Mend = Callable[[], GameRecord | None]
"""Returns a badly written game as it was meant; None if it is not badly written."""


class _Otherwise(Exception):  # noqa: N818 - no error: the game is read again
    """A game is to be read again: another text of it, or with another meaning."""

    def __init__(self, record: GameRecord, match: Match | None = None) -> None:
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
    try:
        match, played = read(match, record, account, watch=watch, mend=mend)
    except _Otherwise as other:
        return play(pack, options, other.record, language, watch, account, complete=complete)
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

    If it has an error, it may mean something else than it was first taken for; it is read up to a
    statement ``until``.
    """
    passage, first = Passage(record, account, until), match

    def otherwise() -> None:
        """Raise what is to be read instead of a game that has an error."""
        if match is first:
            meant = mend() if mend is not None else None
            if meant is not None:
                raise _Otherwise(meant)
            other = meant_otherwise(match, passage)
            if other is not None:
                raise _Otherwise(record, other)
        answered = answered_before(match, passage) if match.doubtful else None
        if answered is not None:
            other, error = answered
            if error is None or _is_better(_errors(other, passage), _errors(match, passage)):
                raise _Otherwise(record, other)

    while True:
        if watch is not None:
            watch(record, match)
        search = partial(Search, ask=cache(otherwise))
        referee = Referee(match, record, account, search, until)
        repairing = referee.repairing
        assert isinstance(repairing, Search)
        try:
            played = referee.run()
            if match.report.errors:
                repairing.ask_otherwise()
                if match.doubtful:
                    errors = errors_of([*played.findings, *repairing.told])
                    other = _answered_behind_first(match, passage, errors)
                    if other is not None:
                        raise _Otherwise(record, other)
        except _Otherwise as other:
            if other.match is None:
                raise
            match = other.match
            continue
        played.findings.extend(repairing.told)
        # The referee and its search hold each other: the collector need not find all this there.
        referee.checkpoints.clear()
        return match, played


def _answered_behind_first(
    match: Match, passage: Passage, errors: Sequence[Finding]
) -> Match | None:
    """Return a match in which to play a game again with fewer errors; None if there is none.

    In it, an answer that nobody need write down was left out between the first error and the next.
    """
    best = None
    if len(errors) < 2:
        return None
    first, second, *_ = sorted(errors, key=lambda error: error.span)
    for statement in doubtful_before(match, second):
        if statement.span() <= first.span:
            continue
        before = match.answers_before.get(id(statement), 0)
        answers = {**match.answers_before, id(statement): before + 1}
        other = match.again(match.meant, answers)
        left = _errors(other, passage)
        if left is not None and len(left) < len(errors):
            errors, best = left, other
    return best


def _is_better(errors: Sequence[Finding] | None, others: Sequence[Finding] | None) -> bool:
    return errors is not None and others is not None and len(errors) < len(others)


def _errors(match: Match, passage: Passage) -> Sequence[Finding] | None:
    """Return the errors that are told of a game if it is read as in this match.

    None if that takes too much.
    """
    record, account, until = passage
    steps = AGAIN_STEPS if account is None else min(AGAIN_STEPS, account.available // COUNTED_PART)
    # What may be tried in the game that is told is not for what is only counted.
    spends = Account(steps, "this game")
    to_try = spends.to_try
    again = match.again(match.meant, match.answers_before)
    search = partial(Search, ask=lambda: None)
    referee = Referee(again, record, spends, search, until)
    assert isinstance(referee.repairing, Search)
    findings = referee.run().findings
    errors = errors_of([*findings, *referee.repairing.told])
    if account is not None:
        account.spend(steps - spends.left + to_try - spends.to_try)
    return errors if spends.left > 0 else None


def _tell_doubts(match: Match, played: Played) -> None:
    """Tell with errors about hidden things where, by what is recorded, such things can be."""
    misread = sum(is_misread(match, one) for one in played.findings)
    unjudged = any(one.rule == "not-judged" for one in played.findings)
    if unjudged or misread > MOST_MISREAD:
        return
    for number, finding in enumerate(played.findings):
        known = match.report.doubts.get(finding.span.line)
        if known is not None and finding.severity is Severity.ERROR:
            played.findings[number] = finding._replace(help=(*finding.help, *known))
