"""Go Fish against a few lines of Python, and the rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NoReturn

import pytest

from altay_cli.base.findings import ImpossibleError
from altay_cli.checking.filling import fill
from altay_cli.checking.opening import open_game
from altay_cli.hidden import limits
from altay_cli.hidden.batches import Batches, InexpressibleError
from altay_cli.view.watching import LogLines, watch_text
from tests.classics.counting import told

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
NAMES = ["Ann", "Bob", "Cid", "Dan"]


class GoFish:
    """The game on counters of cards; ``due`` is what must be done next."""

    def __init__(self, players: int, random: Random) -> None:
        self.stock = [rank for rank in RANKS for _ in range(4)]
        random.shuffle(self.stock)
        self.hands = [Counter(self.stock.pop() for _ in range(5)) for _ in range(players)]
        self.books = [0] * players
        self.player = 0
        self.asked: tuple[int, str] | None = None
        self.fishing: str | None = None
        self.over = False

    def moves(self) -> set[str]:
        """Return the moves as they are listed; what is drawn is not told before."""
        if self.asked is not None:
            other, rank = self.asked
            count = self.hands[other][rank]
            # Names that are numbers are written side by side: `2 7` could be a 2 and a 7.
            cards = ", ".join([rank] * count) if rank.isdigit() or count == 1 else f"{count} {rank}"
            return {f"{NAMES[other]}: {f'give {cards}' if count else 'none'}"}
        if self.fishing is not None:
            return {"fish"}
        books = {
            ("" if player == self.player else f"{NAMES[player]}: ") + f"book {rank}"
            for player, hand in enumerate(self.hands)
            for rank in hand
            if hand[rank] == 4
        }
        hand = self.hands[self.player]
        if books:
            return books
        if not hand:
            return {"refill"}
        others = [name for n, name in enumerate(NAMES[: len(self.hands)]) if n != self.player]
        return {f"ask {name} for {rank}" for name in others for rank in hand}

    def make(self, move: str) -> str:
        """Make a move and return it as it is written."""
        actor, _, text = move.rpartition(": ")
        words = text.split()
        player = NAMES.index(actor) if actor else self.player
        done = False
        match words[0]:
            case "ask":
                self.asked = NAMES.index(words[1]), words[3]
                return move
            case "give":
                assert self.asked is not None
                other, rank = self.asked
                self.hands[self.player][rank] += self.hands[other].pop(rank)
                self.asked = None
            case "none":
                assert self.asked is not None
                self.fishing = self.asked[1] if self.stock else None
                self.asked = None
                done = self.fishing is None
            case "fish" | "refill":
                card = self.stock.pop()
                self.hands[self.player][card] += 1
                done = words[0] == "fish" and card != self.fishing
                self.fishing = None
                move = f"{move} => {card}"
            case "book":
                del self.hands[player][words[1]]
                self.books[player] += 1
                self.over = sum(self.books) == 13
        self.waiting = done or (self.waiting if words[0] == "book" else False)
        hand = self.hands[self.player]
        held = any(count == 4 for count in hand.values())
        stuck = not hand and not self.stock
        if self.fishing is None and not held and (self.waiting or stuck):
            self.pass_on()
        return move

    waiting = False

    def pass_on(self) -> None:
        self.waiting = False
        for step in range(1, len(self.hands) + 1):
            player = (self.player + step) % len(self.hands)
            if self.hands[player] or self.stock:
                self.player = player
                return
        self.player = (self.player + 1) % len(self.hands)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_at_random(players: int) -> None:
    random = Random(players)
    moves = 0
    while moves < 350:
        own = GoFish(players, random)
        lines = [f"  seat {name}" for name in NAMES[:players]]
        lines += [
            f"  {name}: deal {', '.join(hand.elements())}"
            for name, hand in zip(NAMES, own.hands, strict=False)
        ]
        game = open_game("\n".join(['[Game "gofish"]\nsetup', *lines, "turn 1 Ann\n"]))
        assert game.errors == 0
        while not own.over:
            assert not game.ended
            assert {str(move) for move in game.candidates()} == own.moves()
            game.apply(own.make(random.choice(sorted(own.moves()))))
            moves += 1
        assert game.ended
        most = max(own.books)
        assert game.score().winners == tuple(
            name for name, books in zip(NAMES, own.books, strict=False) if books == most
        )


SETUP = """\
[Game "gofish"]
setup
  seat Ann
  seat Bob
  Ann: deal 7, 7, A, 3, 3
  Bob: deal 7, 2, 2, K, 5
