"""A log for the tests of what is shown, and its states written down by hand."""

from __future__ import annotations

from altay_cli.checking.opening import open_game
from altay_cli.view.model import Address, Cell, CellGroup, Heap, Scene
from altay_cli.view.scene import Viewer
from tests.logs import WHOLE_GAMES

GAMES = WHOLE_GAMES

# F2 touches W2, where Bob is, H2 and M3.
LOG = """\
[Game "altay"]
[Event "Tuesday table"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand Hunter, Shaman, 2 Warrior
  Bob: hand Hunter, Warrior
  Ann: settlements 2 F2
  Bob: settlements W2
  Ann: secret Ark
  Bob: secret Colossus
  Ann: resources 2 food, wood
  Ann: took 1 in H3
  marker 2 food on H2
  marker 3 metal on M3
  reveal Engineering, Mathematics, Strategy, Commerce, Government, Religion
  reveal Academy, Highways, Mausoleum
turn 3 Ann
  play Hunter; buy Farmer
  attack W2 from F2 with Warrior
  Bob: fight with Warrior => Hunter
  attack H2 from F2 with Warrior
  end => 2 Hunter, 2 Village, Warrior
"""

# A game of a pack that says little of how it looks; its turns begin by themselves.
CROSSES = """\
[Game "tictactoe"]
setup
  seat Ann
  seat Bob
turn 1 Ann
  mark b2
  mark a1
  mark a3
  mark c1
  mark b1
  mark b3
  mark a2
  mark c2
  mark c3
"""


def scene(text: str, at: str | None = None) -> Scene:
    return Viewer(open_game(text, at).state).scene()


def things(kind: str, *known: str | tuple[str, int], unknown: int = 0) -> Heap:
    pairs = [(one, 1) if isinstance(one, str) else one for one in known]
    return Heap(tuple((f"{kind} {ident}", count) for ident, count in pairs), unknown)


def of_player(name: str, field: str) -> Address:
    return Address("player", name, "", field)


def of_place(place: str, field: str) -> Address:
    return Address("map", "board", f"territory {place}", field)


def plain(items: Heap | int | str | bool, owner: str | None = None) -> Cell:
    return Cell((CellGroup(items),), None if owner is None else (owner,))
