"""Recorded games with one slip put into them."""

from __future__ import annotations

from pathlib import Path

from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import check_text

GAMES = Path(__file__).parents[2] / "games"


def recorded(name: str) -> str:
    """Return the text of a recorded game."""
    return (GAMES / f"{name}.agn").read_text(encoding="utf-8")


def errors_of(text: str, language: str = "en") -> list[Finding]:
    """Return the errors of a log of one game."""
    (game,) = check_text(text, folder=GAMES, language=language).games
    return [found for found in game.findings if found.severity is Severity.ERROR]


def errors(name: str, before: str, after: str = "") -> list[Finding]:
    """Return the errors of a recorded game with something else in one place."""
    text = recorded(name)
    assert text.count(before) == 1
    return errors_of(text.replace(before, after))
