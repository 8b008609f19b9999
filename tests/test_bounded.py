"""Rules and logs that would take for ever: each ends soon, and says why.

The rules are those of a small game, so that nearly all of the time is that of what is hostile.
"""

from __future__ import annotations

import threading

import pytest

from altay_cli.base.findings import Verdict
from altay_cli.checking.check import check_text
from altay_cli.checking.errors import GameError
from altay_cli.checking.opening import open_game
from tests.effort import at_most
from tests.small import FILES, LOG, Pebbles

CALLS = 5_000_000
"""For something hostile: a statement has a million steps, and most calls are several; half as much
may be spent on trying what else was meant.
"""


def functions(count: int, body: str) -> str:
    """Return functions f1, f2, ..., each of which uses the one before it."""
    lines = ["functions:", "  f0: {takes: {p: int}, gives: int, is: p + 1}"]
    for number in range(1, count + 1):
        text = body.replace("before", f"f{number - 1}")
        lines.append(f"  f{number}: {{takes: {{p: int}}, gives: int, is: {text!r}}}")
    return "\n".join(lines) + "\n"


XS = "functions:\n  xs: {takes: {n: int}, gives: list(int), is: lists.range(n)}\n"
STONES = "stones.red.times(10000)"

# Conditions of a move. Each takes for ever, or all of the memory, where it is not bounded.
HOSTILE = {
    "lists of lists": XS + "#xs(99999).map(x, xs(99999)).flatten().size() >= 0",
    "a sum of very many": XS + "#xs(99999).map(x, xs(99999)).map(l, l.sum()).sum() >= 0",
    "parts of very many": XS + "#xs(99999).map(x, xs(99999).take(99998)).size() >= 0",
    "searches": XS + "#xs(99999).map(x, xs(99999).after(99998)).size() >= 0",
    "memberships": XS + "#xs(99999).all(x, x in xs(99999))",
    "equal lists": XS + "#xs(99999).all(x, xs(99999) == xs(99999))",
    "texts of lists": XS + "#xs(99999).map(x, text(xs(99999)).size()).sum() >= 0",
    "the longest of very many": XS + "#xs(9999).map(x, xs(9999).map(y, [y]).longest()).size() >= 0",
    "bags of very many": XS + f"#xs(99999).map(x, {STONES}.bag().list().size()).sum() >= 0",
    "sums of bags": XS
    + "#xs(99999).map(x, xs(99999).map(y, stones.red.bag(1).plus(heap))).size() >= 0",
    "ever more of a thing": "#stones.red.bag(1000000000).times(1000000000).size() >= 0",
    "texts of texts": "functions:\n  two: {takes: {s: string}, gives: string, is: s + s}\n#"
    + "two(" * 60
    + "'a'"
    + ")" * 60
    + ".size() >= 0",
    "what follows for ever": "#[1].closure(k, k.map(n, n + 1)).size() >= 0",
    "calls of calls": functions(40, "before(p) - before(p)") + "#f40(1) >= 0",
    "calls that may be left out": functions(40, "p > 0 ? before(p - before(p)) : before(p)")
    + "#f40(1) >= 0",
    "calls in conditions": functions(
        40, "before(p) > 0 || before(p) > 1 ? before(p) + before(0) : 0"
    )
    + "#f40(0) >= 0",
    "walks over what was called": XS + "#xs(9999).exists(x, xs(9999).exists(y, x + y < 0))",
    "things of things": "#" + "stones.all(a, " * 30 + "a.worth < 9" + ")" * 30,
    "loops in loops": "#" + "[1, 2].map(a, " * 30 + "1" + ")" * 30 + " != []",
}


def refused_or_ended(game: Pebbles, log: str = LOG) -> str:
    """Check a log; return the rule that tells that this takes too long."""
    with at_most(CALLS):
        report = game.judge(log)
    rules = [
        f.rule
        for f in report.findings
        if f.rule == "rule-budget" or "this takes at least" in f.message
    ]
    assert rules, [f.message for f in report.findings]
    messages = " ".join(f.message for f in report.findings)
    assert "Traceback" not in messages
    return rules[0]


def hostile_requirement(game: Pebbles, text: str) -> None:
    """Put a condition into the rules, with the functions it needs before the sign `#`."""
    head, _, that = text.rpartition("#")
    game.change("moves/turns.yaml", "that: turn.taken.size() == 0", f'that: "{that}"')
    game.add("game.yaml", head)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_condition(pebbles: Pebbles, name: str) -> None:
    pebbles.judge()  # what is read once for a process: schemas, grammars
    hostile_requirement(pebbles, HOSTILE[name])
    assert refused_or_ended(pebbles) in {"rule-budget", "rules"}


