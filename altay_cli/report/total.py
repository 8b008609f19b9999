"""What was found in many files, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import GameReport


class Total:
    """How many files and games were checked so far, and what was found in them.

    ``partly`` is how many of the legal games are not wholly recorded, ``fixes`` how many findings
    can be mended for certain, ``ignored`` how many the logs wanted ignored.
    """

    __slots__ = ("files", "findings", "fixes", "ignored", "partly", "verdicts")

    def __init__(self) -> None:
        self.files = 0
        self.verdicts: Counter[Verdict] = Counter()
        self.partly = 0
        self.findings: Counter[Severity] = Counter()
        self.fixes = 0
        self.ignored = 0

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
