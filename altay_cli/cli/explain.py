"""`altay explain` and `altay cards`: what rules mean, and what things of a game do."""

from __future__ import annotations

import click

from altay_cli.base.findings import either
from altay_cli.cli.output import Refused, language_option, say_all
from altay_cli.cli.rulesets import rules_of, variants_option
from altay_cli.cli.viewing import opened
from altay_cli.report.explained import Explainer, all_tables
from altay_cli.report.moves import unseen_lines
from altay_cli.report.text import phrase

_game_option = click.option("--game", help="The rules to look in.")


@click.command("explain")
@click.argument("name", required=False)
@_game_option
@variants_option
@click.option("--source", is_flag=True, help="Show rules as the rule files write them.")
@language_option
@click.option(
    "--at", metavar="PLACE", help="NAME is a log: tell what is known there of hidden things."
)
def explain(
    name: str | None, game: str | None, variants: tuple[str, ...], source: bool, at: str | None
) -> None:
    """Explain a rule, a ruling, a finding, or a thing of the game by its name.

    Without NAME, all that can be explained is listed, rules by what they are asked of.
    With --at, NAME is a log, and PLACE a line of it or a turn (`turn 3 Ann`).
    """
    if at is not None and name is not None:
        unseen = list(unseen_lines(opened(name, at)[1]))
        say_all(unseen or [phrase("nothing is hidden: all that was drawn so far is recorded")])
        return
    explainer = Explainer(rules_of(game, variants), source)
    if name is None:
        say_all(explainer.everything())
        return
    lines = explainer.named(name)
    if not lines:
        nothing = "there is no rule, ruling, finding or thing of that name"
        if near := explainer.near(name):
            raise Refused(f"{nothing}; did you mean {{names}}?", names=either(near))
        raise Refused(nothing)
    say_all(lines)


@click.command("cards")
@_game_option
@variants_option
@language_option
def cards(game: str | None, variants: tuple[str, ...]) -> None:
    """List all cards, places and other things of a game with what they do."""
    say_all(
        list(all_tables(rules_of(game, variants)))
        or [phrase("there is nothing to tell of the things of this game")]
    )
