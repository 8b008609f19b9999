"""Watching a recorded game: how it stands after every statement, and what each one changed.

Its text goes with it, line by line: what each part of it is, and who knows it.
"""

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
from altay_cli.notation.reading import read
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.model import MoveText, Phase
from altay_cli.view import limits
from altay_cli.view.model import Address, Cell, Cells, Due, Scene, Setting, Things, masked
from altay_cli.view.scene import Viewer

Points = tuple[tuple[int | None, ...], ...]
"""The points of each player, by seat, in each category, in the order of the score sheet.

None where they depend on what nobody recorded.
"""

Change = tuple[Cell | None, Cell | None]
"""What a field showed before and shows now; None if it is not shown."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A heading or statement, and how the game stands after it.

    ``player`` is who acted. ``changes`` is what it changed; ``tells`` what the rules' view tells
    besides.
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

    @property
    def place(self) -> tuple[int, int]:
        """The line and column at which its statement begins."""
        return self.statement.line, self.statement.column


class Veil(NamedTuple):
    """A part of a statement that only its maker knows, and what others read in its place."""

    start: int
    end: int
    shown: str


Veiled = tuple[str | None, Sequence[Veil]]
"""Who made a statement, None if nobody can tell, and what of it others do not know."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A game that was watched.

    ``comments`` are those of the whole file. ``opening`` is how it stands when it has been laid
    out; ``moments`` what follows. ``veiled`` tells by line and column what of a statement not
    everybody knows. ``gists`` are the messages of the game's findings, in their order, without the
    values in them. ``cut`` says that there were more statements than are shown.
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
    """Return the number of the moment that each finding belongs to, from 0.

    What stands before the first moment belongs to -1, what stands behind the last to that one.
    """
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
    """Check all games of a log as ``check_text`` does, or ``only`` one of them, and watch each.

    Of a game that could not be played (no rules, nobody at the table) there is None.
    """
    watchers: dict[tuple[int, int], _Watcher] = {}

    def watch(record: GameRecord, match: Match) -> None:
        watchers[record.span[:2]] = _Watcher(record, match)

    report = check_text(text, path, folder, language=language, watch=watch, only=only)
    comments = read(text).comments

    def watched(game: GameReport) -> Watched | None:
        """Return what was watched of a game; None if the program failed on it, or fails now."""
        watcher = None if game.span is None else watchers.get(game.span[:2])
        if watcher is None or game.failed:
            return None
        return watcher.finish(comments, game.findings)

    return report, [build_safely(game, watched) for game in report.games]


def _gist(match: Match, finding: Finding) -> str:
    """Return what a finding says, without the values in it: these may be what somebody hides."""
    for _, text in match.pack.rules.get(finding.rule, ()):
        parts = match.state.words.parts(text.message)
        pattern = "".join(re.escape(part) if isinstance(part, str) else ".*" for part in parts)
        if re.fullmatch(pattern, finding.message, re.DOTALL):
            return "".join(part if isinstance(part, str) else "…" for part in parts)
    return PROGRAM_RULES.get(finding.rule, finding.rule)


_NOTHING_TOLD = MoveText(None, ())


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
        self.tells: list[tuple[Reading, str]] = []
        self.open: dict[tuple[int, int], bool] = {}
        """Whether everybody knows what a statement hides, by its line and column."""
        match.watcher = self

    def before(self, statement: Statement) -> None:
        """Note what the statement before has done."""
        self._note()
        self.statement = statement
        self.tells.clear()

    def back(self, statement: Statement) -> None:
        """Forget what was noted from a statement on."""
        self.statement = None
        noted = (n for n, moment in enumerate(self.moments) if moment.statement is statement)
        del self.moments[next(noted, len(self.moments)) :]
        if not self.match.state.players:  # it is laid out once more
            self.viewer = None
            self.moments.clear()
        elif self.viewer is not None:
            self.cells = self.viewer.scene().cells

    def making(self, reading: Reading) -> None:
        """Note what is told about a move, as things are before it is made."""
        if self.statement is None or self.viewer is None:
            return  # the game is being laid out
        move = reading.parsed.move
        telling = self.match.pack.view.moves.get(move.id, _NOTHING_TOLD)
        if telling.text is not None:
            values = MoveValues(reading.values, move, self.match.state)
            self.tells.append((reading, self.viewer.said(telling.text, values)))

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
        made, actor = self.match.made, self.match.report.here.actor
        tells = (text for reading in made for told, text in self.tells if told is reading)
        place = statement.line, statement.column
        self.open[place] = bool(made) and all(self._is_open(viewer, one) for one in made)
        return Moment(
            statement,
            heading=any(section.heading is statement for section in self.record.sections)
            or any(reading.parsed.move.heading for reading in made[-1:]),
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
            tells=tuple(filter(None, tells)),
        )

    def _is_open(self, viewer: Viewer, reading: Reading) -> bool:
        """Return whether what a move hides lies openly now that it has been made."""
        move = reading.parsed.move
        is_open = self.match.pack.view.moves.get(move.id, _NOTHING_TOLD).open
        values = MoveValues(reading.values, move, self.match.state)
        return is_open is not None and viewer.holds(is_open, values)

    def finish(self, comments: Sequence[Comment], findings: Sequence[Finding]) -> Watched | None:
        """Note the last statement, and return the whole; None if nobody played."""
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
        """Find out what of each statement only its maker knows.

        By what is written, not by what it was taken for after a slip: the text is what is shown.
        """
        players = {moment.place: moment.player for moment in self.moments}
        binder = self.match.binder
        for section in self.record.sections:
            for statement in () if section.kind is SectionKind.RESULT else section.statements:
                place = (statement.line, statement.column)
                actor = binder.player(statement.actor) if statement.actor else None
                maker = players.get(place)
                parts = self._parts(statement, PHASES[section.kind])
                if binder.is_claim(statement.phrase):  # it can be about anything
                    maker, parts = None, [Veil(0, len(statement.text), UNTOLD)]
                if parts and not self.open.get(place):
                    yield place, (maker if actor is None else actor.id, parts)

    def _parts(self, statement: Statement, phase: Phase) -> list[Veil]:
        """Return the parts of a statement that only its maker knows; all of one that is unclear."""
        binding = self.match.binder.bind(statement.phrase, phase)
        if not binding.readings or binding.errors:
            return [Veil(0, len(statement.text), UNTOLD)]
        parts: dict[tuple[int, int], Veil] = {}
        for parsed in binding.readings:
            for name in self.match.pack.view.moves.get(parsed.move.id, _NOTHING_TOLD).hides:
                if name in parsed.places:
                    drawn = parsed.drawn.get(name)
                    size = sum(one.count for one in parsed.slots.get(name, ()))
                    size = size if drawn is None else len(list(drawn))
                    place = parsed.places[name]
                    parts[place] = Veil(*place, "?" if size <= 1 else f"{size} ?")
        return sorted(parts.values())