turn 1 Ann
"""


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["ask Bob for 9"], "ask-held: Ann holds 7, 7, A, 3, 3: to ask for 9, a player must hold one"),
        (["ask Ann for 7"], "ask-yourself: a player cannot ask for the player's own cards"),
        (["ask Bob for 7", "Bob: none"], "none-held: Bob holds 1 7"),
        (["ask Bob for 7", "Bob: give 2"], "give-rank: Ann has asked for 7, not for 2"),
        (["ask Bob for 7", "ask Bob for A"], "request-due: Ann has asked Bob for 7: "),
        # Bob may give sevens or send Ann fishing: what she holds then is not known yet.
        (["ask Bob for 7", "ask Bob for K"], "request-due: Ann has asked Bob for 7: "),
        (["ask Bob for A", "Bob: none", "ask Bob for 3"], "fish-due: Ann must fish first"),
        (["ask Bob for A", "Bob: none", "fish => 9", "Ann: ask Bob for 3"], "your-turn: "),
        (["ask Bob for A", "Bob: give 2"], "give-rank: Ann has asked for A, not for 2"),
        (["ask Bob for A", "Ann: none"], "request-player: Bob was asked, not Ann"),
        (["ask Bob for A", "Bob: none", "Bob: fish => 9"], "fish-player: Ann must fish, not Bob"),
        (["Bob: give 7"], "give-unasked: no player has asked Bob for cards"),
        (["Bob: none"], "none-unasked: no player has asked Bob for cards"),
        (["fish => 9"], "fish-unasked: Ann does not have to fish"),
        (
            ["ask Bob for A", "Bob: none", "fish => 9, 9"],
            "draw-too-many: too many draws are recorded: 2 instead of 1",
        ),
        (["ask Bob for A", "Bob: none", "fish => 0"], "unknown-rank: "),
        (["book 7"], "book-four: Ann holds 2 7, not all 4"),
        (["refill => 9"], "hand-not-empty: Ann holds 7, 7, A, 3, 3: only an empty hand"),
        (["ask Bob for 7", "Bob: give 7", "ask Bob for A", "Bob: none", "fish => 7"], ""),
        (
            ["ask Bob for 7", "Bob: give 7", "ask Bob for A", "Bob: none", "fish => 7", "ask Ann for 2"],
            "book-first: Ann must put down a book first",
        ),
        (["ask Bob for A", "Bob: none", "fish"], "unrecorded: 1 draw of 1 player is not recorded"),
    ],
)  # fmt: skip
def test_moves(moves: list[str], message: str) -> None:
    found = told(SETUP + "".join(f"  {move}\n" for move in moves))
    assert [one.startswith(message) for one in found] == ([True] if message else [])


def test_all_cards_of_the_rank_are_given() -> None:
    log = SETUP.replace("7, 2, 2, K, 5", "7, 7, 2, K, 5")
    (found,) = told(log + "  ask Bob for 7\n  Bob: give 7\n")
    assert found == "give-all: Bob holds 2 7, and gives all of them"


def test_an_empty_hand_is_refilled_first() -> None:
    log = SETUP.replace("7, 7, A, 3, 3", "7, 7, 7").replace("7, 2, 2, K, 5", "7, 2")
    log += "  ask Bob for 7\n  Bob: give 7\n  book 7\n"
    assert told(log + "  ask Bob for 2\n") == [
        "empty-hand: Ann has no cards and must take one first: `refill =>` and the card"
    ]
    assert told(log + "  refill => 2\n  ask Bob for 2\n") == []
    assert told(log + "  refill => 7\n") == [
        "fish-impossible: no 7 is left in the stock, which holds 4 A, 2, 2, 2, 3, 3, 3, 3, "
        "4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 4 J, 4 Q, 4 K"
    ]


def test_who_fishes_the_rank_asked_for_goes_on() -> None:
    moves = ["ask Bob for A", "Bob: none", "fish => A", "ask Bob for 3", "Bob: none", "fish => 9"]
    log = SETUP + "".join(f"  {move}\n" for move in moves)
    assert told(log + "turn 1 Bob\n  ask Ann for 7\n  Ann: give 2 7\n") == []


def test_cards_that_nobody_has_seen() -> None:
    hidden = SETUP.replace("deal 7, 2, 2, K, 5", "deal 5 ?")
    unrecorded = "unrecorded: 1 draw of 1 player is not recorded"
    log = hidden + "  ask Bob for 7\n  Bob: give 2 7\n  book 7\n"
    assert told(log) == [unrecorded]
    # There are four 7s in all: Ann's two, and two that Bob has given.
    log += "  ask Bob for A\n  Bob: none\n  fish => ?\nturn 1 Bob\n  ask Ann for 2\n"
    assert told(log) == ["unrecorded: 2 draws of 2 players are not recorded"]


HIDDEN = SETUP.replace("deal 7, 2, 2, K, 5", "deal 5 ?")


def errors(*moves: str) -> list[str]:
    """Return what is wrong if nobody has seen Bob's cards."""
    found = told(HIDDEN + "".join(f"  {move}\n" for move in moves))
    return [one.partition(":")[0] for one in found if not one.startswith("unrecorded")]


