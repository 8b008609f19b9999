"""`altay check` judges every move; `altay score` prints results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

import click

from altay_cli.archive.judging import Judgement, Recording, file_results
from altay_cli.archive.sources import SourceGame
from altay_cli.archive.splitting import games_in
from altay_cli.archive.work import Workers
from altay_cli.base.files import why
from altay_cli.base.findings import Finding, ImpossibleError, Text, Verdict
from altay_cli.base.internal import build_safely, internal_error_line
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
from altay_cli.report.choosing import Selection, Total, rule_count_lines, rule_counts
from altay_cli.report.compare import ComparedGame, Shifts
from altay_cli.report.json import (
    document_parts,
    dump,
    json_parts,
    score_rows,
    unread_documents,
)
from altay_cli.report.results import FileResults, GameResult, Wanted
from altay_cli.report.terminal import brief_lines, check_lines, game_title, summary
from altay_cli.report.text import BOLD, Line, language, page_columns

Reader = Callable[[Logs], Iterator[LogText]]


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
        return _compare(Logs(paths, only), form, read, under, workers, complete=strict)
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
    games = logs.games() if read is iter else _games_of(read(logs))
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
    for name, suggestion in choice.unmet():
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


def _compare(
    logs: Logs,
    form: str,
    read: Reader,
    under: tuple[str, ...],
    workers: Workers,
    *,
    complete: bool,
) -> int:
    """Check every game under each variant too; return 2 if some could not be used.

    Of several logs, only games that differ are printed, a line each.
    """
    from altay_cli.archive.comparing import Comparison, OtherRules, compared_games
    from altay_cli.cli.rulesets import variant_named

    total, shifts, usable = Total(), Shifts(under), True
    variants = {name: variant_named(name) for name in under}
    others = {name: OtherRules(path, frozenset(of)) for name, (path, of) in variants.items()}
    how = Comparison(
        others, logs.several, form == "json", language(), page_columns(), complete=complete
    )
    games = logs.games() if read is iter else _games_of(read(logs))

    def counted() -> Iterator[tuple[ComparedGame, list[str], bool]]:
        """Yield True with the last game of a file."""
        nonlocal usable
        with closing(compared_games(games, how, workers)) as compared:
            for game, alone, last in _placed(_followed_games(compared, logs)):
                usable = usable and game.usable
                lines = [] if game.error else shifts.count(game, alone=alone)
                if game.error:
                    logs.unreadable += {(game.path, game.error)} - {*logs.unreadable}
                else:
                    for _ in total.count([game.played]):
                        pass
                yield game, lines if how.several else [*game.lines], last

    def documents() -> Iterator[dict[str, object]]:
        found: list[object] = []
        for game, _, last in counted():
            found += [game.document] * bool(game.document)
            if last and found:
                yield {"path": game.path, "games": found}
                found = []

    if form == "json":
        unread = unread_documents((), logs.unreadable)
        output.document_all(document_parts(chain(documents(), unread), shifts.document))
    else:
        for _, lines, _ in counted():
            output.print_lines(lines)
        output.print_lines(shifts.lines())
    for name in variants:
        if how.several and shifts.of[name].left_out and not shifts.of[name].games:
            message = "{file}: this variant applies to none of these games"
            output.Refused(message, file=name).show()
            usable = False
    warn_left_out(logs)
    return exit_code(logs, total) if usable else 2


def _followed_games(games: Iterable[ComparedGame], logs: Logs) -> Iterator[ComparedGame]:
    if not output.on_terminal(err=True):
        yield from games
        return
    progress = output.Progress("checking", logs.size())
    for game in games:
        progress.add(game.played.size, game.path)
        yield game
    progress.end()


def _placed(games: Iterable[ComparedGame]) -> Iterator[tuple[ComparedGame, bool, bool]]:
    """Mark the only game of a file, and the last."""
    before: ComparedGame | None = None
    rest = iter(games)
    game = next(rest, None)
    while game is not None:
        after = next(rest, None)
        first, last = _begins_file(before, game), after is None or _begins_file(game, after)
        yield game, first and last, last
        before, game = game, after


def _begins_file(before: ComparedGame | None, game: ComparedGame) -> bool:
    return before is None or before.path != game.path or game.number <= before.number


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


def _games_of(logs: Iterable[LogText]) -> Iterator[SourceGame]:
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
        output.document_all(json_parts(checks, logs.skipped, logs.unreadable))
    elif form == "csv":
        failures: list[tuple[str, str]] = []
        output.document_all(score_rows(checks, failures))
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
