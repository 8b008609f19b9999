"""Packages that offer names of their modules, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from sys import modules


def find(package: str, contents: Mapping[str, Sequence[str]], name: str) -> object:
    """Import a name that a package offers, and keep it there; for its ``__getattr__``.

    Args:
        package: the name of the package.
        contents: the names that it offers, by the module in which they are.
        name: the one that is asked for.

    Raises:
        AttributeError: if it is not offered.

    """
    home = next((module for module, names in contents.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{package}.{home}"), name)
    setattr(modules[package], name, found)
    return found
