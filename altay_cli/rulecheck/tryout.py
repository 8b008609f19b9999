"""House rules tried out: short games are played with and without them, and what they show is told.

What is found this way is found in some games only, so that it is told only where it can hardly be
an accident. Each trouble comes with a game that shows it, as a log.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from time import process_time

from altay_cli.engine.chance import likeliest
from altay_cli.engine.listing import Move
from altay_cli.expressions import EVALUATION_ERRORS
from altay_cli.pack.cache import fingerprint, load, store
from altay_cli.pack.load import load_pack, pack_key, pack_names
from altay_cli.pack.model import Pack
from altay_cli.pack.problems import PackError
from altay_cli.pack.variants import WORDS, Chains
from altay_cli.playing import Game, IllegalMove
from altay_cli.resources import pack_folder
from altay_cli.simulation.playout import Outcome, Plan, Watch, playout
from altay_cli.simulation.policies import GREEDY, RANDOM
from altay_cli.simulation.statistics import Estimate, mean, proportion
from altay_cli.spans import Span
from altay_cli.values import Entity

SECONDS = 4.0
"""Time of the processor after which no further game is begun, for each of the rules."""
GAMES = 20
"""How many games are played unless somebody asks for more, or for none."""
MAX_ROUNDS = 60
MAX_MOVES = 1_500
PROBES = 2
"""How often a move is tried again and again, from where it was found."""
REPEATS = 150
"""A move that can be made so often on end can be made for ever."""
SHOWN_REPEATS = 10
FEW = 5
"""Of fewer games nothing is said but what one game proves."""
ACCIDENT = 1e-5
"""What is no more likely than this is no accident."""
ALWAYS = 0.9

Key = tuple[str, str, str]
"""A move, or a move with a thing in one of its slots: its id, the slot, the name of the thing."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What games have shown: the id of the problem, what is told, and a log that shows it.

    ``about`` is the id of the move or trigger that it is about, if there is one.
    """

    rule: str
    message: str
    help: tuple[str, ...] = ()
    log: str | None = None
    about: str = ""
    severity: str = "error"


@dataclass(slots=True)
class Played:
    """Games that were played under the same rules."""

    outcomes: list[Outcome]
    seen: Onlooker

    @property
    def over(self) -> list[Outcome]:
        """The games that came to their end."""
        return [outcome for outcome in self.outcomes if outcome.ended]

    def is_strange(self) -> bool:
        """Tell whether more games may show what these let suspect."""
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
        """Return what is told to programs."""
        rounds = self.rounds()
        return {
            "games": len(self.outcomes),
            "over": len(self.over),
            "rounds": {"mean": rounds.value, "low": rounds.low, "high": rounds.high},
            "seats": [{"wins": s.value, "low": s.low, "high": s.high} for s in self.seats()],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What playing has shown: the games with and without the variants, and the troubles.

    ``lost`` and ``gained`` are moves that were legal in many games before and in none now, and
    the reverse.
    """

    before: Played
    after: Played
    players: int
    troubles: tuple[Trouble, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]

    def document(self) -> dict[str, object]:
        """Return what is told to programs."""
        return {
            "players": self.players,
            "before": self.before.document(),
            "after": self.after.document(),
            "lost": list(self.lost),
            "gained": list(self.gained),
        }


def plans(folder: Path, variants: Sequence[Path]) -> tuple[Plan, Plan] | None:
    """Return how to play by variants and without them; None where games cannot be played so.

    That needs a game that ships, which tells how it is laid out, and variants of one folder.
    """
    shipped = folder / "variants"
    own = [path for path in variants if not path.resolve().is_relative_to(shipped.resolve())]
    folders = {path.resolve().parent for path in own}
    if not variants or len(folders) > 1:
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
    base = Plan(folder.name, load_pack(folder.name).least, (GREEDY,), 1)
    plan = replace(base, players=pack.least, tags=tags, folder=next(iter(folders), None))
    return plan, base


def place(folder: Path, variants: Sequence[Path], about: str) -> tuple[str, Span]:
    """Return the place in variants of what was found: the change of what it is about, if any."""
    read = Chains(folder, []).read(variants)
    for variant in reversed(read):
        changes = variant.source.data["change"]
        for number, change in enumerate(changes):
            word = next(key for key in WORDS if key in change)
            if len(changes) == 1 or (about and about in change[word].split(".")):
                return variant.source.file, variant.source.span(("change", number, word))
    last = read[-1].source
    return last.file, last.span(("variant",))


