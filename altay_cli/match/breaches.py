"""What a finding says about a breach: its place, what caused it, what would be legal."""

from __future__ import annotations

from itertools import islice

from altay_cli.base.findings import ExpressionError, Related, Text, UnrecordedError
from altay_cli.base.values import Bag
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.reporting import Telling
from altay_cli.pack.candidates import MAX_CHOICES
from altay_cli.pack.model import Requirement, Shape

MAX_SINCE = 300
"""How many statements to search back for the one that broke a condition."""

MAX_HELPED = 100
"""After this many findings in a game, legal alternatives are no longer searched for."""


def report_breach(match: Match, requirement: Requirement, reading: Reading) -> None:
    """Report that a move does not fulfil what it requires."""
    report = match.report
    statement = report.here.statement
    assert statement is not None
    text, at = requirement.text, requirement.at
    place = reading.parsed.places.get(at) if at else None
    if place is not None and at is not None:
        place = _narrowed(at, reading, place)
    helps = report.telling is Telling.ALL and len(report.findings) <= MAX_HELPED
    help_lines = report.help(text, reading.values)
    legal = _alternatives(match, at, reading) if helps and at is not None else []
    if legal:
        help_lines.append(Text("possible here: {names}", names=tuple(legal)))
    report.add(
        text.rule,
        text.severity,
        match.state.said(text.message, reading.values),
        statement.span(*place) if place else statement.span(),
        text.cite,
        tuple(help_lines),
        related=_since(match, requirement, reading) if helps else (),
        ruling=text.ruling,
    )


def tell_untold(match: Match, requirement: Requirement, reading: Reading) -> bool:
    """Note that a breach cannot be judged, where it depends on what nobody told."""
    state, values = match.state, reading.values
    with state.unclear() as message:
        again = Reading(reading.parsed, MoveValues(values, reading.parsed.move, state), [])
        try:
            unclear = bool(message) and match.resolver.holds(requirement, again)
        except UnrecordedError:
            unclear = True
    if unclear:
        match.report.untold(message, state.said(requirement.text.message, values))
    return unclear


def _since(match: Match, requirement: Requirement, reading: Reading) -> tuple[Related, ...]:
    """Return the statement since which a requirement does not hold, if it is to be reported.

    The state is undone statement by statement until the requirement holds, then all is redone.
    """
    told = requirement.text.since
    if told is None:
        return ()
    state, found = match.state, None
    text = state.said(told, reading.values)
    now, taken = state.mark(), []
    for mark, statement in islice(reversed(match.course), MAX_SINCE):
        if mark >= now:
            continue
        taken.append(state.taken_back(mark))
        # What the names of the move were in this state; those of now are still needed.
        values = MoveValues(reading.values, reading.parsed.move, state)
        try:
            holds = match.resolver.holds(requirement, Reading(reading.parsed, values, []))
        except ExpressionError:
            break
        if holds:
            found = statement
            break
    for changes in reversed(taken):
        state.redo(changes)
    return () if found is None else (Related(found.span(), text),)


def _narrowed(at: str, reading: Reading, place: tuple[int, int]) -> tuple[int, int]:
    """Return the place of the one name that is meant in a list of several moves."""
    if not reading.parsed.move.slots[at].each:
        return place
    flat = [one for one in reading.parsed.slots.get(at, []) for _ in range(one.count)]
    if reading.number >= len(flat):
        return place
    return flat[reading.number].start, flat[reading.number].end


def _alternatives(match: Match, at: str, reading: Reading) -> list[str]:
    """List the values of a slot with which the move would have been legal."""
    slot = reading.parsed.move.slots[at]
    if slot.domain is None or slot.shape is not Shape.ENTITY:
        return []
    found: list[str] = []
    resolver = match.resolver
    for candidate in resolver.domain(slot, reading.values) or Bag():
        if not candidate.known:
            continue  # nobody can name it
        values = {**reading.values, at: candidate}
        try:
            trial = resolver.applying(Reading(reading.parsed, values, []))
            if trial is not None and resolver.is_legal(trial):
                found.append(match.state.words.name(candidate))
        except ExpressionError:
            continue
        if len(found) > MAX_CHOICES:
            return [*found[:MAX_CHOICES], "…"]
    return found
