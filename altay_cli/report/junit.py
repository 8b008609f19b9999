"""Verdicts as JUnit XML, which CI systems show as tests: a file is a suite, a game a test.

An illegal game is a failure, one that was not judged an error; notes and warnings of a game are
what it printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter
from xml.sax.saxutils import escape, quoteattr

from altay_cli.base.findings import Finding, Severity, Verdict
from altay_cli.checking.check import FileCheck, GameReport, LeftOut
from altay_cli.report.terminal import finding_lines, game_name
from altay_cli.report.text import inert, visible


class _Suite:
    """The tests of one file, as XML."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.failures = self.errors = 0
        self.seconds = 0.0
        self.cases: list[str] = []

    def add(self, name: str, seconds: float, inner: str) -> None:
        """Add a test."""
        self.seconds += seconds
        start = f"    <testcase classname={_value(self.path)} name={_value(name)}"
        start += f' time="{seconds:.3f}"'
        self.cases.append(f"{start}>\n{inner}    </testcase>\n" if inner else f"{start}/>\n")

    def text(self) -> str:
        """Return the suite."""
        counts = f'tests="{len(self.cases)}" failures="{self.failures}" errors="{self.errors}"'
        start = f"  <testsuite name={_value(self.path)} {counts}"
        start += f' skipped="0" time="{self.seconds:.3f}"'
        return f"{start}>\n{''.join(self.cases)}  </testsuite>\n"


def parts(checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut) -> Iterator[str]:
    """Give one document. What is left out on purpose is not a test."""
    del skipped
    suites = [_suite(check) for check in checks]
    for path, reason in unreadable:
        suite = _Suite(path)
        suite.errors = 1
        suite.add(path, 0.0, f'      <error type="unreadable" message={_value(reason)}/>\n')
        suites.append(suite)
    tests = sum(len(suite.cases) for suite in suites)
    failures = sum(suite.failures for suite in suites)
    errors = sum(suite.errors for suite in suites)
    seconds = sum(suite.seconds for suite in suites)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    counts = f'tests="{tests}" failures="{failures}" errors="{errors}"'
    yield f'<testsuites name="altay" {counts} time="{seconds:.3f}">\n'
    for suite in suites:
        yield suite.text()
    yield "</testsuites>\n"


def _suite(check: FileCheck) -> _Suite:
    suite = _Suite(check.path)
    start = perf_counter()
    for number, game in enumerate(check.games, 1):
        end = perf_counter()
        suite.failures += game.verdict is Verdict.ILLEGAL
        suite.errors += game.verdict is Verdict.NOT_JUDGED
        suite.add(game_name(game, number), end - start, _inner(game, check))
        start = perf_counter()
    return suite


def _inner(game: GameReport, check: FileCheck) -> str:
    """Return what stands in a test."""
    errors = [found for found in game.findings if found.severity is Severity.ERROR]
    others = [found for found in game.findings if found.severity is not Severity.ERROR]
    told = ""
    if game.verdict is not Verdict.LEGAL:
        name = "failure" if game.verdict is Verdict.ILLEGAL else "error"
        kind, message = game.verdict.value, game.verdict.value
        if errors:
            first = errors[0]
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            kind, message = first.rule, f"line {first.span.line}: {first.message}{more}"
        told += f"      <{name} type={_value(kind)} message={_value(message)}>"
        told += f"{_text(errors, check)}</{name}>\n"
    if others:
        told += f"      <system-out>{_text(others, check)}</system-out>\n"
    return told


def _text(findings: Sequence[Finding], check: FileCheck) -> str:
    lines = []
    for finding in findings:
        lines += [*finding_lines(finding, check.path, check.lines_of(finding)), ""]
    return _harmless("\n".join(inert(visible(line)) for line in lines).rstrip())


def _value(text: str) -> str:
    """Return a text as the value of an attribute, with its quotes."""
    return _harmless(quoteattr(visible(text)), escaped=True)


def _harmless(text: str, *, escaped: bool = False) -> str:
    """Return a text as it can stand in XML; no CI system takes it for a command."""
    return (text if escaped else escape(text)).replace("##", "#&#35;")
