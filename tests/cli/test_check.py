"""`altay check`: what it prints, what it answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.sample import ILLEGAL, LEGAL, OVER, document, put, run

ILLEGAL_OUTPUT = """\
-:15:8: error: Ann does not have 3 Hunter in hand; it holds 2 Hunter, Warrior, Village, Shaman [in-hand]
   |
15 |   play 3 Hunter  # one too many
   |        ^^^^^^^^
   = at: round 3, Ann
   = see: English rulebook, page 9; German rulebook, page 9
   = help: Ann has 3 Hunter in all; according to the log: draw deck: 1, hand: 2

-:19:14: error: Ann: score 7 is claimed, 6 is computed [claim-wrong]
   |
19 |   Ann: score 7
   |              ^
   = at: Ann
   = see: English rulebook, page 15; German rulebook, page 15
   = help: `altay score --explain` derives every number

-:18:1: note: the log ends before the game does; the claims are held against the last state [game-unfinished]
   |
18 | result
   | ^^^^^^

1 game: illegal (2 errors, 1 note)
"""


def test_a_legal_game() -> None:
    result = run("check", "-", text=OVER)
    assert result.exit_code == 0
    assert result.stdout == "1 game: legal\n"
    assert result.stderr == ""


def test_an_illegal_game() -> None:
    # The order of names in a message is the pack's business; all else is exactly as here.
    result = run("check", "-", text=ILLEGAL)
    assert result.exit_code == 1
    assert [sorted(line.split()) for line in result.stdout.splitlines()] == [
        sorted(line.split()) for line in ILLEGAL_OUTPUT.splitlines()
    ]
    layout = [line[: line.find("|") + 1] for line in ILLEGAL_OUTPUT.splitlines() if "|" in line]
    assert [
        line[: line.find("|") + 1] for line in result.stdout.splitlines() if "|" in line
    ] == layout
    assert "   |        ^^^^^^^^\n" in result.stdout


def test_notes_stand_below_the_errors_of_their_game() -> None:
    found = r"-:(\d+):\d+: (error|note)"
    text = run("check", "-", text=ILLEGAL).stdout
    assert re.findall(found, text) == [("15", "error"), ("19", "error"), ("18", "note")]
    # What other programs read keeps the order of places.
    text = run("check", "-", "--format", "concise", text=ILLEGAL).stdout
    assert re.findall(found, text) == [("15", "error"), ("18", "note"), ("19", "error")]
    (game,) = document("check", "-", text=ILLEGAL)["files"][0]["games"]
    assert [one["severity"] for one in game["findings"]] == ["error", "note", "error"]


def test_a_note_alone_is_nothing_wrong() -> None:
    result = run("check", "-", text=LEGAL)
    assert result.exit_code == 0
    assert "note: " in result.stdout
    assert "1 game: legal (1 note)" in result.stdout


def test_the_shape_of_the_json_document() -> None:
    whole = document("check", "-", text=ILLEGAL)
    assert list(whole) == ["files"]
    (file,) = whole["files"]
    assert list(file) == ["path", "games"]
    assert file["path"] == "-"
    (game,) = file["games"]
    assert list(game) == [
        "tags", "verdict", "recorded", "ended", "rounds", "moves", "findings",
        "scores", "rows", "ranking", "winners", "decided_by",
    ]  # fmt: skip
    assert game["tags"] == {"Game": "altay", "Event": "Tuesday table", "Date": "2026.11.17"}
    assert (game["verdict"], game["ended"], game["rounds"], game["moves"]) == (
        "illegal",
        False,
        3,
        2,
    )
    assert game["ranking"] == [["Ann"], ["Bob"]]
    assert game["winners"] == ["Ann"]
    assert game["decided_by"] == "total"
    assert game["scores"]["Ann"] == {
        "technologies": 2, "wonders": 3, "cards": 0, "territories": 1, "captured": 0, "conquest": 0,
        "total": 6,
    }  # fmt: skip


def test_the_shape_of_a_finding() -> None:
    (file,) = document("check", "-", text=ILLEGAL)["files"]
    in_hand, unfinished, claim = file["games"][0]["findings"]
    assert list(in_hand) == [
        "rule", "severity", "message", "line", "column", "end_line", "end_column",
        "round", "player", "cite", "ruling", "help", "fixes",
    ]  # fmt: skip
    message = in_hand.pop("message")
    assert message.startswith("Ann does not have 3 Hunter in hand; it holds ")
    assert in_hand == {
        "rule": "in-hand", "severity": "error",
        "line": 15, "column": 8, "end_line": 15, "end_column": 16,
        "round": 3, "player": "Ann", "cite": {"en": 9, "de": 9}, "ruling": None, "help": ["Ann has 3 Hunter in all; according to the log: draw deck: 1, hand: 2"], "fixes": [],
    }  # fmt: skip
    assert (unfinished["rule"], unfinished["severity"]) == ("game-unfinished", "note")
    assert (unfinished["round"], unfinished["player"]) == (None, None)
    assert (claim["rule"], claim["player"], claim["line"]) == ("claim-wrong", "Ann", 19)


def test_a_legal_game_as_json() -> None:
    (file,) = document("check", "-", text=OVER)["files"]
    assert file["games"][0]["verdict"] == "legal"
    assert file["games"][0]["findings"] == []


def test_several_games_in_a_file() -> None:
    result = run("check", "-", text=OVER + ILLEGAL + LEGAL)
    assert result.exit_code == 1
    assert "3 games in 1 file: 2 legal, 1 illegal (2 errors, 2 notes)" in result.stdout
    (file,) = document("check", "-", text=OVER + ILLEGAL + LEGAL)["files"]
    assert [game["verdict"] for game in file["games"]] == ["legal", "illegal", "legal"]
    # Each finding is at its place in the file, and with its game.
    shift = OVER.count("\n")
    assert [f["line"] for f in file["games"][1]["findings"]] == [15 + shift, 18 + shift, 19 + shift]


def test_findings_on_the_syntax_are_with_their_game() -> None:
    (file,) = document("check", "-", text=OVER + OVER.replace("F6", "F6 \x01") + OVER)["files"]
    assert [[f["rule"] for f in game["findings"]] for game in file["games"]] == [[], ["syntax"], []]


def test_files_and_folders_in_order(tmp_path: Path) -> None:
    put(tmp_path, b=OVER, a=ILLEGAL)
    (tmp_path / "deep").mkdir()
    put(tmp_path / "deep", z=OVER)
    (tmp_path / "notes.txt").write_text("no log")
    (other,) = put(tmp_path, c=LEGAL)
    files = document("check", tmp_path, other)["files"]
    names = [str(Path(file["path"]).relative_to(tmp_path)) for file in files]
    assert names == ["a.agn", "b.agn", "c.agn", "deep/z.agn", "c.agn", "."]
    assert files[-1]["skipped"] == (
        "1 file is left out, because its name does not end in .agn: notes.txt"
    )
    assert run("check", tmp_path).exit_code == 1
    assert "4 games in 4 files: 3 legal, 1 illegal" in run("check", tmp_path).stdout


def test_what_cannot_be_read_is_said_and_the_rest_is_checked(tmp_path: Path) -> None:
    (good,) = put(tmp_path, good=OVER)
    binary = tmp_path / "binary.agn"
    binary.write_bytes(b"\x89PNG\r\n\x00\x1a")
    result = run("check", binary, good, tmp_path / "missing.agn")
    assert result.exit_code == 2
    assert "1 game: legal; 2 files could not be read" in result.stdout
    assert f"altay: {tmp_path / 'missing.agn'}: there is no such file\n" in result.stderr
    assert f"altay: {binary}: not a text" in result.stderr
    files = document("check", binary, good)["files"]
    assert {Path(file["path"]).name: len(file["games"]) for file in files} == {
        "good.agn": 1,
        "binary.agn": 0,
    }
    assert "error" in next(file for file in files if file["path"].endswith("binary.agn"))


def test_an_error_and_an_unreadable_file(tmp_path: Path) -> None:
    assert run("check", tmp_path / "missing.agn", *put(tmp_path, bad=ILLEGAL)).exit_code == 2


def test_a_folder_without_logs(tmp_path: Path) -> None:
    result = run("check", tmp_path)
    assert result.exit_code == 2
    assert "the folder holds no .agn files" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["check"], ["check", "--zork", "-"], ["check", "-", "--format", "xml"], ["zork"], []],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


@pytest.mark.parametrize("command", ["check", "score", "fmt", "explain"])
def test_help(command: str) -> None:
    for flag in ("-h", "--help"):
        result = run(command, flag)
        assert result.exit_code == 0
        assert result.stdout.startswith("Usage:")


def test_no_colours_where_nobody_sees_them() -> None:
    assert "\x1b" not in run("check", "-", text=ILLEGAL).stdout


# ---------------------------------------------------------------- under other rules

UNUSABLE = "variant: bad\nextends: altay\ntitle: Bad\nchange: [{set: numbers.zork.value, to: 1}]\n"
NO_FARMERS = """\
variant: strict
extends: altay
title: Nobody buys a Farmer
change:
  - extend: moves.buy.requires
    with:
      - {rule: no-farmers, that: "title != titles.farmer", else: "nobody buys a Farmer"}