def test_none_says_that_there_is_none() -> None:
    none = ("ask Bob for 7", "Bob: none", "fish => 9")
    # It is Bob's turn. He has no 7 to ask with, until he has taken another card.
    assert errors(*none, "ask Ann for 2", "Ann: none", "fish => ?", "ask Bob for A") == []
    assert errors(*none, "ask Ann for 7") == ["ask-held"]
    asked = (*none, "ask Ann for 2", "Ann: none", "fish", "ask Bob for A", "Bob: none", "fish => 4")
    assert errors(*asked, "ask Ann for 7", "Ann: give 2 7") == []
    # One more card has come, so that there is one 7 at the most.
    assert errors(*asked, "ask Ann for 7", "Ann: give 2 7", "book 7") == ["book-four"]
    # Of two cards that have come, both can be 7s; of one, it can not.
    again = ("ask Ann for K", "Ann: none", "fish", "ask Bob for 7", "Bob: give 2 7")
    assert errors(*asked, *again) == []
    soon = ("ask Ann for 2", "Ann: none", "fish", "ask Bob for 7", "Bob: give 2 7")
    assert errors(*none, *soon) == ["give-all"]


def test_who_gives_has_no_more_of_it() -> None:
    given = ("ask Bob for 7", "Bob: give 7", "ask Bob for 7", "Bob: give 7")
    assert errors(*given) != []
    assert errors(*given[:2], "ask Bob for 7", "Bob: none", "fish") == []


def test_who_has_a_book_lays_it_down() -> None:
    # Ann has three 7s and takes a card that nobody sees. She goes on without a book: it is no 7.
    three = ("ask Bob for 7", "Bob: give 7", "ask Bob for A", "Bob: none", "fish")
    asked = ("ask Ann for 2", "Ann: none", "fish")
    assert errors(*three, "book 7") == []
    # What she took has gone with the others.
    assert errors(*three, "book 7", "Ann: expect deal A, 2 3") == []
    assert errors(*three, *asked, "book 7") == ["book-four"]
    assert errors(*three, *asked, "ask Bob for 7", "Bob: give 7", "book 7") == []


