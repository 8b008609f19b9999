"""What conditions tell of the slots of a move is read off their code when rules are compiled."""

from __future__ import annotations

import pytest

from altay_cli.compile.plans import asks_first, size_asked
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
    ("condition", "size", "first"),
    [
        ("some.size() == 3", (3, False), False),
        ("(some.size()) == numbers.handful", (4, False), False),
        ("some.size() > 0", (1, True), False),
        ("heap.has(some)", None, False),
        ("some.first().worth > 1 && some.first() != null", None, True),
        ("some.size() >= 1", (1, True), False),
        ("some.size() <= 1", None, False),
        ("mine.size() == 3", None, False),
        ("me.pouch.has(some)", None, False),
        ("some.first().worth > 1 && some.size() < 3", None, False),
        ("some.first() in some", None, False),
    ],
)
def test_hints(
    pebbles: Pebbles, condition: str, size: tuple[int, bool] | None, *, first: bool
) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n", MOVE.replace("CONDITION", condition))
    pebbles.add("game.yaml", NUMBERS)
    pack = compile_folder(pebbles.folder)
    (move,) = (move for move in pack.moves if move.id == "grab")
    code = pack.codes[move.requires[0].that.key]
    assert (size_asked(code, "v_some"), asks_first(code, "v_some")) == (size, first)
