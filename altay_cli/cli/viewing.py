"""Look at a recorded game: `altay show`, `log`, `board`, `moves`, `replay`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from altay_cli.archive.sources import no_such_game
from altay_cli.base.files import why
from altay_cli.base.findings import Finding, Text
from altay_cli.checking.errors import GameError
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.cli.files import Logs, LogText, only_option, warn_left_out
from altay_cli.cli.output import (
    Refused,
    check_ending,
    document,
    format_option,
    print_line,
    print_lines,
    save,
    warn,
    write_result,
)
from altay_cli.notation.lexis import GAME_TAG
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import SectionKind
from altay_cli.report.maps import Drawing
from altay_cli.report.moves import moves_json, moves_lines, unseen_lines
from altay_cli.report.results import numbered
from altay_cli.report.standing import Retelling, Shown, course, state_document, state_lines
from altay_cli.report.terminal import finding_lines, name_by_tags
from altay_cli.report.text import language, phrase, translated
from altay_cli.scoring.outcomes import outcomes
from altay_cli.view.known import known_games, known_to
from altay_cli.view.model import seen
from altay_cli.view.scene import Viewer
from altay_cli.view.watching import watch_text

if TYPE_CHECKING:
    from altay_cli.replay.serving import Site

PNG_WIDTH = 1600

PICTURES = (".svg", ".png")
PAGES = (".html", ".htm")
log_argument = click.argument("path", metavar="LOG")
at_option = click.option(
    "--at",
    metavar="POINT",
    help="Before a line (34) or a place in it (34:7), or at the beginning of a turn "
    "('turn 3 Ann'); without it, at the end of the log.",
)
as_option = click.option(
    "--as",
    "viewer",
    metavar="PLAYER",
    help="Only what this player knew: what others hide is counted, not shown.",
)
game_option = click.option(
    "--game",
    "number",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Which game of the file.",
)

bind_option = click.option(
    "--bind", metavar="ADDRESS", help="Serve at this address: 0.0.0.0 is for the whole network."
)
port_option = click.option(
    "--port", type=click.IntRange(0, 65_535), metavar="N", help="Serve at this port, not at any."
)


@click.command("show")
@log_argument
@at_option
@as_option
@game_option
@format_option
def show(path: str, at: str | None, viewer: str | None, number: int, form: str) -> None:
    """Show a position of a recorded game: maps, table, players, points so far.

    LOG is a log, or - for standard input.
    """
    name, game = opened(path, at, number)
    shown = _shown(game, name, number, viewer)
    write_result(form, state_lines(shown), lambda: state_document(shown, name, number, game.errors))


@click.command("log")
@log_argument
@as_option
@game_option
@format_option
def log(path: str, viewer: str | None, number: int, form: str) -> None:
    """Retell a recorded game turn by turn: what each move did, and the points so far.

    LOG is a log, or - for standard input.
    """
    name, folder, text = single_log(path)
    report, games = watch_text(text, name, folder, language=language(), only=number)
    if not games:
        raise _no_such_game(name, number, text)
    findings, watched = report.games[0].findings, games[0]
    if watched is None:
        alone = report.games[0].only is SectionKind.RESULT
        why = (
            "the log has only a result, and no position to show"
            if alone
            else "this game cannot be shown"
        )
        raise _not_shown(why, text, findings, name)
    viewer = known_player(viewer, watched.stage.players)
    if viewer is not None:
        findings, watched = known_to(report.games[0], watched, viewer, folder)
    retelling = Retelling(watched, findings, viewer)
    write_result(form, retelling.lines(), lambda: retelling.document(name, number))


@click.command("board")
@log_argument
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
def board(
    path: str, at: str | None, viewer: str | None, number: int, chart: str | None, out: str
) -> None:
    """Draw the map of a recorded game, with all that is on it.

    LOG is a log, or - for standard input.
    """
    check_ending(out, PICTURES)
    name, game = opened(path, at, number)
    shown = _shown(game, name, number, viewer)
    boards = {board.id: board for board in shown.stage.boards}
    if not boards:
        raise Refused("{game} has no map", game=shown.stage.title)
    chosen = boards.get(chart or next(iter(boards)))
    if chosen is None:
        raise Refused("there is no map `{name}`; there is {names}", name=chart, names=tuple(boards))
    title = f"{shown.stage.title}: {course(shown)}"
    svg = Drawing(chosen, shown.stage, shown.things).picture(shown.scene, title)
    if out == "-":
        document(svg)
        return
    data = svg.encode()
    if Path(out).suffix.lower() == ".png":
        try:
            from resvg_py import svg_to_bytes
        except ModuleNotFoundError as error:
            needed = "writing *.png requires `{command}`"
            raise Refused(needed, command="pip install 'altay[png]'") from error
        data = bytes(svg_to_bytes(svg_string=svg, width=PNG_WIDTH))
    save(Path(out), data)


@click.command("moves")
@click.argument("path", metavar="GAME")
@at_option
@game_option
@format_option
def moves(path: str, at: str | None, number: int, form: str) -> None:
    """List every legal move at a point of a recorded game.

    GAME is a log, or - for standard input. Moves are statements of AGN that you can write into the
    log there. Where cards are drawn or revealed, one possible draw is shown.
    """
    shown = "the moves are those of the state from which the program continues"
    name, game = opened(path, at, number, shown)
    write_result(form, moves_lines(game, name), lambda: moves_json(game, name))


def single_log(path: str) -> LogText:
    """Return the only log of a command, or end the program."""
    logs = Logs([path])
    texts = list(islice(logs, 2))
    warn_left_out(logs)
    if not texts:
        raise Exit(2)
    if len(texts) > 1:
        raise Refused("this is a folder of several logs; name one of them")
    return texts[0]


def _no_such_game(name: str, number: int | None, text: str) -> Refused:
    reason = no_such_game(number or 0, len(read_log(text).games))
    return Refused("{name}: {reason}", name=name, reason=reason)


def unseen_at(path: str, at: str) -> list[str]:
    """Describe what is hidden at a place of a log."""
    return list(unseen_lines(opened(path, at)[1]))


def opened(
    path: str,
    at: str | None,
    number: int = 1,
    shown: str = "the state shown is the one from which the program continues",
) -> tuple[str, Game]:
    """Open a game at a point, or print why not and end the program.

    ``shown`` names the output that ignores errors before that point.
    """
    name, folder, text = single_log(path)
    try:
        game = open_game(text, at, game=number, folder=folder, language=language())
    except GameError as error:
        raise _not_shown(str(error), text, error.findings, name) from error
    if game.in_setup:
        setup = Text("line {line}: moves begin after the setup of the game", line=at)
        raise _not_shown(translated(setup), text, (), name)
    if game.errors:
        errors = Text.plural(
            game.errors,
            "{count} error before this point (see `altay check`)",
            "{count} errors before this point (see `altay check`)",
        )
        print_line(f"altay: {name}: {translated(errors)}; {translated(shown)}", err=True)
    return name, game


def _not_shown(reason: str, text: str, findings: Sequence[Finding], name: str) -> Exit:
    warn(reason, about=name)
    lines = numbered(text)
    for finding in findings[:20] if GAME_TAG.search(text) else ():
        print_lines(finding_lines(finding, name, lines), err=True)
    return Exit(2)


def known_player(name: str | None, players: Sequence[str]) -> str | None:
    """Find the player of that name in any case, or end the program."""
    if name is None:
        return None
    for player in players:
        if player.casefold() == name.strip().casefold():
            return player
    message = "there is no player `{name}`; at the table: {names}"
    raise Refused(message, name=name[:60], names=tuple(players))


def _shown(game: Game, name: str, number: int, viewer: str | None) -> Shown:
    eye = Viewer(game.state)
    viewer = known_player(viewer, eye.stage.players)
    scene = seen(eye.scene(), viewer)
    tags = {tag.name: tag.value for tag in reversed(game.record.tags)}
    title = f"{name}, {name_by_tags(tags, number)}"
    return Shown(title, eye.stage, scene, outcomes(game.state), eye.things(), viewer)


@click.command("replay")
@log_argument
@as_option
@only_option
@click.option("-o", "--out", metavar="FILE", help="Where the page goes; - for standard output.")
@click.option(
    "--serve",
    is_flag=True,
    help="Serve the page to this machine, and load it again whenever the log changes.",
)
@bind_option
@port_option
def replay(
    path: str,
    viewer: str | None,
    only: int | None,
    out: str | None,
    serve: bool,
    bind: str | None,
    port: int | None,
) -> int:
    """Make a web page that replays the games of a log: one file, for any browser.

    LOG is a log, or - for standard input. The page loads no other files.
    """
    if serve == (out is not None):
        raise Refused("write the page to a file with `-o game.html`, or show it with `--serve`")
    if out is not None:
        check_ending(out, PAGES)
    if not serve and (bind is not None or port is not None):
        raise Refused("`--bind` and `--port` need `--serve`")
    name, folder, text = single_log(path)
    if serve and path == "-":
        raise Refused("standard input cannot be watched; name a file")
    failures: list[Finding] = []
    make = partial(_page, name=name, folder=folder, viewer=viewer, only=only, failures=failures)
    try:
        if out is None:
            _serve(path, make, (bind or "127.0.0.1", port or 0))
        elif out == "-":
            document(make(text))
        else:
            save(Path(out), make(text).encode())
    finally:
        for failure in failures:
            print_lines(finding_lines(failure, name, numbered(text)), err=True)
    return 2 if failures else 0


def _page(
    text: str,
    version: str = "",
    *,
    name: str,
    folder: Path | None,
    viewer: str | None,
    failures: list[Finding],
    only: int | None = None,
) -> str:
    """Games that the page lacks add their internal errors to ``failures``."""
    from altay_cli.replay.page import page

    report, games = watch_text(text, name, folder, language=language(), only=only)
    if not report.games:
        raise _no_such_game(name, only, text)
    players = [player for game in games if game is not None for player in game.stage.players]
    viewer = known_player(viewer, list(dict.fromkeys(players)))
    if viewer is not None:
        games = known_games(report.games, games, viewer, folder)
    try:
        return page(report, games, viewer=viewer, version=version)
    except ValueError as error:
        raise Refused("{name}: {reason}", name=name, reason=error) from error
    finally:
        failures[:] = [finding for game in report.games if game.failed for finding in game.findings]


def _serve(path: str, make: Callable[..., str], at: tuple[str, int]) -> None:
    from altay_cli.replay.serving import Source, waiting_page

    def made(text: str, version: str) -> str:
        try:
            return make(text, version)
        except Refused as error:
            # The log is still being written: wait until there is something to show.
            return waiting_page(error.message)

    serve(Source(Path(path), made), path, at)


def serve(site: Site, name: str, at: tuple[str, int]) -> None:
    """Serve a site at a host and port until it is interrupted; ``name`` is for people."""
    from altay_cli.replay.serving import PAUSE, Server

    try:
        server = Server(site, *at)
    except OSError as error:
        raise Refused(f"{at[0]}, port {at[1]}: {why(error, str(error))}") from error
    with server:
        print_line(
            phrase("{file}: {address} (stop with Ctrl+C)", file=name, address=server.address)
        )
        try:
            server.serve_forever(poll_interval=PAUSE)
        except KeyboardInterrupt:
            print_line("")


@click.command("page")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@bind_option
@port_option
def page(folder: Path | None, bind: str | None, port: int | None) -> None:
    """Serve a built page, which checks and scores games in a browser.

    FOLDER is the folder of the page, such as web/dist. It needs no server that computes: any host
    of files will do.
    """
    from altay_cli.replay.serving import Folder

    source = (
        "`npm ci && npm run build` in the folder web makes web/dist; a release has it as an archive"
    )
    if folder is None:
        raise Refused("name the folder of a built page: {source}", source=translated(source))
    if not all((folder / name).is_file() for name in ("index.html", "python/manifest.json")):
        message = "{name} is not a built page: {source}"
        raise Refused(message, name=folder, source=translated(source))
    serve(Folder(folder), str(folder), (bind or "127.0.0.1", port or 0))
