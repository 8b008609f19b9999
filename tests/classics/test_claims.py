"""Claims of the state in games other than Altay."""

from __future__ import annotations

from pathlib import Path

from tests.logs import verify


def test_claims() -> None:
    verify(Path(__file__).parent / "claims.agn")
