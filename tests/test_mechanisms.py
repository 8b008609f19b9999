"""docs/mechanisms.md: its games and variants are sound, and what it shows of them is in their files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from altay_cli.base.resources import restore_pack_search, search_packs
from altay_cli.lint.examine import Examiner
from altay_cli.simulation.simulated import PlayPlan, playout
from tests.logs import verify
from tests.test_docs import ROOT

FOLDER = ROOT / "docs" / "recipes"
PAGE = ROOT / "docs" / "mechanisms.md"
GAMES = ("auction", "cup", "dice", "voyage")
VARIANTS = sorted(FOLDER.glob("*/variants/*.yaml"))
LOGS = [*(FOLDER / f"{name}.agn" for name in GAMES)]
LOGS += [FOLDER / f"{path.stem}.agn" for path in VARIANTS]
SHOWN = re.compile(r"^```yaml\n# (?P<file>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_findings_are_those_announced(path: Path) -> None:
    with restore_pack_search():
        search_packs(FOLDER)
        verify(path)


@pytest.mark.parametrize("name", GAMES)
def test_there_is_no_problem(name: str) -> None:
    examiner = Examiner(FOLDER / name)
    assert [str(problem) for problem in examiner.examine([])] == []
    variants = [path for path in VARIANTS if path.parts[-3] == name]
    for variant in variants:
        assert [str(problem) for problem in examiner.examine([variant])] == [], variant


@pytest.mark.parametrize("path", [None, *VARIANTS], ids=lambda path: path.stem if path else "")
def test_games_of_several_players_end(path: Path | None) -> None:
    names = GAMES if path is None else (path.parts[-3],)
    tags = () if path is None else (("Variant", path.stem),)
    with restore_pack_search():
        search_packs(FOLDER)
        for name in names:
            players = 1 if path is not None and path.stem == "alone" else 3
            plan = PlayPlan(name, players, ("greedy", "random"), seed=1, tags=tags)
            assert all(playout(plan, number).ended for number in range(4))


def test_the_page_shows_what_the_files_have() -> None:
    page = PAGE.read_text("utf-8")
    shown = list(SHOWN.finditer(page))
    assert len(shown) == page.count("```yaml")
    for block in shown:
        assert block["text"] in (FOLDER / block["file"]).read_text("utf-8"), block["file"]
    assert {Path(block["file"]).stem for block in shown} >= {path.stem for path in VARIANTS}
