"""What is told beside an error of an edit of the log that explains it."""

from __future__ import annotations

from altay_cli.base.findings import Finding, Fix, Related, Severity, Text
from altay_cli.match.reporting import Report
from altay_cli.notation import Statement


def stands_in(one: Finding | Related, statement: Statement) -> bool:
    """Return whether something is told of a place in a statement."""
    span = statement.span()
    return span[:2] <= one.span[:2] <= span[2:]


def meant_instead(report: Report, statement: Statement, text: str) -> None:
    """Add to the error at a statement that cannot be read which one may have been meant."""
    span, findings = statement.span(), report.findings
    at = [
        number
        for number, finding in enumerate(findings)
        if finding.severity is Severity.ERROR and stands_in(finding, statement)
    ]
    for number in reversed(at[1:]):  # what else is wrong with it does not matter then
        del findings[number]
    for number in at[:1]:
        finding = findings[number]
        help_lines = (Text("did you mean `{name}`?", name=text), *finding.help)
        fixes = (Fix(span, text, certain=False),)
        findings[number] = finding._replace(help=help_lines, fixes=fixes)


def explained(error: Finding, before: Statement, text: str) -> Finding:
    """Return an error with the statement that may have been left out before another one."""
    place = before.span(0, 0)
    if place.line == error.span.line:
        question = Text("was `{statement}` left out before this?", statement=text)
    else:
        question = Text(
            "was `{statement}` left out before line {line}?", statement=text, line=place.line
        )
    fix = Fix(place, f"{text}; ", certain=False)
    return error._replace(help=(question, *error.help), fixes=(fix, *error.fixes))


def misplaced(error: Finding, behind: Statement) -> Finding:
    """Return an error at a statement that may have been swapped with the next one."""
    question = (
        "was this meant to come before the line above?"
        if behind.line == error.span.line
        else Text("was this meant to come after line {line}?", line=behind.line)
    )
    return error._replace(help=(question, *error.help))
