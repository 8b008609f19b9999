"""`altay stats` reports how recorded games end, who wins, and by what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click

from altay_cli.archive.stats import Statistics, count_games, reports_of
from altay_cli.archive.work import Workers
from altay_cli.base.findings import Text, Verdict, with_ellipsis
from altay_cli.cli import output
from altay_cli.cli.files import Logs, logs_argument, warn_left_out, workers_option
from altay_cli.cli.simulate import check_plot
from altay_cli.report.plot import draw
from altay_cli.report.simulation import Report, simulation_lines, stats_json
from altay_cli.report.text import listed, phrase, translated
from altay_cli.simulation.recorded import RecordedGame

MAX_NAMES = 3
"""Excluded games that are named."""


@click.command("stats")
@logs_argument
@click.option("--compare", "other", metavar="PATH", help="Compare with the games of this source.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the results (.svg, .png, .pdf).",
)
@workers_option()
@output.format_option
def stats(
    paths: tuple[str, ...], other: str | None, plot: Path | None, workers: Workers, form: str
) -> int:
    """Report how recorded games end, who wins, and by what, as `simulate` does.

    PATH is a log, a folder of logs, an archive, an address, or - for standard input. Games of the
    same rules and number of players are counted together. Illegal games are left out, and
    unfinished games count only as such. Each number comes with its 95 % confidence interval.
    """
    if plot is not None:
        check_plot(plot)
    logs = [Logs(paths), *([Logs([other])] if other is not None else [])]
    statistics = [_count(log, workers) for log in logs]
    reports = reports_of(*statistics)
    left_out = [game for counted in statistics for game in counted.left_out]
    unreadable = [item for log in logs for item in log.unreadable]
    if plot is not None:
        _draw(plot, reports)
    if form == "text":
        output.print_lines(_lines(reports, left_out, compared=other is not None))
    else:
        games = [
            {"path": game.path, "game": game.game, "verdict": game.verdict.value}
            for game in left_out
        ]
        skipped = [item for log in logs for item in log.skipped]
        unread = [{"path": path, "skipped": reason} for path, reason in skipped]
        unread += [{"path": path, "error": reason} for path, reason in unreadable]
        output.document(stats_json(reports, games, unread))
    for log in logs:
        warn_left_out(log)
    verdicts = {game.verdict for game in left_out}
    if unreadable or Verdict.NOT_JUDGED in verdicts:
        return 2
    return 1 if Verdict.ILLEGAL in verdicts else 0


def _count(logs: Logs, workers: Workers) -> Statistics:
    statistics = Statistics(listed(logs.names))
    progress = output.Progress("counting", logs.size()) if output.on_terminal(err=True) else None
    with closing(count_games(logs.games(), workers)) as games:
        for game in games:
            statistics.add(game)
            if progress is not None:
                progress.add(game.size, game.path)
    if progress is not None:
        progress.end()
    return statistics


def _lines(
    reports: Sequence[Report], left_out: Sequence[RecordedGame], *, compared: bool
) -> Iterator[str]:
    for number, runs in enumerate(reports):
        if number:
            yield ""
        yield from simulation_lines(runs)
        if compared and len(runs) == 1:
            yield from (
                "",
                phrase(
                    "Only {source} has games of these rules and this number of players.",
                    source=runs[0].label,
                ),
            )
    if not reports:
        yield phrase("There is no legal game to count.")
    elif left_out:
        yield ""
    yield from _left_out(left_out)


def _left_out(games: Sequence[RecordedGame]) -> Iterator[str]:
    in_file = Counter(game.path for game in games)
    texts = {
        Verdict.ILLEGAL: (
            "{count} illegal game is left out: {games}",
            "{count} illegal games are left out: {games}",
        ),
        Verdict.NOT_JUDGED: (
            "{count} game that could not be judged is left out: {games}",
            "{count} games that could not be judged are left out: {games}",
        ),
    }
    for verdict, forms in texts.items():
        names = [
            phrase("{file}, game {number}", file=game.path, number=game.game)
            if in_file[game.path] > 1 or game.game > 1
            else game.path
            for game in games
            if game.verdict is verdict
        ]
        if names:
            shown = "; ".join(with_ellipsis(names, MAX_NAMES))
            yield translated(Text.plural(len(names), *forms, games=shown))


def _draw(path: Path, reports: Sequence[Report]) -> None:
    """Draw all reports; several pictures get numbered names."""
    for number, runs in enumerate(reports, 1):
        file = path.with_stem(f"{path.stem}-{number}") if len(reports) > 1 else path
        output.save(file, draw(runs, path.suffix.lower()))
