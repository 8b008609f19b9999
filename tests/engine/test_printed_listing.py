"""Legal moves are listed by printed loops; gone through value by value they are the same.

So are games when every trigger is looked at after every move.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.opening import new_game, open_game
from altay_cli.checking.playing import Game
from altay_cli.moves.listing import Move
from altay_cli.notation.reading import read_log
from altay_cli.pack.plans import linked_plans
from tests.engine.one_by_one import listed
from tests.small import Pebbles

GAMES = Path(__file__).parents[2] / "games"
SIMULATED = sorted((GAMES / "simulated").glob("*/*.agn"))


def both_ways(game: Game) -> tuple[list[Move], list[Move]]:
    """List the moves of a state by printed loops, and one by one."""
    return game.candidates(), listed(game)


def told(moves: list[Move]) -> list[tuple[str, object]]:
    return [(move.statement, move.key) for move in moves]


@pytest.mark.parametrize("log", SIMULATED[7::90], ids=lambda log: log.stem)
def test_every_state_of_a_recorded_game(log: Path) -> None:
    text = log.read_text(encoding="utf-8")
    turns = [
        section for section in read_log(text).games[0].sections if section.kind.value == "turn"
    ]
    first = turns[0].heading
    game = open_game(text, f"{first.line}:{first.column}", folder=log.parent)
    lines = [one.text for turn in turns for one in (turn.heading, *turn.statements)]
    seen = 0
    for line in lines[:120]:
        printed, one_by_one = both_ways(game)
        assert told(printed) == told(one_by_one)
        seen += len(printed)
        game.apply(line)
    assert seen > 300


@pytest.mark.parametrize("name", ["innovation", "chess", "gofish", "kalah"])
def test_states_of_other_games(name: str) -> None:
    game = new_game(name, ["Ann", "Bob"], seed="loops")
    random = Random(7)
    for _ in range(25):
        printed, one_by_one = both_ways(game)
        assert told(printed) == told(one_by_one)
        assert printed
        game.apply(random.choice(printed))


def test_names_that_a_rule_adds_are_those_of_the_state() -> None:
    """`develop` names whether a wonder is the player's own secret one; playouts ask for it."""
    log = SIMULATED[7]
    text = log.read_text(encoding="utf-8")
    turns = [
        section for section in read_log(text).games[0].sections if section.kind.value == "turn"
    ]
    game = open_game(text, f"{turns[6].heading.line}:1", folder=log.parent)
    game.apply(turns[6].heading.text)
    printed, one_by_one = both_ways(game)
    lets = [name for move in printed for name, _ in move.definition.lets]
    assert lets
    for move, other in zip(printed, one_by_one, strict=True):
        for name, _ in move.definition.lets:
            if name in other.values:
                assert move.values[name] == other.values[name]


@pytest.mark.parametrize("name", ["altay", "innovation"])
def test_what_moves_are_worth_is_what_the_rules_say(name: str) -> None:
    """It is printed as a function of the slots; the rule is an expression with names of the move."""
    game = new_game(name, ["Ann", "Bob"], seed="worth")
    pack, random = game.pack, Random(3)
    asked = 0
    for _ in range(40):
        moves = game.candidates()
        for policy in pack.policies.values():
            for move in moves:
                expr = policy.worth.get(move.id)
                printed = pack.cached(linked_plans)[move.id].worths.get(policy.id)
                assert (printed is None) is (expr is None)
                if printed is not None and expr is not None:
                    asked += 1
                    assert printed(game.state, move.values) == expr.fn(game.state, move.values)
        game.apply(random.choice(moves))
    assert asked > 100


@pytest.mark.parametrize("log", SIMULATED[11::75], ids=lambda log: log.stem)
def test_triggers_that_are_left_out_would_not_have_held(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, asked = log.read_text(encoding="utf-8"), []

    def judged() -> GameReport:
        asked.clear()
        return check_text(text, log.name, log.parent).games[0]

    def noted(condition: Callable[..., object]) -> Callable[..., object]:
        return lambda *given: (asked.append(given), condition(*given))[1]

    played = judged().played
    assert played is not None
    pack = played.state.pack
    for trigger in pack.triggers:
        monkeypatch.setattr(trigger.when, "fn", noted(trigger.when.fn))
    some, fewer = judged(), len(asked)
    layout = played.state.layout
    monkeypatch.setattr(layout, "triggers", [(one, None) for one, _ in layout.triggers])
    every = judged()
    assert len(asked) > fewer
    assert some.played is not None
    assert every.played is not None
    assert every.played.state.layout is layout
    assert every.findings == some.findings
    assert every.outcomes == some.outcomes
    assert every.played.state.ended_by == some.played.state.ended_by is not None


def test_a_choice_of_the_opening_uses_a_name_that_its_rule_adds(pebbles: Pebbles) -> None:
    """Every player chooses to owe one or two, and owes twice as much: what is owed is even."""
    pebbles.change(
        "moves/setup.yaml",
        "prepare:\n",
        "  owe:\n"
        "    title: Owe\n"
        "    order: 3\n"
        "    written: owe <number>\n"
        "    takes: {number: {type: int, from: '[1, 2]'}}\n"
        "    let: {twice: number + number}\n"
        "    does: [{add: {'debt[me]': twice}}]\n"
        "prepare:\n",
    )
    pebbles.change(
        "playouts.yaml",
        "opening: [{title: Seats, move: seat}]",
        "opening: [{title: Seats, move: seat}, {title: Debts, move: owe, each: {p: players}, by: p}]",
    )
    game = new_game("pebbles", ["Ann", "Bob"], seed="debts")
    index = next(zone.index for zone in game.pack.zones if zone.name == "debt")
    owed = [game.state.zones.held(index)[player] for player in game.state.players]
    assert len(owed) == 2
    assert set(owed) <= {2, 4}


@pytest.mark.parametrize("name", ["altay", "innovation", "gofish"])
def test_hands_that_nobody_recorded(name: str) -> None:
    """What may be in a hand is supposed by the same loops, and taken back."""
    game = new_game(name, ["Ann", "Bob"], seed="hands")
    random = Random(5)
    for _ in range(14):
        game.apply(random.choice(game.candidates()))
    hidden = open_game(re.sub(r"(draw|takes?|deal\w*) .*", r"\1", game.log()), seed=1)
    assert told(hidden.candidates()) == told(listed(hidden))
