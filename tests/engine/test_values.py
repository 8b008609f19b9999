"""Bags and payments, against brute force over a handful of things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from altay_cli.base.budget import Budget
from altay_cli.base.findings import BudgetError
from altay_cli.base.values import (
    ALL_KNOWN,
    Bag,
    Entity,
    Unknown,
    bag_of,
    expand,
    plus_item,
)
from altay_cli.pack import functions, limits

RED, BLUE, GREEN = (Entity("resource", name) for name in ("red", "blue", "green"))
COLOURS = (RED, BLUE, GREEN)
BUDGET = Budget(10**12)


def icon(name: str, *accepts: Entity) -> Entity:
    made = Entity("icon", name)
    made.f["accepts"] = list(accepts)
    return made


ICONS = (
    icon("red", RED),
    icon("blue", BLUE),
    icon("green", GREEN),
    icon("red or blue", RED, BLUE),
    icon("blue or green", BLUE, GREEN),
    icon("any", RED, BLUE, GREEN),
)

tokens = st.lists(st.sampled_from(COLOURS), max_size=6).map(bag_of)
icons = st.lists(st.sampled_from(ICONS), max_size=5).map(bag_of)


def counted(bag: Bag) -> Counter[Entity]:
    return Counter(dict(bag))


def can_lie(things: Iterable[Entity], places: list[Entity]) -> bool:
    """Try every way to lay each thing on a place of its own."""
    laid = list(things)
    return any(
        all(thing in place.f["accepts"] for thing, place in zip(laid, chosen, strict=True))
        for chosen in permutations(places, len(laid))
    )


@given(tokens, icons)
def test_fits(things: Bag, places: Bag) -> None:
    assert functions.fits(BUDGET, things, places, "accepts") == can_lie(
        expand(things), expand(places)
    )


@given(tokens, icons)
def test_fills(things: Bag, places: Bag) -> None:
    full = len(expand(things)) == len(expand(places))
    assert functions.fills(BUDGET, things, places, "accepts") == (
        full and can_lie(expand(things), expand(places))
    )


@example(bag_of(COLOURS * 2), bag_of([ICONS[5]] * 2))
@example(bag_of(COLOURS * 2), bag_of([ICONS[3], ICONS[4], ICONS[5]]))
@given(tokens, icons)
def test_payments_are_all_the_ways_to_pay(pool: Bag, price: Bag) -> None:
    places = expand(price)
    ways = {
        frozenset(Counter(some).items())
        for some in combinations(expand(pool), len(places))
        if can_lie(some, places)
    }
    found = functions.payments(BUDGET, pool, price, "accepts")
    assert {frozenset(way.items()) for way in found} == ways
    assert len(found) == len(ways), "a way is listed twice"


@given(tokens, icons)
def test_what_is_missing_fills_up(things: Bag, places: Bag) -> None:
    if can_lie(expand(things), expand(places)):
        need = functions.missing(BUDGET, places, things, "accepts")
        assert functions.fills(BUDGET, functions.plus(BUDGET, things, need), places, "accepts")


def test_payments_of_nothing() -> None:
    assert functions.payments(BUDGET, Bag(), Bag(), "accepts") == [Bag()]
    assert functions.payments(BUDGET, Bag(), bag_of([ICONS[5]]), "accepts") == []


def test_payments_are_bounded() -> None:
    # 40 icons that accept anything can be paid in 861 ways of three colours; of ten colours there
    # would be two thousand million.
    found = functions.payments(BUDGET, bag_of(COLOURS * 40), bag_of([ICONS[5]] * 40), "accepts")
    assert len(found) == 42 * 41 / 2
    many = [Entity("resource", str(n)) for n in range(10)]
    wild = icon("wild", *many)
    found = functions.payments(BUDGET, bag_of(many * 40), bag_of([wild] * 40), "accepts")
    assert 0 < len(found) <= limits.MAX_PAYMENTS * len(many)


def test_of_one_thing_there_is_at_most_a_thousand_million() -> None:
    most = functions.some(Budget(), RED, 10**9)
    assert most == Bag({RED: 10**9})
    for more in (
        lambda: functions.some(Budget(), RED, 10**9 + 1),
        lambda: functions.plus(BUDGET, most, bag_of([RED])),
        lambda: functions.times(BUDGET, most, 2),
    ):
        with pytest.raises(BudgetError, match="1,000,000,000 is the most there can be"):
            more()


def test_a_list_of_one_thing_is_as_long_as_any() -> None:
    assert functions.repeat(BUDGET, RED, 20_000) == [RED] * 20_000
    assert functions.repeat(BUDGET, RED, -1) == []
    with pytest.raises(BudgetError, match="100,000 is the most that is allowed"):
        functions.repeat(BUDGET, RED, 100_001)


@given(tokens, tokens)
def test_arithmetic(one: Bag, two: Bag) -> None:
    a, b = counted(one), counted(two)
    assert counted(functions.plus(BUDGET, one, two)) == a + b
    assert counted(functions.minus(BUDGET, one, two)) == a - b
    assert counted(functions.overlap(BUDGET, one, two)) == a & b
    assert functions.has(BUDGET, one, two) == (b <= a)
    assert counted(functions.times(BUDGET, one, 3)) == a + a + a
    assert functions.times(BUDGET, one, 0) == Bag() == functions.times(BUDGET, one, -1)
    assert counted(one) == a, "an operand has changed"


@given(tokens, st.integers(-2, 3))
def test_no_entry_is_nothing_or_less(bag: Bag, count: int) -> None:
    for made in (
        plus_item(bag, RED),
        functions.times(BUDGET, bag, count),
        functions.some(Budget(), RED, count),
    ):
        assert all(n > 0 for n in made.values())
    assert plus_item(bag, RED).size() == bag.size() + 1


def test_the_size_counts_hidden_and_absent_things() -> None:
    deck = bag_of([RED, RED, BLUE])
    deck.unknown = Unknown(absent=2)
    hand = bag_of([GREEN])
    hand.unknown = Unknown(hidden=2)
    assert deck.size() == 1
    assert hand.size() == 3
    assert functions.plus(BUDGET, deck, hand).size() == 4


def test_bags_are_equal_by_content_and_told_apart_by_identity() -> None:
    one, two = bag_of([RED]), bag_of([RED])
    assert one == two
    assert len({one, two}) == 2


def test_after_goes_round() -> None:
    assert functions.after(BUDGET, [RED, BLUE, GREEN], RED) is BLUE
    assert functions.after(BUDGET, [RED, BLUE, GREEN], GREEN) is RED
    assert functions.after(BUDGET, [RED], RED) is RED


def test_longest_is_the_first_of_the_longest() -> None:
    assert functions.longest(BUDGET, [[1], [2, 3], [4, 5], []]) == [2, 3]
    assert functions.longest(BUDGET, []) == []


@given(tokens, tokens, st.integers(0, 3), st.integers(0, 3))
def test_what_is_hidden_counts_in_what_bags_are_made_into(
    one: Bag, two: Bag, hidden: int, more: int
) -> None:
    one.unknown, two.unknown = Unknown(hidden), Unknown(more)
    size = one.size()
    assert functions.plus(BUDGET, one, two).size() == size + two.size()
    assert functions.plus(BUDGET, one, functions.some(Budget(), RED, 2)).size() == size + 2
    assert functions.times(BUDGET, one, 3).size() == 3 * size
    assert functions.minus(BUDGET, one, Bag(one)).size() == hidden
    assert functions.minus(BUDGET, one, one).size() == 0


@given(tokens)
def test_what_is_listed_and_not_there_is_not_counted_either(bag: Bag) -> None:
    bag.unknown = Unknown(absent=min(1, len(bag)))
    size = bag.size()
    assert functions.times(BUDGET, bag, 2).size() == 2 * size
    assert functions.plus(BUDGET, bag, functions.some(Budget(), RED, 2)).size() == size + 2
    assert functions.minus(BUDGET, bag, Bag(bag)).size() == 0


UNKNOWN = st.builds(Unknown, st.integers(0, 3), st.just(0), st.booleans(), st.just(()))


@given(tokens, tokens, UNKNOWN, UNKNOWN)
def test_what_is_made_of_bags_is_as_unknown_as_they_are(
    one: Bag, two: Bag, unknown: Unknown, more: Unknown
) -> None:
    one.unknown, two.unknown = unknown, more
    both = Unknown(unknown.hidden + more.hidden, unsure=unknown.unsure or more.unsure)
    assert functions.plus(BUDGET, one, two).unknown == both
    assert functions.minus(BUDGET, one, two).unknown.unsure == unknown.unsure
    threefold = unknown._replace(hidden=3 * unknown.hidden)
    assert functions.times(BUDGET, one, 3).unknown == threefold
    assert one.unknown is unknown, "an operand has changed"


def test_bags_of_known_things_have_no_value_of_their_own_for_what_is_unknown() -> None:
    bag = bag_of([RED, BLUE])
    for made in (
        bag,
        functions.plus(BUDGET, bag, bag),
        functions.minus(BUDGET, bag, bag),
        functions.times(BUDGET, bag, 2),
    ):
        assert made.unknown is ALL_KNOWN
        assert not vars(made), "making a bag costs no more than making a dictionary"
