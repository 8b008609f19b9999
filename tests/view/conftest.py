"""A pack that is no game, beside those that ship: whatever a pack is, it can be shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import altay_cli.checking.tags
from altay_cli.base.resources import data_folder
from tests.small import rules_folder
from tests.view.browsing import Browser

PACKS = Path(__file__).parent / "packs"


@pytest.fixture
def stones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let logs name the pack `stones`; gives a log of it."""
    packs = (data_folder("rules") / "altay", PACKS / "stones")
    rules = rules_folder(tmp_path, monkeypatch)
    for pack in packs:
        (rules / pack.name).symlink_to(pack)
    altay_cli.checking.tags.forget_rules()
    yield PACKS.parent / "stones.agn"
    altay_cli.checking.tags.forget_rules()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; tests that use it are skipped where there is none."""
    found = Browser()
    yield found
    found.close()
