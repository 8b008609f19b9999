"""What variants can do to the view of a pack. Mistakes are tested in tests/rules_check/broken/view."""

from __future__ import annotations

from pathlib import Path

from altay_cli.base.resources import data_folder
from altay_cli.checking.opening import open_game
from altay_cli.compile.building import read_tree
from altay_cli.compile.load import load_pack
from altay_cli.pack.model import Pack
from altay_cli.source.inspect import find
from altay_cli.view.model import Address
from altay_cli.view.scene import Viewer
from tests.cli.sample import run
from tests.small import LOG, Pebbles

RULES = data_folder("rules") / "altay"


def write(folder: Path, *changes: str) -> Path:
    path = folder / "mine.yaml"
    lines = "".join(f"  - {change}\n" for change in changes)
    text = f"variant: mine\nextends: altay\ntitle: Mine\nchange:\n{lines}"
    path.write_text(text, encoding="utf-8")
    return path


def pack(folder: Path, *changes: str) -> Pack:
    return load_pack("altay", [write(folder, *changes)])


def test_a_variant_changes_what_is_shown(tmp_path: Path) -> None:
    write(
        tmp_path,
        "{set: view.player.hand.title, to: Cards in hand}",
        "{remove: view.table.market}",
        '{set: view.things.terrain.looks.forest.colour, to: "#123456"}',
    )
    log = '[Game "altay"]\n[Variant "mine.yaml"]\nposition\n  Ann: faction Firefolk\n  Bob: faction Elvenfolk\n'
    viewer = Viewer(open_game(log, folder=tmp_path).state)
    cells = viewer.scene().cells
    assert viewer.stage.fields["player", "", "hand"].title == "Cards in hand"
    assert ("table", "", "market") not in viewer.stage.fields
    assert Address("table", "", "", "market") not in cells
    assert viewer.things()["territory W2"].look.colour == "#123456"


def test_what_is_removed_is_removed_from_the_view(tmp_path: Path) -> None:
    changed = pack(tmp_path, "{remove: moves.use-trash}", "{remove: entities.faction.smallfolk}")
    assert "use-trash" not in changed.view.moves
    assert "smallfolk" not in changed.view.kinds["faction"].looks
    assert "firefolk" in changed.view.kinds["faction"].looks


def test_the_view_is_a_part_of_the_rules_like_others() -> None:
    _, field = find(read_tree(RULES, []), "view.player.hand")
    assert field["seen"] == "owner"
    shipped = load_pack("altay").view
    assert [field.id for field in shipped.player if field.seen == "owner"] == [
        "hand", "archive", "secret", "deck",
    ]  # fmt: skip


def test_every_draw_is_hidden_from_the_others() -> None:
    """What goes to a hand or an archive is known to its owner; what is revealed is not hidden."""
    altay = load_pack("altay")
    for move in altay.moves:
        for slot in move.slots.values():
            if slot.shape == "drawn" and slot.kind == "card":
                assert slot.name in altay.view.moves[move.id].hides, move.id
            if slot.shape == "drawn" and slot.kind == "achievement":
                assert move.id not in altay.view.moves or not altay.view.moves[move.id].hides


def test_draws_and_secrets_are_hidden_where_the_view_says_nothing_of_them(tmp_path: Path) -> None:
    bare = pack(tmp_path, "{remove: view}")
    hidden = {ident: telling.hides for ident, telling in bare.view.moves.items()}
    assert (hidden["end"], hidden["develop"]) == (("drawn",), ("revealed",))
    assert hidden["secret"] == ("wonder",)
    assert "buy" not in hidden
    assert load_pack("altay").view.moves.get("develop") is None


# ---------------------------------------------------------------- without a view.yaml


def with_kings(pebbles: Pebbles, grid: str) -> Path:
    """Give the game squares on which kings stand, and a log in which one is crowned."""
    pebbles.change(
        "game.yaml", "zones:\n", f"  square: {{plural: squares, title: square{grid}}}\nzones:\n"
    )
    pebbles.change(
        "game.yaml", "zones:\n", "zones:\n  man: {per: [square], holds: player?, title: man}\n"
    )
    pebbles.change(
        "game.yaml", "zones:\n", "zones:\n  king: {per: [square], holds: bool, title: king}\n"
    )
    effects = (
        'does:\n      - set: {"squares.a1.man": me}\n      - set: {"squares.a1.king": "true"}\n'
    )
    pebbles.change(
        "moves/turns.yaml",
        "does:\n      - move: {what: stone, from",
        f"{effects}      - move: {{what: stone, from",
    )
    path = pebbles.folder.parent / "log.agn"
    path.write_text(LOG, encoding="utf-8")
    return path


def test_marks_are_shown(pebbles: Pebbles) -> None:
    shown = run("show", with_kings(pebbles, ", grid: {columns: a-b, rows: 1-2}")).stdout
    assert "  a2  ·    ·\n  a1  KAn  ·\n      a1   b1\n" in shown


def test_a_few_places_without_a_grid_are_drawn_in_a_row(pebbles: Pebbles) -> None:
    log = with_kings(pebbles, "")
    pebbles.add("board.yaml", "square: {a1: {}, b1: {}, c1: {}}\n")
    pebbles.change("names/en.yaml", "grey: Grey}", "grey: Grey}, square: {a1: a1, b1: b1, c1: c1}")
    assert "  a1  KAn  ·   ·\n      a1   b1  c1\n" in run("show", log).stdout
    assert ">K<" in run("board", log, "-o", "-").stdout
