"""What `show`, `log` and `board` say of three points of each game, as it was when looked at last.

That the states are right is tested elsewhere, by hand and against the engine; this shows what a
change of the words or the drawing does. `python -m tests.view.golden` writes the files anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from tests.cli.sample import run
from tests.view.sample import GAMES

FOLDER = Path(__file__).parent / "golden"


def turns(path: Path) -> list[str]:
    """Return the headings of three turns: the first, one in the middle, the last."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^turn \d+ \w+$", text, re.MULTILINE)
    return [found[0], found[len(found) // 2], found[-1]]


def told(path: Path) -> Iterator[str]:
    """Yield all that is said of a game."""
    path = Path(os.path.relpath(path))  # lines break where they do in any folder
    root = f"{path.parent}/"
    log = run("log", path).stdout
    for turn in turns(path):
        yield f"#### show --at '{turn}'\n"
        yield run("show", path, "--at", turn).stdout.replace(root, "games/")
        yield f"#### board --at '{turn}'\n"
        svg = run("board", path, "--at", turn, "-o", "-").stdout
        yield f"{svg.count('<polygon')} polygons, {svg.count('<circle')} circles\n"
        (described,) = re.findall(r"<desc[^>]*>(.*?)</desc>", svg)
        yield unescape(described).replace("; ", "\n") + "\n"
        yield f"#### log, {turn}\n"
        yield log[log.index(f"\n{turn}\n") + 1 :].partition("\n\n")[0].rstrip("\n") + "\n"


def golden(path: Path) -> Path:
    return FOLDER / f"{path.stem}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        golden(game).write_text("".join(told(game)), encoding="utf-8")
