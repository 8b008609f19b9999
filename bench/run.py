"""Measure altay in one command: python bench/run.py [--fast] [--out FILE]. See bench/README.md."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median

import pyperf

ROOT = Path(__file__).resolve().parents[1]
PASS = "python -c pass"  # noqa: S105
PLY = "ply read by python-chess"
LISTED = "legal moves listed by python-chess"
COMPILED = "pack, compiled anew"
COMPARED = {
    "altay --help": PASS,
    "altay check GAME": PASS,
    "altay score GAME": PASS,
    "altay check GAME, first run": PASS,
    "pack, from the cache": COMPILED,
    "statement checked": PLY,
    "legal moves listed": LISTED,
    "chess: ply checked": PLY,
    "chess: position listed": LISTED,
}
"""What each measure is divided by."""
RATES = {
    "statement checked": "statements/s",
    PLY: "plies/s",
    "chess: ply checked": "plies/s",
    LISTED: "positions/s",
    **{f"{pack}: position listed": "positions/s" for pack in ("chess", "othello", "connectfour")},
}


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
    """Build the wheel, install it with the bench extra, byte-compiled; return the Python."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels = folder / "wheels"
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, ROOT], check=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--compile", f"{wheel}[bench]"], check=True)
    return python


def measure(python: Path, folder: Path, game: Path, *, fast: bool) -> Path:
    """Run all benchmarks in turn, several rounds of them, and return the file of their values.

    The rounds spread what else the machine does over all benchmarks, so that ratios are fair.
    """
    out = folder / "values.json"
    environ = {
        **os.environ, "ALTAY_CACHE": str(folder / "cache"), "ALTAY_BENCH_GAME": str(game.resolve()),
    }  # fmt: skip
    rounds, processes, values = (1, 2, 3) if fast else (5, 3, 3)
    options = f"--quiet --copy-env --processes={processes} --values={values} --warmups=1".split()
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        command = [str(python), str(ROOT / "bench" / "measure.py"), *options, "--append", str(out)]
        subprocess.run(command, check=True, env=environ, cwd=folder, stdout=subprocess.DEVNULL)
    return out


def table(suite: pyperf.BenchmarkSuite) -> list[str]:
    values = {bench.get_name(): bench.get_values() for bench in suite}
    medians = {name: median(some) for name, some in values.items()}
    least = {name: min(some) for name, some in values.items()}
    lines = [
        "| | median | rate | ratio | least | ratio of least |",
        "|---|---:|---:|---|---:|---:|",
    ]
    for name, seconds in medians.items():
        rate = f"{1 / seconds:,.0f} {RATES[name]}" if name in RATES else ""
        base = COMPARED.get(name)
        ratio = f"{seconds / medians[base]:.2f} x {base}" if base else ""
        best = f"{least[name] / least[base]:.2f}" if base else ""
        lines.append(
            f"| {name} | {shown(seconds)} | {rate} | {ratio} | {shown(least[name])} | {best} |"
        )
    return lines


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
    print("\n".join(table(suite)))


if __name__ == "__main__":
    main()
