"""Maps in a browser: names, pieces and arrows lie beside each other, and can be read.

One game of each kind of board on one screen; with `-m slow`, all sizes and colours, and more games.
"""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("log", "size"), [(ALTAY[1], "phone"), (BOARDS[0], "phone"), (BOARDS[1], "tablet")]
)
def test_nothing_overlaps(browser: Browser, tmp_path: Path, log: Path, size: str) -> None:
    nothing_overlaps(looked(browser, tmp_path, log, size, "light"), size)


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("log", [*ALTAY, *BOARDS], ids=lambda log: log.stem)
def test_nothing_overlaps_anywhere(
    browser: Browser, tmp_path: Path, log: Path, size: str, colours: str
) -> None:
    nothing_overlaps(looked(browser, tmp_path, log, size, colours), size)


@pytest.mark.slow
@pytest.mark.parametrize("log", SIMULATED[:16], ids=lambda log: log.stem)
def test_nothing_overlaps_in_simulated_games(browser: Browser, tmp_path: Path, log: Path) -> None:
    nothing_overlaps(looked(browser, tmp_path, log, "phone", "light"), "phone")


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
