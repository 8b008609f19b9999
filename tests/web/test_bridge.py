"""The page gets the same reports as the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "web" / "python"
sys.path.insert(0, str(PYTHON))

from bridge import answer, tokens  # noqa: E402

GAMES = ROOT / "games"
MISTAKES = (GAMES / "mistakes.agn").read_text(encoding="utf-8")
TWO_PLAYERS = (GAMES / "two-players.agn").read_text(encoding="utf-8")
HEAVY = {"jsonschema", "rpds", "ruamel", "jinja2", "click"}


def ask(language: str = "en", /, **request: Any) -> Any:
    return json.loads(answer(json.dumps({"id": 1, "language": language, "request": request})))


def command(*words: str, text: str | None = None, folder: Path | None = None) -> Any:
    ran = subprocess.run(
        [sys.executable, "-m", "altay_cli", *words], input=text, capture_output=True, text=True,
        check=False, encoding="utf-8", cwd=folder or ROOT,
    )  # fmt: skip
    return json.loads(ran.stdout)


def games_of(document: Any) -> Any:
    """Return the games of a report, without what the page adds for people."""
    games = [game for file in document["files"] for game in file["games"]]
    for game in games:
        game.pop("sheet", None)
        for finding in game["findings"]:
            finding.pop("cited", None)
            finding.pop("related", None)
    return games


@pytest.mark.parametrize("log", ["mistakes", "tie", "swept-away"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_check_is_the_report_of_the_command_line(log: str, language: str) -> None:
    path = GAMES / f"{log}.agn"
    there = command("score", str(path), "--explain", "--format", "json", "--lang", language)
    here = ask(language, kind="check", text=path.read_text(encoding="utf-8"))
    assert games_of(here) == games_of(there)
    short = command("check", str(path), "--format", "json", "--lang", language)
    for game in here["files"][0]["games"]:
        game.pop("explain", None)
    assert games_of(here) == games_of(short)


def test_a_check_imports_nothing_for_rule_files_templates_or_commands() -> None:
    # The first run fills the cache of compiled packs, as the page has it from the start.
    script = (
        "import sys, json; from bridge import answer; "
        "answer(json.dumps({'language': 'de', 'request': {'kind': 'check', 'text': sys.argv[1]}})); "
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", script, TWO_PLAYERS], capture_output=True, text=True, check=True,
            cwd=PYTHON, env={"PYTHONPATH": f"{ROOT}:{PYTHON}", "HOME": str(Path.home()), "PATH": ""},
        )  # fmt: skip
    assert not HEAVY & {*json.loads(ran.stdout)}


def test_a_replay_has_the_data_of_each_game_and_its_maps() -> None:
    replay = ask("de", kind="replay", text=TWO_PLAYERS)
    (game,) = replay["games"]
    assert game["players"] and game["steps"] and game["log"]
    assert all(drawn.lstrip().startswith("<svg") for drawn in replay["maps"])
    assert replay["config"]["words"] and replay["config"]["outlines"]


def test_a_replay_of_what_is_no_log_has_no_game() -> None:
    assert ask(kind="replay", text="hello")["games"] == [None]


def test_completion_is_what_moves_lists_before_a_line(tmp_path: Path) -> None:
    line = next(n for n, t in enumerate(TWO_PLAYERS.split("\n"), 1) if t.startswith("turn 2")) + 1
    (tmp_path / "log.agn").write_text(TWO_PLAYERS, encoding="utf-8")
    there = command("moves", "log.agn", "--at", f"{line}:1", "--format", "json", folder=tmp_path)
    assert ask(kind="complete", text=TWO_PLAYERS, line=line, column=1) == there


def test_completion_takes_the_game_of_its_line() -> None:
    text = f"{TWO_PLAYERS.rstrip()}\n\n{TWO_PLAYERS}"
    first, second = (
        ask(kind="complete", text=text, line=text.count("\n", 0, place) + 2, column=1)
        for place in (text.index("\nturn 2 Jonas"), text.rindex("\nturn 2 Jonas"))
    )
    assert first["moves"]
    assert first == second


def test_completion_says_why_there_is_none() -> None:
    answered = ask(kind="complete", text='[Game "nothing-like-it"]\n', line=2, column=1)
    assert answered["moves"] == [] and answered["error"]


@pytest.mark.parametrize(
    "text",
    [
        '[Game "x"]  # a note\nsetup\nAnn: take 3 wood => ?; pass\n\nturn 1 Ann\ngive wood, # and\nclay (2)\n',
        '\ufeff[Event "\N{GAME DIE} night"]\r\nturn 1 \N{GAME DIE}\r\nsay "hi" # \N{GAME DIE}\r\n',
    ],
)
def test_tokens_are_the_terminals_of_the_text(text: str) -> None:
    units = text.encode("utf-16-le")
    found = [(units[2 * a : 2 * b].decode("utf-16-le"), name) for a, b, name in tokens(text)]
    assert [shown for shown, name in found if name == "COMMENT"] == [
        line[line.index("#") :].rstrip() for line in text.splitlines() if "#" in line
    ]
    words = [
        shown for shown, name in found if name in {"WORD", "TEXT", "NUMBER", "TURN", "SECTION"}
    ]
    assert all(word.strip() == word and word in text for word in words)
    assert "turn" in words and ("turn", "TURN") in found


def test_a_word_of_a_heading_within_a_statement_is_a_word() -> None:
    assert [name for *_, name in tokens("say turn")] == ["WORD", "WORD"]


HOUSE_RULE = """\
id: short-game
title: A shorter game
extends: {game}
"""


def test_a_variant_is_checked_as_on_the_command_line(tmp_path: Path) -> None:
    text = HOUSE_RULE.format(game="nim")
    (tmp_path / "short.yaml").write_text(text, encoding="utf-8")
    there = command(
        "rules", "check", "short.yaml", "--format", "json", "--lang", "de", folder=tmp_path
    )
    assert ask("de", kind="rules", name="short.yaml", text=text) == there


def test_a_log_finds_the_variant_beside_it() -> None:
    text = '[Game "nim"]\n[Variant "short.yaml"]\n'
    missing = ask(kind="check", text=text)["files"][0]["games"][0]["findings"]
    assert "variant-path" in {finding["rule"] for finding in missing}
    there = ask(kind="check", text=text, files={"short.yaml": "title: ["})["files"][0]["games"][0]
    rules = {finding["rule"] for finding in there["findings"]}
    assert "variant-path" not in rules and "rules" in rules


@pytest.mark.parametrize("name", ["../x.yaml", "/x.yaml", "a/../../x.yaml", "", "a\0b"])
def test_a_file_stays_in_its_folder(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a file"):
        ask(kind="check", text=MISTAKES, files={name: "x"})


def test_the_games_come_with_their_seats_and_categories() -> None:
    games = {game["id"]: game for game in ask("de", kind="games")["games"]}
    assert {path.parent.name for path in (ROOT / "rules").glob("*/game.yaml")} == {*games}
    game = games["altay"]
    assert 1 < game["seats"]["least"] <= game["seats"]["most"]
    assert all(category["title"] and category["cited"] for category in game["categories"])


def test_a_pad_becomes_a_log_that_is_scored() -> None:
    columns = [
        {"player": name, "points": {"wonders": n, "cards": 1}}
        for name, n in (("Ann", 7), ("Bob", 5))
    ]
    text = ask(kind="pad", game="altay", tags={"Event": "Club"}, points=columns)["text"]
    (game,) = ask(kind="check", text=text)["files"][0]["games"]
    assert game["tags"]["Event"] == "Club"
    assert game["scores"]["Ann"]["wonders"] == 7


def test_a_line_is_explained() -> None:
    assert ask(kind="why", text=MISTAKES, line=5)["line"] == 5


def test_an_unknown_request_is_refused() -> None:
    with pytest.raises(ValueError, match="no request 'fly'"):
        ask(kind="fly")


def test_the_cursor_may_go_from_line_to_line_in_any_language() -> None:
    lines = [5, 20, 6]
    apart = [ask(kind="why", text=MISTAKES, line=line) for line in lines]
    assert [found["line"] for found in apart] == lines
    german = ask("de", kind="why", text=MISTAKES, line=5)
    assert german["about"] != apart[0]["about"]
