"""Why something cannot be where a statement names it: the lines of the log that contradict it.

What nobody wrote down is never chosen, so that a contradiction lies between statements and not in
one of them. Which they are is found by doubting others: a statement that is doubted is carried out,
but what it names is not believed. Lines without which the contradiction is gone belong to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import TYPE_CHECKING

from altay_cli.engine.hidden import Doubt, Happened
from altay_cli.engine.state import State
from altay_cli.expressions import Account
from altay_cli.expressions.budget import SLICE
from altay_cli.findings import Finding
from altay_cli.notation import GameRecord, Section, SectionKind, Statement

if TYPE_CHECKING:
    from altay_cli.engine.match import Match

MAX_EXPLAINED = 3
"""How many contradictions of a game are looked into."""

SECONDS = 2.0
"""CPU seconds after which the lines found so far are reported as they are."""

MAX_LINES = 12
"""How many lines are told at the most."""


NAMED = (
    "{name} was named in line {lines}, and the {pile} has not been refilled yet: of {size} in it "
    "at first, {count} have been drawn",
    "{name} was named in line {lines}, and the {pile} has not been refilled since line {line}: of "
    "{size} in it then, {count} have been drawn",
)
NOT_NAMED = (
    "the {pile} has not been refilled yet: of {size} in it at first, {count} have been drawn",
    "the {pile} has not been refilled since line {line}: of {size} in it then, {count} have been "
    "drawn",
)
"""What is told of a pile that was not refilled, and of one that was."""


class Conflict:
    """Looks for the lines that contradict the statement of a finding."""

    def __init__(self, match: Match, record: GameRecord, account: Account) -> None:
        self.match = match
        self.record = record
        self.account = account
        self._end = process_time() + SECONDS
        self._found = 0

    def help_lines(self, finding: Finding, doubt: Doubt) -> tuple[str, ...]:
        """Return what is to be told beside a finding."""
        told: list[str] = [doubt.where]
        match = self.match.again()
        match.state.hidden.past = ()
        self._play(match, finding)
        found = match.report.doubts.get(finding.span.line)
        since = _since(match.state, found) if found is not None else None
        if since is not None:
            told.append(since)
        lines = self._lines(finding, doubt)
        if lines:
            listed = ", ".join(map(str, sorted({*lines, finding.span.line})))
            told.append(f"so one of these lines is wrong: {listed}")
        return tuple(told)

    def _lines(self, finding: Finding, doubt: Doubt) -> list[int]:
        """Return the lines that together contradict it; empty if they were not found."""
        claims = [line for line in dict.fromkeys(doubt.claims) if line < finding.span.line]
        if not claims or self._fits(finding, set(), claims):
            return []
        rest = claims
        # The reason is near most often: first it is asked how far back it lies.
        size = 1
        self._found = 0
        while size < len(claims) and not self._over():
            if not self._fits(finding, set(claims[-size:]), claims):
                rest = claims[-size:]
                break
            size *= 2
        believed = self._needed(finding, [], False, rest, claims)
        return [] if self._over() else believed

    def _over(self) -> bool:
        """Tell whether the search has reached its limit, so that its result may not be minimal."""
        return process_time() > self._end or self.account.left < SLICE or self._found >= MAX_LINES

    def _needed(
        self,
        finding: Finding,
        believed: list[int],
        changed: bool,
        lines: list[int],
        claims: Sequence[int],
    ) -> list[int]:
        """Return the fewest lines that contradict each other and those believed."""
        if self._over():
            return lines
        if changed and not self._fits(finding, set(believed), claims):
            return []
        if len(lines) == 1:
            self._found += 1
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
        match = self.match.again()
        if believed:
            match.state.hidden.doubted = frozenset(claims) - believed
        self._play(match, finding)
        line = finding.span.line
        return all(
            found.rule != finding.rule or found.span.line != line for found in match.report.findings
        )

    def _play(self, match: Match, finding: Finding) -> None:
        """Play the game up to a finding, without asking how to go on after a slip."""
        from altay_cli.engine.referee import Referee

        Referee(match, self.account, recovers=False).run(self._up_to(finding))

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


def _since(state: State, doubt: Doubt) -> str | None:
    """Say when something was named since the pile it is drawn from was refilled."""
    events: list[Happened] = []
    past = doubt.past
    while past:
        past, event = past
        events.append(event)
    events.reverse()
    titles = {id(bag): title for title, bag in doubt.around}
    piles = [event.bag for event in events if event.what == "left" and id(event.bag) in titles]
    if not piles:
        return None
    pile = piles[-1]
    ours = [event for event in events if event.bag is pile or event.what == "named"]
    mixed = [number for number, event in enumerate(ours) if event.what == "mixed"]
    since = ours[mixed[-1] if mixed else 0 :]
    size = next(event.things for event in since if event.what in {"left", "mixed"})
    lines = dict.fromkeys(
        event.line
        for event in since
        if event.what == "named" and event.line < doubt.line and {*event.named} & {*doubt.named}
    )
    words = {
        "name": state.name(doubt.named[-1].parent or doubt.named[-1]),
        "pile": state.word(titles[id(pile)]),
        "line": since[0].line,
        "size": size,
        "count": sum(event.things for event in since if event.what == "drawn"),
        "lines": ", ".join(map(str, lines)),
    }
    return (NAMED if lines else NOT_NAMED)[bool(mixed)].format(**words)
