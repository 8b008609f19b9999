"""The version of the program."""

from __future__ import annotations

__version__ = "0.1.0"
"""``pyproject.toml`` reads it from this line."""