def try_out(plan: Plan, base: Plan, games: int, seconds: float | None = SECONDS) -> Report:
    """Play so many games of two plans, or as many as there is time for, if that is bounded."""
    before = _kept(base, games, seconds)
    after = play(plan, games, seconds)
    # Of games that stop in their middle, what never came to be legal there says nothing.
    broken = after.seen.halts or after.seen.failures or not after.over
    lost = [k for k in before.seen.legal if not broken and _is_lost(k, before, after)]
    gained = [k for k in after.seen.legal if not broken and _is_lost(k, after, before)]
    troubles = [
        *after.seen.troubles(),
        *_ends(before, after),
        *_seats(before, after),
        *_lost(lost, plan, before, after),
    ]
    return Report(
        before,
        after,
        plan.players,
        tuple(troubles),
        tuple(sorted({key[0] for key in lost if not key[1]})),
        tuple(sorted({key[0] for key in gained if not key[1]})),
    )


def play(plan: Plan, games: int, seconds: float | None = None) -> Played:
    """Play so many games, or as many as there is time for."""
    end = inf if seconds is None else process_time() + seconds
    found = Played([], Onlooker())
    for number in range(1, games + 1):
        # Policies that want something see the ends of games; chance sees what nobody would do.
        style = RANDOM if number % 5 == 0 else GREEDY
        rounds = MAX_ROUNDS if style == GREEDY else MAX_ROUNDS // 4
        found.seen.number = number
        one = replace(plan, policies=(style,), max_rounds=rounds, max_moves=MAX_MOVES, keep=True)
        outcome = playout(one, number, found.seen)
        if style == GREEDY or outcome.ended or not outcome.end.startswith("not over"):
            found.outcomes.append(outcome)
        late = process_time() - end
        if late > 0 and (late > 2 * (seconds or 0) or not found.is_strange()):
            break
    return found


def _kept(base: Plan, games: int, seconds: float | None) -> Played:
    """Play games by rules that ship, which gives the same as long as they stay as they are."""
    key = fingerprint((), pack_key(pack_folder(base.pack), ()), f"{base} {games} {seconds}")
    data = load(key)
    if data is not None:
        kept = pickle.loads(data)  # noqa: S301 - what the cache gives back is what was stored
        if isinstance(kept, Played):
            return kept
    found = play(base, games, None if seconds is None else 3 * seconds)
    for outcome in found.outcomes:
        outcome.log = None
    found.seen.pack = None
    store(key, pickle.dumps(found))
    return found


# ---------------------------------------------------------------- looking on


class Onlooker(Watch):
    """Notes what can be seen in games."""

    def __init__(self) -> None:
        self.number = 0
        """The game that is being played."""
        self.legal: dict[Key, set[int]] = {}
        self.examples: dict[Key, str] = {}
        self.probed: Counter[str] = Counter()
        self.endless: dict[str, str] = {}
        self.halts: dict[str, tuple[str, str]] = {}
        self.failures: dict[str, tuple[str, str]] = {}
        self.fired: Counter[str] = Counter()
        self.moves = 0
        self.pack: Pack | None = None

    def listed(self, game: Game, moves: Sequence[Move]) -> None:
        """Note what is legal, and try moves again and again."""
        self.pack = game.pack
        for move in moves:
            for key in _keys(game.pack, move):
                self.legal.setdefault(key, set()).add(self.number)
                self.examples.setdefault(key, move.statement)
            definition = move.definition
            if definition.heading or definition.closes or self.probed[move.id] >= PROBES:
                continue
            self.probed[move.id] += 1
            self._probe(game, move)

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
        for trigger in game.pack.triggers if not move.definition.heading else ():
            try:
                game.state.grant()
                self.fired[trigger.id] += trigger.when.fn(game.state, {}) is True
            except EVALUATION_ERRORS:
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

    # ------------------------------------------------------------ what it means

    def troubles(self) -> Iterator[Trouble]:
        """Yield what one game alone proves."""
        for what, (who, log) in self.halts.items():
            message = "the game goes on, and there is no legal move"
            if what:
                message = f"nobody can answer `{what}`: no answer of {who} is legal"
            yield Trouble("play-stuck", message, (), log, what)
        for move, log in self.endless.items():
            message = f"`{move}` can be made again and again, without end, in one turn"
            told = f"it was made {REPEATS} times on end"
            yield Trouble("play-endless", message, (told,), log, move, "warning")
        for move, (fault, log) in self.failures.items():
            message = f"`{move}` is legal, and what it does fails: {fault}"
            yield Trouble("play-failure", message, (), log, move)
        for trigger, times in self.fired.items():
            if self.moves >= 50 and times >= ALWAYS * self.moves:
                message = f"`{trigger}` happens again and again: its condition stays true"
                told = f"it held after {times} of {self.moves} moves; let `does` end it"
                yield Trouble("play-trigger", message, (told,), None, trigger, "warning")


