"""Play by a variant with a change left out or altered, to prove what the change does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
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
from altay_cli.pack.terms import NOTHING
from altay_cli.simulation.planning import rules_for
from altay_cli.simulation.simulated import GREEDY, RANDOM, Playout, PlayPlan, playout
from altay_cli.source.document import Entry
from altay_cli.source.folder import Change, Variant, walk

SMALL_BOUND = 6
"""Bounds below this are not lowered to see whether they are ever reached."""

MUCH = 4
"""A number that is so many times as great as usual may be out of reach."""

Edit = Callable[[Any], object]
"""Alters the value of a change in place, or returns another."""

_BOUND = re.compile(r"(?P<sign>[<>]=?)\s*(?P<number>\d+)\b")
_CONDITIONS = frozenset({"that", "when", "if"})
_ASKING = frozenset({*_CONDITIONS, "is", "cap"})
_CHECKS = frozenset({"checks", "claims", "lints", "texts", "view"})
_BETWEEN = r"=?[^<>=&|?:]*"
"""A pattern of the text between a number and its comparison."""


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
    changed = []
    for variant in variants:
        data = deepcopy(variant.source.data)
        if variant is change.variant and edit is None:
            data["change"][change.number] = _no_change(plan)
        elif variant is change.variant and edit is not None:
            edit(data["change"][change.number])
        changed.append(_with_data(variant, data))
    with _played_by(plan, changed) as other:
        yield other


@contextmanager
def left_out(
    plan: PlayPlan, variants: Sequence[Variant], changes: Sequence[Change]
) -> Iterator[tuple[PlayPlan, list[Variant]] | None]:
    """Give a plan, and its variants, without these changes; None if the rules are then wrong.

    The other changes keep their numbers and places.
    """
    assert plan.folder is not None
    root, kept = plan.folder.resolve(), []
    for variant in variants:
        left = [change.number for change in changes if change.variant is variant]
        data = deepcopy(variant.source.data)
        for number in left:
            data["change"][number] = _no_change(plan)
        numbers = tuple(number for number in variant.numbers if number not in left)
        kept.append(replace(_with_data(variant, data), numbers=numbers))
    with _played_by(plan, kept) as other:
        if other is None:
            yield None
            return
        assert other.folder is not None
        folder = other.folder.resolve()
        moved = [
            replace(variant, path=folder / variant.path.relative_to(root))
            if variant.path.is_relative_to(root)
            else variant
            for variant in kept
        ]
        yield other, moved


def _no_change(plan: PlayPlan) -> Entry:
    """Return a change without an effect: a variant must change something."""
    return {"set": "title", "to": rules_for(plan).title}


def _with_data(variant: Variant, data: Entry) -> Variant:
    return replace(variant, source=replace(variant.source, data=data))


@contextmanager
def _played_by(plan: PlayPlan, variants: Sequence[Variant]) -> Iterator[PlayPlan | None]:
    """Give a plan with the data of these variants; None if the rules are then wrong."""
    assert plan.folder is not None
    root = plan.folder.resolve()
    with TemporaryDirectory() as name:
        for variant in variants:
            if not variant.path.is_relative_to(root):
                continue
            data = variant.source.data
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
    plan: PlayPlan,
    variants: Sequence[Variant],
    pack: Pack,
    after: Playtests,
    base: Mapping[str, Any] = NOTHING,
) -> Iterator[Traced]:
    """Yield numbers that could as well be others: all games are the same with these.

    base: the data of the game, with the titles of its numbers.
    """
    games = max(len(after.outcomes), limits.ENOUGH_GAMES)
    outcomes = GamesOfPlan(plan, after.outcomes)
    changes = changes_of(plan, variants)
    for change in changes:
        is_only = len(changes) == 1
        others = _alternatives(change, pack, after, games, base, is_only=is_only)
        for edits, about, message, *advice in others:
            number = max(games, limits.LEFT_OUT_GAMES) if None in edits else games
            if same_games(plan, variants, change, edits, outcomes.first(number)):
                rate = f"{1 - 0.05 ** (1 / number):.0%}"
                sure = Text("in 19 of 20 cases, fewer than {rate} of games differ", rate=rate)
                yield Traced("play-no-effect", message, (sure, *advice), about=about, cause=change)


class GamesOfPlan:
    """The outcomes of a plan's games: known ones, and more when they are needed."""

    def __init__(self, plan: PlayPlan, known: Sequence[Playout]) -> None:
        self._plan = plan
        self._known = [*known]

    def first(self, games: int) -> Iterator[Playout]:
        """Yield so many outcomes."""
        number = 0
        while number < games:
            if number == len(self._known):
                last = self._known[-1].number if self._known else 0
                self._known.append(playout(game_plan(self._plan, last + 1), last + 1))
            yield self._known[number]
            number += 1


Alternative = tuple[Sequence[Edit | None], str, Text, *tuple[Text, ...]]
"""Edits without an effect, what they are about, what that means, and what can be done.

None leaves a change out.
"""


