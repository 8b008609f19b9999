"""Collecting the findings of one game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum, IntEnum
from typing import NamedTuple

from altay_cli.base.findings import Finding, Fix, ReadError, Related, Severity
from altay_cli.base.spans import Span
from altay_cli.base.text import Text, either
from altay_cli.base.values import DrawnItem, Entity, Sink
from altay_cli.match.doubts import why_not
from altay_cli.match.patterns import player_name
from altay_cli.match.reporter import Reporter
from altay_cli.match.state import State
from altay_cli.notation import Statement
from altay_cli.pack.model import MoveDef, Phase, RuleText

DECIDES = "what depends on it is not judged; a draw that is written down decides it"

MAX_FINDINGS = 1_000
"""The maximum number of findings reported for one game."""


class Why(Enum):
    """Why the rest of a game is not judged."""

    FORBIDDEN = "by a rule, nothing that follows can be legal"
    UNABLE = "what follows cannot be judged"
    ILLEGIBLE = "it may be right with what cannot be read before it"
    ASKED = "whoever reads wants to know no more"


class Stop(Exception):  # noqa: N818 - no error: the rest is not played
    """The rest of the section, or of the whole game, is skipped."""

    def __init__(self, *, whole_game: bool, why: Why = Why.UNABLE) -> None:
        super().__init__()
        self.whole_game = whole_game
        self.why = why


class Telling(IntEnum):
    """How much of what is found is told; while something is tried, less."""

    ALL = 0
    """Everything, with its reasons."""
    SUPPOSING = 1
    """It is tried if a statement is legal under some supposition: why it is not is told later."""
    COUNTING = 2
    """Findings are only counted."""
    COMPARING = 3
    """Ways to go on are compared: what cannot be read is wrong in all of them, and not counted."""
    NOTHING = 4


class Mark(NamedTuple):
    """The size of a report at some moment."""

    findings: int
    told: int
    errors: int
    gaps: int
    blanks: int
    doubts: int


class Gap(NamedTuple):
    """Things drawn that were not recorded: by whom, of which kind, how many."""

    player: str | None
    kind: str
    things: int
    line: int


class Blank(NamedTuple):
    """A part of a statement that can be written out when it is known what it stands for.

    ``place`` is where that stands; None if nothing is written yet. ``what`` are things, and what
    will tell of things (see ``hidden.course``). ``drawn`` is false if they were only named.
    """

    statement: Statement
    drawn: bool
    place: tuple[int, int] | None
    what: tuple[Entity | Sink, ...]
    before: str = ""
    """The beginning of the unrecorded statement that belongs before this one, up to `=>`; or of the
    one that is lacking at the end of a setup, without `=>`."""


def _place(written: Sequence[DrawnItem] | None) -> tuple[int, int] | None:
    return (written[0].start, written[-1].end) if written else None


class Report(Reporter):
    """Collects the findings of one game.

    ``errors`` counts those that weigh most. ``statement``, ``actor`` and ``phase`` say where the
    reading stands, ``telling`` how much of what is found is told. After MAX_FINDINGS it is full,
    and the game need not be judged further.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        state.reporter = self
        self.findings: list[Finding] = []
        self.errors = 0
        self.misread: set[Span] = set()
        """Where what could not be read stands."""
        self.illegible = False
        """Whether so much cannot be read that what is found wrong behind it says nothing."""
        self._told: dict[tuple[str, object], None] = {}
        self.statement: Statement | None = None
        self.actor: Entity | None = None
        self.move: MoveDef | None = None
        """The move that is carried out."""
        self.phase: Phase | None = None
        self.telling = Telling.ALL
        self.wrong = 0
        """The number of errors found, told or not: what is wrong with a statement is counted here
        even if it has been told, or is not to be."""
        self.taken_back = 0
        """How many changes were taken back to find out since when a condition does not hold."""
        self.implied = ""
        """The beginning of the unrecorded statement that is being carried out."""
        self.gaps: list[Gap] = []
        self.doubts: dict[int, tuple[str, ...]] = {}
        """What is known, by line, of things that a statement names where they cannot be."""
        self.blanks: list[Blank] = []
        self.lacking: list[tuple[Statement, str, frozenset[int]]] = []
        """Unrecorded statements of a setup: the last one there, how the lacking one begins, and the
        zones by which it is missed."""

    @property
    def is_full(self) -> bool:
        """Whether the maximum number of findings has been reached."""
        return len(self.findings) >= MAX_FINDINGS

    @contextmanager
    def only(self, telling: Telling) -> Iterator[None]:
        """Tell no more than this of what is found inside."""
        before, self.telling = self.telling, max(self.telling, telling)
        try:
            yield
        finally:
            self.telling = before

    def begin(self, phase: Phase | None) -> None:
        """Take note that a part of the game is read now; None if what is told is of all of it."""
        self.phase = phase

    def acts(self, actor: Entity | None) -> None:
        """Let what is found be told of who acts."""
        self.actor = actor

    @contextmanager
    def at(
        self, statement: Statement | None, actor: Entity | None, implied: str = ""
    ) -> Iterator[None]:
        """Let what is found inside be told of a statement, and of who acts in it.

        ``implied`` is the beginning of an unrecorded statement that is carried out before it.
        """
        before = self.statement, self.actor, self.implied
        self.statement, self.actor, self.implied = statement, actor, implied
        try:
            yield
        finally:
            self.statement, self.actor, self.implied = before

    def mark(self) -> Mark:
        """Return a mark for ``undo``."""
        told, gaps = len(self._told), len(self.gaps)
        blanks, doubts = len(self.blanks), len(self.doubts)
        # Made for every statement: this takes a third of the time of calling ``Mark``.
        sizes = len(self.findings), told, self.errors, gaps, blanks, doubts
        return tuple.__new__(Mark, sizes)

    def undo(self, mark: Mark) -> None:
        """Remove everything that was reported since ``mark``."""
        found, told, self.errors, gaps, blanks, doubts = mark
        del self.findings[found:]
        del self.blanks[blanks:]
        del self.gaps[gaps:]
        while len(self._told) > told:
            self._told.popitem()
        while len(self.doubts) > doubts:
            self.doubts.popitem()

    def say(self, text: RuleText, values: Mapping[str, object], item: DrawnItem | None) -> None:
        """Report a breach of a rule, at the thing ``item`` if one is given."""
        if text.unrecorded and not self.state.complete:
            self.unrecorded(text.unrecorded, 1)
            return
        self.add(
            text.rule,
            text.severity,
            self.state.said(text.message, values),
            self._span(item.start, item.end) if item else None,
            self.move.cite if text.of_move and self.move is not None else text.cite,
            tuple(self.help(text, values)),
            distinct=item is None,
            ruling=text.ruling,
        )

    def unsure(self, item: DrawnItem, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a drawn thing may be one of several: copies, or different things."""
        if len({other.parent or other for other in others}) == 1:
            self.assumed(item.start, item.end, chosen)
        else:
            self.ambiguous(item.start, item.end, [self.state.name(other) for other in others])

    def unrecorded(self, kind: str, count: int, *, shared: bool = False) -> None:
        """Note that ``count`` things of a kind came and were not recorded; to nobody if shared."""
        if self.telling is not Telling.NOTHING:
            line = self.statement.line if self.statement is not None else 0
            who = self.actor.id if self.actor is not None and not shared else None
            self.gaps.append(Gap(who, kind, count, line))

    @property
    def explains(self) -> bool:
        """Whether what is found is told, with its reasons."""
        return self.telling <= Telling.SUPPOSING

    @property
    def line(self) -> int:
        """The line of the statement that is judged."""
        return self.statement.line if self.statement is not None else 0

    def cannot_be(self, place: int, named: Sequence[Entity]) -> None:
        """Note that nothing hidden in a place can be what a statement names, and why."""
        if self.telling is Telling.ALL and self.line not in self.doubts:
            told = why_not(self.state, place, named)
            if told:
                self.doubts[self.line] = told

    def came(
        self,
        written: Sequence[DrawnItem] | None,
        what: Sequence[Entity | Sink],
        target: int | None = None,
    ) -> None:
        """Note what came, in order, and what is written of it.

        What came to a ``target`` without being asked for at the end of a setup is what a lacking
        statement would have told, if that is missed by what lies there.
        """
        if self.statement is None or self.telling is Telling.NOTHING:
            return
        if target is not None:
            for last, begins, zones in self.lacking if self.phase is Phase.SETUP else ():
                if self.state.layout.zones[target] in zones:
                    self.blanks.append(Blank(last, True, None, tuple(what), begins))
        else:
            place = _place(written)
            self.blanks.append(Blank(self.statement, True, place, tuple(what), self.implied))

    def meant(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note which things the names from ``start`` to ``end`` were taken for."""
        if self.statement is not None and self.state.hidden.trace is not None:
            self.blanks.append(Blank(self.statement, False, (start, end), tuple(what)))

    def undecided(
        self,
        message: str,
        help_lines: tuple[str, ...] = (DECIDES,),
        cite: Mapping[str, int | str] | None = None,
        ruling: str | None = None,
    ) -> None:
        """Report that it cannot be told whether a statement is legal, or what it leads to."""
        self.add("undecided", Severity.ERROR, message, None, cite, help_lines, ruling=ruling)

    def not_judged(self, unread: int, ahead: int, message: str) -> None:
        """Report that so much cannot be read that it cannot be told whether a statement is right.

        That is so many statements of the game, ``ahead`` of them before it; ``message`` says what
        is wrong with it without them.
        """
        self.illegible = True
        told = Text(
            "{count} statements of this game cannot be read, {ahead} of them before this one: "
            "without them, it is not judged whether it is right",
            count=f"{unread:,}",
            ahead=f"{ahead:,}",
        )
        why = Text("by what can be read: {message}", message=message)
        self.add("not-judged", Severity.ERROR, told, help_lines=(why,))

    def ambiguous(
        self, start: int | None, end: int | None, names: Sequence[str], *, fits: bool = False
    ) -> None:
        """Report that a name can mean several things; note it if one that ``fits`` is taken."""
        rule, severity = "ambiguous-name", Severity.ERROR
        message = Text("this may be {names}; say which", names=either(names))
        if fits:
            rule, severity = "either-meant", Severity.NOTE
            template = "this may be {names}, whichever fits what follows; say which"
            message = Text(template, names=either(names))
        self.add(rule, severity, message, self._span(start, end))

    def assumed(self, start: int, end: int, chosen: Entity) -> None:
        """Report which of several copies the name from ``start`` to ``end`` was taken for."""
        message = Text(
            "several copies may be meant; {name} is taken, which has the fewest points",
            name=self.state.name(chosen),
        )
        self.add("copy-assumed", Severity.NOTE, message, self._span(start, end))

    def unknown_player(self, statement: Statement) -> None:
        """Report that a statement names a player who is not at the table."""
        name = player_name(statement.actor)[:40]
        known = tuple(player.id for player in self.state.players)
        span = statement.span(statement.actor[0].start, statement.actor[-1].end)
        help_lines = (Text("at the table: {names}", names=known),) if known else ()
        self.add(
            "unknown-player", Severity.ERROR, Text("there is no player `{name}`", name=name), span,
            help_lines=help_lines,
        )  # fmt: skip

    def actor_missing(self, statement: Statement, message: str) -> None:
        """Report that a statement names no player, and it is nobody's turn."""
        help_lines = (
            Text("begin with the player's name: `{text}`", text=f"Ann: {statement.text[:40]}"),
        )
        self.add("actor-missing", Severity.ERROR, message, statement.span(), help_lines=help_lines)

    def unreadable(self, error: ReadError) -> None:
        """Report what could not be read in the current statement.

        While ways to go on are compared, it counts for nothing.
        """
        if self.telling is Telling.COMPARING:
            return
        span = self._span(error.start, error.end)
        self.misread.add(span)
        fixes: tuple[Fix, ...] = ()
        if error.fix is not None:
            start, end, text = error.fix
            fixes = (Fix(self._span(start, end), text, certain=False),)
        self.add(error.rule, Severity.ERROR, error.message, span, {}, error.help, fixes=fixes)

    def _span(self, start: int | None = None, end: int | None = None) -> Span:
        """Return the place of the statement that is read, or of a part of it."""
        assert self.statement is not None
        return self.statement.span(start, end)

    def help(self, text: RuleText, values: Mapping[str, object]) -> list[str]:
        """Return the help lines of a finding, without empty ones."""
        return [told for line in text.help if (told := self.state.said(line, values))]

    def left_out_before(self, statement: Statement, text: str) -> None:
        """Add to the error at a statement that a missing statement before it would explain it."""
        for number in range(len(self.findings) - 1, -1, -1):
            found = self.findings[number]
            if found.severity is Severity.ERROR and found.span.line >= statement.line:
                self.findings[number] = explained(found, statement, text)
                return

    def meant_instead(self, statement: Statement, text: str) -> None:
        """Add to the error at a statement that cannot be read which one may have been meant."""
        span = statement.span()
        at = [
            number
            for number, found in enumerate(self.findings)
            if found.severity is Severity.ERROR and span[:2] <= found.span[:2] <= span[2:]
        ]
        for number in reversed(at[1:]):  # what else is wrong with it does not matter then
            del self.findings[number]
        for number in at[:1]:
            found = self.findings[number]
            help_lines = (Text("did you mean `{name}`?", name=text), *found.help)
            fixes = (Fix(span, text, certain=False),)
            self.findings[number] = found._replace(help=help_lines, fixes=fixes)

    def left_out(self, statements: Sequence[Statement], since: int, cause: Finding | None) -> None:
        """Tell which statements were not judged, beside what is the cause.

        That is ``cause``, else the last error from number ``since`` on; where there is none, it is
        told by itself.
        """
        if not statements or self.is_full:
            return
        first = min(statements, key=lambda statement: (statement.line, statement.column))
        told = Text.plural(
            len(statements),
            "the statement from line {line} on is not judged",
            "the {count} statements from line {line} on are not judged",
            line=first.line,
        )
        for number in range(len(self.findings) - 1, since - 1, -1):
            found = self.findings[number]
            if found is cause or (cause is None and found.severity is Severity.ERROR):
                found = found._replace(
                    help=(*found.help, Text("because of this, {rest}", rest=told))
                )
                self.findings[number] = found
                return
        self.begin(None)
        message = Text("{rest}: it is unclear whose turn it is", rest=told)
        self.add("not-judged", Severity.ERROR, message, first.span())

    def count(self, severity: Severity) -> None:
        """Count what is wrong, whether it is told or not."""
        self.wrong += severity is Severity.ERROR

    def add(
        self,
        rule: str,
        severity: Severity,
        message: str,
        span: Span | None = None,
        cite: Mapping[str, int | str] | None = None,
        help_lines: tuple[str, ...] = (),
        *,
        distinct: bool = False,
        fixes: tuple[Fix, ...] = (),
        related: tuple[Related, ...] = (),
        ruling: str | None = None,
    ) -> None:
        """Add a finding, unless nothing is told now, or beyond the limit.

        Without a place it stands at the statement that is read. A second finding of the same rule
        at the same place is dropped, unless it is ``distinct``.
        """
        self.count(severity)
        if self.telling is Telling.NOTHING:
            return
        span = span or self._span()
        # The same breach at the same place is one slip, and so is a name that nobody has.
        place: object = message if rule == "unknown-player" else span
        told = (rule, (place, message) if distinct else place)
        if told in self._told:
            return
        self._told[told] = None
        if self.is_full:
            return
        self.errors += severity is Severity.ERROR
        in_turns = self.phase is Phase.TURNS
        self.findings.append(
            Finding(
                rule,
                severity,
                message,
                span,
                cite or {},
                help_lines,
                self.state.round if in_turns else None,
                self.actor.id if self.actor is not None and (in_turns or self.phase) else None,
                fixes,
                related,
                ruling=ruling,
            )
        )


def explained(found: Finding, before: Statement, text: str) -> Finding:
    """Return an error with the statement that may have been left out before another one."""
    place = before.span(0, 0)
    if place.line == found.span.line:
        told = Text("was `{statement}` left out before this?", statement=text)
    else:
        told = Text(
            "was `{statement}` left out before line {line}?", statement=text, line=place.line
        )
    fix = Fix(place, f"{text}; ", certain=False)
    return found._replace(help=(told, *found.help), fixes=(fix, *found.fixes))


def misplaced(found: Finding, behind: Statement) -> Finding:
    """Return an error at a statement that may have been swapped with the next one."""
    told = (
        "was this meant to come before the line above?"
        if behind.line == found.span.line
        else Text("was this meant to come after line {line}?", line=behind.line)
    )
    return found._replace(help=(told, *found.help))
