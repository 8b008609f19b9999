"""Find the possible scores of a log that leaves something open.

Hidden contents are tried, and every combination of the ``assumptions`` of the rules: lists of what
some entities may have been. Each is applied to the state, scored and undone.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, islice
from math import inf
from typing import Any, NamedTuple, cast

from altay_cli.base.budget import Account
from altay_cli.base.findings import BudgetError, ExpressionError, Text, filled, short_repr
from altay_cli.base.translations import listed, phrase
from altay_cli.base.values import Bag, Placeholder
from altay_cli.hidden.knowledge import Supposed, Supposing
from altay_cli.hidden.queries import Depends
from altay_cli.match.state import State
from altay_cli.pack.model import Pack
from altay_cli.pack.words import reason
from altay_cli.scoring import limits
from altay_cli.scoring.bounds import UNBOUNDED, Bounds
from altay_cli.scoring.score import (
    CategoryScore,
    End,
    PlayerScore,
    Standing,
    points_of,
    ranking,
    score,
    wording,
)

Given = Mapping[tuple[str, str | None], int]
"""The recorded points by player and category; None is the category of the total."""


class PossibleStanding(NamedTuple):
    """Scores under assumptions, described in words."""

    assumed: tuple[str, ...]
    standing: Standing


class OpenTie(NamedTuple):
    """Players with equal points so far, whom a missing category would separate.

    category: its id; ``missing`` are those of the players whose points in it are not recorded.
    points: their total.
    """

    players: tuple[str, ...]
    points: int
    category: str
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as in `docs/json.md`."""
        return {
            "players": list(self.players),
            "points": self.points,
            "category": self.category,
            "missing": list(self.missing),
        }


class Outcomes(NamedTuple):
    """All possible scores, the one with the fewest assumptions first.

    complete: no outcome was left out.
    fault: why the rules cannot compute the alternatives.
    totals, sure: if complete, each player's least and greatest total, and who always wins.
    open_ties: of a score pad.
    """

    all: tuple[PossibleStanding, ...]
    complete: bool = True
    fault: str | None = None
    totals: Mapping[str, tuple[int, int]] = {}
    sure: tuple[str, ...] = ()
    open_ties: tuple[OpenTie, ...] = ()

    @property
    def first(self) -> Standing:
        """The scores with the fewest assumptions."""
        return self.all[0].standing

    def __repr__(self) -> str:
        return short_repr(self, outcomes=len(self.all), complete=self.complete, first=self.first)

    def to_dict(self) -> dict[str, object]:
        """Return the keys of ``Standing.to_dict`` and the alternatives.

        Keys that differ between outcomes are empty.
        """
        first, places = self.first, ranks(self)
        document = first.to_dict()
        if self.open_ties:
            document["open_ties"] = [tie.to_dict() for tie in self.open_ties]
        if not self.open:
            return document
        same = all(outcome.standing.decided_by == first.decided_by for outcome in self.all)
        scores = points_of(first)
        rows = [{"player": name, "rank": places.get(name), **of} for name, of in scores.items()]
        document |= {
            "rows": rows,
            "ranking": document["ranking"] if places else [],
            "winners": list(self.winners),
            "decided_by": first.decided_by if same and self.complete else None,
            "by": None,
            "losers": [],
            "outcomes": [
                {
                    "assumed": list(outcome.assumed),
                    "scores": points_of(outcome.standing),
                    "winners": list(outcome.standing.winners),
                }
                for outcome in self.all
            ],
            "outcomes_complete": None if self.complete else False,
            "totals": None if self.complete else self.totals,
        }
        return {**{key: document.pop(key) for key in NO_SCORES}, **filled(document)}

    @property
    def open(self) -> bool:
        """Whether the scores depend on unrecorded facts."""
        return len(self.all) > 1 or not self.complete

    @property
    def open_win(self) -> OpenTie | None:
        """The tie of a score pad that decides who wins, if all totals are known."""
        tie = next(iter(self.open_ties), None)
        if tie is None or any(player.unrecorded for player in self.first.players):
            return None
        best = max(player.total for player in self.first.players)
        return tie if tie.points == best and not self.winners else None

    @property
    def winners(self) -> tuple[str, ...]:
        """Who wins in every outcome; empty if that is open."""
        if not self.complete:
            return self.sure
        return tuple(
            name
            for name in self.first.winners
            if all(name in outcome.standing.winners for outcome in self.all)
        )


