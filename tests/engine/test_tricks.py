"""What the cards of a trick tell of hands that nobody wrote down.

`tests/packs/tricks`: three players, 24 cards (9, T, J, Q, K, A of four suits), eight for each. Who
can must follow suit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import check_text
from altay_cli.hidden import limits
from altay_cli.lint.examine import Examiner
from attack.tricks import Log, can_be_dealt, first_impossible

PACKS = Path(__file__).parents[1] / "packs"


@pytest.fixture(autouse=True)
def packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def wrong(played: str, *deals: str) -> list[str]:
    """Return what is wrong, each with the number of the card that is played."""
    log = Log([*deals, *["deal"] * (3 - len(deals))], {}, played.split())
    (game,) = check_text(log.text).games
    errors = [found for found in game.findings if found.severity is Severity.ERROR]
    first = log.head.count("\n")
    return [f"{one.span.line - first} {one.rule}" for one in errors]


def test_the_pack_is_right() -> None:
    assert Examiner(PACKS / "tricks").examine([]) == []


def test_who_has_a_card_of_the_suit_must_follow_it() -> None:
    """Ann leads; Bob's hand is known, and he has a heart."""
    bob = "deal => HK, S9, ST, SJ, C9, CT, D9, DT"
    assert wrong("HA HK", "deal", bob) == []
    assert wrong("HA S9", "deal", bob) == ["2 follow-suit"]


def test_of_a_hand_that_nobody_knows_any_card_can_be_played() -> None:
    assert wrong("HA S9 HK") == []


def test_who_did_not_follow_suit_has_no_card_of_it_later() -> None:
    """Bob plays a spade to Ann's heart; in the second trick, which Ann leads, he plays a heart."""
    assert wrong("HA S9 HK ST HQ") == ["5 in-hand"]
    assert wrong("HA S9 HK HT DT") == []


def test_where_two_have_no_card_of_a_suit_the_third_has_all_of_them() -> None:
    """Neither Bob nor Cid follows suit: all six hearts are Ann's, with two cards of other suits."""
    assert wrong("HA S9 D9 HK ST DT HQ") == []
    assert wrong("HA S9 D9 CA CT CJ SA ST SJ HQ") == []
    assert wrong("HA S9 D9 CA CT CJ SA ST SJ DA") == ["10 in-hand"]


def test_hands_can_be_full() -> None:
    """Where two of three lack hearts, the third has room for six of them, and not for five."""
    lacking = [set[str](), {"H"}, {"H"}]
    assert can_be_dealt({}, set(), lacking, [8, 8, 8])
    assert not can_be_dealt({}, set(), lacking, [5, 8, 11])
    assert first_impossible(Log(["deal"] * 3, {"HA": 1}, ["HA"])) == 0


# ---------------------------------------------------------------- what is required is read exactly

NAIVE = """\
variant: naive
title: Whoever has a card of the suit
version: "1.0"
extends: tricks
change:
  - set: moves.play.requires.follow-suit.that
    to: "card.suit == led || !me.hand.list().exists(c, c.suit == led)"
"""

VOID = "HA H9 S9 SA ST SJ CA C9 CT DA D9 DT CK CJ CQ HK"
"""Cid did not follow the hearts. Of the four that are left, Ann leads one and can have two more."""


@pytest.mark.parametrize("naive", [False, True])
def test_what_is_true_of_no_hand_is_not_true_of_what_is_known_of_it(
    naive: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the last three hearts, one at least is Bob's: he may not play a spade."""
    if naive:
        (tmp_path / "naive.yaml").write_text(NAIVE, encoding="utf-8")
    log = Log(["deal"] * 3, {}, f"{VOID} SQ".split())
    (game,) = check_text(log.text, under=[tmp_path / "naive.yaml"] if naive else []).games
    errors = [found for found in game.findings if found.severity is Severity.ERROR]
    assert [(one.span.line - log.head.count("\n"), one.rule) for one in errors] == [
        (17, "follow-suit")
    ]
    # His two other cards are one of 15 pairs; what takes more ways to go through may be so.
    if naive:
        monkeypatch.setattr(limits, "MOST_ASKED", 10)
        (game,) = check_text(log.text, under=[tmp_path / "naive.yaml"]).games
        assert game.verdict is Verdict.LEGAL
