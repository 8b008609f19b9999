"""Turn recorded games into outcomes that are counted like simulated ones.

Unrecorded values are missing, not zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.files import MAX_RULES, digest_of, read_regular
from altay_cli.base.findings import Verdict
from altay_cli.base.internal import build_safely
from altay_cli.base.values import Entity
from altay_cli.checking.check import CheckSettings, GameReport, check_games
from altay_cli.match.match import Match, Watcher
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.model import Pack
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.scoring.score import points_of
from altay_cli.simulation.measuring import Measures, Side, ending_of
from altay_cli.simulation.recording import variant_files
from altay_cli.simulation.simulated import Playout, PlayPlan

NOT_OVER_YET = "the log ends before the game does"
ONLY_RESULT = "only the result is recorded"


class Rules(NamedTuple):
    """The rules of a game; those with equal rules are counted together.

    options: tags of options that differ from the default.
    files: digest of the variant files.
    """

    game: str
    version: str
    variants: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    players: int
    files: bytes


@dataclass(slots=True)
class RecordedGame:
    """The counts of one recorded game; can be pickled.

    tags: those that name its rules, beside `Game`.
    outcome: None unless the game is legal.
    game: its number in the file ``path``, from 1.
    size: in characters.
    """

    verdict: Verdict
    rules: Rules | None = None
    tags: tuple[tuple[str, str], ...] = ()
    outcome: Playout | None = None
    path: str = ""
    game: int = 1
    size: int = 0


def recorded_games(
    text: str, folder: Path | None, path: str = "<text>", before: int = 0
) -> Iterator[RecordedGame]:
    """Judge the games of a text, and yield the counts of each.

    before: the number of lines in the file before the text.
    """
    watchers: list[_MoveCounter] = []

    def watch(record: GameRecord, match: Match) -> None:
        # If a game is read again, the last reading counts.
        watchers[:] = [_MoveCounter(record, match)]

    settings = CheckSettings(folder, watch=watch)
    for report in check_games(text, settings, path, before).games:
        yield build_safely(report, partial(_recorded, folder, watchers))
        watchers.clear()


class _MoveCounter(Watcher):
    def __init__(self, record: GameRecord, match: Match) -> None:
        self.record = record
        self.match = match
        self.measures = Measures(match.pack)
        # Each finished statement, its moves, and their measures by player.
        self.finished: list[tuple[Statement | None, int, list[_Count]]] = []
        self.statement: Statement | None = None
        self.setup_statement: Statement | None = None
        self.pending: list[tuple[Reading, list[_Count]]] = []
        match.watcher = self

    def before(self, statement: Statement) -> None:
        """Count the moves of the previous statement."""
        self._count()
        self.statement = statement

    def on_move(self, reading: Reading) -> None:
        """Note the measures of a move."""
        move, state = reading.parsed.move, self.match.state
        me = reading.values.get("me")
        player = me.id if isinstance(me, Entity) else ""
        values = MoveValues(reading.values, move, state)
        counts = self.measures.counts(state, move.id, values)
        if self.statement is None:
            self._begin_in_setup(self.match.report.context.statement)
        self.pending.append((reading, [(player, *count) for count in counts]))

    def _begin_in_setup(self, statement: Statement | None) -> None:
        if statement is not self.setup_statement:
            self._count()
            self.setup_statement = statement
        # Drop the first attempt at the same statement.
        made = self.match.made
        self.pending = [entry for entry in self.pending if any(entry[0] is other for other in made)]

    def on_rewind(self, statement: Statement) -> None:
        """Forget the counts from a statement on."""
        self.statement = None
        self.pending.clear()
        numbers = (number for number, entry in enumerate(self.finished) if entry[0] is statement)
        del self.finished[next(numbers, len(self.finished)) :]
        if not self.match.state.players:  # the setup starts again
            self.finished.clear()

    def _count(self) -> None:
        made = self.match.made
        counted = [
            counts
            for reading, counts in self.pending
            if self.statement is None or any(other is reading for other in made)
        ]
        moves = 0 if self.statement is None else len(counted)
        self.finished.append((self.statement, moves, [*chain(*counted)]))
        self.pending.clear()

    def finish(self) -> int:
        """Count the last statement; return the moves in turns."""
        self._count()
        self.match.watcher = None
        for _, _, counts in self.finished:
            for player, measure, thing in counts:
                self.measures.counted[player][measure, thing] += 1
        return sum(moves for _, moves, _ in self.finished)


_Count = tuple[str, str, str]
"""A player, a measure, and the counted thing."""


def _recorded(
    folder: Path | None, watchers: list[_MoveCounter], report: GameReport
) -> RecordedGame:
    played = report.played
    if played is None or not watchers:
        return RecordedGame(report.verdict)
    record, state = watchers[0].record, played.state
    players = len(report.standing.players if report.standing else state.players)
    options = tuple(_unusual_options(state.pack, state.options))
    named = [(tag.name.capitalize(), tag.value) for tag in record.tags]
    tags = [tag for tag in named if tag[0] in {"Variant", "Rules"}]
    plan = PlayPlan(state.pack.id, players, (), 0, (*tags, *options), folder)
    rules = Rules(
        state.pack.id,
        state.pack.version,
        state.pack.variants,
        options,
        players,
        _variants_digest(plan),
    )
    game = RecordedGame(report.verdict, rules, plan.tags)
    if report.outcomes is not None and report.verdict is Verdict.LEGAL:
        game.outcome = _outcome(report, report.outcomes, watchers[0])
    return game


def _unusual_options(pack: Pack, options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for option in pack.options.values():
        if option.tag and options.get(option.id, option.default) != option.default:
            yield option.tag, options[option.id]


@lru_cache(maxsize=64)
def _variants_digest(plan: PlayPlan) -> bytes:
    return b"".join(digest_of(read_regular(path, MAX_RULES)) for path in variant_files(plan))


def _outcome(report: GameReport, outcomes: Outcomes, counter: _MoveCounter) -> Playout:
    assert report.played is not None  # else there are no outcomes
    state, standing = report.played.state, outcomes.first
    kinds = {section.kind for section in counter.record.sections}
    on_pad = kinds == {SectionKind.RESULT}
    measures, moves = counter.measures, counter.finish()
    if SectionKind.POSITION in kinds:  # the moves before it are not recorded
        measures.unrecorded.update(
            measure.id for measure in state.pack.measures.values() if measure.moves
        )
    standings = [outcome.standing for outcome in outcomes.all]
    is_decided = (
        outcomes.complete and len({frozenset(standing.winners) for standing in standings}) == 1
    )
    decided = {standing.decided_by for standing in standings} if is_decided and not on_pad else ()
    points = [points_of(standing) for standing in standings]
    seats = {player.id: player for player in state.players}
    sides = []
    for name in (player.player for player in standing.players):
        known = {
            key: value
            for key, value in points[0][name].items()
            if value is not None
            and (outcomes.complete and all(totals[name][key] == value for totals in points))
        }
        total = known.pop("total", None)
        share = (1 / standing.sides if name in standing.winners else 0.0) if is_decided else None
        seat = state.players.index(seats[name]) + 1 if name in seats else None
        side = Side(seat, "", total, share, known)
        if name in seats:
            with state.exact_evaluation():
                measures.measure(state, seats[name], side)
        sides.append(side)
    ended = on_pad or report.played.ended
    end = ONLY_RESULT if on_pad else ending_of(state, standing) if ended else NOT_OVER_YET
    return Playout(
        0,
        ended and measures.fault is None,
        measures.fault or end,
        None if on_pad else state.round,
        None if on_pad or SectionKind.POSITION in kinds else moves,
        next(iter(decided)) if len(decided) == 1 else None,
        sides,
    )
