"""Turn a judged game into rows of the tables in ``report.tables``."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity, Verdict, errors_of
from altay_cli.base.values import ALL_KNOWN, Bag, Drawn, Entity
from altay_cli.checking.check import GameReport
from altay_cli.match.match import Match, Watcher
from altay_cli.match.readings import Reading
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.layout import Layout
from altay_cli.pack.model import Pack, Zone
from altay_cli.report.tables import CHANGES, Row, Rows
from altay_cli.scoring.outcomes import Outcomes, ranks
from altay_cli.scoring.score import points_of

HIDDEN = "?"
"""The id of an unidentified entity."""

MOST = 2**63
"""Numbers in a column are less than this."""

Place = tuple[int, int]
"""The line and column where a statement begins."""

_SHOWN_TAGS = ("event", "site", "date")


class _Judged(NamedTuple):
    statement: Statement
    round: int | None
    readings: Sequence[Reading]
    actor: Entity | None


@dataclass(slots=True)
class _Noted:
    """Notes by the identity of statements."""

    record: GameRecord
    match: Match
    turns: dict[int, _Judged] = field(default_factory=dict)
    setup: dict[int, list[Reading]] = field(default_factory=dict)


class Observer:
    """Notes how games are judged; pass ``watch`` to ``CheckSettings``."""

    def __init__(self) -> None:
        self._last: _RowWatcher | None = None

    def watch(self, record: GameRecord, match: Match) -> None:
        """Start to take notes; the last match of a game counts."""
        self._last = _RowWatcher(record, match)

    def rows_of(self, report: GameReport, *, changes: bool = False) -> Rows:
        """Return the rows of the last game; with ``changes``, of all tables."""
        watcher, self._last = self._last, None
        noted = None if watcher is None or report.played is None else watcher.finish()
        statements = [] if noted is None else [*_statements(noted.record)]
        rows: dict[str, Sequence[Row]] = {
            "games": [_game_row(report)],
            "players": [] if report.outcomes is None else [*_player_rows(report, report.outcomes)],
            "scores": [] if report.outcomes is None else [*_score_rows(report.outcomes)],
            "findings": [*_finding_rows(report.findings, statements)],
            "statements": [] if noted is None else [*_statement_rows(report, noted, statements)],
        }
        if changes:
            rows[CHANGES] = [] if noted is None else _change_rows(noted.match, statements)
        if noted is not None:
            # A reference cycle holds the state: free its journal without waiting for the collector.
            noted.match.course.clear()
            noted.match.state.journal.forget()
        return rows


def rows_of_lost(finding: Finding) -> Rows:
    """Return the rows of a game that could not be judged because of ``finding``."""
    return Observer().rows_of(GameReport({}, [finding]))


class _RowWatcher(Watcher):
    def __init__(self, record: GameRecord, match: Match) -> None:
        self.noted = _Noted(record, match)
        self._turns = self.noted.turns
        self._match = match
        self._round_of = match.pack.standing["round"]
        self._headings = {id(section.heading) for section in record.sections}
        self._statement: Statement | None = None
        self._round: int | None = None
        match.watcher = self

    def before(self, statement: Statement) -> None:
        found = self._match.state.uncharged(self._round_of)
        now = (found or None) if isinstance(found, int) else None
        if self._statement is not None:
            self._note(now)
        self._statement, self._round = statement, now

    def on_move(self, reading: Reading) -> None:
        if self._statement is None:
            statement = self._match.report.context.statement
            if statement is not None:
                self.noted.setup.setdefault(id(statement), []).append(reading)

    def on_rewind(self, statement: Statement) -> None:
        noted, self._statement = self.noted, None
        if not noted.match.state.players:
            noted.setup.clear()
        first = _place(statement)
        for key in [
            key for key, judged in noted.turns.items() if _place(judged.statement) >= first
        ]:
            del noted.turns[key]

    def finish(self) -> _Noted:
        if self._statement is not None:
            self._note(self._round)
        self._match.watcher = None
        return self.noted

    def _note(self, now: int | None) -> None:
        """``now`` is the round after the statement."""
        statement, match = self._statement, self._match
        assert statement is not None
        key = id(statement)
        # The round of a heading is that of the turn it begins.
        number = now if key in self._headings else self._round
        actor = match.report.context.actor
        self._turns[key] = _Judged(statement, number, (*match.made,), actor)


def _place(statement: Statement) -> Place:
    return statement.line, statement.column


def _game_row(report: GameReport) -> Row:
    played, outcomes = report.played, report.outcomes
    pack = None if played is None else played.state.pack
    found = Counter(finding.severity for finding in report.findings)
    tags = {name: [v] if isinstance(v, str) else [*v] for name, v in report.tags.items()}
    folded = {name.casefold(): values[0] for name, values in reversed(tags.items())}
    won = _winners(report)
    return (
        None if pack is None else pack.id,
        None if pack is None else pack.version,
        None if pack is None else [name for name, _ in pack.variants],
        *map(folded.get, _SHOWN_TAGS),
        tags,
        len(played.state.players) or None if played is not None else None,
        report.verdict.value,
        None if played is None else "wholly" if report.recorded else "partly",
        None if played is None else played.ended,
        None if played is None else played.state.round,
        None if played is None else played.moves,
        won,
        None if won is None or outcomes is None else outcomes.first.decided_by,
        *(found[severity] for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)),
        report.ignored,
    )


def _winners(report: GameReport) -> list[str] | None:
    """Return None if the game has not ended or the log leaves it open."""
    played, outcomes = report.played, report.outcomes
    if played is None or outcomes is None or not played.ended:
        return None
    first = outcomes.first
    same = outcomes.complete and all(
        (outcome.standing.winners, outcome.standing.decided_by) == (first.winners, first.decided_by)
        for outcome in outcomes.all
    )
    return [*first.winners] if same and first.decided_by != "open" else None


def _player_rows(report: GameReport, outcomes: Outcomes) -> Iterator[Row]:
    first, won, places = outcomes.first, _winners(report), ranks(outcomes)
    teams = {name: team.name for team in first.teams for name in team.players}
    totals = points_of(first)
    for seat, player in enumerate(first.players, 1):
        wins = None if won is None else player.player in won
        yield (
            seat,
            player.player,
            None if player.plays is None else player.plays.id,
            teams.get(player.player) or None,
            places.get(player.player),
            totals[player.player]["total"] if report.played and report.played.state.pack.categories
            else None,
            wins,
            None if wins is None else 1 / first.sides if wins else 0.0,
        )  # fmt: skip


def _score_rows(outcomes: Outcomes) -> Iterator[Row]:
    points = points_of(outcomes.first)
    for seat, (player, scores) in enumerate(points.items(), 1):
        for category, number in scores.items():
            if category != "total":
                yield seat, player, category, number


class _Numbered(NamedTuple):
    number: int
    kind: SectionKind
    is_heading: bool
    turn: int | None
    statement: Statement


def _statements(record: GameRecord) -> Iterator[_Numbered]:
    number = turn = 0
    for section in record.sections:
        turn += section.kind is SectionKind.TURN
        for statement in (section.heading, *section.statements):
            number += 1
            yield _Numbered(
                number,
                section.kind,
                statement is section.heading,
                turn if section.kind is SectionKind.TURN else None,
                statement,
            )


def _owners(findings: Sequence[Finding], statements: Sequence[_Numbered]) -> list[int | None]:
    begins = [_place(item.statement) for item in statements]
    numbers: list[int | None] = []
    for finding in findings:
        at = bisect_right(begins, (finding.span.line, finding.span.column)) - 1
        span = statements[at].statement.span() if at >= 0 else None
        inside = span is not None and (finding.span.line, finding.span.column) < (
            span.end_line,
            span.end_column,
        )
        numbers.append(statements[at].number if inside and not finding.file else None)
    return numbers


def _finding_rows(findings: Sequence[Finding], statements: Sequence[_Numbered]) -> Iterator[Row]:
    owners = _owners(findings, statements)
    for number, (finding, owner) in enumerate(zip(findings, owners, strict=True), 1):
        yield (
            number,
            owner,
            finding.rule,
            finding.severity.value,
            str(finding.message),
            *finding.span,
            finding.round or None,
            finding.player,
            {book: str(page) for book, page in finding.cite.items()},
            finding.ruling,
            [str(line) for line in finding.help],
        )


def _statement_rows(
    report: GameReport, noted: _Noted, statements: Sequence[_Numbered]
) -> Iterator[Row]:
    errors = errors_of(report.findings)
    wrong = set(_owners(errors, statements))
    judged = report.verdict is not Verdict.NOT_JUDGED
    turns, setup = noted.turns, noted.setup
    for number, kind, is_heading, turn, statement in statements:
        found = turns.get(id(statement))
        player: Entity | None = None
        readings: Sequence[Reading] = ()
        if found is not None:
            _, found_round, readings, player = found
        else:
            found_round = None
            if tried := setup.get(id(statement)):
                readings = tried[-tried[-1].parsed.repetitions :]
        move: tuple[object, ...] = _NO_MOVE
        if readings:
            last = readings[-1]
            move = last.parsed.move.id, len(readings), *_named(readings)
            me = last.values.get("me")
            player = me if isinstance(me, Entity) else player
        legal = found is not None if turn is not None else judged
        yield (
            number,
            kind.value,
            is_heading,
            turn,
            found_round,
            statement.line,
            statement.column,
            None if player is None else player.id,
            *move,
            False if number in wrong else True if legal else None,
            statement.text,
        )


_NO_MOVE = (None,) * 5


def _named(readings: Sequence[Reading]) -> tuple[list[str], list[int], list[str] | None]:
    """Return ids, numbers, and chance results."""
    things: list[str] = []
    numbers: list[int] = []
    drawn: list[str] | None = None
    for reading in readings:
        values = reading.values
        for name in reading.parsed.move.slots:
            value = values.get(name)
            kind = type(value)
            if kind is Entity:
                things.append(value.id)  # type: ignore[union-attr]
            elif isinstance(value, Drawn):
                if value.items is not None:
                    drawn = drawn or []
                    for written in value.items:
                        known = written.entities[0].id if written.entities else HIDDEN
                        drawn += [known] * written.count
            elif kind is int:
                numbers += [value] * (-MOST <= value < MOST)  # type: ignore[list-item, operator]
            else:
                things += _ids(value)
    return things, numbers, drawn


def _ids(value: object) -> list[str]:
    if isinstance(value, Entity):
        return [value.id if value.known else HIDDEN]
    if isinstance(value, Bag):
        names: list[str] = []
        for thing, count in value.items():
            names += [thing.id if thing.known else HIDDEN] * count
        return names + [HIDDEN] * value.unknown.hidden
    if isinstance(value, tuple | list):
        return [name for part in value for name in _ids(part)]
    return []


def _change_rows(match: Match, statements: Sequence[_Numbered]) -> list[Row]:
    state = match.state
    cells, entries = state.cells, state.entries
    numbers = {_place(item.statement): item.number for item in statements}
    of_cell = state.layout.zones
    first, known = state.layout.zones.count(-1), len(of_cell)
    places = _Places(state.pack, state.players)
    later: dict[int, object] = {}
    found: list[list[Row]] = []
    end = len(entries)
    for mark, statement in reversed(match.course):
        after: dict[int, object] = {}
        for cell, before in reversed(entries[mark:end]):
            if first <= cell < known:
                if cell not in after:
                    after[cell] = later[cell] if cell in later else cells[cell]
                later[cell] = before
        end = min(end, mark)
        if after:
            number = numbers.get(_place(statement))
            found.append(
                [
                    (number, *places[cell], thing, old, new)
                    for cell in sorted(after)
                    for thing, old, new in _differences(later[cell], after[cell])
                ]
            )
    return [row for rows in reversed(found) for row in rows]


class _Places(dict[int, tuple[str, str, list[str]]]):
    """By the number of a cell: zone, value types, and owners' ids."""

    def __init__(self, pack: Pack, players: Sequence[Entity]) -> None:
        super().__init__()
        self._pack = pack
        self._zones = pack.cached(Layout).zones
        self._things = _things(pack, players)

    def __missing__(self, cell: int) -> tuple[str, str, list[str]]:
        zone = self._pack.zones[self._zones[cell]]
        self[cell] = zone.name, zone.shape, _keys(zone, cell, self._things)
        return self[cell]


