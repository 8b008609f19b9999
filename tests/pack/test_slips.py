"""How reading goes on after a breach stands in `slips.yaml`, and changes by path like the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from tests.rules.test_state import FOLK
from tests.small import compile_folder

RULES = data_folder("rules") / "altay"

# Ann places food that she does not have (`place-have`), and builds. That is a second error where
# the food is not brought from the reserve, so that the Village is not full.
LOG = f"""[Game "altay"]
[Variant "slips.yaml"]
position
{FOLK}  Ann: table Village with food
  Ann: hand 4 Warrior
  Ann: settlements F2
  Bob: settlements F6
turn 3 Ann
  place food on Village
  build F2
"""


def found(tmp_path: Path, *changes: str) -> list[str]:
    """Return the rules of the findings under a variant."""
    lines = "".join(f"  - {change}\n" for change in changes)
    # A file of its own each: a process does not read one again.
    name = f"slips-{len(list(tmp_path.iterdir()))}.yaml"
    (tmp_path / name).write_text(
        f"variant: slips\nextends: altay\ntitle: Slips\nchange:\n{lines}", encoding="utf-8"
    )
    (game,) = check_text(LOG.replace("slips.yaml", name), "game.agn", tmp_path).games
    return [finding.rule for finding in game.findings]


def test_what_is_mended_counts_for_what_follows(tmp_path: Path) -> None:
    unchanged = "{set: slips.rules.trade-reserve.then, to: skip}"
    assert found(tmp_path, unchanged) == ["place-have"]


def test_a_variant_says_how_reading_goes_on(tmp_path: Path) -> None:
    changed = "{set: slips.rules.place-have, to: {then: skip}}"
    assert found(tmp_path, changed) == ["place-have", "build-nothing"]
    stopped = "{set: slips.rules.place-have, to: {then: over}}"
    assert found(tmp_path, stopped) == ["place-have"]


def test_what_is_said_of_one_move_comes_first(tmp_path: Path) -> None:
    of_place = "{add: slips.moves.place, to: {place-have: {then: skip}}}"
    assert found(tmp_path, of_place) == ["place-have", "build-nothing"]
    of_another = "{add: slips.moves.place-on-achievement, to: {place-have: {then: skip}}}"
    assert found(tmp_path, of_another) == ["place-have"]


def test_a_new_rule_can_have_a_slip(tmp_path: Path) -> None:
    rule = (
        "{extend: moves.place.requires, first: true, with: "
        '[{rule: no-villages, that: "false", else: "no villages"}]}'
    )
    assert found(tmp_path, rule) == ["no-villages"]
    skipped = "{add: slips.rules.no-villages, to: {then: skip}}"
    assert found(tmp_path, rule, skipped) == ["no-villages", "build-nothing"]


@pytest.mark.parametrize(
    "gone",
    ["moves.trade", "moves.vp", "moves.take.requires.take-empty", "checks.secret-missing"],
)
def test_what_a_variant_takes_away_needs_no_slip(tmp_path: Path, gone: str) -> None:
    assert found(tmp_path, f"{{remove: {gone}}}") == ["place-have"]


def test_every_breach_that_reading_mends_is_a_rule_of_the_game() -> None:
    """No requirement says by itself how reading goes on: all of that stands in one file."""
    assert compile_folder(RULES).codes == load_pack("altay").codes
    for path in (*RULES.glob("moves/*.yaml"), *RULES.glob("variants/*.yaml")):
        text = path.read_text(encoding="utf-8")
        assert "otherwise: " not in text
        assert "mend:" not in text
