"""`altay import` and `altay export`: convert games from and to other notations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from altay_cli.base.files import MAX_LOG, read_regular, why
from altay_cli.base.findings import ImpossibleError
from altay_cli.checking.exporting import recorded_games
from altay_cli.cli.files import read_input
from altay_cli.cli.output import Refused, document, language_option, save, warn
from altay_cli.cli.viewing import log_argument, single_log
from altay_cli.converters.table import CONVERTERS, Converter, converter_for, converter_of_game

Made = TypeVar("Made")

out_option = click.option(
    "-o", "--out", metavar="FILE", help="Write here; without it, to standard output."
)


@click.command("import")
@click.argument("path", metavar="FILE")
@out_option
@language_option
def import_games(path: str, out: str | None) -> int:
    """Make a log of games in another notation: chess in PGN.

    FILE is such a file, or - for standard input. Comments, clocks, NAGs and variations of PGN
    become comments. A game is imported up to its first illegal move, and the exit code is then 1.
    """
    text = _text(path)
    converter = converter_for(text)
    if converter is None:
        names = tuple(converter.name for converter in CONVERTERS)
        raise Refused(
            "{file}: this notation cannot be imported; known: {names}", file=path, names=names
        )
    logs, code = [], 0
    for number, game in enumerate(_needing(converter, lambda: list(converter.read_games(text))), 1):
        logs += [game.log] if game.log else []
        if game.problem:
            code = 1
            message = "game {number}: {problem}"
            warn(message, about=path, number=number, problem=game.problem)
    if not logs:
        raise Refused("{file}: no game could be imported", file=path)
    _write("\n".join(logs), out)
    return code


@click.command("export")
@log_argument
@out_option
@language_option
def export_games(path: str, out: str | None) -> None:
    """Write the games of a log in the notation of other programs: chess in PGN.

    LOG is a log of legal games, or - for standard input.
    """
    name, folder, text = single_log(path)
    try:
        games = [*recorded_games(text, folder)]
    except ImpossibleError as error:
        raise Refused("{name}: {reason}", name=name, reason=error) from error
    converters = {rules: converter_of_game(rules) for rules, _ in games}
    found = [converter for converter in converters.values() if converter is not None]
    if len(found) != 1 or len(converters) != 1:
        known = tuple(converter.game for converter in CONVERTERS)
        raise Refused(
            "{name}: only logs of one of these games can be exported: {known}",
            name=name,
            known=known,
        )
    (converter,) = found
    _write(_needing(converter, lambda: converter.write_games(game for _, game in games)), out)


def _needing(converter: Converter, work: Callable[[], Made]) -> Made:
    try:
        return work()
    except ModuleNotFoundError as error:
        command = f"pip install 'altay[{converter.extra}]'"
        message = "{name} requires `{command}`"
        raise Refused(message, name=converter.name, command=command) from error


def _text(path: str) -> str:
    """PGN may have an encoding older than UTF-8."""
    try:
        data = read_input() if path == "-" else read_regular(path, MAX_LOG)
    except OSError as error:
        raise Refused(
            "{name}: {reason}", name=path, reason=why(error, "it cannot be read")
        ) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _write(text: str, out: str | None) -> None:
    if out is None or out == "-":
        document(text)
    else:
        save(Path(out), text.encode("utf-8"))
