"""Games with many copies of each title are legal however they are masked; see attack/copies.py."""

from __future__ import annotations

from random import Random

import pytest

from attack.copies import bared, recorded, wrong_with


# What was placed on the table by a bare title was asked for by its points; an archived copy by a
# bare title may have been the one that was used.
@pytest.mark.parametrize("seed", [1000000, 1000001, 1000009, 1000011, 3])
def test_a_truthful_log_is_legal_however_it_is_masked(seed: int) -> None:
    assert list(wrong_with(seed)) == []


def test_some_names_are_bare() -> None:
    random = Random(3)
    text = recorded(random, "en", 3)
    assert text.count("(1)") + text.count("(2)") > bared(text, random).count("(1)")
