"""`python -m attack logs`: change statements of games; `check` must agree with the listing.

The first error of `check` must be the first line that the listing of legal moves excludes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random

import click

from altay_cli.archive.workers import cores
from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.playing import Game
from altay_cli.moves.listing import Move
from attack.operators import OPERATORS, Changed, Spot
from attack.oracle import judge
from attack.scripts import Script, script, simulated
from tests.logs import WHOLE_GAMES


@dataclass(slots=True)
class Trial:
    """The outcome of one change.

    legal: the changed line, by the listing.
    conflict: how listing and `check` disagree, or "".
    on_spot: the first error is on the changed line.
    """

    operator: str
    game: str
    line: int
    before: str
    after: str
    legal: bool
    reason: str
    errors: int
    on_spot: bool
    first: str
    conflict: str = ""


@dataclass(slots=True)
class Tally:
    """Sums of trials."""

    trials: list[Trial] = field(default_factory=list)

    def rows(self) -> Iterator[list[str]]:
        """Yield a heading, then a row for each operator and one for all."""
        yield ["operator", "changes", "mistakes", "first there", "errors each", "conflicts"]
        groups: dict[str, list[Trial]] = {name: [] for name in OPERATORS}
        for trial in self.trials:
            groups[trial.operator].append(trial)
        for name, trials in [*groups.items(), ("all", self.trials)]:
            yield self._row(name, trials)

    @staticmethod
    def _row(name: str, trials: Sequence[Trial]) -> list[str]:
        mistakes = [trial for trial in trials if not trial.legal]
        spot = share(sum(trial.on_spot for trial in mistakes), len(mistakes))
        each = sum(trial.errors for trial in mistakes) / len(mistakes) if mistakes else 0
        conflicts = sum(bool(trial.conflict) for trial in trials)
        return [name, str(len(trials)), str(len(mistakes)), spot, f"{each:.2f}", str(conflicts)]

    @property
    def conflicts(self) -> list[Trial]:
        """Return the trials on which listing and check disagree."""
        return [trial for trial in self.trials if trial.conflict]


def share(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %" if total else "-"


def attack(game: Script, changes: int, seed: str, only: Sequence[str] = ()) -> list[Trial]:
    """Change a game in so many places, one at a time."""
    random = Random(seed)
    names = list(only or OPERATORS)
    numbers = sorted(random.choice(range(len(game.lines))) for _ in range(changes))
    state = game.game()
    trials: list[Trial] = []
    at = 0
    for number in numbers:
        while at < number:
            state.apply(game.lines[at])
            at += 1
        spot = Spot(state, game.lines, number)
        for name in random.sample(names, len(names)):
            changed = OPERATORS[name](spot, random)
            if changed is not None and changed.lines != list(game.lines):
                trials.append(_trial(game, spot, name, changed))
                break
    return trials


def _trial(game: Script, spot: Spot, name: str, changed: Changed) -> Trial:
    state = spot.game
    report = check_text(game.text(changed.lines), folder=game.folder, complete=True)
    findings = [f for found in report.games for f in found.findings]
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    # A repeated statement differs first after the first of the two.
    done = _play(state, game.lines[spot.number : changed.number])
    there = changed.lines[changed.number] if changed.number < len(changed.lines) else ""
    listed: list[Move] = state.candidates()
    verdict = judge(state, there, listed) if there else None
    line = game.line(changed.number)
    first = errors[0] if errors else None
    # An unambiguous misspelling is a warning: the statement is corrected.
    is_corrected = any(
        finding.rule == "badly-written" and finding.span.line == line for finding in findings
    )
    trial = Trial(
        name,
        game.name,
        line,
        spot.text,
        there,
        is_corrected or verdict is None or verdict.legal,
        "" if verdict is None else verdict.reason,
        len(errors),
        first is not None and first.span.line == line,
        "" if first is None else f"{first.span.line}: {first.message} [{first.rule}]",
    )
    if not is_corrected:
        trial.conflict = _conflict(trial, first)
    if not is_corrected and not trial.conflict and trial.legal and first is not None:
        trial.conflict = _later(game, state, changed, first)
    for _ in range(done):
        state.undo()
    return trial


def _play(state: Game, lines: Iterable[str]) -> int:
    done = 0
    for line in lines:
        state.apply(line)
        done += 1
    return done


def _conflict(trial: Trial, first: Finding | None) -> str:
    if trial.legal:
        return f"listed, but check says {trial.first}" if trial.on_spot else ""
    if first is None:
        return f"not listed ({trial.reason}), but check finds nothing"
    if first.span.line != trial.line:
        return f"not listed ({trial.reason}), but the first error is {trial.first}"
    return ""


def _later(game: Script, state: Game, changed: Changed, first: Finding) -> str:
    number = first.span.line - game.line(0)
    if not changed.number < number < len(changed.lines):
        return f"the first error stands elsewhere: {first.span.line}: {first.message}"
    done = 0
    try:
        for line in changed.lines[changed.number : number]:
            state.apply(line)
            done += 1
    except IllegalMove as error:
        return f"refused, and no error there: {error}"
    verdict = judge(state, changed.lines[number])
    for _ in range(done):
        state.undo()
    if verdict.legal:
        return f"listed, but check says {first.span.line}: {first.message} [{first.rule}]"
    return ""


# ---------------------------------------------------------------- the command


def recorded() -> list[Script]:
    return [
        script(path.name, path.read_text(encoding="utf-8"), path.parent) for path in WHOLE_GAMES
    ]


def corpus(games: int, seed: int) -> list[Script]:
    """Return the recorded games and ``games`` simulated ones of each number of players."""
    return [
        *recorded(),
        *(found for players in (2, 3, 4) for found in simulated(players, games, seed)),
    ]


def run(
    games: Sequence[Script], changes: int, seed: int, only: Sequence[str], processes: int
) -> Iterator[list[Trial]]:
    seeds = [f"{seed}/{number}" for number in range(len(games))]
    work = partial(_attack, changes=changes, only=tuple(only))
    if processes <= 1:
        yield from map(work, games, seeds)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, games, seeds)


def _attack(game: Script, seed: str, changes: int, only: Sequence[str]) -> list[Trial]:
    return attack(game, changes, seed, only)


@click.command("logs")
@click.option("--games", default=5, show_default=True, help="Simulated games of each size.")
@click.option("--changes", default=50, show_default=True, help="Changes of each game.")
@click.option("--seed", default=1, show_default=True)
@click.option("--operator", "only", multiple=True, type=click.Choice(list(OPERATORS)))
@click.option("--processes", default=cores, type=int)
@click.option("--show", default=0, help="Show so many mistakes that gave most errors.")
def command(
    games: int, changes: int, seed: int, only: tuple[str, ...], processes: int, show: int
) -> None:
    """Change statements of logs; `check` must agree with the listing of legal moves."""
    from altay_cli.report.text import table

    scripts = corpus(games, seed)
    tally = Tally()
    with click.progressbar(length=len(scripts), file=sys.stderr) as bar:
        for trials in run(scripts, changes, seed, only, processes):
            tally.trials.extend(trials)
            bar.update(1)
    for line in table(list(tally.rows()), frozenset(range(1, 6))):
        click.echo(line)
    rules = Counter(trial.first.rpartition("[")[2][:-1] for trial in tally.trials if trial.first)
    click.echo(f"\n{len(rules)} rules found first")
    worst = sorted((t for t in tally.trials if not t.legal), key=lambda t: -t.errors)
    for trial in worst[:show]:
        click.echo(f"\n{trial.errors} errors: {_trial_text(trial)}")
    for trial in tally.conflicts:
        click.echo(f"\nconflict: {_trial_text(trial)}\n  {trial.conflict}")
    if tally.conflicts:
        raise SystemExit(1)


def _trial_text(trial: Trial) -> str:
    return (
        f"{trial.game}, line {trial.line}, {trial.operator}\n  was: {trial.before}\n"
        f"  is:  {trial.after}\n  {trial.first}"
    )
