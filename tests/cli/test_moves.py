"""`altay moves`: what is legal at a point of a log, for people and for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from altay_cli.checking.check import check_text
from tests.cli.sample import LEGAL, put, run

GAMES = Path(__file__).parents[2] / "games"

# F2 touches W2, where Bob is, H2 and M3. Ann's marker of H3 is not consumed.
LOG = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand Hunter, Shaman, 2 Warrior
  Bob: hand Hunter, Warrior
  Ann: settlements F2
  Bob: settlements W2
  Ann: secret Ark
  Bob: secret Colossus
  Ann: resources 2 food, wood
  Ann: took 1 in H3
  marker 2 food on H2
  marker 3 metal on M3
  reveal Engineering, Mathematics, Strategy, Commerce, Government, Religion
  reveal Academy, Highways, Mausoleum
turn 3 Ann
  play Hunter; buy Farmer
  attack W2 from F2 with Warrior
  Bob: fight with Warrior => Hunter
  end => 2 Hunter, 2 Village, Warrior
"""
END = LOG.count("\n") + 1

# From the rulebook: an opponent can be attacked with less than his strength, a marker cannot: the
# 2 of H2 takes both Warriors, the 3 of M3 is too much. Of the first level, Engineering takes 2 wood
# and 2 stone, Strategy 2 food and 2 metal, Mathematics nothing that Ann has; higher levels come
# later. 2 food and a wood pay for the four that cost a food, and for the Scholar; of all others the
# top copy costs culture, metal or stone as well.
FIRST = {
    "attack": [
        "attack H2 from F2 with 2 Warrior",
        "attack W2 from F2 with 2 Warrior",
        "attack W2 from F2 with Warrior",
    ],
    "buy": [
        "buy Farmer for food",
        "buy Lumberjack for food",
        "buy Miner for food",
        "buy Scholar for 2 food",
        "buy Stonecutter for food",
    ],
    "develop": [
        "develop Engineering with wood",
        "develop Strategy with 2 food",
        "develop Strategy with food",
    ],
    "end": ["end"],
    "play": [
        "play Hunter",
        "play Hunter for food",
        "play Shaman",
        "play Shaman consuming H3 for culture",
        "play Shaman consuming H3 for food",
        "play Shaman consuming H3 for metal",
        "play Shaman consuming H3 for stone",
        "play Shaman consuming H3 for wood",
        "play Shaman for culture",
    ],
}
# The attacker plays one card, so one may be discarded.
ANSWERS = [
    "Bob: fight",
    "Bob: fight with Warrior",
    "Bob: surrender",
    "Bob: surrender discarding Hunter",
    "Bob: surrender discarding Warrior",
]
CHANCE = "  # one of several possible draws"


