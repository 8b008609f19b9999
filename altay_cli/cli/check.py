"""`altay check` tells whether every move was legal, `altay score` who won, and by what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

import click

from altay_cli.base.files import why
from altay_cli.base.findings import Finding, ImpossibleError, Text, Verdict
from altay_cli.base.internal import made_of, told
from altay_cli.checking.check import CheckSettings, FileCheck, GameReport, check_games, check_text
from altay_cli.checking.fixing import Fixed, mended
from altay_cli.checking.tags import forget_rules
from altay_cli.cli import output
from altay_cli.cli.files import Logs, LogText, logs_argument, rounds, tell_left_out
from altay_cli.report.choosing import Selection, Total, rule_count_lines, rule_counts
from altay_cli.report.json import (
    document_parts,
    dump,
    json_parts,
    score_rows,
    unread_documents,
)
from altay_cli.report.terminal import brief_lines, check_lines, game_title, score_lines, summary
from altay_cli.report.text import BOLD, Line, language

Compared = TypeVar("Compared")
"""What is made of a log that was checked under several rules: a document, or lines."""

Reader = Callable[[Logs], Iterator[LogText]]
"""What reads the logs of a command, one after the other."""


@click.command("check")
@logs_argument
@output.report_option
@output.language_option
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
def check(
    paths: tuple[str, ...],
    form: str,
    under: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    max_errors: int | None,
    *,
    strict: bool,
    quiet: bool,
    statistics: bool,
    watch: bool,
    fix: bool,
    guesses: bool,
    only_diff: bool,
) -> int:
    """Check recorded games move by move.

    PATH is a log, a folder of logs (*.agn), or - for standard input. Each finding is
    reported with its place, the rule it breaks and the page of the rulebook. With --fix, what
    can be mended is mended in the file first (of standard input, to standard output), and what
    is left is reported. Which findings are shown changes no verdict and no exit code.
    """
    if only_diff:
        return _show_fixes(paths, guesses=guesses)
    read: Reader = partial(_fixed, guesses=guesses) if fix or guesses else iter

    def once() -> int:
        shown, hidden = (
            [name.strip() for value in values for name in value.split(",") if name.strip()]
            for values in (select, ignore)
        )
        choice = Selection(shown, hidden, ("error",) if quiet else (), max_errors)
        return _check(
            paths, form, read, choice, complete=strict, statistics=statistics, quiet=quiet
        )

    if under:
        whole = form in {"text", "json"} and not statistics and not watch
        if not whole or select or ignore or max_errors or quiet:
            raise output.Refused(
                "--under compares whole reports, as text or json: it goes with no other"
            )
        return _compare(paths, form, read, under, complete=strict)
    if not watch:
        return once()
    if "-" in paths or form not in output.FOR_PEOPLE:
        raise output.Refused("--watch is for files, and for people who read along")
    for _ in rounds(paths):
        output.clear()
        forget_rules()
        once()
    return 0


def _check(
    paths: tuple[str, ...],
    form: str,
    read: Reader,
    choice: Selection,
    *,
    complete: bool,
    statistics: bool,
    quiet: bool,
) -> int:
    logs, total = Logs(paths), Total()
    checks = check_logs(logs, total, choice, read, complete=complete)
    if statistics:
        counts = rule_counts(checks)
        if form in output.FOR_PEOPLE:
            output.say_all(rule_count_lines(counts))
        else:
            shown = ("rule", "severity", "findings", "games", "files")
            output.document(dump([{name: getattr(one, name) for name in shown} for one in counts]))
    elif form not in output.FOR_PEOPLE:
        output.document_all(output.report_parts(form)(checks, logs.skipped, logs.unreadable))
    else:
        output.say_all(brief_lines(checks) if form == "concise" else check_lines(checks))
    if form in output.FOR_PEOPLE and total.files and not quiet:
        if statistics and total.findings:
            output.say()
        output.say(summary(total, len(logs.unreadable), choice))
    tell_left_out(logs)
    for name, meant in choice.unmet():
        asked = "; did you mean {names}?" if meant else ""
        output.warn("there is no rule or group `{name}`" + asked, name=name, names=f"`{meant}`")
    return exit_code(logs, total)


def _fixed(logs: Logs, *, guesses: bool) -> Iterator[LogText]:
    """Read logs, and mend each in its file before it is checked."""
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
            one = "{count} fix not made: the log would have more errors than now"
            many = "{count} fixes not made: the log would have more errors than now"
            output.warn(Text.plural(mended.refused, one, many), about=log.name)
        if log.folder is None:
            output.document(mended.text)
        yield log._replace(text=mended.text)


def _left(reason: str) -> Text:
    """Say why a file is left as it is."""
    return Text("{reason}; it stays as it is", reason=reason)


def _reason(error: Exception) -> str:
    """Return why something could not be done with a log: the program failed, or says why."""
    return str(error) if isinstance(error, ImpossibleError) else told(error)


def _mended(log: LogText, *, guesses: bool) -> Fixed:
    """Return a log with its fixes; raise an ImpossibleError if the program fails on it."""

    def found(text: str) -> Iterator[Finding]:
        for game in check_games(text, CheckSettings(log.folder), log.name).games:
            if game.failed:
                raise ImpossibleError(game.findings[0].message)
            yield from game.findings

    return mended(log.text, found, guesses=guesses)


def _show_fixes(paths: tuple[str, ...], *, guesses: bool) -> int:
    """Show what fixes would change; return the exit code, 1 where there are any."""
    logs, changed = Logs(paths), False
    for log in logs:
        try:
            fixed = _mended(log, guesses=guesses)
        except Exception as error:
            logs.unreadable.append((log.name, _left(_reason(error))))
            continue
        changed = changed or fixed.text != log.text
        output.say_all(output.diff_lines(log.text, fixed.text, log.name), whole=True)
    tell_left_out(logs)
    return 2 if logs.unreadable else int(changed)


def _compare(
    paths: tuple[str, ...], form: str, read: Reader, under: tuple[str, ...], *, complete: bool
) -> int:
    """Check every log under each variant too; return the exit code, 2 where not all were usable.

    Of a single log, both reports are printed; of several, a line for each game that differs.
    """
    from altay_cli.cli.rulesets import variant_named
    from altay_cli.report.compare import AS_PLAYED, Reports, Shifts, compare_document, compare_lines

    logs, total = Logs(paths), Total()
    variants = {name: variant_named(name) for name in under}
    usable, several = True, len(logs.paths) > 1 or Path(logs.paths[0]).is_dir()
    shifts = Shifts({name: games for name, (_, games) in variants.items()})

    def run_of(log: LogText) -> Reports:
        nonlocal usable
        source = log.text, log.name, log.folder
        checked = partial(check_text, *source, language=language(), complete=complete)
        as_played = checked()
        as_played.games = list(total.count(as_played.games))
        run = {AS_PLAYED: as_played}
        for name, (variant, _) in variants.items():
            if several and not any(shifts.concerns(name, game) for game in as_played.games):
                continue
            run[name] = checked(under=(variant,))
        if len({len(report.games) for report in run.values()}) > 1:
            failed = [game for report in run.values() for game in report.games if game.failed]
            raise ImpossibleError(failed[0].findings[0].message)
        # Findings under other rules are a comparison; other rules that cannot be used are an
        # error.
        usable = usable and not any(
            game.failed or (game.played is None and played.played is not None)
            for name, other in run.items()
            for game, played in zip(other.games, as_played.games, strict=True)
            if game.failed or not several or name not in variants or shifts.concerns(name, played)
        )
        return run

    def compared(make: Callable[[Reports, list[str]], Compared]) -> Iterator[Compared]:
        """Yield what is made of each log and of the lines that count it among several."""
        for log in read(logs):
            try:
                run = run_of(log)
                made = make(run, shifts.count(run))
            except Exception as error:
                logs.unreadable.append((log.name, _reason(error)))
            else:
                yield made

    if form == "json":
        files = compared(lambda run, _: compare_document(run))
        unread = unread_documents((), logs.unreadable)
        output.document_all(document_parts(chain(files, unread), shifts.document))
    else:
        for made in compared(lambda run, lines: lines if several else [*compare_lines(run)]):
            output.say_all(made)
        output.say_all(shifts.lines())
    for name in variants:
        if several and shifts.of[name].left_out and not shifts.of[name].games:
            message = "{file}: none of these games is played by the rules that it changes"
            output.Refused(message, file=name).show()
            usable = False
    tell_left_out(logs)
    return exit_code(logs, total) if usable else 2


def check_logs(
    logs: Logs, total: Total, choice: Selection, read: Reader = iter, *, complete: bool = False
) -> Iterator[FileCheck]:
    """Check logs one after the other, game by game; what is found is counted in ``total``.

    ``read`` reads them, and may mend them first. Findings that ``choice`` leaves out are neither
    yielded nor counted; verdicts are.
    """
    progress = output.Progress("checking", logs.size()) if output.on_terminal(err=True) else None
    for log in read(logs):
        how = CheckSettings(log.folder, language=language(), complete=complete)
        check = check_games(log.text, how, log.name)
        games: Iterable[GameReport] = choice.of(check.games)
        if progress is not None:
            games = _followed(games, progress, log, max(len(check.lines), 1))
        check.games = total.count(games)
        yield check
        if choice.full:
            break
    if progress is not None:
        progress.end()


def _followed(
    games: Iterable[GameReport], progress: output.Progress, log: LogText, lines: int
) -> Iterator[GameReport]:
    """Yield the games of a log and report progress, in proportion to their lines."""
    size, done = len(log.text.encode("utf-8", "replace")), 0
    for game in games:
        end = game.span.end_line if game.span is not None else lines
        progress.add(size * max(end - done, 0) / lines, log.name)
        done = max(end, done)
        yield game
    progress.add(size * (lines - done) / lines, log.name)


def exit_code(logs: Logs, total: Total) -> int:
    """Return 2 where something could not be read or judged, 1 where a game is illegal, else 0."""
    if logs.unreadable or total.verdicts[Verdict.NOT_JUDGED]:
        return 2
    return 1 if total.verdicts[Verdict.ILLEGAL] else 0


@click.command("score")
@logs_argument
@output.format_of(("text", "json", "csv"), "For people, for programs, or a table of all scores.")
@output.language_option
@click.option("--explain", is_flag=True, help="Derive every number.")
def score(paths: tuple[str, ...], form: str, explain: bool) -> int:
    """Score recorded games and say who won.

    Works from a whole log, from a position, and from an unfinished log (standings so far).
    PATH is a log, a folder of logs (*.agn), or - for standard input.
    """
    logs, total = Logs(paths), Total()
    checks = check_logs(logs, total, Selection())
    if form == "json":
        output.document_all(json_parts(checks, logs.skipped, logs.unreadable, explain=explain))
    elif form == "csv":
        failures: list[tuple[str, str]] = []
        output.document_all(score_rows(checks, failures))
        for path, failure in failures:
            output.warn(failure, about=path)
    else:
        games = ((number, game, one) for one in checks for number, game in enumerate(one.games, 1))
        for before, (number, game, check) in enumerate(games):
            if before:
                output.say()
            output.say(Line((game_title(game, number, check.path), BOLD)))
            output.say_all(made_of(game, lambda of: [*score_lines(of, explain=explain)]))
    tell_left_out(logs)
    return exit_code(logs, total)
