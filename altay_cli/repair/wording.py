"""The wording of edits: questions such as "did you mean ...?", and fixes."""

import re
from collections.abc import Sequence

from altay_cli.base.findings import Finding, Fix, Related, Severity, Span, Text
from altay_cli.match.reporting import Report
from altay_cli.notation.tree import Statement
from altay_cli.repair.edits import INSERTIONS, Edit, EditKind

_WORDS = re.compile(r"\w+")


def is_within(place: Finding | Related, statement: Statement) -> bool:
    """Return True if a place begins within a statement."""
    span = statement.span()
    return span[:2] <= place.span[:2] <= span[2:]


def drops_unknown_name(
    errors: Sequence[Finding], statement: Statement, part: tuple[int, int], text: str
) -> bool:
    """Return True if an edit drops the unknown names in ``errors``."""
    before, after = (
        set(_WORDS.findall(written.casefold())) for written in (statement.text[slice(*part)], text)
    )
    removed = before - after
    dropped = [
        error
        for error in errors
        if error.rule.startswith("unknown-")
        and not removed.isdisjoint(_WORDS.findall(_text_at(statement, error.span).casefold()))
    ]
    return len(dropped) > sum(not word.isdecimal() for word in after - before)


def _text_at(statement: Statement, span: Span) -> str:
    lines = (" " * (statement.column - 1) + statement.text).split("\n")
    if not 0 <= span.line - statement.line < len(lines):
        return ""
    end = span.end_column - 1 if span.end_line == span.line else None
    return lines[span.line - statement.line][span.column - 1 : end]


def suggest_at_error(report: Report, statement: Statement, text: str) -> None:
    """Suggest a text at the first error of a statement; drop the others."""
    findings, question = report.findings, Text("did you mean `{name}`?", name=text)
    numbers = [
        number
        for number, finding in enumerate(findings)
        if finding.severity is Severity.ERROR and is_within(finding, statement)
    ]
    errors = [findings[number] for number in numbers]
    for number in reversed(numbers[1:]):
        del findings[number]
    for number in numbers[:1]:
        dropped = drops_unknown_name(errors, statement, (0, len(statement.text)), text)
        fixes = () if dropped else (Fix(statement.span(), text, certain=False),)
        help_lines = (question, *findings[number].help)
        findings[number] = findings[number]._replace(help=help_lines, fixes=fixes)


def finding_for_edit(edit: Edit, *, of_setup: bool) -> Finding:
    """Return the finding that an edit before a slip replaces errors with.

    It is the edit's error, with a question as help. An edit of the setup is reported there, as
    ``setup-contradicted``, unless the error is there already.
    """
    where, text, error = edit.where, edit.text, edit.error
    assert where is not None
    assert error is not None
    start, end = edit.part or (0, len(where.text))
    span, was = where.span(start, end), where.text[start:end]
    if edit.kind is EditKind.SWAP:
        return _finding_for_swap(edit, error, span, of_setup=of_setup)
    if edit.kind is EditKind.DELETE:
        question, error = "should this line be removed?", error._replace(fixes=())
    elif edit.kind in INSERTIONS:
        question = _question_for_insertion(edit, span, error)
        text = f"; {text}" if start else f"{text}; "
    elif of_setup and not is_within(error, where):
        message = Text(
            "`{name}` was perhaps meant: what follows does not go with `{was}`", name=text, was=was
        )
        return _setup_contradiction(error, message, span, Fix(span, text, certain=False))
    elif of_setup and span != error.span:
        question = Text("did you mean `{name}` instead of `{was}`?", name=text, was=was)
    else:
        question = _question_for_replacement(edit, span, error)
    fixes = (Fix(span, text, certain=False), *error.fixes)
    return error._replace(help=(question, *error.help), fixes=fixes)


def _finding_for_swap(edit: Edit, error: Finding, span: Span, *, of_setup: bool) -> Finding:
    if of_setup and edit.replacements[0][1]:  # no heading lies between
        message = "what follows does not go with the order of this line and the one above"
        error = _setup_contradiction(error, message, span)
    question = "was this meant to come before the line above?"
    if span.line != error.span.line:
        question = Text("was this meant to come after line {line}?", line=span.line)
    return error._replace(help=(question, *error.help))


def _question_for_insertion(edit: Edit, span: Span, error: Finding) -> str:
    text, line = edit.text, span.line
    if edit.part is not None and edit.part[0]:
        return Text("was `{text}` left out after line {line}?", text=text, line=line)
    if line != error.span.line:
        return Text("was `{statement}` left out before line {line}?", statement=text, line=line)
    return Text("was `{statement}` left out before this?", statement=text)


def _question_for_replacement(edit: Edit, span: Span, error: Finding) -> str:
    if span == error.span:
        return Text("did you mean `{name}`?", name=edit.text)
    statement = edit.assumed[0].text
    if span.line < error.span.line:
        return Text(
            "did you mean `{statement}` in line {line}?", statement=statement, line=span.line
        )
    return Text("did you mean `{name}`?", name=statement)


def _setup_contradiction(first: Finding, message: str, span: Span, *fixes: Fix) -> Finding:
    related = (Related(first.span, first.message),)
    return Finding(
        "setup-contradicted", Severity.ERROR, message, span, fixes=fixes, related=related
    )
