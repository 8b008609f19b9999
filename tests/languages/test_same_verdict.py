"""The language of a report changes words: verdicts, rules and places are the same in each.

`logs/slips.agn` is a game of three players with a lost line and others that follow from it. In
German and Japanese, the names in its errors were read otherwise than in English, so that another
cause was found for them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.findings import Bilingual, Finding, Severity, Span, Text
from altay_cli.base.translations import languages, translated, translated_finding
from altay_cli.checking.check import check_text
from attack.languages import differing

LOGS = Path(__file__).parent / "logs"


@pytest.mark.parametrize("path", sorted(LOGS.glob("*.agn")), ids=lambda path: path.stem)
def test_a_log_is_judged_alike_in_every_language(path: Path) -> None:
    assert differing(path.read_text(encoding="utf-8"), LOGS) == []


BROKEN = """\
[Game "innovation"]
position
  seat Ann
  seat Bob
  Ann: board Tools
  Ann: hand Oars
  Bob: board Archery
turn 4 Ann
  meld Pottery
"""
MELD = {
    "en": "Ann has no Pottery in hand",
    "de": "Ann hat Töpferei nicht auf der Hand",
    "ja": "Annの手札に土器はありません",
}


@pytest.mark.parametrize("language", languages())
def test_the_reader_sees_names_and_messages_in_the_language_of_the_report(language: str) -> None:
    (game,) = check_text(BROKEN, language=language).games
    assert [found.message for found in game.findings] == [MELD[language]]


def test_a_bilingual_text_is_read_in_english_and_shown_in_the_other_language() -> None:
    oars = Bilingual("Oars", "Ruder")
    message = Text("several copies may be meant; {name} is taken", name=oars)
    assert message == "several copies may be meant; Oars is taken"
    assert translated("de", oars) == "Ruder"
    assert translated("en", oars) == "Oars"
    found = Finding("r", Severity.ERROR, message, Span(1, 1, 1, 1), {})
    assert "Ruder" in translated_finding("de", found).message
    # Also where it stands in quotes, which what was written does not change in.
    assert translated("de", Text("did you mean `{name}`?", name=oars)).count("Ruder") == 1
