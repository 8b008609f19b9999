"""`altay rules`: rules and house rules, checked, compared and looked at."""

from __future__ import annotations

import click

from altay_cli.cli.lazy import LazyGroup


class _Rules(LazyGroup):
    commands_of = {  # noqa: RUF012 - fixed when the class is written
        "check": ("altay_cli.cli.rules_check", "Check variant files and rules folders."),
        "diff": ("altay_cli.cli.rules_diff", "Say in plain words what differs."),
        "show": ("altay_cli.cli.rules_show", "Print a part of the rules, with its origin."),
        "list": ("altay_cli.cli.rules_list", "List the rules and variants that are there."),
        "new": ("altay_cli.cli.rules_new", "Write a commented file to start a variant from."),
        "new-game": (
            "altay_cli.cli.rules_new_game",
            "Write the rules of a small game.",
        ),
        "schema": ("altay_cli.cli.rules_schema", "Print the JSON Schema of a rule file."),
        "report": ("altay_cli.cli.rules_report", "Write a page about a variant for the table."),
        "explain": ("altay_cli.cli.explain", "Explain a rule or a problem by its id."),
    }


@click.command(cls=_Rules)
def command() -> None:
    """Check, compare and look at rules and house rules."""
