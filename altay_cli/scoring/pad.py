"""The scores of a score pad: a result without the game, so that what it says is all there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, islice

from altay_cli.base.translations import listed, phrase
from altay_cli.match.state import State
from altay_cli.pack.model import Pack
from altay_cli.scoring.outcomes import MAX_OUTCOMES, Outcomes, PossibleStanding
from altay_cli.scoring.score import CategoryScore, End, PlayerScore, TeamScore, ranking

MAX_TRIED = 1_000
"""The maximum number of sets of players of whom it is asked whether they can have won."""

Given = Mapping[tuple[str, str | None], int]
"""The points that are written down, by player and category; without a category, in all."""

Ranks = tuple[tuple[str, ...], ...]
"""The names of players, equals together, the best first."""


def padded(state: State, names: Sequence[str], given: Given, end: End | None) -> Outcomes:
    """Return the scores that are given: several, where ranks depend on what is not.

    Args:
        state: a state of the game, which nobody plays.
        names: the players in their order.
        given: their points.
        end: who has won and lost as the table has it, if it says so. That is believed where the
            rules do not go by points alone.

    """
    players = tuple(_player(state, name, given) for name in names)
    if not by_points(state.pack) or len(names) < state.pack.least:
        standing = ranking(state, players, _sides(players), end)
        return Outcomes((PossibleStanding((), standing),), complete=end is not None)
    rows = [_row(state, player) for player in players]
    found: dict[Ranks, PossibleStanding] = {}
    sets = chain.from_iterable(combinations(range(len(rows)), n + 1) for n in range(len(rows)))
    for chosen in islice(sets, MAX_TRIED):
        filled = zip(*_filled(rows, chosen), strict=True)
        tried = tuple(one._replace(ranked=row) for one, row in zip(players, filled, strict=True))
        standing = ranking(state, tried, _sides(tried), None)
        whom = listed(state.language, [names[number] for number in chosen])
        assumed = phrase(state.language, "what is not given speaks for {names}", names=whom)
        found.setdefault(standing.ranking, PossibleStanding((assumed,), standing))
    outcomes = tuple(found.values())
    if len(outcomes) == 1:
        return Outcomes((PossibleStanding((), outcomes[0].standing),))
    return Outcomes(outcomes[:MAX_OUTCOMES], complete=len(outcomes) <= MAX_OUTCOMES)


def by_points(pack: Pack) -> bool:
    """Return whether points alone tell who has won."""
    return not (pack.endings or pack.ranking or pack.teams) and bool(pack.categories)


def _player(state: State, name: str, given: Given) -> PlayerScore:
    """Return what is given of a player; a total only where not all that it sums up is there."""
    scores = []
    for category in state.pack.categories:
        points = given.get((name, category.id))
        scores.append(CategoryScore(category, points or 0, (), None, points is None))
    player = PlayerScore(name, None, tuple(scores), ())
    told = player.unrecorded or not scores
    return player._replace(given=given.get((name, None))) if told else player


def _sides(players: Sequence[PlayerScore]) -> tuple[TeamScore, ...]:
    return tuple(TeamScore("", (one.player,), one.total, one.order()) for one in players)


def _row(state: State, player: PlayerScore) -> list[int | None]:
    """Return what a player is ranked by, the total first; None for what is not given."""
    by_id = {one.category.id: one for one in player.categories}
    ties = [by_id[ident] for ident in state.pack.ties]
    return [
        None if player.unrecorded else player.total,
        *(None if one.unrecorded else one.points for one in ties),
    ]


def _filled(rows: Sequence[Sequence[int | None]], chosen: Sequence[int]) -> Iterator[list[int]]:
    """Yield columns of numbers in which what is not given is best for some of the players."""
    for column in zip(*rows, strict=True):
        known = [number for number in column if number is not None]
        theirs = [number for i, number in enumerate(column) if i in chosen and number is not None]
        most = max(theirs) if theirs else max(known, default=0) + 1
        least = min(known, default=0) - 1
        yield [
            number if number is not None else most if i in chosen else least
            for i, number in enumerate(column)
        ]
