"""How much is shown where there is much, and how much that may take."""

from __future__ import annotations

from altay_cli.checking.opening import open_game
from altay_cli.view.model import Cell, CellGroup, Heap
from altay_cli.view.scene import Viewer
from tests.scoring.test_hidden import deal
from tests.small import LOG, Pebbles


def shown(pebbles: Pebbles, view: str, log: str = LOG) -> Viewer:
    """Return what shows the game after its log, by a view with these lines."""
    pebbles.write("view.yaml", view)
    return Viewer(open_game(log, folder=pebbles.folder).state)


def table(viewer: Viewer) -> dict[str, Cell]:
    """Return what lies on the table, by the name of its field."""
    cells = viewer.scene().cells
    return {at.field: cell for at, cell in cells.items() if at.part == "table"}


def test_all_of_two_hundred_and_fifty_things_are_shown(pebbles: Pebbles) -> None:
    cells = table(
        shown(
            pebbles,
            """\
table:
  list: {title: A list, items: "lists.range(250).map(n, stones.red)"}
  rows: {title: Rows, each: {n: lists.range(250)}, items: n}
""",
        )
    )
    (of_list,) = cells["list"].groups
    assert of_list.items == Heap((("stone red", 1),) * 250, ordered=True)
    assert cells["rows"].groups == tuple(CellGroup(n) for n in range(250))


def test_thirty_moments_that_take_long_to_show_are_shown(pebbles: Pebbles) -> None:
    """Some 270,000 steps each, of which there are 200,000 for each and five million for all."""
    long = "'lists.range(90000).map(n, n).map(n, n).max()'"
    viewer = shown(pebbles, f"table: {{most: {{title: Most, items: {long}}}}}\n")
    assert [table(viewer)["most"].groups[0].items for _ in range(30)] == [89_999] * 30


def test_all_that_a_number_may_be_is_gone_through(pebbles: Pebbles) -> None:
    """Of twenty red and twenty grey stones, any twenty lie in Ann's pouch: 0 to 20 red ones."""
    pebbles.change("moves/setup.yaml", "stones.red.bag(3)", "stones.red.bag(20)")
    pebbles.change("moves/setup.yaml", "plus(stones.grey, 2)", "plus(stones.grey, 20)")
    deal(pebbles, 20)
    red = "{red: {title: Red stones, items: 'players[0].pouch.count(stones.red)'}}"
    log = LOG.replace("  take red; end\n", "")
    assert table(shown(pebbles, f"table: {red}\n", log))["red"].groups[0].items == "0 to 20"
