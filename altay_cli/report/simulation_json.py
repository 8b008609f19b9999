"""What simulated games brought, for programs; docs/json.md documents the shape."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.pack.load import load_pack
from altay_cli.report.json import dump
from altay_cli.simulation.comparing import Contrast, Contrasts, compare
from altay_cli.simulation.statistics import Estimate
from altay_cli.simulation.tally import Average, Ending, Grouping, Run, Spread, never_made


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
        parts = compare(runs[0].tally, runs[1].tally)
        document["differences"] = [_difference(part, row) for part in parts for row in part.rows]
    return dump(document)


def _never_made(run: Run) -> list[dict[str, str]]:
    """Return the policies that never made a move which the variants add."""
    if not run.pack.variants:
        return []
    found = never_made(run, load_pack(run.plan.pack))
    return [{"policy": policy, "move": move} for policy, move in found]


def _run_document(run: Run) -> dict[str, object]:
    tally, pack = run.tally, run.pack
    ties = tally.ties
    unused = _never_made(run)
    return {
        "label": run.label,
        "version": pack.version,
        "variants": [{"id": name, "version": version} for name, version in pack.variants],
        "tags": [list(tag) for tag in run.plan.tags],
        "over": tally.over,
        **({"never_made": unused} if unused else {}),
        "endings": [_json_ending(ending) for ending in tally.endings],
        "given_up": [_json_ending(ending) for ending in tally.given_up],
        "rounds": _json_spread(tally.rounds),
        "moves": _json_spread(tally.moves),
        "ties": {
            "share": _estimate(ties.share),
            "total": ties.total,
            **({"outcome": ties.outcome} if ties.outcome else {}),
            "categories": {ident: count for ident, _, count in ties.by},
            "shared": ties.shared,
        },
        "seats": _json_grouping(tally.seats),
        "groups": [
            {"id": g.id, "title": g.title, "groups": _json_grouping(g)} for g in tally.groups
        ],
        "policies": _json_grouping(tally.policies),
        "total": _json_average(tally.total, tally.total),
        "categories": [_json_average(average, tally.total) for average in tally.categories],
        "numbers": [_json_average(average) for average in tally.numbers],
        "things": [
            {
                "id": things.id,
                "title": things.title,
                "per_game": _estimate(things.per_game),
                "things": [
                    {"name": t.title, "count": t.count, "per_game": _estimate(t.per_game)}
                    for t in things.things
                ],
            }
            for things in tally.things
        ],
    }


def _estimate(estimate: Estimate | None) -> dict[str, object] | None:
    """Return an estimate; None if it rests on nothing."""
    if estimate is None or not estimate.n:
        return None
    return {
        "value": _rounded(estimate.value),
        "low": _rounded(estimate.low),
        "high": _rounded(estimate.high),
        "n": estimate.n,
    }


def _rounded(value: float) -> float:
    """Return a number without the last digits, in which machines could differ."""
    return round(value, 9) + 0.0


def _json_ending(ending: Ending) -> dict[str, object]:
    return {
        "reason": ending.reason,
        "games": len(ending.games),
        "share": _estimate(ending.share),
        "numbers": list(ending.games),
    }


def _json_spread(spread: Spread) -> dict[str, object]:
    return {
        "mean": _estimate(spread.mean),
        "median": spread.median,
        "least": spread.least,
        "most": spread.most,
        "counts": [[value, count] for value, count in spread.counts.items()],
    }


def _json_grouping(grouping: Grouping) -> list[dict[str, object]]:
    return [
        {
            "name": group.id,
            "players": group.players,
            "score": _estimate(group.score),
            "won": _rounded(group.won),
            "wins": _estimate(group.wins),
        }
        for group in grouping.groups
    ]


def _json_average(average: Average, whole: Average | None = None) -> dict[str, object]:
    kinds = ("all", "winners", "others")
    found: dict[str, object] = {"id": average.id, "title": average.title}
    found |= {kind: _estimate(getattr(average, kind)) for kind in kinds}
    if whole is not None:
        found["of_total"] = {
            kind: _rounded(getattr(average, kind).value / getattr(whole, kind).value)
            if getattr(whole, kind).value
            else None
            for kind in kinds
        }
    return found


def _difference(part: Contrasts, row: Contrast) -> dict[str, object]:
    return {
        "what": part.what,
        "of": part.of or None,
        "name": row.id or None,
        "title": row.title,
        "before": _estimate(row.before),
        "after": _estimate(row.after),
        "difference": _estimate(row.difference),
        "clear": row.clear,
    }
