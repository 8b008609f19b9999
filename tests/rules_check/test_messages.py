"""What is told of mistakes that are easily made, so that they are easily mended."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from altay_cli.pack.problems import Problem
from altay_cli.resources import data_folder
from altay_cli.rulecheck.examine import Examiner


@lru_cache(maxsize=1)
def examiner() -> Examiner:
    return Examiner(data_folder("rules") / "altay")


def problem(folder: Path, change: str) -> Problem:
    """Return the first problem of a variant with one change."""
    path = folder / "variant.yaml"
    text = f"variant: a\nextends: altay\ntitle: A\nchange:\n  - {change}\n"
    path.write_text(text, encoding="utf-8")
    return examiner().examine([path])[0]


def test_all_places_that_use_what_is_removed(tmp_path: Path) -> None:
    found = problem(tmp_path, "{remove: entities.title.village}")
    assert found.message.startswith("`entities.title.village` is removed here, and ")
    assert found.help[-1].count("altay/cards/factions.yaml, line ") > 1


def test_a_removed_number_that_is_used(tmp_path: Path) -> None:
    found = problem(tmp_path, "{remove: numbers.hand_size}")
    assert found.message.startswith("`numbers.hand_size` is removed here, and ")
    assert "altay/moves/setup.yaml, line " in found.help[-1]


def test_a_name_that_differs_in_case(tmp_path: Path) -> None:
    found = problem(tmp_path, "{set: entities.title.town.cost, to: [Food, Wood]}")
    assert found.help == ("did you mean `food`?",)


def test_an_entry_that_is_set_to_its_value(tmp_path: Path) -> None:
    found = problem(tmp_path, "{set: numbers.hand_size, to: 6}")
    assert found.help == ("did you mean `numbers.hand_size.value`?",)


def test_a_thing_that_is_written_as_a_text(tmp_path: Path) -> None:
    rule = "{rule: x, that: \"title == 'town'\", else: no}"
    found = problem(tmp_path, f"{{extend: moves.buy.requires, with: [{rule}]}}")
    assert found.message.endswith("; did you mean `titles.town`?")
