"""The ends of all games in games/, as counted by hand in the notes beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.sample import run
from tests.view.sample import GAMES


def notes(path: Path) -> dict[str, str]:
    """Return what the note beside a game says of each player."""
    text = path.with_suffix(".md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\w+) \(\w+\)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def counted(text: str) -> dict[str, int]:
    """Read `2 Hunter, Town(1)`."""
    found = {}
    for part in filter(None, text.split(", ")):
        number, _, name = part.partition(" ") if part[0].isdigit() else ("1", "", part)
        found[name] = int(number)
    return found


def shown(groups: list[dict[str, Any]]) -> dict[str, int]:
    """Return what all groups of a field hold together, by name."""
    found: dict[str, int] = {}
    for group in groups:
        for thing in group["items"]["things"]:
            found[thing["name"]] = found.get(thing["name"], 0) + thing["count"]
    return found


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_end_of_a_game_is_as_counted_by_hand(path: Path) -> None:
    document = json.loads(run("show", path, "--format", "json").stdout)
    told = notes(path)
    assert set(document["players"]) == set(told)
    for name, note in told.items():
        fields = document["players"][name]["fields"]
        held = re.search(r"held \(settlements\): (.*?);", note)
        settlements = {
            place: group["items"]
            for place, entry in document["maps"]["board"]["places"].items()
            for group in entry["fields"].get("settlers", ())
            if group["of"]["things"][0]["id"] == name
        }
        expected = dict(re.findall(r"(\w+) \((\d+)\)", held[1])) if held else {}
        assert settlements == {place: int(count) for place, count in expected.items()}

        captured = {group["of"]["things"][0]["id"]: group["items"] for group in fields["captured"]}
        claimed = re.search(r"\*\*Captured settlements: \d+\.\*\* (.*?)\.$", note, re.MULTILINE)
        assert claimed is not None
        assert captured == {who: int(n) for n, who in re.findall(r"(\d+) of (\w+)", claimed[1])}

        never = re.search(r"(\d+) never placed", note)
        assert never is not None
        assert fields["supply"] == [{"items": int(never[1])}]

        # All cards that a player owns, wherever they lie; on the table they stand before a group.
        owned = shown([g for key in ("hand", "deck", "discard") for g in fields[key]])
        for group in fields.get("archive", ()):
            for card, count in shown([group]).items():
                owned[card] = owned.get(card, 0) + count
        for group in fields["table"]:
            card = group["of"]["things"][0]["name"]
            owned[card] = owned.get(card, 0) + 1
        deck = re.search(r"The deck, (\d+) cards: (.*?)\.(?: Trashed.*)?$", note, re.MULTILINE)
        assert deck is not None
        assert owned == counted(deck[2])
        assert sum(owned.values()) == int(deck[1])
