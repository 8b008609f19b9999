"""What conditions tell of the slots of a move is read off their trees when rules are compiled."""

from __future__ import annotations

import pytest

from altay_cli.pack.model import Hint
from tests.small import Pebbles, compile_folder

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
NUMBERS = """\
numbers:
  handful: {value: 4, title: a handful}
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("some.size() == 3", Hint("some", 3)),
        ("(some.size()) == numbers.handful", Hint("some", 4)),
        ("some.size() > 0", None),
        ("heap.has(some)", None),
        ("some.first().worth > 1 && some.first() != null", Hint("some")),
        ("some.size() >= 1", None),
        ("mine.size() == 3", None),
        ("me.pouch.has(some)", None),
        ("some.first().worth > 1 && some.size() < 3", None),
        ("some.first() in some", None),
    ],
)
def test_hints(pebbles: Pebbles, condition: str, expected: Hint | None) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n", MOVE.replace("CONDITION", condition))
    pebbles.add("game.yaml", NUMBERS)
    pack = compile_folder(pebbles.folder)
    (move,) = (move for move in pack.moves if move.id == "grab")
    assert pack.hints.get(move.requires[0].that.key) == expected
