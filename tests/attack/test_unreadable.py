"""A sample of what `python -m attack unreadable` makes unreadable."""

from __future__ import annotations

from collections import Counter

import pytest

from altay_cli.compile.load import pack_names
from attack.unreadable import SINGLE_MOVES, scrawled, suggested


@pytest.mark.parametrize("seed", [1, 2])
def test_one_unreadable_statement_is_one_error(seed: int) -> None:
    tries = list(scrawled(seed, 36))
    assert Counter(one.pack for one in tries) == dict.fromkeys(SINGLE_MOVES, 12)
    assert [one.text for one in tries if len(one.errors) != 1] == []


@pytest.mark.parametrize("pack", sorted(pack_names()))
def test_for_a_made_up_word_nothing_is_suggested(pack: str) -> None:
    assert list(suggested(pack, 40, seed=3)) == []
