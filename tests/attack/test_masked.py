"""Logs of which draws are not recorded are judged as they should be; see attack/masked.py."""

from __future__ import annotations

from random import Random

import pytest

from attack.masked import GAMES, WAYS, differs, games, masked, wrong_with
from attack.worlds import Way, drawing, made, using


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_recorded_is_not_wrong(way: str) -> None:
    ((path, text),) = list(games(1))[:1]
    assert wrong_with(text, way, Random(path.name), fill=way in {"all", "reveals"}) is None


@pytest.mark.parametrize(
    ("game", "way"), [("4-players/014", "all"), ("3-players/087", "one player")]
)
def test_an_archived_card_may_be_the_one_that_was_used(game: str, way: str) -> None:
    """It was not known whether the archive is empty; and what came back into the hand was lost."""
    path = GAMES / "simulated" / f"{game}.agn"
    text = path.read_text(encoding="utf-8")
    assert wrong_with(text, way, Random(f"1 {path.name} {way}"), fill=True) is None


def test_masking_masks() -> None:
    text = '[Game "altay"]\nsetup\n  Ann: draw 2 Hunter, Village\nturn 1 Ann\n  end => Hunter\n'
    assert masked(text, "hands", Random(1)).endswith("Ann: draw 3 ?\nturn 1 Ann\n  end\n")
    assert masked(text, "one player", Random(1)) == text


def test_logs_of_tiny_decks_are_judged_as_by_all_worlds() -> None:
    assert [told for seed in range(30) if (told := differs(seed))] == []


def test_some_of_them_are_possible_and_some_are_not() -> None:
    wrong = [made(Random(seed), 5).wrong for seed in range(30)]
    assert 5 < sum(line is None for line in wrong) < 25


def test_all_ways_to_draw_and_use() -> None:
    ways = drawing({Way((), ("A", "B"), ())}, None)
    assert ways == {Way(("A",), ("B",), ()), Way(("B",), ("A",), ())}
    assert using(ways, "A", kept=True) == {Way((), ("B",), ("A",))}
    assert drawing({Way((), (), ("A",))}, "A") == {Way(("A",), (), ())}
    assert drawing({Way((), (), ("A",))}, "B") == set()
    assert drawing({Way(("A",), (), ())}, None) == {Way(("A",), (), ())}
    assert drawing({Way(("A",), (), ())}, None, told=True) == set()
