"""Variants find effects by their labels, wherever these stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from altay_cli.base.resources import pack_folder
from altay_cli.checking.check import check_text
from altay_cli.compile.building import read_tree
from altay_cli.source.folder import follow, part_names, walk
from altay_cli.source.inspect import find
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


# ---------------------------------------------------------------- names without labels


EFFECT_KEYS = ("then", "else", "does")


def lists_of_effects(
    data: object, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of the outermost lists of effects."""
    parts = data.items() if isinstance(data, dict) else ()
    for key, value in parts:
        if key == "does" and isinstance(value, list):
            yield (*path, key)
        else:
            yield from lists_of_effects(value, (*path, key))


@pytest.mark.parametrize("game", ["altay", "innovation"])
def test_every_effect_of_a_move_or_procedure_has_a_name(game: str) -> None:
    tree = read_tree(pack_folder(game), [])
    sections = {key: tree.data[key] for key in ("moves", "procedures", "triggers")}
    count = 0
    for outer in lists_of_effects(sections):
        effects = tree.at(outer)[0]
        names = dict(part_names(effects))
        paths = [path for path, _ in walk(effects) if path and isinstance(path[-1], int)]
        inside = [
            path for path in paths if all(isinstance(k, int) or k in EFFECT_KEYS for k in path)
        ]
        assert [path for path in inside if path not in names] == [], outer
        for path in inside:
            assert follow(effects, [names[path]])[0] == path
            count += 1
    assert count > 150


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (
            "procedures.close-turn.does.draw-cards.do.draw-cards.amount",
            "numbers.hand_size + turn.extra",
        ),
        (
            "procedures.close-turn.does.8.does.0.then.0.do.draw-cards.amount",
            "numbers.hand_size + turn.extra",
        ),
        ("procedures.close-turn.does.add-coins.add", {"who.coins": "coins"}),
        ("procedures.close-turn.does.move-hand-to-discard.move.from", "who.hand"),
        ("procedures.close-turn.does.if-set-over.if", "last"),
        ("entities.title.warrior.effects.attack.kind", "attack"),
        ("prepare.order-1.order", 1),
        ("categories.conquest.parts.points.counted", "me.conquered.list().map(m, string(m.value))"),
    ],
)
def test_parts_are_called_by_what_they_do(path: str, value: object) -> None:
    assert find(read_tree(pack_folder("altay"), []), path)[1] == value


def test_a_variant_names_effects_by_what_they_do(pebbles: Pebbles) -> None:
    change = "  - {extend: moves.take.does, with: [{add: {me.debt: 4}}], after: move-to-taken}\n"
    assert debts(pebbles, change) == [5, 1]
    assert debts(pebbles, "  - {set: moves.take.does.fine.add, to: {p.debt: 7}}\n") == [7, 7]


def test_no_variant_that_ships_and_no_recipe_counts() -> None:
    files = [*Path("rules").glob("*/variants/*.yaml"), *Path("docs/recipes").glob("*.yaml")]
    paths = [
        word
        for file in files
        for word in re.findall(
            r"(?:set|add|extend|remove|move): ([\w.-]+)", file.read_text("utf-8")
        )
    ]
    assert len(paths) > 40
    assert [path for path in paths if re.search(r"\.\d+(\.|$)", path)] == []
