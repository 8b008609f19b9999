"""`altay fmt`: logs in canonical form."""

from __future__ import annotations

from pathlib import Path

import click

from altay_cli.base.atomic import write_whole
from altay_cli.base.text import Text
from altay_cli.base.translations import phrase
from altay_cli.checking.check import headings, plain_words
from altay_cli.cli.files import Logs
from altay_cli.cli.options import diff_lines, language_option, logs_argument, tell_left_out
from altay_cli.cli.output import document, say
from altay_cli.notation import FormatError, format_file


@click.command("fmt")
@logs_argument
@click.option("--check", "only_check", is_flag=True, help="Write nothing; list what would change.")
@click.option("--diff", "only_diff", is_flag=True, help="Write nothing; show what would change.")
@language_option
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[str, ...], language: str, *, only_check: bool, only_diff: bool
) -> None:
    """Write logs in canonical form: spacing, indentation, one statement a line.

    PATH is a log, a folder of logs (*.agn), or - for standard input, which is written to standard
    output. Comments survive, and keep their columns; plurals of names become names, and words of
    statements are written small. Only what is a log, and stays the same log, is written; a file is
    replaced when its new text is complete on disk, and keeps its owner, its mode and its links.
    """
    logs = Logs(paths)
    changed = 0
    for log in logs:
        try:
            words = headings(log.text, log.folder)
            formatted = format_file(log.text, words)
            one = plain_words(formatted, log.folder)
            formatted = formatted if one == formatted else format_file(one, words)
            if log.folder is None and not (only_check or only_diff):
                document(formatted)
            elif formatted != log.text:
                changed += 1
                if only_diff:
                    for line in diff_lines(log.text, formatted, log.name):
                        say(line, whole=True)
                elif not only_check:
                    write_whole(Path(log.name), formatted.encode("utf-8"))
                if not only_diff:
                    what = "would change: {file}" if only_check else "changed: {file}"
                    say(phrase(language, what, file=log.name))
        except FormatError as error:
            logs.unreadable.append((log.name, Text("{reason}; it stays as it is", reason=error)))
        except OSError as error:
            reason = (error.strerror or "it cannot be written").lower()
            logs.unreadable.append((log.name, Text("{reason}; it stays as it is", reason=reason)))
    tell_left_out(logs)
    if logs.unreadable:
        ctx.exit(2)
    ctx.exit(1 if (only_check or only_diff) and changed else 0)
