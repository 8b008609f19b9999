"""`altay check` tells whether every move was legal."""

from __future__ import annotations

from pathlib import Path

import click

from altay_cli.checking import check_text
from altay_cli.cli.files import Loaded, load
from altay_cli.cli.options import (
    exit_code,
    format_option,
    language_option,
    logs_argument,
    tell_unreadable,
)


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
    if under:
        _compare(ctx, loaded, under, form, language)
    elif form == "json":
        from altay_cli.report.json import to_json

        click.echo(to_json(reports, loaded.unreadable))
    else:
        from altay_cli.report.people import check_lines, summary

        for report in reports:
            for line in check_lines(report, language):
                click.echo(line)
        if reports:
            click.echo(summary(reports, len(loaded.unreadable)))
    tell_unreadable(loaded)
    ctx.exit(exit_code(loaded, [report.legal for report in reports]))


def _compare(
    ctx: click.Context, loaded: Loaded, under: tuple[str, ...], form: str, language: str
) -> None:
    """Check every log under its own rules and under each variant, and print both."""
    from altay_cli.cli.rulesets import find_rules
    from altay_cli.report.compare import compare_json, compare_lines

    variants: dict[str, Path] = {}
    for name in under:
        rules = find_rules(name)
        if rules is None or not rules.variants:
            click.echo(f"altay: {name}: there is no such variant, and no such file", err=True)
            ctx.exit(2)
        variants[name] = rules.variants[-1].resolve()
    runs = []
    for name, folder, text in loaded.texts:
        reports = {"as played": check_text(text, name, folder, language=language)}
        for variant, path in variants.items():
            reports[variant] = check_text(text, name, folder, under=(path,), language=language)
        runs.append(reports)
    if form == "json":
        click.echo(compare_json(runs))
    else:
        for reports in runs:
            for line in compare_lines(reports, language):
                click.echo(line)
