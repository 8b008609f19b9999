"""`altay fill` writes out what was drawn, as far as it can only have been one thing."""

from __future__ import annotations

import click

from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, document
from altay_cli.cli.viewing import one_log


@click.command("fill")
@click.argument("path", metavar="LOG")
@click.option(
    "--any",
    "anything",
    is_flag=True,
    help="Write one complete course of events that fits; it passes `altay check --strict`.",
)
@language_option
@click.pass_context
def command(ctx: click.Context, path: str, language: str, *, anything: bool) -> None:
    """Write out the draws of a log that nobody recorded.

    LOG is a log, or - for standard input; it is left as it is, and what is filled in is printed.
    Without --any, only what can have been nothing else is written.
    """
    from altay_cli.checking.filling import FillError, fill, fill_any

    del language  # that of what is refused
    name, folder, text = one_log(ctx, path)
    try:
        document(fill_any(text, folder) if anything else fill(text, folder))
    except FillError as error:
        raise Refused(Text("{name}: {reason}", name=name, reason=error)) from error
