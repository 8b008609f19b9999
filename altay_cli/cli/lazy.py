"""Groups of commands that are imported only when they are called."""

from __future__ import annotations

from importlib import import_module

import click


class LazyGroup(click.Group):
    """A group whose commands stand in modules of their own, under the name ``command``.

    ``commands_of`` maps a command to its module and its help line, so that listing the
    commands imports none of them.
    """

    commands_of: dict[str, tuple[str, str]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in order."""
        del ctx
        return list(self.commands_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in self.commands_of:
            return None
        command = import_module(self.commands_of[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.commands_of.items()])
