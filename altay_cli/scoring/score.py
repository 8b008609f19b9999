"""Compute the scores of a state, derived part by part, and the ranking."""

# Annotations are not postponed: NamedTuple would compile each at import.

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import ExpressionError, UnrecordedError, filled, short_repr
from altay_cli.base.values import Entity
from altay_cli.match.state import State
from altay_cli.pack.model import NOTHING, Category, CategoryPart, Ending, Expr, Message, Pack
from altay_cli.pack.words import Wording, Words, reason
from altay_cli.scoring import limits


class ScoreLine(NamedTuple):
    """One part of a score.

    lost: the points that a cap took away.
    things, more: the counted entities, if the rules name them, and how many are not listed.
    key: the entity whose scoring rule this is.
    reckoning: how the points are computed, if not one per entity.
    """

    what: Wording
    points: int
    lost: int = 0
    things: tuple[object, ...] = ()
    more: int = 0
    key: Entity | None = None
    reckoning: Wording | None = None

    @property
    def how(self) -> str:
        """How the points are computed, in words, or empty."""
        return "" if self.reckoning is None else str(self.reckoning)

    @property
    def text(self) -> str:
        """The description in words."""
        return str(self.what)

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of the counted entities, and how many more."""
        names = tuple(map(self.what.words.text, self.things))
        return (*names, f"+ {self.more}") if self.more else names

    def __eq__(self, other: object) -> bool:
        """Compare by text: players of two games are never equal."""
        return isinstance(other, ScoreLine) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.what, self.points, self.lost, self.counted, self.key


class CategoryScore(NamedTuple):
    """The score of a player in a category."""

    category: Category
    points: int
    lines: tuple[ScoreLine, ...]
    fault: str | None = None
    """Why the category cannot be computed; it then counts nothing."""
    unrecorded: bool = False

    def __repr__(self) -> str:
        return short_repr(self, category=self.category.id, points=self.points)


class PlayerScore(NamedTuple):
    """The score of a player: all categories, and those that break ties.

    plays: what distinguishes the player, such as a colour.
    """

    player: str
    plays: Entity | None
    categories: tuple[CategoryScore, ...]
    ties: tuple[CategoryScore, ...]
    ranked: tuple[int, ...] | None = None
    """The values that the rules rank by instead of points, the greatest first."""
    given: int | None = None
    """The total as written, if categories are missing."""

    def __repr__(self) -> str:
        return short_repr(self, player=self.player, total=self.total)

    @property
    def total(self) -> int:
        """The sum of the categories that count, or the total as written."""
        if self.given is not None:
            return self.given
        return sum([score.points for score in self.categories if score.category.counts])

    @property
    def unrecorded(self) -> bool:
        """Whether the total depends on something unrecorded."""
        is_unrecorded = (score.unrecorded for score in self.categories if score.category.counts)
        return self.given is None and any(is_unrecorded)

    def order(self) -> tuple[int, ...]:
        """Return the sort key: total and tie-breakers, negated."""
        if self.ranked is not None:
            return tuple(-number for number in self.ranked)
        return (-self.total, *(-category.points for category in self.ties))


class TeamScore(NamedTuple):
    """Players who win together; ``order`` is the sort key."""

    name: str
    players: tuple[str, ...]
    total: int
    order: tuple[int, ...]


class Standing(NamedTuple):
    """The scores of all players by seat, and their ranking.

    plays: the title of what distinguishes the players, or "".
    ranking: names, ties together.
    decided_by: "total"; the id of the tie-breaking category, or its path such as `ranking.1`;
    "shared"; "outcome" for an end without points (``ending``, by the rule ``ended_by``); "open"
    before the end.
    winners, losers: both empty after a draw; losers only if the rules name them.
    teams: by seat.
    faults: by place in the rules, why a value cannot be computed.
    """

    players: tuple[PlayerScore, ...]
    words: Words
    plays: str
    ranking: tuple[tuple[str, ...], ...]
    winners: tuple[str, ...]
    decided_by: str
    ending: Wording | None = None
    ended_by: Ending | None = None
    losers: tuple[str, ...] = ()
    teams: tuple[TeamScore, ...] = ()
    faults: Mapping[str, str] = NOTHING

    def __repr__(self) -> str:
        totals = {player.player: player.total for player in self.players}
        return short_repr(self, totals=totals, winners=self.winners, decided_by=self.decided_by)

    def to_dict(self) -> dict[str, object]:
        """Return the scores and the ranking with the keys in `docs/json.md`."""
        scores, places = points_of(self), self.ranks
        rows = [{"player": name, "rank": places.get(name), **of} for name, of in scores.items()]
        return {
            "scores": scores,
            "rows": rows,
            "ranking": [list(names) for names in self.ranking],
            "winners": list(self.winners),
            "decided_by": self.decided_by,
            **filled({
                "by": self.by or None,
                "losers": list(self.losers),
                "teams": [
                    {"name": team.name, "players": list(team.players), "total": team.total}
                    for team in self.teams
                ],
            }),
        }  # fmt: skip

    def derivation(self) -> dict[str, object]:
        """Return the parts of every number, as in `docs/json.md`."""
        return {
            player.player: {
                score.category.id: [
                    {
                        "text": line.text,
                        "points": line.points,
                        "lost_to_cap": line.lost,
                        "counted": list(line.counted),
                        **filled({"how": line.how or None}),
                    }
                    for line in score.lines
                ]
                for score in player.categories
            }
            for player in self.players
        }

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the categories by id."""
        scores = self.players[0].categories
        return {score.category.id: self.words.word(score.category.title) for score in scores}

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each player from 1; ties share one."""
        ranks: dict[str, int] = {}
        for names in self.ranking:
            ranks.update(dict.fromkeys(names, len(ranks) + 1))
        return ranks

    @property
    def by(self) -> str:
        """What decided the game without points, in words."""
        return "" if self.ending is None else str(self.ending)

    @property
    def sides(self) -> int:
        """The number of winners, each team counted once."""
        alone = set(self.winners).difference(*(team.players for team in self.teams))
        return len(alone) + sum(not set(self.winners).isdisjoint(t.players) for t in self.teams)

    def of(self, player: str) -> PlayerScore:
        """Return the score of a player; raise KeyError for an unknown name."""
        return {score.player: score for score in self.players}[player]


def points_of(standing: Standing) -> dict[str, dict[str, int | None]]:
    """Return points by player and category; None if unrecorded."""
    return {
        player.player: {
            **{of.category.id: None if of.unrecorded else of.points for of in player.categories},
            "total": None if player.unrecorded else player.total,
        }
        for player in standing.players
    }


class End(NamedTuple):
    """The winners and losers of a game that points do not decide.

    by, ending: the reason in words and its rule.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    by: Wording | None = None
    ending: Ending | None = None


