"""How reading goes on after a slip: from the state in which the rest of the log fits best.

What the rules say of a breach - carry the move out anyway, or leave it out - is right for
most slips and cannot be for all. Where further errors follow, other ways to go on are tried:
without the statement, with a legal one that is much like it, with one before it that may have been
left out. Each is judged by the errors in the statements that follow, and the best is taken. What
has been reported stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from altay_cli.base.errors import ExpressionError
from altay_cli.base.findings import Finding
from altay_cli.base.values import Entity
from altay_cli.compile.model import Pack, Phase
from altay_cli.match.patterns import elements
from altay_cli.match.reporting import Stop, Telling
from altay_cli.moves.listing import Lister, Move
from altay_cli.moves.wording import counted, speller
from altay_cli.notation import GameRecord, Item, Kind, Phrase, Statement
from altay_cli.notation.parser import parse
from altay_cli.pack.mentions import names_in

if TYPE_CHECKING:
    from altay_cli.match.match import Match, Snapshot

NEAR = 60
"""How many statements are read ahead to find out which ways to go on are good."""

FAR = 600
"""How many are read ahead to choose among those that are equally good so far."""

MAX_EQUAL = 4
"""Number of tied candidates that are compared further."""

MAX_AHEAD = 4_000
"""The maximum number of statements read ahead per game."""

MAX_LIKE = 10
"""How many legal statements that are much alike are tried in the place of one that is not legal."""

MAX_OTHER = 40
"""How many other legal statements are tried, in its place and before it."""

MAX_BAGS = 100
"""How many sets of things are tried for a slot of such a statement."""

NAMING = 4
"""The number of errors whose statements are searched for the name that was meant."""

LISTING = 30
"""What a listing costs, in statements read ahead."""

LISTING_STEPS = 200_000
"""The budget of such a listing, in steps."""

SLIP_STEPS = 2_000_000
"""What finding out how to go on after one slip may take."""

_SIDE_BY_SIDE = re.compile(r"(?<![\w\"(])([0-9]+)[ \t]+(?=[0-9]+(?![\w\")]))")
"""A number before a number: a count, or the names of two things."""

Way = Sequence[Statement]
"""What is carried out instead of a statement; empty if the statement is skipped."""

Ahead = Callable[[], None]
"""Reads the statements that follow."""


class Recovery:
    """Finds the best way to go on in one match.

    ``left`` is how many statements can still be read ahead; ``reserve`` are the steps that are kept
    for what follows, for all slips together at least ``least``.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.left = MAX_AHEAD
        account = match.state.account
        self.least = 0 if account is None else account.left * 3 // 4
        self.reserve = self.least

    @property
    def is_over(self) -> bool:
        """Whether the budget for alternatives is used up: the rest is for the game itself."""
        account = self.match.state.account
        return self.left <= 0 or (account is not None and account.left < self.reserve)

    def recover(self, statement: Statement, phase: Phase, before: Snapshot, ahead: Ahead) -> None:
        """Go on after a statement that was found wrong and has been carried out as the rules say.

        ``before`` is the moment before it; ``ahead`` reads the statements that follow.
        """
        match = self.match
        if match.state.account is not None:
            self.reserve = max(self.least, match.state.account.left - SLIP_STEPS)
        usual: Way = [statement]
        least = self.cost(ahead, NEAR, NEAR)
        actor, unread = match.report.actor, match.unread
        meant = self._meant(statement, phase, before, ahead, least)
        if meant is not None:
            self._carry_out([meant], phase, before)
            match.report.statement, match.report.actor = statement, actor
            match.report.meant_instead(statement, meant.text)
            return
        if not least and not self.cost(ahead, 1, FAR):
            return
        best: list[Way] = [usual]
        for way in self._ways(statement, phase, before):
            if self.is_over or (not least and len(best) >= MAX_EQUAL):
                break
            if not self._carry_out(way, phase, before):
                continue
            cost = self.cost(ahead, least + 1, NEAR)
            if self.is_over:  # it was not read to its end
                break
            if cost < least:
                best, least = [way], cost
            elif cost == least:
                best.append(way)
        chosen, least = best[0], FAR
        for way in best[:MAX_EQUAL] if len(best) > 1 else ():
            self._carry_out(way, phase, before)
            cost = self.cost(ahead, least, FAR)
            if self.is_over:
                break
            if cost < least:
                chosen, least = way, cost
        self._carry_out(chosen, phase, before)
        match.report.statement, match.report.actor, match.unread = statement, actor, unread
        if len(chosen) > 1 and unread:
            match.report.meant_instead(statement, chosen[0].text)
        elif len(chosen) > 1:
            match.report.left_out_before(statement, chosen[0].text)

    def _meant(
        self, statement: Statement, phase: Phase, before: Snapshot, ahead: Ahead, least: int
    ) -> Statement | None:
        """Return the one legal statement that was meant by one that is not, where that is plain."""
        match = self.match
        apart = _apart(statement)
        if match.unread and phase is not Phase.HEADING:
            way = self._alike(statement, before)
            carried_out = bool(way) and self._carry_out(way, phase, before)
            if carried_out and self.cost(ahead, least + 1, NEAR) <= least:
                return way[0]
            self._carry_out([statement], phase, before)
            match.unread = True
        elif apart is not None:
            match.restore(before, told=True)
            if self._is_legal(apart, phase):
                return apart
            self._carry_out([statement], phase, before)
        return None

    def begins_turn(self, statement: Statement, ahead: Ahead, behind: Ahead) -> bool:
        """Return whether a statement between two turns is a turn of its own, by what follows.

        ``ahead`` reads what follows in the section, ``behind`` the next sections.
        """
        match = self.match
        own = left_out = self.cost(behind, NEAR, NEAR)
        before = match.snapshot()
        # Where no further turn can begin, as behind the end of the game, or too much was asked.
        with suppress(Stop, ExpressionError):
            match.assume_turn()
            self.carry_out([statement], Phase.TURNS)
            own = self.cost(ahead, NEAR, NEAR)
        match.restore(before, told=True)
        return own < left_out

    def carry_out(self, way: Way, phase: Phase) -> bool:
        """Carry out statements without a word; return whether the rules let reading go on."""
        try:
            for statement in way:
                self.match.carry_out(statement, phase)
        except Stop:
            return False
        return True

    def _carry_out(self, way: Way, phase: Phase, before: Snapshot) -> bool:
        """Carry out another way from the moment before; what has been reported stays."""
        self.match.restore(before, told=True)
        self.match.made = []
        return self.carry_out(way, phase)

    def cost(self, ahead: Ahead, limit: int, length: int) -> int:
        """Count the errors in the next statements that can be read, up to ``limit``."""
        match = self.match
        before = match.snapshot()
        trial = match.trial = _Trial(self, length, before.report.errors + limit)
        try:
            with match.report.only(Telling.COMPARING):
                ahead()
        finally:
            match.trial = None
        cost = match.report.errors - before.report.errors
        self.left -= length - max(trial.left, 0)
        match.restore(before)
        return cost

    # ------------------------------------------------------------ ways to go on

    def _ways(self, statement: Statement, phase: Phase, before: Snapshot) -> Iterator[Way]:
        """Yield what may have been meant, the likeliest first."""
        match = self.match
        if phase is not Phase.HEADING:
            yield []
        yield from ([other] for other in _with_doubt(statement))
        match.restore(before, told=True)
        self.left -= LISTING
        lister = brief_lister(match)
        words = [item.text.casefold() for item in statement.items]
        like: list[Move] = []
        others: list[Move] = []
        # In an order of their own: not that of the files in which the moves stand.
        for move in sorted(lister.moves(), key=lambda move: move.id):
            if move.definition.closes and phase is not Phase.HEADING:
                continue  # a turn that ended too early is another slip
            (like if words and move.kind == words[0] else others).append(move)
        like.sort(key=lambda move: -_likeness(move, words))
        yield from ([_instead(move, statement)] for move in like[:MAX_LIKE])
        if phase is Phase.HEADING:
            return
        others = others[:MAX_OTHER]
        self.left -= len(others)
        yield from ([first, statement] for first in self._enabling(others, statement, before))
        yield from ([_instead(move, statement)] for move in others)

    def _alike(self, statement: Statement, before: Snapshot) -> Way:
        """Return the one legal statement that says what one says that cannot be read; or nothing.

        It names most of what that one names, and nothing else if it begins with another word.
        """
        match = self.match
        match.restore(before, told=True)
        self.left -= LISTING
        words = [item.text.casefold() for item in statement.items]
        best: list[Move] = []
        most = 0
        for move in brief_lister(match).moves():
            like = _likeness(move, words)
            same = bool(words) and move.kind == words[0]
            draws = any(pattern.outcome for pattern in move.definition.patterns)
            if (
                move.definition.closes
                or (statement.outcome and not draws)
                or (not same and like < len(_named(move)))
            ):
                continue
            if like >= max(most, 1):
                best = [*best, move] if like == most else [move]
                most = like
        if len(best) > 1:  # which is given and which taken, their order tells
            best = [move for move in best if _in_order(move, words)]
        return [_instead(best[0], statement)] if len(best) == 1 else []

    def _enabling(
        self, moves: Sequence[Move], statement: Statement, before: Snapshot
    ) -> Iterator[Statement]:
        """Yield the moves behind which a statement is legal; one of them may have been left out."""
        match = self.match
        for move in moves:
            match.restore(before, told=True)
            # What was drawn is told by the statement, not by what was left out before it.
            said = parse(move.statement).phrase
            bare = Phrase(said.actor, said.items, None)
            first = Statement(move.statement, bare, statement.line, statement.column)
            self.carry_out([first], Phase.TURNS)
            if self._is_legal(statement, Phase.TURNS):
                yield first

    def _is_legal(self, statement: Statement, phase: Phase) -> bool:
        """Play a statement, without a word; return whether it is legal."""
        report = self.match.report
        told = report.mark()
        with suppress(Stop):
            self.match.play(statement, phase)
        right = report.errors == told.errors
        report.undo(told)
        return right


