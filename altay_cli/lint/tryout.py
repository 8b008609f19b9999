"""House rules tried out: short games are played with and without them, and what they show is told.

What is found this way shows in some games only, so it is reported only if it can hardly be an
accident. Each finding comes with a game that shows it, as a log.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from random import Random
from typing import NamedTuple

from altay_cli.base.cache import fingerprint, load, store
from altay_cli.base.errors import ExpressionError
from altay_cli.base.findings import Finding, PackError, Severity
from altay_cli.base.resources import pack_folder
from altay_cli.base.spans import START, Span
from altay_cli.base.text import Text, made_of
from altay_cli.base.values import Entity
from altay_cli.checking.playing import Game, IllegalMove
from altay_cli.compile.model import MoveDef, Pack, Phase, Requirement, Shape, Slot
from altay_cli.match.chance import likeliest
from altay_cli.moves.listing import Move
from altay_cli.pack.load import load_pack, pack_key, pack_names, variant_names
from altay_cli.scoring.score import Standing, faults
from altay_cli.simulation.policies import GREEDY, RANDOM
from altay_cli.simulation.simulated import NOT_LAID_OUT, NOT_OVER, Outcome, Plan, Watch, playout
from altay_cli.simulation.statistics import Estimate, mean, proportion
from altay_cli.source.folder import read_folder, walk
from altay_cli.source.variants import WORDS, Variant, extended

PLAYED_STEPS = 45_000_000
"""After so many steps no further game is begun, for each set of rules: some seconds."""
GAMES = 20
"""The default number of games."""
MAX_ROUNDS = 60
MAX_MOVES = 1_500
PROBES = 2
"""How many times in a row a move is tried from where it was found."""
WALKS = 6
"""How many random walks are tried in a turn to find a way back to where it began."""
STEPS = 30
EARLY = 0.75
"""What was legal in this part of a game's usual length can be missed in another one."""
OFFERED = 10
"""A thing that was on offer this often and could never be taken is reported."""
MOST_SHOWN = 6
MOST_OFFERED = 12
REPEATS = 150
"""A move that can be made this often in a row can be made forever."""
MOST_ENDLESS = 20
"""Behind so many such moves none is looked for any more."""
SHOWN_REPEATS = 10
FEW = 5
"""With fewer games, only what a single game proves is reported."""
ACCIDENT = 1e-5
"""Differences with a lower probability than this are not taken for chance."""
ALWAYS = 0.9
UNFAIR = 0.1
"""A seat that certainly wins so much more than it did, and twice so much more than its share."""

LONG = 1.75
"""Games that certainly take so many times as many rounds as before are reported."""

Key = tuple[str, str, str]
"""A move, or a move with a thing in one of its slots: its id, the slot, the name of the thing."""


class Traced(NamedTuple):
    """What games have shown: a finding without its place, and a log that shows it.

    ``about`` is the id of the move or trigger that it is about, if there is one; ``things`` are
    those with which the move is never legal, if it is with others.
    """

    finding: Finding
    log: str | None = None
    about: str = ""
    things: tuple[str, ...] = ()


def _traced(
    rule: str,
    message: str,
    told: Sequence[str] = (),
    log: str | None = None,
    about: str = "",
    severity: Severity = Severity.ERROR,
    things: tuple[str, ...] = (),
) -> Traced:
    finding = Finding(rule, severity, message, START, help=tuple(told))
    return Traced(finding, log, about, things)


