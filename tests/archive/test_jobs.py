"""Several processes judge games as one does: the same output, to the byte."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.cli.sample import run

GAMES = 240


def nim(number: int) -> str:
    """Return a game of nim; of five, one is illegal, one cannot be read, one is not over."""
    kind = number % 5
    moves = ["take 2 from A", "take 1 from A"]
    if kind == 1:
        moves[1] = "take 3 from A"
    elif kind == 2:
        moves[1] = "grab everything"
    elif kind == 3:
        moves.pop()
    lines = ['[Game "nim"]', f'[Event "round {number}"]', "setup", "  seat Ann", "  seat Bob"]
    lines += ["  heap A of 3", "turn 1 Ann", *(f"  {move}" for move in moves)]
    return "\n".join([*lines, "result", "  winner Bob" if kind == 0 else "  winner Ann", ""])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one file of many games, and many files of one game."""
    folder = tmp_path_factory.mktemp("club")
    half = GAMES // 2
    (folder / "all.agn").write_text("".join(map(nim, range(half))))
    for number in range(half, GAMES):
        (folder / f"{number}.agn").write_text(nim(number))
    return folder


FORMS = ["text", "concise", "json", "jsonl", "github", "sarif"]


@pytest.mark.parametrize("form", FORMS)
def test_check_prints_the_same_with_two_jobs(form: str, folder: Path) -> None:
    one, two = (run("check", folder, "--format", form, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.exit_code == two.exit_code == 1
    assert one.output == two.output
    assert f"round {GAMES - 1}" in one.output or form not in {"json", "jsonl"}


@pytest.mark.parametrize("options", [["--statistics"], ["--select", "take", "--max-errors", "30"]])
def test_what_is_chosen_of_the_findings_is_the_same(options: list[str], folder: Path) -> None:
    one, two = (run("check", folder, *options, "-j", jobs) for jobs in ("1", "2"))
    assert one.output == two.output
    assert one.exit_code == two.exit_code == 1


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_score_prints_the_same_with_two_jobs(form: str, folder: Path) -> None:
    one, two = (run("score", folder, "--format", form, "-j", jobs) for jobs in ("1", "2"))
    assert one.output == two.output
    assert "Ann" in one.output


@pytest.fixture(scope="module")
def variant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a variant of nim in which the last stone loses."""
    path = tmp_path_factory.mktemp("variants") / "misere.yaml"
    path.write_text(
        "variant: last-loses\nextends: nim\ntitle: The last stone loses\n"
        'version: "1.0"\nchange:\n'
        '  - {set: outcome.0.winners, to: "players.filter(p, p == active)"}\n'
    )
    return path


@pytest.mark.parametrize("form", ["text", "json"])
def test_games_under_other_rules_are_the_same_with_two_jobs(
    form: str, folder: Path, variant: Path
) -> None:
    one, two = (
        run("check", folder, "--under", variant, "--format", form, "-j", jobs) for jobs in "12"
    )
    assert one.exit_code == two.exit_code
    assert one.output == two.output
    assert f"{folder}/all.agn, game 1" in one.output if form == "json" else "game 1: " in one.output


def test_an_archive_is_compared_as_the_folder_is(
    folder: Path, variant: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "club.zip", "w") as packed:
        for path in sorted(folder.glob("*.agn")):
            packed.write(path, path.name)
    plain = run("check", folder, "--under", variant).stdout.replace(f"{folder}/", "")
    archive = run("check", tmp_path / "club.zip", "--under", variant).stdout
    assert archive.replace(f"{tmp_path / 'club.zip'}/", "") == plain


def test_an_archive_is_judged_as_the_folder_is(folder: Path, tmp_path: Path) -> None:
    paths = sorted(folder.iterdir())
    with zipfile.ZipFile(tmp_path / "club.zip", "w") as packed:
        for path in paths:
            packed.write(path, path.name)
    with tarfile.open(tmp_path / "club.tar.gz", "w:gz") as tar:
        for path in paths:
            tar.add(path, path.name)
    plain = run("check", folder, "--format", "concise").output.replace(f"{folder}/", "")
    for name in ("club.zip", "club.tar.gz"):
        archive = run("check", tmp_path / name, "--format", "concise").output
        assert archive.replace(f"{tmp_path / name}/", "") == plain


def test_a_game_has_its_lines_where_the_file_has_them(folder: Path) -> None:
    """The second game of the file is illegal in its ninth line, after the ten of the first."""
    output = run("check", folder / "all.agn", "--format", "concise").output
    first = nim(0).count("\n")
    assert f"all.agn:{first + 9}:8: error: " in output
