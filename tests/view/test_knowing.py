"""What one player knew: nothing of what the others hide comes through, in no form."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from altay_cli.view.known import as_known
from altay_cli.view.model import Address, Cell, CellGroup, Heap, Setting, masked
from altay_cli.view.watching import LogLines, seen_changes, watch_text
from attack.hidden_from import beginning, differing, otherwise
from tests.cli.sample import run
from tests.view.sample import GAMES, LOG

TIE = (GAMES[0].parent / "tie.agn").read_text(encoding="utf-8")


def test_hidden_things_are_counted() -> None:
    hand = Cell((CellGroup(Heap((("card a", 2), ("card b", 1)), 1)),), "Ann")
    assert masked(hand, "Ann") == masked(hand, None) == hand
    assert masked(hand, "Bob") == Cell((CellGroup(Heap((), 4)),), "Ann")
    assert masked(Cell((CellGroup(7),), "Ann"), "Bob") == Cell((CellGroup("?"),), "Ann")
    assert masked(Cell((CellGroup(7),)), "Bob") == Cell((CellGroup(7),))


def test_a_change_of_what_is_hidden_is_seen_by_its_number_only() -> None:
    before = Cell((CellGroup(Heap((("card a", 1),))),), "Ann")
    other = Cell((CellGroup(Heap((("card b", 1),))),), "Ann")
    more = Cell((CellGroup(Heap((("card a", 2),))),), "Ann")
    at = Address("player", "Ann", "", "hand")
    stage = Setting("A game", ("Ann", "Bob"), (), {}, (at,), {})
    assert list(seen_changes(stage, {at: (before, other)}, "Bob")) == []
    assert [one for one, _ in seen_changes(stage, {at: (before, more)}, "Bob")] == [at]


def text_for(text: str, viewer: str) -> str:
    _, (game,) = watch_text(text)
    assert game is not None
    return "\n".join(
        "".join(s.text(viewer) for s in segments if s.kind != "comment")
        for _, segments in LogLines(game).rows()
    )


def test_what_only_its_maker_knows_of_a_statement() -> None:
    told = text_for(LOG, "Bob")
    assert "Ann: hand 4 ?" in told
    assert "Ann: secret ?" in told
    assert "Bob: secret Colossus" in told
    assert "end => 5 ?" in told
    assert "Bob: fight with Warrior => Hunter" in told
    assert "Bob: fight with Warrior => ?" in text_for(LOG, "Ann")


@pytest.mark.parametrize("slip", ["secret Colosus", "secrt Colossus", "secret Colossus Hunter"])
def test_a_statement_that_cannot_be_read_is_hidden_as_a_whole(slip: str) -> None:
    assert "Colos" not in text_for(LOG.replace("secret Colossus", slip), "Ann")


# What Bob alone knows, told differently: nothing that Ann is shown may differ.
HIDDEN = [
    (LOG, [("Bob: secret Colossus", "Bob: secret Amphitheatre")]),
    (LOG, [("Bob: hand Hunter, Warrior", "Bob: hand Loremaster, Warrior")]),
    (LOG, [("with Warrior => Hunter", "with Warrior => Loremaster")]),
    (
        TIE,
        [
            ("Ruth: secret Great Wall", "Ruth: secret AMPHITHEATRE"),
            ("Simon: secret Amphitheatre", "Simon: secret GREAT WALL"),
        ],
    ),
]


@pytest.mark.parametrize("command", ["show", "log", "board", "replay"])
@pytest.mark.parametrize("number", range(len(HIDDEN)))
def test_what_others_hide_makes_no_difference(
    number: int, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, changes = HIDDEN[number]
    other = text
    for old, new in changes:
        assert other.count(old) == 1
        other = other.replace(old, new)
    viewer = "Ann" if text is LOG else "Clara"
    monkeypatch.chdir(tmp_path)
    told = []
    for version in (text, other):
        Path("game.agn").write_text(version, encoding="utf-8")
        to_file = ["-o", "-"] if command in {"board", "replay"} else []
        told.append(run(command, "game.agn", "--as", viewer, *to_file).stdout)
        if command in {"show", "log"}:
            told[-1] += run(command, "game.agn", "--as", viewer, "--format", "json").stdout
    assert told[0] == told[1]
    if command in {"show", "log"}:
        assert run(command, "game.agn").stdout not in told


# Both copies of Chariot, worth 2 and 0, are in Bob's deck, and one of them in his hand: a note says
# which. In the other log he has neither.
POSITION = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Earthfolk
  Bob: deck 3 Hunter, 3 Warrior, 2 Scholar, Chariot(2), Chariot(0)
  Bob: hand Warrior, 2 Hunter, Scholar, Chariot
"""
WITHOUT = POSITION.replace("Scholar, Chariot\n", "Scholar, Scholar\n")


