"""Moves of chess as other programs write them are read as meant, with a warning that shows how."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import Verdict, check_text
from tests.logs import begun

HEAD = begun("chess")

# After the fourth move of black; the king's knight and bishop are out on both sides.
DEVELOPED = ["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "d3", "Bc5"]

POSITION = """\
[Game "chess"]
position
  seat Ann
  seat Bob
  Ann: has king on e1
  Ann: has rook on a1, h1
  Ann: has knight on b1, f3
  Ann: has pawn on a7
  Ann: may castle kingside
  Bob: has king on g7
  Bob: has rook on b8
turn 30 Ann
"""


def findings(text: str) -> list[Finding]:
    """Return what is found in the only game of a log."""
    (game,) = check_text(text).games
    return game.findings


def read_as(move: str, head: str = POSITION) -> str:
    """Return the statement that a move is read as, from the warning that shows it."""
    (warning,) = findings(f"{head}  {move}\n")
    assert (warning.rule, warning.severity) == ("badly-written", Severity.WARNING)
    assert warning.fixes[0].certain
    assert f"`{warning.fixes[0].text}`" in warning.message
    return warning.fixes[0].text


@pytest.mark.parametrize(
    ("move", "meant"),
    [
        ("Ng5", "move f3 to g5"),
        ("Nbd2", "move b1 to d2"),
        ("N1d2", "move b1 to d2"),
        ("Sg5+", "move f3 to g5"),
        ("♘g5!?", "move f3 to g5"),
        ("O-O", "move e1 to g1"),
        ("0-0", "move e1 to g1"),
        ("axb8Q", "move a7 to b8 as queen"),
        ("axb8(N)", "move a7 to b8 as knight"),
        ("a7xb8R", "move a7 to b8 as rook"),
        ("f3g5", "move f3 to g5"),
        ("a7a8q", "move a7 to a8 as queen"),
        ("Nf3-g5", "move f3 to g5"),
    ],
)
def test_a_move_is_read_whoever_wrote_it(move: str, meant: str) -> None:
    assert read_as(move) == meant


def test_the_position_tells_which_piece_moves() -> None:
    meant = [
        one.fixes[0].text for one in findings(HEAD + "\n".join([*DEVELOPED, "O-O", "O-O", ""]))
    ]
    assert meant == [
        "move e2 to e4",
        "move e7 to e5",
        "move g1 to f3",
        "move b8 to c6",
        "move f1 to b5",
        "move g8 to f6",
        "move d2 to d3",
        "move f8 to c5",
        "move e1 to g1",
        "move e8 to g8",
    ]


def test_the_first_such_move_says_how_whole_games_are_read() -> None:
    first, *others = findings(HEAD + "\n".join([*DEVELOPED, ""]))
    assert "`altay import`" in first.help[0]
    assert [one.help for one in others] == [()] * 7


def test_of_two_knights_it_must_be_said_which() -> None:
    (error,) = findings(POSITION + "  Nd2\n")
    assert error.severity is Severity.ERROR
    assert error.help == ("this may be `move b1 to d2` or `move f3 to d2`; say which",)


def test_a_move_that_no_piece_can_make_is_an_error() -> None:
    (error,) = findings(POSITION + "  Bb5\n")
    assert error.severity is Severity.ERROR
    assert error.help == ("this is the algebraic notation of chess, and no legal move",)


def test_what_is_forbidden_is_told_of_the_move_as_it_stands() -> None:
    warning, error = findings(HEAD + "  O-O\n")
    assert (warning.rule, error.rule) == ("badly-written", "castling-blocked")
    assert error.span.column == 3


def test_behind_an_error_the_meaning_is_not_certain() -> None:
    wrong, warning = findings(HEAD + "  move e2 to e5\n  e6\n")
    assert wrong.rule == "can-go"
    assert not warning.fixes[0].certain


@pytest.mark.parametrize("word", ["hello", "e9", "Kz4", "xyzzy", "O-O-O-O"])
def test_nothing_is_suggested_that_has_nothing_to_do_with_what_stands_there(word: str) -> None:
    log = HEAD + f"  {word}\n  move e7 to e5\n  move d2 to d4\n  move e5 to d4\n  move d1 to d4\n"
    (error,) = findings(log)
    assert error.fixes == ()
    assert not any("did you mean" in line for line in error.help)


def test_an_unreadable_log_is_not_legal() -> None:
    (game,) = check_text(HEAD + "  hello\n  move e7 to e5\n").games
    assert game.verdict is Verdict.ILLEGAL
