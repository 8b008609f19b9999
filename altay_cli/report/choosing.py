"""Filtering findings by rule and group, and limiting their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from altay_cli.base.catalogue import OWN_RULES
from altay_cli.base.findings import Finding, Severity
from altay_cli.base.suggest import suggest
from altay_cli.checking.check import GameReport
from altay_cli.pack.model import Pack

PROGRAM = "program"
"""The group of all findings that do not come from a rule of the game."""


@dataclass(slots=True)
class Selection:
    """What is to be shown of the findings of many games.

    ``select`` and ``ignore`` name rules, groups or patterns with ``*``: a group is a severity, the
    rules of a move by its id or by the word that it begins with, or ``program``. What is both
    selected and ignored is not shown, nor what is not among ``severities``, where any are. After
    ``most`` errors, checking stops. Verdicts are not affected.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severities: Sequence[str] = ()
    most: int | None = None
    errors: int = 0
    unshown: int = 0
    """How many findings were filtered out."""
    full: bool = False
    """Whether the maximum number of errors was reached."""
    _met: set[str] = field(default_factory=set)
    _known: set[str] = field(default_factory=set)
    _groups: dict[Pack | None, dict[str, set[str]]] = field(default_factory=dict)

    def of(self, games: Iterable[GameReport]) -> Iterator[GameReport]:
        """Yield games with the findings to show, until the maximum number of errors is reached."""
        for game in games:
            game.settled = game.verdict
            groups = self._groups_of(game)
            shown = [finding for finding in game.findings if self._shows(finding, groups)]
            self.unshown += len(game.findings) - len(shown)
            game.findings = list(self._counted(shown))
            yield game
            if self.full:
                return

    def unmet(self) -> Iterator[tuple[str, str | None]]:
        """Yield each name that matches no rule or group, with one that may have been meant."""
        for name in dict.fromkeys((*self.select, *self.ignore)):
            if name not in self._met and not any(fnmatchcase(one, name) for one in self._known):
                near = suggest(name, self._known, likeness=0.7)
                yield name, near[0] if near else None

    def _counted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            yield finding
            self.errors += finding.severity is Severity.ERROR
            if self.most is not None and self.errors >= self.most:
                self.full = True
                return

    def _shows(self, finding: Finding, groups: dict[str, set[str]]) -> bool:
        if self.severities and finding.severity.value not in self.severities:
            return False
        chosen = not self.select or any(
            self._belongs(finding, name, groups) for name in self.select
        )
        return chosen and not any(self._belongs(finding, name, groups) for name in self.ignore)

    def _belongs(self, finding: Finding, name: str, groups: dict[str, set[str]]) -> bool:
        if name == PROGRAM:
            belongs = finding.rule not in groups[PROGRAM]
        else:
            belongs = (
                name in {finding.rule, finding.severity.value}
                or finding.rule in groups.get(name, ())
                or ("*" in name and fnmatchcase(finding.rule, name))
            )
        if belongs:
            self._met.add(name)
        return belongs

    def _groups_of(self, game: GameReport) -> dict[str, set[str]]:
        """Return the rules of each group of a game; under ``PROGRAM``, all that are of the game."""
        pack = game.played.state.pack if game.played is not None else None
        if pack not in self._groups:
            groups: dict[str, set[str]] = {PROGRAM: set()}
            if pack is not None:
                groups[PROGRAM].update(pack.rules)
                for move in pack.moves:
                    asked = {
                        rule
                        for rule, uses in pack.rules.items()
                        if any(title == move.title for title, _ in uses)
                    }
                    verbs = {pattern.verb for pattern in move.patterns if pattern.verb}
                    for name in (move.id, *verbs):
                        groups.setdefault(name, set()).update(asked)
            self._groups[pack] = groups
            self._known |= groups.keys() | groups[PROGRAM] | OWN_RULES.keys()
            self._known.update(severity.value for severity in Severity)
        return self._groups[pack]