@dataclass(slots=True)
class Played:
    """Games that were played under the same rules."""

    outcomes: list[Outcome]
    seen: Onlooker

    @property
    def over(self) -> list[Outcome]:
        """The games that ended."""
        return [outcome for outcome in self.outcomes if outcome.ended]

    def is_strange(self) -> bool:
        """Return whether more games may confirm what these suggest."""
        return not self.over or any(seat.value in {0.0, 1.0} for seat in self.seats())

    def seats(self) -> list[Estimate]:
        """Return the share of victories by seat."""
        sides = [outcome.sides for outcome in self.over]
        seats = max(map(len, sides), default=0)
        return [
            proportion(sum(game[seat].share for game in sides if seat < len(game)), len(sides))
            for seat in range(seats)
        ]

    def rounds(self) -> Estimate:
        """Return how long games are."""
        return mean([outcome.rounds for outcome in self.over])

    def document(self) -> dict[str, object]:
        """Return the same for programs."""
        rounds = self.rounds()
        return {
            "games": len(self.outcomes),
            "over": len(self.over),
            "rounds": {"mean": rounds.value, "low": rounds.low, "high": rounds.high},
            "seats": [{"wins": s.value, "low": s.low, "high": s.high} for s in self.seats()],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What playing has shown: the games with and without the variants, and what they show.

    A game that is played for itself has none without.

    ``lost`` and ``gained`` tell what was legal in many games before and in none now, and the
    reverse, a sentence each. ``unbroken`` are requirements of the variants that held whenever
    they were asked, with how often that was; ``unused`` new moves that were legal, and that a
    policy never made.
    """

    before: Played | None
    after: Played
    players: int
    found: tuple[Traced, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    unbroken: tuple[tuple[str, int], ...] = ()
    unused: tuple[tuple[str, str], ...] = ()

    def document(self) -> dict[str, object]:
        """Return the same for programs."""
        return {
            "players": self.players,
            "before": None if self.before is None else self.before.document(),
            "after": self.after.document(),
            "lost": list(self.lost),
            "gained": list(self.gained),
            "unbroken": [{"rule": rule, "asked": asked} for rule, asked in self.unbroken],
            "unused": [{"policy": policy, "move": move} for policy, move in self.unused],
        }


def plans(folder: Path, variants: Sequence[Path]) -> tuple[Plan, Plan | None] | None:
    """Return how to play by rules, and by those that variants change; None if nobody can.

    That needs a game that is found by its name and tells how it is laid out, and variants of one
    folder.
    """
    shipped = folder / "variants"
    own = [path for path in variants if not path.resolve().is_relative_to(shipped.resolve())]
    folders = {path.resolve().parent for path in own}
    if len(folders) > 1:
        return None
    if folder.name not in pack_names() or folder.resolve() != pack_folder(folder.name).resolve():
        return None
    tags = tuple(("Variant", path.name if path in own else path.stem) for path in variants)
    try:
        pack = load_pack(folder.name, variants)
    except PackError:
        return None
    if not pack.opening:
        return None
    plan = Plan(folder.name, pack.least, (GREEDY,), 1, tags=tags, folder=next(iter(folders), None))
    if not variants:
        return plan, None
    # What a shipped variant changes on which others build is no matter of these.
    known = variant_names(folder.name)
    below = tuple(("Variant", name) for name in dict.fromkeys(map(extended, own)) if name in known)
    parents = [shipped / f"{name}.yaml" for _, name in below]
    return plan, Plan(folder.name, load_pack(folder.name, parents).least, (GREEDY,), 1, tags=below)


def place(folder: Path, variants: Sequence[Variant], shown: Traced) -> tuple[str, Span]:
    """Return the place in variants of what was found; without them, in the game.

    That is the change that brings a rule which is named, else that of what it is about, if any.
    """
    if not variants:
        return _place_in_game(folder, shown.about)
    told = " ".join([shown.finding.message, *shown.finding.help])
    found: dict[int, tuple[str, Span]] = {}
    for variant in variants:
        changes = variant.source.data["change"]
        for number, change in enumerate(changes):
            word = next(key for key in WORDS if key in change)
            where = variant.source.file, variant.source.span(("change", number, word))
            rules = [value for path, value in walk(change) if path and path[-1] == "rule"]
            about = shown.about and shown.about in change[word].split(".")
            if any(f"`{rule}`" in told for rule in rules):
                found[0] = where
            elif about or len(changes) == 1:
                found[1] = where
    if found:
        return found[min(found)]
    last = variants[-1].source
    return last.file, last.span(("variant",))


def _place_in_game(folder: Path, about: str) -> tuple[str, Span]:
    tree = read_folder(folder)
    for section in ("moves", "triggers", "decisions", "categories"):
        if about in tree.data.get(section, {}):
            return tree.locate((section, about), "key")
    return f"{folder.name}/game.yaml", START


def try_out(
    plan: Plan,
    base: Plan | None,
    games: int,
    steps: float = PLAYED_STEPS,
    tell: Callable[[], None] = lambda: None,
) -> Report:
    """Play so many games by each plan, or as many as there are ``steps`` for.

    Each game that was played is told.
    """
    if base is None:
        after = play(plan, games, steps, tell)
        # That a seat wins far more than its share is told with all else: many games are so.
        return Report(None, after, plan.players, (*after.seen.found(), *_ends(None, after)), (), ())
    before = _cached_play(base, games, steps, tell)
    after = play(plan, games, steps, tell)
    # Of games that stop in their middle, what never came to be legal there says nothing.
    broken = after.seen.halts or after.seen.failures or not after.over
    lost = [k for k in before.seen.legal if not broken and is_lost(k, before, after)]
    gained = [k for k in after.seen.legal if not broken and is_lost(k, after, before)]
    asked = _Asked(load_pack(base.pack, _files(base)), lost, before)
    if not after.seen.halts and not after.seen.failures:
        for number in (1, 2, 3):
            one = replace(plan, policies=(RANDOM if number == 2 else GREEDY,))
            playout(replace(one, max_rounds=MAX_ROUNDS, max_moves=300), number, asked)
    found = [
        *after.seen.found(before.seen),
        *_ends(before, after),
        *_length(before, after),
        *_seats(before, after),
        *_no_longer_legal(lost, asked, before, after),
        *_new(asked, after),
    ]
    return Report(
        before,
        after,
        plan.players,
        tuple(found),
        tuple(_lost_in_words(lost, asked)),
        tuple(
            Text("`{move}` was never legal before and now is", move=key[0])
            for key in gained
            if not key[1]
        ),
        tuple(asked.unbroken()),
        tuple(_unused(asked, after)),
    )


def _files(plan: Plan) -> list[Path]:
    """Return the files of the shipped variants of a plan."""
    folder = pack_folder(plan.pack) / "variants"
    return [folder / f"{name}.yaml" for tag, name in plan.tags if tag == "Variant"]


def play(
    plan: Plan,
    games: int,
    steps: float = inf,
    tell: Callable[[], None] = lambda: None,
) -> Played:
    """Play so many games, or as many as there are steps for; tell of each."""
    left = steps
    found = Played([], Onlooker())
    for number in range(1, games + 1):
        # Policies that want something see the ends of games; chance sees what nobody would do.
        style = RANDOM if number % 5 == 0 else GREEDY
        rounds = MAX_ROUNDS if style == GREEDY else MAX_ROUNDS // 4
        found.seen.number, found.seen.style = number, style
        one = replace(plan, policies=(style,), max_rounds=rounds, max_moves=MAX_MOVES, keep=True)
        outcome = playout(one, number, found.seen)
        if style == GREEDY or outcome.ended or not made_of(outcome.end, *NOT_OVER):
            found.outcomes.append(outcome)
        tell()
        left -= outcome.steps
        if left < 0 and (left < -steps or not found.is_strange()):
            break
    return found


def _cached_play(base: Plan, games: int, steps: float, tell: Callable[[], None]) -> Played:
    """Play games by shipped rules; results are cached as long as those do not change."""
    key = fingerprint((), pack_key(pack_folder(base.pack), _files(base)), f"{base} {games} {steps}")
    data = load(key)
    if data is not None:
        kept = pickle.loads(data)  # noqa: S301 - what the cache gives back is what was stored
        if isinstance(kept, Played):
            for _ in range(games):
                tell()
            return kept
    found = play(base, games, 3 * steps, tell)
    for outcome in found.outcomes:
        outcome.log = None
    found.seen.pack = None
    store(key, pickle.dumps(found))
    return found


# ---------------------------------------------------------------- looking on


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
        several = len({move.id for move in moves if not move.definition.closes}) > 1
        if several and self.number <= 2 and game.round > 1 and self.walked < WALKS:
            self.walked += 1
            self._walk(game)

    def _walk(self, game: Game) -> None:
        """Make moves of one turn by chance, and see if the game comes back to where it was."""
        chance = Random(self.walked)  # noqa: S311 - needs no secrets
        player, round_, made = game.player, game.round, list[str]()
        places = {game.state.digest(): 0} if game.state.due is None else {}
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
            if game.state.due is not None:
                continue
            place = places.setdefault(game.state.digest(), len(made))
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
                told = error.findings[0].message if error.findings else str(error)
                self.failures.setdefault(move.id, (told, f"{log}{move.statement}\n"))
        elif what not in self.halts or len(log) < len(self.halts[what][1]):
            who = game.player or "nobody"
            self.halts[what] = (who, log)
            self.forbidding = dict(self._forbidding(game))

    def scored(self, game: Game, standing: Standing) -> None:
        """Note what of the score cannot be computed."""
        self.scorings += 1
        for what, fault in dict(faults(game.state, standing)).items():
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
            why = (
                [Text("forbidden there: {moves}", moves=tuple(named[:MOST_SHOWN]))] if named else []
            )
            yield _traced("play-stuck", message, why, log, what)
        for move, log in self.endless.items():
            message = Text(
                "`{move}` can be made again and again, without end, in one turn", move=move
            )
            told = Text("it was made {count} times on end", count=REPEATS)
            yield _traced("play-endless", message, (told,), log, move, Severity.WARNING)
        for loop, log in self.loops.items():
            if loop in (before.loops if before else ()) or not self.endless.keys().isdisjoint(loop):
                continue
            names = tuple(f"`{move}`" for move in loop)
            message = Text(
                "{moves} can be made again and again, without end, in one turn", moves=names
            )
            same = "after them the game is as it was before"
            yield _traced("play-endless", message, (same,), log, loop[0], Severity.WARNING)
        for move, (fault, log) in self.failures.items():
            message = Text(
                "`{move}` is legal, and what it does fails: {reason}", move=move, reason=fault
            )
            yield _traced("play-failure", message, (), log, move)
        for what, (fault, log) in self.unscored.items():
            message = Text(
                "`{what}` cannot be computed when a game is scored: {reason}",
                what=what,
                reason=fault,
            )
            told = Text(
                "so it was in {count} of {games} games",
                count=self.unscored_in[what],
                games=self.scorings,
            )
            yield _traced("play-failure", message, (told,), log, what)
        for trigger, times in self.fired.items():
            if self.moves >= 50 and times >= ALWAYS * self.moves:
                message = Text(
                    "`{trigger}` happens again and again: its condition stays true", trigger=trigger
                )
                told = Text(
                    "it held after {times} of {moves} moves; let `does` end it",
                    times=times,
                    moves=self.moves,
                )
                log_ = self.firing.get(trigger)
                yield _traced("play-trigger", message, (told,), log_, trigger, Severity.WARNING)


def _keys(pack: Pack, move: Move) -> Iterator[Key]:
    yield move.id, "", ""
    for slot in move.definition.slots.values():
        thing = move.values.get(slot.name)
        if slot.shape is Shape.ENTITY and isinstance(thing, Entity) and thing.kind != "player":
            yield move.id, slot.name, _shown(pack, thing)


# ---------------------------------------------------------------- compared


def is_lost(key: Key, before: Played, after: Played) -> bool:
    """Return whether what was legal before is no longer, and that is not an accident."""
    number = len(after.outcomes)
    if key in after.seen.legal or number < FEW or len(before.outcomes) < FEW:
        return False
    pack = after.seen.pack
    if pack is not None:
        things = pack.shown.get("en", {}).values()
        if all(move.id != key[0] for move in pack.moves) or (key[2] and key[2] not in things):
            return False  # it was taken out of the game
    # What comes late in a game does not come in games that are over soon.
    enough = EARLY * after.rounds().value
    games = sum(round_ <= enough for round_ in before.seen.legal[key].values())
    share = games / (len(before.outcomes) + 1)
    return bool((1 - share) ** number < ACCIDENT)


def _no_longer_legal(
    keys: Sequence[Key], asked: _Asked, before: Played, after: Played
) -> Iterator[Traced]:
    whole = {key[0] for key in keys if not key[1]}
    by_rule: dict[tuple[str, str], list[str]] = {}
    logs: dict[tuple[str, str], str] = {}
    for key in keys:
        if key[1] and (key[0] in whole or not asked.is_sure(key)):
            continue
        rule = asked.blamed(key)
        by_rule.setdefault((key[0], rule), []).append(key[2])
        if key in asked.logs:
            logs.setdefault((key[0], rule), asked.logs[key])
    games = len(after.outcomes)
    for (move, rule), things in by_rule.items():
        named = tuple(thing for thing in things if thing)
        template = (
            "`{move}` was never legal with {names} in {games} games"
            if named
            else "`{move}` was never legal in {games} games"
        )
        template += _FORBIDDEN if rule else ""
        message = Text(template, move=move, names=named, games=games, rule=rule)
        told = Text("without the variant it was, in {games} games", games=len(before.outcomes))
        log = logs.get((move, rule))
        yield _traced("play-never", message, (told,), log, move, Severity.WARNING, named)


def _new(asked: _Asked, after: Played) -> Iterator[Traced]:
    """Yield the moves of the variants that were never legal."""
    games = len(after.outcomes)
    for move in asked.added:
        if (move, "", "") in after.seen.legal or games < FEW or after.seen.halts:
            continue
        rules = [rule for rule, times in asked.never() if rule[0] == move and times >= OFFERED]
        if rules:
            message = Text(
                "`{move}` was never legal in {games} games: `{rule}` never held",
                move=move,
                games=games,
                rule=rules[0][1],
            )
            yield _traced(
                "play-never", message, (), asked.shown.get(rules[0]), move, Severity.WARNING
            )


def _unused(asked: _Asked, after: Played) -> Iterator[tuple[str, str]]:
    """Yield policies with the new moves that they never made, though these were legal."""
    styles = {style for style, _ in after.seen.made_by}
    for move in asked.added:
        if (move, "", "") in after.seen.legal:
            for style in sorted(styles):
                if not after.seen.made_by[style, move]:
                    yield style, move


_FORBIDDEN = ": `{rule}` forbids it"


def _lost_in_words(keys: Sequence[Key], asked: _Asked) -> Iterator[str]:
    """Yield a sentence for each move that is not legal any more, or not with some things."""
    whole = {key[0] for key in keys if not key[1]}
    for move in dict.fromkeys(key[0] for key in keys):
        sure = [key for key in keys if key[0] == move and asked.is_sure(key)]
        if not sure and move not in whole:
            continue
        template = "`{move}` with {names} was legal before and is not any more"
        if move in whole:
            template = "`{move}` was legal before and is not any more"
        elif len(sure) > MOST_SHOWN:
            template = "`{move}` with {names} and others was legal before and is not any more"
        rule = asked.blamed((move, "", "") if move in whole else sure[0])
        template += _FORBIDDEN if rule else ""
        names = tuple(key[2] for key in sure[:MOST_SHOWN])
        yield Text(template, move=move, names=names, rule=rule)


Rule = tuple[str, str]
"""A requirement: the move that it is one of, and the rule that it is."""


class _Asked(Watch):
    """Asks the requirements that variants bring, and what forbids what was legal before."""

    def __init__(self, base: Pack, lost: Sequence[Key], before: Played) -> None:
        self.known = {
            (move.id, requirement.text.rule, requirement.that.source)
            for move in base.moves
            for requirement in move.requires
        }
        self.moves = {move.id for move in base.moves}
        self.added: list[str] = []
        self.lost = {key: before.seen.examples[key] for key in lost}
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
                rule = move.id, requirement.text.rule
                if (*rule, requirement.that.source) in self.known or requirement.afterwards:
                    continue
                self._ask(game, actor, move, requirement, rule)
        for key, statement in self.lost.items():
            definition = by_id.get(key[0])
            if definition is None or definition.answers is not None:
                continue
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

    def _ask(
        self,
        game: Game,
        actor: Entity | None,
        move: MoveDef,
        requirement: Requirement,
        rule: Rule,
    ) -> None:
        """Ask a requirement with the things on offer that it is about, if it is about any."""
        names = set(requirement.that.names)
        for name, expr in reversed(move.lets):
            names |= expr.names if name in names else set()
        slots = [slot for slot in move.slots.values() if slot.name in names]
        values: dict[str, object] = {"me": actor, "asked": {}}
        things: Sequence[object] = [None]
        if slots:
            things = _domain(game, slots[0], values)
        for thing in things:
            given = {**values, **({slots[0].name: thing} if slots else {})}
            holds = _holds(game, move, requirement, given)
            if holds is True:
                self.held[rule] += 1
            elif holds is False:
                self.broken[rule] += 1
                if rule not in self.shown:
                    self.shown[rule] = game.log()

    def _is_offered(self, game: Game, actor: Entity | None, move: MoveDef, key: Key) -> bool:
        """Return whether a thing is among those that its slot is about; ask what forbids it."""
        values: dict[str, object] = {"me": actor, "asked": {}}
        slot = move.slots.get(key[1])
        found = [] if slot is None else _domain(game, slot, values)
        things = [t for t in found if isinstance(t, Entity) and _shown(game.pack, t) == key[2]]
        if not things:
            return False
        self.offered[key] += 1
        for requirement in move.requires:
            if not requirement.afterwards:
                given = {**values, key[1]: things[0]}
                if _holds(game, move, requirement, given) is False:
                    self.failed[key, requirement.text.rule] += 1
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

    def unbroken(self) -> Iterator[tuple[str, int]]:
        """Yield the requirements that always held, with how often they were asked."""
        for rule, times in self.held.items():
            if not self.broken[rule] and times >= OFFERED:
                yield rule[1], times

    def never(self) -> Iterator[tuple[Rule, int]]:
        """Yield the requirements that never held, with how often they were asked."""
        for rule, times in self.broken.items():
            if not self.held[rule]:
                yield rule, times


def _domain(game: Game, slot: Slot, values: Mapping[str, object]) -> list[object]:
    """Return the things that a slot is about in a state, a few of them."""
    if slot.domain is None:
        return []
    try:
        game.state.grant()
        return list(dict.fromkeys(slot.domain.fn(game.state, dict(values))))[:MOST_OFFERED]
    except ExpressionError:
        return []


def _holds(
    game: Game, move: MoveDef, requirement: Requirement, values: Mapping[str, object]
) -> bool | None:
    """Return whether a requirement holds for some values; None if that cannot be told."""
    given = dict(values)
    try:
        game.state.grant()
        for name, expr in move.lets:
            with suppress(ExpressionError):
                given[name] = expr.fn(game.state, given)
        return requirement.that.fn(game.state, given) is True
    except ExpressionError:
        return None


def _shown(pack: Pack, thing: Entity) -> str:
    thing = thing.parent or thing
    return pack.shown.get("en", {}).get(f"{thing.kind} {thing.id}", thing.id)


def _ends(before: Played | None, after: Played) -> Iterator[Traced]:
    games, over = len(after.outcomes), len(after.over)
    known = len(before.outcomes) if before is not None else 0
    usual = before is None or 5 * len(before.over) >= 4 * known >= 4 * FEW
    broken = next((o.end for o in after.outcomes if made_of(o.end, NOT_LAID_OUT)), None)
    if broken is not None:
        reason = broken.values["reason"]
        yield _traced("play-failure", Text("a game cannot be laid out: {reason}", reason=reason))
    elif games >= FEW and not over and usual:
        if after.seen.halts or after.seen.failures or after.seen.unscored:
            return
        ends = Counter(outcome.end for outcome in after.outcomes).most_common(1)[0][0]
        message = Text("none of {games} games came to its end: {reason}", games=games, reason=ends)
        told = (
            ()
            if before is None
            else (
                Text(
                    "without the variant, {count} of {games} did",
                    count=len(before.over),
                    games=known,
                ),
            )
        )
        log = min((o.log or "" for o in after.outcomes), key=len)
        yield _traced("play-never-over", message, told, _without_result(log), "", Severity.WARNING)


def _length(before: Played, after: Played) -> Iterator[Traced]:
    """Yield that games take much longer than they did."""
    now, usual = after.rounds(), before.rounds()
    if min(len(after.over), len(before.over)) >= FEW and now.low > LONG * usual.high:
        message = Text("games take {rounds} rounds on average", rounds=f"{now.value:.1f}")
        told = Text("without the variant they take {rounds}", rounds=f"{usual.value:.1f}")
        log = max((o.log or "" for o in after.over), key=len)
        yield _traced("play-long", message, (told,), log, "", Severity.WARNING)


def _without_result(log: str) -> str:
    return log.partition("\nresult")[0].rstrip("\n") + "\n"


def _seats(before: Played, after: Played) -> Iterator[Traced]:
    """Yield a seat that wins far more than its share, and did not before."""
    earlier = before.seats()
    for seat, share in enumerate(after.seats()):
        fair = 1 / len(after.seats())
        usual = earlier[seat].value if seat < len(earlier) else 1.0
        most = max(fair + 2 * UNFAIR, usual + UNFAIR)
        if len(after.over) >= 2 * FEW and share.low > most:
            won = round(share.value * share.n, 1)
            message = Text(
                "the player of seat {seat} won {won} of {games} games",
                seat=seat + 1,
                won=f"{won:g}",
                games=share.n,
            )
            known = seat < len(earlier)
            told = Text(
                "in 19 of 20 cases, its share is {low} to {high}; without the variant it won "
                "{share}"
                if known
                else "in 19 of 20 cases, its share is {low} to {high}",
                low=f"{share.low:.0%}",
                high=f"{share.high:.0%}",
                share=f"{earlier[seat].value:.0%}" if known else "",
            )
            won_by = [o.log for o in after.over if o.log and o.sides[seat].share == 1.0]
            log = min(won_by, key=len, default=None)
            yield _traced("play-seat", message, (told,), log, "", Severity.WARNING)
