"""What the commands that show a game share: its options, and opening it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import click

from altay_cli.base.text import Text
from altay_cli.cli.files import Logs, LogText
from altay_cli.cli.options import tell_left_out
from altay_cli.cli.output import Refused, say, told
from altay_cli.notation import names_game

if TYPE_CHECKING:
    from altay_cli.base.findings import Finding
    from altay_cli.checking.check import GameReport
    from altay_cli.checking.playing import Game
    from altay_cli.view.watching import Watched

Command = Callable[..., object]


def at_option(function: Command) -> Command:
    """Add the option that names a point of a game."""
    return click.option(
        "--at",
        metavar="POINT",
        help="Before a line (34) or a place in it (34:7), or at the beginning of a turn "
        "('turn 3 Ann'); without it, at the end of the log.",
    )(function)


def as_option(function: Command) -> Command:
    """Add the option that names whose knowledge is shown."""
    return click.option(
        "--as",
        "viewer",
        metavar="PLAYER",
        help="Only what this player knew: what others hide is counted, not shown.",
    )(function)


def game_option(function: Command) -> Command:
    """Add the option that chooses one game of a file."""
    return click.option(
        "--game",
        "number",
        type=int,
        default=1,
        show_default=True,
        metavar="N",
        help="Which game of the file.",
    )(function)


def one_log(ctx: click.Context, path: str) -> LogText:
    """Return the one log that a command works on, or say why there is none and end the program."""
    logs = Logs([path])
    found = list(islice(logs, 2))
    tell_left_out(logs)
    if not found:
        ctx.exit(2)
    if len(found) > 1:
        raise Refused("one log at a time; this is a folder of several")
    return found[0]


def opened(
    ctx: click.Context,
    path: str,
    at: str | None,
    number: int,
    language: str,
    shown: str = "shown is the state in which reading goes on",
) -> tuple[str, Game]:
    """Open a game at a point, or say why not and end the program.

    ``shown`` names what is shown despite errors before that point.
    """
    from altay_cli.checking.playing import GameError, open_game

    name, folder, text = one_log(ctx, path)
    try:
        game = open_game(text, at, game=number, folder=folder, language=language)
    except GameError as error:
        say(f"altay: {name}: {told(str(error))}", err=True)
        _print_findings(text, error.findings, name, language)
        ctx.exit(2)
    if game.errors:
        errors = Text.plural(
            game.errors,
            "{count} error before this point (see `altay check`)",
            "{count} errors before this point (see `altay check`)",
        )
        say(f"altay: {name}: {told(errors)}; {told(shown)}", err=True)
    return name, game


def _print_findings(text: str, findings: Sequence[Finding], name: str, language: str) -> None:
    """Print to standard error why a game cannot be shown, unless the file is not a log."""
    from altay_cli.report.terminal import finding_lines

    if names_game(text):
        lines = text.splitlines()
        for finding in findings[:20]:
            for line in finding_lines(finding, name, lines, language):
                say(line, err=True)


def known_player(name: str | None, players: Sequence[str]) -> str | None:
    """Return the player of that name, whatever its case; ends the program where there is none."""
    if name is None:
        return None
    for player in players:
        if player.casefold() == name.strip().casefold():
            return player
    raise Refused(
        Text(
            "there is no player `{name}`; at the table: {names}",
            name=name[:60],
            names=tuple(players),
        )
    )


def watched_game(
    ctx: click.Context, path: str, number: int, language: str
) -> tuple[str, GameReport, Watched]:
    """Watch one game of a log, or say why it cannot be shown and end the program."""
    from altay_cli.view.watching import watch_text

    name, folder, text = one_log(ctx, path)
    report, games = watch_text(text, name, folder, language=language)
    if not 1 <= number <= len(games):
        raise Refused(
            Text(
                "{name}: there is no game {number}: the log holds {count}",
                name=name,
                number=number,
                count=len(games),
            )
        )
    game, watched = report.games[number - 1], games[number - 1]
    if watched is None:
        say(f"altay: {name}: {told('this game cannot be shown')}", err=True)
        _print_findings(text, game.findings, name, language)
        ctx.exit(2)
    return name, game, watched
