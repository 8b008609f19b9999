"""Draws that name no rules are judged by those of all games."""

from __future__ import annotations

import pytest

from altay_cli.checking.check import check_text
from tests.small import Pebbles

# The heap holds three red stones and two grey ones.
DRAW = """\
  pull:
    title: Pull three stones out of the heap
    written: "pull [=> <pulled>]"
    takes: {pulled: {type: drawn stone}}
    does:
      - draw: {seen: pulled, from: heap, to: me.pouch, times: 3, needed: true}
"""
LOG = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'
VARIANT = "variant: asking\nextends: pebbles\ntitle: Asking\n"
OWN_DRAWS = 'draws: {missing: {rule: pull-missing, else: "which stones came?"}}\n'


@pytest.fixture
def pulling(pebbles: Pebbles) -> Pebbles:
    """Let three stones be pulled out of the heap."""
    pebbles.change("moves/turns.yaml", "triggers:\n", f"{DRAW}triggers:\n")
    assert pebbles.problems() == []
    return pebbles


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("pull => 2 red, grey", []),
        ("pull", ["draw-unrecorded 5 draws that are not recorded: 3"]),
        ("pull => 2 red, ?", ["draw-hidden 5 `?` does not say what was drawn"]),
        (
            "pull => red",
            ["draw-too-few 5 too few draws are recorded: 1 instead of at least 3"],
        ),
        ("pull => 2 red, 2 grey", ["draw-too-many 5 too many draws are recorded: 4 instead of 3"]),
        ("pull => 3 grey", ["draw-impossible 5 Grey cannot be drawn here; possible: 3 Red"]),
    ],
)
def test_wrong_records_break_the_rules_of_all_games(
    pulling: Pebbles, statement: str, found: list[str]
) -> None:
    assert pulling.findings(f"{LOG}  {statement}\n") == found


def test_the_number_of_draws_may_depend_on_what_comes(pulling: Pebbles) -> None:
    """One stone after the other is pulled until a grey one comes."""
    pulling.change("moves/turns.yaml", "times: 3", 'while: "!(stones.grey in me.pouch)"')
    assert pulling.findings(f"{LOG}  pull => red, grey\n") == []
    assert pulling.findings(f"{LOG}  pull => 2 red\n") == [
        "draw-too-few 5 too few draws are recorded: 2 instead of at least 3"
    ]
    assert pulling.findings(f"{LOG}  pull => red, grey, red\n") == [
        "draw-too-many 5 too many draws are recorded: 3 instead of 2"
    ]


def test_an_empty_source_is_named(pulling: Pebbles) -> None:
    log = f"{LOG}  pull => 3 red\n  pull => 3 grey\n"
    (finding,) = pulling.judge(log).findings
    assert finding.message == "too many draws are recorded: 3 instead of 2"
    assert finding.help == ("nothing is left to draw",)


def test_a_draw_names_only_the_rules_that_it_words_itself(pulling: Pebbles) -> None:
    own = 'needed: true, rules: {extra: {rule: pull-three, else: "three come, not {given}"}}'
    pulling.change("moves/turns.yaml", "needed: true", own)
    assert pulling.findings(f"{LOG}  pull => 2 red, 2 grey\n") == ["pull-three 5 three come, not 4"]
    assert pulling.findings(f"{LOG}  pull\n") == [
        "draw-unrecorded 5 draws that are not recorded: 3"
    ]


def test_a_game_words_the_rules_of_all_its_draws(pulling: Pebbles) -> None:
    pulling.change("moves/turns.yaml", "moves:\n", f"{OWN_DRAWS}moves:\n")
    assert pulling.findings(f"{LOG}  pull\n") == ["pull-missing 5 which stones came?"]
    assert pulling.findings(f"{LOG}  pull => red\n") == [
        "draw-too-few 5 too few draws are recorded: 1 instead of at least 3"
    ]


def test_a_variant_changes_the_rules_of_all_draws(pulling: Pebbles) -> None:
    change = '{set: draws.missing.else, to: "which stones came?"}'
    pulling.write("variants/asking.yaml", f"{VARIANT}change: [{change}]\n")
    log = LOG.replace("\n", '\n[Variant "asking"]\n', 1)
    assert pulling.findings(f"{log}  pull\n") == ["draw-unrecorded 6 which stones came?"]


def test_faulty_rules_of_draws_are_reported_once(pulling: Pebbles) -> None:
    pulling.change("moves/turns.yaml", "moves:\n", f"{OWN_DRAWS}moves:\n")
    pulling.change("moves/turns.yaml", "which stones came?", "{stone} is missing")
    other = DRAW.replace("pull", "fetch")
    pulling.change("moves/turns.yaml", "triggers:\n", f"{other}triggers:\n")
    assert [problem.rule for problem in pulling.problems()] == ["expression-unknown-name"]


def test_a_draw_that_is_never_recorded_breaks_no_rule(pulling: Pebbles) -> None:
    pulling.change("moves/turns.yaml", "seen: pulled", "seen: unrecorded()")
    pulling.change("moves/turns.yaml", "    takes: {pulled: {type: drawn stone}}\n", "")
    pulling.change("moves/turns.yaml", '"pull [=> <pulled>]"', "pull")
    assert pulling.findings(f"{LOG}  pull\n") == []


def test_messages_are_translated(pulling: Pebbles) -> None:
    (report,) = check_text(f"{LOG}  pull => red\n", language="de").games
    assert [finding.message for finding in report.findings] == [
        "zu wenig Gezogenes ist aufgezeichnet: 1 statt mindestens 3"
    ]
