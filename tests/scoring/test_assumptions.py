"""What a log leaves open, in a game of its own: the program goes through all that it may be."""

from __future__ import annotations

import json
import re

import pytest

from altay_cli.scoring.limits import MAX_OUTCOMES
from tests.small import Pebbles

DEBTS = """
assumptions:
  debt:
    title: A debt that nobody wrote down
    each: {EACH}
    one_of: {ONE}
    show: "the debt of {p}: {owed}"
    does: [{set: {p.debt: owed}}]
"""
LOG = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
  take red; end
result
"""


def declare(
    pebbles: Pebbles, each: str = '{p: "players"}', one_of: str = '{owed: "[0, 3]"}'
) -> None:
    pebbles.add("scoring.yaml", DEBTS.replace("{EACH}", each).replace("{ONE}", one_of))


def totals(pebbles: Pebbles, log: str = LOG) -> list[list[int]]:
    found = pebbles.judge(log).outcomes
    assert found is not None
    return [[player.total for player in outcome.standing.players] for outcome in found.all]


def test_all_combinations_in_order(pebbles: Pebbles) -> None:
    declare(pebbles)
    assert pebbles.problems() == []
    # Ann took a stone worth two.
    assert totals(pebbles) == [[2, 0], [2, -3], [-1, 0], [-1, -3]]


def test_the_state_is_the_same_afterwards(pebbles: Pebbles) -> None:
    declare(pebbles)
    played = pebbles.judge(LOG).played
    assert played is not None
    (debt,) = [zone for zone in played.state.pack.zones if zone.name == "debt"]
    assert not any(played.state.zones.held(debt.index).values())


def test_what_may_be_can_rest_on_what_was_assumed_before(pebbles: Pebbles) -> None:
    # All debts together are three.
    declare(pebbles, one_of='{owed: "[0, 1, 3].filter(n, players.map(q, q.debt).sum() + n <= 3)"}')
    assert totals(pebbles) == [[2, 0], [2, -1], [2, -3], [1, 0], [1, -1], [-1, 0]]


@pytest.mark.parametrize(
    ("each", "one_of", "expected"),
    [
        # One possibility is no assumption; without any it stays as it is.
        ('{p: "players"}', '{owed: "[1]"}', [[1, -1]]),
        ('{p: "players"}', '{owed: "[1].filter(n, n > 1)"}', [[2, 0]]),
        ('{p: "players.filter(p, p.debt > 0)"}', '{owed: "[0, 3]"}', [[2, 0]]),
        # Where the scores are the same, nothing depends on it.
        ('{p: "players"}', '{owed: "[1, 1]"}', [[1, -1]]),
    ],
)
def test_what_is_not_open(
    pebbles: Pebbles, each: str, one_of: str, expected: list[list[int]]
) -> None:
    declare(pebbles, each, one_of)
    assert totals(pebbles) == expected
    (game,) = json.loads(_json(pebbles))["files"][0]["games"]
    assert "outcomes" not in game
    assert game["winners"] == ["Ann"]


def _json(pebbles: Pebbles, log: str = LOG, command: str = "check") -> str:
    path = pebbles.folder.parent / "log.agn"
    path.write_text(log, encoding="utf-8")
    return pebbles.run(command, "--format", "json", str(path)).output


def test_json_tells_all_outcomes(pebbles: Pebbles) -> None:
    declare(pebbles, '{p: "[players[0]]"}')
    for command in ("check", "score"):
        (game,) = json.loads(_json(pebbles, command=command))["files"][0]["games"]
        assert game["scores"] == {
            "Ann": {"worth": 2, "debts": 0, "total": 2},
            "Bob": {"worth": 0, "debts": 0, "total": 0},
        }
        assert (game["ranking"], game["winners"], game["decided_by"]) == ([], [], "total")
        assert game["outcomes"] == [
            {
                "assumed": ["the debt of Ann: 0"],
                "scores": game["scores"],
                "winners": ["Ann"],
            },
            {
                "assumed": ["the debt of Ann: 3"],
                "scores": {**game["scores"], "Ann": {"worth": 2, "debts": -3, "total": -1}},
                "winners": ["Bob"],
            },
        ]
        assert "outcomes_complete" not in game


def test_the_winner_can_be_sure_all_the_same(pebbles: Pebbles) -> None:
    declare(pebbles, '{p: "[players[0]]"}', '{owed: "[0, 1]"}')
    (game,) = json.loads(_json(pebbles))["files"][0]["games"]
    assert (game["ranking"], game["winners"]) == ([["Ann"], ["Bob"]], ["Ann"])
    path = pebbles.folder.parent / "log.agn"
    assert "Leading: Ann" in pebbles.run("score", str(path)).output


def test_how_it_was_decided_can_be_open(pebbles: Pebbles) -> None:
    # Two against nothing, or two and a debt of two against nothing: the stones decide.
    declare(pebbles, '{p: "[players[0]]"}', '{owed: "[0, 2]"}')
    (game,) = json.loads(_json(pebbles))["files"][0]["games"]
    assert (game["winners"], game["decided_by"]) == (["Ann"], None)
    path = pebbles.folder.parent / "log.agn"
    assert pebbles.run("score", str(path)).output.endswith("\nLeading: Ann\n")


def test_the_score_sheet_tells_what_it_depends_on(pebbles: Pebbles) -> None:
    declare(pebbles, '{p: "[players[0]]"}')
    path = pebbles.folder.parent / "log.agn"
    path.write_text(LOG, encoding="utf-8")
    output = pebbles.run("score", str(path)).output
    assert "depend on unrecorded facts. This table assumes: the debt of Ann: 0\n" in output
    assert output.endswith(
        "If                  Ann  Bob  Winner\n"
        "------------------  ---  ---  ------\n"
        "the debt of Ann: 0    2    0  Ann\n"
        "the debt of Ann: 3   -1    0  Bob\n"
        "\nThe winner depends on unrecorded facts.\n"
    )
    assert (
        "2 (#1) or -1 (#2)"
        in pebbles.run("check", str(path), "--under", str(_same(pebbles))).output
    )


def _same(pebbles: Pebbles) -> object:
    return pebbles.variant('version: "1.0"\nchange: [{set: categories.worth.title, to: Stones}]\n')


# ---------------------------------------------------------------- bounds


def test_the_first_outcomes_are_shown(pebbles: Pebbles) -> None:
    """There are 64: each of six debts is paid or not."""
    declare(pebbles, '{p: "lists.range(6).map(i, players[0])"}', '{owed: "[0, 1]"}')
    _json(pebbles)  # writes the log
    shown = pebbles.run("score", str(pebbles.folder.parent / "log.agn")).output
    assert len(re.findall("^the debt of Ann", shown, re.MULTILINE)) == 40
    assert "There are more outcomes than are shown here." in shown


@pytest.mark.parametrize(
    ("each", "one_of"),
    [
        # 2 to the power of 20 combinations; a list of a million members; as many possibilities.
        ('{p: "lists.range(20).map(i, players[0])"}', '{owed: "[0, 1]"}'),
        ('{p: "lists.range(100000).map(i, players[0])"}', '{owed: "[0, 1]"}'),
        ('{p: "players"}', '{owed: "lists.range(100000)"}'),
    ],
)
def test_not_all_is_tried_where_there_is_too_much(pebbles: Pebbles, each: str, one_of: str) -> None:
    declare(pebbles, each, one_of)
    found = pebbles.judge(LOG).outcomes
    assert found is not None
    assert len(found.all) == MAX_OUTCOMES
    assert not found.complete
    (game,) = json.loads(_json(pebbles))["files"][0]["games"]
    assert game["outcomes_complete"] is False
    # A claim may fit what was not tried: it is not wrong, and nobody knows.
    report = pebbles.judge(LOG + "  Ann: score 77777\n")
    assert [f.rule for f in report.findings if f.severity == "error"] == ["not-judged"]
    assert report.verdict == "not judged"
    path = pebbles.folder.parent / "log.agn"
    assert "There are more outcomes than are shown here." in pebbles.run("score", str(path)).output


def test_what_cannot_be_worked_out_is_said(pebbles: Pebbles) -> None:
    declare(pebbles, '{p: "[players[7]]"}')
    report = pebbles.judge(LOG)
    assert [f.rule for f in report.findings if f.severity == "error"] == ["score-failure"]
    assert "the unrecorded facts of this log" in report.findings[0].message
    assert totals(pebbles) == [[2, 0]]


def test_what_fails_in_a_new_game_is_told_by_rules_check(pebbles: Pebbles) -> None:
    declare(pebbles, '{p: "[players[7]]"}')
    assert [(p.rule, p.file) for p in pebbles.problems()] == [
        ("rule-failure", "pebbles/scoring.yaml")
    ]


def test_mistakes_of_a_declaration_are_told(pebbles: Pebbles) -> None:
    declare(pebbles, '{p: "players.size()"}')
    assert pebbles.problems()[0].rule == "type"
    pebbles.change("scoring.yaml", '{p: "players.size()"}', "{p: players}")
    pebbles.change("scoring.yaml", "p.debt: owed", "p.dept: owed")
    assert [problem.rule for problem in pebbles.problems()] == ["expression-unknown-member"]


# ---------------------------------------------------------------- what should be declared

GOAL = """
  goal:
    title: The goal of a player
    written: goal <stone>
    order: 2
    takes: {stone: {type: stone, hidden: true, from: stones}}
    does: [{set: {me.goal: stone}}]
