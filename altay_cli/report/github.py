"""Findings as workflow commands of GitHub, which shows them at their lines of a pull request.

These are the only lines that a CI system is meant to obey. What stands in them may come from
strangers, so everything that could end a value or begin another command is encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from altay_cli.checking import FileCheck
from altay_cli.findings import Finding, Severity
from altay_cli.report.text import inert, visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def parts(
    checks: Iterable[FileCheck],
    skipped: Iterable[tuple[str, str]],
    unreadable: Iterable[tuple[str, str]],
) -> Iterator[str]:
    """Give a command for each finding, then one for each file without a report."""
    for check in checks:
        for game in check.games:
            for finding in game.findings:
                yield _command(finding, check.path)
    for word, files in (("notice", skipped), ("error", unreadable)):
        for path, reason in files:
            yield f"::{word} file={_value(path)}::{_text(reason)}\n"


def _command(finding: Finding, path: str) -> str:
    span = finding.span
    values: dict[str, str | int] = {"file": finding.file or path, "line": span.line}
    values |= {"endLine": span.end_line, "col": span.column}
    if span.end_line == span.line and span.end_column > span.column:
        values["endColumn"] = span.end_column - 1  # the last one that is marked
    values["title"] = finding.rule
    told = ",".join(f"{name}={_value(str(value))}" for name, value in values.items())
    text = "%0A".join(map(_text, (finding.message, *finding.help)))
    return f"::{_COMMANDS[finding.severity]} {told}::{text}\n"


def _text(text: str) -> str:
    """Return a line as it can stand behind the second ``::``."""
    return inert(visible(text)).replace("%", "%25")


def _value(text: str) -> str:
    """Return a value as it can stand before it."""
    return _text(text).replace(":", "%3A").replace(",", "%2C")
