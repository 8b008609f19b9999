"""How much of a log is looked at."""

from __future__ import annotations

import pytest

from altay_cli.checking import limits
from altay_cli.checking.check import GameReport, check_text
from tests.small import LOG, Pebbles


def test_for_twenty_misspelled_tags_another_is_suggested(pebbles: Pebbles) -> None:
    tags = [f"Event{letter}" for letter in "abcdefghijklmnopqrst"]
    found = pebbles.judge("".join(f'[{tag} "x"]\n' for tag in tags) + LOG).findings
    assert [one.help for one in found] == [("did you mean `Event`?",)] * 20


@pytest.mark.parametrize(("most", "found"), [(7, []), (6, ["too-many-statements"])])
def test_of_a_file_only_so_many_statements_are_read(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch, most: int, found: list[str]
) -> None:
    """Seven lines and parts of lines of the log come to an end; the last of them is `end`."""
    monkeypatch.setattr(limits, "MAX_STATEMENTS", most)
    games = check_text(LOG).games
    assert [one.rule for game in games for one in game.findings] == found


WANT = """\
  want:
    title: Want a stone
    written: want <stone>
    takes: {stone: {type: stone, from: stones}}
    requires:
      - {rule: lies-there, at: stone, that: stone in heap, else: none is there, since: the last went}
    does: [{add: {round: 0}}]
"""


def wanted(pebbles: Pebbles, heap: str, log: str) -> GameReport:
    """Check a log of a game in which stones can be wanted that lie on the heap."""
    pebbles.change("moves/turns.yaml", "  end:\n", WANT + "  end:\n")
    pebbles.change("moves/setup.yaml", "stones.red.bag(3).plus(stones.grey, 2)", heap)
    return pebbles.judge(LOG.partition("  take")[0] + log)


def test_twenty_times_it_is_told_what_was_possible(pebbles: Pebbles) -> None:
    found = wanted(pebbles, "stones.red.bag(1)", "  want grey\n" * 20).findings
    assert [one.help for one in found] == [("possible here: Red",)] * 20


def test_what_brought_it_about_is_found_many_turns_before(pebbles: Pebbles) -> None:
    """Twelve turns of three statements each lie between, a heading, a stone and the end."""
    rounds = [
        f"turn {n} Bob\n  take red; end\nturn {n + 1} Ann\n  take red; end\n"
        for n in range(2, 14, 2)
    ]
    log = "  take grey; end\n" + "".join(rounds) + "turn 14 Bob\n  want grey\n"
    (found,) = wanted(pebbles, "stones.red.bag(20).plus(stones.grey, 1)", log).findings
    assert [(one.span.line, one.message) for one in found.related] == [(5, "the last went")]


def test_of_a_list_of_twelve_things_that_are_not_there_each_is_carried_out(
    pebbles: Pebbles,
) -> None:
    """Each costs a point; of a list in which more than twenty break a rule the rest is left out."""
    each = WANT.replace("from: stones}", "from: stones, each: true}")
    costly = each.replace("add: {round: 0}", "add: {me.debt: 1}")
    pebbles.change("moves/turns.yaml", "  end:\n", costly + "  end:\n")
    pebbles.change(
        "moves/setup.yaml", "stones.red.bag(3).plus(stones.grey, 2)", "stones.red.bag(1)"
    )
    standings = [
        pebbles.judge(LOG.partition("  take")[0] + f"  want {count} grey\n").standing
        for count in (12, 900)
    ]
    assert [one and one.of("Ann").total for one in standings] == [-12, -21]
