"""`altay check` tells whether every move was legal."""

from __future__ import annotations

import click

from altay_cli.checking import check_text
from altay_cli.cli.files import load
from altay_cli.cli.options import exit_code, format_option, logs_argument, tell_unreadable


@click.command("check")
@logs_argument
@format_option
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], form: str) -> None:
    """Check recorded games move by move.

    PATH is a log, a folder of logs (*.agn), or - for standard input. Each finding is
    reported with its place, the rule it breaks and the page of the rulebook.
    """
    loaded = load(paths)
    reports = [check_text(text, name, folder) for name, folder, text in loaded.texts]
    if form == "json":
        from altay_cli.report.json import to_json

        click.echo(to_json(reports, loaded.unreadable))
    else:
        from altay_cli.report.people import check_lines, summary

        for report in reports:
            for line in check_lines(report):
                click.echo(line)
        if reports:
            click.echo(summary(reports, len(loaded.unreadable)))
    tell_unreadable(loaded)
    ctx.exit(exit_code(loaded, [report.legal for report in reports]))
