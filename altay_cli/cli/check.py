"""`altay check` tells whether every move was legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

from altay_cli.checking import FileReport, check_text
from altay_cli.cli.files import Logs
from altay_cli.cli.options import (
    check_logs,
    exit_code,
    format_option,
    language_option,
    logs_argument,
    tell_left_out,
)
from altay_cli.cli.output import Refused, document, say
from altay_cli.report.total import Total


@click.command("check")
@logs_argument
@format_option
@language_option
@click.option(
    "--under",
    multiple=True,
    metavar="VARIANT",
    help="Compare with the rules under a variant (its id or file); may be repeated.",
)
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[str, ...], form: str, language: str, under: tuple[str, ...]
) -> None:
    """Check recorded games move by move.

    PATH is a log, a folder of logs (*.agn), or - for standard input. Each finding is
    reported with its place, the rule it breaks and the page of the rulebook.
    """
    logs, total = Logs(paths), Total()
    usable = True
    if under:
        usable = _compare(logs, total, under, form, language)
    elif form == "json":
        from altay_cli.report.json import document_parts, file_document, unread_documents

        read = map(file_document, check_logs(logs, total, language))
        for part in document_parts(chain(read, unread_documents(logs.skipped, logs.unreadable))):
            document(part)
    else:
        from altay_cli.report.people import check_lines, summary

        for check in check_logs(logs, total, language):
            for line in check_lines(check, language):
                say(line)
        if total.files:
            say(summary(total, len(logs.unreadable)))
    tell_left_out(logs)
    ctx.exit(exit_code(logs, total) if usable else 2)


def _compare(logs: Logs, total: Total, under: tuple[str, ...], form: str, language: str) -> bool:
    """Check every log under each variant too, and print both; tell whether all were usable."""
    from altay_cli.cli.rulesets import variant_named
    from altay_cli.report.compare import compare_document, compare_lines
    from altay_cli.report.json import document_parts

    variants: dict[str, Path | str] = {}
    for name in under:
        found = variant_named(name)
        if found is None:
            raise Refused(f"{name}: there is no such variant, and no such file")
        variants[name] = found
    usable = True

    def runs() -> Iterator[dict[str, FileReport]]:
        nonlocal usable
        for log in logs:
            as_played = check_text(log.text, log.name, log.folder, language=language)
            as_played.games = list(total.count(as_played.games))
            run = {"as played": as_played}
            for name, variant in variants.items():
                run[name] = check_text(
                    log.text, log.name, log.folder, under=(variant,), language=language
                )
            # What other rules say of a log is a comparison; that they say nothing is a mistake.
            usable = usable and not any(
                game.played is None and played.played is not None
                for other in run.values()
                for game, played in zip(other.games, as_played.games, strict=True)
            )
            yield run

    if form == "json":
        for part in document_parts(map(compare_document, runs())):
            document(part)
    else:
        for run in runs():
            for line in compare_lines(run, language):
                say(line)
    return usable
