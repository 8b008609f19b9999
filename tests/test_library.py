"""The library under one import: every public name is there, and says what goes in and out."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import altay_cli
from altay_cli.base.findings import Finding


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions and methods of the library, by name."""
    for name in altay_cli.__all__:
        thing = getattr(altay_cli, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for inner, method in inspect.getmembers(thing, inspect.isfunction):
                if not inner.startswith("_") and method.__module__.startswith("altay_cli"):
                    yield f"{name}.{inner}", method


FUNCTIONS = dict(functions())


def told(function: Callable[..., Any]) -> set[str]:
    """Return what a docstring has a section about: arguments, results, what is raised."""
    text = inspect.getdoc(function) or ""
    return {one for one in ("Args", "Returns", "Yields", "Raises") if f"\n{one}:\n" in text}


def test_all_names_are_there_and_described() -> None:
    for name in altay_cli.__all__:
        thing = getattr(altay_cli, name)
        assert isinstance(thing, str) or (thing.__doc__ or "").strip(), name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = altay_cli.nothing  # type: ignore[attr-defined]


def test_what_there_is_can_be_listed() -> None:
    assert set(altay_cli.__all__) <= set(dir(altay_cli))
    assert "check_text" in pydoc.plain(pydoc.render_doc(altay_cli))


def test_a_folder_can_be_a_text(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(
        "variant: one\nextends: nim\ntitle: One\nchange:\n  - {set: title, to: One}\n",
        encoding="utf-8",
    )
    text = '[Game "nim"]\n[Variant "one.yaml"]\nsetup\n  seat Ann\n  seat Bob\n  heap A of 3\n'
    assert altay_cli.open_game(text, folder=str(tmp_path)).findings == []
    assert altay_cli.check_text(text, folder=str(tmp_path)).games[0].findings == []


def test_one_text_is_no_list_of_players() -> None:
    with pytest.raises(TypeError, match="a list of names, not the text 'Ann'"):
        altay_cli.new_game("chess", "Ann")


def test_the_import_alone_loads_nothing() -> None:
    code = "import sys, altay_cli; print(*sorted(m for m in sys.modules if 'altay' in m))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert loaded == ["altay_cli"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_docstring_says_what_goes_in_what_comes_out_and_what_is_raised(name: str) -> None:
    function = FUNCTIONS[name]
    text = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    parameters = [one for one in signature.parameters if one != "self"]
    missing = [
        one for one in parameters if f"\n    {one}: " not in text and f"``{one}``" not in text
    ]
    assert missing == []
    if signature.return_annotation != "None":
        first = text.split(None, 1)[0]
        assert first in {"Return", "Yield", "List", "Tell"} or told(function) & {
            "Returns",
            "Yields",
        }
    if "raise " in inspect.getsource(function):
        assert "Raises" in told(function)


def test_a_program_needs_one_import() -> None:
    report = altay_cli.check_text('[Game "nim"]\n')
    (finding, *_) = report.games[0].findings
    assert isinstance(finding, Finding)
    assert altay_cli.evaluate("1 + 2") == 3
