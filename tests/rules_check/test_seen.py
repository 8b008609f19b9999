"""Ends, triggers and effects whose conditions are out of reach of all that games show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules_check.test_forgotten import played, read


def end(when: str, winners: str = "players") -> dict[str, object]:
    return {
        "extend": "outcome",
        "with": [{"label": "new", "when": when, "winners": winners, "by": "a new end"}],
        "first": True,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "is_found"),
    [
        ("players.exists(p, store(p).seeds > 48)", True),  # that many there are
        ("players.exists(p, store(p).seeds > 36)", False),
    ],
)
def test_an_end_out_of_reach_is_found(when: str, is_found: bool, tmp_path: Path) -> None:
    text = "`a new end` never happened in 48 games, and is out of reach"
    assert played("kalah", tmp_path, end(when)) == [text] * is_found


@pytest.mark.slow
def test_an_end_that_asks_for_what_is_never_gone_is_found(tmp_path: Path) -> None:
    (text,) = played("chess", tmp_path, end("players.exists(p, p.king == null)"))
    assert text.startswith("`a new end` never happened in ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seeds", "is_found"), [("last.seeds == 0", True), ("last.seeds == 1", False)]
)
def test_an_effect_that_never_comes_is_found(seeds: str, is_found: bool, tmp_path: Path) -> None:
    condition = f"last in side(me) && {seeds} && opposite.seeds > 1"
    found = played("kalah", tmp_path, {"set": "moves.sow.does.3.if", "to": condition})
    text = "this condition never holds: 30 games are the same with `false`"
    assert found == [text] * is_found


BORNE_OFF = "players.filter(p, p.off == numbers.men)"


@pytest.mark.parametrize(("label", "is_found"), [("single", True), ("backgammon", False)])
def test_an_end_that_is_moved_before_narrower_ones_is_found(
    label: str, is_found: bool, tmp_path: Path
) -> None:
    narrower = (
        " && players.after(p).off == 0 && (players.after(p).bar > 0 "
        "|| held(players.after(p)).exists(n, n > 18))"
    )
    when = f"players.exists(p, p.off == numbers.men{'' if label == 'single' else narrower})"
    moved = end(when, BORNE_OFF)
    found = read("backgammon", tmp_path, {"remove": f"outcome.{label}"}, moved)
    assert found == [("never-happens", 6)] * is_found


@pytest.mark.slow
@pytest.mark.parametrize(("most", "is_found"), [(15, False), (50, True)])
def test_a_limit_that_games_come_near_is_no_problem(
    most: int, is_found: bool, tmp_path: Path
) -> None:
    rule = {"rule": "full-house", "at": "house", "that": f"house.seeds <= {most}", "else": "full"}
    found = played("kalah", tmp_path, {"extend": "moves.sow.requires", "with": [rule]})
    text = "`<= 50` is never reached: 12 games are the same with a third of it"
    assert found == [text] * is_found


@pytest.mark.slow
def test_a_wonder_that_is_always_worth_the_same_is_found(tmp_path: Path) -> None:
    wonder = {
        "level": 3,
        "slots": ["food", "food", "food", "culture"],
        "timing": "score",
        "counts": "reserve.list().filter(r, r == resources.food)",
    }
    names = [
        {"add": f"names.{language}.achievement.granary", "to": name}
        for language, name in {"en": "Granary", "de": "Kornspeicher", "ja": "穀倉"}.items()
    ]
    change = {"add": "entities.achievement.granary", "to": wonder}
    (text,) = played("altay", tmp_path, change, *names)
    assert text.startswith("Granary would have been worth 7 to all players in all ")
