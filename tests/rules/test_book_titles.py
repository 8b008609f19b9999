"""Citations name the book by the title that its rules give it, in the language of the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.cli.main import main

CHESS = '[Game "chess"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  move e3 to e4\n'


@pytest.mark.parametrize(
    ("language", "cited"),
    [
        ("en", "see: FIDE Laws of Chess, 3.1\n"),
        ("de", "FIDE-Schachregeln, 3.1\n"),
        ("ja", "FIDEチェス規則"),
    ],
)
def test_a_finding_cites_the_title_of_the_book(tmp_path: Path, language: str, cited: str) -> None:
    log = tmp_path / "game.agn"
    log.write_text(CHESS, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "--lang", language, str(log)])
    assert cited in result.output
    assert "fide," not in result.output


def test_explain_cites_the_title_of_the_book() -> None:
    result = CliRunner().invoke(main, ["explain", "--game", "chess", "own-piece"])
    assert "FIDE Laws of Chess, 3.1" in result.output
