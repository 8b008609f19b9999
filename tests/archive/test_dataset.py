"""A dataset: the same bytes however many processes write it, and after whatever interrupts it."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from altay_cli.archive import dataset, judging, manifest
from altay_cli.archive.query import ask, open_dataset
from altay_cli.archive.sources import SourceGame
from altay_cli.base.resources import data_folder
from altay_cli.checking.tags import forget_rules
from altay_cli.report.tables import TABLES
from tests.archive.test_jobs import nim
from tests.cli.sample import run

GAMES = 25
A_PART = 10
"""How many games make a part here."""

VARIANT = """\
variant: {name}
extends: {under}
title: {title}
version: "1.0"
change:
  - {{set: title, to: {title}}}
"""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "PART_GAMES", A_PART)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Return a folder with a file of many games, and files of one game."""
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "all.agn").write_text("".join(map(nim, range(15))))
    for number in range(15, GAMES):
        (folder / f"{number}.agn").write_text(nim(number))
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """Return what the files of a folder hold."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(files)}


def rows(folder: Path, question: str) -> list[tuple[Any, ...]]:
    _, database = open_dataset(folder)
    return [*ask(database, question).rows()]


def check(club: Path, folder: Path, *options: str | Path) -> Any:
    return run("check", club, "--dataset", folder, "--jobs", "1", *options)


class Judged:
    """Counts the games that are judged."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: list[str] = []
        real = judging.judge

        def judge(how: judging.Judgement, games: list[SourceGame]) -> list[judging.UnitResult]:
            self.paths += [Path(game.path).name for game in games]
            return real(how, games)

        monkeypatch.setattr(judging, "judge", judge)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Judged:
    return Judged(monkeypatch)


# ---------------------------------------------------------------- what is written


def test_every_game_is_there_in_order_with_its_verdict(club: Path, tmp_path: Path) -> None:
    plain = run("check", club)
    result = check(club, tmp_path / "results")
    assert result.stdout == plain.stdout
    assert result.exit_code == plain.exit_code == 1
    found = rows(tmp_path / "results", "SELECT game_id, verdict, number, path FROM games")
    assert [ident for ident, *_ in found] == [*range(1, GAMES + 1)]
    files = [Path(path).name for *_, path in found]
    assert files == [*(f"{number}.agn" for number in range(15, GAMES)), *["all.agn"] * 15]
    assert [number for *_, number, _ in found][-15:] == [*range(1, 16)]
    # Of five games, the others are wrong: in a move, an unknown word, or the claim of the result.
    assert [verdict for _, verdict, *_ in found[:5]] == ["legal", *["illegal"] * 4]


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "all.agn").write_text("".join(map(nim, range(230))))
    for jobs in ("1", "2"):
        run("check", folder, "--dataset", tmp_path / jobs, "--changes", "-j", jobs)
    one, two = content(tmp_path / "1"), content(tmp_path / "2")
    assert one == two
    assert len(one) == 1 + 23 * len(TABLES)


def test_what_is_not_recorded_is_null(tmp_path: Path) -> None:
    log = tmp_path / "game.agn"
    # Not over; no such rules; a score pad whose totals are all that is known.
    log.write_text(
        nim(3)
        + '[Game "unheard of"]\nsetup\n'
        + '[Game "altay"]\nresult\n  Ann: score 12\n  Bob: score 7\n'
    )
    check(log, tmp_path / "results")
    about = "SELECT ended, rounds, moves, winners, decided_by, players FROM games"
    assert rows(tmp_path / "results", about) == [
        (False, 1, 1, None, None, 2),
        (None, None, None, None, None, None),
        (False, 0, 0, None, None, None),
    ]
    totals = "SELECT player, total, winner, share FROM players WHERE game_id = 3 ORDER BY seat"
    assert rows(tmp_path / "results", totals) == [("Ann", 12, None, None), ("Bob", 7, None, None)]
    points = "SELECT DISTINCT points FROM scores WHERE game_id = 3"
    assert rows(tmp_path / "results", points) == [(None,)]


