"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from altay_cli.checking import FileReport
from altay_cli.findings import Severity, Verdict


@dataclass(slots=True)
class Total:
    """How many files and games were checked so far, and what was found in them."""

    files: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    findings: Counter[Severity] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """How many games were checked."""
        return self.verdicts.total()

    def add(self, report: FileReport) -> None:
        """Count what was found in a file."""
        self.files += 1
        self.verdicts.update(game.verdict for game in report.games)
        for game in report.games:
            self.findings.update(finding.severity for finding in game.findings)