def ranks(outcomes: Outcomes) -> dict[str, int]:
    """Return the rank of each player, unless it is open."""
    first = outcomes.first
    agreed = outcomes.complete and all(o.standing.ranking == first.ranking for o in outcomes.all)
    return first.ranks if agreed else {}


NO_SCORES: Mapping[str, object] = {
    "scores": {}, "rows": [], "ranking": [], "winners": [], "decided_by": None,
}  # fmt: skip


def outcomes(state: State) -> Outcomes:
    """Score a state for every possibility; the state is restored."""
    search = _OutcomeSearch(state)
    account = Account(limits.SCORE_STEPS, "scoring this game", within=state.account)
    try:
        with state.supposing(), state.paid_by(account):
            search.explore()
    except ExpressionError as error:
        if search.found and isinstance(error, BudgetError):
            return Outcomes(tuple(search.found), complete=False)
        return Outcomes((PossibleStanding((), score(state)),), fault=reason(error, state.pack))
    standings = tuple(search.found)
    if search.cut:
        return Outcomes(standings, complete=False)
    if search.complete and len({_points(outcome.standing) for outcome in standings}) == 1:
        standings = (PossibleStanding((), standings[0].standing),)
    return Outcomes(standings, search.complete, None, search.totals, search.sure)


def _points(standing: Standing) -> Hashable:
    return tuple(
        tuple(None if category.unrecorded else category.points for category in player.categories)
        for player in standing.players
    )


