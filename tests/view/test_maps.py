"""Maps and cards in a browser: names, pieces, arrows and cards lie beside each other, and can be read.

A tenth of the walks through games, of each kind some; ALTAY_MAPS=all takes all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.sample import run
from tests.view.browsing import ROOT, Browser, url_of
from tests.view.test_page import made

LOOK = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")
SIZES = {"wide": (1440, 900), "tablet": (1024, 768), "phone": (390, 844), "narrow": (360, 740)}
GAMES = ROOT / "games"
PLAYED = (
    "four-players",
    "two-players",
    "full-map",
    "tie",
    "three-players",
    "trading",
    "swept-away",
)
ALTAY = [GAMES / f"{name}.agn" for name in PLAYED] + [
    log
    for players, count in ((2, 4), (3, 4), (4, 5))
    for log in sorted((GAMES / "simulated" / f"{players}-players").glob("*.agn"))[:count]
]
CLASSICS = (
    "backgammon",
    "checkers",
    "chess",
    "connectfour",
    "gofish",
    "goofspiel",
    "hanabi",
    "kalah",
    "morris",
    "nim",
    "othello",
    "tictactoe",
)
INNOVATION = sorted((GAMES / "innovation").glob("*.agn"))
OTHERS = [
    *((name, number) for name in CLASSICS for number in range(3)),
    *(("innovation", number) for number in range(3)),
]
"""Three games of each other pack, by pack and number."""

PageOf = Callable[[str, int], Path]


@pytest.fixture(scope="session")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> PageOf:
    """Make the page of a game, once: the first of a classic is recorded, others are simulated."""
    folder = tmp_path_factory.mktemp("pages")

    def log_of(pack: str, number: int) -> Path:
        if pack == "altay":
            return ALTAY[number]
        if pack == "innovation":
            return INNOVATION[number * len(INNOVATION) // 3]
        if number == 0:
            return GAMES / "classics" / f"{pack}.agn"
        played = folder / pack
        if not played.exists():
            options = ("--games", 2, "--seed", 50, "--jobs", 1, "--out", played)
            simulated = run("simulate", "--rules", pack, *map(str, options))
            assert simulated.exit_code == 0, simulated.output
        return sorted(played.rglob("*.agn"))[number - 1]

    def page(pack: str, number: int) -> Path:
        out = folder / f"{pack}-{number}.html"
        if not out.exists():
            made(folder, log_of(pack, number)).rename(out)
        return out

    return page


Walk = tuple[str, int, str, str]

ALL_WALKS: list[Walk] = [
    (pack, number, size, colours)
    for pack, number in (*(("altay", number) for number in range(len(ALTAY))), *OTHERS)
    for size in SIZES
    for colours in ("light", "dark")
    if size != "narrow" or colours == "light"
]

# Every size and colour, every kind of board, and cards; all of a game of four players only once.
SAMPLE: list[Walk] = [
    ("altay", 0, "wide", "dark"),
    ("altay", 1, "phone", "light"),
    ("altay", 7, "narrow", "light"),
    ("chess", 0, "phone", "light"),
    ("connectfour", 0, "wide", "dark"),
    ("gofish", 0, "phone", "dark"),
    ("innovation", 0, "tablet", "light"),
    ("kalah", 0, "tablet", "light"),
    ("morris", 0, "phone", "dark"),
    ("nim", 0, "narrow", "light"),
    ("othello", 0, "tablet", "dark"),
    ("tictactoe", 0, "phone", "light"),
]
ALL = os.environ.get("ALTAY_MAPS") == "all"
WALKS, ARROWS = (ALL_WALKS, 1) if ALL else (SAMPLE, 10)


@pytest.mark.parametrize(("pack", "number", "size", "colours"), WALKS)
def test_nothing_overlaps(
    browser: Browser, page_of: PageOf, pack: str, number: int, size: str, colours: str
) -> None:
    url = url_of(page_of(pack, number))
    with browser.open(url, size=SIZES[size], colours=colours) as seen:
        found: dict[str, Any] = seen.page.evaluate(LOOK, [10, ARROWS])
    assert found["found"] == []
    assert found["looked"] > 0
    assert found["over"] <= 0
    # Readers of a narrow phone get somewhat smaller names of columns and rows.
    smallest = found["smallest"]
    assert smallest is None or smallest["pixels"] >= (10 if size == "narrow" else 11), smallest


TAPS = """
() => new Promise((done) => {
  const place = document.querySelector(".place[data-ref='territory H2']");
  place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  requestAnimationFrame(() => done(document.getElementById("about-title").textContent));
})
"""


def test_a_tap_on_land_tells_about_it(browser: Browser, page_of: PageOf) -> None:
    with browser.open(url_of(page_of("altay", 0))) as seen:
        assert seen.page.evaluate(TAPS) == "H2"


ON_LAND = """
() => {
  const line = document.querySelector(".arrow-line");
  const board = JSON.parse(document.querySelector("svg.map").dataset.board);
  const isOn = (ref, at) =>
    document.getElementById(`${board.id}-area-${board.places[ref][2]}`).isPointInFill(at);
  return [
    isOn("territory H6", line.getPointAtLength(0)),
    isOn("territory W5", line.getPointAtLength(line.getTotalLength())),
  ];
}
"""


@pytest.mark.parametrize("size", SIZES)
def test_an_arrow_leads_from_land_to_land(browser: Browser, page_of: PageOf, size: str) -> None:
    url = url_of(page_of("altay", 0), "turn-12-Emil-2")
    with browser.open(url, size=SIZES[size]) as seen:
        seen.page.wait_for_timeout(100)  # fitted to the size
        assert seen.page.evaluate(ON_LAND) == [True, True]
