"""The possible scores of a log that leaves open something they depend on.

Where they read what lies hidden in bags, all that may lie there by what is recorded is gone
through. What else can be open, the rules declare (``assumptions``): for each of some things a list
of what it may have been. Every combination is carried out on the state, scored, and taken back.

Of a score pad, a result without the game, what it says is all there is.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, islice
from typing import Any, NamedTuple

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
"""The points that are written down, by player and category; without a category, in all."""


class PossibleStanding(NamedTuple):
    """The scores if something is so that nobody recorded: what, in words, for each that is open."""

    assumed: tuple[str, ...]
    standing: Standing


class Outcomes(NamedTuple):
    """All possible scores: one outcome or more, the one with the fewest assumptions first.

    ``complete`` is false if there are more than are listed; ``fault`` says why the rules cannot
    tell what is open. If all were gone through, ``totals`` are the least and the most that each
    player can have, and ``sure`` who wins in all of them.
    """

    all: tuple[PossibleStanding, ...]
    complete: bool = True
    fault: str | None = None
    totals: Mapping[str, tuple[int, int]] = {}
    sure: tuple[str, ...] = ()

    @property
    def first(self) -> Standing:
        """The scores with the least assumed."""
        return self.all[0].standing

    def __repr__(self) -> str:
        return short_repr(self, outcomes=len(self.all), complete=self.complete, first=self.first)

    def to_dict(self) -> dict[str, object]:
        """Return the scores as ``Standing`` does, and what else they may be.

        What is not the same in all outcomes is empty.
        """
        first, places = self.first, ranks(self)
        document = first.to_dict()
        if not self.open:
            return document
        same = all(one.standing.decided_by == first.decided_by for one in self.all)
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
                    "assumed": list(one.assumed),
                    "scores": points_of(one.standing),
                    "winners": list(one.standing.winners),
                }
                for one in self.all
            ],
            "outcomes_complete": None if self.complete else False,
            "totals": None if self.complete else self.totals,
        }
        return {**{key: document.pop(key) for key in NO_SCORES}, **filled(document)}

    @property
    def open(self) -> bool:
        """Whether the scores depend on what is not recorded."""
        return len(self.all) > 1 or not self.complete

    @property
    def winners(self) -> tuple[str, ...]:
        """Who wins whatever is assumed; nobody if that is open."""
        if not self.complete:
            return self.sure
        return tuple(
            name
            for name in self.first.winners
            if all(name in outcome.standing.winners for outcome in self.all)
        )


def ranks(outcomes: Outcomes) -> dict[str, int]:
    """Return the rank of each player, equals together; none where the log leaves them open."""
    first = outcomes.first
    agreed = outcomes.complete and all(o.standing.ranking == first.ranking for o in outcomes.all)
    return first.ranks if agreed else {}


NO_SCORES: Mapping[str, object] = {
    "scores": {}, "rows": [], "ranking": [], "winners": [], "decided_by": None,
}  # fmt: skip
"""What is said of scores where nothing can be counted."""


def outcomes(state: State) -> Outcomes:
    """Score a state for all that its log leaves open; the state is the same afterwards."""
    search = _Assuming(state)
    account = Account(limits.SCORE_STEPS, "scoring this game", within=state.account)
    try:
        with state.trying(), state.paid_by(account):
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
        tuple(None if one.unrecorded else one.points for one in player.categories)
        for player in standing.players
    )


class _Assuming:
    """Goes through all combinations of assumptions, one after the other."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.found: list[PossibleStanding] = []
        self.complete = True
        self.cut = False
        """Whether not even all were gone through."""
        self.totals: dict[str, tuple[int, int]] = {}
        self.sure: tuple[str, ...] = ()
        self._told: set[Hashable] = set()

    def explore(
        self,
        number: int = 0,
        left: Sequence[object] = (),
        assumed: tuple[str, ...] = (),
        depth: int = 0,
    ) -> None:
        """Find all outcomes; ``left`` is what the assumption before ``number`` still leaves open.

        ``depth`` counts what has been assumed. The first of ``left`` is all that it may be in turn;
        where nothing is left, the scores are found for all that may be hidden where they look.
        """
        state, declared = self.state, self.state.pack.assumptions
        while not left and number < len(declared):
            left = self._list(declared[number].each[1], {})[: limits.MAX_OPEN + 1]
            number += 1
        if not left or depth >= limits.MAX_OPEN:
            self.cut = self.cut or bool(left)
            self._told.clear()
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
            with state.supposing():
                inner = {**values, assumption.choices[0]: choice}
                # Where only one thing is possible, nothing is assumed.
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
        """Take note of an outcome; what is hidden and makes no difference is none of its own."""
        if isinstance(standing, Depends):
            self.cut = True
            standing = score(self.state)
        first = not self.totals
        for player in standing.players:
            least, most = self.totals.get(player.player, (player.total, player.total))
            self.totals[player.player] = min(least, player.total), max(most, player.total)
        winners = standing.winners
        self.sure = winners if first else tuple(one for one in self.sure if one in winners)
        key = _points(standing), standing.ranking, standing.winners, standing.losers
        if key in self._told:
            return
        self._told.add(key)
        self.complete = self.complete and len(self.found) < limits.MAX_OUTCOMES
        if self.complete:
            hidden = [text for one in supposed for text in self._words(one)]
            self.found.append(PossibleStanding((*assumed, *hidden), standing))

    def _words(self, one: Supposing) -> list[str]:
        """Say what is supposed, by what was named if that tells it."""
        language, words = self.state.language, self.state.words
        if one.means:
            meant = "line {line} means {thing}"
            return [
                phrase(language, meant, line=like.line, thing=words.name(thing))
                for like, thing in one.means.items()
            ]
        places = " + ".join(dict.fromkeys(filter(None, map(self._place, one.where))))
        things = one.content.things
        if len(one.where) > 1:
            # What lies there in any case tells nothing.
            common = {i: min(other.things.get(i, 0) for other in one.contents) for i in things}
            things = Bag({i: n - common[i] for i, n in things.items() if n > common[i]}) or things
        return [phrase(language, "{place}: {things}", place=places, things=words.text(things))]

    def _place(self, place: int) -> str:
        """Return the title of the zone that a place belongs to, and whose it is."""
        state = self.state
        for zone in state.pack.zones:
            for keys, one in state.places(zone.index):
                held = state.cells[one]
                here = held if isinstance(held, Bag) else ()
                if one == place or any(
                    isinstance(i, Placeholder) and i.cell == place for i in here
                ):
                    name = state.words.word(zone.title)
                    for key in keys:
                        name = Text("{first}, {rest}", first=state.words.name(key), rest=name)
                    return name
        return ""


