"""What can be named next in a move: distinct moves, and what chance can bring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from altay_cli.base.findings import BudgetError
from altay_cli.base.values import Bag, Entity, Odds, Pick
from altay_cli.checking.errors import IllegalMove
from altay_cli.match.match import Match
from altay_cli.moves.addresses import ref_of
from altay_cli.moves.choices import DRAW, Choice
from altay_cli.moves.listing import Move
from altay_cli.moves.outcomes import outcome
from altay_cli.moves.wording import Speller

Draw = Callable[[Move, Pick], str]
"""Returns the statement of a move with the things picked; raises IllegalMove."""


class _DrawNeeded(Exception):  # noqa: N818 - no error
    def __init__(self, bag: Bag) -> None:
        super().__init__()
        self.bag = bag


def split_keys(named: Iterable[Choice | str]) -> tuple[list[str], list[str]]:
    """Return the keys of choices: parts of a move, and what chance brings."""
    keys = [choice.key if isinstance(choice, Choice) else choice for choice in named]
    parts = [key for key in keys if not key.startswith(f"{DRAW} ")]
    return parts, [key for key in keys if key.startswith(f"{DRAW} ")]


def distinct_moves(
    match: Match, moves: Sequence[Move], accepts: Callable[[Move], bool]
) -> tuple[list[Move], bool]:
    """Return the legal moves that lead to different states.

    Also return whether all moves were tried before the budget ran out.
    """
    state = match.state
    hidden = state.hidden.beliefs
    resolver = match.resolver if hidden.groups or hidden.placeholders else None
    first: dict[object, Move] = {}
    try:
        for move in moves:
            state.grant()
            changed = outcome(state, move, resolver)
            if changed in first:
                continue
            # Hidden things can rule out what each requirement alone allows.
            if (changed is not None and resolver is None) or accepts(move):
                first[move if changed is None else changed] = move
    except BudgetError:
        return [*first.values()], False
    return [*first.values()], True


def draw_choices(speller: Speller, move: Move, drawn: Sequence[str], draw: Draw) -> list[Choice]:
    """Return the next things that chance can bring.

    drawn: the keys of the things it has brought.
    """
    bag: Bag | str = ""
    with suppress(IllegalMove):
        bag = next_draw(move, drawn, draw)
    choices: list[Choice] = []
    if not isinstance(bag, Bag):
        return choices
    for thing, count in bag.items():
        key, ref = f"{DRAW} {ref_of(thing)}", ref_of(thing)
        with suppress(IllegalMove):  # ruled out by the rest of the draw
            then = next_draw(move, [*drawn, key], draw)
            choices.append(
                Choice(
                    key,
                    DRAW,
                    speller.exact(thing),
                    None if isinstance(then, Bag) else then,
                    int(isinstance(then, Bag)),
                    (move.id,),
                    ref=ref,
                    certain=len(bag) == 1,
                    count=None if isinstance(bag, Odds) else count,
                    draws=isinstance(then, Bag),
                )
            )
    return choices


def next_draw(move: Move, drawn: Sequence[str], draw: Draw) -> Bag | str:
    """Return the bag of the next draw, or the statement if nothing more is drawn.

    Raise IllegalMove if ``drawn`` cannot be drawn.
    """
    left = list(drawn)

    def pick(bag: Bag) -> Entity:
        if not left:
            raise _DrawNeeded(bag)
        wanted = left.pop(0)
        thing = next((item for item in bag if f"{DRAW} {ref_of(item)}" == wanted), None)
        if thing is None:
            raise IllegalMove(move.statement, ())
        return thing

    try:
        return draw(move, pick)
    except _DrawNeeded as needed:
        return needed.bag
