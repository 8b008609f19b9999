"""The command `altay`; commands are imported when they are called."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, NoReturn

import click

from altay_cli import __version__
from altay_cli.cli.lazy import LazyGroup, packs_option
from altay_cli.cli.output import UnwritableError, lost, prepare, say
from altay_cli.cli.start import ABOUT, COMMANDS
from altay_cli.resources import PACKS

INTERRUPTED = 130


class _Main(LazyGroup):
    commands_of = COMMANDS

    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        """Run a command and exit; all output goes through ``altay_cli.cli.output``."""
        prepare()
        options["standalone_mode"] = False
        packs = os.environ.get(PACKS)
        try:
            try:
                code = super().main(*arguments, **options)
            except click.ClickException as error:
                _report_usage(error)
                code = error.exit_code
            except click.Abort:
                say("altay: interrupted", err=True)
                code = INTERRUPTED
            except OSError as error:
                code = _failed(error)
        except UnwritableError as error:
            say(f"altay: {error}", err=True)
            code = 2
        finally:
            os.environ.pop(PACKS, None)
            if packs is not None:
                os.environ[PACKS] = packs
        sys.exit(code or 0)


def _failed(error: OSError) -> int:
    """Report a failure of the system; return the exit code."""
    if error.filename is None:
        lost(error, sys.stdout)  # help and version are written by click itself
        return 0
    say(f"altay: {error.filename}: {(error.strerror or 'it cannot be read').lower()}", err=True)
    return 2


def _report_usage(error: click.ClickException) -> None:
    """Report why a command was refused; click's message quotes what was typed."""
    told = io.StringIO()
    error.show(told)
    for line in told.getvalue().splitlines():
        say(line, err=True)


@click.command(cls=_Main, help=ABOUT, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="altay")
def main() -> None:
    """Do nothing by itself: each command is a module of its own."""


main.params.insert(0, packs_option())
