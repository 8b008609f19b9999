"""Candidates for edits of the setup, whose errors often show many turns later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from sys import maxsize

from altay_cli.base.findings import ExpressionError, Finding
from altay_cli.base.suggest import find_name, normal
from altay_cli.base.values import Entity, entities_in
from altay_cli.match.decisions import Values
from altay_cli.match.match import PHASES, Match
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop
from altay_cli.match.sections import Point
from altay_cli.match.setup import Setup
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
    swap_edits,
)
from altay_cli.repair.edits import Edit, EditKind
from altay_cli.repair.wording import is_within


class SetupEdits:
    """The edits of a setup, if the game has errors."""

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
        wrong = [
            number
            for number, statement in enumerate(self.statements)
            if is_within(errors[0], statement)
        ]
        self.at = wrong[0] if wrong else None
        """The statement with the first error, if that is in the setup."""
        self.wrong = self.statements[self.at] if self.at is not None else None

    def edits(self) -> Iterator[Edit]:
        """Yield edits, the likeliest first."""
        statements = self.statements
        wrong = [self.wrong] if self.wrong is not None else []
        deletions = [
            Edit(EditKind.DELETE, self.start, ((statement, ()),), where=statement)
            for statement in wrong
        ]
        if any(
            earlier.text == statement.text
            for statement in wrong
            for earlier in statements[: self.at]
        ):
            yield from deletions
        yield from self._missing_seats()
        yield from self._swaps(concerned=True)
        likely = [*wrong]
        likely += [
            statement
            for statement in statements
            if statement is not self.wrong and self._concerns(statement)
        ]
        for statement in likely:
            yield from self._rename_edits(statement)
        first, last = self.section.heading.span(), statements[-1].span()
        for error in [error for error in self.errors if first[:2] <= error.span[:2] <= last[2:]][
            :1
        ]:
            yield from self._missing_statements(error)
        yield from self._swaps(concerned=False)
        for statement in statements:
            if statement not in likely:
                yield from self._rename_edits(statement)
        for statement in wrong:
            yield from self._rename_edits(statement, others=True)
        yield from deletions

    def _concerns(self, statement: Statement) -> bool:
        first = self.errors[0]
        if any(is_within(place, statement) for place in first.related):
            return True
        player = normal(first.player or "")
        return any(normal(item.text) == player for item in (*statement.actor, *statement.items))

    def _swaps(self, *, concerned: bool) -> Iterator[Edit]:
        """Yield exchanges of lines with the same verb, or of the last line with turn 1."""
        for number, statement in enumerate(self.statements):
            for edit in swap_edits(self.referee, self.start, Point(self.which, number)):
                (_, new), (other, _) = edit.replacements
                if not new:
                    likely = other is not statement and concerned and number == self.at
                elif _verb(statement) == _verb(other):
                    likely = (self._concerns(statement) or self._concerns(other)) is concerned
                else:
                    likely = False
                if likely:
                    yield edit

    # ------------------------------------------------------------ lines left out

    def _missing_seats(self) -> Iterator[Edit]:
        binder = self._match_after(len(self.statements)).binder
        named = [player_name(line.actor) for line in self.statements if line.actor]
        named += [
            player_name(section.heading.items[2:])
            for section in self.referee.sections
            if section.kind is SectionKind.TURN
        ]
        strangers = [name for name in named if name and find_name(name, binder.players) is None]
        if len(set(map(normal, strangers))) != 1:
            return
        name = strangers[0]
        unknown = (error for error in self.errors if error.rule == "unknown-player")
        error = next(unknown, self.errors[0])
        seating = [move for move in self.pack.moves if move.seat and self.phase in move.phases]
        seats = [
            number
            for number, line in enumerate(self.statements)
            if not line.actor and binder.seats(line.phrase, self.phase)
        ]
        for place in (*seats, *(n + 1 for n in seats[-1:])):
            match = self._match_after(place)
            player = Entity("player", name, len(match.state.players))
            match.binder.add_player(player)
            lister = brief_lister(match, phase=self.phase)
            base: Values = {"me": None, "asked": {}}
            for move in seating:
                with suppress(ExpressionError):
                    for listed in lister.moves_of(move, base, {move.seat or "": player}):
                        yield self._insertion(listed.statement, place, error)

    def _missing_statements(self, error: Finding) -> Iterator[Edit]:
        mentioned, end = self.mentioned.keys(), len(self.statements)
        groups: dict[tuple[object, ...], list[Move]] = {}
        match = self._match_after(end if self.at is None else self.at)
        for move in brief_lister(match, phase=self.phase).moves():
            listed = listed_slot(move.definition)
            named = {
                thing
                for slot, value in move.values.items()
                if listed in {None, slot}
                for thing in entities_in(value)
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
                same_verb = [
                    number
                    for number, line in enumerate(self.statements)
                    if _verb(line) == first.kind
                ]
                place = same_verb[-1] + 1 if same_verb else end
            yield self._insertion(text, place, error)

    def _insertion(self, text: str, place: int, error: Finding) -> Edit:
        last = place == len(self.statements)
        near = self.statements[place - 1 if last else place]
        new = Statement(text, parse(text).phrase, near.line, near.column)
        both = (near, new) if last else (new, near)
        at = len(near.text) if last else 0
        return Edit(EditKind.INSERT, self.start, ((near, both),), text, near, (at, at), error)

    def _match_after(self, count: int) -> Match:
        match = self.match.restarted(self.match.name_choices)
        match.state.account = self.referee.state.account
        with match.report.suppressed(), suppress(Stop):
            Setup(match, self.section, self.statements[:count], partial(play, match)).lay_out()
        return match

    # ------------------------------------------------------------ other names

    def _rename_edits(self, statement: Statement, *, others: bool = False) -> Iterator[Edit]:
        """Yield a statement with one name or number replaced.

        others: by any name, not only those in errors and of small kinds.
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
