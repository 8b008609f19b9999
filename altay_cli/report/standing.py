"""Show the state and the course of a game, as text and JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from altay_cli.base.findings import Finding, filled
from altay_cli.report.json import dump
from altay_cli.report.terminal import STYLES, assumption, or_unknown, verdict
from altay_cli.report.text import (
    BOLD,
    Line,
    Style,
    listed,
    marked,
    pad,
    phrase,
    room_of,
    table,
    width,
    wrapped,
)
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.scoring.score import points_of
from altay_cli.view import model as m
from altay_cli.view.watching import LogLines, Moment, Points, Watched, moments_of, seen_changes

COLUMNS = 80
"""The maximum width of lines, and the width without a terminal."""

SEATS = ("cyan", "magenta", "green", "blue", "yellow", "red")
LABEL = 26
MINUS = "\N{MINUS SIGN}"


class ValueFormatter:
    """``things`` are all entities shown."""

    def __init__(self, things: m.Things) -> None:
        self.things = things

    def value(self, value: m.Value) -> str:
        """Return a value in words; empty if there is nothing."""
        if isinstance(value, bool):
            return "✓" if value else ""
        if isinstance(value, int | str):
            return str(value)
        parts = [self._counted(ref, count) for ref, count in value.known]
        if value.unknown or value.more != 0:
            low, more = value.unknown, value.more
            count = phrase("{low} to {high}", low=low, high=low + more) if more else str(low)
            parts.append(phrase("{count} unknown", count="?" if more is None else count))
        return (" > " if value.ordered else ", ").join(parts)

    def _counted(self, ref: m.Ref, count: int) -> str:
        if not ref:
            return phrase("{count} unknown", count=count)
        name = self.things[ref].name
        return name if count == 1 else f"{count}× {name}"

    def cell(self, cell: m.Cell) -> str:
        """Return a field on one line, its groups divided by semicolons."""
        return "; ".join(filter(None, (self.group(group) for group in cell.groups)))

    def group(self, group: m.CellGroup) -> str:
        """Return a group: owner, splay, contents."""
        items = self.value(group.items)
        if group.of is None:
            return items
        of = self.value(group.of)
        if group.splay not in {None, "none"}:
            of += f" ({group.splay})"
        if isinstance(group.of, m.Heap) and isinstance(group.items, int):
            return f"{of} {items}"
        return f"{of}: {items}" if items else of

    def change(self, before: m.Cell | None, after: m.Cell | None) -> str:
        """Return the change of a field: `+2 …, −…`, `3 → 4`, or the new value."""
        old, new = (
            {group.of: group for group in (() if cell is None else cell.groups)}
            for cell in (before, after)
        )
        changes = (
            self._changed(group, old.get(of), new.get(of)) for of, group in (new | old).items()
        )
        return "; ".join(filter(None, changes))

    def _changed(self, there: m.CellGroup, old: m.CellGroup | None, new: m.CellGroup | None) -> str:
        if old == new:
            return ""
        of = "" if there.of is None else self.value(there.of)
        # A missing group equals an empty one of the same kind.
        nothing = there._replace(items=type(there.items)())
        gained = self._difference(old or nothing, new or nothing)
        if not of:
            return gained
        if old is None or new is None:
            sign = "+" if old is None else MINUS
            return f"{sign}{of}" + (f" ({gained})" if gained else "")
        return f"{of}: {gained}" if gained else of

    def _difference(self, old: m.CellGroup, new: m.CellGroup) -> str:
        before, after = old.items, new.items
        if isinstance(after, bool):
            return "" if after else phrase("no more")
        if isinstance(before, m.Heap) and isinstance(after, m.Heap):
            if old.splay != new.splay:
                return f"→ {new.splay}"
            if before == after:
                return ""
            if before.more == after.more:
                return ", ".join(self._moved(before, after)) or phrase("in another order")
        return f"{self.value(before)} → {self.value(after)}".strip()

    def _moved(self, old: m.Heap, new: m.Heap) -> list[str]:
        changes = Counter[m.Ref]()
        for heap, way in ((new, 1), (old, -1)):
            unnamed = [("", heap.unknown)] if heap.unknown else []
            for ref, count in (*heap.known, *unnamed):
                changes[ref] += way * count
        return [
            sign + self._counted(ref, abs(change))
            for sign, way in (("+", 1), (MINUS, -1))
            for ref, change in changes.items()
            if change * way > 0
        ]


@dataclass(frozen=True, slots=True)
class Shown:
    """A state to show, as ``viewer`` knows it."""

    title: str
    stage: m.Setting
    scene: m.Scene
    outcomes: Outcomes
    things: m.Things
    viewer: str | None = None


def state_lines(shown: Shown) -> Iterator[str]:
    """Yield the position: maps, table, players, points."""
    formatter = ValueFormatter(shown.things)
    players = shown.stage.players
    styles = {player: Style(SEATS[seat % len(SEATS)]) for seat, player in enumerate(players)}
    names = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
    pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)")
    people = partial(marked, pattern=pattern, style=styles.__getitem__)
    yield from wrapped(shown.title, room_of(COLUMNS))
    yield from map(people, wrapped(course(shown), room_of(COLUMNS)))
    for board in shown.stage.boards:
        yield from ("", Line((board.title, BOLD)))
        yield from map(people, _squares(shown, board) or _place_lines(shown, board, formatter))
    if common := list(_field_lines(shown, formatter, "table", "")):
        yield from ("", Line((phrase("On the table"), BOLD)), *common)
    for player in players:
        yield from ("", people(player), *_field_lines(shown, formatter, "player", player))
    yield from map(people, _score_lines(shown))


def course(shown: Shown) -> str:
    """Return round, player in turn, and pending decisions."""
    scene = shown.scene
    words = [phrase("round {round}", round=scene.round)] if scene.round else []
    if scene.ended:
        words.append(phrase("the game has ended"))
    elif scene.active is not None:
        words.append(phrase("{player}'s turn", player=scene.active))
    words += [
        phrase("{player} decides: {title}", player=decision.player, title=decision.title)
        for decision in scene.due
    ]
    if shown.viewer is not None:
        words.append(phrase("as {player} knows it", player=shown.viewer))
    return _capitalised("; ".join(words))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _field_lines(shown: Shown, formatter: ValueFormatter, part: str, where: str) -> Iterator[str]:
    label = min(LABEL, room_of(COLUMNS) // 3)
    indent = " " * (label + 4)
    for _, info, cell in shown.stage.cells(shown.scene, part, where):
        if text := formatter.cell(cell):
            head, (first, *rest) = indent, wrapped(text, room_of(COLUMNS) - label - 4)
            if width(info.title) <= label:
                head = f"  {pad(info.title, label)}  "
            else:
                yield f"  {info.title}"
            yield from (head + first, *(indent + line for line in rest))


def _score_lines(shown: Shown) -> Iterator[str]:
    outcomes = shown.outcomes
    if any(player.categories for player in outcomes.first.players):
        yield from ("", Line((phrase("Points so far"), BOLD)))
        if outcomes.open:
            yield from wrapped(f"  {assumption(outcomes)}", room_of(COLUMNS), "  ")
        points = points_of(outcomes.first)
        titles = {**outcomes.first.titles, "total": phrase("Total")}
        rows = [
            [phrase("Category"), *points],
            *([titles[key], *(or_unknown(of[key]) for of in points.values())] for key in titles),
        ]
        lines = table(rows, range(1, len(rows[0])), room_of(COLUMNS) - 2)
        yield from (f"  {line}" for line in lines)
    if shown.scene.ended:
        yield from ("", *wrapped(verdict(outcomes, over=True), room_of(COLUMNS)))


def _squares(shown: Shown, board: m.Board) -> list[str]:
    """Return nothing if signs on squares do not suit the board."""
    if board.shape != "square" or not board.places:
        return []
    signs: dict[tuple[m.Value | None, m.Ref | int], str] = {}
    rows: dict[float, list[tuple[float, m.MapPlace, str]]] = {}
    for place in board.places:
        here = []
        for ident, info, cell in shown.stage.cells(shown.scene, "map", board.id, place.ref):
            for group in cell.groups:
                items = group.items
                if isinstance(items, m.Heap) and not items.unknown:
                    signed: list[tuple[m.Ref | int, str]] = [
                        (ref, shown.things[ref].look.sign or shown.things[ref].name[:2])
                        for ref, count in items.known
                        for _ in range(count)
                    ]
                elif isinstance(items, bool):
                    signed = [(f"{board.id}.{ident}", info.look.sign or info.title[:1])] * items
                elif isinstance(items, int):
                    signed = [(items, str(items))]
                else:
                    return []
                owner = ""
                if isinstance(group.of, m.Heap) and len(group.of.known) == 1:
                    owner = shown.things[group.of.known[0][0]].name[:1]
                for thing, sign in signed:
                    signs[group.of, thing] = sign + owner
                    here.append(sign + owner)
        rows.setdefault(round(place.y, 4), []).append((place.x, place, "".join(here) or "·"))
    if len(set(signs.values())) < len(signs):
        return []
    return _grid(shown, [sorted(rows[y], key=lambda item: item[0]) for y in sorted(rows)])


def _grid(shown: Shown, rows: Sequence[Sequence[tuple[float, m.MapPlace, str]]]) -> list[str]:
    lines = [[shown.things[row[0][1].ref].name, *(sign for _, _, sign in row)] for row in rows]
    lines.append(["", *(shown.things[place.ref].name for _, place, _ in rows[-1])])
    wide = [max(map(width, column)) for column in zip(*lines, strict=False)]
    fits = len(set(map(len, lines))) == 1 and sum(wide) + 2 * len(wide) <= room_of(COLUMNS)
    return [f"  {'  '.join(map(pad, line, wide))}".rstrip() for line in lines] if fits else []


def _place_lines(shown: Shown, board: m.Board, formatter: ValueFormatter) -> Iterator[str]:
    fields = shown.stage.fields_of("map", board.id)
    grounds = [place.ground for place in board.places if place.ground is not None]
    ground = [shown.things[ref].kind.capitalize() for ref in grounds[:1]]
    rows = [[phrase("Place"), *ground, *(info.title for info in fields.values())]]
    for place in board.places:
        cells = shown.stage.cells(shown.scene, "map", board.id, place.ref)
        texts = dict.fromkeys(fields, "") | {
            ident: formatter.cell(cell) for ident, _, cell in cells
        }
        below = "" if place.ground is None else shown.things[place.ground].name
        rows.append([shown.things[place.ref].name, *([below] if grounds else []), *texts.values()])
    yield from (f"  {line}" for line in table(rows, most=room_of(COLUMNS) - 2))


def state_document(shown: Shown, path: str, number: int, errors: int) -> str:
    """Return a state as JSON (docs/json.md)."""
    scene, points = shown.scene, points_of(shown.outcomes.first)
    document = {
        "path": path,
        "game": number,
        "round": scene.round,
        "active": scene.active,
        "ended": scene.ended,
        "due": [*map(asdict, scene.due)],
        "as": shown.viewer,
        "errors_before": errors,
        "maps": {board.id: _board_document(shown, board) for board in shown.stage.boards},
        "table": _cells(shown, "table"),
        "players": {p: {**_cells(shown, "player", p), "points": of} for p, of in points.items()},
    }
    return dump(document)


def _board_document(shown: Shown, board: m.Board) -> dict[str, object]:
    things = shown.things
    places = {
        place.ref.partition(" ")[2]: {
            "name": things[place.ref].name,
            "ground": place.ground and things[place.ground].name,
            "joined": [ref.partition(" ")[2] for ref in place.joined],
            **_cells(shown, "map", board.id, place.ref),
        }
        for place in board.places
    }
    return {"title": board.title, "places": places}


def _cells(shown: Shown, part: str, where: str = "", place: m.Ref = "") -> dict[str, object]:
    cells = shown.stage.cells(shown.scene, part, where, place)
    return {"fields": {ident: cell_document(cell, shown.things) for ident, _, cell in cells}}


def cell_document(cell: m.Cell, things: m.Things) -> list[dict[str, object]]:
    """Return the contents of a field, group by group."""
    return [
        filled({
            "of": None if group.of is None else value_document(group.of, things),
            "items": value_document(group.items, things),
            "splay": group.splay,
        })
        for group in cell.groups
    ]  # fmt: skip


def value_document(value: m.Value, things: m.Things) -> object:
    """Return a number, a text, a mark, or entities with counts."""
    if not isinstance(value, m.Heap):
        return value
    there = [
        {"kind": kind, "id": ident, "name": things[ref].name, "count": count}
        for ref, count in value.known
        for kind, _, ident in [ref.partition(" ")]
    ]
    more = {} if value.more == 0 else {"more": value.more}
    return {"things": there, "unknown": value.unknown, **more}


COME, GONE = Style("green", bold=False), Style("red", bold=False)
_MOVED = re.compile(rf"(?<= )[+{MINUS}][^,;]*")


class Retelling:
    """Retells a game with the knowledge of ``viewer``; without one, everything."""

    def __init__(
        self, watched: Watched, findings: Sequence[Finding], viewer: str | None = None
    ) -> None:
        self.watched = watched
        self.viewer = viewer
        self.formatter = ValueFormatter(watched.things)
        self.text = LogLines(watched)
        self.by_moment: dict[int, list[Finding]] = {}
        for number, finding in zip(moments_of(watched, findings), findings, strict=True):
            self.by_moment.setdefault(number, []).append(finding)

    def lines(self) -> Iterator[str]:
        """Yield points at the start of each turn, and the changes of every move."""
        points: Points | None = None
        before = self.watched.opening_points
        shown_round = now = self.watched.opening.round
        player: str | None = None
        yield from self._findings(-1)
        for number, moment in enumerate(self.watched.moments):
            if moment.heading or now != shown_round:
                if before != points and any(before):
                    yield from self._points(before)
                    points = before
                yield ""
                if not moment.heading:  # automatic turns have no headings
                    yield Line((_capitalised(phrase("round {round}", round=now)), BOLD))
                    player = None
                shown_round = moment.round if moment.heading else now
            yield from self._move_lines(moment, player)
            yield from self._findings(number)
            before, now = moment.points, moment.round
            player = moment.active if moment.heading else player
        if before != points and any(before):
            yield from self._points(before)

    def _points(self, points: Points) -> Iterator[str]:
        totals = self._totals(points).items()
        text = listed(f"{player} {or_unknown(total)}" for player, total in totals)
        yield from wrapped(f"  = {phrase('Points so far')}: {text}", room_of(COLUMNS), "    ")

    def _move_lines(self, moment: Moment, player: str | None) -> Iterator[str]:
        """Name the player unless that is ``player``."""
        text = self.text.sentence(moment.statement, self.viewer)
        if moment.player not in {None, player} and not moment.heading:
            text = text if moment.statement.actor else f"{moment.player}: {text}"
        if moment.heading:
            yield from (Line((line, BOLD)) for line in wrapped(text, room_of(COLUMNS), "  "))
        else:
            yield from wrapped(f"  {text}", room_of(COLUMNS), "    ")
        for sentence in moment.tells:
            yield from wrapped(f"      {sentence}", room_of(COLUMNS), "        ")
        for change in self._changes(moment):
            for line in wrapped(f"      {change}", room_of(COLUMNS), "        "):
                yield marked(line, _MOVED, lambda match: GONE if match[0] == MINUS else COME)

    def _findings(self, number: int) -> Iterator[str]:
        for finding in self.by_moment.get(number, ()):
            severity = phrase(finding.severity.value)
            # A message may describe things that another player hides.
            message = f"{finding.message} " if self.viewer is None else ""
            head = f"      ! {finding.span.line}: {severity}: {message}[{finding.rule}]"
            for line in wrapped(head, room_of(COLUMNS), "        "):
                yield Line((line, STYLES[finding.severity]))

    def _changes(self, moment: Moment) -> Iterator[str]:
        groups: dict[str, list[str]] = {}
        for at, change in seen_changes(self.watched.stage, moment.changes, self.viewer):
            info = self.watched.stage.fields[at.key]
            if info.in_replay:
                about = self.formatter.things[at.place].name if at.part == "map" else at.where
                text = f"{info.title} {self.formatter.change(*change)}".rstrip()
                groups.setdefault(f"{about}: " if about else "", []).append(text)
        yield from (f"{about}{'; '.join(texts)}" for about, texts in groups.items())

    def document(self, path: str, number: int) -> str:
        """Return the game as JSON (docs/json.md)."""
        watched = self.watched
        document = {
            "path": path,
            "game": number,
            "as": self.viewer,
            "players": list(watched.stage.players),
            "points": self._totals(watched.opening_points),
            "moves": [self._move(moment) for moment in watched.moments],
            "complete": not watched.cut,
        }
        return dump(document)

    def _totals(self, points: Points) -> dict[str, int | None]:
        return {
            player: None if None in row else sum(filter(None, row))
            for player, row in zip(self.watched.stage.players, points, strict=False)
        }

    def _move(self, moment: Moment) -> dict[str, object]:
        statement, stage, things = moment.statement, self.watched.stage, self.watched.things
        return {
            "line": statement.line,
            "column": statement.column,
            "statement": self.text.sentence(statement, self.viewer),
            "heading": moment.heading,
            "round": moment.round,
            "player": moment.player,
            "ended": moment.ended,
            "due": [*map(asdict, moment.due)],
            "tells": list(moment.tells),
            "changes": [
                {
                    "part": at.part,
                    "where": at.where or None,
                    "place": at.place.partition(" ")[2] or None,
                    "field": at.field,
                    "told": self.formatter.change(before, after),
                    "before": None if before is None else cell_document(before, things),
                    "after": None if after is None else cell_document(after, things),
                }
                for at, (before, after) in seen_changes(stage, moment.changes, self.viewer)
            ],
            "points": self._totals(moment.points),
        }
