"""Set up a game without a log, by chance and by choices of the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random

from altay_cli.base.budget import Account
from altay_cli.base.findings import ExpressionError, ImpossibleError, Text
from altay_cli.base.values import Bag, Chance, Entity, expand
from altay_cli.match.decisions import EffectsInterrupted, Values
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues
from altay_cli.match.state import State
from altay_cli.moves import limits
from altay_cli.moves.ability import Ability
from altay_cli.moves.listing import Lister, Move, joined, listed_slot
from altay_cli.moves.wording import speller
from altay_cli.pack.model import MoveDef, Pack, Step
from altay_cli.pack.words import not_for, reason

Choose = Callable[[State, Sequence[Move]], Move]


def check_seats(pack: Pack, players: int) -> None:
    """Raise ImpossibleError if the rules cannot set up so many players."""
    if not pack.opening:
        message = "the rules of {game} have no random setup"
        raise ImpossibleError(message, game=pack.title)
    if not pack.least <= players <= pack.most:
        raise ImpossibleError(not_for(players, pack))


class Opening:
    """Sets up one game for the players ``names``, in the order of seats."""

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        names: Sequence[str],
        random: Random,
        choose: Choose,
        language: str,
    ) -> None:
        self.pack = pack
        self.speller = speller(pack, language)
        self.names = names
        self.random = random
        self.choose = choose
        match = Match(pack, options, Ability)
        match.state.account = Account(limits.LISTING_STEPS, "laying out this game")
        self.state, self.binder = match.state, match.binder
        self.lister = Lister(match.resolver, self.speller, phase="setup")
        self.moves: dict[str, MoveDef] = {move.id: move for move in pack.moves}
        # Moves that form one statement, with its outcome.
        self._lines: dict[object, tuple[list[Move], str]] = {}

    def statements(self) -> list[str]:
        """Carry out all steps and return them as statements.

        Raise ImpossibleError as ``check_seats``, or if a step has no legal move.
        """
        check_seats(self.pack, len(self.names))
        stages = sorted(
            (stage for stage in self.pack.prepare if "setup" in stage.phases),
            key=lambda stage: stage.order,
        )
        for number, step in enumerate(self.pack.opening):
            order = self.moves[step.move].order
            what = f"before {step.title}"
            try:
                while stages and stages[0].order < order:
                    self.state.grant()
                    stages.pop(0).does.fn(self.state, {})
                what = step.title
                self._step(number, step)
            except ExpressionError as error:
                raise ImpossibleError(f"{what}: {reason(error, self.pack)}") from error
        return [joined(moves, self.speller) + outcome for moves, outcome in self._lines.values()]

    def blank_statements(self, language: str) -> list[str]:
        """Return one statement per player of the last setup, slots left blank.

        They are comments under their title.
        """
        lines: dict[str, None] = {}
        titles = self.pack.translations(language)
        for moves, _ in self._lines.values():
            move, definition = moves[0], moves[0].definition
            line = definition.patterns[0].source
            if definition.seat:
                line = line.replace(f"<{definition.seat}>", move.written[definition.seat])
            if move.actor is not None:
                line = f"{self.speller.player(move.actor.id)}: {line}"
            has_gap = "<" in line
            if has_gap:
                lines[f"# {titles.get(definition.title, definition.title)}:"] = None
            lines[f"# {line}" if has_gap else line] = None
        return list(lines)

    def _step(self, number: int, step: Step) -> None:
        self.state.grant()
        move = self.moves[step.move]
        if move.seat:
            for name in self.names:
                player = Entity("player", name, len(self.state.players))
                self.binder.add_player(player)
                self._make_move(number, step, {}, {move.seat: player})
            return
        each = step.each
        every = [{each[0]: item} for item in each[1].fn(self.state, {})] if each else [{}]
        for names in every:
            if step.loop is None:
                self._make_move(number, step, names, {})
                continue
            self.state.grant()
            while step.loop.fn(self.state, names):
                self._make_move(number, step, names, {})
                self.state.grant()

    def _make_move(self, number: int, step: Step, names: Values, given: dict[str, object]) -> None:
        state = self.state
        state.grant()
        inner = dict(names)
        for name, expr in step.picks:
            choices = expr.fn(state, inner)
            things = expand(choices) if isinstance(choices, Bag) else list(choices)
            if not things:
                raise ImpossibleError(f"{step.title}: nothing is left to pick from")
            inner[name] = self.random.choice(things)
        actor = step.actor.fn(state, inner) if step.actor is not None else None
        given = {**given, **{slot: expr.fn(state, inner) for slot, expr in step.values.items()}}
        base: Values = {"me": actor, "asked": {}}
        possible = self.lister.moves_of(self.moves[step.move], base, given)
        if not possible:
            raise ImpossibleError(Text("{step}: no legal move", step=step.title))
        move = self.choose(state, possible)
        if isinstance(move.values, MoveValues):
            move.values.settle()
        drawn = [s.name for s in move.definition.slots.values() if s.shape == "drawn"]
        asked = move.values[drawn[-1]].items if drawn else None
        chance = Chance(lambda bag: self.random.choice(expand(bag)), asked)
        state.grant()
        with suppress(EffectsInterrupted):
            move.definition.does.fn(state, {**move.values, **dict.fromkeys(drawn, chance)})
            state.resume_effects()
        written = dict(move.written)
        outcome = ""
        for name in drawn:
            text = self.speller.drawn(chance.drawn)
            if any(pattern.outcome == name for pattern in move.definition.patterns):
                outcome = text and f" => {text}"
            else:
                written[name] = text
        listed = listed_slot(move.definition)
        rest = tuple((slot, text) for slot, text in written.items() if slot != listed)
        key = (number, move.actor, rest) if listed in written else len(self._lines)
        self._lines.setdefault(key, ([], outcome))[0].append(replace(move, written=written))
