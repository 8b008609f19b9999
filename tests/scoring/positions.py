"""Positions to be scored, written down as short as can be."""

from __future__ import annotations

from altay_cli.checking import GameReport, check_text
from altay_cli.findings import Finding
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
