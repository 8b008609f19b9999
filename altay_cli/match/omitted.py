"""Supply forced moves that a log leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from altay_cli.base.findings import (
    EvaluationError,
    Fix,
    Severity,
    Text,
)
from altay_cli.base.values import Entity
from altay_cli.match.attempts import attempt
from altay_cli.match.judging import BoundStatement, would_be_legal
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import PENDING
from altay_cli.pack.model import LEGAL, MoveDef, Pack


def _implied_moves(pack: Pack) -> Sequence[MoveDef]:
    return [move for move in pack.moves if move.implied and not move.slots]


def supply_omitted_moves(match: Match, bound: BoundStatement) -> BoundStatement | None:
    """Apply forced moves omitted before a statement, with a note for each.

    Only if it is legal after them; return it then, with the active player.
    """
    state, report, (statement, _, actor) = match.state, match.report, bound
    if not match.pack.cached(_implied_moves):
        return None
    if state.complete or state.cells[PENDING] or report.context.phase != "turns":
        return None
    before, players = match.snapshot(), []
    if would_be_legal(match, bound):
        return None
    for _ in state.players:
        player: Entity | None = state.status("active")
        move = _apply_implied_move(match, player)
        if move is None or player is None:
            break
        players.append((player, move))
        now = bound._replace(actor=actor if statement.actor else state.status("active"))
        report.set_actor(now.actor)
        if would_be_legal(match, now):
            for who, inserted in players:
                _report_implied_move(match, bound, who, inserted)
            return now
    match.restore(before)
    return None


def _apply_implied_move(match: Match, player: Entity | None) -> MoveDef | None:
    state, mark = match.state, match.state.journal.mark()
    for move in match.pack.cached(_implied_moves):
        values = MoveValues({"me": player, "asked": {}}, move, state)
        reading = Reading(Candidate(move), values, [])
        others = (
            candidate.id
            for candidate in match.pack.moves
            if candidate is not move and not candidate.heading
        )
        with match.report.suppressed(), suppress(EvaluationError):
            if attempt(match, reading, None) == LEGAL:
                state.journal.undo(mark)
                if not any(state.able(player, other) for other in others):
                    attempt(match, reading, None)
                    return move
        state.journal.undo(mark)
    return None


def _report_implied_move(
    match: Match, bound: BoundStatement, player: Entity, move: MoveDef
) -> None:
    text = " ".join(part.word for part in move.patterns[0].parts if part.word)
    message = Text(
        "`{statement}` is assumed before this: {player} has no other legal move",
        statement=text,
        player=player.id,
    )
    place = bound.statement.span(0, 0)
    fixes = (Fix(place, f"{text}; ", certain=True),)
    # Nothing can be inserted before a heading in its line.
    heading = bound.readings[0].move.heading
    match.report.add(
        "move-implied", Severity.NOTE, message, distinct=True, fixes=() if heading else fixes
    )
