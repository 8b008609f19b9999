"""`python -m attack corpus`: replay stored simulated games, and report changes.

`--write` plays new games, for a new corpus, not to hide a change.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import click

from altay_cli.archive.workers import cores
from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack, variant_names
from altay_cli.simulation.simulated import PlayPlan, playout

FOLDER = Path(__file__).parent.parent / "games" / "simulated"
RESULTS = FOLDER / "results.json"
PLAYERS = (2, 3, 4)
GAMES = 100
"""For each number of players."""

SEED = 2024
POLICIES = (
    ("greedy",), ("balanced",), ("expand",), ("fight",), ("wonders",),
    ("greedy",), ("greedy", "random"), ("fight", "wonders"), ("expand", "balanced"), ("random",),
)  # fmt: skip
MAX_ROUNDS = 40
RANDOM_ROUNDS = 12
"""Random play alone hardly ever ends a game."""


def plans(players: int) -> Iterator[tuple[str, PlayPlan, int]]:
    """Yield the name, the plan and the number of each game.

    Every second game has the plain rules.
    """
    special = [
        (("Map", "full"),),
        (("Edition", "de"),),
        *((("Variant", name),) for name in variant_names("altay") if _is_for(name, players)),
        (("Variant", "trading"), ("Edition", "de")),
    ]
    for number in range(1, GAMES + 1):
        policies = POLICIES[number % len(POLICIES)]
        tags = special[number // 2 % len(special)] if number % 2 else ()
        rounds = RANDOM_ROUNDS if policies == ("random",) else MAX_ROUNDS
        plan = PlayPlan("altay", players, policies, SEED, tags, max_rounds=rounds, keep=True)
        yield f"{players}-players/{number:03}.agn", plan, number


def _is_for(variant: str, players: int) -> bool:
    pack = load_pack("altay", (data_folder("rules") / "altay" / "variants" / f"{variant}.yaml",))
    return pack.least <= players <= pack.most


def play(entry: tuple[str, PlayPlan, int]) -> tuple[str, str]:
    """Play a game; return its name and its log."""
    name, plan, number = entry
    log = playout(plan, number).log
    assert log is not None, name
    return name, log


def result(name: str) -> dict[str, Any]:
    """Replay a game and return the results to compare."""
    path = FOLDER / name
    game = check_text(path.read_text(encoding="utf-8"), name, path.parent).games[0]
    played, standing = game.played, game.standing
    assert played is not None
    assert standing is not None
    return {
        "ended": played.ended,
        "rounds": played.state.round,
        "moves": played.moves,
        "scores": {
            player.player: {score.category.id: score.points for score in player.categories}
            for player in standing.players
        },
        "winners": list(standing.winners),
        "decided_by": standing.decided_by,
        "findings": [f"{found.span.line} {found.rule}" for found in game.findings],
    }


def names() -> list[str]:
    return [name for players in PLAYERS for name, _, _ in plans(players)]


def stored_results() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def differences(name: str, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [f"{name}: {key} was {old[key]}, is {new[key]}" for key in old if old[key] != new[key]]


def _write() -> None:
    entries = [entry for players in PLAYERS for entry in plans(players)]
    with (
        ProcessPoolExecutor(cores()) as pool,
        click.progressbar(length=len(entries), file=sys.stderr) as bar,
    ):
        for name, log in pool.map(play, entries):
            path = FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(log, encoding="utf-8")
            bar.update(1)
        found = dict(zip(names(), pool.map(result, names()), strict=True))
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(result)}" for name, result in found.items()
    )
    RESULTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


@click.command("corpus")
@click.option("--write", is_flag=True, help="Play all games anew and keep their results.")
def command(write: bool) -> None:
    """Replay stored simulated games; report those that a change of the rules affects."""
    if write:
        _write()
        return
    old = stored_results()
    with ProcessPoolExecutor(cores()) as pool:
        changed = [
            differences(name, old[name], new)
            for name, new in zip(old, pool.map(result, old), strict=True)
        ]
    for lines in filter(None, changed):
        for line in lines:
            click.echo(line)
    touched = sum(map(bool, changed))
    click.echo(f"{len(old):,} games replayed, {touched:,} touched")
    if touched:
        raise SystemExit(1)
