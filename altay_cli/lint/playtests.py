"""Observe played games: legal moves, endless moves, and stuck players.

Also test the requirements of variants.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import NamedTuple, TypeVar

from altay_cli.base.findings import START, ExpressionError, Finding, Severity, Text
from altay_cli.base.values import Entity, likeliest
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.playing import Game
from altay_cli.lint import limits
from altay_cli.lint.gains import Gains
from altay_cli.lint.observations import Observations
from altay_cli.match.state import frozen
from altay_cli.moves.listing import Move
from altay_cli.pack import layout
from altay_cli.pack.model import MoveDef, Pack, Requirement, Slot
from altay_cli.pack.words import words_of
from altay_cli.scoring.bounds import bounds_for
from altay_cli.scoring.score import Standing
from altay_cli.simulation.simulated import ENDED, GREEDY, Playout, Watch, choose
from altay_cli.simulation.tally import Estimate, mean, proportion
from altay_cli.source import limits as source_limits
from altay_cli.source.folder import Change

Name = TypeVar("Name")
Shown = TypeVar("Shown")

Key = tuple[str, str, str]
"""A move, perhaps with an entity in a slot: id, slot, name of the entity."""


# These make a game unplayable; other problems may be intended.
_ERRORS = frozenset({"play-stuck", "play-failure"})


class Traced(NamedTuple):
    """A finding from games, and a log that shows it, if any.

    ``about`` is the id of its move or trigger, ``things`` the entities that make the move illegal,
    ``cause`` the change without which games do not show it. What ``is_note`` can be meant.
    """

    rule: str
    message: str
    help: tuple[str, ...] = ()
    log: str = ""
    about: str = ""
    things: tuple[str, ...] = ()
    forbidden_by: tuple[str, ...] = ()
    cause: Change | None = None
    is_note: bool = False

    @property
    def finding(self) -> Finding:
        """The finding, without a position."""
        severity = Severity.ERROR if self.rule in _ERRORS else Severity.WARNING
        severity = Severity.NOTE if self.is_note else severity
        return Finding(self.rule, severity, self.message, START, help=self.help)


class Quotas(NamedTuple):
    """Quotas used up by earlier games, as some tests run in few games only.

    ``fired`` counts how often each trigger would have fired again.
    """

    probed: Counter[str]
    walked: int
    endless: int
    fired: Counter[str]


class Playtests(Watch):
    """Observations of games, of which one is current."""

    def __init__(self, outcomes: Iterable[Playout] = ()) -> None:
        self.outcomes = [*outcomes]
        self.number = 0
        self.style = GREEDY
        self.legal: dict[Key, dict[int, int]] = {}
        """By move: the games where it was legal, with the first round."""
        self.examples: dict[Key, str] = {}
        self.probed: Counter[str] = Counter()
        self.walked = 0
        self.moves = 0
        self.made_by: Counter[tuple[str, str]] = Counter()
        self.halts: dict[str, Traced] = {}
        """Stuck games by pending decision, or ""."""
        self.endless: dict[str, str] = {}
        """Moves that can be repeated forever, with a game."""
        self.loops: dict[tuple[str, ...], str] = {}
        """Moves of one turn that lead back, with a game."""
        self.failures: dict[str, Traced] = {}
        self.unscored: dict[str, list[tuple[str, str]]] = {}
        """Failures of scores, each with its game."""
        self.scorings = 0
        self.impossible: dict[str, Traced] = {}
        """By category: points that the rules call impossible."""
        self.fired: Counter[str] = Counter()
        self.firing: dict[str, str] = {}
        """By trigger: a game where it fires again and again."""
        self.was_stuck = False
        self.course = Observations()

    def quotas(self) -> Quotas:
        """Return the quotas used so far."""
        fired = Counter(self.fired)
        return Quotas(Counter(self.probed), self.walked, len(self.endless), fired)

    @classmethod
    def after(cls, quotas: Quotas) -> Playtests:
        """Return tests for one more game, after others observed elsewhere."""
        tests = cls()
        tests.probed, tests.walked = Counter(quotas.probed), quotas.walked
        tests.fired = Counter(quotas.fired)
        return tests

    def absorb(self, game: Playtests, assumed: Quotas) -> bool:
        """Add a game; False if the ``assumed`` quotas were wrong."""
        moves = {move for move, slot, _ in game.legal if not slot}
        probes = [(self.probed[move], assumed.probed[move]) for move in moves]
        walks = (self.walked, assumed.walked)
        fires = {
            trigger: count - assumed.fired[trigger]
            for trigger, count in game.fired.items()
            if self.fired[trigger] != assumed.fired[trigger]
        }
        if (
            game.was_stuck  # find what forbade the moves that were legal before
            or any(here != there for here, there in probes if min(here, there) < limits.PROBES)
            or (walks[0] != walks[1] and min(walks) < limits.WALKS)
            or len(self.endless) + len(game.endless) >= limits.MOST_ENDLESS
            or any(
                self.fired[trigger] <= limits.ENOUGH <= self.fired[trigger] + more
                for trigger, more in fires.items()
            )
        ):
            return False
        for key, rounds in game.legal.items():
            self.legal.setdefault(key, {}).update(rounds)
        self.course.absorb(game.course)
        _add_missing(self.examples, game.examples)
        _add_missing(self.endless, game.endless)
        _add_missing(self.loops, game.loops)
        _add_missing(self.failures, game.failures)
        _add_missing(self.impossible, game.impossible)
        for what, faults in game.unscored.items():
            self.unscored.setdefault(what, []).extend(faults)
        self.firing |= {
            trigger: log for trigger, log in game.firing.items() if trigger not in fires
        }
        self.probed.update(game.probed - assumed.probed)
        for trigger, count in game.fired.items():
            self.fired[trigger] += count - assumed.fired[trigger]
        self.walked += game.walked - assumed.walked
        self.moves += game.moves
        self.made_by.update(game.made_by)
        self.scorings += game.scorings
        return True

    @property
    def ended_games(self) -> list[Playout]:
        """The games that ended."""
        return [outcome for outcome in self.outcomes if outcome.ended]

    @property
    def lost(self) -> int:
        """The number of games whose worker process died."""
        return sum(outcome.end == ENDED for outcome in self.outcomes)

    def is_strange(self) -> bool:
        """Return True if more games may confirm a suspicion."""
        return not self.ended_games or any(seat.value in {0.0, 1.0} for seat in self.seats())

    def seats(self) -> list[Estimate]:
        """Return the share of victories by seat."""
        sides = [outcome.sides for outcome in self.ended_games]
        return [
            proportion(sum(game[seat].share or 0 for game in sides if seat < len(game)), len(sides))
            for seat in range(max(map(len, sides), default=0))
        ]

    def rounds(self) -> Estimate:
        """Return the lengths of games in rounds."""
        return mean(outcome.rounds or 0 for outcome in self.ended_games)

    def document(self) -> dict[str, object]:
        """Return the observations as JSON data."""
        rounds = self.rounds()
        return {
            "games": len(self.outcomes),
            "over": len(self.ended_games),
            "rounds": {"mean": rounds.value, "low": rounds.low, "high": rounds.high},
            "seats": [{"wins": s.value, "low": s.low, "high": s.high} for s in self.seats()],
        }

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Note the legal moves, and try some repeatedly."""
        self.course.on_listing(game)
        for move in moves:
            for key in _keys(game.pack, move):
                self.legal.setdefault(key, {}).setdefault(self.number, game.round)
                self.examples.setdefault(key, move.statement)
        if any(move.definition.heading for move in moves):
            return
        open_moves = [move for move in moves if not move.definition.closes]
        for move in open_moves:
            if self.probed[move.id] < limits.PROBES and len(self.endless) < limits.MOST_ENDLESS:
                self.probed[move.id] += 1
                self._probe(game, move)
        # Walks find loops of several moves; `_probe` finds loops of one.
        several = len({move.id for move in open_moves}) > 1
        if several and game.round > 1 and self.walked < limits.WALKS:
            self.walked += 1
            self._walk(game)

    def _probe(self, game: Game, move: Move) -> None:
        turn, made = _turn_key(game), 0
        with suppress(IllegalMove):
            while made < limits.REPEATS and _turn_key(game) == turn:
                game.apply(move.statement, pick=likeliest)
                made += 1
        for left in range(made, 0, -1):
            if made == limits.REPEATS and left == limits.ENOUGH:
                self.endless.setdefault(move.id, game.log())
            game.undo()

    def _walk(self, game: Game) -> None:
        chance = Random(self.walked)  # noqa: S311 - needs no secrets
        turn, made = _turn_key(game), list[str]()
        places: dict[object, int] = {}
        with suppress(IllegalMove):
            while len(made) < limits.REPEATS and _turn_key(game) == turn:
                if game.state.next_decision is None:  # zones do not hold pending decisions
                    zones = game.state.cells[len(layout.START) : len(game.state.layout.first)]
                    begun = places.setdefault(tuple(map(frozen, zones)), len(made))
                    if begun < len(made):
                        self.loops.setdefault(tuple(sorted({*made[begun:]})), game.log())
                        break
                listed = game.candidates()
                moves = [m for m in listed if not (m.definition.closes or m.definition.heading)]
                if not moves:
                    break
                move = choose(game.state, moves, None, chance)
                game.apply(move, pick=likeliest)
                made.append(move.id)
        for _ in made:
            game.undo()

    def on_move(self, game: Game, move: Move) -> None:
        """Note triggers that would fire again."""
        self.made_by[self.style, move.id] += 1
        self.moves += not move.definition.heading
        for trigger in game.pack.triggers if not move.definition.heading else ():
            with suppress(ExpressionError):
                game.state.grant()
                self.fired[trigger.id] += trigger.when.fn(game.state, {}) is True
                if self.fired[trigger.id] == limits.ENOUGH:
                    self.firing[trigger.id] = game.log()

    def on_stuck(self, game: Game, failed: Sequence[tuple[Move, IllegalMove]]) -> None:
        """Note a game that is stuck."""
        self.was_stuck = True
        log, decision = game.log(), game.state.next_decision
        what = "" if decision is None else decision.decision
        if failed:
            move, error = failed[0]
            template = "`{move}` is legal, but its effects fail: {reason}"
            reason = error.findings[0].message if error.findings else str(error)
            message, log = Text(template, move=move.id, reason=reason), f"{log}{move.statement}\n"
            failure = Traced("play-failure", message, log=log, about=move.id)
            self.failures.setdefault(move.id, failure)
        # An untried move may be legal. Prefer the shortest game.
        elif game.complete and (what not in self.halts or len(log) < len(self.halts[what].log)):
            forbidding = [*dict(self._forbidding(game)).items()][: source_limits.MAX_NAMES]
            wrong: str = "the game has not ended, but there is no legal move"
            if what:
                template = "`{decision}` cannot be answered: no answer of {player} is legal"
                wrong = Text(template, decision=what, player=game.player or "nobody")
            named = tuple(Text("`{move}` by `{rule}`", move=m, rule=r) for m, r in forbidding)
            why = (Text("forbidden there: {moves}", moves=named),) if named else ()
            rules = tuple(rule for _, rule in forbidding)
            self.halts[what] = Traced("play-stuck", wrong, why, log, what, forbidden_by=rules)

    def on_score(self, game: Game, standing: Standing) -> None:
        """Note parts of the score that cannot be computed."""
        self.scorings += 1
        self.course.on_score(game.state, standing, game.ended)
        for what, fault in standing.faults.items():
            self.unscored.setdefault(what, []).append((fault, game.log()))
        names = [player.player for player in standing.players]
        bounds = bounds_for(game.state, names)
        for player in standing.players:
            for of in player.categories:
                ident = of.category.id
                if of.fault is None and ident not in self.impossible:
                    bound = bounds[ident]
                    if not bound.allow(of.points):
                        template = (
                            "a game ended with {points} points in `{category}`, which `possible` "
                            "excludes: {possible}"
                        )
                        message = Text(
                            template, points=of.points, category=ident, possible=bound.because
                        )
                        traced = Traced("play-points", message, (), game.log(), ident)
                        self.impossible[ident] = traced

    def _forbidding(self, game: Game) -> Iterator[tuple[str, str]]:
        """Yield the moves that may be expected here, each with the last rule that forbids it."""
        decision = game.state.next_decision
        moves = [move for move in game.pack.moves if not (move.heading or move.fallback)]
        if decision is not None:
            moves = [move for move in moves if move.answers == decision.decision]
        statements: dict[str, list[str]] = {move.id: [] for move in moves}
        for (ident, slot, _), statement in self.examples.items():
            if ident in statements and (decision is not None or not slot):
                statements[ident].append(statement)
        for move in sorted(moves, key=lambda move: not move.closes):
            tried = statements[move.id]
            if not tried and (move.closes or decision is not None):
                pattern = move.patterns[0]
                tried = [pattern.verb if move.slots else pattern.source]
            order = [requirement.text.rule for requirement in move.requires]
            failed = [rule for statement in tried for rule in _first_broken(game, statement)]
            if decision is not None:
                failed += _broken_by_offered(game, move)
            if failed:
                yield (
                    move.id,
                    max(failed, key=lambda rule: order.index(rule) if rule in order else 0),
                )

    def found(self, before: Playtests | None = None) -> Iterator[Traced]:
        """Yield findings that a single game proves and ``before`` lacks."""
        yield from self.halts.values()
        for move, log in self.endless.items():
            template = "`{move}` can be made again and again, without end, in one turn"
            message = Text(template, move=move)
            why = Text("it was made {count} times on end", count=limits.REPEATS)
            yield Traced("play-endless", message, (why,), log, move)
        for loop, log in self.loops.items():
            earlier = before is not None and loop in before.loops
            if not earlier and self.endless.keys().isdisjoint(loop):
                template = "{moves} can be made again and again, without end, in one turn"
                message = Text(template, moves=tuple(f"`{move}`" for move in loop))
                same = "afterwards the game is in the same state as before"
                yield Traced("play-endless", message, (same,), log, loop[0])
        yield from self.failures.values()
        yield from self.impossible.values()
        for what, [(fault, log), *more] in self.unscored.items():
            template = "`{what}` cannot be computed when a game is scored: {reason}"
            count, games = 1 + len(more), self.scorings
            why = Text("this happened in {count} of {games} games", count=count, games=games)
            yield Traced("play-failure", Text(template, what=what, reason=fault), (why,), log, what)
        for trigger, times in self.fired.items():
            if self.moves >= 50 and times >= limits.ALWAYS * self.moves:
                template = "`{trigger}` happens again and again: its condition stays true"
                held = "it held after {times} of {moves} moves; let `does` end it"
                why = Text(held, times=times, moves=self.moves)
                message, log = Text(template, trigger=trigger), self.firing[trigger]
                yield Traced("play-trigger", message, (why,), log, trigger)


