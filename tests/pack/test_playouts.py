"""What a pack says of games that the program plays: the opening, policies, measures, domains.

That mistakes are told at their places is tested in tests/rules_check/broken/playouts.
"""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.budget import Budget
from altay_cli.base.findings import BudgetError, ExpressionError, PackError
from altay_cli.base.resources import data_folder
from altay_cli.base.values import Entity
from altay_cli.checking.opening import new_game
from altay_cli.checking.playing import Game
from altay_cli.compile.building import read_tree
from altay_cli.compile.load import load_pack
from altay_cli.compile.vocabulary import base_environment
from altay_cli.expressions.types import INT, list_of
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.model import Pack, Policy
from altay_cli.source.inspect import differences, find
from tests.expressions.compiled import compile_expression
from tests.small import compile_folder

RULES = data_folder("rules") / "altay"


@cache
def shipped() -> Pack:
    return load_pack("altay")


def write(folder: Path, *changes: str) -> Path:
    path = folder / "mine.yaml"
    lines = "".join(f"  - {change}\n" for change in changes)
    text = f"variant: mine\nextends: altay\ntitle: Mine\nchange:\n{lines}"
    path.write_text(text, encoding="utf-8")
    return path


def changed(folder: Path, *changes: str) -> Pack:
    return compile_folder(RULES, [write(folder, *changes)])


def problems(folder: Path, *changes: str) -> list[str]:
    with pytest.raises(PackError) as caught:
        changed(folder, *changes)
    return [problem.rule for problem in caught.value.problems]


def sources(policy: Policy) -> dict[str, str]:
    return {move: expr.source for move, expr in policy.worth.items()}


def entities(game: Game, kind: str) -> dict[str, Entity]:
    return {entity.id: entity for entity in game.pack.entities[kind]}


def zones(game: Game) -> dict[str, Any]:
    return {zone.name: game.state.zones.held(zone.index) for zone in game.pack.zones}


# ---------------------------------------------------------------- the file


def test_the_sections_of_a_small_file_are_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "altay"
    shutil.copytree(RULES, folder)
    (folder / "playouts.yaml").write_text(
        """\
functions:
  four: {gives: int, is: 2 + two()}
  two: {gives: int, is: 2}
opening:
  - {title: Seats, move: seat, pick: {f: factions}, with: {faction: f}}
  - title: Markers
    cite: {en: 4}
    move: marker
    each: {t: territories}
    while: t.marker == null
    pick: {m: box, n: "box.list().filter(x, x != m)"}
    with: {value: n.value, where: t}
  - {title: Starts, move: settle, by: "players[0]"}
policies:
  plain: {title: Plain, worth: {buy: four(), fight: asked.strength}}
measures:
  side: {title: Side, group: me.faction}
  seat: {title: Seat, group: "me == players[0] ? 'first' : 'later'"}
  coins: {title: Coins, number: me.coins}
  won: {title: Won, each: me.completed.list()}
  bought: {title: Bought, moves: {buy: title}}
""",
        encoding="utf-8",
    )
    pack = compile_folder(folder)
    seat, marker, start = pack.opening
    assert (seat.title, seat.move, seat.each, seat.loop, seat.actor) == (
        "Seats", "seat", None, None, None,
    )  # fmt: skip
    assert [name for name, _ in seat.picks] == ["f"]
    assert marker.each and marker.each[0] == "t"
    assert marker.loop is not None
    assert [name for name, _ in marker.picks] == ["m", "n"]
    assert {slot: expr.source for slot, expr in marker.values.items()} == {
        "value": "n.value", "where": "t",
    }  # fmt: skip
    assert start.actor is not None
    plain = pack.policies["plain"]
    assert (plain.title, plain.otherwise, set(plain.worth)) == ("Plain", 0, {"buy", "fight"})
    kinds = {
        ident: [key for key in ("group", "number", "each", "moves") if getattr(measure, key)]
        for ident, measure in pack.measures.items()
    }
    assert kinds == {
        "side": ["group"], "seat": ["group"], "coins": ["number"], "won": ["each"],
        "bought": ["moves"],
    }  # fmt: skip


def test_a_game_can_do_without_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "altay"
    shutil.copytree(RULES, folder)
    (folder / "playouts.yaml").unlink()
    pack = compile_folder(folder)
    assert (pack.opening, pack.policies, pack.measures) == ((), {}, {})


def test_a_kept_pack_has_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path))
    load_pack("altay")
    assert list(tmp_path.glob("*.pack"))
    monkeypatch.setattr("altay_cli.compile.load.compile_pack", None)  # only the kept one will do
    pack = load_pack("altay")
    assert [step.move for step in pack.opening] == [step.move for step in shipped().opening]
    assert all(expr.fn for policy in pack.policies.values() for expr in policy.worth.values())
    assert all(expr.fn for expr in pack.measures["bought"].moves.values())


# ---------------------------------------------------------------- like


