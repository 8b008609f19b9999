"""`altay explain`: every id that a finding can have is explained."""

from __future__ import annotations

import pytest

from altay_cli.pack.load import load_pack
from tests.cli.sample import run

PACK = load_pack("altay")


def test_a_rule_with_its_page() -> None:
    result = run("explain", "bought-twice")
    assert result.exit_code == 0
    assert result.stdout.startswith("bought-twice: ")
    assert "English rulebook, page 11" in result.stdout


def test_a_ruling_with_its_reason() -> None:
    result = run("explain", "finite-reserve")
    assert result.exit_code == 0
    assert PACK.rulings["finite-reserve"].default in result.stdout
    assert "16 tokens" in result.stdout


def test_the_list() -> None:
    result = run("explain")
    assert result.exit_code == 0
    for name in ("bought-twice", "finite-reserve", "syntax", "claim-wrong", "unknown-pack"):
        assert f"  {name}" in result.stdout


def test_a_name_that_is_none() -> None:
    result = run("explain", "bought-twise")
    assert result.exit_code == 2
    assert "did you mean bought-twice" in result.stderr
    assert run("explain", "buy", "--game", "../../etc").exit_code == 2


@pytest.mark.parametrize("name", ["\x1b[31m", "a" * 10_000, "", "\u202e"])
def test_hostile_names(name: str) -> None:
    result = run("explain", name)
    assert result.exit_code in {0, 2}
    assert "\x1b" not in result.output


def test_rulings_and_own_rules_are_listed_and_explained() -> None:
    listed = [
        line.split()[0] for line in run("explain").stdout.splitlines() if line.startswith("  ")
    ]
    assert set(PACK.rulings) <= set(listed)
    for name in listed[::15]:
        result = run("explain", name)
        assert result.exit_code == 0, name
        assert name in result.stdout


@pytest.mark.parametrize(
    "name", ["BOUGHT-TWICE", "Bought-Twice", "FINITE-RESERVE", "Syntax", "UNKNOWN-TITLE"]
)
def test_names_in_any_case(name: str) -> None:
    result = run("explain", name)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == run("explain", name.lower()).stdout


def test_a_suggestion_whatever_the_case() -> None:
    result = run("explain", "BOUGHT-TWISE")
    assert result.exit_code == 2
    assert "did you mean bought-twice" in result.stderr
    assert "did you mean unknown-title" in run("explain", "Unknown-Tilte").stderr
