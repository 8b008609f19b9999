"""Goofspiel against a few lines of Python, and the rules."""

from __future__ import annotations

from random import Random

import pytest

from tests.classics.counting import begin, told
from tests.cli.sample import run
from tests.logs import begun

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
NAMES = ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("ties", ["next", "nobody"])
@pytest.mark.parametrize("players", [2, 3])
def test_games_at_random(players: int, ties: str) -> None:
    random = Random(f"{players} {ties}")
    game = begin("goofspiel", players, (("Ties", ties),))
    hands = [list(range(1, 14)) for _ in range(players)]
    deck, points, waiting = list(range(1, 14)), [0] * players, 0
    random.shuffle(deck)
    for number in range(13):
        assert not game.ended
        assert game.round == number + 1
        assert [str(move) for move in game.candidates()] == ["prize"]
        waiting += deck[number]
        game.apply(f"prize => {RANKS[deck[number] - 1]}")
        bids: dict[int, int] = {}
        for seat in random.sample(range(players), players):
            legal = {f"{NAMES[other]}: bid {RANKS[card - 1]}" for other in range(players)
                     if other not in bids for card in hands[other]}  # fmt: skip
            # An answer without a name is that of the player whose turn it is.
            listed = {str(move) for move in game.candidates()}
            assert {move if ":" in move else f"Ann: {move}" for move in listed} == legal
            bids[seat] = random.choice(hands[seat])
            game.apply(f"{NAMES[seat]}: bid {RANKS[bids[seat] - 1]}")
            hands[seat].remove(bids[seat])
        highest = [seat for seat in bids if bids[seat] == max(bids.values())]
        if len(highest) == 1:
            points[highest[0]] += waiting
            waiting = 0
        elif ties == "nobody":
            waiting = 0
    assert game.ended
    score = game.score()
    assert [player.total for player in score.players] == points
    best = max(points)
    assert score.winners == tuple(NAMES[seat] for seat in range(players) if points[seat] == best)


SETUP = begun("goofspiel")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["Ann: bid 7"], "no-prize: there is no prize to bid for: `prize =>` and the card"),
        (["prize"], "prize-unrecorded: the prize is not recorded"),
        (["prize => ?"], "prize-unrecorded: all players see the prize, so it is recorded"),
        (["prize => 7, 8"], "draw-too-many: too many draws are recorded: 2 instead of 1"),
        (["prize => 7", "prize => 8"], "bid-due: Ann must bid for 7 first: `Ann: bid` and a card"),
        (["prize => 7", "Ann: bid 8", "Ann: bid 9"], "bid-twice: Ann has bid already; Bob has not"),
        (
            ["prize => 7", "Ann: bid 8", "Bob: bid 9", "prize => 7"],
            "prize-gone: 7 has been a prize already; left are A, 2, 3, 4, 5, 6, 8, 9, 10, J, Q, K",
        ),
        (
            ["prize => 7", "Ann: bid 8", "Bob: bid 9", "prize => 6", "Bob: bid K", "Ann: bid 8"],
            "bid-held: Ann has bid 8 already, and holds A, 2, 3, 4, 5, 6, 7, 9, 10, J, Q, K",
        ),
        (["prize => 7", "Bob: bid 9", "Ann: bid 8", "Bob: expect won 7"], ""),
        # Equal bids: the prize waits for the next one.
        (
            ["prize => 7", "Bob: bid 9", "Ann: bid 9",
             "prize => 2", "Bob: bid A", "Ann: bid 2", "Ann: expect won 2, 7"],
            "",
        ),
    ],
)  # fmt: skip
def test_moves(moves: list[str], message: str) -> None:
    found = told(SETUP + "".join(f"  {move}\n" for move in moves))
    assert [one.startswith(message) for one in found] == ([True] if message else [])


def test_no_bid_is_seen_before_all_have_bid() -> None:
    begin = SETUP + "  prize => 7\n  Ann: bid 8\n"
    assert "8" not in run("log", "-", "--as", "Bob", text=begin).stdout.partition("bid")[2][:8]
    assert "bid 8" in run("log", "-", "--as", "Ann", text=begin).stdout
    assert "bid 8" in run("log", "-", "--as", "Bob", text=begin + "  Bob: bid 9\n").stdout
