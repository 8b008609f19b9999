"""Judge the logs that a command names, and show the progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from altay_cli.archive.judging import Judgement, Recording, file_results
from altay_cli.archive.sources import SourceGame
from altay_cli.archive.splitting import games_in
from altay_cli.archive.work import Workers
from altay_cli.base.findings import Verdict
from altay_cli.cli import output
from altay_cli.cli.files import Logs, LogText
from altay_cli.report.choosing import Selection, Total
from altay_cli.report.results import FileResults, GameResult

Reader = Callable[[Logs], Iterator[LogText]]


def check_logs(
    logs: Logs,
    games: Iterable[SourceGame],
    total: Total,
    choice: Selection,
    how: Judgement,
    workers: Workers,
    record: Recording | None = None,
) -> Iterator[FileResults]:
    """Check the games of logs, file by file.

    Findings excluded by ``choice`` are neither yielded nor counted in ``total``; verdicts are.
    """
    progress = output.Progress("checking", logs.size()) if output.on_terminal(err=True) else None
    files = file_results(games, how, workers, record)
    with closing(files):
        for file in files:
            shown: Iterable[GameResult] = choice.of(file.games)
            if progress is not None:
                shown = _followed(shown, progress, file.path)
            file.games = total.count(shown)
            yield file
            if choice.full:
                break
    if progress is not None:
        progress.end()


def games_of_logs(logs: Iterable[LogText]) -> Iterator[SourceGame]:
    """Yield each game of logs that were read."""
    for log in logs:
        for number, (text, before) in enumerate(games_in(log.text), 1):
            yield SourceGame(log.name, log.folder, text, before, number)


def _followed(
    games: Iterable[GameResult], progress: output.Progress, path: str
) -> Iterator[GameResult]:
    for game in games:
        progress.add(game.size, path)
        yield game


def exit_code(logs: Logs, total: Total) -> int:
    """Return 2 if a source failed, 1 if a game is illegal, else 0."""
    if logs.unreadable or total.verdicts[Verdict.NOT_JUDGED]:
        return 2
    return 1 if total.verdicts[Verdict.ILLEGAL] else 0
