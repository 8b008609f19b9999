"""Chess in PGN becomes a legal log, and the log the same PGN again."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

from altay_cli.checking.check import check_text
from altay_cli.checking.exporting import recorded_games
from altay_cli.notation.writing import format_log
from tests.cli.sample import run
from tests.logs import GAMES

pytest.importorskip("chess", reason="the extra `pgn` is not installed")

import chess.pgn

from altay_cli.converters import pgn

ANNOTATED = """\
[Event "Club evening"]
[Site "Kitchen \\"table\\""]
[Date "2019.05.??"]
[White "Doe, Jane"]
[Black "O'Neil"]
[Result "0-1"]
[TimeControl "300+3"]

{Played on a rainy day.} 1. e4 $1 {[%clk 0:04:58] a good move} (1. d4 d5 2. c4 (2. Nf3 {quiet} Nf6) 2... e6)
(1. Nf3 {also good}) 1... e5 {[%clk 0:04:59]} 2. Nf3 Nc6 ( { the Russian defence: } 2... Nf6 $5 3. Nxe5 ) 3. Bb5 a6
{the move of a champion, with a comment that is much too long for one line of a log and so goes on in the next one}
4. Ba4 Nf6 5. O-O {castling} Be7 0-1
"""
LOST = """\
[White "Ann"]
[Black "Bob"]
[Result "{result}"]
[Termination "{how}"]

1. e4 e5 2. Nf3 {result}
"""
FROM_POSITION = """\
[White "Ann"]
[Black "Bob"]
[Result "*"]
[SetUp "1"]
[FEN "r3k2r/p6p/8/3pP3/8/8/P6P/R3K2R w KQk d6 0 20"]

