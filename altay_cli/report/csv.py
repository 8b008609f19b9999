"""Scores as a table for spreadsheets and programs: a row for each player and category."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from altay_cli.checking.check import FileCheck
from altay_cli.report.json import game_document

HEAD = ("path", "game", "verdict", "ended", "player", "rank", "category", "points")


def score_rows(checks: Iterable[FileCheck]) -> Iterator[str]:
    """Yield the lines of the table; what the log leaves open is empty."""
    yield _line(HEAD)
    for check in checks:
        for number, game in enumerate(check.games, 1):
            told = game_document(game)
            ended = "yes" if told["ended"] else "no"
            for row, scores in zip(told["rows"], told["scores"].values(), strict=True):
                who = (check.path, number, told["verdict"], ended, row["player"], row["rank"])
                for category, points in scores.items():
                    yield _line((*who, category, points))


def _line(values: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(["" if v is None else v for v in values])
    return text.getvalue()
