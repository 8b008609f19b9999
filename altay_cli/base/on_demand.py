"""Modules of the standard library that few runs need, imported at their first use.

>>> from altay_cli.base import on_demand
>>> on_demand.difflib.get_close_matches("shep", ["sheep", "goat"])
['sheep']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import difflib
    import shutil
    import traceback

__all__ = ["difflib", "shutil", "traceback"]

if not TYPE_CHECKING:  # mypy sees the imports above

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(name)
