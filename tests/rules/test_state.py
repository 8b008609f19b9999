"""What statements leave behind that no finding tells: what lies where, and what messages say."""

from __future__ import annotations

from typing import Any

import pytest

from altay_cli.base.findings import Finding
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.opening import open_game

FOLK = "  Ann: faction Firefolk\n  Bob: faction Elvenfolk\n"


def play(text: str, tags: str = "") -> GameReport:
    """Check a position and what follows; `turn` begins Ann's third turn."""
    (report,) = check_text(
        f'[Game "altay"]\n{tags}position\n{FOLK}' + text.replace("turn\n", "turn 3 Ann\n")
    ).games
    return report


def zone(report: GameReport, name: str, player: int | None = None) -> Any:
    """Return what a zone holds, of the whole table or of a seat."""
    assert report.played is not None
    state = report.played.state
    (index,) = (zone.index for zone in state.pack.zones if zone.name == name)
    return (
        state.zones.held(index)
        if player is None
        else state.zones.held(index)[state.players[player]]
    )


def finding(report: GameReport) -> Finding:
    """Return the only finding."""
    assert len(report.findings) == 1
    return report.findings[0]


def test_without_trading_there_are_no_coins() -> None:
    # en 10: unused resources are lost.
    report = play("Ann: hand 3 Hunter\nturn\n  play 3 Hunter\n  end => 4 Warrior, Village\n")
    assert report.findings == []
    assert zone(report, "coins", 0) == zone(report, "bank") == 0


def test_a_settlement_that_finds_no_place_leaves_the_game() -> None:
    # en 11: of 15, four are on F2; one more leaves the game, and ten are left.
    report = play(
        "Ann: table Village with food\nAnn: settlements 4 F2\nAnn: resources food\n"
        "marker 1 on W2, H2\nmarker 3 wood on M3\nturn\n  place food on Village\n  build nowhere\n"
    )
    assert report.findings == []
    assert (zone(report, "lost", 0), zone(report, "supply", 0)) == (1, 10)


@pytest.mark.parametrize(
    ("turns", "rounds"),
    [
        ("turn\n", 3),
        ("turn\n  end => 5 ?\n", 3),
        ("turn\n  end => 5 ?\nturn 3 Bob\n", 3),
        # The last one of the round has ended: the fourth has not begun.
        ("turn\n  end => 5 ?\nturn 3 Bob\n  end => 5 ?\n", 3),
        ("turn\n  end => 5 ?\nturn 3 Bob\n  end => 5 ?\nturn 4 Ann\n", 4),
    ],
)
def test_the_round_of_the_last_turn(turns: str, rounds: int) -> None:
    report = play(turns)
    assert report.played is not None
    assert report.played.state.round == rounds
    assert {found.rule for found in report.findings} <= {"unrecorded"}


def test_a_level_that_is_too_high_is_counted() -> None:
    # en 14: two of level 1 and two of level 2 are completed; a third of level 2 would be more.
    report = play(
        "Ann: completed Writing, Masonry, Commerce, Religion\nAnn: resources stone\n"
        "reveal Philosophy, Government, 2 Leadership\nturn\n"
        "  develop Leadership with stone\n"
    )
    assert finding(report).message == (
        "Ann has 2 of level 2 and 2 of level 1; there may never be more of the higher level"
    )


def test_a_setup_without_players_is_told_once() -> None:
    (report,) = check_text('[Game "altay"]\nsetup\n').games
    assert finding(report).rule == "no-players"


# ---------------------------------------------------------------- what follows a slip
# What these statements do is what was meant; the findings are those of the logs beside this file.


def names(bag: Any) -> dict[str, int]:
    return {entity.id: count for entity, count in bag.items() if count}


def test_two_titles_at_once_are_both_discarded() -> None:
    report = play("Ann: hand 2 Hunter, Warrior\nturn\n  play 2 Hunter, Warrior\n")
    assert finding(report).rule == "one-title"
    assert names(zone(report, "discard", 0)) == {"hunter": 2, "warrior": 1}
    assert names(zone(report, "table", 0)) == {}
    assert names(zone(report, "pool", 0)) == {"food": 2}


