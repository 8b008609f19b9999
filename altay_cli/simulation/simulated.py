"""Simulate games; the result is a pure function of a plan and a number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from altay_cli.base.budget import Account
from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import ExpressionError, Text
from altay_cli.base.garbage import postpone_collection
from altay_cli.base.values import Entity
from altay_cli.checking.errors import GameError, IllegalMove
from altay_cli.checking.opening import new_game
from altay_cli.checking.playing import Game
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.pack.model import Pack, Policy
from altay_cli.pack.plans import Plan, linked_plans
from altay_cli.scoring.score import PlayerScore, Standing
from altay_cli.simulation import limits
from altay_cli.simulation.measuring import Measures, Side, ending_of

# ---------------------------------------------------------------- policies

RANDOM = "random"
GREEDY = "greedy"
"""Gives every player a random policy of the pack."""


def policy_names(pack: Pack) -> list[str]:
    """Return the policies; a pack may define one called `greedy`."""
    return [*dict.fromkeys((RANDOM, GREEDY, *pack.policies))]


def choose(state: State, moves: Sequence[Move], policy: Policy | None, random: Random) -> Move:
    """Return one of the ``moves``; without a policy, at random.

    The kind of move is drawn first, so kinds with very many moves do not dominate.
    """
    if policy is None:
        kind = random.choice(sorted({move.kind for move in moves}))
        return random.choice([move for move in moves if move.kind == kind])
    state.memo.clear()
    plans = state.pack.cached(linked_plans)
    worths = [worth(state, move, policy, plans[move.definition.id]) for move in moves]
    best = max(worths)
    return random.choice([m for m, value in zip(moves, worths, strict=True) if value == best])


def worth(state: State, move: Move, policy: Policy, plan: Plan) -> int:
    """Return what ``playouts.yaml`` makes a move worth, or the default."""
    worth_of = plan.worths.get(policy.id)
    if worth_of is None:
        return policy.otherwise
    try:
        state.grant(limits.WORTH_STEPS)
        value = worth_of(state, move.values)
    except ExpressionError:
        return policy.otherwise
    return value if isinstance(value, int) else policy.otherwise


def is_sought(move: Move, sought: Set[str]) -> bool:
    """Return True if a move, or a thing that it names, is among the ``sought`` ids."""
    if move.id in sought:
        return True
    things = (value for value in move.values.values() if isinstance(value, Entity))
    return any(t.id in sought or (t.parent and t.parent.id in sought) for t in things)


# ---------------------------------------------------------------- playouts

NOT_SET_UP = "the setup fails: {reason}"
UNFINISHED = (
    "not over after 1 round",
    "not over after {count} rounds",
    "not over after {count} moves",
)
"""Endings of games that reach a limit."""
TOO_MANY_STEPS = "the rules take too many steps"
ENDED = "its process was ended, or ran out of memory"
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


@dataclass(frozen=True, slots=True)
class PlayPlan:
    """What to play: the same plan and number always give the same game.

    tags: written to the logs (``("Variant", "trading")``); variant files are in ``folder``.
    max_rounds, max_moves, steps: where a game is given up.
    keep: return the logs.
    sought: ids of moves and things; a move of these, or with one of these, is mostly preferred.
    """

    pack: str
    players: int
    policies: tuple[str, ...]
    seed: int
    tags: tuple[tuple[str, str], ...] = ()
    folder: Path | None = None
    max_rounds: int = 100
    max_moves: int = 5_000
    keep: bool = False
    steps: int = limits.GAME_STEPS
    sought: frozenset[str] = frozenset()


@dataclass(slots=True)
class Playout:
    """The result of one game after ``steps`` steps; ``end`` says why it ended.

    In a recorded game, ``rounds``, ``moves`` and ``decided_by`` are None if unrecorded.
    """

    number: int
    ended: bool
    end: str
    rounds: int | None = 0
    moves: int | None = 0
    decided_by: str | None = None
    sides: list[Side] = field(default_factory=list)
    log: str | None = None
    steps: int = 0


@mypyc_attr(allow_interpreted_subclasses=True)
class Watch:
    """Observes simulated games, and must not change them."""

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Observe the legal moves."""

    def on_move(self, game: Game, move: Move) -> None:
        """Observe a move that was made."""

    def on_stuck(self, game: Game, failed: Sequence[tuple[Move, IllegalMove]]) -> None:
        """Observe that no move is possible; the legal ones ``failed``."""

    def on_score(self, game: Game, standing: Standing) -> None:
        """Observe the score of a game that has ended or was given up."""


def playout(plan: PlayPlan, number: int, watch: Watch | None = None) -> Playout:
    """Play game ``number`` of a plan; mistakes in the rules raise nothing."""
    return _Simulation(plan, number, watch or Watch()).run()


