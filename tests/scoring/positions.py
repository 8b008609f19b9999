"""Positions to be scored, written down as short as can be."""

from __future__ import annotations

from altay_cli.base.findings import Finding
from altay_cli.checking.check import GameReport, check_text
from altay_cli.scoring.score import Standing

FOLK = {"Ann": "Firefolk", "Bob": "Elvenfolk", "Cid": "Earthfolk", "Dot": "Smallfolk"}
STARTING = {
    "Firefolk": "3 Hunter, Shaman, 2 Village, 4 Warrior",
    "Elvenfolk": "5 Hunter, 2 Loremaster, Village, 2 Warrior",
}


def game(text: str, tags: str = "", players: tuple[str, ...] = ("Ann", "Bob")) -> GameReport:
    """Check a position, and what follows it, in which the players have their usual factions."""
    seats = "\n".join(f"  {name}: faction {FOLK[name]}" for name in players)
    (report,) = check_text(f'[Game "altay"]\n{tags}\nposition\n{seats}\n{text}').games
    return report


def wrong(report: GameReport) -> list[Finding]:
    """Return what is found, but for the note that the winner is open."""
    return [found for found in report.findings if found.rule != "winner-open"]


def standing(text: str, tags: str = "", players: tuple[str, ...] = ("Ann", "Bob")) -> Standing:
    """Score a position that has nothing wrong."""
    report = game(text, tags, players)
    assert wrong(report) == []
    assert report.standing is not None
    return report.standing


def points(scored: Standing, name: str) -> dict[str, int]:
    """Return the points of a player by category, and in all."""
    player = scored.of(name)
    return {c.category.id: c.points for c in player.categories} | {"total": player.total}


# Ann owns 3 Cavalry without points and one with a point, a Merchant and a Worker with one each, and
# seven cards without. Nobody wrote down whether the Cavalry that she trashes is the one with a point.
TRASHED = """\
[Game "altay"]
[Map "full"]
position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: completed Engineering, Writing, Masonry, Philosophy
  Ann: deck 3 Cavalry, Cavalry(1), Merchant(1), Worker(1), 4 Hunter, 2 Warrior
  Bob: deck 3 Hunter, Village
  Ann: settlements 2 F1, W3
  Bob: settlements 2 F5
  Ann: secret Colossus
  Bob: secret Academy
  vp M1, M2, M4
turn 5 Ann
  use Engineering trashing Cavalry
  end
result
"""