def score(state: State) -> Standing:
    """Score a state, perhaps before the end."""
    account = Account(limits.SCORE_STEPS, "scoring this game", within=state.account)
    faults: dict[str, str] = {}
    with state.paid_by(account), state.exact_evaluation():
        players = tuple(_score_player(state, player, faults) for player in state.players)
        teams = [
            _value(state, state.pack.teams, player, faults, "teams") for player in state.players
        ]
        end = _ended(state, faults)
    return ranking(state, players, end, teams, faults)


def ranking(
    state: State,
    players: tuple[PlayerScore, ...],
    end: End | None,
    teams: Sequence[object] | None = None,
    faults: Mapping[str, str] = NOTHING,
) -> Standing:
    """Rank players, in ``teams`` by seat; ``end`` overrides the points."""
    sides = _sides(state, players, teams or [None] * len(players))
    groups: dict[tuple[int, ...], list[TeamScore]] = {}
    for side in sorted(sides, key=lambda side: side.order):
        groups.setdefault(side.order, []).append(side)
    ranks = tuple(
        tuple(name for side in equals for name in side.players) for equals in groups.values()
    )
    standing = Standing(
        players,
        state.words,
        state.pack.kinds.get(
            next((player.plays.kind for player in players if player.plays), ""), ""
        ),
        ranks,
        ranks[0],
        _decided(state.pack, sides),
        teams=sides if state.pack.teams is not None else (),
        faults=faults,
    )
    if end is not None:  # a player wins or loses with the team
        teams_of = {name: side.players for side in sides for name in side.players}
        winners, losers = (
            tuple(player for player in teams_of if not set(teams_of[player]).isdisjoint(names))
            for names in (end.winners, end.losers)
        )
        others = tuple(entry.player for entry in players if entry.player not in winners)
        return standing._replace(
            ranking=tuple(names for names in (winners, others) if names),
            winners=winners,
            decided_by="outcome",
            ending=end.by,
            ended_by=end.ending,
            losers=losers,
        )
    if state.pack.endings and not state.pack.categories and not state.pack.ranking:
        return standing._replace(winners=(), decided_by="open")
    return standing


def _sides(
    state: State, players: Sequence[PlayerScore], teams: Sequence[object]
) -> tuple[TeamScore, ...]:
    sides: dict[tuple[str, str], list[PlayerScore]] = {}
    for player, team in zip(players, teams, strict=True):
        key = ("", player.player) if team is None else (state.words.text(team), "")
        sides.setdefault(key, []).append(player)
    return tuple(
        TeamScore(
            name,
            tuple(member.player for member in members),
            sum(member.total for member in members),
            tuple(map(sum, zip(*(member.order() for member in members), strict=True))),
        )
        for (name, _), members in sides.items()
    )


