"""A pack that is no game, beside those that ship: whatever a pack is, it can be shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import altay_cli.checking
import altay_cli.pack.load
from altay_cli.resources import data_folder
from tests.view.browsing import Browser

PACKS = Path(__file__).parent / "packs"


@pytest.fixture
def stones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let logs name the pack `stones`; gives a log of it."""
    rules = tmp_path / "rules"
    rules.mkdir()
    for pack in (data_folder("rules") / "altay", PACKS / "stones"):
        (rules / pack.name).symlink_to(pack)

    def folder(name: str) -> Path:
        return rules if name == "rules" else data_folder(name)

    for module in (altay_cli.checking, altay_cli.pack.load):
        monkeypatch.setattr(module, "data_folder", folder)
    altay_cli.checking._pack.cache_clear()
    yield PACKS.parent / "stones.agn"
    altay_cli.checking._pack.cache_clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; tests that use it are skipped where there is none."""
    found = Browser()
    yield found
    found.close()
