"""Maps in a browser: names, pieces and arrows lie beside each other, and can be read.

A sample of games, sizes and colours; ALTAY_MAPS=all takes all of them.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.cli.sample import run
from tests.view.browsing import ROOT, Browser, url_of

LOOK = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")
SIZES = {"wide": (1440, 900), "tablet": (1024, 768), "phone": (390, 844), "narrow": (360, 740)}
GAMES = ROOT / "games"
ALTAY = [GAMES / f"{name}.agn" for name in ("four-players", "two-players", "full-map", "tie")]
BOARDS = [GAMES / "classics" / f"{name}.agn" for name in ("chess", "kalah", "morris", "othello")]
SIMULATED = sorted((GAMES / "simulated").rglob("*.agn"))


def looked(browser: Browser, folder: Path, log: Path, size: str, colours: str) -> dict[str, Any]:
    """Return what a walk through a game finds on its map."""
    out = folder / "game.html"
    assert run("replay", log, "-o", out).exit_code == 0
    with browser.open(url_of(out), size=SIZES[size], colours=colours) as seen:
        found: dict[str, Any] = seen.page.evaluate(LOOK, 10)
        return found


def nothing_overlaps(found: dict[str, Any], size: str) -> None:
    assert found["found"] == []
    assert found["looked"] > 0
    assert found["over"] <= 0
    # Readers of a narrow phone get somewhat smaller names of columns and rows.
    assert found["smallest"]["pixels"] >= (10 if size == "narrow" else 11), found["smallest"]


SAMPLE = [
    (ALTAY[0], "wide", "dark"),
    (ALTAY[1], "phone", "light"),
    (BOARDS[0], "phone", "light"),
    (BOARDS[1], "tablet", "light"),
]
EVERYTHING = [
    *product([*ALTAY, *BOARDS], SIZES, ("light", "dark")),
    *product(SIMULATED[:16], ("phone",), ("light",)),
]
WALKS = EVERYTHING if os.environ.get("ALTAY_MAPS") == "all" else SAMPLE


@pytest.mark.parametrize(
    ("log", "size", "colours"), WALKS, ids=lambda part: getattr(part, "stem", part)
)
def test_nothing_overlaps(
    browser: Browser, tmp_path: Path, log: Path, size: str, colours: str
) -> None:
    nothing_overlaps(looked(browser, tmp_path, log, size, colours), size)


TAPS = """
() => new Promise((done) => {
  const place = document.querySelector(".place[data-ref='territory H2']");
  place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  requestAnimationFrame(() => done(document.getElementById("about-title").textContent));
})
"""


def test_a_tap_on_land_tells_about_it(browser: Browser, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    assert run("replay", ALTAY[0], "-o", out).exit_code == 0
    with browser.open(url_of(out)) as seen:
        assert seen.page.evaluate(TAPS) == "H2"
