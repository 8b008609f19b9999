"""Findings as workflow commands of GitHub, which shows them at their lines of a pull request.

These are the only lines that a CI system is meant to obey. What stands in them may come from
strangers, so everything that could end a value or begin another command is encoded. GitHub shows
ten of each level in a step: more are told in plain lines, and all in the summary of the job, where
the environment names a file for it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import FileCheck, LeftOut
from altay_cli.report.terminal import headline
from altay_cli.report.text import inert, plural, speaking, visible

MOST = 10
"""How many annotations of each level GitHub shows of a step."""
MAX_SUMMARY = 500_000
"""The length of a summary, in characters; GitHub takes a mebibyte."""
SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable of the environment that names the file of the summary."""

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_MARKUP = re.compile(r"[^\w\s,;()'-]|_")
"""What is written as an entity, so that it is no markup anywhere."""


def parts(checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut) -> Iterator[str]:
    """Give a command for each finding, then one for each file without a report."""
    summary = _Told()
    for check in checks:
        for game in check.games:
            summary.verdicts[game.verdict.value] += 1
            for finding in game.findings:
                with speaking(ENGLISH):
                    line = headline(finding, check.path)
                name = _COMMANDS[finding.severity]
                yield summary.command(name, _command(finding, check.path), line)
    for name, files in (("notice", skipped), ("error", unreadable)):
        for path, reason in files:
            command = f"::{name} file={_value(path)}::{_text(reason)}\n"
            yield summary.command(name, command, f"{path}: {reason}")
    summary.write()


class _Told:
    """What was told: how many of each level, how many games of each verdict, and all lines."""

    def __init__(self) -> None:
        self.levels: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.lines: list[str] = []
        self.left = MAX_SUMMARY

    def command(self, level: str, command: str, line: str) -> str:
        """Return what is printed: a command, or a plain line where it is one too many."""
        self.levels[level] += 1
        shown = f"- {_MARKUP.sub(lambda sign: f'&#{ord(sign[0])};', visible(line))}\n"
        self.left -= len(shown)
        if self.left >= 0:
            self.lines.append(shown)
        return command if self.levels[level] <= MOST else f" {inert(visible(line))}\n"

    def write(self) -> None:
        """Add the summary to the file that the environment names for it."""
        path = os.environ.get(SUMMARY)
        if not path:
            return
        counts = [f"{count} {verdict}" for verdict, count in self.verdicts.items()]
        counts += [plural(count, level) for level, count in self.levels.items()]
        missing = self.levels.total() - len(self.lines)
        more = f"- and {missing} more\n" if missing else ""
        # What cannot be written there is no failure of the check.
        with suppress(OSError), Path(path).open("a", encoding="utf-8") as file:
            file.write(f"### altay: {', '.join(counts)}\n\n{''.join(self.lines)}{more}\n")


def _command(finding: Finding, path: str) -> str:
    span = finding.span
    values: dict[str, str | int] = {"file": finding.file or path, "line": span.line}
    values |= {"endLine": span.end_line, "col": span.column}
    if span.end_line == span.line and span.end_column > span.column:
        values["endColumn"] = span.end_column - 1  # the last one that is marked
    values["title"] = finding.rule
    properties = ",".join(f"{name}={_value(str(value))}" for name, value in values.items())
    text = "%0A".join(map(_text, (finding.message, *finding.help)))
    return f"::{_COMMANDS[finding.severity]} {properties}::{text}\n"


def _text(text: str) -> str:
    """Return a line as it can stand behind the second ``::``."""
    return inert(visible(text)).replace("%", "%25")


def _value(text: str) -> str:
    """Return a value as it can stand before it."""
    return _text(text).replace(":", "%3A").replace(",", "%2C")
