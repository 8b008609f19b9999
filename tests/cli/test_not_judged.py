"""What cannot be judged is not called illegal, and never passes in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.sample import ILLEGAL, LEGAL, document, put, run
from tests.engine.table import SETUP
from tests.small import LOG, Pebbles

# Round 1 as SETUP lets it begin; nothing in it is wrong.
ROUND = """\
turn 1 Ann
  play 2 Hunter
  end => 2 Warrior, Shaman, Village, Hunter
turn 1 Bob
  play 3 Hunter
  end => 2 Hunter, 2 Warrior, Loremaster
"""
WHOLE = SETUP + ROUND


def the_game(*arguments: str | Path, text: str = "") -> dict[str, Any]:
    (file,) = document(*arguments, text=text)["files"]
    (game,) = file["games"]
    assert isinstance(game, dict)
    return game


def rules(game: dict[str, Any]) -> list[str]:
    return [found["rule"] for found in game["findings"] if found["severity"] == "error"]


def judged(text: str) -> tuple[str, list[str], int, int]:
    """Return verdict, errors, how many statements of turns were read, and the exit code."""
    game = the_game("check", "-", text=text)
    return game["verdict"], rules(game), game["moves"], run("check", "-", text=text).exit_code


def test_the_log_of_these_tests() -> None:
    assert judged(WHOLE) == ("legal", [], 4, 0)


# ---------------------------------------------------------------- going on with what is meant


@pytest.mark.parametrize(
    "tag",
    ['[Game "Altay"]', '[Game "ALTAY"]', '[Game " altay "]', "[Game “altay”]", "[Game „Altay“]"],
)
def test_the_same_name_in_another_form(tag: str) -> None:
    assert judged(WHOLE.replace('[Game "altay"]', tag)) == ("legal", [], 4, 0)


@pytest.mark.parametrize("tag", ["[Game “altay”]", "[Game „altay“]"])
def test_the_quotes_of_a_phone_are_told_and_mended(tag: str, tmp_path: Path) -> None:
    log = tmp_path / "phone.agn"
    log.write_text(WHOLE.replace('[Game "altay"]', tag), encoding="utf-8")
    (found,) = [one for one in the_game("check", log)["findings"] if one["severity"] == "warning"]
    assert found["rule"] == "badly-written"
    assert found["message"] == 'tags have straight quotes: `[Game "altay"]`'
    assert run("check", "--fix", log).exit_code == 0
    assert log.read_text(encoding="utf-8") == WHOLE


def test_variants_and_options_in_any_case() -> None:
    for tag in (
        '[Variant "TRADING"]',
        "[Variant “Trading”]",
        '[Map "Recommended"]',
        '[Edition "EN"]',
    ):
        text = WHOLE.replace("\n", f"\n{tag}\n", 1)
        assert judged(text) == ("legal", [], 4, 0), tag


@pytest.mark.parametrize(
    ("old", "new", "rule", "meant"),
    [
        ('[Game "altay"]', '[Game "altai"]', "unknown-pack", "altay"),
        ('"altay"]\n', '"altay"]\n[Variant "tradign"]\n', "unknown-variant", "trading"),
        ("seat Ann as Firefolk", "seat Ann as Fire", "unknown-faction", "Firefolk"),
        ("seat Ann as Firefolk", "seat Ann as Firefoke", "unknown-faction", "Firefolk"),
    ],
)
def test_a_slip_that_is_no_riddle(old: str, new: str, rule: str, meant: str) -> None:
    text = WHOLE.replace(old, new, 1)
    assert judged(text) == ("illegal", [rule], 4, 1)
    assert f"did you mean `{meant}`?" in run("check", "-", text=text).stdout


def test_the_beginning_of_several_names_is_a_riddle() -> None:
    # Earthfolk and Elvenfolk begin like this, and so do names in other languages.
    verdict, errors, moves, _ = judged(WHOLE.replace("as Firefolk", "as E", 1))
    assert (verdict, errors, moves) == ("illegal", ["unknown-faction"], 4)


# ---------------------------------------------------------------- what cannot be judged


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('[Game "altay"]', '[Game "ludo"]', "unknown-pack"),
        ('"altay"]\n', '"altay"]\n[Variant "zork"]\n', "unknown-variant"),
        ('"altay"]\n', '"altay"]\n[Variant "zork.yaml"]\n', "variant-path"),
    ],
)
def test_without_rules_nothing_is_judged(old: str, new: str, rule: str) -> None:
    text = WHOLE.replace(old, new, 1)
    assert judged(text) == ("not judged", [rule], 0, 2)
    result = run("check", "-", text=text)
    assert "without its rules, nothing in this game is judged" in result.stdout
    assert "1 game: not judged (1 error)\n" in result.stdout
    assert run("score", "-", text=text).exit_code == 2
    assert "no scores: the rules are missing or unusable" in run("score", "-", text=text).stdout


def test_a_seat_that_is_not_known() -> None:
    # Who sits there cannot be told, so that nobody's turn can be judged: 4 statements, 2 headings.
    text = WHOLE.replace("seat Bob as Elvenfolk", "seat Bob")
    verdict, errors, moves, code = judged(text)
    assert (verdict, moves, code) == ("not judged", 0, 2)
    assert "malformed-statement" in errors
    line = text.splitlines().index("turn 1 Ann") + 1
    told = f"because of this, the 6 statements from line {line} on are not judged"
    (slip,) = [f for f in the_game("check", "-", text=text)["findings"] if told in f["help"]]
    assert slip["rule"] == "malformed-statement"


def test_a_seat_that_is_not_known_at_a_table_of_three() -> None:
    # Ann and Bob could play on alone; whose turn it is would be guessed.
    text = WHOLE.replace("seat Bob", "seat Cleo\n  seat Bob", 1)
    verdict, errors, moves, _ = judged(text)
    assert (verdict, moves) == ("not judged", 0)
    assert "malformed-statement" in errors


def test_a_seat_with_an_unknown_faction_is_taken() -> None:
    text = WHOLE.replace("seat Bob as Elvenfolk", "seat Bob as Xylophone")
    verdict, errors, moves, code = judged(text)
    assert (verdict, errors, moves, code) == ("illegal", ["unknown-faction"], 4, 1)


def test_a_name_that_is_none_takes_no_seat() -> None:
    text = WHOLE.replace("seat Bob", 'seat "" as Earthfolk\n  seat Bob', 1)
    verdict, errors, moves, _ = judged(text)
    assert (verdict, moves) == ("not judged", 0)
    assert "player-name" in errors


def test_that_nobody_has_a_seat_is_not_told_of_seats_that_cannot_be_read() -> None:
    text = '[Game "altay"]\nsetup\n  seat Ann\n  seat Bob\n' + ROUND
    verdict, errors, moves, code = judged(text)
    assert (verdict, moves, code) == ("not judged", 0, 2)
    assert errors == ["malformed-statement", "malformed-statement"]


def test_nobody_has_a_seat() -> None:
    verdict, errors, moves, code = judged('[Game "altay"]\n' + ROUND)
    assert (verdict, errors, moves, code) == ("not judged", ["no-players"], 0, 2)
    assert (
        "the 6 statements from line 2 on are not judged"
        in run("check", "-", text='[Game "altay"]\n' + ROUND).stdout
    )


def test_no_game_at_all() -> None:
    for text in (
        WHOLE.replace("Game", "Event"),
        "",
        "hello",
        '[Game "altay"]\n',
        "seat Ann as Firefolk\n",
    ):
        assert judged(text)[0] == "not judged"
        assert run("check", "-", text=text).exit_code == 2


def test_a_heading_that_says_neither_round_nor_player() -> None:
    # In a position it is not known whose turn comes next.
    text = LEGAL.replace("turn 3 Ann", "turn 3 Xylophone").partition("result")[0]
    verdict, errors, moves, code = judged(text)
    assert (verdict, errors, moves, code) == ("not judged", ["unknown-player"], 0, 2)
    assert "the 2 statements from line 15 on are not judged" in run("check", "-", text=text).stdout


def test_a_section_too_many() -> None:
    again = "position\n  Ann: hand Hunter\n"
    verdict, errors, _, code = judged(WHOLE.replace("turn 1 Ann", again + "turn 1 Ann", 1))
    assert (verdict, errors, code) == ("not judged", ["section-order"], 2)


DIVIDED = """\
variant: v
extends: altay
title: V
change:
  - extend: moves.buy.requires
    with:
      - {rule: odd, that: "1 / (round - round) == 1", else: "odd"}
