"""Mending what is badly written but unambiguous: the log as it was meant, and the edits to it.

A statement that no move is written like is changed step by step - a colon put in, a list divided, a
word of the rules put in the place of what people write - until it can be read. The steps are
general; which words and forms people use stands in the rules. Nothing here knows how the game
stands, so that what a statement means never depends on what would be legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from altay_cli.engine.binding import Binder, bad_player_name, elements, player_name
from altay_cli.engine.match import PHASES
from altay_cli.engine.rewriting import STEPS, Changed, Step, nearest, vocabulary
from altay_cli.engine.wording import speller
from altay_cli.findings import Finding, Fix, Severity
from altay_cli.notation import GameRecord, Kind, Phrase, SectionKind, Statement, heads
from altay_cli.notation.cutting import Piece, cut, is_tag
from altay_cli.notation.phrases import parse
from altay_cli.notation.tree import stretch
from altay_cli.pack.model import Pack, Phase, Shape
from altay_cli.pack.spelling import normal
from altay_cli.spans import Span
from altay_cli.values import Entity

MAXSTEPS = 4
"""The maximum number of steps in which a statement is changed."""

MAX_TRIES = 300
"""The maximum number of changed texts read for one statement."""

MAX_LENGTH = 400
"""Statements longer than this are not changed."""

MAX_STATEMENTS = 200
"""The maximum number of statements per game that are changed."""

LOG_TRIES = 3_000
"""The maximum number of changed texts read per log; long ones count more than once."""

TRY_LENGTH = 100
"""The number of characters for which a text counts as one more try."""


class Tries:
    """The number of changed texts that may still be read for a log, all its games together."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = LOG_TRIES


class Mended(NamedTuple):
    """A stretch of the log that is read otherwise, and what is told of it."""

    span: Span
    text: str
    finding: Finding


def mend(record: GameRecord, pack: Pack, tries: Tries, *, sound: bool) -> list[Mended]:
    """Return what of a game should be read otherwise, in the order of the log; often nothing.

    ``sound`` says that the notation finds nothing wrong with it; all games of a log share the
    ``tries``, and what is badly written stays as it is when none are left.
    """
    reading = _Reading(pack, tries)
    if sound and reading.is_sound(record):
        return []
    first, last = record.span.line, record.span.end_line
    lines = record.lines[first - 1 : last]
    pieces = [
        part._replace(line=part.line + first - 1, end_line=part.end_line + first - 1)
        for part in cut(lines)
        if isinstance(part, Piece) and not is_tag(part, lines)
    ]
    mended = list(reading.mended(pieces))
    # Who plays may be told behind what they do: what comes before is read once more.
    if reading.known_at:
        before, behind = pieces[: reading.known_at], pieces[reading.known_at :]
        kept = [one for one in mended if behind and one.span[:2] >= behind[0].span[:2]]
        mended = [*reading.mended(before), *kept]
    return mended


def singular(record: GameRecord, pack: Pack) -> list[Fix]:
    """Return edits that call several of a thing by the name of one, as names are written."""
    reading = _Reading(pack, Tries())
    found: list[Fix] = []
    for section in record.sections:
        phase = PHASES[section.kind]
        for statement in section.statements if phase is not Phase.RESULT else ():
            for parsed in reading.binder.good(statement.phrase, phase)[:1]:
                named = [*parsed.slots.values(), *(drawn or () for drawn in parsed.drawn.values())]
                places = {one.start for slot in named for one in slot if one.text}
                found += _singulars(statement, places, pack)
    return found


def _singulars(statement: Statement, places: set[int], pack: Pack) -> Iterator[Fix]:
    for element in [*elements(statement.items), *elements(statement.outcome or ())]:
        # A name may follow on the words of the statement; its count stands before it.
        for first, item in enumerate(element):
            if item.start not in places:
                continue
            rest = element[first:]
            if rest[0].kind is Kind.NUMBER:
                rest = rest[1:]
            words = list(takewhile(lambda one: one.kind is Kind.WORD, rest))
            for size in range(len(words), 0, -1):
                one = pack.plurals.get(normal(" ".join(word.text for word in words[:size])))
                if one is not None:
                    span = statement.span(words[0].start, words[size - 1].end)
                    yield Fix(span, one, certain=True)
                    break


