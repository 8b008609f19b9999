"""Games under each of several values of one rule, side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from altay_cli.cli.main import main
from altay_cli.simulation.planning import Sweep, read_sweep


def run(*arguments: object) -> Result:
    begin = ["simulate", "--seed", "1", "--games", "12", "--processes", "1"]
    return CliRunner().invoke(main, [*begin, *map(str, arguments)])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("numbers.row.value=3..5", (3, 4, 5)),
        ("numbers.row.value=-2..2:2", (-2, 0, 2)),
        ("numbers.row.value=7", (7,)),
        ("numbers.row.value=1..12", tuple(range(1, 13))),
        ("numbers.row.value=5,3,5", (5, 3)),
        ("numbers.row.value=one,two", ("one", "two")),
    ],
)
def test_values_are_read(text: str, values: tuple[object, ...]) -> None:
    assert read_sweep(text) == Sweep("numbers.row.value", values)


@pytest.mark.parametrize("text", ["row", "row=", "row=3..", "row=5..3", "row=1..9:0", "row=0..99"])
def test_what_is_no_sweep_is_refused(text: str) -> None:
    result = run("--game", "tictactoe", "--sweep", text)
    assert result.exit_code == 2
    assert f"--sweep {text}: " in result.output


def test_a_part_that_is_not_there_is_told() -> None:
    result = run("--game", "tictactoe", "--sweep", "numbers.rov.value=2..3")
    assert result.exit_code == 2
    assert "did you mean `row`?" in result.output


def test_values_stand_side_by_side_and_as_curves(tmp_path: Path) -> None:
    plot = tmp_path / "sweep.svg"
    sweep = ["--game", "tictactoe", "--sweep", "numbers.row.value=2..3"]
    result = run(*sweep, "--plot", plot)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert (
        lines[0]
        == "Tic-tac-toe: 12 games for each value of Marks in a row that win (numbers.row.value)"
    )
    # Who may begin has two in a row with the third mark of the game: in the second round.
    assert next(line for line in lines if line.startswith("Rounds")).split()[1:3] == [
        "2.0",
        "(2.0-2.0)",
    ]
    assert plot.read_text(encoding="utf-8").startswith("<?xml")
    found = json.loads(run(*sweep, "--format", "json").output)
    assert found["values"] == [2, 3]
    rounds = next(one for one in found["measures"] if one["title"] == "Rounds")
    assert rounds["values"][0] == {"value": 2.0, "low": 2.0, "high": 2.0, "n": 12}


def test_the_six_measures_that_change_most_are_drawn(tmp_path: Path) -> None:
    plot = tmp_path / "sweep.svg"
    result = run("--game", "tictactoe", "--sweep", "numbers.row.value=2..3", "--plot", plot)
    _, _, left_out = result.output.partition("Not in the plot, as they change less clearly: ")
    assert len(re.findall('id="axes_', plot.read_text(encoding="utf-8"))) == 6
    # The rounds, moves and wins differ. There are no points in this game.
    assert left_out == "Seat 1: score, Seat 2: score, points: Total\n"


def test_variant_files_are_played_under_each_value(tmp_path: Path) -> None:
    path = tmp_path / "four.yaml"
    change = "{set: numbers.row.value, to: 2}"
    path.write_text(
        f"variant: four\nextends: tictactoe\ntitle: Four\nchange:\n  - {change}\n", encoding="utf-8"
    )
    result = run("--variant", path, "--sweep", "title=A,B", "--format", "json")
    rounds = next(m for m in json.loads(result.output)["measures"] if m["title"] == "Rounds")
    assert [value["value"] for value in rounds["values"]] == [2.0, 2.0]
    assert run("--variant", path, "--sweep", "title=A", "--compare", path).exit_code == 2


def test_a_policy_that_never_makes_a_new_move_is_named(tmp_path: Path) -> None:
    rule = "{rule: never-now, that: round > 50, else: later}"
    move = f"{{title: Wait, written: wait, requires: [{rule}], does: [{{set: {{round: round}}}}]}}"
    path = tmp_path / "wait.yaml"
    path.write_text(
        "variant: wait\nextends: tictactoe\ntitle: Wait\nchange:\n"
        f"  - {{add: moves.wait, to: {move}}}\n",
        encoding="utf-8",
    )
    result = run("--variant", path, "--policy", "random")
    assert "The policy random never makes `wait`, which a variant adds." in result.output
    result = run("--variant", path, "--policy", "random", "--lang", "de")
    assert "Die Spielweise random wählt nie `wait`, das eine Variante hinzufügt." in result.output
    found = json.loads(run("--variant", path, "--policy", "random", "--format", "json").output)
    assert found["runs"][0]["never_made"] == [{"policy": "random", "move": "wait"}]
