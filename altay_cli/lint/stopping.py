"""Decide whether more games could still change what they show about rules.

Most findings say that something never happens, or always. One game in which it is otherwise
answers such a question, so sensible rules need few games. What is left open needs as many as were
planned.
"""

from __future__ import annotations

from collections.abc import Iterator

from altay_cli.lint import limits
from altay_cli.lint.comparing import (
    PairedPlay,
    is_by_seat,
    is_changed,
    new_fields,
    not_had,
    others_share,
    unusual_ends,
)
from altay_cli.lint.confirming import MOSTLY
from altay_cli.lint.observations import APART, AT_END, BETWEEN, SOME


def is_settled(pair: PairedPlay, planned: int) -> bool:
    """Return True if games until ``planned`` could add nothing to those of a pair.

    A problem that one game proves is an answer as well.
    """
    return any(pair.after.found(pair.before)) or not any(_open_questions(pair, planned))


def _open_questions(pair: PairedPlay, planned: int) -> Iterator[bool]:
    after = pair.after
    yield not after.ended_games
    yield bool(pair.lost(planned)) or bool(not_had(pair, planned))
    known = {move.id for move in pair.base.moves}
    new = (move.id for move in pair.pack.moves if move.id not in known and not move.fallback)
    yield any((move, "", "") not in after.legal for move in new)
    course = after.course
    for category in pair.pack.categories:
        worths = (category.id, ""), (category.id, "each")
        yield is_changed(pair, category) and any(
            course.of(worth, AT_END) and not course.of(worth, AT_END, SOME) for worth in worths
        )
        is_apart = course.of(worths[0], AT_END, APART) or course.of(worths[0], BETWEEN, APART)
        yield is_changed(pair, category) and not is_apart
        yield is_by_seat(pair, category)
        before, now = (others_share(of, category) for of in (pair.before.course, course))
        yield before.high < 1 / 2 < now.value
    new_ties = (ident for ident in pair.pack.ties if ident not in pair.base.ties)
    yield any(not course.of((ident, ""), AT_END, APART) for ident in new_ties)
    for worth in new_fields(pair):
        yield not (course.of(worth, BETWEEN, SOME) or course.of(worth, AT_END, SOME))
    legal = {name for _, slot, name in after.legal if slot}
    yield any(pair.name(thing) not in legal for thing in pair.new_things())
    yield bool(unusual_ends(pair, planned))
    yield from (seat.value >= MOSTLY for seat in after.seats())
    usual, rounds = pair.before.rounds().value, after.rounds().value
    yield bool(pair.before.ended_games) and rounds > limits.LONG * usual
