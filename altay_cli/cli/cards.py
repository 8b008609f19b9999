"""`altay cards`: a table of all things of a game that have something to tell."""

from __future__ import annotations

import click

from altay_cli.base.translations import phrase
from altay_cli.cli.options import language_option
from altay_cli.cli.output import say
from altay_cli.cli.rulesets import rules_of, variants_option


@click.command("cards")
@click.option("--game", help="The rules to look in.")
@variants_option
@language_option
def command(game: str | None, variants: tuple[str, ...], language: str) -> None:
    """List all cards, places and other things of a game with what they do."""
    from altay_cli.report.things import all_tables

    lines = list(all_tables(rules_of(game, variants), language))
    for line in lines or [phrase(language, "there is nothing to tell of the things of this game")]:
        say(line)
