"""The language of a report changes words, and nothing else; `python -m attack languages`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from attack.languages import differing, logs

SAMPLE = [*islice(logs(seed=47), 60)]


@pytest.mark.parametrize(("name", "text", "folder"), SAMPLE, ids=[name for name, *_ in SAMPLE])
def test_a_broken_log_is_judged_alike_in_every_language(
    name: str, text: str, folder: Path | None
) -> None:
    del name
    assert differing(text, folder) == []
