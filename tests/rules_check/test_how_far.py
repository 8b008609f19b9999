"""How far `rules check` looks into rules: far enough for what people write, and not for ever."""

from __future__ import annotations

import pytest

from altay_cli.lint import limits
from altay_cli.lint.playtests import Playtests
from altay_cli.lint.startup import tables
from altay_cli.lint.tryout import plans, play
from tests.small import Pebbles, compile_folder

TURNS = "moves/turns.yaml"
NEVER_FAILS = ("rule-never-fails", TURNS)


def told(pebbles: Pebbles, that: str) -> list[tuple[str, str]]:
    """Return what is told where a stone may be taken if something holds: rule and file."""
    new = f'- {{rule: new, that: "{that}", else: no}}\n      - {{rule: one-stone'
    pebbles.change(TURNS, "- {rule: one-stone", new)
    return [(problem.rule, problem.file.removeprefix("pebbles/")) for problem in pebbles.problems()]


@pytest.mark.parametrize(("depth", "found"), [(7, [NEVER_FAILS]), (9, [])])
def test_functions_that_call_each_other_are_looked_into(
    pebbles: Pebbles, depth: int, found: list[tuple[str, str]]
) -> None:
    """Each calls the one below it twice: there are some thousand calls, or very many."""
    lines = ["functions:\n  f0: {title: F, gives: bool, is: heap.size() >= 0}\n"]
    for n in range(depth):
        lines.append(f"  f{n + 1}: {{title: F, gives: bool, is: f{n}() && f{n}()}}\n")
    pebbles.add("game.yaml", "".join(lines))
    assert told(pebbles, f"f{depth}()") == found


@pytest.mark.parametrize(("zone", "found"), [("second", [NEVER_FAILS]), ("third", [])])
def test_what_zones_can_hold_is_followed_from_one_to_the_next(
    pebbles: Pebbles, zone: str, found: list[tuple[str, str]]
) -> None:
    """It is followed for a few rounds: numbers might grow for ever."""
    zones = "".join(f"  {name}: {{holds: int}}\n" for name in ("zero", "first", "second", "third"))
    pebbles.change("game.yaml", "zones:\n", f"zones:\n{zones}")
    effects = ("third: second", "second: first", "first: zero", "zero: 1")
    lines = "".join(f"      - set: {{{effect}}}\n" for effect in effects)
    pebbles.change(TURNS, "    does:\n      - reset: turn\n", f"    does:\n{lines}")
    assert told(pebbles, f"{zone} < 2") == found


def test_gates_that_are_opened_one_behind_the_other_are_followed(pebbles: Pebbles) -> None:
    """The last one is opened in the tenth turn; one more is never opened."""
    zones = "".join(f"  gate{n}: {{holds: bool}}\n" for n in range(11))
    pebbles.change("game.yaml", "zones:\n", f"zones:\n  closed: {{holds: bool}}\n{zones}")
    effects = "".join(
        f"      - {{if: gate{n - 1}, then: [{{set: {{gate{n}: 'true'}}}}]}}\n"
        for n in range(10, 0, -1)
    )
    begin = "    does:\n      - reset: turn\n"
    pebbles.change(TURNS, begin, f"{begin}{effects}      - set: {{gate0: 'true'}}\n")
    assert told(pebbles, "!closed || gate10") == [("zone-never-filled", "game.yaml"), NEVER_FAILS]


def test_the_change_behind_which_something_is_wrong_is_found(pebbles: Pebbles) -> None:
    lines = [f"  - {{set: entities.stone.red.worth, to: {n}}}\n" for n in range(7)]
    variant = pebbles.variant(f"change:\n{''.join(lines)}  - {{remove: zones.debt}}\n")
    (problem,) = pebbles.problems(variant)
    assert problem.message == "`zones.debt` is removed here, and 2 places still use it"
    assert (problem.file, problem.span.line) == ("mine.yaml", 12)
    assert problem.help == (
        "it shows in pebbles/moves/setup.yaml, line 10; pebbles/scoring.yaml, line 7",
    )


def test_a_game_is_begun_at_small_tables_and_at_the_largest(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "least: 2, most: 2", "least: 2, most: 30")
    sizes = [size for size, _ in tables(compile_folder(pebbles.folder)).values()]
    assert sizes == [2, 3, 4, 5, 6, 7, 8, 30]


def test_options_are_tried_at_some_tables(pebbles: Pebbles) -> None:
    values = ", ".join(f"v{n}" for n in range(40))
    option = f"  sort: {{tag: Sort, title: S, values: [{values}], default: v0}}\n"
    pebbles.add("game.yaml", f"options:\n{option}")
    tried = [options["sort"] for _, options in tables(compile_folder(pebbles.folder)).values()]
    assert tried == [f"v{n}" for n in range(24)]


@pytest.mark.parametrize(("triggers", "found"), [(5, 0), (6, 1)])
def test_what_is_asked_of_rules_takes_some_seconds_at_most(
    pebbles: Pebbles, triggers: int, found: int
) -> None:
    """To multiply 500 numbers by 500 takes some 750,000 steps, and there are four million."""
    pairs = "lists.range(500).exists(a, lists.range(500).exists(b, a * b < 0))"
    does = "[{set: {over: 'true'}}]"
    lines = [f"  t{n}: {{title: T, when: '{pairs}', does: {does}}}\n" for n in range(triggers)]
    pebbles.write("moves/slow.yaml", f"triggers:\n{''.join(lines)}")
    assert [problem.rule for problem in pebbles.problems()].count("rule-budget") == found


def playing(pebbles: Pebbles, waits: int) -> Playtests:
    """Return what a game shows in which one may wait so many times in a turn."""
    pebbles.change("game.yaml", "  turn.taken:", "  turn.waited: {holds: int}\n  turn.taken:")
    pebbles.write(
        "moves/wait.yaml",
        f"""\
moves:
  wait:
    title: Wait
    written: wait
    requires: [{{rule: patient, that: turn.waited < {waits}, else: wait no more}}]
    does: [{{add: {{turn.waited: 1}}}}]
""",
    )
    found = plans(pebbles.folder, (), ())
    assert found is not None
    return play(found[0], 1)


@pytest.mark.parametrize(("waits", "endless"), [(100, []), (200, ["wait"])])
def test_a_move_that_can_be_made_very_often_has_no_end(
    pebbles: Pebbles, waits: int, endless: list[str]
) -> None:
    assert list(playing(pebbles, waits).endless) == endless


def test_a_game_is_given_up_after_very_many_moves(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, "that: turn.taken.size() == 0", "that: 'false'")
    (outcome,) = playing(pebbles, 100_000).outcomes
    assert outcome.end == "not over after 1,500 moves"


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (limits.PLAYED_STEPS, "20 games of 2 players; 20 games ended"),
        # One takes some 20,000 to 30,000.
        (40_000, "2 games of 2 players; 2 games ended"),
        (4_000, "1 game of 2 players; 0 games ended"),
    ],
)
def test_as_many_games_are_played_as_take_some_seconds(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch, steps: int, told: str
) -> None:
    monkeypatch.delenv("ALTAY_PLAY")
    monkeypatch.setattr(limits, "PLAYED_STEPS", steps)
    assert f"Played: {told}" in pebbles.run("rules", "check", "pebbles").output
