"""The replay page as a table: it fits its window, and shows all that matters at once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.schemas.programs import node_modules, program
from tests.view.browsing import ROOT, Browser, Seen
from tests.view.pictures import PICTURES, Picture, take
from tests.view.sample import LOG
from tests.view.test_page import FOUR, TIE, heard, place, shown, until

SIZES = {"desktop": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}
PACKS = {path.stem: path for path in (ROOT / "games" / "classics").glob("*.agn")} | {
    "altay": FOUR,
    "innovation": ROOT / "games" / "innovation" / "players-2-0001.agn",
}


def box(seen: Seen, selector: str) -> tuple[float, float, float, float]:
    """Return the edges of the first element that is seen: left, top, right, bottom."""
    found = seen.page.locator(f"{selector} >> visible=true").first.bounding_box()
    assert found is not None, selector
    x, y, width, height = (found[key] for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


@pytest.mark.parametrize("game", PACKS)
def test_the_page_does_not_scroll(game: str, browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, PACKS[game], "end") as seen:
        for width, height in SIZES.values():
            seen.page.set_viewport_size({"width": width, "height": height})
            for key in ("End", "ArrowLeft", "Shift+ArrowLeft", "Home", "Shift+ArrowRight"):
                seen.page.keyboard.press(key)
                scrolled = seen.page.evaluate(
                    "() => [document.documentElement.scrollWidth - innerWidth,"
                    " document.documentElement.scrollHeight - innerHeight]"
                )
                assert scrolled == [0, 0], (width, key)


@pytest.mark.parametrize("size", SIZES)
def test_everything_that_matters_is_in_view(size: str, browser: Browser, tmp_path: Path) -> None:
    width, height = SIZES[size]
    with shown(browser, tmp_path, FOUR, "turn-12-Emil-2", size=SIZES[size]) as seen:
        parts = ["#course", ".map", ".hand .card", "#slider", "#play"]
        parts += [f".player[data-player='{seat}'] .total" for seat in range(4)]
        for part in parts:
            left, top, right, bottom = box(seen, part)
            assert left >= 0, part
            assert top >= 0, part
            assert right <= width, part
            assert bottom <= height, part


def test_all_players_are_in_view_late_in_a_game(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, "turn-18-Oskar", size=SIZES["desktop"]) as seen:
        column = box(seen, "#players")
        assert seen.page.locator(".player").count() == 4
        for seat in range(4):
            assert box(seen, f".player[data-player='{seat}']")[3] <= column[3]


def test_a_link_brings_the_player_into_view(browser: Browser, tmp_path: Path) -> None:
    for size in (*SIZES.values(), (1280, 600)):
        with shown(browser, tmp_path, FOUR, "turn-9-Vera", size=size) as seen:
            page = seen.page
            page.wait_for_timeout(300)
            assert page.locator(".player.active .name").inner_text() == "Vera"
            _, top, _, bottom = box(seen, ".player.active .name")
            assert 0 <= top < bottom <= size[1]
            assert page.locator(".hand:not(.away) .whose").first.inner_text() == "Vera"
            if size[0] > 700:
                line, log = box(seen, "#log [aria-current=step]"), box(seen, "#log")
                assert log[1] <= line[1] < line[3] <= log[3]


def test_controls_are_in_reach_of_a_thumb(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, size=SIZES["phone"], has_touch=True) as seen:
        for button in seen.page.locator(".controls button, #tabs button").all():
            found = button.bounding_box()
            assert found is not None
            assert found["height"] >= 44
            assert found["y"] > 844 / 2


def test_tabs_of_a_phone(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, "turn-9-Vera", size=SIZES["phone"], has_touch=True) as seen:
        page = seen.page
        assert page.is_visible(".map")
        assert page.is_hidden("#log")
        assert page.is_hidden("#viewer")
        page.tap("#choose")
        assert page.is_visible("#viewer")
        assert page.is_visible("#help")
        page.tap("#choose")
        assert page.is_hidden("#viewer")
        page.locator("#tabs button", has_text="Log").tap()
        page.wait_for_timeout(300)
        assert page.is_hidden(".map")
        line, log = box(seen, "#log [aria-current=step]"), box(seen, "#log")
        assert log[1] <= line[1] < line[3] <= log[3]
        page.locator("#tabs button", has_text="Players").tap()
        assert page.is_hidden("#log")
        assert page.locator(".player .facts").first.is_visible()


def test_the_chart_is_the_way_to_a_moment(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, size=SIZES["desktop"]) as seen:
        left, top, right, bottom = box(seen, ".time")
        seen.page.mouse.click((left + right) / 2, (top + bottom) / 2)
        count = int(seen.page.get_attribute("#slider", "max"))
        assert abs(place(seen) - count / 2) < count / 50
        seen.page.mouse.down()
        seen.page.mouse.move(left + (right - left) * 0.8, top + 5)
        seen.page.mouse.up()
        assert abs(place(seen) - count * 0.8) < count / 50
        assert seen.page.locator("#curves .curve").count() == 4


def test_a_card_moves_to_where_it_goes(browser: Browser, tmp_path: Path) -> None:
    for motion, most in (("no-preference", 4), ("reduce", 0)):
        with shown(browser, tmp_path, LOG, "turn-3-Ann", reduced_motion=motion) as seen:
            seen.page.evaluate(
                """() => {
                  window.flights = [];
                  const animate = Element.prototype.animate;
                  Element.prototype.animate = function (frames, options) {
                    window.flights.push(options.duration);
                    return animate.call(this, frames, options);
                  };
                }"""
            )
            for _ in range(5):
                seen.page.wait_for_timeout(400)
                seen.page.keyboard.press("ArrowRight")
            seen.page.wait_for_timeout(500)
            flights = seen.page.evaluate("() => window.flights")
            assert bool(flights) == bool(most)
            assert all(duration < 300 for duration in flights)
            assert seen.page.locator(".flying").count() == 0


def test_a_card_is_shown_larger(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG, "turn-3-Ann") as seen:
        card = seen.page.locator(".hand:not(.away) button.card").first
        card.hover()
        assert seen.page.is_visible("#preview .card")
        assert box(seen, "#preview .card")[2] - box(seen, "#preview .card")[0] > 150
        seen.page.keyboard.press("Escape")
        assert seen.page.is_hidden("#preview")


def test_what_is_on_a_card_is_told(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, "turn-12-Emil-2", size=SIZES["desktop"]) as seen:
        card = seen.page.get_by_role("button", name="Farmer").first
        tree = card.aria_snapshot()
        assert "use a farmland: 2 food" in tree
        assert card.locator(".part img").count() >= 3


def test_the_end_says_who_won_and_by_what(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE, "end") as seen:
        page = seen.page
        assert page.inner_text("#verdict") == "Winner: Clara; the tie is decided by action cards."
        assert page.locator("#ranks tbody th").all_inner_texts() == ["Clara", "Simon", "Ruth"]
        decisive = page.locator(".decisive")
        assert decisive.locator("h3").all_inner_texts() == ["Clara", "Simon"]
        assert "City(2)" in decisive.first.inner_text()
        assert page.locator("#derivation details").count() == 3
        assert box(seen, ".map")[3] <= box(seen, "#result")[1]  # the board stays in view
        page.click("#close-result")
        assert page.is_hidden("#result")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
        assert page.is_visible("#result")


@pytest.mark.parametrize("game", ["kalah", "chess", "altay"])
def test_the_end_on_a_phone(game: str, browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, PACKS[game], "end", size=SIZES["phone"]) as seen:
        left, top, right, bottom = box(seen, "#result")
        assert 0 <= left < right <= 390
        assert 0 <= top < bottom <= box(seen, ".controls")[1]
        seen.page.click("#close-result")
        assert seen.page.is_hidden("#result")


def test_the_end_as_one_player_knew_it(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE, "end", "--as", "Ruth") as seen:
        assert seen.page.locator("#derivation summary").all_inner_texts() == [
            "How Ruth's points were counted"
        ]


def test_the_log_is_grouped_by_turns(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, "turn-12-Emil-2", size=SIZES["desktop"]) as seen:
        turn = seen.page.locator("#log .turn", has=seen.page.locator("[aria-current=step]"))
        assert turn.locator("h3").inner_text().split() == ["Emil", "Round", "12"]
        assert turn.locator(".outcome").first.inner_text().startswith("=>")
        assert heard(seen).startswith("Emil: attack W5 from H6")
        until(seen, "document.querySelectorAll('.player').length === 4")


def test_a_low_window_scrolls(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG, size=(640, 400)) as seen:
        assert seen.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert seen.page.evaluate("() => getComputedStyle(document.body).overflowY") == "auto"


def test_types_of_the_scripts() -> None:
    folder = node_modules("typescript")
    command = [
        program("node"),
        folder / "typescript" / "bin" / "tsc",
        "-p",
        ROOT / "tests" / "view",
    ]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=600)  # noqa: PLW1510 - the output is looked at
    assert done.stdout == ""
    assert done.returncode == 0


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_pictures_of_the_documents(picture: Picture, browser: Browser) -> None:
    """Each can be taken, and what is in the documents is no larger than it must be."""
    assert len(take(browser, picture)) > 20_000
    assert picture.path.stat().st_size < 350_000


def test_all_pictures_are_shown() -> None:
    text = "".join((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/viewing.md"))
    for picture in PICTURES:
        assert f"pictures/{picture.path.name}" in text
    assert f"docs/pictures/{PICTURES[0].path.name}" in (ROOT / "README.md").read_text("utf-8")
    assert all((ROOT / "games" / picture.game).is_file() for picture in PICTURES)
