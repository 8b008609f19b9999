"""`--game N`: a command works on one game of a file, whose number and lines are those of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.sample import run

GAME = """\
[Game "nim"]
setup
  seat Ann
  seat Bob
  heap A of 3
turn 1 Ann
  take {taken} from A
turn 1 Bob
  take 1 from A
result
  winner Bob
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a file whose second game is illegal: nobody may take four of three."""
    path = tmp_path / "two.agn"
    path.write_text(GAME.format(taken=2) + GAME.format(taken=4))
    return path


def test_check_judges_that_game_only(log: Path) -> None:
    first, second = (run("check", log, "--game", n, "--format", "concise") for n in "12")
    assert (first.exit_code, first.stdout) == (0, "1 game: legal\n")
    assert second.exit_code == 1
    assert second.stdout.startswith(f"{log}:18:8: error: ")


def test_reports_give_the_number_that_it_has_in_the_file(log: Path) -> None:
    assert run("score", log, "--game", "2").stdout.startswith(f"{log}, game 2\n")
    assert '"game": 2' in run("check", log, "--game", "2", "--format", "jsonl").stdout
    assert 'name="game 2"' in run("check", log, "--game", "2", "--format", "junit").stdout
    assert f"{log},2,illegal" in run("score", log, "--game", "2", "--format", "csv").stdout


@pytest.mark.parametrize("number", ["0", "3", "-1"])
@pytest.mark.parametrize("command", ["check", "score", "fill", "replay -o -", "log", "show"])
def test_a_game_that_there_is_not(command: str, number: str, log: Path) -> None:
    result = run(*command.split(), log, "--game", number)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"altay: {log}: there is no game {number}: the log holds 2\n"


def test_check_compares_that_game_under_a_variant(log: Path) -> None:
    one = run("check", log, "--game", "1", "--under", "six-card-hand", "--format", "json")
    both = run("check", log, "--under", "six-card-hand", "--format", "json")
    assert [out.stdout.count('"as played": {') for out in (one, both)] == [1, 2]


def test_replay_shows_that_game_only(log: Path) -> None:
    one, both = (run("replay", "-o", "-", log, *game).stdout for game in (["--game", "1"], []))
    assert [page.count('id="game-') for page in (one, both)] == [1, 2]


def test_fill_leaves_the_other_games_as_they_are(tmp_path: Path) -> None:
    game = (
        '[Game "nim"]\nsetup\n  seat Ann\n  seat Bob\n  heap A of 3\n'
        "turn 1 Ann\n  take 3 from A\nresult\n  winner Ann\n"
    )
    log = tmp_path / "two.agn"
    log.write_text(GAME.format(taken=4) + game)
    filled = run("fill", log, "--game", "2")
    assert (filled.exit_code, filled.stdout) == (0, log.read_text())
    filled = run("fill", log, "--game", "1")
    assert filled.exit_code == 1
    assert "line 7 has an error" in filled.stderr


def test_fixes_are_made_in_whole_files(log: Path) -> None:
    result = run("check", log, "--game", "1", "--fix")
    assert result.exit_code == 2
    assert "fixes change complete files" in result.stderr
