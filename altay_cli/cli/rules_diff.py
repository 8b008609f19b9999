"""`altay rules diff` says in plain words what differs between two rules."""

from __future__ import annotations

from collections.abc import Iterator

import click

from altay_cli.cli.output import Refused, say
from altay_cli.cli.rulesets import RuleSet, find_rules
from altay_cli.pack.problems import PackError


@click.command("diff")
@click.argument("one")
@click.argument("other")
def command(one: str, other: str) -> None:
    """Say in plain words what differs between ONE and OTHER, grouped as a player thinks.

    Each is a game, a shipped variant, a variant file or a rules folder.
    """
    sets = []
    for name in (one, other):
        rules = find_rules(name)
        if rules is None:
            raise Refused(f"{name}: there are no such rules, and no such file")
        sets.append(rules)
    try:
        lines = list(difference_lines(*sets))
    except PackError as error:
        raise Refused(str(error)) from error
    for line in lines or ["no difference"]:
        say(line)


def difference_lines(one: RuleSet, other: RuleSet) -> Iterator[str]:
    """Yield the differences, under the headings of their groups.

    Raises:
        PackError: where one of the two cannot be read.

    """
    from altay_cli.pack.building import read_tree
    from altay_cli.pack.inspect import differences

    trees = [read_tree(rules.folder, rules.variants) for rules in (one, other)]
    for tree in trees:
        if tree.problems:
            raise PackError(tree.problems)
    group = ""
    for found in differences(*trees):
        if found.group != group:
            group = found.group
            yield f"{group}:"
        where = f"  ({found.where})" if found.where != "?" else ""
        if found.old is None:
            yield f"  {found.about}: new: {found.new}{where}"
        elif found.new is None:
            yield f"  {found.about}: gone (it was: {found.old})"
        else:
            yield f"  {found.about}: {found.old} -> {found.new}{where}"
