"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from altay_cli.checking import FileReport
from altay_cli.findings import Severity


@dataclass(slots=True)
class Total:
    """How many files and games were checked so far, and what was found in them."""

    files: int = 0
    games: int = 0
    legal: int = 0
    findings: Counter[Severity] = field(default_factory=Counter)

    def add(self, report: FileReport) -> None:
        """Count what was found in a file."""
        self.files += 1
        self.games += len(report.games)
        self.legal += sum(game.legal for game in report.games)
        for game in report.games:
            self.findings.update(finding.severity for finding in game.findings)
