"""Moves by taps: what an interface offers first, then next, until a statement is complete."""

from __future__ import annotations

import json

import pytest

from altay_cli import Game, new_game, open_game
from altay_cli.moves import limits
from altay_cli.moves.choices import Choice
from tests.effort import at_most
from tests.logs import GAMES

DUEL = """
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, Warrior
  Bob: hand Warrior
  Ann: settlements F2
  Bob: settlements W2
turn 3 Ann
"""


def offered(game: Game, *named: Choice) -> list[str]:
    """Return the texts of what can be tapped."""
    return [choice.text for choice in game.choices(named)]


def tap(game: Game, *texts: str) -> Choice:
    """Tap one thing after the other; return the last choice."""
    named: list[Choice] = []
    for text in texts:
        named.append(next(choice for choice in game.choices(named) if choice.text == text))
    return named[-1]


def test_a_knight_and_then_its_square() -> None:
    game = new_game("chess", ["Ann", "Bob"])
    assert tap(game, "Ann").statement == "turn 1 Ann"
    game.apply("turn 1 Ann")
    knight = tap(game, "b1")
    assert (knight.statement, knight.further) == (None, 2)
    assert offered(game, knight) == ["c3", "a3"]
    assert tap(game, "b1", "c3").statement == "move b1 to c3"
    # The other way round is the same move, but pieces come next.
    assert tap(game, "c3", "b1").statement == "move b1 to c3"
    assert [choice.next for choice in game.choices() if choice.text in {"b1", "c3"}] == [
        True,
        False,
    ]


def test_a_card_to_buy_and_one_to_pay_for_in_two_ways() -> None:
    game = open_game(DUEL)
    game.apply("play 2 Hunter")
    farmer = tap(game, "Farmer")
    assert (farmer.statement, farmer.further, farmer.ids) == ("buy Farmer for food", 0, ("buy",))
    assert farmer.to_dict() == {
        "key": "card farmer in table///market", "kind": "thing", "text": "Farmer", "statement": "buy Farmer for food",
        "further": 0, "ids": ["buy"], "next": True, "ref": "card farmer",
        "address": {"part": "table", "where": "", "place": "", "field": "market"}, "certain": True, "count": 1,
        "draws": False,
    }  # fmt: skip
    assert json.loads(json.dumps(farmer.to_dict())) == farmer.to_dict()


def test_an_attack_in_any_order() -> None:
    game = open_game(DUEL)
    attack = "attack W2 from F2 with Warrior"
    assert tap(game, "W2", "F2", "Warrior").statement == attack
    assert tap(game, "Warrior", "W2", "F2").statement == attack
    game.apply(attack)
    # Bob answers: with nothing or his card; the words tell the two answers with the card apart.
    assert offered(game) == ["fight", "surrender", "Warrior"]
    assert tap(game, "fight").statement == "Bob: fight"
    card = tap(game, "Warrior")
    assert (card.statement, offered(game, card)) == (None, ["fight", "surrender"])
    assert tap(game, "Warrior", "surrender").statement == "Bob: surrender discarding Warrior"


def test_one_card_or_two() -> None:
    game = open_game(DUEL)
    one = tap(game, "Hunter")
    assert (one.statement, one.further) == ("play Hunter", 1)
    assert tap(game, "Hunter", "Hunter").statement == "play 2 Hunter"


def test_moves_that_lead_to_the_same_state_are_offered_once() -> None:
    game = open_game(DUEL)
    statements = [move.statement for move in game.legal_moves()]
    assert {"play Hunter", "play Hunter for food"} <= {*statements}
    assert "food" not in offered(game, tap(game, "Hunter"))


def test_a_card_in_hand_and_the_same_card_for_sale_are_two() -> None:
    game = open_game(DUEL.replace("hand 2 Hunter", "hand Farmer, 2 Hunter"))
    game.apply("play 2 Hunter")
    farmers = [choice for choice in game.choices() if choice.text == "Farmer"]
    assert [choice.address.field for choice in farmers if choice.address] == ["market", "hand"]
    assert farmers[0].statement == "buy Farmer for food"
    assert (farmers[1].statement or "").startswith("play Farmer")


