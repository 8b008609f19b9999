"""Games that end beside the board: given up, lost on time, by forfeit, or by agreement."""

from __future__ import annotations

import pytest

from altay_cli import open_game
from altay_cli.checking.check import check_text
from tests.logs import begun

OPENING = begun("chess") + "  move e2 to e4\n"


def rules(end: str, opening: str = OPENING) -> list[str]:
    (game,) = check_text(opening + end).games
    return [found.rule for found in game.findings]


@pytest.mark.parametrize("how", ["resign", "time", "forfeit", "illegal"])
@pytest.mark.parametrize(("who", "winner"), [("", "Ann"), ("Ann: ", "Bob")])
def test_who_concedes_loses(how: str, who: str, winner: str) -> None:
    loser = "Bob" if winner == "Ann" else "Ann"
    assert rules(f"  {who}{how}\nresult\n  winner {winner}\n") == []
    assert rules(f"  {who}{how}\nresult\n  winner {loser}\n") == ["claim-winner"]
    assert rules(f"  {who}{how}\nresult\n  draw\n") == ["claim-winner"]


def test_an_agreed_draw() -> None:
    assert rules("  draw\nresult\n  draw\n") == []
    assert rules("  draw\nresult\n  winner Ann\n") == ["claim-winner"]


FOOLS_MATE = "  move g2 to g4\n  move e7 to e5\n  move f2 to f3\n  move d8 to h4\n"
"""Bob mates Ann."""


@pytest.mark.parametrize(
    ("opening", "end", "article"),
    [
        (begun("chess"), FOOLS_MATE, "5.1.1"),
        (OPENING, "  resign\n", "5.1.2"),
        (OPENING, "  Ann: time\n", "6.9"),
        (OPENING, "  Ann: illegal\n", "7.5.5"),
        (OPENING, "  draw\n", "9.1.2"),
    ],
)
def test_a_wrong_winner_cites_how_the_game_ended(opening: str, end: str, article: str) -> None:
    wrong = "Bob" if end == "  resign\n" else "Ann"
    (game,) = check_text(f"{opening}{end}result\n  winner {wrong}\n").games
    (finding,) = game.findings
    assert finding.rule == "claim-winner"
    assert finding.cite == {"fide": article}


def test_an_illegal_move_cites_its_article() -> None:
    (game,) = check_text(OPENING + "  move a8 to a5\n").games
    assert [one.cite for one in game.findings] == [{"fide": "3.1-3.9"}]


@pytest.mark.parametrize("how", ["resign", "time", "forfeit", "illegal", "draw"])
def test_nothing_follows(how: str) -> None:
    assert rules(f"  {how}\n  move e7 to e5\n") == ["game-over"]
    assert rules(f"  {how}\n  resign\n") == ["game-over"]


def test_both_have_lost_where_neither_plays_on() -> None:
    # Bob is to move.
    both = "  forfeit\n  Ann: forfeit\n"
    assert rules(f"{both}result\n  loser Ann, Bob\n") == []
    assert rules(f"{both}result\n  winner Ann\n") == ["claim-winner"]
    assert rules(f"{both}result\n  draw\n") == ["claim-winner"]
    assert rules(f"{both}  Bob: forfeit\n") == ["game-over"]
    assert rules(f"{both}  resign\n") == ["game-over"]
    # Who has won by resignation cannot forfeit the game any more.
    assert rules("  resign\n  Ann: forfeit\n") == ["game-over"]


def test_conceding_is_no_move_on_the_board() -> None:
    assert len(open_game(OPENING).legal_moves()) == 20


