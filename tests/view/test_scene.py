"""States as they are shown: worked out by hand from the log."""

from __future__ import annotations

from pathlib import Path

from altay_cli.base.resources import data_folder
from altay_cli.checking.opening import open_game
from altay_cli.pack.looks import Look
from altay_cli.view.model import Address, Cell, CellGroup, Due, Effect, Heap, Thing
from altay_cli.view.scene import Viewer
from tests.view.sample import LOG, of_place, of_player, plain, scene, things

ANN = Heap((("player Ann", 1),))
BOB = Heap((("player Bob", 1),))


def test_what_a_player_has() -> None:
    cells = scene(LOG, "turn 3 Ann").cells
    hand = things("card", "hunter", ("warrior", 2), "shaman")
    assert cells[of_player("Ann", "hand")] == plain(hand, "Ann")
    pool = things("resource", ("food", 2), "wood")
    assert cells[of_player("Ann", "pool")] == plain(pool)
    assert cells[of_player("Ann", "secret")] == plain(things("achievement", "ark"), "Ann")
    assert cells[of_player("Bob", "secret")] == plain(things("achievement", "colossus"), "Bob")
    assert cells[of_player("Ann", "conquered")] == plain(things("marker", "one"))
    # Ten starting cards, four in hand; two of 15 settlements on the board.
    deck = things("card", ("hunter", 2), ("village", 2), ("warrior", 2))
    assert cells[of_player("Ann", "deck")] == plain(deck, "Ann")
    assert cells[of_player("Ann", "supply")] == plain(13)


def test_what_lies_at_a_place() -> None:
    cells = scene(LOG, "turn 3 Ann").cells
    assert cells[of_place("F2", "settlers")] == Cell((CellGroup(2, ANN),))
    assert cells[of_place("W2", "settlers")] == Cell((CellGroup(1, BOB),))
    assert cells[of_place("H2", "marker")] == plain(things("marker", "two_food"))
    # Two players on the recommended map: markers on the three mountains left in play.
    assert cells[of_place("M3", "vp")] == plain(1)
    assert of_place("F2", "marker") not in cells
    assert of_place("W2", "vp") not in cells


def test_what_lies_on_the_table() -> None:
    cells = scene(LOG, "turn 3 Ann").cells
    display = cells[Address("table", "", "", "display")]
    assert [group.of for group in display.groups] == ["level 1", "level 2", "level 3"]
    assert display.groups[2].items == things("achievement", "academy", "highways", "mausoleum")
    assert Address("table", "", "", "bank") not in cells  # there are no coins in this game


def test_where_the_game_stands() -> None:
    before = scene(LOG, "turn 3 Ann")
    assert (before.round, before.active, before.ended, before.due) == (3, "Ann", False, ())
    line = LOG[: LOG.index("  Bob: fight")].count("\n") + 1
    attacked = scene(LOG, str(line))
    title = "The attacked player fights or surrenders before anything else happens"
    assert attacked.due == (Due("Bob", title),)


def test_the_map_is_where_the_rules_have_it() -> None:
    (board,) = Viewer(open_game(LOG).state).stage.boards
    places = {place.ref: place for place in board.places}
    # The recommended map for two leaves eight of 23 territories out.
    assert len(places) == 15
    assert (places["territory F2"].x, places["territory F2"].y) == (0.57, 0.18)
    assert places["territory F2"].ground == "terrain farmland"
    assert set(places["territory F2"].joined) == {"territory W2", "territory M3", "territory H2"}
    assert board.ratio == 2835 / 2008


def test_how_things_look_and_what_is_told_about_them() -> None:
    viewer = Viewer(open_game(LOG).state)
    viewer.scene()
    about = viewer.things()
    looks = {ref: one.look for ref, one in about.items()}
    assert looks["territory W2"].colour == looks["terrain forest"].colour
    assert looks["player Ann"].shape == "house"  # as the faction
    assert looks["marker two_food"].sign == "2"
    assert looks["marker two_food"].colour == looks["resource food"].colour
    told = dict(about["card farmer"].lines)
    assert told["Cost"] == things("icon", "food")
    assert told["Effects"] == "food, use a farmland: 2 food"
    assert about["card farmer"].cite["en"] == 8
    assert dict(about["territory F2"].lines) == {
        "Terrain": things("terrain", "farmland"),
        "Neighbours": things("territory", "W2", "M3", "H2"),
    }
    assert about["territory F2"].cite == {"en": 6, "de": 6}


def test_names_and_titles_in_other_languages() -> None:
    viewer = Viewer(open_game(LOG, language="de").state)
    viewer.scene()
    assert viewer.stage.fields["player", "", "hand"].title == "Handkarten"
    assert viewer.things()["card hunter"].name == "Jäger"
    assert "Benachbart" in dict(viewer.things()["territory F2"].lines)


# ---------------------------------------------------------------- whatever a pack is


