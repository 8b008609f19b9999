"""Options and helpers that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

import click

from altay_cli.base.translations import languages
from altay_cli.cli.output import Refused
from altay_cli.report.text import speak

Command = Callable[..., object]


logs_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=click.Path().shell_complete
)
"""The argument that names files and folders."""


FORMS = ("text", "concise", "json", "jsonl", "github", "sarif", "junit")
"""The formats of findings; of each for programs ``report.json`` or ``report.ci`` has the writer."""

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
    module = import_module(f"altay_cli.report.{'json' if form.startswith('json') else 'ci'}")
    parts: Callable[..., Iterator[str]] = getattr(module, f"{form}_parts")
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


def diff_lines(before: str, after: str, name: str) -> Iterator[str]:
    """Yield the diff between two texts of a file."""
    from difflib import unified_diff

    from altay_cli.notation.lexis import split

    return unified_diff(split(before), split(after), name, name, lineterm="")
