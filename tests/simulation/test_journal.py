"""Runs of simulated games that were cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from altay_cli.base.findings import ImpossibleError
from altay_cli.simulation import recording
from altay_cli.simulation.measuring import Side
from altay_cli.simulation.recording import JOURNAL, Recorder, run_key
from altay_cli.simulation.simulated import Playout, PlayPlan
from tests.simulation.test_recording import variant

PLAN = PlayPlan("altay", 2, ("random", "fight"), 7, (("Map", "full"),))


def outcome_text(outcome: Playout) -> bytes:
    """Return an outcome whose log has been written as it stands in a journal, without its seal."""
    return recording._sealed("", (True, outcome)).partition(b" ")[2]


def begun(folder: Path) -> dict[int, Playout]:
    """Begin a run of three games in a folder; return the two that are played."""
    outcomes = {
        1: Playout(1, True, "the end", 12, 300, sides=[Side(1, "fight", 9, 0.5, {"wonders": 4})]),
        2: Playout(2, False, "cannot be laid out"),
    }
    recorder = Recorder(folder, 3)
    recorder.begin(PLAN)
    for outcome in outcomes.values():
        log = "a log\n" if outcome.ended else None
        recorder.write(replace(outcome, log=log))
    return outcomes


def resumed(folder: Path) -> Recorder:
    """Return what goes on with the run of three games."""
    recorder = Recorder(folder, 3)
    recorder.begin(PLAN)
    return recorder


def test_what_was_played_is_read_as_it_was(tmp_path: Path) -> None:
    outcomes = begun(tmp_path)
    recorder = resumed(tmp_path)
    assert recorder.done == outcomes
    assert recorder.seed == 7
    recorder.path(1).unlink()  # then it must be played again
    recorder = resumed(tmp_path)
    assert list(recorder.done) == [2]
    recorder.finish()
    assert list(tmp_path.iterdir()) == []


def test_lines_that_were_cut_off_or_that_others_wrote_count_for_nothing(tmp_path: Path) -> None:
    outcomes = begun(tmp_path)
    file = tmp_path / JOURNAL
    text = file.read_bytes()
    forged = text.replace(outcome_text(outcomes[1]), outcome_text(replace(outcomes[1], rounds=13)))
    assert forged != text
    file.write_bytes(forged)
    assert resumed(tmp_path).done == {2: outcomes[2]}
    # The last line is cut off, and what is noted later stands apart from it.
    file.write_bytes(text[:-20])
    found = resumed(tmp_path)
    assert found.done == {1: outcomes[1]}
    found.write(outcomes[2])
    assert resumed(tmp_path).done == outcomes
    # A whole journal of another run says nothing here either.
    other = Recorder(tmp_path / "other", 3)
    plan = replace(PLAN, seed=8)
    other.begin(plan)
    file.write_bytes(other.journal.read_bytes() + text.partition(b"\n")[2])
    found = Recorder(tmp_path, 3)
    found.begin(plan)
    assert found.done == {}


def test_a_run_of_a_program_that_noted_other_things_is_not_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(recording, "__version__", "0.0")
        begun(tmp_path)
    recorder = Recorder(tmp_path, 3)
    with pytest.raises(ImpossibleError, match=r"seed 7 was cut off there.* the program differ"):
        recorder.begin(PLAN)


@pytest.mark.parametrize(
    "text", [b"", b"my own notes\n", b"{}\n", b"0 " + b"[" * 100_000], ids=range(4)
)
def test_a_file_of_that_name_that_is_no_journal_stays(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / JOURNAL
    file.write_bytes(text)
    recorder = Recorder(tmp_path, 3)
    assert recorder.seed is None
    with pytest.raises(ImpossibleError, match="file exists"):
        recorder.begin(PLAN)
    recorder.finish()
    assert file.read_bytes() == text


def test_without_a_place_for_a_secret_there_is_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "seal", lambda *_: None)
    begun(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["game-0001.agn"]


def test_what_a_run_is_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def about(plan: PlayPlan, name: str, games: int = 3, added: str = "") -> object:
        variant(tmp_path / name, "own", "below/base.yaml")
        base = variant(tmp_path / name, "below/base", "altay")
        base.write_text(base.read_text(encoding="utf-8") + added, encoding="utf-8")
        tags = (*plan.tags, ("Variant", "own.yaml"))
        return run_key(replace(plan, folder=tmp_path / name, tags=tags), games)

    same = about(PLAN, "one")
    # Where the program runs is nothing to it, nor are more of its games.
    monkeypatch.chdir(tmp_path)
    assert about(PLAN, "one", 4) == same
    others = [
        about(PLAN, "one", 10_000),  # their files have longer names
        about(PLAN, "one", added="# changed\n"),
        about(replace(PLAN, seed=8), "one"),
        about(replace(PLAN, players=3), "one"),
        about(replace(PLAN, policies=("random",)), "one"),
        about(replace(PLAN, tags=()), "one"),
    ]
    assert same not in others


def test_other_rules_are_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "altay"
    game.mkdir()
    (game / "game.yaml").write_text("game: altay\n", encoding="utf-8")
    monkeypatch.setenv("ALTAY_PACKS", str(tmp_path))
    before = run_key(PLAN, 3)
    assert run_key(PLAN, 3) == before
    (game / "game.yaml").write_text("game: altay \n", encoding="utf-8")
    assert run_key(PLAN, 3) != before
