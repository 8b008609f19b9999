"""Looking on while games are played: what is legal, what never ends, where nobody can go on.

And asking the requirements that variants bring, and what forbids what was legal before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple

from altay_cli.base.findings import START, ExpressionError, Finding, Severity, Text
from altay_cli.base.values import Entity, likeliest
from altay_cli.checking.playing import Game, IllegalMove
from altay_cli.match.state import frozen
from altay_cli.moves.listing import Move
from altay_cli.pack import table
from altay_cli.pack.model import MoveDef, Pack, Phase, Requirement, Shape, Slot
from altay_cli.scoring.score import Standing
from altay_cli.simulation.simulated import GREEDY, Watch

PROBES = 2
"""How many times in a row a move is tried from where it was found."""
WALKS = 6
"""How many random walks are tried in a turn to find a way back to where it began."""
STEPS = 30
MOST_SHOWN = 6
REPEATS = 150
"""A move that can be made this often in a row can be made forever."""
MOST_ENDLESS = 20
"""Behind so many such moves none is looked for any more."""
SHOWN_REPEATS = 10
ALWAYS = 0.9

Key = tuple[str, str, str]
"""A move, or a move with a thing in one of its slots: its id, the slot, the name of the thing."""


_ERRORS = frozenset({"play-stuck", "play-failure"})
"""What no game can be played with; all else may be meant."""


class Traced(NamedTuple):
    """What games have shown: a finding without its place, and a log that shows it.

    ``about`` is the id of the move or trigger that it is about, if there is one; ``things`` are
    those with which the move is never legal, if it is with others; ``forbidden_by`` are the rules
    that it names.
    """

    rule: str
    message: str
    help: tuple[str, ...] = ()
    log: str | None = None
    about: str = ""
    things: tuple[str, ...] = ()
    forbidden_by: tuple[str, ...] = ()

    @property
    def finding(self) -> Finding:
        """The finding, which has no place yet."""
        severity = Severity.ERROR if self.rule in _ERRORS else Severity.WARNING
        return Finding(self.rule, severity, self.message, START, help=self.help)


class Onlooker(Watch):
    """Records what happens in games."""

    def __init__(self) -> None:
        self.number = 0
        """The current game."""
        self.legal: dict[Key, dict[int, int]] = {}
        """By move, the games in which it was legal, each with the first round in which it was."""
        self.examples: dict[Key, str] = {}
        self.probed: Counter[str] = Counter()
        self.endless: dict[str, str] = {}
        self.halts: dict[str, tuple[str, str, list[tuple[str, str]]]] = {}
        """By what was asked where a game could not go on: of whom, a log that shows it, and moves
        with the rules that forbid them there."""
        self.failures: dict[str, tuple[str, str]] = {}
        self.unscored: dict[str, tuple[str, str]] = {}
        """What of the score cannot be computed: how it fails, and a game that shows it."""
        self.unscored_in: Counter[str] = Counter()
        self.scorings = 0
        self.fired: Counter[str] = Counter()
        self.firing: dict[str, str] = {}
        """By trigger, a game in which it has fired again and again."""
        self.loops: dict[tuple[str, ...], str] = {}
        """Moves of one turn that lead back to where they began, with a game that shows it."""
        self.walked = 0
        self.made_by: Counter[tuple[str, str]] = Counter()
        """How often a policy has made a move."""
        self.style = GREEDY
        self.moves = 0
        self.pack: Pack | None = None

    def listed(self, game: Game, moves: Sequence[Move]) -> None:
        """Note what is legal, and try moves again and again."""
        self.pack = game.pack
        for move in moves:
            for key in _keys(game.pack, move):
                self.legal.setdefault(key, {}).setdefault(self.number, game.round)
                self.examples.setdefault(key, move.statement)
        if any(move.definition.heading for move in moves):
            return  # no turn has begun
        for move in moves:
            is_known = move.definition.closes or self.probed[move.id] >= PROBES
            if not is_known and len(self.endless) < MOST_ENDLESS:
                self.probed[move.id] += 1
                self._probe(game, move)
        # Walks are for loops of several moves; one alone is found by `_probe`.
        several = len({move.id for move in moves if not move.definition.closes}) > 1
        if several and self.number <= 2 and game.round > 1 and self.walked < WALKS:
            self.walked += 1
            self._walk(game)

    def _walk(self, game: Game) -> None:
        """Make moves of one turn by chance, and see if the game comes back to where it was."""
        chance = Random(self.walked)  # noqa: S311 - needs no secrets
        turn, made = (game.player, game.round), list[str]()
        places = {_position(game): 0} if game.state.due is None else {}
        with suppress(IllegalMove):
            while len(made) < STEPS and (game.player, game.round) == turn and not game.ended:
                by_id: dict[str, list[Move]] = {}
                for move in game.candidates():
                    if not move.definition.closes and not move.definition.heading:
                        by_id.setdefault(move.id, []).append(move)
                if not by_id:
                    break
                move = chance.choice(by_id[chance.choice(sorted(by_id))])
                game.apply(move, pick=likeliest)
                made.append(move.id)
                if (game.player, game.round) != turn or game.ended or game.state.due is not None:
                    continue  # a position does not tell what is still to be done
                place = places.setdefault(_position(game), len(made))
                if place < len(made):
                    loop = tuple(dict.fromkeys(sorted(made[place:])))
                    self.loops.setdefault(loop, game.log())
                    break
        for _ in made:
            game.undo()

    def _probe(self, game: Game, move: Move) -> None:
        turn, made = (game.player, game.round), 0
        with suppress(IllegalMove):
            while made < REPEATS and (game.player, game.round) == turn and not game.ended:
                game.apply(move.statement, pick=likeliest)
                made += 1
        is_endless = made == REPEATS and move.id not in self.endless
        for left in range(made, 0, -1):
            if is_endless and left == SHOWN_REPEATS:
                self.endless[move.id] = game.log()
            game.undo()

    def made(self, game: Game, move: Move) -> None:
        """Note which triggers would happen again after the next move."""
        self.moves += not move.definition.heading
        self.made_by[self.style, move.id] += 1
        for trigger in game.pack.triggers if not move.definition.heading else ():
            with suppress(ExpressionError):
                game.state.grant()
                self.fired[trigger.id] += trigger.when.fn(game.state, {}) is True
                if self.fired[trigger.id] == SHOWN_REPEATS:
                    self.firing[trigger.id] = game.log()

    def stuck(self, game: Game, tried: Sequence[Move]) -> None:
        """Note where a game could not go on."""
        log = game.log()
        due = game.state.due
        what = "" if due is None else due.decision
        if tried:
            move = tried[0]
            try:
                game.apply(move)
            except IllegalMove as error:
                reason = error.findings[0].message if error.findings else str(error)
                self.failures.setdefault(move.id, (reason, f"{log}{move.statement}\n"))
        # Where not all was tried, something may be legal; the shortest game is the easiest to read.
        elif game.complete and (what not in self.halts or len(log) < len(self.halts[what][1])):
            who = game.player or "nobody"
            self.halts[what] = who, log, [*dict(self._forbidding(game)).items()][:MOST_SHOWN]

    def scored(self, game: Game, standing: Standing) -> None:
        """Note what of the score cannot be computed."""
        self.scorings += 1
        for what, fault in standing.faults.items():
            self.unscored.setdefault(what, (fault, game.log()))
            self.unscored_in[what] += 1

    def _forbidding(self, game: Game) -> Iterator[tuple[str, str]]:
        """Yield moves that were legal in other states, each with the rule that forbids it here."""
        # Those first that would have ended the turn.
        closing = {move.id: not move.closes for move in game.pack.moves if not move.heading}
        examples = [(m, text) for (m, slot, _), text in self.examples.items() if not slot]
        examples += [(m.id, m.patterns[0].verb) for m in game.pack.moves if m.closes]
        if (due := game.state.due) is not None:
            examples = [
                (m.id, self.examples.get((m.id, "", ""), m.patterns[0].verb))
                for m in game.pack.moves
                if m.answers == due.decision and not m.fallback
            ]
        for move, statement in sorted(examples, key=lambda pair: closing.get(pair[0], True)):
            if move in closing:
                try:
                    game.apply(statement, pick=likeliest)
                    game.undo()
                except IllegalMove as error:
                    # A verb alone may be no whole statement: that forbids nothing.
                    rules = [one.rule for one in error.findings if one.rule in game.pack.rules]
                    yield from ((move, rule) for rule in rules[:1])

    def found(self, before: Onlooker | None = None) -> Iterator[Traced]:
        """Yield what one game alone proves, and was not so ``before``."""
        for what, (who, log, forbidding) in self.halts.items():
            message = "the game goes on, and there is no legal move"
            if what:
                template = "nobody can answer `{decision}`: no answer of {player} is legal"
                message = Text(template, decision=what, player=who)
            named = tuple(
                Text("`{move}` by `{rule}`", move=move, rule=rule) for move, rule in forbidding
            )
            why = (Text("forbidden there: {moves}", moves=named),) if named else ()
            rules = tuple(rule for _, rule in forbidding)
            yield Traced("play-stuck", message, why, log, what, forbidden_by=rules)
        for move, log in self.endless.items():
            template = "`{move}` can be made again and again, without end, in one turn"
            message = Text(template, move=move)
            help_line = Text("it was made {count} times on end", count=REPEATS)
            yield Traced("play-endless", message, (help_line,), log, move)
        for loop, log in self.loops.items():
            earlier = before is not None and loop in before.loops
            if not earlier and self.endless.keys().isdisjoint(loop):
                template = "{moves} can be made again and again, without end, in one turn"
                message = Text(template, moves=tuple(f"`{move}`" for move in loop))
                same = "after them the game is as it was before"
                yield Traced("play-endless", message, (same,), log, loop[0])
        for move, (fault, log) in self.failures.items():
            template = "`{move}` is legal, and what it does fails: {reason}"
            yield Traced("play-failure", Text(template, move=move, reason=fault), (), log, move)
        for what, (fault, log) in self.unscored.items():
            template = "`{what}` cannot be computed when a game is scored: {reason}"
            message = Text(template, what=what, reason=fault)
            times = self.unscored_in[what]
            template = "so it was in {count} of {games} games"
            help_line = Text(template, count=times, games=self.scorings)
            yield Traced("play-failure", message, (help_line,), log, what)
        for trigger, times in self.fired.items():
            if self.moves >= 50 and times >= ALWAYS * self.moves:
                template = "`{trigger}` happens again and again: its condition stays true"
                message = Text(template, trigger=trigger)
                template = "it held after {times} of {moves} moves; let `does` end it"
                help_line = Text(template, times=times, moves=self.moves)
                shown_by = self.firing.get(trigger)
                yield Traced("play-trigger", message, (help_line,), shown_by, trigger)


def _keys(pack: Pack, move: Move) -> Iterator[Key]:
    yield move.id, "", ""
    for slot in move.definition.slots.values():
        thing = move.values.get(slot.name)
        if slot.shape is Shape.ENTITY and isinstance(thing, Entity) and thing.kind != "player":
            yield move.id, slot.name, shown(pack, thing)


def shown(pack: Pack, thing: Entity) -> str:
    """Return the name of a thing."""
    thing = thing.parent or thing
    return pack.shown.get("en", {}).get(f"{thing.kind} {thing.id}", thing.id)


def _position(game: Game) -> int:
    """Return what identifies a position in which nothing is due: the contents of all zones."""
    state = game.state
    return hash(tuple(map(frozen, state.cells[len(table.START) : len(state.layout.first)])))


# ---------------------------------------------------------------- what variants ask


MOST_OFFERED = 12
OFFERED = 10
"""A thing that was on offer this often and could never be taken is reported."""

Rule = tuple[str, str]
"""A requirement: the move that it is one of, and the rule that it is."""


class Asking(Watch):
    """Asks the requirements that variants bring, and what forbids what was legal before."""

    def __init__(self, base: Pack, lost: Mapping[Key, str]) -> None:
        self.known = {
            (move.id, requirement.text.rule, requirement.that.source)
            for move in base.moves
            for requirement in move.requires
        }
        self.moves = {move.id for move in base.moves}
        self.added: list[str] = []
        self.lost = lost
        self.offered: Counter[Key] = Counter()
        self.failed: Counter[tuple[Key, str]] = Counter()
        """How often a requirement of the variants does not hold where something is on offer."""
        self.blame: dict[Key, Counter[str]] = {}
        self.logs: dict[Key, str] = {}
        self.held: Counter[Rule] = Counter()
        self.broken: Counter[Rule] = Counter()
        self.shown: dict[Rule, str] = {}
        """A game in which a requirement does not hold."""

    def listed(self, game: Game, moves: Sequence[Move]) -> None:
        """Ask what variants bring; try what was legal before."""
        pack = game.pack
        self.added = [m.id for m in pack.moves if m.id not in self.moves and not m.fallback]
        if game.state.due is not None or any(move.definition.heading for move in moves):
            return
        actor = game.state.status("active")
        by_id = {move.id: move for move in pack.moves}
        for move in pack.moves:
            for requirement in move.requires if Phase.TURNS in move.phases else ():
                asked = move.id, requirement.text.rule, requirement.that.source
                if asked not in self.known and not requirement.afterwards:
                    self._ask(game, actor, move, requirement)
        if unseen := self.broken.keys() - self.shown:
            self.shown |= dict.fromkeys(unseen, game.log())
        for key, statement in self.lost.items():
            definition = by_id.get(key[0])
            if definition is None or definition.answers is not None:
                continue
            # That nobody could take a thing which is not on offer says nothing of the rules.
            if key[1] and not self._is_offered(game, actor, definition, key):
                continue
            try:
                game.apply(statement, pick=likeliest)
                game.undo()
            except IllegalMove as error:
                counted = self.blame.setdefault(key, Counter())
                counted.update(finding.rule for finding in error.findings[:1])
                if key not in self.logs:
                    self.logs[key] = game.log()

    def _ask(self, game: Game, actor: Entity | None, move: MoveDef, asked: Requirement) -> None:
        """Ask a requirement with the things on offer that it is about, if it is about any."""
        rule = move.id, asked.text.rule
        names = set(asked.that.names)
        for name, expr in reversed(move.lets):
            names |= expr.names if name in names else set()
        slots = [slot for slot in move.slots.values() if slot.name in names]
        values: dict[str, object] = {"me": actor, "asked": {}}
        given = [values]
        if slots:
            things = _domain(game, slots[0], values)
            given = [{**values, slots[0].name: thing} for thing in things]
        for one in given:
            holds = _holds(game, move, asked, one)
            if holds is True:
                self.held[rule] += 1
            elif holds is False:
                self.broken[rule] += 1

    def _is_offered(self, game: Game, actor: Entity | None, move: MoveDef, key: Key) -> bool:
        """Return whether a thing is among those that its slot is about; ask what forbids it."""
        values: dict[str, object] = {"me": actor, "asked": {}}
        slot = move.slots.get(key[1])
        domain = [] if slot is None else _domain(game, slot, values)
        things = [t for t in domain if isinstance(t, Entity) and shown(game.pack, t) == key[2]]
        if not things:
            return False
        self.offered[key] += 1
        given = {**values, key[1]: things[0]}
        for asked in move.requires:
            if not asked.afterwards and _holds(game, move, asked, given) is False:
                self.failed[key, asked.text.rule] += 1
        return True

    def blamed(self, key: Key) -> str:
        """Return the rule that forbids what was legal before, if one is found."""
        always = self._always(key)
        counted = self.blame.get(key, Counter()).most_common(1)
        return always[-1] if always else counted[0][0] if counted else ""

    def _always(self, key: Key) -> list[str]:
        return [
            rule
            for (other, rule), times in self.failed.items()
            if other == key and times == self.offered[key]
        ]

    def is_sure(self, key: Key) -> bool:
        """Return whether a thing was on offer again and again, and one rule always forbade it."""
        return self.offered[key] >= OFFERED and bool(self._always(key))

    def unbroken(self) -> tuple[tuple[str, int], ...]:
        """Return the requirements that always held, with how often they were asked."""
        return tuple(
            (rule[1], times)
            for rule, times in self.held.items()
            if not self.broken[rule] and times >= OFFERED
        )

    def never(self) -> list[tuple[Rule, int]]:
        """Return the requirements that never held, with how often they were asked."""
        return [(rule, times) for rule, times in self.broken.items() if not self.held[rule]]


def _domain(game: Game, slot: Slot, values: Mapping[str, object]) -> list[object]:
    """Return the things that a slot is about in a state, a few of them."""
    with suppress(ExpressionError):
        game.state.grant()
        things = () if slot.domain is None else slot.domain.fn(game.state, dict(values))
        return list(dict.fromkeys(things))[:MOST_OFFERED]
    return []


def _holds(
    game: Game, move: MoveDef, requirement: Requirement, values: Mapping[str, object]
) -> bool | None:
    """Return whether a requirement holds for some values; None if that cannot be told."""
    given = dict(values)
    with suppress(ExpressionError):
        game.state.grant()
        for name, expr in move.lets:
            with suppress(ExpressionError):
                given[name] = expr.fn(game.state, given)
        return requirement.that.fn(game.state, given) is True
    return None
