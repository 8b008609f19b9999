"""Mending what is badly written but unambiguous: the log as it was meant, and the edits to it.

A statement that no move is written like is changed step by step - a colon put in, a list divided, a
word of the rules put in the place of what people write - until it can be read. The steps are
general; which words and forms people use stands in the rules. Nothing here knows how the game
stands, so that what a statement means never depends on what would be legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple
from unicodedata import normalize

from altay_cli.base.findings import Finding, Fix, Severity
from altay_cli.base.spans import Span
from altay_cli.base.suggest import normal
from altay_cli.base.text import Text
from altay_cli.base.values import Entity
from altay_cli.match.binding import Binder
from altay_cli.match.match import PHASES
from altay_cli.match.patterns import bad_player_name, capture, elements, player_name
from altay_cli.moves.wording import speller
from altay_cli.notation import GameRecord, Item, Kind, Phrase, SectionKind, Statement, heads
from altay_cli.notation.cutting import Piece, cut, is_tag
from altay_cli.notation.parser import Parsed, parse
from altay_cli.notation.source import Lines
from altay_cli.notation.tree import stretch
from altay_cli.pack.model import MoveDef, Pack, Phase, Shape
from altay_cli.repair.rewriting import FURTHER, GUESSES, STEPS, Rewritten, Step, vocabulary

MAXSTEPS = 4
"""The maximum number of steps in which a statement is changed."""

MAX_TRIES = 300
"""The maximum number of changed texts read for one statement."""

MAX_LENGTH = 400
"""Statements longer than this are not changed."""

LOG_TRIES = 3_000
"""The maximum number of changed texts read per log; long ones count more than once."""

EARNED = 50
"""How many more there are for each statement that is mended: where one slip is made in each."""

LEAST_TRIES = 8
"""What a badly written statement costs at the least, in such tries."""

SCORED = frozenset({"score", "total", ""})
WON = frozenset({"winner", ",", ""})
"""What the words of a claim mean: how much was scored, who won."""

TRY_LENGTH = 100
"""The number of characters for which a text counts as one more try."""


class Tries:
    """The number of changed texts that may still be read for a log, all its games together."""

    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.left = LOG_TRIES
        self.known: dict[tuple[object, ...], Rewritten | None] = {}
        """What became of a statement of a game that stood where the same is known."""


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
    reading = _Reading(pack, tries, record.lines)
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
        again = list(reading.mended(before))
        if tries.left > 0:  # else it was not read to its end
            mended = [*again, *kept]
    return mended


def plain_words(record: GameRecord, pack: Pack) -> list[Fix]:
    """Return edits that write the words of statements small, and several of a thing as one."""
    reading = _Reading(pack, Tries(), record.lines)
    found: list[Fix] = []
    for section in record.sections:
        phase = PHASES[section.kind]
        for statement in section.statements:
            if phase is Phase.RESULT:
                claims = {"winner", "loser", "draw", *SCORED, *(one.id for one in pack.categories)}
                first = statement.items[:1]
                found += _small(statement, [one for one in first if normal(one.text) in claims])
                continue
            for parsed in reading.binder.good(statement.phrase, phase)[:1]:
                named = [*parsed.slots.values(), *(drawn or () for drawn in parsed.drawn.values())]
                places = {one.start for slot in named for one in slot if one.text}
                found += _singulars(statement, places, pack)
                found += _small(statement, _keywords(statement, parsed.move))
    return found


def _keywords(statement: Statement, move: MoveDef) -> Sequence[Item]:
    """Return the words of a statement that are those of its move, and no names."""
    for pattern in move.patterns:
        captured = capture(pattern, statement.items)
        if captured is not None:
            names = {item.start for items in captured.values() for item in items}
            return [item for item in statement.items if item.start not in names]
    return ()


def _small(statement: Statement, words: Iterable[Item]) -> Iterator[Fix]:
    for item in words:
        if item.kind is Kind.WORD and item.text != item.text.casefold():
            yield Fix(statement.span(item.start, item.end), item.text.casefold(), certain=True)


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


def applied(lines: Lines, mended: Sequence[Mended]) -> Lines:
    """Return the lines of a log with stretches of them replaced; what follows keeps its line."""
    changed: dict[int, str] = {}
    for one in sorted(mended, key=lambda one: one.span, reverse=True):
        first, last = one.span.line - 1, one.span.end_line - 1
        before = changed.get(first, lines[first])[: one.span.column - 1]
        behind = changed.get(last, lines[last])[one.span.end_column - 1 :]
        put = (before + one.text + behind).split("\n")
        gone = last + 1 - first - len(put)
        changed.update(zip(range(first, last + 1), [*put, *[""] * gone], strict=True))
    return lines.replaced(changed)


ByLine = Mapping[int, Sequence[Mended]]
"""What is read otherwise in each line of the log, in order."""


def by_line(mended: Sequence[Mended]) -> ByLine:
    """Return what is read otherwise by the lines in which it stands."""
    found: dict[int, list[Mended]] = {}
    for one in mended:
        for line in range(one.span.line, one.span.end_line + 1):
            found.setdefault(line, []).append(one)
    return found


def replaced(finding: Finding, mended: ByLine) -> Finding:
    """Return a finding about the mended text with its place in the text as it was written."""
    span = finding.span
    start = written_at(span.line, span.column, mended, end=False)
    end = written_at(span.end_line, span.end_column, mended, end=True)
    fixes = tuple(
        fix._replace(
            span=Span(
                *written_at(fix.span.line, fix.span.column, mended, end=False),
                *written_at(fix.span.end_line, fix.span.end_column, mended, end=True),
            )
        )
        for fix in finding.fixes
    )
    return finding._replace(span=Span(*start, *max(start, end)), fixes=fixes)


def written_at(line: int, column: int, mended: ByLine, *, end: bool) -> tuple[int, int]:
    """Return where a place of the mended text is in the text as it was written."""
    shift = 0
    for one in mended.get(line, ()):
        span = one.span
        *above, last = one.text.split("\n")
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

    def __init__(self, pack: Pack, tries: Tries, lines: Sequence[str]) -> None:
        self.pack = pack
        self.lines = lines
        self.binder = Binder(pack)
        self.vocabulary = vocabulary(pack)
        self.phase: Phase | None = None
        self.earlier: Phase | None = None
        """The section before this one, as long as nothing was read that belongs to this one."""
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
        self.phase = self.earlier = None
        known = len(self.players)
        done = 0
        for number, piece in enumerate(pieces):
            if number < done:
                continue
            if len(self.players) > known:
                known, self.known_at = len(self.players), number
            text = piece.text
            # However it is divided into lines: `fmt` changes that.
            if text is None or piece.unclosed >= 0 or len(" ".join(text.split())) > MAX_LENGTH:
                continue
            parsed = parse(text)
            if parsed.too_large:  # what is told of it is all that can be said
                continue
            if parsed.sound and self._is_right(parsed):
                continue
            if self.tries.left <= 0:
                return
            self.tries.left -= LEAST_TRIES
            joined = self.joined(pieces, number) if number else None
            if joined is not None:
                done, mended = joined
                yield mended
                continue
            result = self.phase is Phase.RESULT
            changed = None if result else self.heading(text)
            if changed is None and (parsed.section is None or not parsed.sound):
                changed = self.statement(text) or (self.claim(text) if result else None)
            if changed is not None:
                self.tries.left += EARNED
                yield _edit(piece, text, changed)

    def _is_right(self, parsed: Parsed) -> bool:
        """Return whether a piece can stay as it is; go on to the section that it begins."""
        if parsed.section is not None:
            self._enter(PHASES[parsed.section])
            return parsed.section is not SectionKind.TURN or self.heads(parsed.phrase)
        if heads(parsed.phrase, self.pack.headings):
            self._enter(Phase.TURNS)
            return self.heads(parsed.phrase)
        if self.reads(parsed.phrase):
            self.earlier = None
            return True
        return self._came_late(parsed.phrase)

    def _enter(self, phase: Phase) -> None:
        """Go on to the next section."""
        if phase is not self.phase:
            self.earlier, self.phase = self.phase, phase

    def _came_late(self, phrase: Phrase) -> bool:
        """Return whether the heading stands too early: a statement ends the section before it."""
        return self.earlier in {Phase.SETUP, Phase.POSITION} and any(
            parsed.move.needs_actor is bool(phrase.actor)
            for parsed in self.binder.good(phrase, self.earlier)
        )

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

    def statement(self, text: str) -> Rewritten | None:
        """Return a statement as it was meant; what stands in many games is looked for once."""
        known = (self.pack.id, self.pack.variants, self.phase, text, *self.players)
        if self.phase and known not in self.tries.known and self.tries.left > 0:
            self.tries.known[known] = self._statement(text)
        changed = self.tries.known.get(known)
        if changed is not None:
            self.read(changed.text)  # who takes a seat by it plays from here on
        return changed

    def _statement(self, text: str) -> Rewritten | None:
        parsed = parse(text)
        formed = parsed.sound and self.likely(text)
        found = self._search(text, self.read, STEPS)
        if not found:
            found = self._search(text, self.read, FURTHER)
            found = found if len(found) == 1 else self._search(text, self.read, GUESSES)
        if not found:
            found = self._beginning(text)
        if not found and not formed:
            found = self._search(text, self.likely, STEPS)
        if not found:
            return None
        first = found[0]
        return first if len(found) == 1 else first._replace(certain=False)

    def _beginning(self, text: str) -> list[Rewritten]:
        """Return a statement of the setup, or a position, with the word that it lacks in front."""
        if self.phase not in {Phase.SETUP, Phase.POSITION} or len(text) > TRY_LENGTH:
            return []
        actor, colon, rest = text.partition(":")
        starts = {text.replace(":", " "): ""} | ({rest.strip(): f"{actor}: "} if colon else {})
        found: dict[str, Rewritten] = {}
        for verb in sorted(self.vocabulary.verbs.get(self.phase, ())):
            for body, head in starts.items():
                begun = f"{head}{verb} {body}"
                further = [begun, *(one.text for one in self._search(begun, self.read, FURTHER, 1))]
                for whole in further:
                    if verb not in found and self.read(whole) and self._is_from(whole):
                        why = Text("`{word}` is missing", word=verb)
                        found[verb] = Rewritten(whole, why, certain=False)
        return list(found.values()) if len(found) == 1 else []

    def _is_from(self, text: str) -> bool:
        """Return whether a statement names who acts if, and only if, its move has somebody act."""
        phrase = parse(text).phrase
        good = self.binder.good(phrase, self.phase) if self.phase else ()
        return any(
            one.move.needs_actor is bool(phrase.actor)
            # What else is there besides a name was meant otherwise.
            and all(
                len(one.slots[slot.name]) == 1 and " " not in one.slots[slot.name][0].text
                for slot in one.move.slots.values()
                if slot.shape is Shape.NEW_PLAYER
            )
            for one in good
        )

    def _search(
        self,
        text: str,
        goal: Callable[[str], bool],
        steps: Sequence[Step],
        most: int = MAXSTEPS,
    ) -> list[Rewritten]:
        """Return what a text becomes in the fewest steps so that it meets the goal."""
        seen = {text}
        open_texts = [Rewritten(text, "")]
        tries = 0
        for _ in range(most):
            found: list[Rewritten] = []
            following: list[Rewritten] = []
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
                        changed = Rewritten(after.text, why, before.certain and after.certain)
                        (found if goal(after.text) else following).append(changed)
            if found:
                return found
            open_texts = following
        return []

    def claim(self, text: str) -> Rewritten | None:
        """Return a line of the result as it was meant: how much somebody scored, or who won."""
        plain = normalize("NFKC", text).replace("\N{MINUS SIGN}", "-")
        players, rest_of_it = self._named(plain)
        words = re.findall(r"(?:(?<![^\s:=(])-)?\w+", rest_of_it)
        numbers = [word for word in words if word.removeprefix("-").isdecimal()]
        if re.search(r"\w-[0-9]", plain):
            return None  # it may be a sign
        rest = [{normal(word), *self._meanings(word)} for word in words if word not in numbers]
        if len(players) == len(numbers) == 1 and all(not one.isdisjoint(SCORED) for one in rest):
            meant = f"{players[0]}: score {numbers[0]}"
        elif players and not numbers and any("winner" in one for one in rest):
            meant = f"winner {', '.join(dict.fromkeys(players))}"
            if any(one.isdisjoint(WON) for one in rest) or (":" in text and "," in meant):
                return None
        else:
            return None
        readable = meant != text and self.read(meant)
        return Rewritten(meant, "this is how a result is claimed") if readable else None

    def _named(self, text: str) -> tuple[list[str], str]:
        """Return the players that a text names, in order, and the text without their names."""
        longest = sorted(self.binder.players.items(), key=lambda one: -len(one[0]))
        names = {
            r"\s+".join(map(re.escape, name.split())): self._spelled(who) for name, who in longest
        }
        one_of = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(f'({name})' for name in names)})(?!\w)")
        if not names:
            return [], text
        spelled = list(names.values())
        players = [spelled[(found.lastindex or 1) - 1] for found in one_of.finditer(text)]
        return players, one_of.sub(" ", text)

    def joined(self, pieces: Sequence[Piece], first: int) -> tuple[int, Mended] | None:
        """Return pieces as the end of what the one before them drew, and the number behind them.

        None if they are not: each is an end of a list, or the first what a statement drew.
        """
        ahead = pieces[first - 1]
        whole = ahead.text
        if whole is None or not self.read(whole):
            return None
        size, number, rest = len(whole), first, 0
        while number < len(pieces) and self._between(pieces[number - 1], pieces[number]):
            text = pieces[number].text
            if text is None or (number > first and self.read(text)):
                break
            rest = 0 if "=>" in whole else self._telling(text)
            listed = "=>" in whole or (
                pieces[number].line == pieces[number - 1].end_line and self._is_list(text)
            )
            if not rest and not listed:
                break
            longer = whole + (f" => {text[rest:]}" if rest else f", {text}")
            if not self.read(longer):
                break
            whole, number = longer, number + 1
        if number == first:
            return None
        last = pieces[number - 1]
        span = Span(ahead.end_line, ahead.end_column, last.end_line, last.end_column)
        shown = " ".join(whole.split())
        message = Text("{why}: `{text}`", why="this belongs to the statement before it", text=shown)
        place = pieces[first].span
        fix = Fix(span, whole[size:], certain=True)
        told = Finding("badly-written", Severity.WARNING, message, place, fixes=(fix,))
        return number, Mended(span, whole[size:], told)

    def _is_list(self, text: str) -> bool:
        """Return whether a text is nothing but names of things."""
        parts = [re.sub(r"^[0-9]+ ", "", part.strip()) for part in text.split(",")]
        return all(normal(part) in self.vocabulary.names for part in parts)

    def _between(self, before: Piece, piece: Piece) -> bool:
        """Return whether nothing stands between two pieces: no comment, which would be lost."""
        lines = list(self.lines[before.end_line - 1 : piece.line])
        lines[-1] = lines[-1][: piece.column - 1]
        lines[0] = lines[0][before.end_column - 1 :]
        return not "".join(lines).strip("; \t")

    def _telling(self, text: str) -> int:
        """Return where what was drawn begins, behind a word that people write for `=>`."""
        first, _, rest = text.partition(" ")
        return len(first) + 1 if rest and "=>" in self._meanings(first.rstrip(":")) else 0

    # ------------------------------------------------------------ headings

    def heading(self, text: str) -> Rewritten | None:
        """Return the heading that a text was meant as."""
        bare = re.sub(r"[\[\](){}:.,。：\-–—=*~_]+", " ", text)
        words = bare.split()
        for canonical in (" ".join(words), self._canonical(words)):
            parsed = parse(canonical)
            if parsed.section is not None and parsed.section is not SectionKind.TURN:
                if canonical == text:
                    return None
                self._enter(PHASES[parsed.section])
                why = "the heading of a section is one word alone"
                return Rewritten(canonical, why)
        return self._turn(text)

    def _canonical(self, words: Sequence[str]) -> str:
        """Return words with those of statements in the place of what people write."""
        return " ".join(self.pack.words.get(normal(word), (word,))[0] for word in words)

    def _turn(self, text: str) -> Rewritten | None:
        """Return the heading that a text was meant as: a word, a number, and who acts."""
        for move in self.pack.moves:
            if not move.heading:
                continue
            verb = move.patterns[0].verb
            rest = re.sub(r"(?i)(?<=\w)['’]s\b", " ", normalize("NFKC", text))
            player = None
            for name in sorted(self.binder.players, key=len, reverse=True):
                pattern = r"(?i)(?<!\w)" + r"\s+".join(map(re.escape, name.split())) + r"(?!\w)"
                if re.search(pattern, rest):
                    rest = re.sub(pattern, " ", rest, count=1)
                    player = self.binder.players[name]
                    break
            rest = re.sub(r"\w+", lambda word: self._number(word[0]), rest)
            found = re.findall(r"[0-9]+", rest)
            words = re.findall(r"[^\W\d_]+", rest)
            meant = all(
                normal(word) == verb or not {verb, ""}.isdisjoint(self._meanings(word))
                for word in words
            )
            stray = re.sub(r"[\w\s\[\](){}:.,;。：#/|\-–—=*~]", "", rest)
            if (player is None) is (move.actor is not None) or len(found) != 1:
                continue
            if not meant or stray:
                continue
            canonical = f"{verb} {int(found[0][:9])}"
            canonical += f" {self._spelled(player)}" if player is not None else ""
            if parse(canonical).sound and self.heads(parse(canonical).phrase):
                self._enter(Phase.TURNS)
                if canonical == text:
                    return None
                return Rewritten(canonical, "this is how the heading of a turn is written")
        return None

    def _meanings(self, word: str) -> Sequence[str]:
        return self.pack.words.get(normal(word), ())

    def _number(self, word: str) -> str:
        """Return the number that a word means, or the word."""
        return next((one for one in self._meanings(word) if one.isdecimal()), word)

    def _spelled(self, player: Entity) -> str:
        return speller(self.pack).player(player.id)


def _edit(piece: Piece, text: str, changed: Rewritten) -> Mended:
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
    message = Text("{why}: `{text}`", why=changed.why, text=shown)
    severity = Severity.WARNING if changed.certain else Severity.ERROR
    rule = "badly-written" if changed.certain else "meant-otherwise"
    whole = stretch(text, piece.line, piece.column, 0, len(text))
    fix = Fix(span, put, changed.certain)
    return Mended(span, put, Finding(rule, severity, message, whole, fixes=(fix,)))
