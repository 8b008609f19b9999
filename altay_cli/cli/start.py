"""The entry point of `altay`. Help and version are printed without loading any command.

Importing click takes three times as long as starting Python, so that for `--help` and `--version`
it is not imported at all.
"""

from __future__ import annotations

import gc
import os
import sys

from altay_cli import __version__

ABOUT = """\
Check recorded board games against their rules, and score them.

Exit codes: 0 nothing wrong; 1 a rule is broken; 2 something could not be
judged or read, or wrong usage.
"""
"""What is said of the program, in lines as click fills them in a terminal of 80 columns."""

COMMANDS = {
    "check": ("altay_cli.cli.check", "Check recorded games move by move."),
    "score": ("altay_cli.cli.score", "Score recorded games and say who won."),
    "show": ("altay_cli.cli.show", "Show how a game stands at a point of it."),
    "log": ("altay_cli.cli.log", "Retell a game: what each move did."),
    "board": ("altay_cli.cli.board", "Draw the map of a game as a picture."),
    "replay": ("altay_cli.cli.replay", "Make a page to play games back in a browser."),
    "fill": ("altay_cli.cli.fill", "Write out draws that nobody recorded."),
    "moves": ("altay_cli.cli.moves", "List the legal moves at a point of a game."),
    "simulate": ("altay_cli.cli.simulate", "Play games by policy and say what they show."),
    "fmt": ("altay_cli.cli.fmt", "Write logs in canonical form."),
    "explain": ("altay_cli.cli.explain", "Explain a rule, a ruling or a finding."),
    "cards": ("altay_cli.cli.cards", "List all cards and other things of a game."),
    "new": ("altay_cli.cli.new", "Print a log to start from."),
    "completion": ("altay_cli.cli.completion", "Print what a shell needs to complete commands."),
    "rules": ("altay_cli.cli.rules", "Check, compare and look at rules and house rules."),
}
"""The commands: each with its module, which has it under the name ``command``, and its help."""

_HELP = """\
Usage: altay [OPTIONS] COMMAND [ARGS]...

{about}
Options:
  --packs FOLDER  Look for rules packs in this folder first; may be repeated.
  --version       Show the version and exit.
  -h, --help      Show this message and exit.

Commands:
{commands}
"""
_WIDTH = 80


def main() -> None:
    """Run `altay` with the arguments of the process, and exit."""
    # Objects made at startup stay, so collecting garbage among them is wasted work.
    gc.set_threshold(100_000)
    text = _prepared_answer(sys.argv[1:])
    if not text or not _write(text):
        from altay_cli.cli.main import main as command

        try:
            command(prog_name="altay")
        finally:
            # Python looks for garbage once more when it ends, three times, and then all is gone.
            gc.freeze()


def _prepared_answer(words: list[str]) -> str:
    """Return what click would print for these arguments, if known without it; else ""."""
    if "_ALTAY_COMPLETE" in os.environ:  # a shell asks click for completions
        return ""
    if words == ["--version"]:
        return f"altay, version {__version__}\n"
    if words in (["--help"], ["-h"]) and _columns() >= _WIDTH:
        about = "".join(f"  {line}\n" if line else "\n" for line in ABOUT.split("\n")[:-1])
        longest = max(map(len, COMMANDS))
        commands = "\n".join(f"  {name:{longest}}  {told}" for name, (_, told) in COMMANDS.items())
        return _HELP.format(about=about, commands=commands)
    return ""


def _columns() -> int:
    """Return the width of the terminal; 80 if there is none."""
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size().columns or _WIDTH)
    except (OSError, ValueError, AttributeError):
        return _WIDTH


def _write(text: str) -> bool:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        return False  # click reports what is wrong
    return True
