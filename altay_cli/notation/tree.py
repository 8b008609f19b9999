"""The syntax tree of a log, with the place of every part."""

# Annotations are not postponed here: Python would compile each field's as text at every start.

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from altay_cli.base.findings import Finding, Span
from altay_cli.notation.lexis import Comment, Lines, stretch

Kind = Literal["word", "number", "text", "hidden", "comma", "qualifier"]
"""The kinds of items in a statement."""


class Item(NamedTuple):
    r"""One item of a statement.

    ``text`` is the item as written: of a TEXT what stands between the quotes, with ``\"`` and
    ``\\`` resolved; of a QUALIFIER what stands between the brackets, each run of white space one
    space. ``value`` is that of a NUMBER, else 0. ``start`` and ``end`` (behind the last) count code
    points in the text of the statement.
    """

    kind: Kind
    text: str
    value: int
    start: int
    end: int


class Phrase(NamedTuple):
    """What a statement says, apart from where: ``[actor ":"] items ["=>" outcome]``.

    Statements with the same text share one phrase. ``actor`` is empty if nobody is named;
    ``outcome`` is None without ``=>``, and empty if nothing stands behind it.
    """

    actor: tuple[Item, ...]
    items: tuple[Item, ...]
    outcome: tuple[Item, ...] | None


class Statement(NamedTuple):
    """One statement or heading, as it stands in the log.

    ``text`` is the source from its first to its last character; of a statement that goes on in
    further lines with the line ends (each a line feed) and the comments between. ``line`` and
    ``column`` tell where it starts.
    """

    text: str
    phrase: Phrase
    line: int
    column: int

    @property
    def actor(self) -> tuple[Item, ...]:
        """Who acts: the items before the colon."""
        return self.phrase.actor

    @property
    def items(self) -> tuple[Item, ...]:
        """The statement itself."""
        return self.phrase.items

    @property
    def outcome(self) -> tuple[Item, ...] | None:
        """What chance brought: the items behind ``=>``."""
        return self.phrase.outcome

    def span(self, start: int | None = None, end: int | None = None) -> Span:
        """Return the place of ``text[start:end]`` in the file; of all of it by default."""
        end = len(self.text) if end is None else end
        return stretch(self.text, self.line, self.column, start or 0, end)

    def span_of(self, item: Item) -> Span:
        """Return the place of one of the statement's items in the file."""
        return self.span(item.start, item.end)


class Tag(NamedTuple):
    """A tag pair, ``[Name "value"]``; ``value_span`` marks the value with its quotes."""

    name: str
    value: str
    span: Span
    value_span: Span


class SectionKind(StrEnum):
    """The sections of a game."""

    SETUP = "setup"
    POSITION = "position"
    TURN = "turn"
    RESULT = "result"


class Section(NamedTuple):
    """A heading and the statements under it.

    The items of the heading ``turn 3 Ann`` are the word ``turn``, the number 3 and the word
    ``Ann``; where it was malformed (a finding says so), number or name may be missing.
    """

    kind: SectionKind
    heading: Statement
    statements: tuple[Statement, ...]


class GameRecord(NamedTuple):
    """One recorded game.

    ``span`` reaches from its first tag (or heading) to its last statement. ``lines`` are those of
    the whole file, ``unread`` the numbers of those with statements that are malformed and left out.
    """

    tags: tuple[Tag, ...]
    sections: tuple[Section, ...]
    span: Span
    lines: Sequence[str]
    unread: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        """The number of characters of the game, comments included."""
        return sum(map(len, self.lines[self.span.line - 1 : self.span.end_line]))

    def tag(self, name: str) -> Tag | None:
        """Return the first tag of this name, whatever its case, or None."""
        return next((tag for tag in self.tags if tag.name.casefold() == name.casefold()), None)


def heads(phrase: Phrase, words: Collection[str]) -> bool:
    """Return whether a statement is a heading of the game: it begins with one of ``words``."""
    first = phrase.items[0] if phrase.items and not phrase.actor else None
    return first is not None and first.kind == "word" and first.text.casefold() in words


def divided(record: GameRecord, words: Collection[str]) -> GameRecord:
    """Return a game in which statements that begin with ``words`` are headings of turns."""
    if not words:
        return record
    sections: list[Section] = []
    for section in record.sections:
        kind, heading = section.kind, section.heading
        under: list[Statement] = []
        for statement in section.statements:
            if kind is not SectionKind.RESULT and heads(statement.phrase, words):
                sections.append(Section(kind, heading, tuple(under)))
                kind, heading, under = SectionKind.TURN, statement, []
            else:
                under.append(statement)
        sections.append(Section(kind, heading, tuple(under)))
    return record._replace(sections=tuple(sections))


class Log(NamedTuple):
    """What a file holds: its games, what is wrong with its syntax, its comments and lines.

    The games of an archive are read again when they are asked for (see ``reading.Games``).
    """

    games: Sequence[GameRecord]
    findings: tuple[Finding, ...]
    comments: tuple[Comment, ...]
    lines: Lines
