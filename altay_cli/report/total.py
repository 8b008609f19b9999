"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from altay_cli.checking import GameReport
from altay_cli.findings import Severity, Verdict


@dataclass(slots=True)
class Total:
    """How many files and games were checked so far, and what was found in them."""

    files: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    partly: int = 0
    """How many of the legal games are not wholly recorded."""
    findings: Counter[Severity] = field(default_factory=Counter)
    fixes: int = 0
    """How many findings can be mended for certain."""
    ignored: int = 0
    """How many findings the logs wanted ignored."""

    @property
    def games(self) -> int:
        """How many games were checked."""
        return self.verdicts.total()

    def count(self, games: Iterable[GameReport]) -> Iterator[GameReport]:
        """Count the games of a file, and what was found in them, while they are gone through."""
        self.files += 1
        for game in games:
            self.verdicts[game.verdict] += 1
            self.partly += game.verdict is Verdict.LEGAL and not game.recorded
            self.findings.update(finding.severity for finding in game.findings)
            self.fixes += sum(found.fixes[0].certain for found in game.findings if found.fixes)
            self.ignored += game.ignored
            yield game
