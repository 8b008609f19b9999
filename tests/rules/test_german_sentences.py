"""German messages that are put together read as German."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.cli.main import main

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        ("build-adjacent/illegal-beside-opponent", "W2 ist zu keinem Terrain von Ann benachbart"),
        ("build-adjacent/illegal-nothing-on-board", "ist zu keinem Terrain von Ann benachbart"),
    ],
)
def test_a_message_in_german(log: str, sentence: str) -> None:
    result = CliRunner().invoke(main, ["check", "--lang", "de", str(HERE / f"{log}.agn")])
    assert sentence in result.output
