"""Groups of commands whose modules are imported when they are called."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from altay_cli.base.resources import PACKS


def _search(ctx: click.Context, parameter: click.Parameter, folders: tuple[Path, ...]) -> None:
    """Search these folders for packs first, in child processes as well."""
    del ctx, parameter
    if folders:
        paths = [*map(str, map(Path.absolute, folders)), os.environ.get(PACKS, "")]
        os.environ[PACKS] = os.pathsep.join(filter(None, paths))


def packs_option() -> click.Option:
    """Return the option that every command has: where to look for packs."""
    return click.Option(
        ["--packs"],
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_search,
        metavar="FOLDER",
        help="Look for rules packs in this folder first; may be repeated.",
    )


class LazyGroup(click.Group):
    """A group whose commands live in modules that are imported when one of them is called.

    ``commands_of`` maps the name of a command to its module and its help line, so that listing the
    commands imports none of them.
    """

    def __init__(
        self, *arguments: Any, commands_of: Mapping[str, tuple[str, str]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.commands_of = commands_of

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in order."""
        del ctx
        return list(self.commands_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in self.commands_of:
            return None
        there = vars(import_module(self.commands_of[cmd_name][0])).values()
        command = next(c for c in there if isinstance(c, click.Command) and c.name == cmd_name)
        if all(parameter.name != "packs" for parameter in command.params):
            command.params.append(packs_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.commands_of.items()])