def test_a_policy_has_the_worths_of_the_one_that_it_is_like(tmp_path: Path) -> None:
    pack = changed(
        tmp_path,
        "{add: policies.third, to: {title: Third, like: second, worth: {end: 9}}}",
        "{add: policies.first, to: {title: First, otherwise: -3, worth: {buy: 1, end: 2, trade: 3}}}",
        "{add: policies.second, to: {title: Second, like: first, worth: {buy: 5, abandon: 6}}}",
    )
    assert sources(pack.policies["first"]) == {"buy": "1", "end": "2", "trade": "3"}
    assert sources(pack.policies["second"]) == {
        "buy": "5", "end": "2", "trade": "3", "abandon": "6",
    }  # fmt: skip
    assert sources(pack.policies["third"]) == {
        "buy": "5", "end": "9", "trade": "3", "abandon": "6",
    }  # fmt: skip
    assert [pack.policies[p].otherwise for p in ("first", "second", "third")] == [-3, -3, -3]


def test_a_policy_can_have_another_worth_for_the_rest(tmp_path: Path) -> None:
    pack = changed(
        tmp_path,
        "{add: policies.first, to: {title: First, otherwise: -3, worth: {buy: 1}}}",
        "{add: policies.second, to: {title: Second, like: first, otherwise: 0}}",
    )
    assert pack.policies["second"].otherwise == 0
    assert sources(pack.policies["second"]) == {"buy": "1"}


def test_a_longer_circle_is_told_once_for_each_in_it(tmp_path: Path) -> None:
    changes = (
        "{add: policies.a, to: {title: A, like: b}}",
        "{add: policies.b, to: {title: B, like: c}}",
        "{add: policies.c, to: {title: C, like: b}}",
    )
    assert problems(tmp_path, *changes) == ["endless", "endless"]


# ---------------------------------------------------------------- variants


def test_variants_change_policies_by_path(tmp_path: Path) -> None:
    pack = changed(
        tmp_path,
        "{set: policies.balanced.worth.buy, to: 77}",
        "{add: policies.expand.worth.end, to: 5}",
        "{remove: policies.wonders}",
        "{move: policies.fight, first: true}",
        "{set: policies.fight.title, to: Fists}",
    )
    assert list(pack.policies) == ["fight", "balanced", "expand"]
    assert pack.policies["balanced"].worth["buy"].source == "77"
    assert pack.policies["expand"].worth["end"].source == "5"
    assert pack.policies["fight"].worth["end"].source == "0"
    assert pack.policies["fight"].title == "Fists"


def test_variants_change_the_opening_by_path(tmp_path: Path) -> None:
    pack = changed(
        tmp_path,
        "{set: opening.reveal.while, to: 'shown(level).size() < 2'}",
        "{remove: opening.secret}",
        "{extend: opening, before: draw, with: [{title: Again, move: vp}]}",
        "{set: opening.0.title, to: Sit down}",
    )
    moves = [step.move for step in pack.opening]
    assert moves == ["seat", "marker", "vp", "reveal", "settle", "vp", "draw"]
    reveal = pack.opening[3]
    assert reveal.loop is not None
    assert reveal.loop.source == "shown(level).size() < 2"
    assert pack.opening[0].title == "Sit down"


def test_variants_change_measures_by_path(tmp_path: Path) -> None:
    pack = changed(
        tmp_path,
        "{add: measures.broke, to: {title: Broke, number: 'me.coins == 0 ? 1 : 0'}}",
        "{set: measures.bought.moves.trade, to: resource}",
        "{remove: measures.deck}",
    )
    assert set(pack.measures["bought"].moves) == {"buy", "trade"}
    assert "broke" in pack.measures
    assert "deck" not in pack.measures


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("{set: opening.reveal.mov, to: buy}", "schema-unknown-key"),
        ("{set: opening.revel.move, to: buy}", "patch-hits-nothing"),
        ("{remove: policies.greedy}", "patch-hits-nothing"),
        ("{remove: policies.balanced}", "unknown-policy"),
        ("{set: measures.faction.number, to: 5}", "schema"),
        ("{set: measures.faction, to: {title: Nothing}}", "schema-missing-key"),
    ],
)
def test_a_change_that_goes_wrong_is_told(tmp_path: Path, change: str, rule: str) -> None:
    assert set(problems(tmp_path, change)) == {rule}


def test_a_move_that_is_removed_leaves_nothing_behind(tmp_path: Path) -> None:
    pack = changed(
        tmp_path,
        "{remove: moves.vp}",
        "{remove: moves.trade}",
        "{remove: moves.attack-marker}",
        "{remove: moves.attack-opponent}",
    )
    gone = {"vp", "trade", "attack-marker", "attack-opponent"}
    assert [step.move for step in pack.opening] == [
        "seat", "marker", "reveal", "settle", "secret", "draw",
    ]  # fmt: skip
    assert not any(gone & set(policy.worth) for policy in pack.policies.values())
    assert "attacked" in shipped().measures
    assert "attacked" not in pack.measures


