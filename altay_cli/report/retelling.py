"""A game retold turn by turn: what each move did, and the points so far."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from altay_cli.base.findings import Finding
from altay_cli.report.json import dump
from altay_cli.report.shown import MINUS, Teller
from altay_cli.report.standing import COLUMNS, cell_document
from altay_cli.report.terminal import STYLES
from altay_cli.report.text import BOLD, Line, Style, listed, marked, phrase, room_of, wrapped
from altay_cli.view.log_text import LogLines
from altay_cli.view.model import Address
from altay_cli.view.watching import Change, Moment, Points, Watched, places_of, seen_changes

COME, GONE = Style("green", bold=False), Style("red", bold=False)
"""How a terminal sets apart what was gained and what was lost."""

_MOVED = re.compile(rf"(?<= )[+{MINUS}][^,;]*")


class Retelling:
    """Retells one game, as one player knows it or, without ``viewer``, everything."""

    def __init__(
        self, watched: Watched, findings: Sequence[Finding], viewer: str | None = None
    ) -> None:
        self.watched = watched
        self.viewer = viewer
        self.tell = Teller(watched.things)
        self.text = LogLines(watched)
        self.by_moment = places_of(watched, findings)

    # ------------------------------------------------------------ for people

    def lines(self) -> Iterator[str]:
        """Yield the game: the points at the beginning of each turn, and what every move did."""
        points: Points | None = None
        before = self.watched.opening_points
        shown_round, now = self.watched.opening.round, self.watched.opening.round
        player: str | None = None
        yield from self._findings(-1)
        for number, moment in enumerate(self.watched.moments):
            if moment.heading or now != shown_round:
                if before != points and any(before):
                    yield from self._points(before)
                    points = before
                yield ""
                if not moment.heading:  # turns that begin by themselves have no headings
                    text = phrase("round {round}", round=now)
                    yield Line((text[:1].upper() + text[1:], BOLD))
                    player = None
                shown_round = moment.round if moment.heading else now
            yield from self._moment(moment, player)
            yield from self._findings(number)
            before, now = moment.points, moment.round
            player = moment.active if moment.heading else player
        if before != points and any(before):
            yield from self._points(before)

    def _points(self, points: Points) -> Iterator[str]:
        totals = (
            f"{player} {'?' if total is None else total}"
            for player, total in self._totals(points).items()
        )
        text = listed(totals)
        line = f"  = {phrase('Points so far')}: {text}"
        yield from wrapped(line, room_of(COLUMNS), "    ")

    def _moment(self, moment: Moment, player: str | None) -> Iterator[str]:
        """Yield what a move did; it is told who made it, where that is not ``player``."""
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
            # What a message tells of may be what another player hides.
            message = f"{finding.message} " if self.viewer is None else ""
            head = f"      ! {finding.span.line}: {severity}: {message}[{finding.rule}]"
            for line in wrapped(head, room_of(COLUMNS), "        "):
                yield Line((line, STYLES[finding.severity]))

    def _changes(self, moment: Moment) -> Iterator[str]:
        """Yield what changed, a line for each place and player."""
        groups: dict[str, list[str]] = {}
        for at, change in seen_changes(self.watched.stage, moment.changes, self.viewer):
            info = self.watched.stage.fields[at.key]
            if not info.told:
                continue
            change_text = self.tell.change(*change)
            about = self.tell.name(at.place) if at.part == "map" else at.where
            groups.setdefault(about, []).append(f"{info.title} {change_text}".rstrip())
        for about, told_here in groups.items():
            yield f"{about}: {'; '.join(told_here)}" if about else "; ".join(told_here)

    # ------------------------------------------------------------ for programs

    def document(self, path: str, number: int) -> str:
        """Return the game as JSON; the shape is documented in docs/json.md and stays."""
        watched = self.watched
        return dump(
            {
                "path": path,
                "game": number,
                "as": self.viewer,
                "players": list(watched.stage.players),
                "points": self._totals(watched.opening_points),
                "moves": [self._move(moment) for moment in watched.moments],
                "complete": not watched.cut,
            }
        )

    def _totals(self, points: Points) -> dict[str, int | None]:
        """Return the sum of each player's points; None if it depends on what is not recorded."""
        return {
            player: None if None in row else sum(filter(None, row))
            for player, row in zip(self.watched.stage.players, points, strict=False)
        }

    def _move(self, moment: Moment) -> dict[str, object]:
        statement = moment.statement
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
                self._change(at, change)
                for at, change in seen_changes(self.watched.stage, moment.changes, self.viewer)
            ],
            "points": self._totals(moment.points),
        }

    def _change(self, at: Address, change: Change) -> dict[str, object]:
        things = self.watched.things
        before, after = change
        return {
            "part": at.part,
            "where": at.where or None,
            "place": at.place.partition(" ")[2] or None,
            "field": at.field,
            "told": self.tell.change(before, after),
            "before": None if before is None else cell_document(before, things),
            "after": None if after is None else cell_document(after, things),
        }
