"""`altay show`, `altay log` and `altay board`: what they say, and what they say of misuse."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from altay_cli.checking.opening import open_game
from altay_cli.cli.main import main
from altay_cli.cli.viewing import PNG_WIDTH
from altay_cli.report.maps import WIDTH, Drawing, ink_on, layout
from altay_cli.report.text import width, wrapped
from altay_cli.view.scene import Viewer
from tests.cli.sample import run
from tests.view import golden
from tests.view.sample import CROSSES, GAMES, LOG

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("path", [*GAMES, *golden.CLASSICS], ids=lambda path: path.stem)
def test_three_points_of_each_game_as_they_were_looked_at(path: Path) -> None:
    told = "".join(golden.told(path))
    assert told == golden.golden(path).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("command", ["show", "log"])
def test_all_fits_in_80_columns(command: str, language: str) -> None:
    for path in GAMES[:: 4 if command == "log" else 3]:
        told = run(command, path, "--lang", language).stdout
        # The name of the file is the caller's.
        for line in told.replace(str(path.parent), "games").splitlines():
            assert width(line) <= 80, line


def test_what_a_long_name_does() -> None:
    long = "A" * 60
    told = run("show", "-", text=LOG.replace("Ann", f'"{long}"')).stdout
    assert long in told
    assert all(width(line) <= 80 for line in told.splitlines())


def test_control_characters_stay_out_of_the_terminal_and_the_picture() -> None:
    text = LOG.replace("Tuesday table", "Tues\x1b[31mday\u202e").replace("Ann", '"An\u202en"')
    for command in ("show", "log"):
        told = run(command, "-", text=text).stdout
        assert "\x1b" not in told
        assert "\u202e" not in told
    picture = run("board", "-", "-o", "-", text=text).stdout
    assert "\u202e" not in picture
    ET.fromstring(picture)  # noqa: S314 - our own


def test_a_position_in_words() -> None:
    told = run("show", "-", "--at", "turn 3 Ann", text=LOG).stdout
    assert "-, game 1: Tuesday table\nRound 3; Ann's turn\n" in told
    assert "  F2     farmland  Ann 2\n" in told
    assert "  H2     hill                   2 food\n" in told
    assert "  Hand                        Hunter, 2× Warrior, Shaman\n" in told
    hidden = run("show", "-", "--at", "turn 3 Ann", "--as", "Bob", text=LOG).stdout
    assert "Round 3; Ann's turn; as Bob knows it\n" in hidden
    assert "  Hand                        4 unknown\n" in hidden
    assert "  Hand                        Hunter, Warrior\n" in hidden
    # A card that was drawn and not written down is unknown to all.
    text = LOG.replace("=> Hunter\n", "=> ?\n")
    assert "Hunter, 1 unknown" in run("show", "-", text=text).stdout


def test_colours_of_the_terminal() -> None:
    def coloured(*arguments: str) -> str:
        return CliRunner().invoke(main, [*arguments, "-"], input=LOG, color=True).stdout

    told = coloured("show", "--at", "turn 3 Ann")
    assert "Round 3; \x1b[36m\x1b[1mAnn\x1b[0m's turn\n" in told
    assert "  F2     farmland  \x1b[36m\x1b[1mAnn\x1b[0m 2\n" in told
    assert "\n\x1b[35m\x1b[1mBob\x1b[0m\n" in told
    told = coloured("log")
    assert "Ann: Hand \x1b[31m\x1b[22m−Hunter\x1b[0m; Resources at hand \x1b[32m" in told


def test_who_has_won() -> None:
    told = run("show", GAMES[0].parent / "tie.agn").stdout
    assert told.endswith("\nWinner: Clara; the tie is decided by action cards.\n")


def test_points_that_depend_on_what_is_not_recorded() -> None:
    text = LOG.replace("  Ann: secret Ark\n", "  Ann: secret ?\n  Ann: completed Ark, Writing\n")
    told = run("show", "-", "--at", "turn 3 Ann", text=text).stdout
    assert "depend on unrecorded facts" in " ".join(told.split())
    assert "  Secret wonder               1 unknown\n" in told


def test_what_is_due() -> None:
    line = LOG[: LOG.index("  Bob: fight")].count("\n") + 1
    told = run("show", "-", "--at", str(line), text=LOG).stdout
    assert "Round 3; Ann's turn; Bob decides: The attacked player fights or" in told


def test_a_grid_is_drawn_where_the_rules_name_no_map() -> None:
    assert run("show", "-", "--at", "10", text=CROSSES).stdout.splitlines() == [
        "-, game 1",
        "Round 3; Ann's turn",
        "",
        "Tic-tac-toe",
        "  a3  ✕   ·   ·",
        "  a2  ·   ✕   ·",
        "  a1  ◯   ·   ◯",
        "      a1  b1  c1",
        "",
        "Ann",
        "",
        "Bob",
    ]
    told = run("show", "-", text=CROSSES).stdout
    assert told.endswith("\nA draw (a full board)\n")
    picture = drawn("-", text=CROSSES)
    assert len(list(picture.iter(f"{SVG}rect"))) == 2 + 9  # the paper and the plate
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert titles.count("who has marked a square: Ann") == 5
    # Signs that would be the same for two things tell nothing: then it is a table.
    fours = '[Game "connectfour"]\nsetup\n  seat Ann\n  seat {}\nturn 1 Ann\n  drop b\n  drop c\n'
    told = run("show", "-", text=fours.format("Bob")).stdout
    assert "  a1  ·   An  Bo  ·   ·   ·   ·\n" in told
    told = run("show", "-", text=fours.format("Anton")).stdout
    assert "  b1     Ann\n" in told
    assert "  c1     Anton\n" in told


def test_turns_without_headings_retold() -> None:
    told = run("log", "-", text=CROSSES).stdout.splitlines()
    assert told[:8] == [
        "",
        "turn 1 Ann",
        "  mark b2",
        "      b2: who has marked a square +Ann",
        "  Bob: mark a1",
        "      a1: who has marked a square +Bob",
        "",
        "Round 2",
    ]
    assert told[8] == "  Ann: mark a3"


def test_a_turn_retold() -> None:
    told = run("log", "-", text=LOG).stdout
    assert told.splitlines() == [
        "  = Points so far: Ann 1, Bob 1",
        "",
        "turn 3 Ann",
        "  play Hunter",
        "      Ann: Hand −Hunter; Resources at hand +food",
        "  buy Farmer",
        "      Ann: Resources at hand −food",
        "  attack W2 from F2 with Warrior",
        "      strength 3, in W2: 1",
        "      Ann: Hand −Warrior",
        "  Bob: fight with Warrior => Hunter",
        "      defense 2 against strength 3",
        "      Ann: Settlements captured +Bob (0 → 1)",
        "      Bob: Hand +Hunter, −Warrior",
        "      W2: Settlements −Bob (1 → 0)",
        "      Last round",
        "  attack H2 from F2 with Warrior",
        "      strength 3 against 2",
        "      Ann: Hand −Warrior; Resources at hand +food; Conquest markers taken +2",
        "        food",
        "      H2: Conquest marker −2 food",
        "  end => 2 Hunter, 2 Village, Warrior",
        "      Ann: Hand +2× Hunter, +2× Village, +Warrior, −Shaman; Resources at hand",
        "        −3× food, −wood",
        "  = Points so far: Ann 3, Bob 0",
    ]


def test_findings_stand_where_they_belong() -> None:
    told = run("log", "-", text=LOG.replace("buy Farmer", "buy Farmer; buy Farmer")).stdout
    assert told.count("      ! 19: error: a second Farmer in one turn;") == 1
    second = "  buy Farmer\n      Ann: Resources at hand −food\n"
    assert f"{second}{second}      ! 19" in told
    hidden = run("log", "-", "--as", "Bob", text=LOG.replace("buy Farmer", "buy City")).stdout
    assert "      ! 19: error: [cannot-pay]" in hidden


def test_a_game_retold_for_programs() -> None:
    document = json.loads(run("log", "-", "--format", "json", text=LOG).stdout)
    assert document["points"] == {"Ann": 1, "Bob": 1}
    play = document["moves"][1]
    assert (play["line"], play["column"], play["statement"]) == (19, 3, "play Hunter")
    (hand, pool, *_) = [change for change in play["changes"] if change["where"] == "Ann"]
    assert (hand["field"], hand["told"]) == ("hand", "−Hunter")
    assert pool["after"] == [
        {
            "items": {
                "things": [
                    {"kind": "resource", "id": "food", "name": "food", "count": 3},
                    {"kind": "resource", "id": "wood", "name": "wood", "count": 1},
                ],
                "unknown": 0,
            }
        }
    ]


def test_the_keys_of_the_documents_are_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")

    def keys(section: str) -> list[set[str]]:
        begin = text.index(f"\n## {section}\n")
        part = text[begin : text.find("\n## ", begin + 1)]
        tables = re.split(r"\n\n", part)
        return [
            {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
             for name in re.findall(r"`(\w+)`", row)}
            for table in tables if "\n| `" in table
        ]  # fmt: skip

    state, group = keys("States")
    document = json.loads(run("show", GAMES[0], "--format", "json").stdout)
    assert set(document) == state
    place = next(iter(document["maps"]["board"]["places"].values()))
    assert set(place) == {"name", "ground", "joined", "fields"}
    assert set(document["players"]["Vera"]) == {"fields", "points"}
    groups: list[dict[str, Any]] = [
        one for field in document["players"]["Vera"]["fields"].values() for one in field
    ]
    assert {key for one in groups for key in one} | {"splay"} == group
    whole, move = keys("Games retold")
    document = json.loads(run("log", GAMES[0], "--format", "json").stdout)
    assert set(document) == whole
    assert all(set(one) == move for one in document["moves"])


# ---------------------------------------------------------------- pictures


def drawn(*arguments: str | Path, text: str = "") -> ET.Element:
    return ET.fromstring(run("board", *arguments, "-o", "-", text=text).stdout)  # noqa: S314


def test_every_token_says_what_it_is() -> None:
    picture = drawn("-", "--at", "turn 3 Ann", text=LOG)
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert titles.count("Settlements: Ann 2") == 1
    assert titles.count("Conquest marker: 2 food") == 1
    assert titles.count("Victory point marker: 1") == 3
    names = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"F2", "W2", "M3", "Ann", "Bob", "farmland"} <= set(names)
    assert "F1" not in names  # out of play with two players


def test_lines_join_neighbours() -> None:
    viewer = Viewer(open_game(LOG).state)
    board = replace(viewer.stage.boards[0], shape="circle")  # without outlines
    pairs = {frozenset((p.ref, o)) for p in board.places for o in p.joined}
    assert Drawing(board, viewer.stage, viewer.things()).live().count("<line") == len(pairs)
    size = layout(board)
    points = [size.at(place) for place in board.places]
    for number, (x, y) in enumerate(points):
        assert 0 <= x <= WIDTH
        for other_x, other_y in points[number + 1 :]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > (2 * size.radius) ** 2 * 0.99


def test_no_line_leads_to_a_place_of_which_the_rules_cannot_tell_where_it_lies() -> None:
    viewer = Viewer(open_game(LOG).state)
    whole = replace(viewer.stage.boards[0], shape="circle")
    lost = whole.places[0]
    assert lost.joined
    drawings = [
        Drawing(replace(whole, places=places), viewer.stage, viewer.things()).live()
        for places in (whole.places, whole.places[1:])
    ]
    lines, left = (drawn.count("<line") for drawn in drawings)
    assert lines - left == len(lost.joined)


def test_texts_on_colours_can_be_read() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        line = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]

    for number in range(0, 0x1000000, 0x10355):
        colour = f"#{number:06x}"
        first, second = sorted((light(colour), light(ink_on(colour))))
        assert (second + 0.05) / (first + 0.05) >= 4.5, colour
        first, second = sorted((light(colour), light(ink_on(colour, drawn=True))))
        assert (second + 0.05) / (first + 0.05) >= 3, colour


def test_squares_stacks_and_outlines(stones: Path) -> None:
    squares = drawn(stones)
    assert len(list(squares.iter(f"{SVG}rect"))) == 2 + 9
    ring = drawn(stones, "--map", "ring")
    assert [t.text for t in ring.iter(f"{SVG}title")][1:2] == ["Stones: 1"]
    told = run("show", stones).stdout
    assert "  Stacks                      sun (left): Dawn > Noon; moon: Night\n" in told
    assert "Ann: Stacks sun: → left" in run("log", stones).stdout


def test_pictures_in_pixels(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra `png` is not installed")
    run("board", GAMES[0], "-o", tmp_path / "map.png")
    data = (tmp_path / "map.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == PNG_WIDTH


def test_pixels_need_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = run("board", GAMES[0], "-o", tmp_path / "map.png")
    assert result.exit_code == 2
    assert "pip install 'altay[png]'" in result.stderr


FOUR = """\
[Game "altay"]
position
  Ann: faction Earthfolk
  Bob: faction Elvenfolk
  Cleo: faction Firefolk
  Dan: faction Smallfolk