def test_what_differs_is_told_under_its_heading(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "{set: policies.balanced.worth.end, to: 1}",
        "{set: opening.vp.title, to: Three markers}",
    )
    found = differences(read_tree(RULES, []), read_tree(RULES, [path]))
    assert [(d.group, d.old, d.new) for d in found] == [
        ("Playouts", "The victory point markers in the middle of the board", "Three markers"),
        ("Playouts", "0", "1"),
    ]


def test_parts_are_found_by_their_path() -> None:
    tree = read_tree(RULES, [])
    path, found = find(tree, "opening.settle.by")
    assert path == ("opening", 4, "by")
    assert found == "unsettled().last()"
    assert find(tree, "policies.balanced.worth.end")[1] == 0


# ---------------------------------------------------------------- numbers to choose from


def test_the_numbers_of_a_slot_are_a_list_of_numbers(tmp_path: Path) -> None:
    place = "moves.end-for-coins.takes.coins.from"
    for wrong in ("resources", "5"):
        assert problems(tmp_path, f"{{set: {place}, to: {wrong}}}") == ["expression-wrong-type"]
    pack = changed(tmp_path, f"{{set: {place}, to: '[1, 2]'}}")
    move = next(move for move in pack.moves if move.id == "end-for-coins")
    assert move.slots["coins"].domain is not None


def domain(move: str, slot: str, *, trading: bool = False, pool: int = 0) -> list[int]:
    """Return what a number can be at the beginning of a game, for who has so much food."""
    tags = (("Variant", "trading"),) if trading else ()
    game = new_game("altay", ["Ann", "Bob"], seed=1, tags=tags)
    found = next(m for m in game.pack.moves if m.id == move).slots[slot].domain
    assert found is not None
    state = game.state
    me = state.players[0]
    if pool:
        place = state.zones.place(next(z.index for z in game.pack.zones if z.name == "pool"), me)
        state.table.add(place, entities(game, "resource")["food"], pool)
    result: list[int] = found.fn(state, {"me": me})
    return result


def test_coins_for_unused_resources_are_chosen_where_there_are_coins() -> None:
    assert domain("end-for-coins", "coins") == []
    assert domain("end-for-coins", "coins", trading=True) == [0]
    assert domain("end-for-coins", "coins", trading=True, pool=3) == [0, 1, 2, 3]


def test_the_heading_of_a_turn_has_the_number_of_the_round() -> None:
    assert domain("turn", "number") == [1]


def test_markers_have_the_values_that_there_are() -> None:
    assert domain("marker", "value") == [1, 2, 3]


def listed(text: str) -> list[int]:
    """Return the value of an expression that gives numbers, as rules can mention it."""
    env = base_environment(frozenset(), {}, (), {})
    found: list[int] = compile_expression(text, env, list_of(INT), GLOBALS)(Budget(), {})
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lists.range(4)", [0, 1, 2, 3]),
        ("lists.range(1)", [0]),
        ("lists.range(0)", []),
        ("lists.range(-3)", []),
        ("lists.range(3).map(n, n * n)", [0, 1, 4]),
    ],
)
def test_a_range_of_numbers(text: str, expected: list[int]) -> None:
    assert listed(text) == expected


def test_a_range_is_bounded() -> None:
    with pytest.raises(ExpressionError, match="at least 1,000,000,000,000 steps"):
        listed("lists.range(1000000000000)")
    with pytest.raises(BudgetError, match="a list of 200,000"):
        listed("lists.range(100000 + 100000)")


# ---------------------------------------------------------------- the opening that ships


# By players: territories in play (23, less the 8 or 5 that are left out) and where the victory
# point markers lie, after en 7; the rest is en 4-5.
TABLES = {
    2: (15, {"M3", "M4", "M5"}),
    3: (18, {"M1", "M2", "M3"}),
    4: (23, {"M1", "M2", "M4"}),
}


@pytest.mark.parametrize("players", TABLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_games_are_laid_out_as_the_rulebook_says(players: int, seed: int) -> None:
    names = ["Ann", "Bob", "Cleo", "Dan"][:players]
    game = new_game("altay", names, seed=seed)
    board = zones(game)
    in_play, points = TABLES[players]
    territories = list(entities(game, "territory").values())
    held = [t for t in territories if any(board["settlers"][t].values())]
    marked = {t: board["marker"][t] for t in territories if board["marker"][t] is not None}
    assert (len(held), len(marked)) == (players, in_play - players)
    assert {t.f["terrain"].id for t in held} == {"farmland"}
    for territory, marker in marked.items():
        assert (marker.f["value"] == 3) == (territory.f["terrain"].id == "mountain")
    assert {t.id for t in territories if board["vp"][t]} == points
    for level in (1, 2, 3):
        assert sum(1 for a in board["display"] if a.f["level"] == level) == 3
    seated = game.state.players
    secrets = {board["secret"][p] for p in seated}
    assert len(secrets) == players
    assert not secrets & set(board["display"])
    assert {a.f["level"] for a in secrets} == {3}
    assert len({board["faction"][p] for p in seated}) == players
    assert [board["hand"][p].size() for p in seated] == [5] * players
    settled = [line.split(":")[0].strip() for line in game.log().splitlines() if ": settle" in line]
    assert settled == list(reversed(names))
