"""House rules, each checked alone: the senseless must be found, the sensible left alone.

    python -m attack.house_rules [--play N] [--of SET] [--game GAME] [NAME ...]

runs `altay rules check` on rows of tests/rules_check, and counts what reading and what playing (by
default, as the command does it without --play) finds. Nothing is tuned on the rows in
designers/*-kept.yaml; designers/*-reach.yaml were written for detectors; those of
designers/*-fresh.yaml, and later those of designers/*-again.yaml,
were once met by detectors that had not seen them. NAME takes some rows. A row takes a few seconds.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

from click.testing import CliRunner

from altay_cli.cli.main import main as altay
from altay_cli.source.yaml_reader import read_yaml

FOLDER = Path(__file__).parents[1] / "tests" / "rules_check"
AT_ONCE = 12
"""How many rows a command checks: it reads their game once."""
SETS = {
    "tuned": "",
    "fresh": "-fresh",
    "kept": "-kept",
    "again": "-again",
    "last": "-last",
    "third": "-third",
    "reach": "-reach",
}
"""By name of a set of rows: how its files end."""


class HouseRule(NamedTuple):
    """A row: what to change in a game or in a variant of it, and whether that makes sense."""

    name: str
    game: str
    extends: str
    changes: Sequence[object]
    sensible: bool


class Found(NamedTuple):
    """Problems of a row, as `rule: line: message`."""

    reading: list[str]
    playing: list[str]

    def __bool__(self) -> bool:
        return bool(self.reading or self.playing)


def house_rules(of: str = "tuned") -> Iterator[HouseRule]:
    """Yield the rows of some files."""
    for sensible in (False, True):
        name = "sensible" if sensible else "senseless"
        if of in SETS:
            games = _rows(FOLDER / "designers" / f"{name}{SETS[of]}.yaml")
        else:
            games = {"altay": _rows(FOLDER / f"{name}.yaml")}
        for game, rows in games.items():
            for row, changes in rows.items():
                yield _house_rule(row, game, changes, sensible)


def _rows(path: Path) -> dict[str, Any]:
    document, problems = read_yaml(path.read_text(encoding="utf-8"), path.name)
    assert document is not None, problems
    return dict(document.data)


def _house_rule(name: str, game: str, row: object, sensible: bool) -> HouseRule:
    if isinstance(row, dict):
        return HouseRule(name, game, row.get("extends", game), row["change"], sensible)
    assert isinstance(row, list), name
    return HouseRule(name, game, game, row, sensible)


def write(rule: HouseRule, folder: Path) -> Path:
    """Write a variant file, with a line for each change."""
    path = folder / f"{rule.name}.yaml"
    lines = [f"  - {json.dumps(change, ensure_ascii=False)}" for change in rule.changes]
    head = [f"variant: {rule.name}", f"extends: {rule.extends}", "title: A house rule", "change:"]
    path.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    return path


def check(rules: Sequence[HouseRule], folder: Path, games: int | None = None) -> list[Found]:
    """Return what `altay rules check` reports about each row, of one game."""
    paths = [str(write(rule, folder)) for rule in rules]
    options = ["--apart", "--format", "json", "-j", "1"]
    options += [] if games is None else ["--play", str(games)]
    result = CliRunner().invoke(altay, ["rules", "check", *paths, *options])
    assert result.stdout.startswith("{"), f"{paths}: {result.output}{result.exception!r}"
    return [_found(file["problems"]) for file in json.loads(result.stdout)["files"]]


def _found(problems: Sequence[dict[str, object]]) -> Found:
    found = Found([], [])
    for problem in problems:
        text = f"{problem['rule']}: {problem['file']}:{problem['line']}: {problem['message']}"
        (found.playing if problem["by"] == "playing" else found.reading).append(text)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Check rows; return how many are judged wrong."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--play", type=int)
    parser.add_argument("--of", choices=(*SETS, "tests"), default="tuned")
    parser.add_argument("--game", action="append")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args(arguments)
    rules = [rule for rule in house_rules(asked.of) if not asked.names or rule.name in asked.names]
    rules = [rule for rule in rules if not asked.game or rule.game in asked.game]
    seen: list[tuple[HouseRule, Found]] = []
    start = process_time()
    with TemporaryDirectory() as name:
        for _, rows in groupby(rules, key=lambda rule: (rule.sensible, rule.game)):
            of_game = [*rows]
            for first in range(0, len(of_game), AT_ONCE):
                some = of_game[first : first + AT_ONCE]
                for rule, found in zip(some, check(some, Path(name), asked.play), strict=True):
                    seen.append((rule, found))
                    _print_row(rule, found)
                _show_progress(len(seen), len(rules))
    _print(f"{(process_time() - start) / max(len(seen), 1):.1f} seconds of processor time a row")
    for sensible, what in ((False, "senseless, found"), (True, "sensible, left alone")):
        judged = [found for rule, found in seen if rule.sensible is sensible]
        right = sum(bool(found) is not sensible for found in judged)
        read = sum(bool(found.reading) for found in judged)
        _print(f"{what}: {right} of {len(judged)}; reading alone reports {read}")
    return sum(bool(found) is rule.sensible for rule, found in seen)


def _print_row(rule: HouseRule, found: Found) -> None:
    wrong = bool(found) is rule.sensible
    mark = ("accused" if found else "missed") if wrong else ""
    _print(f"{mark:8}{rule.extends} {rule.name}")
    for text in (*found.reading, *found.playing):
        _print(f"            {text}")


def _show_progress(done: int, rows: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done} of {rows} rows\r")
        sys.stderr.flush()


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(min(main(), 1))