def test_draws_are_chosen_from_the_bag_of_what_can_come() -> None:
    game = open_game(DUEL)
    end = tap(game, "end")
    assert (end.statement, end.draws) == ("end", True)
    bag = {choice.text: choice.count for choice in game.choices([end])}
    assert bag == {"Hunter": 1, "Shaman": 1, "Village": 2, "Warrior": 3}
    drawn = ["Warrior", "Hunter", "Warrior", "Village", "Warrior"]
    assert tap(game, "end", *drawn[:4]).statement is None
    last = tap(game, "end", *drawn)
    assert last.statement == "end => Warrior, Hunter, Warrior, Village, Warrior"
    assert offered(game, end, tap(game, "end", "Hunter")) == ["Shaman", "Village", "Warrior"]
    before = game.log()
    game.apply(last.statement)
    game.undo()
    assert game.log() == before


def test_cards_of_a_hidden_hand_are_certain_or_possible() -> None:
    log = '[Game "gofish"]\nsetup\n  seat Ann; seat Bob\n  Ann: deal ?; Bob: deal ?\nturn 1 Ann\n'
    game = open_game(log)
    sure = {choice.text: choice.certain for choice in game.choices() if choice.ref != "player Bob"}
    assert len(sure) == 13
    assert not any(sure.values())
    game.apply("ask Bob for 7")
    game.apply("Bob: give 7")
    sure = {choice.text: choice.certain for choice in game.choices() if choice.ref != "player Bob"}
    assert [text for text, certain in sure.items() if certain] == ["7"]


def test_keys_serve_as_well_as_choices() -> None:
    game = new_game("kalah", ["Ann", "Bob"])
    game.apply(game.choices()[0].statement or "")
    for choice in game.choices():
        assert game.accepts(choice.statement or "")
        assert game.choices([choice]) == game.choices([choice.key]) == []
    assert game.choices(["no such key"]) == []


def test_a_draw_that_cannot_come_leads_nowhere() -> None:
    assert open_game(DUEL).choices(["word end", "draw card farmer"]) == []


def test_a_game_that_has_ended_offers_nothing() -> None:
    game = new_game("nim", ["Ann", "Bob"])
    while not game.ended:
        game.apply(game.choices()[0].statement or game.legal_moves()[0])
    assert game.choices() == []
    assert game.chosen([]) is None


def test_choices_are_named_in_the_language_of_the_game() -> None:
    game = open_game(DUEL, language="de")
    hunter = tap(game, "Jäger")
    assert (hunter.key, hunter.ref) == ("card hunter in player/Ann//hand", "card hunter")
    assert game.accepts(hunter.statement or "")


@pytest.mark.parametrize(
    ("statement", "recorded", "calls"),
    [
        ("develop Aqueducts with wood, metal, stone", True, 60_000),
        ("attack M4 from H6 with Cavalry(1)", False, 900_000),
    ],
)
def test_choices_take_few_calls(statement: str, recorded: bool, calls: int) -> None:
    """50 moves or more, also where no draw is recorded and hands are hidden."""
    lines = (GAMES / "four-players.agn").read_text(encoding="utf-8").splitlines()
    number = next(n for n, line in enumerate(lines, 1) if statement in line)
    if not recorded:
        lines = [line.partition(" =>")[0] for line in lines]
    game = open_game("\n".join(lines), str(number))
    assert game.legal_moves()  # what is compiled once is not counted
    with at_most(calls):
        assert len(game.choices()) > 10
    assert game.complete


def test_only_choices_that_the_steps_last_for_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(offered(open_game(DUEL))) > 2
    monkeypatch.setattr(limits, "CHOICE_STEPS", limits.LISTING_STEPS)
    assert len(offered(open_game(DUEL))) <= 1
