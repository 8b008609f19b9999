"""Whether a card is archived, and how many are drawn then, is judged as all ways say."""

from __future__ import annotations

from random import Random

from attack.archives import differs, made


def test_logs_with_archived_cards_are_judged_as_by_all_ways() -> None:
    # Logs 10 and 43 were judged wrongly: the card in hand was always the one that is used.
    logs = [made(Random(1_000_000 + number)) for number in range(60)]
    assert [told for log in logs if (told := differs(log))] == []
    assert 10 < sum(log.wrong is None for log in logs) < 50


def test_logs_with_copies_are_judged_as_by_all_ways() -> None:
    """A bare title is the copy with the fewest points of those that lie there, in each way."""
    logs = [made(Random(2_000_000 + number), copies=True) for number in range(60)]
    assert [told for log in logs if (told := differs(log))] == []
    assert 10 < sum(log.wrong is None for log in logs) < 50


def test_logs_of_the_german_edition_are_judged_as_by_all_ways() -> None:
    """An archived card may be taken back at any time, and nobody need write it down."""
    logs = [made(Random(3_000_000 + number), german=True) for number in range(60)]
    assert [told for log in logs if (told := differs(log))] == []
    assert 10 < sum(log.wrong is None for log in logs) < 50
