"""The Python objects that the generated code of a pack mentions."""

from __future__ import annotations

from altay_cli import values

GLOBALS: dict[str, object] = {
    name: getattr(values, name)
    for name in (
        "expand plus plus_some minus overlap times some has fits fills payments missing "
        "bag_of flatten longest after repeat UNRECORDED"
    ).split()
}