def test_statements_say_what_they_were_taken_for(tmp_path: Path) -> None:
    log = tmp_path / "game.agn"
    log.write_text(nim(0) + nim(1) + nim(2))
    check(log, tmp_path / "results")
    taken = "SELECT line, turn, player, move, things, numbers, legal FROM statements WHERE phase = 'turn' AND NOT heading"
    assert rows(tmp_path / "results", taken) == [
        (8, 1, "Ann", "take", ["a"], [2], True),
        (9, 1, "Bob", "take", ["a"], [1], True),
        (19, 1, "Ann", "take", ["a"], [2], True),
        (20, 1, "Bob", "take", ["a"], [3], False),
        (30, 1, "Ann", "take", ["a"], [2], True),
        # What a wrong statement probably meant.
        (31, 1, "Bob", "take", ["a"], [1], False),
    ]
    wrong = "SELECT rule, s.line, s.text FROM findings f JOIN statements s USING (game_id, statement) WHERE game_id = 2"
    assert ("not-there", 20, "take 3 from A") in rows(tmp_path / "results", wrong)


def test_changes_say_what_each_statement_changed(tmp_path: Path) -> None:
    log = tmp_path / "game.agn"
    log.write_text(nim(0))
    check(log, tmp_path / "results", "--changes")
    heaps = "SELECT line, place, before, after FROM changes JOIN statements USING (game_id, statement) WHERE zone = 'size' ORDER BY line"
    assert rows(tmp_path / "results", heaps) == [
        (6, ["a"], 0, 3),
        (8, ["a"], 3, 1),
        (9, ["a"], 1, 0),
    ]


def test_a_number_that_no_column_holds_is_null() -> None:
    import pyarrow as pa

    assert dataset._array([10**30, 7, -(10**30), None], pa.int64()).to_pylist() == [
        None,
        7,
        None,
        None,
    ]
    assert dataset._array([2**31, 2**31 - 1], pa.int32()).to_pylist() == [None, 2**31 - 1]


def test_lines_of_json_have_the_same_rows(tmp_path: Path) -> None:
    log = tmp_path / "game.agn"
    log.write_text("".join(map(nim, range(5))))
    check(log, tmp_path / "results", "--changes")
    lines = run("check", log, "--format", "jsonl", "--tables", "--changes").stdout.splitlines()
    plain = run("check", log, "--format", "jsonl").stdout.splitlines()
    for ident, (line, without) in enumerate(zip(lines, plain, strict=True), 1):
        document = json.loads(line)
        found = document.pop("tables")
        assert document == json.loads(without)
        assert list(found) == list(TABLES)
        for table, listed in found.items():
            question = f"FROM {table} WHERE game_id = {ident}"
            asked = json.loads(
                run("query", tmp_path / "results", question, "--format", "json").stdout
            )
            outside = set(asked[0]) - set(listed[0]) if listed else set()
            assert outside <= {"game_id", "path", "number", "line", "key"}
            assert [{k: v for k, v in row.items() if k not in outside} for row in asked] == listed
    assert run("check", log, "--tables").exit_code == 2


# ---------------------------------------------------------------- what is judged again


def fresh(club: Path, tmp_path: Path, *options: str) -> dict[str, bytes]:
    """Return what an undisturbed run into a new folder writes."""
    folder = tmp_path / "fresh"
    shutil.rmtree(folder, ignore_errors=True)
    check(club, folder, *options)
    return content(folder)


def test_nothing_is_judged_again_where_nothing_has_changed(
    club: Path, tmp_path: Path, judged: Judged
) -> None:
    folder = tmp_path / "results"
    first = check(club, folder)
    before = content(folder)
    judged.paths.clear()
    again = check(club, folder, "--resume")
    assert judged.paths == []
    assert content(folder) == before
    # The verdicts, and so the exit code, are those of all games.
    assert again.exit_code == first.exit_code == 1
    assert again.stdout.splitlines()[-1] == first.stdout.splitlines()[-1]
    assert "25 of 25 games were judged before" in again.stderr


def test_what_has_changed_is_judged_again_and_the_rest_is_not(
    club: Path, tmp_path: Path, judged: Judged
) -> None:
    folder = tmp_path / "results"
    check(club, folder)
    (club / "17.agn").write_text(nim(5).replace("round 5", "replayed"))
    (club / "18.agn").unlink()
    (club / "160.agn").write_text(nim(160))
    with (club / "all.agn").open("a") as more:
        more.write(nim(15))
    judged.paths.clear()
    check(club, folder, "--resume")
    assert sorted(judged.paths) == ["160.agn", "17.agn", "all.agn"]
    assert content(folder) == fresh(club, tmp_path)
    assert rows(folder, "SELECT count(*) FROM games") == [(26,)]


