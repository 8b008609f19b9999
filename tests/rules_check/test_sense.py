"""House rules that make no sense, and those that do: each row of a file is a variant."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.findings import Finding
from altay_cli.base.resources import data_folder
from altay_cli.lint.examine import Examiner
from altay_cli.source.yaml_reader import read_yaml
from attack.sensible_rules import messages_of
from tests.languages.warned import without_unused

HERE = Path(__file__).parent


def rows(name: str) -> dict[str, Any]:
    document, _ = read_yaml((HERE / name).read_text(encoding="utf-8"), name)
    assert document is not None
    return dict(document.data)


SENSELESS = rows("senseless.yaml")
SENSIBLE = rows("sensible.yaml")
SETS = 3
SENSELESS_SETS = 9
HEAD_LINES = 4
"""Lines of a variant before its changes, each of which has a line of its own."""


@lru_cache(maxsize=1)
def examiner() -> Examiner:
    return Examiner(data_folder("rules") / "altay")


def problems(folder: Path, changes: list[Any], extends: str = "altay") -> list[Finding]:
    """Return what is said of a variant with these changes."""
    path = folder / "variant.yaml"
    lines = [f"  - {json.dumps(change, ensure_ascii=False)}" for change in changes]
    head = ["variant: a-house-rule", f"extends: {extends}", "title: A house rule", "change:"]
    assert len(head) == HEAD_LINES
    path.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    return examiner().examine([path])


# Several at once, to be soon done: what is said of one is said of all. Of two contradictions in one move the first is
# told, so there are more sets of what makes no sense.
@pytest.mark.parametrize("first", range(SENSELESS_SETS))
def test_what_makes_no_sense_is_told(first: int, tmp_path: Path) -> None:
    rows = [row for row in SENSELESS.values() if "extends" not in row][first::SENSELESS_SETS]
    found = problems(tmp_path, [change for row in rows for change in row["change"]])
    line = HEAD_LINES + 1
    for row in rows:
        lines = range(line, line + len(row["change"]))
        line = lines.stop
        is_told([problem for problem in found if problem.span.line in lines], row)
    assert all(HEAD_LINES < problem.span.line < line for problem in found), found


def test_what_makes_no_sense_in_a_variant_is_told(tmp_path: Path) -> None:
    (row,) = [row for row in SENSELESS.values() if "extends" in row]
    is_told(problems(tmp_path, row["change"], row["extends"]), row)


def is_told(found: list[Finding], row: dict[str, Any]) -> None:
    """Assert that just what a row lists is found in the lines of its changes."""
    said = {problem.rule: "\n".join([problem.message, *problem.help]) for problem in found}
    assert set(said) == set(row["says"]), (row, said)
    assert [key for key, text in row["says"].items() if text not in said[key]] == [], said
    assert {problem.file for problem in found} == {"variant.yaml"}


@pytest.mark.parametrize("first", range(SETS))
def test_nothing_is_said_of_what_makes_sense(first: int, tmp_path: Path) -> None:
    changes = [change for row in list(SENSIBLE.values())[first::SETS] for change in row]
    assert [str(problem) for problem in problems(tmp_path, changes)] == []


# A few of them, in some games; `python -m attack.sensible_rules` plays by each of them alone.
@pytest.mark.parametrize(
    "names", [("fame", "new-card", "found-tokens", "cheap-coins", "late-buying")]
)
def test_nothing_is_said_of_what_makes_sense_when_it_is_played(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    assert messages_of([change for name in names for change in SENSIBLE[name]], tmp_path, 5) == []


# In chess, how the game stands hangs on the moves that are legal. Of Altay, test_broken.py asks it.
@pytest.mark.parametrize("game", ["chess", "gofish", "innovation", "kalah", "nim"])
def test_nothing_is_said_of_games(game: str) -> None:
    assert without_unused(Examiner(data_folder("rules") / game).examine(())) == []


def test_there_are_enough_of_both() -> None:
    assert len(SENSELESS) >= 30
    assert len(SENSIBLE) >= 30
