"""What a log claims of the state, held against what is known and what can be; see `expecting`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from altay_cli.base.findings import Severity
from altay_cli.base.values import Entity
from altay_cli.checking.check import check_text
from altay_cli.checking.filling import fill_any
from altay_cli.checking.opening import open_game

TABLE = """\
[Game "altay"]
position
  Ann: faction Elvenfolk
  Bob: faction Smallfolk
  Ann: table Loremaster with culture
  Ann: table Village with food
  Ann: settlements 1 F2
  Bob: settlements 1 F6
turn 3 Ann
"""
HIDDEN = """\
[Game "altay"]
position
  Ann: faction Elvenfolk
  Bob: faction Smallfolk
  Ann: deck 4 Hunter, Cavalry, Cavalry(1), City, City(1), Town(1), Village
  Ann: settlements 1 F2
  Bob: settlements 1 F6
turn 3 Ann
"""
ROUND = "  end\nturn 3 Bob\n  end\nturn 4 Ann\n"
DECK = "4 Hunter, Cavalry, Cavalry(1), City, City(1), Town(1), Village"


def errors(text: str) -> list[str]:
    report = check_text(text)
    found = [found for game in report.games for found in game.findings]
    return [one.message for one in found if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Village, Loremaster", None),
        ("Loremaster, Village with food, culture", None),
        ("Loremaster, Village with culture", "expected culture, found culture, food"),
        ("Loremaster, Hunter", "expected Loremaster, Hunter, found Loremaster"),
        ("Village with food", None),
        ("Village", "expected nothing, found food"),
    ],
)
def test_several_cards_on_the_table(claim: str, told: str | None) -> None:
    found = errors(f"{TABLE}  expect table {claim}\n")
    if told is None:
        assert found == []
    else:
        (message,) = found
        assert message.endswith(told)


@pytest.mark.parametrize(
    ("claims", "wrong"),
    [
        # All that she owns was told: hand and draw deck together are that, whatever lies where.
        ([f"deck {DECK}"], 0),
        (["deck 3 Hunter, 2 Cavalry, Cavalry(1), City, City(1), Town(1), Village"], 1),
        (["deck 4 Hunter, Cavalry, Cavalry(1), City, City(1), Village"], 1),
        (["hand 4 Hunter, Village", f"deck {DECK}", "hand 4 Hunter, Cavalry"], 1),
        # Which City is in her hand stays open until it is told.
        (["hand City, 4 Hunter", f"deck {DECK}", "hand City(0), 4 Hunter"], 0),
        (["hand City, 4 Hunter", f"deck {DECK}", "hand City(1), 4 Hunter"], 0),
        # Of the first hand, which she discarded, and the second nothing was recorded.
        ([ROUND, "discarded 4 Hunter, City"], 0),
        ([ROUND, "discarded 4 Hunter, 2 City"], 1),
        ([ROUND, "discarded 4 Hunter"], 1),
        # What was claimed is known from then on: the other cards are in her hand.
        (
            [ROUND, "discarded 4 Hunter, City(1)", "hand City, Cavalry, Cavalry(1), Town, Village"],
            0,
        ),
        ([ROUND, "discarded 4 Hunter, City(1)", "hand 2 City, Cavalry, Town, Village"], 1),
        ([ROUND, "discarded 4 Hunter, Village", "hand 2 City, 2 Cavalry, Village"], 1),
        # A name without points is the copy with the fewest of those that lie there.
        ([ROUND, "discarded 4 Hunter, City", "hand City, 2 Cavalry, Town, Village"], 0),
        ([ROUND, "discarded 3 Hunter, 2 City", "hand Hunter, 2 Cavalry, Town, Village"], 0),
    ],
)
def test_what_nobody_recorded(claims: list[str], wrong: int) -> None:
    log = HIDDEN + "".join(one if one is ROUND else f"  expect {one}\n" for one in claims)
    found = errors(log)
    assert len(found) == wrong
    if not wrong:
        assert errors(fill_any(log)) == []


GAMES = Path(__file__).parents[2] / "games"


def true_claims(text: str, line: int) -> list[str]:
    """Return what lies where at a line of a game that is wholly recorded, as claims."""
    game = open_game(text, str(line))
    zones = {zone.name: game.state.zones.held(zone.index) for zone in game.pack.zones}
    found = []
    for player in game.state.players:
        owned: Counter[Entity] = Counter()
        for zone in ("hand", "archive", "deck", "discard", "table", "spent"):
            owned.update(zones[zone][player])
        told = {"deck": owned, "hand": zones["hand"][player], "discarded": zones["discard"][player]}
        for claim, cards in told.items():
            names = ", ".join(
                f"{count} {game.state.words.name(card)}" for card, count in cards.items()
            )
            found.append(f"  {player.id}: expect {claim} {names}")
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["two-players", "full-map"])
def test_what_is_true_fits_whatever_was_not_recorded(name: str, seed: int) -> None:
    """True claims bring no error that the log does not have without them."""
    text = (GAMES / f"{name}.agn").read_text(encoding="utf-8")
    random = Random(f"{name} {seed}")
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.strip().startswith("turn ")]
    claimed = set(random.sample(heads, 6))
    masked = []
    for number, line in enumerate(lines):
        masked.append(re.sub(" => .*", "", line) if random.random() < 0.8 else line)
        if number in claimed:
            masked += random.sample(true_claims(text, number + 2), 3)
    silent = [line for line in masked if "expect" not in line]
    assert errors("\n".join(masked)) == errors("\n".join(silent))