def test_a_card_that_was_not_played_is_put_on_the_table() -> None:
    report = play("Ann: hand Village\nAnn: resources food\nturn\n  place food on Village\n")
    assert finding(report).rule == "place-no-card"
    assert names(zone(report, "table", 0)) == {"village": 1}
    assert names(zone(report, "hand", 0)) == {}


def test_another_copy_of_a_card_on_the_table_stays_in_the_hand() -> None:
    report = play(
        "Ann: deck City(2), City(1)\nAnn: hand City(2)\nAnn: table City(1)\n"
        "Ann: resources food\nturn\n  place food on City(2)\n"
    )
    assert finding(report).rule == "place-no-card"
    assert names(zone(report, "table", 0)) == {"city_1": 1}
    assert names(zone(report, "hand", 0)) == {"city_2": 1}


@pytest.mark.parametrize(
    ("card", "word", "to"),
    [("Engineering", "discarding", "trash"), ("Mathematics", "trashing", "discard")],
)
def test_a_card_exchanged_in_the_wrong_words_is_exchanged(card: str, word: str, to: str) -> None:
    report = play(
        f"Ann: hand Hunter\nAnn: completed {card}\nturn\n  use {card} {word} Hunter => Warrior\n"
    )
    assert finding(report).rule == "no-such-ability"
    assert names(zone(report, "hand", 0)) == {"warrior": 1}
    trash, discard = zone(report, "trash"), zone(report, "discard", 0)
    assert (names(trash), names(discard)) == (
        ({"hunter": 1}, {}) if to == "trash" else ({}, {"hunter": 1})
    )


@pytest.mark.parametrize(
    ("played", "hand", "pool"),
    [
        ("Hunter for culture", {"warrior": 1}, {"culture": 1}),
        ("Hunter using F2", {"warrior": 1}, {"food": 1}),
        ("Warrior", {"hunter": 1, "warrior": 1}, {}),
    ],
)
def test_a_card_played_for_no_effect_of_its_own(
    played: str, hand: dict[str, int], pool: dict[str, int]
) -> None:
    report = play(f"Ann: hand Hunter, Warrior\nAnn: settlements F2\nturn\n  play {played}\n")
    assert finding(report).rule == "no-such-effect"
    assert names(zone(report, "hand", 0)) == hand
    assert names(zone(report, "pool", 0)) == pool


def test_a_marker_of_another_player_is_not_consumed() -> None:
    report = play(
        "Ann: hand Shaman\nBob: took 2 food in W3\nturn\n  play Shaman consuming W3 for food\n"
    )
    assert finding(report).rule == "consume-own"
    assert not any(zone(report, "consumed").values())


def test_what_does_not_fit_in_a_position_is_not_there() -> None:
    report = play("Ann: developing Writing with 3 food\n")
    assert finding(report).rule == "develop-fit"
    assert names(zone(report, "placed", 0)) == {}
    assert zone(report, "reserve").size() == 5 * 16


def test_a_marker_below_a_settlement_of_a_position_goes_back() -> None:
    report = play("marker 1 on W2\nAnn: settlements W2\n")
    assert finding(report).rule == "marker-occupied"
    assert [marker for marker in zone(report, "marker").values() if marker is not None] == []
    assert zone(report, "box").size() == 33


@pytest.mark.parametrize(("where", "taken_for"), [("M3", "three_wood"), ("W2", "one")])
def test_a_marker_that_there_is_not_is_taken_for_a_usual_one(where: str, taken_for: str) -> None:
    # en 4: mountains get a 3, all other territories a 1 or a 2.
    report = play(f"marker 4 on {where}\n")
    assert finding(report).rule == "marker-unknown"
    assert [m.id for m in zone(report, "marker").values() if m is not None] == [taken_for]
    report = play(f"Ann: took 4 in {where}\n")
    assert finding(report).rule == "marker-unknown"
    assert names(zone(report, "conquered", 0)) == {taken_for: 1}


