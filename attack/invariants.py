"""`python -m attack invariants`: check invariants after every move of many games.

No entity appears or vanishes, no zone exceeds its limits, every legal move can be undone, the
canonical form of a log is equivalent, and `check` computes the scores of the game.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

from altay_cli.archive.workers import cores
from altay_cli.base.findings import Severity
from altay_cli.base.resources import data_folder
from altay_cli.base.values import Entity
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.errors import GameError, IllegalMove
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.compile.load import load_pack, variant_names
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.notation.writing import format_log
from altay_cli.scoring.score import Standing
from altay_cli.simulation.simulated import Playout, PlayPlan, playout, policy_names
from attack.counting import LYING, books, deep, unrecorded
from attack.limits import Numbers, breaches, numbers, step, zones
from attack.scripts import flat
from tests.logs import WHOLE_GAMES

VARIANTS = data_folder("rules") / "altay" / "variants"
PLAYERS = (2, 3, 4)
PICTURES = 10
"""Moves between snapshots, which are compared with the undone game."""

MAX_ROUNDS = 40
RANDOM_ROUNDS = 12
"""Random play alone hardly ever ends a game."""

MAX_BREAKS = 20
"""Reported per game."""


@dataclass(frozen=True, slots=True)
class Break:
    game: str
    line: int
    what: str


@dataclass(slots=True)
class Count:
    games: int = 0
    moves: int = 0
    tried: int = 0
    breaks: list[Break] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Add the counts of another part."""
        self.games += other.games
        self.moves += other.moves
        self.tried += other.tried
        self.breaks += other.breaks


# ---------------------------------------------------------------- after every move


class Watch:
    """Reports what a move must not have changed.

    Without a ``complete_setup``, limits exceeded from the beginning are not reported.
    """

    def __init__(self, game: Game, limits: Numbers, *, complete_setup: bool) -> None:
        self.game = game
        self.limits = limits
        self.unsure = _unsure(game)
        # By the German edition an archived card may return to the hand without notice (8).
        self.returns = any(name == "edition-de" for name, _ in game.pack.variants)
        self.back: set[Entity] = set()
        self.counted = self._books()
        self.known = set(breaches(game.state, limits))
        self.course = self._course()
        self.first = sorted(self.known) if complete_setup else []
        if complete_setup:
            self.first += _box(game, limits)

    def after(self) -> list[str]:
        """Return the invariants that a move broke."""
        counted, known, course = self._books(), self._breaches(), self._course()
        found = [
            f"{what}: {self.counted[what]} became {count}"
            for what, count in counted.items()
            if self.counted[what] != count
        ]
        found += sorted(known - self.known)
        found += step(self.course, course)
        unknown = [] if self.unsure else self._unknown()
        if unknown:
            found.append(f"unknown cards: {', '.join(unknown)}")
        self.counted, self.known, self.course = counted, known, course
        return found

    def _breaches(self) -> set[str]:
        return set(breaches(self.game.state, self.limits))

    def _books(self) -> Mapping[str, Any]:
        """Count what stays the same; cards only if all are known."""
        counted = books(self.game.state)
        if self.unsure:
            return {key: n for key, n in counted.items() if not key.startswith("copies of")}
        if self.returns and unrecorded(self.game.state):
            return {**counted, **dict(_copies(self.game.state, counted))}
        return counted

    def _unknown(self) -> list[str]:
        """Return the zones with cards that neither names nor archived cards explain.

        If an archived card may be back, everything it may be mixed with is unknown.
        """
        state, z = self.game.state, zones(self.game.state)
        if not self.returns:
            return unrecorded(state)
        unknown = set(unrecorded(state))
        for p in state.players:
            uncertain = {f"{name} of {p.id}" for name in LYING}
            if z["archive"][p].unknown.hidden:
                self.back.add(p)
            elif unknown.isdisjoint(uncertain):
                self.back.discard(p)
            if p in self.back and not any(z[name][p].unknown.absent for name in LYING):
                unknown -= uncertain
        return [zone for zone in unrecorded(state) if zone in unknown]

    def _course(self) -> Mapping[str, Any]:
        z = zones(self.game.state)
        return {name: z[name] for name in ("round", "ending", "over")}


