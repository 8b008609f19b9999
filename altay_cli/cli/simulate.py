"""`altay simulate` plays games automatically and reports statistics."""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from altay_cli.archive.work import Work, Workers
from altay_cli.archive.workers import LocalWorkers, results_in_order
from altay_cli.base.findings import Finding, ImpossibleError, errors_of
from altay_cli.base.resources import pack_folder
from altay_cli.cli.datasets import Asked, dataset_options
from altay_cli.cli.files import workers_option
from altay_cli.cli.output import (
    INTERRUPTED,
    Progress,
    Refused,
    format_option,
    save,
    warn,
    write_result,
)
from altay_cli.cli.rules_check import print_problems, warn_lost
from altay_cli.cli.rulesets import (
    game_of,
    in_language,
    rules_option,
    tag_named,
    variant_of,
    variants_option,
)
from altay_cli.lint.examine import Examiner
from altay_cli.pack.model import Pack
from altay_cli.report.plot import FORMATS, draw, draw_sweep, most_changed
from altay_cli.report.simulation import simulation_json, simulation_lines, sweep_json, sweep_lines
from altay_cli.report.text import language
from altay_cli.simulation.planning import check_plan, read_sweep, rules_for, write_variants
from altay_cli.simulation.recording import LEAST_DIGITS, SUFFIXES, Recorder, variant_names
from altay_cli.simulation.simulated import ENDED, GREEDY, Playout, PlayPlan, playouts
from altay_cli.simulation.tally import Run, tally
from altay_cli.source.folder import read_folder
from altay_cli.source.inspect import title_at

if TYPE_CHECKING:  # an extra
    from altay_cli.archive.dataset import Dataset

MAX_SEED = 1_000_000

SECONDS_A_GAME = 0.05
"""Estimated, for the size of batches."""

# The label of games, their plan, rules, and the recorder of their logs.
_Series = tuple[str, PlayPlan, Pack, Recorder | None]


@click.command("simulate")
@rules_option("The game to play; without it, that of the variant, else the default one.")
@click.option("--players", type=int, help="How many play; without it, the fewest possible.")
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="How many games to play.",
)
@click.option(
    "--policy",
    "policies",
    default=GREEDY,
    show_default=True,
    metavar="NAME,...",
    help="How the players choose their moves; of several, seats take turns.",
)
@click.option("--seed", type=int, help="The same seed gives the same games; else chance sets one.")
@variants_option
@click.option(
    "--tag", "tags", multiple=True, metavar="NAME=VALUE", help="A tag of the logs, for options."
)
@click.option("--compare", "compared", metavar="VARIANT", help="Play under this variant as well.")
@click.option(
    "--sweep",
    "swept",
    metavar="PATH=FROM..TO",
    help="Play under each value of a part of the rules.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write every game down as a log."
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the results (.svg, .png, .pdf).",
)
@click.option(
    "--max-rounds",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Games that take longer are given up.",
)
@workers_option("--processes")
@dataset_options
@format_option
def simulate(
    game: str | None,
    players: int | None,
    games: int,
    policies: str,
    seed: int | None,
    variants: tuple[str, ...],
    tags: tuple[str, ...],
    compared: str | None,
    swept: str | None,
    out: Path | None,
    plot: Path | None,
    max_rounds: int,
    workers: Workers,
    dataset: Path | None,
    form: str,
    *,
    changes: bool,
    resume: bool,
) -> int:
    """Play games by chance and policy, and report how they end, who wins, and by what.

    Each number comes with its 95 % confidence interval. The same seed gives the same games and the
    same report on any number of processes. docs/simulate.md explains the report.
    """
    if plot is not None:
        check_plot(plot)
    if isinstance(workers, LocalWorkers):
        workers = LocalWorkers(min(workers.count, games))
    asked = Asked(dataset, changes=changes, resume=resume)
    recorder = None if out is None else Recorder(out, games)
    if seed is None and recorder is not None:
        seed = recorder.seed
    plan = PlayPlan(
        pack=game or game_of((*variants, *filter(None, [compared]))),
        players=0,
        policies=tuple(name.strip() for name in policies.split(",")),
        seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
        tags=tuple(map(tag_named, tags)),
        max_rounds=max_rounds,
        keep=out is not None or dataset is not None,
    )
    for name in variants:
        plan = _with_variant(plan, name)
    if plan.folder is not None:
        _examine(plan.pack, variants)
    base = rules_for(plan)
    plan = replace(plan, players=base.least if players is None else players)
    if swept is not None:
        if compared is not None or out is not None or dataset is not None:
            raise Refused(
                "--sweep compares values and writes no logs: it cannot be used with --compare, "
                "--out or --dataset"
            )
        return _play_sweep(plan, swept, games, workers, plot, form)
    series = [_series("rules as given", plan, base, recorder)]
    if compared is not None:
        label = Path(compared).stem if compared.endswith(SUFFIXES) else compared
        varied = _with_variant(plan, compared)
        if varied.tags[-1][1].endswith(SUFFIXES):
            _examine(plan.pack, (*variants, compared))
        below = None if out is None else Recorder(out / label, games)
        series.append(_series(label, varied, rules_for(varied), below))
    recorders = [(recorder, played) for _, played, _, recorder in series if recorder is not None]
    for recorder, played in recorders:
        _begin(recorder, played)
    tables = asked.begin(language())
    runs, lost = _play(series, games, workers, tables)
    if tables is not None:
        tables.finish()
        asked.warn_reused(tables)
    if plot is not None:
        save(plot, draw(runs, plot.suffix.lower()))
    write_result(form, simulation_lines(runs), lambda: simulation_json(runs))
    for recorder, _ in recorders if not lost else ():
        recorder.finish()
    return _exit_code(lost)


