"""Canonical text: one way to write a log down."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Sequence
from enum import Enum

from altay_cli.base.findings import ImpossibleError
from altay_cli.notation import lexis, limits
from altay_cli.notation.parser import Parsed, parse, parse_tag, parse_unclosed
from altay_cli.notation.reading import read
from altay_cli.notation.tree import Item, Kind, Log, heads

WIDTH = 100
"""A longer statement is broken after a comma, if it has one."""

_INDENT = "  "
_GLUED = ("comma", "qualifier")  # no space before them
_FURTHER = "    "  # what the further lines of a statement are indented by, in addition


def format_log(
    text: str, headings: Collection[str] = (), unread: Container[tuple[int, int]] = ()
) -> str:
    """Return the canonical text of a log.

    It reads as the same games with the same comments; a malformed statement stays as it is.
    ``headings`` are the words that headings begin with, besides those of every game; ``unread``
    are line and column of statements that the rules cannot read: apart from their indentation,
    they stay as they are.
    """
    return _Writer(lexis.split(text), headings, unread).write()


def format_file(
    text: str, headings: Collection[str] = (), unread: Container[tuple[int, int]] = ()
) -> str:
    """Return the canonical text of a log, which is checked to read as the same log.

    ``headings`` and ``unread`` are as for ``format_log``. An ImpossibleError is raised if it is no
    log, or would read differently.
    """
    log = read(text)
    for game in log.games:
        if game.tag("Game") is None:
            raise ImpossibleError(
                "this is not a log: the game in line {line} has no tag `Game`"
                if len(log.games) > 1
                else "this is not a log, which begins with the tag `Game`",
                line=game.span.line,
            )
    for finding in log.findings:
        if finding.rule in {"no-game", "statement-outside-section"}:
            template = "this is not a log: what stands in line {line} belongs to no game"
            if not text.strip():
                template = "this is not a log, which begins with the tag `Game`"
            raise ImpossibleError(template, line=finding.span.line)
    formatted = format_log(text, headings, unread)
    if _content(read(formatted)) != _content(log):
        raise ImpossibleError("in canonical form it would not read as the same log")
    return formatted


def _content(log: Log) -> list[object]:
    """Return the content of a log, without places and whatever canonical form may change."""
    content: list[object] = [(finding.rule, finding.message) for finding in log.findings]
    content += [comment.text for comment in log.comments]
    for game in log.games:
        content.append([(tag.name, tag.value) for tag in game.tags])
        for section in game.sections:
            # The word that opens a section is written in any case.
            content.append((section.kind, *_words(section.heading.items[1:])))
            for one in section.statements:
                outcome = None if one.outcome is None else _words(one.outcome)
                content.append((_words(one.actor), _words(one.items), outcome))
    return content


def _words(items: Sequence[Item]) -> tuple[tuple[Kind, str], ...]:
    return tuple((item.kind, item.text) for item in items)


class _Place(Enum):
    TAGS = "tags"
    STRAY = "stray"
    SECTION = "section"


class _Writer:
    def __init__(
        self,
        lines: Sequence[str],
        headings: Collection[str],
        unread: Container[tuple[int, int]] = (),
    ) -> None:
        self._source = lines
        self._headings = headings
        self._unread = unread
        self._out: list[str] = []
        self._comments: list[lexis.Comment] = []
        """Comments with a line to themselves that are still to be written."""
        self._place = _Place.STRAY
        self._heading_column = self._inner_column = 0
        """Where the heading of the section begins, and what stands in the section."""
        self._last: lexis.Piece | None = None

    def write(self) -> str:
        for part in lexis.cut(self._source):
            if isinstance(part, lexis.Piece):
                self._piece(part)
            elif part.own_line:
                self._comments.append(part)
            else:
                # It keeps its own column, if one part alone stands before it.
                column, last = 0, self._last
                if last is not None and part.line == last.end_line and not last.semicolon:
                    before = self._source[last.line - 1][: last.column - 1]
                    column = 0 if before.strip(lexis.BLANKS) else part.column
                self._out[-1] = _beside(self._out[-1], part.text, column)
        self._end_section()
        if self._comments and self._out:
            self._out.append("")
        self._out += [comment.text for comment in self._comments]
        return "".join(line + "\n" for line in self._out)

    def _piece(self, piece: lexis.Piece) -> None:
        text, canonical = piece.text or "", None  # of what is too long, nothing is read
        last, self._last = self._last, piece
        if lexis.is_tag(piece, self._source):
            self._begin(_Place.TAGS)
            self._out += _tag(text) or self._unchanged(piece)
            return
        parsed = parse(text) if piece.unclosed < 0 else parse_unclosed(text)
        inside, indent = self._place is _Place.SECTION, ""
        if parsed.section is not None or (inside and heads(parsed.phrase, self._headings)):
            self._begin(_Place.SECTION, heads=True)
            self._heading_column, self._inner_column = piece.column, piece.column + 1
        elif inside:
            indent = _INDENT
            self._begin(_Place.SECTION, indent)
            if last is None or piece.line > last.end_line:
                self._inner_column = piece.column
        else:
            self._begin(_Place.STRAY)
        if parsed.sound and piece.unclosed < 0 and (piece.line, piece.column) not in self._unread:
            canonical = _statement(text, parsed, indent, piece.column)
        self._out += canonical or self._unchanged(piece, indent)

    def _begin(self, place: _Place, indent: str = "", *, heads: bool = False) -> None:
        """Write what stands before a part: a blank line where others begin, and comments."""
        if heads or place is not self._place:
            self._end_section()
        if self._out and (heads or place is not self._place):
            self._out.append("")
        self._out += [indent + comment.text for comment in self._comments]
        self._comments.clear()
        self._place = place

    def _end_section(self) -> None:
        """Write the comments at the end of a section that are indented like what it holds."""
        if self._place is _Place.SECTION and self._inner_column > self._heading_column:
            while self._comments and self._comments[0].column >= self._inner_column:
                self._out.append(_INDENT + self._comments.pop(0).text)

    def _unchanged(self, piece: lexis.Piece, indent: str = "") -> list[str]:
        lines = list(self._source[piece.line - 1 : piece.end_line])
        lines[-1] = lines[-1][: piece.end_column - 1]
        lines[0] = indent + lines[0][piece.column - 1 :]
        if lines[-1].endswith(lexis.COMMAS) and piece.semicolon:
            lines[-1] += ";"  # or it would go on in the next line
        return lines


def _tag(text: str) -> list[str] | None:
    pair = parse_tag(text)
    if pair is None:
        return None
    value = text[pair.start : pair.end]
    return [f"[{pair.name} {lexis.quote(pair.value) if value[0] in lexis.OTHER_QUOTES else value}]"]


def _beside(line: str, comment: str, column: int) -> str:
    """Return a line followed by a comment, in its own column if there is room."""
    return line + " " * max(column - 1 - len(line), len(_INDENT)) + comment


def _statement(text: str, parsed: Parsed, indent: str, column: int) -> list[str] | None:
    """Return the lines of a statement that begins in a column; None if too long to be read."""
    further, line = indent + _FURTHER, indent
    lines: list[str] = []
    fresh = True  # nothing stands in the line
    for words, comments, beside in _chunks(text, parsed, column):
        # What looks like a heading must not begin a line.
        if fresh:
            line += words
        elif len(line) + 1 + len(words) <= WIDTH or re.match(lexis.HEADING_LINE, words):
            line += " " + words
        else:
            lines.append(line)
            line = further + words
        fresh = bool(comments)
        if fresh:
            after, *below = comments
            lines.append(_beside(line, after, beside) if after else line)
            lines += [further + comment for comment in below]
            line = further
    lines.append(line)
    # Blanks and line ends that are put in count: what was read must be read again.
    return lines if len("\n".join(lines)) - len(indent) <= limits.MAX_STATEMENT else None


def _chunks(text: str, parsed: Parsed, column: int) -> Iterator[tuple[str, list[str], int]]:
    """Yield what stands in one line in any case: all up to and with a comma.

    With it the comments behind it, first the one in the same line ("" where there is none), then
    those with a line to themselves; and the column of the first.
    """
    words = ""
    comma = -1  # where the text goes on behind one
    for written, item in _tokens(parsed):
        if comma >= 0 and item is not None:
            gap = text[comma : item.start]
            first = comma + len(gap) - len(gap.lstrip(lexis.BLANKS))
            before = text.rfind("\n", 0, first)
            place = first - before if before >= 0 else first + column
            after, *below = (line.strip(lexis.BLANKS) for line in gap.split("\n"))
            comments = [comment for comment in below if comment]
            yield words, [after, *comments] if after or comments else [], place
            words = ""
        glued = not words or written == ":" or (item is not None and item.kind in _GLUED)
        words += written if glued else " " + written
        comma = item.end if item is not None and item.kind == "comma" else -1
    yield words, [], 0


def _tokens(parsed: Parsed) -> Iterator[tuple[str, Item | None]]:
    phrase = parsed.phrase
    yield from ((_item_text(item), item) for item in phrase.actor)
    if phrase.actor:
        yield ":", None
    for place, item in enumerate(phrase.items):
        written = _item_text(item)
        yield (written.lower() if parsed.section is not None and place == 0 else written), item
    if phrase.outcome is not None:
        yield "=>", None
        yield from ((_item_text(item), item) for item in phrase.outcome)


def _item_text(item: Item) -> str:
    if item.kind == "text":
        return lexis.quote(item.text)
    return f"({item.text})" if item.kind == "qualifier" else item.text
