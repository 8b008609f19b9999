"""What the program's own findings mean, from ``catalogue.json``.

``findings`` are those of logs: what can be wrong before any rule of a game is asked. The findings
of a game's rules stand in its pack; these are about text, names, tags and limits. ``problems`` are
those of rule files, each with something that has it; the examples are of no game that ships.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

_read = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

OWN_RULES: Mapping[str, str] = _read["findings"]
UNKNOWN_NAME: str = _read["findings"].pop("unknown-*")
"""What `unknown-` and a kind means that has no entry of its own, in a log."""

PROBLEMS: dict[str, Mapping[str, str]] = _read["problems"]
"""The problems of rule files by id: what each means (`text`), and an `example` that has it.

What makes no sense in one game stands in its `lints.yaml`.
"""

UNKNOWN_THING = PROBLEMS.pop("unknown-*")
"""The same in a rule file."""
