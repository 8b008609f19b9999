"""`altay check` tells whether every move was legal."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from itertools import chain
from pathlib import Path

import click

from altay_cli.atomic import write_whole
from altay_cli.checking import FileReport, check_games, check_text
from altay_cli.cli.files import Logs, LogText
from altay_cli.cli.options import (
    check_logs,
    exit_code,
    format_option,
    language_option,
    logs_argument,
    strict_option,
    tell_left_out,
)
from altay_cli.cli.output import Refused, document, say
from altay_cli.findings import Finding
from altay_cli.fixing import Fixed, mended
from altay_cli.notation.source import split
from altay_cli.report.text import plural
from altay_cli.report.total import Total


@click.command("check")
@logs_argument
@format_option
@language_option
@strict_option
@click.option(
    "--under",
    multiple=True,
    metavar="VARIANT",
    help="Compare with the rules under a variant (its id or file); may be repeated.",
)
@click.option("--fix", is_flag=True, help="Mend what is badly written and plain to read.")
@click.option("--unsafe-fixes", "guesses", is_flag=True, help="Mend what is a guess as well.")
@click.option("--diff", "only_diff", is_flag=True, help="Write nothing; show what --fix would do.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    form: str,
    language: str,
    strict: bool,
    under: tuple[str, ...],
    fix: bool,
    guesses: bool,
    only_diff: bool,
) -> None:
    """Check recorded games move by move.

    PATH is a log, a folder of logs (*.agn), or - for standard input. Each finding is
    reported with its place, the rule it breaks and the page of the rulebook. With --fix, what
    can be mended is mended in the file first (of standard input, to standard output), and what
    is left is reported.
    """
    logs, total = Logs(paths), Total()
    usable = True
    if only_diff:
        ctx.exit(_show_fixes(logs, guesses=guesses))
    if fix or guesses:
        logs = FixedLogs(logs, guesses=guesses)
    if under:
        usable = _compare(logs, total, under, form, language, strict=strict)
    elif form == "json":
        from altay_cli.report.json import document_parts, file_document, unread_documents

        checks = check_logs(logs, total, language, complete=strict)
        read = map(file_document, checks)
        for part in document_parts(chain(read, unread_documents(logs.skipped, logs.unreadable))):
            document(part)
    else:
        from altay_cli.report.people import check_lines, summary

        for check in check_logs(logs, total, language, complete=strict):
            for line in check_lines(check, language):
                say(line)
        if total.files:
            say(summary(total, len(logs.unreadable), language))
    tell_left_out(logs)
    ctx.exit(exit_code(logs, total) if usable else 2)


class FixedLogs(Logs):
    """Logs that are mended in their files when their turn comes."""

    def __init__(self, logs: Logs, *, guesses: bool) -> None:
        super().__init__(logs.paths)
        self._guesses = guesses

    def __iter__(self) -> Iterator[LogText]:
        """Read and mend them."""
        for log in super().__iter__():
            mended = _mended(log, guesses=self._guesses)
            if mended.made and log.folder is not None:
                try:
                    write_whole(Path(log.name), mended.text.encode("utf-8"))
                except OSError as error:
                    reason = (error.strerror or "it cannot be written").lower()
                    self.unreadable.append((log.name, f"{reason}; it stays as it is"))
                    yield log
                    continue
                say(f"altay: {log.name}: {plural(mended.made, 'fix', 'fixes')} made", err=True)
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
        before, after = split(log.text), split(fixed.text)
        for line in unified_diff(before, after, log.name, log.name, lineterm=""):
            say(line)
    tell_left_out(logs)
    return 2 if logs.unreadable else int(changed)


def _compare(
    logs: Logs, total: Total, under: tuple[str, ...], form: str, language: str, *, strict: bool
) -> bool:
    """Check every log under each variant too, and print both; tell whether all were usable."""
    from altay_cli.cli.rulesets import variant_named
    from altay_cli.report.compare import Shifts, compare_document, compare_lines
    from altay_cli.report.json import document_parts

    variants: dict[str, Path | str] = {}
    for name in under:
        found = variant_named(name)
        if found is None:
            raise Refused(f"{name}: there is no such variant, and no such file")
        variants[name] = found
    usable = True
    shifts = Shifts()

    def runs() -> Iterator[dict[str, FileReport]]:
        nonlocal usable
        for log in logs:
            as_played = check_text(
                log.text, log.name, log.folder, language=language, complete=strict
            )
            as_played.games = list(total.count(as_played.games))
            run = {"as played": as_played}
            for name, variant in variants.items():
                run[name] = check_text(
                    log.text,
                    log.name,
                    log.folder,
                    under=(variant,),
                    language=language,
                    complete=strict,
                )
            # What other rules say of a log is a comparison; that they say nothing is a mistake.
            usable = usable and not any(
                game.played is None and played.played is not None
                for other in run.values()
                for game, played in zip(other.games, as_played.games, strict=True)
            )
            shifts.count(run)
            yield run

    if form == "json":
        for part in document_parts(map(compare_document, runs()), shifts.document):
            document(part)
    else:
        for run in runs():
            for line in compare_lines(run, language):
                say(line)
        for line in shifts.lines():
            say(line)
    return usable
