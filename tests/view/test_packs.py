"""Games of all packs that ship are shown: boards, splayed stacks, whatever they have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.sample import run
from tests.view.browsing import Browser, url_of

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "innovation" / "table.agn"
LOGS = [*sorted((ROOT / "games" / "classics").glob("*.agn")), TABLE]

# Writing lies on Tools. Splayed left, Tools shows its lower right icon, a tower. Of those on top,
# Writing has two bulbs and a crown, Archery two towers and a bulb.
STACKS = """\
[Game "innovation"]
position
  seat Ann
  seat Bob
  Ann: board Tools, Writing splayed left
  Ann: board Clothing, Sailing
  Ann: hand Archery, Oars
  Ann: score The Wheel
  Bob: hand Calendar
turn 3 Ann
  meld Archery
"""


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_game_is_shown(path: Path, tmp_path: Path) -> None:
    for command in ("show", "log"):
        told = run(command, path, "--format", "json")
        assert told.exit_code == 0, told.output
        assert json.loads(told.stdout)
        assert run(command, path).exit_code == 0
    assert run("replay", path, "-o", tmp_path / "game.html").exit_code == 0


def test_the_last_position_of_the_opera_game() -> None:
    """As every book of chess shows it; the letter is the owner's."""
    game = ROOT / "games" / "classics" / "chess.agn"
    told = run("show", game).stdout
    assert (
        "The board\n"
        "  a8  ·   ♞B  ·   ♜M  ♚B  ♝B  ·   ♜B\n"
        "  a7  ♟B  ·   ·   ·   ·   ♟B  ♟B  ♟B\n"
        "  a6  ·   ·   ·   ·   ♛B  ·   ·   ·\n"
        "  a5  ·   ·   ·   ·   ♟B  ·   ♝M  ·\n"
        "  a4  ·   ·   ·   ·   ♟M  ·   ·   ·\n"
        "  a3  ·   ·   ·   ·   ·   ·   ·   ·\n"
        "  a2  ♟M  ♟M  ♟M  ·   ·   ♟M  ♟M  ♟M\n"
        "  a1  ·   ·   ♚M  ·   ·   ·   ·   ·\n"
        "      a1  b1  c1  d1  e1  f1  g1  h1\n"
    ) in told
    assert told.endswith("\nWinner: Morphy (checkmate)\n")
    picture = run("board", game, "-o", "-").stdout
    white, black = "#fbfaf5", "#26221e"
    bishop = picture.index('<g transform="translate(812.5 437.5)')  # g5
    assert "<title>Piece: Morphy: bishop</title>" in picture[bishop : bishop + 100]
    assert picture.count(f'fill="{white}"') == 10 + 1  # with the legend
    assert picture.count(f'fill="{black}"') == 10 + 1
    # a1 is dark, h1 is light.
    dark, light = "#b58863", "#f0d9b5"
    assert f'<rect x="0" y="875" width="125" height="125" fill="{dark}"' in picture
    assert f'<rect x="875" y="875" width="125" height="125" fill="{light}"' in picture


def test_stacks_and_icons() -> None:
    told = run("show", "-", text=STACKS).stdout
    assert (
        "  Board                       blue (left): Writing > Tools; red: Archery; green:\n"
        "                              Sailing > Clothing\n"
        "  Icons seen                  crown 3; leaf 1; bulb 3; tower 3\n"
    ) in told
    assert "  Score pile                  The Wheel\n" in told
    hidden = run("show", "-", "--as", "Bob", text=STACKS).stdout
    assert "  Hand                        1 unknown\n" in hidden
    assert "  Score pile                  1 unknown\n" in hidden
    assert "Calendar" in hidden


def test_what_is_claimed_of_hidden_cards_is_hidden() -> None:
    told = run("log", TABLE, "--as", "Ann").stdout
    assert "Ann: expect board Compass" in told
    for secret in ("Calendar", "Oars", "expect hand Calendar"):
        assert secret not in told
    assert "Calendar" in run("log", TABLE, "--as", "Bob").stdout


DRAWS = """\
[Game "innovation"]
setup
  seat Ann
  seat Bob
  Ann: draw Archery, Writing
  Bob: draw Clothing, Sailing
  Ann: meld Writing
  Bob: meld Sailing
turn 1 Bob
  dogma Sailing
  Bob: draw => Oars
turn 1 Ann
  dogma Writing
  Ann: draw => Mapmaking
"""


def test_a_card_that_is_drawn_and_melded_is_known_to_all() -> None:
    """Sailing melds what it draws; what Writing draws goes to the hand."""
    ann, bob = (run("log", "-", "--as", viewer, text=DRAWS).stdout for viewer in ("Ann", "Bob"))
    assert "Bob: draw => Oars\n" in ann
    assert "Ann: draw => Mapmaking\n" in ann
    assert "Bob: draw => Oars\n" in bob
    assert "Ann: draw => ?\n" in bob
    assert "Mapmaking" not in bob


def test_stacks_in_the_page(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "game.agn").write_text(STACKS, encoding="utf-8")
    out = tmp_path / "game.html"
    assert run("replay", tmp_path / "game.agn", "-o", out).exit_code == 0
    with browser.open(url_of(out, "end")) as seen:
        board = seen.page.locator("section[data-field=board]").first
        splayed = board.locator(".splayed")
        assert splayed.locator(".card-name > span").first.inner_text() == "Writing"
        assert splayed.locator(".way").inner_text().split() == ["splayed", "left:", "←"]
        assert splayed.locator(".chip > span").all_inner_texts() == ["Tools"]
        tops = board.locator(".covered .card-name > span:first-child").all_inner_texts()
        assert tops == ["Archery", "Sailing"]
        assert board.locator(".covered .chip > span").all_inner_texts() == ["Clothing"]
        assert seen.page.is_hidden("#maps")
        board.locator(".card:has-text('Writing')").click()
        told = seen.page.inner_text("#about")
        assert "Icons" in told
        assert "crown" in told


def test_hands_of_go_fish_are_hidden() -> None:
    game = ROOT / "games" / "classics" / "gofish.agn"
    told = run("show", game, "--at", "turn 1 Ann", "--as", "Ann").stdout
    assert "  Hand                        7 unknown\n" in told
    retold = run("log", game, "--as", "Ann").stdout
    assert "  Bob: fish => ?\n" in retold
    assert '  fish => "10"\n' in retold


def test_the_first_row_of_othello_is_at_the_top() -> None:
    shown = run("board", ROOT / "games" / "classics" / "othello.agn", "-o", "-").stdout
    rows = re.findall(r'x="[-\d.]+" y="([\d.]+)"[^>]*>([1-8])</text>', shown)
    assert [row for _, row in sorted(rows, key=lambda found: float(found[0]))] == [*"12345678"]


def test_stores_are_as_high_as_the_board() -> None:
    shown = run("board", ROOT / "games" / "classics" / "kalah.agn", "-o", "-").stdout
    pits = re.findall(r'width="([\d.]+)" height="([\d.]+)" rx=', shown)[1:]
    tall = [float(height) > 2 * float(width) for width, height in pits]
    assert (len(tall), sum(tall)) == (14, 2)
    assert "store of a" in shown
