"""`altay log`: a recorded game retold, so that a table can see where two memories part."""

from __future__ import annotations

import click

from altay_cli.cli.options import format_option, language_option
from altay_cli.cli.output import document, say
from altay_cli.cli.viewing import as_option, game_option, known_player, watched_game


@click.command("log")
@click.argument("path", metavar="LOG")
@as_option
@game_option
@format_option
@language_option
@click.pass_context
def command(
    ctx: click.Context, path: str, viewer: str | None, number: int, form: str, language: str
) -> None:
    """Retell a recorded game turn by turn: what each move did, and the points so far.

    LOG is a log, or - for standard input.
    """
    from altay_cli.report.retelling import Retelling

    name, report, watched = watched_game(ctx, path, number, language)
    viewer = known_player(viewer, watched.stage.players)
    retelling = Retelling(watched, report.findings, language, viewer)
    if form == "json":
        document(retelling.document(name, number))
        return
    for line in retelling.lines():
        say(line)
