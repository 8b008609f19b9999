"""`altay check --fix`, `--unsafe-fixes` and `--diff`: what they write, and what they leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.sample import run

RIGHT = (Path(__file__).parents[1] / "written" / "setup.agn").read_text(encoding="utf-8")
CERTAIN = RIGHT.replace("  Bob: settle F6\n", "  Bob settles in F6\n")
BOTH = CERTAIN.replace("  buy Farmer\n", "  buy Faarmeer\n")


def log(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.agn"
    path.write_bytes(text.encode("utf-8"))
    return path


def test_what_is_certain_is_written_and_the_rest_is_told(tmp_path: Path) -> None:
    path = log(tmp_path, BOTH)
    result = run("check", "--fix", str(path))
    assert result.exit_code == 1
    assert path.read_text(encoding="utf-8") == BOTH.replace("Bob settles in F6", "Bob: settle F6")
    assert "1 fix made" in result.stderr
    assert "badly-written" not in result.stdout
    assert "there is no card `Faarmeer`" in result.stdout


def test_guesses_are_written_when_asked_for(tmp_path: Path) -> None:
    path = log(tmp_path, BOTH)
    assert run("check", "--unsafe-fixes", str(path)).exit_code == 0
    assert path.read_text(encoding="utf-8") == RIGHT


def test_comments_in_a_statement_are_kept_but_not_told(tmp_path: Path) -> None:
    path = log(
        tmp_path, RIGHT.replace("  buy Farmer\n", "  plays 3 Hunter,  # one\n    Warrior # two\n")
    )
    message = next(line for line in run("check", str(path)).stdout.splitlines() if "badly" in line)
    assert message.endswith("`play 3 Hunter, Warrior` [badly-written]")
    run("check", "--fix", str(path))
    assert "  play 3 Hunter,  # one\n    Warrior # two\n" in path.read_text(encoding="utf-8")


def test_a_difference_is_shown_and_nothing_is_written(tmp_path: Path) -> None:
    path = log(tmp_path, BOTH)
    result = run("check", "--fix", "--diff", str(path))
    assert result.exit_code == 1
    assert "-  Bob settles in F6\n+  Bob: settle F6\n" in result.stdout
    assert "Farmer" not in result.stdout.replace("buy Farmer", "")
    assert "+  buy Farmer" in run("check", "--diff", "--unsafe-fixes", str(path)).stdout
    assert path.read_text(encoding="utf-8") == BOTH
    assert run("check", "--diff", str(log(tmp_path, RIGHT))).exit_code == 0


def test_ends_of_lines_stay_as_they_are(tmp_path: Path) -> None:
    path = log(tmp_path, CERTAIN.replace("\n", "\r\n"))
    assert run("check", "--fix", str(path)).exit_code == 0
    assert path.read_bytes() == RIGHT.replace("\n", "\r\n").encode("utf-8")


def test_standard_input_is_written_to_standard_output() -> None:
    assert run("check", "--fix", "-", text=CERTAIN).stdout.startswith(RIGHT)


def test_a_log_without_fixes_is_not_touched(tmp_path: Path) -> None:
    path = log(tmp_path, RIGHT)
    before = path.stat().st_mtime_ns
    assert run("check", "--fix", str(path)).exit_code == 0
    assert path.stat().st_mtime_ns == before


HAND = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Earthfolk
  Ann: hand 2 Hunter, Warrior, Village
turn 1 Ann
"""


@pytest.mark.parametrize(
    "line",
    [
        "  play Hunter, R\n",  # `R` is written for `round` as well, and is no word to leave out
        "  play Hunter, T\n",
        "  draw 5 cards\n",  # `end => 5 cards` is as unreadable
        "  play Huntr, Warrior, Xylophone\n",
    ],
)
def test_a_fix_drops_no_name_and_writes_nothing_that_cannot_be_read(
    line: str, tmp_path: Path
) -> None:
    path = log(tmp_path, HAND + line)
    assert "can be fixed" not in run("check", str(path)).stdout
    assert run("check", "--fix", str(path)).exit_code == 1
    assert path.read_text(encoding="utf-8") == HAND + line


def test_what_is_read_as_something_unreadable_is_not_written_as_a_guess_either(
    tmp_path: Path,
) -> None:
    path = log(tmp_path, HAND + "  draw 5 cards\n")
    run("check", "--unsafe-fixes", str(path))
    assert path.read_text(encoding="utf-8") == HAND + "  draw 5 cards\n"


@pytest.mark.parametrize(
    "line",
    [
        "play Hunter, R",
        "play Xylophone, Hunter",
        "play 2 Hunter, Xylophone",
        "play Hunter R",
        "play R Hunter",
        "play Hunter Xylophone",
        "place 2 food R on Village",
        "end => R",
    ],
)
def test_no_guess_leaves_out_a_name_that_nobody_knows(line: str, tmp_path: Path) -> None:
    path = log(tmp_path, f"{HAND}  {line}\n")
    run("check", "--unsafe-fixes", str(path))
    assert path.read_text(encoding="utf-8") == f"{HAND}  {line}\n"


def test_a_guess_in_a_setup_keeps_the_names_that_nobody_knows(tmp_path: Path) -> None:
    text = HAND.replace("Hunter, Warrior", "Hunter, R, Warrior, T") + "  play Hunter, R\n"
    path = log(tmp_path, text)
    run("check", "--unsafe-fixes", str(path))
    assert path.read_text(encoding="utf-8") == text
