"""Print what checking spends its time on: hot functions, then hot expressions of the rules.

Not named profile.py, which would hide the module of the library that cProfile imports.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections import Counter
from collections.abc import Iterable
from typing import Any

from measure import count_statements, logs

from altay_cli.checking import check_text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sort", default="tottime", choices=["tottime", "cumulative", "ncalls"])
    parser.add_argument("--limit", type=int, default=30, help="rows to print (%(default)s)")
    options = parser.parse_args()
    texts = logs()
    profiles: dict[int, tuple[Any, cProfile.Profile]] = {}
    for text, folder in texts:
        # Once before, so that packs are loaded and statements remembered.
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


def print_expressions(profiles: Iterable[tuple[Any, cProfile.Profile]], limit: int) -> None:
    """Print the rules' expressions by the time spent in them and what they call."""
    calls: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for pack, profile in profiles:
        sources: dict[str, str] = {}
        if pack:
            sources |= {expr.key: expr.source for expr in pack.exprs}
            sources |= {f.name: f"{f.name}: {f.source}" for f in pack.functions.values()}
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
