"""Pictures of results."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from altay_cli.report import plot
from altay_cli.report.plot import draw
from altay_cli.simulation.simulated import Playout
from tests.simulation.made import games, run
from tests.simulation.test_report import many

pytest.importorskip("matplotlib")

SVG = "{http://www.w3.org/2000/svg}"


def long_names() -> list[Playout]:
    """Names as strangers choose them: long, with signs that could be formulas or markup."""
    made = games()
    for outcome in made:
        outcome.end = "a very long reason, told at length, " * 9 + "$x^2$ <b> & \x07"
        for side in outcome.sides:
            side.groups["faction"] += " of the Farthest Northern $Shores_{x}$ & <Islands>"
    return made


def axes(picture: bytes) -> set[str]:
    """Return the panels of a picture."""
    root = ElementTree.fromstring(picture)  # noqa: S314 - our own
    assert root.tag == f"{SVG}svg"
    found = {group.get("id", "") for group in root.iter(f"{SVG}g")}
    return {name for name in found if name.startswith("axes_")}


def test_a_picture_of_one_run_has_four_panels() -> None:
    assert axes(draw([run(long_names())], ".svg")) == {f"axes_{n}" for n in range(1, 5)}


def test_a_comparison_has_more_and_is_the_same_every_time() -> None:
    runs = [run(), run(long_names(), "another label, which is too long for any legend " * 3)]
    first = draw(runs, ".svg")
    assert axes(first) == {f"axes_{n}" for n in range(1, 7)}
    assert draw(runs, ".svg") == first


def test_each_of_eight_ways_to_end_is_drawn() -> None:
    ends = [replace(games()[0], end=f"end {number}") for number in range(8)]
    assert len(plot._endings([run(ends)]).rows) == 8


def test_only_what_has_a_star_is_drawn_each_scale_for_itself() -> None:
    before, after = many(40, 0), many(40, 2)
    for outcome in after:
        outcome.moves += 100
    (moves, rounds) = plot._changes([run(before), run(after)])
    assert (rounds.title, rounds.rows) == ("Rounds that differ", ["Rounds"])
    assert (moves.title, moves.rows) == ("Moves that differ", ["Moves"])
    (nothing,) = plot._changes([run(before), run(before)])
    assert nothing.rows == []


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_other_formats(suffix: str, magic: bytes) -> None:
    assert draw([run()], suffix).startswith(magic)


def test_nothing_to_draw_is_no_failure() -> None:
    none = [replace(game, ended=False) for game in games()]
    assert draw([run(none), run([])], ".svg")
