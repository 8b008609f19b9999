"""A language in which every sentence is its values in reverse: nothing reads what it says.

Rules, places and fixes are those of English, whatever the words are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from altay_cli.base import translations
from altay_cli.checking.check import check_text
from altay_cli.checking.tags import forget_rules
from altay_cli.pack.model import Pack
from altay_cli.pack.words import Words, split_message
from attack.stored import text_of
from tests.written.test_written import ALL, Slip

REVERSED = "xx"
LOGS = [
    *(f"{how} {number}" for how in ("changed", "masked") for number in range(6)),
    "tests/games/ten-mistakes.agn",
]
SLIPS = {slip.cause: slip for slip in ALL if slip.cause != "no finding"}


class Reversed:
    """A catalogue that gives each template back as its places, the last one first."""

    def gettext(self, template: str) -> str:
        return " ".join(f"{{{place}}}" for place in reversed(places(template))) or "-"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)

    def pgettext(self, context: str, template: str) -> str:
        return self.gettext(template)

    def npgettext(self, context: str, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)


class ReversedTexts(dict[str, str]):
    """Texts of rules that give each message back as its expressions, the last one first."""

    def get(self, text: str, default: object = None) -> str:  # type: ignore[override]
        expressions = [part for part, offset in split_message(text) if offset is not None]
        return " ".join(f"{{{part}}}" for part in reversed(expressions)) or "-"


def places(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name]


@pytest.fixture(autouse=True)
def reversed_language(monkeypatch: pytest.MonkeyPatch) -> None:
    own = translations._catalogue
    monkeypatch.setattr(
        translations, "_catalogue", lambda code: Reversed() if code == REVERSED else own(code)
    )


@pytest.fixture
def reversed_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the rules speak the language too: their texts come from the pack, not a catalogue."""
    make = Words.__init__

    def words(self: Words, pack: Pack, language: str) -> None:
        make(self, pack, language)
        if language == REVERSED:
            self._texts = ReversedTexts()

    monkeypatch.setattr(Words, "__init__", words)
    forget_rules()  # with the words that are kept with them
    yield
    forget_rules()


def found(text: str, language: str) -> list[object]:
    """Return the rules, places and fixes of all findings, and the verdicts."""
    games = check_text(text, language=language).games
    return [
        (game.verdict, finding.rule, finding.severity, finding.span, finding.fixes, finding.cite)
        for game in games
        for finding in game.findings
    ]


def said(text: str, language: str) -> list[str]:
    return [f.message for game in check_text(text, language=language).games for f in game.findings]


@pytest.mark.parametrize("name", LOGS)
def test_what_is_found_does_not_depend_on_words(name: str) -> None:
    text = Path(name).read_text(encoding="utf-8") if name.endswith(".agn") else text_of(name)
    assert found(text, REVERSED) == found(text, "en")


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_what_a_slip_is_taken_for_does_not_depend_on_words(slip: Slip) -> None:
    text = slip.text(slip.wrong)
    assert found(text, REVERSED) == found(text, "en")


@pytest.mark.usefixtures("reversed_rules")
def test_the_language_is_spoken() -> None:
    for text in (text_of("changed 0"), Path(LOGS[-1]).read_text(encoding="utf-8")):
        assert set(said(text, REVERSED)).isdisjoint(said(text, "en"))
