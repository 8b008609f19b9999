"""`altay score`: the scores, the winner, and what decided."""

from __future__ import annotations

import click

from altay_cli.checking import check_text
from altay_cli.cli.files import load
from altay_cli.cli.options import (
    exit_code,
    format_option,
    language_option,
    logs_argument,
    tell_unreadable,
)
from altay_cli.cli.output import document, say


@click.command("score")
@logs_argument
@format_option
@language_option
@click.option("--explain", is_flag=True, help="Derive every number.")
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[str, ...], form: str, language: str, explain: bool
) -> None:
    """Score recorded games and say who won.

    Works from a whole log, from a position, and from an unfinished log (standings so far).
    PATH is a log, a folder of logs (*.agn), or - for standard input.
    """
    loaded = load(paths)
    reports = [
        check_text(text, name, folder, language=language) for name, folder, text in loaded.texts
    ]
    if form == "json":
        from altay_cli.report.json import to_json

        document(to_json(reports, loaded.unreadable, explain=explain))
    else:
        from altay_cli.report.people import game_title, score_lines
        from altay_cli.report.text import BOLD, Line

        first = True
        for report in reports:
            for number, game in enumerate(report.games, 1):
                if not first:
                    say()
                first = False
                say(Line((game_title(game, number, report.path, language), BOLD)))
                for line in score_lines(game, explain=explain, language=language):
                    say(line)
    tell_unreadable(loaded)
    ctx.exit(exit_code(loaded, [report.legal for report in reports]))