class _OutcomeSearch:
    def __init__(self, state: State) -> None:
        self.state = state
        self.found: list[PossibleStanding] = []
        self.complete = True
        self.cut = False
        self.totals: dict[str, tuple[int, int]] = {}
        self.sure: tuple[str, ...] = ()
        self._seen: set[Hashable] = set()

    def explore(
        self,
        number: int = 0,
        left: Sequence[object] = (),
        assumed: tuple[str, ...] = (),
        depth: int = 0,
    ) -> None:
        """Find all outcomes by recursion over assumptions and their entities.

        left: the entities for which assumption ``number - 1`` is open.
        """
        state, declared = self.state, self.state.pack.assumptions
        while not left and number < len(declared):
            left = self._list(declared[number].each[1], {})[: limits.MAX_OPEN + 1]
            number += 1
        if not left or depth >= limits.MAX_OPEN:
            self.cut = self.cut or bool(left)
            self._seen.clear()
            state.hidden.suppose(self._standing, partial(self._add, assumed))
            return
        assumption = declared[number - 1]
        values = {assumption.each[0]: left[0]}
        choices = self._list(assumption.choices[1], values)
        if not choices:
            self.explore(number, left[1:], assumed, depth + 1)
        for choice in choices:
            if len(self.found) >= limits.MAX_OUTCOMES:
                self.cut = True
                return
            with state.journal.supposing():
                inner = {**values, assumption.choices[0]: choice}
                # A single choice is no assumption.
                shown = (str(wording(state, assumption.show, inner)),) if len(choices) > 1 else ()
                state.grant()
                assumption.does.fn(state, inner)
                self.explore(number, left[1:], (*assumed, *shown), depth + 1)

    def _list(self, items: Any, values: Mapping[str, object]) -> list[object]:
        self.state.grant()
        return list(items.fn(self.state, dict(values)))

    def _standing(self) -> Standing:
        self.state.grant()
        standing = score(self.state)
        self.state.grant()
        return standing

    def _add(
        self, assumed: tuple[str, ...], standing: Standing | Depends, supposed: Supposed
    ) -> None:
        if isinstance(standing, Depends):
            self.cut = True
            standing = score(self.state)
        first = not self.totals
        for player in standing.players:
            least, most = self.totals.get(player.player, (player.total, player.total))
            self.totals[player.player] = min(least, player.total), max(most, player.total)
        winners = standing.winners
        self.sure = winners if first else tuple(player for player in self.sure if player in winners)
        key = _points(standing), standing.ranking, standing.winners, standing.losers
        if key in self._seen:
            return
        self._seen.add(key)
        self.complete = self.complete and len(self.found) < limits.MAX_OUTCOMES
        if self.complete:
            hidden = [text for supposition in supposed for text in self._words(supposition)]
            self.found.append(PossibleStanding((*assumed, *hidden), standing))

    def _words(self, supposition: Supposing) -> list[str]:
        language, words = self.state.language, self.state.words
        if supposition.means:
            template = "line {line} means {thing}"
            return [
                phrase(language, template, line=like.line, thing=words.name(thing))
                for like, thing in supposition.means.items()
            ]
        places = " + ".join(dict.fromkeys(filter(None, map(self._place_title, supposition.where))))
        things = supposition.content.things
        if len(supposition.where) > 1:
            # Omit what every alternative contains.
            common = {
                i: min(contents.things.get(i, 0) for contents in supposition.contents)
                for i in things
            }
            things = Bag({i: n - common[i] for i, n in things.items() if n > common[i]}) or things
        return [phrase(language, "{place}: {things}", place=places, things=words.text(things))]

    def _place_title(self, place: int) -> str:
        state = self.state
        for zone in state.pack.zones:
            for keys, cell in state.zones.places(zone.index):
                contents = state.cells[cell]
                entities = contents if isinstance(contents, Bag) else ()
                if cell == place or any(
                    isinstance(i, Placeholder) and i.cell == place for i in entities
                ):
                    name = state.words.word(zone.title)
                    for key in keys:
                        name = Text("{first}, {rest}", first=state.words.name(key), rest=name)
                    return name
        return ""


# ---------------------------------------------------------------- score pads


def pad_outcomes(
    state: State,
    names: Sequence[str],
    given: Given,
    end: End | None,
    bounds: Mapping[str, Bounds],
) -> Outcomes:
    """Return the outcomes of a score pad: several if ranks depend on missing points.

    state: unplayed; only its rules matter.
    end: used if points alone do not decide.
    bounds: by category.
    """
    players = tuple(_pad_score(state, name, given) for name in names)
    if not by_points(state.pack) or len(names) < state.pack.least:
        standing = ranking(state, players, end)
        return Outcomes((PossibleStanding((), standing),), complete=end is not None)
    # Total and tie-breakers of each player; a range if missing.
    rows = [_row(player, state.pack.ties, bounds) for player in players]
    found: dict[tuple[tuple[str, ...], ...], PossibleStanding] = {}
    sets = chain.from_iterable(combinations(range(len(rows)), n + 1) for n in range(len(rows)))
    for chosen in islice(sets, limits.MAX_TRIED):
        filled = zip(*_favouring_columns(rows, chosen), strict=True)
        tried = tuple(
            player._replace(ranked=row) for player, row in zip(players, filled, strict=True)
        )
        standing = ranking(state, tried, None)
        whom = listed(state.language, [names[number] for number in chosen])
        assumed = phrase(
            state.language,
            "all unrecorded categories are as good as possible for {names}",
            names=whom,
        )
        found.setdefault(standing.ranking, PossibleStanding((assumed,), standing))
    outcomes = tuple(found.values())
    ties = tuple(_open_ties(names, rows, ("", *state.pack.ties)))
    if len(outcomes) == 1:
        return Outcomes((PossibleStanding((), outcomes[0].standing),), open_ties=ties)
    complete = len(outcomes) <= limits.MAX_OUTCOMES
    return Outcomes(outcomes[: limits.MAX_OUTCOMES], complete=complete, open_ties=ties)


