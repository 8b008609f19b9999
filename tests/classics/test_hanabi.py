"""Hanabi against a few lines of Python, and the rules."""

from __future__ import annotations

from random import Random

import pytest

from altay_cli.checking.opening import open_game
from tests.classics.counting import told
from tests.cli.sample import run

COLOURS = ["white", "yellow", "green", "blue", "red"]
NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve"]
Card = tuple[str, int]


def written(card: Card) -> str:
    return f"{card[0]} {card[1]}"


class Hanabi:
    """The game on lists: a hand has its cards, or None, by place."""

    def __init__(self, players: int, random: Random) -> None:
        copies = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
        self.deck = [
            (colour, number) for colour in COLOURS for number in copies for _ in range(copies[number])
        ]  # fmt: skip
        random.shuffle(self.deck)
        size = 5 if players < 4 else 4
        self.hands: list[list[Card | None]] = [
            [self.deck.pop() for _ in range(size)] for _ in range(players)
        ]
        self.heights = dict.fromkeys(COLOURS, 0)
        self.clues, self.mistakes, self.player = 8, 0, 0
        self.turns_left: int | None = None

    @property
    def over(self) -> bool:
        return self.mistakes == 3 or sum(self.heights.values()) == 25 or self.turns_left == 0

    def moves(self) -> set[str]:
        own = [place for place, card in enumerate(self.hands[self.player], 1) if card]
        found = {f"play {place}" for place in own}
        if self.clues < 8:
            found |= {f"discard {place}" for place in own}
        if self.clues:
            for other, hand in enumerate(self.hands):
                if other != self.player:
                    parts = {part for card in hand if card for part in card}
                    found |= {f"clue {part} to {NAMES[other]}" for part in parts}
        return found

    def make(self, move: str) -> str:
        """Make a move and return it with the card that is drawn."""
        if self.turns_left is not None:
            self.turns_left -= 1
        word, what, *_ = move.split()
        if word == "clue":
            self.clues -= 1
        else:
            hand, place = self.hands[self.player], int(what) - 1
            card = hand[place]
            assert card is not None
            if word == "discard":
                self.clues += 1
            elif card[1] == self.heights[card[0]] + 1:
                self.heights[card[0]] += 1
                self.clues = min(8, self.clues + (card[1] == 5))
            else:
                self.mistakes += 1
            hand[place] = None
            if self.deck:
                hand[place] = drawn = self.deck.pop()
                move += f" => {written(drawn)}"
                if not self.deck:
                    self.turns_left = len(self.hands)
        self.player = (self.player + 1) % len(self.hands)
        return move

    def sensible(self) -> str | None:
        """Return a move with a card that fits, so that some games last."""
        for place, card in enumerate(self.hands[self.player], 1):
            if card and card[1] == self.heights[card[0]] + 1:
                return f"play {place}"
        return None


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_at_random(players: int) -> None:
    random = Random(players)
    for number in range(2):
        own = Hanabi(players, random)
        lines = [f"  seat {name}" for name in NAMES[:players]]
        for name, hand in zip(NAMES, own.hands, strict=False):
            lines.append(f"  {name}: deal {', '.join(written(card) for card in hand if card)}")
        game = open_game("\n".join(['[Game "hanabi"]\nsetup', *lines, "turn 1 Ann\n"]))
        assert game.errors == 0, game.findings
        while not own.over:
            assert not game.ended
            assert game.player == NAMES[own.player]
            assert {str(move) for move in game.candidates()} == own.moves()
            chosen = random.choice(sorted(own.moves()))
            if number and chosen.startswith("play"):
                chosen = own.sensible() or chosen
                quiet = sorted(move for move in own.moves() if not move.startswith("play"))
                if own.sensible() is None and quiet:
                    chosen = random.choice(quiet)
            game.apply(own.make(chosen))
        assert game.ended
        score = game.score()
        if own.mistakes == 3:
            assert score.losers == tuple(NAMES[:players])
            assert {player.total for player in score.players} == {0}
        else:
            assert score.winners == tuple(NAMES[:players])
            assert {player.total for player in score.players} == {sum(own.heights.values())}


SETUP = """\
[Game "hanabi"]
setup
  seat Ann
  seat Bob
  Ann: deal white 1, red 3, red 3, blue 5, green 2
  Bob: deal yellow 1, yellow 1, white 2, red 5, blue 4
turn 1 Ann
"""


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["clue yellow to Bob"], ""),
        (["clue green to Bob"], "clue-empty: Bob has no green card"),
        (["clue 3 to Bob"], "clue-empty: Bob has no card with a 3"),
        (["clue red to Ann"], "clue-yourself: a player gives clues to others"),
        (["discard 1 => blue 1"], "clues-full: all 8 clues are there, so no card can be discarded"),
        (["play 1"], "draw-unrecorded: the card that Ann draws is not recorded"),
        (["play 1 => ?"], "draw-unrecorded: the others see the card that Ann draws"),
        (["play 1 => blue 5"], "draw-gone: no blue 5 is left in the deck"),
        (["play 1 => blue 1, blue 2"], "draw-one: one card is drawn"),
        (["play 1 => blue 1", "Ann: expect card 1 is blue 1", "expect white at 1"], ""),
        (["play 2 => blue 1", "expect red at 0", "clue red to Ann", "expect clues 7"], ""),
        (["clue 1 to Bob", "discard 5 => white 1", "expect clues 8"], ""),
        (["clue 1 to Bob", "clue 3 to Ann", "clue 4 to Ann"], "clue-yourself: "),
    ],
)
def test_moves(moves: list[str], message: str) -> None:
    found = told(SETUP + "".join(f"  {move}\n" for move in moves))
    assert [one.startswith(message) for one in found] == ([True] if message else [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (", green 2", "", "deal-size: with 2 players each gets 5 cards, not 4"),
        ("yellow 1, yellow 1", "blue 5, yellow 1", "draw-gone: no blue 5 is left in the deck"),
        ("  Bob: deal yellow 1, yellow 1, white 2, red 5, blue 4\n", "", "not-dealt: no cards are"),
    ],
)
def test_deals(old: str, new: str, message: str) -> None:
    found = told(SETUP.replace(old, new))
    assert any(one.startswith(message) for one in found)


def test_three_mistakes_lose() -> None:
    log = SETUP + "  play 2 => green 1\n  play 5 => green 1\n  play 3 => green 1\n"
    assert told(log + "result\n  Ann: score 0\n  loser Ann, Bob\n") == []


def test_eight_clues() -> None:
    clues = "  clue 1 to Bob\n  clue 3 to Ann\n" * 4
    (found,) = told(SETUP + clues + "  clue 1 to Bob\n")
    assert found == "clue-left: no clue is left; a card that is discarded brings one"


def test_everybody_sees_the_hands_of_the_others() -> None:
    log = SETUP + "  play 1 => blue 1\n"
    own = run("show", "-", "--as", "Ann", text=log).stdout
    assert "yellow 1" in own
    assert "red 3" not in own
    other = run("show", "-", "--as", "Bob", text=log).stdout
    assert "red 3" in other
    assert "yellow 1" not in other
    assert "blue 1" not in run("log", "-", "--as", "Ann", text=log).stdout
    assert "blue 1" in run("log", "-", "--as", "Bob", text=log).stdout
