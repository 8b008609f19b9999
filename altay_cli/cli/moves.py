"""`altay moves` lists what is legal at a point of a recorded game."""

from __future__ import annotations

import click

from altay_cli.cli.options import format_option, language_option
from altay_cli.cli.output import document, say
from altay_cli.cli.viewing import at_option, game_option, opened


@click.command("moves")
@click.argument("path", metavar="GAME")
@at_option
@game_option
@format_option
@language_option
@click.pass_context
def command(
    ctx: click.Context, path: str, at: str | None, number: int, form: str, language: str
) -> None:
    """List every legal move at a point of a recorded game.

    GAME is a log, or - for standard input. Moves are statements of AGN: each of them can be
    written into the log there. Where cards are drawn or revealed, one possible draw is shown.
    """
    from altay_cli.report.moves import moves_json, moves_lines

    shown = "the moves are those of the state in which reading goes on"
    name, game = opened(ctx, path, at, number, language, shown)
    if form == "json":
        document(moves_json(game, name))
        return
    for line in moves_lines(game, name):
        say(line)