def test_a_changed_variant_beside_the_log_is_noticed(
    club: Path, tmp_path: Path, judged: Judged
) -> None:
    for name in ("house", "base"):
        (club / f"{name}.yaml").write_text(
            VARIANT.format(name=name, under="base.yaml" if name == "house" else "nim", title=name)
        )
    for number, kept in ((20, "house"), (21, "base")):
        (club / f"{number}.agn").write_text(
            nim(0).replace("[Event", f'[Variant "{kept}.yaml"]\n[Event')
        )
    folder = tmp_path / "results"
    check(club, folder)
    assert rows(folder, "SELECT variants FROM games WHERE path LIKE '%20.agn'") == [
        (["base", "house"],)
    ]
    judged.paths.clear()
    forget_rules()
    (club / "house.yaml").write_text(VARIANT.format(name="house", under="base.yaml", title="Other"))
    check(club, folder, "--resume")
    assert judged.paths == ["20.agn"]
    judged.paths.clear()
    forget_rules()
    # What another variant extends.
    (club / "base.yaml").write_text(VARIANT.format(name="base", under="nim", title="Other"))
    check(club, folder, "--resume")
    assert judged.paths == ["20.agn", "21.agn"]
    assert content(folder) == fresh(club, tmp_path)


def test_changed_rules_are_noticed(club: Path, tmp_path: Path, judged: Judged) -> None:
    packs = tmp_path / "packs"
    shutil.copytree(data_folder("rules") / "nim", packs / "nim")
    (club / "other.agn").write_text('[Game "othello"]\nsetup\n  seat Ann\n  seat Bob\n')
    folder = tmp_path / "results"
    check(club, folder, "--packs", packs)
    judged.paths.clear()
    forget_rules()
    rules = packs / "nim" / "game.yaml"
    rules.write_text(rules.read_text().replace('version: "1.0"', 'version: "1.1"'))
    check(club, folder, "--packs", packs, "--resume")
    assert "other.agn" not in judged.paths
    assert len(judged.paths) == GAMES
    assert rows(folder, "SELECT DISTINCT version FROM games WHERE game = 'nim'") == [("1.1",)]
    forget_rules()


def test_other_settings_judge_all_games_again(club: Path, tmp_path: Path, judged: Judged) -> None:
    folder = tmp_path / "results"
    check(club, folder)
    for options in (["--strict"], ["--strict", "--changes"], ["--lang", "de"]):
        judged.paths.clear()
        check(club, folder, "--resume", *options)
        assert len(judged.paths) == GAMES
        assert content(folder) == fresh(club, tmp_path, *options)


def test_a_damaged_part_is_judged_again(club: Path, tmp_path: Path, judged: Judged) -> None:
    folder = tmp_path / "results"
    check(club, folder)
    before = content(folder)
    damaged = next((folder / "players").glob("00002-*"))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    judged.paths.clear()
    check(club, folder, "--resume")
    assert len(judged.paths) == A_PART
    assert content(folder) == before


# ---------------------------------------------------------------- what interrupts a run


class Killed(BaseException):
    """Ends a run as a signal would: nothing is cleared up."""


def interrupt(
    monkeypatch: pytest.MonkeyPatch, after: int, error: Callable[[], BaseException]
) -> None:
    """Let all writes fail behind the first few."""
    real, written = dataset.write_atomically, 0

    def write(path: Path, data: bytes) -> None:
        nonlocal written
        written += 1
        if written > after:
            raise error()
        real(path, data)

    monkeypatch.setattr(dataset, "write_atomically", write)


