"""Explain a line of a log: what it is, how it was read, and what its rules require there."""

from __future__ import annotations

from pathlib import Path

from altay_cli.checking.playing import GameError
from altay_cli.notation.lexis import split_lines
from altay_cli.view.watching import watch_text


def explain_line(
    text: str,
    line: int,
    *,
    folder: Path | str | None = None,
    language: str = "en",
) -> dict[str, object]:
    """Explain a line of a log, as plain data (`docs/json.md`).

    Args:
        text: the log, with one game or more.
        line: the number of the line, from 1.
        folder: where variant files are looked up; without it, none are read.
        language: the code of the language of names and messages.

    Raises:
        GameError: if the log has no such line.

    """
    lines = split_lines(text)
    if not 1 <= line <= len(lines):
        template = "the log has {lines} lines only, and no line {line}"
        raise GameError(template, lines=len(lines), line=str(line)[:9])
    report, _ = watch_text(text, folder=None if folder is None else Path(folder), language=language)
    findings = [
        finding.to_dict()
        for game in report.games
        for finding in game.findings
        if finding.span.line == line
    ]
    return {"line": line, "text": lines[line - 1], "findings": findings, "statements": []}
