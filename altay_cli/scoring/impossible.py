"""Refuse points on a score pad that no player can have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity, Text
from altay_cli.notation.tree import Statement
from altay_cli.pack.model import Category
from altay_cli.scoring import limits
from altay_cli.scoring.bounds import Bounds
from altay_cli.scoring.outcomes import total_range
from altay_cli.scoring.score import PlayerScore

RULE = "claim-impossible"


class PointsClaim(NamedTuple):
    """Points that a statement claims for a player; of the total without a category."""

    statement: Statement
    player: str
    category: Category | None
    points: int


def impossible_claims(
    claims: Iterable[PointsClaim], players: Mapping[str, PlayerScore], bounds: Mapping[str, Bounds]
) -> Iterator[Finding]:
    """Yield a finding for points that are impossible.

    bounds: by the id of a category.
    """
    sums: dict[str, int] = {}
    for claim in claims:
        if claim.category is None:
            yield from _impossible_total(claim, players[claim.player], bounds)
            continue
        ident = claim.category.id
        bound = bounds[ident]
        before, sums[ident] = sums.get(ident, 0), sums.get(ident, 0) + claim.points
        if not bound.allow(claim.points):
            yield _impossible(claim, claim.category, bound)
        elif bound.together is not None and before <= bound.together < sums[ident]:
            template = (
                "the players cannot have {points} points for {title} together: at most {most} are "
                "possible"
            )
            yield _finding(
                claim,
                Text(
                    template,
                    points=sums[ident],
                    title=claim.category.title,
                    most=bound.together,
                ),
                bound,
            )


def _impossible(claim: PointsClaim, category: Category, bound: Bounds) -> Finding:
    if bound.values:
        template = "{player} cannot have {points} points for {title}: possible are {values}"
    elif bound.most is not None and claim.points > bound.most:
        template = "{player} cannot have {points} points for {title}: at most {most} are possible"
    else:
        template = "{player} cannot have {points} points for {title}: at least {least} are possible"
    values = [*map(str, bound.values[: limits.MAX_SHOWN_VALUES])]
    values += ["…"] if bound.values[limits.MAX_SHOWN_VALUES :] else []
    message = Text(
        template,
        player=claim.player,
        points=claim.points,
        title=category.title,
        values=tuple(values),
        least=bound.least,
        most=bound.most,
    )
    return _finding(claim, message, bound)


def _impossible_total(
    claim: PointsClaim, player: PlayerScore, bounds: Mapping[str, Bounds]
) -> Iterator[Finding]:
    """Yield a finding if the categories cannot add up to a total; given ones are possible."""
    if player.given is None or not player.categories:
        return  # the total is compared with the sum
    least, most = total_range(player, bounds)
    if least <= claim.points <= most:
        return
    template = (
        "{player} cannot have a score of {points}: the categories add up to at least {least}"
        if claim.points < least
        else "{player} cannot have a score of {points}: the categories add up to at most {most}"
    )
    message = Text(
        template, player=claim.player, points=claim.points, least=int(least), most=int(most)
    )  # fmt: skip
    yield _finding(claim, message, None)


def _finding(claim: PointsClaim, message: Text, bound: Bounds | None) -> Finding:
    span = claim.statement.span_of(claim.statement.items[1])
    if bound is None:
        return Finding(RULE, Severity.ERROR, message, span, player=claim.player)
    help_lines = (bound.because,) if bound.because else ()
    return Finding(
        RULE,
        Severity.ERROR,
        message,
        span,
        bound.cite,
        help_lines,
        player=claim.player,
        ruling=bound.ruling,
    )