class _Simulation:
    def __init__(self, plan: PlayPlan, number: int, watch: Watch) -> None:
        self.plan = plan
        self.watch = watch
        self.number = number
        self.random = Random(f"{plan.seed}/{number}/policies")  # noqa: S311 - needs no secrets
        further = (f"Player {seat}" for seat in range(len(NAMES) + 1, plan.players + 1))
        self.names = [*NAMES[: plan.players], *further]
        self.policies: dict[str, str] = {}
        self.measures: Measures
        # By player.
        self.made: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.moves = 0
        self.account = Account(plan.steps, "this game")
        self.game: Game

    @postpone_collection()
    def run(self) -> Playout:
        plan = self.plan
        try:
            self.game = new_game(
                plan.pack,
                self.names,
                seed=f"{plan.seed}/{self.number}",
                tags=(*plan.tags, ("Event", "simulated"), ("Round", str(self.number))),
                folder=plan.folder,
                choose=self._make_opening_choice,
            )
        except GameError as error:
            return Playout(self.number, False, Text(NOT_SET_UP, reason=error))
        self._deal(self.game.pack)
        self.game.state.account = self.account
        return self._play()

    def _deal(self, pack: Pack) -> None:
        """Give every player a policy when one is first needed.

        Policies repeat, and rotate by a seat from game to game, so none always begins.
        """
        if self.policies:
            return
        self.measures = Measures(pack)
        named, styles = self.plan.policies, list(pack.policies)
        for seat, player in enumerate(self.names):
            name = named[(seat + self.number) % len(named)]
            greedy = name == GREEDY and styles
            self.policies[player] = self.random.choice(styles) if greedy else name

    def _make_opening_choice(self, state: State, moves: Sequence[Move]) -> Move:
        self._deal(state.pack)
        actor = moves[0].actor
        policy = state.pack.policies.get(self.policies.get(actor.id, "")) if actor else None
        move = choose(state, moves, policy, self.random) if moves[1:] else moves[0]
        counts = self.measures.counts(state, move.id, move.values)
        self.measures.counted[actor.id if actor else ""].update(counts)
        return move

    def _play(self) -> Playout:
        end, game = None, self.game
        while end is None and not game.ended:
            end = self._move()
        if end is not None and self.account.left < 0:
            # The first failure causes any later one.
            end, self.measures.fault = TOO_MANY_STEPS, None
        steps = self.plan.steps - self.account.left
        self.account.left = limits.GAME_STEPS  # scoring gets a budget of its own
        standing = game.score()
        self.watch.on_score(game, standing)
        sides = [self._side(player, standing) for player in standing.players]
        faults = [
            Text(
                "{title} cannot be computed: {reason}",
                title=category.category.title,
                reason=category.fault,
            )
            for player in standing.players
            for category in player.categories
            if category.fault is not None
        ]
        end = faults[0] if faults else self.measures.fault or end
        log = self._log(standing, end) if self.plan.keep else None
        why = end or ending_of(game.state, standing)
        by = standing.decided_by
        return Playout(self.number, end is None, why, game.round, self.moves, by, sides, log, steps)

    def _move(self) -> str | None:
        game, plan = self.game, self.plan
        if game.round > plan.max_rounds:
            return Text.plural(plan.max_rounds, UNFINISHED[0], UNFINISHED[1])
        if self.moves >= plan.max_moves:
            return Text(UNFINISHED[2], count=f"{plan.max_moves:,}")
        if self.account.left < 0:
            return TOO_MANY_STEPS
        player = str(game.player)
        policy = game.pack.policies.get(self.policies.get(player, ""))
        moves = game.candidates()
        self.watch.on_listing(game, moves)
        failed: list[tuple[Move, IllegalMove]] = []
        while moves:
            self.account.left -= limits.CHOICE_STEPS * len(moves)
            if self.account.left < 0:
                return TOO_MANY_STEPS
            move = self._choose(moves, policy)
            counts = self.measures.counts(game.state, move.id, move.values)
            try:
                game.apply(move)
            except IllegalMove as error:
                # Effects that fail are a mistake in the rules.
                moves = [other for other in moves if other is not move]
                failed.append((move, error))
            else:
                self.moves += 1
                self.measures.counted[player].update(counts)
                self.made[player][move.id] += 1
                self.watch.on_move(game, move)
                return None
        self.watch.on_stuck(game, failed)
        return f"the rules fail: {failed[-1][1]}" if failed else "there is no legal move"

    def _choose(self, moves: Sequence[Move], policy: Policy | None) -> Move:
        if len(moves) == 1:
            return moves[0]
        if self.plan.sought and self.random.random() < limits.SEEKING:
            moves = [move for move in moves if is_sought(move, self.plan.sought)] or moves
        return choose(self.game.state, moves, policy, self.random)

    def _side(self, player: PlayerScore, standing: Standing) -> Side:
        state = self.game.state
        me = next(candidate for candidate in state.players if candidate.id == player.player)
        side = Side(
            state.players.index(me) + 1,
            self.policies[me.id],
            player.total,
            1 / standing.sides if me.id in standing.winners else 0.0,
            {score.category.id: score.points for score in player.categories},
            made=dict(self.made[me.id]),
        )
        self.measures.measure(state, me, side)
        return side

    def _log(self, standing: Standing, end: str | None) -> str:
        lines = [self.game.log().rstrip("\n"), "", "result"]
        if end is not None:
            lines.insert(1, f"# given up: {end}")
        if any(c.fault is not None for player in standing.players for c in player.categories):
            return "\n".join([*lines[:2], ""])
        spell = self.game.speller
        for player in standing.players if self.game.pack.categories else ():
            lines.append(f"  {spell.player(player.player)}: score {player.total}")
        if end is None:
            word = "winner" if standing.winners else "loser" if standing.losers else "draw"
            names = map(spell.player, standing.winners or standing.losers)
            lines.append(f"  {word} {', '.join(names)}".rstrip())
        return "\n".join([*lines, ""])


def playouts(plan: PlayPlan, numbers: Sequence[int]) -> list[Playout]:
    """Play games of a plan, in the order of ``numbers``."""
    return [playout(plan, number) for number in numbers]
