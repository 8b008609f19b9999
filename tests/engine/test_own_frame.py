"""Games with a frame of their own: `tests/packs`, whose headings, lifetimes and statements are no one else's."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from altay_cli.checking.check import GameReport, check_text, headings
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.opening import new_game, open_game
from altay_cli.cli.main import main
from altay_cli.lint.examine import Examiner
from altay_cli.notation.writing import format_file
from tests.small import Pebbles

PACKS = Path(__file__).parents[1] / "packs"

TWO_DAYS = """\
[Game "expedition"]

setup
  seat Ann
  seat Bob

day 1
  Bob: 2 miles => Rain, Sun, 2 Berries
  Ann: 1 miles => Sun, Mushrooms

day 2
  Ann: 1 miles => Sun, Mushrooms
  Bob: 1 miles => Sun, Mushrooms

result
  winner Ann, Bob
"""


@pytest.fixture(autouse=True)
def packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def told(log: str) -> list[str]:
    (game,) = check_text(log).games
    return [f"{f.span.line} {f.rule}: {f.message}" for f in game.findings]


@pytest.mark.parametrize("name", ["expedition", "relay"])
def test_the_games_are_right(name: str) -> None:
    assert Examiner(PACKS / name).examine([]) == []


# ---------------------------------------------------------------- headings


def test_headings_have_the_words_of_the_game() -> None:
    assert told(TWO_DAYS) == []
    assert told(TWO_DAYS.replace("day 2", "day 3"))[0] == "11 day-number: this is day 2, not 3"
    early = TWO_DAYS.replace("  Ann: 1 miles => Sun, Mushrooms\n\n", "\n", 1)
    assert told(early)[0] == "10 day-over: Ann did not walk on yet"


def test_headings_are_set_apart_by_fmt() -> None:
    words = headings(TWO_DAYS, None)
    assert words == {"day"}
    flat = TWO_DAYS.replace("\n\n", "\n").replace("  ", "")
    assert format_file(flat, words) == TWO_DAYS
    assert CliRunner().invoke(main, ["fmt", "-"], input=flat).stdout == TWO_DAYS


@pytest.mark.parametrize("written", ["day 2:", "- DAY 2 -", "Day 2."])
def test_headings_that_are_badly_written_are_read(written: str) -> None:
    (found,) = told(TWO_DAYS.replace("day 2", written))
    assert found == "11 badly-written: this is how the heading of a turn is written: `day 2`"


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("day", "malformed-statement"),
        ("day x", "number-expected"),
        ("day Ann", "number-expected"),
        ("day 2 Ann", "number-expected"),
        ("day 2 =>", "no-outcome"),
        ("day 2 =>=>", "syntax"),
        ("day 2000000000", "number-too-large"),
    ],
)
def test_a_heading_that_cannot_be_read_is_the_only_error(written: str, rule: str) -> None:
    """The day begins all the same: both players walk on once more."""
    (game,) = check_text(TWO_DAYS.replace("day 2", written)).games
    assert [(f.span.line, f.rule) for f in game.findings] == [(11, rule)]


def test_the_day_of_a_player_is_no_heading_where_headings_name_nobody() -> None:
    found = told(TWO_DAYS.replace("day 2", "Ann's day"))
    assert found[0] == "11 unknown-statement: no statement begins with `Ann's`"


def test_a_game_is_opened_at_its_headings_and_played_on() -> None:
    game = open_game(TWO_DAYS, "day 2", seed=1)
    assert {str(move) for move in game.legal_moves() if move.id == "walk"} == {
        f"{name}: {miles} miles" for name in ("Ann", "Bob") for miles in (1, 2, 3)
    }
    game = open_game(TWO_DAYS, "10:1", seed=1)
    assert [str(m) for m in game.legal_moves() if m.id in {"day", "walk"}] == ["day 2"]
    game.apply("day 2")
    assert game.log().endswith("\n\nday 2\n")
    with pytest.raises(IllegalMove):
        game.apply("day 3")


def test_games_are_played_and_their_logs_are_right() -> None:
    random = Random(1)
    for number in range(4):
        game = new_game("expedition", ["Ann", "Bob", "Cid"][: number or 1], seed=number)
        while not game.ended:
            game.apply(random.choice(game.legal_moves()))
        assert told(game.log()) == []


@pytest.mark.parametrize(
    ("written", "takes", "why"),
    [
        ("<number> gone", "number: {type: int, from: '[1]'}", "a heading begins with a word"),
        ("dawn => <s>", "s: {type: drawn stone}", "nothing is drawn in a heading"),
        ("take", "", "what begins with `take` is always a heading"),
        ("expect", "", "what begins with `expect` says what the state is"),
        ("setup", "", "`setup` is the heading of a section of any game"),
        ("turn <number>", "number: {type: int, from: '[1]'}", "the heading of a turn is written `turn <number> <player>`"),
    ],
)  # fmt: skip
def test_what_is_no_heading(pebbles: Pebbles, written: str, takes: str, why: str) -> None:
    move = f'moves:\n  dawn:\n    title: Dawn\n    heading: true\n    written: "{written}"\n    takes: {{{takes}}}\n'
    claim = 'claims:\n  over: {title: over, written: over, holds: {over: "true"}}\n'
    pebbles.write("moves/dawn.yaml", move + claim)
    assert why in [problem.message for problem in pebbles.problems()]


# ---------------------------------------------------------------- statements


def test_a_statement_begins_with_a_slot(pebbles: Pebbles) -> None:
    assert "8 miles: nobody walks 5 miles" in told(TWO_DAYS.replace("2 miles", "5 miles"))
    # A plural that is not meant is told; what is like nothing shows how a statement is written.
    assert "meant-otherwise" in told(TWO_DAYS.replace("Ann: 1 miles", "Ann: 1 mile", 1))[0]
    (game,) = check_text(TWO_DAYS.replace("Ann: 1 miles", "Ann: bla bla", 1)).games
    found = next(f for f in game.findings if f.rule == "unknown-statement")
    assert found.help[-1] == "it is written: <number> miles [=> <came>]"
    # Beside words, which come first: a stone of its own statement, and one that is called like a word.
    pebbles.change("moves/turns.yaml", "    written: take <stone>\n", '    written: "<stone>"\n')
    assert pebbles.problems() == []
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  red; end\nturn 2 Bob\n'
    assert pebbles.findings(log + "  2 grey\n") == ["one-only 7 one stone is expected here"]
    assert pebbles.findings(log + "  gray; end\n") == ["unknown-stone 7 there is no stone `gray`"]
    assert [move.statement for move in open_game(log).legal_moves()] == ["Red", "Grey"]


@pytest.mark.parametrize("written", ["[take] <stone>", "[<stone>] taken"])
def test_what_a_statement_begins_with_cannot_be_left_out(pebbles: Pebbles, written: str) -> None:
    pebbles.change("moves/turns.yaml", "written: take <stone>", f'written: "{written}"')
    assert pebbles.problems() != []


# ---------------------------------------------------------------- draws


@pytest.mark.parametrize(
    ("drawn", "found"),
    [
        ("Sun, 2 Berries", []),
        ("3 Rain, Sun, Berries, Mushrooms", []),
        ("Rain, Sun, Berries", ["found: 2 supplies are found, not 1"]),
        ("Sun, 3 Berries", ["found: 2 supplies are found, not 3"]),
        ("2 Rain", ["weather: the sun has not come out yet"]),
        ("Berries, Sun", ["weather: Berries is no weather that can come"]),
        ("Sun, Sun, Berries", ["found: no Sun can be found there"]),
    ],
)
def test_draws_of_one_statement_take_what_it_tells_in_turn(drawn: str, found: list[str]) -> None:
    log = f'[Game "expedition"]\nsetup\n  seat Ann\nday 1\n  Ann: 2 miles => {drawn}\n'
    # Where the first one went wrong, the second is taken as not recorded.
    errors = [text.partition(" ")[2] for text in told(log) if " unrecorded" not in text]
    assert errors == found


KNOWN = """\
[Game "expedition"]
setup
  seat Ann
