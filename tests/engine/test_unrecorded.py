"""What was not written down: a statement is illegal where no course of hidden events fits.

Ann's Firefolk own 3 Hunter, Shaman, 2 Village, 4 Warrior. A hand is of five cards, and a deck is made
anew when a card is needed and it is empty.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from altay_cli.base.findings import ImpossibleError, Severity, Verdict
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.filling import fill, fill_any
from altay_cli.checking.opening import open_game
from altay_cli.hidden import limits
from altay_cli.report.moves import unseen_lines

GAMES = Path(__file__).parents[2] / "games"

TABLE = """\
[Game "altay"]
position
  Ann: faction {faction}
  Bob: faction Elvenfolk
  Ann: settlements 3 F2, 3 W2
  Bob: settlements 3 F6, F5
  Ann: completed Writing, Mathematics, Engineering
  Ann: resources 2 food
  marker 2 food on H2, H3
  marker 1 on F3
  marker 3 wood on M3
"""


def played(
    turns: tuple[str, ...], *, faction: str = "Firefolk", more: str = ""
) -> tuple[GameReport, int]:
    """Check turns of Ann, from round 1 on; Bob only ends his. Returns the last statement's line."""
    lines = [*TABLE.format(faction=faction).splitlines(), *more.splitlines()]
    last = 0
    for number, turn in enumerate(turns, 1):
        statements = [part.strip() for part in turn.split(";") if part.strip()]
        lines += [f"turn {number} Ann", *statements]
        last = len(lines)
        if number < len(turns):
            ends = statements and statements[-1].startswith("end")
            lines += [*([] if ends else ["end"]), f"turn {number} Bob", "end"]
    (game,) = check_text("\n".join([*lines, ""])).games
    return game, last


def possible(*turns: str, **options: str) -> bool:
    """Tell whether all is legal; where not, the last statement is what is told to be wrong."""
    game, last = played(turns, **options)
    found = [f for f in game.findings if f.severity is Severity.ERROR]
    if not found:
        assert game.verdict is Verdict.LEGAL
        return True
    assert [(f.rule, f.span.line) for f in found] in (
        [("in-hand", last)],
        [("draw-impossible", last)],
        [("draw-too-few", last)],
    ), found
    return False


def test_there_is_no_fifth_warrior() -> None:
    assert possible("attack H2 from F2 with 2 Warrior; attack M3 from F2 with 2 Warrior")
    assert not possible("attack H2 from F2 with 2 Warrior; attack M3 from F2 with 3 Warrior")


def test_what_breaks_another_rule_is_not_explained_by_where_cards_lie() -> None:
    log = """\
[Game "altay"]
setup
  seat Mia as Firefolk
  seat Tom as Earthfolk
  Mia settles F2
  Tom: settle F6
turn 1 Mia
  play Warrior
  end => 2 Warrior
"""
    (game,) = check_text(log).games
    (found,) = [f for f in game.findings if f.rule == "no-such-effect"]
    assert not any("in all" in line for line in found.help)


def test_the_second_hand_holds_the_other_five_cards() -> None:
    assert not possible("play Shaman", "play Shaman")
    assert possible("play Shaman", "", "play Shaman")


def test_two_hands_hold_four_warriors() -> None:
    three = "attack H2 from F2 with 3 Warrior"
    assert possible(three, "attack M3 from F2 with Warrior")
    assert not possible(three, "attack M3 from F2 with Warrior; attack H3 from W2 with Warrior")


def test_a_card_is_drawn_after_the_reshuffle_that_follows_its_purchase() -> None:
    buy = "play Hunter; play Hunter; buy Farmer"
    assert possible("", buy, "play Farmer")
    # The deck of turn 3 held enough cards for the whole new hand.
    assert not possible("", "", buy, "play Farmer")


