"""`altay check` tells whether every move was legal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from altay_cli.checking import FileReport, check_text
from altay_cli.cli.files import Loaded, load
from altay_cli.cli.options import (
    exit_code,
    format_option,
    language_option,
    logs_argument,
    tell_unreadable,
)
from altay_cli.cli.output import Refused, document, say


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
    loaded = load(paths)
    reports = [
        check_text(text, name, folder, language=language) for name, folder, text in loaded.texts
    ]
    unusable = False
    if under:
        unusable = _compare(loaded, reports, under, form, language)
    elif form == "json":
        from altay_cli.report.json import to_json

        document(to_json(reports, loaded.unreadable))
    else:
        from altay_cli.report.people import check_lines, summary

        for report in reports:
            for line in check_lines(report, language):
                say(line)
        if reports:
            say(summary(reports, len(loaded.unreadable)))
    tell_unreadable(loaded)
    ctx.exit(2 if unusable else exit_code(loaded, [report.legal for report in reports]))


def _compare(
    loaded: Loaded,
    reports: Sequence[FileReport],
    under: tuple[str, ...],
    form: str,
    language: str,
) -> bool:
    """Check every log under each variant too, and print both; tell whether one was unusable."""
    from altay_cli.cli.rulesets import variant_named
    from altay_cli.report.compare import compare_json, compare_lines

    variants: dict[str, Path | str] = {}
    for name in under:
        found = variant_named(name)
        if found is None:
            raise Refused(f"{name}: there is no such variant, and no such file")
        variants[name] = found
    runs = [
        {"as played": report}
        | {
            name: check_text(text, path, folder, under=(variant,), language=language)
            for name, variant in variants.items()
        }
        for report, (path, folder, text) in zip(reports, loaded.texts, strict=True)
    ]
    if form == "json":
        document(compare_json(runs))
    else:
        for run in runs:
            for line in compare_lines(run, language):
                say(line)
    # What other rules say of a log is a comparison; that they say nothing is a mistake.
    return any(
        game.played is None and as_played.played is not None
        for run in runs
        for other in run.values()
        for game, as_played in zip(other.games, run["as played"].games, strict=True)
    )
