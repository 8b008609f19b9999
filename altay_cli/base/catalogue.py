"""Explanations of the program's own findings, from ``catalogue.json``.

``findings`` explains findings on logs that no game defines: syntax, names, tags and limits.
``problems`` explains those on rule files, each with an invented example.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

_read = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

PROGRAM_RULES: Mapping[str, str] = _read["findings"]
UNKNOWN_NAME: str = _read["findings"].pop("unknown-*")
"""The explanation of `unknown-<kind>` in a log, for kinds without an entry."""

PROBLEMS: dict[str, Mapping[str, str]] = _read["problems"]
"""The problems of rule files by id: an explanation (`text`) and an `example`.

Problems specific to a game are in its `lints.yaml`.
"""

UNKNOWN_THING = PROBLEMS.pop("unknown-*")
"""The explanation of `unknown-<kind>` in a rule file."""
