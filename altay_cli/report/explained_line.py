"""Show the explanation of a line of a log as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from altay_cli.report.text import BOLD, Line, Style, listed, phrase, room_of, wrapped

COLUMNS = 100
MARKS = {True: "✓", False: "✗", None: "?"}
STYLES = {
    "legal": Style("green"),
    "illegal": Style("red"),
    "undecided": Style("yellow"),
    "not judged": Style("yellow"),
}


def explained_lines(document: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield the lines for what ``explain_line`` returns."""
    yield Line((f"{path}:{document['line']}", BOLD), f": {document['about']}")
    if document["text"].strip():
        yield f"{document['line']} | {document['text'].rstrip()}"
    for statement in document["statements"]:
        yield ""
        yield from _statement_lines(statement)
    yield from _finding_lines(document["findings"])


def _statement_lines(statement: Mapping[str, Any]) -> Iterator[str]:
    verdict = statement["verdict"]
    text = " ".join(statement["text"].split())
    yield Line((text, BOLD), ": ", (phrase(verdict), STYLES[verdict]))
    title = statement["title"]
    if title:
        cited = f" ({statement['cited']})" if statement["cited"] else ""
        yield from _indented(f"{title}{cited}")
    about = [(phrase("section"), statement["section"]), (phrase("player"), statement["player"])]
    about += [(phrase("read as"), statement["read_as"]), (phrase("why"), statement["why"])]
    yield from _indented(_named([pair for pair in about if pair[1]]))
    if statement["meanings"]:
        yield from _indented(_named(statement["meanings"]))
    for requirement in statement["requirements"]:
        yield from _requirement_lines(requirement)
    yield from _finding_lines(statement["findings"])
    if statement["possible"]:
        possible = listed(f"`{text}`" for text in statement["possible"])
        yield from _indented(phrase("possible here: {moves}", moves=possible))
    if statement["changes"]:
        yield f"  {phrase('what changed')}:"
        for name, change in statement["changes"]:
            yield from _indented(f"{name}: {change}", 4)


def _requirement_lines(requirement: Mapping[str, Any]) -> Iterator[str]:
    holds = requirement["holds"]
    head = f"  {MARKS[holds]} {requirement['text']} [{requirement['id']}]"
    first, *rest = wrapped(head, room_of(COLUMNS), "      ")
    style = Style("red" if holds is False else "green" if holds else "yellow", bold=False)
    yield Line("  ", (first[2:3], style), first[3:])
    yield from rest
    if requirement["values"]:
        yield from _indented(_named(requirement["values"]), 6)
    notes = [
        (phrase("see"), requirement["cited"]),
        (phrase("ruling"), requirement["ruling"] or ""),
    ]
    if any(text for _, text in notes):
        yield from _indented(_named([note for note in notes if note[1]]), 6)


def _finding_lines(findings: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for finding in findings:
        head = f"! {phrase(finding['severity'])}: {finding['message']} [{finding['rule']}]"
        yield from _indented(head)
        for line in finding["help"]:
            yield from _indented(f"{phrase('help')}: {line}", 6)
        for fix in finding["fixes"]:
            text = phrase("fix: write `{text}`", text=" ".join(fix["text"].split()))
            yield from _indented(text, 6)


def _named(values: Sequence[Sequence[str]]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in values)


def _indented(text: str, by: int = 2) -> Iterator[str]:
    if text:
        yield from wrapped(f"{' ' * by}{text}", room_of(COLUMNS), " " * (by + 2))
