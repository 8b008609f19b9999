"""What is wrong somewhere: a finding is one rule, at one place of a text, with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of text.

    Lines and columns count from 1, columns in Unicode code points; the end
    column is the one behind the last marked character (a one-character span
    has ``end_column == column + 1``).
    """

    line: int
    column: int
    end_line: int
    end_column: int


START = Span(1, 1, 1, 1)
"""The place for what concerns a file as a whole."""


class Severity(StrEnum):
    """How much a finding weighs; only errors make a game illegal."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Verdict(StrEnum):
    """What a check says of a game.

    It is ``NOT_JUDGED`` if any part of it could not be judged, whatever else was found: because
    the rules are missing or fail, or because it is unclear who plays.
    """

    LEGAL = "legal"
    ILLEGAL = "illegal"
    NOT_JUDGED = "not judged"


class Fix(NamedTuple):
    """An edit of the log that resolves a finding: replace ``span`` by ``text``.

    It is ``certain`` if nothing else can have been meant; otherwise it is a guess.
    """

    span: Span
    text: str
    certain: bool


class Related(NamedTuple):
    """A second place that a finding refers to, and a message for it."""

    span: Span
    message: str


NO_PAGES: Mapping[str, int | str] = {}
"""No citation; never modified."""


class Finding(NamedTuple):
    """One thing that is wrong somewhere: in a log, in rules, in a variant.

    ``rule`` is a stable id, ``span`` the place in ``file``, which is empty for the log that was
    checked. ``cite`` names pages of the rulebooks by their key
    (``{"en": 11, "de": 11}``); it is empty if the rule is the program's own
    (syntax, limits). ``help`` says what would have been right, a line each.
    ``round`` is None outside of turns, ``player`` where nobody in particular acts.
    ``fixes`` are edits that would mend it, each by itself, the likeliest first.
    ``related`` are other places that it tells of. ``ruling`` names the ruling that it rests on,
    where the rulebook alone does not say so.
    """

    rule: str
    severity: Severity
    message: str
    span: Span
    cite: Mapping[str, int | str] = NO_PAGES
    help: tuple[str, ...] = ()
    round: int | None = None
    player: str | None = None
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    file: str = ""
    ruling: str | None = None

    def __str__(self) -> str:
        place = f"{self.span.line}:{self.span.column}: {self.message} [{self.rule}]"
        return f"{self.file}:{place}" if self.file else place


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return those of some findings that are errors."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


class PackError(Exception):
    """A rule folder that cannot be used; ``problems`` says why, in order."""

    def __init__(self, problems: Iterable[Finding]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class ReadError(Exception):
    """What cannot be read in a text, and where: at ``text[start:end]``, by default all of it.

    ``fix`` is what may have been meant: a text, and the part that it is put in for.
    """

    def __init__(
        self,
        rule: str,
        message: str,
        start: int = 0,
        end: int | None = None,
        help_lines: tuple[str, ...] = (),
        fix: tuple[int, int, str] | None = None,
    ) -> None:
        super().__init__(rule, message, start, end, help_lines, fix)
        self.rule = rule
        self.message = message
        self.start = start
        self.end = end
        self.help = help_lines
        self.fix = fix
