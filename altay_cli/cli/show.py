"""`altay show`: how a recorded game stands at a point of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from altay_cli.cli.options import format_option, language_option
from altay_cli.cli.output import document, say
from altay_cli.cli.viewing import as_option, at_option, game_option, opened

if TYPE_CHECKING:
    from altay_cli.checking.playing import Game
    from altay_cli.report.standing import Shown


@click.command("show")
@click.argument("path", metavar="LOG")
@at_option
@as_option
@game_option
@format_option
@language_option
@click.pass_context
def command(
    ctx: click.Context,
    path: str,
    at: str | None,
    viewer: str | None,
    number: int,
    form: str,
    language: str,
) -> None:
    """Show how a recorded game stands: maps, table, players, points so far.

    LOG is a log, or - for standard input.
    """
    from altay_cli.report.standing import state_document, state_lines

    name, game = opened(ctx, path, at, number, language)
    shown = view(game, name, number, viewer, language)
    if form == "json":
        document(state_document(shown, name, number, game.errors))
        return
    for line in state_lines(shown):
        say(line)


def view(game: Game, name: str, number: int, viewer: str | None, language: str) -> Shown:
    """Return a state as a player knows it; ends the program where there is no such player."""
    from altay_cli.base.translations import phrase
    from altay_cli.cli.viewing import known_player
    from altay_cli.report.standing import Shown
    from altay_cli.scoring.outcomes import outcomes
    from altay_cli.view.knowing import seen
    from altay_cli.view.scene import Viewer

    eye = Viewer(game.state)
    viewer = known_player(viewer, eye.stage.players)
    scene = seen(eye.scene(), viewer)
    tags = {tag.name: tag.value for tag in reversed(game.record.tags)}
    title = ", ".join([name, phrase(language, "game {number}", number=number)])
    about = [tags[key] for key in ("Event", "Date") if tags.get(key)]
    title += f": {', '.join(about)}" if about else ""
    kinds = {ref: one.kind for ref, one in eye.about().items()}
    looks = eye.looks()
    found = outcomes(game.state)
    return Shown(title, eye.stage, scene, found, eye.names(), kinds, looks, viewer, language)