def test_a_settlement_lies_on_the_technology_in_development() -> None:
    # en 14: of 15, two are on the board, one is on Writing.
    report = play("Ann: settlements 2 F2\nAnn: developing Writing with food\n")
    assert report.findings == []
    assert (zone(report, "supply", 0), zone(report, "pledged", 0)) == (12, 1)


def test_a_wrong_heading_does_not_change_the_round() -> None:
    report = play("Ann: deck 3 Hunter\nturn\n  end => 3 Hunter\nturn 5 Bob\n")
    assert finding(report).rule == "round-number"
    assert report.played is not None
    assert report.played.state.round == 3


def test_an_empty_deck_leaves_nothing_unseen_on_display() -> None:
    report = play(
        "Ann: completed Engineering, Mathematics, Masonry, Strategy\n"
        "Bob: completed Engineering, Mathematics, Masonry, Strategy, Writing\n"
        "reveal Writing\nAnn: resources food\nturn\n  develop Writing with food\n"
    )
    assert report.findings == []
    assert zone(report, "display").size() == 0


def test_a_missing_turn_is_no_other_way_to_count() -> None:
    report = play("Ann: deck 3 Hunter\nturn\n  end => 3 Hunter\nturn 4 Ann\n")
    assert finding(report).rule == "turn-order"
    assert zone(report, "shift") == 0


def test_a_marker_taken_is_out_of_the_box() -> None:
    report = play("Ann: took 2 wood in H2\n")
    assert report.findings == []
    assert names(zone(report, "conquered", 0)) == {"two_wood": 1}
    assert [m.id for m in zone(report, "taken").values() if m is not None] == ["two_wood"]
    assert names(zone(report, "box"))["two_wood"] == 2
    assert zone(report, "box").size() == 32


def test_a_consumed_marker_brings_one_resource() -> None:
    report = play(
        "Ann: hand Shaman\nAnn: took 2 food in W3\nturn\n  play Shaman consuming W3 for stone\n"
    )
    assert report.findings == []
    assert names(zone(report, "pool", 0)) == {"stone": 1}


@pytest.mark.parametrize(
    ("statements", "supply"),
    [("  place food on Writing\n  build F2\n", 12), ("  abandon Writing\n", 13)],
)
def test_the_settlement_of_a_technology_is_used_or_comes_back(statements: str, supply: int) -> None:
    # en 14: of 15, two are on the board and one is on Writing, which is completed or abandoned.
    report = play(
        "Ann: settlements 2 F2\nAnn: developing Writing with food, 2 wood\n"
        f"Ann: resources food\nturn\n{statements}"
    )
    assert report.findings == []
    assert (zone(report, "supply", 0), zone(report, "pledged", 0)) == (supply, 0)


@pytest.mark.parametrize(
    ("position", "told"),
    [
        # en 15: Ann's settlements are told, so that Bob has none on the board.
        ("Ann: settlements F2\n", ("Bob has no settlement on the board",)),
        # All fifteen are placed, or fourteen and the last one lies on a technology.
        ("Ann: settlements 4 F2, 4 M3, 4 W2, 3 H2\nBob: settlements 4 F6, 4 H6, 4 W6, 2 M5\n",
         ("Ann has no settlement left to place",)),
        ("Ann: settlements 4 F2, 4 M3, 4 W2, 2 H2\nAnn: developing Writing\nBob: settlements F6\n",
         None),
        ("", None),
    ],
)  # fmt: skip
def test_why_a_game_is_over(position: str, told: tuple[str, ...] | None) -> None:
    turns = "Ann: deck 3 Hunter\nBob: deck 3 Hunter\nturn\n  end => 3 Hunter\nturn 3 Bob\n"
    report = play(position + turns + "  end => 3 Hunter\nturn 4 Ann\n")
    if told is None:
        assert report.findings == []
    else:
        assert (finding(report).rule, finding(report).help) == ("game-over", told)


