"""The syntax tree of a log, with the place of every part."""

# Annotations are not postponed: NamedTuple would compile each at every start.

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import Literal, NamedTuple

from altay_cli.base.findings import Finding, Span
from altay_cli.notation.lexis import Comment, Lines, span_of_part

Kind = Literal["word", "number", "text", "hidden", "comma", "qualifier"]


class Item(NamedTuple):
    """One item of a statement.

    text: as written; a TEXT without quotes and escapes, a QUALIFIER without brackets.
    value: that of a NUMBER, else 0.
    start, end: offsets in the text of the statement, in code points.
    """

    kind: Kind
    text: str
    value: int
    start: int
    end: int


class Phrase(NamedTuple):
    """The items of a statement: ``[actor ":"] items ["=>" outcome]``.

    Statements with the same text share a phrase. ``actor`` may be empty; ``outcome`` is None
    without ``=>``, and may be empty after it.
    """

    actor: tuple[Item, ...]
    items: tuple[Item, ...]
    outcome: tuple[Item, ...] | None


class Statement(NamedTuple):
    """A statement or heading as written in the log.

    ``text`` has line ends (LF) and inner comments.
    """

    text: str
    phrase: Phrase
    line: int
    column: int

    @property
    def position(self) -> tuple[int, int]:
        """The line and column of its first character."""
        return self.line, self.column

    @property
    def actor(self) -> tuple[Item, ...]:
        """The items before the colon: the player who acts."""
        return self.phrase.actor

    @property
    def items(self) -> tuple[Item, ...]:
        """The items between the colon and ``=>``."""
        return self.phrase.items

    @property
    def outcome(self) -> tuple[Item, ...] | None:
        """The items after ``=>``: the outcome of chance."""
        return self.phrase.outcome

    def span(self, start: int | None = None, end: int | None = None) -> Span:
        """Return the span of ``text[start:end]``, by default of the statement."""
        end = len(self.text) if end is None else end
        return span_of_part(self.text, self.line, self.column, start or 0, end)

    def span_of(self, item: Item) -> Span:
        """Return the span of one of its items."""
        return self.span(item.start, item.end)


class Tag(NamedTuple):
    """A tag pair, ``[Name "value"]``; ``value_span`` includes the quotes."""

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

    A malformed heading, which has a finding, may lack the number or name of ``turn 3 Ann``.
    """

    kind: SectionKind
    heading: Statement
    statements: tuple[Statement, ...]


class GameRecord(NamedTuple):
    """One recorded game.

    span: from its first tag or heading to its last statement.
    unread: malformed statements, which are left out; their phrases end before the mistake.
    """

    tags: tuple[Tag, ...]
    sections: tuple[Section, ...]
    span: Span
    lines: Sequence[str]
    unread: tuple[Statement, ...] = ()

    @property
    def length(self) -> int:
        """The number of characters, comments included."""
        return sum(map(len, self.lines[self.span.line - 1 : self.span.end_line]))

    def tag(self, name: str) -> Tag | None:
        """Return the first tag of this name in any case, or None."""
        return next((tag for tag in self.tags if tag.name.casefold() == name.casefold()), None)


def is_heading(phrase: Phrase, words: Collection[str]) -> bool:
    """Return True if a statement begins with one of ``words``.

    >>> from altay_cli.notation.parser import parse
    >>> is_heading(parse("Round 2").phrase, {"round"}), is_heading(parse("pass").phrase, {"round"})
    (True, False)
    """
    first = phrase.items[0] if phrase.items and not phrase.actor else None
    return first is not None and first.kind == "word" and first.text.casefold() in words


def with_turn_headings(record: GameRecord, words: Collection[str]) -> GameRecord:
    r"""Return the game with statements that begin with ``words`` as headings of turns.

    >>> from altay_cli.notation.reading import read_log
    >>> (game,) = read_log('[Game "dice"]\nsetup\n  seat Ann\n  round 1\n  roll 6').games
    >>> [section.kind.value for section in with_turn_headings(game, {"round"}).sections]
    ['setup', 'turn']
    """
    if not words:
        return record
    malformed = [statement for statement in record.unread if is_heading(statement.phrase, words)]
    sections: list[Section] = []
    for section in _with_statements(record.sections, malformed):
        kind, heading = section.kind, section.heading
        under: list[Statement] = []
        for statement in section.statements:
            if kind is not SectionKind.RESULT and is_heading(statement.phrase, words):
                sections.append(Section(kind, heading, tuple(under)))
                kind, heading, under = SectionKind.TURN, statement, []
            else:
                under.append(statement)
        sections.append(Section(kind, heading, tuple(under)))
    unread = tuple(statement for statement in record.unread if statement not in malformed)
    return record._replace(sections=tuple(sections), unread=unread)


def _with_statements(sections: Sequence[Section], added: Sequence[Statement]) -> Iterator[Section]:
    """Add statements to their sections, by position."""
    for section, following in zip_longest(sections, sections[1:]):
        begin, end = section.heading.position, following and following.heading.position
        inside = [
            statement
            for statement in added
            if begin < statement.position and (end is None or statement.position < end)
        ]
        statements = sorted([*section.statements, *inside], key=lambda other: other.position)
        yield section._replace(statements=tuple(statements))


class Log(NamedTuple):
    """The contents of a file.

    ``games`` of an archive may be read again on access (see ``reading.Games``).
    """

    games: Sequence[GameRecord]
    findings: tuple[Finding, ...]
    comments: tuple[Comment, ...]
    lines: Lines
