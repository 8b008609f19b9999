"""Outlines of places: exactly neighbours share an edge, and they are computed alike each time."""

from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.base.resources import data_folder
from altay_cli.cli.main import main
from altay_cli.compile.load import load_pack
from altay_cli.drawing.borders import land
from altay_cli.drawing.outlines import shared_edges
from altay_cli.drawing.room import middle_for, spans

ALTAY = data_folder("rules") / "altay"


def rings() -> dict[str, list[tuple[int, int]]]:
    """Return the outlines as the rules have them."""
    territories = load_pack("altay").entities["territory"]
    flat = {one.id: [*one.f["outline"]] for one in territories}
    return {name: [*zip(row[::2], row[1::2], strict=True)] for name, row in flat.items()}


def test_exactly_the_neighbours_share_an_edge() -> None:
    territories = load_pack("altay").entities["territory"]
    declared = {frozenset((one.id, other.id)) for one in territories for other in one.f["adjacent"]}
    assert len(declared) == 41
    assert shared_edges(rings()) == declared


def test_outlines_are_of_a_modest_size() -> None:
    assert 480 <= sum(map(len, rings().values())) <= 830


def test_the_command_writes_the_same_file_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("shapely", reason="the extra `outline` is not installed")
    copy = tmp_path / "altay"
    shutil.copytree(ALTAY, copy)
    before = (copy / "board.yaml").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["rules", "outline", str(copy), "--write"])
    assert result.exit_code == 0, result.output
    assert (copy / "board.yaml").read_text(encoding="utf-8") == before
    # Without outlines, they are written behind the other fields; comments stay.
    bare = "".join(
        line.removesuffix(",\n") + "}\n" if line.endswith(",\n") and line.startswith("  ") else line
        for line in before.splitlines(keepends=True)
        if not line.lstrip().startswith("outline:")
    )
    (copy / "board.yaml").write_text(bare, encoding="utf-8")
    CliRunner().invoke(main, ["rules", "outline", str(copy), "--write"])
    assert (copy / "board.yaml").read_text(encoding="utf-8") == before


def test_a_game_without_outlines_is_refused() -> None:
    result = CliRunner().invoke(main, ["rules", "outline", "chess"])
    assert result.exit_code == 2
    assert "has no map with outlines" in result.output


SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
BESIDE = [(10.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 10.0)]


def test_a_border_is_drawn_once_and_the_coast_beside_it() -> None:
    lines = land([SQUARE, BESIDE, []])
    assert lines.borders == "M10 0L10 10"
    assert lines.coast.count("M") == 2
    assert "L10 10" in lines.areas[0] or "L10 0" in lines.areas[0]
    assert lines.areas[2] == ""


def test_names_and_pieces_have_room_within_a_place() -> None:
    wide = [(x * 10, y * 10) for x, y in SQUARE]
    assert spans(wide, 50) == [(0, 100)]
    x, y = middle_for(wide, (5.0, 95.0), [(-20, -20, 20, 20)])
    assert 20 <= x <= 80
    assert 18 <= y <= 82


def test_territories_lie_apart() -> None:
    points = {name: {*ring} for name, ring in rings().items()}
    assert all(points[one] != points[other] for one, other in combinations(points, 2))
