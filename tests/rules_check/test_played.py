"""What `rules check` shows by playing: scores that fail, games that are too long, whole packs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.resources import data_folder, pack_folders
from altay_cli.lint.playtests import Playtests
from altay_cli.lint.tryout import _length, _lost_sentences, _unfair_seats, is_lost
from altay_cli.simulation.measuring import Side
from altay_cli.simulation.simulated import Playout
from tests.cli.sample import run

HEAD = "variant: house\nextends: tictactoe\ntitle: House\nchange:\n"


def checked(*arguments: str | Path) -> dict[str, Any]:
    (file,) = json.loads(run("rules", "check", *arguments, "--format", "json").stdout)["files"]
    assert isinstance(file, dict)
    return file


def told(file: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    return [
        (p["rule"], p["message"].partition(":")[0], p["file"], p["line"]) for p in file["problems"]
    ]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        # Nobody has marked all of the first column when nobody has marked it: 1 / 0.
        (
            "{add: categories.rest, to: {title: Rest, parts: [{points: 6 / free(), show: rest}]}}",
            "rest",
        ),
        ("{add: ranking, to: [6 / free()]}", "ranking.0"),
        ("{extend: outcome, first: true, with: [{when: 6 / free() == 9, by: nine}]}", "outcome.0"),
    ],
)
def test_scores_that_cannot_be_computed(change: str, what: str, tmp_path: Path) -> None:
    free = "squares.filter(s, s.column == 1 && s.mark == null).size()"
    path = tmp_path / "house.yaml"
    path.write_text(
        f"{HEAD}  - {{add: functions.free, to: {{title: Free squares, gives: int, is: '{free}'}}}}\n  - {change}\n",
        "utf-8",
    )
    file = checked(path, "--play", "10")
    message = f"`{what}` cannot be computed when a game is scored"
    assert [one[:2] for one in told(file)] == [("play-failure", message)]
    assert run("rules", "check", path, "--play", "10").exit_code == 1
    report = run("rules", "report", path, "--play", "10").stdout
    assert "Playable" not in report
    assert message in report


def test_a_game_is_played_as_a_variant_is(tmp_path: Path) -> None:
    """Also one in a folder in which games are not looked for."""
    folder = tmp_path / "mine"
    shutil.copytree(data_folder("rules") / "tictactoe", folder)
    for path, old, new in (
        ("game.yaml", "game: tictactoe", "game: mine"),
        (
            "moves/mark.yaml",
            "set: {square.mark: me}",
            "set: {square.mark: 'players[5 - 5 / free()]'}",
        ),
    ):
        text = (folder / path).read_text("utf-8")
        assert old in text
        (folder / path).write_text(text.replace(old, new), "utf-8")
    with (folder / "game.yaml").open("a") as file:
        is_ = "squares.filter(s, s.mark == null).size() - 5"
        file.write(f"  free: {{title: Free, gives: int, is: '{is_}'}}\n")
    found = checked(folder, "--play", "3")
    message = "`mark` is legal, but its effects fail"
    assert told(found) == [("play-failure", message, "mine/moves/mark.yaml", 3)]
    assert found["played"]["before"] is None
    assert "mine" not in pack_folders()


def test_games_that_come_with_the_program_show_nothing() -> None:
    for game in ("tictactoe", "nim"):
        file = checked(game, "--play", "6")
        assert told(file) == []
        assert file["played"]["after"]["over"] == 6
        text = run("rules", "check", game, "--play", "6").stdout
        assert "6 games ended" in text
        assert "without it" not in text


def of_rounds(*rounds: int) -> Playtests:
    return Playtests([Playout(n, True, "over", rounds=r) for n, r in enumerate(rounds)])


def test_games_that_take_far_more_rounds() -> None:
    base = of_rounds(15, 16, 17, 16, 15, 17)
    (shown,) = _length(base, of_rounds(78, 87, 80, 76, 85, 74))
    assert shown.finding.rule == "play-long"
    assert shown.finding.message == "games take 80.0 rounds on average"
    assert shown.finding.help == ("without the variant they take 16.0",)
    assert list(_length(base, of_rounds(18, 20, 17, 22, 19, 21))) == []
    # Longer games can be meant.
    assert list(_length(base, of_rounds(38, 47, 40, 36, 45, 34))) == []
    # Two games are no proof.
    assert list(_length(base, of_rounds(47, 47))) == []


@pytest.mark.parametrize(("games", "lost"), [(9, False), (10, True)])
def test_what_was_legal_in_half_of_the_games_is_lost_by_no_accident(games: int, lost: bool) -> None:
    """That of 20 games none has it: (12/21)^20 is 14 in a million, (11/21)^20 is 2."""
    before, after = of_rounds(*[5] * 20), of_rounds(*[5] * 20)
    before.legal["fly", "", ""] = dict.fromkeys(range(games), 1)
    assert is_lost(("fly", "", ""), before, after) is lost


def won_by_first(games: int) -> Playtests:
    outcomes = [Playout(number, True, "over") for number in range(20)]
    for outcome in outcomes:
        won = float(outcome.number < games)
        outcome.sides = [Side(1, "", 0, won, {}), Side(2, "", 0, 1 - won, {})]
    return Playtests(outcomes)


def test_a_seat_that_wins_far_more_than_its_share() -> None:
    (shown,) = _unfair_seats(won_by_first(10), won_by_first(19))
    assert shown.finding.message == "the player of seat 1 won 19 of 20 games"
    share = "in 19 of 20 cases, its share is 76% to 99%; without the variant it won 50%"
    assert shown.finding.help == (share,)
    # 58% to 92% of games may be no more than 60%.
    assert list(_unfair_seats(won_by_first(10), won_by_first(16))) == []


def test_of_many_things_that_are_not_legal_any_more_some_are_named() -> None:
    lost = {("take", ""): [("take", "stone", f"S{number}") for number in range(1, 14)]}
    (told,) = _lost_sentences(lost)
    names = ", ".join(f"S{number}" for number in range(1, 13))
    assert told == f"`take` with {names} and others was legal before and is not any more"


def test_a_report_looks_before_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(f"{HEAD}  - {{set: title, to: T}}\n", "utf-8")
    (tmp_path / "there.html").write_text("mine")
    monkeypatch.setattr("altay_cli.cli.rules_check._played", lambda *_: pytest.fail("it plays"))
    result = run("rules", "report", path, "-o", tmp_path / "there.html", "--play", "5")
    assert (result.exit_code, "exists already" in result.stderr) == (2, True)
    result = run("rules", "report", path, "-o", tmp_path / "nowhere/page.html", "--play", "5")
    assert (result.exit_code, "No such file or directory" in result.stderr) == (2, True)
