"""What is told beside an error of an edit of the log that explains it."""

from __future__ import annotations

from altay_cli.base.findings import Finding, Fix, Severity
from altay_cli.base.text import Text
from altay_cli.match.reporting import Report
from altay_cli.notation import Statement


def left_out_before(report: Report, statement: Statement, text: str) -> None:
    """Add to the error at a statement that a missing statement before it would explain it."""
    findings = report.findings
    for number in range(len(findings) - 1, -1, -1):
        found = findings[number]
        if found.severity is Severity.ERROR and found.span.line >= statement.line:
            findings[number] = explained(found, statement, text)
            return


def meant_instead(report: Report, statement: Statement, text: str) -> None:
    """Add to the error at a statement that cannot be read which one may have been meant."""
    span, findings = statement.span(), report.findings
    at = [
        number
        for number, found in enumerate(findings)
        if found.severity is Severity.ERROR and span[:2] <= found.span[:2] <= span[2:]
    ]
    for number in reversed(at[1:]):  # what else is wrong with it does not matter then
        del findings[number]
    for number in at[:1]:
        found = findings[number]
        help_lines = (Text("did you mean `{name}`?", name=text), *found.help)
        fixes = (Fix(span, text, certain=False),)
        findings[number] = found._replace(help=help_lines, fixes=fixes)


def explained(found: Finding, before: Statement, text: str) -> Finding:
    """Return an error with the statement that may have been left out before another one."""
    place = before.span(0, 0)
    if place.line == found.span.line:
        told = Text("was `{statement}` left out before this?", statement=text)
    else:
        told = Text(
            "was `{statement}` left out before line {line}?", statement=text, line=place.line
        )
    fix = Fix(place, f"{text}; ", certain=False)
    return found._replace(help=(told, *found.help), fixes=(fix, *found.fixes))


def misplaced(found: Finding, behind: Statement) -> Finding:
    """Return an error at a statement that may have been swapped with the next one."""
    told = (
        "was this meant to come before the line above?"
        if behind.line == found.span.line
        else Text("was this meant to come after line {line}?", line=behind.line)
    )
    return found._replace(help=(told, *found.help))
