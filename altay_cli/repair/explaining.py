"""Better explanations of the errors of a game: contradicting lines, or a single earlier slip."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, Severity
from altay_cli.match.match import Match
from altay_cli.match.referee import Played, Referee
from altay_cli.match.reporting import explained, misplaced
from altay_cli.notation import GameRecord, SectionKind, Statement
from altay_cli.repair.laying import laid_otherwise
from altay_cli.repair.omission import (
    NEAR_REACH,
    REACH,
    drawn_names,
    exchanged,
    left_out,
    renamed,
)
from altay_cli.repair.recovery import Recovery
from altay_cli.repair.rereading import allowance

LEAST_ERRORS = 2
"""The minimum number of errors for which a missing statement is looked for."""

OTHER_SHARE = 0.36
"""The share of that budget for trying other setups, and again for trying other names."""

LEFT = 4
"""If the first error is in the setup, another setup may leave one in so many of the errors."""

MANY_ERRORS = 4
"""From this many errors on, other setups are tried before other turns."""


MOST_MISREAD = 10
"""Where more cannot be read, that is why something is not where it should be."""


def explain(match: Match, played: Played, record: GameRecord, account: Account | None) -> Played:
    """Return a game with errors as it was played in ``match``, or with what explains them better.

    ``account`` is what that may take of the budget of the file.
    """
    if match.report.illegible:
        return played
    # Where nothing follows a setup, no other setup explains anything.
    if any(section.kind is SectionKind.TURN for section in record.sections):
        played = _explained(match, played, record, account)
    misread = sum(_is_misread(match, found) for found in played.findings)
    if misread <= MOST_MISREAD:
        _tell_doubts(match, played)
    return played


def _tell_doubts(match: Match, played: Played) -> None:
    """Tell with errors about hidden things where, by what is recorded, such things can be."""
    for number, finding in enumerate(played.findings):
        told = match.report.doubts.get(finding.span.line)
        if told is not None and finding.severity is Severity.ERROR:
            played.findings[number] = finding._replace(help=(*finding.help, *told))


def _explained(match: Match, played: Played, record: GameRecord, account: Account | None) -> Played:
    """Return a game as it was played, or where one slip of another kind explains it, with that.

    That is a statement that was left out, two that were exchanged, or one that names something
    else than was meant.
    """
    errors = _errors(played)
    # What cannot be read is wrong whatever another slip may explain.
    misread = all(_is_misread(match, found) for found in errors)
    if len(errors) < LEAST_ERRORS or misread or played.abandoned:
        return played
    whole = allowance(account)
    of_setup, of_names = (
        Account(int(whole.left * OTHER_SHARE), "this game", within=whole) for _ in range(2)
    )
    own = Account(whole.left - of_names.left, "this game", within=whole)
    best = played
    in_setup = errors[0].round is None
    if in_setup or len(errors) >= MANY_ERRORS:
        best = _laid_otherwise(match, played, record, errors, of_setup)
    if best is played and played.judged:
        best = _moved_otherwise(match, played, record, errors, own, of_names)
    if best is played and not in_setup and len(errors) < MANY_ERRORS:
        best = _laid_otherwise(match, played, record, errors, of_setup)
    best.state.account = account
    return best


def _moved_otherwise(
    match: Match,
    played: Played,
    record: GameRecord,
    errors: Sequence[Finding],
    own: Account,
    of_names: Account,
) -> Played:
    """Return a game as it was played, or reread with the one slip in its turns that explains it."""
    best, least = played, 2 * (len(errors) - 1)
    paid = own

    def tried(told: Finding, other: GameRecord, assumed: Statement | None = None) -> list[Finding]:
        """Play the game otherwise, and take that if fewer errors are left; return them.

        Of those with as few, one that tells what came with the statement ``assumed`` is better.
        """
        nonlocal best, least
        again = match.again()
        better = Referee(again, paid, Recovery, assumed=assumed).run(other)
        left = _errors(better)
        cost = 2 * len(left) + (again.state.hidden.used and not match.report.gaps)
        # A game that was not read to its end, because the budget ran out, explains nothing; nor
        # does one in which something is wrong that was right before the slip.
        sooner = bool(left) and left[0].span < errors[0].span
        if cost < least and better.judged and not sooner and not _cut(left):
            better.findings.append(told)
            better.moves -= assumed is not None
            best, least = better, cost
        return left

    for other, behind in exchanged(record, errors):
        tried(misplaced(errors[0], behind), other)
        if not least:
            return best
    for others, reach in ((False, REACH), (True, NEAR_REACH), (True, REACH)):
        search = Account(own.left // 2, "this game", within=own)
        omitted = left_out(match, record, errors, search, others=others, reach=reach)
        for omission in omitted:
            told = explained(errors[0], omission.before, omission.statement.text)
            left = tried(told, omission.restored(record), omission.statement)
            for possible in omission.drawing(drawn_names(match, omission.statement, left)):
                if not least:
                    return best
                told = explained(errors[0], possible.before, possible.statement.text)
                tried(told, possible.restored(record), possible.statement)
        if best is not played:
            break
    if least > 1:  # Another name must explain all: some of many makes any error go away.
        paid = of_names
        other_name = renamed(match, record, errors, paid)
        if other_name is not None:
            tried(other_name[1], other_name[0])
    return best


def _laid_otherwise(
    match: Match, played: Played, record: GameRecord, errors: Sequence[Finding], own: Account
) -> Played:
    """Return a game as it was played, or from another setup if that explains its errors."""
    state = match.state
    # Of errors in turns it must explain all: another setup makes some of many go away.
    most = len(errors) // LEFT if errors[0].round is None else 0
    if sum(_is_misread(match, found) for found in errors) > most:
        return played
    other = laid_otherwise(
        match.pack,
        state.options,
        record,
        errors,
        own,
        most,
        language=state.language,
        writing=match.writing,
    )
    if other is None:
        return played
    again = match.again()
    better = Referee(again, own, Recovery).run(other.record)
    left = _errors(better)
    if len(left) > most or not better.judged or _cut(left):
        return played
    better.findings.append(other.told)
    return better


def _is_misread(match: Match, found: Finding) -> bool:
    """Tell whether an error is that a statement of a turn cannot be read, whoever plays."""
    if found.round is None or found.rule == "unknown-player":
        return False
    return found.span in match.report.misread


def _cut(errors: Sequence[Finding]) -> bool:
    """Tell whether reading a game ended early because its budget was used up."""
    return any(found.rule in {"rule-budget", "rule-failure"} for found in errors)


def _errors(played: Played) -> list[Finding]:
    """Return the errors of a game in the order of the log."""
    found = [found for found in played.findings if found.severity is Severity.ERROR]
    return sorted(found, key=lambda one: one.span)
