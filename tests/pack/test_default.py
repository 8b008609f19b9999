"""Which game commands are about where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.cli.output import Refused
from altay_cli.cli.rulesets import named_or_default
from altay_cli.compile import load


@pytest.mark.parametrize(
    ("marked", "meant"), [((), None), (("b",), "b"), (("a", "b"), None)], ids=["none", "one", "two"]
)
def test_the_one_game_that_says_so_is_meant(
    marked: tuple[str, ...], meant: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        folder = tmp_path / "rules" / name
        folder.mkdir(parents=True)
        default = "default: true\n" if name in marked else ""
        (folder / "game.yaml").write_text(f"game: {name}\n{default}", encoding="utf-8")
    folders = {folder.name: folder for folder in sorted((tmp_path / "rules").iterdir())}
    monkeypatch.setattr(load, "pack_folders", lambda: folders)
    assert load.default_pack() == meant
    assert named_or_default("c") == "c"
    if meant is None:
        with pytest.raises(Refused, match=r"with --rules; there is a, b, c"):
            named_or_default(None)
    else:
        assert named_or_default(None) == meant
