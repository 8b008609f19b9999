"""What happened may always be written down, and what a log cannot say is not asked of it."""

from __future__ import annotations

from random import Random
from textwrap import dedent

import pytest

from altay_cli import open_game
from altay_cli.base.findings import Finding
from altay_cli.checking.check import check_text
from attack.innovation_forced import cards, differs


def findings(text: str) -> list[Finding]:
    (game,) = check_text('[Game "innovation"]\n' + dedent(text)).games
    return [f for f in game.findings if f.rule not in {"game-unfinished", "unrecorded"}]


def rules(text: str) -> list[str]:
    return [found.rule for found in findings(text)]


# ---------------------------------------------------------------- answers that nobody is asked for

CASES = [
    # Databases (age 10): Bob, with fewer clocks, returns half of his score cards, rounded up.
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Databases
          Bob: board Clothing
          Bob: score Tools
        turn 3 Ann
          dogma Databases
        """,
        "Bob: return Tools",
        "Bob: return Pottery",
        "pick-only",
        "no choice was needed: Bob had only Tools to return",
    ),
    # Explosives (age 7): the three highest of Bob's hand, of age 9, 9 and 8; there is nothing to choose.
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Explosives
          Bob: board Clothing
          Bob: hand Satellites, Services, Skyscrapers, Oars, Sailing
        turn 3 Ann
          dogma Explosives
        """,
        "Bob: transfer Services, Satellites, Skyscrapers",
        "Bob: transfer Oars",
        "pick-only",
        "no choice was needed: Bob had only Satellites, Services, Skyscrapers to transfer",
    ),
    # Road Building (age 2): one or two cards of the hand are melded; Ann has one.
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Road Building
          Ann: hand Fermenting
          Bob: board Clothing
        turn 3 Ann
          dogma Road Building
        """,
        "meld Fermenting",
        "splay red",
        "splay-unasked",
        "Ann does not have to splay anything",
    ),
    # Canal Building (age 2): an exchange of nothing may be accepted, and left.
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Canal Building
          Bob: board Archery
        turn 3 Ann
          dogma Canal Building
        """,
        "accept",
        "Bob: accept",
        "accept-unasked",
        "nothing is offered to Bob",
    ),
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Canal Building
          Bob: board Archery
        turn 3 Ann
          dogma Canal Building
        """,
        "pass",
        "Bob: pass",
        "pass-unasked",
        "there is no step to pass",
    ),
    # Clothing (age 1): a card of a colour that Ann has not; her only card is of one that she has.
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Clothing
          Ann: hand Sailing
          Bob: board Archery, Oars
          deck Pottery
        turn 3 Ann
          dogma Clothing
        """,
        "pass",
        "Ann: tuck Sailing",
        "pick-only",
        "no choice was needed: Ann had nothing to meld",
    ),
    # Writing (age 1): the 2 that comes is known, and may be written.
    (
        """
        position
          seat Ann
          seat Bob
          Ann: board Writing
          Bob: board Archery
          deck Calendar, Fermenting
        turn 3 Ann
          dogma Writing
        """,
        "Ann: draw => Calendar",
        "draw => Fermenting",
        "draw-impossible",
        "Fermenting cannot have been drawn: it is of age 2, but the card comes from age 1",
    ),
]


@pytest.mark.parametrize(("log", "right", "wrong", "rule", "message"), CASES)
def test_what_happened_may_be_written_down(
    log: str, right: str, wrong: str, rule: str, message: str
) -> None:
    log = dedent(log)
    assert rules(log) == []
    assert rules(f"{log}  {right}\n") == []
    assert rules(f"{log}  {right}\n  {right}\n") != []  # it happened once
    assert [(f.rule, f.message) for f in findings(f"{log}  {wrong}\n")] == [(rule, message)]


# ---------------------------------------------------------------- rounds behind a position


def turns(*headings: str) -> str:
    seats = (
        "position\n  seat Ann\n  seat Bob\n  seat Cid\n  Ann: board Archery\n  Bob: board Oars\n"
    )
    seats += "  Cid: board Sailing\n"
    return seats + "".join(f"turn {heading}\n  draw\n  draw\n" for heading in headings)


@pytest.mark.parametrize(
    "headings",
    [
        ("3 Cid", "4 Ann", "4 Bob", "4 Cid", "5 Ann"),  # Ann began
        ("3 Cid", "3 Ann", "4 Bob", "4 Cid", "4 Ann"),  # Bob
        ("3 Cid", "3 Ann", "3 Bob", "4 Cid", "4 Ann"),  # Cid
    ],
)
def test_a_position_leaves_open_who_began(headings: tuple[str, ...]) -> None:
    assert rules(turns(*headings)) == []


@pytest.mark.parametrize(
    ("headings", "message"),
    [
        (("3 Cid", "5 Ann"), "this is round 3 or 4, not 5"),
        (("3 Cid", "3 Ann", "3 Bob", "3 Cid"), "this is round 4, not 3"),
        (("3 Cid", "4 Ann", "5 Bob"), "this is round 4, not 5"),
        (("3 Cid", "4 Ann", "4 Bob", "5 Cid"), "this is round 4, not 5"),
    ],
)
def test_rounds_go_around_the_table(headings: tuple[str, ...], message: str) -> None:
    assert [f.message for f in findings(turns(*headings))] == [message]


def test_the_first_turn_is_told_by_the_alphabet() -> None:
    """Archery comes before Clothing (Setup 6): Ann begins."""
    log = """
        setup
          seat Ann
          seat Bob
          Ann: draw Archery, Tools
          Bob: draw Clothing, Writing
          Ann: meld Archery
          Bob: meld Clothing
        turn 1 Bob
          draw => Pottery
    """
    found = findings(log)[0]
    assert found.rule == "turn-order"
    told = "it is Ann's turn: of the cards melded first, Archery comes first in the alphabet"
    assert found.message == told


# ---------------------------------------------------------------- Publications, Specialization


def test_every_order_of_a_stack_is_listed() -> None:
    """Publications (age 7): the cards of one colour may be put in another order."""
    log = """
        [Game "innovation"]
        position
          seat Ann
          seat Bob
          Ann: board Tools, Publications
          Ann: board Archery
          Bob: board Clothing
        turn 3 Ann
          dogma Publications
    """
    two = open_game(dedent(log))
    statements = {move.statement for move in two.legal_moves()}
    assert statements == {"pass", "rearrange Publications, Tools"}
    assert two.complete
    # Three cards lie in six orders, one of which is theirs.
    three = open_game(dedent(log).replace("Tools,", "Tools, Pottery,"))
    assert len(three.legal_moves()) == 1 + 5
    assert three.complete


def test_a_shared_specialization_earns_the_bonus() -> None:
    """The FAQ of July 2011: an effect is shared whenever something happened, be it shown only."""
    log = """
        position
          seat Ann
          seat Bob
          Ann: board Specialization
          Ann: hand Archery
          Bob: board Colonialism
          Bob: hand Oars
        turn 3 Ann
          dogma Specialization sharing Bob
          draw => Ecology
          draw => Satellites
        turn 3 Bob
    """
    assert rules(log) == []


def test_random_positions_with_all_that_was_forced_written_and_left_out() -> None:
    """Some cards; `python -m attack forced` has many positions of each."""
    told = [differs(Random(f"7 {card}"), card) for card in cards()[::6]]
    assert [text for text, _ in told if text] == []
    assert sum(count for _, count in told) > 10
