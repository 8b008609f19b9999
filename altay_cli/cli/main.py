"""The command `altay`; commands are imported when they are called."""

from __future__ import annotations

from importlib import import_module

import click

from altay_cli import __version__

_COMMANDS = {
    "check": "Check recorded games move by move.",
    "score": "Score recorded games and say who won.",
    "fmt": "Write logs in canonical form.",
    "explain": "Explain a rule, a ruling or a finding.",
}


class _Lazy(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"altay_cli.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="altay")
def main() -> None:
    """Check recorded board games against their rules, and score them.

    Exit codes: 0 nothing wrong, 1 errors found, 2 a file could not be read, or wrong usage.
    """
