"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import FileCheck, GameReport
from altay_cli.report.rulebook import about
from altay_cli.report.text import MAX_WIDTH, phrase, table

_Key = tuple[str, str]


@dataclass(slots=True)
class Total:
    """How many files and games were checked so far, and what was found in them.

    ``partly`` is how many of the legal games are not wholly recorded, ``fixes`` how many findings
    can be mended for certain, ``ignored`` how many the logs wanted ignored.
    """

    files: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    partly: int = 0
    findings: Counter[Severity] = field(default_factory=Counter)
    fixes: int = 0
    ignored: int = 0

    @property
    def games(self) -> int:
        """How many games were checked."""
        return self.verdicts.total()

    def count(self, games: Iterable[GameReport]) -> Iterator[GameReport]:
        """Yield the games of a file, counting them and their findings."""
        self.files += 1
        for game in games:
            self.verdicts[game.verdict] += 1
            self.partly += game.verdict is Verdict.LEGAL and not game.recorded
            self.findings.update(finding.severity for finding in game.findings)
            self.fixes += sum(one.fixes[0].certain for one in game.findings if one.fixes)
            self.ignored += game.ignored
            yield game


class RuleCount(NamedTuple):
    """How often a rule was found, in how many games and files, and what it is about."""

    rule: str
    severity: str
    findings: int
    games: int
    files: int
    about: str


def rule_counts(checks: Iterable[FileCheck]) -> list[RuleCount]:
    """Count what is found in files by rule and severity; the most frequent comes first."""
    findings, games, files = Counter[_Key](), Counter[_Key](), Counter[_Key]()
    abouts: dict[str, str] = {}
    for check in checks:
        in_file: set[_Key] = set()
        for game in check.games:
            keys = [(finding.rule, finding.severity.value) for finding in game.findings]
            findings.update(keys)
            games.update(set(keys))
            in_file.update(keys)
            pack = game.played.state.pack if game.played is not None else None
            for rule, _ in keys:
                if rule not in abouts:
                    abouts[rule] = about(pack, rule)
        files.update(in_file)
    return [
        RuleCount(*key, findings[key], games[key], files[key], abouts[key[0]])
        for key in sorted(findings, key=lambda key: (-findings[key], key))
    ]


def rule_count_lines(counts: Sequence[RuleCount]) -> list[str]:
    """Return a table of counts; nothing if nothing was found."""
    if not counts:
        return []
    rows = [[phrase(head) for head in ("Findings", "Games", "Files", "Rule", "About")]]
    for one in counts:
        name = one.rule if one.severity == "error" else f"{one.rule} ({phrase(one.severity)})"
        rows.append([f"{one.findings:,}", f"{one.games:,}", f"{one.files:,}", name, one.about])
    return table(rows, range(3), MAX_WIDTH)
