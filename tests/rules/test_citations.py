"""What findings rest on: the page that says it, or the ruling that reads past it."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from altay_cli.base.findings import Finding
from altay_cli.checking.check import check_text
from altay_cli.cli.main import main

HERE = Path(__file__).parent

CITED = [
    # A first hand (5, Player Setup 12), a card that draws (8, Draw), a new hand (9).
    ("draw-too-many/illegal-setup", "draw-too-many", {"en": 5, "de": 5}, None),
    ("draw-too-many/illegal-scholar", "draw-too-many", {"en": 8, "de": 8}, None),
    ("draw-too-many/illegal-six", "draw-too-many", {"en": 9, "de": 9}, None),
    # What is collected to build (11), what is stored (8, Store).
    ("place-fit/illegal-too-many", "place-fit", {"en": 11, "de": 11}, None),
    ("place-fit/illegal-full", "place-fit", {"en": 8, "de": 8}, None),
    ("place-fit/illegal-loremaster", "place-fit", {"en": 8, "de": 8}, None),
    # With two and three players the markers are those of the recommended setup (7).
    ("vp-count/illegal", "vp-count", {"en": 7, "de": 7}, None),
    ("vp-missing/illegal", "vp-missing", {"en": 7, "de": 7}, None),
    ("vp-place/illegal", "vp-place", {"en": 7, "de": 7}, "vp-places"),
    # The notation, not the game.
    ("one-title/illegal-produce", "one-title", {}, None),
    ("one-card/illegal-use", "one-card", {}, None),
    # The cost of a copy with points stands on its face.
    ("wrong-payment/illegal-over", "wrong-payment", {"en": 11, "de": 11}, None),
    ("wrong-payment/illegal-points", "wrong-payment", {}, "price-of-points"),
    ("cannot-pay/illegal-one-short", "cannot-pay", {"en": 11, "de": 11}, None),
    ("cannot-pay/illegal-points", "cannot-pay", {}, "price-of-points"),
    ("top-copy/illegal", "top-copy", {}, "which-copy"),
    # What only the achievement itself says.
    ("exchange-amount/illegal", "exchange-amount", {}, None),
    ("use-amount/illegal-trash", "use-amount", {}, None),
    ("resettle-adjacent/illegal", "resettle-adjacent", {}, "resettle-adjacent"),
    ("resettle-cap/illegal", "resettle-cap", {"en": 11, "de": 11}, "resettle-where"),
    ("resettle-free/illegal-marker", "resettle-free", {"en": 8, "de": 8}, "resettle-where"),
]


def found(text: str, rule: str) -> Finding:
    findings = [f for game in check_text(dedent(text)).games for f in game.findings]
    return next(f for f in findings if f.rule == rule)


@pytest.mark.parametrize(("log", "rule", "cite", "ruling"), CITED, ids=str)
def test_finding_names_what_it_rests_on(
    log: str, rule: str, cite: dict[str, int], ruling: str | None
) -> None:
    finding = found((HERE / f"{log}.agn").read_text(encoding="utf-8"), rule)
    assert (dict(finding.cite), finding.ruling) == (cite, ruling)


def test_the_cards_of_a_defender_stand_on_the_page_of_combat() -> None:
    log = """
        [Game "altay"]
        position
          Ann: faction Firefolk
          Bob: faction Elvenfolk
          Ann: hand 2 Warrior, 3 Hunter
          Bob: hand 2 Warrior, 3 Hunter
          Ann: settlements 1 F2
          Bob: settlements 1 W2
        turn 3 Ann
          attack W2 from F2 with Warrior
          Bob: fight with Warrior => Hunter, Village
    """
    assert found(log, "draw-too-many").cite == {"en": 12, "de": 12}


def test_nothing_is_due_after_a_wonder() -> None:
    """A wonder has no settlement icon (page 15); that something was completed is no reason."""
    log = (HERE / "build-nothing" / "illegal-wonder.agn").read_text(encoding="utf-8")
    message = found(log, "build-nothing").message
    assert "no card has just been completed" not in message
    assert "not a wonder" in message


def test_text_and_json_name_the_ruling() -> None:
    path = HERE / "top-copy" / "illegal.agn"
    told = CliRunner().invoke(main, ["check", str(path)]).output
    assert "= ruling: which-copy" in told
    data = CliRunner().invoke(main, ["check", "--format", "json", str(path)]).output
    assert re.search(r'"ruling": "which-copy"', data)


INNOVATION = """
    [Game "innovation"]
    position
      seat Ann
      {}
"""


@pytest.mark.parametrize(
    ("line", "rule", "cite"),
    [
        # The summary names the numbers of players beside the achievements that they need.
        ("", "too-few-seats", {"summary": "End Game"}),
        ("Ann: board Archery splayed left", "splay-single", {}),
    ],
)
def test_innovation_cites_its_summary(line: str, rule: str, cite: dict[str, str]) -> None:
    assert found(INNOVATION.format(line), rule).cite == cite


def test_the_summary_is_no_rulebook() -> None:
    text = CliRunner().invoke(main, ["explain", "--game", "innovation", "achieve-points"]).output
    assert "English summary, Achieve" in text
    assert "rulebook" not in text


# ---------------------------------------------------------------- Innovation

BEGUN = """
    [Game "innovation"]
    setup
      seat Ann
      seat Bob
      Ann: draw Archery, Tools
      Bob: draw Clothing, Writing
      Ann: meld Archery
      Bob: meld Clothing
"""
LAID_OUT = """
    [Game "innovation"]
    [Recorded "complete"]
    position
      seat Ann
      seat Bob
      Ann: board A. I.
      Ann: board Writing
      Ann: score Oars
      Bob: board Tools
      out Bioengineering, Software, Miniaturization, Robotics, Databases, Self Service, Globalization, Stem Cells
      out The Internet
    turn 7 Ann
"""
OF_INNOVATION = [
    # Setup 6: who begins, and how many actions the first turn has.
    (BEGUN, "turn 1 Bob", "turn-order", "Setup 6"),
    (BEGUN, "turn 1 Ann; draw => Oars; meld Oars", "actions-left", "Setup 6"),
    # Game Structure: two actions, and play goes on clockwise.
    (
        BEGUN,
        "turn 1 Ann; draw => Oars; turn 1 Bob; meld Writing; draw => Pottery; draw => Masonry",
        "actions-left",
        "Game Structure",
    ),
    (BEGUN, "turn 1 Ann; draw => Oars; turn 1 Ann", "turn-order", "Game Structure"),
    (LAID_OUT, "dogma Writing; meld Tools", "draw-due", "Draw"),
    (LAID_OUT, "dogma Writing; Bob: draw => Calendar", "draw-player", "Draw"),
    (BEGUN, "turn 1 Ann; dogma Archery; Bob: draw => Oars; draw => Pottery", "pick-due", "Dogma"),
    (LAID_OUT, "draw; result; Ann: score 7", "claim-wrong", "End Game"),
    (LAID_OUT, "draw; result; winner Bob", "claim-winner", "End Game"),
]


@pytest.mark.parametrize(("begins", "goes_on", "rule", "section"), OF_INNOVATION)
def test_a_finding_of_innovation_names_the_section(
    begins: str, goes_on: str, rule: str, section: str
) -> None:
    text = dedent(begins) + goes_on.replace("; ", "\n") + "\n"
    assert found(text, rule).cite == {"summary": section}
