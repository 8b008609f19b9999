"""The verdict on rules in three sentences: whether they work, their effect, their problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from altay_cli.base.findings import Finding, Severity, errors_of
from altay_cli.report.text import counted, listed, phrase, translated

if TYPE_CHECKING:  # slow to import
    from altay_cli.lint.playtests import Playtests
    from altay_cli.lint.tryout import TryOut
    from altay_cli.simulation.tally import Estimate

PLAYED = "play-"
"""Begins the ids of problems found by playing."""


def verdict(problems: Sequence[Finding], played: TryOut | None) -> list[str]:
    """Return whether rules can be played, their effect on play, and their problems.

    Without games of both rules, the second sentence is left out.
    """
    return [
        _can_be_played(problems, played),
        *_changes_in_play(problems, played),
        _what_to_look_at(problems),
    ]


def without_notes(problems: Sequence[Finding]) -> list[Finding]:
    """Return the problems except notes."""
    return [problem for problem in problems if problem.severity is not Severity.NOTE]


def severity_of(problems: Sequence[Finding]) -> str:
    """Return "error", "warning", or "" if there are no problems."""
    return "error" if errors_of(problems) else "warning" if problems else ""


def _can_be_played(problems: Sequence[Finding], played: TryOut | None) -> str:
    if broken := errors_of(problems):
        errors = counted("{count} error", "{count} errors", len(broken))
        if any(problem.rule.startswith(PLAYED) for problem in broken):
            return phrase("It cannot be played as it is: games showed {errors}.", errors=errors)
        return phrase("It was not tried, because of {errors}.", errors=errors)
    if played is None:
        return phrase("Nothing in the rules prevents play; no games were played.")
    games, ended = len(played.after.outcomes), len(played.after.ended_games)
    if not ended:
        return phrase("It can hardly be played: none of {games} games ended.", games=games)
    if ended < games:
        reasons = dict.fromkeys(game.end for game in played.after.outcomes if not game.ended)
        template = "It can be played, but only {count} of {games} games ended; the rest: {reasons}."
        if 2 * ended >= games:
            template = "It can be played: {count} of {games} games ended; the rest: {reasons}."
        shown = listed(map(translated, reasons))
        return phrase(template, count=ended, games=games, reasons=shown)
    return phrase("It can be played: all {games} games ended.", games=games)


def _changes_in_play(problems: Sequence[Finding], played: TryOut | None) -> Iterator[str]:
    if played is None or played.before is None or errors_of(problems):
        return
    before, after = played.before, played.after
    if before.ended_games and after.ended_games:
        length, seats = _length(before, after), _seats(before, after)
        yield phrase("{length}; {seats}.", length=length, seats=seats)


def _length(before: Playtests, after: Playtests) -> str:
    now, usual = after.rounds(), before.rounds()
    template = "Games take {now} rounds ({low} to {high} in 19 of 20 cases) instead of {before}"
    if not _differ(now, usual):
        template = "Games take {now} rounds ({low} to {high} in 19 of 20 cases), about as before"
    shown = {"now": now.value, "low": now.low, "high": now.high, "before": usual.value}
    return phrase(template, **{name: f"{value:.1f}" for name, value in shown.items()})


def _seats(before: Playtests, after: Playtests) -> str:
    pairs = [*enumerate(zip(after.seats(), before.seats(), strict=False), 1)]
    changed = [(seat, *pair) for seat, pair in pairs if _differ(*pair)]
    if not changed:
        return phrase("no seat wins noticeably more or less often")
    seat, now, usual = max(changed, key=lambda item: abs(item[1].value - item[2].value))
    template = "the player of seat {seat} wins {now} of the games instead of {before}"
    return phrase(template, seat=seat, now=f"{now.value:.0%}", before=f"{usual.value:.0%}")


def _differ(now: Estimate, usual: Estimate) -> bool:
    return now.low > usual.high or now.high < usual.low


def _what_to_look_at(problems: Sequence[Finding]) -> str:
    if not problems:
        return phrase("Nothing looks wrong.")
    worst = min(problems, key=lambda problem: problem not in errors_of(problems))
    line, more = worst.span.line, len(problems) - 1
    if more:
        template = "Look at line {line} of {file} first: {message} ({more} below)."
        others = counted("{count} more", "{count} more", more)
        return phrase(template, line=line, file=worst.file, message=worst.message, more=others)
    template = "Look at line {line} of {file}: {message}."
    return phrase(template, line=line, file=worst.file, message=worst.message)
