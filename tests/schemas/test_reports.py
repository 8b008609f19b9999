"""The JSON that the program prints is that of ``schemas/reports``: nothing is missing, nothing more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from altay_cli.base.resources import data_folder
from tests.cli.sample import ILLEGAL, run
from tests.scoring.positions import TRASHED

SCHEMAS = data_folder("schemas") / "reports"
GAMES = Path(__file__).parents[2] / "games"
PADS = Path(__file__).parents[1] / "scoring" / "pads"


def validator(form: str) -> Draft202012Validator:
    """Return what checks documents of a form."""
    schemas = {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in SCHEMAS.glob("*.schema.json")
    }
    registry = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in schemas.items()
    )
    return Draft202012Validator(schemas[f"{form}.schema.json"], registry=registry)


def bare(name: str) -> str:
    """Return a recorded game of which nobody wrote down what was drawn."""
    lines = (GAMES / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.partition(" =>")[0] for line in lines)


LOGS = {
    "a game": (GAMES / "two-players.agn").read_text(encoding="utf-8"),
    "without draws": bare("tie.agn"),
    "with mistakes": ILLEGAL,
    "of chess": (GAMES / "classics/chess.agn").read_text(encoding="utf-8"),
    "with scores that are open": TRASHED,
    "no log": "[Game",
}


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize(
    "command",
    ["check", "score --explain", "check --under six-card-hand", "check --statistics", "moves",
     "show", "log", "check --format jsonl"],
)  # fmt: skip
def test_a_report_is_as_its_schema_says(tmp_path: Path, command: str, log: str) -> None:
    (tmp_path / "log.agn").write_text(LOGS[log], encoding="utf-8")
    name, *options = command.split()
    form = {
        "score --explain": "check",
        "check --under six-card-hand": "compare",
        "check --statistics": "statistics",
        "check --format jsonl": "jsonl",
    }.get(command, name)
    if form != "jsonl":
        options += ["--format", "json"]
    told = run(name, tmp_path / "log.agn", *options).stdout
    documents = told.splitlines() if form == "jsonl" else [told] * bool(told)
    assert documents or log == "no log"
    for document in documents:
        validator(form).validate(json.loads(document))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for form in ("json", "jsonl"):
        told = run("check", tmp_path / "none.agn", "--format", form).stdout
        validator("check" if form == "json" else form).validate(json.loads(told))


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        ("simulate --game altay --games 3 --seed 1", "simulate"),
        ("simulate --game altay --games 3 --seed 1 --compare druid", "simulate"),
        (f"stats {GAMES}/two-players.agn {GAMES}/missing.agn", "stats"),
        (f"stats {PADS}/legal.agn {PADS}/wrong-sum.agn --compare {PADS}/score-open.agn", "stats"),
        ("rules check nim", "rules-check"),
        ("rules check druid --play 2", "rules-check"),
        ("rules check none.yaml", "rules-check"),
        *((f"explain {GAMES}/mistakes.agn:{line}", "explain") for line in (1, 3, 5, 20, 25, 33)),
        (f"explain {PADS}/impossible.agn:4", "explain"),
        (f"check {PADS}/tie-open.agn", "check"),
        (f"score --explain {PADS}/tie-open.agn", "check"),
    ],
)
def test_other_reports(arguments: str, form: str) -> None:
    told = run(*arguments.split(), "--format", "json").stdout
    validator(form).validate(json.loads(told))


@pytest.mark.parametrize("path", sorted(SCHEMAS.iterdir()), ids=lambda path: path.stem)
def test_the_schemas_are_schemas(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))
