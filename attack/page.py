"""`python -m attack page`: the page answers what the command line prints.

Node runs the Python of a built page; each log is checked there, and by `altay score --explain`.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
from click.testing import CliRunner

from altay_cli.cli.main import main
from attack.stored import HOME, recorded, text_of

WEB = HOME / "web"
CHANGED = 100
ADDED = ("sheet", "related", "cited")
"""What the page adds to a report for people."""


def names(sample: int | None) -> list[str]:
    """Return the recorded and simulated games, and changed ones; or a few of all."""
    games = [path for path in recorded() if "games" in path.relative_to(HOME).parts[:1]]
    found = [path.relative_to(HOME).as_posix() for path in games]
    found += [f"changed {seed}" for seed in range(CHANGED)]
    return found if sample is None else Random(sample).sample(found, sample)


def by_command_line(name: str, text: str) -> Any:
    """Return the games of the report that the command line prints."""
    arguments = ["score", "--explain", "--format", "json", "-j", "1"]
    is_made = " " in name
    result = CliRunner().invoke(
        main, [*arguments, "-" if is_made else name], input=text if is_made else None
    )
    return [game for file in json.loads(result.output)["files"] for game in file["games"]]


def by_page(texts: Sequence[str], built: Path) -> Iterator[Any]:
    """Yield the games of the reports of the page."""
    command = ["node", str(WEB / "scripts" / "answers.mjs"), str(built)]
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        for text in texts:
            call = {"language": "en", "request": {"kind": "check", "text": text}}
            node.stdin.write(json.dumps(call) + "\n")
            node.stdin.flush()
            answer = json.loads(node.stdout.readline())
            yield plain(answer["files"][0]["games"]) if "files" in answer else answer
        node.stdin.close()


def plain(games: Any) -> Any:
    """Return games without what the page adds."""
    for part in (*games, *(finding for game in games for finding in game["findings"])):
        for key in ADDED:
            part.pop(key, None)
    return games


@click.command("page")
@click.option("--built", default=WEB / "dist" / "python", type=Path, help="Files of a built page.")
@click.option("--sample", type=int, help="Only so many logs.")
def command(built: Path, sample: int | None) -> None:
    """Compare the reports of a built page with those of the command line."""
    os.chdir(HOME)
    logs = names(sample)
    texts = [text_of(name) for name in logs]
    different: list[str] = []
    with click.progressbar(zip(logs, texts, by_page(texts, built), strict=True), len(logs)) as bar:
        for name, text, there in bar:
            if there != by_command_line(name, text):
                different.append(name)
    click.echo(f"{len(logs)} logs, {len(different)} with another report on the page")
    for name in different:
        click.echo(f"  {name}")
    raise SystemExit(bool(different))
