"""A game whose setup is in progress: its statements so far, and those that can follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from altay_cli.base.budget import Account
from altay_cli.base.findings import BudgetError, Finding, errors_of
from altay_cli.base.suggest import normal
from altay_cli.base.values import Chance, Entity, Pick
from altay_cli.match.decisions import EffectsInterrupted, Values
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop
from altay_cli.match.setup import Setup
from altay_cli.match.state import State
from altay_cli.match.statements import play
from altay_cli.moves import limits
from altay_cli.moves.ability import Ability
from altay_cli.moves.choices import UNNAMED
from altay_cli.moves.listing import Lister, Move
from altay_cli.moves.outcomes import count_draws, outcome
from altay_cli.moves.wording import speller
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import GameRecord, Statement
from altay_cli.pack.model import MoveDef, Pack
from altay_cli.pack.words import times
from altay_cli.repair.play import StopAtFirstError

Rules = tuple[Pack, Mapping[str, str]]


class SettingUp:
    """The setup of a game, in progress.

    record: the tags, and the setup so far.
    match: after these statements, in the order of the rules.
    """

    def __init__(self, rules: Rules, record: GameRecord, language: str) -> None:
        self.pack, self.options = rules
        self.record = record
        self.language = language
        self.speller = speller(self.pack, language)
        self.match = self._new_match()
        for _ in self._steps(self.match):
            pass
        order, statements = self.match.binder.order, record.sections[-1].statements
        self._last_order = max(
            (order(statement.phrase, "setup") for statement in statements), default=0
        )
        self.complete = True
        """Whether the last listing found all moves."""

    def with_statement(self, text: str) -> SettingUp:
        """Return the setup with one more statement."""
        *before, section = self.record.sections
        last = section.statements[-1] if section.statements else section.heading
        statement = Statement(text, parse(text).phrase, last.span().end_line + 1, 1)
        longer = section._replace(statements=(*section.statements, statement))
        record = self.record._replace(sections=(*before, longer))
        return SettingUp((self.pack, self.options), record, self.language)

    def new_errors(self, before: SettingUp) -> list[Finding]:
        """Return the errors that were not there before."""
        known = {(found.rule, found.span) for found in errors_of(before.match.report.findings)}
        found = errors_of(self.match.report.findings)
        return [error for error in found if (error.rule, error.span) not in known]

    def finished(self) -> Match:
        """Return the game as judged with this setup; an incomplete one gives errors."""
        match = self._new_match()
        Referee(match, self.record, repairing=StopAtFirstError).run()
        return match

    def _new_match(self) -> Match:
        match = Match(self.pack, self.options, Ability, self.language, log=self.record)
        match.state.account = Account(limits.LISTING_STEPS, "setting up this game")
        return match

    def _steps(self, match: Match, orders: Sequence[int] = ()) -> Iterator[int]:
        section = self.record.sections[-1]

        def carry_out(statement: Statement, phase: str) -> bool:
            with suppress(Stop):
                return play(match, statement, "setup") and phase == "setup"
            return False

        with suppress(Stop):
            yield from Setup(match, section, section.statements, carry_out).steps(orders)

    # ------------------------------------------------------------ what can follow

    def moves(self, name: str = UNNAMED) -> list[Move]:
        """Return the statements that can follow, one for each resulting state.

        name: that of a new player.
        """
        match, found = self._new_match(), list[Move]()
        lister = Lister(match.resolver, self.speller, phase="setup")
        definitions = [
            move for move in self.pack.moves if "setup" in move.phases and not move.fallback
        ]
        self.complete = True
        for order in self._steps(match, sorted({move.order for move in definitions})):
            for definition in definitions:
                if definition.order == order:
                    found += self._moves_of(definition, match, lister, name)
        early = [move for move in found if move.definition.order < self._last_order]
        self.complete = self.complete and len(early) <= limits.MAX_EARLY
        # A later statement, by the order of the rules, may contradict them.
        wrong = {move for move in early[: limits.MAX_EARLY] if not self.accepts(move.statement)}
        wrong.update(early[limits.MAX_EARLY :])
        return [move for move in found if move not in wrong]

    def accepts(self, text: str) -> bool:
        """Return True if a statement brings no error."""
        return not self.with_statement(text).new_errors(self)

    def _moves_of(
        self, definition: MoveDef, match: Match, lister: Lister, name: str
    ) -> Iterator[Move]:
        given: Values = {}
        if definition.seat:
            known = match.binder.players.get(normal(name))
            given[definition.seat] = known or Entity("player", name, len(match.state.players))
        first: dict[object, Move] = {}
        actors = match.state.players if definition.needs_actor else [None]
        try:
            for actor in actors:
                for move in lister.moves_of(definition, {"me": actor, "asked": {}}, given):
                    changed = outcome(match.state, move) or len(first)
                    if changed not in first:
                        first[changed] = self._drawing(move, match.state)
        except BudgetError:
            self.complete = False
        self.complete = self.complete and not lister.limits_reached
        yield from first.values()

    def _drawing(self, move: Move, state: State) -> Move:
        """Return a move with a `?` for each card to draw."""
        drawn = _slot_of_draw(move)
        if not drawn or drawn not in move.written:
            return move
        says_count = move.definition.slots[drawn].domain is not None
        count = move.values[drawn].size() if says_count else count_draws(state, move)
        return move if count < 2 else self._rewritten(move, drawn, times(count, "?"))

    def _rewritten(self, move: Move, slot: str, text: str) -> Move:
        written = {**move.written, slot: text}
        statement = self.speller.statement(move.definition, written) or move.statement
        if move.actor is not None:
            statement = f"{self.speller.player(move.actor.id)}: {statement}"
        return replace(move, written=written, statement=statement)

    # ------------------------------------------------------------ draws

    def drawn(self, move: Move, pick: Pick) -> str:
        """Return the statement of a move with what ``pick`` draws."""
        slot = _slot_of_draw(move)
        if slot is None:
            return move.statement
        match = self._new_match()
        order = move.definition.order
        for reached in self._steps(match, [order]):
            if reached == order:
                break
        chance = Chance(pick, move.values[slot].items)
        if isinstance(move.values, MoveValues):
            move.values.settle()
        with suppress(EffectsInterrupted):
            move.definition.does.fn(match.state, {**move.values, slot: chance})
            match.state.resume_effects()
        if not chance.drawn:
            return move.statement
        text = self.speller.drawn(chance.drawn)
        if any(pattern.outcome == slot for pattern in move.definition.patterns):
            return f"{move.statement.partition(' =>')[0]} => {text}"
        return self._rewritten(move, slot, text).statement


def _slot_of_draw(move: Move) -> str | None:
    slots = move.definition.slots.values()
    return next((slot.name for slot in slots if slot.shape == "drawn"), None)
