"""`altay rules check` reports in the forms of `altay check`, with the files as they can be opened."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_forms import valid_junit, valid_sarif
from tests.small import Pebbles

CHANGES = """\
change:
  - set: "numbers.::error::##vso[x] [a](b)"
    to: 3
  - extend: moves.take.requires
    with: [{rule: rich, that: "me.debt_of() < 0", else: no}]
"""
FORMS = ("text", "concise", "json", "jsonl", "github", "sarif", "junit")


@pytest.fixture
def reports(pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return what is told of a variant with two mistakes, and of a file that is not there."""
    path = pebbles.variant(CHANGES)
    monkeypatch.chdir(path.parent)
    told = {}
    for form in FORMS:
        result = pebbles.run("rules", "check", "mine.yaml", "none.yaml", "--format", form)
        assert result.exit_code == 2
        assert "none.yaml: there are no such rules" in result.stderr
        told[form] = result.stdout
    return told


def test_rules_are_reported_in_every_form(reports: dict[str, str]) -> None:
    told = json.loads(reports["json"])
    problems = told["files"][0]["problems"]
    places = [(one["line"], one["rule"], one["file"]) for one in problems]
    assert [line for line, _, _ in places] == [5, 8]
    assert {file for _, _, file in places} == {"mine.yaml"}
    assert [json.loads(line) for line in reports["jsonl"].splitlines()] == told["files"]

    lines = reports["concise"].splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        [f"mine.yaml:{one['line']}:{one['column']}", "error"] for one in problems
    ]
    github = reports["github"].splitlines()
    assert len(github) == 3
    assert "file=mine.yaml,line=5" in github[0]
    assert "file=none.yaml" in github[2]


def test_rules_as_sarif_and_junit(reports: dict[str, str]) -> None:
    run = valid_sarif(reports["sarif"])
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert [place["artifactLocation"]["uri"] for place in places] == ["mine.yaml", "mine.yaml"]
    assert [place["region"]["startLine"] for place in places] == [5, 8]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert all("shortDescription" in rule for rule in rules.values())
    assert run["invocations"][0]["executionSuccessful"] is False

    suites = valid_junit(reports["junit"])
    assert [suite.attrib["name"] for suite in suites] == ["mine.yaml", "none.yaml"]
    (failure,) = suites[0][0]
    assert failure.attrib["message"].endswith("(and 1 more)")
    assert "5 |   - set: " in (failure.text or "")


def test_rules_of_a_stranger_command_no_ci_system(reports: dict[str, str]) -> None:
    for form in ("concise", "github", "junit", "text"):
        lines = reports[form].splitlines()
        assert "##vso[" not in reports[form]
        assert [line for line in lines if line.lstrip().startswith("::")] == (
            lines if form == "github" else []
        )


def test_files_of_a_game_are_named_by_their_path(pebbles: Pebbles) -> None:
    pebbles.change("board.yaml", "worth: 2", "worth: many")
    lines = pebbles.run("rules", "check", "pebbles", "--format", "concise").stdout.splitlines()
    path = pebbles.folder / "board.yaml"
    assert [line.split(": ")[0] for line in lines] == [f"{path}:2:16"]