SHOWN = "play 3 Hunter; play Farmer; play Village; place 2 food on Village; build W2"
WARRIORS = (
    "attack H2 from F2 with Warrior; attack H3 from W2 with Warrior; attack F3 from W2 with Warrior;"
    "attack M3 from F2 with Warrior"
)
VILLAGE = "; play Village; place 2 food on Village; build H2"


def test_a_card_left_over_is_not_in_the_reshuffle() -> None:
    """Of eleven cards, ten are in the hands of turns 3 and 4; the other one is in that of turn 5.

    That hand gets it before the reshuffle, which it is not part of: it is not drawn for turn 6.
    """
    before = ("buy Farmer", "", SHOWN)
    assert not possible(*before, WARRIORS + VILLAGE, "", "play Shaman")
    assert possible(*before, WARRIORS + VILLAGE, "play Shaman")
    # If the other Village is that card, or the Shaman was in the hand of turn 4, all is well,
    assert possible(*before, WARRIORS, "", "play Shaman")
    # but not if the hand of turn 5 holds the Shaman: wherever it was, it is discarded then.
    assert not possible(*before, WARRIORS, "play Shaman", "play Shaman")


def test_a_discarded_card_comes_back_with_a_reshuffle_only() -> None:
    discard = "use Mathematics discarding Shaman; play Shaman"
    assert possible("", discard)
    assert not possible(discard)
    assert possible("", "use Mathematics discarding Shaman", "play Shaman")
    trash = "use Engineering trashing Shaman"
    for number in range(4):
        assert not possible(trash, *[""] * number, "play Shaman")


def test_an_archived_card_is_one_more() -> None:
    # Earthfolk own Colonist, Digger, 3 Hunter, 2 Village, 3 Warrior.
    archive = "use Writing archiving Warrior"
    three = "attack H2 from F2 with 3 Warrior"
    assert possible(archive, three, faction="Earthfolk")
    six = f"{three}; play 2 Hunter; play Digger"
    assert possible(archive, six, faction="Earthfolk")
    assert not possible(archive, f"{six}; play Hunter", faction="Earthfolk")
    # Whichever of two Warriors was used first, one of them was in the hand of turn 1.
    one = "attack H2 from F2 with Warrior"
    assert possible(archive, one, "attack M3 from F2 with 3 Warrior", faction="Earthfolk")


FEW = "  Ann: deck Colonist, Digger, 2 Hunter, 2 Warrior\n  Ann: archived Warrior\n"


@pytest.mark.parametrize(
    "drawn", ["", " => Warrior, 4 ?", " => Warrior, Colonist, Digger, 2 Hunter"]
)
def test_the_archived_card_may_be_the_one_that_was_used_though_the_same_is_in_hand(
    drawn: str,
) -> None:
    """Of six cards one is archived, and all others are in hand: a Warrior is trashed.

    If it was the archived one, five are left to be drawn, and a card can be archived again. That
    is so in a complete log as well.
    """
    used = f"use Engineering trashing Warrior; end{drawn}"
    few = {"faction": "Earthfolk", "more": FEW}
    assert possible(used, "use Writing archiving Digger", **few)
    game, last = played(
        (f"{used.partition(' =>')[0]} => 2 Hunter, 2 ?", "use Writing archiving Digger"), **few
    )
    assert [(f.rule, f.span.line) for f in game.findings if f.severity is Severity.ERROR] == [
        ("archive-full", last)
    ]


def test_how_many_are_drawn_may_depend_on_where_a_card_was_taken() -> None:
    """Five cards are left, if the archived Warrior was used; four, if it was the one in hand."""
    few = {"faction": "Earthfolk", "more": FEW}
    one = "use Engineering trashing Warrior"
    for drawn in ("", " => 4 ?", " => 5 ?"):
        assert possible(f"{one}; end{drawn}", **few)
    game, last = played((f"{one}; end => 3 ?",), **few)
    assert [(f.rule, f.span.line) for f in game.findings if f.severity is Severity.ERROR] == [
        ("draw-too-few", last)
    ]
    # Four came, so the Warrior is archived still, and is not in hand.
    used = "play Colonist; play Digger for stone; play 2 Hunter; attack H2 from F2 with Warrior"
    assert possible(f"{one}; end => 4 ?", used, **few)
    assert not possible(f"{one}; end => 4 ?", f"{used}; attack M3 from F2 with Warrior", **few)