def applied(lines: Sequence[str], mended: Sequence[Mended]) -> str:
    """Return the text of a log with stretches of it replaced."""
    changed = list(lines)
    for one in sorted(mended, key=lambda one: one.span, reverse=True):
        span = one.span
        first, last = changed[span.line - 1], changed[span.end_line - 1]
        text = first[: span.column - 1] + one.text + last[span.end_column - 1 :]
        changed[span.line - 1 : span.end_line] = text.split("\n")
    return "\n".join(changed)


def replaced(finding: Finding, mended: Sequence[Mended]) -> Finding:
    """Return a finding about the mended text with its place in the text as it was written."""
    span = finding.span
    start = _place(span.line, span.column, mended, end=False)
    end = _place(span.end_line, span.end_column, mended, end=True)
    fixes = tuple(
        fix._replace(
            span=Span(
                *_place(fix.span.line, fix.span.column, mended, end=False),
                *_place(fix.span.end_line, fix.span.end_column, mended, end=True),
            )
        )
        for fix in finding.fixes
    )
    return finding._replace(span=Span(*start, *max(start, end)), fixes=fixes)


def _place(line: int, column: int, mended: Sequence[Mended], *, end: bool) -> tuple[int, int]:
    """Return where a place of the mended text is in the text as it was written."""
    shift = 0
    for one in mended:
        span = one.span
        *above, last = one.text.split("\n")
        if line < span.line or line > span.end_line:
            continue
        begin = span.column + shift if line == span.line else 0
        if (line, column) <= (span.line, begin):
            return line, column - shift
        behind = (begin if not above else 1) + len(last)
        if line == span.end_line and column >= behind:
            shift = behind - span.end_column
        elif end:
            return span.end_line, span.end_column
        else:
            return span.line, span.column
    return line, column - shift


