"""The command `altay`; the module of a command is imported when it is called."""

from __future__ import annotations

import atexit
import gc
import io
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from altay_cli.base.files import why
from altay_cli.base.findings import ImpossibleError
from altay_cli.base.internal import places
from altay_cli.base.resources import restore_pack_search, search_packs
from altay_cli.base.suggest import suggest
from altay_cli.base.translations import ENGLISH
from altay_cli.base.version import __version__
from altay_cli.cli import output
from altay_cli.report.text import speaking

ABOUT = """\
Check recorded board games against their rules, and score them.

Exit codes: 0 nothing wrong; 1 a rule is broken; 2 something could not be
judged or read, or wrong usage.
"""
COMMANDS = {
    "check": ("altay_cli.cli.check", "Check recorded games move by move."),
    "score": ("altay_cli.cli.score", "Score recorded games and say who won."),
    "query": ("altay_cli.cli.query", "Ask a dataset a question, in SQL."),
    "show": ("altay_cli.cli.viewing", "Show how a game stands at a point of it."),
    "log": ("altay_cli.cli.viewing", "Retell a game: what each move did."),
    "board": ("altay_cli.cli.viewing", "Draw the map of a game as a picture."),
    "replay": ("altay_cli.cli.viewing", "Make a page to play games back in a browser."),
    "page": ("altay_cli.cli.viewing", "Serve a page that checks and scores games in a browser."),
    "fill": ("altay_cli.cli.logs", "Write out draws that nobody recorded."),
    "moves": ("altay_cli.cli.viewing", "List the legal moves at a point of a game."),
    "simulate": ("altay_cli.cli.simulate", "Play games by policy and say what they show."),
    "stats": ("altay_cli.cli.stats", "Say what recorded games show together."),
    "fmt": ("altay_cli.cli.logs", "Write logs in canonical form."),
    "import": ("altay_cli.cli.convert", "Make logs of games in another notation, such as PGN."),
    "export": ("altay_cli.cli.convert", "Write games in the notation of other programs."),
    "explain": ("altay_cli.cli.rules", "Explain a rule, a ruling or a finding."),
    "cards": ("altay_cli.cli.rules", "List all cards and other things of a game."),
    "new": ("altay_cli.cli.logs", "Print a log to start from."),
    "completion": (__name__, "Print what a shell needs to complete commands."),
    "rules": (__name__, "Check, compare and look at rules and house rules."),
}
"""Module and one line of help."""

RULES = {
    "check": ("altay_cli.cli.rules_check", "Check variant files and rules folders."),
    "diff": ("altay_cli.cli.rules", "Say in plain words what differs."),
    "show": ("altay_cli.cli.rules", "Print a part of the rules, with its origin."),
    "list": ("altay_cli.cli.rules", "List the rules and variants that are there."),
    "new": ("altay_cli.cli.rules", "Write a commented file to start a variant from."),
    "new-game": ("altay_cli.cli.rules", "Write the rules of a small game."),
    "outline": ("altay_cli.cli.outline", "Compute outlines of the places of a map."),
    "schema": ("altay_cli.cli.rules", "Print the JSON Schema of a rule file."),
    "report": ("altay_cli.cli.rules_check", "Write a page about a variant for the table."),
    "explain": ("altay_cli.cli.rules", "Explain a rule or a problem by its id."),
}

COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }"
"""Starts the completion of zsh unless ~/.zshrc already does."""


packs_option = click.option(
    "--packs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=lambda _ctx, _option, folders: search_packs(*folders) if folders else None,
    metavar="FOLDER",
    help="Look for rules packs in this folder first; may be repeated.",
)


class LazyGroup(click.Group):
    """Imports commands when called."""

    def __init__(
        self, *arguments: Any, commands_of: Mapping[str, tuple[str, str]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.commands_of = commands_of

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the commands in order."""
        return list(self.commands_of)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; add the common options to those of other modules."""
        if cmd_name not in self.commands_of:
            return None
        home, _ = self.commands_of[cmd_name]
        there = vars(import_module(home)).values()
        command = next(c for c in there if isinstance(c, click.Command) and c.name == cmd_name)
        known = {option.name for option in command.params}
        if "language" not in known and home != __name__:
            output.language_option(command)
        if "packs" not in known:
            packs_option(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called, or suggest names for a misspelled one."""
        is_unknown = args[0] not in self.commands_of and not ctx.resilient_parsing
        if is_unknown and (near := suggest(args[0], self.commands_of)):
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{near[0]}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.commands_of.items()])


class _Main(LazyGroup):
    @speaking(ENGLISH)
    @restore_pack_search()
    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        output.prepare()
        atexit.register(gc.freeze)  # scanning all objects at exit takes an eighth of the time
        options["standalone_mode"] = False
        code = 2  # an unexpected end
        try:
            try:
                code = super().main(*arguments, **options)
            except click.ClickException as error:
                # Click's message quotes the user's input.
                message = io.StringIO()
                error.show(message)
                output.print_lines(message.getvalue().splitlines(), err=True)
                code = error.exit_code
            except ImpossibleError as error:
                output.Refused(str(error)).show()
            except click.Abort:
                output.print_line("altay: interrupted", err=True)
                code = output.INTERRUPTED
            except OSError as error:
                if error.filename is None:
                    output.lost(error, sys.stdout)  # click writes help and version itself
                    code = 0
                else:
                    output.print_line(
                        f"altay: {error.filename}: {why(error, 'it cannot be read')}", err=True
                    )
            except MemoryError:
                output.print_line("altay: there is not enough memory for this", err=True)
            except output.UnwritableError:
                raise
            except Exception as error:
                _report_mistake(error)
        except output.UnwritableError as error:
            output.print_line(f"altay: {error}", err=True)
        sys.exit(code or 0)


def _report_mistake(error: Exception) -> None:
    lines = (
        f"altay: internal error: {type(error).__name__}: {error}",
        f"  at {places(error)}",
        "  This is a mistake of the program, not of your file; nothing was judged by it.",
        "  Please report these lines, with the file if you can.",
    )
    output.print_lines(lines, err=True)


def _version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from altay_cli.base import budget  # compiled if any module is

        kind = "pure Python" if budget.__file__.endswith(".py") else "compiled"
        output.print_line(f"altay {__version__} ({kind})")
        context.exit()


@click.command(
    cls=_Main,
    commands_of=COMMANDS,
    help=ABOUT,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@packs_option
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Parse the common options; the commands do the rest."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script that lets a shell complete commands, options and files.

    For bash: write `eval "$(altay completion bash)"` into ~/.bashrc; for zsh the same into
    ~/.zshrc; for fish, write the script into ~/.config/fish/completions/altay.fish.
    """
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    # Skip the check of bash's version in click's class.
    script = ShellComplete.source(kind(main, {}, "altay", "_ALTAY_COMPLETE"))
    if shell == "zsh":
        head, _, rest = script.partition(
            "\n"
        )  # remove the line for a completion that is loaded from a file
        script = f"{head}\n{COMPINIT}\n{rest}"
    output.document(script)


@click.command("rules", cls=LazyGroup, commands_of=RULES)
def rules() -> None:
    """Check, compare and look at rules and house rules."""
