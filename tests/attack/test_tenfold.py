"""Each limit of the program is seen by a test."""

from __future__ import annotations

import pytest

from attack.tenfold import HOME, Seen, limits, seen

ROWS = seen()


def test_a_test_is_named_for_each_limit_and_for_nothing_else() -> None:
    assert {row.limit for row in ROWS} == limits().keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.limit)
def test_the_test_is_there(row: Seen) -> None:
    path, _, test = row.test.partition("::")
    text = (HOME / path).read_text(encoding="utf-8")
    assert f"def {test}(" in text
    assert row.how in {"less", "more"} or f'"{row.limit.partition(".")[2]}"' in text


@pytest.mark.parametrize("row", ROWS[::50], ids=lambda row: row.limit)
def test_with_ten_times_more_or_less_it_fails(row: Seen) -> None:
    assert row.how == "set" or row.fails()


def test_what_a_test_does_not_see_is_found() -> None:
    of_grids = "tests/pack/test_frames_and_grids.py::test_a_grid_has_at_most_a_thousand_places"
    assert not Seen("pack.MAX_NAME", "less", of_grids).fails()
