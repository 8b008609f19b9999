"""`altay score` prints results."""

from __future__ import annotations

from functools import partial

import click

from altay_cli.archive.judging import Judgement
from altay_cli.archive.work import Workers
from altay_cli.base.internal import build_safely
from altay_cli.cli import output
from altay_cli.cli.files import Logs, logs_argument, only_option, warn_left_out, workers_option
from altay_cli.cli.judging import check_logs, exit_code
from altay_cli.report.choosing import Selection, Total
from altay_cli.report.results import GameResult, Wanted
from altay_cli.report.terminal import game_title
from altay_cli.report.text import BOLD, Line, language, page_columns


def _title(path: str, game: GameResult) -> str:
    return game_title(game, game.number, path)


@click.command("score")
@logs_argument
@output.format_of(("text", "json", "csv"), "For people, for programs, or a table of all scores.")
@output.language_option
@only_option
@workers_option()
@click.option("--explain", is_flag=True, help="Derive every number.")
def score(
    paths: tuple[str, ...], form: str, only: int | None, workers: Workers, explain: bool
) -> int:
    """Score recorded games and report who won.

    A log may also be unfinished or describe a position: you get the standings so far. PATH is a
    log, a folder of logs (*.agn), an archive (.zip, .tar, .gz, .zst), an address (https://...), or
    - for standard input.
    """
    logs, total = Logs(paths, only), Total()
    wanted = Wanted(details=form == "json", sheet=form == "text", explain=explain)
    how = Judgement(wanted, language(), page_columns())
    checks = check_logs(logs, logs.games(), total, Selection(), how, workers)
    if form == "json":
        output.document_all(output.report_parts(form)(checks, logs.skipped, logs.unreadable))
    elif form == "csv":
        failures: list[tuple[str, str]] = []
        output.document_all(output.report_parts(form)(checks, failures))
        for path, failure in failures:
            output.warn(failure, about=path)
    else:
        games = ((game, file) for file in checks for game in file.games)
        for before, (game, file) in enumerate(games):
            if before:
                output.print_line()
            title = build_safely(game, partial(_title, file.path))
            output.print_line(Line((title, BOLD)))
            output.print_lines(game.sheet or (finding.message for finding in game.findings[:1]))
    warn_left_out(logs)
    return exit_code(logs, total)
