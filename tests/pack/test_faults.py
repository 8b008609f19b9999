"""What fails in the rules is told with its expression, file and line, never in Python's words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import Result

from altay_cli.compile.emit import print_pack
from tests.small import LOG, Pebbles, compile_folder

TURNS = "moves/turns.yaml"

PYTHON = re.compile(r"Error|object|unhashable|NoneType|list index|tuple index|'[a-z]+' ")
"""What Python would say."""


def line_of(pebbles: Pebbles, name: str, part: str) -> str:
    """Return "(pebbles/NAME, line N)" for the line of a file that holds ``part``."""
    lines = (pebbles.folder / name).read_text(encoding="utf-8").splitlines()
    (number,) = (n for n, line in enumerate(lines, 1) if part in line)
    return f"(pebbles/{name}, line {number})"


# ---------------------------------------------------------------- scores


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ("[1, 2][round + 4]", "the index 5 is outside a list of 2"),
        ("[[round]].bag().size()", "a value is missing, or of a kind that is not possible there"),
        ("heap.list().take(0).first().worth", "nothing is there to be taken"),
        ("active.debt / (round - 1)", "3 is divided by zero"),
        ("players.after(next) == me ? 1 / (round - 1) : 1", "1 is divided by zero"),
    ],
)
def test_a_category_that_fails_is_told_with_expression_and_place(
    pebbles: Pebbles, points: str, words: str
) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", f'points: "{points}"')
    pebbles.change(
        TURNS, "- set: {active: player}", "- set: {active: player}\n      - set: {player.debt: 3}"
    )
    log = LOG.replace("; end", "")
    (told,) = pebbles.findings(log)
    place = line_of(pebbles, "scoring.yaml", "Debts")
    number = int(re.findall(r"\d+", place)[0]) + 1
    place = f"(pebbles/scoring.yaml, line {number})"
    assert (
        told
        == f"score-failure 1 the category debts cannot be computed: {words}, in `{points}` {place}"
    )


def given_up(result: Result) -> list[tuple[str, list[int]]]:
    """Return why games were given up, and which."""
    assert result.exit_code == 0, result.output
    (run,) = json.loads(result.output)["runs"]
    return [(entry["reason"], entry["numbers"]) for entry in run["given_up"]]


def test_a_game_whose_score_fails_is_left_out_of_the_statistics(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", "points: 7 / heap.size()")
    told = "Debts cannot be computed: 7 is divided by zero, in `7 / heap.size()`"
    assert given_up(pebbles.simulate("--format", "json")) == [
        (f"{told} (pebbles/scoring.yaml, line 7)", [1, 2, 3])
    ]


def test_a_game_in_which_a_measure_fails_is_left_out_as_well(pebbles: Pebbles) -> None:
    measure = 'measures: {rest: {title: Rest, number: "7 / heap.size()"}}\n'
    pebbles.add("playouts.yaml", measure)
    told = "Rest cannot be computed: 7 is divided by zero, in `7 / heap.size()`"
    assert given_up(pebbles.simulate("--format", "json")) == [
        (f"{told} (pebbles/playouts.yaml, line 2)", [1, 2, 3])
    ]


def test_the_log_of_a_game_whose_score_fails_claims_none(pebbles: Pebbles, tmp_path: Path) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", "points: 7 / heap.size()")
    pebbles.simulate("--out", str(tmp_path / "games"))
    log = (tmp_path / "games" / "game-0001.agn").read_text(encoding="utf-8")
    assert "# given up: Debts cannot be computed" in log
    assert "result" not in log
    assert [finding.rule for finding in pebbles.judge(log).findings] == ["score-failure"]


# ---------------------------------------------------------------- moves


def test_a_requirement_that_fails_is_told_with_its_place(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, "that: stone in heap", 'that: "heap.list().take(0).last() == stone"')
    place = line_of(pebbles, TURNS, "on-the-heap")
    assert pebbles.findings() == [
        "rule-failure 5 the rules cannot be applied here: nothing is there to be taken, "
        f"in `heap.list().take(0).last() == stone` {place}",
        "taken-one 5 take a stone first",
    ]


def test_of_functions_that_call_each_other_the_innermost_is_told(pebbles: Pebbles) -> None:
    functions = """\
