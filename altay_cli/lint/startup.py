"""Start games with every number of players, to find early problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import Any

from altay_cli.base.budget import Account
from altay_cli.base.findings import (
    BudgetError,
    ExpressionError,
    Severity,
    Text,
    joined_by_semicolon,
    with_ellipsis,
)
from altay_cli.base.values import Entity
from altay_cli.lint import limits
from altay_cli.match.state import State
from altay_cli.moves.ability import Ability
from altay_cli.pack import model as m
from altay_cli.pack.words import as_template, reason
from altay_cli.scoring.bounds import evaluated, seated
from altay_cli.scoring.outcomes import outcomes
from altay_cli.source import limits as source_limits
from altay_cli.source.document import DataFinding, DataPath, fault
from altay_cli.source.folder import Tree, follow


def tables(pack: m.Pack) -> dict[str, tuple[int, Mapping[str, str]]]:
    """Return games to start: description, number of players, and options."""
    usual = {option.id: option.default for option in pack.options.values()}
    sizes = list(range(pack.least, pack.most + 1))
    # Large numbers of players show most problems.
    if len(sizes) > limits.MAX_SIZES:
        sizes = [*sizes[: limits.MAX_SIZES - 1], sizes[-1]]
    tried: dict[str, tuple[int, Mapping[str, str]]] = {
        Text.plural(size, "with one player", "with {count} players"): (size, usual)
        for size in sizes
    }
    for option in pack.options.values():
        usual_ones = {option.default, *option.variants}
        others = [value for value in option.values if value not in usual_ones]
        for value, size in product(others, sizes):
            players = Text.plural(size, "one player", "{count} players")
            template = "with {players} and {option} `{value}`"
            about = Text(template, players=players, option=option.id, value=value)
            tried[about] = size, {**usual, option.id: value}
    return dict([*tried.items()][: limits.MAX_TABLES])


class StartupChecks:
    """Starts games of a linked pack and checks them."""

    def __init__(self, tree: Tree, pack: m.Pack) -> None:
        self.tree = tree
        self.pack = pack
        self.problems: dict[tuple[str, DataPath], tuple[DataFinding, dict[str, None]]] = {}
        """Problems, each with the games that have it."""
        self.account = Account(limits.STARTUP_STEPS, "the start of a game")

    def run(self) -> Iterator[DataFinding]:
        """Start every game and yield the problems."""
        if self.pack.least > self.pack.most:
            template = (
                "no number of players is possible: the minimum is {least}, the maximum {most}"
            )
            path, least, most = ("players", "least"), self.pack.least, self.pack.most
            yield fault("no-players-possible", template, path, least=least, most=most)
        tried = tables(self.pack)
        for self.about, (players, options) in tried.items():
            if self.account.left >= 0:
                self._try_table(players, options)
        for wrong, about in self.problems.values():
            shown = (
                ()
                if len(about) == len(tried)
                else (joined_by_semicolon(with_ellipsis([*about], 3)),)
            )
            severity = wrong.severity
            if shown and self._is_meant(wrong):
                severity = Severity.NOTE
            yield wrong._replace(help=(*wrong.help, *shown), severity=severity)

    def _is_meant(self, wrong: DataFinding) -> bool:
        """Return True for what a game asks, if a variant breaks it at some tables only."""
        asked = {entry.rule for entry in self.pack.lints}
        return bool(self.tree.variants) and wrong.rule in asked and wrong.path[0] != "players"

    def _add(
        self, rule: str, message: str, path: DataPath, /, *help_lines: str, **values: Any
    ) -> None:
        wrong = fault(rule, message, path, *help_lines, **values)
        _, about = self.problems.setdefault((wrong.rule, wrong.path), (wrong, {}))
        about[self.about] = None

    def _try_table(self, players: int, options: Mapping[str, str]) -> None:
        self.state = State(self.pack, options, account=self.account, able=Ability)
        self.state.hidden.beliefs.likeliest_only = True  # accept any draw: rules must hold for it
        self._seat(players)
        for category in self.pack.categories:
            if (possible := category.possible) is not None:
                template = "`possible` cannot be computed: {reason}"
                path: DataPath = ("categories", category.id, "possible")
                self._succeeds(partial(self._check_possible, possible, path), template, path)
        if not self._apply_stages(self.pack.prepare, "prepare"):
            return
        for number, entry in enumerate(self.pack.lints):
            template = "this check of the rules fails: {reason}"
            self._succeeds(partial(self._ask, entry), template, ("lints", number))
        if self._apply_stages(self.pack.complete, "complete"):
            self._evaluate_status()

    def _check_possible(self, possible: m.PossiblePoints, path: DataPath) -> None:
        state = seated(self.state, [player.id for player in self.state.players])
        with state.paid_by(self.account):
            bound = evaluated(state, possible)
        if possible.values is not None and not bound.values:
            self._add("possible-points", "the list of possible points is empty", path)
        most = [limit for limit in (bound.most, bound.together) if limit is not None]
        if bound.least is not None and most and bound.least > min(most):
            template = "no points are possible: the least is {least}, the most {most}"
            self._add("possible-points", template, path, least=bound.least, most=min(most))

    def _succeeds(self, action: Callable[[], object], template: str, path: DataPath) -> bool:
        # A timeout would recur in every game, and was reported.
        if self.account.left < 0 or ("rule-budget", path) in self.problems:
            return False
        try:
            self.state.grant()
            action()
        except ExpressionError as error:
            rule = "rule-budget" if isinstance(error, BudgetError) else "rule-failure"
            self._add(rule, template, path, reason=reason(error, self.pack))
            return False
        return True

    def _seat(self, players: int) -> None:
        seating = (move for move in self.pack.moves if move.seat and "setup" in move.phases)
        move, state = next(seating, None), self.state
        for number in range(players):
            player = Entity("player", f"player {number + 1}", number)
            if move is not None:
                mark, path = state.journal.mark(), ("moves", move.id, "does")
                take = partial(_take_seat, move, player, number, state)
                if not self._succeeds(take, "a player cannot be seated: {reason}", path):
                    state.journal.undo(mark)
            if player not in state.players:
                state.zones.seat(player)

    def _apply_stages(self, stages: Sequence[m.SectionEffects], section: str) -> bool:
        template = "the setup cannot be carried out: {reason}"
        return all(
            self._succeeds(partial(stage.does.fn, self.state, {}), template, (section, number))
            for number, stage in sorted(enumerate(stages), key=lambda pair: pair[1].order)
            if "setup" in stage.phases
        )

    def _ask(self, entry: m.Lint) -> None:
        state = self.state
        values: dict[str, object] = {}
        for name, expr in entry.lets:
            values[name] = expr.fn(state, values)
        members = _nested_bindings(entry.each, values, state)
        wrong = (inner for inner in members if not entry.that.fn(state, inner))
        for inner in islice(wrong, source_limits.MAX_PROBLEMS):
            named = _rendered(entry.at, state, inner).removeprefix("scoring.").split(".")
            path = follow(self.tree.data, named)[0]
            help_lines = [_rendered(entry.help, state, inner)] if entry.help else []
            message = _rendered(entry.message, state, inner)
            self._add(entry.rule, message, path, *help_lines, severity=entry.severity)

    def _evaluate_status(self) -> None:
        state = self.state
        for key, expr in self.pack.status.items():
            template = "the standing of the game cannot be determined: {reason}"
            self._succeeds(partial(expr.fn, state, {}), template, ("status", key))
        for trigger in (*self.pack.triggers, *self.pack.watches):
            template = "the condition cannot be evaluated: {reason}"
            path: DataPath = ("triggers", trigger.id, "when")
            self._succeeds(partial(trigger.when.fn, state, {}), template, path)
        if state.ended:
            message = "the game has ended before the first move"
            self._add("end-at-once", message, ("status", "ended"))
        if not state.players or self.account.left < 0:
            return
        scored = outcomes(state)
        if scored.fault is not None:
            template = "the undecided facts of a new game cannot be determined: {reason}"
            self._add("rule-failure", template, ("assumptions",), reason=scored.fault)
        for category in (
            category for player in scored.first.players for category in player.categories
        ):
            if category.fault is not None:
                template = "the score of a new game cannot be computed: {reason}"
                path = ("categories", category.category.id)
                self._add("rule-failure", template, path, reason=category.fault)


def _take_seat(move: m.MoveDef, player: Entity, number: int, state: State) -> None:
    values: dict[str, object] = {"me": None, "asked": {}}
    for slot in move.slots.values():
        domain = () if slot.domain is None else list(slot.domain.fn(state, values))
        values[slot.name] = domain[number % len(domain)] if domain else None
        if slot.shape == "new player":
            values[slot.name] = player
    for name, expr in move.lets:
        values[name] = expr.fn(state, values)
    move.does.fn(state, values)


def _nested_bindings(
    each: tuple[tuple[str, m.Expr], ...], values: dict[str, object], state: State
) -> Iterator[dict[str, object]]:
    if not each:
        state.charge(1)
        yield values
        return
    (name, items), *rest = each
    for item in items.fn(state, values):
        yield from _nested_bindings(tuple(rest), {**values, name: item}, state)


def _rendered(message: m.Message, state: State, values: dict[str, object]) -> Text:
    places: dict[str, str] = {}
    template = as_template(message.source, places)
    exprs = [part for part in message.parts if isinstance(part, m.Expr)]
    return Text(
        template, **{places[e.source]: state.words.text(e.fn(state, values)) for e in exprs}
    )