def brief_lister(match: Match) -> Lister:
    """Return a lister of what may have been meant, with less room than one for a player."""
    spell = speller(match.pack, match.writing)
    lister = Lister(match.state, match.binder, match.resolver, spell)
    lister.max_bags = MAX_BAGS
    lister.max_steps = LISTING_STEPS
    return lister


def _likeness(move: Move, words: Sequence[str]) -> int:
    """Tell how much of what a move names stands in a statement as well."""
    return sum(1 if word in words else -1 for word in _named(move))


def _in_order(move: Move, words: Sequence[str]) -> bool:
    """Tell whether a statement names in the same order what a move names."""
    named = [word for word in move.statement.replace(",", " ").casefold().split() if word in words]
    places = iter(words)
    return all(word in places for word in named)


def _named(move: Move) -> Sequence[str]:
    """Return the words and numbers that a move names."""
    return " ".join(move.written.values()).replace(",", " ").casefold().split()


def _instead(move: Move, statement: Statement) -> Statement:
    """Return a legal move as a statement in the place of another, with what that one drew."""
    phrase = parse(move.statement).phrase
    text = move.statement
    if statement.outcome:
        text += f" => {statement.text[statement.outcome[0].start :]}"
    new = Phrase(phrase.actor, phrase.items, statement.outcome)
    return Statement(text, new, statement.line, statement.column)