functions:
  half: {takes: {n: int}, gives: int, is: n / (round - 1)}
  quarter: {takes: {n: int}, gives: int, is: half(half(n))}
"""
    pebbles.add("game.yaml", functions)
    pebbles.change(TURNS, "that: stone in heap", "that: quarter(8) > 1")
    place = line_of(pebbles, "game.yaml", "half: {")
    assert pebbles.findings()[0] == (
        "rule-failure 5 the rules cannot be applied here: 8 is divided by zero, "
        f"in `n / (round - 1)` {place}"
    )


def test_an_effect_that_fails_is_told_with_its_place(pebbles: Pebbles) -> None:
    pebbles.change(
        TURNS,
        "    does: [{set: {active:",
        "    does: [{add: {me.debt: 4 / (round - 1)}}, {set: {active:",
    )
    place = line_of(pebbles, TURNS, "me.debt")
    assert pebbles.findings() == [
        "rule-failure 5 the rules cannot be applied here: 4 is divided by zero, "
        f"in `4 / (round - 1)` {place}"
    ]


def test_a_member_of_nothing_is_told_in_words(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "{worth: int}", "{worth: int, twin: stone?}")
    pebbles.change(TURNS, "that: stone in heap", "that: stone.twin.worth > 1")
    place = line_of(pebbles, TURNS, "on-the-heap")
    assert pebbles.findings()[0] == (
        "rule-failure 5 the rules cannot be applied here: the value before it has no parts, "
        f"in `stone.twin.worth > 1` {place}"
    )


def test_a_status_that_fails_is_told_with_its_place(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "ended: over", 'ended: "over || 3 / (round - 1) > 7"')
    place = line_of(pebbles, "game.yaml", "status:")
    assert (
        "rule-failure 1 the rules cannot determine the standing of the game: ended: "
        "3 is divided by zero, "
        f"in `over || 3 / (round - 1) > 7` {place}"
    ) in pebbles.findings()


def test_a_trigger_that_fails_is_told_with_its_place(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, "round > 0 && heap.size() == 0 && !over", "3 / (round - 1) > 0")
    place = line_of(pebbles, TURNS, "when:")
    told = [finding for finding in pebbles.findings() if finding.startswith("rule-failure 4")]
    assert place in told[0]


def test_a_setup_that_fails_is_told_by_rules_check(pebbles: Pebbles) -> None:
    pebbles.change("moves/setup.yaml", "bag(3)", "bag(3 / round)")
    (problem,) = pebbles.problems()
    place = line_of(pebbles, "moves/setup.yaml", "round")
    assert (problem.rule, problem.span.line) == ("rule-failure", 9)
    assert problem.message == (
        "the setup cannot be carried out: 3 is divided by zero, "
        f"in `stones.red.bag(3 / round).plus(stones.grey, 2)` {place}"
    )


def test_a_long_expression_is_shown_in_part(pebbles: Pebbles) -> None:
    text = " + ".join(["1 / (round - 1)"] * 40)
    pebbles.change(TURNS, "that: stone in heap", f'that: "{text} > 0"')
    (told, *_) = pebbles.findings()
    assert len(told) < 300
    assert "…`" in told


# ---------------------------------------------------------------- names for values


LET = "takes: {stone: {type: stone, from: heap}}\n"


def test_a_requirement_explains_why_a_name_cannot_be_worked_out(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, LET, f"{LET}    let: {{last: turn.taken.list().last()}}\n")
    requires = """\
      - {rule: bare, that: turn.taken.size() > 0, else: nothing has been taken yet}
      - {rule: worthy, that: last.worth > 0, else: "{last} is worth little"}
