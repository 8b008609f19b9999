"""`python -m attack causes`: make one mistake in a legal log and count the errors.

One mistake should give one error, where it is. Unlike `logs`, this changes the setup, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import click

from altay_cli.archive.workers import cores
from altay_cli.base.findings import Severity
from altay_cli.base.suggest import normal
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from altay_cli.notation.parser import tokens_of
from attack.logs import corpus, share
from attack.scripts import Script

KINDS = ("deleted", "swapped", "changed")


@dataclass(frozen=True, slots=True)
class Slip:
    kind: str
    part: str
    game: str
    line: int
    before: str
    after: str
    errors: int
    first: str
    there: bool


def slips(game: Script, count: int, seed: str, *, setup: bool = False) -> list[Slip]:
    """Make mistakes in a game, one at a time, and return those with errors.

    ``setup``: all are before the first turn.
    """
    random = Random(seed)
    lines = [*game.head, *game.lines]
    first = next(n for n, line in enumerate(lines) if not line.startswith("["))
    found: list[Slip] = []
    for _ in range(count):
        number = random.randrange(first + 1, len(game.head) if setup else len(lines))
        kind = random.choice(KINDS)
        changed = _changed(lines, number, kind, random)
        if changed is None or changed == lines:
            continue
        report = check_text("\n".join([*changed, ""]), folder=game.folder)
        errors = [
            finding
            for g in report.games
            for finding in g.findings
            if finding.severity is Severity.ERROR
        ]
        if errors:
            first_error = f"{errors[0].span.line}: {errors[0].message} [{errors[0].rule}]"
            part = "setup" if number < len(game.head) else "turns"
            # A deletion shows in the following line at the earliest.
            there = errors[0].span.line in {number + 1, number + 2}
            after = changed[number] if kind != "deleted" and number < len(changed) else ""
            before = lines[number]
            found.append(
                Slip(
                    kind,
                    part,
                    game.name,
                    number + 1,
                    before,
                    after,
                    len(errors),
                    first_error,
                    there,
                )
            )
    return found


def _changed(lines: Sequence[str], number: int, kind: str, random: Random) -> list[str] | None:
    changed = list(lines)
    if kind == "deleted":
        del changed[number]
    elif kind == "swapped":
        if number + 1 == len(lines):
            return None
        changed[number : number + 2] = changed[number + 1], changed[number]
    else:
        changed[number] = _other_name(changed[number], random)
    return changed


def _other_name(line: str, random: Random) -> str:
    pack = load_pack("altay")
    places = [token for token in tokens_of(line) if token.kind in {"word", "number"}]
    random.shuffle(places)
    for place in places:
        if place.kind == "number":
            number = max(1, int(place.text) + random.choice((-1, 1)))
            return f"{line[: place.start]}{number}{line[place.end :]}"
        for kind in ("title", "territory", "resource", "achievement", "faction"):
            table = pack.names[kind]
            if normal(place.text) in table:
                shown = pack.shown["en"]
                other = random.choice(pack.entities[kind])
                name = shown.get(f"{kind} {other.id}", other.id)
                return line[: place.start] + name + line[place.end :]
    return line


def rows(found: Sequence[Slip]) -> Iterator[list[str]]:
    """Yield a row for each kind of mistake and part of the log, and one for all."""
    yield ["slip", "errors found", "each", "most", "just one", "first there"]
    groups: dict[str, list[Slip]] = {}
    for slip in found:
        groups.setdefault(f"{slip.kind}, {slip.part}", []).append(slip)
    for name, some in [*sorted(groups.items()), ("all", list(found))]:
        each = sum(slip.errors for slip in some) / len(some) if some else 0
        most = max((slip.errors for slip in some), default=0)
        single = share(sum(slip.errors == 1 for slip in some), len(some))
        there = share(sum(slip.there for slip in some), len(some))
        yield [name, str(len(some)), f"{each:.2f}", str(most), single, there]


def _slips(game: tuple[Script, str], count: int, *, setup: bool) -> list[Slip]:
    return slips(game[0], count, game[1], setup=setup)


@click.command("causes")
@click.option("--games", default=1, show_default=True, help="Simulated games of each size.")
@click.option("--slips", "count", default=60, show_default=True, help="Slips in each game.")
@click.option("--seed", default=1, show_default=True)
@click.option("--processes", default=cores, type=int)
@click.option("--most", default=4, show_default=True, help="No slip may give more errors.")
@click.option("--show", default=0, help="Show so many slips that gave most errors.")
@click.option("--setup", is_flag=True, help="Make slips before the first turn only.")
def command(
    games: int, count: int, seed: int, processes: int, most: int, show: int, *, setup: bool
) -> None:
    """Make single mistakes in logs and count the errors that they cause."""
    from altay_cli.report.text import table

    scripts = [(slip, f"{seed}/{n}") for n, slip in enumerate(corpus(games, seed))]
    found: list[Slip] = []
    work = partial(_slips, count=count, setup=setup)
    with click.progressbar(length=len(scripts), file=sys.stderr) as bar:
        if processes <= 1:
            for some in map(work, scripts):
                found.extend(some)
                bar.update(1)
        else:
            with ProcessPoolExecutor(processes) as pool:
                for some in pool.map(work, scripts):
                    found.extend(some)
                    bar.update(1)
    for line in table(list(rows(found)), frozenset(range(1, 6))):
        click.echo(line)
    worst = sorted(found, key=lambda slip: -slip.errors)
    for slip in worst[:show]:
        click.echo(
            f"\n{slip.errors} errors: {Path(slip.game).name}, line {slip.line}, {slip.kind}\n"
            f"  was: {slip.before}\n  is:  {slip.after}\n  {slip.first}"
        )
    if worst and worst[0].errors > most:
        raise SystemExit(1)
