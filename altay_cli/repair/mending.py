"""Correct statements that cannot be read.

The functions in ``rewriting`` change a statement until it can be read, with the fewest and most
certain changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from altay_cli.base.findings import Finding, Fix, Severity, Span, Text
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity
from altay_cli.match.match import PHASES
from altay_cli.notation.lexis import Piece, cut_statements, is_tag
from altay_cli.notation.parser import Parsed, parse
from altay_cli.notation.tree import GameRecord, Phrase, SectionKind, is_heading
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate, bad_player_name, elements, player_name
from altay_cli.pack.model import Pack, Phase
from altay_cli.pack.notations import recognised
from altay_cli.repair import limits
from altay_cli.repair.candidates import drawn_kinds
from altay_cli.repair.headings import categories, round_of, turn_of, unnumbered_turn
from altay_cli.repair.rewriting import BEGINNINGS, CLAIMS, FURTHER, GUESSES, HEADINGS, SURE
from altay_cli.repair.surroundings import Rewritten, Surroundings, Way

_PARTS = re.compile(r"[,;]|=>")
_WORDS = re.compile(r"\w+")


class TextBudget:
    """How many changed texts may still be tried in a log.

    corrections: by text and surroundings.
    """

    def __init__(self) -> None:
        self.left = limits.LOG_TRIES
        self.corrections: dict[tuple[object, ...], Rewritten | None] = {}

    def pay(self, count: int) -> None:
        """Spend some of the budget."""
        self.left -= count


def mend(record: GameRecord, pack: Pack, budget: TextBudget) -> list[Finding]:
    """Return the corrections of a game, whose first fixes are the changes.

    None are found once the budget has run out.
    """
    parts = cut_statements(record.lines, record.span.line, record.span.end_line)
    pieces = [part for part in parts if isinstance(part, Piece) and not is_tag(part, record.lines)]
    binder = Binder(pack)
    corrector = _Corrector(pieces, binder, budget, record.lines)
    known_at = corrector.run()
    if not known_at:
        return corrector.findings
    # Players may become known after their moves: read those again.
    later = pieces[known_at:]
    unchanged = [
        finding
        for finding in corrector.findings
        if later and finding.fixes[0].span[:2] >= later[0].span[:2]
    ]
    again = _Corrector(pieces[:known_at], binder, budget, record.lines)
    again.run()
    # Otherwise only a part was read.
    return [*again.findings, *unchanged] if budget.left > 0 else corrector.findings


class _Corrector:
    def __init__(
        self, pieces: Sequence[Piece], binder: Binder, budget: TextBudget, lines: Sequence[str]
    ) -> None:
        self.pieces = pieces
        self.binder = binder
        self.budget = budget
        self.lines = lines
        self.findings: list[Finding] = []
        self._place = Surroundings(binder)
        self._rounds = _Rounds(lines, pieces, counts_rounds=binder.pack.counts_rounds)

    def run(self) -> int:
        """Return the number of the piece after the last new player."""
        players = self.binder.players
        known, known_at, number = len(players), 0, 0
        while number < len(self.pieces):
            if len(players) > known:
                known, known_at = len(players), number
            following = self._correct(number)
            if following is None:
                break
            number = following
        return known_at

    def _correct(self, number: int) -> int | None:
        piece, following = self.pieces[number], number + 1
        text = piece.text
        # Line ends do not count: `fmt` changes them.
        if text is None or piece.unclosed >= 0 or len(" ".join(text.split())) > limits.MAX_LENGTH:
            return following
        parsed = parse(text)
        # Text that is too large has a finding already.
        if parsed.too_large or self._is_in_order(piece, text, parsed, following):
            return following
        if self.budget.left <= 0:
            return None
        self.budget.pay(limits.LEAST_TRIES)
        joined = (
            _continuation(self._place, self.pieces, number, self.budget, self.lines)
            if number
            else None
        )
        if joined is not None:
            following, finding = joined
            self.findings.append(finding)
        elif (changed := _correction(self._place, text, self.budget)) is not None:
            self.budget.pay(-limits.EARNED)
            phase = _phase_begun(parse(changed.text), self.binder.pack)
            self._place = _surroundings_after(self._place, phase, self.pieces[number + 1 :])
            self.findings.append(_finding(piece, text, changed))
        return following

    def _is_in_order(self, piece: Piece, text: str, parsed: Parsed, following: int) -> bool:
        place = self._place
        phase = _phase_begun(parsed, self.binder.pack)
        if phase is not None:
            place = self._place = _surroundings_after(place, phase, self.pieces[following:])
        elif parsed.sound and _is_readable(place, parsed.phrase):
            self._place = place._replace(before=None)
            return True
        elif parsed.sound and _is_foreign(place, parsed.phrase):
            return True
        after = self._rounds.read(place, piece, parsed, self.pieces[following:], self.findings)
        if after is not None:
            self._place = after
            return True
        is_late = phase is None and parsed.sound and _belongs_before(place, parsed.phrase)
        return is_late or _is_heading(place, text)


class _Rounds:
    """Corrects headings of turns that only name the player, under the heading of a round."""

    def __init__(
        self, lines: Sequence[str], pieces: Sequence[Piece], *, counts_rounds: bool
    ) -> None:
        self.lines = lines
        self.numbers = _RoundNumbers(pieces, counts_rounds=counts_rounds)
        self.number: int | None = None
        self.heading: Piece | None = None
        """The heading of a round before its first turn."""
        self.message = ""

    def read(
        self,
        place: Surroundings,
        piece: Piece,
        parsed: Parsed,
        ahead: Sequence[Piece],
        findings: list[Finding],
    ) -> Surroundings | None:
        """Return the surroundings after a heading in another form."""
        if (numbered := self.numbers.read(place, piece, parsed)) is not None:
            findings.append(numbered)
            return _surroundings_after(place, "turns", ahead)
        if _phase_begun(parsed, place.pack) is not None:
            return None
        if self.begins(place, piece, ahead[:1]):
            return place
        turn = self.turn(place, piece)
        if turn is None:
            return None
        findings.append(turn)
        return _surroundings_after(place, "turns", ahead)

    def begins(self, place: Surroundings, piece: Piece, ahead: Sequence[Piece]) -> bool:
        number = round_of(place, piece.text or "")
        if number is None or not any(turn_of(place, piece.text or "", number) for piece in ahead):
            return False
        self.number, self.heading = number, piece
        return True

    def turn(self, place: Surroundings, piece: Piece) -> Finding | None:
        if self.number is None or (text := turn_of(place, piece.text or "", self.number)) is None:
            return None
        begun, self.heading = self.heading or piece, None
        between = ""
        if begun is not piece:
            between = _text_between(self.lines, begun, piece).lstrip("; \t")
        # One object, as a report groups findings by message.
        self.message = self.message or Text(
            "a turn is headed by its round and player: `{text}`", text=text
        )
        span = Span(begun.line, begun.column, piece.end_line, piece.end_column)
        fix = Fix(span, between + text, certain=True)
        return Finding("badly-written", Severity.WARNING, self.message, piece.span, fixes=(fix,))


class _RoundNumbers:
    """Infers the round numbers of headings, where they are missing or count turns.

    A round ends when a player has another turn.
    """

    def __init__(self, pieces: Sequence[Piece], *, counts_rounds: bool) -> None:
        parsed = [parse(piece.text) for piece in pieces if piece.text]
        headings = [
            (heading.phrase.items[1].value, normal(player_name(heading.phrase.items[2:])))
            for heading in parsed
            if heading.section is SectionKind.TURN
            and heading.sound
            and len(heading.phrase.items) > 2
        ]
        self.counts_turns = (
            counts_rounds
            and len(headings) >= limits.LEAST_TURNS
            and headings[0][0] == 1
            and all(
                number == before + 1 and player != last
                for (before, last), (number, player) in pairwise(headings)
            )
        )
        """Whether all numbers count turns."""
        self.round = 0
        self.played: set[str] = set()
        self.message = ""

    def read(self, place: Surroundings, piece: Piece, parsed: Parsed) -> Finding | None:
        text, written = piece.text or "", None
        if parsed.section is SectionKind.TURN and parsed.sound and len(parsed.phrase.items) > 2:
            verb, written = parsed.phrase.items[0].text, parsed.phrase.items[1].value
            player = player_name(parsed.phrase.items[2:])
            why = (
                "a number counts rounds, and a round ends when each player has had a turn: `{text}`"
            )
        elif (heading := unnumbered_turn(place, text)) is not None:
            verb, player = heading
            why = "the number of the round is missing: `{text}`"
        else:
            return None
        again = normal(player) in self.played
        if written is not None and not (self.counts_turns and self.round):
            again = written > self.round
            self.round = written
        else:
            self.round += again or not self.round
        self.played = {normal(player)} | (set() if again else self.played)
        if written == self.round:
            return None
        start, end, put = 0, len(text), f"{verb} {self.round} {player}"
        if written is not None:
            start, end = parsed.phrase.items[1].start, parsed.phrase.items[1].end
            put = str(self.round)
        # One object, as a report groups findings by message.
        self.message = self.message or Text(why, text=f"{verb} {self.round} {player}")
        fix = Fix(piece.place(start, end), put, certain=True)
        return Finding("badly-written", Severity.WARNING, self.message, piece.span, fixes=(fix,))


def _phase_begun(parsed: Parsed, pack: Pack) -> Phase | None:
    if not parsed.sound:
        return None
    if parsed.section is not None:
        return PHASES[parsed.section]
    return "turns" if is_heading(parsed.phrase, pack.headings) else None


def _surroundings_after(
    place: Surroundings, phase: Phase | None, ahead: Sequence[Piece]
) -> Surroundings:
    if phase == "result" and not place.players:
        known = {*place.vocabulary.verbs[phase], *place.pack.words, *categories(place.pack)}
        for piece in ahead:
            phrase = parse((piece.text or "").replace("=", ":")).phrase
            words = [item for item in phrase.items if item.kind == "word" and item.text != "-"]
            named = phrase.actor or [*takewhile(lambda item: normal(item.text) not in known, words)]
            name = player_name(named)
            is_only_name = not phrase.actor and len(named) == len(phrase.items)
            full = len(place.players) == place.pack.most
            if not (is_only_name or full) and normal(name) not in {"", *known}:
                place.binder.add_player(Entity("player", name, len(place.players)))
    stays = phase is None or phase is place.phase
    return place if stays else place._replace(phase=phase, before=place.phase)


def _belongs_before(place: Surroundings, phrase: Phrase) -> bool:
    return place.before in {"setup", "position"} and any(
        parsed.move.needs_actor is bool(phrase.actor)
        for parsed in _candidates(place._replace(phase=place.before), phrase)
    )


def _is_foreign(place: Surroundings, phrase: Phrase) -> bool:
    return place.phase == "turns" and recognised(place.pack.notations, phrase) is not None


# ---------------------------------------------------------------- readable texts


def _candidates(place: Surroundings, phrase: Phrase) -> Sequence[Candidate]:
    return place.binder.good(phrase, place.phase) if place.phase else ()


def _is_readable(place: Surroundings, phrase: Phrase) -> bool:
    """Return True if a statement can be read in this phase; learn its players."""
    if place.phase == "result":
        return _claims(place, phrase)
    good = _candidates(place, phrase)
    for parsed in good:
        seat, name = parsed.move.seat, ""
        if seat is not None:
            name = parsed.slots[seat][0].text
        elif parsed.move.introduces and phrase.actor and bad_player_name(phrase.actor) is None:
            name = player_name(phrase.actor)
        if name and normal(name) not in place.players:
            place.binder.add_player(Entity("player", name, len(place.players)))
    return bool(good) and (not phrase.actor or place.binder.player(phrase.actor) is not None)


def _claims(place: Surroundings, phrase: Phrase) -> bool:
    if phrase.outcome is not None or not phrase.items:
        return False
    words = [normal(item.text) for item in phrase.items]
    if not phrase.actor:
        players = [place.binder.player(element) for element in elements(phrase.items[1:])]
        return words == ["draw"] or (words[0] in {"winner", "loser"} and all(players))
    claimed = {"score", "total", *(category.id for category in place.pack.categories)}
    return len(words) == 2 and words[0] in claimed and words[1].isdecimal()


def _all_readable(place: Surroundings, text: str) -> bool:
    pieces = [part for part in cut_statements(text.split("\n")) if isinstance(part, Piece)]
    for piece in pieces:
        parsed = parse(piece.text or "")
        if not parsed.sound or parsed.section or not _is_readable(place, parsed.phrase):
            return False
    return bool(pieces)


def _names_its_actor(place: Surroundings, text: str) -> bool:
    phrase = parse(text).phrase
    if not _all_readable(place, text):
        return False
    for parsed in _candidates(place, phrase):
        # The name of a new player must be one word here.
        seats = parsed.slots[parsed.move.seat] if parsed.move.seat else ()
        is_one_word = len(seats) <= 1 and not any(" " in seat.text for seat in seats)
        if is_one_word and parsed.move.needs_actor is bool(phrase.actor):
            return True
    return False


def _is_likely(place: Surroundings, text: str) -> bool:
    parsed = parse(text)
    if not parsed.sound or parsed.section is not None or place.phase in {None, "result"}:
        return False
    actor = parsed.phrase.actor
    known = not actor or place.binder.player(actor) is not None
    return known and place.phase is not None and place.binder.is_formed(parsed.phrase, place.phase)


def _is_heading(place: Surroundings, text: str) -> bool:
    parsed = parse(text)
    begun = _phase_begun(parsed, place.pack)
    if begun == "turns":
        return bool(place.binder.good(parsed.phrase, "heading"))
    return begun is not None


# ---------------------------------------------------------------- the search


class _Stage(NamedTuple):
    goal: Callable[[Surroundings, str], bool]
    steps: Sequence[Sequence[Way]]
    of_one_kind: bool = False
    """Whether several kinds of change that reach the goal leave the text unchanged."""
    readable: bool = True
    """Whether texts that reach the goal can be read; if not, the fix is uncertain."""


_HEADING = _Stage(_is_heading, [HEADINGS])
# The first stage with a result decides.
_STAGES = (
    _Stage(_all_readable, [SURE] * 4),
    _Stage(_all_readable, [CLAIMS]),
    _Stage(_all_readable, [FURTHER] * 4),
    _Stage(_all_readable, [GUESSES] * 4),
    _Stage(_names_its_actor, [BEGINNINGS, FURTHER], of_one_kind=True),
    _Stage(_is_likely, [SURE] * 4, readable=False),
)


def _correction(place: Surroundings, text: str, budget: TextBudget) -> Rewritten | None:
    key = (place.pack.id, place.pack.variants, place.phase, text, *place.players)
    if key not in budget.corrections and budget.left > 0:
        budget.corrections[key] = _cached_correction(place, text, budget)
    changed = budget.corrections.get(key)
    if changed is not None:
        _all_readable(place, changed.text)  # learn the players that it seats
    return changed


def _cached_correction(place: Surroundings, text: str, budget: TextBudget) -> Rewritten | None:
    cached = place.pack.cached(_cached_texts)
    key = (place.phase, text, *place.players), budget.left
    if key not in cached:
        if len(cached) >= _MAX_CACHED:
            cached.clear()
        cached[key] = _search(place, text, budget), budget.left
    changed, budget.left = cached[key]
    return changed


_MAX_CACHED = 10_000


def _cached_texts(_pack: Pack) -> dict[tuple[object, int], tuple[Rewritten | None, int]]:
    return {}


def _search(place: Surroundings, text: str, budget: TextBudget) -> Rewritten | None:
    parsed = parse(text)
    stages = [] if place.phase == "result" else [_HEADING]
    if place.phase is not None and (parsed.section is None or not parsed.sound):
        stages += _STAGES
    least = budget.left - budget.left // limits.SHARES
    refused: set[tuple[object, str]] = set()
    for stage in stages:
        if stage.goal is _is_likely and _is_likely(place, text):
            continue
        rewritten = _fewest_changes(stage, place, text, budget, least, refused)
        if rewritten and not (
            stage.of_one_kind and len({changed.why for changed in rewritten}) > 1
        ):
            first = rewritten[0]._replace(readable=stage.readable)
            return first if len(rewritten) == 1 else first._replace(certain=False)
    return None


def _fewest_changes(
    stage: _Stage,
    place: Surroundings,
    text: str,
    budget: TextBudget,
    least: int,
    refused: set[tuple[object, str]],
) -> list[Rewritten]:
    """Return the texts that pass a stage's test after the fewest changes.

    least: the budget to leave for the following statements.
    refused: texts that failed before; to test them again is free.
    """
    seen, waiting, tried = {text, ""}, [Rewritten(text, "")], 0
    for ways in stage.steps:
        reached: list[Rewritten] = []
        following: list[Rewritten] = []
        for before, after in _changes(place, ways, waiting):
            if tried >= limits.MAX_TRIES or budget.left <= least:
                return reached
            if after.text in seen:
                continue
            seen.add(after.text)
            if _loses_meaning(place, text, before.text, after.text):
                continue
            tried += 1
            # The first change is reported.
            why = before.why or after.why
            certain = before.certain and after.certain and _keeps_names(place, text, after)
            changed = Rewritten(after.text, why, certain)
            question = stage.goal, after.text
            if question not in refused:
                budget.pay(1 + len(after.text) // limits.LONG)
                if stage.goal(place, after.text):
                    reached.append(changed)
                    continue
                refused.add(question)
            following.append(changed)
        if reached:
            return reached
        waiting = following
    return []


def _changes(
    place: Surroundings, ways: Sequence[Way], texts: Sequence[Rewritten]
) -> Iterator[tuple[Rewritten, Rewritten]]:
    for before in texts:
        for way in ways:
            for after in way(place, before.text):
                yield before, after


def _loses_meaning(place: Surroundings, text: str, before: str, changed: str) -> bool:
    """Return True if changing ``before``, made from ``text``, drops or distorts a part."""
    return (
        _loses_element(text, changed)
        or _takes_back(text, before, changed)
        or _draws_other_kind(place, text, changed)
    )


def _loses_element(text: str, changed: str) -> bool:
    parts, others = _PARTS.split(text), _PARTS.split(changed)
    if len(parts) <= len(others):
        return False
    left = set(_WORDS.findall(changed.casefold()))
    words = (_WORDS.findall(part.casefold()) for part in parts[1:])
    return any(some and left.isdisjoint(some) for some in words)


def _takes_back(text: str, before: str, changed: str) -> bool:
    """Return True if a change only removes a word that an earlier one added."""
    written, inserted, remaining = (
        set(_WORDS.findall(version.casefold())) for version in (text, before, changed)
    )
    return bool(inserted - written - remaining) and remaining <= inserted


def _draws_other_kind(place: Surroundings, text: str, changed: str) -> bool:
    """Return True if a new `=>` precedes a name that the move cannot draw."""
    if "=>" in text or "=>" not in changed:
        return False
    head, _, drawn = changed.partition("=>")
    kinds = drawn_kinds(place.pack, normal(head.split()[0])) if head.strip() else ()
    tables = [place.pack.names[kind] for kind in kinds if kind in place.pack.names]
    return bool(tables) and any(
        not any(name in table for table in tables) for name in place.names_in(drawn)
    )


def _keeps_names(place: Surroundings, text: str, changed: Rewritten) -> bool:
    names = place.names_in(text)
    return not names - place.names_in(changed.text)


# ---------------------------------------------------------------- findings


def _common_prefix(text: str, other: str) -> int:
    pairs = zip(text, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _finding(piece: Piece, text: str, changed: Rewritten) -> Finding:
    start = _common_prefix(text, changed.text)
    end = _common_prefix(text[start:][::-1], changed.text[start:][::-1])
    put = changed.text[start : len(changed.text) - end]
    certain = changed.certain and changed.readable
    fix = Fix(piece.place(start, len(text) - end), put, certain)
    return _correction_finding(piece, changed.why, changed.text, fix, certain=changed.certain)


def _correction_finding(
    piece: Piece, why: str, text: str, fix: Fix, *, certain: bool = True
) -> Finding:
    rule = "badly-written" if certain else "meant-otherwise"
    severity = Severity.WARNING if certain else Severity.ERROR
    for comment in piece.comments:
        text = text.replace(comment.text, "", 1)
    message = Text("{why}: `{text}`", why=why, text=" ".join(text.split()))
    return Finding(rule, severity, message, piece.span, fixes=(fix,))


def _continuation(
    place: Surroundings,
    pieces: Sequence[Piece],
    first: int,
    budget: TextBudget,
    lines: Sequence[str],
) -> tuple[int, Finding] | None:
    ahead = pieces[first - 1]
    whole = ahead.text
    if whole is None or not _all_readable(place, whole):
        return None
    size, number = len(whole), first
    for piece in pieces[first:]:
        before, text = pieces[number - 1], piece.text
        # A comment between them would be lost.
        if text is None or _text_between(lines, before, piece).strip("; \t\n"):
            break
        if number > first and _all_readable(place, text):
            break
        word, _, rest = text.partition(" ")
        parts = [re.sub(r"^[0-9]+ ", "", part.strip()) for part in text.split(",")]
        names = all(normal(part) in place.vocabulary.names for part in parts)
        if "=>" not in whole and rest and "=>" in place.meanings(word.rstrip(":")):
            longer = f"{whole} => {rest}"
        elif "=>" in whole or (piece.line == before.end_line and names):
            longer = f"{whole}, {text}"
        else:
            break
        budget.pay(1)
        if not _all_readable(place, longer):
            break
        whole, number = longer, number + 1
    if number == first:
        return None
    last = pieces[number - 1]
    span = Span(ahead.end_line, ahead.end_column, last.end_line, last.end_column)
    fix = Fix(span, whole[size:], certain=True)
    return number, _correction_finding(
        pieces[first], "this belongs to the statement before it", whole, fix
    )


def _text_between(lines: Sequence[str], before: Piece, piece: Piece) -> str:
    between = list(lines[before.end_line - 1 : piece.line])
    between[-1] = between[-1][: piece.column - 1]
    between[0] = between[0][before.end_column - 1 :]
    return "\n".join(between)
