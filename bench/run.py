"""Measure altay in one command: python bench/run.py [--fast] [--out FILE]. See bench/README.md."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from operator import truediv
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pyperf

ROOT = Path(__file__).resolve().parents[1]
FIRST = "3addfd9"
"""The last commit of the first edition."""
PASS = "python -c pass"  # noqa: S105
PLY = "ply read by python-chess"
ACTION = "action read by PokerKit"
LISTED = "legal moves listed by python-chess"
SCRIPT = "script with python-chess"


class Row(NamedTuple):
    """A ratio and its target: ``what`` to ``peer``, of times or of speeds."""

    what: str
    peer: str
    of_speeds: bool
    accept: float
    stretch: float


NONE = float("nan")
"""Without a target."""

ROWS = (
    Row("statement checked", PLY, True, 0.5, 1.0),
    Row("statement checked", ACTION, True, 3, 6),
    Row("altay score GAME", PASS, False, 8, 6),
    Row("altay score GAME", SCRIPT, False, 0.85, 0.6),
    Row("altay --help", PASS, False, 4.5, 3),
    Row("altay check GAME, a rule changed", PASS, False, 45, 30),
    Row("altay check GAME, first run", PASS, False, NONE, NONE),
    Row("legal moves listed", LISTED, True, 0.15, 0.4),
    Row("game simulated", "game simulated, first edition", True, 6, 12),
    Row("chess: ply checked", PLY, True, NONE, NONE),
    Row("chess: position listed", LISTED, True, NONE, NONE),
    Row("condition of a rule", "the same by hand", False, 2, 1.4),
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure altay, as installed from its wheel.")
    parser.add_argument("--fast", action="store_true", help="few runs, for a quick look")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write pyperf's JSON there")
    parser.add_argument(
        "--game", type=Path, metavar="LOG", default=ROOT / "games" / "two-players.agn",
        help="the game of the whole commands (%(default)s)",
    )  # fmt: skip
    options = parser.parse_args()
    if not options.game.is_file():
        parser.error(f"there is no file {options.game}")
    if options.out and not options.out.parent.is_dir():
        parser.error(f"there is no folder {options.out.parent}")
    return options


def install(folder: Path) -> Path:
    """Return the Python of an environment with the wheel and the bench extra, byte-compiled."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels = folder / "wheels"
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, ROOT], check=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--compile", f"{wheel}[bench]"], check=True)
    return python


def first_edition(folder: Path) -> str:
    """Check out the first edition and return its folder; "" without its commit."""
    target = folder / "first"
    target.mkdir()
    git = ["git", "-C", str(ROOT), "archive", "--output", str(folder / "first.tar"), FIRST]
    if subprocess.run(git, stderr=subprocess.DEVNULL, check=False).returncode:
        print(f"{FIRST} is not in this checkout: the first edition is left out", file=sys.stderr)
        return ""
    with tarfile.open(folder / "first.tar") as archive:
        archive.extractall(target, filter="data")
    return str(target)


def measure(python: Path, folder: Path, game: Path, *, fast: bool) -> Path:
    """Return the file of all values.

    Rounds spread the load of the machine over all benchmarks, which keeps ratios fair.
    """
    out = folder / "values.json"
    environ = {
        **os.environ, "ALTAY_CACHE": str(folder / "cache"), "ALTAY_BENCH_GAME": str(game.resolve()),
        "ALTAY_BENCH_FOLDER": str(folder), "ALTAY_BENCH_FIRST": first_edition(folder),
    }  # fmt: skip
    games = "60" if fast else "1000"
    print(f"playing {games} games to be checked", file=sys.stderr)
    altay = python.parent / "altay"
    play = [altay, "simulate", "--players", "3", "--games", games, "--seed", "1"]
    subprocess.run(
        [*play, "--out", folder / "games"], check=True, env=environ, stdout=subprocess.DEVNULL
    )
    rounds, processes = (3, 1) if fast else (5, 3)
    options = f"--quiet --copy-env --processes={processes} --values=3 --warmups=1".split()
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        command = [str(python), str(ROOT / "bench" / "measure.py"), *options, "--append", str(out)]
        subprocess.run(command, check=True, env=environ, cwd=folder, stdout=subprocess.DEVNULL)
    return out


def memory(python: Path, folder: Path, game: Path) -> float:
    """Return the peak memory in MiB."""
    environ = {**os.environ, "ALTAY_CACHE": str(folder / "cache")}
    command = [str(python), "-c", _PEAK, str(python.parent / "altay"), "check", str(game.resolve())]
    process = subprocess.run(command, check=True, env=environ, capture_output=True, text=True)
    return int(process.stdout) / 1024


_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def aims(values: Mapping[str, Sequence[float]], rounds: int) -> Iterator[str]:
    """Yield the table of ratios and targets: by rounds, and of the least values."""
    yield "| | against | ratio | of least values | accept | stretch | |"
    yield "|---|---|---:|---:|---:|---:|---|"
    for row in ROWS:
        if row.what in values and row.peer in values:
            pair = values[row.what], values[row.peer]
            size = len(pair[0]) // rounds
            times = [
                [median(some[at : at + size]) for at in range(0, len(some), size)] for some in pair
            ]
            ratios = median(map(truediv, *times)), truediv(*map(min, pair))
            found = [1 / ratio if row.of_speeds else ratio for ratio in ratios]
            met = [
                found[1] >= aim if row.of_speeds else found[1] <= aim
                for aim in (row.accept, row.stretch)
            ]
            status = "stretch" if met[1] else "met" if met[0] else "missed"
            status = "" if isnan(row.accept) else status
            kind = "speed" if row.of_speeds else "time"
            yield (
                f"| {row.what} | {kind} of {row.peer} | {found[0]:.2f} x | {found[1]:.2f} x "
                f"| {row.accept:g} x | {row.stretch:g} x | {status} |".replace("nan x", "")
            )


def table(values: Mapping[str, Sequence[float]]) -> Iterator[str]:
    yield "| | median | least |"
    yield "|---|---:|---:|"
    for name, seconds in values.items():
        yield f"| {name} | {shown(median(seconds))} | {shown(min(seconds))} |"


def shown(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-3 else f"{seconds * 1e6:.1f} us"


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="altay-bench-") as name:
        folder = Path(name)
        python = install(folder)
        out = measure(python, folder, options.game, fast=options.fast)
        suite = pyperf.BenchmarkSuite.load(str(out))
        if options.out:
            options.out.write_bytes(out.read_bytes())
        held = memory(python, folder, options.game)
    values = {bench.get_name(): bench.get_values() for bench in suite}
    rounds = 3 if options.fast else 5
    print("\n".join((*aims(values, rounds), "", *table(values), "")))
    print(f"memory of one check: {held:.0f} MiB (accept 30, stretch 24)")


if __name__ == "__main__":
    main()
