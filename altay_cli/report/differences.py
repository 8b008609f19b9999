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
    for one in differences:
        if one.group != group:
            group = one.group
            yield f"{group}:"
        where = f"  ({one.where})" if one.where != "?" else ""
        if one.old is None:
            yield f"  {one.about}: {phrase('new')}: {one.new}{where}"
        elif one.new is None:
            yield f"  {one.about}: {phrase('gone (it was: {old})', old=one.old)}"
        elif width(one.old) + width(one.new) <= SIDE_BY_SIDE:
            yield f"  {one.about}: {one.old} -> {one.new}{where}"
        else:
            yield f"  {one.about}:{where}"
            yield f"    {pad(before, columns)}{one.old}"
            yield f"    {pad(after, columns)}{one.new}"


def difference_document(difference: Difference) -> dict[str, object]:
    """Return a difference for JSON."""
    return {
        "group": difference.group,
        "path": difference.path,
        "about": difference.about,
        "before": difference.before,
        "after": difference.after,
        "where": None if difference.where == "?" else difference.where,
    }