def test_a_card_that_is_not_shown_is_not_the_one_asked_for() -> None:
    fished = ("ask Bob for A", "Bob: none", "fish => ?", "ask Ann for 2", "Ann: none", "fish => 9")
    # Two of the 7s are Ann's: she has no more aces than one, as the one that she fished is none.
    assert errors(*fished, "ask Bob for 9", "Bob: give 9", "expect deal 2 7, 2 A, 2 3, 9") != []
    assert errors(*fished, "Ann: expect deal 2 7, A, 2 3, 9") == []
    assert errors(*fished, "Ann: expect deal 2 7, 2 A, 2 3") == ["expect-wrong"]


def test_the_first_error_after_an_undecided_draw_ends_the_judgement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What follows it may be right."""
    monkeypatch.setattr(limits, "MAX_WORLDS", 2)
    monkeypatch.setattr(Batches, "rule_out", inexpressible)
    moves = (
        "ask Bob for 7", "Bob: none", "fish => 9", "ask Ann for 2", "Ann: none", "fish",
        "ask Bob for K", "Bob: give K", "ask Bob for Q",
    )  # fmt: skip
    assert errors(*moves) == ["undecided", "ask-held"]


def inexpressible(*_: object, **__: object) -> NoReturn:
    raise InexpressibleError


ONE_MORE = f"""\
{HIDDEN}\
  ask Bob for 7; Bob: none; fish => 9
  ask Ann for 2; Ann: none; fish
"""


@pytest.mark.parametrize("part", ["STATEMENT_PART", "GAME_PART"])
def test_worlds_that_take_too_many_steps_make_way_for_batches(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a player can have is the same: Bob had no 7, and has drawn one card since."""
    monkeypatch.setattr(limits, "MANY_WORLDS", 1)
    assert bob_can_have(ONE_MORE) == (True, 1)
    monkeypatch.setattr(limits, part, 1_000_000)
    assert bob_can_have(ONE_MORE) == (False, 1)


def test_what_batches_leave_open_is_not_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_WORLDS", 1)
    with pytest.raises(ImpossibleError, match="too many unrecorded moves are possible"):
        fill(ONE_MORE)


def bob_can_have(log: str) -> tuple[bool, int]:
    """Return whether worlds are listed, and how many 7s Bob may have."""
    state = open_game(log).state
    (hand,) = [zone for zone in state.pack.zones if zone.name == "hand"]
    held = state.zones.held(hand.index, state.players[1])
    sevens = [rank for rank in state.pack.entities["rank"] if rank.id == "seven"]
    beliefs = state.hidden.beliefs
    listed = all(group.now.belief for group in beliefs.groups_at(beliefs.groups))
    return listed, state.hidden.queries.count_bounds([held], sevens)[1]


def test_what_is_dealt_is_in_the_deck() -> None:
    assert told(SETUP.replace("7, 2, 2", "7, 7, 7")) == [
        "deal-impossible: no 7 is left to be dealt"
    ]
    assert told(SETUP.replace("turn 1", "  Ann: deal 4\nturn 1")) == [
        "dealt-twice: Ann has already been dealt 7, 7, A, 3, 3"
    ]


def test_who_fishes_the_rank_asked_for_shows_it() -> None:
    moves = (
        "ask Bob for A", "Bob: none", "fish => A",
        "ask Bob for 3", "Bob: none", "fish => 9",
    )  # fmt: skip
    log = SETUP + "".join(f"  {move}\n" for move in moves)
    _, (watched,) = watch_text(log)
    assert watched is not None
    lines = LogLines(watched)
    shown = [lines.sentence(moment.statement, "Bob") for moment in watched.moments]
    assert [text for text in shown if text.startswith("fish")] == ["fish => A", "fish => ?"]