def _value(
    state: State, expr: Expr | None, player: Entity, faults: dict[str, str], path: str
) -> Any:
    try:
        state.grant()
        return None if expr is None else expr.fn(state, {"me": player})
    except ExpressionError as error:
        faults[path] = reason(error, state.pack)
        return None


def _ended(state: State, faults: dict[str, str]) -> End | None:
    def listed(expr: Expr | None) -> tuple[str, ...]:
        listed_players = expr.fn(state, {}) if expr is not None else []
        return tuple(player.id for player in state.players if player in listed_players)

    for number, ending in enumerate(state.pack.endings):
        try:
            state.grant()
            if ending.when.fn(state, {}):
                winners, losers = listed(ending.winners), listed(ending.losers)
                if ending.losers is not None and ending.winners is None:
                    winners = tuple(p.id for p in state.players if p.id not in losers)
                return End(winners, losers, wording(state, ending.by, {}), ending)
        except ExpressionError as error:
            faults[f"outcome.{number}"] = reason(error, state.pack)
    return None


def points(state: State) -> tuple[tuple[int | None, ...], ...]:
    """Return the points of each player in each category; None if unrecorded.

    Agrees with ``score``, in a third of the time; charges the current account.
    """
    numbers = range(len(state.pack.categories))
    with state.exact_evaluation():
        rows = [
            [_score_category(state, player, number, explained=False) for number in numbers]
            for player in state.players
        ]
    return tuple(tuple(None if score.unrecorded else score.points for score in row) for row in rows)


def _decided(pack: Pack, sides: Sequence[TeamScore]) -> str:
    best = min(side.order for side in sides)
    others = [side.order for side in sides if side.order != best]
    if len(sides) - len(others) > 1:
        return "shared"
    # The first number that separates the best from all others.
    at = max(
        (next(n for n, points in enumerate(best) if points != row[n]) for row in others), default=0
    )
    if not at:
        return "total"
    return f"ranking.{at}" if pack.ranking else pack.ties[at - 1]


def _score_player(state: State, player: Entity, faults: dict[str, str]) -> PlayerScore:
    categories = tuple(
        _score_category(state, player, number) for number in range(len(state.pack.categories))
    )
    by_id = {category.category.id: category for category in categories}
    faults |= {score.category.id: score.fault for score in categories if score.fault is not None}
    ties = tuple(by_id[ident] for ident in state.pack.ties)
    # A single entity, such as a colour, distinguishes a player; a position on a grid does not.
    others = {"player", *state.pack.grids}
    things = (
        state.zones.held(zone.index, player)
        for zone in state.pack.zones
        if zone.per == ("player",) and zone.shape == "entity" and zone.kind not in others
    )
    ranked = tuple(  # a fault counts as 0
        int(_value(state, expr, player, faults, f"ranking.{number}") or 0)
        for number, expr in enumerate(state.pack.ranking)
    )
    return PlayerScore(player.id, next(things, None), categories, ties, ranked or None)


def _score_category(
    state: State, player: Entity, number: int, *, explained: bool = True
) -> CategoryScore:
    lines: list[ScoreLine] = []

    def add_line(part: CategoryPart, values: Mapping[str, object], earned: int, lost: int) -> None:
        state.charge(limits.LINE_STEPS)
        things = part.counted.fn(state, values) if part.counted else []
        key = part.key.fn(state, values) if part.key else None
        lines.append(
            ScoreLine(
                wording(state, part.show, values),
                earned - lost,
                lost,
                tuple(things[: limits.MAX_LISTED]),
                max(len(things) - limits.MAX_LISTED, 0),
                key if isinstance(key, Entity) else None,
                wording(state, part.how, values) if part.how else None,
            )
        )

    total, fault, unrecorded = 0, None, False
    try:
        state.grant()
        total = state.pack.scorers[number](state, {"me": player}, add_line if explained else None)
    except UnrecordedError as error:
        fault, unrecorded = error.message, True
    except ExpressionError as error:
        fault = reason(error, state.pack)
    if abs(total) > limits.MAX_POINTS:
        total, fault = 0, f"{total:,} points are too many"
    return CategoryScore(state.pack.categories[number], total, tuple(lines), fault, unrecorded)


def wording(state: State, message: Message, values: Mapping[str, object]) -> Wording:
    """Return a text with its values; raise ExpressionError if one fails."""
    parts = [part if isinstance(part, str) else part.fn(state, values) for part in message.parts]
    return Wording(message, tuple(parts), state.words)
