"""The page and the replay within it have the same colours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web" / "src" / "styles" / "page.css"
REPLAY = ROOT / "altay_cli" / "replay" / "assets" / "style.css"
BLOCK = re.compile(r"^ *(:root[^{]*?) *\{([^}]*)\}", re.MULTILINE)
COLOUR = re.compile(r"(--[\w-]+): ([^;]+);")


def colours(path: Path) -> dict[str, dict[str, str]]:
    """Return the variables of the first block of each selector."""
    found: dict[str, dict[str, str]] = {}
    for selector, block in BLOCK.findall(path.read_text("utf-8")):
        found.setdefault(selector, dict(COLOUR.findall(block)))
    return found


@pytest.mark.parametrize(
    "theme", [":root", ':root:not([data-theme="light"])', ':root[data-theme="dark"]']
)
def test_colours_are_those_of_the_replay(theme: str) -> None:
    page, replay = colours(PAGE)[theme], colours(REPLAY)[theme]
    shared = page.keys() & replay.keys()
    assert len(shared) >= 13
    assert {name: page[name] for name in shared} == {name: replay[name] for name in shared}
