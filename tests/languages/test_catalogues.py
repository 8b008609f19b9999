"""The catalogues in `languages/`: what translators write, and what the program reads of it."""

from __future__ import annotations

import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import IO

import pytest

from altay_cli.base.findings import Text
from altay_cli.base.resources import data_folder
from altay_cli.base.translations import translated

pytest.importorskip("babel", reason="what altay[dev] brings along")

from babel.messages.mofile import write_mo

from tests.languages.program_texts import Program, program_texts
from tests.languages.untranslated import (
    OTHERS,
    of_program,
    strings,
    written,
)
from tests.languages.warned import UntranslatedWarning, warn_untranslated

HOW = """edit languages/{0}.po, then
pybabel compile -l {0} -i languages/{0}.po -o languages/{0}.mo"""


def messages(file: IO[bytes]) -> dict[object, str]:
    """Return all that gettext reads of a file but its header, in which dates may stand."""
    read = GNUTranslations(file)
    return {key: text for key, text in vars(read)["_catalog"].items() if key}


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
def test_translations_have_the_placeholders_of_the_english(language: str) -> None:
    catalog = written(language)
    for message in catalog:
        if not message.id:
            continue
        assert not [*message.check(catalog)], message.id
        known = set().union(*map(places, strings(message.id)))
        for translation in strings(message.string):
            assert places(translation) <= known, message.id


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_program_says_is_in_the_catalogue(language: str) -> None:
    """Or there is a warning: a text without a translation is shown in English."""
    assert len(program_texts()) > 800
    warn_untranslated(language, of_program(language))


WAYS = {
    "an argument": 'report.add("r", 1, "{text}", None)',
    "a keyword": 'Finding("r", 1, Text("x y"), None, help=("{text}",))',
    "a variable": 'told = "{text}"\nreport.add("r", 1, told if told else None)',
    "a choice": 'told = {{True: "{text}"}}[True]\nreport.add("r", 1, told)',
    "a constant": '_WRONG = ("x y", "{text}")\ndef f():\n  report.add("r", 1, _WRONG[1])',
    "a parameter": 'def wrong(told):\n  report.add("r", 1, told)\nwrong("{text}")',
    "a function": 'def told() -> str:\n  return "{text}"\nreport.add("r", 1, told())',
    "a default way": 'from functools import partial\nf = partial(fault)\nf("r", "{text}")',
    "a loop": 'for rule, told in (("r", "{text}"),):\n  report.add(rule, 1, told)',
    "a list": 'lines = []\nlines.append("{text}")\nreport.add("r", 1, "x y", help_lines=lines)',
    "another part": 'told = "a text"\ntold += " in parts"\nreport.add("r", 1, told)',
    "an error": 'class Wrong(ReadError):\n  ...\nraise Wrong("r", "{text}")',
    "a refusal": 'import output\nraise output.Refused("{text}")',
}
DEFINED = """\
class Text(str):
  def __new__(cls, template: str, many: str = "", number: int = 1, /, **values): ...
class Finding(NamedTuple):
  rule: str
  severity: int
  message: str
  span: object
  help: tuple[str, ...] = ()
class ReadError(Exception):
  def __init__(self, rule: str, message: str) -> None: ...
class Refused(Exception):
  def __init__(self, message: str) -> None: ...
class Report:
  def add(self, rule: str, severity: int, message: str, span=None, help_lines=()) -> None:
    self.findings.append(Finding(rule, severity, message, span, help_lines))
def fault(rule: str, message: str) -> Finding:
  return Finding(rule, 1, message, None)
"""


@pytest.mark.parametrize("way", WAYS)
def test_a_text_is_found_however_it_reaches_a_finding(way: str, tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(DEFINED, encoding="utf-8")
    source = WAYS[way].format(text="a text in parts")
    (tmp_path / "use.py").write_text(source, encoding="utf-8")
    assert "a text in parts" in Program(tmp_path).texts


def test_what_a_reader_never_sees_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(DEFINED, encoding="utf-8")
    source = (
        'names.add("some name")\nreport.add("some rule", 1, Text("{a} is here", a="some value"))'
    )
    (tmp_path / "use.py").write_text(source, encoding="utf-8")
    assert Program(tmp_path).texts == {"{a} is here"}


def test_what_has_no_translation_is_shown_in_english_with_a_warning() -> None:
    text = Text("nobody ever says {this}", this="that")
    assert translated("de", text) == "nobody ever says that"
    with pytest.warns(UntranslatedWarning, match="1 without a translation: nobody ever"):
        warn_untranslated("de", [text])