def test_of_what_may_be_where_nothing_is_given_up_that_a_statement_leaves_possible() -> None:
    """Of two Warriors used, one was the archived one, for the Digger can be archived after them.

    If it was the first, the hand of turn 5 is drawn from nine cards that have just been shuffled,
    and that of turn 6 holds the other four. If it was the second, all nine are shuffled for turn 6.
    """
    one, two = "attack H2 from F2 with Warrior", "attack M3 from F2 with Warrior"
    begun = ("use Writing archiving Warrior", one, two, "use Writing archiving Digger")
    shown = "play Colonist; play 3 Hunter"
    assert possible(*begun, shown, shown, faction="Earthfolk")
    # For turn 7 the deck held the other four; one card came from the shuffle behind them.
    assert possible(*begun, shown, shown, "play Colonist", faction="Earthfolk")
    assert not possible(*begun, shown, shown, "play Colonist; play Hunter", faction="Earthfolk")


def test_a_name_of_two_things_is_the_hidden_one_where_the_other_has_no_such_effect() -> None:
    wood = "end => Craftsman(wood), 4 ?"
    stone = "play Craftsman for stone"
    assert possible(wood, stone, faction="Smallfolk")
    assert possible(wood, f"{stone}; play Craftsman(wood)", faction="Smallfolk")
    # The other one was played in turn 1: it is not in the second hand.
    assert not possible(
        f"play Craftsman(stone); {wood}", "play Craftsman(stone)", faction="Smallfolk"
    )


def test_a_name_of_two_things_means_either_where_nobody_wrote_down_which_was_drawn() -> None:
    """The Smallfolk have two Craftsmen. Whichever is trashed first, the other one is left."""
    trashed, wood = "use Engineering trashing Craftsman", "play Craftsman for wood"
    assert possible(trashed, trashed, faction="Smallfolk")
    assert not possible(trashed, trashed, "", "play Craftsman(wood)", faction="Smallfolk")
    # The second hand holds the other five cards: so the first one held the one for stone.
    assert possible(trashed, wood, "", wood, faction="Smallfolk")
    assert not possible(trashed, wood, "", "play Craftsman(stone)", faction="Smallfolk")
    # Of a hand that is known, a name must tell; what comes is hidden anyway.
    assert possible("end => Craftsman, 4 ?", faction="Smallfolk")


DEFENDED = """\
[Game "altay"]
position
  Ann: faction Elvenfolk
  Bob: faction Firefolk
  Ann: settlements 3 F2
  Bob: settlements 2 W2, F6
  Bob: hand 4 Warrior, Hunter
  marker 1 on F3, H3
turn 1 Ann
  attack W2 from F2 with 2 Warrior
  Bob: fight with 2 Warrior
  end
turn 1 Bob
  attack F3 from W2 with 2 Warrior
"""


def test_what_a_defender_has_used_is_gone_until_the_reshuffle() -> None:
    (game,) = check_text(DEFENDED).games
    assert game.verdict is Verdict.LEGAL
    (game,) = check_text(DEFENDED + "  attack H3 from W2 with Warrior\n").games
    assert [(f.rule, f.span.line) for f in game.findings if f.severity is Severity.ERROR] == [
        ("in-hand", 15)
    ]


