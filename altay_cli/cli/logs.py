"""Write logs: `altay fmt`, `fill` and `new`."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from altay_cli.archive.sources import no_such_game
from altay_cli.archive.splitting import GameText, games_in
from altay_cli.base import internal
from altay_cli.base.files import why
from altay_cli.base.findings import ImpossibleError, Text
from altay_cli.checking import filling
from altay_cli.checking.check import headings
from altay_cli.checking.fixing import plain_words, unread_statements
from altay_cli.checking.opening import new_game, setup_to_fill_in
from altay_cli.cli.files import Logs, LogText, logs_argument, only_option, warn_left_out
from altay_cli.cli.output import (
    Refused,
    diff_lines,
    document,
    language_option,
    print_line,
    print_lines,
    warn,
)
from altay_cli.cli.rulesets import named_or_default, rules_option, tag_named
from altay_cli.cli.viewing import log_argument, single_log
from altay_cli.notation.writing import format_file
from altay_cli.report.text import language, phrase


@click.command("fmt")
@logs_argument
@click.option("--check", "only_check", is_flag=True, help="Write nothing; list what would change.")
@click.option("--diff", "only_diff", is_flag=True, help="Write nothing; show what would change.")
def fmt(paths: tuple[str, ...], *, only_check: bool, only_diff: bool) -> int:
    """Write logs in canonical form: spacing, indentation, one statement a line.

    PATH is a log, a folder of logs (*.agn), or - for standard input, which is written to standard
    output. Comments keep their columns; plurals of names become names, and words of statements are
    written in lower case. Only logs are written, and only if their meaning stays the same. A file
    is replaced once its new text is complete on disk, and keeps its owner, mode and links.
    """
    logs, changed = Logs(paths), False
    for log in logs:
        try:
            formatted = _formatted(log)
            if log.folder is None and not (only_check or only_diff):
                document(formatted)
            elif formatted != log.text:
                changed = True
                if only_diff:
                    print_lines(diff_lines(log.text, formatted, log.name), fold=False)
                elif not only_check:
                    logs.replace(log, formatted)
                if not only_diff:
                    what = "would change: {file}" if only_check else "changed: {file}"
                    print_line(phrase(what, file=log.name))
        except (ImpossibleError, OSError) as error:
            reason = why(error) if isinstance(error, OSError) else error
            logs.unreadable.append((log.name, Text("{reason}; it stays as it is", reason=reason)))
    warn_left_out(logs)
    return 2 if logs.unreadable else int(changed and (only_check or only_diff))


def _formatted(log: LogText) -> str:
    try:
        words = headings(log.text, log.folder)
        formatted = format_file(log.text, words, unread_statements(log.text, log.folder))
        plain = plain_words(formatted, log.folder)
        if plain != formatted:
            formatted = format_file(plain, words, unread_statements(plain, log.folder))
        return formatted
    except ImpossibleError:
        raise
    except Exception as error:
        raise ImpossibleError(internal.internal_error_line(error)) from error


@click.command("fill")
@log_argument
@click.option(
    "--any",
    "anything",
    is_flag=True,
    help="Write one complete course of events that fits; it passes `altay check --strict`.",
)
@only_option
def fill(path: str, *, anything: bool, only: int | None) -> int:
    """Write out the unrecorded draws of a log.

    LOG is a log, or - for standard input; it is left as it is, and the completed log is printed.
    Without --any, only draws with a single possibility are written. A game with errors is filled
    up to the first of them, and the exit code is 1. With --game, all others stay as they are.
    """
    name, folder, text = single_log(path)
    games = [GameText(text, 0)] if only is None else [*games_in(text)]
    chosen = 0 if only is None else only - 1
    if not 0 <= chosen < len(games):
        reason = no_such_game(chosen + 1, len(games))
        raise Refused("{name}: {reason}", name=name, reason=reason)
    text, before = games[chosen]
    try:
        part = filling.legal_part(text, folder)
        filled = (filling.fill_any if anything else filling.fill)(part.text, folder)
    except ImpossibleError as error:
        raise Refused("{name}: {reason}", name=name, reason=error) from error
    texts = [game.text for game in games]
    texts[chosen] = part.completed(filled)
    document("".join(texts))
    for line in part.lines:
        message = "line {line} has an error; from there on this game stays as it is"
        warn(message, about=name, line=before + line)
    for failure in part.failures:
        warn(Text("{reason}; this game stays as it is", reason=failure), about=name)
    return 2 if part.failures else 1 if part.lines else 0


@click.command("new")
@click.option(
    "--players", required=True, metavar="NAME,...", help="Who plays, in the order of seats."
)
@rules_option("The game to play; without it, the default one.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="VARIANT",
    help="A variant's id, or its file beside the log; may be repeated.",
)
@click.option(
    "--tag", "tags", multiple=True, metavar="NAME=VALUE", help="A further tag of the log."
)
@language_option
@click.option("--seed", type=int, help="The same seed lays the game out in the same way.")
@click.option(
    "--blank", is_flag=True, help="Draw nothing: leave gaps for what the table has drawn."
)
def new(
    players: str,
    game: str | None,
    variants: tuple[str, ...],
    tags: tuple[str, ...],
    seed: int | None,
    blank: bool,
) -> None:
    """Print a log to start from: its tags, the setup, and the heading of the first turn.

    What the rules leave to chance is drawn, and what they leave to the players is chosen by
    chance; write over it what your table has drawn and chosen. With --blank the setup has gaps
    instead: fill in each `<...>`, and remove the `#` before the line.
    """
    names = [name.strip() for name in players.split(",") if name.strip()]
    named = [tag_named(tag) for tag in tags]
    if all(name.casefold() != "date" for name, _ in named):
        named.append(("Date", f"{date.today():%Y.%m.%d}"))
    every = [*(("Variant", _beside(name)) for name in variants), *named]
    chosen, here = named_or_default(game), Path.cwd()
    if blank:
        if seed is not None:
            raise Refused("--blank draws nothing: it cannot be used with --seed")
        document(setup_to_fill_in(chosen, names, tags=every, folder=here, language=language()))
        return
    begun = new_game(chosen, names, seed=seed, tags=every, folder=here, language=language())
    moves = begun.legal_moves()
    if len(moves) == 1 and moves[0].definition.heading:
        begun.apply(moves[0])
    document(begun.log())


def _beside(variant: str) -> str:
    """Return a variant as a log names it: a file beside the log by its name."""
    if variant.endswith((".yaml", ".yml")) and Path(variant).name != variant:
        message = (
            "{file}: a log can only name a variant file in its own folder; "
            "give the name without its folder, and keep both files together"
        )
        raise Refused(message, file=variant)
    return variant
