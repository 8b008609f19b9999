"""`altay score`: the scores, the winner, and what decided."""

from __future__ import annotations

import click

from altay_cli.cli.check import check_logs, exit_code
from altay_cli.cli.files import Logs, tell_left_out
from altay_cli.cli.options import format_of, language_option, logs_argument
from altay_cli.cli.output import document, say, say_all
from altay_cli.report.json import parts, score_rows
from altay_cli.report.terminal import game_title, score_lines
from altay_cli.report.text import BOLD, Line
from altay_cli.report.total import Total


@click.command("score")
@logs_argument
@format_of(("text", "json", "csv"), "For people, for programs, or a table of all scores.")
@language_option
@click.option("--explain", is_flag=True, help="Derive every number.")
@click.pass_context
def score(ctx: click.Context, paths: tuple[str, ...], form: str, explain: bool) -> None:
    """Score recorded games and say who won.

    Works from a whole log, from a position, and from an unfinished log (standings so far).
    PATH is a log, a folder of logs (*.agn), or - for standard input.
    """
    logs, total = Logs(paths), Total()
    checks = check_logs(logs, total)
    if form == "json":
        for part in parts(checks, logs.skipped, logs.unreadable, explain=explain):
            document(part)
    elif form == "csv":
        for line in score_rows(checks):
            document(line)
    else:
        first = True
        for check in checks:
            for number, game in enumerate(check.games, 1):
                if not first:
                    say()
                first = False
                say(Line((game_title(game, number, check.path), BOLD)))
                say_all(score_lines(game, explain=explain))
    tell_left_out(logs)
    ctx.exit(exit_code(logs, total))
