"""What simulated games brought, for programs; docs/json.md documents the shape."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.compile.load import load_pack
from altay_cli.report.json import dump
from altay_cli.simulation.comparing import Contrast, Contrasts, compare
from altay_cli.simulation.statistics import Estimate
from altay_cli.simulation.tally import Average, EndReason, Grouping, Run, Spread, never_made


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


def _run_document(run: Run) -> dict[str, object]:
    tally, pack, ties = run.tally, run.pack, run.tally.ties
    unused = never_made(run, load_pack(run.plan.pack)) if pack.variants else []
    made = {"never_made": [{"policy": policy, "move": move} for policy, move in unused]}
    decided = {"outcome": ties.outcome} if ties.outcome else {}
    return {
        "label": run.label,
        "version": pack.version,
        "variants": [{"id": name, "version": version} for name, version in pack.variants],
        "tags": [list(tag) for tag in run.plan.tags],
        "over": tally.over,
        **(made if unused else {}),
        "endings": [_ending(ending) for ending in tally.endings],
        "given_up": [_ending(ending) for ending in tally.given_up],
        "rounds": _spread(tally.rounds),
        "moves": _spread(tally.moves),
        "ties": {
            **_fields(ties, "share", "total"),
            **decided,
            "categories": {ident: count for ident, _, count in ties.by},
            "shared": ties.shared,
        },
        "seats": _grouping(tally.seats),
        "groups": [{"id": g.id, "title": g.title, "groups": _grouping(g)} for g in tally.groups],
        "policies": _grouping(tally.policies),
        "total": _average(tally.total, tally.total),
        "categories": [_average(average, tally.total) for average in tally.categories],
        "numbers": [_average(average) for average in tally.numbers],
        "things": [
            _fields(things, "id", "title", "per_game")
            | {
                "things": [
                    {"name": thing.title, **_fields(thing, "count", "per_game")}
                    for thing in things.things
                ]
            }
            for things in tally.things
        ],
    }


def _fields(of: object, *names: str) -> dict[str, object]:
    """Return fields of what was counted under their names."""
    return {name: plain(getattr(of, name)) for name in names}


def plain(value: object, digits: int = 9) -> object:
    """Return a value for JSON; an estimate that rests on nothing is null."""
    if isinstance(value, Estimate):
        kept = ("value", "low", "high", "n")
        return {name: plain(getattr(value, name), digits) for name in kept} if value.n else None
    # Without the last digits, in which machines could differ.
    return round(value, digits) + 0.0 if isinstance(value, float) else value


def _ending(ending: EndReason) -> dict[str, object]:
    games = {"games": len(ending.games), "share": plain(ending.share)}
    return {"reason": ending.reason, **games, "numbers": list(ending.games)}


def _spread(spread: Spread) -> dict[str, object]:
    counts = [[value, count] for value, count in spread.counts.items()]
    return {**_fields(spread, "mean", "median", "least", "most"), "counts": counts}


def _grouping(grouping: Grouping) -> list[dict[str, object]]:
    kept = ("players", "score", "won", "wins")
    return [{"name": group.id, **_fields(group, *kept)} for group in grouping.groups]


def _average(average: Average, whole: Average | None = None) -> dict[str, object]:
    found = _fields(average, "id", "title", "all", "winners", "others")
    if whole is not None:
        found["of_total"] = {
            kind: plain(one.value / all_.value) if all_.value else None
            for (kind, one), (_, all_) in zip(average.by_players, whole.by_players, strict=True)
        }
    return found


def _difference(part: Contrasts, row: Contrast) -> dict[str, object]:
    head = {"what": part.what, "of": part.of or None, "name": row.id or None}
    return {**head, **_fields(row, "title", "before", "after", "difference", "clear")}
