"""What can neither appear nor vanish does not, in a few games; and every mistake planted is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from altay_cli.base.journal import Journal
from altay_cli.base.values import Bag, Entity
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.match.state import PendingDecision, State
from altay_cli.pack.layout import OVERDUE, PENDING
from altay_cli.simulation.simulated import PlayPlan, playout
from attack import invariants
from attack.counting import zone_of
from attack.invariants import Watch, command, formatting, of_plan, plans, replayed, walk
from attack.limits import breaches, fits, numbers, step
from tests.engine.table import FIRST_TURN, MIDDLE, SETUP, Table

GAMES = Path(__file__).parents[2] / "games"
LIMITS = numbers()


# ---------------------------------------------------------------- a few games


def test_nothing_breaks_in_a_recorded_game() -> None:
    path = GAMES / "trading.agn"
    found = walk(path.name, path.read_text(encoding="utf-8"), GAMES, tries=1, seed="1")
    assert (found.games, found.breaks) == (1, [])
    assert found.moves > 100
    assert found.tried > 100


@pytest.mark.parametrize("which", range(3))
def test_nothing_breaks_in_a_simulated_game(which: int) -> None:
    plan, number = list(plans(1, seed=3))[which]
    found = of_plan((replace(plan, max_rounds=8), number), tries=1)
    assert (found.games, found.breaks) == (1, [])
    assert found.moves > 100


def test_fifty_games_have_every_variant_and_every_policy() -> None:
    chosen = [plan for plan, _ in plans(17, seed=1)]
    tags = {tag for plan in chosen for tag in plan.tags}
    assert {("Map", "full"), ("Edition", "de"), ("Variant", "trading")} < tags
    shipped = {path.stem for path in invariants.VARIANTS.glob("*.yaml")}
    assert {value for name, value in tags if name == "Variant"} == shipped
    assert {"random", "greedy", "balanced", "expand", "fight", "wonders"} == {
        name for plan in chosen for name in plan.policies
    }
    assert {plan.players for plan in chosen} == {2, 3, 4}


# ---------------------------------------------------------------- planted mistakes


LOSES_A_CARD = """\
variant: leaky
extends: altay
title: What is bought is lost
change:
  - {remove: moves.buy.does.2}
