"""The catalogues in `languages/`: what translators write, and what the program reads of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import IO, TypeGuard

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.base.translations import ENGLISH, REPORT, languages

pytest.importorskip("babel", reason="what altay[dev] brings along")

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import altay_cli

OTHERS = [language for language in languages() if language != ENGLISH]
SAYING = {
    "Text": 0, "Text.plural": 1, "phrase": 0, "counted": 0, "Refused": 0, "warn": 0,
    "EvaluationError": 1, "ExpressionError": 1, "_refused": 0, ".problem": 1, ".refuse": 1,
    "._problem": 1, "_problem": 1, "_constant": 1, "fault": 1, "_of_value": 1, "._add": 1,
    "._report": 1, "_tag_error": 1, "ImpossibleError": 0, "GameError": 0,
}  # fmt: skip
"""What makes texts of the program, and which of its arguments is English."""

TOLD = frozenset({"message", "template", "help_lines"})
"""What variables and arguments are called that hold such texts."""

SPOKEN = frozenset({"cli", "replay", "report"})
"""The rooms that speak one language; the phrases of others name it before."""

HOW = """edit languages/{0}.po, then
pybabel compile -l {0} -i languages/{0}.po -o languages/{0}.mo"""


def written(language: str) -> Catalog:
    """Return what translators have written."""
    with (data_folder("languages") / f"{language}.po").open("rb") as file:
        return read_po(file, language, abort_invalid=True)


def messages(file: IO[bytes]) -> dict[object, str]:
    """Return all that gettext reads of a file but its header, in which dates may stand."""
    read = GNUTranslations(file)
    return {key: text for key, text in vars(read)["_catalog"].items() if key}


def ids(catalog: Catalog) -> set[tuple[str, str]]:
    """Return all English texts of a catalogue, the singular of those that have a plural.

    With each comes its context: a translation is found in that alone.
    """
    return {
        (one.context or "", one.id if isinstance(one.id, str) else one.id[0])
        for one in catalog
        if one.id
    }


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_read_was_made_of_what_is_written(language: str) -> None:
    made = BytesIO()
    write_mo(made, written(language))
    made.seek(0)
    path = data_folder("languages") / f"{language}.mo"
    with path.open("rb") as read:
        assert messages(made) == messages(read), HOW.format(language)


@pytest.mark.parametrize("language", OTHERS)
def test_everything_is_translated_with_what_goes_in(language: str) -> None:
    catalog = written(language)
    assert ids(catalog) == ids(written(OTHERS[0]))
    for message in catalog:
        if not message.id:
            continue
        english = (message.id,) if isinstance(message.id, str) else message.id
        told = (message.string,) if isinstance(message.string, str) else message.string
        assert all(told), message.id
        assert not message.fuzzy, message.id
        assert not [*message.check(catalog)], message.id
        for one in told:
            assert places(one) <= set().union(*map(places, english)), message.id


def said() -> Iterator[tuple[str | None, str]]:
    """Yield the context and the English of all texts of the program that stand where made.

    None is the context of those that are given to something else first.
    """
    code = Path(altay_cli.__file__).parent
    for page in (*code.rglob("*.txt"), *code.rglob("*.html")):
        for phrase in re.findall(r'phrase\("([^"]+)"', page.read_text(encoding="utf-8")):
            yield REPORT, phrase
    for path in code.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            told = call.arg if isinstance(call, ast.keyword) else None
            if isinstance(call, ast.Assign):
                told = ast.unparse(call.targets[0])
            if isinstance(call, ast.Assign | ast.keyword) and told in TOLD:
                yield from ((None, one.value) for one in alternatives(call.value) if _is_text(one))
            elif isinstance(call, ast.Call):
                name = ast.unparse(call.func)
                if isinstance(call.func, ast.Attribute) and name not in SAYING:
                    name = f".{call.func.attr}"
                place = SAYING.get(name, len(call.args))
                of_report = name in {"phrase", "counted"}
                place += of_report and path.parent.name not in SPOKEN
                english = call.args[place:][:1]
                for part in (part for one in english for part in alternatives(one)):
                    if _is_text(part):
                        yield REPORT if of_report else "", part.value


def _is_text(part: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)


def alternatives(part: ast.expr) -> list[ast.expr]:
    parts = [part]
    if isinstance(part, ast.IfExp):
        parts = [part.body, part.orelse]
    elif isinstance(part, ast.Tuple | ast.List):
        parts = part.elts
    elif isinstance(part, ast.Subscript) and isinstance(part.value, ast.Dict):
        parts = part.value.values
    elif isinstance(part, ast.Starred):
        parts = [part.value]
    return parts if parts == [part] else [one for inner in parts for one in alternatives(inner)]


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_program_says_is_in_the_catalogue(language: str) -> None:
    known: set[tuple[str | None, str]] = {*ids(written(language))}
    known |= {(None, text) for _, text in known}
    words = {one for one in said() if any(map(str.isalpha, re.sub(r"\{\w*\}", "", one[1])))}
    assert len(words) > 500
    assert words - known == set()
