"""The command `altay`; commands are imported when they are called."""

from __future__ import annotations

import gc
import io
import sys
from typing import Any, NoReturn

import click

from altay_cli import __version__
from altay_cli.cli.lazy import LazyGroup
from altay_cli.cli.output import UnwritableError, lost, prepare, say

INTERRUPTED = 130


class _Main(LazyGroup):
    commands_of = {  # noqa: RUF012 - fixed when the class is written
        "check": ("altay_cli.cli.check", "Check recorded games move by move."),
        "score": ("altay_cli.cli.score", "Score recorded games and say who won."),
        "show": ("altay_cli.cli.show", "Show how a game stands at a point of it."),
        "log": ("altay_cli.cli.log", "Retell a game: what each move did."),
        "board": ("altay_cli.cli.board", "Draw the map of a game as a picture."),
        "moves": ("altay_cli.cli.moves", "List the legal moves at a point of a game."),
        "simulate": ("altay_cli.cli.simulate", "Play games by policy and say what they show."),
        "fmt": ("altay_cli.cli.fmt", "Write logs in canonical form."),
        "explain": ("altay_cli.cli.explain", "Explain a rule, a ruling or a finding."),
        "rules": ("altay_cli.cli.rules", "Check, compare and look at rules and house rules."),
    }

    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        """Run a command and exit; all that is said goes through ``altay_cli.cli.output``."""
        prepare()
        options["standalone_mode"] = False
        try:
            try:
                code = super().main(*arguments, **options)
            except click.ClickException as error:
                _tell(error)
                code = error.exit_code
            except click.Abort:
                say("altay: interrupted", err=True)
                code = INTERRUPTED
            except OSError as error:
                code = _failed(error)
        except UnwritableError as error:
            say(f"altay: {error}", err=True)
            code = 2
        sys.exit(code or 0)


def _failed(error: OSError) -> int:
    """Say what of the system failed; return the exit code."""
    if error.filename is None:
        lost(error, sys.stdout)  # help and version are written by click itself
        return 0
    say(f"altay: {error.filename}: {(error.strerror or 'it cannot be read').lower()}", err=True)
    return 2


def _tell(error: click.ClickException) -> None:
    """Say why a command was refused; the words that click has for it hold what was typed."""
    told = io.StringIO()
    error.show(told)
    for line in told.getvalue().splitlines():
        say(line, err=True)


@click.command(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="altay")
def main() -> None:
    """Check recorded board games against their rules, and score them.

    Exit codes: 0 nothing wrong; 1 a rule is broken; 2 something could not be judged or read, or
    wrong usage.
    """
    # What a start makes stays: looking through it for garbage again and again is wasted work.
    gc.set_threshold(100_000)
