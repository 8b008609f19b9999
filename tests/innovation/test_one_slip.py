"""One slip in a game of many decisions is one error, however much follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.findings import errors_of
from altay_cli.checking.check import check_text

GAMES = Path(__file__).parents[2] / "games" / "innovation"

# A game, and the lines from where on stands something else; how many errors there were of it
# before it was looked for, and what is asked.
SLIPS = [
    pytest.param("2-0006", 233, ["draw => Democracy"], "draw => Atomic Theory", id="drawn"),  # 92
    pytest.param("3-0017", 247, [""], "draw", id="action-at-the-end-left-out"),  # 70
    pytest.param("3-0027", 334, [""], "Cleo: transfer", id="answer-left-out"),  # 9
    pytest.param("3-0014", 81, ["pass"], "return Fermenting", id="other-answer"),  # 98
    pytest.param(
        "4-0014", 167, ["draw => Railroad", "draw => Publications"], "", id="exchanged"
    ),  # 18
    pytest.param("2-0028", 124, ["Ann: transfer Alchemy"], "Mapmaking", id="wrong-card"),  # 21
    pytest.param("3-0004", 71, ["Bob: draw => Translation"], "Cleo: draw", id="wrong-player"),  # 2
]


@pytest.mark.parametrize(("game", "line", "instead", "asked"), SLIPS)
def test_a_slip_is_one_error(game: str, line: int, instead: list[str], asked: str) -> None:
    lines = (GAMES / f"players-{game}.agn").read_text(encoding="utf-8").splitlines()
    lines[line - 1 : line - 1 + len(instead)] = instead
    (report,) = check_text("\n".join([*lines, ""])).games
    (error,) = errors_of(report.findings)
    assert line <= error.span.line <= line + 25
    assert asked in " ".join(error.help)


SHARED = """\
[Game "innovation"]
setup
  seat Ann
  seat Bob
  Ann: draw Pottery, Mysticism
  Bob: draw Archery, Metalworking
  Ann: meld Mysticism
  Bob: meld Metalworking
turn 1 Bob
  dogma Metalworking
  Ann: draw => Sailing
  draw => Oars
  draw => Masonry
  draw => Agriculture
  draw => Tools
turn 1 Ann
  meld Sailing
  meld Pottery
turn 2 Bob
  dogma Metalworking
  Ann: draw => Clothing
  draw => Code of Laws
  draw => City States
  meld City States
turn 2 Ann
  meld Clothing
"""


def test_draws_without_names_are_an_error_each_and_the_rest_is_judged() -> None:
    """It was left open what Ann drew, though it is written down, and nothing behind it judged."""
    (legal,) = check_text(SHARED).games
    assert errors_of(legal.findings) == []
    (report,) = check_text(SHARED.replace("Ann: draw =>", "draw =>")).games
    told = [(error.rule, error.span.line) for error in errors_of(report.findings)]
    assert told == [("draw-player", 11), ("draw-player", 21)]
    assert report.verdict == "illegal"
