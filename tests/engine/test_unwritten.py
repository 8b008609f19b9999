"""What nobody need write down, and what follows tells: a decision, or that something was moved."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game

# Bob's M3 holds two settlements, Ann's F2 one. Both have completed Strategy, Ann Leadership too; she
# plays two Warriors (1 + 2 + 1 = 4), he answers without a card (2 + 1 = 3).
GERMAN = """[Game "altay"]
[Edition "de"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: completed Strategy, Leadership
  Bob: completed Strategy
  Ann: hand 3 Warrior, 2 Hunter
  Bob: hand 3 Hunter, 2 Warrior
  Ann: settlements F2
  Bob: settlements 2 M3, F6
  marker 2 wood on H2
turn 3 Ann
"""


def errors(text: str) -> list[tuple[int, str]]:
    """Return the line, behind the heading of the turn, and the rule of each error."""
    (game,) = check_text(text).games
    begun = GERMAN.count("\n")
    found = [f for f in game.findings if f.severity is Severity.ERROR]
    return [(finding.span.line - begun, finding.rule) for finding in found]


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        # With all that is added Bob loses one; without Leadership it is a tie, and nobody does.
        ("fight", "expect settlements F6, M3"),
        ("fight", "expect settlements F6, 2 M3"),
        # Ann without Leadership 3, Bob with a Warrior and Strategy 4: she loses her only one.
        ("fight with Warrior", "expect captured Ann"),
    ],
)
def test_what_follows_tells_what_was_left_out(answer: str, after: str) -> None:
    log = f"{GERMAN}attack M3 from F2 with 2 Warrior\nBob: {answer}\nBob: {after}\n"
    assert errors(log) == []


def test_moves_made_one_by_one_are_read_as_in_a_log() -> None:
    game = open_game(GERMAN)
    for statement in ("attack M3 from F2 with 2 Warrior", "Bob: fight"):
        game.apply(statement)
    claim = "Bob: expect settlements F6, 2 M3"
    assert game.accepts("Bob: expect settlements F6, M3")
    assert game.accepts(claim)
    assert not game.accepts("Bob: expect settlements F6")
    game.apply(claim)
    assert not game.accepts("Bob: expect settlements F6, M3")
    assert game.errors == 0
    assert errors(game.log()) == []
    game.apply("play 2 Hunter")
    for _ in range(2):
        game.undo()
    assert game.accepts("Bob: expect settlements F6, M3")


def test_what_no_decision_explains_stays_an_error() -> None:
    log = f"{GERMAN}attack M3 from F2 with 2 Warrior\nBob: fight\nBob: expect settlements F6\n"
    assert errors(log) == [(3, "expect-wrong")]
    # By the English rulebook there is no such decision: 4 against 3.
    english = log.replace('[Edition "de"]', "").replace(
        "settlements F6\n", "settlements F6, 2 M3\n"
    )
    assert errors(english) == [(3, "expect-wrong")]


def test_another_error_is_told_as_it_is_without_decisions() -> None:
    log = f"{GERMAN}attack H2 from F2 with Warrior\nplay 2 Hunter\nbuy City\n"
    assert errors(log) == [(3, "cannot-pay")]


def test_a_decision_is_listed_where_it_changes_what_happens() -> None:
    attacks = [
        [move.statement for move in open_game(text).legal_moves() if "H2" in move.statement]
        for text in (GERMAN, GERMAN.replace('[Edition "de"]\n', ""))
    ]
    assert attacks == [
        [
            "attack H2 from F2 with Warrior",
            "attack H2 from F2 with Warrior without Leadership",
            "attack H2 from F2 with 2 Warrior",
            "attack H2 from F2 with 3 Warrior",
        ],
        [
            "attack H2 from F2 with Warrior",
            "attack H2 from F2 with 2 Warrior",
            "attack H2 from F2 with 3 Warrior",
        ],
    ]


INNOVATION = """[Game "innovation"]
position
  seat Ann
  seat Bob
  Ann: board {board}
  Ann: hand {hand}
  Bob: board Oars
turn 3 Ann
"""


def test_of_a_list_without_order_each_set_is_listed_once() -> None:
    # Empiricism chooses two of five colours, in ten ways; written, their order means nothing.
    empiricism = INNOVATION.format(board="Empiricism", hand="Archery") + "dogma Empiricism\n"
    game = open_game(empiricism)
    chosen = [{*m.statement.removeprefix("choose ").split(", ")} for m in game.legal_moves()]
    assert len(chosen) == len({frozenset(two) for two in chosen}) == 10
    first, second = sorted(chosen[0])
    for two in (f"{first}, {second}", f"{second}, {first}"):
        (read,) = check_text(f"{empiricism}choose {two}\n").games
        assert not [f for f in read.findings if f.severity is Severity.ERROR]


def test_where_order_means_something_each_is_listed() -> None:
    masonry = INNOVATION.format(board="Masonry", hand="City States, Metalworking")
    listed = [m.statement for m in open_game(masonry + "dogma Masonry\n").legal_moves()]
    assert {"meld City States, Metalworking", "meld Metalworking, City States"} <= {*listed}
