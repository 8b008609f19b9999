"""Measure work on archives: processes, compressed sources, memory, broken games.

    python bench/archives.py                 # all measures: about half an hour
    python bench/archives.py --fast          # a tenth of the games
    python bench/archives.py memory jobs     # some of them

Prints each measure with its target. Exit code 1 if one is missed.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from altay_cli.archive.workers import cores

HOME = Path(__file__).parents[1]
ROUNDS = 3
LOOKS = 0.05
"""In seconds."""

SHORT = """\
[Game "altay"]
[Event "{number}"]
setup
  seat Ann as Firefolk
  seat Bob as Elvenfolk
turn 1 Ann
"""


class Cost(NamedTuple):
    """Seconds, of all processes."""

    wall: float
    cpu: float


class Memory(NamedTuple):
    """Peak memory in MiB.

    half: of the parent, after half of the output.
    worker: of the largest other process, without pages shared with its parent.
    """

    parent: float
    half: float
    worker: float


class Result(NamedTuple):
    measure: str
    asked: str
    value: str
    met: bool


class Bench:
    """``size`` is the fraction of the full number of games."""

    def __init__(self, folder: Path, size: float) -> None:
        self.folder = folder
        self.size = size

    def count(self, full: int) -> int:
        """Return how many games replace a full number."""
        return max(int(full * self.size), 1)

    def games(self, count: int) -> Path:
        folder = self.folder / f"games-{count}"
        if not folder.exists():
            folder.mkdir()
            logs = sorted((HOME / "games").rglob("*.agn"))
            for number in range(count):
                log = logs[number * 7 % len(logs)]
                (folder / f"{number:06}.agn").write_bytes(log.read_bytes())
        return folder


def altay(*args: object) -> list[str]:
    return [sys.executable, "-m", "altay_cli", *map(str, args)]


def run(command: list[str], *, codes: tuple[int, ...] = (0, 1, 2)) -> Cost:
    """Raise a ClickException if the exit code is none of ``codes``."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in codes:
        raise click.ClickException(f"{' '.join(command)}: {done.returncode}\n{done.stderr}")
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def in_turns(*commands: list[str]) -> list[list[Cost]]:
    """Return the costs of each command; they alternate, ROUNDS times."""
    rounds = [[run(command) for command in commands] for _ in range(ROUNDS)]
    return [list(costs) for costs in zip(*rounds, strict=True)]


def ratio(ones: list[Cost], others: list[Cost], what: Callable[[Cost], float]) -> float:
    """Return the median of the ratios of the rounds."""
    return statistics.median(what(a) / what(b) for a, b in zip(ones, others, strict=True))


def jobs(bench: Bench) -> Iterator[Result]:
    folder, count = bench.games(bench.count(3_000)), cores()
    single, several = in_turns(
        altay("check", folder, "--quiet", "-j", 1), altay("check", folder, "--quiet", "-j", count)
    )
    asked, value = 0.85 * count, ratio(single, several, lambda cost: cost.wall)
    yield Result(
        f"check --jobs {count}, faster than 1", f"{asked:.2f}", f"{value:.2f}", value >= asked
    )


def dask(bench: Bench) -> Iterator[Result]:
    from cluster import compare

    local, remote = compare([str(bench.games(bench.count(3_000)))])
    value = remote / local
    yield Result("two Dask workers beside --jobs 2, CPU", "1.4", f"{value:.2f}", value <= 1.4)


def packed(bench: Bench) -> Iterator[Result]:
    """Compare compressed archives with the same folder."""
    folder = bench.games(bench.count(3_000))
    zipped, tarred = bench.folder / "games.zip", bench.folder / "games.tar.zst"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)
    write_tar(tarred, folder)
    plain, *others = in_turns(
        *(altay("check", source, "--quiet") for source in (folder, zipped, tarred))
    )
    for name, costs in zip((".zip", ".tar.zst"), others, strict=True):
        value = ratio(costs, plain, lambda cost: cost.wall)
        yield Result(f"{name}, beside the same folder", "1.1", f"{value:.2f}", value <= 1.1)


def write_tar(path: Path, folder: Path) -> None:
    import zstandard

    with (
        path.open("wb") as file,
        zstandard.ZstdCompressor().stream_writer(file) as stream,
        tarfile.open(fileobj=stream, mode="w|") as archive,
    ):
        for log in sorted(folder.iterdir()):
            archive.add(log, log.name)


