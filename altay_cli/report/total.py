"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import GameReport


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
