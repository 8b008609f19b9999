"""What logs of all findings need translated has a translation, or there is a warning.

The texts are collected while logs are judged, so none is missed, however it reaches a finding.
"""

from __future__ import annotations

import ast
from functools import lru_cache

import pytest

pytest.importorskip("babel", reason="what altay[dev] brings along")

from altay_cli.base import translations
from altay_cli.checking import tags
from altay_cli.checking.check import check_text
from tests.findings.test_said import logs
from tests.languages.program_texts import CODE, has_words
from tests.languages.untranslated import OTHERS, ids, written
from tests.languages.warned import warn_untranslated
from tests.written.test_written import ALL


class Recording:
    """A catalogue without translations that keeps what it is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def gettext(self, template: str) -> str:
        self.asked.add(template)
        return template

    def ngettext(self, one: str, many: str, number: int) -> str:
        self.asked |= {one, many}
        return one if number == 1 else many

    def pgettext(self, context: str, template: str) -> str:
        del context
        return template


def strings_of_source() -> set[str]:
    """Return all strings in the source of the program."""
    return {
        node.value
        for path in CODE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_what_reaches_a_finding_is_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording()
    monkeypatch.setattr(translations, "_catalogue", lambda _: recording)
    # Packs keep corrections made without translations: other tests need other packs.
    monkeypatch.setattr(tags, "_loaded", lru_cache(tags._loaded.__wrapped__))
    for _, path in logs():
        check_text(path.read_text(encoding="utf-8"), folder=path.parent, language="de")
    for slip in ALL:
        check_text(slip.text(slip.wrong), language="de")
    ours = {text for text in recording.asked & strings_of_source() if " " in text}
    assert len(ours) > 80
    for language in OTHERS:
        known = {text for _, text in ids(written(language))}
        warn_untranslated(language, {text for text in ours if has_words(text)} - known)
