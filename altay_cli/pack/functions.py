"""The Python objects that the generated code of a pack mentions."""

from __future__ import annotations

from altay_cli import values
from altay_cli.expressions import charge

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


def _numbers(size: int) -> list[int]:
    """Return 0, 1, ..., ``size`` - 1; none if there is no such number. The budget bounds it."""
    if size <= 0:
        return []
    charge(size)
    return list(range(size))


GLOBALS: dict[str, object] = {
    **{name: getattr(values, name) for name in _NAMES},
    "numbers_below": _numbers,
    "_charge": charge,
    "_Bag": values.Bag,
}
