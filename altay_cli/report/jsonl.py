"""Reports for programs that read line by line: each line is a game, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from altay_cli.checking.check import FileCheck, LeftOut
from altay_cli.report.json import game_document, line, unread_documents


def parts(checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut) -> Iterator[str]:
    """Give a line for each game, then one for each file without a report."""
    for check in checks:
        for number, game in enumerate(check.games, 1):
            document = game_document(game, related=True)
            yield line({"path": check.path, "game": number, **document}) + "\n"
    for unread in unread_documents(skipped, unreadable):
        del unread["games"]
        yield line(unread) + "\n"
