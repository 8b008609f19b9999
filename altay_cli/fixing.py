"""Applying the fixes of findings to the text of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from altay_cli.findings import Finding, Fix

MAX_ROUNDS = 10
"""A fix may reveal further ones: the maximum number of passes over a text."""


class Fixed(NamedTuple):
    """A text with fixes applied, and their number."""

    text: str
    made: int


def fixed(text: str, findings: Iterable[Finding], *, guesses: bool) -> Fixed:
    """Apply the first fix of each finding; of fixes that overlap, the first in the text.

    Without ``guesses``, only what is certain is fixed. Line ends stay as they are.
    """
    chosen = [finding.fixes[0] for finding in findings if finding.fixes]
    edits = {fix for fix in chosen if guesses or fix.certain}
    text, made = _edited(text, edits)
    return Fixed(text, made)


def applied(text: str, fixes: Iterable[Fix]) -> str:
    """Apply fixes; of those that overlap, the first in the text. Line ends stay as they are."""
    return _edited(text, fixes)[0]


def _edited(text: str, fixes: Iterable[Fix]) -> tuple[str, int]:
    starts = _starts(text)
    parts: list[str] = []
    done = count = 0
    for fix in sorted(fixes, key=lambda fix: fix.span):
        first, last = _range(fix, starts)
        if first < done or last > len(text):
            continue
        parts += [text[done:first], fix.text]
        done = last
        count += 1
    return "".join([*parts, text[done:]]), count


def mended(text: str, found: Callable[[str], Iterable[Finding]], *, guesses: bool) -> Fixed:
    """Apply fixes until none is left; ``found`` gives the findings of a text."""
    count = 0
    for _ in range(MAX_ROUNDS):
        after = fixed(text, found(text), guesses=guesses)
        if not after.made or after.text == text:
            break
        text, count = after.text, count + after.made
    return Fixed(text, count)


def _starts(text: str) -> list[int]:
    """Return where each line begins, as ``altay_cli.notation`` counts lines."""
    mark = 1 if text.startswith("\ufeff") else 0
    starts = [mark]
    at = 0
    while at < len(text):
        if text[at] == "\r":
            at += 1 if text[at + 1 : at + 2] == "\n" else 0
            starts.append(at + 1)
        elif text[at] == "\n":
            starts.append(at + 1)
        at += 1
    return starts


def _range(fix: Fix, starts: list[int]) -> tuple[int, int]:
    span = fix.span
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


__all__ = ["Fixed", "applied", "fixed", "mended"]
