"""Explanations of the program's own findings, from ``catalogue.json``.

``findings`` are on logs that no game defines; ``problems`` on rule files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

_read = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

PROGRAM_RULES: Mapping[str, str] = _read["findings"]
UNKNOWN_NAME: str = _read["findings"].pop("unknown-*")
"""The explanation of unknown names of a kind without its own."""

PROBLEMS: dict[str, Mapping[str, str]] = _read["problems"]
"""Explanations (`text`, invented `example`) by id. Those of one game are in its `lints.yaml`."""

UNKNOWN_THING = PROBLEMS.pop("unknown-*")
