"""A mistake of the program is reported as one, in a few lines."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import altay_cli.checking.check
from altay_cli.cli.main import main


def test_an_internal_error_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr(altay_cli.checking.check, "_check_game", wrong)
    result = CliRunner().invoke(main, ["check", "games/tie.agn"])
    assert result.exit_code == 2
    assert result.stdout == ""
    first, places, *rest = result.stderr.splitlines()
    assert first == "altay: internal error: AttributeError: no such thing"
    assert places.startswith("  at checking/check.py:")
    assert "a mistake of the program" in rest[0]
