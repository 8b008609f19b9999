"""Find further causes of problems: play on without the changes that have shown some."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from altay_cli.base.findings import Span, Text
from altay_cli.lint import limits
from altay_cli.lint.playtests import Traced
from altay_cli.lint.reduced import blamed, changes_of, left_out
from altay_cli.lint.tryout import TryOut, try_out
from altay_cli.simulation.simulated import PlayPlan
from altay_cli.source.folder import Change, Variant

_NAME = re.compile(r"[\w-]+")
_PART = re.compile(r"\w+")


def further_problems(
    report: TryOut,
    plan: PlayPlan,
    base: PlayPlan,
    games: int,
    steps: float,
    variants: Sequence[Variant],
    data: Mapping[str, Any],
) -> Iterator[Traced]:
    """Yield what games show only if the changes to blame for earlier problems are left out.

    Changes that have to do with those are not reported: they may make sense only together.
    The other arguments are those of ``try_out`` that led to the report.
    """
    known = {(shown.rule, shown.about) for shown in report.found}
    left: list[Change] = []
    changes = changes_of(plan, variants)
    with ExitStack() as folders:
        for _ in range(limits.MOST_CAUSES):
            found = [blamed(variants, shown) for shown in report.found if not shown.is_note]
            causes = [change for change in changes_of(plan, variants) if change in found]
            if not causes:
                return
            rest = folders.enter_context(left_out(plan, variants, causes))
            if rest is None or not changes_of(*rest):
                return
            left += causes
            plan, variants = rest
            report = try_out(plan, base, games, steps, variants=variants, data=data)
            related = _related(left, changes)
            for shown in report.found:
                change = blamed(variants, shown)
                if change is None or change.place() in related:
                    continue
                if (shown.rule, shown.about) not in known:
                    known.add((shown.rule, shown.about))
                    paths = tuple(f"`{other.path}`" for other in left)
                    why = Text("games show this without {changes}", changes=paths)
                    yield shown._replace(help=(*shown.help, why), log="", cause=change)


def _related(left: Sequence[Change], changes: Collection[Change]) -> set[tuple[str, Span]]:
    """Return the places of changes with names that the changes ``left`` define, or the reverse."""
    places, waiting = set[tuple[str, Span]](), [*left]
    while waiting:
        change = waiting.pop()
        places.add(change.place())
        waiting += (
            other
            for other in changes
            if other.place() not in places
            and (_names(other) & _defined(change) or _names(change) & _defined(other))
        )
    return places


def _names(change: Change) -> set[str]:
    text = json.dumps(change.data)
    return {*_NAME.findall(text), *_PART.findall(text)}


def _defined(change: Change) -> set[str]:
    """Return the name of what a change adds or alters, but of a move that it only alters."""
    section, *names = change.path.split(".")
    if section == "moves" and len(names) > 1:
        return set()
    return set(names[1:2] if section == "entities" else names[:1])
