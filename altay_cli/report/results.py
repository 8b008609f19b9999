"""What reports say of a game, as plain data: it can be sent from one process to another.

A ``GameReport`` holds a state and printed functions. A ``GameResult`` holds what a report needs of
it, and no more: ``Wanted`` says what that is.
"""

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
    """What results hold beside verdicts and findings.

    details: the JSON document; with ``explain``, how scores are derived too.
    sheet: the lines of the score sheet; with ``explain``, those of its derivation too.
    rules: the language in which it is said what the rules of findings are about; empty for none.
    groups: the names by which rules can be selected.
    tables: the rows of tables; with ``changes``, what each statement changed too.
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
    """What reports say of one game.

    tags: its tag pairs, by name.
    findings: those to be shown; the ``verdict`` takes all into account.
    recorded: whether everything was recorded.
    title: the name of what was checked; empty for a game, which has a number.
    language: the language of the findings.
    span: the place of the game in its file.
    ignored: how many notes and warnings its comments suppress.
    number: which game of its file it is, from 1.
    size: how many characters its text has.
    seconds: how long it took to judge.
    lines: the lines of the log that findings point at, by number.
    others: the lines of other files that findings are in, by file name.
    rules: what the rules of the findings are about, by id.
    groups: the names by which each of these rules can be selected, by id.
    known: every rule and group that can be selected in its game.
    details: the JSON document, with an empty list of findings.
    ended: whether the game has ended.
    points: of each player the name, the rank (None if it is open), and points by category.
    sheet: the lines of the score sheet.
    rows: the rows of tables, by table.
    unlisted: of a game that was judged before, the numbers of its findings, which are not listed.
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
        """Whether all of it was judged without an error."""
        return self.verdict is Verdict.LEGAL

    @property
    def failed(self) -> bool:
        """Whether the program itself failed on the game."""
        return any(finding.rule == RULE for finding in self.findings)

    def lines_of(self, finding: Finding) -> Mapping[int, str]:
        """Return the lines of the file that a finding is in, by number; none if not read."""
        return self.others.get(finding.file, {}) if finding.file else self.lines

    def fail(self, error: Exception) -> None:
        """Replace all that was found by an internal error; the game is not judged."""
        self.replace_by(internal_error(error, self.span or START))

    def replace_by(self, found: Finding) -> None:
        """Replace all that was found by one finding; the game is not judged."""
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
    """The results of one file: its name, and its games in order, which are iterated once."""

    path: str
    games: Iterable[GameResult]


def numbered(text: str) -> dict[int, str]:
    """Return the lines of a text by number."""
    return dict(enumerate(split_lines(text), 1))
