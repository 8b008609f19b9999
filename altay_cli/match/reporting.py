"""Collect the findings of one game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from enum import Enum
from typing import NamedTuple, TypeVar

from altay_cli.base.findings import (
    Finding,
    Fix,
    ImpossibleError,
    ReadError,
    Related,
    Severity,
    Span,
    Subject,
    Text,
    either,
    errors_of,
)
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity, Sink, WrittenName, subjects_of
from altay_cli.match import limits
from altay_cli.match.readings import Reading
from altay_cli.match.state import State
from altay_cli.match.whereabouts import explain_absence
from altay_cli.notation.tree import Statement
from altay_cli.pack.candidates import player_name
from altay_cli.pack.layout import REPORTER, Reporter
from altay_cli.pack.model import Phase, RuleText

DECIDES = "statements that depend on it are not judged; record the draw to decide it"


class StopReason(Enum):
    """Why the rest is not judged."""

    FORBIDDEN = "by a rule, nothing that follows can be legal"
    UNABLE = "what follows cannot be judged"
    ILLEGIBLE = "it may be right with what cannot be read before it"
    OPEN = "no legal move fits in the place of the last statement, which cannot be read"
    ASKED = "whoever reads wants to know no more"


class Stop(Exception):  # noqa: N818 - not an error
    """Raised to skip the rest of the section or game."""

    def __init__(self, *, whole_game: bool, why: StopReason = StopReason.UNABLE) -> None:
        self.whole_game = whole_game
        self.why = why


class FindingContext(NamedTuple):
    """The phase, statement and actor that new findings belong to.

    implied: the beginning of an unrecorded statement applied before this one.
    """

    phase: Phase | None = None
    statement: Statement | None = None
    actor: Entity | None = None
    implied: str = ""


class Mark(NamedTuple):
    """A point in a report that `Report.undo` returns to."""

    findings: int
    told: int
    errors: int
    notes: int


class Gap(NamedTuple):
    """Unrecorded draws: by whom, what, how many."""

    player: str | None
    kind: str
    things: int


class Blank(NamedTuple):
    """A part of a statement to write out when its things are identified.

    drawn: False if the things were only named.
    place: the columns of the part; None if nothing is written yet.
    what: things, and sinks that `hidden.course` fills.
    before: the beginning of an unrecorded statement before this one, up to `=>`; at the end of a
    setup, of a missing one, without `=>`.
    """

    statement: Statement
    drawn: bool
    place: tuple[int, int] | None
    what: tuple[Entity | Sink, ...]
    before: str = ""


class MissingStatement(NamedTuple):
    """A statement missing from a setup after `last`.

    zones: by index, those that it fills.
    """

    last: Statement
    beginning: str
    zones: frozenset[int]


class Doubt(NamedTuple):
    """Why a thing cannot be where a line puts it."""

    line: int
    told: tuple[str, ...]


_Note = TypeVar("_Note", Gap, Blank, Doubt)


class Report(Reporter):
    """The findings of one game.

    explains: whether to give explanations that are slow to find.
    """

    def __init__(self, state: State, made: Sequence[Reading]) -> None:
        self.state = state
        self.made = made
        state.cells[REPORTER] = self
        self.findings: list[Finding] = []
        self.errors = 0
        self.mark = Mark(0, 0, 0, 0)
        """The present mark; kept, as it is read more often than it changes."""
        self.misread: set[Span] = set()
        self.context = FindingContext()
        self.explains = True
        # Set while alternatives are compared that share their unreadable text.
        self._ignores_unreadable = False
        self._reported: dict[tuple[str, object], None] = {}
        self._notes: list[Gap | Blank | Doubt] = []
        # The lines with a `Doubt`.
        self._doubtful: set[int] = set()
        self.missing_setup: list[MissingStatement] = []

    @property
    def is_full(self) -> bool:
        """Whether no more findings are reported."""
        return len(self.findings) >= limits.MAX_FINDINGS

    def noted(self, kind: type[_Note]) -> list[_Note]:
        """Return the notes of one kind."""
        return [note for note in self._notes if isinstance(note, kind)]

    @contextmanager
    def suppressed(
        self, *, explained: bool = False, ignore_unreadable: bool = False
    ) -> Iterator[None]:
        """Restore the report on exit, even after a rewind beyond its findings.

        An inner context is never more complete than an outer one.

        explained: include explanations that are slow to find.
        ignore_unreadable: all alternatives share the unreadable text.
        """
        findings, notes = self.findings.copy(), self._notes.copy()
        reported, errors, doubtful = self._reported.copy(), self.errors, self._doubtful.copy()
        ignored = self._ignores_unreadable
        self._ignores_unreadable = ignored or ignore_unreadable
        try:
            with nullcontext() if explained else self.unexplained():
                yield
        finally:
            self._ignores_unreadable = ignored
            self.findings[:], self._notes[:] = findings, notes
            self._reported, self.errors, self._doubtful = reported, errors, doubtful
            self._update_mark()

    @contextmanager
    def unexplained(self) -> Iterator[None]:
        """Leave out explanations that are slow to find."""
        before, self.explains = self.explains, False
        try:
            yield
        finally:
            self.explains = before

    def begin(self, phase: Phase | None) -> None:
        """Set the phase of later findings."""
        if phase is not self.context.phase:
            self.context = self.context._replace(phase=phase)

    def set_actor(self, actor: Entity | None) -> None:
        """Attach later findings to an actor."""
        phase, statement, _, implied = self.context
        self.context = FindingContext(phase, statement, actor, implied)

    @contextmanager
    def at(
        self, statement: Statement | None, actor: Entity | None, implied: str = ""
    ) -> Iterator[None]:
        """Attach findings inside the context to a statement and actor."""
        before = self.context
        self.context = FindingContext(before.phase, statement, actor, implied)
        try:
            yield
        finally:
            self.context = before

    def _update_mark(self) -> None:
        self.mark = Mark(len(self.findings), len(self._reported), self.errors, len(self._notes))

    def _note(self, note: Gap | Blank | Doubt) -> None:
        if isinstance(note, Blank) and self.state.hidden.beliefs.trace is None:
            return  # without a trace, sinks are never filled
        self._notes.append(note)
        self._update_mark()

    def undo(self, mark: Mark) -> None:
        """Remove what was reported since ``mark``."""
        found, reported, self.errors, notes = self.mark = mark
        del self.findings[found:]
        if len(self._notes) > notes:
            self._doubtful -= {note.line for note in self._notes[notes:] if isinstance(note, Doubt)}
            del self._notes[notes:]
        while len(self._reported) > reported:
            self._reported.popitem()

    def report_text(
        self,
        text: RuleText,
        values: Mapping[str, object],
        item: WrittenName | None = None,
        *,
        help_lines: tuple[str, ...] = (),
    ) -> None:
        """Report a violation, perhaps at the name `item`."""
        if text.unrecorded and not self.state.complete:
            self.unrecorded(text.unrecorded, 1)
            return
        about: list[object] = []
        message = self.state.finding_text(text.message, values, about)
        if self.context.statement is None:  # the program sets up a game that has no log yet
            raise ImpossibleError(message)
        self.add(
            text.rule,
            text.severity,
            message,
            self.span(item.start, item.end) if item else None,
            self.made[-1].parsed.move.cite if text.of_move and self.made else text.cite,
            (*self.help(text, values, about), *help_lines),
            distinct=item is None,
            ruling=text.ruling,
            about=subjects_of(about),
        )

    def report_undecided(self, message: str, otherwise: str) -> None:
        """Note that unrecorded facts decide; `otherwise` is the presumed finding."""
        help_line = Text("according to the log: {message}", message=otherwise)
        self.add("unrecorded", Severity.NOTE, message, help_lines=(help_line,))

    def unsure(self, item: WrittenName, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a drawn thing may be one of several."""
        if len({other.parent or other for other in others}) == 1:
            self.assumed(item.start, item.end, chosen)
        else:
            names = list(map(self.state.finding_words.name, others))
            self.ambiguous((item.start, item.end), names, subjects_of(others))

    def unrecorded(self, kind: str, count: int, *, shared: bool = False) -> None:
        """Note unrecorded draws; if ``shared``, they went to no player."""
        actor = None if shared else self.context.actor
        self._note(Gap(None if actor is None else actor.id, kind, count))

    @property
    def line(self) -> int:
        """The line of the current statement."""
        return 0 if self.context.statement is None else self.context.statement.line

    def cannot_be(self, place: int, named: Sequence[Entity]) -> None:
        """Note why a place cannot hide a named thing."""
        if self.explains and self.line not in self._doubtful:
            reasons = explain_absence(self.state, place, named)
            if reasons:
                self._note(Doubt(self.line, reasons))
                self._doubtful.add(self.line)

    def came(
        self,
        written: Sequence[WrittenName] | None,
        what: Sequence[Entity | Sink],
        target: int | None = None,
    ) -> None:
        """Note the drawn things, in order, to write them out later."""
        phase, statement, _, implied = self.context
        if statement is None:
            return
        if target is not None:
            for missing in self.missing_setup if phase == "setup" else ():
                if self.state.layout.zones[target] in missing.zones:
                    self._note(Blank(missing.last, True, None, tuple(what), missing.beginning))
        else:
            place = (written[0].start, written[-1].end) if written else None
            self._note(Blank(statement, True, place, tuple(what), implied))

    def note_meaning(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note the assumed meaning of some names."""
        if self.context.statement is not None:
            self._note(Blank(self.context.statement, False, (start, end), tuple(what)))

    def undecided(self, message: str) -> None:
        """Report that hidden contents are no longer computed."""
        self.add("undecided", Severity.ERROR, message, help_lines=(DECIDES,))

    def ambiguous(
        self,
        place: tuple[int, int] | None,
        names: Sequence[str],
        about: tuple[Subject, ...],
        *,
        fits: bool = False,
    ) -> None:
        """Report an ambiguous name, or note that a thing that ``fits`` is assumed."""
        rule, severity = "ambiguous-name", Severity.ERROR
        template = "this may be {names}; say which"
        if fits:
            rule, severity = "either-meant", Severity.NOTE
            template = "this may be {names}, whichever fits what follows; say which"
        message = Text(template, names=either(names))
        self.add(rule, severity, message, self.span(*place or ()), about=about)

    def assumed(self, start: int, end: int, chosen: Entity) -> None:
        """Note which copy a name is assumed to mean."""
        message = Text(
            "several copies may be meant; {name} is taken, which has the fewest points",
            name=self.state.finding_words.name(chosen),
        )
        span = self.span(start, end)
        self.add("copy-assumed", Severity.NOTE, message, span, about=subjects_of(chosen))

    def unknown_player(self, statement: Statement) -> None:
        """Report the name of an unseated player."""
        name = player_name(statement.actor)[:40]
        known = tuple(player.id for player in self.state.players)
        self.add(
            "unknown-player",
            Severity.ERROR,
            self._not_a_player(statement) or Text("there is no player `{name}`", name=name),
            statement.span(statement.actor[0].start, statement.actor[-1].end),
            help_lines=(Text("at the table: {names}", names=known),) if known else (),
            about=(Subject("player", name),),
        )

    def _not_a_player(self, statement: Statement) -> str:
        written, pack = player_name(statement.actor), self.state.pack
        kinds = (kind for kind, names in pack.names.items() if normal(written) in names)
        kind = next(kinds, None)
        if kind is None:
            return ""
        title = pack.kinds.get(kind, kind)
        a, an = (
            "`{name}` is a {kind}; only the name of a player can be written before `:`",
            "`{name}` is an {kind}; only the name of a player can be written before `:`",
        )
        template = an if title[:1] in "aeiou" else a
        return Text(template, name=written[:40], kind=self.state.words.word(title))

    def unknown_actor(self, statement: Statement) -> ReadError | None:
        """Return the error of a thing named as player."""
        message = self._not_a_player(statement) if statement.actor else ""
        if not message or self.context.actor is not None:
            return None
        known = tuple(player.id for player in self.state.players)
        help_lines = (Text("at the table: {names}", names=known),) if known else ()
        first, last = statement.actor[0], statement.actor[-1]
        about = (Subject("player", player_name(statement.actor)[:40]),)
        return ReadError("unknown-player", message, first.start, last.end, help_lines, about=about)

    def actor_missing(self, statement: Statement, message: str) -> None:
        """Report a statement without a player between turns."""
        help_line = Text(
            "begin with the player's name: `{text}`", text=f"Ann: {statement.text[:40]}"
        )
        self.add(
            "actor-missing", Severity.ERROR, message, statement.span(), help_lines=(help_line,)
        )

    def unreadable(self, error: ReadError) -> None:
        """Report unreadable text, unless that is ignored."""
        if self._ignores_unreadable:
            return
        span = self.span(error.start, error.end)
        self.misread.add(span)
        fixes: tuple[Fix, ...] = ()
        if error.fix is not None:
            start, end, text = error.fix
            fixes = (Fix(self.span(start, end), text, certain=False),)
        self.add(
            error.rule,
            Severity.ERROR,
            error.message,
            span,
            {},
            error.help,
            fixes=fixes,
            about=error.about,
        )

    def explainable(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the errors that an edit of the log could explain."""
        return [
            error
            for error in errors_of(findings)
            if error.round is None
            or error.rule == "unknown-player"
            or error.span not in self.misread
        ]

    def span(self, start: int | None = None, end: int | None = None) -> Span:
        """Return the span of the statement, or of some columns of it."""
        assert self.context.statement is not None
        return self.context.statement.span(start, end)

    def help(
        self, text: RuleText, values: Mapping[str, object], about: list[object] | None = None
    ) -> list[str]:
        """Return the help of a finding; add its values to ``about``."""
        lines = [self.state.finding_text(line, values, about) for line in text.help]
        return list(filter(None, lines))

    def left_out(self, statements: Sequence[Statement], since: int, cause: Finding | None) -> None:
        """Report statements that are not judged, as help of `cause`.

        By default, of the last error from number `since` on, or else as a new finding.
        """
        if self.is_full:
            return
        first = min(statements, key=lambda statement: (statement.line, statement.column))
        summary = Text.plural(
            len(statements),
            "the statement from line {line} on is not judged",
            "the {count} statements from line {line} on are not judged",
            line=first.line,
        )
        for number in range(len(self.findings) - 1, since - 1, -1):
            found = self.findings[number]
            if found is cause or (cause is None and found.severity is Severity.ERROR):
                because = Text("because of this, {rest}", rest=summary)
                self.findings[number] = found._replace(help=(*found.help, because))
                return
        self.begin(None)
        message = Text("{rest}: it is unclear whose turn it is", rest=summary)
        self.add("not-judged", Severity.ERROR, message, first.span())

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
        about: tuple[Subject, ...] = (),
    ) -> None:
        """Add a finding, unless the report is full.

        distinct: keep a second finding of this rule at this place if its message differs.
        """
        span = span or self.span()
        # Report a rule once per place, an unknown player once per game.
        place: object = about[:1] if rule == "unknown-player" else span
        key = (rule, (place, message) if distinct else place)
        if key in self._reported:
            return
        self._reported[key] = None
        phase, _, actor, _ = self.context
        if not self.is_full:
            self.errors += severity is Severity.ERROR
            number = self.state.round if phase == "turns" else None
            player = actor.id if actor is not None and phase is not None else None
            found = Finding(rule, severity, message, span, cite or {}, help_lines, number, player)
            self.findings.append(
                found._replace(fixes=fixes, related=related, ruling=ruling, about=about)
            )
        self._update_mark()