def tables(bench: Bench) -> Iterator[Result]:
    games = bench.games(bench.count(1_000))
    plain = altay("check", games, "--quiet", "-j", 1)
    costs: dict[str, list[float]] = {"": [], "--changes": []}
    for number in range(ROUNDS):
        alone = run(plain).cpu
        for option, ratios in costs.items():
            folder = bench.folder / f"tables{option}-{number}"
            ratios.append(run([*plain, "--dataset", str(folder), *option.split()]).cpu / alone)
            shutil.rmtree(folder)
    for (option, ratios), most in zip(costs.items(), (1.25, 1.6), strict=True):
        value = statistics.median(ratios)
        name = f"--dataset {option}".strip()
        yield Result(f"{name} beside none, CPU", f"{most}", f"{value:.2f}", value <= most)


def resumed(bench: Bench) -> Iterator[Result]:
    """Kill runs at random moments; resumed, they end with the same bytes."""
    from datasets import killed

    same = killed(str(bench.games(bench.count(300))), times=20)
    met = all(same)
    yield Result("resumed runs with the same bytes", f"{len(same)}", f"{sum(same)}", met)


def questions(bench: Bench) -> Iterator[Result]:
    """Time the questions of the page on archives, over generated tables."""
    from datasets import asked

    count = bench.count(100_000)
    value = max(asked(count))
    name = f"the slowest question to {count:,} games, seconds"
    yield Result(name, "1", f"{value:.2f}", value < 1)


def broken(bench: Bench) -> Iterator[Result]:
    """Time games that end in their first line."""
    count = bench.count(20_000)
    path = bench.folder / "broken.agn"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f'[Game "altay"]\n[Event "{n}"]\nsetup\n  seat\n' for n in range(count))
    cost = run(altay("check", path, "--format", "concise", "-j", 1))
    asked = 15.0 * bench.size
    yield Result(
        f"{count:,} games that end in their first line, CPU seconds",
        f"{asked:.1f}", f"{cost.cpu:.1f}", cost.cpu <= asked,
    )  # fmt: skip


def memory(bench: Bench) -> Iterator[Result]:
    count = bench.count(100_000)
    path = bench.folder / "short.agn"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(SHORT.format(number=number) for number in range(count))
    held = memory_of(altay("check", path, "--format", "concise", "-j", max(cores(), 2)), count)
    grown = held.parent - held.half
    yield Result("memory of the parent, MiB", "200", f"{held.parent:.0f}", held.parent < 200)
    yield Result("the same, grown in the second half", "5", f"{grown:.1f}", grown < 5)
    yield Result("memory of each worker, MiB", "150", f"{held.worker:.0f}", held.worker < 150)


def memory_of(command: list[str], games: int) -> Memory:
    most = half = worker = 0.0
    printed = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        looked = 0.0
        for _ in process.stdout:
            printed += 1
            if (now := time.monotonic()) - looked < LOOKS:
                continue
            looked = now
            most = max(most, held_by(process.pid, "Rss"))
            if printed <= games / 2:
                half = most
            worker = max([worker, *(held_by(child, "Private_") for child in children(process.pid))])
    if process.returncode not in {0, 1, 2}:
        raise click.ClickException(f"{' '.join(command)}: {process.returncode}")
    return Memory(most, half, worker)


def children(pid: int) -> list[int]:
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [*map(int, found.split())]


def held_by(pid: int, what: str) -> float:
    """Return the sum of the rows of `smaps_rollup` that begin with a word, in MiB."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(row.split()[1]) for row in rows if row.startswith(what)) / 1024


MEASURES = {
    "jobs": jobs,
    "packed": packed,
    "dask": dask,
    "tables": tables,
    "memory": memory,
    "resumed": resumed,
    "broken": broken,
    "questions": questions,
}


@click.command(help=__doc__)
@click.argument("only", nargs=-1, type=click.Choice([*MEASURES]))
@click.option("--fast", is_flag=True, help="A tenth of the games.")
def main(only: tuple[str, ...], *, fast: bool) -> None:
    met = True
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ALTAY_CACHE"] = str(Path(folder) / "cache")
        run(altay("check", HOME / "games" / "simulated", "--quiet", "-j", 1))  # packs are compiled
        bench = Bench(Path(folder), 0.1 if fast else 1.0)
        click.echo(f"{'measure':<58}{'asked':>8}{'today':>8}")
        for name in only or MEASURES:
            for row in MEASURES[name](bench):
                mark = "" if row.met else "  not met"
                click.echo(f"{row.measure:<58}{row.asked:>8}{row.value:>8}{mark}")
                met = met and row.met
    sys.exit(not met)


if __name__ == "__main__":
    main()
