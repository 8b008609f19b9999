"""What the rules say of the components, against tables copied by hand (tables.yaml)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from altay_cli.base.resources import data_folder
from altay_cli.base.values import Entity
from altay_cli.compile import load
from altay_cli.pack.model import Pack

HERE = Path(__file__).parent
TERRAINS = {"F": "farmland", "W": "forest", "H": "hill", "M": "mountain", "I": "island"}


@cache
def tables() -> dict[str, dict[Any, Any]]:
    found: dict[str, dict[Any, Any]] = YAML(typ="safe").load(
        (HERE / "tables.yaml").read_text(encoding="utf-8")
    )
    return found


def pack() -> Pack:
    return load.load_pack("altay")


def things(kind: str) -> dict[str, Entity]:
    return {entity.id: entity for entity in pack().entities[kind]}


def listed(bag: Any) -> str:
    """Write a bag or list of things as the tables do."""
    counts: dict[str, int] = {}
    for entity in bag:
        counts[entity.id] = counts.get(entity.id, 0) + (bag[entity] if isinstance(bag, dict) else 1)
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in counts.items())


def effect(shown: Entity) -> str:
    """Write an effect of a card as the tables do; all that it holds is said."""
    f = shown.f
    used = {"kind"}
    match f["kind"]:
        case "produce":
            used |= {"gives"}
            text = listed(f["gives"])
        case "use":
            used |= {"gives", "terrain"}
            text = f"use {f['terrain'].id}: {listed(f['gives'])}"
        case "fill":
            used |= {"terrain", "target"}
            text = f"use {f['terrain'].id} to fill {f['target'].id}"
        case "consume":
            used |= {"choice"}
            text = f"consume a marker: {listed(f['choice'])}"
        case "collect":
            used |= {"amount"}
            text = f"collect, build {f['amount']}"
        case "draw":
            used |= {"amount"}
            text = f"draw {f['amount']}"
        case "store":
            text = "store"
        case kind:
            used |= {"amount"}
            text = f"{f['amount']} {kind}"
    assert {name for name, value in f.items() if value} <= used
    return text


def test_all_things_are_in_the_tables() -> None:
    table = tables()
    assert set(things("title")) == {*table["cards"], *table["starting"]}
    assert set(things("achievement")) == {*table["technologies"], *table["wonders"]}
    for kind, section in (
        ("faction", "factions"), ("territory", "territories"), ("icon", "icons"),
        ("resource", ()),
    ):  # fmt: skip
        wanted = table[section] if section else ["food", "wood", "metal", "stone", "culture"]
        assert list(things(kind)) == list(wanted)


@pytest.mark.parametrize("name", [*tables()["cards"], *tables()["starting"]])
def test_a_card(name: str) -> None:
    table = tables()
    starting = name in table["starting"]
    wanted = table["starting" if starting else "cards"][name]
    f = things("title")[name].f
    assert f["starting"] is starting
    assert listed(f["cost"]) == wanted.get("cost", "")
    assert listed(f["slots"]) == wanted.get("places", "")
    assert [effect(shown) for shown in f["effects"]] == wanted["effects"]
    # The best copies lie on top.
    copies = [(card.f["points"], card.f["copies"]) for card in f["prints"]]
    assert copies == ([(0, 0)] if starting else list(wanted["copies"].items()))


def test_there_are_eight_copies_of_every_card_of_the_display() -> None:
    for card in tables()["cards"].values():
        assert sum(card["copies"].values()) == 8


@pytest.mark.parametrize("name", tables()["factions"])
def test_a_faction_starts_with_ten_cards(name: str) -> None:
    deck = things("faction")[name].f["deck"]
    assert listed(deck) == tables()["factions"][name]
    assert deck.size() == 10


def ability(f: dict[str, Any]) -> str:
    """Write what an achievement does as the tables do."""
    if f["ability"]:
        assert f["attack"] == f["defense"] == 0
        return f"{f['ability']} {listed(f['gives']) or f['amount']}"
    assert f["amount"] == 0
    return ", ".join(f"+{f[kind]} {kind}" for kind in ("attack", "defense") if f[kind])


@pytest.mark.parametrize("name", tables()["technologies"])
def test_a_technology(name: str) -> None:
    wanted = tables()["technologies"][name]
    f = things("achievement")[name].f
    assert (f["level"], listed(f["slots"]), ability(f)) == (
        wanted["level"], wanted["cost"], wanted["ability"],
    )  # fmt: skip
    assert (f["points"], f["settlement"], f["bonus"], f["each"]) == (1, True, 0, 1)


@pytest.mark.parametrize("name", tables()["wonders"])
def test_a_wonder(name: str) -> None:
    wanted = tables()["wonders"][name]
    f = things("achievement")[name].f
    assert (f["level"], listed(f["slots"]), ability(f)) == (3, wanted["cost"], "")
    assert (f["points"], f["settlement"]) == (0, False)
    assert (f["each"], f["bonus"]) == (wanted.get("each", 1), wanted.get("bonus", 0))


def test_the_conquest_markers() -> None:
    found: dict[int, dict[str, int]] = {}
    for marker in things("marker").values():
        resource = marker.f["resource"]
        name = "nothing" if resource is None else resource.id
        found.setdefault(marker.f["value"], {})[name] = marker.f["copies"]
    assert found == tables()["markers"]


@pytest.mark.parametrize("name", tables()["icons"])
def test_an_icon(name: str) -> None:
    assert listed(things("icon")[name].f["accepts"]) == tables()["icons"][name]


@pytest.mark.parametrize("name", tables()["territories"])
def test_a_territory(name: str) -> None:
    wanted = tables()["territories"][name]
    f = things("territory")[name].f
    assert f["terrain"].id == TERRAINS[name[0]]
    assert sorted(t.id for t in f["adjacent"]) == sorted(wanted["next to"].split())
    assert f["absent"] == wanted.get("out with", [])
    assert f["vp_default"] == wanted.get("vp with", [])
    assert f["never"] is wanted.get("never", False)


def test_two_to_four_players() -> None:
    assert (pack().least, pack().most) == (2, 4)


def test_what_variants_add() -> None:
    # As their descriptions have it: see rules/altay/variants/druid.yaml and new-wonder.yaml.
    folder = data_folder("rules") / "altay" / "variants"
    druid = load.load_pack("altay", (folder / "druid.yaml",))
    (f,) = [title.f for title in druid.entities["title"] if title.id == "druid"]
    assert (listed(f["cost"]), f["starting"]) == ("2 food, wood", False)
    assert [effect(shown) for shown in f["effects"]] == ["culture", "use forest: 2 culture"]
    assert [(card.f["points"], card.f["copies"]) for card in f["prints"]] == [(0, 8)]
    library = load.load_pack("altay", (folder / "new-wonder.yaml",))
    (f,) = [thing.f for thing in library.entities["achievement"] if thing.id == "great_library"]
    assert (f["level"], f["points"], f["each"], f["bonus"]) == (3, 0, 1, 0)
    assert listed(f["slots"]) == "2 wood, stone, 3 culture"
