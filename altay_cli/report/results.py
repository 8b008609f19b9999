"""Results of games as plain data, which processes can exchange."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from altay_cli.base.findings import START, Finding, Severity, Span, Verdict
from altay_cli.base.internal import RULE, internal_error
from altay_cli.base.translations import ENGLISH, translated_finding
from altay_cli.notation.lexis import split_lines
from altay_cli.report.tables import Rows
from altay_cli.scoring.outcomes import NO_SCORES


class Wanted(NamedTuple):
    """The data that results have beside verdicts and findings.

    explain: with ``details`` or ``sheet``, how scores are derived too.
    rules: the language for descriptions of the rules of findings; empty for none.
    groups: the names that select rules.
    changes: with ``tables``, the changes of each statement too.
    """

    details: bool = False
    sheet: bool = False
    explain: bool = False
    rules: str = ""
    groups: bool = False
    tables: bool = False
    changes: bool = False


@dataclass(slots=True)
class GameResult:
    """The result of one game.

    findings: those to show; the ``verdict`` takes all into account.
    title: the name of what was checked; empty for a game, which has a number.
    size: characters in its text.
    lines: those of the log that findings refer to, by number.
    others: those of other files that findings are in, by file name.
    rules, groups: descriptions of the rules of findings, and names that select them, by id.
    known: every rule and group that can be selected in its game.
    details: the JSON document, with an empty list of findings.
    points: for each player, rank (None if undecided), and points by category.
    unlisted: counts of findings of a game judged earlier, which are not listed.
    """

    tags: Mapping[str, str | list[str]]
    findings: list[Finding]
    verdict: Verdict
    recorded: bool = True
    title: str = ""
    language: str = ENGLISH
    span: Span | None = None
    ignored: int = 0
    number: int = 1
    size: int = 0
    seconds: float = 0.0
    lines: Mapping[int, str] = field(default_factory=dict)
    others: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    details: Mapping[str, object] = field(default_factory=dict)
    ended: bool = False
    points: Sequence[tuple[str, int | None, Mapping[str, int | None]]] = ()
    sheet: Sequence[str] = ()
    rows: Rows = field(default_factory=dict)
    unlisted: Mapping[Severity, int] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        """True if everything was judged, without errors."""
        return self.verdict is Verdict.LEGAL

    @property
    def failed(self) -> bool:
        """True if the program failed on the game."""
        return any(finding.rule == RULE for finding in self.findings)

    def lines_of(self, finding: Finding) -> Mapping[int, str]:
        """Return the lines of a finding's file; empty if it was not read."""
        return self.others.get(finding.file, {}) if finding.file else self.lines

    def fail(self, error: Exception) -> None:
        """Replace all findings by an internal error; the game is not judged."""
        self.replace_by(internal_error(error, self.span or START))

    def replace_by(self, found: Finding) -> None:
        """Replace all findings by one; the game is not judged."""
        self.recorded, self.ended = True, False
        self.findings = [translated_finding(self.language, found)]
        self.verdict, self.ignored, self.points, self.sheet = Verdict.NOT_JUDGED, 0, (), ()
        self.details = {
            "tags": dict(self.tags),
            "verdict": self.verdict.value,
            "recorded": "wholly",
            "ended": False,
            "rounds": 0,
            "moves": 0,
            "findings": [],
            **NO_SCORES,
        }


@dataclass(slots=True)
class FileResults:
    """The games can be iterated once."""

    path: str
    games: Iterable[GameResult]


def numbered(text: str) -> dict[int, str]:
    """Return the lines of a text by number."""
    return dict(enumerate(split_lines(text), 1))
