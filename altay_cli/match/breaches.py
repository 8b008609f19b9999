"""Explain why a move is illegal, with legal alternatives and the cause."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from altay_cli.base.findings import (
    ExpressionError,
    Related,
    Text,
    UnrecordedError,
)
from altay_cli.base.values import Bag, Entity, subjects_of
from altay_cli.match import limits
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.pack.model import Requirement
from altay_cli.source import limits as source_limits


def report_breach(match: Match, requirement: Requirement, reading: Reading) -> None:
    """Add the finding for a requirement that fails."""
    report, text, parsed = match.report, requirement.text, reading.parsed
    at = requirement.at or ""
    start, end = parsed.places.get(at, (None, None))
    named = [name for name in parsed.slots.get(at, ()) for _ in range(name.count)]
    if start is not None and parsed.move.slots[at].each and reading.number < len(named):
        # Mark only the name for which the move is repeated.
        start, end = named[reading.number].start, named[reading.number].end
    helps = report.explains and len(report.findings) <= limits.MAX_HELPED
    about: list[object] = []
    help_lines = report.help(text, reading.values, about)
    legal = _alternatives(match, at, reading) if helps and at else []
    about += legal[: source_limits.MAX_NAMES]
    names = tuple(match.state.finding_words.name(entity) for entity in legal)
    me = reading.values.get("me")
    if helps and requirement.goal is not None and isinstance(me, Entity):
        statements = match.state.able.best_statements(me, requirement.goal, match.writing)
        names = tuple(f"`{statement}`" for statement in statements)
    if names:
        if len(names) > source_limits.MAX_NAMES:
            names = (*names[: source_limits.MAX_NAMES], "…")
        help_lines.append(Text("possible here: {names}", names=names))
    message = match.state.finding_text(text.message, reading.values, about)
    related = _since(match, requirement, reading, about) if helps else ()
    report.add(
        text.rule,
        text.severity,
        message,
        report.span(start, end),
        text.cite,
        tuple(help_lines),
        related=related,
        ruling=text.ruling,
        about=subjects_of(about),
    )


def report_undecidable(match: Match, requirement: Requirement, reading: Reading) -> bool:
    """Note if unrecorded zones may decide a requirement; return True then."""
    state, values = match.state, reading.values
    with state.unclear() as message:
        again = Reading(reading.parsed, MoveValues(values, reading.parsed.move, state), [])
        try:
            unclear = bool(message) and match.resolver.holds(requirement, again)
        except UnrecordedError:
            unclear = True
    if unclear:
        match.report.report_undecided(message, state.finding_text(requirement.text.message, values))
    return unclear


def _since(
    match: Match, requirement: Requirement, reading: Reading, about: list[object]
) -> tuple[Related, ...]:
    since = requirement.text.since
    if since is None:
        return ()
    state = match.state
    named: list[object] = []
    text = state.finding_text(since, reading.values, named)
    now = state.journal.mark()
    with state.journal.rewinding(), suppress(ExpressionError):
        for mark, statement in islice(reversed(match.course), limits.MAX_SINCE):
            if mark >= now:
                continue
            state.journal.undo(mark)
            # Evaluate `let` in this earlier state.
            values = MoveValues(reading.values, reading.parsed.move, state)
            holds = match.resolver.holds(requirement, Reading(reading.parsed, values, []))
            # Another text is about something else, such as another turn.
            if holds or state.finding_text(since, values) != text:
                about += named
                return (Related(statement.span(), text),)
    return ()


def _alternatives(match: Match, at: str, reading: Reading) -> list[Entity]:
    slot = reading.parsed.move.slots[at]
    if slot.domain is None or slot.shape != "entity":
        return []
    found: list[Entity] = []
    resolver = match.resolver
    domain = resolver.domain(slot, reading.values) or Bag()
    for candidate in (entity for entity in domain if entity.known):
        values = {**reading.values, at: candidate}
        with suppress(ExpressionError):
            trial = resolver.applying(Reading(reading.parsed, values, []))
            if trial is not None and resolver.is_legal(trial):
                found.append(candidate)
        if len(found) > source_limits.MAX_NAMES:
            break
    return found
