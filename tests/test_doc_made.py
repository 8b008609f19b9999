"""The pages that docs/make.py writes are what it would write now."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import altay_cli
from tests.test_docs import ROOT


def maker() -> ModuleType:
    """Return the script that makes pages, as a module."""
    spec = importlib.util.spec_from_file_location("made_pages", ROOT / "docs" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_says_what_the_schemas_say() -> None:
    pages: dict[Path, str] = maker().reference()
    assert set(pages) == set((ROOT / "docs" / "reference").glob("*.md"))
    for path, text in pages.items():
        assert path.read_text("utf-8") == text, f"{path.name}: run `python docs/make.py`"


def test_the_page_of_the_tables_says_what_the_program_says() -> None:
    page = (ROOT / "docs" / "tables.md").read_text("utf-8")
    assert page == maker().tables(), "run `python docs/make.py`"


def test_every_schema_of_rule_files_has_a_page() -> None:
    schemas = {path.name.split(".")[0] for path in (ROOT / "schemas").glob("*.json")}
    # `rules` only lays the others together.
    assert set(maker().PAGES) == schemas - {"rules"}


def test_a_key_without_a_description_is_found() -> None:
    page = maker().Page("game")
    try:
        list(page.rows({"properties": {"colour": {"type": "string"}}}))
    except ValueError as error:
        assert "no description" in str(error)
    else:
        raise AssertionError


def test_the_glossary_is_short() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    terms = re.findall(r"^\| \*\*(.+?)\*\* \|", page, re.MULTILINE)
    assert 35 <= len(terms) <= 45
    assert len(set(terms)) == len(terms)


def test_the_page_of_the_library_has_all_names() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    names = re.findall(r"^::: altay_cli\.(\w+)$", page, re.MULTILINE)
    assert sorted(names) == sorted(set(altay_cli.__all__) - {"__version__"})


def test_the_first_page_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    index = (docs / "index.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert linked >= {page.name for page in docs.glob("*.md")} - {"index.md"}


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    docs = ROOT / "docs"
    for page in docs.rglob("*.md"):
        assert page.relative_to(docs).as_posix() in menu, page
