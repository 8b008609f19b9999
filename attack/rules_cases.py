"""The project's tests as cases that can be run one by one, in this process."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from types import FunctionType
from typing import Any

from altay_cli.checking.check import check_text
from attack.rules_packs import Variants
from tests.logs import expected

ROOT = Path(__file__).resolve().parent.parent

LOGS = (
    "tests/rules/*/*.agn", "tests/variants/*/*.agn", "tests/games/examples/*.agn",
    "tests/games/ten-mistakes.agn", "tests/languages/*.agn", "games/[!m]*.agn",
)  # fmt: skip

TESTS = {
    "tests.components.test_components": "test_",
    "tests.rules.test_state": "test_",
    "tests.scoring.test_categories": "test_",
    "tests.scoring.test_claims": "test_",
    "tests.scoring.test_lines": "test_",
    "tests.scoring.test_outcomes": "test_",
    "tests.scoring.test_ranking": "test_",
    # The results in the logs cover the other tests of these.
    "tests.games.test_games": "test_game_is_complete",
    "tests.variants.test_shipped": "test_coins|test_german_edition_caps",
}
"""Modules with tests of the rules, and how their names begin."""


@dataclass(slots=True, eq=False)
class Case:
    """A test; ``run`` raises if it fails.

    text: what may mention a part of the rules.
    packs: the sets of variants that it loads.
    kills: how many changes it found.
    """

    ident: str
    text: str
    run: Callable[[], None]
    packs: set[Variants] = field(default_factory=set)
    kills: int = 0


def _log(path: Path) -> Case:
    ident = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    announced = expected(text)
    columns = {(line, rule) for line, rule, column in announced if column is not None}
    wanted = sorted(announced, key=str)

    def run() -> None:
        report = check_text(text, path.name, path.parent)
        found = [
            (f.span.line, f.rule, f.span.column if (f.span.line, f.rule) in columns else None)
            for game in report.games
            for f in game.findings
        ]
        assert sorted(found, key=str) == wanted

    return Case(ident, f"{ident}\n{text}".lower(), run)


def _arguments(function: FunctionType) -> Iterator[dict[str, Any]]:
    marks = [m for m in getattr(function, "pytestmark", []) if m.name == "parametrize"]
    tables: list[list[dict[str, Any]]] = []
    for mark in marks:
        names, values = mark.args[:2]
        if isinstance(names, str):
            names = [name.strip() for name in names.split(",")]
        tables.append(
            [
                dict(zip(names, value if len(names) > 1 else (value,), strict=True))
                for value in values
            ]
        )
    for chosen in product(*tables):
        merged = {name: value for part in chosen for name, value in part.items()}
        if set(merged) == set(inspect.signature(function).parameters):
            yield merged


def _tests(name: str, beginnings: tuple[str, ...]) -> Iterator[Case]:
    module = importlib.import_module(name)
    for title, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ != name or not title.startswith(beginnings):
            continue
        for number, arguments in enumerate(_arguments(function)):
            ident = f"{name.replace('.', '/')}.py::{title}[{number}]"
            text = f"{ident} {arguments}".lower()

            def run(function: Any = function, arguments: Any = arguments) -> None:
                function(**arguments)

            yield Case(ident, text, run)


def cases() -> list[Case]:
    found = [_log(path) for pattern in LOGS for path in sorted(ROOT.glob(pattern))]
    for name, beginnings in TESTS.items():
        found += _tests(name, tuple(beginnings.split("|")))
    return found
