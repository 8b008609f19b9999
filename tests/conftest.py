"""What all tests share."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from altay_cli.base.garbage import OBJECTS

# A slow machine is no failure: what must be fast is measured in bench/.
settings.register_profile("altay", deadline=None)
settings.load_profile("altay")

# Rules are tried out by playing where a test asks for it.
os.environ.setdefault("ALTAY_PLAY", "0")

# As the program does it: a test that calls the library takes as much as one behind a test of a command.
gc.set_threshold(OBJECTS)

HERE = Path(__file__).parent

pytest_plugins = ["tests.small"]

SLOW = {
    "archive/test_cluster.py",
    "archive/test_stats.py::test_it_is_drawn",
    "attack",
    "classics/test_chess.py",
    "classics/test_connectfour.py",
    "classics/test_tictactoe.py",
    "cli/test_files.py::test_nothing_of_a_finished_file_stays_in_memory",
    "cli/test_files.py::test_nothing_of_a_finished_game_stays_in_memory",
    "cli/test_fixes_that_harm.py::test_no_certain_fix_of_any_log_brings_a_finding",
    "cli/test_hooks.py::test_sound_files_are_committed",
    "cli/test_hooks.py::test_what_is_not_canonical_is_written_anew_and_told",
    "cli/test_output.py",
    "cli/test_rules_of_variants.py",
    "cli/test_simulate.py",
    "engine/test_any_play.py",
    "engine/test_archived.py::test_whatever_comes_back_counts_as_in_hand",
    "engine/test_choices.py::test_choices_take_few_calls",
    "engine/test_choices_reach.py",
    "engine/test_claims.py::test_what_is_true_fits_whatever_was_not_recorded",
    "engine/test_left_alive.py",
    "engine/test_legal_play.py",
    "engine/test_listing.py::test_every_move_of_a_recorded_game_is_listed",
    "engine/test_listing.py::test_every_move_of_the_legal_logs_of_the_rules_is_listed",
    "engine/test_listing.py::test_some_answers_are_listed_where_there_are_too_many",
    "engine/test_listing.py::test_what_is_accepted_is_listed",
    "engine/test_listing.py::test_what_is_listed_is_accepted_by_check",
    "engine/test_recovery.py::test_many_slips_take_bounded_work",
    "engine/test_unrecorded.py::test_a_game_of_which_one_draw_is_recorded_is_legal",
    "engine/test_words_of_two_moves.py::test_the_order_of_files_does_not_matter",
    "expressions/test_limits.py::test_nested_loops_do_not_crash_the_compiler",
    "expressions/test_limits.py::test_work_is_bounded",
    "expressions/test_properties.py",
    "games/test_simulated.py",
    "languages/test_pseudo.py",
    "languages/test_recorded.py",
    "languages/test_same_verdict.py::test_a_log_is_judged_alike_in_every_language",
    "languages/test_told.py::test_what_rules_are_is_told_in_every_language",
    "notation/test_agn_hostile.py::test_time",
    "pack/test_bundle.py",
    "pack/test_cache.py::test_a_damaged_entry_is_noticed_before_it_is_used",
    "pack/test_constants.py::test_a_constant_is_never_code",
    "pack/test_constants.py::test_no_constant_is_code_in_any_game",
    "pack/test_playouts.py::test_a_move_that_is_removed_leaves_nothing_behind",
    "pack/test_policies.py::test_a_style_beats_chance_and_comes_to_an_end",
    "pack/test_policies.py::test_each_style_does_what_its_name_says",
    "pack/test_view.py::test_every_draw_is_hidden_from_the_others",
    "rules/test_languages.py::test_findings_are_the_same_in_every_language",
    "rules_check/test_any_change.py",
    "rules_check/test_broken.py",
    "rules_check/test_comparing.py",
    "rules_check/test_sense.py",
    "rules_check/test_tryout.py",
    "schemas/test_editors.py",
    "schemas/test_reports.py",
    "simulation",
    "test_bounded.py",
    "test_docs.py::test_commands_work_as_they_are_written[docs/simulate.md]",
    "test_hostile.py",
    "test_recipes.py",
    "variants",
    "view",
}
"""The second lane: folders, files and tests that take long; docs/testing.md says what they prove."""


FIRST, SECOND = "not slow", "slow"

HOLDS_SLOW = {entry.partition("::")[0] for entry in SLOW}
"""The folders and files in which something belongs to the second lane."""


def pytest_configure(config: pytest.Config) -> None:
    """Run the first lane where no file, no word and no marker says what to run.

    A text without a translation is a warning, and no error as other warnings are.
    """
    untranslated = "default::tests.languages.warned.UntranslatedWarning"
    config.addinivalue_line("filterwarnings", untranslated)
    asked = config.option.markexpr or config.option.keyword
    if not asked and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.option.markexpr = FIRST


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read the files of which a lane runs nothing."""
    path = collection_path.relative_to(HERE).as_posix()
    if config.option.markexpr == FIRST and path in SLOW:
        return True
    if config.option.markexpr == SECOND and collection_path.suffix == ".py":
        folder = path.partition("/")[0]
        return None if path in HOLDS_SLOW or folder in HOLDS_SLOW else True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the second lane."""
    for item in items:
        path, _, test = item.nodeid.removeprefix(f"{HERE.name}/").partition("::")
        folder, name = path.partition("/")[0], f"{path}::{test.partition('[')[0]}"
        if not SLOW.isdisjoint((folder, path, name, f"{path}::{test}")):
            item.add_marker(pytest.mark.slow)
