"""Small games of ``tests/packs``, laid beside the games that ship."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from altay_cli import checking, resources

HERE = Path(__file__).parent
SHIPPED = HERE.parent

Edits = Mapping[str, str | None]
"""By the path of a file in the game: its new text; None where it is taken away."""


def lay(folder: Path, monkeypatch: pytest.MonkeyPatch, **games: Edits) -> Path:
    """Let the program find games as if they shipped with it; returns the folder with all rules.

    ``games`` are ids of games in ``tests/packs``, each with what is changed in it.
    """
    rules = folder / "rules"
    rules.mkdir()
    for shipped in (SHIPPED / "rules").iterdir():
        (rules / shipped.name).symlink_to(shipped)
    for name in ("schemas", "grammar"):
        (folder / name).symlink_to(SHIPPED / name)
    for game, edits in games.items():
        shutil.copytree(HERE / "packs" / game, rules / game)
        for name, text in edits.items():
            path = rules / game / name
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(resources, "_PACKAGE", folder / "altay_cli")
    checking._pack.cache_clear()
    return rules


def text_of(game: str, name: str) -> str:
    """Return a file of a game in ``tests/packs``."""
    return (HERE / "packs" / game / name).read_text(encoding="utf-8")


def lay_for_processes(folder: Path) -> dict[str, str]:
    """Copy the program beside games that have been laid, for processes of their own.

    Returns their environment.
    """
    shutil.copytree(
        SHIPPED / "altay_cli", folder / "altay_cli", ignore=shutil.ignore_patterns("__pycache__")
    )
    return {**os.environ, "PYTHONPATH": str(folder)}
