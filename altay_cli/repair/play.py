"""Judging a recorded game: it is played through, and after slips as it was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from altay_cli.base.budget import Account
from altay_cli.base.findings import Severity
from altay_cli.compile.model import Pack
from altay_cli.match.match import Match
from altay_cli.match.referee import Played, Referee
from altay_cli.moves.ability import Ability
from altay_cli.notation import GameRecord
from altay_cli.repair.explaining import explain
from altay_cli.repair.recovery import Recovery
from altay_cli.repair.rereading import answered_before, meant_otherwise, taken_elsewhere

WATCHED_SHARE = 0.4
"""What the game that is shown may take of what is left of its file; it is judged by itself."""

Watch = Callable[[GameRecord, Match], None]
"""Is given a recorded game and its match before it begins; the last of them is to be shown."""

Mend = Callable[[], GameRecord | None]
"""Returns a badly written game as it was meant; None if it is not badly written."""


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
    share: float = WATCHED_SHARE,
) -> Played:
    """Play a recorded game through and report every move that the rules forbid.

    ``options`` are the values of all options of the pack. ``account`` is what the game may take of
    the budget of its file. ``complete`` says that everything must be written down. If there are
    errors, what ``mend`` gives is played instead. Whether it is watched or not, the same is found;
    what is watched may take a ``share`` of the account, or all of it if there is no error.
    Raises nothing, whatever the log is.
    """
    match = Match(pack, options, Ability, language)
    match.state.complete = complete
    left = account.left if account is not None else 0
    spends = account
    if watch is not None:
        watch(record, match)
        if account is not None:
            spends = Account(int(share * left), account.what, within=account)
    played = Referee(match, spends, Recovery).run(record)
    for another_way in (taken_elsewhere, meant_otherwise):
        other = another_way(match, record, spends)
        if other is not None:
            match = other
            if watch is not None:
                watch(record, match)
            played = Referee(match, spends, Recovery).run(record)
    meant = mend() if mend is not None and match.report.errors else None
    if meant is not None:
        return play(pack, options, meant, language, watch, account, complete=complete)
    if watch is not None:
        if not match.report.errors or (account is not None and account.left <= 0):
            return played
        # The games in which an explanation is looked for are not to be shown.
        if account is not None:
            account.left = left
        found = play(pack, options, record, language, account=account, complete=complete)
        too_little = share < 1 and spends is not None and spends.left <= 0
        if account is None or not too_little or _has_errors(found):
            return found
        account.left = left
        return play(pack, options, record, language, watch, account, complete=complete, share=1)
    if match.report.errors and match.doubtful:
        match, played = answered_before(match, played, record, account)
    if match.report.errors:
        played = explain(match, played, record, account)
    played.state.forget()
    return played


def _has_errors(played: Played) -> bool:
    return any(found.severity is Severity.ERROR for found in played.findings)
