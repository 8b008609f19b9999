"""`altay check` tells whether every move was legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from altay_cli.base.atomic import why, write_whole
from altay_cli.base.findings import Finding
from altay_cli.base.text import Text
from altay_cli.checking.check import FileReport, check_games, check_text
from altay_cli.checking.fixing import Fixed, mended
from altay_cli.cli.files import Logs, LogText, rounds
from altay_cli.cli.options import (
    FOR_PEOPLE,
    check_logs,
    diff_lines,
    exit_code,
    language_option,
    logs_argument,
    report_option,
    report_parts,
    strict_option,
    tell_left_out,
)
from altay_cli.cli.output import Refused, clear, document, say, say_all, warn
from altay_cli.report.total import Total

if TYPE_CHECKING:
    from altay_cli.checking.check import FileCheck
    from altay_cli.report.choosing import Selection


@click.command("check")
@logs_argument
@report_option
@language_option
@strict_option
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
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    form: str,
    language: str,
    strict: bool,
    under: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    max_errors: int | None,
    quiet: bool,
    statistics: bool,
    watch: bool,
    fix: bool,
    guesses: bool,
    only_diff: bool,
) -> None:
    """Check recorded games move by move.

    PATH is a log, a folder of logs (*.agn), or - for standard input. Each finding is
    reported with its place, the rule it breaks and the page of the rulebook. With --fix, what
    can be mended is mended in the file first (of standard input, to standard output), and what
    is left is reported. Which findings are shown changes no verdict and no exit code.
    """
    if only_diff:
        ctx.exit(_show_fixes(Logs(paths), guesses=guesses))
    choice = None
    if select or ignore or max_errors or quiet:
        from altay_cli.report.choosing import Selection

        chosen = ("error",) if quiet else ()
        choice = Selection(_split_names(select), _split_names(ignore), chosen, max_errors)
    asked = _Request(form, language, strict, choice, quiet=quiet, statistics=statistics)
    if under:
        if form not in {"text", "json"} or choice is not None or statistics or watch:
            raise Refused("--under compares whole reports, as text or json: it goes with no other")
        logs, total = _logs(paths, fix=fix, guesses=guesses), Total()
        usable = _compare(logs, total, under, form, language, strict=strict)
        tell_left_out(logs)
        ctx.exit(exit_code(logs, total) if usable else 2)
    if not watch:
        ctx.exit(_check(_logs(paths, fix=fix, guesses=guesses), asked))
    if "-" in paths or form not in FOR_PEOPLE:
        raise Refused("--watch is for files, and for people who read along")
    from altay_cli.checking.tags import forget_rules

    for _ in rounds(paths):
        clear()
        forget_rules()
        if choice is not None:
            choice.begin()
        _check(_logs(paths, fix=fix, guesses=guesses), asked)


@dataclass(frozen=True, slots=True)
class _Request:
    """How the report was asked for."""

    form: str
    language: str
    strict: bool
    choice: Selection | None
    quiet: bool
    statistics: bool


def _split_names(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def _logs(paths: tuple[str, ...], *, fix: bool, guesses: bool) -> Logs:
    return FixedLogs(Logs(paths), guesses=guesses) if fix or guesses else Logs(paths)


def _check(logs: Logs, asked: _Request) -> int:
    """Check all logs and report what was found; return the exit code."""
    total, form, language, choice = Total(), asked.form, asked.language, asked.choice
    checks = check_logs(logs, total, language, complete=asked.strict, choice=choice)
    if asked.statistics:
        from altay_cli.report.counts import Counts

        counts = Counts()
        counts.count(checks, language)
        if form in FOR_PEOPLE:
            say_all(counts.lines(language))
        else:
            from altay_cli.report.json import dump

            document(dump(counts.document()))
    elif form not in FOR_PEOPLE:
        for part in report_parts(form)(checks, logs.skipped, logs.unreadable):
            document(part)
    else:
        say_all(_lines(checks, asked))
    if form in FOR_PEOPLE and total.files and not asked.quiet:
        from altay_cli.report.terminal import summary

        if asked.statistics and total.findings:
            say()
        say(summary(total, len(logs.unreadable), language, choice))
    tell_left_out(logs)
    if choice is not None:
        for name, meant in choice.unmet():
            message = "there is no rule or group `{name}`"
            message += "; did you mean {names}?" if meant else ""
            warn(message, name=name, names=f"`{meant}`")
    return exit_code(logs, total)


def _lines(checks: Iterable[FileCheck], asked: _Request) -> Iterator[str]:
    """Yield the report of files for people."""
    from altay_cli.report.terminal import Notes, brief_lines, check_lines

    if asked.form == "concise":
        for check in checks:
            yield from brief_lines(check, asked.language)
        return
    notes = Notes()
    for check in checks:
        yield from check_lines(check, asked.language, notes)
    yield from notes.rest(asked.language)


class FixedLogs(Logs):
    """Logs that are fixed in place as they are read."""

    def __init__(self, logs: Logs, *, guesses: bool) -> None:
        super().__init__(logs.paths)
        self._guesses = guesses

    def __iter__(self) -> Iterator[LogText]:
        """Read and fix them."""
        for log in super().__iter__():
            mended = _mended(log, guesses=self._guesses)
            if mended.made and log.folder is not None:
                try:
                    write_whole(Path(log.name), mended.text.encode("utf-8"))
                except OSError as error:
                    reason = Text("{reason}; it stays as it is", reason=why(error))
                    self.unreadable.append((log.name, reason))
                    yield log
                    continue
                made = Text.plural(mended.made, "{count} fix made", "{count} fixes made")
                warn(made, about=log.name)
            if mended.refused:
                one = "{count} fix not made: the log would have more errors than now"
                many = "{count} fixes not made: the log would have more errors than now"
                warn(Text.plural(mended.refused, one, many), about=log.name)
            elif log.folder is None:
                document(mended.text)
            yield log._replace(text=mended.text)


def _mended(log: LogText, *, guesses: bool) -> Fixed:
    def found(text: str) -> Iterator[Finding]:
        for game in check_games(text, log.name, log.folder).games:
            yield from game.findings

    return mended(log.text, found, guesses=guesses)


def _show_fixes(logs: Logs, *, guesses: bool) -> int:
    """Show what fixes would change; return the exit code, 1 where there are any."""
    changed = False
    for log in logs:
        fixed = _mended(log, guesses=guesses)
        changed = changed or fixed.text != log.text
        for line in diff_lines(log.text, fixed.text, log.name):
            say(line, whole=True)
    tell_left_out(logs)
    return 2 if logs.unreadable else int(changed)


def _compare(
    logs: Logs, total: Total, under: tuple[str, ...], form: str, language: str, *, strict: bool
) -> bool:
    """Check every log under each variant too; return whether all were usable.

    Of a single log, both reports are printed; of several, a line for each game that differs.
    """
    from altay_cli.cli.rulesets import games_of_variant, variant_named
    from altay_cli.report.compare import Shifts, compare_document, compare_lines
    from altay_cli.report.json import document_parts

    variants: dict[str, Path | str] = {}
    for name in under:
        found = variant_named(name)
        if found is None:
            raise Refused("{name}: there is no such variant, and no such file", name=name)
        variants[name] = found
    usable, several = True, len(logs.paths) > 1 or Path(logs.paths[0]).is_dir()
    shifts = Shifts({name: games_of_variant(name) for name in variants})

    def runs() -> Iterator[dict[str, FileReport]]:
        nonlocal usable
        for log in logs:
            as_played = check_text(
                log.text, log.name, log.folder, language=language, complete=strict
            )
            as_played.games = list(total.count(as_played.games))
            run = {"as played": as_played}
            for name, variant in variants.items():
                if several and not any(shifts.concerns(name, game) for game in as_played.games):
                    continue
                run[name] = check_text(
                    log.text,
                    log.name,
                    log.folder,
                    under=(variant,),
                    language=language,
                    complete=strict,
                )
            # Findings under other rules are a comparison; other rules that cannot be used are an
            # error.
            usable = usable and not any(
                game.played is None and played.played is not None
                for name, other in run.items()
                for game, played in zip(other.games, as_played.games, strict=True)
                if not several or name not in variants or shifts.concerns(name, played)
            )
            yield run

    def counted(run: dict[str, FileReport]) -> dict[str, object]:
        list(shifts.count(run))
        return compare_document(run)

    if form == "json":
        for part in document_parts(map(counted, runs()), shifts.document):
            document(part)
    else:
        for run in runs():
            told = list(shifts.count(run))
            say_all(told if several else compare_lines(run, language))
        say_all(shifts.lines())
    for name in variants:
        if several and shifts.of[name].left_out and not shifts.of[name].games:
            Refused(
                "{file}: none of these games is played by the rules that it changes", file=name
            ).show()
            usable = False
    return usable
