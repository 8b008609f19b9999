"""Stress datasets: runs killed at random moments, and queries on large tables.

    python -m bench.datasets killed SOURCE [TIMES]     kill `check --dataset` and resume it
    python -m bench.datasets asked [GAMES]             run the queries of docs/archives.md

Other benchmarks can call both functions.
"""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from altay_cli.archive.dataset import Dataset
from altay_cli.archive.judging import Judgement, UnitResult, judge
from altay_cli.archive.manifest import Settings
from altay_cli.archive.query import ask, open_dataset
from altay_cli.archive.sources import SourceGame, Sources
from altay_cli.report.results import Wanted

ROOT = Path(__file__).resolve().parent.parent
STEP = 8
"""One recorded game out of so many is used."""

ALTAY = [sys.executable, "-m", "altay_cli"]


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def killed(source: str, times: int = 20, jobs: int = 2, seed: int = 48) -> list[bool]:
    """Kill a run, resume it, and return whether the bytes are the same, several times."""

    def command(folder: Path, *options: str) -> list[str]:
        return [*ALTAY, "check", source, "--dataset", str(folder), "-q", "-j", str(jobs), *options]

    chance = random.Random(seed)  # noqa: S311
    same = []
    with tempfile.TemporaryDirectory() as name:
        undisturbed = Path(name) / "undisturbed"
        start = time.perf_counter()
        subprocess.run(command(undisturbed), stdout=subprocess.DEVNULL, check=False)
        seconds = time.perf_counter() - start
        wanted = content(undisturbed)
        for number in range(times):
            folder = Path(name) / str(number)
            run = subprocess.Popen(
                command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(chance.uniform(0, seconds))
            run.send_signal(signal.SIGKILL)
            run.wait()
            resumed = command(folder, "--resume")
            subprocess.run(
                resumed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
            )
            same.append(content(folder) == wanted)
    return same


def generate(folder: Path, games: int, most: int = 60) -> None:
    """Write a dataset of repeated recorded games, each cut to ``most`` statements."""
    names = [
        "four-players.agn",
        "tie.agn",
        "mistakes.agn",
        "classics",
        "innovation/players-2-0001.agn",
    ]
    sources = [*Sources(str(ROOT / "games" / name) for name in names).games()]
    sources += [*Sources([str(ROOT / "games" / "simulated")]).games()]
    sources = sources[::STEP]
    how = Judgement(Wanted(tables=True))
    judged = [(game, judge(how, [game])[0]) for game in sources]
    rows = [
        [{**game.rows, "statements": game.rows["statements"][:most]} for game in unit.games]
        for _, unit in judged
    ]
    repeated = [*islice(cycle(range(len(judged))), games)]

    def results(texts: Iterator[SourceGame]) -> Iterator[UnitResult]:
        for number, _ in zip(repeated, texts, strict=True):
            unit = judged[number][1]
            for game, game_rows in zip(unit.games, rows[number], strict=True):
                game.rows = game_rows
            yield unit

    dataset = Dataset(folder, Settings("en"))
    for _ in dataset.record((judged[number][0] for number in repeated), results):
        pass


def asked(games: int = 100_000) -> list[float]:
    """Return the seconds that each query of the page on archives takes."""
    page = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "results"
        generate(folder, games)
        taken = []
        for question in re.findall(r"```sql\n(.*?)```", page, re.DOTALL):
            _, database = open_dataset(folder)
            start = time.perf_counter()
            for _ in ask(database, question).rows():
                pass
            taken.append(time.perf_counter() - start)
    return taken


def main() -> None:
    match sys.argv[1:]:
        case ["killed", source, *times]:
            same = killed(source, *map(int, times))
            print(f"{sum(same)} of {len(same)} resumed runs end with the same bytes")
        case ["asked", *games]:
            for number, seconds in enumerate(asked(*map(int, games)), 1):
                print(f"question {number}: {seconds:.2f} s")
        case _:
            print(__doc__)


if __name__ == "__main__":
    main()
