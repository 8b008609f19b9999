"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A slow machine is no failure: what must be fast is measured in bench/.
settings.register_profile("altay", deadline=None)
settings.load_profile("altay")

# Rules are tried out by playing where a test asks for it.
os.environ.setdefault("ALTAY_PLAY", "0")

pytest_plugins = ["tests.small"]

SLOW = (
    "attack",
    "classics/test_chess.py",
    "classics/test_connectfour.py",
    "classics/test_tictactoe.py",
    "cli/test_output.py",
    "cli/test_rules_of_variants.py",
    "cli/test_simulate.py",
    "engine/test_any_play.py",
    "engine/test_legal_play.py",
    "engine/test_listing.py",
    "engine/test_recovery.py",
    "engine/test_words_of_two_moves.py",
    "games/test_simulated.py",
    "notation/test_agn_hostile.py",
    "pack/test_bundle.py",
    "pack/test_cache.py",
    "pack/test_playouts.py",
    "pack/test_policies.py",
    "pack/test_rechecking.py",
    "rules/test_languages.py",
    "rules_check/test_any_change.py",
    "rules_check/test_broken.py",
    "rules_check/test_sense.py",
    "rules_check/test_tryout.py",
    "simulation",
    "test_bounded.py",
    "test_hostile.py",
    "variants",
    "view",
)
"""What is left out of the fast lane: whole games by the dozen, rules compiled again and again."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow."""
    here = Path(__file__).parent
    slow = [here / name for name in SLOW]
    for item in items:
        if any(item.path == path or path in item.path.parents for path in slow):
            item.add_marker(pytest.mark.slow)
