"""How far it is looked for what was meant where something is wrong in a game."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Verdict, errors_of
from altay_cli.checking.check import check_text
from tests.engine.alone import played

SPENDS = "play Craftsman; use Commerce spending stone for culture"


def test_a_name_may_mean_something_else_in_each_of_many_turns() -> None:
    """Four times the Craftsman for wood, which is tried first, does not go with what follows."""
    log = played("  Ann: completed Commerce\n", *[SPENDS, "play Hunter"] * 4)
    (game,) = check_text(log).games
    assert game.verdict is Verdict.LEGAL
    assert [one.rule for one in game.findings] == ["unrecorded", *["either-meant"] * 4]


@pytest.mark.parametrize(
    ("unread", "told"), [(10, ("according to the log, Ann has no Shaman",)), (11, ())]
)
def test_where_much_cannot_be_read_nothing_is_told_of_where_things_are(
    unread: int, told: tuple[str, ...]
) -> None:
    """Ann's Smallfolk have no Shaman; but she may have got one in what cannot be read."""
    nonsense = [f"blub {'x' * number}" for number in range(unread)]
    (game,) = check_text(played("", "play Shaman", *nonsense)).games
    first, *others = errors_of(game.findings)
    assert (first.rule, first.help, len(others)) == ("in-hand", told, unread)
