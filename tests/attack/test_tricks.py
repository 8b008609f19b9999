"""Where nobody wrote down what was dealt, tricks are judged as by all ways to deal the cards."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from attack.tricks import differs, first_impossible, random_log

PACKS = Path(__file__).parents[1] / "packs"


def test_logs_are_judged_as_by_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_PACKS", str(PACKS))
    random = Random(1)
    logs = [random_log(random) for _ in range(60)]
    assert [told for log in logs if (told := differs(log))] == []
    assert 10 < sum(first_impossible(log) is None for log in logs) < 50
