"""Packages that offer names of their modules, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sys import modules


def deferred(package: str, contents: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package: ``contents`` are names by module of the package."""
    homes = {name: module for module, names in contents.items() for name in names}

    def find(name: str) -> object:
        from importlib import import_module

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(modules[package], name, found)
        return found

    return find
