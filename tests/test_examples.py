"""The examples in docstrings give the results that they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

PACKAGES = ("base", "expressions", "hidden", "notation", "source")


def modules() -> list[str]:
    names = ["altay_cli"]
    for package in PACKAGES:
        path = importlib.import_module(f"altay_cli.{package}").__path__
        names += [f"altay_cli.{package}.{module.name}" for module in pkgutil.iter_modules(path)]
    return names


def examples_in(module: ModuleType) -> list[doctest.DocTest]:
    return [test for test in doctest.DocTestFinder().find(module) if test.examples]


@pytest.mark.parametrize("name", modules())
def test_examples_give_what_they_show(name: str) -> None:
    module = importlib.import_module(name)
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_public_functions_have_examples() -> None:
    tests = [test for name in modules() for test in examples_in(importlib.import_module(name))]
    assert len(tests) >= 60