def test_names_of_a_draw_stand_in_the_order_in_which_they_came() -> None:
    two = "attack H2 from F2 with 2 Warrior"
    assert not possible(f"{two}; end => 3 Warrior, 2 Hunter")
    assert possible(f"{two}; end => 2 Warrior, 3 Hunter")
    # Two Warriors and the Shaman are left, and come first.
    left = "  Ann: hand 2 Hunter, Village\n  Ann: discarded Hunter, Village, 2 Warrior\n"
    assert not possible("end => Hunter, 4 ?", more=left)
    assert possible("end => 3 ?, Hunter, ?", more=left)
    assert not possible("end => 4 ?, Shaman", more=left)


def test_a_contradiction_tells_how_much_has_been_drawn() -> None:
    """What was shown of the hands of turns 3 and 4 leaves the Shaman for that of turn 5."""
    game, last = played(
        ("buy Farmer; play Shaman", "", SHOWN, WARRIORS + VILLAGE, "", "play Shaman")
    )
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    turn_4 = last - 15
    # When it was refilled for the hand of turn 5, the deck held the hands of turns 3 and 4.
    assert found.help == (
        "Ann has 1 Shaman in all; according to the log: discard pile: 1",
        f"the draw deck has not been refilled since line {turn_4 + 7}: of 10 in it then, 9 have "
        "been drawn",
    )


def test_a_contradiction_tells_how_often_it_was_named() -> None:
    game, _ = played(("play Hunter; play Shaman; play Village", "play Hunter; play Shaman"))
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.help == (
        "Ann has 1 Shaman in all; according to the log: discard pile: 1",
        "the draw deck has not been refilled yet: of 5 in it at first, 5 have been drawn",
        "Shaman was named in one line since",
    )


def test_what_another_player_named_is_not_counted() -> None:
    """And no line is accused: that of the Hunter has nothing to do with the Farmer."""
    text = TABLE.format(faction="Firefolk")
    text += "turn 1 Ann\n  play 2 Hunter\n  end\nturn 1 Bob\n  play Hunter\n  end\n"
    bought = "turn 2 Ann\n  play Farmer\n"
    (game,) = check_text(text + bought).games
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.help == (
        "according to the log, Ann has no Farmer",
        "the draw deck has not been refilled yet: of 5 in it at first, 5 have been drawn",
    )
    (game,) = check_text(text + "turn 2 Ann\n  play 2 Hunter\n").games
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.help[-1] == "Hunter was named in one line since"


def test_a_contradiction_tells_how_many_there_are_and_where() -> None:
    warriors = "attack H2 from F2 with 3 Warrior"
    one = "attack M3 from F2 with Warrior; attack H3 from W2 with Warrior"
    game, _ = played((warriors, one))
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.help[0] == "Ann has 4 Warrior in all; according to the log: discard pile: 4"
    assert found.help[-1] == "Warrior was named in 2 lines since"
    game, _ = played(("use Engineering trashing Shaman", "", "play Shaman"))
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.help[0] == "according to the log, Ann has no Shaman"


def test_what_was_found_out_about_a_whole_hand_contradicts_as_well() -> None:
    """Of the second hand all is known: nothing is hidden in it any more."""
    game, last = played(("end => Hunter, Shaman, 2 Village, Warrior", "play Hunter; play Hunter"))
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.span.line == last
    assert found.help[0] == "Ann has 3 Hunter in all; according to the log: discard pile: 3"


@pytest.mark.parametrize(("language", "told"), [
    ("de", (
        "Ann hat insgesamt 1 Schamane; nach dem, was aufgezeichnet ist: Ablagestapel: 1",
        "noch wurde nicht neu gemischt (Nachziehstapel: zuerst 5, davon 5 gezogen)",
        "Schamane wurde seither in einer Zeile genannt",
    )),
    ("ja", (
        "Ann の シャーマン は全部で 1。記録によると: 捨て札: 1",
        "まだ切り直されていません（山札: 初め 5、うち引いたもの 5）",
        "シャーマン はその後 1 行で使われています",
    )),
])  # fmt: skip
def test_contradictions_are_told_in_other_languages(language: str, told: tuple[str, ...]) -> None:
    text = TABLE.format(faction="Firefolk")
    text += "turn 1 Ann\nplay Shaman\nend\nturn 1 Bob\nend\nturn 2 Ann\nplay Shaman\n"
    (game,) = check_text(text, language=language).games
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.help[-3:] == told