def test_a_game_that_is_over_for_another_reason() -> None:
    turns = "Ann: settlements 4 F2, 4 M3, 4 W2, 2 H2\nBob: settlements F6\n"
    turns += "Ann: deck 3 Hunter\nBob: deck 3 Hunter\nturn 15 Ann\n  end => 3 Hunter\nturn 15 Bob\n"
    report = play(turns + "  end => 3 Hunter\nturn 16 Ann\n", '[Variant "fifteen-rounds"]\n')
    assert (finding(report).rule, finding(report).help) == ("game-over", ())


def test_how_many_markers_there_are() -> None:
    # en 4-5: with three players 18 territories are in play, of which four are mountains and three
    # the starting ones.
    folk = "Cid: faction Smallfolk\n"
    ones = ", ".join(["1"] * 12)
    report = play(f"{folk}Ann: markers {ones}\nBob: markers 3, 3, 3, 3\n")
    assert finding(report).message == (
        "12 conquest markers of value 1 and 2 are taken or on the board; with 3 players there are "
        "11: one in each other territory in play but the starting ones"
    )
    assert finding(report).help == ('a game on the whole board is tagged [Map "full"]',)
    assert finding(report).player is None
    report = play(f"{folk}Ann: markers {ones}, 2, 2, 2, 2\n", '[Map "full"]\n')
    assert "with 3 players there are 15" in finding(report).message
    assert finding(report).help == ()


def test_a_limit_that_a_player_passes_is_told_of_that_player() -> None:
    report = play("Bob: completed Ark, Colossus\nAnn: completed Writing\n")
    assert (finding(report).player, finding(report).span.line) == ("Bob", 5)
    assert finding(report).message == (
        "Bob has completed 2 of level 3 and 0 of level 2; "
        "there may never be more of the higher level"
    )
    report = play("Ann: completed Writing\nAnn: developing Religion with food\n"
                  "Bob: developing Commerce with food\n")  # fmt: skip
    assert (finding(report).player, finding(report).span.line) == ("Bob", 7)


# ---------------------------------------------------------------- what would have been possible


def possible(text: str, tags: str = "") -> list[str]:
    """Return what the only finding says would have been legal."""
    (line,) = [line for line in finding(play(text, tags)).help if line.startswith("possible here")]
    return line.removeprefix("possible here: ").split(", ")


def test_where_a_settlement_can_be_placed() -> None:
    # en 11: where Ann has one already, and beside it; H2 holds a marker, M3 is Bob's.
    assert possible(
        "Ann: table Village with food\nAnn: settlements F2\nBob: settlements M3\n"
        "Ann: resources food\nmarker 1 on H2\nturn\n  place food on Village\n  build F6\n"
    ) == ["F2", "W2"]


def test_settlements_without_a_marker_leave_the_box_alone() -> None:
    report = play("Ann: settlements 2 F2, W2\n")
    assert report.findings == []
    assert zone(report, "box").size() == 33
    assert set(names(zone(report, "box"))) == {
        "one", "two_food", "two_wood", "two_metal", "two_stone",
        "three_wood", "three_metal", "three_stone",
    }  # fmt: skip


def legal(text: str, verb: str, tags: str = "") -> list[str]:
    """Return the legal statements that begin with a word, at the end of a log."""
    text = f'[Game "altay"]\n{tags}position\n{FOLK}' + text.replace("turn\n", "turn 3 Ann\n")
    moves = open_game(text).legal_moves()
    return sorted(move.statement for move in moves if move.statement.startswith(verb))


@pytest.mark.parametrize(
    ("edition", "statements"),
    [
        ("en", ["end for 2 coins"]),
        ("de", ["end for 0 coins", "end for 1 coins", "end for 2 coins"]),
    ],
)
def test_how_many_resources_become_coins(edition: str, statements: list[str]) -> None:
    # en 10: all of them; de 10: as many as the player likes.
    tags = f'[Edition "{edition}"]\n[Variant "trading"]\n'
    assert legal("Ann: resources 2 food\nturn\n", "end for", tags) == statements


