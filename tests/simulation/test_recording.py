"""Simulated games as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from altay_cli.base.findings import ImpossibleError
from altay_cli.simulation.recording import Recorder, variant_files
from altay_cli.simulation.simulated import Playout, PlayPlan

PLAN = PlayPlan("altay", 2, ("random",), 1)


def outcome(number: int, log: str | None = "a log\n") -> Playout:
    return Playout(number, True, "the end", log=log)


def test_games_are_files_by_their_padded_numbers(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "new" / "logs", 12)
    recorder.begin(PLAN)
    recorder.write(outcome(1, "one ö\n"))
    recorder.write(outcome(12))
    recorder.write(outcome(3, None))
    recorder.finish()
    found = sorted(path.name for path in recorder.folder.iterdir())
    assert found == ["game-0001.agn", "game-0012.agn"]
    assert (recorder.folder / "game-0001.agn").read_bytes() == "one ö\n".encode()


def test_very_many_games_get_longer_numbers(tmp_path: Path) -> None:
    assert Recorder(tmp_path, 100_000).path(7).name == "game-000007.agn"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    old = tmp_path / "game-0002.agn"
    old.write_text("mine", encoding="utf-8")
    with pytest.raises(ImpossibleError, match="already exists"):
        Recorder(tmp_path, 2).begin(PLAN)
    with pytest.raises(ImpossibleError, match="already exists"):
        Recorder(tmp_path, 2).write(outcome(2))
    assert old.read_text(encoding="utf-8") == "mine"
    Recorder(tmp_path, 1).begin(PLAN)


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "below"):
        with pytest.raises(ImpossibleError, match=r"file.*: "):
            Recorder(folder, 1).begin(PLAN)


def variant(folder: Path, name: str, extends: str) -> Path:
    path = folder / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'variant: {path.stem}\nextends: {extends}\ntitle: A variant\nversion: "1.0"\n'
        "change:\n  - {set: numbers.hand_size.value, to: 6}\n",
        encoding="utf-8",
    )
    return path


def test_variant_files_are_those_that_are_named_and_what_they_extend(tmp_path: Path) -> None:
    own = variant(tmp_path, "own", "below/base.yaml")
    base = variant(tmp_path, "below/base", "trading")
    variant(tmp_path, "other", "altay")
    tags = (("Variant", "druid"), ("Variant", "own.yaml"), ("Map", "full"))
    plan = replace(PLAN, tags=tags, folder=tmp_path)
    assert sorted(variant_files(plan)) == sorted([own, base])
    assert variant_files(PLAN) == []


def test_variant_files_are_copied_to_the_same_places(tmp_path: Path) -> None:
    files = [variant(tmp_path, "own", "below/base.yaml"), variant(tmp_path, "below/base", "altay")]
    plan = replace(PLAN, tags=(("Variant", "own.yaml"),), folder=tmp_path)
    target = tmp_path / "logs"
    Recorder(target, 1).begin(plan)
    assert (target / "own.yaml").read_bytes() == files[0].read_bytes()
    assert (target / "below" / "base.yaml").read_bytes() == files[1].read_bytes()
    # The same text may be there; another one is kept, and nothing is played.
    Recorder(target, 1).begin(plan)
    (target / "own.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(ImpossibleError, match="already exists"):
        Recorder(target, 1).begin(plan)