_Range = tuple[float, float]
"""The least and the most that a missing number can be, perhaps infinite."""


def total_range(player: PlayerScore, bounds: Mapping[str, Bounds], without: str = "") -> _Range:
    """Return the least and the most that the categories of a player add up to.

    without: the id of a category to leave out.
    """
    ranges = [
        _range(score, bounds)
        for score in player.categories
        if score.category.counts and score.category.id != without
    ]
    return sum(low for low, _ in ranges), sum(high for _, high in ranges)


def _range(score: CategoryScore, bounds: Mapping[str, Bounds]) -> _Range:
    if not score.unrecorded:
        return score.points, score.points
    found = bounds.get(score.category.id, UNBOUNDED)
    return (
        -inf if found.least is None else found.least,
        inf if found.most is None else found.most,
    )


def _row(
    player: PlayerScore, ties: Sequence[str], bounds: Mapping[str, Bounds]
) -> list[int | _Range]:
    by_id = {score.category.id: score for score in player.categories}
    row: list[int | _Range] = [
        total_range(player, bounds) if player.unrecorded else player.total,
    ]
    for ident in ties:
        score = by_id[ident]
        least, most = _range(score, bounds)
        if score.unrecorded and score.category.counts and not player.unrecorded:
            # It makes up the rest of the total.
            low, high = total_range(player, bounds, without=ident)
            least, most = max(least, player.total - high), min(most, player.total - low)
        row.append((least, most) if least < most else int(least))
    return row


def _open_ties(
    names: Sequence[str], rows: Sequence[Sequence[int | _Range]], columns: Sequence[str]
) -> Iterator[OpenTie]:
    """Yield the ties that a missing number leaves open, of the best players first."""
    groups = [list(range(len(rows)))]
    for number, column in enumerate(columns):
        further: list[list[int]] = []
        for group in groups:
            missing = [seat for seat in group if not isinstance(rows[seat][number], int)]
            if number and missing:
                yield OpenTie(
                    tuple(names[seat] for seat in group),
                    cast("int", rows[group[0]][0]),
                    column,
                    tuple(names[seat] for seat in missing),
                )
                continue
            equal: dict[int, list[int]] = {}
            for seat in set(group).difference(missing):
                equal.setdefault(cast("int", rows[seat][number]), []).append(seat)
            further += [sorted(equal[points]) for points in sorted(equal, reverse=True)]
        groups = [group for group in further if len(group) > 1]


def by_points(pack: Pack) -> bool:
    """Return True if points alone decide who wins."""
    return not (pack.endings or pack.ranking or pack.teams) and bool(pack.categories)


def _pad_score(state: State, name: str, given: Given) -> PlayerScore:
    scores = tuple(
        CategoryScore(
            category, given.get((name, category.id), 0), (), None, (name, category.id) not in given
        )
        for category in state.pack.categories
    )
    player = PlayerScore(name, None, scores, ())
    has_gaps = player.unrecorded or not scores
    return player._replace(given=given.get((name, None))) if has_gaps else player


def _favouring_columns(
    rows: Sequence[Sequence[int | _Range]], chosen: Sequence[int]
) -> Iterator[list[int]]:
    """Yield each column of numbers, with gaps filled in favour of the chosen players.

    A gap becomes the best number for a chosen player, or the worst for another, within its range.
    """
    for column in zip(*rows, strict=True):
        known = [number for number in column if isinstance(number, int)]
        chosen_points = [
            number for i, number in enumerate(column) if i in chosen and isinstance(number, int)
        ]
        most = max(chosen_points) if chosen_points else max(known, default=0) + 1
        least = min(known, default=0) - 1
        yield [
            number if isinstance(number, int) else _nearest(most if i in chosen else least, number)
            for i, number in enumerate(column)
        ]


def _nearest(wanted: int, within: _Range) -> int:
    return int(max(within[0], min(within[1], wanted)))
