"""Whatever is played legally, nothing appears or vanishes, and what was done can be undone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.compile.load import load_pack
from attack.counting import books, deep, disorder, negative, unrecorded
from tests.engine.player import Player
from tests.engine.table import FIRST_TURN, LATE, MIDDLE, SETUP, Table

SEEDS = st.integers(0, 1_000_000)
QUICK = settings(max_examples=5, deadline=None)


def test_a_game_begins_with_what_is_in_the_box() -> None:
    # en 2-4: 16 tokens of each resource, 33 markers, 15 settlements, two copies a player of every
    # action card and technology, all ten wonders, ten starting cards each.
    table = Table(SETUP + FIRST_TURN)
    assert table.findings == []
    counted = books(table.state)
    pack = load_pack("altay")
    assert {counted[f"tokens of {r.id}"] for r in pack.entities["resource"]} == {16}
    assert {counted[f"settlements of {name}"] for name in ("Ann", "Bob")} == {15}
    assert sum(n for key, n in counted.items() if key.startswith("markers ")) == 33
    titles = pack.entities["title"]
    cards = {t.id: sum(counted[f"copies of {c.id}"] for c in t.f["prints"]) for t in titles}
    assert {cards[t.id] for t in titles if not t.f["starting"]} == {4}
    assert sum(cards[t.id] for t in titles if t.f["starting"]) == 20
    goals = pack.entities["achievement"]
    assert {counted[f"copies of {a.id}"] for a in goals if a.f["level"] < 3} == {2}
    assert {counted[f"copies of {a.id}"] for a in goals if a.f["level"] == 3} == {1}


def test_the_best_copies_are_used_and_lie_on_top() -> None:
    # en 4: with two players four Chariots: 2 points, 1 point, and two without.
    table = Table()
    pile = table["market"][table.named("title", "chariot")]
    assert [card.f["points"] for card in pile] == [2, 1, 0, 0]


@pytest.mark.parametrize("trading", ["off", "on"])
@pytest.mark.parametrize("start", [SETUP + FIRST_TURN, MIDDLE], ids=["first turn", "middle"])
@QUICK
@given(seed=SEEDS)
def test_nothing_appears_or_vanishes(start: str, trading: str, seed: int) -> None:
    table = Table(start, trading=trading)
    assert table.findings == []
    player = Player(table, Random(seed))
    counted = books(table.state)
    played = []
    for _ in range(40):
        played.append(player.step())
        assert books(table.state) == counted, played
        assert list(negative(table.state)) == [], played
        assert list(disorder(table.state)) == [], played
        assert unrecorded(table.state) == [], played


@pytest.mark.parametrize("start", [SETUP + FIRST_TURN, MIDDLE], ids=["first turn", "middle"])
@QUICK
@given(seed=SEEDS)
def test_legal_play_can_be_taken_back(start: str, seed: int) -> None:
    table = Table(start)
    player = Player(table, Random(seed))
    pictures = [deep(table.state)]
    marks = [table.state.journal.mark()]
    for _ in range(30):
        player.step()
        pictures.append(deep(table.state))
        marks.append(table.state.journal.mark())
    for mark, picture in zip(reversed(marks), reversed(pictures), strict=True):
        table.state.journal.undo(mark)
        assert deep(table.state) == picture


@pytest.mark.parametrize("seed", range(2))
def test_the_round_of_the_last_settlement_is_the_last_one(seed: int) -> None:
    # en 15: the round is completed, so that all players have had the same number of turns.
    table = Table(LATE)
    assert table.findings == []
    player = Player(table, Random(seed))
    left = table["supply"][table.player("Ann")]
    assert left == 1
    turns = {"Ann": 1, "Bob": 0}
    last = None
    while not table["over"]:
        line = player.step()
        if line.startswith("turn"):
            turns[line.split()[2]] += 1
        # A settlement on a technology must be placed, too.
        ann = table.player("Ann")
        if last is None and table["supply"][ann] + table["pledged"][ann] == 0:
            last = table["round"]
    assert table["round"] == last
    assert turns["Ann"] == turns["Bob"]
    table.say(f"turn {table['round'] + 1} Ann")
    assert [f.rule for f in table.findings if f.severity == "error"] == ["game-over"]


UNREVEALED = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: completed Mathematics, Commerce
  Bob: completed Commerce, Mathematics
  Ann: settlements F2
  Bob: settlements F6
  Ann: resources 5 wood
  Ann: secret Aqueducts
  Bob: secret Colossus
  reveal Masonry, Strategy, Writing, Philosophy, Religion, Government, Highways, Great Wall, Ark
turn 3 Ann
  develop Writing with wood
  abandon Writing
"""
"""Nobody wrote down what was revealed for Writing, nor how many copies of it."""


def test_chance_decides_once_however_the_hidden_cards_lie() -> None:
    game = open_game(UNREVEALED, seed=1)
    for move in [move for move in game.legal_moves() if "Highways" in move.statement]:
        statement = game.apply(move)
        assert statement.count(",") == 0, statement  # one wonder is missing on display
        (report,) = check_text(game.log()).games
        assert [f.message for f in report.findings if f.severity is Severity.ERROR] == []
        game.undo()
        assert game.statements == []
