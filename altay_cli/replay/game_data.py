"""The data of a replayed game, from which scripts draw it.

The data are differences between states. Entities, values, addresses and texts are in numbered
tables. The data of one player leave out what that player did not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from altay_cli.base.findings import filled
from altay_cli.base.translations import template
from altay_cli.checking.check import FileReport, GameReport
from altay_cli.pack.looks import Field
from altay_cli.report.maps import OUTLINES, Drawing, Marker, colours, ink_on
from altay_cli.report.standing import ValueFormatter
from altay_cli.report.terminal import citation, derivation, verdict
from altay_cli.report.text import language
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.view import watching
from altay_cli.view.model import Address, Arrow, Board, Cell, Due, Face, Heap, Ref, Value, masked

ASSETS = Path(__file__).parent / "assets"

_Key = TypeVar("_Key")
_KINDS = {"other": 0, "statement": 1, "comment": 2}
# Tags that reveal nothing hidden; other tags may hold any text.
_OPEN_TAGS = ("game", "event", "site", "date", "round", "variant", "edition", "map", "rules")


class _Table(dict[_Key, int]):
    """Numbers items on first access; ``make`` builds the entry of each."""

    def __init__(self, make: Callable[[_Key], object]) -> None:
        super().__init__()
        self.make = make
        self.entries: list[object] = []

    def __missing__(self, key: _Key) -> int:
        number = self[key] = len(self.entries)
        self.entries.append(None)
        self.entries[number] = self.make(key)  # the entry may refer to its key
        return number


def game_documents(
    report: FileReport,
    games: Sequence[watching.Watched | None],
    maps: list[str],
    viewer: str | None = None,
) -> list[dict[str, object] | None]:
    """Return the data of each game, None if it cannot be shown; ``maps`` as in ``GameData``."""
    documents: list[dict[str, object] | None] = []
    for game, watched in zip(report.games, games, strict=True):
        documents.append(None)
        if watched is not None and (viewer is None or viewer in watched.stage.players):
            try:
                documents[-1] = GameData(game, watched, maps, viewer).document()
            except Exception as error:
                game.fail(error)
    return documents


def page_words() -> dict[str, str]:
    """Return the texts of the scripts by key; some are templates."""
    english: dict[str, str] = json.loads((ASSETS / "words.json").read_text(encoding="utf-8"))
    return {key: template(language(), text, "page") for key, text in english.items()}


def outlines() -> dict[str, list[tuple[float, float]]]:
    """Return the corners of the shapes of pieces."""
    return {shape: list(corners) for shape, corners in OUTLINES.items()}


class GameData:
    """The data of one game.

    maps: collects drawings of maps, each once; the data refers to them by number.
    viewer: the player whose knowledge is shown; None for everything.
    """

    def __init__(
        self, report: GameReport, watched: watching.Watched, maps: list[str], viewer: str | None
    ) -> None:
        self.report = report
        self.watched = watched
        self.maps = maps
        self.viewer = viewer
        self.stage = watched.stage
        self.value_text = ValueFormatter(watched.things)
        self.paint = colours(watched.things, self.stage.players)
        self.keys = list(self.stage.fields)
        self.drawings: dict[str, Drawing] = {}
        self.things = _Table(self._thing)
        self.values = _Table(self._value)
        self.addresses = _Table(self._address)
        self.texts = _Table(str)

    def document(self) -> dict[str, object]:
        """Return the data for the page."""
        watched, stage = self.watched, self.stage
        players = [self.things[f"player {name}"] for name in stage.players]
        boards = [self._board(board) for board in stage.boards]
        cells = [
            [self.addresses[at], self.value(at, cell)] for at, cell in watched.opening.cells.items()
        ]
        points = [watched.opening_points, *(moment.points for moment in watched.moments)]
        steps = [*map(self._step, watched.moments, points)]
        outcomes, opening = self.report.outcomes, watched.opening
        over = outcomes is not None and watched.moments and watched.moments[-1].ended
        tags = [
            (tag.name, tag.value)
            for tag in watched.record.tags
            if self.viewer is None or tag.name.casefold() in _OPEN_TAGS
        ]
        titles = [value for name, value in tags if name.casefold() in {"event", "date"}]
        return {
            "title": ", ".join(titles) or stage.title,
            "pack": stage.title,
            "tags": tags,
            "players": players,
            "viewer": self._seat(self.viewer),
            "categories": [] if outcomes is None else list(outcomes.first.titles.values()),
            "verdict": verdict(outcomes, over=True) if outcomes is not None and over else "",
            "result": self._result(outcomes) if outcomes is not None and over else None,
            "fields": [self._field(key, stage.fields[key]) for key in self.keys],
            "boards": boards,
            "icons": dict(stage.icons),
            "opening": {
                "cells": cells,
                "points": watched.opening_points,
                "round": opening.round,
                "active": self._seat(opening.active),
                "due": self._pending_decisions(opening.due),
                "ended": opening.ended,
            },
            "steps": steps,
            "findings": self._findings(),
            "log": [[line, *map(self._segment, segments)] for line, segments in self._rows()],
            "cut": watched.cut,
            "things": self.things.entries,
            "values": self.values.entries,
            "addresses": self.addresses.entries,
            "texts": self.texts.entries,
        }

    def _result(self, outcomes: Outcomes) -> dict[str, object]:
        """Return who won, the ranks, and how the points were counted: levels and texts.

        The page of one player has only that player's parts.
        """
        standing = outcomes.first
        lines = {
            player.player: [
                ((len(line) - len(line.lstrip(" "))) // 2, line.lstrip(" "))
                for line in derivation(standing, player)
            ]
            for player in standing.players
            if player.categories and self.viewer in {None, player.player}
        }
        order = [name for tied in standing.ranking for name in tied]
        order += [name for name in self.stage.players if name not in order]
        totals = {player.player: player.total for player in standing.players}
        return {
            "winners": [self._seat(name) for name in standing.winners],
            "decided": standing.titles.get(standing.decided_by, ""),
            "ranks": [
                [self._seat(name), standing.ranks.get(name), totals.get(name)] for name in order
            ],
            "lines": [[self._seat(name), lines[name]] for name in order if name in lines],
        }

    def _seat(self, name: str | None) -> int | None:
        return self.stage.players.index(name) if name in self.stage.players else None

    def _pending_decisions(self, due: Sequence[Due]) -> list[list[int | None]]:
        return [[self._seat(decision.player), self.texts[decision.title]] for decision in due]

    def _thing(self, ref: Ref) -> dict[str, object]:
        thing = self.watched.things[ref]
        colour = self.paint.get(ref)
        return {
            "ref": ref,
            "name": thing.name,
            "kind": thing.kind,
            "colour": colour,
            "ink": ink_on(colour, drawn=bool(thing.look.icon)) if colour else None,
            "shape": thing.look.shape,
            "sign": thing.look.sign,
            "cite": citation(thing.cite),
            "lines": [[title, self._encoded(value)] for title, value in thing.lines],
            **filled(
                {
                    "icon": thing.look.icon or None,
                    "badge": None if thing.badge is None else self.things[thing.badge],
                    **self._face(thing.face),
                }
            ),
        }

    def _face(self, face: Face | None) -> dict[str, object]:
        """Return cost, corner and effects of a card: icon, text, gives, amount, uses."""
        if face is None:
            return {}
        parts = [
            [
                effect.icon if effect.icon in self.stage.icons else None,
                effect.text,
                self._encoded(effect.gives),
                effect.amount or None,
                self._encoded(effect.uses),
            ]
            for effect in face.effects
        ]
        cost, corner = self._encoded(face.cost), self._encoded(face.corner)
        return {"card": 1, "cost": cost, "corner": corner, "parts": parts}

    def _address(self, at: Address) -> list[int | None]:
        place = self.things[at.place] if at.place else None
        owner = at.where if at.part == "player" else None
        return [self.keys.index(at.key), self._seat(owner), place]

    def value(self, at: Address, cell: Cell) -> int:
        """Return the number of a value; the value also says what others see."""
        return self.values[at.key if at.part == "map" else None, masked(cell, self.viewer)]

    def _value(self, shown_as: tuple[tuple[str, str, str] | None, Cell]) -> dict[str, object]:
        key, cell = shown_as
        shown: dict[str, object] = {}
        if key is not None:
            tokens = self.drawings[key[1]].tokens(cell, self.stage.fields[key])
            shown["tokens"] = [*map(self._token, tokens)]
            holder = self.drawings[key[1]].owner(key[2], cell)
            if holder is not None:
                shown["holder"] = holder
        else:
            shown["groups"] = [
                [self._encoded(group.of), self._encoded(group.items), group.splay]
                for group in cell.groups
            ]
        if cell.seen_by is not None and self.viewer is None:
            shown["seen"] = [*map(self._seat, cell.seen_by)]
            shown["hidden"] = self.values[key, masked(cell, "")._replace(seen_by=None)]
        return shown

    def _token(self, token: Marker) -> dict[str, object]:
        return {
            "shape": token.shape,
            "colour": token.colour,
            "ink": ink_on(token.colour, drawn=bool(token.icon)),
            "sign": token.sign[:6],
            "text": token.description,
            **filled({
                "icon": token.icon or None,
                "figure": token.figure or None,
                "count": token.copies,
                "seat": token.seat,
                "badge": None if token.badge is None else self._token(token.badge),
            }),
        }  # fmt: skip

    def _encoded(self, value: Value | None) -> object:
        """Return a number, text or flag as it is; a heap as entities and counts in turn."""
        if not isinstance(value, Heap):
            return value
        flat = [number for ref, count in value.known for number in (self.things[ref], count)]
        # How many more there may be, if any; null if unknown.
        more = [] if value.more == 0 else [value.more]
        return [flat, value.unknown, int(value.ordered), *more]

    def _field(self, key: tuple[str, str, str], info: Field) -> dict[str, object]:
        part, board, ident = key
        return {
            "part": part,
            "board": list(self.drawings).index(board) if part == "map" else None,
            "id": ident,
            "title": info.title,
            "cite": citation(info.cite),
            **filled({"role": self._role(key[0], info) or None, "icon": info.look.icon or None}),
        }

    def _role(self, part: str, info: Field) -> str:
        """Return how the page shows a field: in the "line" of the scoreboard, or as "cards".

        Hands are cards in games whose rules say nothing of it.
        """
        if any(field.role for field in self.stage.fields.values()):
            return info.role
        return "cards" if part == "player" and info.seen != "all" and info.in_replay else ""

    def _board(self, board: Board) -> dict[str, object]:
        drawing = Drawing(board, self.stage, self.watched.things)
        self.drawings[board.id] = drawing
        markup = drawing.live()
        if markup not in self.maps:
            self.maps.append(markup)
        grounds = dict.fromkeys(place.ground for place in board.places if place.ground)
        return {
            "id": board.id,
            "title": board.title,
            "map": self.maps.index(markup),
            "places": [self.things[place.ref] for place in board.places],
            "grounds": [self.things[ref] for ref in grounds],
        }

    def _step(self, moment: watching.Moment, before: watching.Points) -> dict[str, object]:
        return {
            "round": moment.round,
            "active": self._seat(moment.active),
            **filled({
                "heading": 1 if moment.heading else None,
                "player": self._seat(moment.player),
                "cells": [number for change in self._changes(moment) for number in change],
                "points": moment.points if moment.points != before else None,
                "due": self._pending_decisions(moment.due),
                "ended": 1 if moment.ended else None,
                "tells": [self.texts[text] for text in moment.tells],
                "arrow": self._arrow(moment.arrow),
            }),
        }  # fmt: skip

    def _arrow(self, arrow: Arrow | None) -> list[object] | None:
        """Return start, end and label of an arrow."""
        if arrow is None:
            return None
        return [self.things[arrow.start], self.things[arrow.end], arrow.label]

    def _changes(self, moment: watching.Moment) -> list[tuple[int, int, int, int]]:
        """Return per change: address, new value, its text, and the text for others; -1 for none."""
        changes = []
        everything = watching.seen_changes(
            self.stage, moment.changes, self.viewer, with_viewers=self.viewer is None
        )
        for at, (old, new) in everything:
            text = others = -1
            if self.stage.fields[at.key].in_replay:
                if watching.shows_change(old, new):
                    text = others = self.texts[self.value_text.change(old, new)]
                if (
                    any(cell is not None and cell.seen_by is not None for cell in (old, new))
                    and self.viewer is None
                ):
                    was, now = (None if cell is None else masked(cell, "") for cell in (old, new))
                    others = (
                        -1
                        if not watching.shows_change(was, now)
                        else self.texts[self.value_text.change(was, now)]
                    )
            value = -1 if new is None else self.value(at, new)
            changes.append((self.addresses[at], value, text, others))
        return changes

    def _findings(self) -> Sequence[dict[str, object]]:
        findings = self.report.findings
        entries = zip(
            watching.moments_of(self.watched, findings), findings, self.watched.gists, strict=True
        )
        message = ("message", "help") if self.viewer is None else ()
        return [
            {
                "step": number,
                "line": finding.span.line,
                "severity": finding.severity.value,
                "rule": finding.rule,
                "gist": gist,
                "cite": citation(finding.cite),
                **{name: getattr(finding, name) for name in message},
            }
            for number, finding, gist in entries
        ]

    def _rows(self) -> Sequence[watching.Row]:
        rows = list(watching.LogLines(self.watched).rows())
        if self.viewer is None:
            return rows
        # Comments and tags may reveal anything, so they are left out.
        return [
            (line, tuple(_statements(parts)))
            for line, parts in rows
            if any(part.kind == "statement" for part in parts)
        ]

    def _segment(self, segment: watching.Segment) -> list[object]:
        """Return kind, moment, who knows all, and pieces, each with what the others read."""
        known = self.viewer is None or self.viewer in segment.known_by
        both = self.viewer is None
        return [
            _KINDS[segment.kind],
            -1 if segment.moment is None else segment.moment,
            [*map(self._seat, segment.known_by)],
            *(
                piece if both and piece.veil is not None else piece.read_by(known=known)
                for piece in segment.pieces
            ),
        ]


def _statements(segments: Sequence[watching.Segment]) -> Iterator[watching.Segment]:
    between: list[watching.Segment] = []
    for segment in segments:
        if segment.kind == "statement":
            yield from (*between, segment)
            between = [watching.Segment("other", (watching.TextPart("; "),))]
