"""Whether one statement was left out of a log, or names something else: what explains its errors.

Where a game has several errors, a legal statement is put in before each of those that come before
the first of them, one at a time, and the log is read on. What makes the errors go away is what
somebody may have forgotten to write down.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, Fix, Severity
from altay_cli.base.spans import Span
from altay_cli.base.text import Text
from altay_cli.base.values import Entity
from altay_cli.compile.model import Pack, Phase
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.patterns import player_name
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop, Why
from altay_cli.moves.listing import Move
from altay_cli.moves.wording import speller
from altay_cli.notation import GameRecord, Phrase, Section, SectionKind, Statement
from altay_cli.notation.parser import parse
from altay_cli.pack.mentions import Name, names_in
from altay_cli.repair.recovery import Recovery, brief_lister, mentioned
from altay_cli.source.spelling import normal

REACH = 30
"""How many statements of the same player before an error one may have been left out."""

NEAR_REACH = 10
"""The number of statements of others nearest to the error that are tried before the rest."""

AHEAD = 60
"""The number of statements after the first error that must then be free of errors."""

MAX_READ = 8_000
"""The maximum number of statements read for this per game."""

LISTING = 30
"""The cost of a listing, in statements read."""

NAMING = 4
"""The number of errors whose statements name what a missing statement may name."""

MOST = 3
"""The maximum number of errors left in the statements that follow."""

MAX_FOUND = 4
"""How many candidates for a missing statement are examined more closely."""

MAX_DRAWN = 6
"""How many names are tried for what it drew or revealed."""

MAX_PLACES = 3
"""In how many statements another name is tried."""

MAX_NAMED = 8
"""How many names are tried that may have been meant."""

MAX_SHOWN = 30
"""How many, where nothing is wrong but that this is not told."""


def exchanged(
    record: GameRecord, findings: Sequence[Finding]
) -> Iterator[tuple[GameRecord, Statement]]:
    """Yield the game with the statement of its first error and one beside it exchanged.

    With each comes the one that the other should stand behind.
    """
    errors = [found for found in findings if found.severity is Severity.ERROR]
    every = _turns(record)
    if not errors or not every:
        return
    at = bisect_right(every, errors[0].span[:2], key=_place) - 1
    for first in (at, at - 1):
        if 0 < first < len(every) - 1:
            order = list(every)
            order[first : first + 2] = every[first + 1], every[first]
            yield _arranged(record, order), every[first + 1]


def renamed(
    match: Match, record: GameRecord, errors: Sequence[Finding], account: Account
) -> tuple[GameRecord, Finding] | None:
    """Return the game of a match with another name in a statement, and what is told of it then.

    The statement is that of the first error, or a second place of one of the first errors: where
    what is wrong was begun. The name is one behind which nothing is wrong; those are tried first
    that the errors name. None where there is none.
    """
    every = _turns(record)
    at = bisect_right(every, errors[0].span[:2], key=_place) - 1
    if errors[0].round is None or at < 0:
        return None
    begun = [second.span[:2] for found in errors[:NAMING] for second in found.related]
    places = [bisect_right(every, place, key=_place) - 1 for place in begun]
    for place in dict.fromkeys([at, *(place for place in places if 0 <= place < at)][:MAX_PLACES]):
        found = _renamed(match, record, errors, account, every[place])
        if found is not None:
            return found
    return None


def _renamed(
    match: Match,
    record: GameRecord,
    errors: Sequence[Finding],
    account: Account,
    wrong: Statement,
) -> tuple[GameRecord, Finding] | None:
    """Return the same for one statement."""
    pack, first = match.pack, errors[0]
    spell, language = speller(pack, match.writing), match.state.language
    texts: dict[str, tuple[Span, str]] = {}
    for name in names_in(pack, wrong):
        others = [spell.exact(thing) for thing in _others(pack, name)]
        spelled = [spell.exact(thing) for thing in mentioned(pack, record, errors, language)]
        named = list(dict.fromkeys(n for n in spelled if n in others))
        # Where the name itself is marked as wrong, any other of its kind may have been meant.
        more = others if wrong.span(name.start, name.end) == first.span else []
        for other in [*named, *(one for one in more if one not in named)][:MAX_NAMED]:
            text = wrong.text[: name.start] + other + wrong.text[name.end :]
            texts.setdefault(text, (wrong.span(name.start, name.end), other))
    replacer = _Replacer(match.again(), account, wrong, list(texts))
    with suppress(Stop):
        replacer.run(record)
    if replacer.found is None:
        return None
    new = replacer.found
    sections = [
        section._replace(
            statements=tuple(new if one is wrong else one for one in section.statements)
        )
        for section in record.sections
    ]
    span, other = texts[new.text]
    fix = Fix(span, other, certain=False)
    told = Text("did you mean `{name}`?", name=other)
    if span != first.span:
        told = Text("did you mean `{name}`?", name=new.text)
    if span.line < first.span.line:
        told = Text(
            "did you mean `{statement}` in line {line}?", statement=new.text, line=span.line
        )
    return (
        record._replace(sections=tuple(sections)),
        first._replace(help=(told, *first.help), fixes=(fix, *first.fixes)),
    )


def _others(pack: Pack, name: Name) -> list[Entity]:
    """Return the other things of the kinds that a name may be of."""
    return [
        thing
        for kind in sorted({thing.kind for thing in name.things})
        for thing in pack.entities[kind]
        if thing not in name.things
    ]


def _turns(record: GameRecord) -> list[Statement]:
    """Return the headings and statements of all turns."""
    return [
        one
        for section in record.sections
        if section.kind is SectionKind.TURN
        for one in (section.heading, *section.statements)
    ]


def _of_player(record: GameRecord, player: str | None) -> set[int]:
    """Return the statements of the turns of a player, by identity."""
    return {
        id(one)
        for section in record.sections
        if section.kind is SectionKind.TURN
        and (player is None or normal(player_name(section.heading.items[2:])) == normal(player))
        for one in section.statements
    }


def _arranged(record: GameRecord, order: Sequence[Statement]) -> GameRecord:
    """Return a game with the headings and statements of its turns in another order."""
    headings = {
        id(section.heading): section
        for section in record.sections
        if section.kind is SectionKind.TURN
    }
    turns: list[tuple[Section, list[Statement]]] = []
    for one in order:
        if id(one) in headings:
            turns.append((headings[id(one)], []))
        else:
            turns[-1][1].append(one)
    sections = [
        one for one in record.sections if one.kind not in {SectionKind.TURN, SectionKind.RESULT}
    ]
    sections += [section._replace(statements=tuple(under)) for section, under in turns]
    sections += [one for one in record.sections if one.kind is SectionKind.RESULT]
    return record._replace(sections=tuple(sections))


@dataclass(frozen=True, slots=True)
class Omission:
    """A statement that was perhaps left out, and the one before which it should stand."""

    statement: Statement
    before: Statement

    def drawing(self, names: Sequence[str]) -> Iterator[Omission]:
        """Yield it with each of these names as what it drew or revealed."""
        for name in names:
            text = f"{self.statement.text} => {name}"
            parsed = parse(text)
            if parsed.sound:
                yield Omission(
                    self.statement._replace(text=text, phrase=parsed.phrase), self.before
                )

    def restored(self, record: GameRecord) -> GameRecord:
        """Return the game with the statement in it."""
        sections = []
        for section in record.sections:
            statements: list[Statement] = []
            for one in section.statements:
                statements += [self.statement, one] if one is self.before else [one]
            sections.append(section._replace(statements=tuple(statements)))
        return record._replace(sections=tuple(sections))


def left_out(
    match: Match,
    record: GameRecord,
    findings: Sequence[Finding],
    account: Account | None,
    *,
    others: bool,
    reach: int = REACH,
) -> list[Omission]:
    """Return what may have been left out of the game of a match, the likeliest first.

    It explains its errors: a statement in the turns of the player who is told of the first error,
    or with ``others`` in those of others, before one of ``reach`` statements ahead of the error.
    """
    errors = [found for found in findings if found.severity is Severity.ERROR]
    turns = [found for found in errors if found.round is not None]
    if not turns or errors[0] is not turns[0]:
        return []
    every = _turns(record)
    places = [bisect_right(every, turn.span[:2], key=_place) - 1 for turn in turns[:NAMING]]
    first = places[0]
    if first < 1:
        return []
    named = frozenset().union(*(_words(every[place]) for place in places if place >= 0))
    named |= _told(match, turns[:NAMING])
    own = _of_player(record, turns[0].player)
    ahead = [one for one in every[:first] if (id(one) in own) is not others]
    window = [*ahead[-reach:], every[first]]
    searcher = _Searcher(match.again(), account, window, named)
    with suppress(Stop):
        searcher.run(record, every[first])
    return searcher.found[:MAX_FOUND]


def drawn_names(match: Match, statement: Statement, errors: Sequence[Finding]) -> list[str]:
    """Return what a statement that was left out may have drawn: what errors behind it mark."""
    pack, writing = match.pack, speller(match.pack, match.writing)
    kinds = {
        move.slots[pattern.outcome].kind
        for move in pack.moves
        for pattern in move.patterns
        if pattern.outcome and pattern.verb in {"", normal(statement.items[0].text)}
    }
    shown = [thing for kind in sorted(kinds) for thing in pack.entities[kind]]
    if not errors:
        return [writing.exact(thing) for thing in shown[:MAX_SHOWN]]
    telling = speller(pack, match.state.language)
    said = " ".join(line for found in errors for line in (found.message, *found.help))
    return [writing.exact(thing) for thing in shown if telling.exact(thing) in said][:MAX_DRAWN]


class _Searcher(Referee):
    """Reads a game up to its first error, and on the way back tries what may have been left out."""

    def __init__(
        self,
        match: Match,
        account: Account | None,
        window: Sequence[Statement],
        named: frozenset[str],
    ) -> None:
        super().__init__(match, account, Recovery)
        self.found: list[Omission] = []
        self._window = {id(one) for one in window}
        self._last = window[-1]
        self._passed: list[tuple[Statement, Snapshot]] = []
        self._named = named
        self._left = MAX_READ
        self._length = 2 * AHEAD + len(window)
        self._least = MOST

    def _stop_at(self, statement: Statement) -> None:
        if self.match.trial is None and id(statement) in self._window:
            self._passed.append((statement, self.match.snapshot()))
        if statement is self._last and self.match.trial is None:
            # The last place where it can have stood is the likeliest.
            for passed, before in reversed(self._passed):
                self._try_before(passed, before)
        super()._stop_at(statement)

    def _try_before(self, statement: Statement, before: Snapshot) -> None:
        """Try what may have been left out before a statement; ``before`` is the moment."""
        sections = self.sections
        place = _place_in(sections, statement)
        if place is None:  # a heading: the turn before it is over
            return
        recovery = self.recovering
        assert isinstance(recovery, Recovery)
        recovery.reserve = 0  # nothing is left to do behind this
        ahead = partial(self._ahead, sections, *place)
        self.match.restore(before)
        # At the place of the error itself all is tried: a part is kept for the others.
        kept = MAX_READ // 2 if statement is self._last else 0
        for move in self._candidates(every=statement is self._last):
            if self._left <= kept:
                break
            self.match.restore(before)
            phrase = parse(move.statement).phrase
            # What was drawn is told by nobody.
            bare = Phrase(phrase.actor, phrase.items, None)
            omitted = Statement(move.statement, bare, statement.line, statement.column)
            left = recovery.left
            if recovery.carry_out([omitted], Phase.TURNS) and not (
                statement is self._last and recovery.cost(ahead, 1, 1)
            ):
                cost = recovery.cost(ahead, self._least + 1, self._length)
                if cost < self._least:
                    self.found, self._least = [], cost
                if cost == self._least:
                    self.found.append(Omission(omitted, statement))
            self._left -= max(left - recovery.left, 1)
            recovery.left = left

    def _candidates(self, *, every: bool) -> Iterator[Move]:
        """Yield legal moves that may have been left out, those first that name what errors name.

        Without ``every``, only these.
        """
        self._left -= LISTING
        match = self.match
        lister = brief_lister(match)
        found = [
            move
            for move in lister.moves()
            if not move.definition.closes and (every or self._names_suspects(move))
        ]
        yield from sorted(
            found, key=lambda move: (not self._names_suspects(move), move.id, move.statement)
        )

    def _names_suspects(self, move: Move) -> bool:
        """Return whether a move names what the statements with errors name."""
        return any(not self._named.isdisjoint(_parts(text)) for text in move.written.values())


class _Replacer(Referee):
    """Reads a game up to a wrong statement and finds another text behind which all is right."""

    def __init__(
        self, match: Match, account: Account, wrong: Statement, texts: Sequence[str]
    ) -> None:
        super().__init__(match, account, Recovery)
        self.found: Statement | None = None
        self._wrong = wrong
        self._texts = texts

    def _stop_at(self, statement: Statement) -> None:
        if self.match.trial is None and statement is self._wrong:
            self._try()
            raise Stop(whole_game=True, why=Why.ASKED)
        super()._stop_at(statement)

    def _try(self) -> None:
        match, sections = self.match, self.sections
        place = _place_in(sections, self._wrong)
        if place is None:
            return
        recovery = self.recovering
        assert isinstance(recovery, Recovery)
        recovery.reserve, recovery.left = 0, MAX_READ
        ahead = partial(self._ahead, sections, place[0], place[1] + 1)
        before = match.snapshot()
        for text in self._texts:
            match.restore(before)
            parsed = parse(text)
            if not parsed.sound or recovery.is_over:
                continue
            other = self._wrong._replace(text=text, phrase=parsed.phrase)
            with suppress(Stop):
                match.play(other, Phase.TURNS)
            right = match.report.errors == before.report.errors
            if right and not recovery.cost(ahead, 1, MAX_READ):
                self.found = other
                return


def _place_in(sections: Sequence[Section], wanted: Statement) -> tuple[int, int] | None:
    """Return where a statement stands: the numbers of its section, and of it there."""
    return next(
        (
            (which, number)
            for which, section in enumerate(sections)
            for number, one in enumerate(section.statements)
            if one is wanted
        ),
        None,
    )


def _place(statement: Statement) -> tuple[int, int]:
    return statement.line, statement.column


def _words(statement: Statement) -> frozenset[str]:
    """Return all words of a statement but the first."""
    items = [*statement.items[1:], *(statement.outcome or ())]
    return frozenset(normal(item.text) for item in items)


def _told(match: Match, errors: Sequence[Finding]) -> frozenset[str]:
    """Return the words of the names, as they are written in the log, that errors tell."""
    telling, spell = speller(match.pack, match.state.language), speller(match.pack, match.writing)
    told = "\n".join(found.message for found in errors)
    return frozenset(
        word
        for things in match.pack.entities.values()
        for thing in things
        if telling.exact(thing) in told
        for word in _parts(spell.exact(thing))
    )


def _parts(text: str) -> Iterator[str]:
    for part in text.replace(",", " ").split():
        yield normal(part)
