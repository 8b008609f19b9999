"""`altay new`: a log to start from, laid out by chance."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from altay_cli.base.text import Text
from altay_cli.cli.options import language_option, tag_named
from altay_cli.cli.output import Refused, document
from altay_cli.cli.rulesets import named_or_default


@click.command("new")
@click.option(
    "--players", required=True, metavar="NAME,...", help="Who plays, in the order of seats."
)
@click.option("--game", help="The game to play; without it, the default one.")
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
def command(
    players: str,
    game: str | None,
    variants: tuple[str, ...],
    tags: tuple[str, ...],
    language: str,
    seed: int | None,
) -> None:
    """Print a log to start from: its tags, the setup, and the heading of the first turn.

    What the rules leave to chance is drawn, and what they leave to the players is chosen by
    chance; write over it what your table has drawn and chosen.
    """
    from altay_cli.checking.playing import GameError, IllegalMove, new_game

    names = [name.strip() for name in players.split(",") if name.strip()]
    named = [tag_named(tag) for tag in tags]
    if all(name.casefold() != "date" for name, _ in named):
        named.append(("Date", f"{date.today():%Y.%m.%d}"))
    every = [*(("Variant", _beside(name)) for name in variants), *named]
    try:
        begun = new_game(
            named_or_default(game),
            names,
            seed=seed,
            tags=every,
            folder=Path.cwd(),
            language=language,
        )
    except (GameError, IllegalMove) as error:
        raise Refused(str(error)) from error
    moves = begun.legal_moves()
    if len(moves) == 1 and moves[0].definition.heading:
        begun.apply(moves[0])
    document(begun.log())


def _beside(variant: str) -> str:
    """Return a variant as a log names it: a file by its name only, as it lies beside the log."""
    if variant.endswith((".yaml", ".yml")) and Path(variant).name != variant:
        raise Refused(
            Text(
                "{file}: a log names a variant file that lies beside it; call this there",
                file=variant,
            )
        )
    return variant
