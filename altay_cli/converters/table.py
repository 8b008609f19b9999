"""The table of converters, and how their files are recognised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from altay_cli.base.findings import Text

if TYPE_CHECKING:
    from altay_cli.converters.games import Imported, Recorded


class Converter(NamedTuple):
    """A row of the table.

    module: has ``read_games`` and ``write_games``.
    extra: the extra that installs its libraries.
    looks: found in the text of a file in this notation.
    """

    name: str
    game: str
    about: str
    ending: str
    looks: re.Pattern[str]
    module: str
    extra: str

    def read_games(self, text: str) -> Iterator[Imported]:
        """Yield the games of a text as logs."""
        read: Callable[[str], Iterator[Imported]] = import_module(self.module).read_games
        return read(text)

    def write_games(self, games: Iterable[Recorded]) -> str:
        """Return the text for games."""
        write: Callable[[Iterable[Recorded]], str] = import_module(self.module).write_games
        return write(games)


CONVERTERS = (
    Converter(
        name="PGN",
        game="chess",
        about="a chess game in PGN",
        ending=".pgn",
        looks=re.compile(
            r'^\s*\[(?:White|Black|FEN|ECO) "|'
            r"^\s*(?:\{[^}]*\}\s*)?1\.\s?N?[a-h][1-8]\b",
            re.MULTILINE,
        ),
        module="altay_cli.converters.pgn",
        extra="pgn",
    ),
)

OTHERS = (("a game in SGF", re.compile(r"\A\s*\(\s*;\s*[A-Z]{1,2}\s*\[")),)
"""Other known notations."""


def converter_for(text: str) -> Converter | None:
    """Return the converter that reads a text."""
    return next((converter for converter in CONVERTERS if converter.looks.search(text)), None)


def converter_of_game(game: str) -> Converter | None:
    """Return the converter for a game by id."""
    return next((converter for converter in CONVERTERS if converter.game == game), None)


def description(text: str, name: str) -> str:
    """Say what a text is that is not a log, and what to do; empty if unknown."""
    if converter := converter_for(text):
        file = Path(name).name if name.lower().endswith(converter.ending) else "FILE"
        template = "this is {what}: `altay import {file}` makes a log of it"
        return Text(template, what=Text(converter.about), file=file)
    what = next((about for about, looks in OTHERS if looks.search(text)), None)
    return Text("this is {what}; there is no converter for it", what=Text(what)) if what else ""