def _apart(statement: Statement) -> Statement | None:
    """Return a statement with a comma between numbers, where things have numbers for names."""
    text = _SIDE_BY_SIDE.sub(r"\1, ", statement.text)
    parsed = parse(text)
    if text == statement.text or not parsed.sound:
        return None
    return Statement(text, parsed.phrase, statement.line, statement.column)


def _with_doubt(statement: Statement) -> Iterator[Statement]:
    """Yield a statement with each of the things that were drawn in doubt, or not drawn at all."""
    if not statement.outcome:
        return
    names = list(chain.from_iterable(_repeated(one) for one in elements(statement.outcome) if one))
    for number in range(len(names)):
        for rest in (
            [*names[:number], "?", *names[number + 1 :]],
            names[:number] + names[number + 1 :],
        ):
            outcome = parse(f"x => {counted(rest)}").phrase.outcome
            yield _restated(statement, Phrase(statement.actor, statement.items, outcome))


def _repeated(items: Sequence[Item]) -> list[str]:
    """Return a name as often as it is counted."""
    count = items[0].value if items[0].kind is Kind.NUMBER and len(items) > 1 else 1
    words = [
        f"({item.text})" if item.kind is Kind.QUALIFIER else item.text
        for item in (items[1:] if items[0].kind is Kind.NUMBER and len(items) > 1 else items)
    ]
    return [" ".join(words)] * min(count, NEAR)


def _restated(statement: Statement, phrase: Phrase) -> Statement:
    return Statement(statement.text, phrase, statement.line, statement.column)


class _Trial:
    """Reads so many statements ahead, until there are so many errors."""

    def __init__(self, recovery: Recovery, statements: int, errors: int) -> None:
        self.recovery = recovery
        self.left = statements
        self.errors = errors

    def is_over(self, errors: int) -> bool:
        """Tell before a statement, with so many errors so far, whether it need not be read."""
        self.left -= 1
        return self.left < 0 or errors >= self.errors or self.recovery.is_over


def mentioned(
    pack: Pack, record: GameRecord, errors: Sequence[Finding], language: str
) -> list[Entity]:
    """Return what the first errors, and the statements at which they stand, name."""
    lines = {found.span.line for found in errors[:NAMING]}
    found: dict[Entity, None] = {}
    for section in record.sections:
        for statement in (section.heading, *section.statements):
            if statement.line in lines:
                for name in names_in(pack, statement):
                    found.update(dict.fromkeys(name.things))
    told = "\n".join(
        line
        for one in errors[:NAMING]
        for line in (one.message, *one.help, *(second.message for second in one.related))
    )
    spell = speller(pack, language)
    for things in pack.entities.values():
        found.update(dict.fromkeys(thing for thing in things if spell.exact(thing) in told))
    return list(found)
