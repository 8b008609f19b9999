"""Findings as single lines, for editors and for people who know the rules."""

from __future__ import annotations

from collections.abc import Iterator

from altay_cli.checking.check import FileCheck
from altay_cli.report.terminal import headline


def check_lines(check: FileCheck, language: str = "en") -> Iterator[str]:
    """Yield the findings of a file, one line each, in the order of the file."""
    for game in check.games:
        for finding in game.findings:
            yield headline(finding, check.path, language)
