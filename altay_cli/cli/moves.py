"""`altay moves` lists what is legal at a point of a recorded game."""

from __future__ import annotations

from itertools import islice

import click

from altay_cli.cli.files import Logs
from altay_cli.cli.options import format_option, language_option, tell_left_out
from altay_cli.cli.output import Refused, document, say
from altay_cli.notation import names_game


@click.command("moves")
@click.argument("path", metavar="GAME")
@click.option(
    "--at",
    metavar="POINT",
    help="Before a line (34) or a place in it (34:7), or at the beginning of a turn "
    "('turn 3 Ann'); without it, at the end of the log.",
)
@click.option("--game", "number", type=int, default=1, show_default=True, metavar="N",
              help="Which game of the file.")  # fmt: skip
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
    from altay_cli.playing import GameError, open_game
    from altay_cli.report.moves import moves_json, moves_lines
    from altay_cli.report.people import finding_lines
    from altay_cli.report.text import plural

    logs = Logs([path])
    found = list(islice(logs, 2))
    tell_left_out(logs)
    if not found:
        ctx.exit(2)
    if len(found) > 1:
        raise Refused("one log at a time; this is a folder of several")
    name, folder, text = found[0]
    try:
        game = open_game(text, at, game=number, folder=folder, language=language)
    except GameError as error:
        say(f"altay: {name}: {error}", err=True)
        if not names_game(text):
            ctx.exit(2)  # of a file that is no log nothing is shown
        lines = text.splitlines()
        for finding in error.findings[:20]:
            for line in finding_lines(finding, name, lines, language):
                say(line, err=True)
        ctx.exit(2)
    if game.errors:
        say(
            f"altay: {name}: {plural(game.errors, 'error')} before this point "
            "(see `altay check`); the moves are those of the state in which reading goes on",
            err=True,
        )
    if form == "json":
        document(moves_json(game, name))
        return
    for line in moves_lines(game, name):
        say(line)