def test_a_result_is_not_held_against_the_state_in_which_judging_stopped(
    pebbles: Pebbles,
) -> None:
    hostile_requirement(pebbles, HOSTILE["calls that may be left out"])
    (found,) = pebbles.judge(LOG + "result\n  Ann: score 99\n").findings
    assert found.rule == "rule-budget"
    assert found.help[-1] == "because of this, the claims of the result are not judged"


def test_calls_that_cannot_but_take_for_ever_are_refused_when_loaded(
    pebbles: Pebbles,
) -> None:
    hostile_requirement(pebbles, HOSTILE["calls of calls"])
    found = {(problem.rule, problem.message.split(";")[0]) for problem in pebbles.problems()}
    assert found == {("expression-too-costly", "this takes at least 1,048,574 steps")}


# Where a condition can stand: file, what stands there, and what comes in its place.
PLACES = {
    "ended": ("game.yaml", "ended: over", 'ended: "({}) ? over : over"'),
    "active": ("game.yaml", "active: active", 'active: "({}) ? active : null"'),
    "trigger": ("moves/turns.yaml", 'when: "', 'when: "({}) ? false : false || '),
    "scoring": ("scoring.yaml", "points: -me.debt", 'points: "({}) ? 1 : 2"'),
    "setup": (
        "moves/setup.yaml",
        "does: [{seat: player}]",
        'does: [{{if: "{}", then: [{{seat: player}}]}}]',
    ),
}


@pytest.mark.parametrize("name", ["lists of lists", "calls that may be left out", "searches"])
@pytest.mark.parametrize("place", PLACES)
def test_a_hostile_expression_anywhere(
    pebbles: Pebbles,
    place: str,
    name: str,
) -> None:
    head, _, that = HOSTILE[name].rpartition("#")
    file, old, new = PLACES[place]
    pebbles.add("game.yaml", head)
    pebbles.change(file, old, new.format(that))
    with at_most(CALLS):
        report = pebbles.judge()
    assert {f.rule for f in report.findings} & {"rule-budget", "rule-failure", "score-failure"}
    with at_most(CALLS):
        problems = pebbles.problems()
    assert {problem.rule for problem in problems} & {"rule-budget", "rule-failure"}


NESTED = "{each: {%s: stones}, does: [%s]}"


def nested(levels: int, inner: str) -> str:
    """Return effects in effects in effects."""
    text = inner
    for number in range(levels):
        text = NESTED % (f"s{number}", text)
    return text


EFFECTS = {
    "loops in loops": nested(15, "{add: {round: 1}}, {add: {round: -1}}, " * 2 + "{reset: turn}"),
    "loops that do next to nothing": nested(15, "{if: 'false', then: [{reset: turn}]}, " * 3 + "{if: 'false', then: [{reset: turn}]}"),
    "a pile of millions": "{move: {what: stones.red, count: 999999999, to: piled}}",
    "a pile that grows": "{each: {n: lists.range(9999)}, does: [{move: {what: stones.red, count: 99, to: piled}}]}",
    "bags that are emptied": "{each: {n: lists.range(99999)}, does: [{move: {from: heap, to: me.pouch}}, {move: {from: me.pouch, to: heap}}]}",
    "what carries itself out": "{do: {again: {n: 1}}}",
    "what carries itself out twice": "{do: {twice: {n: 40}}}",
    "a loop for ever": "{while: 'true', does: [{add: {round: 0}}]}",
    "questions for ever": "{while: 'true', does: [{ask: {really: {who: me, times: 0}}}]}",
    "ever more resets": "{each: {n: lists.range(99999)}, does: [{reset: turn}]}",
    "draws": "{each: {n: lists.range(99999)}, does: [{draw: {seen: unrecorded(), from: heap, to: me.pouch, times: 9999, rules: {missing: {rule: x, else: x}, short: {rule: x, else: x}, extra: {rule: x, else: x}, hidden: {rule: x, else: x}, impossible: {rule: x, else: x}}}}]}",
}  # fmt: skip