@pytest.mark.parametrize(("edition", "draws"), [("en", [""]), ("de", ["", " => 2 ?", " => ?"])])
def test_how_many_cards_a_defender_draws(edition: str, draws: list[str]) -> None:
    # en 12: as many as were played; de 12: the player may draw so many.
    text = (
        "Ann: hand Warrior\nAnn: settlements F2\nBob: hand 2 Warrior\nBob: settlements M3\n"
        "turn\n  attack M3 from F2 with Warrior\n"
    )
    fight = "Bob: fight with 2 Warrior"
    assert legal(text, fight, f'[Edition "{edition}"]\n') == [fight + drawn for drawn in draws]


def test_whom_a_player_can_attack() -> None:
    # en 12: M3 is Bob's, H2 has a marker of 1; F3 is Bob's and not adjacent, W2 is free.
    position = (
        "Ann: hand Warrior\nAnn: settlements F2\nBob: settlements M3, F3\nmarker 1 on H2\nturn\n"
    )
    assert legal(position, "attack") == [
        "attack H2 from F2 with Warrior",
        "attack M3 from F2 with Warrior",
    ]


def test_where_a_settlement_can_be_moved() -> None:
    # en 8: from F2 to W2, where Ann is, and back; to H2, which is free; not to M3, which is Bob's.
    # From W2 to its free neighbours as well.
    position = (
        "Ann: completed Religion\nAnn: settlements F2, W2\nBob: settlements M3\n"
        "marker 1 on F3, H3\nturn\n"
    )
    assert legal(position, "use Religion") == [
        "use Religion moving F2 to H2", "use Religion moving F2 to W2",
        "use Religion moving W2 to F2", "use Religion moving W2 to H2",
    ]  # fmt: skip


def test_which_wonders_can_be_the_secret_one() -> None:
    # en 5: one of the ten, and neither the one on display nor that of another player.
    assert possible("reveal Ark\nBob: secret Colossus\nAnn: secret Writing\n") == [
        "Academy", "Amphitheatre", "Aqueducts", "Great Wall", "Highways", "Mausoleum",
        "Siege Engines", "Triumphal Arch",
    ]  # fmt: skip


def test_how_the_first_turn_is_headed() -> None:
    assert legal("", "turn") == ["turn 1 Ann", "turn 1 Bob"]


@pytest.mark.parametrize(("written", "rounds"), [(3, [4]), (4, [4, 5]), (2, [3, 4])])
def test_how_a_turn_behind_a_wrong_heading_is_headed(written: int, rounds: list[int]) -> None:
    # Rounds count on as they were, or as they are written now.
    text = (
        "Ann: deck 3 Hunter\nBob: deck 3 Hunter\nturn\n  end => 3 Hunter\n"
        f"turn {written} Bob\n  end => 3 Hunter\n"
    )
    assert legal(text, "turn") == [f"turn {number} Ann" for number in rounds]


def test_a_third_seat_at_a_duel() -> None:
    seats = "  seat Ann as Firefolk\n  seat Bob as Elvenfolk\n  seat Cid as Smallfolk\n"
    (report,) = check_text(f'[Game "altay"]\n[Variant "duel-map"]\nsetup\n{seats}').games
    assert [found.rule for found in report.findings if found.span.line == 6] == ["seat-count"]
    assert not [found for found in report.findings if found.span.line in {4, 5}]


def test_the_marker_of_a_starting_territory_leaves_whatever_is_written_first() -> None:
    # en 5: every territory gets a marker, then players settle.
    log = (
        '[Game "altay"]\nsetup\n  seat Ann as Firefolk\n  seat Bob as Elvenfolk\n'
        "  Bob: settle F6\n  Ann: settle F2\n  marker 1 on F2, F6\n"
    )
    (report,) = check_text(log).games
    assert report.played is not None
    settled = {t.id: m for t, m in zone(report, "marker").items() if t.id in {"F2", "F6"}}
    assert settled == {"F2": None, "F6": None}
