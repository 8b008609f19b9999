"""After one slip reading goes on as the log does, so that the slip is all that is told.

Each log here is legal but for one slip. Where the statement with the slip is carried out, or left
out, as the rules alone would have it, further errors follow; with recovery there are none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.match import judging, statements
from altay_cli.repair.search import Search
from attack.counting import deep
from tests.engine.table import SETUP
from tests.logs import JOE_AND_MARY, WHOLE_GAMES, begun, expected

ROOT = Path(__file__).parents[2]

GAME = (
    SETUP
    + """\
turn 1 Ann
  attack W2 from F2 with Warrior
  play 2 Hunter
  play Village
  place 2 food on Village
  build W2
  end => Hunter, Shaman, Village, 2 Warrior
turn 1 Bob
  play 3 Hunter
  play Village
  place 2 food on Village
  build F6
  buy Farmer
  end => 2 Hunter, Loremaster, 2 Warrior
turn 2 Ann
  attack H3 from W2 with Warrior
  play Village
  play Hunter
  place food on Village
  end => 2 Warrior, 2 Hunter, Village
turn 2 Bob
  attack H6 from F6 with Warrior
  play 2 Hunter
  buy Farmer for food
  develop Masonry with food, stone => Engineering
  end => 3 Hunter, Village, Farmer
turn 3 Ann
  play 2 Hunter
  place food on Village
  build H3
  buy Farmer
  end => 2 Warrior, Hunter, Shaman, Farmer
turn 3 Bob
  play 3 Hunter
  play Village
  place 2 food on Village
  build H6
  play Farmer
  place food on Masonry
  buy Farmer
  end => 2 Hunter, Loremaster, Farmer, Warrior
turn 4 Ann
  attack W3 from H3 with 2 Warrior
  play Hunter
  play Farmer using F2
  buy Scholar
  end => 2 Warrior, 2 Village, Hunter
"""
)

# The Village of Ann is completed twice, and F2 has room for just the two settlements.
CAP = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand Hunter, 2 Warrior, Shaman
  Ann: table Village with food
  Bob: hand 5 Hunter
  Ann: settlements 2 F2
  Bob: settlements F6
turn 3 Ann
  play Hunter
  place food on Village
  build F2
  end => 2 Hunter, Village, 2 Warrior
turn 3 Bob
  end => 2 Loremaster, Village, 2 Warrior
turn 4 Ann
  play 2 Hunter
  play Village
  place 2 food on Village
  build F2
"""

# Ann does nothing in her second turn but end it.
IDLE = (
    GAME[: GAME.index("turn 2 Ann")]
    + """\
turn 2 Ann
  end => 2 Warrior, Village, 2 Hunter
turn 2 Bob
  attack H6 from F6 with Warrior
  play 2 Hunter
  buy Farmer for food
  end => 3 Hunter, Village, Farmer
turn 3 Ann
  play 2 Hunter
  end => Village, 2 Warrior, Hunter, Shaman
"""
)


class Slip(NamedTuple):
    """A log with one slip: what was written instead of what, and the finding on it."""

    game: str
    right: str
    wrong: str
    rule: str
    at: str
    """The line on which it is found."""


SLIPS = {
    "wrong name in a heading": Slip(
        GAME, "turn 2 Bob\n", "turn 2 Ann\n", "turn-order", "turn 2 Ann"
    ),
    "foreign statement": Slip(
        GAME,
        "  buy Farmer for food\n",
        "  end => 2 Warrior, 2 Village, Hunter\n  buy Farmer for food\n",
        "draw-impossible",
        "  end => 2 Warrior, 2 Village, Hunter",
    ),
    "written twice": Slip(
        CAP,
        "  build F2\n  end =>",
        "  build F2\n  build F2\n  end =>",
        "build-nothing",
        "  build F2",
    ),
    "forgotten": Slip(
        GAME, "  build W2\n", "", "build-due", "  end => Hunter, Shaman, Village, 2 Warrior"
    ),
    "wrong payment": Slip(
        GAME,
        "buy Farmer for food",
        "buy Farmer for stone",
        "wrong-payment",
        "  buy Farmer for stone",
    ),
    "drawn what cannot be drawn": Slip(
        GAME,
        "end => Hunter, Shaman, Village, 2 Warrior",
        "end => Cavalry, Shaman, Village, 2 Warrior",
        "draw-impossible",
        "  end => Cavalry, Shaman, Village, 2 Warrior",
    ),
    "no heading of a turn that only ends": Slip(
        IDLE, "turn 2 Ann\n", "", "turn-running", "  end => 2 Warrior, Village, 2 Hunter"
    ),
}