"""


def test_a_card_that_the_rules_lose_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "leaky.yaml").write_text(LOSES_A_CARD, encoding="utf-8")
    tags = (("Variant", "leaky.yaml"),)
    plan = PlayPlan("altay", 2, ("balanced",), 1, tags, tmp_path, max_rounds=2, keep=True)
    found = of_plan((plan, 1), tries=0)
    assert any(one.what.startswith("copies of") for one in found.breaks), found.breaks
    log = playout(plan, 1).log
    assert log is not None
    assert log.splitlines()[found.breaks[0].line - 1].strip().startswith("buy ")


def test_an_undo_that_is_not_exact_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Game.undo

    def careless(self: Game) -> None:
        undo(self)
        place = place_of(self.state, "reserve")
        self.state.cells[place] = Bag(list(self.state.cells[place].items())[:-1])

    monkeypatch.setattr(Game, "undo", careless)
    found = walk("game", SETUP + FIRST_TURN + "  play 2 Hunter\n", None, tries=1, seed="1")
    assert any("taken back leaves another state: reserve" in b.what for b in found.breaks)


def test_an_undo_of_the_whole_game_that_is_not_exact_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Journal, "undo", lambda *_: None)
    found = walk("game", SETUP + FIRST_TURN + "  play 2 Hunter\n", None, tries=0, seed="1")
    assert "the game taken back to here is another one" in [b.what for b in found.breaks]


def test_a_form_that_says_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = SETUP + FIRST_TURN + "  play 2 Hunter\n  play Village\n"
    assert list(formatting(text)) == []
    monkeypatch.setattr(invariants, "format_log", lambda log: log.replace("2 Hunter", "3 Hunter"))
    assert any("other findings" in found for found in formatting(text))
    monkeypatch.setattr(invariants, "format_log", lambda log: log + "\n")
    assert list(formatting(text)) == ["formatted twice it is not what it is formatted once"]


def test_other_scores_than_those_of_the_game_are_noticed() -> None:
    outcome = playout(PlayPlan("altay", 2, ("balanced",), 1, max_rounds=1, keep=True), 1)
    assert list(replayed(outcome)) == []
    outcome.sides[0].scores["territories"] += 1
    assert [b.what for b in replayed(outcome)] == ["check comes to other scores than the game"]
    assert outcome.log is not None
    told = outcome.log.replace("end =>", "end => Worker,", 1)
    assert any("does not accept" in b.what for b in replayed(replace(outcome, log=told)))
    stuck = replace(outcome, log=None, end="there is no legal move")
    assert [b.what for b in replayed(stuck)] == ["there is no legal move"]


def test_what_vanishes_appears_or_leaves_the_box_is_noticed() -> None:
    game = open_game(SETUP + FIRST_TURN)
    assert Watch(game, LIMITS, complete_setup=True).first == []
    watch = Watch(game, LIMITS, complete_setup=True)
    assert watch.after() == []
    state, ann = game.state, game.state.players[0]
    state.table.add(place_of(state, "reserve"), named(state, "resource", "wood"), -1)
    supply = place_of(state, "supply", ann)
    state.journal.put(supply, state.cells[supply] + 1)
    assert set(watch.after()) == {
        "tokens of wood: 16 became 15",
        "settlements of Ann: 15 became 16",
    }
    assert watch.after() == []  # each is told once
    assert "tokens of wood: 15, not 16" in Watch(game, LIMITS, complete_setup=True).first


ARCHIVED = """\
[Game "altay"]
[Edition "de"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: completed Writing
  Ann: archived Shaman
  Ann: deck 4 Hunter, Shaman, 2 Village, 4 Warrior
  Ann: hand 2 Hunter, 3 Warrior
  Ann: settlements F2
  Bob: deck 4 Hunter, Shaman, 2 Village, 4 Warrior
  Bob: hand 2 Hunter, 3 Warrior
  Bob: settlements F6
turn 3 Ann
"""


def test_a_card_that_may_have_been_taken_back_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = open_game(ARCHIVED)
    monkeypatch.setattr(invariants, "_unsure", lambda _: False)  # only the display is
    watch = Watch(game, LIMITS, complete_setup=False)
    game.apply("end => 2 Hunter, Warrior, 2 Village")
    archive, discard = (zone_of(game.state, name) for name in ("archive", "discard"))
    ann = game.state.players[0]
    assert (archive[ann].unknown.hidden, discard[ann].unknown.hidden) == (1, 1)
    assert watch.after() == []
    game.state.journal.put(place_of(game.state, "discard", ann), Bag({}))
    assert any(what.startswith("copies of hunter") for what in watch.after())


# ---------------------------------------------------------------- every limit


def place_of(state: State, name: str, *keys: Entity) -> int:
    return state.zones.place(
        next(zone.index for zone in state.pack.zones if zone.name == name), *keys
    )


def named(state: State, kind: str, ident: str) -> Entity:
    return next(thing for thing in state.pack.entities[kind] if thing.id == ident)


class Doctor:
    """Changes the state of MIDDLE behind the back of the rules."""

    def __init__(self) -> None:
        self.state = Table(MIDDLE).state
        self.ann, self.bob = self.state.players

    def __call__(self, zone: str, *places: Any) -> Doctor:
        """Put the last of ``places`` into a zone, at the places before it; names stand for things."""
        *keys, value = (self._thing(place) for place in places)
        found = next(one for one in self.state.pack.zones if one.name == zone)
        if len(keys) > len(found.per):
            self.fill(found.index, keys[:-1], {keys[-1]: value})
        else:
            self.state.cells[self.state.zones.place(found.index, *keys)] = value
        return self

    def fill(self, zone: int, keys: list[Any], more: dict[Entity, int]) -> None:
        """Let so many of some things lie in a bag."""
        place = self.state.zones.place(zone, *keys)
        there = {**self.state.cells[place], **more}
        self.state.cells[place] = Bag({thing: n for thing, n in there.items() if n})

    def zone(self, name: str, value: Any) -> Doctor:
        """Put a value into a zone of which there is one."""
        index = next(zone.index for zone in self.state.pack.zones if zone.name == name)
        self.state.cells[self.state.zones.place(index)] = self._thing(value)
        return self

    def _thing(self, name: Any) -> Any:
        if isinstance(name, dict):
            return Bag({self._thing(key): n for key, n in name.items()})
        if isinstance(name, tuple):
            return tuple(map(self._thing, name))
        if not isinstance(name, str):
            return name
        if name in ("Ann", "Bob"):
            return self.ann if name == "Ann" else self.bob
        kind, _, ident = name.partition(" ")
        return named(self.state, kind, ident)

    def pending(self, cell: int, decision: str, who: str, times: int) -> None:
        self.state.journal.put(cell, (PendingDecision(decision, self._thing(who), times, {}),))

    def breaches(self) -> set[str]:
        return set(breaches(self.state, LIMITS))


def test_a_state_that_is_right_breaks_no_limit() -> None:
    assert Doctor().breaches() == set()


WOOD = "resource wood"
BROKEN: dict[str, Callable[[Doctor], object]] = {
    # the board (en 4, 7, 11)
    "F2: settlements {'Ann': 5}": lambda d: d("settlers", "territory F2", "Ann", 5),
    "F2: settlements {'Ann': 2, 'Bob': 1}": lambda d: d("settlers", "territory F2", "Bob", 1),
    "F2: settlements {'Ann': 2}, marker <": lambda d: d("marker", "territory F2", "marker one"),
    "F1 is not in play": lambda d: d("settlers", "territory F1", "Ann", 1),
    "I1 is not in play": lambda d: d("marker", "territory I1", "marker one"),
    "M4 has a marker of value 1": lambda d: d("marker", "territory M4", "marker one"),
    "W3 has a marker of value 3": lambda d: d("marker", "territory W3", "marker three_wood"),
    "W3 has a marker, and Ann took it": lambda d: d("taker", "territory W3", "Ann"),
    "marker of W6 was consumed": lambda d: d("consumed", "territory W6", True),
    "Ann took 1 two_wood and has fewer": lambda d: d("conquered", "Ann", {}),
    "F2 has 1 victory points": lambda d: d("vp", "territory F2", 1),
    "M4 has 2 victory points": lambda d: d("vp", "territory M4", 2),
    "2 victory point markers": lambda d: d("vp", "territory M4", 0),
    "less than nothing: supply Ann": lambda d: d("supply", "Ann", -1),
    "less than nothing: reserve food": lambda d: d.zone("reserve", {"resource food": -1}),
    "Ann has captured own": lambda d: d("captured", "Ann", "Ann", 1),
    # cards (en 4, 8, 9, 11)
    "2 city of Ann on the table": lambda d: d("table", "Ann", "card city", 1),
    "of Ann on village, which is not": lambda d: d("on", "Ann", "title village", {WOOD: 1}),
    "1 metal of Ann does not fit on city": lambda d: d(
        "on", "Ann", "title city", {"resource metal": 1}
    ),
    "2 food of Ann does not fit on city": lambda d: d(
        "on", "Ann", "title city", {"resource food": 2}
    ),
    "city of Ann is complete, and on": lambda d: d(
        "on", "Ann", "title city", {"resource food": 1, WOOD: 1}
    ),
    "2 cards of Ann archived": lambda d: d("archive", "Ann", {"card hunter": 2}),
    "1 cards of Bob archived": lambda d: d("archive", "Bob", {"card hunter": 1}),
    "2 farmer bought in one turn": lambda d: d.zone("turn.bought", {"title farmer": 2}),
    "the best chariot is not on top": lambda d: d(
        "market", "title chariot", ("card chariot", "card chariot_2")
    ),
    "another card among the city": lambda d: d("market", "title city", ("card farmer",)),
    "Bob holds 7 cards": lambda d: d("hand", "Bob", {"card hunter": 7}),
    "Ann has ended the turn with a hand of 4": lambda d: d.zone("turn.ended", True)(
        "hand", "Ann", {"card hunter": 4}
    ),
    "Ann has ended the turn with a hand of 6": lambda d: d.zone("turn.ended", True)(
        "hand", "Ann", {"card hunter": 6}
    ),
    "cards are still noted as played": lambda d: d.zone("turn.ended", True)(
        "played", "Ann", {"card hunter": 1}
    ),
    # achievements (en 4, 5, 8, 14)
    "2 culture of Ann does not fit on ark": lambda d: d("placed", "Ann", {"resource culture": 2}),
    "ark of Ann is complete, and in": lambda d: d(
        "placed", "Ann", {WOOD: 3, "resource metal": 2, "resource culture": 1}
    ),
    "2 wood of Ann lies on no": lambda d: d("developing", "Ann", None),
    "1 settlements of Ann on ark": lambda d: d("pledged", "Ann", 1),
    "1 settlements of Bob on nothing": lambda d: d("pledged", "Bob", 1),
    "Ann has writing twice": lambda d: d("completed", "Ann", "achievement writing", 2),
    "Ann has writing twice (": lambda d: d("developing", "Ann", "achievement writing"),
    "Ann has more of a higher level": lambda d: d("completed", "Ann", {"achievement commerce": 1}),
    "the secret card of Ann is writing": lambda d: d("secret", "Ann", "achievement writing"),
    "used twice in a turn: 2 commerce": lambda d: d.zone(
        "turn.activated", {"achievement commerce": 2}
    ),
    "of nothing completed was used": lambda d: d.zone(
        "turn.activated", {"achievement engineering": 1}
    ),
    "a territory was used twice": lambda d: d.zone("turn.used", {"territory F2": 2}),
    "4 different achievements of level 1": lambda d: d("display", "achievement engineering", 1),
    "2 achievements of level 2 on display": lambda d: d("display", "achievement religion", 0),
    # the course of the game (en 10, 12, 15)
    "Bob has 1 wood outside": lambda d: d("pool", "Bob", {WOOD: 1}),
    "Ann has 1 wood outside": lambda d: d.zone("turn.ended", True)("pool", "Ann", {WOOD: 1}),
    "coins in a game without trading": lambda d: d("coins", "Ann", 1),
    "nothing has ended it": lambda d: d.zone("over", True),
    "Ann is to place 16 settlements": lambda d: d.pending(PENDING, "build", "Ann", 16),
    "Ann is to defend in the own turn": lambda d: d.pending(PENDING, "defend", "Ann", 1),
    "a decision was passed over": lambda d: d.pending(OVERDUE, "build", "Ann", 1),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_limit_that_is_broken_is_noticed(what: str) -> None:
    doctor = Doctor()
    BROKEN[what](doctor)
    found = doctor.breaches()
    assert any(what in one for one in found), found


def test_turns_that_go_back_are_noticed() -> None:
    before = {"round": 3, "ending": False, "over": False}
    assert list(step(before, {"round": 4, "ending": True, "over": False})) == []
    assert list(step(before, {"round": 5, "ending": False, "over": False}))
    assert list(step(before, {"round": 2, "ending": False, "over": False}))
    ended = {"round": 3, "ending": True, "over": True}
    assert len(list(step(ended, {"round": 3, "ending": False, "over": False}))) == 2


def test_what_fits_is_found_by_trying_all_ways() -> None:
    # Merchant takes any two, Mausoleum three of wood, metal, stone, and three culture.
    state = Table(MIDDLE).state
    merchant = named(state, "title", "merchant").f["slots"]
    mausoleum = named(state, "achievement", "mausoleum").f["slots"]
    food, wood, culture = (named(state, "resource", name) for name in ("food", "wood", "culture"))
    assert fits(Bag({food: 2}), merchant)
    assert not fits(Bag({food: 2, wood: 1}), merchant)
    assert fits(Bag({wood: 3, culture: 3}), mausoleum)
    assert not fits(Bag({food: 1}), mausoleum)
    assert not fits(Bag({wood: 4}), mausoleum)


def test_numbers_are_those_of_the_variant() -> None:
    assert numbers()["hand_size"] == 5
    assert numbers((invariants.VARIANTS / "six-card-hand.yaml",))["hand_size"] == 6
    assert numbers((invariants.VARIANTS / "two-copies.yaml",))["copies_per_turn"] == 2


# ---------------------------------------------------------------- the command


def test_the_command_tells_where_something_broke(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "small.agn"
    log.write_text(SETUP + FIRST_TURN + "  play 2 Hunter\n", encoding="utf-8")
    monkeypatch.setattr(invariants, "WHOLE_GAMES", [])
    small = ["--games", "0", "--processes", "1", str(log)]
    # One of the only heading, two of the moves of the turn.
    fine = CliRunner().invoke(command, small)
    assert fine.exit_code == 0, fine.output
    assert "1 games, 2 moves, 3 others tried and undone: 0 breaks" in fine.output
    monkeypatch.setattr(invariants, "step", lambda *_: ["the moon is blue"])
    broken = CliRunner().invoke(command, small)
    assert broken.exit_code == 1
    assert f"{log}, line 18: the moon is blue" in broken.output