def _with_variant(plan: PlayPlan, name: str) -> PlayPlan:
    rules = variant_of(plan.pack, name)
    path = rules.variants[-1].resolve()
    if path.parent == (rules.folder / "variants").resolve():
        return replace(plan, tags=(*plan.tags, ("Variant", path.stem)))
    if not path.name.endswith(SUFFIXES):
        raise Refused("{file}: the name of a variant file ends in .yaml", file=name)
    if plan.folder not in (None, path.parent):
        raise Refused(
            "{file}: variant files that are played together must be in one folder", file=name
        )
    return replace(plan, tags=(*plan.tags, ("Variant", path.name)), folder=path.parent)


def _examine(game: str, names: Iterable[str]) -> None:
    """Stop if `altay rules check` finds errors."""
    sets = [variant_of(game, name) for name in names]
    paths = tuple(path for rules in sets for path in rules.variants)
    together = replace(sets[-1], variants=paths)
    problems: list[Finding] = Examiner(together.folder).examine(paths)
    print_problems(together, in_language(together, problems), err=True)
    if errors_of(problems):
        raise Exit(2)


def _series(label: str, plan: PlayPlan, pack: Pack, recorder: Recorder | None) -> _Series:
    check_plan(plan, pack)
    return label, plan, pack, recorder


def _begin(recorder: Recorder, plan: PlayPlan) -> None:
    recorder.begin(plan)
    if recorder.done:
        played = "{done} of {games} games have already been played; the run continues from there"
        done, games = f"{len(recorder.done):,}", f"{recorder.games:,}"
        warn(played, about=recorder.folder, done=done, games=games)