def test_squares_outlines_and_splayed_stacks(stones: Path) -> None:
    text = stones.read_text(encoding="utf-8")
    viewer = Viewer(open_game(text).state)
    cells = viewer.scene().cells
    squares, ring = viewer.stage.boards
    places = {place.ref: (place.x, place.y) for place in squares.places}
    # Row 1 is at the bottom; the frame goes through the middles of the outer squares.
    assert places["cell a1"] == (0.5 / 3, 2.5 / 3)
    assert places["cell c3"] == (2.5 / 3, 0.5 / 3)
    assert cells[Address("map", "squares", "cell b2", "stone")].groups[0].items == things(
        "side", "black"
    )
    assert ring.places[0].corners == ((0.0, 0.0), (1.0, 0.0), (0.5, 0.5))
    assert cells[Address("map", "ring", "field north", "heap")] == plain(1)
    sun, moon = cells[of_player("Ann", "stacks")].groups
    assert sun.splay == "left"
    assert sun.items == Heap((("card dawn", 1), ("card noon", 1)), ordered=True)
    assert (moon.splay, moon.items) == ("none", Heap((("card night", 1),), ordered=True))
    assert viewer.things()["card noon"].look.colour == "#f2c14e"


def test_without_a_view_the_zones_are_shown(stones: Path) -> None:
    import shutil

    folder = data_folder("rules") / "bare"
    shutil.copytree(stones.parent / "packs" / "stones", folder)
    (folder / "view.yaml").unlink()
    game = (folder / "game.yaml").read_text(encoding="utf-8")
    (folder / "game.yaml").write_text(game.replace("game: stones", "game: bare"), encoding="utf-8")
    text = stones.read_text(encoding="utf-8").replace('"stones"', '"bare"')
    viewer = Viewer(open_game(text).state)
    cells = viewer.scene().cells
    assert [board.id for board in viewer.stage.boards] == ["cell", "field"]  # few, so side by side
    assert viewer.stage.fields["player", "", "stack"].title == "the cards of a suit"
    assert cells[of_player("Bob", "hand")] == plain(things("card", "dusk"))
    assert cells[Address("map", "field", "field north", "heap")] == plain(1)
    assert cells[Address("table", "", "", "stock")] == plain(0)  # hidden: a number


# Two copies of each of the five first technologies; on display lie Engineering, Mathematics and
# Strategy. Ann takes Engineering, and nobody wrote down what came: a Mathematics, a Strategy, both or
# neither, and then an Engineering, a Masonry or a Writing. Seven cards lay in the deck.
REFILLED = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, 3 Warrior
  Bob: hand 2 Hunter, 2 Warrior, Village
  Ann: settlements F2
  Bob: settlements W2
  Ann: secret Ark
  Bob: secret Colossus
  Ann: resources 2 wood
  reveal Engineering, Mathematics, Strategy, Commerce, Government, Religion
  reveal Academy, Highways, Mausoleum
turn 3 Ann
  develop Engineering with 2 wood
"""


def test_what_nobody_recorded_is_not_shown_as_nothing() -> None:
    cells = scene(REFILLED).cells
    decks = cells[Address("table", "", "", "decks")]
    assert [group.items for group in decks.groups] == ["4 to 6", 7, 5]
    first, second, _ = cells[Address("table", "", "", "display")].groups
    assert first.items == things("achievement", "mathematics", "strategy")._replace(
        unknown=1, more=2
    )
    assert second.items == things("achievement", "commerce", "government", "religion")
    # With one more card known, the rest follows.
    known = scene(
        REFILLED + "  expect reveal "
        "Masonry, Mathematics, Strategy, Commerce, Government, Religion, Academy, Highways, Mausoleum\n"
    ).cells
    assert [group.items for group in known[Address("table", "", "", "decks")].groups] == [6, 7, 5]


def test_in_words() -> None:
    from altay_cli.report.standing import ValueFormatter

    strategy = Thing("Strategy", "achievement", Look(None, "square"), (), {})
    tell = ValueFormatter({"achievement strategy": strategy})
    shown = things("achievement", "strategy")
    assert tell.value(shown._replace(unknown=1, more=2)) == "Strategy, 1 to 3 unknown"
    assert tell.value(shown._replace(more=None)) == "Strategy, ? unknown"
    assert tell.value(shown._replace(unknown=2)) == "Strategy, 2 unknown"


# ---------------------------------------------------------------- cards and moves, drawn


def test_what_is_printed_on_a_card() -> None:
    viewer = Viewer(open_game(LOG).state)
    viewer.scene()
    faces = {ref: thing.face for ref, thing in viewer.things().items()}
    farmer = faces["card farmer"]
    assert farmer is not None
    assert farmer.cost == things("icon", "food")
    assert farmer.corner is None  # no points
    assert farmer.effects == (
        Effect("food", "produce", None, things("resource", "food"), 0),
        Effect(
            "use a farmland: 2 food",
            "use",
            things("terrain", "farmland"),
            things("resource", ("food", 2)),
            0,
        ),
    )
    warrior = faces["card warrior"]
    assert warrior is not None
    assert warrior.cost is None  # a starting card
    assert [(effect.icon, effect.amount) for effect in warrior.effects] == [
        ("attack", 1),
        ("defense", 1),
    ]
    assert faces["territory F2"] is None
