"""The texts that rules have in English, wherever they stand."""

from __future__ import annotations

import pytest

from altay_cli.lint.logic import _all_texts


@pytest.mark.parametrize("given", ["words('no stone')", 'words("no stone")', "words( 'no stone' )"])
def test_what_an_expression_gives_to_be_translated_is_a_text(given: str) -> None:
    data = {"checks": [{"else": f"{{ended() ? {given} : ''}}"}]}
    assert "no stone" in _all_texts(data)
