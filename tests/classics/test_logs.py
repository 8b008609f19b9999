"""Logs of the classics that announce their findings: positions, ends, seats and passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.logs import verify

LOGS = sorted(Path(__file__).parent.glob("*.agn"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_findings_are_those_announced(path: Path) -> None:
    verify(path)
