"""Variants find effects by their labels, wherever these stand."""

from __future__ import annotations

import pytest

from altay_cli.checking.check import check_text
from altay_cli.compile.building import read_tree
from altay_cli.source.folder import follow
from tests.small import Pebbles

INNER = """\
      - if: heap.size() > 0
        then:
          - each: {p: players}
            does:
              - {label: fine, add: {p.debt: 1}}
"""

LOG = """\
[Game "pebbles"]
[Variant "mine.yaml"]
setup
  seat Ann; seat Bob
turn 1 Ann
  take red; end
"""


def test_what_stands_there_twice_is_found_by_number() -> None:
    requires = [{"use": "in-hand", "cite": {"en": 3}}, {"use": "free"}, {"use": "in-hand"}]
    data = {"requires": requires}
    assert follow(data, ["requires", "in-hand"]) == (("requires", 0), requires[0], [])
    assert follow(data, ["requires", "in-hand 2"]) == (("requires", 2), requires[2], [])
    assert follow(data, ["requires", "in-hand 3"])[2] == ["in-hand 3"]


def debts(pebbles: Pebbles, changes: str) -> list[int]:
    """Return what Ann and Bob owe after the first turn, with changes of a variant."""
    old = "      - move: {what: stone, to: turn.taken}\n"
    if INNER not in (pebbles.folder / "moves/turns.yaml").read_text(encoding="utf-8"):
        pebbles.change("moves/turns.yaml", old, old + INNER)
    path = pebbles.variant(f"change:\n{changes}")
    assert pebbles.problems(path) == []
    game = pebbles.judge(LOG, path.parent)
    assert game.standing is not None
    return [-player.categories[1].points for player in game.standing.players]


@pytest.mark.parametrize(
    ("change", "owed"),
    [
        ("  - {set: title, to: Mine}\n", [1, 1]),
        ("  - {set: moves.take.does.fine, to: {add: {p.debt: 5}}}\n", [5, 5]),
        ("  - {set: moves.take.does.fine.add, to: {p.debt: 7}}\n", [7, 7]),
        (
            "  - {extend: moves.take.does, with: [{add: {p.debt: 2}}], before: fine}\n",
            [3, 3],
        ),
        (
            "  - {extend: moves.take.does, with: [{set: {p.debt: 9}}], after: fine}\n",
            [9, 9],
        ),
    ],
)
def test_an_effect_inside_of_others_is_found(
    pebbles: Pebbles, change: str, owed: list[int]
) -> None:
    assert debts(pebbles, change) == owed


def test_a_label_that_is_not_there(pebbles: Pebbles) -> None:
    path = pebbles.variant("change:\n  - {remove: moves.take.does.fine}\n")
    assert [mark[0] for mark in pebbles.marked(path)] == ["patch-hits-nothing"]


def test_a_label_alone_is_no_effect(pebbles: Pebbles) -> None:
    old = "      - move: {what: stone, to: turn.taken}\n"
    pebbles.change("moves/turns.yaml", old, old + "      - {label: nothing}\n")
    assert [mark[0] for mark in pebbles.marked()] == ["schema-size"]


# ---------------------------------------------------------------- names


GOLD = """\
change:
  - {add: entities.stone.gold, to: {worth: 9}}
  - {add: names.en.stone.gold, to: Gold}
  - {set: moves.take.requires.on-the-heap.that, to: "false"}
  - {set: moves.take.requires.on-the-heap.else, to: "there is {stones}"}
"""


def test_what_a_variant_does_not_translate_has_its_english_name(pebbles: Pebbles) -> None:
    pebbles.write("names/de.yaml", "language: de\nnames: {stone: {red: Rot, grey: Grau}}\n")
    path = pebbles.variant(GOLD)
    (game,) = check_text(LOG, folder=path.parent, language="de").games
    assert "there is Rot, Grau, Gold" in [finding.message for finding in game.findings]


@pytest.mark.parametrize("ours", ["[grey]", "all", "[red, grey]"])
@pytest.mark.parametrize(
    ("removed", "left"),
    [
        ("entities.stone.grey", {"red"}),
        # All of a kind, and the kind: it is told who uses them, and nothing of names.
        ("entities.stone", set()),
        ("kinds.stone", set()),
    ],
)
def test_names_of_what_is_removed_go_with_it(
    pebbles: Pebbles, removed: str, left: set[str], ours: str
) -> None:
    names = f"language: de\nnames: {{stone: {{red: Rot, grey: Grau}}}}\nours: {{stone: {ours}}}\n"
    pebbles.write("names/de.yaml", names + "plurals: {stone: {grey: Graue}}\n")
    tree = read_tree(pebbles.folder, [pebbles.variant(f"change:\n  - {{remove: {removed}}}\n")])
    for language in ("en", "de"):
        assert set(tree.data["names"].get(language, {}).get("stone", {})) == left
    kept = {"all": "all", "[red, grey]": ["red"]}.get(ours) if left else None
    assert tree.data["ours"]["de"].get("stone") == kept
    told = [
        problem.message for problem in pebbles.problems(pebbles.folder.parent.parent / "mine.yaml")
    ]
    assert not [message for message in told if "name" in message]