20. exd6 O-O 21. O-O-O a5 22. d7 a4 23. d8=N *
"""
SEVERAL = LOST.format(result="1-0", how="Normal") + "\n" + FROM_POSITION
OLD = """\
[White "Ann"]
[Black "Bob"]
[Date "1950.01.01"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4 e5 1/2-1/2
"""


def spaced(text: str) -> str:
    return " ".join(text.split())


def nodes(game: chess.pgn.Game) -> list[object]:
    """Return the tree of a game: for each position its NAGs, comments and moves."""
    found: list[object] = []
    waiting: list[chess.pgn.GameNode] = [game]
    while waiting:
        node = waiting.pop()
        comments = spaced(node.comment), spaced(getattr(node, "starting_comment", ""))
        moves = [str(one.move) for one in node.variations]
        found.append((node.board().fen(), sorted(node.nags), comments, moves))
        waiting += node.variations
    return found


def known(game: chess.pgn.Game) -> dict[str, str]:
    """Return the tags of a game that say something."""
    return {name: value for name, value in game.headers.items() if value.strip("?.")}


def games(text: str) -> list[chess.pgn.Game]:
    """Read all games of a text in PGN."""
    stream, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        found.append(game)
    return found


def there_and_back(text: str) -> str:
    """Import and export a text in PGN; the log is legal, and `altay fmt` changes nothing that counts."""
    imported = list(pgn.read_games(text))
    assert [one.problem for one in imported] == [""] * len(imported)
    log = "\n".join(one.log for one in imported)
    for one in check_text(log).games:
        assert one.legal, one.findings
        assert [found for found in one.findings if found.severity != "note"] == []
    back = pgn.write_games(game for _, game in recorded_games(log))
    assert pgn.write_games(game for _, game in recorded_games(format_log(log))) == back
    return back


@pytest.mark.parametrize(
    "text",
    [
        ANNOTATED, FROM_POSITION, SEVERAL, OLD,
        *(LOST.format(result=result, how=how) for result, how in (
            ("1-0", "Normal"), ("0-1", "Normal"), ("0-1", "Time forfeit"), ("1-0", "Abandoned"),
            ("1-0", "Rules infraction"), ("1/2-1/2", "Normal"), ("*", "Unterminated"),
        )),
    ],
)  # fmt: skip
def test_games_come_back_as_they_were(text: str) -> None:
    before, after = games(text), games(there_and_back(text))
    assert list(map(nodes, before)) == list(map(nodes, after))
    assert list(map(known, before)) == list(map(known, after))


@pytest.mark.parametrize("seed", range(8))
def test_games_of_chance_come_back_as_they_were(seed: int) -> None:
    """Forty moves by chance, with comments, NAGs and variations by chance."""
    chance = Random(seed)
    game = chess.pgn.Game({"White": "Ann", "Black": "Bob", "Result": "*"})
    node: chess.pgn.GameNode = game
    for _ in range(40):
        board = node.board()
        if board.is_game_over():
            break
        moves = sorted(board.legal_moves, key=str)
        first, other = chance.choice(moves), chance.choice(moves)
        line = node.add_main_variation(first)
        if other != first and chance.random() < 0.2:
            aside = node.add_variation(other, comment=chance.choice(["", "aside (so to say)"]))
            if replies := sorted(aside.board().legal_moves, key=str):
                aside.add_variation(chance.choice(replies), nags={chance.randrange(1, 20)})
        line.comment = chance.choice(["", "", "", "a move; # and = mean nothing", "[%eval -0.35]"])
        line.nags = {chance.randrange(1, 140) for _ in range(chance.choice((0, 0, 0, 1, 2)))}
        node = line
    game.headers["Result"] = game.end().board().result()
    text = f"{game}\n"
    (back,) = games(there_and_back(text))
    assert nodes(game) == nodes(back)
    assert known(game) == known(back)


def test_the_log_of_a_game(tmp_path: Path) -> None:
    """By hand; Ann castles, and Bob gives up in his own turn."""
    path = tmp_path / "game.pgn"
    text = '[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 {best} e5 2. Nf3 d6 1-0\n'
    path.write_text(text, encoding="utf-8")
    result = run("import", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == """\
[Game "chess"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

setup
  seat Ann
  seat Bob

turn 1 Ann
  move e2 to e4  # {best}
  move e7 to e5
turn 2 Ann
  move g1 to f3
  move d7 to d6
  Bob: resign

result
  winner Ann
"""
    )


def test_lines_and_tags_have_a_greatest_length() -> None:
    text = ANNOTATED.replace("Doe, Jane", "Doe " * 20).replace("Club evening", "evening " * 150)
    (imported,) = pgn.read_games(text)
    names = [line for line in imported.log.split("\n") if line.startswith("  seat")]
    assert names[0] == f'  seat "{("Doe " * 15).strip()}"'
    assert f'[Event "{("evening " * 125).strip()}"]' in imported.log
    moves = [line for line in imported.log.split("\n") if line.startswith("  ")]
    assert 90 < max(map(len, moves)) <= 100
    back = pgn.write_games(game for _, game in recorded_games(imported.log))
    lines = [line for line in back.split("\n") if not line.startswith("[")]
    assert 70 < max(map(len, lines)) <= 79


def test_a_fifth_repetition_ends_a_newer_game() -> None:
    newer = OLD.replace("1950.01.01", "2019.01.01")
    (game,) = pgn.read_games(newer)
    assert game.problem.startswith(
        "the log continues after 8... Ng8, which ended the game: the position was"
    )


def test_the_comments_of_a_log_become_comments() -> None:
    log = (GAMES / "classics" / "chess.agn").read_text(encoding="utf-8")
    log = log.replace("move e7 to e5", "move e7 to e5  # (so far, so good) {really}", 1)
    (game,) = games(run("export", "-", text=log).stdout)
    assert game.comment.startswith("The Opera Game:")
    assert game.next().next().comment == "(so far, so good) (really)"  # type: ignore[union-attr]
    assert game.headers["White"] == "Morphy"
    assert game.end().board().is_checkmate()
    assert game.headers["Result"] == "1-0"


def test_what_cannot_be_converted_is_said(tmp_path: Path) -> None:
    wrong = '[White "Ann"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n\n'
    variant = '[White "Ann"]\n[Variant "Atomic"]\n\n1. e4 *\n\n'
    result = run("import", "-", text=wrong + variant)
    assert result.exit_code == 1
    assert "move e7 to e5" in result.stdout
    assert "altay: -: game 1: illegal san: 'Ke3'" in result.stderr
    assert "altay: -: game 2: it is played by other rules, Atomic\n" in result.stderr
    for text, told in (
        ("hello\n", "this notation cannot be imported; known: PGN"),
        (variant, "game"),
    ):
        assert run("import", "-", text=text).exit_code == 2
        assert told in run("import", "-", text=text).stderr
    illegal = '[Game "chess"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  move e2 to e5\n'
    assert "game 1 is not legal" in run("export", "-", text=illegal).stderr
    nim = (GAMES / "classics" / "nim.agn").read_text(encoding="utf-8")
    assert (
        "only logs of one of these games can be exported: chess"
        in run("export", "-", text=nim).stderr
    )


def test_a_game_that_goes_on_after_its_end_is_named_with_the_move() -> None:
    """Bob's king takes the last rook; two kings cannot mate, and yet they move on."""
    goes_on = """\
[White "Ann"]
[Black "Bob"]
[SetUp "1"]
[FEN "8/8/8/8/4k3/4R3/8/K7 b - - 0 60"]

60... Kxe3 61. Ka2 Kd3 *
"""
    result = run("import", "-", text=LOST.format(result="*", how="") + "\n" + goes_on)
    assert result.exit_code == 1
    assert result.stderr == (
        "altay: -: game 2: the log continues after 60... Kxe3, which ended the game: "
        "too little was left to mate; it is illegal from there\n"
    )
    legal, illegal = check_text(result.stdout).games
    assert legal.legal
    line = result.stdout.split("\n").index("turn 61 Ann") + 1
    assert next((one.rule, one.span.line) for one in illegal.findings) == ("game-over", line)
    ended = goes_on.replace("61. Ka2 Kd3 ", "")
    assert run("import", "-", text=ended).stderr == ""


def test_old_encodings_are_read_and_files_written(tmp_path: Path) -> None:
    path, log = tmp_path / "game.pgn", tmp_path / "game.agn"
    path.write_bytes('[White "Jörg"]\n[Black "Zoë"]\n\n1. e4 *\n'.encode("cp1252"))
    assert run("import", path, "-o", log).exit_code == 0
    assert "seat Jörg\n" in log.read_text(encoding="utf-8")
    assert run("export", log, "-o", tmp_path / "again.pgn").exit_code == 0
    assert '[Black "Zoë"]' in (tmp_path / "again.pgn").read_text(encoding="utf-8")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.delitem(sys.modules, "altay_cli.converters.pgn")
    monkeypatch.setitem(sys.modules, "chess", None)
    result = run("import", "-", text="1. e4 e5 *\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "PGN requires `pip install 'altay[pgn]'`" in result.stderr
