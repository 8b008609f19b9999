"""The same games under rules that differ in one value: `numbers.hand_size.value=3..7`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from altay_cli.simulation.recording import variant_files
from altay_cli.simulation.simulated import PlayPlan

MOST = 40
"""The maximum number of values in one sweep."""
_SWEPT = re.compile(
    r"(?P<path>[\w.-]+)=(?:(?P<first>-?\d{1,9})\.\.(?P<last>-?\d{1,9})(?::(?P<step>\d{1,9}))?"
    r"|(?P<listed>[\w-]+(?:,[\w-]+)*))"
)


class Sweep(NamedTuple):
    """A part of the rules, and the values that are tried there."""

    path: str
    values: tuple[int | str, ...]


def read_sweep(text: str) -> Sweep:
    """Read `path=3..7`, `path=0..20:5` or `path=a,b,c`.

    Raises:
        ValueError: if it has none of these forms; the message says what is wrong.

    """
    found = _SWEPT.fullmatch(text)
    if found is None:
        raise ValueError("write PATH=3..7, PATH=0..20:5 or PATH=a,b")
    if found["listed"] is not None:
        words = found["listed"].split(",")
        values: Sequence[int | str] = [int(w) if re.fullmatch(r"-?\d+", w) else w for w in words]
    else:
        step = int(found["step"] or 1)
        if step < 1:
            raise ValueError("a step is at least 1")
        values = range(int(found["first"]), int(found["last"]) + 1, step)
    if not 1 <= len(values) <= MOST:
        raise ValueError(f"{len(values):,} values; 1 to {MOST} can be tried at once")
    return Sweep(found["path"], tuple(dict.fromkeys(values)))


def write_variants(sweep: Sweep, plan: PlayPlan, folder: Path) -> list[PlayPlan]:
    """Write a variant file for each value into a folder, and return the plans to play by them.

    The variant files of the plan are copied beside them. ``folder`` must be there and empty.
    """
    for path in variant_files(plan):
        target = folder / (path.relative_to(plan.folder) if plan.folder else Path(path.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
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
