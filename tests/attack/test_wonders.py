"""Secret wonders that nobody recorded are judged as all orders of the wonders say."""

from __future__ import annotations

import re
from random import Random

from attack.wonders import Begun, Log, courses, differs, made, text_of

SHOWN = ("Ark", "Colossus", "Academy")
UNKNOWN = dict.fromkeys(("Ann", "Bob"))


def test_random_logs_are_judged_as_all_orders_say() -> None:
    random = Random(1)
    logs = [made(random) for _ in range(25)]
    assert [told for log in logs if (told := differs(log))] == []
    assert sum(next(courses(log), None) is None for log in logs) >= 3


def test_what_wonders_cost_in_random_logs_is_never_more_than_there_are_tokens() -> None:
    """With six wonders of three players it often would be: of culture there are 16 tokens."""
    random = Random(0)
    logs = [made(random) for _ in range(400)]
    costs = [re.findall(r"([0-9]*) ?culture", text) for text in map(text_of, logs)]
    placed = [sum(int(n or 1) for n in culture) // 2 for culture in costs]  # placed and paid
    assert max(placed) == 16
    assert max(len(log.done) for log in logs) == 6


def test_what_was_revealed_tells_that_a_wonder_was_not_the_secret_one() -> None:
    """Highways came from the display, for something was revealed then: so the Mausoleum is open."""
    ann = (Begun("Ann", "Ark", "?"), Begun("Ann", "Highways", "Great Wall"))
    for last in ("Mausoleum", "Great Wall"):
        log = Log(SHOWN, UNKNOWN, (*ann, Begun("Bob", last, None)))
        assert next(courses(log)).secrets["Ann"] != "Highways"
        assert differs(log) is None


def test_two_players_cannot_both_have_begun_the_only_hidden_wonder() -> None:
    """Of the display all is known but for one place; what Ann began next was in it, or her secret.

    Whatever Bob begins is his secret one or came behind it. What he begins twice is neither.
    """
    ann = (Begun("Ann", "Ark", None), Begun("Ann", "Highways", None))
    assert differs(Log(SHOWN, UNKNOWN, (*ann, Begun("Bob", "Mausoleum", None)))) is None
    assert differs(Log(SHOWN, UNKNOWN, (*ann, Begun("Bob", "Highways", None)))) is None
    # Nothing was revealed for it, so it was on display: neither is Ann's secret wonder.
    bob = (Begun("Bob", "Mausoleum", "Great Wall"), Begun("Bob", "Aqueducts", "Amphitheatre"))
    assert differs(Log(SHOWN, UNKNOWN, (*ann[:1], *bob))) is None