@pytest.mark.parametrize("name", EFFECTS)
def test_hostile_effects(pebbles: Pebbles, name: str) -> None:
    pebbles.judge()
    pebbles.change("game.yaml", "  heap: {", "  piled: {holds: pile(stone)}\n  heap: {")
    pebbles.add(
        "moves/turns.yaml",
        "decisions:\n  really: {title: Really, rule: due, else: it is due, wrong: {rule: wrong, else: not you}}\n"
        "procedures:\n  again: {title: Again, takes: {n: int}, does: [{if: n > 0, then: [{do: {again: {n: n}}}]}]}\n"
        "  twice: {title: Twice, takes: {n: int}, does: [{if: n > 0, then: [{do: {twice: {n: n - 1}}}, {do: {twice: {n: n - 1}}}]}]}\n",
    )
    text = FILES["moves/turns.yaml"]
    assert text.count("does: [{set: {active:") == 1
    pebbles.change(
        "moves/turns.yaml", 'does: [{set: {active: "null"}}]', f"does: [{EFFECTS[name]}]"
    )
    pebbles.change(
        "moves/turns.yaml",
        "  end:\n",
        "  yes: {title: Yes, written: 'yes', answers: really, unasked: {rule: unasked, else: no}, does: [{add: {round: 1}}]}\n  end:\n",
    )
    if name == "what carries itself out":
        (found,) = pebbles.judge().findings
        assert found.message == "the rules cannot be applied here: this is nested too deep"
        return
    assert refused_or_ended(pebbles) == "rule-budget"


def test_effects_nested_deeper_than_python_reads(pebbles: Pebbles) -> None:
    for levels in (1, 15, 16, 20, 21, 25):
        pebbles.write("moves/turns.yaml", FILES["moves/turns.yaml"])
        pebbles.change(
            "moves/turns.yaml",
            'does: [{set: {active: "null"}}]',
            f"does: [{nested(levels, '{add: {round: 1}}')}]",
        )
        found = [problem.rule for problem in pebbles.problems()]
        assert found == (["effects-too-deep"] if levels > 15 else [])


@pytest.mark.parametrize(("levels", "found"), [(15, []), (16, ["effects-too-deep"])])
def test_loops_that_are_over_count_neither_for_nor_against_those_behind_them(
    pebbles: Pebbles, levels: int, found: list[str]
) -> None:
    add = "{add: {round: 1}}"
    pebbles.change(
        "moves/turns.yaml",
        'does: [{set: {active: "null"}}]',
        f"does: [{nested(2, add)}, {nested(levels, add)}]",
    )
    assert [problem.rule for problem in pebbles.problems()] == found


# ---------------------------------------------------------------- many statements, many games


def test_many_statements_that_take_nearly_too_long(pebbles: Pebbles) -> None:
    # Each statement alone is within its budget, and there are a thousand of them.
    hostile_requirement(pebbles, XS + "#xs(90000).map(x, x).map(x, x).map(x, x).size() > 0")
    log = LOG.replace("take red; end", "take red\n" * 1_000)
    with at_most(CALLS):
        report = pebbles.judge(log)
    (found,) = [found for found in report.findings if found.rule == "rule-budget"]
    assert "this game takes too many steps to judge" in found.message


def test_many_games_that_take_nearly_too_long(pebbles: Pebbles) -> None:
    hostile_requirement(pebbles, XS + "#xs(90000).map(x, x).map(x, x).map(x, x).size() > 0")
    with at_most(CALLS):
        games = check_text(LOG * 120).games
    last = [finding.message for finding in games[-1].findings]
    assert any("this file takes too many steps to judge" in message for message in last)
    assert games[0].legal


def test_slips_do_not_use_up_what_the_game_needs(pebbles: Pebbles) -> None:
    # Finding out how to go on is worth a quarter of the budget, and no more.
    hostile_requirement(pebbles, XS + "#xs(2000).map(x, x).size() > 0 && turn.taken.size() == 0")
    turns = "".join(
        f"turn {number} {'Ann' if number % 2 else 'Bob'}\n  take grey; take red; end\n"
        for number in range(1, 30)
    )
    with at_most(CALLS):
        report = pebbles.judge(LOG.partition("turn")[0] + turns)
    assert not {"rule-budget", "rule-failure"} & {finding.rule for finding in report.findings}


# ---------------------------------------------------------------- legal moves


def slots(count: int) -> str:
    """Return a move that takes so many stones, each of them any."""
    names = [f"s{number}" for number in range(count)]
    takes = ", ".join(f"{name}: {{type: stone}}" for name in names)
    written = " and ".join(f"<{name}>" for name in names)
    return f"""\
  pick:
    title: Pick
    written: pick {written}
    takes: {{{takes}}}
    does: [{{add: {{round: 0}}}}]
"""


@pytest.mark.parametrize("condition", ["true", "round < 0", "s0 == s1 && s2 != s3 || s4 == s5"])
def test_a_listing_of_very_many_moves_ends(pebbles: Pebbles, condition: str) -> None:
    stones = "".join(f"  s{number}: {{worth: 1}}\n" for number in range(40))
    pebbles.add("board.yaml", stones)
    rule = f"    requires: [{{rule: fits, that: {condition}, else: no}}]\n"
    pebbles.change("moves/turns.yaml", "  end:\n", slots(6) + rule + "  end:\n")
    game = open_game(LOG, "turn 1 Ann")
    # Some 4,700 moves are written down and parsed, each with a thousand calls and more.
    with at_most(4 * CALLS):
        moves = game.legal_moves()
    assert game.complete is (condition == "round < 0")
    assert "take Red" in [move.statement for move in moves]
    with at_most(2 * CALLS):
        result = pebbles.run("moves", "--at", "5", str(pebbles.folder.parent / "log.agn"))
    assert result.exit_code == 2  # there is no such log