def _keys(pack: Pack, move: Move) -> Iterator[Key]:
    yield move.id, "", ""
    for slot in move.definition.slots.values():
        thing = move.values.get(slot.name)
        if slot.shape == "entity" and isinstance(thing, Entity) and thing.kind != "player":
            thing = thing.parent or thing
            shown = pack.shown.get("en", {}).get(f"{thing.kind} {thing.id}", thing.id)
            yield move.id, slot.name, shown


# ---------------------------------------------------------------- compared


def _is_lost(key: Key, before: Played, after: Played) -> bool:
    """Tell whether what was legal before is no longer, and that is no accident."""
    number = len(after.outcomes)
    if key in after.seen.legal or number < FEW or len(before.outcomes) < FEW:
        return False
    pack = after.seen.pack
    if pack is not None:
        things = pack.shown.get("en", {}).values()
        if all(move.id != key[0] for move in pack.moves) or (key[2] and key[2] not in things):
            return False  # it was taken out of the game
    share = len(before.seen.legal[key]) / (len(before.outcomes) + 1)
    return bool((1 - share) ** number < ACCIDENT)


def _lost(keys: Sequence[Key], plan: Plan, before: Played, after: Played) -> Iterator[Trouble]:
    whole = {key[0] for key in keys if not key[1]}
    asked = {key: before.seen.examples[key] for key in keys if not key[1] or key[0] not in whole}
    if not asked:
        return
    blame = _Blame(asked)
    playout(replace(plan, policies=(GREEDY,), max_rounds=MAX_ROUNDS, max_moves=400), 1, blame)
    by_rule: dict[tuple[str, str], list[str]] = {}
    for key in asked:
        counted = blame.rules.get(key, Counter()).most_common(1)
        by_rule.setdefault((key[0], counted[0][0] if counted else ""), []).append(key[2])
    games = len(after.outcomes)
    for (move, rule), things in by_rule.items():
        named = [thing for thing in things if thing]
        with_ = f" with {', '.join(named)}" if named else ""
        because = f": `{rule}` forbids it" if rule else ""
        message = f"`{move}` was never legal{with_} in {games} games{because}"
        told = f"without the variant it was, in {len(before.outcomes)} games"
        yield Trouble("play-never", message, (told,), None, move, "warning")


class _Blame(Watch):
    """Asks which rules forbid what was legal before."""

    def __init__(self, asked: Mapping[Key, str]) -> None:
        self.asked = asked
        self.rules: dict[Key, Counter[str]] = {}

    def listed(self, game: Game, moves: Sequence[Move]) -> None:
        """Try what was legal before."""
        if game.state.due is not None or any(move.definition.heading for move in moves):
            return
        for key, statement in self.asked.items():
            try:
                game.apply(statement, pick=likeliest)
                game.undo()
            except IllegalMove as error:
                counted = self.rules.setdefault(key, Counter())
                counted.update(finding.rule for finding in error.findings[:1])


def _ends(before: Played, after: Played) -> Iterator[Trouble]:
    games, over = len(after.outcomes), len(after.over)
    known = len(before.outcomes)
    broken = any(o.end.startswith("cannot be laid out") for o in after.outcomes)
    if broken:
        fault = next(o.end for o in after.outcomes if o.end.startswith("cannot be laid out"))
        yield Trouble("play-failure", f"a game {fault}")
    elif games >= FEW and not over and 5 * len(before.over) >= 4 * known >= 4 * FEW:
        if after.seen.halts or after.seen.failures:
            return
        ends = Counter(outcome.end for outcome in after.outcomes).most_common(1)[0][0]
        message = f"none of {games} games came to its end: {ends}"
        told = f"without the variant, {len(before.over)} of {known} did"
        log = min((o.log or "" for o in after.outcomes), key=len)
        yield Trouble("play-never-over", message, (told,), _without_result(log), "", "warning")


def _without_result(log: str) -> str:
    return log.partition("\nresult")[0].rstrip("\n") + "\n"


def _seats(before: Played, after: Played) -> Iterator[Trouble]:
    """Yield a seat that wins far more than its share, and did not before."""
    earlier = before.seats()
    for seat, share in enumerate(after.seats()):
        fair = 1 / len(after.seats())
        usual = earlier[seat].high if seat < len(earlier) else 1.0
        if len(after.over) >= 2 * FEW and share.low > fair + 0.25 and share.low > usual:
            won = round(share.value * share.n, 1)
            message = f"the player of seat {seat + 1} won {won:g} of {share.n} games"
            told = f"in 19 of 20 cases, its share is {share.low:.0%} to {share.high:.0%}"
            if seat < len(earlier):
                told = f"{told}; without the variant it won {earlier[seat].value:.0%}"
            yield Trouble("play-seat", message, (told,), None, "", "warning")
