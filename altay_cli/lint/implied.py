"""Find requirements and effects of a variant that make no difference in games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Any

from altay_cli.base.findings import Text
from altay_cli.checking.playing import Game
from altay_cli.lint import limits
from altay_cli.lint.playtests import RequirementTests, Traced, requirement_holds, values_at
from altay_cli.lint.reduced import (
    GamesOfPlan,
    changes_of,
    edited,
    game_plan,
    is_same_game,
    same_games,
)
from altay_cli.lint.seen import SeenZones, out_of_reach
from altay_cli.moves.listing import Move
from altay_cli.pack.model import IfEffect, MoveDef, Pack, Requirement, everything
from altay_cli.simulation.planning import rules_for
from altay_cli.simulation.simulated import GREEDY, RANDOM, Playout, PlayPlan, Watch, playout
from altay_cli.source.folder import Change, Variant, walk

STYLES = GREEDY, RANDOM, GREEDY
"""How the games are played that test an old requirement."""

# ---------------------------------------------------------------- new ones


def implied_requirements(
    plan: PlayPlan, variants: Sequence[Variant], asked: RequirementTests
) -> Iterator[Traced]:
    """Yield a new requirement that forbids only what other requirements of its move forbid.

    It reads the state, but neither the choice nor the round, failed often, and holds whenever
    the move is legal without it.
    """
    for change in changes_of(plan, variants):
        for move, requirement in asked.new:
            rule = move.id, requirement.text.rule
            is_own = change.word == "extend" and change.path == f"moves.{move.id}.requires"
            is_alone = is_own and [item.get("rule") for item in change.data["with"]] == [rule[1]]
            often = asked.answers[rule, False] >= limits.ENOUGH and not move.listed
            if not (is_alone and often and _reads_state(rules_for(plan), move, requirement)):
                continue
            seen = LegalMoves(move, requirement)
            with edited(plan, variants, change, None) as other:
                for number in range(1, limits.LEFT_OUT_GAMES + 1):
                    if other is not None and not seen.tests[True, False]:
                        playout(game_plan(other, number), number, seen)
            times = min(seen.tests[True, True], seen.tests[False, False])
            if times >= limits.ENOUGH_TESTS and not seen.tests[True, False]:
                template = "`{rule}` forbids only what other requirements of `{move}` forbid"
                message = Text(template, rule=rule[1], move=move.id)
                template = "it held each of the {count} times that `{move}` was legal without it"
                held = Text(template, count=seen.tests[True, True], move=move.id)
                yield Traced("play-no-effect", message, (held,), about=move.id, cause=change)


def _reads_state(pack: Pack, move: MoveDef, requirement: Requirement) -> bool:
    local = {*move.slots, *(name for name, _ in move.lets)}
    course = {expr.source for expr in pack.status.values()}
    read = {pack.zones[index].name for index in requirement.that.zones}
    return local.isdisjoint(requirement.that.names) and course.isdisjoint(read)


class LegalMoves(Watch):
    """Tests a requirement in games without it.

    tests: how often the move was legal, or not, and the requirement held, or not.
    """

    def __init__(self, move: MoveDef, requirement: Requirement) -> None:
        self.move, self.requirement = move, requirement
        self.tests: Counter[tuple[bool, bool]] = Counter()

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Test the requirement."""
        is_legal = any(move.id == self.move.id for move in moves)
        holds = requirement_holds(game, self.move, self.requirement, values_at(game))
        self.tests[is_legal, holds is True] += 1


# ---------------------------------------------------------------- changes to do without


def needless_changes(
    plan: PlayPlan,
    variants: Sequence[Variant],
    pack: Pack,
    outcomes: Sequence[Playout],
    asked: RequirementTests,
) -> Iterator[Traced]:
    """Yield changes without which all games are the same, although they had occasions to matter.

    Of requirements those that are removed, replaced, or too complex to be tested alone; of effects
    those under a condition.

    pack: the rules with the variants.
    outcomes: of games by them.
    asked: the tests of new requirements.
    """
    number = limits.LEFT_OUT_GAMES
    games = GamesOfPlan(plan, outcomes)
    for change in changes_of(plan, variants):
        match change.path.split("."):
            case ["moves", about, "requires", rule, *_] if change.word in {"remove", "set"}:
                failed = _failed(plan, variants, change, pack, about)
                often = "what `{rule}` forbids, other rules forbid as well: it failed {count} times"
                why = Text(often, rule=rule, count=failed)
                has_occasions = failed >= limits.ENOUGH
            case ["moves", about, "requires"] if change.word == "extend":
                listed = 0 if _is_tested(change, asked) else _listed(plan, about)
                why = Text("`{move}` was legal {count} times", move=about, count=listed)
                has_occasions = listed >= limits.ENOUGH_TESTS
            case ["procedures", about, "does"] if change.word == "extend":
                why = Text("the condition never holds: with `true` instead of it, all games differ")
                has_occasions = _matters_always(plan, variants, change, games)
            case _:
                continue
        if has_occasions and same_games(plan, variants, change, [None], games.first(number)):
            template = "this changes nothing: {games} games are the same without it"
            message = Text(template, games=number)
            yield Traced("play-no-effect", message, (why,), about=about, cause=change)


