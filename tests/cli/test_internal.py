"""A mistake of the program is a finding of the game in which it happens; other games go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

import altay_cli
import altay_cli.checking.check
import altay_cli.checking.opening
import altay_cli.checking.playing
import altay_cli.report.json
import altay_cli.report.terminal
from altay_cli.checking.check import check_text
from altay_cli.cli.main import main
from altay_cli.notation.lexis import Lines
from altay_cli.report.results import GameResult
from altay_cli.scoring.claims import Claims

MISTAKE = "no such thing"


def log(event: str) -> str:
    """Return a legal game of tic-tac-toe with the name of an event."""
    moves = "turn 1 Ann\n  mark a1\nturn 1 Bob\n  mark b2\n"
    head = f'[Game "tictactoe"]\n[Event "{event}"]\nsetup\n  seat Ann\n  seat Bob\n'
    return head + moves


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three files of which the middle one holds the game `bad` between two others."""
    monkeypatch.chdir(tmp_path)
    texts = {"1.agn": log("a"), "2.agn": log("b") + log("bad") + log("c"), "3.agn": log("d")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return list(texts)


@pytest.fixture
def mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program fail while it judges the game `bad`."""
    judge = Claims.__init__

    def fail(self: Claims, record: object, played: object) -> None:
        if record.tag("Event").value == "bad":  # type: ignore[attr-defined]
            raise AttributeError(MISTAKE)
        judge(self, record, played)  # type: ignore[arg-type]

    monkeypatch.setattr(Claims, "__init__", fail)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


# ---------------------------------------------------------------- check


@pytest.mark.usefixtures("mistake")
def test_one_game_is_not_judged_and_the_others_are(three: list[str]) -> None:
    result = run("check", "--format", "json", *three)
    assert result.exit_code == 2
    games = [game for file in json.loads(result.stdout)["files"] for game in file["games"]]
    assert [(game["tags"]["Event"], game["verdict"]) for game in games] == [
        ("a", "legal"), ("b", "legal"), ("bad", "not judged"), ("c", "legal"), ("d", "legal"),
    ]  # fmt: skip
    (found,) = games[2]["findings"]
    assert (found["rule"], found["severity"], found["line"]) == ("internal-error", "error", 10)
    assert found["message"] == "internal error: AttributeError: no such thing"
    assert found["help"][0].startswith("raised at checking/check.py:")


@pytest.mark.usefixtures("mistake")
def test_it_is_told_to_people_like_any_finding(three: list[str]) -> None:
    result = run("check", *three)
    assert (result.exit_code, result.stderr) == (2, "")
    assert "2.agn:10:1: error: internal error: AttributeError: no such thing" in result.stdout
    assert "a mistake of the program, not of the log; the game is not judged" in result.stdout
    assert "5 games in 3 files: 4 legal, 1 not judged (1 error)" in result.stdout
    told = run("check", "--lang", "de", *three).stdout
    assert "interner Fehler: AttributeError: no such thing" in told


@pytest.mark.usefixtures("mistake")
def test_documents_for_machines_are_complete(three: list[str]) -> None:
    sarif = json.loads(run("check", "--format", "sarif", *three).stdout)
    (result,) = sarif["runs"][0]["results"]
    assert result["ruleId"] == "internal-error"
    suites = ElementTree.fromstring(run("check", "--format", "junit", *three).stdout)  # noqa: S314
    cases = list(suites.iter("testcase"))
    assert [len(case.findall("error")) for case in cases] == [0, 0, 1, 0, 0]
    lines = run("check", "--format", "jsonl", *three).stdout.splitlines()
    assert [json.loads(line)["verdict"] for line in lines].count("not judged") == 1
    github = run("check", "--format", "github", *three)
    assert (github.exit_code, github.stdout.count("title=internal-error")) == (2, 1)


@pytest.mark.usefixtures("mistake")
def test_scores_of_the_other_games(three: list[str]) -> None:
    result = run("score", *three)
    assert result.exit_code == 2
    assert result.stdout.count("standings so far") == 4
    assert "no scores: internal error: AttributeError: no such thing" in result.stdout


@pytest.mark.usefixtures("mistake")
def test_replay_and_log_show_the_other_games(three: list[str]) -> None:
    result = run("replay", "2.agn", "-o", "page.html")
    assert result.exit_code == 2
    assert "2.agn:10:1: error: internal error" in result.stderr
    assert Path("page.html").read_text(encoding="utf-8").count('type="text/plain"') == 2
    assert run("log", "2.agn", "--game", "1").exit_code == 0
    failed = run("log", "2.agn", "--game", "2")
    assert failed.exit_code == 2
    assert "internal error: AttributeError: no such thing" in failed.stderr


@pytest.mark.usefixtures("mistake")
def test_fill_leaves_the_game_on_which_it_fails_and_fills_the_others(three: list[str]) -> None:
    result = run("fill", "2.agn")
    assert result.exit_code == 2
    assert result.stdout == Path("2.agn").read_text(encoding="utf-8")  # nothing is drawn here
    assert "2.agn: internal error: AttributeError: no such thing; this game stays" in result.stderr


# ---------------------------------------------------------------- where it happens


def test_a_mistake_in_a_report_is_one_of_the_game_that_is_reported(
    three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = altay_cli.report.json.result_document

    def fail(game: GameResult, **how: bool) -> dict[str, object]:
        if game.tags["Event"] == "bad" and not game.failed:
            raise KeyError(MISTAKE)
        return make(game, **how)

    monkeypatch.setattr(altay_cli.report.json, "result_document", fail)
    result = run("check", "--format", "json", *three)
    assert result.exit_code == 2
    games = [game for file in json.loads(result.stdout)["files"] for game in file["games"]]
    assert [game["verdict"] for game in games] == ["legal", "legal", "not judged", "legal", "legal"]


def test_a_game_that_cannot_be_read_by_a_mistake_is_told_among_the_others(
    three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = altay_cli.checking.check.read_log

    def fail(lines: Lines, **how: str) -> object:
        if "bad" in lines.text:
            raise IndexError
        return read(lines, **how)

    monkeypatch.setattr(altay_cli.checking.check, "read_log", fail)
    files = json.loads(run("check", "--format", "json", *three).stdout)["files"]
    assert [[game["verdict"] for game in file["games"]] for file in files] == [
        ["legal"], ["legal", "not judged", "legal"], ["legal"],
    ]  # fmt: skip


def test_fmt_leaves_the_file_on_which_it_fails(
    three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from altay_cli.cli import logs

    form = logs.format_file

    def fail(text: str, *of_its_rules: frozenset[Any]) -> str:
        if "bad" in text:
            raise AttributeError(MISTAKE)
        return form(text, *of_its_rules)

    monkeypatch.setattr(logs, "format_file", fail)
    for name in three:
        Path(name).write_text(Path(name).read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
    before = Path("2.agn").read_text(encoding="utf-8")
    result = run("fmt", *three)
    assert result.exit_code == 2
    assert "altay: 2.agn: internal error: AttributeError: no such thing" in result.stderr
    assert result.stderr.rstrip().endswith("it stays as it is")
    assert Path("2.agn").read_text(encoding="utf-8") == before
    assert result.stdout == "changed: 1.agn\nchanged: 3.agn\n"


def test_any_other_mistake_is_told_on_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AttributeError(MISTAKE)

    monkeypatch.setattr("altay_cli.cli.check.Logs", fail)
    result = CliRunner().invoke(main, ["check", "games/tie.agn"])
    assert result.exit_code == 2
    assert result.stdout == ""
    first, places, *rest = result.stderr.splitlines()
    assert first == "altay: internal error: AttributeError: no such thing"
    assert places.startswith("  at cli/check.py:")
    assert "a mistake of the program" in rest[0]


# ---------------------------------------------------------------- the library


@pytest.mark.usefixtures("mistake")
def test_the_library_raises_nothing_for_a_log() -> None:
    report = check_text(log("a") + log("bad"))
    assert [game.verdict.value for game in report.games] == ["legal", "not judged"]
    assert report.games[1].failed


def test_a_game_that_cannot_be_opened_by_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AttributeError(MISTAKE)

    monkeypatch.setattr(altay_cli.checking.opening, "_opened", fail)
    with pytest.raises(altay_cli.GameError, match="internal error: AttributeError") as raised:
        altay_cli.open_game(log("a"))
    assert [one.rule for one in raised.value.findings] == ["internal-error"]


def test_a_move_on_which_the_program_fails_leaves_the_game_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = altay_cli.open_game(log("a"))
    before = [move.statement for move in game.legal_moves()]
    game.apply("turn 2 Ann")
    play = altay_cli.checking.playing.play

    def fail(*given: object) -> None:
        play(*given)  # type: ignore[arg-type]
        raise AttributeError(MISTAKE)

    with monkeypatch.context() as only_here:
        only_here.setattr(altay_cli.checking.playing, "play", fail)
        with pytest.raises(AttributeError, match=MISTAKE):
            game.apply("mark c3")
    game.undo()
    assert [move.statement for move in game.legal_moves()] == before
