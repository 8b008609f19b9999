"""What differs between two rules, in words and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from altay_cli.report.speech import phrase
from altay_cli.report.text import pad, width
from altay_cli.source.inspect import Difference

SIDE_BY_SIDE = 80
"""Longer values are printed one below the other."""


def difference_lines(differences: Iterable[Difference]) -> Iterator[str]:
    """Yield differences in words, under the headings of their groups."""
    group = None
    before, after = (f"{phrase(key)}: " for key in ("before", "after"))
    columns = max(width(before), width(after))
    for found in differences:
        if found.group != group:
            group = found.group
            yield f"{group}:"
        where = f"  ({found.where})" if found.where != "?" else ""
        if found.old is None:
            yield f"  {found.about}: {phrase('new')}: {found.new}{where}"
        elif found.new is None:
            yield f"  {found.about}: {phrase('gone (it was: {old})', old=found.old)}"
        elif width(found.old) + width(found.new) <= SIDE_BY_SIDE:
            yield f"  {found.about}: {found.old} -> {found.new}{where}"
        else:
            yield f"  {found.about}:{where}"
            yield f"    {pad(before, columns)}{found.old}"
            yield f"    {pad(after, columns)}{found.new}"


def difference_document(found: Difference) -> dict[str, object]:
    """Return a difference for JSON."""
    return {
        "group": found.group,
        "path": found.path,
        "about": found.about,
        "before": found.before,
        "after": found.after,
        "where": None if found.where == "?" else found.where,
    }
