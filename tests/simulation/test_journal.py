"""Runs of simulated games that were cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from altay_cli.simulation import journal
from altay_cli.simulation.journal import RunJournal, about_plan, read_journal
from altay_cli.simulation.recording import Recorder, RecordingError
from altay_cli.simulation.simulated import Playout, PlayPlan, Side
from tests.simulation.test_recording import variant

PLAN = PlayPlan("altay", 2, ("random", "fight"), 7, (("Map", "full"),))


def begun(folder: Path) -> dict[int, Playout]:
    """Begin a run of three games in a folder; return the two that are played."""
    outcomes = {
        1: Playout(1, True, "the end", 12, 300, sides=[Side(1, "fight", 9, 0.5, {"wonders": 4})]),
        2: Playout(2, False, "cannot be laid out"),
    }
    recorder = Recorder(folder, 3)
    recorder.prepare()
    recorder.begin(about_plan(PLAN, 3, []))
    for outcome in outcomes.values():
        log = "a log\n" if outcome.ended else None
        recorder.write(replace(outcome, log=log))
    return outcomes


def test_what_was_played_is_read_as_it_was(tmp_path: Path) -> None:
    outcomes = begun(tmp_path)
    found = read_journal(tmp_path)
    assert found.outcomes == outcomes
    assert found.about == about_plan(PLAN, 3, [])
    assert found.seed == 7
    recorder = Recorder(tmp_path, 3)
    recorder.resume(found)
    assert recorder.done == outcomes
    recorder.path(1).unlink()  # then it must be played again
    recorder.resume(found)
    assert list(recorder.done) == [2]
    recorder.finish()
    assert list(tmp_path.iterdir()) == []


def test_lines_that_were_cut_off_or_that_others_wrote_count_for_nothing(tmp_path: Path) -> None:
    outcomes = begun(tmp_path)
    file = tmp_path / journal.NAME
    text = file.read_bytes()
    forged = text.replace(b'"rounds": 12', b'"rounds": 13')
    assert forged != text
    file.write_bytes(forged)
    assert read_journal(tmp_path).outcomes == {2: outcomes[2]}
    # The last line is cut off, and what is noted later stands apart from it.
    file.write_bytes(text[:-20])
    found = read_journal(tmp_path)
    assert found.outcomes == {1: outcomes[1]}
    found.add(outcomes[2])
    assert read_journal(tmp_path).outcomes == outcomes
    # A whole journal of another run says nothing here either.
    other = RunJournal(tmp_path / "other")
    other.folder.mkdir()
    other.begin(about_plan(replace(PLAN, seed=8), 3, []))
    file.write_bytes(other.path.read_bytes() + text.partition(b"\n")[2])
    assert read_journal(tmp_path).outcomes == {}


@pytest.mark.parametrize("text", [b"", b"my own notes\n", b"{}\n"])
def test_a_file_of_that_name_that_is_no_journal_stays(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / journal.NAME
    file.write_bytes(text)
    assert read_journal(tmp_path).about is None
    recorder = Recorder(tmp_path, 3)
    recorder.prepare()
    with pytest.raises(RecordingError, match="file exists"):
        recorder.begin(about_plan(PLAN, 3, []))
    recorder.finish()
    assert file.read_bytes() == text


def test_without_a_place_for_a_secret_there_is_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "seal", lambda *_: None)
    begun(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["game-0001.agn"]


def test_what_a_run_is_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def about(plan: PlayPlan, name: str, games: int = 3, added: str = "") -> object:
        paths = [variant(tmp_path / name, "own", "below/base.yaml")]
        paths.append(variant(tmp_path / name, "below/base", "altay"))
        paths[1].write_text(paths[1].read_text(encoding="utf-8") + added, encoding="utf-8")
        return about_plan(replace(plan, folder=tmp_path / name), games, paths)

    same = about(PLAN, "one")
    # Where the variants lie and where the program runs are nothing to it, nor more of its games.
    assert about(PLAN, "two") == same
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
    before = about_plan(PLAN, 3, [])
    assert about_plan(PLAN, 3, []) == before
    (game / "game.yaml").write_text("game: altay \n", encoding="utf-8")
    assert about_plan(PLAN, 3, []) != before
