"""Each house rule of docs/recipes is usable, and its log is judged otherwise with it than without.

Behind a statement of a log stands what is found there: `# with: RULE`, `# without: RULE`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from altay_cli.base.findings import Severity
from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.lint.examine import Examiner
from tests.test_doc_made import maker
from tests.test_docs import ROOT

FOLDER = ROOT / "docs" / "recipes"
RECIPES = sorted(FOLDER.glob("*.yaml"))
SETS = 4
"""So many sets that no two recipes of one exclude each other."""


@cache
def examiner() -> Examiner:
    return Examiner(data_folder("rules") / "altay")


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


# Several at once, to be soon done; alone each of them was compiled for its log.
@pytest.mark.parametrize("first", range(SETS))
def test_there_is_no_problem_in_any(first: int) -> None:
    assert [str(problem) for problem in examiner().examine(RECIPES[first::SETS])] == []


def test_the_page_shows_all_of_them() -> None:
    module = maker()
    shown = [name for names in module.RECIPES.values() for name in names]
    assert sorted(shown) == [path.stem for path in RECIPES]
    assert len(shown) == 20
    page = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    assert page == module.recipes(), "run `python docs/make.py`"
