"""Split a stream of bytes into games, as ``notation.reading`` does, but without parsing."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from io import BytesIO
from typing import IO, NamedTuple

from altay_cli.base.files import MAX_LOG
from altay_cli.base.findings import Text
from altay_cli.notation.lexis import BLANKS, GAME_TAG, decode

_EMPTY = re.compile(rf"[{BLANKS};；]*+(?:[#＃].*)?\Z", re.DOTALL)
_TAG = re.compile(rf"[{BLANKS};；]*+\[")

# Longer lines are statements, or begin a tag pair within this length.
_LOOKED_AT = 1_000


class GameText(NamedTuple):
    """The text of a game, after ``before`` other lines of its file."""

    text: str
    before: int


def games_of(stream: IO[bytes]) -> Iterator[GameText]:
    """Yield the texts of the games in a stream, in order; together they are the file.

    Lines before the first tag pair belong to the first game. Games whose tag pairs share a line are
    one text. So are all lines up to the first tag `Game`: without one, the file is no log.

    Raise a NotationError if a game is not UTF-8 (its line counts from the start of the file), or an
    OSError if a game is larger than ``MAX_LOG`` bytes (``errno.EFBIG``) or reading fails.
    """
    held: list[bytes] = []
    size, before = 0, 0
    is_log = has_statements = False
    for number, line in enumerate(_lines(stream)):
        start = line[:_LOOKED_AT].decode("utf-8", "replace").rstrip("\n")
        if _TAG.match(start):
            if is_log and has_statements:
                yield GameText(decode(b"".join(held), before), before)
                held, size, before, has_statements = [], 0, number, False
            is_log = is_log or GAME_TAG.match(start) is not None
        elif not has_statements and not _EMPTY.match(start):
            has_statements = True
        held.append(line)
        size += len(line)
        if size > MAX_LOG:
            raise _too_large()
    yield GameText(decode(b"".join(held), before), before)


def games_in(text: str) -> Iterator[GameText]:
    """Yield the games in a text, as ``games_of`` does."""
    return games_of(BytesIO(text.encode("utf-8", "surrogatepass")))


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    while line := stream.readline(MAX_LOG + 1):
        if len(line) > MAX_LOG:
            raise _too_large()
        if b"\r" not in line:
            yield line
            continue
        line = line.replace(b"\r\n", b"\n")
        yield from (part[0].replace(b"\r", b"\n") for part in _ENDED.finditer(line))


_ENDED = re.compile(rb"[^\r\n]*+(?:[\r\n]|(?<=[^\r\n])\Z)")


def _too_large() -> OSError:
    return OSError(errno.EFBIG, Text("larger than {count} bytes", count=f"{MAX_LOG:,}"))
