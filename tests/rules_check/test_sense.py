"""House rules that make no sense, and those that do: each row of a file is a variant."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.findings import Finding
from altay_cli.base.resources import data_folder
from altay_cli.lint.examine import Examiner
from altay_cli.source.yaml_reader import read_yaml
from attack.house_rules import HouseRule, check, house_rules, write
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


# A few of them, in some games; `python -m attack.house_rules` plays by each of them alone. The limit of `found-tokens`
# can be reached, but hardly is: that it forbids nothing is told when it is played.
@pytest.mark.parametrize("names", [("fame", "new-card", "cheap-cavalry", "late-buying")])
def test_nothing_is_said_of_what_makes_sense_when_it_is_played(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    changes = [change for name in names for change in SENSIBLE[name]]
    rule = HouseRule("together", "altay", "altay", changes, True)
    assert [*map(tuple, check([rule], tmp_path, 5))] == [([], [])]


# Rows of all games, of which a few are checked here.
SENSIBLE_CLASSICS = {
    "ask-the-left-neighbour", "corners-count", "five-seeds", "last-loses", "pass-once", "six-men",
    "three-at-most", "two-rows",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SENSIBLE_CLASSICS))
def test_nothing_is_said_of_what_a_table_plays(name: str, tmp_path: Path) -> None:
    rules = chain.from_iterable(map(house_rules, ("tuned", "kept", "fresh")))
    of_name = [rule for rule in rules if rule.name == name]
    assert of_name
    assert [found for rule in of_name for found in check([rule], tmp_path, 10) if found] == []


SENSELESS_CLASSICS = {"pass-as-often-as-you-like": "play-endless", "two-in-a-row": "play-seat"}


@pytest.mark.parametrize("name", sorted(SENSELESS_CLASSICS))
def test_what_no_table_plays_is_told(name: str, tmp_path: Path) -> None:
    rules = chain.from_iterable(map(house_rules, ("kept", "fresh")))
    of_name = [rule for rule in rules if rule.name == name]
    found = [told for rule in of_name for told in check([rule], tmp_path, 20)]
    assert [told.playing[0].partition(":")[0] for told in found] == [SENSELESS_CLASSICS[name]]


@pytest.mark.parametrize("of", ["tuned", "kept", "fresh", "again"])
def test_rows_have_different_names(of: str) -> None:
    names = [rule.name for rule in house_rules(of)]
    assert len(names) == len(set(names)) >= 40


# In chess, how the game stands hangs on the moves that are legal. Of Altay, test_broken.py asks it.
@pytest.mark.parametrize("game", ["chess", "gofish", "innovation", "kalah", "nim"])
def test_nothing_is_said_of_games(game: str) -> None:
    assert without_unused(Examiner(data_folder("rules") / game).examine(())) == []


SECOND = {"when": "columns.all(c, free_places(c).size() == 0)", "winners": "[players[1]]"}
FULL = {"extend": "outcome", "with": [{"label": "second", "by": "a full board", **SECOND}]}


# In chess the game ends by itself when a position occurs for the fifth time. What a variant puts
# before an end of the game is meant to come first.
@pytest.mark.parametrize(
    ("game", "change", "late"),
    [
        ("chess", {"set": "numbers.threefold.value", "to": 6}, "threefold repetition"),
        ("chess", {"set": "numbers.threefold.value", "to": 4}, ""),
        ("chess", {"set": "numbers.fivefold.value", "to": 2}, ""),
        ("connectfour", FULL, "a full board"),
        ("connectfour", {**FULL, "first": True}, ""),
    ],
)
def test_an_end_that_always_comes_too_late_is_told(
    game: str, change: dict[str, Any], late: str, tmp_path: Path
) -> None:
    path = write(HouseRule("late", game, game, [change], False), tmp_path)
    found = Examiner(data_folder("rules") / game).examine([path])
    said = [(problem.rule, problem.span.line, problem.message) for problem in found]
    assert [(rule, line) for rule, line, _ in said] == [("never-happens", 5)] * bool(late)
    assert all(message.startswith(f"`{late}` never ends the game") for _, _, message in said)


def test_a_mistake_in_the_head_of_a_file_hides_none_in_its_changes(tmp_path: Path) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text(
        "variant: v\nextends: nim\ntitle: V\nversion: 1.0\ndescription: [a list]\nchange:\n"
        "  - {set: options.lost.default, to: loses}\n"
        "  - {set: entities.heap.a.usual, to: 1.5}\n"
        '  - {extend: moves.take.requires, with: [{rule: few, that: "numbr < 3", else: no}]}\n',
        encoding="utf-8",
    )
    found = Examiner(data_folder("rules") / "nim").examine([path])
    assert [(problem.span.line, problem.rule) for problem in found] == [
        (4, "yaml-float"),
        (5, "schema-type"),
        (7, "patch-hits-nothing"),
        (8, "yaml-float"),
        (9, "expression-unknown-name"),
    ]


def test_there_are_enough_of_both() -> None:
    assert len(SENSELESS) >= 30
    assert len(SENSIBLE) >= 30
