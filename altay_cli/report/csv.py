"""Scores as a table for spreadsheets and programs: a row for each player and category."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from altay_cli.checking.check import FileCheck
from altay_cli.report.json import points_of, ranks

HEAD = ("path", "game", "verdict", "ended", "player", "rank", "category", "points")


def score_rows(checks: Iterable[FileCheck]) -> Iterator[str]:
    """Yield the lines of the table; what the log leaves open is empty."""
    yield _line(HEAD)
    for check in checks:
        for number, game in enumerate(check.games, 1):
            found, played = game.outcomes, game.played
            if found is None:
                continue
            ended = "yes" if played is not None and played.ended else "no"
            rank = ranks(found)
            for player, scores in points_of(found.first).items():
                who = (check.path, number, game.verdict.value, ended, player, rank.get(player))
                for category, points in scores.items():
                    yield _line((*who, category, points))


def _line(values: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(["" if v is None else v for v in values])
    return text.getvalue()