def _things(pack: Pack, players: Sequence[Entity]) -> Mapping[str, Mapping[int, str]]:
    kinds = {
        kind: {entity.index: entity.id for entity in listed}
        for kind, listed in pack.entities.items()
    }
    return {**kinds, "player": {player.index: player.id for player in players}}


def _keys(zone: Zone, cell: int, things: Mapping[str, Mapping[int, str]]) -> list[str]:
    rest, keys = cell - zone.cells[0], []
    for kind, step in zip(zone.per, zone.steps, strict=True):
        index, rest = divmod(rest, step)
        keys.append(things.get(kind, {}).get(index - 1, ""))
    return keys


def _differences(old: object, new: object) -> Iterator[tuple[str | None, int | None, int | None]]:
    """Yield changed entities, with the counts before and after."""
    if isinstance(old, int) or isinstance(new, int):
        before, after = (int(value) if isinstance(value, int) else None for value in (old, new))
        if before != after:
            yield None, before, after
    elif isinstance(old, Bag) and isinstance(new, Bag) and _is_plain(old) and _is_plain(new):
        for thing, count in new.items():
            if old.get(thing, 0) != count:
                yield thing.id, old.get(thing, 0), count
        for thing, count in old.items():
            if thing not in new:
                yield thing.id, count, 0
    else:
        before_all, after_all = _counts(old), _counts(new)
        for name in {**before_all, **after_all}:
            if before_all[name] != after_all[name]:
                yield name, before_all[name], after_all[name]


def _is_plain(bag: Bag) -> bool:
    return bag.unknown is ALL_KNOWN and {*map(type, bag)} <= _PLAIN


_PLAIN = {Entity}


def _counts(value: object) -> Counter[str]:
    counts = Counter[str]()
    if isinstance(value, Bag):
        for thing, count in value.items():
            counts[thing.id if thing.known else HIDDEN] += count
        if value.unknown.hidden:
            counts[HIDDEN] += value.unknown.hidden
    elif isinstance(value, Entity):
        counts[value.id if value.known else HIDDEN] += 1
    elif isinstance(value, tuple):
        for part in value:
            counts.update(_counts(part))
    return counts