def _first_broken(game: Game, statement: str) -> list[str]:
    """Return the rule that forbids a statement; none if it is legal, or cannot be understood."""
    try:
        game.example(statement)
    except IllegalMove as error:
        # A verb alone may be an incomplete statement, which forbids nothing.
        return [f.rule for f in error.findings if f.rule in game.pack.rules][:1]
    return []


def _broken_by_offered(game: Game, move: MoveDef) -> Iterator[str]:
    """Yield the first rule that forbids a move, for each thing that it can take one of.

    Without the values of other slots, rules cannot be evaluated.
    """
    values = values_at(game)
    slots = [*move.slots.values()]
    for slot in slots if len(slots) == 1 and slots[0].shape == "entity" else ():
        for thing in _entities_in_domain(game, slot, values):
            given = {**values, slot.name: thing}
            broken = (
                requirement.text.rule
                for requirement in move.requires
                if not requirement.afterwards
                and requirement_holds(game, move, requirement, given) is False
            )
            yield from islice(broken, 1)


def _add_missing(known: dict[Name, Shown], others: Mapping[Name, Shown]) -> None:
    for name, shown in others.items():
        known.setdefault(name, shown)


def _turn_key(game: Game) -> tuple[object, ...]:
    return game.player, game.round, game.ended


def _keys(pack: Pack, move: Move) -> Iterator[Key]:
    yield move.id, "", ""
    for slot in move.definition.slots.values():
        thing = move.values.get(slot.name)
        if slot.shape == "entity" and isinstance(thing, Entity) and thing.kind != "player":
            yield move.id, slot.name, _name(pack, thing)


