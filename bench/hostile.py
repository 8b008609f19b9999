"""Measure the CPU time and memory that hostile files take.

    python bench/hostile.py                    # all of them: some minutes
    python bench/hostile.py plays --commands check,moves

CPU time excludes that of an empty game by the same rules. Exit code 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).parents[1]
HEAD = '[Game "altay"]\nsetup\n  seat Ann as Firefolk\n  seat Bob as Elvenfolk\nturn 1 Ann\n'
COMMANDS = ("check", "score", "moves", "fmt", "log", "fill", "replay")
SHORT, LONG = 5_000, 100_000
FUSE = 120
ATTACK = "attack W2 from F2 with Warrior, Warrior, Warrior, Hunter, Hunter, Shaman"


class Cost(NamedTuple):
    """CPU seconds, peak memory in bytes, exit code."""

    seconds: float
    memory: int
    code: int


def asked(size: int) -> float:
    """Return the CPU seconds allowed."""
    return 2.0 if size <= 1.1 * SHORT else 10.0


# ---------------------------------------------------------------- logs


def lines(line: str, size: int, head: str = HEAD) -> str:
    return head + f"  {line}\n" * ((size - len(head)) // (len(line) + 3))


def names(verb: str, size: int, each: Callable[[int], str]) -> str:
    """Return a log with one statement of many names."""
    parts: list[str] = []
    left = size - len(HEAD)
    while left > 0:
        parts.append(each(len(parts)))
        left -= len(parts[-1]) + 1
    return f"{HEAD}  {verb} {','.join(parts)}\n"


def misspelled(number: int) -> str:
    name = ("Hunter", "Loremaster", "Village", "Stonecutter", "Warrior")[number % 5]
    at, letter = number // 5 % len(name), chr(ord("a") + number // 40 % 26)
    return name[:at] + letter + name[at + 1 :]


def bare(log: str) -> str:
    return "".join(line.partition(" =>")[0].rstrip("\n") + "\n" for line in log.splitlines(True))


def recorded(name: str) -> str:
    return (HOME / "games" / f"{name}.agn").read_text(encoding="utf-8")


def behind(opening: str, line: str, size: int) -> str:
    """Return a game up to its first turn, followed by copies of a line."""
    setup, _, _ = recorded("three-players").partition("\nturn ")
    return lines(line, size, f"{bare(setup) if opening == 'bare' else setup}\nturn 1 Lena\n")


def turns(body: str, size: int) -> str:
    text = HEAD.rpartition("turn")[0]
    number = 0
    while len(text) < size:
        number += 1
        text += f"turn {(number + 1) // 2} {'Ann' if number % 2 else 'Bob'}\n  {body}\n"
    return text


def logs() -> Iterator[tuple[str, str]]:
    for size in (SHORT, LONG):
        for line in (
            "play Hunter", "play 2 Hunter", "play Hunter; end", "end", "end => 5 ?", "draw 3 ?",
            "buy Farmer", ATTACK, "trash Hunter", "expect hand 5 Hunter", "play Hnuter", "x", "?",
            "Ann: draw 5 Hunter", "Ann: hand 5 ?", "play 999 Hunter", "turn 1 Ann", "discard ?",
            "end => Hunter, Village, 3 ?", "settle F2", "Zoe: play Hunter", 'play "Hunter',
        ):  # fmt: skip
            yield f"lines `{line}`, {size}", lines(line, size)
        for line in ("play Hunter", "play Village", "buy Farmer", ATTACK, "end", "play 3 Shaman"):
            yield f"behind a setup, `{line}`, {size}", behind("", line, size)
            yield f"behind a bare setup, `{line}`, {size}", behind("bare", line, size)
        for body in ("play Hunter\n  end", "play 2 Hunter\n  buy Farmer\n  end => Hunter, 4 ?"):
            yield f"turns of `{body[:20]!r}`, {size}", turns(body, size)
        for verb in ("play", "attack W2 from F2 with", "end =>", "buy", "expect hand", "reveal"):
            yield f"one `{verb}` of names, {size}", names(verb, size, lambda _: "Hunter")
            yield f"one `{verb}` of misspelled names, {size}", names(verb, size, misspelled)
            yield f"one `{verb}` of words, {size}", names(verb, size, lambda n: f"word{n} of {n}")
        yield f"seats, {size}", names("seat", size, lambda n: f"P{n} as Firefolk")
        yield (
            f"seats in lines, {size}",
            '[Game "altay"]\nsetup\n'
            + "".join(f"  seat P{n} as Firefolk\n" for n in range(size // 22))
            + "turn 1 P0\n",
        )
        yield (
            f"misspelled lines, {size}",
            HEAD + "".join(f"  pla {misspelled(n)}\n" for n in range(size // 13)),
        )
        yield f"slips in lines, {size}", slips(size)


def slips(size: int) -> str:
    """Return a log with different mistakes in every line."""
    log, number = HEAD, 0
    while len(log) < size:
        begins = ("pla ", "play ", "and ", "buy ", "", "seat ")[number % 6]
        several = [misspelled(number + 7 * at) for at in range((1, 12, 3, 2)[number % 4])]
        log += f"  {begins}{(', ', ' ', ' and ')[number % 3].join(several)}\n"
        number += 1
    return log


def wrong_plays() -> Iterator[tuple[str, str, str]]:
    """Yield each game without its draws, and again with one wrong statement."""
    for path in sorted((HOME / "games").glob("*.agn")):
        if path.stem == "mistakes":
            continue
        game = bare(path.read_text(encoding="utf-8"))
        slipped = game.splitlines(keepends=True)
        late = len(slipped) * 4 // 5
        at = next((n for n in range(late, len(slipped)) if slipped[n].startswith("  play ")), None)
        if at is not None:
            slipped.insert(at, "  play 3 Shaman\n")
            yield path.stem, game, "".join(slipped)


# ---------------------------------------------------------------- running


def run(*arguments: str | Path) -> Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (FUSE, FUSE))

    # Only the child knows its peak memory.
    code = (
        "import resource, sys\n"
        "from altay_cli.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as end: code = end.code or 0\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
        preexec_fn=limits, cwd=HOME,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    fields = done.stderr.split()
    memory = int(fields[-1]) << 10 if fields and fields[-1].isdigit() else 0
    return Cost(spent, memory, done.returncode)


def with_command(command: str, log: Path) -> Cost:
    out = ["-o", log.with_suffix(".html")] if command == "replay" else []
    if command == "fmt":
        log = log.with_suffix(".fmt.agn")
    return run(command, log, *out)


def report(name: str, cost: Cost, most: float) -> bool:
    missed = cost.seconds > most or cost.code not in {0, 1, 2}
    mark = "x" if missed else " "
    print(
        f"{mark} {name:70} {cost.seconds:7.2f} s of {most:4.1f} {cost.memory >> 20:5} MiB"
        f"  exit {cost.code}",
        flush=True,
    )
    return missed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("only", nargs="*", help="words of the cases to run; all without")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    options = parser.parse_args()
    os.environ.setdefault("PYTHONHASHSEED", "0")
    missed = False

    def wanted(name: str) -> bool:
        return all(word in name for word in options.only)

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.agn"

        def cost(command: str, text: str) -> Cost:
            log.write_text(text, encoding="utf-8")
            log.with_suffix(".fmt.agn").write_text(text, encoding="utf-8")
            return with_command(command, log)

        for name, legal, slipped in wrong_plays():
            if wanted(name := f"one wrong play in {name}"):
                beyond = cost("check", slipped).seconds - cost("check", legal).seconds
                missed |= report(name, Cost(beyond, 0, 1), 0.5)
        for command in options.commands.split(","):
            start = min(cost(command, HEAD).seconds for _ in range(2))
            for name, text in logs():
                if wanted(name := f"{command}: {name}"):
                    took = cost(command, text)
                    took = took._replace(seconds=took.seconds - start)
                    missed |= report(name, took, asked(len(text)))
    sys.exit(missed)


if __name__ == "__main__":
    main()