@pytest.mark.parametrize(
    ("bob", "ann", "mates"),
    [
        # What Bob has besides his king, who would win; what Ann has, whose time is over.
        ("", "queen on a2", False),
        ("pawn on b3", "", True),
        ("rook on b3", "", True),
        ("knight on b3", "queen on a2", False),
        ("knight on b3", "pawn on a2", True),
        ("knight on b3, c3", "queen on a2", True),
        ("bishop on b3", "queen on a2", False),
        ("bishop on b3", "knight on a2", True),
        ("bishop on b3", "bishop on a3", True),
        ("bishop on b3", "bishop on a2, rook on h3", False),
        ("bishop on b3, c3", "", True),
    ],
)
@pytest.mark.parametrize("how", ["time", "illegal"])
def test_nobody_wins_without_anything_to_mate_with(
    how: str, bob: str, ann: str, mates: bool
) -> None:
    pieces = [("Ann", "king on e1"), ("Bob", "king on e8")]
    for name, held in (("Bob", bob), ("Ann", ann)):
        kind = ""
        for one in filter(None, held.split(", ")):
            kind = one.split(" on ")[0] if " on " in one else kind
            pieces.append((name, f"{kind} on {one.split(' on ')[-1]}"))
    lines = [f"  {name}: has {piece}\n" for name, piece in pieces]
    opening = f'[Game "chess"]\nposition\n  seat Ann\n  seat Bob\n{"".join(lines)}turn 1 Ann\n'
    assert rules(f"  {how}\nresult\n  {'winner Bob' if mates else 'draw'}\n", opening) == []
    assert rules(f"  {how}\nresult\n  {'draw' if mates else 'winner Bob'}\n", opening) == [
        "claim-winner"
    ]


BACK_AND_FORTH = "".join(
    f"  move {move}\n" for move in ("g1 to f3", "g8 to f6", "f3 to g1", "f6 to g8")
)
"""After this the position is the first again."""


def test_fivefold_repetition_ends_games_since_2014_alone() -> None:
    begun = '[Game "chess"]\n{}setup\n  seat Ann\n  seat Bob\nturn 1 Ann\n'
    played = BACK_AND_FORTH * 4
    before = begun.format('[Laws "before-2014"]\n')
    assert rules(f"{played}result\n  draw\n", begun.format("")) == []
    assert rules(f"{played}  move e2 to e4\n", begun.format("")) == ["game-over"]
    assert rules(f"{played}  move e2 to e4\n  resign\nresult\n  winner Ann\n", before) == []
    assert rules(f"{played}  draw\nresult\n  draw\n", before) == []


def test_seventy_five_moves_end_games_since_2014_alone() -> None:
    # The kings walk around on 14 and 12 squares: no position is there again within 75 moves.
    around = [f"{column}1" for column in "abcdefg"] + [f"{column}2" for column in "gfedcba"]
    across = [f"{column}8" for column in "abcdef"] + [f"{column}7" for column in "fedcba"]
    moves = [
        (way[number % len(way)], way[(number + 1) % len(way)])
        for number in range(75)
        for way in (around, across)
    ]
    begun = (
        '[Game "chess"]\n{}position\n  seat Ann\n  seat Bob\n  Ann: has king on a1\n'
        "  Bob: has king on a8\n  Ann: has pawn on h4\n  Bob: has pawn on h5\nturn 1 Ann\n"
    )
    played = "".join(f"  move {old} to {new}\n" for old, new in moves)
    more = f"  move {around[75 % 14]} to {around[76 % 14]}\n"
    assert rules(f"{played}result\n  draw\n", begun.format("")) == []
    before = begun.format('[Laws "before-2014"]\n')
    assert rules(f"{played}{more}", begun.format("")) == ["game-over"]
    assert rules(f"{played}  draw\nresult\n  draw\n", before) == []
    assert rules(f"{played}{more}  resign\nresult\n  winner Ann\n", before) == []


@pytest.mark.parametrize("game", ["connectfour", "kalah", "morris", "othello"])
@pytest.mark.parametrize("how", ["resign", "time", "forfeit"])
def test_other_games_for_two(game: str, how: str) -> None:
    opening = begun(game)
    assert rules(f"  {how}\nresult\n  winner Bob\n", opening) == []
    assert rules(f"  {how}\nresult\n  winner Ann\n", opening) == ["claim-winner"]
    assert rules(f"  Bob: {how}\nresult\n  winner Ann\n", opening) == []
    assert rules(f"  Bob: {how}\n  resign\n", opening) == ["game-over"]