def _name(pack: Pack, thing: Entity) -> str:
    return words_of(pack, "en").name(thing.parent or thing)


# ---------------------------------------------------------------- what variants ask


Rule = tuple[str, str]
"""A move and its rule."""
Forbidden = Mapping[Rule, Sequence[Key]]
"""A formerly legal move and the rule that forbids it, or ""."""


class RequirementTests(Watch):
    """Tests requirements of variants."""

    def __init__(self, base: Pack, pack: Pack, lost: Mapping[Key, str]) -> None:
        known = {(m.id, r.text.rule, r.that.source) for m in base.moves for r in m.requires}
        turns = [move for move in pack.moves if "turns" in move.phases]
        tested = [
            (move, requirement)
            for move in turns
            for requirement in move.requires
            if not requirement.afterwards
        ]
        there = {move.id for move in base.moves}
        shared = {key[1:] for key in known}
        self.new = [
            (move, asked)
            for move, asked in tested
            if (move.id, asked.text.rule, asked.that.source) not in known
            and (move.id in there or (asked.text.rule, asked.that.source) not in shared)
        ]
        """The requirements of variants, each with its move; a new move shares others."""
        self.added = [m.id for m in pack.moves if m.id not in there and not m.fallback]
        self.moves = {move.id: move for move in pack.moves if move.answers is None}
        self.lost = {key: statement for key, statement in lost.items() if key[0] in self.moves}
        self.offered: Counter[Key] = Counter()
        self.failed: Counter[tuple[Key, str]] = Counter()
        """How often a requirement fails for an entity on offer."""
        self.blame = defaultdict[Key, Counter[str]](Counter)
        self.logs: dict[Key, str] = {}
        self.answers: Counter[tuple[Rule, bool | None]] = Counter()
        """How often a new requirement held, failed, or was undecidable."""
        self.shown: dict[Rule, str] = {}
        """A game where a requirement fails."""
        self.gains = Gains(self.added)

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Test requirements; try formerly legal moves."""
        if any(move.definition.heading for move in moves):
            return
        due = game.state.next_decision
        values = values_at(game)
        for move, requirement in self.new:
            if move.answers == (due.decision if due else None):
                self._test_requirement(game, move, requirement, values)
        if due is not None:
            return
        self.gains.on_listing(game, moves)
        for key, statement in self.lost.items():
            if key[1] and not self._is_offered(game, key, values):
                continue
            try:
                game.example(statement)
            except IllegalMove as error:
                self.blame[key].update(finding.rule for finding in error.findings[:1])
                if key not in self.logs:
                    self.logs[key] = game.log()

    def _test_requirement(
        self, game: Game, move: MoveDef, asked: Requirement, values: Mapping[str, object]
    ) -> None:
        rule = move.id, asked.text.rule
        names = set(asked.that.names)
        for name, expr in reversed(move.lets):
            names |= expr.names if name in names else set()
        about = next((slot for slot in move.slots.values() if slot.name in names), None)
        # In turns, if there are many.
        first = sum(self.answers[rule, held] for held in (True, False))
        things = _entities_in_domain(game, about, values, first)
        given = [{about.name: thing} for thing in things] if about else [{}]
        for binding in given:
            self.answers[rule, requirement_holds(game, move, asked, {**values, **binding})] += 1
        if self.answers[rule, False] and rule not in self.shown:
            self.shown[rule] = game.log()

    def _is_offered(self, game: Game, key: Key, values: Mapping[str, object]) -> bool:
        move = self.moves[key[0]]
        domain = _entities_in_domain(game, move.slots.get(key[1]), values)
        things = [t for t in domain if isinstance(t, Entity) and _name(game.pack, t) == key[2]]
        for thing in things[:1]:
            self.offered[key] += 1
            given = {**values, key[1]: thing}
            asked = [requirement for requirement in move.requires if not requirement.afterwards]
            broken = (
                requirement
                for requirement in asked
                if requirement_holds(game, move, requirement, given) is False
            )
            self.failed.update((key, requirement.text.rule) for requirement in broken)
        return bool(things)

    def forbidden(self, lost: Sequence[Key]) -> Forbidden:
        """Return what was often on offer and always forbidden by one rule."""
        moves = {move for move, slot, _ in lost if not slot}
        never = dict(rule for rule, _ in self.always(False))
        forbidden: dict[Rule, list[Key]] = {}
        for key in lost:
            offered = self.offered[key]
            always = [rule for (k, rule), n in self.failed.items() if k == key and n == offered]
            if not key[1] or (always and offered >= limits.ENOUGH and key[0] not in moves):
                most = [rule for rule, _ in self.blame[key].most_common(1)]
                # A new requirement that never holds is the cause, even if another fails before it.
                rule = never.get(key[0]) or (always or most or [""])[-1]
                forbidden.setdefault((key[0], rule), []).append(key)
        return forbidden

    def always(self, holds: bool) -> list[tuple[Rule, int]]:
        """Return requirements that always or never held, with the tests."""
        return [
            (rule, times)
            for (rule, answer), times in self.answers.items()
            if answer is holds and times >= limits.ENOUGH and not self.answers[rule, not holds]
        ]


def _entities_in_domain(
    game: Game, slot: Slot | None, values: Mapping[str, object], first: int = 0
) -> list[object]:
    """Return some things that a slot offers, from the ``first`` on.

    None for a slot that takes several: single things would not show what its rules forbid.
    """
    takes_several = slot is not None and slot.shape in {"bag", "list"}
    if slot is not None and slot.domain is not None and not takes_several:
        with suppress(ExpressionError):
            game.state.grant()
            things = list(dict.fromkeys(slot.domain.fn(game.state, values)))
            start = first % len(things) if len(things) > limits.MOST_OFFERED else 0
            return [*things[start:], *things[:start]][: limits.MOST_OFFERED]
    return []


def values_at(game: Game) -> dict[str, object]:
    """Return what conditions of moves read: who decides, and the question if there is one."""
    due = game.state.next_decision
    if due is not None:
        return {"me": due.who, "asked": due.values}
    return {"me": game.state.status("active"), "asked": {}}


def requirement_holds(
    game: Game, move: MoveDef, requirement: Requirement, values: Mapping[str, object]
) -> bool | None:
    """Return whether a requirement of a move holds with some values; None if it has no value."""
    given = dict(values)
    with suppress(ExpressionError):
        game.state.grant()
        for name, expr in move.lets:
            with suppress(ExpressionError):
                given[name] = expr.fn(game.state, given)
        return requirement.that.fn(game.state, given) is True
    return None