def errors(text: str) -> list[tuple[int, str, str]]:
    """Return line, rule and message of every error."""
    return [
        (finding.span.line, finding.rule, finding.message)
        for finding in check_text(text).games[0].findings
        if finding.severity is Severity.ERROR
    ]


def with_slip(slip: Slip) -> tuple[str, int]:
    """Return the log with its slip, and the line on which that is found."""
    assert slip.game.count(slip.right) == 1
    text = slip.game.replace(slip.right, slip.wrong)
    start = slip.game.index(slip.right)
    lines = text.split("\n")
    first = text[:start].count("\n")
    # The last of several equal lines in a row: it is the one too many.
    line = next(n for n in range(first, len(lines)) if lines[n] == slip.at)
    while lines[line + 1] == slip.at:
        line += 1
    return text, line + 1


@pytest.mark.parametrize("game", [GAME, CAP, IDLE], ids=["game", "cap", "idle"])
def test_the_games_are_legal(game: str) -> None:
    assert errors(game) == []


@pytest.mark.parametrize("name", SLIPS)
def test_one_slip_gives_one_error(name: str) -> None:
    text, line = with_slip(SLIPS[name])
    assert [(at, rule) for at, rule, _ in errors(text)] == [(line, SLIPS[name].rule)]


@pytest.mark.parametrize("name", SLIPS)
def test_what_is_told_of_the_slip_is_what_the_rules_say(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = with_slip(SLIPS[name])
    recovered = errors(text)
    monkeypatch.setattr(Search, "recover", lambda *_: None)
    monkeypatch.setattr(Search, "begins_turn", lambda *_: False)
    told = errors(text)
    assert told[0] == recovered[0]
    assert len(told) > 1, "without recovery there are no further errors: the log proves nothing"


# ---------------------------------------------------------------- what is not touched


class Touched(BaseException):
    """The repair search was asked. No Exception, which would be an internal error of the game."""


def touch(*_: object) -> None:
    raise Touched


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: path.stem)
def test_a_legal_log_needs_no_recovery(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("recover", "recover_setup", "begins_turn"):
        monkeypatch.setattr(Search, method, touch)
    assert check_text(path.read_text(encoding="utf-8"), folder=path.parent).games[0].legal
    with pytest.raises(Touched):
        check_text(with_slip(SLIPS["forgotten"])[0])


def test_the_state_behind_a_slip_is_that_of_the_legal_log() -> None:
    text, _ = with_slip(SLIPS["drawn what cannot be drawn"])
    played, legal = check_text(text).games[0].played, check_text(GAME).games[0].played
    assert played is not None
    assert legal is not None
    there, should = deep(played.state), deep(legal.state)
    for zone in ("settlers", "marker", "conquered", "market", "display", "supply", "completed"):
        assert shown(there[zone]) == shown(should[zone]), zone


def shown(picture: object) -> str:
    """Return a picture in which the players of two games are the same if their names are."""
    return repr(picture)


# ---------------------------------------------------------------- how much is read ahead


SLIP_AFTER_SLIP = "  build M5\n  attack M5 from F2 with 9 Warrior\n  play Cavalry\n"


@pytest.mark.parametrize(
    "slips",
    [SLIP_AFTER_SLIP, "  end\n  turn\n", "  play Cavalry\nturn 9 Bob\n", "  buy 3 Zork\n"],
    ids=["statements", "ends", "turns", "unreadable"],
)
def test_many_slips_take_bounded_work(slips: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0
    judge = statements.judge_statement

    def counting(*given: Any, **how: Any) -> None:
        nonlocal played
        played += 1
        judge(*given, **how)

    for module in (statements, judging):
        monkeypatch.setattr(module, "judge_statement", counting)
    count = 3_000 // slips.count("\n")
    report = check_text(GAME + "turn 4 Bob\n" + count * slips).games[0]
    assert not report.legal
    # Each is played once. Besides: what is read ahead, and the ways to go on that are tried for
    # it; none is tried without reading ahead by a statement at least.
    assert played <= 3_100 + 15_000


def test_the_same_misspelling_in_many_lines_is_all_that_is_told() -> None:
    """What cannot be read further on says nothing about how to go on behind the first."""
    text = (ROOT / "games" / "three-players.agn").read_text(encoding="utf-8")
    (game,) = check_text(text.replace("buy Farmer", "buy Faarmeer"), folder=ROOT / "games").games
    assert [f.rule for f in game.findings if f.severity is Severity.ERROR] == 6 * ["unknown-card"]


def test_for_what_cannot_be_read_no_other_slip_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two names that nobody knows are two slips; no statement that is missing explains them."""
    looked_for: list[object] = []
    look = Search._find_edit_in_turns

    def looking(self: Search, *others: Any) -> Any:
        looked_for.append(others)
        return look(self, *others)

    monkeypatch.setattr(Search, "_find_edit_in_turns", looking)
    unread = GAME.replace("play 2 Hunter", "play 2 Zork", 1).replace("  end", "  blaze\n  end", 1)
    for further in ("", "  build M5\n"):
        found = check_text(unread + further).games[0].findings
        wrong = {f.rule for f in found if f.severity is Severity.ERROR}
        assert wrong >= {"unknown-card", "unknown-statement"}
        assert not looked_for


def test_an_end_too_many_behind_the_game_hides_nothing_that_follows() -> None:
    """Behind the end of a game no turn can begin: the `end`, and the turn behind it, are two slips."""
    log = (ROOT / "games" / "tie.agn").read_text(encoding="utf-8").partition("\nresult")[0]
    lines = log.count("\n") + 1
    text = f"{log}\n  end => Hunter\nturn 30 Ruth\n  play Hunter\n"
    found = check_text(text).games[0].findings
    assert [(f.span.line, f.rule) for f in found if f.severity is Severity.ERROR] == [
        (lines + 1, "turn-running"),
        (lines + 2, "game-over"),
    ]


OTHELLO = """
    d3 c5 b6 d2 f5 g6 d1 b5 h7 e3 a5 a7 e2 g5 h5 f4 f3 g4 g3 e1 f2 g1 f1 c1 c4 f6 g2 g7 h8
    a6 a8 e6 h1 h2 b1 g8 f7 f8 e7 d6 c6 d7 d8 c2 h3 h6 b2 e8 c7 h4 c3 a1 b3 b4 a4 b7 b8 c8
    pass a3 a2
"""


def othello(moves: list[str]) -> str:
    """Return a log of othello."""
    setup = begun("othello")
    return setup + "".join(f"  play {move}\n" for move in moves).replace("play pass", "pass")


def test_two_slips_in_one_game_give_an_error_each() -> None:
    """What was lost is found, although another slip follows behind it."""
    moves = OTHELLO.split()
    for lost in (4, 12, 20):
        log = othello([*moves[:lost], *moves[lost + 1 : 38], "a2", *moves[38:]])
        assert [line for line, _, _ in errors(log)] == [6 + lost, 43]


def test_a_slip_behind_an_arrow_with_nothing_behind_it() -> None:
    """What was revealed is missing in line 19, and nobody has the card of line 20."""
    turn = "turn 1 Ann\n  play Hunter\n  develop Writing with food =>\n  play Colonist\n"
    end = "  end => 2 Warrior, Shaman, Village, Hunter\n"
    assert [(line, rule) for line, rule, _ in errors(SETUP + turn + end)] == [
        (19, "reveal-short"), (20, "in-hand"),
    ]  # fmt: skip


def test_an_illegal_move_of_chess_gives_one_error() -> None:
    """All moves begin with the same word: what was meant is what goes with what follows."""
    log = (ROOT / "games" / "classics" / "chess.agn").read_text(encoding="utf-8")
    (error,) = errors(log.replace("move c4 to b5", "move c2 to e2"))
    assert error[1] == "en-passant"


def test_a_heading_swapped_with_a_statement_whose_lack_shows_later_gives_one_error() -> None:
    log = (ROOT / "games" / "tie.agn").read_text(encoding="utf-8").partition("\nresult")[0]
    heading, first = log.split("\n")[54:56]
    assert heading == "turn 2 Ruth"
    (error,) = errors(log.replace(f"{heading}\n{first}\n", f"{first}\n{heading}\n"))
    assert error[1] == "turn-running"


def test_what_was_meant_by_what_cannot_be_read_is_found_beside_another_slip() -> None:
    """A square stands for `play`; many moves later a letter is lost. Each is told, and no more."""
    log = othello(OTHELLO.split())
    assert not errors(log)
    found = errors(log.replace("play f4", "g8 f4").replace("play e6", "play 6"))
    assert [rule for _, rule, _ in found] == ["unknown-statement", "unknown-square"]


@pytest.mark.parametrize("game", ["two-players.agn", "innovation/players-3-0012.agn"])
@pytest.mark.parametrize(
    ("word", "number", "written"),
    [
        ("setup", 1, "setpu"),
        ("turn", 1, "tunr"),  # where it stands, it is a statement of the setup
        ("turn", 2, "Trun"),
        ("turn", 9, "tern"),
        ("result", 1, "reslut"),
    ],
)
def test_a_misspelled_heading_is_one_error(game: str, word: str, number: int, written: str) -> None:
    lines = (ROOT / "games" / game).read_text(encoding="utf-8").splitlines()
    at = [n for n, line in enumerate(lines) if line.split(" ")[0] == word][number - 1]
    heading, lines[at] = lines[at], lines[at].replace(word, written)
    (report,) = check_text("\n".join(lines) + "\n").games
    (error,) = [one for one in report.findings if one.severity is Severity.ERROR]
    assert (error.rule, error.span.line) == ("meant-otherwise", at + 1)
    meant = heading.split("#")[0].strip()
    assert str(error.message) == f"the heading may be misspelled: `{meant}`"


def test_another_word_is_no_misspelled_heading() -> None:
    log = (ROOT / "games" / "two-players.agn").read_text(encoding="utf-8")
    end = "  end => Village, Digger, 2 Warrior, Hunter"
    found = errors(log.replace(end, "  rest", 1))  # two letters from `result`
    assert [rule for _, rule, _ in found] == ["unknown-statement"]


ATTACKED_TOO_FAR = f"""\
{JOE_AND_MARY}turn 1 Joe
  play Village
  place food on Village             #! place-have
  attack H2 from F2 with Warrior
  attack H2 from F2 with Warrior    #! attack-target
  attack M2 from F2 with Warrior    #! attack-in-play
  attack F6 from F2 with Warrior    #! attack-adjacent
  end
turn 1 Mary
  surrender
  build F6
  play Loremaster
  place culture on Loremaster       #! place-no-card
  store food                        #! unknown-statement
  end
turn 3 Joe                          #! round-number
  play Cavalry                      #! no-such-effect
  end
"""


def test_what_follows_from_an_illegal_attack_is_no_further_error() -> None:
    # Joe ends his turn though Mary has not answered the attack on F6, she answers it in hers, and
    # replaces what she has lost: all of it follows from an attack that could not be made.
    announced = [(line, rule) for line, rule, _ in expected(ATTACKED_TOO_FAR)]
    assert [(line, rule) for line, rule, _ in errors(ATTACKED_TOO_FAR)] == announced