day 1
  watch => Rain
"""


@pytest.mark.parametrize(
    ("drawn", "found"),
    [
        # What is known to come next need not be written.
        ("Sun, Berries", []),
        ("Rain, Sun, Berries", []),
        ("2 Rain, Sun, Berries", []),
        ("Sun, 2 Berries", ["found: 1 supplies are found, not 2"]),
    ],
)
def test_what_lies_on_top_comes_first(drawn: str, found: list[str]) -> None:
    errors = [text.partition(" ")[2] for text in told(f"{KNOWN}  Ann: 1 miles => {drawn}\n")]
    assert errors == found


def test_what_lies_below_comes_last(pebbles: Pebbles) -> None:
    draw = """\
  fish:
    title: Fish two stones; those that were sunk come last
    written: "fish [=> <came>]"
    takes: {came: {type: drawn stone}}
    does:
      - draw:
          seen: came
          from: heap
          above: shore
          below: sunk
          to: me.pouch
          times: 2
          rules:
            missing: {rule: no-fish, else: "not recorded"}
            short: {rule: no-fish, else: "{due} come, not {given}"}
            extra: {rule: no-fish, else: "{due} come, not {given}"}
            impossible: {rule: no-fish, else: "not {drawn_card}, there is {left}"}
  sink:
    title: Sink a stone
    written: sink <stone>
    takes: {stone: {type: stone, from: heap}}
    does: [{move: {what: stone, from: heap, to: sunk}}]
  beach:
    title: Lay a stone ashore
    written: beach <stone>
    takes: {stone: {type: stone, from: heap}}
    does: [{move: {what: stone, from: heap, to: shore, place: top}}]