prepare:
"""
REACHED = """
  goal:
    title: Goal
    parts: [{points: "me.goal != null && me.goal in me.pouch ? 5 : 0", show: "the goal"}]
"""
WHAT_IT_WAS = """
assumptions:
  goal:
    title: A goal that nobody wrote down
    each: {p: "players.filter(p, p.goal == null)"}
    one_of: {stone: stones}
    show: "the goal of {p}: {stone}"
    does: [{set: {p.goal: stone}}]
"""


def have_goals(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "  debt:", "  goal: {per: [player], holds: stone?}\n  debt:")
    pebbles.change("moves/setup.yaml", "prepare:\n", GOAL)
    pebbles.add("scoring.yaml", REACHED)


def test_rules_check_says_where_assumptions_are_missing(pebbles: Pebbles) -> None:
    have_goals(pebbles)
    (problem,) = pebbles.problems()
    assert (problem.rule, problem.file, problem.span.line) == (
        "assumption-missing", "pebbles/scoring.yaml", 11,
    )  # fmt: skip
    assert problem.message.startswith("`goal` is null where a log writes `?` for `stone`")
    # So it is: with red as her goal she would have five more.
    log = LOG.replace("seat Bob", "seat Bob; Ann: goal ?; Bob: goal red")
    assert totals(pebbles, log) == [[2, 0]]
    pebbles.add("scoring.yaml", WHAT_IT_WAS)
    assert pebbles.problems() == []
    assert totals(pebbles, log) == [[7, 0], [2, 0]]
