"""Reports for programs that read line by line: each line is a game, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from altay_cli.base.findings import Finding
from altay_cli.checking.check import FileCheck
from altay_cli.report.json import game_document, line, place_document, unread_documents


def parts(
    checks: Iterable[FileCheck],
    skipped: Iterable[tuple[str, str]],
    unreadable: Iterable[tuple[str, str]],
) -> Iterator[str]:
    """Give a line for each game, then one for each file without a report."""
    for check in checks:
        for number, game in enumerate(check.games, 1):
            document = game_document(game)
            pairs = zip(game.findings, document["findings"], strict=True)
            findings = [{**told, **_related(finding)} for finding, told in pairs]
            told = {"path": check.path, "game": number, **document, "findings": findings}
            yield line(told) + "\n"
    for unread in unread_documents(skipped, unreadable):
        del unread["games"]
        yield line(unread) + "\n"


def _related(finding: Finding) -> dict[str, object]:
    """Return the second places of a finding, if it has any."""
    places = [{**place_document(place), "message": text} for place, text in finding.related]
    return {"related": places} if places else {}
