"""Logs for the commands to work on, and how the commands are called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from altay_cli.cli.main import main

LEGAL = """\
[Game "altay"]
[Event "Tuesday table"]
[Date "2026.11.17"]

position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, Warrior, Village, Shaman
  Ann: settlements 2 F2
  Ann: completed Writing, Commerce, Ark
  Ann: secret Ark
  Bob: settlements F6

turn 3 Ann
  play 2 Hunter
  buy Farmer

result
  Ann: score 6
"""
ILLEGAL = LEGAL.replace("play 2 Hunter", "play 3 Hunter  # one too many").replace(
    "score 6", "score 7"
)
OVER = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: settlements F2
  Bob: settlements F6
"""


def run(*arguments: str | Path, text: str | bytes = "") -> Result:
    """Call a command; a traceback is no answer."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def document(*arguments: str | Path, text: str = "") -> dict[str, Any]:
    """Return what a command says as JSON."""
    loaded: dict[str, Any] = json.loads(run(*arguments, "--format", "json", text=text).stdout)
    return loaded


def put(folder: Path, **texts: str) -> list[Path]:
    """Write logs into a folder."""
    paths = []
    for name, text in texts.items():
        path = folder / f"{name}.agn"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths
