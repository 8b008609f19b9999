"""Caches which rule files are well formed, so that they are not checked again.

Checking takes longer than reading: jsonschema alone takes 40 ms to import. What has been checked
is known by what it says, under the schemas and the program that there were.
"""

from __future__ import annotations

from pathlib import Path

from altay_cli.pack import cache
from altay_cli.resources import data_folder

KEPT = 2000
"""The maximum number of texts that are remembered."""

_PROGRAM = ("schema.py", "yaml_reader.py")
_DIGEST_BYTES = 32


class Checked:
    """The texts that are known to be well formed."""

    def __init__(self) -> None:
        here = Path(__file__).parent
        schemas = sorted(data_folder("schemas").glob("*.json"))
        self._key = cache.fingerprint([*schemas, *(here / name for name in _PROGRAM)], "checked")
        kept = cache.load(self._key) or b""
        starts = range(0, len(kept), _DIGEST_BYTES)
        self._known = dict.fromkeys(kept[at : at + _DIGEST_BYTES] for at in starts)
        self._before = len(self._known)

    def knows(self, schema: str, text: str) -> bool:
        """Return whether a text is known to be right by a schema."""
        return _digest(schema, text) in self._known

    def add(self, schema: str, text: str) -> None:
        """Note that a text is right by a schema."""
        self._known[_digest(schema, text)] = None

    def keep(self) -> None:
        """Remember what was added."""
        if len(self._known) > self._before:
            cache.store(self._key, b"".join([*self._known][-KEPT:]))


def _digest(schema: str, text: str) -> bytes:
    return bytes.fromhex(cache.fingerprint((), schema, text))
