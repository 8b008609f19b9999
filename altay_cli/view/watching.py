"""Follow a recorded game: its states, and who knows which parts of its log."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.catalogue import PROGRAM_RULES
from altay_cli.base.findings import Finding
from altay_cli.base.internal import build_safely
from altay_cli.checking.check import FileReport, GameReport, check_text
from altay_cli.match.match import PHASES, Match, Watcher
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.notation.lexis import Comment
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.looks import MoveText
from altay_cli.pack.model import Expr, Phase
from altay_cli.view import limits
from altay_cli.view.model import (
    Address,
    Arrow,
    Cell,
    Cells,
    Due,
    Scene,
    Setting,
    Things,
    knowing,
    masked,
)
from altay_cli.view.scene import Viewer

Points = tuple[tuple[int | None, ...], ...]
"""Points by seat and category; None if unrecorded."""

Change = tuple[Cell | None, Cell | None]
"""A field before and after; None if it is not shown."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A heading or statement, and the state after it.

    tells: texts that the rules add about the move.
    arrow: the last move of the statement on a map.
    """

    statement: Statement
    heading: bool
    player: str | None
    round: int
    active: str | None
    ended: bool
    due: tuple[Due, ...]
    changes: Mapping[Address, Change]
    points: Points
    tells: tuple[str, ...]
    arrow: Arrow | None

    @property
    def place(self) -> tuple[int, int]:
        """Where the statement begins."""
        return self.statement.line, self.statement.column


class Veil(NamedTuple):
    """A part of a statement that not all players know."""

    start: int
    end: int
    shown: str


Veiled = tuple[tuple[str, ...], Sequence[Veil]]
"""The players who know all of a statement, and the parts that the others do not know."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A game with its states.

    opening: the state after setup; ``moments`` follow.
    gists: the messages of the findings without values.
    veiled: by place, what some players do not know.
    cut: some statements were too many to show.
    """

    record: GameRecord
    comments: Sequence[Comment]
    stage: Setting
    opening: Scene
    opening_points: Points
    moments: Sequence[Moment]
    things: Things
    gists: Sequence[str]
    veiled: Mapping[tuple[int, int], Veiled]
    cut: bool


def moments_of(watched: Watched, findings: Sequence[Finding]) -> list[int]:
    """Return the number of the moment of each finding; -1 before the first."""
    begins = [moment.place for moment in watched.moments]
    return [bisect_right(begins, finding.span[:2]) - 1 for finding in findings]


def watch_text(
    text: str,
    path: str = "<text>",
    folder: Path | None = None,
    *,
    language: str = "en",
    only: int | None = None,
) -> tuple[FileReport, list[Watched | None]]:
    """Check games like ``check_text``, and follow each.

    A game without rules or players is None.
    """
    watchers: dict[tuple[int, int], _Watcher] = {}

    def watch(record: GameRecord, match: Match) -> None:
        watchers[record.span[:2]] = _Watcher(record, match)

    report = check_text(text, path, folder, language=language, watch=watch, only=only)
    comments = read_log(text).comments

    def watched(game: GameReport) -> Watched | None:
        """Return a game with its states, unless the program failed on it."""
        watcher = None if game.span is None else watchers.get(game.span[:2])
        if watcher is None or game.failed:
            return None
        return watcher.finish(comments, game.findings)

    return report, [build_safely(game, watched) for game in report.games]


def _gist(match: Match, finding: Finding) -> str:
    for _, text in match.pack.rules.get(finding.rule, ()):
        parts = match.state.words.parts(text.message)
        pattern = "".join(re.escape(part) if isinstance(part, str) else ".*" for part in parts)
        if re.fullmatch(pattern, finding.message, re.DOTALL):
            return "".join(part if isinstance(part, str) else "…" for part in parts)
    return PROGRAM_RULES.get(finding.rule, finding.rule)


_NO_DETAILS = MoveText(None, ())


class _Watcher(Watcher):
    def __init__(self, record: GameRecord, match: Match) -> None:
        self.record = record
        self.match = match
        self.viewer: Viewer | None = None
        self.opening: Scene | None = None
        self.opening_points: Points = ()
        self.moments: list[Moment] = []
        self.cut = False
        self.cells: Cells = {}
        self.statement: Statement | None = None
        self.details: list[tuple[Reading, str]] = []
        self.arrows: list[tuple[Reading, Arrow]] = []
        self.open: dict[tuple[int, int], bool] = {}
        """Whether all players know what the statement at this place hides."""
        self.veiled_until: list[tuple[tuple[int, int], Expr, Reading]] = []
        """Places whose statements hide something until a condition holds."""
        match.watcher = self

    def before(self, statement: Statement) -> None:
        self._note()
        self.statement = statement
        self.details.clear()
        self.arrows.clear()

    def on_rewind(self, statement: Statement) -> None:
        self.statement = None
        noted = (n for n, moment in enumerate(self.moments) if moment.statement is statement)
        del self.moments[next(noted, len(self.moments)) :]
        if not self.match.state.players:  # setup starts again
            self.viewer = None
            self.moments.clear()
            self.veiled_until.clear()
        elif self.viewer is not None:
            self.cells = self.viewer.scene().cells

    def on_move(self, reading: Reading) -> None:
        if self.statement is None or self.viewer is None:
            return  # setup
        move = reading.parsed.move
        view = self.match.pack.view.moves.get(move.id, _NO_DETAILS)
        values = MoveValues(reading.values, move, self.match.state)
        if view.text is not None:
            self.details.append((reading, self.viewer.text(view.text, values)))
        if view.arrow is not None:
            arrow = self.viewer.arrow(view.arrow, values)
            if arrow is not None:
                self.arrows.append((reading, arrow))

    def _note(self) -> None:
        if self.viewer is None and self.match.state.players:
            self.viewer = Viewer(self.match.state)
            self.opening, self.opening_points = self.viewer.scene(), self.viewer.points()
            self.cells = self.opening.cells
        elif self.viewer is not None and self.statement is not None:
            if len(self.moments) < limits.MAX_MOMENTS:
                self.moments.append(self._moment(self.viewer, self.statement))
            else:
                self.cut = True

    def _moment(self, viewer: Viewer, statement: Statement) -> Moment:
        scene, before = viewer.scene(), self.cells
        self.cells = scene.cells
        applied, actor = self.match.made, self.match.report.context.actor
        texts = (text for reading in applied for noted, text in self.details if noted is reading)
        arrows = [one for reading in applied for noted, one in self.arrows if noted is reading]
        place = statement.line, statement.column
        self.open[place] = bool(applied) and all(
            self._is_open(viewer, reading) for reading in applied
        )
        self._unveil(viewer, place, applied)
        return Moment(
            statement,
            heading=any(section.heading is statement for section in self.record.sections)
            or any(reading.parsed.move.heading for reading in applied[-1:]),
            player=None if actor is None else actor.id,
            round=scene.round,
            active=scene.active,
            ended=scene.ended,
            due=scene.due,
            changes={
                at: (before.get(at), scene.cells.get(at))
                for at in {**scene.cells, **before}
                if before.get(at) != scene.cells.get(at)
            },
            points=viewer.points(),
            tells=tuple(filter(None, texts)),
            arrow=arrows[-1] if arrows else None,
        )

    def _is_open(self, viewer: Viewer, reading: Reading) -> bool:
        move = reading.parsed.move
        is_open = self.match.pack.view.moves.get(move.id, _NO_DETAILS).open
        values = MoveValues(reading.values, move, self.match.state)
        return is_open is not None and viewer.holds(is_open, values)

    def _unveil(self, viewer: Viewer, place: tuple[int, int], applied: Sequence[Reading]) -> None:
        """Note what all players know by now of this statement and earlier ones."""
        texts = self.match.pack.view.moves
        for reading in applied:
            until = texts.get(reading.parsed.move.id, _NO_DETAILS).until
            if until is not None:
                self.veiled_until.append((place, until, reading))
        waiting = []
        for at, until, reading in self.veiled_until:
            values = MoveValues(reading.values, reading.parsed.move, self.match.state)
            if viewer.holds(until, values):
                self.open[at] = True
            else:
                waiting.append((at, until, reading))
        self.veiled_until = waiting

    def finish(self, comments: Sequence[Comment], findings: Sequence[Finding]) -> Watched | None:
        self._note()
        self.match.watcher = None
        if self.viewer is None or self.opening is None:
            return None
        return Watched(
            self.record,
            comments,
            self.viewer.stage,
            self.opening,
            self.opening_points,
            self.moments,
            self.viewer.things(),
            [_gist(self.match, finding) for finding in findings],
            dict(self._veiled()),
            self.cut,
        )

    def _veiled(self) -> Iterator[tuple[tuple[int, int], Veiled]]:
        """Yield the veiled parts of the text as written, not as corrected."""
        players = {moment.place: moment.player for moment in self.moments}
        binder = self.match.binder
        for section in self.record.sections:
            for statement in () if section.kind is SectionKind.RESULT else section.statements:
                place = (statement.line, statement.column)
                actor = binder.player(statement.actor) if statement.actor else None
                maker = players.get(place)
                parts = self._parts(statement, PHASES[section.kind])
                if binder.is_claim(statement.phrase):  # a claim may mention any entity
                    maker, parts = None, [Veil(0, len(statement.text), CONCEALED)]
                if parts and not self.open.get(place):
                    author = maker if actor is None else actor.id
                    yield place, (self._known_by(statement, PHASES[section.kind], author), parts)

    def _known_by(self, statement: Statement, phase: Phase, author: str | None) -> tuple[str, ...]:
        """Return the players who know what a statement of ``author`` hides from others."""
        assert self.viewer is not None
        readings = self.match.binder.bind(statement.phrase, phase).readings
        texts = self.match.pack.view.moves
        seen = {texts.get(parsed.move.id, _NO_DETAILS).seen for parsed in readings}
        if author is None or len(seen) != 1:
            return () if author is None else (author,)
        known_by = knowing(seen.pop(), author, self.viewer.stage.players)
        return self.viewer.stage.players if known_by is None else known_by

    def _parts(self, statement: Statement, phase: Phase) -> list[Veil]:
        binding = self.match.binder.bind(statement.phrase, phase)
        if not binding.readings or binding.errors:
            return [Veil(0, len(statement.text), CONCEALED)]
        parts: dict[tuple[int, int], Veil] = {}
        for parsed in binding.readings:
            for name in self.match.pack.view.moves.get(parsed.move.id, _NO_DETAILS).hides:
                if name in parsed.places:
                    drawn = parsed.drawn.get(name)
                    size = sum(element.count for element in parsed.slots.get(name, ()))
                    size = size if drawn is None else len(list(drawn))
                    place = parsed.places[name]
                    parts[place] = Veil(*place, "?" if size <= 1 else f"{size} ?")
        return sorted(parts.values())


def seen_changes(
    stage: Setting,
    changes: Mapping[Address, Change],
    viewer: str | None,
    *,
    with_viewers: bool = False,
) -> Iterator[tuple[Address, Change]]:
    """Yield the changes that a player sees, in order.

    with_viewers: also where only those who may see a field change.
    """
    for at in filter(changes.__contains__, stage.addresses):
        old, new = (None if cell is None else masked(cell, viewer) for cell in changes[at])
        if shows_change(old, new) or (with_viewers and old != new):
            yield at, (old, new)


def shows_change(old: Cell | None, new: Cell | None) -> bool:
    """Return True if what is shown changes, and not only who sees it."""
    return (old and old.groups) != (new and new.groups)


# ---------------------------------------------------------------- the text of the game

CONCEALED = "…"
"""Replaces a statement that only another player knows."""


class TextPart(NamedTuple):
    """A part of a statement; others may read ``veil`` instead."""

    text: str
    veil: str | None = None

    def read_by(self, *, known: bool) -> str:
        """Return the text, or the veil if ``known`` is false."""
        return self.text if known or self.veil is None else self.veil


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a line.

    kind: "statement", "comment" or "other".
    moment: the number of the statement's moment, from 0.
    known_by: the only players who know the veiled pieces.
    """

    kind: str
    pieces: tuple[TextPart, ...]
    moment: int | None = None
    known_by: tuple[str, ...] = ()

    def text(self, viewer: str | None = None) -> str:
        """Return the text as ``viewer`` knows it; None knows everything."""
        known = viewer is None or viewer in self.known_by
        return "".join(piece.read_by(known=known) for piece in self.pieces)


