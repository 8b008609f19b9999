"""What simulated games brought, for programs; docs/json.md documents the shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from altay_cli.report.json import dump
from altay_cli.report.simulation import measures
from altay_cli.simulation.comparing import compare
from altay_cli.simulation.planning import Sweep
from altay_cli.simulation.tally import Average, Estimate, Grouping, Run, never_made


def simulation_json(runs: Sequence[Run]) -> str:
    """Return all that was counted as one JSON document; of two runs, how they differ."""
    plan = runs[0].plan
    document: dict[str, object] = {
        "game": plan.pack,
        "title": runs[0].pack.title,
        "players": plan.players,
        "games": runs[0].tally.games,
        "policies": list(plan.policies),
        "seed": plan.seed,
        "max_rounds": plan.max_rounds,
        "max_moves": plan.max_moves,
        "runs": [_run_document(run) for run in runs],
    }
    if len(runs) > 1:
        document["differences"] = [
            {
                "what": part.what,
                "of": part.of or None,
                "name": row.id or None,
                "title": row.title,
                "before": plain(row.values[0]),
                "after": plain(row.values[1]),
                "difference": plain(row.difference),
                "clear": row.clear,
            }
            for part in compare(*(run.tally for run in runs))
            for row in part.rows
        ]
    return dump(document)


def _run_document(run: Run) -> dict[str, object]:
    tally, pack = run.tally, run.pack
    document: dict[str, object] = {
        "label": run.label,
        "version": pack.version,
        "variants": [{"id": name, "version": version} for name, version in pack.variants],
        "tags": run.plan.tags,
        "over": tally.over,
    }
    if unused := never_made(run):
        document["never_made"] = [{"policy": policy, "move": move} for policy, move in unused]
    ties = plain(tally.ties)
    if not tally.ties.outcome:
        del ties["outcome"]
    return document | {
        "endings": plain(tally.endings),
        "given_up": plain(tally.given_up),
        "rounds": plain(tally.rounds),
        "moves": plain(tally.moves),
        "ties": ties,
        "seats": _groups(tally.seats),
        "groups": [{"id": g.id, "title": g.title, "groups": _groups(g)} for g in tally.groups],
        "policies": _groups(tally.policies),
        "total": _average(tally.total, tally.total),
        "categories": [_average(average, tally.total) for average in tally.categories],
        "numbers": plain(tally.numbers),
        "things": plain(tally.things),
    }


def plain(value: object, digits: int = 9) -> Any:
    """Return a value for JSON; an estimate that rests on nothing is null."""
    if isinstance(value, Estimate) and not value.n:
        return None
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name), digits) for one in fields(value)}
    if isinstance(value, tuple):
        return [plain(one, digits) for one in value]
    if isinstance(value, Mapping):
        return dict(value)
    # Without the last digits, in which machines could differ.
    return round(value, digits) + 0.0 if isinstance(value, float) else value


def _groups(grouping: Grouping) -> list[dict[str, object]]:
    groups: list[dict[str, object]] = plain(grouping.groups)
    for group in groups:
        del group["title"]
    return groups


def _average(average: Average, whole: Average) -> dict[str, object]:
    document: dict[str, object] = plain(average)
    document["of_total"] = {
        kind: plain(part.value / points.value) if points.value else None
        for (kind, part), (_, points) in zip(average.by_players, whole.by_players, strict=True)
    }
    return document


SWEEP_DIGITS = 6


def sweep_json(sweep: Sweep, runs: Sequence[Run]) -> str:
    """Return the same for programs."""
    document = {
        "path": sweep.path,
        "values": list(sweep.values),
        "games": runs[0].tally.games,
        "seed": runs[0].plan.seed,
        "measures": [
            {
                "what": what,
                "id": row.id,
                "title": title,
                "share": row.is_share,
                "values": plain(row.values, SWEEP_DIGITS),
            }
            for what, title, row in measures(runs)
        ],
    }
    return dump(document)