"""


def test_the_pictures_of_the_documents() -> None:
    shown = (ROOT / "docs" / "board.svg").read_text(encoding="utf-8")
    game = GAMES[0].parent / "four-players.agn"
    assert run("board", game, "--at", "turn 9 Vera", "-o", "-").stdout == shown
    names = (ROOT / "docs" / "altay-map.svg").read_text(encoding="utf-8")
    assert run("board", "-", "-o", "-", text=FOUR).stdout == names


# ---------------------------------------------------------------- misuse


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "nothing.agn"], "there is no such file"),
        (["show", "-", "--at", "turn 99 Ann"], "the log has no `turn 99 Ann`"),
        (["show", "-", "--at", "4"], "moves begin after the setup of the game"),
        (["show", "-", "--as", "Cleo"], "there is no player `Cleo`; at the table: Ann, Bob"),
        (["log", "-", "--as", "Cleo"], "there is no player `Cleo`"),
        (["show", "-", "--game", "2"], "there is no game 2"),
        (["log", "-", "--game", "2"], "there is no game 2"),
        (["log", "-", "--game", "0"], "there is no game 0"),
        (["board", "-", "-o", "-", "--map", "moon"], "there is no map `moon`; there is board"),
        (["board", "-", "-o", "/no/such/folder/x.svg"], "no such file"),
        (
            ["board", "-", "-o", "b.jpg"],
            "`.jpg` files cannot be written; end the name in .svg or .png",
        ),
        (["replay", "-", "-o", "game.pdf"], "end the name in .html or .htm"),
    ],
)
def test_misuse_is_told(arguments: list[str], told: str) -> None:
    result = run(*arguments, text=LOG)
    assert result.exit_code == 2
    assert told in result.stderr.casefold() or told in result.stderr


@pytest.mark.parametrize("text", ["", '[Game "ludo"]\nsetup\n  seat Ann\n', "play ludo\n"])
@pytest.mark.parametrize("command", ["show", "log", "board"])
def test_what_cannot_be_shown(command: str, text: str) -> None:
    out = ["-o", "-"] if command == "board" else []
    result = run(command, "-", *out, text=text)
    assert result.exit_code == 2
    assert result.stderr.startswith("altay: ")


def test_texts_are_wrapped_at_blanks() -> None:
    assert wrapped("  aa bb cc", 6, "    ") == ["  aa", "    bb", "    cc"]
    assert wrapped("aaaaaaa", 3) == ["aaa", "aaa", "a"]
    assert wrapped("手札 手札", 5) == ["手札", "手札"]
    assert wrapped("", 5) == [""]


def test_no_deck_holds_less_than_nothing() -> None:
    # One wonder is nowhere to be seen, and two players may have it as their secret one.
    log = ROOT / "tests" / "rules" / "reveal-extra" / "legal-secrets-completed.agn"
    result = run("show", str(log), "--at", "turn 9 Bob")
    assert "level 1: 3; level 2: 3; level 3: 0" in " ".join(result.stdout.split())
