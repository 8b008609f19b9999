"""What a player is shown of the findings of a game: nothing that depends on what others hide.

Notes and warnings come from judging the log as the player knows it, with `?` in the place of what
others hide. So two legal logs that differ only in that give the same findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from altay_cli.base.findings import Finding, errors_of
from altay_cli.checking.check import GameReport
from altay_cli.view.watching import UNTOLD, Watched, watch_text

ABOUT_RECORDS = frozenset({"unrecorded", "undecided", "winner-open"})
"""Rules of findings that tell what a log does not record: others' hidden things are never told."""


def known_to(
    game: GameReport, watched: Watched, viewer: str, folder: Path | None
) -> tuple[list[Finding], Watched]:
    """Return the findings of a game that a player is shown, and the game with their gists.

    Errors are shown as they are: what they say is left out by whoever shows them.
    """
    found = list(zip(game.findings, watched.gists, strict=True))
    shown = [pair for pair in found if errors_of([pair[0]])]
    if not shown:
        report, games = watch_text(as_known(watched, viewer), folder=folder, language=game.language)
        told, again = report.games[-1].findings, games[-1]
        if again is not None and not errors_of(told):
            pairs = zip(told, again.gists, strict=True)
            shown = [pair for pair in pairs if pair[0].rule not in ABOUT_RECORDS]
    findings = [finding for finding, _ in shown]
    return findings, replace(watched, gists=[gist for _, gist in shown])


def as_known(watched: Watched, viewer: str) -> str:
    """Return the log of a game with `?` in the place of what others than a player know.

    Statements keep their lines and columns. Claims, which can be about anything, are left out, and
    so are comments beside what is hidden.
    """
    record = watched.record
    first, last = record.span.line, record.span.end_line
    lines = [
        line if first <= number <= last else ""
        for number, line in enumerate(record.lines[:last], 1)
    ]
    for section in record.sections:
        for statement in section.statements:
            owner, veils = watched.veiled.get((statement.line, statement.column), (None, ()))
            if not veils or viewer == owner:
                continue
            text = statement.text
            for veil in veils:
                shown = "" if veil.shown == UNTOLD else veil.shown
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
    """Return a text as long as what it stands for, with the same line ends."""
    shown = shown[: len(hidden.partition("\n")[0])]
    spaces = "".join("\n" if sign == "\n" else " " for sign in hidden)
    return shown + spaces[len(shown) :]


def known_games(
    games: Sequence[GameReport],
    watched: Sequence[Watched | None],
    viewer: str,
    folder: Path | None,
) -> list[Watched | None]:
    """Leave only the findings that a player is shown in the reports of games; return the games."""
    shown: list[Watched | None] = []
    for game, one in zip(games, watched, strict=True):
        known = one
        if one is not None and viewer in one.stage.players:
            game.findings, known = known_to(game, one, viewer, folder)
        shown.append(known)
    return shown
