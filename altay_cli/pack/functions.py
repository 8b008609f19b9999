"""The Python objects that the generated code of a pack mentions."""

from __future__ import annotations

from altay_cli import values

_NAMES = (
    "UNRECORDED",
    "after",
    "bag_of",
    "expand",
    "fills",
    "first",
    "fits",
    "flatten",
    "has",
    "longest",
    "minus",
    "missing",
    "overlap",
    "payments",
    "plus",
    "plus_some",
    "repeat",
    "some",
    "times",
)

GLOBALS: dict[str, object] = {name: getattr(values, name) for name in _NAMES}
