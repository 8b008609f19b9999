"""What conditions tell of the slots of a move is read off their trees when rules are compiled."""

from __future__ import annotations

import pytest

from altay_cli.compile.load import compile_folder
from altay_cli.pack.model import Hint
from tests.small import Pebbles

MOVE = """\
  grab:
    title: Grab
    written: grab <some>
    takes: {some: {type: bag(stone), from: heap}}
    let: {mine: me.pouch}
    requires:
      - {rule: asked, that: "CONDITION", else: "no"}
triggers:
"""
FUNCTIONS = """\
functions:
  owed: {takes: {p: player}, gives: int, is: "debt[p]"}
  liked: {takes: {s: bag(stone)}, gives: bool, is: "s.size() > 1"}
"""
NUMBERS = """\
numbers:
  handful: {value: 4, title: a handful}
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("some.size() == 3", Hint("some", size=3)),
        ("(some.size()) == numbers.handful", Hint("some", size=4)),
        ("some.size() > 0", Hint("some", some=True)),
        ("heap.has(some)", Hint("some", within=True)),
        ("some.first().worth > 1 && some.first() != null", Hint("some", first=True)),
        ("owed(me) == some.size()", ("F_owed(S, v_me)", {"me"})),
        ("some.size() >= 1", None),
        ("mine.size() == 3", None),
        ("me.pouch.has(some)", None),
        ("some.first().worth > 1 && some.size() < 3", None),
        ("some.first() in some", None),
        # Asked only where something else holds, or not at all.
        ("some.size() > 1 && owed(me) == 1", None),
        ("(some.size() > 1 ? owed(me) : 1) == 1", None),
        # It hangs on the slot, or on nothing but the same values as the whole.
        ("liked(some)", None),
        ("owed(me) == 1", None),
    ],
)
def test_hints(
    pebbles: Pebbles, condition: str, expected: Hint | tuple[str, set[str]] | None
) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n", MOVE.replace("CONDITION", condition))
    pebbles.add("moves/turns.yaml", FUNCTIONS)
    pebbles.add("game.yaml", NUMBERS)
    pack = compile_folder(pebbles.folder)
    (move,) = (move for move in pack.moves if move.id == "grab")
    hint = pack.hints.get(move.requires[0].that.key)
    if expected is not None and not isinstance(expected, Hint):
        assert hint is not None
        assert hint.begins is not None
        assert (hint.begins.call, set(hint.begins.uses)) == expected
        assert hint.begins.rest == f"({hint.begins.variable} == size_of(S, v_some))"
    else:
        assert hint == expected