"""


def test_rules_that_cannot_be_used_are_no_comparison(tmp_path: Path) -> None:
    (log,) = put(tmp_path, good=LEGAL)
    (tmp_path / "bad.yaml").write_text(UNUSABLE, encoding="utf-8")
    for form in ("text", "json"):
        arguments = ["check", "--format", form, "--under", tmp_path / "bad.yaml", log]
        assert run(*arguments).exit_code == 2
        assert run(*arguments, "--under", "trading").exit_code == 2
    assert run("check", "--under", "no-such-variant", log).exit_code == 2
    assert run("check", "--under", tmp_path / "missing.yaml", log).exit_code == 2


def test_the_exit_code_is_about_the_log_as_it_was_played(tmp_path: Path) -> None:
    legal, illegal = put(tmp_path, legal=LEGAL, illegal=ILLEGAL)
    (tmp_path / "strict.yaml").write_text(NO_FARMERS, encoding="utf-8")
    under = ("--under", tmp_path / "strict.yaml")
    result = run("check", *under, legal)
    assert "nobody buys a Farmer" in result.stdout
    assert result.exit_code == 0
    assert run("check", *under, illegal).exit_code == 1


def test_a_comparison_is_told_in_the_language_of_the_command(tmp_path: Path) -> None:
    logs = put(tmp_path, one=LEGAL, two=LEGAL)
    (tmp_path / "strict.yaml").write_text(NO_FARMERS, encoding="utf-8")
    arguments = ("check", "--lang", "de", "--under", tmp_path / "strict.yaml")
    one = run(*arguments, logs[0]).stdout
    assert "wie gespielt" in one
    assert "nur unter" in one
    both = run(*arguments, *logs).stdout
    assert "2 Partien" in both
    assert "regelkonform wie gespielt, regelwidrig unter" in both
    assert "game" not in both.replace(str(tmp_path), "")
    # Programs read the same names of games in every language.
    logs[0].write_text(LEGAL + LEGAL, encoding="utf-8")
    shifts = json.loads(run(*arguments, "--format", "json", *logs).stdout)["under"].values()
    assert [shift["verdict"][:2] for shift in shifts] == [
        [f"{logs[0]}, game 1", f"{logs[0]}, game 2"]
    ]


def test_claims_are_compared_apart_from_legality(tmp_path: Path) -> None:
    # A secret wonder brings Ann 3 of her 6 points, and 4 of 7 under the variant: the moves are legal under both.
    text = (
        "variant: four\nextends: altay\ntitle: Four points\n"
        "change: [{set: numbers.secret_bonus.value, to: 4}]\n"
    )
    (tmp_path / "four.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "logs").mkdir()
    put(tmp_path / "logs", one=LEGAL, two=LEGAL)
    under = ("check", "--under", tmp_path / "four.yaml")
    told = run(*under, tmp_path / "logs").stdout
    assert (
        "0 of 2 games change their verdict, 0 the winner; the claimed results of 2 games are right under only one"
        in told
    )
    assert "illegal" not in told
    counts = document(*under, tmp_path / "logs")["under"][str(tmp_path / "four.yaml")]
    assert (counts["verdict"], counts["winner"], len(counts["claims"])) == ([], [], 2)
    rows = [line.split() for line in run(*under, tmp_path / "logs" / "one.agn").stdout.splitlines()]
    assert ["as", "played", "legal", "0", "0", "no"] in rows
    assert [str(tmp_path / "four.yaml"), "legal", "0", "1", "no"] in rows


@pytest.mark.parametrize("spelled", ["Edition", "edition", "EDITION"])
def test_names_of_tags_in_any_case(spelled: str) -> None:
    text = OVER.replace("[Game", "[gAME").replace("position", f'[{spelled} "de"]\nposition', 1)
    game = document("check", "-", text=text)["files"][0]["games"][0]
    assert game["findings"] == []
    assert "goals" in game["scores"]["Ann"]


def test_notes_of_one_kind_are_counted(tmp_path: Path) -> None:
    put(tmp_path, **{f"game{number}": LEGAL for number in range(9)})
    lines = run("check", tmp_path).stdout.splitlines()
    assert [line.endswith("[game-unfinished]") for line in lines[:3]] == [True] * 3
    # The claims are right: nothing has to be looked at, and no blank lines part the notes.
    assert lines[3:5] == ["6 notes more [game-unfinished]; `--format concise` lists all", ""]
    assert lines[5].startswith("9 games in 9 files: all legal")
    assert run("check", "--format", "concise", tmp_path).stdout.count("[game-unfinished]") == 9
