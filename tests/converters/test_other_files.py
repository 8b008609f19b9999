"""Files that are no logs are named for what they are."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from tests.cli.sample import LEGAL, run

PGN = '[Event "Club"]\n[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. e4 e5 *\n'


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("game.pgn", PGN, "this is a chess game in PGN: `altay import game.pgn` makes a log of it"),
        ("game.agn", PGN, "this is a chess game in PGN: `altay import FILE` makes a log of it"),
        (
            "moves.pgn",
            "1. d4 d5 2. c4 *\n",
            "this is a chess game in PGN: `altay import moves.pgn`",
        ),
        (
            "go.sgf",
            "(;GM[1]FF[4]SZ[19];B[pd];W[dd])",
            "this is a game in SGF; there is no converter",
        ),
        # A log whose tag `Game` was forgotten, and a text, are neither.
        ("log.agn", LEGAL.partition("\n")[2], "the tag `Game` is missing"),
        ("list.txt", "1. Buy milk\n2. Go home\n", "no game starts here"),
    ],
)
def test_texts(name: str, text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 2
    assert told in result.stdout
    assert ("PGN" in result.stdout) == name.endswith(".pgn") or name == "game.agn"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (LEGAL.encode("utf-16"), "this text is in UTF-16: save it as UTF-8"),
        (LEGAL.encode("utf-16-le"), "this text is in UTF-16: save it as UTF-8"),
        (LEGAL.encode("utf-16-be"), "this text is in UTF-16: save it as UTF-8"),
        (LEGAL.encode("utf-32"), "this text is in UTF-32: save it as UTF-8"),
        (
            LEGAL.replace("Bob", "Zoë").encode("cp1252"),
            "byte 0xEB in line 7; this may be Windows-1252: save it as UTF-8",
        ),
        (gzip.compress(LEGAL.encode()), "not a text but a gzip archive: unpack it first"),
        (bz2.compress(LEGAL.encode()), "not a text but a bzip2 archive: unpack it first"),
        (lzma.compress(LEGAL.encode()), "not a text but an xz archive: unpack it first"),
        (b"PK\x03\x04" + bytes(20), "not a text but a zip archive: unpack it first"),
    ],
)
def test_bytes(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "game.agn"
    path.write_bytes(data)
    result = run("check", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