"""
ENDLESS = DIVIDED.replace(
    '"1 / (round - round) == 1"',
    '"lists.range(round + 99999).all(a, lists.range(99999).all(b, a + b >= 0))"',
)


@pytest.mark.parametrize(("variant", "rule"), [(DIVIDED, "rule-failure"), (ENDLESS, "rule-budget")])
def test_rules_that_fail(variant: str, rule: str, tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text(variant, encoding="utf-8")
    text = LEGAL.replace("[Event", '[Variant "v.yaml"]\n[Event').partition("result")[0]
    (log,) = put(tmp_path, log=text + "  play Village\n")
    game = the_game("check", log)
    assert (game["verdict"], rules(game)) == ("not judged", [rule])
    assert run("check", log).exit_code == 2
    if rule == "rule-budget":
        (failed,) = [found for found in game["findings"] if found["rule"] == rule]
        assert "because of this, the statement from line 19 on is not judged" in failed["help"]


def test_a_rule_that_steps_on_from_outside_of_the_grid(tmp_path: Path) -> None:
    """Five columns to the right of b2 there is no square, of which no neighbour can be asked."""
    variant = DIVIDED.replace("altay", "tictactoe").replace("moves.buy", "moves.mark")
    variant = variant.replace("1 / (round - round) == 1", "square.to(5, 0).to(1, 0) == null")
    (tmp_path / "v.yaml").write_text(variant, encoding="utf-8")
    tags = '[Game "tictactoe"]\n[Variant "v.yaml"]\n'
    (log,) = put(tmp_path, log=f"{tags}setup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  mark b2\n")
    game = the_game("check", log)
    assert (game["verdict"], rules(game)) == ("not judged", ["rule-failure"])


# ---------------------------------------------------------------- what a rule forbids altogether


def test_what_stands_behind_the_end_of_a_turn_is_illegal_and_counted() -> None:
    # Nothing happens between turns: the rule judges all three of them.
    text = WHOLE.replace("turn 1 Bob", "  buy Farmer\n  buy Miner\n  play Village\nturn 1 Bob")
    verdict, errors, _, code = judged(text)
    assert (verdict, errors, code) == ("illegal", ["turn-running"], 1)
    line = text.splitlines().index("  buy Miner") + 1
    told = f"because of this, the 2 statements from line {line} on are not judged"
    assert told in run("check", "-", text=text).stdout


# ---------------------------------------------------------------- summary, table, exit code


def test_all_verdicts_side_by_side(tmp_path: Path) -> None:
    unjudged = WHOLE.replace('"altay"', '"ludo"')
    paths = put(tmp_path, a=WHOLE, b=ILLEGAL, c=unjudged)
    result = run("check", *paths)
    assert "3 games in 3 files: 1 legal, 1 illegal, 1 not judged (" in result.stdout
    assert result.exit_code == 2
    assert run("check", *paths[:2]).exit_code == 1
    table = run("check", "--under", "trading", paths[2]).stdout
    assert "not judged" in table


# ---------------------------------------------------------------- rules without turns


def test_rules_without_a_heading_are_refused(pebbles: Pebbles) -> None:
    pebbles.change("moves/turns.yaml", "    heading: true\n", "")
    assert "no-heading" in [problem.rule for problem in pebbles.problems()]
    game = pebbles.judge(LOG + "mark b2; mark b2; mark zz; fly home\n")
    assert game.verdict.value == "not judged"
    assert {found.rule for found in game.findings} == {"rules"}


# ---------------------------------------------------------------- much that cannot be read

UNREAD = "  muse about it\n"


def test_where_much_cannot_be_read_what_is_wrong_without_it_is_no_accusation() -> None:
    """Of 60 statements of a turn, 30 before a wrong one, nobody knows what they are."""
    for unread in (UNREAD, "  => =>\n"):
        slips = WHOLE.replace("turn 1 Bob\n", f"{30 * unread}turn 1 Bob\n")
        text = slips.replace("  play 3 Hunter", "  play Colonist") + 30 * unread
        game = the_game("check", "-", text=text)
        assert (game["verdict"], game["moves"]) == ("not judged", 32 if unread == UNREAD else 2)
        (found,) = [one for one in game["findings"] if one["rule"] == "not-judged"]
        assert found["message"].startswith("60 statements of this game cannot be read, 30 of them")
        assert found["help"][0].startswith("by what can be read: Bob does not have ")
        assert found["line"] == text.count("\n", 0, text.index("play Colonist")) + 1
        # What cannot be read is told of what is not judged as well.
        assert len(rules(game)) == 61


def test_where_much_cannot_be_read_and_nothing_lacks_it_all_is_judged() -> None:
    text = WHOLE.replace("turn 1 Bob\n", f"{60 * UNREAD}turn 1 Bob\n")
    assert set(rules(the_game("check", "-", text=text))) == {"unknown-statement"}
    # What is wrong before is told.
    wrong = text.replace("  play 2 Hunter", "  play Colonist", 1)
    assert rules(the_game("check", "-", text=wrong))[0] == "in-hand"
