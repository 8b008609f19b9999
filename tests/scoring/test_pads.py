"""A result that stands alone, a score pad: it is added up, ranked, and checked as far as it goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from altay_cli.checking.check import check_text
from tests.cli.sample import run
from tests.logs import verify

HERE = Path(__file__).parent / "pads"


@pytest.mark.parametrize("path", sorted(HERE.glob("*.agn")), ids=lambda path: path.stem)
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


def told(name: str, *command: str) -> str:
    return run(*command, str(HERE / f"{name}.agn")).output


def test_verdicts() -> None:
    verdicts = {
        name: check_text((HERE / f"{name}.agn").read_text(encoding="utf-8")).games[0].verdict.value
        for name in ("legal", "wrong-sum", "some-categories", "strict", "nobody")
    }
    assert verdicts == {
        "legal": "legal", "wrong-sum": "illegal", "some-categories": "legal", "strict": "illegal",
        "nobody": "not judged",
    }  # fmt: skip


def test_it_is_added_up_and_ranked() -> None:
    game = json.loads(told("added-up", "score", "--format", "json"))["files"][0]["games"][0]
    assert {name: of["total"] for name, of in game["scores"].items()} == {"Ann": 20, "Bob": 20}
    assert game["scores"]["Bob"]["territories"] == 9
    assert (game["ranking"], game["winners"]) == ([["Bob"], ["Ann"]], ["Bob"])
    assert (game["decided_by"], game["recorded"]) == ("technologies", "wholly")


def test_what_is_not_given_is_open() -> None:
    game = json.loads(told("score-open", "check", "--format", "json"))["files"][0]["games"][0]
    assert game["scores"]["Bob"]["technologies"] == 3
    assert game["scores"]["Bob"]["cards"] is game["scores"]["Bob"]["total"] is None
    assert game["scores"]["Ann"]["total"] == 27
    assert (game["recorded"], game["winners"], game["ranking"]) == ("partly", [], [])
    assert [one["winners"] for one in game["outcomes"]] == [["Bob"], ["Ann"], ["Ann", "Bob"]]
    (help_lines,) = [one["help"] for one in game["findings"] if one["rule"] == "unrecorded"]
    assert help_lines[0] == "Ann: only the score is given"
    assert help_lines[1].startswith("Bob: 7 without Action cards, Territories, ")


def test_lower_ranks_that_are_open() -> None:
    text = '[Game "altay"]\nresult\nAnn: score 30\nBob: score 9\nBob: wonders 3\nCora: score 9\n'
    outcomes = check_text(text).games[0].outcomes
    assert outcomes is not None
    assert {one.standing.ranking for one in outcomes.all} == {
        (("Ann",), ("Bob",), ("Cora",)), (("Ann",), ("Cora",), ("Bob",)), (("Ann",), ("Bob", "Cora")),
    }  # fmt: skip
    assert outcomes.winners == ("Ann",)


def test_scores_are_shown() -> None:
    lines = told("some-categories", "score").splitlines()
    assert lines[1] == "Scores as the log records them."
    assert lines[4].split() == ["1", "Ann", "2", "6", "?", "?", "?", "?", "31"]
    assert lines[-1] == "Winner: Ann"
    assert told("tie-open", "score").endswith("The winner depends on unrecorded facts.\n")
    assert told("chess", "score").endswith("Winner: Ann\n")


@pytest.mark.parametrize("command", ["show", "moves", "log"])
def test_there_is_no_game_to_look_at(command: str) -> None:
    assert (
        told("legal", command)
        == f"altay: {HERE / 'legal.agn'}: the log has only a result, and no position to show\n"
    )


def test_it_is_formatted() -> None:
    text = '[Game "altay"]\nRESULT\nann: Wonders 6;Bob: SCORE 3'
    assert run("fmt", "-", text=text).stdout == (
        '[Game "altay"]\n\nresult\n  ann: wonders 6\n  Bob: score 3\n'
    )
