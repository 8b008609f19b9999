"""What an expression looks at in a state is known when it is compiled."""

from __future__ import annotations

import json

from tests.small import Pebbles, compile_folder

CONDITIONS = {
    "1 + 2 == 3": set(),
    "stones.red.worth == 2": set(),
    "players.size() == 2": {"players"},
    "heap.size() == 0": {"heap"},
    "players.all(p, pouch[p].size() == heap.size())": {"heap", "pouch", "players"},
    "players[0].pouch.size() == 0": {"pouch", "players"},
    "text(players[0]) == ''": {"text", "players"},
    "answer_due()": {"due"},
    "ended()": {"ended"},
    "able(players[0])": {"able", "players"},
    "score(players[0]) > 0": {"score", "players"},
    # What functions look at that it calls, and those that these call, and their named values.
    "full(players[0])": {"pouch", "players", "debt"},
    "[full(active)] == [true] || over": {"pouch", "active", "debt", "over"},
}

FUNCTIONS = """\
functions:
  full: {takes: {p: player}, gives: bool, let: {some: owed(p)}, is: "pouch[p].size() > some"}
  owed: {takes: {p: player}, gives: int, is: "debt[p]"}
"""


def test_what_conditions_look_at(pebbles: Pebbles) -> None:
    does = 'does: [{move: {what: stones.red, from: heap, to: "pouch[players[0]]"}}]'
    for number, condition in enumerate(CONDITIONS):
        entry = f"title: a, when: {json.dumps(condition)}, {does}"
        pebbles.add("moves/turns.yaml", f"  t{number}: {{{entry}}}\n")
    pebbles.add("moves/turns.yaml", FUNCTIONS)
    pack = compile_folder(pebbles.folder)
    names = {zone.index: zone.name for zone in pack.zones}

    def named(what: frozenset[int | str]) -> set[str]:
        return {names[one] if isinstance(one, int) else one for one in what}

    triggers = {trigger.when.source: trigger for trigger in pack.triggers}
    for condition, expected in CONDITIONS.items():
        trigger = triggers[condition]
        assert named(trigger.when.reads) == expected, condition
        # Zones alone decide, and what stays as it is: then only their changes count.
        if expected & {"due", "ended", "able", "score"}:
            assert trigger.reads is None
        else:
            assert trigger.reads is not None
            assert named(trigger.reads) == expected - {"players", "text"}
    changing = triggers["ended()"].does.tree[0]
    assert named(changing.changes) == {"heap", "pouch"}