def test_a_listing_under_hostile_conditions_ends(pebbles: Pebbles) -> None:
    hostile_requirement(pebbles, HOSTILE["lists of lists"])
    with at_most(2 * CALLS):
        game = open_game(LOG, "turn 1 Ann")
        moves = game.legal_moves()
    assert moves == []
    assert not game.complete


def test_moves_that_do_very_much_are_tried_no_longer_than_allowed(
    pebbles: Pebbles,
) -> None:
    pebbles.add("board.yaml", "".join(f"  s{number}: {{worth: 1}}\n" for number in range(40)))
    pebbles.add("game.yaml", XS)
    pebbles.change("moves/turns.yaml", "  end:\n", slots(2) + "  end:\n")
    pebbles.change(
        "moves/turns.yaml",
        "does: [{add: {round: 0}}]",
        'does: [{add: {round: "xs(90000).map(x, 0).sum()"}}]',
    )
    game = open_game(LOG, "turn 1 Ann")
    with at_most(2 * CALLS):
        game.legal_moves()
    assert not game.complete


def test_a_game_that_is_played_on_may_take_as_long_as_it_likes(pebbles: Pebbles) -> None:
    game = open_game(LOG, "turn 1 Ann")
    for _ in range(3_000):
        game.apply("take red")
        game.undo()
    assert "take Red" in [move.statement for move in game.legal_moves()]
    with pytest.raises(GameError):
        open_game(LOG, "turn 9 Ann")


# ---------------------------------------------------------------- memory


def test_nothing_of_what_was_used_up_is_kept(pebbles: Pebbles) -> None:
    import tracemalloc

    hostile_requirement(pebbles, HOSTILE["lists of lists"])
    pebbles.judge()
    tracemalloc.start()
    pebbles.judge()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60_000_000


# ---------------------------------------------------------------- simulated games, threads


@pytest.mark.parametrize("place", ["ended", "setup"])
def test_simulated_games_of_hostile_rules_end(pebbles: Pebbles, place: str) -> None:
    head, _, that = HOSTILE["lists of lists"].rpartition("#")
    file, old, new = PLACES[place]
    pebbles.add("game.yaml", head)
    pebbles.change(file, old, new.format(that))
    with at_most(CALLS):
        result = pebbles.simulate()
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_rules_whose_every_part_takes_long_are_checked_soon(pebbles: Pebbles) -> None:
    pebbles.add("game.yaml", XS)
    lines = "".join(
        f"  t{number}: {{title: T, when: 'xs({90_000 + number}).map(x, x).map(x, x).size() < 0',"
        " does: [{add: {round: 1}}]}\n"
        for number in range(200)
    )
    pebbles.add("moves/turns.yaml", lines)
    with at_most(CALLS):
        problems = pebbles.problems()
    assert "rule-budget" in {problem.rule for problem in problems}


def test_games_in_two_threads_share_no_budget(pebbles: Pebbles) -> None:
    hostile_requirement(pebbles, XS + "#xs(60000).map(x, x).map(x, x).size() > 0")
    alone = pebbles.judge()
    assert alone.legal
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(pebbles.judge())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.findings for report in found] == [alone.findings] * 4  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("game", "calls"),
    [("turn 1 Ann\n", 2_000), ("setup\nend\n", 7_000)],
    ids=["ends in its first line", "setup and end alone"],
)
def test_very_small_games_take_little(game: str, calls: int) -> None:
    """Tens of thousands of them in a file are soon judged: 45,000 calls take some 10 ms."""
    log = f'[Game "altay"]\n{game}' * 50
    check_text(log)
    with at_most(50 * calls):
        report = check_text(log)
    assert len(report.games) == 50
    assert all(game.verdict is not Verdict.LEGAL for game in report.games)


def test_what_is_mended_once_is_mended_in_each_game() -> None:
    game = '[Game "altay"]\nsetup\n  seats Ann as Firefolk\n  seats Bob as Elvenfolk\n'
    first, second = check_text(game + game).games
    assert [f.rule for f in first.findings] == [f.rule for f in second.findings]
    assert [f.span.line for f in second.findings if f.rule == "badly-written"] == [7, 8]
    assert {p.player for p in second.outcomes.first.players} == {"Ann", "Bob"}
