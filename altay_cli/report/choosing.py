"""Select the findings to show, and count those of many files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity, Verdict
from altay_cli.base.internal import build_safely
from altay_cli.base.suggest import suggest
from altay_cli.report.results import FileResults, GameResult
from altay_cli.report.text import MAX_WIDTH, phrase, table

PROGRAM = "program"
"""Findings that come from no rule of the game."""


@dataclass(slots=True, eq=False, repr=False)
class Selection:
    """Selects the findings to show; verdicts are not affected.

    ``select`` and ``ignore``, which wins, contain rules, groups or patterns with ``*``. A group is
    a severity, ``program``, or the rules of a move, by its id or first word. Empty ``severities``
    allow all. Checking stops after ``most`` errors.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severities: Sequence[str] = ()
    most: int | None = None
    errors: int = 0
    unshown: int = 0
    full: bool = False
    _met: set[str] = field(default_factory=set)
    _known: set[str] = field(default_factory=set)

    def of(self, games: Iterable[GameResult]) -> Iterator[GameResult]:
        """Yield games with the findings to show, until there are too many errors."""
        for game in games:
            shown = build_safely(game, self._findings_to_show)
            self.unshown += len(game.findings) - len(shown)
            for number, finding in enumerate(shown, 1):
                self.errors += finding.severity is Severity.ERROR
                if self.most is not None and self.errors >= self.most:
                    self.full = True
                    del shown[number:]
            game.findings = shown
            yield game
            if self.full:
                return

    def _findings_to_show(self, game: GameResult) -> list[Finding]:
        self._known |= game.known
        return [finding for finding in game.findings if self._shows(finding, game.groups)]

    def unmet(self, rules: Iterable[str]) -> Iterator[tuple[str, str | None]]:
        """Yield each name that matches no rule or group, with a similar name.

        ``rules`` are those of the program.
        """
        known = {PROGRAM, *rules, *(severity.value for severity in Severity)} | self._known
        for name in dict.fromkeys((*self.select, *self.ignore)):
            if name not in self._met and not any(
                fnmatchcase(candidate, name) for candidate in known
            ):
                near = suggest(name, known, likeness=0.7)
                yield name, near[0] if near else None

    def _shows(self, finding: Finding, groups: Mapping[str, frozenset[str]]) -> bool:
        if self.severities and finding.severity.value not in self.severities:
            return False
        chosen = not self.select or any(
            self._belongs(finding, name, groups) for name in self.select
        )
        return chosen and not any(self._belongs(finding, name, groups) for name in self.ignore)

    def _belongs(self, finding: Finding, name: str, groups: Mapping[str, frozenset[str]]) -> bool:
        selectors = {finding.rule, finding.severity.value, *groups.get(finding.rule, (PROGRAM,))}
        belongs = name in selectors or ("*" in name and fnmatchcase(finding.rule, name))
        if belongs:
            self._met.add(name)
        return belongs


_Key = tuple[str, str]


@dataclass(slots=True, eq=False, repr=False)
class Total:
    """Counts files, games and findings during a run.

    partly: legal games with unrecorded parts.
    fixes: findings with a certain fix.
    ignored: findings suppressed by comments.
    """

    files: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    partly: int = 0
    findings: Counter[Severity] = field(default_factory=Counter)
    fixes: int = 0
    ignored: int = 0

    @property
    def games(self) -> int:
        """The number of games checked."""
        return self.verdicts.total()

    def count(self, games: Iterable[GameResult]) -> Iterator[GameResult]:
        """Count each game after it was shown: until then it can become an internal error."""
        self.files += 1
        for game in games:
            verdict, recorded = build_safely(game, _verdict_of)
            yield game
            if game.failed:
                verdict = Verdict.NOT_JUDGED
            self.verdicts[verdict] += 1
            self.partly += verdict is Verdict.LEGAL and not recorded
            self.findings.update(finding.severity for finding in game.findings)
            self.findings.update(game.unlisted)
            self.fixes += sum(
                finding.fixes[0].certain for finding in game.findings if finding.fixes
            )
            self.ignored += game.ignored


def _verdict_of(game: GameResult) -> tuple[Verdict, bool]:
    return game.verdict, game.recorded


class RuleCount(NamedTuple):
    """A rule, and the number of findings, games and files it is in."""

    rule: str
    severity: str
    findings: int
    games: int
    files: int
    about: str


def rule_counts(checks: Iterable[FileResults]) -> list[RuleCount]:
    """Count findings by rule and severity, the most frequent first."""
    findings, games, files = Counter[_Key](), Counter[_Key](), Counter[_Key]()
    abouts: dict[str, str] = {}
    for check in checks:
        in_file: set[_Key] = set()
        for game in check.games:
            keys, new = build_safely(game, partial(_rules_of, abouts))
            findings.update(keys)
            games.update(keys.keys())
            in_file.update(keys)
            abouts |= new
        files.update(in_file)
    return [
        RuleCount(*key, findings[key], games[key], files[key], abouts[key[0]])
        for key in sorted(findings, key=lambda key: (-findings[key], key))
    ]


def _rules_of(abouts: Mapping[str, str], game: GameResult) -> tuple[Counter[_Key], dict[str, str]]:
    keys = Counter((finding.rule, finding.severity.value) for finding in game.findings)
    return keys, {rule: game.rules.get(rule, "") for rule, _ in keys if rule not in abouts}


def rule_count_lines(counts: Sequence[RuleCount]) -> list[str]:
    """Return counts as a table; empty without findings."""
    if not counts:
        return []
    rows = [[phrase(head) for head in ("Findings", "Games", "Files", "Rule", "About")]]
    for count in counts:
        name = (
            count.rule if count.severity == "error" else f"{count.rule} ({phrase(count.severity)})"
        )
        rows.append(
            [f"{count.findings:,}", f"{count.games:,}", f"{count.files:,}", name, count.about]
        )
    return table(rows, range(3), MAX_WIDTH)
