"""The German edition: an archived card may be taken back at any time (de 8), written or not."""

from __future__ import annotations

from itertools import product

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from tests.cli.sample import run

# She owns Cavalry without points and one with a point; Writing is completed.
LOG = """\
[Game "altay"]
[Edition "de"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: settlements 2 F2
  Bob: settlements F6
  Ann: completed Writing
  Ann: deck 2 Hunter, Village, 2 Warrior, Cavalry, Cavalry(1), Farmer
"""
TURN = "turn 3 Ann\n"


def told(text: str, severity: Severity = Severity.ERROR) -> list[str]:
    found = [found for game in check_text(text).games for found in game.findings]
    return [one.rule for one in found if one.severity is severity]


@pytest.mark.parametrize(
    ("hand", "archived", "statements"),
    [
        # The only copy that lies there is meant.
        ("Hunter, Cavalry(0)", "Cavalry(1)", "use Writing returning Cavalry; expect archived"),
        # Of two in hand the one without points is archived.
        (
            "Hunter, Cavalry(0)",
            "Cavalry(1)",
            "use Writing returning Cavalry; use Writing archiving Cavalry;"
            "expect archived Cavalry(0); expect hand Hunter, Cavalry(1)",
        ),
        # So it is where the one that was archived is taken back without a word.
        (
            "Hunter, Cavalry(1)",
            "Cavalry(0)",
            "use Writing archiving Cavalry; expect archived Cavalry(0)",
        ),
        (
            "Hunter, Cavalry(0)",
            "Cavalry(1)",
            "use Writing archiving Cavalry; expect archived Cavalry(0)",
        ),
        (
            "Hunter, Cavalry(0)",
            "Cavalry(1)",
            "use Writing archiving Cavalry(1); expect archived Cavalry(1)",
        ),
        (
            "Hunter, Warrior",
            "Cavalry(1)",
            "use Writing archiving Cavalry; expect archived Cavalry(1)",
        ),
    ],
)
def test_a_bare_title_is_the_copy_with_the_fewest_points(
    hand: str, archived: str, statements: str
) -> None:
    lines = statements.replace(";", "\n  ")
    text = f"{LOG}  Ann: hand {hand}\n  Ann: archived {archived}\n{TURN}  {lines}\n"
    assert told(text) == []


def test_which_copy_was_archived_may_be_open() -> None:
    text = f"{LOG}{TURN}  use Writing archiving Cavalry\n  end\nturn 3 Bob\n  end\nturn 4 Ann\n"
    for copy in ("Cavalry", "Cavalry(0)", "Cavalry(1)"):
        assert told(f"{text}  use Writing returning {copy}\n") == []
    assert told(f"{text}  use Writing returning Hunter\n") == ["return-archived"]
    # Either was archived, not both.
    both = "  use Writing returning Cavalry(0)\n  use Writing returning Cavalry(1)\n"
    assert told(f"{text}{both}") == ["return-archived"]
    back = run("moves", "-", text=f"{text}  use Writing returning Cavalry\n").stdout.splitlines()
    archiving = [line.split("  #")[0] for line in back if " archiving " in line]
    assert len(set(archiving)) == len(archiving)


# What she may do in a turn, all of it legal in any order as long as the card is there; the model
# below knows no more than that: hand, archive, and whether Writing was used.
CARDS = ("Hunter", "Cavalry(0)", "Cavalry(1)", "Warrior")
STEPS = ("archive", "return", "play")


@pytest.mark.parametrize("archived", CARDS)
def test_whatever_comes_back_counts_as_in_hand(archived: str) -> None:
    """Every course of three steps, with each card: legal as the model says, and left as it says."""
    for steps in product(STEPS, repeat=3):
        for card in CARDS:
            text, legal = course(archived, steps, card)
            assert (told(text) == []) is legal, text


def course(archived: str, steps: tuple[str, ...], card: str) -> tuple[str, bool]:
    """Return a log in which she does some things with a card, and whether all of it is legal."""
    hand, archive, used = [one for one in CARDS if one != archived], [archived], False
    lines, legal = [], True
    for step in steps:
        if step == "archive":
            lines.append(f"use Writing archiving {card}")
            legal = legal and not used and card in hand + archive
            hand = [one for one in hand + archive if one != card]
            archive, used = [card], True
        elif step == "return":
            lines.append(f"use Writing returning {card}")
            legal = legal and card in archive
            hand, archive = hand + archive, []
        else:
            lines.append("play Hunter")
            legal = legal and not used and "Hunter" in hand + archive
            hand = [one for one in hand if one != "Hunter"]
            archive = [one for one in archive if one != "Hunter"]
        if not legal:
            break
    if legal:
        lines += [f"expect hand {', '.join(hand)}", f"expect archived {', '.join(archive)}"]
    begin = f"{LOG}  Ann: hand {', '.join(one for one in CARDS if one != archived)}\n"
    text = "".join(f"  {line}\n" for line in lines)
    return f"{begin}  Ann: archived {archived}\n{TURN}{text}", legal