def line_of(statement: str, text: str = LOG) -> int:
    """Return the number of the line that a statement stands in."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if statement in line)


def listed(*arguments: str, text: str = LOG) -> dict[str, Any]:
    """Return what is listed, for programs."""
    result = run("moves", "-", "--format", "json", *arguments, text=text)
    assert result.exit_code == 0, result.stderr
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


def moves(*arguments: str, text: str = LOG) -> list[str]:
    """Return the moves listed, in alphabetical order."""
    return sorted(move["move"] for move in listed(*arguments, text=text)["moves"])


def told(stdout: str) -> tuple[str, dict[str, list[str]]]:
    """Return the first two lines of a list, and its groups; what was drawn is left out."""
    head, *blocks = stdout.split("\n\n")
    groups = {}
    for block in blocks:
        title, *lines = block.strip("\n").splitlines()
        found = re.fullmatch(r"(\w+) \((\d+)\)", title)
        assert found, title
        assert int(found[2]) == len(lines)
        # One that only says more than another stands behind it.
        assert all(line.startswith("  ") for line in lines)
        # A draw is shown, and it is said that it is one of several.
        assert all((" => " in line) == line.endswith(CHANCE) for line in lines)
        groups[found[1]] = sorted(
            statement
            for line in lines
            for statement in line.split(" => ")[0].strip().split("  # or: ")
        )
    return head, groups


def test_all_legal_moves_as_text() -> None:
    result = run("moves", "-", "--at", "turn 3 Ann", text=LOG)
    assert (result.exit_code, result.stderr) == (0, "")
    head, groups = told(result.stdout)
    assert head == "-, round 3, Ann\n19 legal moves"
    assert groups == FIRST
    assert "  play Hunter  # or: play Hunter for food\n" in result.stdout


def test_where_a_turn_has_ended_the_next_one_is_listed() -> None:
    text = LOG.replace("  Bob: fight with Warrior => Hunter\n  end", "  Bob: surrender\n  end")
    head, *blocks = run("moves", "-", text=text).stdout.split("\n\n")
    assert head == "-, round 3, Ann\n1 legal move"
    assert blocks[0] == "turn (1)\n  turn 3 Bob"
    assert blocks[1].startswith("then, after `turn 3 Bob`, round 3, Bob\n")
    assert any(block.startswith("play (") for block in blocks[2:])


# Of her cards, of which two kinds have copies with points, nobody wrote down which are in her hand.
UNRECORDED = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: deck 2 Hunter, Worker, Worker(1), Merchant, Merchant(1), Warrior, 2 Village
  Ann: settlements F2
  Bob: settlements W6
turn 3 Ann
"""


def test_with_a_hidden_hand_nothing_is_listed_twice() -> None:
    lines = run("moves", "-", text=UNRECORDED).stdout.splitlines()
    moves = [line.split("  # ")[0].strip() for line in lines if line.startswith("  play ")]
    # The first effect of a card needs no words; the others do.
    for name in ("Worker", "Worker(1)"):
        ways = [one for one in moves if one == f"play {name}" or one.startswith(f"play {name} ")]
        assert sorted(ways) == [f"play {name}", f"play {name} for metal", f"play {name} for stone"]
    assert "play Merchant" in moves
    assert "play Merchant to store" not in moves
    assert any(line.endswith("; or: play Worker for wood") for line in lines)


def test_what_is_known_of_hands_is_told_once() -> None:
    text = UNRECORDED + "  end\n"
    lines = run("moves", "-", text=text).stdout.splitlines()
    assert "then, after `turn 3 Bob`, round 3, Bob" in lines
    assert len([line for line in lines if line.startswith("Bob, hand: ")]) == 1


def test_all_legal_moves_for_programs() -> None:
    document = listed("--at", "turn 3 Ann")
    found = {move["move"]: move for move in document.pop("moves")}
    assert document == {
        "path": "-", "round": 3, "player": "Ann", "ended": False, "decision": None,
        "errors_before": 0, "complete": True,
    }  # fmt: skip
    assert sorted(found) == sorted(text for group in FIRST.values() for text in group)
    for text, move in found.items():
        assert move["kind"] == text.split()[0]
        assert move["player"] == "Ann"
        # An achievement that leaves the display is replaced, and at the end a hand is drawn.
        assert move["draws"] == (move["kind"] in {"develop", "end"})
        drawn = move["statement"].removeprefix(text)
        assert drawn.startswith(" => ") if move["draws"] else drawn == ""
    assert found["buy Scholar for 2 food"] == {
        "statement": "buy Scholar for 2 food", "move": "buy Scholar for 2 food", "kind": "buy",
        "id": "buy", "title": "Acquire a new action card", "player": "Ann",
        "slots": {"card": "Scholar", "payment": "2 food"}, "draws": False,
    }  # fmt: skip


def test_before_a_line_and_before_a_place_in_it() -> None:
    both = line_of("play Hunter")
    begin = LOG.splitlines()[both - 1].index("buy") + 1
    everything = sorted(text for group in FIRST.values() for text in group)
    assert moves("--at", str(both)) == moves("--at", f"{both}:3") == everything
    # A statement that has not come to its end is not made.
    assert moves("--at", f"{both}:{begin - 3}") == everything
    # The Hunter brings a third food, which pays for nothing new; he cannot be played again.
    played = [text for text in everything if not text.startswith("play Hunter")]
    assert moves("--at", f"{both}:{begin}") == played
    # Then a Farmer is bought: 2 food and the wood are left, and no second Farmer can be had.
    bought = [text for text in played if not text.startswith("buy Farmer")]
    assert moves("--at", str(both + 1)) == bought


