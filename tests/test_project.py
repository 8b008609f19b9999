"""The files around the program: its metadata, and what people who join the project begin with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import altay_cli

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_version_is_written_in_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["project"]["dynamic"] == ["version"]
    source = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    written = re.findall(r'^__version__ = "(.+)"$', source.read_text("utf-8"), re.MULTILINE)
    assert written == [altay_cli.__version__]


def test_every_python_that_ci_uses_is_named_to_users() -> None:
    named = PROJECT["project"]["classifiers"]
    workflow = YAML(typ="safe").load(ROOT / ".github" / "workflows" / "ci.yml")
    (setup,) = [one for one in workflow["jobs"]["ci"]["steps"] if "setup-python" in str(one)]
    for version in setup["with"]["python-version"].split():
        assert f"Programming Language :: Python :: {version}" in named


@pytest.mark.parametrize("form", ["wrong-verdict", "bug", "idea"])
def test_forms_of_issues_ask_for_something(form: str) -> None:
    content = YAML(typ="safe").load(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{form}.yml")
    assert content["name"] and content["description"]
    fields = [field for field in content["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_hooks_before_a_commit_run_programs_of_the_project() -> None:
    content = YAML(typ="safe").load(ROOT / ".pre-commit-config.yaml")
    hooks = [hook for repository in content["repos"] for hook in repository["hooks"]]
    requirements = " ".join(PROJECT["project"]["optional-dependencies"]["dev"])
    for hook in hooks:
        program = hook["entry"].split()[0].removeprefix(".venv/bin/")
        assert program in requirements or program in PROJECT["project"]["scripts"]