def _alternatives(
    change: Change,
    pack: Pack,
    after: Playtests,
    games: int,
    base: Mapping[str, Any],
    *,
    is_only: bool,
) -> Iterator[Alternative]:
    """Yield edits that make other games if a change has an effect.

    is_only: whether the variant changes nothing else.
    """
    parts, value = change.path.split("."), change.data.get("to")
    is_number = parts[0] == "numbers" and parts[2:] == ["value"]
    is_number = is_number and (is_only or is_played(pack, base, parts[1]))
    if parts[0] == "numbers" and len(parts) == 2 and isinstance(value, dict):
        is_number, value = change.word == "add", value.get("value")
    if is_number and value == 0 and _restricts(pack, parts[1]):
        template = "`{number}` is 0, which forbids nothing: {games} games are the same with -1"
        message = Text(template, number=parts[1], games=games)
        yield [_to(-1)], parts[1], message, Text("to drop a rule, remove it")
    elif is_number and isinstance(value, int) and value:
        others = 0, 3 * value + 10
        template = "`{number}` has no effect: {games} games are the same with {others}"
        message = Text(template, number=parts[1], games=games, others=tuple(map(str, others)))
        yield [_to(other) for other in others], parts[1], message
        usual = base.get("numbers", {}).get(parts[1], {}).get("value", 0)
        if value >= MUCH * max(usual, 1) and is_goal(base, parts[1]):
            others = value // 3, 3 * value
            template = "`{number}` is out of reach: {games} games are the same with {others}"
            message = Text(template, number=parts[1], games=games, others=tuple(map(str, others)))
            yield [_to(other) for other in others], parts[1], message
    elif (bounds := bounds_in(change.data)) and not is_seldom_tried(pack, parts):
        template = "`{bound}` is never reached: {games} games are the same with a third of it"
        yield [lower], _named(change), Text(template, bound=bounds[0], games=games)
    elif change.word == "extend" and parts[0] == "moves" and parts[2:] == ["does"]:
        made = sum(count for (_, move), count in after.made_by.items() if move == parts[1])
        if made >= limits.ENOUGH_TESTS:
            games = max(games, limits.LEFT_OUT_GAMES)
            template = "this does nothing: {games} games are the same without it"
            often = Text("`{move}` was made {count} times", move=parts[1], count=made)
            yield [None], parts[1], Text(template, games=games), often


def is_played(pack: Pack, base: Mapping[str, Any], number: str) -> bool:
    """Return True unless rules read a number only in positions and checks of the game."""
    idle = {move.id for move in pack.moves if "turns" not in move.phases}
    places = [
        path
        for path, value in walk(base)
        if isinstance(value, str) and f"numbers.{number}" in value and path[-1] != "else"
    ]
    return not places or any(
        path[0] not in _CHECKS and not (path[0] == "moves" and path[1] in idle) for path in places
    )


def is_goal(base: Mapping[str, Any], number: str) -> bool:
    """Return True if rules ask whether something has reached a number, and it limits nothing."""
    asked = [
        (path, value)
        for path, value in walk(base)
        if isinstance(value, str) and path[-1] in _ASKING and path[0] != "lints"
    ]
    names, known, is_reached = [rf"\bnumbers\.{number}\b"], set(), False
    while names:
        name = names.pop()
        for path, value in asked:
            if not re.search(name, value):
                continue
            if path[-1] == "cap" or re.search(rf"<{_BETWEEN}{name}|{name}{_BETWEEN}>", value):
                return False
            if re.search(rf"[>=]{_BETWEEN}{name}|{name}{_BETWEEN}[<=]", value):
                is_reached = True
            elif path[0] == "functions" and path[1] not in known:
                known.add(path[1])
                names.append(rf"\b{path[1]}\(")
    return is_reached


def is_seldom_tried(pack: Pack, path: Sequence[str]) -> bool:
    """Return True if a path leads to a move that players of games make only at times."""
    return path[0] == "moves" and any(m.id == path[1] and m.listed for m in pack.moves)


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
        if isinstance(change["to"], dict):
            change["to"]["value"] = value
        else:
            change["to"] = value

    return edit


def bounds_in(data: Any) -> list[str]:
    """Return the bounds in the conditions of a change, such as `<= 50`; none if one is small."""
    found = [
        match
        for path, value in walk(data)
        if path and path[-1] in _CONDITIONS and isinstance(value, str)
        for match in _BOUND.finditer(value)
    ]
    small = any(int(match["number"]) < SMALL_BOUND for match in found)
    return [] if small else [match[0] for match in found]


def lower(data: Any) -> None:
    """Lower the bounds in the conditions of a change to a third."""
    _alter_bounds(data, lambda bound: bound // 3)


def lower_by_one(data: Any) -> None:
    """Lower the bounds in the conditions of a change by one."""
    _alter_bounds(data, lambda bound: bound - 1)


def _alter_bounds(data: Any, alter: Callable[[int], int]) -> None:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if key in _CONDITIONS and isinstance(value, str):
            data[key] = _BOUND.sub(lambda m: f"{m['sign']} {alter(int(m['number']))}", value)
        elif isinstance(value, dict | list):
            _alter_bounds(value, alter)


def same_games(
    plan: PlayPlan,
    variants: Sequence[Variant],
    change: Change,
    edits: Sequence[Edit | None],
    outcomes: Iterator[Playout],
) -> bool:
    """Return True if all games are the same with each edit; stop at the first that is not."""
    with ExitStack() as stack:
        others = [stack.enter_context(edited(plan, variants, change, edit)) for edit in edits]
        if not all(others):
            return False
        return all(
            is_same_game(other, outcome) for outcome in outcomes for other in filter(None, others)
        )


def is_same_game(other: PlayPlan, outcome: Playout) -> bool:
    """Return True if a game takes the same course by another plan."""
    again = game_plan(other, outcome.number)
    if outcome.ended:
        again = replace(again, max_moves=(outcome.moves or 0) + 1)
    return _course(playout(again, outcome.number)) == _course(outcome)


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


def blamed(variants: Sequence[Variant], shown: Traced) -> Change | None:
    """Return the change that is proved, or most likely, to be the cause of a problem."""
    return shown.cause or next(iter(likely_causes(variants, shown)), None)


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
