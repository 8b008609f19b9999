"""The rulebook's own examples, as logs that must be judged as the rulebook judges them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.logs import verify

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.agn"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_judged_as_in_the_rulebook(path: Path) -> None:
    verify(path)
