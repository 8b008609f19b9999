"""`altay completion`: what a shell needs to complete commands."""

from __future__ import annotations

import click

from altay_cli.cli.output import document

COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }"
"""What zsh needs where nothing else in its ~/.zshrc has begun its completion."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that lets a shell complete commands, options and files.

    For bash: write `eval "$(altay completion bash)"` into ~/.bashrc; for zsh the same into
    ~/.zshrc; for fish, write the script into ~/.config/fish/completions/altay.fish.
    """
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    # What bash itself is asked for by its own class, its version, does not matter here.
    script = ShellComplete.source(kind(ctx.find_root().command, {}, "altay", "_ALTAY_COMPLETE"))
    if shell == "zsh":
        head, _, rest = script.partition("\n")  # that of a file that is loaded comes first
        script = f"{head}\n{COMPINIT}\n{rest}"
    document(script)
