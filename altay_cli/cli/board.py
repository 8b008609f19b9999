"""`altay board`: the map of a recorded game as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, document
from altay_cli.cli.viewing import as_option, at_option, game_option, opened

PNG_WIDTH = 1600
"""The width of a PNG picture, in pixels."""


@click.command("board")
@click.argument("path", metavar="LOG")
@at_option
@as_option
@game_option
@click.option("--map", "chart", metavar="ID", help="Which map, where the game has several.")
@click.option(
    "-o",
    "--out",
    required=True,
    metavar="FILE",
    help="Where the picture goes: *.svg, *.png, or - for SVG on standard output.",
)
@language_option
@click.pass_context
def command(
    ctx: click.Context,
    path: str,
    at: str | None,
    viewer: str | None,
    number: int,
    chart: str | None,
    out: str,
    language: str,
) -> None:
    """Draw the map of a recorded game: who is where, and what lies there.

    LOG is a log, or - for standard input.
    """
    from altay_cli.base.atomic import write_whole
    from altay_cli.cli.show import view
    from altay_cli.report.maps import Drawing
    from altay_cli.report.shown import Teller
    from altay_cli.report.standing import course

    name, game = opened(ctx, path, at, number, language)
    shown = view(game, name, number, viewer, language)
    boards = {board.id: board for board in shown.stage.boards}
    if not boards:
        raise Refused(Text("{game} has no map", game=shown.stage.title))
    board = boards.get(chart or next(iter(boards)))
    if board is None:
        raise Refused(
            Text("there is no map `{name}`; there is {names}", name=chart, names=tuple(boards))
        )
    drawing = Drawing(board, shown.stage, shown.looks, Teller(shown.names, language))
    svg = drawing.picture(shown.scene, f"{shown.stage.title}: {course(shown)}")
    if out == "-":
        document(svg)
        return
    try:
        data = _pixels(svg) if Path(out).suffix.lower() == ".png" else svg.encode()
        write_whole(Path(out), data)
    except ModuleNotFoundError as error:
        raise Refused(
            Text("for *.png, `{command}` adds what is needed", command="pip install 'altay[png]'")
        ) from error
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
        raise Refused(Text("{name}: {reason}", name=out, reason=reason)) from error


def _pixels(svg: str) -> bytes:
    """Return a picture as PNG.

    Raises ModuleNotFoundError where the extra `png` is not installed.
    """
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, width=PNG_WIDTH))
