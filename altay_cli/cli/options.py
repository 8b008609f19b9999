"""Options and helpers that commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from altay_cli.cli.files import Loaded
from altay_cli.cli.output import say

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
        type=click.Choice(["en", "de", "ja"]),
        default="en",
        show_default=True,
        help="The language of names and messages.",
    )(function)


def tell_unreadable(loaded: Loaded) -> None:
    """Say on standard error what could not be read."""
    for path, reason in loaded.unreadable:
        say(f"altay: {path}: {reason}", err=True)


def exit_code(loaded: Loaded, legal: Sequence[bool]) -> int:
    """Return 2 where a file could not be read, 1 where errors were found, else 0."""
    if loaded.unreadable:
        return 2
    return 0 if all(legal) else 1
