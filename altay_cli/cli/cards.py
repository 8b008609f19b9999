"""`altay cards`: a table of all things of a game that have something to tell."""

from __future__ import annotations

import click

from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, say
from altay_cli.cli.rulesets import named_or_default
from altay_cli.pack.load import load_pack, pack_names


@click.command("cards")
@click.option("--game", help="The rules to look in.")
@language_option
def command(game: str | None, language: str) -> None:
    """List all cards, places and other things of a game with what they do."""
    from altay_cli.report.things import all_tables

    game = named_or_default(game)
    if game not in pack_names():
        raise Refused(f"there are no rules `{game}`; there is {', '.join(pack_names())}")
    for line in all_tables(load_pack(game), language):
        say(line)
