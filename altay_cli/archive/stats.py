"""Count recorded games by their rules, locally or on workers."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from altay_cli.archive.judging import cost, variant_names
from altay_cli.archive.sources import SourceGame
from altay_cli.archive.work import Work, Workers
from altay_cli.archive.workers import results_in_order
from altay_cli.base.findings import Verdict
from altay_cli.pack.model import Pack
from altay_cli.report.simulation import Report
from altay_cli.simulation.planning import rules_for
from altay_cli.simulation.recorded import RecordedGame, Rules, recorded_games
from altay_cli.simulation.simulated import PlayPlan
from altay_cli.simulation.tally import Counting, Run

SLOWER = 1.3
"""Counting a game takes this many times as long as judging it."""


def count_games(
    games: Iterable[SourceGame], workers: Workers
) -> Generator[RecordedGame, None, None]:
    """Yield the counts of each game, in order."""
    work = Work(_count, lambda game: SLOWER * cost(game), _lost, variants=variant_names)
    for counted in results_in_order(work, games, workers):
        yield from counted


def _count(games: Sequence[SourceGame]) -> list[list[RecordedGame]]:
    return [_recorded(game) for game in games]


def _recorded(game: SourceGame) -> list[RecordedGame]:
    found = list(recorded_games(game.text, game.folder, game.path, game.before))
    for number, counted in enumerate(found, game.number):
        counted.path, counted.game = game.path, number
    if found:
        found[0].size = len(game.text)
    return found


def _lost(game: SourceGame) -> list[RecordedGame]:
    return [RecordedGame(Verdict.NOT_JUDGED, path=game.path, game=game.number, size=len(game.text))]


class Statistics:
    """The games of one archive, counted by rules and number of players.

    ``left_out`` are illegal and unjudged games.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.left_out: list[RecordedGame] = []
        self._games = 0
        self._counts: dict[Rules, tuple[PlayPlan, Pack, Counting]] = {}

    def add(self, game: RecordedGame) -> None:
        """Count a game and number it."""
        self._games += 1
        if game.outcome is None or game.rules is None:
            self.left_out.append(game)
            return
        game.outcome.number = self._games
        if game.rules not in self._counts:
            # Only logs in folders can name variant files.
            folder = Path(game.path).parent if game.rules.files else None
            plan = PlayPlan(game.rules.game, game.rules.players, (), 0, game.tags, folder)
            pack = rules_for(plan)
            shown = tuple(tag for tag in game.tags if tag[0] != "Rules")
            self._counts[game.rules] = replace(plan, tags=shown), pack, Counting(pack)
        self._counts[game.rules][2].add(game.outcome)

    def runs(self) -> dict[Rules, Run]:
        """Return the counts by rules, sorted by their names."""
        return {
            rules: Run(self.label, plan, pack, counting.tally())
            for rules, (plan, pack, counting) in sorted(
                self._counts.items(), key=lambda item: item[0]
            )
        }


def reports_of(first: Statistics, second: Statistics | None = None) -> list[Report]:
    """Group the counts into reports: by rules, or by pairs of rules of two archives.

    If each archive has one set of rules, the two are compared; otherwise equal ones are. Rules
    without a counterpart get a report of their own.
    """
    ours = first.runs()
    if second is None:
        return [[run] for run in ours.values()]
    theirs = second.runs()
    pairs: list[list[Rules | None]] = []
    for rules in ours:
        alone = [candidate for candidate in ours if _table(candidate) == _table(rules)] == [rules]
        others = [candidate for candidate in theirs if _table(candidate) == _table(rules)]
        same = rules if rules in theirs else None
        pairs.append([rules, others[0] if alone and len(others) == 1 else same])
    met = {other for _, other in pairs}
    pairs += [[None, rules] for rules in theirs if rules not in met]
    return [[*chain([ours[a]] if a else [], [theirs[b]] if b else [])] for a, b in pairs]


def _table(rules: Rules) -> tuple[str, int]:
    return rules.game, rules.players
