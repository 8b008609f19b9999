"""Limit the findings of a game to those that reveal nothing hidden from a player.

Notes and warnings come from judging the log with `?` in place of what others hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from altay_cli.base.findings import Finding, errors_of
from altay_cli.checking.check import GameReport
from altay_cli.view.watching import CONCEALED, Watched, watch_text

ABOUT_RECORDS = frozenset({"unrecorded", "undecided", "winner-open"})
"""Findings about gaps in a log would reveal hidden entities of others."""


def known_to(
    game: GameReport, watched: Watched, viewer: str, folder: Path | None
) -> tuple[list[Finding], Watched]:
    """Return the findings to show to a player, and the game with only their summaries.

    A game with errors keeps its findings; the caller hides their values.
    """
    all_pairs = list(zip(game.findings, watched.gists, strict=True))
    shown = [pair for pair in all_pairs if errors_of([pair[0]])]
    if not shown:
        report, games = watch_text(as_known(watched, viewer), folder=folder, language=game.language)
        findings, judged = report.games[-1].findings, games[-1]
        if judged is not None and not errors_of(findings):
            pairs = zip(findings, judged.gists, strict=True)
            shown = [pair for pair in pairs if pair[0].rule not in ABOUT_RECORDS]
    findings = [finding for finding, _ in shown]
    return findings, replace(watched, gists=[gist for _, gist in shown])


def as_known(watched: Watched, viewer: str) -> str:
    """Return the log of a game with `?` for the things that only other players know.

    Claims, and comments on lines with a `?`, may mention anything, so they are dropped. Statements
    keep their places.
    """
    record = watched.record
    first, last = record.span.line, record.span.end_line
    lines = [
        line if first <= number <= last else ""
        for number, line in enumerate(record.lines[:last], 1)
    ]
    for section in record.sections:
        for statement in section.statements:
            known_by, veils = watched.veiled.get((statement.line, statement.column), ((), ()))
            if not veils or viewer in known_by:
                continue
            text = statement.text
            for veil in veils:
                shown = "" if veil.shown == CONCEALED else veil.shown
                hidden = text[veil.start : veil.end]
                text = text[: veil.start] + _in_place_of(hidden, shown) + text[veil.end :]
            for number, part in enumerate(text.split("\n")):
                at = statement.line + number - 1
                column = 0 if number else statement.column - 1
                lines[at] = lines[at][:column] + part + lines[at][column + len(part) :]
    hides = {line for line, old in enumerate(record.lines[:last], 1) if lines[line - 1] != old}
    for comment in watched.comments:
        if comment.line in hides and first <= comment.line <= last:
            lines[comment.line - 1] = lines[comment.line - 1][: comment.column - 1]
    return "\n".join(lines) + "\n"


def _in_place_of(hidden: str, shown: str) -> str:
    """Return ``shown``, padded to length and line ends of ``hidden``."""
    shown = shown[: len(hidden.partition("\n")[0])]
    spaces = "".join("\n" if sign == "\n" else " " for sign in hidden)
    return shown + spaces[len(shown) :]


def known_games(
    games: Sequence[GameReport],
    watched: Sequence[Watched | None],
    viewer: str,
    folder: Path | None,
) -> list[Watched | None]:
    """Limit findings to what a player may see; return the games."""
    shown: list[Watched | None] = []
    for game, watched_game in zip(games, watched, strict=True):
        player_view = watched_game
        if watched_game is not None and viewer in watched_game.stage.players:
            game.findings, player_view = known_to(game, watched_game, viewer, folder)
        shown.append(player_view)
    return shown
