"""Repairs are found from the facts of findings, never from their texts."""

from collections.abc import Mapping
from typing import Any

import pytest

from altay_cli import check_text
from altay_cli.base.findings import Finding, Related
from attack import stored

# Logs with repairs in turns and in the setup.
FEW = ("changed 36", "changed 68", "changed 72", "changed 76", "changed 99")
MANY = [f"changed {seed}" for seed in range(0, 300, 7)]


def without_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the texts of all findings by "x" when they are made."""
    make = Finding.__new__
    blank: dict[int, tuple[str, str]] = {}

    def hidden(text: str) -> str:
        # Equal to all others, but as many objects as there are texts: a report joins findings
        # that share one.
        return blank.setdefault(id(text), (text, "".join(["x", ""])))[1]

    def made(cls: type[Finding], *args: Any, **values: Any) -> Finding:
        found = dict(zip(Finding._fields, make(cls, *args, **values), strict=True))
        return make(cls, **found | texts_of(found))

    def texts_of(found: Mapping[str, Any]) -> dict[str, Any]:
        related = tuple(Related(place.span, "x") for place in found["related"])
        help_lines = tuple("x" for _ in found["help"])
        return {"message": hidden(found["message"]), "help": help_lines, "related": related}

    def replaced(finding: Finding, /, **values: Any) -> Finding:
        return Finding(**finding._asdict() | values)

    monkeypatch.setattr(Finding, "__new__", made)
    monkeypatch.setattr(Finding, "_replace", replaced)


def facts(name: str) -> list[tuple[object, ...]]:
    """Return rules, places, fixes and other places of the findings of a stored log."""
    folder = None if " " in name else (stored.HOME / name).parent
    return [
        (finding.rule, finding.span, finding.fixes, [place.span for place in finding.related])
        for game in check_text(stored.text_of(name), folder=folder).games
        for finding in game.findings
    ]


def compare(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a log with and without texts."""
    usual = facts(name)
    without_texts(monkeypatch)
    assert facts(name) == usual


@pytest.mark.parametrize("name", FEW)
def test_repairs_are_found_without_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(name, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_repairs_of_many_logs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(name, monkeypatch)
