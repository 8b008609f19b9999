"""Decide whether a statement is legal from the list of legal moves alone.

Names are compared with the listed moves slot by slot, without the code by which `check` resolves
names and judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from altay_cli.base.values import UNRECORDED, Bag, Chance, Drawn, Entity, WrittenName
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.playing import Game
from altay_cli.moves.listing import Move
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import SectionKind
from altay_cli.pack.candidates import Candidate


@dataclass(frozen=True, slots=True)
class Verdict:
    legal: bool
    reason: str = ""


class _RecordedDraws(Chance):
    __slots__ = ("impossible", "recorded")

    def __init__(self, recorded: list[WrittenName] | None) -> None:
        super().__init__(self._pick)
        # `given()` asks whether anything is recorded, even an empty draw.
        self.items = None if recorded is None else []
        self.recorded = list(recorded or ())
        self.impossible = ""

    def _pick(self, bag: Bag) -> Entity:
        if not self.recorded:
            self.impossible = self.impossible or "something drawn is not told"
            return next(iter(bag))
        item = self.recorded.pop(0)
        found = [thing for thing in item.entities if bag.get(thing, 0) > 0]
        if not found:
            self.impossible = self.impossible or f"{item.text} cannot be drawn"
            return next(iter(bag))
        if len({thing.parent or thing for thing in found}) > 1:
            rest = [other for other in self.recorded if other.entities == item.entities]
            if len(rest) + 1 < sum(bag.get(thing, 0) for thing in item.entities):
                self.impossible = self.impossible or f"{item.text} may be several things"
        # Of copies, the one worth least.
        return found[-1]


def judge(game: Game, text: str, listed: Sequence[Move] | None = None) -> Verdict:
    """Judge a statement in the present state of a game, which is restored.

    ``listed``: the legal moves, if known.
    """
    parsed = parse(text)
    if not parsed.sound:
        return Verdict(False, "malformed")
    phrase = parsed.phrase
    heading = parsed.section is SectionKind.TURN
    if parsed.section is not None and not heading:
        return Verdict(False, "a heading")
    binding = game.match.binder.bind(phrase, "heading" if heading else "turns")
    if binding.errors:
        return Verdict(False, binding.errors[0].message)
    actor = None
    if phrase.actor:
        actor = game.match.binder.player(phrase.actor)
        if actor is None:
            return Verdict(False, "an unknown player")
    times = max((_repetitions(reading) for reading in binding.readings), default=1)
    done = 0
    try:
        for number in range(times):
            moves = listed if listed is not None and not number else game.candidates()
            verdict, move, recorded = _matching_move(game, binding.readings, actor, moves, number)
            if move is None:
                return verdict
            chance = _RecordedDraws(recorded)
            try:
                game.apply(move, chance)
            except IllegalMove as error:
                return Verdict(False, f"listed and refused: {error}")
            done += 1
            if chance.impossible or chance.recorded:
                return Verdict(False, chance.impossible or "more is told than is drawn")
    finally:
        for _ in range(done):
            game.undo()
    return Verdict(True)


def _repetitions(parsed: Candidate) -> int:
    return next(
        (
            sum(written.count for written in parsed.slots[slot.name])
            for slot in parsed.move.slots.values()
            if slot.each and slot.name in parsed.slots
        ),
        1,
    )


def _matching_move(
    game: Game,
    readings: Sequence[Candidate],
    actor: Entity | None,
    moves: Sequence[Move],
    number: int,
) -> tuple[Verdict, Move | None, list[WrittenName] | None]:
    state = game.state
    usual = state.next_decision.who if state.next_decision else state.status("active")
    who = actor or usual
    for parsed in readings:
        if parsed.move.fallback:
            continue
        found = [
            move
            for move in moves
            if move.definition is parsed.move
            and (move.actor is None or move.actor is who)
            and _matches(parsed, move, number)
        ]
        drawn = next(iter(parsed.drawn.values()), UNRECORDED)
        if len({_draws(move) for move in found}) > 1:
            # The player chooses the number.
            found = [move for move in found if _draws(move) == drawn.size()]
        if not found:
            continue
        if _is_open(parsed, found):
            return Verdict(False, "several payments are possible"), None, None
        if len({_things(parsed, move) for move in found}) > 1:
            return Verdict(False, "a name may mean several things"), None, None
        # If copies differ, the one worth least is meant: the last.
        return Verdict(True), max(found, key=_lateness), drawn.items
    return Verdict(False, "no listed move is written like this"), None, None


def _draws(move: Move) -> int:
    """Count the drawn entities; 0 if the player has no choice."""
    return sum(value.size() for value in move.values.values() if isinstance(value, Drawn))


def _is_open(parsed: Candidate, found: Sequence[Move]) -> bool:
    return any(
        slot.infer is not None
        and slot.name not in parsed.slots
        and len({frozenset(move.values[slot.name].items()) for move in found}) > 1
        for slot in parsed.move.slots.values()
    )


def _lateness(move: Move) -> int:
    bags = [value for value in move.values.values() if isinstance(value, Bag)]
    return sum(thing.index * count for bag in bags for thing, count in bag.items())


def _things(parsed: Candidate, move: Move) -> object:
    return tuple(
        frozenset((thing.parent or thing) for thing in value)
        if isinstance(value, Bag)
        else (value.parent or value if isinstance(value, Entity) else value)
        for name in parsed.slots
        for value in [move.values[name]]
    )


def _matches(parsed: Candidate, move: Move, number: int) -> bool:
    """Return True if the texts may mean the values of the move."""
    for slot in parsed.move.slots.values():
        if slot.shape == "drawn":
            continue
        written = parsed.slots.get(slot.name)
        value = move.values[slot.name]
        if written is None:
            if slot.infer is None and (value if isinstance(value, Bag) else value is not None):
                return False
        elif slot.shape == "int":
            if written[0].value != value:
                return False
        elif isinstance(value, Bag):
            if not _counts(written, value):
                return False
        else:
            flat = [name for name in written for _ in range(name.count)]
            name = flat[number] if slot.each else flat[0]
            if value is None:
                if name.entities:
                    return False
            elif value not in name.entities:
                return False
    return True


def _counts(written: Sequence[WrittenName], bag: Bag) -> bool:
    """Try the least ambiguous names first."""
    left = dict(bag)
    for name in sorted(written, key=lambda name: len(name.entities)):
        wanted = name.count
        for thing in reversed(name.entities):
            taken = min(wanted, left.get(thing, 0))
            wanted -= taken
            left[thing] = left.get(thing, 0) - taken
        if wanted:
            return False
    return not any(left.values())


__all__ = ["Verdict", "judge"]
