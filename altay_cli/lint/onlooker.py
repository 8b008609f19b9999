"""Looking on while games are played: what is legal, what never ends, where nobody can go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from altay_cli.base.errors import ExpressionError
from altay_cli.base.findings import START, Finding, Severity
from altay_cli.base.text import Text
from altay_cli.base.values import Entity, likeliest
from altay_cli.checking.playing import Game, IllegalMove
from altay_cli.match.state import frozen
from altay_cli.moves.listing import Move
from altay_cli.pack import zones
from altay_cli.pack.model import Pack, Shape
from altay_cli.scoring.score import Standing
from altay_cli.simulation.policies import GREEDY
from altay_cli.simulation.simulated import Watch

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
    those with which the move is never legal, if it is with others.
    """

    rule: str
    message: str
    help: tuple[str, ...] = ()
    log: str | None = None
    about: str = ""
    things: tuple[str, ...] = ()

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
        self.halts: dict[str, tuple[str, str]] = {}
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
        self.forbidding: dict[str, str] = {}
        """Where a game could not go on: moves, and the rules that forbid them."""
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
            if move.definition.closes or self.probed[move.id] >= PROBES:
                continue
            if len(self.endless) >= MOST_ENDLESS:
                break
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
        player, round_, made = game.player, game.round, list[str]()
        places = {_position(game): 0} if game.state.due is None else {}
        while len(made) < STEPS:
            by_id: dict[str, list[Move]] = {}
            for move in game.candidates():
                if not move.definition.closes and not move.definition.heading:
                    by_id.setdefault(move.id, []).append(move)
            if not by_id:
                break
            try:
                move = chance.choice(by_id[chance.choice(sorted(by_id))])
                game.apply(move, pick=likeliest)
            except IllegalMove:
                break
            made.append(move.id)
            if (game.player, game.round) != (player, round_) or game.ended:
                break
            if game.state.due is not None:  # a position does not tell what is still to be done
                continue
            place = places.setdefault(_position(game), len(made))
            if place < len(made):
                loop = tuple(dict.fromkeys(sorted(made[place:])))
                self.loops.setdefault(loop, game.log())
                break
        for _ in made:
            game.undo()

    def _probe(self, game: Game, move: Move) -> None:
        player, made = game.player, 0
        round_ = game.round
        log = ""
        while made < REPEATS and (game.player, game.round) == (player, round_) and not game.ended:
            try:
                game.apply(move.statement, pick=likeliest)
            except IllegalMove:
                break
            made += 1
            if made == SHOWN_REPEATS:
                log = game.log()
        for _ in range(made):
            game.undo()
        if made == REPEATS and move.id not in self.endless:
            self.endless[move.id] = log

    def made(self, game: Game, move: Move) -> None:
        """Note which triggers would happen again after the next move."""
        self.moves += not move.definition.heading
        self.made_by[self.style, move.id] += 1
        for trigger in game.pack.triggers if not move.definition.heading else ():
            try:
                game.state.grant()
                self.fired[trigger.id] += trigger.when.fn(game.state, {}) is True
                if self.fired[trigger.id] == SHOWN_REPEATS:
                    self.firing[trigger.id] = game.log()
            except ExpressionError:
                continue

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
            self.halts[what] = (who, log)
            self.forbidding = dict(self._forbidding(game))

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
            answers = [m for m in game.pack.moves if m.answers == due.decision and not m.fallback]
            examples = [(m.id, m.patterns[0].verb) for m in answers]
        for move, statement in sorted(examples, key=lambda pair: closing.get(pair[0], True)):
            if move in closing:
                try:
                    game.apply(statement, pick=likeliest)
                    game.undo()
                except IllegalMove as error:
                    yield from ((move, finding.rule) for finding in error.findings[:1])

    # ------------------------------------------------------------ what it means

    def found(self, before: Onlooker | None = None) -> Iterator[Traced]:
        """Yield what one game alone proves, and was not so ``before``."""
        for what, (who, log) in self.halts.items():
            message = "the game goes on, and there is no legal move"
            if what:
                message = Text(
                    "nobody can answer `{decision}`: no answer of {player} is legal",
                    decision=what,
                    player=who,
                )
            named = [
                Text("`{move}` by `{rule}`", move=move, rule=rule)
                for move, rule in self.forbidding.items()
            ]
            why = Text("forbidden there: {moves}", moves=tuple(named[:MOST_SHOWN]))
            yield Traced("play-stuck", message, (why,) if named else (), log, what)
        for move, log in self.endless.items():
            message = Text(
                "`{move}` can be made again and again, without end, in one turn", move=move
            )
            help_line = Text("it was made {count} times on end", count=REPEATS)
            yield Traced("play-endless", message, (help_line,), log, move)
        for loop, log in self.loops.items():
            if loop in (before.loops if before else ()) or not self.endless.keys().isdisjoint(loop):
                continue
            names = tuple(f"`{move}`" for move in loop)
            message = Text(
                "{moves} can be made again and again, without end, in one turn", moves=names
            )
            same = "after them the game is as it was before"
            yield Traced("play-endless", message, (same,), log, loop[0])
        for move, (fault, log) in self.failures.items():
            message = Text(
                "`{move}` is legal, and what it does fails: {reason}", move=move, reason=fault
            )
            yield Traced("play-failure", message, (), log, move)
        for what, (fault, log) in self.unscored.items():
            message = Text(
                "`{what}` cannot be computed when a game is scored: {reason}",
                what=what,
                reason=fault,
            )
            help_line = Text(
                "so it was in {count} of {games} games",
                count=self.unscored_in[what],
                games=self.scorings,
            )
            yield Traced("play-failure", message, (help_line,), log, what)
        for trigger, times in self.fired.items():
            if self.moves >= 50 and times >= ALWAYS * self.moves:
                message = Text(
                    "`{trigger}` happens again and again: its condition stays true", trigger=trigger
                )
                help_line = Text(
                    "it held after {times} of {moves} moves; let `does` end it",
                    times=times,
                    moves=self.moves,
                )
                log_ = self.firing.get(trigger)
                yield Traced("play-trigger", message, (help_line,), log_, trigger)


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
    return hash(tuple(map(frozen, state.cells[len(zones.START) : len(state.layout.first)])))