"""
    pebbles.change("moves/turns.yaml", "triggers:\n", f"{draw}triggers:\n")
    piles = "  shore: {holds: pile(stone)}\n  sunk: {holds: pile(stone)}\n"
    pebbles.change("game.yaml", "zones:\n", f"zones:\n{piles}")
    claim = 'claims:\n  pouch: {title: pouch, written: "pouch <s>", takes: {s: {type: bag(stone)}}, holds: {me.pouch: s}}\n'
    pebbles.add("moves/turns.yaml", claim)
    assert pebbles.problems() == []
    # Three red and two grey; one of each is sunk, then there are two red ones and a grey one.
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  sink red; sink grey\n'

    def said(*statements: str) -> list[str]:
        text = log + "".join(f"  {statement}\n" for statement in statements)
        return [found.split(" ", 2)[2] for found in pebbles.findings(text)]

    assert said("fish => red, red", "fish => grey", "expect pouch 3 red, grey") == []
    assert said("fish => red, red", "fish => grey, red", "expect pouch 3 red, grey") == []
    assert said("fish => red, grey", "fish => red, grey") == ["not Grey, there is Red"]
    assert said("fish => 2 red", "fish => grey", "fish", "expect pouch 3 red, 2 grey") == []
    # The last one is known; nothing else is left to come.
    assert said("fish => 2 red", "fish => grey", "fish => red") == ["0 come, not 1"]
    assert said("beach grey", "fish => red", "expect pouch red, grey") == []
    assert said("beach grey", "fish => red, red") == ["not Red, there is Grey"]
    game = open_game(log + "  fish => 2 red\n", seed=1)
    assert game.apply("fish") == "fish => Grey"
    pebbles.change("moves/turns.yaml", "below: sunk", "below: heap")
    assert [p.message for p in pebbles.problems()] == ["`heap` is not a pile"]


ROLL = """\
  roll:
    title: Roll
    written: "roll [=> <came>]"
    takes: {came: {type: drawn stone}}
    does:
      - draw:
          seen: came
          from: heap
          to: me.pouch
          times: 1
          rest: more
          rules:
            missing: {rule: no-roll, else: nothing is rolled}
            short: {rule: no-roll, else: nothing is rolled}
            impossible: {rule: no-roll, else: this is not rolled}
        does:
          - if: more.given()
            then: [{set: {over: "true"}}]