class _Reading:
    """Reads the statements of one game, and changes those that cannot be read."""

    def __init__(self, pack: Pack, tries: Tries) -> None:
        self.pack = pack
        self.binder = Binder(pack)
        self.vocabulary = vocabulary(pack)
        self.phase: Phase | None = None
        self.statements_left = MAX_STATEMENTS
        self.tries = tries
        self.known_at = 0
        """How many pieces had been read when the last player became known."""

    def is_sound(self, record: GameRecord) -> bool:
        """Return whether every statement and heading can be read."""
        for section in record.sections:
            self.phase = PHASES[section.kind]
            if section.kind is SectionKind.TURN and not self.heads(section.heading.phrase):
                return False
            for statement in section.statements:
                if not self.reads(statement.phrase):
                    return False
        return True

    def mended(self, pieces: Sequence[Piece]) -> Iterator[Mended]:
        """Yield what should be read otherwise."""
        self.phase = None
        self.statements_left = MAX_STATEMENTS
        known = len(self.players)
        for number, piece in enumerate(pieces):
            if len(self.players) > known:
                known, self.known_at = len(self.players), number
            text = piece.text
            # However it is divided into lines: `fmt` changes that.
            if text is None or piece.unclosed >= 0 or len(" ".join(text.split())) > MAX_LENGTH:
                continue
            parsed = parse(text)
            if parsed.too_large:  # what is told of it is all that can be said
                continue
            if parsed.section is not None and parsed.sound:
                self.phase = PHASES[parsed.section]
                if parsed.section is not SectionKind.TURN or self.heads(parsed.phrase):
                    continue
            elif parsed.sound and heads(parsed.phrase, self.pack.headings):
                self.phase = Phase.TURNS
                if self.heads(parsed.phrase):
                    continue
            elif parsed.sound and self.reads(parsed.phrase):
                continue
            if self.statements_left <= 0 or self.tries.left <= 0:
                return
            self.statements_left -= 1
            changed = self.heading(text)
            if changed is None and (parsed.section is None or not parsed.sound):
                changed = self.statement(text)
            if changed is not None:
                yield _edit(piece, text, changed)

    @property
    def players(self) -> Mapping[str, Entity]:
        """Who plays, as far as the log has told."""
        return self.binder.players

    # ------------------------------------------------------------ what can be read

    def heads(self, phrase: Phrase) -> bool:
        """Return whether a heading can be read."""
        return bool(self.binder.good(phrase, Phase.HEADING))

    def reads(self, phrase: Phrase) -> bool:
        """Return whether a statement of the section can be read; make players known."""
        if self.phase is Phase.RESULT:
            return self._claims(phrase)
        good = self.binder.good(phrase, self.phase) if self.phase else ()
        for parsed in good:
            for slot in parsed.move.slots.values():
                if slot.shape is Shape.NEW_PLAYER:
                    self._seat(parsed.slots[slot.name][0].text)
            if parsed.move.introduces and phrase.actor and bad_player_name(phrase.actor) is None:
                self._seat(player_name(phrase.actor))
        if phrase.actor and self.binder.player(phrase.actor) is None:
            return False
        return bool(good)

    def _seat(self, name: str) -> None:
        if normal(name) not in self.binder.players:
            self.binder.add_player(Entity("player", name, len(self.binder.players)))

    def _claims(self, phrase: Phrase) -> bool:
        """Return whether a statement is a claim of a result."""
        if phrase.outcome is not None or not phrase.items:
            return False
        words = [normal(item.text) for item in phrase.items]
        if not phrase.actor:
            named = [self.binder.player(one) for one in elements(phrase.items[1:])]
            return words == ["draw"] or (words[0] in {"winner", "loser"} and all(named))
        claimed = {"score", "total", *(category.id for category in self.pack.categories)}
        return len(words) == 2 and words[0] in claimed and words[1].isdecimal()

    def read(self, text: str) -> bool:
        """Return whether a changed text is one statement or several that can be read."""
        pieces = [part for part in cut(text.split("\n")) if isinstance(part, Piece)]
        if not pieces:
            return False
        self.tries.left -= len(pieces) - 1
        for piece in pieces:
            parsed = parse(piece.text) if piece.text else None
            if parsed is None or not parsed.sound or parsed.section is not None:
                return False
            if not self.reads(parsed.phrase):
                return False
        return True

    def likely(self, text: str) -> bool:
        """Return whether only names of a changed text cannot be read."""
        parsed = parse(text)
        if not parsed.sound or parsed.section is not None or self.phase is Phase.RESULT:
            return False
        actor = parsed.phrase.actor
        if actor and self.binder.player(actor) is None:
            return False
        return self.phase is not None and self.binder.is_formed(parsed.phrase, self.phase)

    # ------------------------------------------------------------ statements

    def statement(self, text: str) -> Changed | None:
        """Return a statement as it was meant."""
        if not self.phase:
            return None
        parsed = parse(text)
        formed = parsed.sound and self.likely(text)
        found = self._search(text, self.read, STEPS)
        if not found:
            found = self._search(text, self.read, (*STEPS, nearest))
        if not found and not formed:
            found = self._search(text, self.likely, STEPS)
        if not found:
            return None
        first = found[0]
        return first if len(found) == 1 else first._replace(certain=False)

    def _search(
        self, text: str, goal: Callable[[str], bool], steps: Sequence[Step]
    ) -> list[Changed]:
        """Return what a text becomes in the fewest steps so that it meets the goal."""
        seen = {text}
        open_texts = [Changed(text, "")]
        tries = 0
        for _ in range(MAXSTEPS):
            found: list[Changed] = []
            following: list[Changed] = []
            for before in open_texts:
                for step in steps:
                    for after in step(self, before.text):
                        if tries >= MAX_TRIES or self.tries.left <= 0:
                            return found
                        if after.text in seen:
                            continue
                        seen.add(after.text)
                        tries += 1
                        self.tries.left -= 1 + len(after.text) // TRY_LENGTH
                        # What was put right first is what is told.
                        why = before.why or after.why
                        changed = Changed(after.text, why, before.certain and after.certain)
                        (found if goal(after.text) else following).append(changed)
            if found:
                return found
            open_texts = following
        return []

    # ------------------------------------------------------------ headings

    def heading(self, text: str) -> Changed | None:
        """Return the heading that a text was meant as."""
        bare = re.sub(r"[\[\]():.,。：\-–—]+", " ", text)
        words = bare.split()
        for canonical in (" ".join(words), self._canonical(words)):
            parsed = parse(canonical)
            if parsed.section is not None and parsed.section is not SectionKind.TURN:
                if canonical == text:
                    return None
                self.phase = PHASES[parsed.section]
                why = "the heading of a section is one word alone"
                return Changed(canonical, why)
        return self._turn(text)

    def _canonical(self, words: Sequence[str]) -> str:
        """Return words with those of statements in the place of what people write."""
        return " ".join(self.pack.words.get(normal(word), (word,))[0] for word in words)

    def _turn(self, text: str) -> Changed | None:
        """Return the heading that a text was meant as: a word, a number, and who acts."""
        for move in self.pack.moves:
            if not move.heading:
                continue
            verb = move.patterns[0].verb
            rest = re.sub(r"(?i)(?<=\w)['’]s\b", " ", text)
            player = None
            for name in sorted(self.binder.players, key=len, reverse=True):
                pattern = r"(?i)(?<!\w)" + r"\s+".join(map(re.escape, name.split())) + r"(?!\w)"
                if re.search(pattern, rest):
                    rest = re.sub(pattern, " ", rest, count=1)
                    player = self.binder.players[name]
                    break
            found = re.findall(r"[0-9]+", rest)
            words = re.findall(r"[^\W\d_]+", rest)
            meant = all(
                normal(word) == verb or verb in self.pack.words.get(normal(word), ())
                for word in words
            )
            stray = re.sub(r"[\w\s\[\]():.,;。：#/|\-–—]", "", rest)
            if (player is None) is (move.actor is not None) or len(found) != 1:
                continue
            if not meant or stray:
                continue
            canonical = f"{verb} {int(found[0][:9])}"
            canonical += f" {self._spelled(player)}" if player is not None else ""
            if parse(canonical).sound and self.heads(parse(canonical).phrase):
                self.phase = Phase.TURNS
                if canonical == text:
                    return None
                return Changed(canonical, "this is how the heading of a turn is written")
        return None

    def _spelled(self, player: Entity) -> str:
        return speller(self.pack).player(player.id)


def _edit(piece: Piece, text: str, changed: Changed) -> Mended:
    """Return the change of a piece as the edit of its smallest part."""
    start = 0
    while start < min(len(text), len(changed.text)) and text[start] == changed.text[start]:
        start += 1
    end = 0
    most = min(len(text), len(changed.text)) - start
    while end < most and text[-1 - end] == changed.text[-1 - end]:
        end += 1
    span = stretch(text, piece.line, piece.column, start, len(text) - end)
    put = changed.text[start : len(changed.text) - end]
    shown = " ".join(changed.text.split())
    message = f"{changed.why}: `{shown}`"
    severity = Severity.WARNING if changed.certain else Severity.ERROR
    rule = "badly-written" if changed.certain else "meant-otherwise"
    whole = stretch(text, piece.line, piece.column, 0, len(text))
    fix = Fix(span, put, changed.certain)
    return Mended(span, put, Finding(rule, severity, message, whole, fixes=(fix,)))