def _play(
    series: list[_Series], games: int, workers: Workers, dataset: Dataset | None = None
) -> tuple[list[Run], int]:
    """Return the counts, and how many games killed their process."""
    runs: list[Run] = []
    lost = 0
    done, total = 0, games * len(series)
    progress = Progress("playing", total)
    try:
        for label, plan, pack, recorder in series:
            outcomes = []
            with closing(_recorded(plan, recorder, games, workers)) as played:
                for outcome in played:
                    if dataset is not None:
                        _add_log(dataset, label if runs else "", plan, recorder, outcome)
                    outcome.log = None
                    outcomes.append(outcome)
                    lost += outcome.end == ENDED
                    done += 1
                    progress.add(1)
            runs.append(Run(label, plan, pack, tally(pack, outcomes)))
        progress.end()
    except KeyboardInterrupt:
        message = "interrupted; {done} of {games} games were played"
        warn(message, done=f"{done:,}", games=f"{total:,}")
        raise Exit(INTERRUPTED) from None
    except ImpossibleError as error:
        message = "{error} ({count} games were played)"
        raise Refused(message, error=error, count=f"{done:,}") from error
    return runs, lost


def _exit_code(lost: int) -> int:
    warn_lost(lost)
    return 2 if lost else 0


def _play_sweep(
    plan: PlayPlan, text: str, games: int, workers: Workers, plot: Path | None, form: str
) -> int:
    try:
        sweep = read_sweep(text)
    except ValueError as error:
        raise Refused("--sweep {text}: {reason}", text=text, reason=error) from error
    rules = read_folder(pack_folder(plan.pack))
    sweep = sweep._replace(title=title_at(rules, sweep.path, language()))
    with TemporaryDirectory(prefix="altay-") as name:
        plans = write_variants(sweep, plan, Path(name).resolve())
        series = [
            _series(f"{sweep.path} = {value}", variation, rules_for(variation), None)
            for value, variation in zip(sweep.values, plans, strict=True)
        ]
        runs, lost = _play(series, games, workers)
    if plot is not None:
        save(plot, draw_sweep(sweep, runs, plot.suffix.lower()))
    undrawn = most_changed(runs)[1] if plot is not None else ()
    write_result(form, sweep_lines(sweep, runs, undrawn), lambda: sweep_json(sweep, runs))
    return _exit_code(lost)


def _recorded(
    plan: PlayPlan, recorder: Recorder | None, games: int, workers: Workers
) -> Generator[Playout, None, None]:
    """Play the games that are not recorded; yield all in order."""
    done = recorder.done if recorder is not None else {}
    numbers = range(1, games + 1)
    files = variant_names(plan)
    work = Work(partial(playouts, plan), lambda _: SECONDS_A_GAME, _lost, 2, lambda _: files)
    with closing(results_in_order(work, (n for n in numbers if n not in done), workers)) as played:
        for number in numbers:
            outcome = done[number] if number in done else next(played)
            # A game that killed its process is played again when the run is resumed.
            if recorder is not None and number not in done and outcome.end != ENDED:
                recorder.write(outcome)
            yield outcome


def _add_log(
    dataset: Dataset, label: str, plan: PlayPlan, recorder: Recorder | None, outcome: Playout
) -> None:
    if recorder is None:
        path, folder = Path(label) / f"game-{outcome.number:0{LEAST_DIGITS}}.agn", plan.folder
        text = outcome.log
    else:
        path = recorder.path(outcome.number)
        folder, text = path.parent, outcome.log
        if text is None and path.is_file():  # played before the run was interrupted
            text = path.read_text(encoding="utf-8")
    if text is not None:
        dataset.add_log(path, folder, text)


def _lost(number: int) -> Playout:
    return Playout(number, False, ENDED)


def check_plot(path: Path) -> None:
    """Refuse the request early if the plot cannot be drawn."""
    if path.suffix.lower() not in FORMATS:
        raise Refused("--plot {path}: the name must end in {forms}", path=path, forms=FORMATS)
    if not path.parent.is_dir() or path.is_dir():
        raise Refused("--plot {path}: there is no such folder, or it is a folder itself", path=path)
    if find_spec("matplotlib") is None:
        raise Refused("plots need matplotlib: {command}", command="pip install 'altay[plot]'")
