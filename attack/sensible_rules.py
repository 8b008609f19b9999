"""Sensible house rules, each played alone: none may cause a finding.

    python -m attack.sensible_rules [GAMES] [NAME ...]

plays so many games (20) with and without each row of tests/rules_check/sensible.yaml, and prints
the findings. A row takes about ten seconds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from altay_cli.base.resources import data_folder
from altay_cli.lint.tryout import plans, try_out
from altay_cli.source.variants import Chains
from altay_cli.source.yaml_reader import read_yaml

ROWS = Path(__file__).parents[1] / "tests" / "rules_check" / "sensible.yaml"
RULES = data_folder("rules") / "altay"


def messages_of(changes: Sequence[object], folder: Path, games: int) -> list[str]:
    """Return the findings about a variant with some changes."""
    path = folder / "house.yaml"
    data = {"variant": "house", "extends": "altay", "title": "House", "change": list(changes)}
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    found = plans(RULES, [path], Chains(RULES, []).read([path]))
    if found is None:
        return ["it cannot be played"]
    return [shown.finding.message for shown in try_out(*found, games, inf).found]


def main(arguments: Sequence[str]) -> int:
    """Play by all rows, or the named ones; return how many have findings."""
    games = int(arguments[0]) if arguments else 20
    document, _ = read_yaml(ROWS.read_text(encoding="utf-8"), ROWS.name)
    assert document is not None
    wrong = 0
    with TemporaryDirectory() as name:
        for row in arguments[1:] or document.data:
            messages = messages_of(document.data[row], Path(name), games)
            wrong += bool(messages)
            sys.stdout.write(f"{row}: {'; '.join(messages) or 'nothing is said'}\n")
            sys.stdout.flush()
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