Row = tuple[int, tuple[Segment, ...]]
"""A line number, and the segments of that line."""


class LogLines:
    """The text of a game, from its first tag to its last line."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.comments: Mapping[int, Comment] = {
            comment.line: comment for comment in watched.comments
        }
        self.moments = {moment.place: n for n, moment in enumerate(watched.moments)}

    def sentence(self, statement: Statement, viewer: str | None = None) -> str:
        """Return a statement on one line, as a player knows it."""
        text = " ".join(segment.text(viewer) for _, _, segment in self.parts(statement))
        return " ".join(text.split())

    def rows(self) -> Iterator[Row]:
        """Yield the lines of the game."""
        record = self.watched.record
        parts: dict[int, list[tuple[int, Segment]]] = {}
        for section in record.sections:
            for statement in (section.heading, *section.statements):
                for line, column, segment in self.parts(statement):
                    parts.setdefault(line, []).append((column, segment))
        for line, comment in self.comments.items():
            text = TextPart(record.lines[line - 1][comment.column - 1 :])
            parts.setdefault(line, []).append((comment.column, Segment("comment", (text,))))
        last = record.span.end_line
        while last < len(record.lines) and last + 1 in self.comments:
            last += 1
        for line in range(record.span.line, last + 1):
            yield line, tuple(_with_gaps(record.lines[line - 1], parts.get(line, ())))

    def parts(self, statement: Statement) -> Iterator[tuple[int, int, Segment]]:
        """Yield line, column and segment of each line of a statement."""
        place = (statement.line, statement.column)
        known_by, veils = self.watched.veiled.get(place, ((), ()))
        start = 0
        for number, text in enumerate(statement.text.split("\n")):
            line = statement.line + number
            column = 1 if number else statement.column
            comment = self.comments.get(line) if number < statement.text.count("\n") else None
            end = len(text) if comment is None else comment.column - column
            pieces = tuple(_pieces(text[:end].rstrip(), start, veils))
            yield line, column, Segment("statement", pieces, self.moments.get(place), known_by)
            start += len(text) + 1


def _with_gaps(text: str, parts: Sequence[tuple[int, Segment]]) -> Iterator[Segment]:
    at = 0
    for column, segment in parts:
        if column - 1 > at:
            yield Segment("other", (TextPart(text[at : column - 1]),))
        yield segment
        at = column - 1 + len(segment.text())
    if len(text) > at:
        yield Segment("other", (TextPart(text[at:]),))


def _pieces(text: str, start: int, veils: Sequence[Veil]) -> Iterator[TextPart]:
    at = 0
    for veil in veils:
        low, high = max(veil.start - start, at), min(veil.end - start, len(text))
        if low < high:
            if low > at:
                yield TextPart(text[at:low])
            yield TextPart(text[low:high], veil.shown if veil.start >= start else "")
            at = high
    if at < len(text):
        yield TextPart(text[at:])
