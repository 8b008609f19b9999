"""Innovation: logs of whole tables and of single cards, each with the findings that it announces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from altay_cli.checking import check_text
from altay_cli.findings import Verdict
from altay_cli.pack.load import load_pack
from altay_cli.pack.yaml_reader import read_yaml
from altay_cli.playing import open_game
from altay_cli.resources import data_folder
from altay_cli.rulecheck.examine import examine
from tests.logs import verify

HERE = Path(__file__).parent
LOGS = sorted(HERE.rglob("*.agn"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: str(path.relative_to(HERE)))
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


def test_the_rules_make_sense() -> None:
    found = examine(data_folder("rules") / "innovation", [])
    assert [p.message for p in found if p.severity == "error"] == []


def test_there_are_all_cards() -> None:
    cards = load_pack("innovation").entities["card"]
    # Fifteen cards of age 1, three of each colour; ten of every other age, two of each.
    counts = {(c.f["age"], c.f["colour"].id): 0 for c in cards}
    for card in cards:
        counts[card.f["age"], card.f["colour"].id] += 1
    assert len(cards) == 105
    assert len(counts) == 50
    assert all(n == (3 if age == 1 else 2) for (age, _), n in counts.items())
    # One place of each card is its hexagon; what is featured is one of the other three.
    for card in cards:
        icons = [icon.id for icon in card.f["icons"]]
        assert icons.count("hexagon") == 1
        assert card.f["featured"].id in icons
        assert card.f["featured"].id != "hexagon"


GAMES = sorted((HERE.parents[1] / "games" / "innovation").glob("*.agn"))


def test_there_are_a_hundred_games() -> None:
    assert len(GAMES) == 100


@pytest.mark.parametrize("path", GAMES[::12], ids=lambda path: path.stem)
def test_simulated_games_are_legal_and_won_as_they_say(path: Path) -> None:
    (game,) = check_text(path.read_text(encoding="utf-8")).games
    assert [f.message for f in game.findings] == []


def test_games_end_in_all_the_ways_there_are() -> None:
    games = HERE.parents[1] / "games" / "innovation"
    found = []
    for name in ("players-2-0003", "players-2-0001", "players-2-0002"):
        game = open_game((games / f"{name}.agn").read_text(encoding="utf-8"))
        found.append(game.score().by)
    assert found == ["achievements", "no card left to draw", "a card"]


# ---------------------------------------------------------------- what is not recorded


def test_cards_say_whether_they_look_into_hands() -> None:
    for path in sorted((data_folder("rules") / "innovation" / "cards").glob("*.yaml")):
        document, _ = read_yaml(path.read_text(encoding="utf-8"), path.name)
        assert document is not None
        for ident, card in document.data["card"].items():
            looks = re.search(r"\.hand\b|'execute'", str(card)) is not None
            assert card.get("hands", False) is looks, ident


def secret(text: str) -> str:
    """Return a game without the cards that were dealt, and those that draw actions brought."""
    lines = []
    open_ = True
    for line in text.splitlines():
        open_ = (open_ or line.startswith("turn")) and not line.startswith("  dogma")
        if re.match(r"  \w+: draw [A-Z]", line):
            continue
        lines.append(line.partition(" =>")[0] if open_ and "draw =>" in line else line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", GAMES[5::20], ids=lambda path: path.stem)
def test_games_are_judged_as_far_as_they_are_recorded(path: Path) -> None:
    text = secret(path.read_text(encoding="utf-8"))
    (game,) = check_text(text).games
    found = {finding.rule: finding for finding in game.findings}
    # Nothing is wrong, up to where somebody looks into a hand that is not known.
    assert found.keys() <= {"unrecorded", "undecided", "game-unfinished"}
    assert not game.recorded
    if "undecided" in found:
        line = text.splitlines()[found["undecided"].span.line - 1]
        assert line.startswith("  dogma ")
        assert game.verdict is Verdict.NOT_JUDGED
        early = "\n".join(text.splitlines()[: found["undecided"].span.line - 1])
        (game,) = check_text(early).games
    assert game.verdict is Verdict.LEGAL