"""
    pebbles.change(TURNS, "      - {rule: one-stone", f"{requires}      - {{rule: one-stone")
    # The first of these explains the second, so that nothing more is said.
    assert pebbles.findings(LOG.replace("; end", "")) == ["bare 5 nothing has been taken yet"]


def test_a_name_that_nothing_needs_is_not_worked_out(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, LET, f"{LET}    let: {{last: turn.taken.list().last()}}\n")
    assert pebbles.findings() == []


def test_a_name_that_is_needed_and_cannot_be_worked_out_is_told(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, LET, f"{LET}    let: {{last: turn.taken.list().last()}}\n")
    pebbles.change(TURNS, "that: stone in heap", "that: last != stone")
    place = line_of(pebbles, TURNS, "let:")
    assert pebbles.findings()[0] == (
        "rule-failure 5 the rules cannot be applied here: nothing is there to be taken, "
        f"in `turn.taken.list().last()` {place}"
    )


def test_a_name_can_rest_on_another_one(pebbles: Pebbles) -> None:
    lets = "    let: {last: turn.taken.list().last(), worth: last.worth}\n"
    pebbles.change(TURNS, LET, f"{LET}{lets}")
    requires = """\
      - {rule: bare, that: turn.taken.size() > 0, else: nothing has been taken yet}
      - {rule: worthy, that: worth > 5, else: "{last} is worth {worth}"}
"""
    pebbles.change(TURNS, "      - {rule: one-stone", f"{requires}      - {{rule: one-stone")
    assert pebbles.findings(LOG.replace("; end", "")) == ["bare 5 nothing has been taken yet"]
    pebbles.change(
        TURNS, "that: turn.taken.size() > 0, else: nothing", 'that: "true", else: nothing'
    )
    pebbles.change(
        TURNS,
        "- set: {active: player}",
        "- set: {active: player}\n      - move: {what: stones.red, to: turn.taken}",
    )
    assert pebbles.findings(LOG.replace("; end", "")) == ["worthy 5 Red is worth 2"]


def test_names_are_what_they_were_before_the_move(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, LET, f"{LET}    let: {{rest: heap.size()}}\n")
    move = "- move: {what: stone, from: heap, to: me.pouch}\n"
    pebbles.change(TURNS, move, f"{move}      - set: {{me.debt: rest}}\n")
    standing = pebbles.judge().standing
    assert standing is not None
    assert standing.of("Ann").categories[1].points == -5


def test_a_name_that_fails_leaves_out_a_move_that_is_not_legal(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, LET, f"{LET}    let: {{last: turn.taken.list().last()}}\n")
    rule = "      - {rule: bare, that: turn.taken.size() > 0, else: nothing has been taken yet}\n"
    pebbles.change(TURNS, "      - {rule: one-stone", f"{rule}      - {{rule: one-stone")
    move = "- move: {what: stone, from: heap, to: me.pouch}\n"
    pebbles.change(
        TURNS,
        move,
        f"{move}      - each: {{p: players}}\n        does: [{{move: {{what: last, to: p.pouch}}}}]\n",
    )
    game = pebbles.judge(LOG.replace("; end", ""))
    assert [finding.rule for finding in game.findings] == ["bare"]
    assert game.standing is not None
    assert [player.total for player in game.standing.players] == [0, 0]


def test_the_moves_listed_are_those_that_are_legal(pebbles: Pebbles, tmp_path: Path) -> None:
    pebbles.change(TURNS, LET, f"{LET}    let: {{last: turn.taken.list().last()}}\n")
    log = tmp_path / "game.agn"
    log.write_text(LOG.replace("; end", "").replace("take red", ""), encoding="utf-8")
    assert "take Red" in pebbles.run("moves", str(log)).output
    pebbles.change(TURNS, "that: stone in heap", "that: last != stone")
    assert "take Red" not in pebbles.run("moves", str(log)).output


def test_lines_that_hold_an_expression_are_marked(pebbles: Pebbles) -> None:
    whole = print_pack(compile_folder(pebbles.folder))
    text = whole.split("\n")
    words = whole.split("LINES = ")[1].strip().strip("'").split()
    keys = dict(zip(words[::2], words[1::2], strict=True))
    assert all(text[int(number) - 1].endswith(f"  # {key}") for number, key in keys.items())
    assert len(keys) > 20