def seen_changes(
    stage: Setting, changes: Mapping[Address, Change], viewer: str | None
) -> Iterator[tuple[Address, Change]]:
    """Yield what a player sees of what a move changed, in the order in which it is told."""
    for at in filter(changes.__contains__, stage.addresses):
        old, new = (None if cell is None else masked(cell, viewer) for cell in changes[at])
        if old != new:
            yield at, (old, new)


# ---------------------------------------------------------------- the text of the game

UNTOLD = "…"
"""Stands for a statement that only another player knows."""


class TextPart(NamedTuple):
    """A part of a statement; ``veil`` is what others read in its place, None if all know it."""

    text: str
    veil: str | None = None

    def read_by(self, *, known: bool) -> str:
        """Return what somebody reads to whom a veil is transparent, or not."""
        return self.text if known or self.veil is None else self.veil


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a line.

    ``kind`` is "statement", "comment" or "other" (tags, headings of sections, what is between).
    ``moment`` is the number of the moment that a statement stands for, from 0; None if it has
    none. ``owner`` is the only one who knows the pieces with a veil.
    """

    kind: str
    pieces: tuple[TextPart, ...]
    moment: int | None = None
    owner: str | None = None

    def text(self, viewer: str | None = None) -> str:
        """Return what a player knows of it; None knows all."""
        known = viewer in {None, self.owner}
        return "".join(piece.read_by(known=known) for piece in self.pieces)


Row = tuple[int, tuple[Segment, ...]]
"""A line of the log: its number, and its parts in order; together they are the whole line."""


class LogLines:
    """The text of a game, from its first tag to its last statement or comment."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.comments: Mapping[int, Comment] = {one.line: one for one in watched.comments}
        self.moments = {moment.place: n for n, moment in enumerate(watched.moments)}

    def sentence(self, statement: Statement, viewer: str | None = None) -> str:
        """Return a statement on one line, without comments, as a player knows it."""
        whole = " ".join(segment.text(viewer) for _, _, segment in self.parts(statement))
        return " ".join(whole.split())

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
            yield line, tuple(_whole(record.lines[line - 1], parts.get(line, ())))

    def parts(self, statement: Statement) -> Iterator[tuple[int, int, Segment]]:
        """Yield the lines of a statement, each with its line, column and what stands there."""
        place = (statement.line, statement.column)
        owner, veils = self.watched.veiled.get(place, (None, ()))
        start = 0
        for number, text in enumerate(statement.text.split("\n")):
            line = statement.line + number
            column = 1 if number else statement.column
            comment = self.comments.get(line) if number < statement.text.count("\n") else None
            end = len(text) if comment is None else comment.column - column
            pieces = tuple(_pieces(text[:end].rstrip(), start, veils))
            yield line, column, Segment("statement", pieces, self.moments.get(place), owner)
            start += len(text) + 1


def _whole(text: str, parts: Sequence[tuple[int, Segment]]) -> Iterator[Segment]:
    """Yield the parts of a line, each given by its column, with all that stands between them."""
    at = 0
    for column, segment in parts:
        if column - 1 > at:
            yield Segment("other", (TextPart(text[at : column - 1]),))
        yield segment
        at = column - 1 + len(segment.text())
    if len(text) > at:
        yield Segment("other", (TextPart(text[at:]),))


def _pieces(text: str, start: int, veils: Sequence[Veil]) -> Iterator[TextPart]:
    """Split a line of a statement, which begins at offset ``start`` of it, where it is veiled."""
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
