"""Verdicts as JUnit XML, which CI systems show as tests: a file is a suite, a game a test.

An illegal game is a failure, one that was not judged an error; notes and warnings of a game are
what it printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity, Verdict, errors_of
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import FileCheck, GameReport, LeftOut
from altay_cli.report.html import XML, rendered
from altay_cli.report.terminal import finding_lines, game_name
from altay_cli.report.text import inert, speaking, visible

_TEMPLATE = Path(__file__).parent / "assets" / "junit.xml"
_TAGS = {Verdict.LEGAL: "", Verdict.ILLEGAL: "failure", Verdict.NOT_JUDGED: "error"}


class _Case(NamedTuple):
    """A test: how long it took, how it failed and by which findings, and what it printed."""

    name: str
    seconds: float
    tag: str
    kind: str
    message: str
    told: str | None = None
    printed: str = ""


def parts(checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut) -> Iterator[str]:
    """Give one document. What is left out on purpose is not a test."""
    del skipped
    suites: list[tuple[str, list[_Case]]] = []
    for check in checks:
        cases = []
        start = perf_counter()
        for number, game in enumerate(check.games, 1):
            cases.append(_case(game, number, perf_counter() - start, check))
            start = perf_counter()
        suites.append((check.path, cases))
    suites += [
        (path, [_Case(path, 0.0, "error", "unreadable", reason)]) for path, reason in unreadable
    ]
    yield rendered(_TEMPLATE, XML, suites=suites)


@speaking(ENGLISH)
def _case(game: GameReport, number: int, seconds: float, check: FileCheck) -> _Case:
    errors = errors_of(game.findings)
    others = [finding for finding in game.findings if finding.severity is not Severity.ERROR]
    kind = message = game.verdict.value
    if errors:
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        kind, message = first.rule, f"line {first.span.line}: {first.message}{more}"
    shown, printed = _lines(errors, check), _lines(others, check)
    name, tag = game_name(game, number), _TAGS[game.verdict]
    return _Case(name, seconds, tag, kind, message, shown, printed)


def _lines(findings: Sequence[Finding], check: FileCheck) -> str:
    lines = []
    for finding in findings:
        lines += [*finding_lines(finding, check.path, check.lines_of(finding)), ""]
    return "\n".join(inert(visible(line)) for line in lines).rstrip()
