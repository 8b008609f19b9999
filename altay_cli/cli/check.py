"""`altay check` judges every move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from altay_cli.archive.judging import Judgement
from altay_cli.archive.work import Workers
from altay_cli.base.catalogue import PROGRAM_RULES
from altay_cli.base.files import why
from altay_cli.base.findings import Finding, ImpossibleError, Text
from altay_cli.base.internal import internal_error_line
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import CheckSettings, check_games
from altay_cli.checking.fixing import Fixed, mended
from altay_cli.checking.tags import forget_rules
from altay_cli.cli import output
from altay_cli.cli.datasets import Asked, dataset_options
from altay_cli.cli.files import (
    Logs,
    LogText,
    logs_argument,
    only_option,
    rounds,
    warn_left_out,
    workers_option,
)
from altay_cli.cli.judging import Reader, check_logs, exit_code, games_of_logs
from altay_cli.report.choosing import Selection, Total, rule_count_lines, rule_counts
from altay_cli.report.json import (
    dump,
)
from altay_cli.report.results import Wanted
from altay_cli.report.terminal import brief_lines, check_lines, summary
from altay_cli.report.text import language


@click.command("check")
@logs_argument
@output.report_option
@output.language_option
@only_option
@workers_option()
@click.option(
    "--strict", is_flag=True, help='Demand complete logs, as the tag [Recorded "complete"] does.'
)
@click.option(
    "--under",
    multiple=True,
    metavar="VARIANT",
    help="Compare with the rules under a variant (its id or file); may be repeated.",
)
@click.option(
    "--select",
    multiple=True,
    metavar="RULE,...",
    help="Show only these: rules, groups (error, warning, note, program, buy ...), or `attack-*`.",
)
@click.option("--ignore", multiple=True, metavar="RULE,...", help="Do not show these.")
@click.option("--max-errors", type=click.IntRange(1), metavar="N", help="Stop after N errors.")
@click.option("-q", "--quiet", is_flag=True, help="Show errors, and nothing else.")
@click.option("--statistics", is_flag=True, help="Count findings by rule; show none of them.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.option("--fix", is_flag=True, help="Fix what is badly written but clear.")
@click.option(
    "--unsafe-fixes", "guesses", is_flag=True, help="Apply fixes that are guesses as well."
)
@click.option("--diff", "only_diff", is_flag=True, help="Write nothing; show what --fix would do.")
@dataset_options
@click.option(
    "--tables", "rows", is_flag=True, help="With --format jsonl: also all rows of tables."
)
def check(
    paths: tuple[str, ...],
    form: str,
    under: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    max_errors: int | None,
    only: int | None,
    workers: Workers,
    dataset: Path | None,
    *,
    changes: bool,
    resume: bool,
    rows: bool,
    strict: bool,
    quiet: bool,
    statistics: bool,
    watch: bool,
    fix: bool,
    guesses: bool,
    only_diff: bool,
) -> int:
    """Check recorded games move by move.

    PATH is a log, a folder of logs (*.agn), an archive (.zip, .tar, .gz, .zst), an address
    (https://...), or - for standard input. Each finding is reported with its place, the rule it
    breaks and the page of the rulebook. --fix first applies fixes to the file (for standard input,
    to standard output), then reports the remaining findings. The choice of findings to show changes
    no verdict and no exit code.
    """
    if only is not None and (fix or guesses or only_diff):
        raise output.Refused("fixes change complete files: they cannot be used with --game")
    tables = Asked(dataset, changes=changes, resume=resume, rows=rows)
    if rows and (form != "jsonl" or dataset is not None or under or statistics):
        raise output.Refused(
            "--tables needs --format jsonl, and cannot be used with --dataset, --under "
            "or --statistics"
        )
    options = {"under": under, "watch": watch, "max-errors": max_errors, "diff": only_diff}
    for option in (name for name, value in options.items() if value and dataset is not None):
        message = "--dataset takes all games: it cannot be used with --{option}"
        raise output.Refused(message, option=option)
    if only_diff:
        return _show_fixes(paths, guesses=guesses)
    read: Reader = partial(_fixed, guesses=guesses) if fix or guesses else iter
    if resume and (form not in output.FOR_PEOPLE or statistics):
        message = (
            "--resume reports only the games that it judges now: use --format text or concise, "
            "without --statistics"
        )
        raise output.Refused(message)

    def once() -> int:
        shown, hidden = (
            [name.strip() for value in values for name in value.split(",") if name.strip()]
            for values in (select, ignore)
        )
        choice = Selection(shown, hidden, ("error",) if quiet else (), max_errors)
        logs = Logs(paths, only)
        return _check(
            logs,
            form,
            read,
            choice,
            workers,
            tables,
            complete=strict,
            statistics=statistics,
            quiet=quiet,
        )

    if under:
        plain = form in {"text", "json"} and not statistics and not watch
        if not plain or select or ignore or max_errors or quiet:
            raise output.Refused(
                "--under compares complete reports: it works only with --format text or json, "
                "and with no option that filters or watches"
            )
        from altay_cli.cli.comparing import compare  # with modules that only it needs

        return compare(Logs(paths, only), form, read, under, workers, complete=strict)
    if not watch:
        return once()
    if "-" in paths or form not in output.FOR_PEOPLE:
        raise output.Refused(
            "--watch needs files, not standard input, and --format text or concise"
        )
    for _ in rounds(paths):
        output.clear()
        forget_rules()
        once()
    return 0


def _check(
    logs: Logs,
    form: str,
    read: Reader,
    choice: Selection,
    workers: Workers,
    tables: Asked,
    *,
    complete: bool,
    statistics: bool,
    quiet: bool,
) -> int:
    total = Total()
    dataset = tables.begin(language(), complete=complete)
    rules = language() if statistics else ENGLISH if form == "sarif" else ""
    wanted = Wanted(
        details=form.startswith("json") and not statistics,
        rules=rules,
        groups=bool(choice.select or choice.ignore),
        tables=dataset is not None or tables.rows,
        changes=tables.changes,
    )
    how = Judgement(wanted, language(), complete=complete)
    games = logs.games() if read is iter else games_of_logs(read(logs))
    record = None if dataset is None else dataset.record
    checks = check_logs(logs, games, total, choice, how, workers, record)
    if statistics:
        counts = rule_counts(checks)
        if form in output.FOR_PEOPLE:
            output.print_lines(rule_count_lines(counts))
        else:
            shown = ("rule", "severity", "findings", "games", "files")
            output.document(
                dump([{name: getattr(count, name) for name in shown} for count in counts])
            )
    elif form not in output.FOR_PEOPLE:
        output.document_all(output.report_parts(form)(checks, logs.skipped, logs.unreadable))
    else:
        output.print_lines(brief_lines(checks) if form == "concise" else check_lines(checks))
    if form in output.FOR_PEOPLE and total.files and not quiet:
        if statistics and total.findings:
            output.print_line()
        output.print_line(summary(total, len(logs.unreadable), choice))
    warn_left_out(logs)
    tables.warn_reused(dataset)
    for name, suggestion in choice.unmet(PROGRAM_RULES):
        asked = "; did you mean {names}?" if suggestion else ""
        output.warn(
            "there is no rule or group `{name}`" + asked, name=name, names=f"`{suggestion}`"
        )
    return exit_code(logs, total)


def _fixed(logs: Logs, *, guesses: bool) -> Iterator[LogText]:
    for log in logs:
        try:
            mended = _mended(log, guesses=guesses)
        except Exception as error:
            logs.unreadable.append((log.name, _left(_reason(error))))
            if log.folder is None:
                output.document(log.text)
            yield log
            continue
        if mended.made and log.folder is not None:
            try:
                logs.replace(log, mended.text)
            except OSError as error:
                logs.unreadable.append((log.name, _left(why(error))))
                yield log
                continue
            output.warn(
                Text.plural(mended.made, "{count} fix made", "{count} fixes made"), about=log.name
            )
        if mended.refused:
            singular = "{count} fix not made: the log would have more errors than now"
            plural = "{count} fixes not made: the log would have more errors than now"
            output.warn(Text.plural(mended.refused, singular, plural), about=log.name)
        if log.folder is None:
            output.document(mended.text)
        yield log._replace(text=mended.text)


def _left(reason: str) -> Text:
    return Text("{reason}; it stays as it is", reason=reason)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ImpossibleError) else internal_error_line(error)


def _mended(log: LogText, *, guesses: bool) -> Fixed:
    def found(text: str) -> Iterator[Finding]:
        for game in check_games(text, CheckSettings(log.folder), log.name).games:
            if game.failed:
                raise ImpossibleError(game.findings[0].message)
            yield from game.findings

    return mended(log.text, found, guesses=guesses)


def _show_fixes(paths: tuple[str, ...], *, guesses: bool) -> int:
    logs, changed = Logs(paths), False
    for log in logs:
        try:
            fixed = _mended(log, guesses=guesses)
        except Exception as error:
            logs.unreadable.append((log.name, _left(_reason(error))))
            continue
        changed = changed or fixed.text != log.text
        output.print_lines(output.diff_lines(log.text, fixed.text, log.name), fold=False)
    warn_left_out(logs)
    return 2 if logs.unreadable else int(changed)