def test_what_is_too_much_to_go_through_is_undecided_and_no_accusation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_WORLDS", 3)
    begun = shown("develop Mathematics with stone", *AGAIN)
    assert {rule for rule, _ in begun} == {"undecided"}
    # What lies openly is judged all the same.
    assert shown("develop Writing with food")[-1] == ("develop-twice", 1)


DISPLAY = """\
  Ann: completed Writing
  Bob: completed Writing
  Ann: resources 3 food, metal
  Bob: resources 4 stone
  reveal Masonry, Strategy, Engineering, Religion, Government, Leadership, Highways, Ark, Colossus
"""
BEGUN = ("turn 1 Ann", "develop Strategy with food", "end", "turn 1 Bob")
AGAIN = ("end", "turn 2 Ann", "abandon Strategy", "play Hunter", "develop Strategy with food")


def shown(*statements: str) -> list[tuple[str, int]]:
    """Return what is wrong, by the number of the statement, if Ann's reveal is not recorded.

    Of level 1, the deck holds Masonry, Strategy, Engineering and two Mathematics then. Ann begins
    Strategy; the other one comes, or Mathematics, perhaps behind a second Masonry or Engineering.
    """
    lines = [line for line in TABLE.format(faction="Firefolk").splitlines() if line[2:] not in {
        "Ann: completed Writing, Mathematics, Engineering", "Ann: resources 2 food",
    }]  # fmt: skip
    lines += DISPLAY.splitlines()
    (game,) = check_text("\n".join([*lines, *BEGUN, *statements, ""])).games
    first = len(lines) + len(BEGUN)
    return [(f.rule, f.span.line - first) for f in game.findings if f.severity is Severity.ERROR]


def test_what_was_revealed_is_found_out_when_it_is_begun() -> None:
    assert shown("develop Mathematics with stone") == []
    assert shown("develop Mathematics with stone", *AGAIN) == []
    # Mathematics came for Ann's Strategy, and again for that: Strategy never did.
    twice = "develop Mathematics with stone => Mathematics"
    assert shown(twice, *AGAIN) == [("develop-available", 6)]
    assert shown("develop Writing with food") == [("develop-twice", 1)]


def test_what_is_revealed_tells_what_lay_there() -> None:
    # A second Strategy fills the place only if Mathematics came for the first one.
    strategy = "develop Masonry with stone => Strategy"
    assert shown(strategy) == []
    *again, last = AGAIN
    assert shown(strategy, *again, f"{last} => Mathematics, Masonry") == []
    assert shown(strategy, *again, f"{last} => Mathematics") == [("reveal-short", 6)]
    assert shown(strategy, *again, f"{last} => Strategy") == [("reveal-impossible", 6)]
    # A double of what is shown fills no place.
    assert shown("develop Masonry with stone => Engineering") == [("reveal-short", 1)]
    assert shown("develop Masonry with stone => Masonry, Strategy") == [("reveal-extra", 1)]
    assert shown("develop Masonry with stone => Engineering, ?") == []
    assert shown("develop Masonry with stone => 2 Engineering, ?") == [("reveal-impossible", 1)]
    # One Masonry may lie on another; then nothing is revealed, and nothing is written down.
    assert shown("develop Masonry with stone") == []


HAND = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, 3 Warrior
  Ann: settlements 3 F2
  Bob: settlements 3 F6
turn 1 Ann
  end
turn 1 Bob
  end
turn 2 Ann
  play Hunter
