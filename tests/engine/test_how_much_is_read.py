"""How much of a log is looked at."""

from __future__ import annotations

import pytest

from altay_cli.checking import limits
from altay_cli.checking.check import check_text
from tests.small import LOG, Pebbles


def test_for_twenty_misspelled_tags_another_is_suggested(pebbles: Pebbles) -> None:
    tags = [f"Event{letter}" for letter in "abcdefghijklmnopqrst"]
    found = pebbles.judge("".join(f'[{tag} "x"]\n' for tag in tags) + LOG).findings
    assert [one.help for one in found] == [("did you mean `Event`?",)] * 20


@pytest.mark.parametrize(("most", "found"), [(7, []), (6, ["too-many-statements"])])
def test_of_a_file_only_so_many_statements_are_read(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch, most: int, found: list[str]
) -> None:
    """Seven lines and parts of lines of the log come to an end; the last of them is `end`."""
    monkeypatch.setattr(limits, "MAX_STATEMENTS", most)
    games = check_text(LOG).games
    assert [one.rule for game in games for one in game.findings] == found
