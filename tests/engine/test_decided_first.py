"""What does not depend on hidden things is decided first: a breach of it is an error.

The game is that of `tests/packs/pedlars`, where nobody sees what is in a sack: of the large ones,
two hold Sapphires (blue) and one holds Rubies (red). A player who boasts has nothing but red wares, and
has sold something.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import check_text
from altay_cli.match import limits
from attack.backs import HEAD

PACK = Path(__file__).parents[1] / "packs" / "pedlars"
BOAST = """\
defaults:
  requires: [{use: game-over}, {use: your-turn}]
moves:
  boast:
    title: Boast of red wares
    written: boast
    requires:
      - rule: boast-red
        that: me.cart.list().all(w, w.colour == colours.red)
        else: "{me} has something blue"
      - {rule: boast-sold, that: me.sold.size() > 0, else: "{me} has sold {me.sold.size()}"}
"""


@pytest.fixture(autouse=True)
def boasting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PACK, tmp_path / "pedlars")
    (tmp_path / "pedlars" / "moves" / "boasts.yaml").write_text(BOAST, encoding="utf-8")
    monkeypatch.setenv("ALTAY_PACKS", str(tmp_path))


def errors(*moves: str) -> list[str]:
    (game,) = check_text(HEAD + "".join(f"  {move}\n" for move in moves)).games
    return [f.rule for f in game.findings if f.severity is Severity.ERROR]


# Ann and Bob move by turns.
SOLD = ("take small => Apples", "take small => Plums", "sell Apples", "sell Plums")


def test_a_later_requirement_is_broken_whatever_the_first_depends_on() -> None:
    assert errors("take large", "take small", "boast") == ["boast-sold"]


def test_a_requirement_that_no_hidden_thing_fulfils_is_broken() -> None:
    # Of one large sack nobody knows; of two, at least one is blue.
    one = (*SOLD, "take large", "take small => Plums")
    assert errors(*one, "boast") == ["undecided"]
    assert errors(*one, "take large", "sell Plums", "boast") == ["boast-red"]


def test_what_is_known_is_judged() -> None:
    assert errors(*SOLD, "take large => Rubies", "take small", "boast") == []
    assert errors(*SOLD, "take large => Sapphires", "take small", "boast") == ["boast-red"]


UNDER_A_DRAW = """\
[Game "innovation"]
position
  seat Ann
  seat Bob
  Ann: board Atomic Theory
  Bob: board Archery
turn 3 Ann
  dogma Atomic Theory
  splay blue
"""


def test_only_so_many_things_are_tried_for_an_unrecorded_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Whatever Ann has drawn, she has one blue card only.
    (game,) = check_text(UNDER_A_DRAW).games
    assert game.verdict is Verdict.ILLEGAL
    monkeypatch.setattr(limits, "MAX_ANSWERS", 1)
    (game,) = check_text(UNDER_A_DRAW).games
    assert game.verdict is Verdict.NOT_JUDGED
