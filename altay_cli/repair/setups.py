"""What may have been meant by a setup: what is wrong there shows where the game comes to it.

That is often many turns later. A statement may have been left out, two lines be the other way
round, another name or number be meant, a line be one too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from sys import maxsize

from altay_cli.base.findings import ExpressionError, Finding
from altay_cli.base.suggest import find_name, normal
from altay_cli.base.values import Entity
from altay_cli.match.match import PHASES, Match
from altay_cli.match.operations import Values
from altay_cli.match.referee import Point, Referee, Setup
from altay_cli.match.reporting import Stop, Telling
from altay_cli.match.statements import play
from altay_cli.moves.listing import Move, joined, listed_slot
from altay_cli.moves.wording import speller
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import SectionKind, Statement
from altay_cli.pack.candidates import names_in, player_name
from altay_cli.repair import limits
from altay_cli.repair.candidates import (
    alternative_names,
    brief_lister,
    concerned_entities,
    edits_of_name,
    entities_in,
    swap_edits,
)
from altay_cli.repair.edits import Edit, EditKind
from altay_cli.repair.wording import is_within


class OfSetup:
    """What may have been meant by the setup of a game that has errors."""

    def __init__(self, referee: Referee, errors: Sequence[Finding]) -> None:
        assert referee.start is not None
        self.referee = referee
        self.match = referee.match
        self.pack = referee.pack
        self.start = referee.start
        self.errors = errors
        self.mentioned = {thing: n for n, thing in enumerate(concerned_entities(referee, errors))}
        self.which = self.start.place.section
        self.section = referee.sections[self.which]
        self.statements = self.section.statements
        self.phase = PHASES[self.section.kind]
        wrong = [n for n, one in enumerate(self.statements) if is_within(errors[0], one)]
        self.at = wrong[0] if wrong else None
        """The number of the statement at which the first error stands, if it is in the setup."""
        self.wrong = self.statements[self.at] if self.at is not None else None

    def edits(self) -> Iterator[Edit]:
        """Yield what may have been meant, the likeliest first."""
        statements = self.statements
        wrong = [self.wrong] if self.wrong is not None else []
        too_many = [Edit(EditKind.DELETE, self.start, ((o, ()),), where=o) for o in wrong]
        if any(o.text == one.text for one in wrong for o in statements[: self.at]):
            yield from too_many
        yield from self._seats()
        yield from self._exchanged(concerned=True)
        likely = [*wrong, *(o for o in statements if o is not self.wrong and self._concerns(o))]
        for statement in likely:
            yield from self._renamed(statement)
        first, last = self.section.heading.span(), statements[-1].span()
        for error in [one for one in self.errors if first[:2] <= one.span[:2] <= last[2:]][:1]:
            yield from self._left_out(error)
        yield from self._exchanged(concerned=False)
        for statement in statements:
            if statement not in likely:
                yield from self._renamed(statement)
        for statement in wrong:
            yield from self._renamed(statement, others=True)
        yield from too_many

    def _concerns(self, statement: Statement) -> bool:
        """Tell whether a statement is of the player of the first error, or such a second place."""
        first = self.errors[0]
        if any(is_within(one, statement) for one in first.related):
            return True
        player = normal(first.player or "")
        return any(normal(item.text) == player for item in (*statement.actor, *statement.items))

    def _exchanged(self, *, concerned: bool) -> Iterator[Edit]:
        """Yield two lines of a kind the other way round, or the last in turn 1.

        ``concerned`` says whether they are of the player of the first error.
        """
        for number, one in enumerate(self.statements):
            for edit in swap_edits(self.referee, self.start, Point(self.which, number)):
                (_, way), (other, _) = edit.instead
                if not way:
                    likely = other is not one and concerned and number == self.at
                elif _verb(one) == _verb(other):
                    likely = (self._concerns(one) or self._concerns(other)) is concerned
                else:
                    likely = False
                if likely:
                    yield edit

    # ------------------------------------------------------------ lines left out

    def _seats(self) -> Iterator[Edit]:
        """Yield the game with a seat for the one player who has none."""
        binder = self._laid(len(self.statements)).binder
        named = [player_name(one.actor) for one in self.statements if one.actor]
        named += [
            player_name(section.heading.items[2:])
            for section in self.referee.sections
            if section.kind is SectionKind.TURN
        ]
        strangers = [name for name in named if name and find_name(name, binder.players) is None]
        if len(set(map(normal, strangers))) != 1:
            return
        name = strangers[0]
        error = next((one for one in self.errors if name in one.message), self.errors[0])
        error = next((one for one in self.errors if one.rule == "unknown-player"), error)
        seating = [move for move in self.pack.moves if move.seat and self.phase in move.phases]
        seats = [
            number
            for number, one in enumerate(self.statements)
            if not one.actor and binder.seats(one.phrase, self.phase)
        ]
        for place in (*seats, *(n + 1 for n in seats[-1:])):
            match = self._laid(place)
            player = Entity("player", name, len(match.state.players))
            match.binder.add_player(player)
            lister = brief_lister(match, phase=self.phase)
            base: Values = {"me": None, "asked": {}}
            for move in seating:
                with suppress(ExpressionError):
                    for one in lister.of(move, base, {move.seat or "": player}):
                        yield self._inserted(one.statement, place, error)

    def _left_out(self, error: Finding) -> Iterator[Edit]:
        """Yield the game with a legal statement put in that names what errors name."""
        mentioned, whole = self.mentioned.keys(), len(self.statements)
        groups: dict[tuple[object, ...], list[Move]] = {}
        match = self._laid(whole if self.at is None else self.at)
        for move in brief_lister(match, phase=self.phase).moves():
            listed = listed_slot(move.definition)
            named = {
                one
                for slot, value in move.values.items()
                if listed in {None, slot}
                for one in entities_in(value)
            }
            if mentioned & named or (listed is None and move.actor in mentioned):
                rest = {slot: text for slot, text in move.written.items() if slot != listed}
                key = move.id, move.actor, tuple(sorted(rest.items()))
                groups.setdefault(key if listed else (*key, len(groups)), []).append(move)
        for moves in groups.values():
            first, spell = moves[0], speller(self.pack, self.match.writing)
            text = joined(moves, spell) if len(moves) > 1 else first.statement
            place = self.at
            if place is None:
                like = [n for n, one in enumerate(self.statements) if _verb(one) == first.kind]
                place = like[-1] + 1 if like else whole
            yield self._inserted(text, place, error)

    def _inserted(self, text: str, place: int, error: Finding) -> Edit:
        """Return the game with a statement put in."""
        last = place == len(self.statements)
        near = self.statements[place - 1 if last else place]
        new = Statement(text, parse(text).phrase, near.line, near.column)
        way = (near, new) if last else (new, near)
        at = len(near.text) if last else 0
        return Edit(EditKind.INSERT, self.start, ((near, way),), text, near, (at, at), error)

    def _laid(self, count: int) -> Match:
        """Return a match in which so many statements of the setup have been carried out."""
        match = self.match.again(self.match.meant)
        match.state.account = self.referee.state.account
        with match.report.only(Telling.COUNTING), suppress(Stop):
            Setup(match, self.section, self.statements[:count], partial(play, match)).lay_out()
        return match

    # ------------------------------------------------------------ other names

    def _renamed(self, statement: Statement, *, others: bool = False) -> Iterator[Edit]:
        """Yield the game with another name or number in a statement.

        The names are those that errors mention, and of small kinds all; with ``others`` the rest.
        """
        few = self._concerns(statement) or statement is self.wrong
        for name in names_in(self.pack, statement):
            named = alternative_names(
                self.match, name, self.mentioned, limits.FEW_THINGS if few else 0
            )
            if others:
                every = alternative_names(self.match, name, self.mentioned, maxsize)
                named = [other for other in every if other not in named]
            elif few and not name.things:
                number = int(statement.text[name.start : name.end])
                named = [str(other) for other in (number - 1, number + 1) if other > 0]
            yield from edits_of_name(self.start, statement, name, named)


def _verb(statement: Statement) -> str:
    return normal(statement.items[0].text) if statement.items else ""
