"""Play by a variant with a change left out or altered, to prove what the change does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from altay_cli.base.findings import ImpossibleError, PackError, Text
from altay_cli.lint import limits
from altay_cli.lint.playtests import Playtests, Traced
from altay_cli.pack.model import Pack
from altay_cli.simulation.planning import rules_for
from altay_cli.simulation.simulated import GREEDY, RANDOM, Playout, PlayPlan, playout
from altay_cli.source.folder import Change, Variant, walk

SMALL_BOUND = 6
"""Bounds below this are not lowered to see whether they are ever reached."""

Edit = Callable[[Any], object]
"""Alters the value of a change in place, or returns another."""

_BOUND = re.compile(r"(?P<sign>[<>]=?)\s*(?P<number>\d+)\b")
_CONDITIONS = frozenset({"that", "when", "if"})


def game_plan(plan: PlayPlan, number: int) -> PlayPlan:
    """Return how a game is played.

    Policies with a goal finish games; random play finds unusual moves.
    """
    style = RANDOM if number % 5 == 0 else GREEDY
    rounds = plan.max_rounds if style == GREEDY else plan.max_rounds // 4
    return replace(plan, policies=(style,), max_rounds=rounds, keep=True)


@contextmanager
def edited(
    plan: PlayPlan, variants: Sequence[Variant], change: Change, edit: Edit | None
) -> Iterator[PlayPlan | None]:
    """Give a plan with a change edited, or left out; None if the rules are then wrong."""
    assert plan.folder is not None
    root = plan.folder.resolve()
    with TemporaryDirectory() as name:
        for variant in variants:
            if not variant.path.is_relative_to(root):
                continue
            data = deepcopy(variant.source.data)
            if variant is change.variant and edit is None:
                del data["change"][change.number]
            elif variant is change.variant and edit is not None:
                edit(data["change"][change.number])
            keys = ["variant", *(key for key in data if key != "variant")]
            lines = [f"{key}: {json.dumps(data[key], ensure_ascii=False)}\n" for key in keys]
            path = Path(name) / variant.path.relative_to(root)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(lines), encoding="utf-8")
        changed = replace(plan, folder=Path(name))
        try:
            rules_for(changed)
        except (ImpossibleError, PackError):
            yield None
        else:
            yield changed


# ---------------------------------------------------------------- changes without an effect


def idle_changes(
    plan: PlayPlan, variants: Sequence[Variant], pack: Pack, after: Playtests
) -> Iterator[Traced]:
    """Yield numbers that could as well be others: all games are the same with these."""
    if plan.folder is None or len(after.outcomes) < limits.ENOUGH_GAMES:
        return
    games = len(after.outcomes)
    for change in changes_of(plan, variants):
        for edits, about, message, *advice in _alternatives(change, pack, games):
            if _same(plan, variants, change, edits, after):
                rate = f"{1 - 0.05 ** (1 / games):.0%}"
                sure = Text("in 19 of 20 cases, fewer than {rate} of games differ", rate=rate)
                yield Traced("play-no-effect", message, (sure, *advice), about=about, cause=change)


Alternative = tuple[Sequence[Edit], str, Text] | tuple[Sequence[Edit], str, Text, Text]
"""Edits without an effect, what they are about, what that means, and what can be done."""


def _alternatives(change: Change, pack: Pack, games: int) -> Iterator[Alternative]:
    """Yield edits that make other games if a change has an effect."""
    parts, value = change.path.split("."), change.data.get("to")
    is_number = parts[0] == "numbers" and parts[2:] == ["value"]
    if is_number and value == 0 and _restricts(pack, parts[1]):
        template = "`{number}` is 0, which forbids nothing: {games} games are the same with -1"
        message = Text(template, number=parts[1], games=games)
        yield [_to(-1)], parts[1], message, Text("to drop a rule, remove it")
    elif is_number and isinstance(value, int) and value:
        others = 0, 3 * value + 10
        template = "`{number}` has no effect: {games} games are the same with {others}"
        message = Text(template, number=parts[1], games=games, others=tuple(map(str, others)))
        yield [_to(other) for other in others], parts[1], message
    elif bounds := _bounds(change.data):
        template = "`{bound}` is never reached: {games} games are the same with a third of it"
        yield [_lower], _named(change), Text(template, bound=bounds[0], games=games)


def _named(change: Change) -> str:
    rules = [value for path, value in walk(change.data) if path and path[-1] == "rule"]
    return str(rules[0]) if rules else change.path.rpartition(".")[2]


def _restricts(pack: Pack, number: str) -> bool:
    """Return True if a requirement of a turn reads a number."""
    return any(
        f"numbers.{number}" in requirement.that.source
        for move in pack.moves
        if "turns" in move.phases
        for requirement in move.requires
    )


def _to(value: int) -> Edit:
    def edit(change: Any) -> None:
        change["to"] = value

    return edit


def _bounds(data: Any) -> list[str]:
    """Return the bounds in the conditions of a change, such as `<= 50`; none if one is small."""
    found = [
        match
        for path, value in walk(data)
        if path and path[-1] in _CONDITIONS and isinstance(value, str)
        for match in _BOUND.finditer(value)
    ]
    small = any(int(match["number"]) < SMALL_BOUND for match in found)
    return [] if small else [match[0] for match in found]


def _lower(data: Any) -> None:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if key in _CONDITIONS and isinstance(value, str):
            data[key] = _BOUND.sub(lambda m: f"{m['sign']} {int(m['number']) // 3}", value)
        elif isinstance(value, dict | list):
            _lower(value)


def _same(
    plan: PlayPlan,
    variants: Sequence[Variant],
    change: Change,
    edits: Sequence[Edit],
    after: Playtests,
) -> bool:
    """Return True if all games are the same with each edit; stop at the first that is not."""
    for edit in edits:
        with edited(plan, variants, change, edit) as other:
            if other is None:
                return False
            for outcome in after.outcomes:
                again = game_plan(other, outcome.number)
                if outcome.ended:
                    again = replace(again, max_moves=(outcome.moves or 0) + 1)
                if _course(playout(again, outcome.number)) != _course(outcome):
                    return False
    return True


def _course(outcome: Playout) -> object:
    return outcome.rounds, outcome.moves, outcome.end, outcome.decided_by, outcome.sides


# ---------------------------------------------------------------- causes


_WORDING = frozenset({"names", "plurals", "texts", "messages", "view"})


def changes_of(plan: PlayPlan, variants: Sequence[Variant]) -> list[Change]:
    """Return the changes of the variants that do not ship, but those of names and texts."""
    if plan.folder is None:
        return []
    root = plan.folder.resolve()
    own = [variant for variant in variants if variant.path.is_relative_to(root)]
    changes = chain.from_iterable(variant.changes for variant in own)
    return [change for change in changes if change.section not in _WORDING]


def likely_causes(variants: Sequence[Variant], shown: Traced) -> list[Change]:
    """Return the changes that a problem names, or the only one; the most likely first."""
    changes = [change for variant in variants for change in variant.changes]
    rated = [(_likelihood(change, shown), change) for change in changes[::-1]]
    best = max((rating for rating, _ in rated), default=0)
    if best:
        return [change for rating, change in rated if rating == best]
    single = [change for change in changes if change.section not in _WORDING]
    return single if len(single) == 1 else []


def _likelihood(change: Change, shown: Traced) -> int:
    parts = [*walk(change.data)]
    if any(path[-1:] == ("rule",) and value in shown.forbidden_by for path, value in parts):
        return 3
    if shown.about and shown.about in change.path.split("."):
        return 2 if change.section not in _WORDING else 0
    keys = {str(key) for path, _ in parts for key in path[-1:]}
    rules = {value for path, value in parts if path[-1:] == ("rule",)}
    return int(bool(shown.about) and shown.about in keys | rules)


def cause(
    plan: PlayPlan,
    variants: Sequence[Variant],
    changes: Sequence[Change],
    has: Callable[[PlayPlan], bool],
) -> Change | None:
    """Return the first change without which a problem is gone; ``has`` asks games for it."""
    for change in changes[: limits.MOST_CAUSES]:
        with edited(plan, variants, change, None) as other:
            if other is not None and not has(other):
                return change
    return None