class _Tests(RequirementTests):
    """Tests requirements that only the ``base`` lacks, and counts the legal moves, by move."""

    def __init__(self, base: Pack, pack: Pack) -> None:
        super().__init__(base, pack, {})
        self.listed: Counter[str] = Counter()

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Observe the legal moves."""
        super().on_listing(game, moves)
        self.listed.update(move.id for move in moves)


def _tested(base: Pack, plan: PlayPlan) -> _Tests:
    tests = _Tests(base, rules_for(plan))
    for number, style in enumerate(STYLES, 1):
        playout(replace(plan, policies=(style,)), number, tests)
    return tests


def _failed(
    plan: PlayPlan, variants: Sequence[Variant], change: Change, pack: Pack, move: str
) -> int:
    """Return how often a requirement failed that a change removes; 0 if it was seldom decisive."""
    with edited(plan, variants, change, None) as other:
        if other is None:
            return 0
        tests = _tested(pack, other)
        if tests.listed[move] < limits.ENOUGH_TESTS:
            return 0
        answers = tests.answers.items()
        return sum(n for ((of, _), held), n in answers if of == move and held is False)


def _is_tested(change: Change, asked: RequirementTests) -> bool:
    """Return True if one of the requirements that a change adds was tested."""
    rules = {entry.get("rule", entry.get("use")) for entry in change.data["with"]}
    return any(
        n for ((_, rule), held), n in asked.answers.items() if rule in rules and held is not None
    )


def _listed(plan: PlayPlan, move: str) -> int:
    return _tested(rules_for(plan), plan).listed[move]


def _matters_always(
    plan: PlayPlan, variants: Sequence[Variant], change: Change, games: GamesOfPlan
) -> bool:
    """Return True if conditions of new effects would change each game if they always held."""
    if not all("if" in effect for effect in change.data["with"]):
        return False
    with edited(plan, variants, change, _with_true) as other:
        first = games.first(limits.ENOUGH_GAMES)
        return other is not None and not any(is_same_game(other, outcome) for outcome in first)


def _with_true(change: Any) -> None:
    for effect in change["with"]:
        effect["if"] = "true"


# ---------------------------------------------------------------- effects that never come


def unreached_effects(
    plan: PlayPlan, variants: Sequence[Variant], pack: Pack, outcomes: Sequence[Playout]
) -> Iterator[Traced]:
    """Yield changes of effects whose conditions never hold.

    All games are the same with `false` instead of them, and either the conditions are out of
    reach, or the effect mattered in all games before its condition was changed.
    """
    games = GamesOfPlan(plan, outcomes)
    for change in changes_of(plan, variants):
        section, about, *rest = [*change.path.split("."), ""]
        sources = {str(value) for path, value in walk(change.data) if path[-1:] == ("if",)}
        is_condition = change.word == "set" and rest[-2:-1] == ["if"]
        sources |= {str(change.data["to"])} if is_condition else set()
        if section not in {"moves", "procedures", "triggers"} or not sources:
            continue
        first = games.first(limits.LEFT_OUT_GAMES)
        if not same_games(plan, variants, change, [_with_false], first):
            continue
        if is_condition and _matters_otherwise(plan, variants, change):
            why: Sequence[str] = [Text("without the variant, the effect changes all games")]
        elif (reasons := _unreached(plan, pack, sources)) is not None:
            why = reasons
        else:
            continue
        template = "this condition never holds: {games} games are the same with `false`"
        message = Text(template, games=limits.LEFT_OUT_GAMES)
        yield Traced("play-no-effect", message, (*why,), about=about, cause=change)


def _with_false(change: Any) -> None:
    if change.get("set", "").endswith(".if"):
        change["to"] = "false"
        return
    for path, _ in [*walk(change)]:
        if path[-1:] == ("if",):
            inner = change
            for key in path[:-1]:
                inner = inner[key]
            inner["if"] = "false"


def _matters_otherwise(plan: PlayPlan, variants: Sequence[Variant], change: Change) -> bool:
    """Return True if a changed condition would matter in all games without the change."""
    with (
        edited(plan, variants, change, None) as usual,
        edited(plan, variants, change, _with_false) as never,
    ):
        if usual is None or never is None:
            return False
        first = GamesOfPlan(usual, ()).first(limits.ENOUGH_GAMES)
        return not any(is_same_game(never, outcome) for outcome in first)


def _unreached(plan: PlayPlan, pack: Pack, sources: Set[str]) -> Sequence[str] | None:
    """Return why all conditions are out of reach of what games show; None if one is not."""
    conditions = {
        effect.condition.source: effect.condition
        for effects in pack.routines
        for effect in everything(effects)
        if isinstance(effect, IfEffect) and effect.condition.source in sources
    }
    seen = SeenZones(pack, conditions.values())
    for number in range(1, limits.ENOUGH_GAMES + 1):
        playout(game_plan(plan, number), number, seen)
    reasons = [out_of_reach(condition, seen, pack, plan) for condition in conditions.values()]
    known = [why for why in reasons if why is not None]
    return [*chain(*known)] if known and len(known) == len(reasons) else None