"""


INSIDE = """\
        does:
          - if: more.given()
            then: [{set: {over: "true"}}]
"""
BEHIND = INSIDE.replace("        does:\n", "").replace("\n    ", "\n").removeprefix("    ")


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("", "", []),
        (INSIDE, BEHIND, ["expression-unknown-name", "schema-missing-key"]),
        ("          rest: more\n", "", ["schema-missing-key"]),
    ],
)
def test_what_is_named_as_the_rest_is_known_inside(
    pebbles: Pebbles, old: str, new: str, rules: list[str]
) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n", f"{ROLL.replace(old, new)}triggers:\n")
    assert sorted(problem.rule for problem in pebbles.problems()) == rules


def test_what_a_frame_says_and_a_game_replaces_needs_no_translation(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "relay"
    shutil.copytree(PACKS / "relay", folder)
    own = "rules:\n  your-turn: {title: Mine, that: me == active, else: wait}\n"
    (folder / "moves/own.yaml").write_text(own, encoding="utf-8")
    assert Examiner(folder).examine([]) == []


# ---------------------------------------------------------------- variants


VARIANT = """\
variant: mine
extends: {game}
title: Mine
change:
{changes}
"""


def under(tmp_path: Path, game: str, changes: str, log: str) -> GameReport:
    """Judge a log by a variant, which makes sense."""
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.yaml"  # read once under each name
    path.write_text(VARIANT.format(game=game, changes=changes), encoding="utf-8")
    assert Examiner(PACKS / game).examine([path]) == []
    (report,) = check_text(log, folder=tmp_path, under=(path,)).games
    return report


RELAY = """\
[Game "relay"]
setup
  seat Ann; seat Bob; seat Cid; seat Dan
turn 1 Ann
  run 5; run 4; run 1; run 3
  run 0; run 0; run 0; run 0
"""


def test_a_variant_changes_the_teams(tmp_path: Path) -> None:
    # Ann and Cid 6, Bob and Dan 7; or everybody alone.
    report = under(tmp_path, "relay", "  - {set: numbers.rounds.value, to: 3}", RELAY)
    assert report.findings == []
    assert report.standing is not None
    assert report.standing.winners == ("Bob", "Dan")
    report = under(tmp_path, "relay", "  - {remove: teams}", RELAY)
    assert report.standing is not None
    assert (report.standing.winners, report.standing.teams) == (("Ann",), ())
    pairs = '  - {set: teams, to: "me.miles > 4 ? teams.north : me.miles < 4 ? teams.south : null"}'
    report = under(tmp_path, "relay", pairs, RELAY)
    assert report.standing is not None
    # Who is in no team is one alone.
    assert [(t.name, t.players) for t in report.standing.teams] == [
        ("North", ("Ann",)),
        ("", ("Bob",)),
        ("South", ("Cid", "Dan")),
    ]


def test_a_variant_changes_headings_and_how_a_game_is_lost(tmp_path: Path) -> None:
    changes = """\
  - {set: moves.day.written, to: "dawn <number>"}
  - {set: moves.walk.written, to: "walk <number> [=> <came>]"}
  - {set: numbers.target.value, to: 9}
  - {remove: outcome.fever}
  - {remove: numbers.deadly}
"""
    log = TWO_DAYS.replace("day ", "dawn ").replace("winner Ann, Bob", "loser Ann, Bob")
    for number in (1, 2):
        log = log.replace(f"{number} miles", f"walk {number}")
    report = under(tmp_path, "expedition", changes, log)
    assert report.findings == []
    assert report.standing is not None
    assert report.standing.by == "less than 9 supplies"
