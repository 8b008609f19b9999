"""The command `altay`; commands are imported when they are called."""

from __future__ import annotations

import gc
import io
import sys

import click

from altay_cli import __version__
from altay_cli.cli.lazy import LazyGroup


class _Main(LazyGroup):
    commands_of = {  # noqa: RUF012 - fixed when the class is written
        "check": ("altay_cli.cli.check", "Check recorded games move by move."),
        "score": ("altay_cli.cli.score", "Score recorded games and say who won."),
        "moves": ("altay_cli.cli.moves", "List the legal moves at a point of a game."),
        "simulate": ("altay_cli.cli.simulate", "Play games by policy and say what they show."),
        "fmt": ("altay_cli.cli.fmt", "Write logs in canonical form."),
        "explain": ("altay_cli.cli.explain", "Explain a rule, a ruling or a finding."),
        "rules": ("altay_cli.cli.rules", "Check, compare and look at rules and house rules."),
    }


@click.command(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="altay")
def main() -> None:
    """Check recorded board games against their rules, and score them.

    Exit codes: 0 nothing wrong, 1 errors found, 2 a file could not be read, or wrong usage.
    """
    # What a start makes stays: looking through it for garbage again and again is wasted work.
    gc.set_threshold(100_000)
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is escaped, and never ends in a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
