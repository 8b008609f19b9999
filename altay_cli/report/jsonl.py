"""Reports for programs that read line by line: each line is a game, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from altay_cli.checking import FileCheck
from altay_cli.report.json import game_document, line, unread_documents
from altay_cli.spans import Span


def parts(
    checks: Iterable[FileCheck],
    skipped: Iterable[tuple[str, str]],
    unreadable: Iterable[tuple[str, str]],
) -> Iterator[str]:
    """Give a line for each game, then one for each file without a report."""
    for check in checks:
        for number, game in enumerate(check.games, 1):
            document = game_document(game)
            for finding, told in zip(game.findings, document["findings"], strict=True):
                if finding.related:
                    told["related"] = [_related(place, text) for place, text in finding.related]
            yield line({"path": check.path, "game": number, **document}) + "\n"
    for unread in unread_documents(skipped, unreadable):
        del unread["games"]
        yield line(unread) + "\n"


def _related(span: Span, message: str) -> dict[str, Any]:
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "message": message,
    }
