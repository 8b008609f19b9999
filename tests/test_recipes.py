"""Each house rule of docs/recipes is usable, and its log is judged otherwise with it than without.

Behind a statement of a log stands what is found there: `# with: RULE`, `# without: RULE`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from tests.cli.sample import run
from tests.test_doc_made import maker
from tests.test_docs import ROOT

FOLDER = ROOT / "docs" / "recipes"
RECIPES = sorted(FOLDER.glob("*.yaml"))


def found(text: str) -> list[tuple[int, str]]:
    findings = [one for game in check_text(text, "log.agn", FOLDER).games for one in game.findings]
    return [(one.span.line, one.rule) for one in findings if one.severity is Severity.ERROR]


def announced(text: str, how: str) -> list[tuple[int, str]]:
    lines = enumerate(text.splitlines(), 1)
    return [
        (number, rule) for number, line in lines for rule in re.findall(rf"# {how}: (\S+)", line)
    ]


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_the_log_is_judged_otherwise(path: Path) -> None:
    log = path.with_suffix(".agn").read_text("utf-8")
    assert f'[Variant "{path.name}"]' in log
    plain: str = maker().without(log)
    assert found(log) == announced(log, "with")
    assert found(plain) == announced(log, "without")
    assert bool(found(log)) != bool(found(plain))


def test_all_of_them_are_usable() -> None:
    result = run("rules", "check", "--apart", "--play", "0", *map(str, RECIPES))
    assert result.exit_code == 0, result.stdout
    assert result.stdout.count("well formed and usable") == len(RECIPES)


def test_the_page_shows_all_of_them() -> None:
    module = maker()
    shown = [name for names in module.RECIPES.values() for name in names]
    assert sorted(shown) == [path.stem for path in RECIPES]
    assert len(shown) == 20
    page = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    assert page == module.recipes(), "run `python docs/make.py`"
