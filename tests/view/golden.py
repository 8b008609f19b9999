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
CLASSICS = sorted((GAMES[0].parent / "classics").glob("*.agn"))


def points(path: Path) -> list[str]:
    """Return three points: the first turn, one in the middle, the last.

    Of games in which turns begin by themselves, a line stands for a turn.
    """
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^turn \d+ \w+$", text, re.MULTILINE)
    if len(found) < 3:
        begin = text[: text.index("\nturn ")].count("\n") + 2
        found += [str(begin + n) for n in range(1, text[text.index("\nturn ") :].count("\n  "))]
    return [found[0], found[len(found) // 2], found[-1]]


def told(path: Path) -> Iterator[str]:
    """Yield all that is said of a game."""
    path = Path(os.path.relpath(path))  # lines break where they do in any folder
    root = f"{path.parent}/"
    log = run("log", path).stdout
    for turn in points(path):
        yield f"#### show --at '{turn}'\n"
        yield run("show", path, "--at", turn).stdout.replace(root, "games/")
        svg = run("board", path, "--at", turn, "-o", "-").stdout
        if not svg:
            continue  # there is no map
        yield f"#### board --at '{turn}'\n"
        yield f"{svg.count('<title')} titles, {svg.count('<text')} texts, {svg.count('<use')} uses\n"
        (described,) = re.findall(r"<desc[^>]*>(.*?)</desc>", svg)
        yield unescape(described).replace("; ", "\n") + "\n"
        if f"\n{turn}\n" in log:
            yield f"#### log, {turn}\n"
            yield log[log.index(f"\n{turn}\n") + 1 :].partition("\n\n")[0].rstrip("\n") + "\n"
    if path.parent.name == CLASSICS[0].parent.name:
        yield f"#### log\n{log}"


def golden(path: Path) -> Path:
    return FOLDER / f"{path.stem}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game in (*GAMES, *CLASSICS):
        golden(game).write_text("".join(told(game)), encoding="utf-8")