# ---------------------------------------------------------------- score pads


def padded(state: State, names: Sequence[str], given: Given, end: End | None) -> Outcomes:
    """Return the scores that are given: several, where ranks depend on what is not.

    ``state`` is one of the game, which nobody plays; ``names`` are the players in their order.
    ``end`` is who has won and lost as the table has it, if it says so: that is believed where the
    rules do not go by points alone.
    """
    players = tuple(_player(state, name, given) for name in names)
    if not by_points(state.pack) or len(names) < state.pack.least:
        standing = ranking(state, players, end)
        return Outcomes((PossibleStanding((), standing),), complete=end is not None)
    # What each is ranked by, the total first; None for what is not given.
    rows: list[list[int | None]] = []
    for one in players:
        told = {c.category.id: None if c.unrecorded else c.points for c in one.categories}
        total = None if one.unrecorded else one.total
        rows.append([total, *(told[ident] for ident in state.pack.ties)])
    found: dict[tuple[tuple[str, ...], ...], PossibleStanding] = {}
    sets = chain.from_iterable(combinations(range(len(rows)), n + 1) for n in range(len(rows)))
    for chosen in islice(sets, limits.MAX_TRIED):
        filled = zip(*_filled(rows, chosen), strict=True)
        tried = tuple(one._replace(ranked=row) for one, row in zip(players, filled, strict=True))
        standing = ranking(state, tried, None)
        whom = listed(state.language, [names[number] for number in chosen])
        assumed = phrase(state.language, "what is not given speaks for {names}", names=whom)
        found.setdefault(standing.ranking, PossibleStanding((assumed,), standing))
    outcomes = tuple(found.values())
    if len(outcomes) == 1:
        return Outcomes((PossibleStanding((), outcomes[0].standing),))
    return Outcomes(outcomes[: limits.MAX_OUTCOMES], complete=len(outcomes) <= limits.MAX_OUTCOMES)


def by_points(pack: Pack) -> bool:
    """Return whether points alone tell who has won."""
    return not (pack.endings or pack.ranking or pack.teams) and bool(pack.categories)


def _player(state: State, name: str, given: Given) -> PlayerScore:
    """Return what is given of a player; a total only where not all that it sums up is there."""
    scores = tuple(
        CategoryScore(one, given.get((name, one.id), 0), (), None, (name, one.id) not in given)
        for one in state.pack.categories
    )
    player = PlayerScore(name, None, scores, ())
    told = player.unrecorded or not scores
    return player._replace(given=given.get((name, None))) if told else player


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
