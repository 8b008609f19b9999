"""Check plans of games, and make plans whose rules differ in one value."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.findings import Finding, ImpossibleError, Text, errors_of, joined_by_semicolon
from altay_cli.base.suggest import suggest
from altay_cli.checking.tags import KNOWN_TAGS, rules_of
from altay_cli.compile.load import pack_names
from altay_cli.moves.opening import check_seats
from altay_cli.notation.lexis import quote
from altay_cli.notation.reading import read_log
from altay_cli.pack.model import Pack
from altay_cli.simulation import limits
from altay_cli.simulation.recording import copy_variants
from altay_cli.simulation.simulated import PlayPlan, policy_names

FIXED_TAGS = ("Event", "Round")
"""Every simulated game has these."""


def rules_for(plan: PlayPlan) -> Pack:
    """Return the rules of a plan; raise ImpossibleError if that fails."""
    if plan.pack not in pack_names():
        raise ImpossibleError(_unknown("there are no rules `{name}`", plan.pack, pack_names()))
    head = [f"[{name} {quote(value)}]\n" for name, value in (("Game", plan.pack), *plan.tags)]
    log = read_log(f"{''.join(head)}setup\n")
    findings: list[Finding] = list(log.findings)
    rules = rules_of(log.games[0], plan.folder, findings)
    if errors := errors_of(findings):
        raise ImpossibleError(joined_by_semicolon([errors[0].message, *errors[0].help]))
    assert rules is not None
    return rules[0]


def check_plan(plan: PlayPlan, pack: Pack) -> None:
    """Raise ImpossibleError if a plan does not fit the rules."""
    check_seats(pack, plan.players)
    names = policy_names(pack)
    for name in plan.policies:
        if name not in names:
            raise ImpossibleError(_unknown("there is no policy `{name}`", name, names))
    tags = [option.tag for option in pack.options.values() if option.tag]
    tags += [tag for tag in KNOWN_TAGS if tag not in FIXED_TAGS]
    folded = {tag.casefold() for tag in (*tags, "Rules", "Variant")}
    for name, _ in plan.tags:
        if name.casefold() not in folded:
            raise ImpossibleError(_unknown("the rules know no tag `{name}`", name, tags))


def _unknown(what: str, name: str, known: Sequence[str]) -> Text:
    if near := suggest(name, known):
        return Text(what + "; did you mean `{other}`?", name=name, other=near[0])
    return Text(what + "; there is: {names}", name=name, names=tuple(known))


_SWEPT = re.compile(
    r"(?P<path>[\w.-]+)=(?:(?P<first>-?\d{1,9})\.\.(?P<last>-?\d{1,9})(?::(?P<step>\d{1,9}))?"
    r"|(?P<listed>[\w-]+(?:,[\w-]+)*))"
)


class Sweep(NamedTuple):
    """The path of a value in the rules, values to try, and what people call the value."""

    path: str
    values: tuple[int | str, ...]
    title: str = ""

    @property
    def name(self) -> str:
        """The title, and the path in brackets."""
        return f"{self.title} ({self.path})" if self.title else self.path


def read_sweep(text: str) -> Sweep:
    """Read `path=3..7`, `path=0..20:5` or `path=a,b,c`.

    Raise ValueError, which says how to write it.
    """
    match = _SWEPT.fullmatch(text)
    if match is None:
        raise ValueError("write PATH=3..7, PATH=0..20:5 or PATH=a,b")
    if match["listed"] is not None:
        words = match["listed"].split(",")
        values: Sequence[int | str] = [int(w) if re.fullmatch(r"-?\d+", w) else w for w in words]
    else:
        step = int(match["step"] or 1)
        if step < 1:
            raise ValueError("a step is at least 1")
        values = range(int(match["first"]), int(match["last"]) + 1, step)
    if not 1 <= len(values) <= limits.MOST_VALUES:
        raise ValueError(f"{len(values):,} values; 1 to {limits.MOST_VALUES} can be tried at once")
    return Sweep(match["path"], tuple(dict.fromkeys(values)))


def write_variants(sweep: Sweep, plan: PlayPlan, folder: Path) -> list[PlayPlan]:
    """Write a variant file for each value, and return the plans that use them.

    Those of ``plan`` are copied beside them. ``folder`` must be empty.
    """
    copy_variants(plan, folder)
    plans = []
    for number, value in enumerate(sweep.values, 1):
        name = f"sweep-{number}.yaml"
        change = json.dumps({"set": sweep.path, "to": value}, ensure_ascii=False)
        lines = [
            f"variant: sweep-{number}", f"extends: {plan.pack}", f"title: Value {number}",
            "change:", f"  - {change}", "",
        ]  # fmt: skip
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
        plans.append(replace(plan, tags=(*plan.tags, ("Variant", name)), folder=folder))
    return plans
