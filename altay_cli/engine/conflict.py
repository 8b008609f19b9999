"""Why something cannot be where a statement names it: which other lines of the log forbid it.

What nobody wrote down is never chosen, so that a contradiction lies between statements and not in
one of them. Which they are is found by doubting others: a statement that is doubted is carried out,
but what it names is not believed. Lines without which the contradiction is gone belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time

from altay_cli.engine.reporting import Doubt
from altay_cli.expressions import Account
from altay_cli.findings import Finding
from altay_cli.notation import GameRecord, Section, SectionKind, Statement
from altay_cli.pack.model import Pack

MAX_EXPLAINED = 3
"""How many contradictions of a game are looked into."""

SECONDS = 3.0
"""After so much time of the processor, the lines that have been found are told as they are."""

MAX_LINES = 12
"""How many lines are told at the most."""


class Conflict:
    """Looks for the lines that a finding of a game cannot be together with."""

    def __init__(
        self, pack: Pack, options: Mapping[str, str], record: GameRecord, account: Account
    ) -> None:
        self.pack = pack
        self.options = options
        self.record = record
        self.account = account
        self._end = process_time() + SECONDS

    def help_lines(self, finding: Finding, doubt: Doubt) -> tuple[str, ...]:
        """Return what is to be told beside a finding."""
        told: tuple[str, ...] = (doubt.where,)
        lines = self._lines(finding, doubt)
        if 0 < len(lines) < MAX_LINES:
            listed = ", ".join(map(str, sorted({*lines, finding.span.line})))
            told += (f"so one of these lines is wrong: {listed}",)
        return told

    def _lines(self, finding: Finding, doubt: Doubt) -> list[int]:
        """Return the lines that forbid it together; none where that was not found out."""
        claims = [line for line in dict.fromkeys(doubt.claims) if line < finding.span.line]
        if not claims or self._fits(finding, set(), claims):
            return []
        believed: list[int] = []
        rest = claims
        # The reason is near most often: first it is asked how far back it lies.
        size = 1
        while size < len(claims):
            if not self._fits(finding, set(claims[-size:]), claims):
                rest = claims[-size:]
                break
            size *= 2
        believed = self._needed(finding, [], False, rest, claims)
        return believed if process_time() < self._end else []

    def _needed(
        self,
        finding: Finding,
        believed: list[int],
        changed: bool,
        lines: list[int],
        claims: Sequence[int],
    ) -> list[int]:
        """Return the least of some lines with which, and those believed, there is no way."""
        if process_time() > self._end:
            return lines
        if changed and not self._fits(finding, set(believed), claims):
            return []
        if len(lines) == 1:
            return lines
        half = len(lines) // 2
        first, second = lines[:half], lines[half:]
        later = self._needed(finding, [*believed, *first], bool(first), second, claims)
        sooner = self._needed(finding, [*believed, *later], bool(later), first, claims)
        return [*sooner, *later]

    def _fits(self, finding: Finding, believed: set[int], claims: Sequence[int]) -> bool:
        """Tell whether a statement is as it should be if only some of the lines are believed.

        All are believed if ``believed`` is empty.
        """
        from altay_cli.engine.match import Match
        from altay_cli.engine.referee import Referee

        match = Match(self.pack, self.options)
        if believed:
            match.state.hidden.doubted = frozenset(claims) - believed
        Referee(match, self.account, recovers=False).run(self._up_to(finding))
        line = finding.span.line
        return all(
            found.rule != finding.rule or found.span.line != line for found in match.report.findings
        )

    def _up_to(self, finding: Finding) -> GameRecord:
        """Return the record up to the statement of a finding."""
        place = (finding.span.line, finding.span.column)

        def is_before(statement: Statement) -> bool:
            return (statement.line, statement.column) <= place

        kept = [
            Section(section.kind, section.heading, tuple(filter(is_before, section.statements)))
            for section in self.record.sections
            if is_before(section.heading) or section.kind is not SectionKind.TURN
        ]
        record = self.record
        return GameRecord(record.tags, tuple(kept), record.span, record.lines)