# Between the files of the second part, and between the last part and the end.
@pytest.mark.parametrize("after", [10, 18])
def test_a_killed_run_is_continued_to_the_same_bytes(
    after: int, club: Path, tmp_path: Path, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, real = tmp_path / "results", dataset.write_atomically
    interrupt(monkeypatch, after, Killed)
    with pytest.raises(Killed):
        check(club, folder)
    monkeypatch.setattr(dataset, "write_atomically", real)
    written = manifest.read_manifest(folder)
    assert written is not None
    assert not written.complete
    done = sum(part.games for part in written.parts)
    # What is complete can be asked already.
    assert rows(folder, "SELECT count(*) FROM games") == [(done,)]
    assert "incomplete" in run("query", folder, "FROM games").stderr
    judged.paths.clear()
    check(club, folder, "--resume")
    assert len(judged.paths) == GAMES - done
    assert content(folder) == fresh(club, tmp_path)


def test_a_resumed_run_that_is_killed_loses_nothing(
    club: Path, tmp_path: Path, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, real = tmp_path / "results", dataset.write_atomically
    check(club, folder)
    # The first game has gone, so that all parts are others.
    (club / "15.agn").unlink()
    interrupt(monkeypatch, 9, Killed)
    with pytest.raises(Killed):
        check(club, folder, "--resume")
    monkeypatch.setattr(dataset, "write_atomically", real)
    judged.paths.clear()
    check(club, folder, "--resume")
    assert judged.paths == []
    assert content(folder) == fresh(club, tmp_path)


def test_a_full_disk_ends_in_an_error_and_what_was_written_stays(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, real = tmp_path / "results", dataset.write_atomically
    interrupt(monkeypatch, 10, lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    result = check(club, folder)
    monkeypatch.setattr(dataset, "write_atomically", real)
    assert result.exit_code == 2
    assert "no space left on device; the dataset holds 10 games" in result.stderr.lower()
    assert "Traceback" not in result.stderr
    assert rows(folder, "SELECT count(*) FROM games") == [(10,)]
    check(club, folder, "--resume")
    assert content(folder) == fresh(club, tmp_path)


# ---------------------------------------------------------------- what is refused


def test_nothing_that_is_there_is_overwritten(club: Path, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    check(club, folder)
    before = content(folder)
    again = check(club, folder)
    assert again.exit_code == 2
    assert "there is a dataset already" in again.stderr
    assert content(folder) == before
    for options in ([], ["--resume"]):
        other = check(club, club, *options)
        assert other.exit_code == 2
        assert "the folder holds other files" in other.stderr
    assert not (club / "games").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--max-errors", "3"],
        ["--under", "nim"],
        ["--watch"],
        ["--resume", "--format", "json"],
        ["--resume", "--statistics"],
    ],
)
def test_what_does_not_go_together_is_refused(
    options: list[str], club: Path, tmp_path: Path
) -> None:
    result = check(club, tmp_path / "results", *options)
    assert result.exit_code == 2
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("option", ["--resume", "--changes"])
def test_options_of_datasets_need_one(option: str, club: Path) -> None:
    result = run("check", club, option)
    assert result.exit_code == 2
    assert "needs --dataset" in result.stderr


@pytest.mark.parametrize(("library", "command"), [("pyarrow", "check"), ("duckdb", "query")])
def test_a_library_that_is_not_there_is_named(
    library: str, command: str, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "find_spec", lambda _: None)
    options = [club, "--dataset"] if command == "check" else []
    result = run(command, *options, tmp_path / "results")
    assert result.exit_code == 2
    assert f"datasets need {library}: pip install 'altay[archive]'" in result.stderr


# ---------------------------------------------------------------- simulated games


def test_simulated_games_have_the_tables_of_their_logs(tmp_path: Path) -> None:
    play = ["simulate", "--rules", "nim", "--games", "12", "--seed", "7", "--jobs", "1"]
    tables = ["--changes", "--dataset"]
    run(*play, "--out", tmp_path / "logs", *tables, tmp_path / "played")
    run("check", tmp_path / "logs", "--jobs", "1", *tables, tmp_path / "checked")
    assert content(tmp_path / "played") == content(tmp_path / "checked")
    # Without logs, only their places are others.
    run(*play, *tables, tmp_path / "alone")
    assert rows(tmp_path / "alone", "SELECT path FROM games")[-1] == ("game-0012.agn",)
    for name in ("players", "scores", "findings", "statements", "changes"):
        question = f"FROM {name}"
        assert rows(tmp_path / "alone", question) == rows(tmp_path / "played", question)
