"""Print where checking spends its time: functions, then expressions of the rules.

Not named profile.py, which would hide the module that cProfile imports.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

from measure import count_statements, logs

import altay_cli
from altay_cli.checking.check import check_text
from altay_cli.match import sections
from altay_cli.match.match import Match
from altay_cli.notation.tree import Statement
from altay_cli.pack.model import Phase


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sort", default="tottime", choices=["tottime", "cumulative", "ncalls"])
    parser.add_argument("--limit", type=int, default=30, help="rows to print (%(default)s)")
    parser.add_argument("--way", metavar="STATEMENT", help="print what one statement calls instead")
    options = parser.parse_args()
    texts = logs()
    if options.way:
        print_way(texts, options.way)
        return
    profiles: dict[int, tuple[Any, cProfile.Profile]] = {}
    for text, folder in texts:
        # A first run loads packs and fills caches.
        played = check_text(text, folder=folder).games[0].played
        pack = played.state.pack if played else None
        profile = profiles.setdefault(id(pack), (pack, cProfile.Profile()))[1]
        profile.enable()
        check_text(text, folder=folder)
        profile.disable()
    print(f"{len(texts)} games, {count_statements(texts)} statements")
    stats = pstats.Stats(*(profile for _, profile in profiles.values()))
    stats.strip_dirs().sort_stats(options.sort).print_stats(options.limit)
    print_expressions(profiles.values(), options.limit)


def print_way(texts: Iterable[tuple[str, Path]], written: str) -> None:
    calls: Counter[tuple[str, str]] = Counter()
    home = Path(altay_cli.__file__).parent
    play = sections.play

    def note(frame: FrameType, event: str, _: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and (home in file.parents or file.name.startswith("<")):
            calls[file.name, frame.f_code.co_name] += 1

    def watched(match: Match, statement: Statement, phase: Phase) -> bool:
        if statement.text != written:
            return play(match, statement, phase)
        calls.clear()
        sys.setprofile(note)
        try:
            return play(match, statement, phase)
        finally:
            sys.setprofile(None)

    sections.play = watched
    for text, folder in texts:
        check_text(text, folder=folder)
    for (module, name), count in calls.most_common():
        print(f"{count:>4}  {module}: {name}")
    modules = {module for module, _ in calls}
    print(f"{calls.total()} calls of {len(calls)} functions in {len(modules)} modules")


def print_expressions(profiles: Iterable[tuple[Any, cProfile.Profile]], limit: int) -> None:
    """By time, calls included."""
    calls: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for pack, profile in profiles:
        sources: dict[str, str] = {}
        if pack:
            sources |= {expr.key: expr.source for expr in pack.exprs}
            sources |= {f.key: f"{name}: {f.source}" for name, f in pack.functions.items()}
            sources |= {f"m_{move.number}": f"the move {move.id}" for move in pack.moves}
        rows: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
        for (file, _, name), (_, count, _, cumulative, _) in rows.items():
            if file == "<rules>" and name in sources:
                calls[sources[name]] += count
                seconds[sources[name]] += cumulative
    print(f"{'calls':>8} {'cumtime':>8}  expression")
    for text, spent in seconds.most_common(limit):
        print(f"{calls[text]:>8} {spent:8.3f}  {' '.join(text.split())[:100]}")


if __name__ == "__main__":
    main()