@pytest.mark.parametrize("command", ["show", "log", "board -o -", "replay -o -"])
def test_a_note_about_what_others_hide_is_not_shown(command: str) -> None:
    name, *options = command.split()

    def told(text: str, viewer: str) -> str:
        return run(name, "-", "--as", viewer, *options, text=text).stdout

    assert told(POSITION, "Ann") == told(WITHOUT, "Ann")
    if name == "log":
        assert "[copy-assumed]" in told(POSITION, "Bob")
        assert "[copy-assumed]" not in told(WITHOUT, "Bob")


def test_the_log_as_a_player_knows_it() -> None:
    _, (game,) = watch_text(POSITION + "  Bob: secret Colossus  # he told me\n")
    assert game is not None
    for viewer, hand, secret in (
        ("Ann", "  Bob: hand 5 ?", "  Bob: secret ?"),
        (
            "Bob",
            "  Bob: hand Warrior, 2 Hunter, Scholar, Chariot",
            "  Bob: secret Colossus  # he told me",
        ),
    ):
        *_, shown_hand, shown_secret = as_known(game, viewer).splitlines()
        assert (shown_hand.rstrip(), shown_secret.rstrip()) == (hand, secret)


def test_an_error_is_shown_without_what_it_says() -> None:
    told = run("log", "-", "--as", "Ann", text=POSITION + "turn 1 Bob\n  play Digger\n").stdout
    assert "! 8: error: [in-hand]" in told
    assert "[copy-assumed]" not in told


@pytest.mark.parametrize("name", ["innovation/players-2-0004", "classics/gofish", "tie"])
def test_games_that_differ_in_what_others_hide_are_shown_alike(name: str) -> None:
    """`python -m attack hidden` looks at more of them."""
    random = Random(name)
    path = GAMES[0].parent / f"{name}.agn"
    text = beginning(path.read_text(encoding="utf-8"), 4)
    changed = otherwise(text, random)
    assert changed is not None
    assert differing(text, *changed) == []


def test_what_a_player_did_not_know_stands_nowhere_in_json() -> None:
    document = json.loads(run("show", "-", "--as", "ann", "--format", "json", text=LOG).stdout)
    assert document["as"] == "Ann"
    (hand,) = document["players"]["Bob"]["fields"]["hand"]
    assert hand == {"items": {"things": [], "unknown": 2}}
    assert "colossus" not in json.dumps(document["players"]["Bob"]).casefold()


# ---------------------------------------------------------------- pages made for a player

HIDES = {"hand", "archive", "secret", "deck"}


def unpacked(page: str) -> dict[str, Any]:
    """Return the data of the one game of a page."""
    (packed,) = re.findall(r'id="game-0">([^<]*)<', page)
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)))
    return data


def page_as(viewer: str, text: str) -> tuple[str, dict[str, Any]]:
    """Return all that a page made for a player holds as one text, and its data."""
    page = run("replay", "-", "-o", "-", "--as", viewer, text=text).stdout
    data = unpacked(page)
    return page + json.dumps(data, ensure_ascii=False), data


@pytest.mark.parametrize(("name", "viewer"), [("four-players", "Vera"), ("tie", "Clara")])
def test_a_page_for_a_player_counts_what_others_hide(name: str, viewer: str) -> None:
    text = (GAMES[0].parent / f"{name}.agn").read_text(encoding="utf-8")
    _, data = page_as(viewer, text)
    seat = data["viewer"]
    fields, addresses, values = data["fields"], data["addresses"], data["values"]
    shown = [tuple(pair) for pair in data["opening"]["cells"]]
    for step in data["steps"]:
        cells = step.get("cells", [])
        shown += zip(cells[::4], cells[1::4], strict=True)
    counted = 0
    for address, value in shown:
        field, owner, _ = addresses[address]
        if fields[field]["part"] == "player" and fields[field]["id"] in HIDES and owner != seat:
            for _, items, _ in values[value]["groups"] if value >= 0 else ():
                assert items[0] == []  # no thing is named
                counted += 1
    assert counted > 100
    assert not any("hidden" in value for value in values)
    # Of the others' statements, the log has `?` for what only they saw.
    _, (watched,) = watch_text(text)
    assert watched is not None
    lines = {line: json.dumps(segments) for line, *segments in data["log"]}
    veiled = {place: one for place, one in watched.veiled.items() if viewer not in one[0]}
    assert len(veiled) > 30
    for line, _ in veiled:
        assert "?" in lines[line]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_nobody_has_shown_yet_stands_nowhere_in_a_page(path: Path) -> None:
    """At the beginning, nobody but its owner knows a secret wonder."""
    text = path.read_text(encoding="utf-8")
    text = text[: [one.start() for one in re.finditer("^turn ", text, re.MULTILINE)][1]]
    secrets = re.findall(r"^ *(\w+): secret (.+?) *(?:#.*)?$", text, re.MULTILINE)
    viewer, own = secrets[-1]
    whole, _ = page_as(viewer, text)
    whole = whole.casefold()
    assert own.casefold() in whole
    for player, secret in secrets[:-1]:
        assert player.casefold() in whole
        for name in (secret, secret.replace(" ", "_")):
            assert not re.search(rf"\b{re.escape(name.casefold())}\b", whole), name
