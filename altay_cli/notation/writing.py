"""Write logs in canonical form."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Sequence
from enum import Enum

from altay_cli.base.findings import ImpossibleError
from altay_cli.notation import lexis, limits
from altay_cli.notation.parser import Parsed, parse, parse_tag, parse_unclosed
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Item, Kind, Log, is_heading

WIDTH = 100
"""Longer statements are broken after a comma."""

_INDENT = "  "
_GLUED = ("comma", "qualifier")  # no space before them
_FURTHER = "    "  # the additional indentation of continuation lines


def format_log(
    text: str, headings: Collection[str] = (), unread: Container[tuple[int, int]] = ()
) -> str:
    r"""Return the canonical text of a log, which reads as the same games and comments.

    Malformed statements are unchanged.

    headings: words that begin a heading in this game, besides those of the notation.
    unread: line and column of statements that the rules cannot read; they are only indented.

    >>> print(format_log('[Game "farm"]\nturn 1 Ann\n pass ; take   3 sheep'))
    [Game "farm"]
    <BLANKLINE>
    turn 1 Ann
      pass
      take 3 sheep
    <BLANKLINE>
    """
    return _Writer(lexis.split_lines(text), headings, unread).write()


def format_file(
    text: str, headings: Collection[str] = (), unread: Container[tuple[int, int]] = ()
) -> str:
    """Return the canonical text of a log, and check that it reads as the same log.

    ``headings`` and ``unread`` are as for ``format_log``. Raise ImpossibleError if the text is not
    a log, or would be read differently.

    >>> format_file("")
    Traceback (most recent call last):
    altay_cli.base.findings.ImpossibleError: this is not a log, which begins with the tag `Game`
    """
    log = read_log(text)
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
            template = "this is not a log: the text in line {line} belongs to no game"
            if not text.strip():
                template = "this is not a log, which begins with the tag `Game`"
            raise ImpossibleError(template, line=finding.span.line)
    formatted = format_log(text, headings, unread)
    if _content(read_log(formatted)) != _content(log):
        raise ImpossibleError("in canonical form it would not read as the same log")
    return formatted


def _content(log: Log) -> list[object]:
    content: list[object] = [(finding.rule, finding.message) for finding in log.findings]
    content += [comment.text for comment in log.comments]
    for game in log.games:
        content.append([(tag.name, tag.value) for tag in game.tags])
        for section in game.sections:
            content.append((section.kind, *_words(section.heading.items[1:])))
            for statement in section.statements:
                outcome = None if statement.outcome is None else _words(statement.outcome)
                content.append((_words(statement.actor), _words(statement.items), outcome))
    return content


def _words(items: Sequence[Item]) -> tuple[tuple[Kind, str], ...]:
    return tuple((item.kind, item.text) for item in items)


class _Region(Enum):
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
        """Comments on their own lines, not written yet."""
        self._place = _Region.STRAY
        self._heading_column = self._inner_column = 0
        """The columns of the section's heading and of its contents in the source."""
        self._last: lexis.Piece | None = None

    def write(self) -> str:
        for part in lexis.cut_statements(self._source):
            if isinstance(part, lexis.Piece):
                self._piece(part)
            elif part.is_alone:
                self._comments.append(part)
            else:
                # A comment keeps its column if only one part precedes it.
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
        text, canonical = piece.text or "", None  # text that is too long is not parsed
        last, self._last = self._last, piece
        if lexis.is_tag(piece, self._source):
            self._begin(_Region.TAGS)
            self._out += _tag(text) or self._unchanged(piece)
            return
        parsed = parse(text) if piece.unclosed < 0 else parse_unclosed(text)
        inside, indent = self._place is _Region.SECTION, ""
        if parsed.section is not None or (inside and is_heading(parsed.phrase, self._headings)):
            self._begin(_Region.SECTION, new_section=True)
            self._heading_column, self._inner_column = piece.column, piece.column + 1
        elif inside:
            indent = _INDENT
            self._begin(_Region.SECTION, indent)
            if last is None or piece.line > last.end_line:
                self._inner_column = piece.column
        else:
            self._begin(_Region.STRAY)
        if parsed.sound and piece.unclosed < 0 and (piece.line, piece.column) not in self._unread:
            canonical = _statement(text, parsed, indent, piece.column)
        self._out += canonical or self._unchanged(piece, indent)

    def _begin(self, place: _Region, indent: str = "", *, new_section: bool = False) -> None:
        if new_section or place is not self._place:
            self._end_section()
        if self._out and (new_section or place is not self._place):
            self._out.append("")
        self._out += [indent + comment.text for comment in self._comments]
        self._comments.clear()
        self._place = place

    def _end_section(self) -> None:
        if self._place is _Region.SECTION and self._inner_column > self._heading_column:
            while self._comments and self._comments[0].column >= self._inner_column:
                self._out.append(_INDENT + self._comments.pop(0).text)

    def _unchanged(self, piece: lexis.Piece, indent: str = "") -> list[str]:
        lines = list(self._source[piece.line - 1 : piece.end_line])
        lines[-1] = lines[-1][: piece.end_column - 1]
        lines[0] = indent + lines[0][piece.column - 1 :]
        if lines[-1].endswith(lexis.COMMAS) and piece.semicolon:
            lines[-1] += ";"  # without it, the statement would continue in the next line
        return lines


def _tag(text: str) -> list[str] | None:
    pair = parse_tag(text)
    if pair is None:
        return None
    value = text[pair.start : pair.end]
    return [f"[{pair.name} {lexis.quote(pair.value) if value[0] in lexis.OTHER_QUOTES else value}]"]


def _beside(line: str, comment: str, column: int) -> str:
    return line + " " * max(column - 1 - len(line), len(_INDENT)) + comment


def _statement(text: str, parsed: Parsed, indent: str, column: int) -> list[str] | None:
    further, line = indent + _FURTHER, indent
    lines: list[str] = []
    fresh = True
    for words, comments, beside in _chunks(text, parsed, column):
        # A line must not begin like a heading.
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
    # Inserted blanks and line ends count too: the result must be readable.
    return lines if len("\n".join(lines)) - len(indent) <= limits.MAX_STATEMENT else None


def _chunks(text: str, parsed: Parsed, column: int) -> Iterator[tuple[str, list[str], int]]:
    """Yield what must be on one line (up to a comma), with the comments after it.

    The first comment is on the same line, "" if there is none. Last comes its column.
    """
    words = ""
    comma = -1  # the offset after the last comma
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
