"""Options and helpers that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from altay_cli.cli.files import Logs
from altay_cli.cli.output import say
from altay_cli.findings import Verdict
from altay_cli.telling import languages

if TYPE_CHECKING:
    from altay_cli.checking import FileCheck
    from altay_cli.choosing import Choice
    from altay_cli.report.total import Total

Command = Callable[..., Any]


def logs_argument(function: Command) -> Command:
    """Add the argument that names files and folders."""
    return click.argument("paths", nargs=-1, required=True, metavar="PATH...")(function)


def format_option(function: Command) -> Command:
    """Add the choice between text and JSON."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="For people, or for programs.",
    )(function)


def language_option(function: Command) -> Command:
    """Add the choice of the language of names and messages."""
    return click.option(
        "--lang",
        "language",
        type=click.Choice(languages()),
        default="en",
        show_default=True,
        help="The language of names and messages.",
    )(function)


def strict_option(function: Command) -> Command:
    """Add the demand that everything is written down."""
    return click.option(
        "--strict",
        is_flag=True,
        help='Demand complete logs, as the tag [Recorded "complete"] does.',
    )(function)


def check_logs(
    logs: Logs,
    total: Total,
    language: str,
    *,
    complete: bool = False,
    choice: Choice | None = None,
) -> Iterator[FileCheck]:
    """Check logs one after the other, game by game; what is found is counted in ``total``.

    Of what ``choice`` leaves out nothing is given, and nothing counted but the verdict.
    """
    from altay_cli.checking import check_games

    for log in logs:
        check = check_games(log.text, log.name, log.folder, language=language, complete=complete)
        games = check.games if choice is None else choice.of(check.games)
        check.games = total.count(games)
        yield check
        if choice is not None and choice.full:
            return


def tell_left_out(logs: Logs) -> None:
    """Say on standard error what was left out, and what could not be read."""
    for path, reason in [*logs.skipped, *logs.unreadable]:
        say(f"altay: {path}: {reason}", err=True)


def exit_code(logs: Logs, total: Total) -> int:
    """Return 2 where something could not be read or judged, 1 where a game is illegal, else 0."""
    if logs.unreadable or total.verdicts[Verdict.NOT_JUDGED]:
        return 2
    return 1 if total.verdicts[Verdict.ILLEGAL] else 0
