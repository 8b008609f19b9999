"""`altay rules diff` says in plain words what differs between two rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from altay_cli.base.findings import PackError
from altay_cli.base.text import Text
from altay_cli.base.translations import phrase
from altay_cli.cli.options import format_option, language_option
from altay_cli.cli.output import Refused, document, say
from altay_cli.cli.rulesets import RuleSet, find_rules
from altay_cli.report.text import pad, width

if TYPE_CHECKING:
    from altay_cli.source.inspect import Difference


SIDE_BY_SIDE = 80
"""Longer values are printed one below the other."""


@click.command("diff")
@click.argument("one")
@click.argument("other")
@format_option
@language_option
def command(one: str, other: str, form: str, language: str) -> None:
    """Say in plain words what differs between ONE and OTHER, grouped as a player thinks.

    Each is a game, a shipped variant, a variant file or a rules folder.
    """
    sets = []
    for name in (one, other):
        rules = find_rules(name)
        if rules is None:
            raise Refused(Text("{name}: there are no such rules, and no such file", name=name))
        sets.append(rules)
    try:
        if form == "json":
            from altay_cli.report.json import dump

            found = _differences(sets, language)
            document(dump({"differences": [_document(one) for one in found]}))
            return
        lines = list(difference_lines(_differences(sets, language), language))
    except PackError as error:
        raise Refused(str(error)) from error
    for line in lines or [phrase(language, "no difference")]:
        say(line)


def difference_lines(differences: Iterable[Difference], language: str) -> Iterator[str]:
    """Yield differences in words, under the headings of their groups."""
    group = None
    before, after = (f"{phrase(language, key)}: " for key in ("before", "after"))
    columns = max(width(before), width(after))
    for found in differences:
        if found.group != group:
            group = found.group
            yield f"{group}:"
        where = f"  ({found.where})" if found.where != "?" else ""
        if found.old is None:
            yield f"  {found.about}: {phrase(language, 'new')}: {found.new}{where}"
        elif found.new is None:
            yield f"  {found.about}: {phrase(language, 'gone (it was: {old})', old=found.old)}"
        elif width(found.old) + width(found.new) <= SIDE_BY_SIDE:
            yield f"  {found.about}: {found.old} -> {found.new}{where}"
        else:
            yield f"  {found.about}:{where}"
            yield f"    {pad(before, columns)}{found.old}"
            yield f"    {pad(after, columns)}{found.new}"


def _differences(sets: Sequence[RuleSet], language: str) -> list[Difference]:
    """Return what differs between two rules; a game that both change is read once."""
    from altay_cli.compile.building import lay_over
    from altay_cli.source.folder import read_folder
    from altay_cli.source.inspect import differences

    one, other = sets
    base = read_folder(one.folder)
    again = base if other.folder == one.folder else read_folder(other.folder)
    old = lay_over(base, one.folder, one.variants)
    new = lay_over(again, other.folder, other.variants)
    for tree in (old, new):
        if tree.problems:
            raise PackError(tree.problems)
    return differences(old, new, language)


def _document(found: Difference) -> dict[str, object]:
    return {
        "group": found.group,
        "path": found.path,
        "about": found.about,
        "before": found.before,
        "after": found.after,
        "where": None if found.where == "?" else found.where,
    }
