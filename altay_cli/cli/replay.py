"""`altay replay`: a page to play recorded games back in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from altay_cli.base.files import why, write_whole
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, document, say, written
from altay_cli.cli.viewing import as_option, known_player, log_argument, one_log
from altay_cli.replay.page import ASSETS, page
from altay_cli.report.html import rendered
from altay_cli.report.text import language, phrase
from altay_cli.view.watching import watch_text


@click.command("replay")
@log_argument
@as_option
@click.option("-o", "--out", metavar="FILE", help="Where the page goes; - for standard output.")
@click.option(
    "--serve",
    is_flag=True,
    help="Serve the page to this machine, and load it again whenever the log changes.",
)
@click.option(
    "--bind", metavar="ADDRESS", help="Serve at this address: 0.0.0.0 is for the whole network."
)
@click.option(
    "--port", type=click.IntRange(0, 65_535), metavar="N", help="Serve at this port, not at any."
)
@language_option
def replay(
    path: str, viewer: str | None, out: str | None, serve: bool, bind: str | None, port: int | None
) -> None:
    """Make a page on which the games of a log can be played back: one file, for any browser.

    LOG is a log, or - for standard input. The page loads nothing from elsewhere.
    """
    if serve == (out is not None):
        raise Refused("say where the page goes: `-o game.html`, or `--serve`")
    if not serve and (bind is not None or port is not None):
        raise Refused("`--bind` and `--port` say where `--serve` serves the page")
    name, folder, text = one_log(path)
    if serve:
        if path == "-":
            raise Refused("standard input cannot be watched: name a file")
        _serve(
            path,
            lambda text, version: _page(text, name, folder, viewer, version),
            (bind or "127.0.0.1", port or 0),
        )
        return
    page = _page(text, name, folder, viewer)
    if out is None or out == "-":
        document(page)
        return
    with written(out):
        write_whole(Path(out), page.encode())


def _page(text: str, name: str, folder: Path | None, viewer: str | None, version: str = "") -> str:

    report, games = watch_text(text, name, folder, language=language())
    players = [player for game in games if game is not None for player in game.stage.players]
    viewer = known_player(viewer, list(dict.fromkeys(players)))
    try:
        return page(report, games, viewer=viewer, version=version)
    except ValueError as error:
        raise Refused("{name}: {reason}", name=name, reason=error) from error


def _serve(path: str, make: Callable[[str, str], str], at: tuple[str, int]) -> None:
    """Serve the page of a log until the program is stopped."""
    from altay_cli.replay.serving import PAUSE, Server, Source

    def made(text: str, version: str) -> str:
        try:
            return make(text, version)
        except Refused as error:
            # The log is being written; the page comes when there is something to show.
            return rendered(ASSETS / "waiting.html", message=error.message)

    try:
        server = Server(Source(Path(path), made), *at)
    except OSError as error:
        raise Refused(f"{at[0]}, port {at[1]}: {why(error, str(error))}") from error
    with server:
        say(phrase("{file}: {address} (stop with Ctrl+C)", file=path, address=server.address))
        try:
            server.serve_forever(poll_interval=PAUSE)
        except KeyboardInterrupt:
            say("")
