"""The score sheet of a game as data for the page: the texts of `altay score --explain`."""

from __future__ import annotations

from altay_cli.base.findings import Finding
from altay_cli.checking.check import GameReport
from altay_cli.pack.model import Category
from altay_cli.report import terminal
from altay_cli.report.text import translated
from altay_cli.scoring.claims import tie_text


def game_document(game: GameReport) -> dict[str, object]:
    """Return the report of a game, with pages in words and its score sheet, if it has one."""
    document = game.to_dict(explain=True, related=True)
    document["findings"] = [finding_document(finding) for finding in game.findings]
    document["sheet"] = sheet(game)
    return document


def finding_document(finding: Finding) -> dict[str, object]:
    """Return a finding as in the JSON report; `cited` is its page in words."""
    return {**finding.to_dict(related=True), "cited": terminal.citation(finding.cite)}


def sheet(game: GameReport) -> dict[str, object] | None:
    """Return the texts of a score sheet: verdict, categories with pages, derivation by player."""
    if game.outcomes is None or game.failed:
        return None
    standing = game.outcomes.first
    over = game.only is not None or bool(game.played and game.played.ended)
    categories: dict[str, Category] = {
        score.category.id: score.category
        for player in standing.players
        for score in player.categories
    }
    return {
        "verdict": terminal.verdict(game.outcomes, over=over),
        "assumed": terminal.assumption(game.outcomes) if game.outcomes.all[0].assumed else "",
        "ties": [translated(tie_text(tie, standing.titles)) for tie in game.outcomes.open_ties],
        "plays": standing.words.word(standing.plays).capitalize(),
        "categories": [
            {
                "id": ident,
                "title": title,
                "cited": terminal.citation(categories[ident].cite) if ident in categories else "",
            }
            for ident, title in standing.titles.items()
        ],
        "players": [
            {
                "player": player.player,
                "plays": "" if player.plays is None else standing.words.name(player.plays),
                "lines": [_levelled(line) for line in terminal.derivation(standing, player)],
            }
            for player in standing.players
        ],
    }


def _levelled(line: str) -> tuple[int, str]:
    """Return the level of an indented line, and its text."""
    text = line.lstrip(" ")
    return min((len(line) - len(text)) // 2, 2), text