def test_before_the_heading_of_a_turn_and_at_the_end() -> None:
    heading = line_of("turn 3 Ann")
    # Behind a position, the number of the round is free: one heading is listed for each player.
    before = listed("--at", str(heading))
    assert sorted(move["slots"]["player"] for move in before["moves"]) == ["Ann", "Bob"]
    assert {move["kind"] for move in before["moves"]} == {"turn"}
    assert {move["player"] for move in before["moves"]} == {None}
    assert moves() == moves("--at", str(END)) == ["turn 3 Bob"]
    # A result stands behind all turns.
    assert moves(text=LOG + "result\n  Ann: score 1\n") == ["turn 3 Bob"]
    assert moves("--at", str(END + 1), text=LOG + "result\n  Ann: score 1\n") == ["turn 3 Bob"]


def test_the_answers_to_an_attack() -> None:
    at = str(line_of("Bob: fight"))
    document = listed("--at", at)
    assert (document["decision"], document["player"]) == ("defend", "Bob")
    assert sorted(move["move"] for move in document["moves"]) == ANSWERS
    assert {move["player"] for move in document["moves"]} == {"Bob"}
    # Each card is replaced by another one.
    drawing = {move["move"] for move in document["moves"] if move["draws"]}
    assert drawing == {ANSWERS[1], ANSWERS[3], ANSWERS[4]}
    head, groups = told(run("moves", "-", "--at", at, text=LOG).stdout)
    assert head.startswith("-, round 3, Bob decides")
    assert head.endswith("\n5 legal moves")
    assert groups == {"fight": ANSWERS[:2], "surrender": ANSWERS[2:]}


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (str(line_of("reveal")), "moves begin after the setup of the game"),
        ("1", "moves begin after the setup of the game"),
        ("0", "moves begin after the setup of the game"),
        (str(END + 1), "no line"),
        ("9" * 40, "no line"),
        ("nowhere", "is not a point of a game"),
        ("", "is not a point of a game"),
        ("-3", "is not a point of a game"),
        ("18:x", "is not a point of a game"),
        ("turn", "has no `turn`"),
        ("turn 3 Bob", "has no `turn 3 Bob`"),
        ("turn 4 Ann", "has no `turn 4 Ann`"),
        ("turn 3 Cleo", "has no `turn 3 Cleo`"),
    ],
)
def test_points_that_are_none(at: str, said: str) -> None:
    result = run("moves", "-", "--at", at, text=LOG)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("altay: -: ")
    assert said in result.stderr


def test_one_of_several_games() -> None:
    two = LEGAL + LOG
    shift = LEGAL.count("\n")
    first = moves("--at", "turn 3 Ann", text=LEGAL)
    # Lines are those of the file.
    assert moves("--at", "turn 3 Ann", text=two) == first
    assert moves("--game", "2", "--at", "turn 3 Ann", text=two) == moves("--at", "turn 3 Ann")
    at = str(line_of("Bob: fight") + shift)
    assert moves("--game", "2", "--at", at, text=two) == ANSWERS
    assert moves("--game", "2", text=two) == ["turn 3 Bob"]
    early = run("moves", "-", "--game", "2", "--at", str(shift), text=two)
    assert (early.exit_code, early.stdout) == (2, "")
    for number in ("0", "3", "-1"):
        result = run("moves", "-", "--game", number, text=two)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"altay: -: there is no game {number}: the log holds 2\n"