"""


def test_what_is_known_of_a_hand() -> None:
    """Of ten cards, Hunter, Shaman, 2 Village, Warrior are in the second hand; all but the Hunter still.

    After the third draw the deck is made anew: nothing is certain of the next hand but its size.
    """
    game = open_game(HAND)
    assert [
        one for one in game.unseen() if one[0] == "Ann"
    ] == []  # five cards were left in the deck, and all of them came
    assert "play Shaman" in {move.statement for move in game.legal_moves()}
    game = open_game(HAND.replace("  Ann: hand 2 Hunter, 3 Warrior\n", ""))
    ((who, zone, known),) = [one for one in game.unseen() if one[:2] == ("Ann", "hand")]
    assert (who, zone, known.size) == ("Ann", "hand", 4)
    # One of nine cards is the Shaman, and four of them are in hand; of two Villages, 1 - 5*4/(9*8).
    assert {item.id: round(share, 4) for item, share in known.shares.items()} == {
        "hunter": 0.7222, "shaman": 0.4444, "village": 0.7222, "warrior": 0.9603,
    }  # fmt: skip
    # Without Warriors and Hunters three are left, without Warriors and Villages too: less than four.
    assert [{item.id for item in some} for some in known.one_of] == [
        {"warrior", "hunter"}, {"warrior", "village"},
    ]  # fmt: skip
    told = "Ann, hand: at least one of Warrior, Hunter; at least one of Warrior, Village; possible"
    assert any(line.startswith(told) for line in unseen_lines(game))
    shaman = next(move for move in game.legal_moves() if move.statement == "play Shaman")
    assert not game.is_certain(shaman)


def test_a_card_is_certain_only_if_it_is_in_the_one_zone_that_is_asked_twice() -> None:
    """The slot of `archiving` names the hand twice; five of nine cards do not certainly hold a Hunter."""
    text = (
        TABLE.format(faction="Firefolk")
        + "turn 1 Ann\nplay Shaman\nend\nturn 1 Bob\nend\nturn 2 Ann\n"
    )
    game = open_game(text)
    moves = {move.statement: game.is_certain(move) for move in game.legal_moves()}
    assert not moves["use Writing archiving Hunter"]
    assert not moves["play Hunter"]
    assert moves["end"]


def test_the_secret_wonder_that_is_recorded_can_certainly_be_begun() -> None:
    """It lies neither on display nor where an unrecorded one lies, and there is nothing to be unsure of."""
    text = """[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: completed Writing, Commerce
  Ann: secret Ark
  Ann: resources wood
  Ann: settlements F2
  Bob: settlements F6
  reveal Engineering, Masonry, Strategy, Philosophy, Leadership, Government, Academy, Colossus, Highways
turn 3 Ann
"""
    game = open_game(text)
    moves = {move.statement: game.is_certain(move) for move in game.legal_moves()}
    assert moves["develop Ark with wood"]
    assert moves["develop Highways with wood"]
    # Whatever is not on display may be the secret wonder of hers that nobody recorded.
    game = open_game(text.replace("Ann: secret Ark", "Ann: secret ?"))
    moves = {move.statement: game.is_certain(move) for move in game.legal_moves()}
    assert not moves["develop Ark with wood"]
    assert moves["develop Highways with wood"]


def test_what_can_only_have_come_is_filled_in() -> None:
    # Hunter, Shaman, 2 Village, Warrior were left in the deck, and all of them came.
    (drawn,) = [line for line in fill(HAND).splitlines() if line.startswith("  end =>")]
    names = sorted(drawn.removeprefix("  end => ").split(", "))
    assert names == ["2 Village", "Hunter", "Shaman", "Warrior"]
    # The first three came; the others are two of seven cards of the pile that was shuffled then.
    left = "  Ann: hand 2 Hunter, Village\n  Ann: discarded Hunter, Village, 2 Warrior\n"
    text = TABLE.format(faction="Firefolk") + left + "turn 1 Ann\nend\nturn 1 Bob\nend\n"
    lines = fill(text).splitlines()
    assert sorted(lines[-3].removeprefix("end => ").split(", ")) == ["2 ?", "2 Warrior", "Shaman"]
    assert lines[-1] == "end"  # of Bob's cards nothing is certain
    assert check_text(fill(text)).games[0].verdict is Verdict.LEGAL
    # With `--any` nothing is left open.
    assert "?" not in fill_any(text)
    errors = check_text(fill_any(text), complete=True).games[0].findings
    assert [found for found in errors if found.severity is Severity.ERROR] == []


def test_only_what_is_legal_is_filled_in() -> None:
    with pytest.raises(ImpossibleError, match="the log is illegal"):
        fill(HAND.replace("play Hunter", "play 5 Hunter"))
    with pytest.raises(ImpossibleError, match="the log is illegal"):
        fill_any(HAND.replace("play Hunter", "play 5 Hunter"))


def test_all_of_it_is_one_note() -> None:
    game, _ = played(("", "end => 5 ?", "end => Hunter, 4 ?", "play Hunter"))
    assert [(f.rule, f.severity) for f in game.findings] == [("unrecorded", Severity.NOTE)]
    assert game.findings[0].message == "6 draws of 2 players are not recorded"
    assert not game.recorded
    (strict,) = check_text("\n".join([*TABLE.format(faction="Firefolk").splitlines(),
        "turn 1 Ann", "end", "turn 1 Bob", "end => 5 ?"]), complete=True).games  # fmt: skip
    assert [f.rule for f in strict.findings] == ["draw-unrecorded", *["card-hidden"] * 1]


@pytest.mark.parametrize("tag", ["complete", "Complete"])
def test_a_tag_demands_complete_logs(tag: str) -> None:
    text = TABLE.format(faction="Firefolk").replace("position", f'[Recorded "{tag}"]\nposition')
    (game,) = check_text(text + "turn 1 Ann\nend\n").games
    assert [f.rule for f in game.findings] == ["draw-unrecorded"]


def test_nobody_draws_what_comes_to_a_display() -> None:
    log = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, 3 Warrior
  Bob: hand 2 Hunter, 2 Warrior, Village
  Ann: settlements F2
  Bob: settlements W2
  Ann: resources 2 wood
  reveal Engineering, Mathematics, Strategy, Commerce, Government, Religion
  reveal Academy, Highways, Mausoleum
turn 3 Ann
  develop Engineering with 2 wood
"""
    (game,) = check_text(log).games
    assert [found.message for found in game.findings] == ["1 draw is not recorded"]


def only_drawn(path: Path, number: int) -> str:
    """Return a recorded game in which only the draw in one line, counted from 1, is written down."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(
        line if at == number else line.partition(" =>")[0] for at, line in enumerate(lines, 1)
    )


def test_a_name_of_two_copies_comes_before_others_where_the_deck_may_end_between_them() -> None:
    """`end => Worker, Farmer, Cavalry(0), Farmer, ...`: the deck held three cards or four.

    Marta may have archived one that no line names, and the second Farmer was put back before it came.
    """
    (game,) = check_text(only_drawn(GAMES / "two-players.agn", 452)).games
    assert [f.message for f in game.findings if f.severity is Severity.ERROR] == []


@pytest.mark.parametrize("name", ["two-players", "three-players", "four-players"])
def test_a_game_of_which_one_draw_is_recorded_is_legal(name: str) -> None:
    path = GAMES / f"{name}.agn"
    lines = path.read_text(encoding="utf-8").splitlines()
    drawn = [at for at, line in enumerate(lines, 1) if " =>" in line]
    for number in Random(name).sample(drawn, 12):
        (game,) = check_text(only_drawn(path, number)).games
        wrong = [f.message for f in game.findings if f.severity is Severity.ERROR]
        assert wrong == [], f"{path.name}, line {number}"
