"""The table of converters, how their files are recognised, and what they get and give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.findings import Text


class Imported(NamedTuple):
    """A game as a log in AGN, and what of it could not be converted, if anything."""

    log: str
    problem: str = ""


class Done(NamedTuple):
    """A statement of a log: who makes which move, by ids.

    ``values`` are the ids of the things in its slots, ``comments`` the texts of the comments that
    follow it, without `#`.
    """

    actor: str
    move: str
    values: Mapping[str, Sequence[str]]
    comments: Sequence[str] = ()


class Recorded(NamedTuple):
    """A legal game to export.

    ``position`` are the statements of the position that it begins from, if it does; ``comments``
    stand before the first move. ``first`` is the player whose turn it is first, in ``round``.
    ``winners`` is empty if nobody has won; ``drawn`` says that the game is over then.
    """

    tags: Mapping[str, str]
    players: Sequence[str]
    position: Sequence[Done]
    comments: Sequence[str]
    first: str
    round: int
    turns: Sequence[Done]
    winners: Sequence[str]
    drawn: bool


class Converter(NamedTuple):
    """A row of the table.

    ``module`` has two functions, ``read_games(text)``, which yields an ``Imported`` for each game,
    and ``write_games(games)``, which returns the text for ``Recorded`` ones. It may need what the
    extra ``extra`` installs. A file is recognised by ``looks``, which is searched for in its text.
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
"""One row for each notation that can be imported and exported."""

OTHERS = (("a game in SGF", re.compile(r"\A\s*\(\s*;\s*[A-Z]{1,2}\s*\[")),)
"""What else a text may be, for which there is no converter, and how it is recognised."""


def converter_for(text: str) -> Converter | None:
    """Return the converter that reads a text; None if there is none."""
    return next((one for one in CONVERTERS if one.looks.search(text)), None)


def converter_of_game(game: str) -> Converter | None:
    """Return the converter that writes games by some rules; None if there is none."""
    return next((one for one in CONVERTERS if one.game == game), None)


def description(text: str, name: str) -> str:
    """Return what a text is that is no log, and what can be done; empty if it is nothing known.

    ``name`` is the name of its file.
    """
    if converter := converter_for(text):
        file = Path(name).name if name.lower().endswith(converter.ending) else "FILE"
        template = "this is {what}: `altay import {file}` makes a log of it"
        return Text(template, what=Text(converter.about), file=file)
    what = next((about for about, looks in OTHERS if looks.search(text)), None)
    return Text("this is {what}; there is no converter for it", what=Text(what)) if what else ""
