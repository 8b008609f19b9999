"""Judge a recorded game, and again if another reading explains its first error.

A name may mean another thing, or an optional answer may be missing. The reading whose first error
is latest counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, product
from math import inf

from altay_cli.base.budget import Account, steps_for
from altay_cli.base.findings import Finding, Severity, errors_of
from altay_cli.match.match import FIRST_CHOICES, AmbiguousName, Match
from altay_cli.match.referee import Played, Referee
from altay_cli.match.reporting import Doubt, Stop, StopReason
from altay_cli.match.sections import Checkpoint, Repairing
from altay_cli.moves.ability import Ability
from altay_cli.notation.tree import GameRecord, Statement
from altay_cli.pack.model import Pack
from altay_cli.repair import limits

Watch = Callable[[GameRecord, Match], None]
"""Called before each reading of a game, the last of them final."""

Correct = Callable[[], GameRecord | None]
"""Returns the corrected game, if anything is badly written."""


class StopAtFirstError(Repairing):
    """Repairs nothing: judging stops at the first error."""

    def recover_setup(self, _unseated: Sequence[Finding]) -> None:
        """Stop."""
        raise Stop(whole_game=True, why=StopReason.ASKED)

    def recover(self, _slip: Checkpoint) -> None:
        """Stop."""
        raise Stop(whole_game=True, why=StopReason.ASKED)


class _TooManyReplaysError(Exception):
    """A search has judged the game too often."""


class Replays:
    """Judges a game again in other matches, with a part of its budget."""

    def __init__(self, record: GameRecord, account: Account, until: Statement | None) -> None:
        self.record = record
        self.account = account
        self.until = until
        self._search_account, self._left = account, 0

    def begin_search(self) -> None:
        """Grant half of the steps left."""
        steps = self.account.available // 2
        self._search_account = Account(steps, "this game", within=self.account)
        self._left = limits.MAX_PLAYED

    def first_error(self, match: Match) -> Finding | None:
        """Return the first error of the game in a new match.

        Raise _TooManyReplaysError if this search has judged the game too often.
        """
        if not self._left:
            raise _TooManyReplaysError
        self._left -= 1
        Referee(match, self.record, self._search_account, StopAtFirstError, self.until).run()
        return _first_error(match)

    def errors(self, match: Match) -> Sequence[Finding] | None:
        """Return all errors of the game in such a match; None if that is too slow."""
        steps = self.account.available // limits.SHARES
        # Only counting errors uses no trial steps.
        spends = Account(steps, "this game")
        trial_steps = spends.trial_steps
        again = match.restarted(match.name_choices, match.answers_before)
        search = partial(_begin_search, before_search=lambda: None)
        errors = errors_of(Referee(again, self.record, spends, search, self.until).run().findings)
        self.account.spend(steps - spends.left + trial_steps - spends.trial_steps)
        return errors if spends.left > 0 else None


class _Restart(Exception):  # noqa: N818 - no error: the game is judged again
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
    mend: Correct | None = None,
) -> Played:
    """Judge a recorded game and report every move that the rules forbid; raise nothing.

    account: what the game may use of the budget of its file.
    mend: gives the corrected game; called if there are errors.
    """
    match = Match(pack, options, Ability, language, complete=complete)
    match, played = judge_game(match, record, account, watch=watch, mend=mend)
    _add_doubts(match, played)
    if watch is None:
        match.course.clear()
        played.state.journal.forget()
    return played


def judge_game(
    match: Match,
    record: GameRecord,
    account: Account | None = None,
    until: Statement | None = None,
    *,
    watch: Watch | None = None,
    mend: Correct | None = None,
) -> tuple[Match, Played]:
    """Judge a game; return the match of its final reading, and the result."""
    first, account = match, account or Account(steps_for(record.length), "this game")
    while True:
        replays = Replays(record, account, until)
        before_search = cache(
            partial(_restart_if_better, match, replays, mend, is_first=match is first)
        )
        if watch is not None:
            watch(record, match)
        try:
            return match, _judge(match, replays, before_search)
        except _Restart as other:
            # That match may have judged a part.
            match = other.match.restarted(other.match.name_choices, other.match.answers_before)
            if other.record is not record:
                record, first, mend = other.record, match, None


def _begin_search(referee: Referee, before_search: Callable[[], None]) -> Repairing:
    from altay_cli.repair.search import Search  # most games have no error

    return Search(referee, before_search)


def _judge(match: Match, replays: Replays, before_search: Callable[[], None]) -> Played:
    record, search = replays.record, partial(_begin_search, before_search=before_search)
    referee = Referee(match, record, replays.account, search, replays.until)
    played = referee.run()
    if match.report.errors:
        before_search()
        other = _answered_after_first(match, replays, errors_of(played.findings))
        if other is not None:
            raise _Restart(record, other)
    # They refer to each other: free the memory at once.
    referee.checkpoints.clear()
    return played


def _restart_if_better(
    match: Match, replays: Replays, mend: Correct | None, *, is_first: bool
) -> None:
    """Raise _Restart if another text or reading of a game with an error is better."""
    if is_first:
        if mend is not None and (corrected := mend()) is not None:
            raise _Restart(corrected, match.restarted(FIRST_CHOICES))
        if (other := find_other_names(match, replays)) is not None:
            raise _Restart(replays.record, other)
    if match.doubtful and (answered := find_missing_answers(match, replays)) is not None:
        other, error = answered
        if error is None or _has_fewer_errors(other, match, replays):
            raise _Restart(replays.record, other)


def _answered_after_first(
    match: Match, replays: Replays, errors: Sequence[Finding]
) -> Match | None:
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
        if (found := replays.errors(other)) is not None
    ]
    fewest, best = min(counted, key=lambda counted_match: counted_match[0], default=(inf, None))
    return best if fewest < len(errors) else None


def _has_fewer_errors(other: Match, match: Match, replays: Replays) -> bool:
    found = replays.errors(other)
    if found is None:
        return False
    now = replays.errors(match)
    if now is None:
        return True
    return len(found) < len(now) and (_is_undecided(now) or not _is_undecided(found))


def _is_undecided(errors: Iterable[Finding]) -> bool:
    return any(error.rule == "undecided" for error in errors)


def _add_doubts(match: Match, played: Played) -> None:
    errors = errors_of(played.findings)
    misread = len(errors) - len(match.report.explainable(errors))
    if (
        any(found.rule == "not-judged" for found in played.findings)
        or misread > limits.MOST_MISREAD
    ):
        return
    doubts = dict(match.report.noted(Doubt))
    for number, finding in enumerate(played.findings):
        known = doubts.get(finding.span.line)
        if known is not None and finding.severity is Severity.ERROR:
            played.findings[number] = finding._replace(help=(*finding.help, *known))


# ---------------------------------------------------------------- ambiguous names


def find_other_names(match: Match, replays: Replays) -> Match | None:
    """Return a match with other meanings of names whose first error comes later.

    With too many combinations, the names are left undecided.
    """
    last, error = match, _first_error(match)
    replays.begin_search()
    try:
        while error is not None:
            better = _better(replays, last, error)
            if better is None:
                break
            last, error = better
    except _TooManyReplaysError:
        # Without ambiguous names, each missing decision is the usual one.
        if any(ambiguous.name for ambiguous in match.open):
            return match.restarted(None)
    return None if last is match else last


def _better(replays: Replays, match: Match, error: Finding) -> tuple[Match, Finding | None] | None:
    chosen_before = match.name_choices or {}
    relevant: list[AmbiguousName] = []
    # Each alone; then together those that change the error.
    before = [
        ambiguous for ambiguous in match.open if ambiguous.statement.span()[:2] <= error.span[:2]
    ]
    for names in chain(([name] for name in reversed(before)), [relevant]):
        if names is relevant and len(relevant) == 1:
            break
        for ways in product(*(range(name.ways) for name in names)):
            chosen = {id(name.statement): way for name, way in zip(names, ways, strict=True)}
            if all(chosen_before.get(key, 0) == way for key, way in chosen.items()):
                continue
            again = match.restarted({**chosen_before, **chosen})
            first = replays.first_error(again)
            if _is_later(first, error):
                return again, first
            if first != error and names is not relevant and names[0] not in relevant:
                relevant.append(names[0])
    return None


def _is_later(first: Finding | None, error: Finding) -> bool:
    return first is None or first.span[:2] > error.span[:2]


def _first_error(match: Match) -> Finding | None:
    return min(errors_of(match.report.findings), key=lambda error: error.span, default=None)


# ---------------------------------------------------------------- missing answers


def find_missing_answers(match: Match, replays: Replays) -> tuple[Match, Finding | None] | None:
    """Return the match with missing answers whose first error is latest, and that error."""
    waiting, best = [match], None
    replays.begin_search()
    known: set[frozenset[tuple[int, int]]] = set()
    latest = _first_error(match)
    with suppress(_TooManyReplaysError):
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
                first = replays.first_error(again)
                if first is None:
                    return again, None
                if first.span > error.span:
                    waiting.append(again)
                if latest is not None and _is_later(first, latest):
                    best, latest = (again, first), first
    return best


def _with_answer(match: Match, statement: Statement) -> Match:
    before = match.answers_before.get(id(statement), 0)
    return match.restarted(match.name_choices, {**match.answers_before, id(statement): before + 1})


def doubtful_before(match: Match, error: Finding) -> list[Statement]:
    """Return the last statements up to the error that may lack an answer."""
    near = {
        id(statement): statement for statement in match.doubtful if statement.span() <= error.span
    }
    return list(near.values())[-limits.MAX_PLAYED :]