def test_a_game_that_is_over_has_no_moves() -> None:
    path = GAMES / "tie.agn"
    result = run("moves", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{path}, the game has ended\n0 legal moves\n"
    document = json.loads(run("moves", path, "--format", "json").stdout)
    assert (document["ended"], document["moves"]) == (True, [])


def test_in_german() -> None:
    german = moves("--at", "turn 3 Ann", "--lang", "de")
    assert len(german) == 21
    assert "play Jäger" in german
    assert "develop Strategie with 2 Nahrung" in german
    assert not [text for text in german if "Hunter" in text or "food" in text]
    # It is the same list: statements can be written in any language.
    base = LOG[: LOG.index("  play Hunter")]
    for move in listed("--at", "turn 3 Ann", "--lang", "de")["moves"]:
        assert errors(f"{base}  {move['statement']}\n") == [], move["statement"]


def test_behind_an_error_it_is_said_that_there_is_one() -> None:
    text = LOG[: LOG.index("  attack")] + "  buy Farmer\n"
    result = run("moves", "-", text=text)
    assert result.exit_code == 0
    assert result.stderr.startswith("altay: -: 1 error before this point")
    head, groups = told(result.stdout)
    assert head.startswith("-, round 3, Ann\n")
    assert groups["attack"] == FIRST["attack"]
    assert "buy Farmer for food" not in groups["buy"]
    assert listed(text=text)["errors_before"] == 1
    # It stands behind this point.
    assert listed("--at", "turn 3 Ann", text=text)["errors_before"] == 0
    assert run("moves", "-", "--at", "turn 3 Ann", text=text).stderr == ""


def test_a_slip_that_cannot_be_read_is_counted_too() -> None:
    text = LOG.replace("buy Farmer", "buy Farmer => =>")
    assert errors(text) == ["syntax"]
    assert listed(text=text)["errors_before"] == 1
    assert listed("--at", "turn 3 Ann", text=text)["errors_before"] == 0


def test_what_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.agn"
    result = run("moves", missing)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"altay: {missing}: there is no such file\n"

    binary = tmp_path / "binary.dat"
    binary.write_bytes(b"\x89PNG\r\n\x00\x1a")
    result = run("moves", binary)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"altay: {binary}: ")

    result = run("moves", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no .agn files" in result.stderr

    (log,) = put(tmp_path, one=LOG)
    assert run("moves", tmp_path).stdout == run("moves", log).stdout
    put(tmp_path, two=LOG)
    result = run("moves", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a folder of several logs" in result.stderr


@pytest.mark.parametrize("text", ["", "hello", '[Game "ludo"]\nsetup\n', '[Game "altay"]\n'])
def test_a_text_without_a_game(text: str) -> None:
    result = run("moves", "-", text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("altay: -: ")


@pytest.mark.parametrize("arguments", [[], ["--game", "x", "-"], ["-", "--format", "xml"]])
def test_wrong_usage(arguments: list[str]) -> None:
    result = run("moves", *arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


def errors(text: str) -> list[str]:
    """Return the rules of all errors in a log."""
    return [
        finding.rule
        for game in check_text(text).games
        for finding in game.findings
        if finding.severity.value == "error"
    ]


def points() -> list[Any]:
    """Return beginnings of logs: all of LOG, and each eleventh statement of a whole game."""
    lines = LOG.splitlines(keepends=True)
    found = [
        pytest.param("".join(lines[:n]), id=f"line {n + 1}")
        for n in range(line_of("turn 3 Ann"), len(lines) + 1)
    ]
    game = (GAMES / "two-players.agn").read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(n for n, line in enumerate(game) if line.startswith("turn"))
    whole = [n for n in range(first, first + 120) if not game[n - 1].rstrip().endswith(",")]
    found += [pytest.param("".join(game[:n]), id=f"game {n + 1}") for n in whole[::11]]
    return found


@pytest.mark.parametrize("begun", points())
def test_what_is_listed_can_be_written_there(begun: str) -> None:
    assert errors(begun) == []
    found = listed(text=begun)["moves"]
    assert found
    for move in found:
        assert errors(f"{begun}  {move['statement']}\n") == [], move["statement"]
