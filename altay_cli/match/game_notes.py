"""Findings about a whole game."""

from __future__ import annotations

from altay_cli.base.findings import (
    BudgetError,
    ExpressionError,
    Severity,
    Text,
)
from altay_cli.base.suggest import look
from altay_cli.base.values import Entity
from altay_cli.match.match import Match
from altay_cli.match.reporting import Gap, Report
from altay_cli.notation.tree import GameRecord
from altay_cli.pack.words import reason


def report_look_alikes(match: Match, record: GameRecord) -> None:
    """Warn about players whose names look alike."""
    match.report.begin(None)
    seen: dict[str, Entity] = {}
    for player in match.state.players:
        other = seen.setdefault(look(player.id), player)
        if other is player:
            continue
        first = next(
            (
                statement.span(item.start, item.end)
                for section in record.sections
                for statement in (section.heading, *section.statements)
                for item in (*statement.actor, *statement.items)
                if item.text == player.id
            ),
            record.span,
        )
        message = Text(
            "the names `{first}` and `{second}` look alike", first=other.id, second=player.id
        )
        help_lines = ("rename one of the players",)
        match.report.add("look-alike", Severity.WARNING, message, first, help_lines=help_lines)


def report_status_failure(match: Match, record: GameRecord) -> None:
    """Report a status expression that cannot be evaluated."""
    report, rule, key = match.report, "rule-failure", ""
    try:
        match.state.grant()
        for key in match.pack.status:
            match.pack.status[key].fn(match.state, {})
    except ExpressionError as error:
        fault = f"{key}: {reason(error, match.pack)}"
        if isinstance(error, BudgetError):
            rule, fault = "rule-budget", reason(error, match.pack)
        if all(found.rule != "rule-budget" for found in report.findings):
            message = Text(
                "the rules cannot determine the standing of the game: {reason}", reason=fault
            )
            report.add(rule, Severity.ERROR, message, record.span)


def report_gaps(report: Report, record: GameRecord) -> None:
    """Add one note that counts the unrecorded draws."""
    gaps = report.noted(Gap)
    if not gaps:
        return
    # Draws to a display belong to no player.
    players = len({gap.player for gap in gaps}) if all(gap.player for gap in gaps) else 0
    if players > 1:
        message = Text(
            "{count} draws of {players} players are not recorded",
            count=f"{len(gaps):,}",
            players=players,
        )
    elif players:
        message = Text.plural(
            len(gaps),
            "1 draw of 1 player is not recorded",
            "{count} draws of {players} player are not recorded",
            players=players,
        )
    else:
        message = Text.plural(len(gaps), "1 draw is not recorded", "{count} draws are not recorded")
    help_line = (
        "the game is legal if some draws make it legal; "
        "`--strict` requires all draws to be recorded"
    )
    report.begin(None)
    report.add("unrecorded", Severity.NOTE, message, record.span, help_lines=(help_line,))
