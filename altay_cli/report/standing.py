"""How a game stands, for a terminal of 80 columns and for programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from altay_cli.report.json import dump, filled
from altay_cli.report.shown import Teller
from altay_cli.report.terminal import verdict
from altay_cli.report.text import (
    BOLD,
    Line,
    Style,
    marked,
    pad,
    phrase,
    room_of,
    table,
    width,
    wrapped,
)
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.scoring.score import Standing
from altay_cli.view.model import (
    Board,
    Cell,
    Heap,
    MapPlace,
    Ref,
    Scene,
    Setting,
    Things,
    Value,
)

COLUMNS = 80
"""The maximum width of lines, and their width without a terminal."""

SEATS = ("cyan", "magenta", "green", "blue", "yellow", "red")
LABEL = 26
"""The maximum width of a field's title."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A state to tell: what it is of, and what is known of it.

    ``title`` is a heading for the game, ``viewer`` the player whose knowledge it is.
    """

    title: str
    stage: Setting
    scene: Scene
    outcomes: Outcomes
    things: Things
    viewer: str | None = None


# ---------------------------------------------------------------- for people


def state_lines(shown: Shown) -> Iterator[str]:
    """Yield how a game stands: maps, what lies on the table, the players, the points."""
    tell = Teller(shown.things)
    yield from wrapped(shown.title, room_of(COLUMNS))
    people = painter(shown.stage.players)
    yield from map(people, wrapped(course(shown), room_of(COLUMNS)))
    for board in shown.stage.boards:
        yield ""
        yield Line((board.title, BOLD))
        # Squares as a picture, all else as a table.
        yield from map(people, _squares(shown, board) or _place_lines(shown, board, tell))
    common = list(_field_lines(shown, tell, "table", ""))
    if common:
        yield ""
        yield Line((phrase("On the table"), BOLD))
        yield from common
    for player in shown.stage.players:
        yield ""
        yield people(player)
        yield from _field_lines(shown, tell, "player", player)
    yield from map(people, _score_lines(shown))


def painter(players: Sequence[str]) -> Callable[[str], Line]:
    """Return what sets the names of players apart, each in a colour of the terminal by its seat."""
    styles = {player: Style(SEATS[seat % len(SEATS)]) for seat, player in enumerate(players)}
    names = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
    pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)")
    return lambda text: marked(text, pattern, styles.__getitem__)


def course(shown: Shown) -> str:
    """Return where in the course of the game it stands: round, whose turn, what is due."""
    scene = shown.scene
    words = [phrase("round {round}", round=scene.round)] if scene.round else []
    if scene.ended:
        words.append(phrase("the game is over"))
    elif scene.active is not None:
        words.append(phrase("{player}'s turn", player=scene.active))
    words += [
        phrase("{player} decides: {title}", player=due.player, title=due.title) for due in scene.due
    ]
    if shown.viewer is not None:
        words.append(phrase("as {player} knows it", player=shown.viewer))
    text = "; ".join(words)
    return text[:1].upper() + text[1:]


def _field_lines(shown: Shown, tell: Teller, part: str, where: str) -> Iterator[str]:
    """Yield the fields of the table, or of a player; what holds nothing is left out."""
    for _, info, cell in shown.stage.cells(shown.scene, part, where):
        if text := tell.cell(cell):
            yield from _labelled(info.title, text)


def _labelled(title: str, text: str) -> Iterator[str]:
    label = min(LABEL, room_of(COLUMNS) // 3)
    indent = " " * (label + 4)
    if width(title) > label:
        yield f"  {title}"
        head = indent
    else:
        head = f"  {pad(title, label)}  "
    first, *rest = wrapped(text, room_of(COLUMNS) - label - 4)
    yield head + first
    yield from (indent + line for line in rest)


def _score_lines(shown: Shown) -> Iterator[str]:
    """Yield the points so far; who has won, where the game is over."""
    outcomes = shown.outcomes
    if any(player.categories for player in outcomes.first.players):
        yield ""
        yield Line((phrase("Points so far"), BOLD))
        if outcomes.open:
            assumed = phrase(
                "The scores depend on what is not recorded. This table is for: {assumed}",
                assumed="; ".join(outcomes.all[0].assumed),
            )
            yield from wrapped(f"  {assumed}", room_of(COLUMNS), "  ")
        yield from points_lines(outcomes.first)
    if shown.scene.ended:
        yield ""
        yield from wrapped(verdict(outcomes, over=True), room_of(COLUMNS))


def _squares(shown: Shown, board: Board) -> list[str]:
    """Return a board of squares with a sign for each thing; nothing if signs would not do."""
    if board.shape != "square" or not board.places:
        return []
    signs: dict[tuple[Value | None, Ref | int], str] = {}
    rows: dict[float, list[tuple[float, MapPlace, str]]] = {}
    for place in board.places:
        here = []
        for ident, info, cell in shown.stage.cells(shown.scene, "map", board.id, place.ref):
            for group in cell.groups:
                items = group.items
                if isinstance(items, Heap) and not items.unknown:
                    signed: list[tuple[Ref | int, str]] = [
                        (ref, shown.things[ref].looks.sign or shown.things[ref].name[:2])
                        for ref, count in items.known
                        for _ in range(count)
                    ]
                elif isinstance(items, bool):
                    mark = info.looks.sign or info.title[:1]
                    signed = [(f"{board.id}.{ident}", mark)] * items
                elif isinstance(items, int):
                    signed = [(items, str(items))]
                else:
                    return []
                owner = ""
                if isinstance(group.of, Heap) and len(group.of.known) == 1:
                    owner = shown.things[group.of.known[0][0]].name[:1]
                for thing, sign in signed:
                    signs[group.of, thing] = sign + owner
                    here.append(sign + owner)
        row = rows.setdefault(round(place.y, 4), [])
        row.append((place.x, place, "".join(here) or "·"))
    if len(set(signs.values())) < len(signs):
        return []
    return list(_grid(shown, [sorted(rows[y], key=lambda one: one[0]) for y in sorted(rows)]))


def _grid(shown: Shown, rows: Sequence[Sequence[tuple[float, MapPlace, str]]]) -> Iterator[str]:
    """Yield rows of squares; before each the name of its first one, below those of the last row."""
    lines = [[shown.things[row[0][1].ref].name, *(sign for _, _, sign in row)] for row in rows]
    lines.append(["", *(shown.things[place.ref].name for _, place, _ in rows[-1])])
    columns = max(map(len, lines))
    if any(len(line) < columns for line in lines):
        return
    wide = [max(width(line[i]) for line in lines) for i in range(columns)]
    if sum(wide) + 2 * columns > room_of(COLUMNS):
        return
    for line in lines:
        cells = (pad(text, wide[i]) for i, text in enumerate(line))
        yield f"  {'  '.join(cells)}".rstrip()


def _place_lines(shown: Shown, board: Board, tell: Teller) -> Iterator[str]:
    """Yield the places of a map as a table."""
    fields = shown.stage.fields_of("map", board.id)
    grounds = [place.ground for place in board.places if place.ground is not None]
    heading = [phrase("Place")]
    if grounds:
        heading.append(shown.things[grounds[0]].kind.capitalize())
    rows = [[*heading, *(info.title for info in fields.values())]]
    for place in board.places:
        row = [tell.name(place.ref)]
        if grounds:
            row.append("" if place.ground is None else tell.name(place.ground))
        cells = shown.stage.cells(shown.scene, "map", board.id, place.ref)
        texts = {ident: tell.cell(cell) for ident, _, cell in cells}
        rows.append([*row, *(texts.get(ident, "") for ident in fields)])
    yield from table(rows, most=COLUMNS, indent="  ")


def points_lines(standing: Standing) -> Iterator[str]:
    """Yield the points of the players so far, a line for each category."""
    players = standing.players
    titles = standing.titles.values()
    rows = [[phrase("Category"), *(player.player for player in players)]]
    for number, title in enumerate(titles):
        rows.append([title, *(str(player.categories[number].points) for player in players)])
    rows.append([phrase("Total"), *(str(player.total) for player in players)])
    yield from table(rows, range(1, len(rows[0])), COLUMNS, "  ")


# ---------------------------------------------------------------- for programs


def state_document(shown: Shown, path: str, number: int, errors: int) -> str:
    """Return a state as JSON; the shape is documented in docs/json.md and stays."""
    scene, stage = shown.scene, shown.stage
    things = shown.things
    return dump(
        {
            "path": path,
            "game": number,
            "round": scene.round,
            "active": scene.active,
            "ended": scene.ended,
            "due": [*map(asdict, scene.due)],
            "as": shown.viewer,
            "errors_before": errors,
            "maps": {
                board.id: {
                    "title": board.title,
                    "places": {
                        place.ref.partition(" ")[2]: {
                            "name": things[place.ref].name,
                            "ground": place.ground and things[place.ground].name,
                            "joined": [ref.partition(" ")[2] for ref in place.joined],
                            **_cells(shown, "map", board.id, place.ref),
                        }
                        for place in board.places
                    },
                }
                for board in stage.boards
            },
            "table": _cells(shown, "table", "", ""),
            "players": {
                player: {
                    **_cells(shown, "player", player, ""),
                    "points": {
                        **{one.category.id: one.points for one in score.categories},
                        "total": score.total,
                    },
                }
                for player in stage.players
                for score in [shown.outcomes.first.of(player)]
            },
        }
    )


def _cells(shown: Shown, part: str, where: str, place: Ref) -> dict[str, object]:
    cells = shown.stage.cells(shown.scene, part, where, place)
    return {"fields": {ident: cell_document(cell, shown.things) for ident, _, cell in cells}}


def cell_document(cell: Cell, things: Things) -> list[dict[str, object]]:
    """Return what a field shows, group by group."""
    return [
        filled({
            "of": None if group.of is None else value_document(group.of, things),
            "items": value_document(group.items, things),
            "splay": group.splay,
        })
        for group in cell.groups
    ]  # fmt: skip


def value_document(value: Value, things: Things) -> object:
    """Return a value: a number, a text, a mark, or things with their counts."""
    if not isinstance(value, Heap):
        return value
    return {
        "things": [
            {
                "kind": ref.partition(" ")[0],
                "id": ref.partition(" ")[2],
                "name": things[ref].name,
                "count": count,
            }
            for ref, count in value.known
        ],
        "unknown": value.unknown,
        **({} if value.more == 0 else {"more": value.more}),
    }
