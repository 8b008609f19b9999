"""Options and helpers that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from altay_cli.base.findings import Verdict
from altay_cli.base.translations import languages
from altay_cli.cli.files import Logs, LogText
from altay_cli.cli.output import Refused, on_terminal, warn
from altay_cli.report.speech import language, speak

if TYPE_CHECKING:
    from altay_cli.checking.check import FileCheck, GameReport
    from altay_cli.cli.progress import Progress
    from altay_cli.report.choosing import Selection
    from altay_cli.report.total import Total

Command = Callable[..., object]


logs_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=click.Path().shell_complete
)
"""The argument that names files and folders."""


FORMS = ("text", "concise", "json", "jsonl", "github", "sarif", "junit")
"""The formats of findings; each format for programs is a module of ``altay_cli.report``."""

FOR_PEOPLE = frozenset({"text", "concise"})


def format_of(forms: Sequence[str], told: str) -> Callable[[Command], Command]:
    """Return the choice between formats, of which text is the default."""
    return click.option(
        "--format", "form", type=click.Choice(forms), default="text", show_default=True, help=told
    )


report_option = format_of(FORMS, "For people (concise: a line each), programs, or CI systems.")
"""The choice between all formats of findings."""

format_option = format_of(("text", "json"), "For people, or for programs.")
"""The choice between text and JSON."""


def _speak(ctx: click.Context, parameter: click.Parameter, chosen: str) -> None:
    """Tell everything in a language."""
    del ctx, parameter
    speak(chosen)


language_option = click.option(
    "--lang",
    "language",
    expose_value=False,
    callback=_speak,
    type=click.Choice(languages()),
    default="en",
    show_default=True,
    envvar="ALTAY_LANG",
    help="The language of names and messages; ALTAY_LANG says which without it.",
)

strict_option = click.option(
    "--strict", is_flag=True, help='Demand complete logs, as the tag [Recorded "complete"] does.'
)


def report_parts(form: str) -> Callable[..., Iterator[str]]:
    """Return the writer of a format: it makes a document, in parts, of checks and skipped files."""
    module, name = ("json", "line_parts") if form == "jsonl" else (form, "parts")
    parts: Callable[..., Iterator[str]] = getattr(import_module(f"altay_cli.report.{module}"), name)
    return parts


def tag_named(text: str) -> tuple[str, str]:
    """Return the name and value of a tag given as an option.

    Raises:
        Refused: where it is none.

    """
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise Refused("--tag {text}: write a tag as NAME=VALUE", text=text)
    if name.casefold() == "variant":
        raise Refused("--tag {text}: write --variant {value}", text=text, value=value)
    return name, value


def check_logs(
    logs: Logs,
    total: Total,
    read: Iterable[LogText] | None = None,
    *,
    complete: bool = False,
    choice: Selection | None = None,
) -> Iterator[FileCheck]:
    """Check logs one after the other, game by game; what is found is counted in ``total``.

    ``read`` is what reads the logs, if not just that.

    Findings that ``choice`` leaves out are neither yielded nor counted; verdicts are.
    """
    from altay_cli.checking.check import How, check_games

    progress = None
    if on_terminal(err=True):
        from altay_cli.cli.progress import Progress

        progress = Progress("checking", logs.size())
    for log in logs if read is None else read:
        how = How(log.folder, language=language(), complete=complete)
        check = check_games(log.text, how, log.name)
        games = check.games if choice is None else choice.of(check.games)
        if progress is not None:
            games = _followed(games, progress, log, max(len(check.lines), 1))
        check.games = total.count(games)
        yield check
        if choice is not None and choice.full:
            break
    if progress is not None:
        progress.end()


def _followed(
    games: Iterable[GameReport], progress: Progress, log: LogText, lines: int
) -> Iterator[GameReport]:
    """Yield the games of a log and report progress, in proportion to their lines."""
    size, done = len(log.text.encode("utf-8", "replace")), 0
    for game in games:
        end = game.span.end_line if game.span is not None else lines
        progress.add(size * max(end - done, 0) / lines, log.name)
        done = max(end, done)
        yield game
    progress.add(size * (lines - done) / lines, log.name)


def diff_lines(before: str, after: str, name: str) -> Iterator[str]:
    """Yield the diff between two texts of a file."""
    from difflib import unified_diff

    from altay_cli.notation.source import split

    return unified_diff(split(before), split(after), name, name, lineterm="")


def tell_left_out(logs: Logs) -> None:
    """Report skipped and unreadable files on standard error."""
    for path, reason in [*logs.skipped, *logs.unreadable]:
        warn(reason, about=path)


def exit_code(logs: Logs, total: Total) -> int:
    """Return 2 where something could not be read or judged, 1 where a game is illegal, else 0."""
    if logs.unreadable or total.verdicts[Verdict.NOT_JUDGED]:
        return 2
    return 1 if total.verdicts[Verdict.ILLEGAL] else 0
