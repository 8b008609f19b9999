"""Edit the text of a log: apply fixes, and write statements in plain form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.findings import Finding, Fix, Span, errors_of
from altay_cli.base.suggest import normal
from altay_cli.checking import limits
from altay_cli.checking.tags import rules_of
from altay_cli.match.match import PHASES
from altay_cli.notation.lexis import Lines
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Item, Statement, with_turn_headings
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import capture, elements
from altay_cli.pack.model import MoveDef, Pack


class Fixed(NamedTuple):
    """A text with ``made`` fixes applied; ``refused`` others would do harm."""

    text: str
    made: int
    refused: int = 0


def applied(text: str, fixes: Iterable[Fix]) -> str:
    """Apply fixes; of overlapping ones, the first. Line ends stay."""
    return _edited(text, fixes)[0]


def _edited(text: str, fixes: Iterable[Fix]) -> tuple[str, int]:
    # Where lines begin, as ``altay_cli.notation`` counts them.
    starts = [text.startswith("\ufeff"), *(end.end() for end in re.finditer("\r\n?|\n", text))]
    parts: list[str] = []
    copied = count = 0
    for fix in sorted(fixes, key=lambda fix: fix.span):
        span = fix.span
        first = starts[span.line - 1] + span.column - 1
        last = starts[span.end_line - 1] + span.end_column - 1
        if first < copied or last > len(text):
            continue
        parts += [text[copied:first], fix.text]
        copied = last
        count += 1
    return "".join([*parts, text[copied:]]), count


def mended(text: str, findings_of: Callable[[str], Iterable[Finding]], *, guesses: bool) -> Fixed:
    """Apply the first fix of each finding until none is left, but none that adds errors.

    guesses: apply uncertain fixes, too. Certain ones must not add any finding.
    """
    count = refused = 0
    findings = list(findings_of(text))
    for _ in range(limits.MAX_ROUNDS):
        unread = [
            finding.span
            for finding in errors_of(findings)
            if is_unread(finding) and not finding.fixes
        ]
        chosen = {
            finding.fixes[0]
            for finding in findings
            if finding.fixes
            and not (finding.rule in _REWRITTEN and any(_within(s, finding.span) for s in unread))
        }
        edits = sorted(fix for fix in chosen if guesses or fix.certain)
        accepted, found = _harmless(text, findings_of, edits, _Baseline(findings, guesses))
        after, made = _edited(text, accepted)
        refused = len(edits) - made if len(accepted) < len(edits) else 0
        if not made or after == text:
            break
        text, count, findings = after, count + made, found
    return Fixed(text, count, refused)


# Their fix replaces a whole statement.
_REWRITTEN = frozenset({"badly-written", "meant-otherwise"})

# Findings of unreadable statements, besides unknown names.
_UNREAD = frozenset({
    "count-range", "malformed-statement", "name-missing", "number-expected", "one-only",
    "statement-phase", "syntax", "unclosed-quote",
})  # fmt: skip


def is_unread(finding: Finding) -> bool:
    """Return True if a statement cannot be read."""
    return finding.rule in _UNREAD or finding.rule.startswith("unknown-")


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


class _Baseline:
    """The findings before fixes; with ``guesses``, only the number of errors must not grow."""

    def __init__(self, findings: Sequence[Finding], guesses: bool) -> None:
        self.errors = None if not guesses else len(errors_of(findings))
        self.rules = Counter(finding.rule for finding in findings)

    def is_met(self, findings: Sequence[Finding]) -> bool:
        if self.errors is not None:
            return len(errors_of(findings)) <= self.errors
        return not Counter(finding.rule for finding in findings) - self.rules


def _harmless(
    text: str,
    findings_of: Callable[[str], Iterable[Finding]],
    edits: Sequence[Fix],
    standard: _Baseline,
) -> tuple[list[Fix], list[Finding]]:
    accepted: list[Fix] = []
    found: list[Finding] = []
    waiting = [edits] if edits else []
    # Most fixes are sound: bisection finds the others quickly.
    for _ in range(limits.MAX_DOUBTED):
        if not waiting:
            break
        part = waiting.pop()
        findings = list(findings_of(applied(text, [*accepted, *part])))
        if standard.is_met(findings):
            accepted, found = [*accepted, *part], findings
            continue
        half = len(part) // 2
        waiting += [part[half:], part[:half]] if half else []
    return accepted, found


# ---------------------------------------------------------------- corrected text


ByLine = Mapping[int, Sequence[Fix]]


def by_line(fixes: Iterable[Fix]) -> ByLine:
    """Return edits by the lines they touch."""
    edits: dict[int, list[Fix]] = {}
    for fix in fixes:
        for line in range(fix.span.line, fix.span.end_line + 1):
            edits.setdefault(line, []).append(fix)
    return edits


def applied_in_place(lines: Lines, fixes: Sequence[Fix]) -> Lines:
    """Return lines with edits, padded to keep line numbers."""
    blank = [
        Fix(Span(span.end_line, end, span.end_line, end), "\n" * gone, certain=True)
        for span, text, _ in fixes
        if (gone := span.end_line - span.line - text.count("\n")) > 0
        for end in [len(lines[span.end_line - 1]) + 1]
    ]
    before = lines.before
    # Other lines of the file may precede the text, which counts from 1.
    edits = [
        fix._replace(
            span=fix.span._replace(line=fix.span.line - before, end_line=fix.span.end_line - before)
        )
        for fix in (*fixes, *blank)
    ]
    return Lines(applied(lines.text, edits), before)


def join_corrections(findings: Sequence[Finding], lines: Sequence[str]) -> Iterator[Finding]:
    """Yield findings; those with the same message object get a joint fix."""
    by_message: dict[int, list[Finding]] = {}
    for finding in findings:
        by_message.setdefault(id(finding.message), []).append(finding)
    for first, *others in by_message.values():
        if not others:
            yield first
            continue
        edits = [finding.fixes[0] for finding in (first, *others)]
        (line, column, *_), (*_, end_line, end_column) = edits[0].span, edits[-1].span
        excerpt = ["", *lines[line - 1 : end_line]]
        excerpt[-1] = excerpt[-1][: end_column - 1]
        moved = [
            fix._replace(
                span=fix.span._replace(
                    line=fix.span.line - line + 2, end_line=fix.span.end_line - line + 2
                )
            )
            for fix in edits
        ]
        text = applied("\n".join(excerpt), moved)[1:]
        fix = Fix(Span(line, column, end_line, end_column), text[column - 1 :], certain=True)
        yield first._replace(fixes=(fix,))


def at_original_place(finding: Finding, edits: ByLine) -> Finding:
    """Return a finding at its places before the edits."""
    fixes = tuple(fix._replace(span=_original_span(fix.span, edits)) for fix in finding.fixes)
    return finding._replace(span=_original_span(finding.span, edits), fixes=fixes)


def _original_span(span: Span, edits: ByLine) -> Span:
    start = original_position(span.line, span.column, edits, end=False)
    return Span(
        *start, *max(start, original_position(span.end_line, span.end_column, edits, end=True))
    )


def original_position(line: int, column: int, edits: ByLine, *, end: bool) -> tuple[int, int]:
    """Map a place to the text before edits; inside one, to its end or start."""
    shift = 0
    for span, text, _ in edits.get(line, ()):
        *above, last = text.split("\n")
        begin = span.column + shift if line == span.line else 0
        if (line, column) <= (span.line, begin):
            return line, column - shift
        after = (begin if not above else 1) + len(last)
        if line != span.end_line or column < after:
            return (span.end_line, span.end_column) if end else (span.line, span.column)
        shift = after - span.end_column
    return line, column - shift


# ---------------------------------------------------------------- unreadable statements


def unread_statements(text: str, folder: Path | None) -> frozenset[tuple[int, int]]:
    """Return line and column of the statements that the rules cannot read.

    Their spacing may carry meaning.
    """
    return frozenset(
        (statement.line, statement.column)
        for record in read_log(text).games
        if (rules := rules_of(record, folder, [])) is not None
        for statement in _unread_in(with_turn_headings(record, rules[0].headings), Binder(rules[0]))
    )


def _unread_in(record: GameRecord, binder: Binder) -> Iterator[Statement]:
    for section in record.sections:
        phase = PHASES[section.kind]
        for statement in section.statements if phase != "result" else ():
            if not binder.good(statement.phrase, phase):
                errors = binder.bind(statement.phrase, phase).errors
                # Players are not known here.
                if any(error.rule != "unknown-player" for error in errors):
                    yield statement


# ---------------------------------------------------------------- words in plain form


def plain_words(text: str, folder: Path | None) -> str:
    """Return a log with statements in lower case, and plurals as singulars."""
    log = read_log(text)
    edits: list[Fix] = []
    for record in log.games:
        if (rules := rules_of(record, folder, [])) is not None:
            edits += _of_game(with_turn_headings(record, rules[0].headings), rules[0])
    # Comments keep their columns.
    shortened = Counter[int]()
    for place, new, _ in edits:
        if place.line == place.end_line:
            shortened[place.line] += place.end_column - place.column - len(new)
    edits += [
        Fix(comment.span, " " * shortened[comment.line], certain=True)
        for comment in log.comments
        if shortened[comment.line] > 0
    ]
    return applied(text, edits)


def _of_game(record: GameRecord, pack: Pack) -> Iterator[Fix]:
    binder = Binder(pack)
    claims = {
        "winner",
        "loser",
        "draw",
        "score",
        "total",
        *(category.id for category in pack.categories),
    }
    for section in record.sections:
        phase = PHASES[section.kind]
        for statement in section.statements:
            if phase == "result":
                words = (item for item in statement.items[:1] if normal(item.text) in claims)
                yield from _small(statement, words)
                continue
            for parsed in binder.good(statement.phrase, phase)[:1]:
                named = [*parsed.slots.values(), *(drawn or () for drawn in parsed.drawn.values())]
                places = {item.start for slot in named for item in slot if item.text}
                yield from _singulars(statement, places, pack)
                yield from _small(statement, _keywords(statement, parsed.move))


def _keywords(statement: Statement, move: MoveDef) -> Sequence[Item]:
    for pattern in move.patterns:
        if (captured := capture(pattern, statement.items)) is not None:
            names = {item.start for items in captured.values() for item in items}
            return [item for item in statement.items if item.start not in names]
    return ()


def _small(statement: Statement, words: Iterable[Item]) -> Iterator[Fix]:
    for item in words:
        if item.kind == "word" and item.text != item.text.casefold():
            yield Fix(statement.span(item.start, item.end), item.text.casefold(), certain=True)


def _singulars(statement: Statement, places: set[int], pack: Pack) -> Iterator[Fix]:
    for element in [*elements(statement.items), *elements(statement.outcome or ())]:
        # Words of the pattern may stand between a count and its name.
        for first, item in enumerate(element):
            if item.start not in places:
                continue
            rest = element[first + (item.kind == "number") :]
            words = list(takewhile(lambda word: word.kind == "word", rest))
            for size in range(len(words), 0, -1):
                singular = pack.plurals.get(normal(" ".join(word.text for word in words[:size])))
                if singular is not None:
                    span = statement.span(words[0].start, words[size - 1].end)
                    yield Fix(span, singular, certain=True)
                    break
