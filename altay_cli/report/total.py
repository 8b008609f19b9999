"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import FileCheck, GameReport
from altay_cli.report.rulebook import about
from altay_cli.report.speech import phrase
from altay_cli.report.text import cut, page_columns, table, width

_Key = tuple[str, str]
MAX_ABOUT = 60


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
            self.fixes += sum(found.fixes[0].certain for found in game.findings if found.fixes)
            self.ignored += game.ignored
            yield game


@dataclass(slots=True)
class Counts:
    """How often each rule was found, and in how many games and files."""

    findings: Counter[_Key] = field(default_factory=Counter)
    games: Counter[_Key] = field(default_factory=Counter)
    files: Counter[_Key] = field(default_factory=Counter)
    told: dict[str, str] = field(default_factory=dict)

    def count(self, checks: Iterable[FileCheck]) -> None:
        """Go through files and count what was found in them."""
        for check in checks:
            in_file: set[_Key] = set()
            for game in check.games:
                keys = [(found.rule, found.severity.value) for found in game.findings]
                self.findings.update(keys)
                self.games.update(set(keys))
                in_file.update(keys)
                pack = game.played.state.pack if game.played is not None else None
                for rule, _ in keys:
                    if rule not in self.told:
                        self.told[rule] = about(pack, rule)
            self.files.update(in_file)

    def lines(self) -> Iterator[str]:
        """Yield a table, the most frequent first."""
        if not self.findings:
            return
        heads = ("Findings", "Games", "Files", "Rule", "About")
        rows = [[phrase(head) for head in heads]]
        for key in self._order():
            rule, severity = key
            name = f"{rule} ({phrase(severity)})" if severity != "error" else rule
            numbers = (self.findings[key], self.games[key], self.files[key])
            rows.append([*(f"{number:,}" for number in numbers), name, ""])
        room = MAX_ABOUT
        columns = page_columns()
        if columns is not None:
            taken = sum(max(width(row[i]) for row in rows) + 2 for i in range(4))
            room = columns - taken
        for row, key in zip(rows[1:], self._order(), strict=True):
            row[4] = cut(self.told[key[0]], room) if room >= 15 else ""
        if room < 0:  # what is counted most matters most
            rows = [[row[0], row[3]] for row in rows]
            yield from table(rows, frozenset({0}))
            return
        if room < 15:
            rows = [row[:4] for row in rows]
        yield from table(rows, frozenset({0, 1, 2}))

    def document(self) -> list[dict[str, object]]:
        """Return the same for programs."""
        return [
            {
                "rule": key[0],
                "severity": key[1],
                "findings": self.findings[key],
                "games": self.games[key],
                "files": self.files[key],
            }
            for key in self._order()
        ]

    def _order(self) -> list[_Key]:
        return sorted(self.findings, key=lambda key: (-self.findings[key], key))
