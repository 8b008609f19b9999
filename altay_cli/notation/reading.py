"""Read the text of a log into a syntax tree."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

from altay_cli.base.findings import START, Finding, Severity, Span, Text, with_values
from altay_cli.notation import limits
from altay_cli.notation.lexis import (
    Comment,
    Lines,
    Piece,
    control_character,
    cut_statements,
    is_tag,
    split_lines,
)
from altay_cli.notation.parser import (
    MAX_CACHED_LENGTH,
    cached_parse,
    diagnose,
    malformed,
    parse,
    parse_tag,
    parse_unclosed,
    parse_unclosed_tag,
)
from altay_cli.notation.tree import GameRecord, Log, Section, SectionKind, Statement, Tag

MAX_CACHED_STATEMENTS = 2_000
"""Statements after which only the places of games are stored; games are read on demand."""

_REPEATABLE = frozenset({"variant"})
_RANK = {SectionKind.SETUP: 0, SectionKind.POSITION: 0, SectionKind.TURN: 1, SectionKind.RESULT: 2}


def read_log(text: str | Lines, *, comments: str = "") -> Log:
    r"""Read a log of one or more games.

    Syntax errors become findings. Only comments that contain ``comments`` are returned. Never
    raises.

    >>> log = read_log('[Game "altay"]\n\nturn 1 Ann\n  pass')
    >>> [game.tag("Game").value for game in log.games], log.findings
    (['altay'], ())
    >>> [finding.rule for finding in read_log("pass").findings]
    ['no-game', 'statement-outside-section']
    """
    lines = split_lines(text) if isinstance(text, str) else text
    return _Reader(lines, comments=comments).read(lines.before + 1)


@dataclass(slots=True, eq=False, repr=False)
class _Game:
    first: Piece
    last: Piece
    count: int = 0
    tags: list[Tag] = field(default_factory=list)
    sections: list[tuple[SectionKind, Statement, list[Statement]]] = field(default_factory=list)
    unread: list[Statement] = field(default_factory=list)
    tag_lines: dict[str, int] = field(default_factory=dict)
    only_tags: bool = True
    rank: int = -1


class Games(Sequence[GameRecord]):
    """The games of an archive: the first ones, and the places of the others.

    The others are read again each time, to save memory.
    """

    def __init__(self, lines: Lines, loaded: Sequence[GameRecord], places: Sequence[Span]) -> None:
        self._lines = lines
        self._loaded = loaded
        self._places = places

    def __len__(self) -> int:
        return len(self._loaded) + len(self._places)

    @overload
    def __getitem__(self, index: int) -> GameRecord: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[GameRecord]: ...
    def __getitem__(self, index: int | slice) -> GameRecord | Sequence[GameRecord]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if number < len(self._loaded):
            return self._loaded[number]
        place = self._places[number - len(self._loaded)]
        reader = _Reader(self._lines, reread=True)
        games = reader.read(place.line, place.end_line, place.column).games
        return next(game for game in games if game.span == place)


class _Reader:
    def __init__(self, lines: Lines, *, comments: str = "", reread: bool = False) -> None:
        self._lines = lines
        self._with = comments
        self._game: _Game | None = None
        self._loaded: list[GameRecord] = []
        self._places: list[Span] = []
        self._room = sys.maxsize if reread else MAX_CACHED_STATEMENTS
        self._statements: list[Statement] | None = None  # of the open section
        self._stray = False  # within a run of statements outside of any section
        self._comments: list[Comment] = []
        self._findings: list[Finding] = []
        self._left_to_explain = 0 if reread else limits.MAX_EXPLAINED
        self._left_out = 0
        self._first_left_out: Span | None = None

    def read(self, first: int = 1, last: int | None = None, column: int = 1) -> Log:
        for part in cut_statements(self._lines, first, last):
            if isinstance(part, Comment):
                self._comment(part)
                continue
            if (part.line, part.column) < (first, column):
                continue  # the end of the previous game, on the line where this one begins
            for comment in part.comments:
                self._comment(comment)
            text = part.text
            if is_tag(part, self._lines) if text is None else text.startswith("["):
                self._tag(part)
            else:
                self._statement(part)
        if self._game is None:
            self._no_game(START)
        self._end()
        loaded = tuple(self._loaded)
        games = Games(self._lines, loaded, self._places) if self._places else loaded
        findings = sorted(self._findings, key=lambda finding: finding.span)
        if self._left_out:
            template = "{count} more findings on the syntax of this file are left out"
            message = Text(template, count=self._left_out)
            place = self._first_left_out or START
            findings.append(Finding("too-many-findings", Severity.ERROR, message, place))
        return Log(games, tuple(findings), tuple(self._comments), self._lines)

    def _begin(self, piece: Piece) -> _Game:
        self._end()
        self._game = _Game(piece, piece)
        return self._game

    def _end(self) -> None:
        game = self._game
        if game is None:
            return
        span = Span(*game.first.span[:2], *game.last.span[2:])
        if self._room < 0:
            self._places.append(span)
            return
        sections = [Section(kind, head, tuple(under)) for kind, head, under in game.sections]
        parts = tuple(game.tags), tuple(sections)
        self._loaded.append(GameRecord(*parts, span, self._lines, tuple(game.unread)))
        self._room -= game.count

    # Findings

    def _report(
        self, rule: str, message: str, span: Span, advice: tuple[str, ...] = (), **values: object
    ) -> None:
        if len(self._findings) < limits.MAX_FINDINGS:
            text = with_values(message, values)
            self._findings.append(Finding(rule, Severity.ERROR, text, span, help=advice))
            return
        self._first_left_out = self._first_left_out or span
        self._left_out += 1

    def _malformed(self, piece: Piece, text: str, start: str) -> None:
        self._left_to_explain -= len(text)
        explains = self._left_to_explain >= 0 and len(self._findings) < limits.MAX_FINDINGS
        error = (diagnose(text, start) if explains else None) or malformed(text, start)
        span = piece.place(error.start, len(text) if error.end is None else error.end)
        self._report(error.rule, error.message, span, error.help)

    def _unclosed(self, piece: Piece, text: str) -> None:
        message = "a quote that is not closed on its line"
        self._report("unclosed-quote", message, piece.place(piece.unclosed, len(text)))

    def _too_long(self, piece: Piece) -> None:
        template = "more than {count} characters in one statement; it is not read"
        self._report("statement-too-long", template, piece.span, count=f"{limits.MAX_STATEMENT:,}")

    def _no_game(self, span: Span) -> None:
        hint = Text("the first is {tag}, a line to itself", tag='[Game "..."]')
        self._report("no-game", "no game starts here; a game starts with tag pairs", span, (hint,))

    # The parts of a file

    def _comment(self, comment: Comment) -> None:
        if self._with in comment.text:
            self._comments.append(comment)
        error = control_character(comment.text, "syntax")
        if error is not None:
            column = comment.column + error.start
            span = Span(comment.line, column, comment.line, column + 1)
            self._report(error.rule, error.message, span)

    def _tag(self, piece: Piece) -> None:
        self._stray, self._statements = False, None
        # Games have no end mark: tags after anything else belong to the next game.
        game = self._game
        if game is None or not game.only_tags:
            game = self._begin(piece)
        game.last = piece
        text = piece.text
        if text is None:
            self._too_long(piece)
            return
        pair = parse_tag(text)
        if pair is None and piece.unclosed >= 0:
            self._unclosed(piece, text)
            pair = parse_unclosed_tag(text)
        elif pair is None:
            self._malformed(piece, text, "tag")
        if pair is None:
            return
        key = pair.name.casefold()
        line = game.tag_lines.get(key)
        if line is None:
            game.tag_lines[key] = piece.line
        elif key not in _REPEATABLE:
            template = "a second tag {name} in this game; the first is on line {line}"
            self._report("duplicate-tag", template, piece.span, name=pair.name, line=line)
        value_span = piece.place(pair.start, min(pair.end, len(text)))
        game.tags.append(Tag(pair.name, pair.value, piece.span, value_span))

    def _statement(self, piece: Piece) -> None:
        if self._game is not None:
            self._game.count += 1
            most = limits.MAX_GAME
            if self._game.count == most + 1:
                message = f"a game with more than {most:,} statements; the rest of it is not read"
                self._report("too-many-statements", message, piece.span)
            if self._game.count > most:
                return
            self._game.last = piece
        text = piece.text
        if text is None:
            if self._statements is None:
                self._outside(piece)
            self._too_long(piece)
            return
        if piece.unclosed < 0:
            # A cache lookup without the call, as this runs for every line.
            parsed = cached_parse(text) if len(text) <= MAX_CACHED_LENGTH else parse(text)
        else:
            self._unclosed(piece, text)
            parsed = parse_unclosed(text)
        # A third of the time of ``Statement(...)``.
        statement = Statement(text, parsed.phrase, piece.line, piece.column)
        if parsed.section is not None:
            self._heading(parsed.section, statement, piece)
        elif self._statements is None:
            self._outside(piece)
        elif parsed.sound:
            self._statements.append(statement)
        elif self._game is not None:
            self._game.unread.append(statement)
        if parsed.sound:
            return
        for start, end in parsed.too_large:
            template = "a number of {digits} digits; at most {most} are allowed"
            digits, place = len(text[start:end].removeprefix("-")), piece.place(start, end)
            self._report("number-too-large", template, place, digits=digits, most=limits.MAX_DIGITS)
        if not parsed.too_large and piece.unclosed < 0:
            self._malformed(piece, text, "statement" if parsed.section is None else "heading")

    def _heading(self, kind: SectionKind, heading: Statement, piece: Piece) -> None:
        game = self._game
        if game is None:
            self._no_game(piece.span)
            game = self._begin(piece)
        rank = _RANK[kind]
        if rank < game.rank or (rank == game.rank and kind is not SectionKind.TURN):
            template = "`{kind}` comes too late; first setup or position, then turns, then result"
            if rank == game.rank:
                template = "`{kind}` after `{other}`; a game has only one of them"
            other = game.sections[-1][0]
            self._report("section-order", template, piece.span, kind=kind, other=other)
        game.rank = max(game.rank, rank)
        game.only_tags = self._stray = False
        self._statements = []
        game.sections.append((kind, heading, self._statements))

    def _outside(self, piece: Piece) -> None:
        if self._game is not None:
            self._game.only_tags = False
        if not self._stray:
            message = "a statement before any heading: setup, position, turn or result"
            advice = ("what comes before the first heading is not judged",)
            self._report("statement-outside-section", message, piece.span, advice)
        self._stray = True