def _copies(state: State, counted: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Count cards once that may be in several places."""
    z = zones(state)
    bags = [z[name][p] for name in LYING for p in state.players]
    for card in state.pack.entities["card"]:
        what = f"copies of {card.id}"
        elsewhere = counted[what] - sum(bag.get(card, 0) for bag in bags)
        least, most = state.hidden.queries.count_bounds(bags, (card,))
        there = elsewhere + least
        yield what, there if least == most else f"{there} to {elsewhere + most}"


def _unsure(game: Game) -> bool:
    z = zones(game.state)
    secret = any(z["secret_unknown"][p] for p in game.state.players)
    return secret or z["display"].unknown.hidden > 0 or bool(unrecorded(game.state))


def _box(game: Game, limits: Numbers) -> list[str]:
    state = game.state
    counted, seats = books(state), len(state.players)
    due: dict[str, int] = {}
    for resource in state.pack.entities["resource"]:
        due[f"tokens of {resource.id}"] = limits["resource_tokens"]
    for player in state.players:
        due[f"settlements of {player.id}"] = limits["settlements"]
    due["coins"] = limits["coins_in_bank"] if state.options["trading"] == "on" else 0
    for goal in state.pack.entities["achievement"]:
        due[f"copies of {goal.id}"] = 1 if goal.f["level"] == 3 else seats
    found = [f"{what}: {counted[what]}, not {n}" for what, n in due.items() if counted[what] != n]
    z = zones(state)
    starting = Counter(
        title.f["prints"][0]
        for player in state.players
        for title, count in z["faction"][player].f["deck"].items()
        for _ in range(count)
    )
    for title in state.pack.entities["title"]:
        cards = {card: counted[f"copies of {card.id}"] for card in title.f["prints"]}
        wanted = limits["copies_per_player"] * seats
        if title.f["starting"]:
            wanted = sum(starting[card] for card in cards)
        if sum(cards.values()) != wanted:
            found.append(f"{sum(cards.values())} {title.id} in the game, not {wanted}")
    # The marker of a starting territory leaves the game, if the log records it.
    markers = sum(n for what, n in counted.items() if what.startswith("markers "))
    all_of_them = sum(marker.f["copies"] for marker in state.pack.entities["marker"])
    if not all_of_them - seats <= markers <= all_of_them:
        found.append(f"{markers} conquest markers, not {all_of_them} or up to {seats} fewer")
    return found


# ---------------------------------------------------------------- one game


def walk(name: str, text: str, folder: Path | None, tries: int, seed: str) -> Count:
    """Check all games of a log, each up to its first illegal move.

    After every move, ``tries`` random legal moves are made and undone.
    """
    found = Count()
    log = read_log(text)
    for number, record in enumerate(log.games, 1):
        statements = [
            statement
            for section in record.sections
            if section.kind is SectionKind.TURN
            for statement in (section.heading, *section.statements)
        ]
        title = name if len(log.games) == 1 else f"{name}, game {number}"
        try:
            game = _open(text, number, folder, statements)
        except GameError:
            continue  # no rules or no players
        if game.pack.id != "altay" or game.errors or not statements:
            continue
        complete_setup = any(section.kind is SectionKind.SETUP for section in record.sections)
        limits = numbers(_files(game, record, folder))
        walker = _Walker(
            title, game, limits, tries, Random(f"{seed}/{title}"), complete_setup=complete_setup
        )
        found.add(walker.run(statements))
    found.breaks += (Break(name, 1, what) for what in formatting(text, folder))
    return found


def _open(text: str, number: int, folder: Path | None, statements: Sequence[Statement]) -> Game:
    at = f"{statements[0].line}:{statements[0].column}" if statements else None
    return open_game(text, at, game=number, folder=folder, seed=0)


def _files(game: Game, record: GameRecord, folder: Path | None) -> tuple[Path, ...]:
    shipped = [VARIANTS / f"{name}.yaml" for name, _ in game.pack.variants]
    named = [tag.value for tag in record.tags if tag.name.casefold() == "variant"]
    beside = [folder / name for name in named if folder is not None and name.endswith(".yaml")]
    return (*(path for path in shipped if path.is_file()), *beside)


class _Walker:
    def __init__(
        self,
        name: str,
        game: Game,
        limits: Numbers,
        tries: int,
        random: Random,
        *,
        complete_setup: bool,
    ) -> None:
        self.name = name
        self.game = game
        self.tries = tries
        self.random = random
        self.watch = Watch(game, limits, complete_setup=complete_setup)
        self.count = Count(games=1)
        self.line = 0
        self.pictures: list[tuple[int, int, dict[str, Any]]] = []

    def run(self, statements: Sequence[Statement]) -> Count:
        self.line = statements[0].line - 1
        self._report(self.watch.first)
        for number, statement in enumerate(statements):
            if number % PICTURES == 0:
                self.pictures.append((len(self.game.statements), self.line, deep(self.game.state)))
            self._try()
            try:
                self.game.apply(flat(statement.text))
            except IllegalMove:
                break
            self.line = statement.line
            self.count.moves += 1
            self._report(self.watch.after())
            if len(self.count.breaks) > MAX_BREAKS:
                return self.count
        self._take_back()
        return self.count

    def _report(self, found: Sequence[str]) -> None:
        self.count.breaks += (Break(self.name, self.line, what) for what in found)

    def _try(self) -> None:
        if not self.tries:
            return
        game = self.game
        before = deep(game.state)
        moves = game.candidates()
        if deep(game.state) != before:
            self._report(["listing the legal moves has changed the state"])
        if not moves and not game.ended:
            self._report(["no move is legal, and the game is not over"])
        for move in self.random.sample(moves, min(self.tries, len(moves))):
            self._try_move(move, before)

    def _try_move(self, move: Move, before: dict[str, Any]) -> None:
        game = self.game
        try:
            game.apply(move)
        except IllegalMove as error:
            self._report([f"listed, and not legal: {error}"])
            return
        self.count.tried += 1
        game.undo()
        after = deep(game.state)
        if after != before:
            zone = next(name for name in before if before[name] != after[name])
            self._report([f"`{move.statement}` taken back leaves another state: {zone}"])

    def _take_back(self) -> None:
        for number, line, picture in reversed(self.pictures):
            while len(self.game.statements) > number:
                self.game.undo()
            if deep(self.game.state) != picture:
                self.line = line
                self._report(["the game taken back to here is another one"])
                return


# ---------------------------------------------------------------- complete logs


def formatting(text: str, folder: Path | None = None) -> Iterator[str]:
    """Yield the differences between a log and its canonical form."""
    formatted = format_log(text)
    if format_log(formatted) != formatted:
        yield "formatted twice it is not what it is formatted once"
    old, new = check_text(text, folder=folder).games, check_text(formatted, folder=folder).games
    if len(old) != len(new):
        yield f"{len(old)} games, {len(new)} when it is formatted"
    for before, after in zip(old, new, strict=False):
        old_findings, new_findings = _findings(before), _findings(after)
        if old_findings != new_findings:
            (rule, message), _ = next(
                iter(((old_findings - new_findings) + (new_findings - old_findings)).items())
            )
            yield f"formatted it has other findings: {message} [{rule}]"
        if _scores(before.standing) != _scores(after.standing):
            yield "formatted it has other scores"


def _findings(game: GameReport) -> Counter[tuple[str, str]]:
    return Counter((finding.rule, finding.message) for finding in game.findings)


def _scores(standing: Standing | None) -> object:
    if standing is None:
        return None
    players = [
        (player.player, [(score.category.id, score.points) for score in player.categories])
        for player in standing.players
    ]
    return players, standing.ranking, standing.decided_by


def replayed(outcome: Playout, folder: Path | None = None) -> Iterator[Break]:
    """Compare a simulated game with the result of `check`."""
    name = f"simulated game {outcome.number}"
    if not outcome.ended and not outcome.end.startswith("not over after"):
        yield Break(name, 0, outcome.end)
    if outcome.log is None:
        return
    game = check_text(outcome.log, folder=folder).games[0]
    for finding in game.findings:
        if finding.severity is Severity.ERROR:
            what = f"check does not accept what was played: {finding.message} [{finding.rule}]"
            yield Break(name, finding.span.line, what)
    if game.standing is None or game.played is None:
        return
    scores = [{s.category.id: s.points for s in p.categories} for p in game.standing.players]
    if scores != [side.scores for side in outcome.sides]:
        yield Break(name, 0, "check comes to other scores than the game")
    winners = [p.player in game.standing.winners for p in game.standing.players]
    if winners != [bool(side.share) for side in outcome.sides]:
        yield Break(name, 0, "check finds other winners than the game")
    course = (game.played.ended, game.played.state.round)
    if course != (outcome.ended, outcome.rounds):
        yield Break(name, 0, f"ended and rounds: {(outcome.ended, outcome.rounds)}, not {course}")


# ---------------------------------------------------------------- many games


def plans(games: int, seed: int) -> Iterator[tuple[PlayPlan, int]]:
    """Yield plans, each with the number of its game."""
    special: list[tuple[tuple[str, str], ...]] = [
        (),
        (("Map", "full"),),
        (("Edition", "de"),),
        (("Variant", "trading"), ("Edition", "de")),
        *((("Variant", name),) for name in variant_names("altay")),
    ]
    named = policy_names(load_pack("altay"))
    policies = [*((name,) for name in named), tuple(named)]
    for number in range(1, games + 1):
        for players in PLAYERS:
            which = number * len(PLAYERS) + players
            tags = special[which % len(special)]
            while not _is_for(tags, players):
                which += 1
                tags = special[which % len(special)]
            chosen = policies[which % len(policies)]
            rounds = RANDOM_ROUNDS if chosen == ("random",) else MAX_ROUNDS
            yield (
                PlayPlan("altay", players, chosen, seed, tags, max_rounds=rounds, keep=True),
                number,
            )


def _is_for(tags: Sequence[tuple[str, str]], players: int) -> bool:
    files = tuple(VARIANTS / f"{value}.yaml" for name, value in tags if name == "Variant")
    pack = load_pack("altay", files)
    return pack.least <= players <= pack.most


def of_plan(entry: tuple[PlayPlan, int], tries: int) -> Count:
    """Play a game and check it."""
    plan, number = entry
    outcome = playout(plan, number)
    tags = " ".join(value for _, value in plan.tags) or "plain"
    name = f"{plan.players} players, seed {plan.seed}, game {number}, {tags}"
    found = walk(name, outcome.log or "", plan.folder, tries, f"{plan.seed}")
    found.breaks += (Break(name, b.line, b.what) for b in replayed(outcome, plan.folder))
    return found


def of_file(path: Path, tries: int) -> Count:
    return walk(str(path), path.read_text(encoding="utf-8"), path.parent, tries, "log")


def logs(paths: Sequence[Path]) -> list[Path]:
    return [
        log for path in paths for log in (sorted(path.rglob("*.agn")) if path.is_dir() else [path])
    ]


def run(
    entries: Sequence[tuple[PlayPlan, int]], files: Sequence[Path], tries: int, processes: int
) -> Iterator[Count]:
    """Yield the result of each game, from several processes."""
    if processes <= 1:
        yield from map(partial(of_file, tries=tries), files)
        yield from map(partial(of_plan, tries=tries), entries)
        return
    with ProcessPoolExecutor(processes) as pool:
        first = pool.map(partial(of_file, tries=tries), files)
        then = pool.map(partial(of_plan, tries=tries), entries)
        yield from first
        yield from then


@click.command("invariants")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--games", default=5, show_default=True, help="Simulated games of each size.")
@click.option("--seed", default=1, show_default=True)
@click.option("--tries", default=2, show_default=True, help="Moves tried and undone at each point.")
@click.option("--processes", default=cores, type=int)
def command(paths: tuple[Path, ...], games: int, seed: int, tries: int, processes: int) -> None:
    """Check invariants after every move of recorded and simulated games.

    An illegal log is checked up to its first error.
    """
    files = [*WHOLE_GAMES, *logs(paths)]
    entries = list(plans(games, seed))
    found = Count()
    with click.progressbar(length=len(files) + len(entries), file=sys.stderr) as bar:
        for count in run(entries, files, tries, processes):
            found.add(count)
            bar.update(1)
    click.echo(
        f"{found.games:,} games, {found.moves:,} moves, {found.tried:,} others tried and undone: "
        f"{len(found.breaks):,} breaks"
    )
    for found_break in found.breaks:
        click.echo(f"{found_break.game}, line {found_break.line}: {found_break.what}")
    if found.breaks:
        raise SystemExit(1)
