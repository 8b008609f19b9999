"""Statistics over recorded games: those of simulated games, and what logs leave out."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from altay_cli.archive.sources import Sources
from altay_cli.archive.stats import count_games
from altay_cli.archive.workers import LocalWorkers
from tests.archive.test_jobs import nim
from tests.cli.sample import document, put, run

SEAT = ("Ann", "Bob")


def heap(size: int, *takes: int) -> str:
    """Return a game of nim with one heap; who takes the last stone wins."""
    lines = ['[Game "nim"]', "setup", *(f"  seat {name}" for name in SEAT), f"  heap A of {size}"]
    lines += ["turn 1 Ann", *(f"  take {count} from A" for count in takes), ""]
    return "\n".join(lines)


def report(*arguments: str | Path) -> dict[str, Any]:
    """Return the only report of some sources, with its only run."""
    (found,) = document("stats", *arguments)["reports"]
    (of_run,) = found.pop("runs")
    return {**found, **of_run}


# ---------------------------------------------------------------- simulated and recorded


@pytest.mark.parametrize(
    "how",
    [
        "--rules nim --games 40",
        "--rules kalah --games 3",
        "--rules gofish --games 3 --players 3",
        "--rules altay --games 2 --players 3",
        "--rules altay --games 1 --variant six-card-hand --tag Map=full --max-rounds 2",
    ],
)
def test_recorded_games_are_counted_like_those_that_were_simulated(
    tmp_path: Path, how: str
) -> None:
    simulated = document("simulate", *how.split(), "--seed", "5", "--out", tmp_path)
    (ran,) = simulated["runs"]
    recorded = report(tmp_path)
    for key in ("game", "title", "players", "games"):
        assert recorded[key] == simulated[key]
    # A log says neither how its players chose nor why nobody went on.
    assert {*ran} - {*recorded} == {"policies"}
    for key in {*ran} - {"policies", "label", "given_up", "tags"}:
        assert recorded[key] == ran[key], key
    assert sorted(recorded["tags"]) == sorted(ran["tags"])
    unfinished = [(end["games"], end["numbers"]) for end in recorded["given_up"]]
    assert unfinished == [(end["games"], end["numbers"]) for end in ran["given_up"]]


def test_a_setup_of_one_possibility_is_counted_like_any_other(tmp_path: Path) -> None:
    """With four players on the recommended map, each measure of setup moves has four places."""
    how = ("--rules", "altay", "--games", "1", "--players", "4", "--max-rounds", "1")
    run("simulate", *how, "--seed", "2", "--out", tmp_path)
    (game,) = count_games(Sources([str(tmp_path)]).games(), LocalWorkers(1))
    assert game.outcome is not None
    assert [sum(side.things["start"].values()) for side in game.outcome.sides] == [1, 1, 1, 1]


# ---------------------------------------------------------------- counted by hand


def test_who_wins_and_how_long_it_takes(tmp_path: Path) -> None:
    # Ann takes all; Bob takes the last one; Ann takes the last of three.
    put(tmp_path, a=heap(3, 3), b=heap(3, 2, 1), c=heap(3, 1, 1, 1))
    found = report(tmp_path)
    assert (found["games"], found["over"], found["given_up"]) == (3, 3, [])
    assert [(seat["name"], seat["won"]) for seat in found["seats"]] == [("1", 2.0), ("2", 1.0)]
    # The heading of the turn is a move as well, as in simulated games.
    assert found["moves"]["counts"] == [[2, 1], [3, 1], [4, 1]]
    assert "unrecorded" not in found


def test_illegal_games_are_named_and_count_for_nothing(tmp_path: Path) -> None:
    put(
        tmp_path,
        good=heap(3, 3),
        # The second game of the file takes more than there is.
        mixed=heap(3, 3) + heap(3, 4),
        unknown='[Game "nimm-nichts"]\nsetup\n',
    )
    result = run("stats", tmp_path)
    assert result.exit_code == 2
    lines = result.stdout.splitlines()
    assert lines[0] == "Nim: 2 games, 2 players"
    assert lines[-2:] == [
        f"1 illegal game is left out: {tmp_path}/mixed.agn, game 2",
        f"1 game that could not be judged is left out: {tmp_path}/unknown.agn",
    ]
    found = document("stats", tmp_path)
    assert [(Path(one["path"]).name, one["game"], one["verdict"]) for one in found["left_out"]] == [
        ("mixed.agn", 2, "illegal"),
        ("unknown.agn", 1, "not judged"),
    ]
    assert run("stats", tmp_path / "good.agn", tmp_path / "mixed.agn").exit_code == 1
    assert run("stats", tmp_path / "good.agn").exit_code == 0


def test_a_game_that_is_not_over_counts_only_as_such(tmp_path: Path) -> None:
    put(tmp_path, a=heap(3, 3), b=heap(3, 2))
    found = report(tmp_path)
    assert (found["games"], found["over"]) == (2, 1)
    (end,) = found["given_up"]
    assert (end["reason"], end["numbers"]) == ("the log ends before the game does", [2])
    assert found["moves"]["counts"] == [[2, 1]]


def test_what_is_not_recorded_is_no_zero(tmp_path: Path) -> None:
    """A score pad tells of no rounds, moves, seats or purchases; a position of no moves before."""
    position = heap(3, 2, 1).replace("setup", "position")
    put(tmp_path, a=heap(3, 3), b=position)
    found = report(tmp_path)
    assert found["moves"]["counts"] == [[2, 1]]
    assert found["unrecorded"] == [{"title": "Moves", "games": 1}]

    pads = tmp_path / "pads"
    pads.mkdir()
    tags = '[Game "altay"]\nresult\n'
    put(
        pads,
        # Who has more is open: Bob's other points are not written down.
        a=f"{tags}  Ann: score 27\n  Bob: wonders 4\n",
        b=f"{tags}  Ann: score 20\n  Bob: score 10\n  winner Ann\n",
    )
    found = report(pads)
    assert (found["over"], found["seats"]) == (2, [])
    assert [end["reason"] for end in found["endings"]] == ["only the result is recorded"]
    assert found["rounds"]["mean"] is found["rounds"]["median"] is None
    assert found["numbers"][0]["all"] is found["things"][0]["per_game"] is None
    # Ann 27 and 20, Bob 10; of winners only the 20 of the second game is certain.
    assert (found["total"]["all"]["value"], found["total"]["winners"]["value"]) == (19.0, 20.0)
    lacking = {one["title"]: one["games"] for one in found["unrecorded"]}
    assert (lacking["Who won"], lacking["What decided"], lacking["Total"]) == (1, 1, 1)
    assert (lacking["Rounds"], lacking["Seat"], lacking["Cards bought"]) == (2, 2, 2)
    lines = [" ".join(line.split()) for line in run("stats", pads).stdout.splitlines()]
    assert "Not recorded Games" in lines
    assert "Cards bought 2" in lines
    assert not any(line.startswith("Rounds 0") for line in lines)


# ---------------------------------------------------------------- several games and sources


def test_games_of_other_rules_and_tables_are_reported_apart(tmp_path: Path) -> None:
    logs = [
        heap(3, 3),
        '[Game "tictactoe"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  a1\n',
        heap(3, 2, 1).replace('"nim"]', '"NIM"]'),
    ]
    text = "".join(log.replace("  a1", "  mark a1") for log in logs)
    (tmp_path / "all.agn").write_text(text, encoding="utf-8")
    found = document("stats", tmp_path)["reports"]
    assert [(one["game"], one["runs"][0]["games"]) for one in found] == [
        ("nim", 2),
        ("tictactoe", 1),
    ]
    (tmp_path / "big").mkdir()
    for players in ("2", "3"):
        how = ("--rules", "gofish", "--games", "1", "--players", players, "--seed", "1")
        run("simulate", *how, "--out", tmp_path / "big" / players)
    found = document("stats", tmp_path / "big")["reports"]
    assert [one["players"] for one in found] == [2, 3]


def test_two_archives_are_compared(tmp_path: Path) -> None:
    for name, logs in {"old": [heap(3, 3)] * 2, "new": [heap(3, 2, 1)] * 3}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.agn").write_text("".join(logs), encoding="utf-8")
    (found,) = document("stats", tmp_path / "old", "--compare", tmp_path / "new")["reports"]
    assert [one["games"] for one in found["runs"]] == [2, 3]
    wins = {row["title"]: row for row in found["differences"] if row["what"] == "wins"}
    # The first player won 2 of 2 games, and then none of 3.
    assert (wins["1"]["before"]["value"], wins["1"]["after"]["value"]) == (1.0, 0.0)
    assert wins["1"]["difference"]["value"] == -1.0
    lines = run("stats", tmp_path / "old", "--compare", tmp_path / "new").stdout.splitlines()
    assert lines[:3] == [
        "Nim: 2 players",
        f"A: {tmp_path / 'old'}: 2 games, nim 1.0",
        f"B: {tmp_path / 'new'}: 3 games, nim 1.0",
    ]


def test_a_game_of_one_archive_only_stands_alone(tmp_path: Path) -> None:
    put(tmp_path, a=heap(3, 3), b='[Game "kalah"]\nsetup\n  seat Ann\n  seat Bob\n')
    lines = run("stats", tmp_path / "a.agn", "--compare", tmp_path / "b.agn").stdout.splitlines()
    assert (
        f"Only {tmp_path / 'a.agn'} has games of these rules and this number of players." in lines
    )
    assert (
        f"Only {tmp_path / 'b.agn'} has games of these rules and this number of players." in lines
    )


def test_variants_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    """Two folders hold a variant of the same id and version; only copies are the same rules."""
    for name, rounds in (("a", 2), ("b", 3), ("copy", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "house.yaml").write_text(
            f'variant: house\nextends: nim\ntitle: House\nversion: "1.0"\n'
            f"change:\n  - {{set: moves.heap.title, to: Heap {rounds}}}\n",
            encoding="utf-8",
        )
        log = heap(3, 3).replace('"nim"]', '"nim"]\n[Variant "house.yaml"]')
        put(tmp_path / name, game=log)
    found = document("stats", tmp_path)["reports"]
    assert sorted(one["runs"][0]["games"] for one in found) == [1, 2]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_several_processes_count_as_one_does(tmp_path: Path, method: str) -> None:
    path = tmp_path / "all.agn"
    path.write_text("".join(map(nim, range(240))), encoding="utf-8")
    one, two = (
        [*count_games(Sources([str(path)]).games(), workers)]
        for workers in (LocalWorkers(1), LocalWorkers(2, method))
    )
    assert one == two
    # One of five is legal.
    assert sum(game.outcome is not None for game in one) == 48


def test_the_report_is_the_same_with_two_jobs_and_from_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "all.agn"
    path.write_text("".join(map(nim, range(240))), encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "club.zip", "w") as packed:
        packed.write(path, "all.agn")
    one, two = (run("stats", path, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.exit_code == two.exit_code == 1
    assert one.output == two.output
    packed_up = run("stats", tmp_path / "club.zip").output
    assert packed_up == one.output.replace(str(path), f"{tmp_path / 'club.zip'}/all.agn")


def test_it_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    put(tmp_path, a=heap(3, 3), b='[Game "kalah"]\nsetup\n  seat Ann\n  seat Bob\n')
    assert run("stats", tmp_path / "a.agn", "--plot", tmp_path / "one.svg").exit_code == 0
    assert (tmp_path / "one.svg").read_bytes().startswith(b"<?xml")
    run("stats", tmp_path, "--plot", tmp_path / "all.svg")
    assert sorted(path.name for path in tmp_path.glob("all*.svg")) == ["all-1.svg", "all-2.svg"]
    assert run("stats", tmp_path, "--plot", tmp_path / "x.gif").exit_code == 2


def test_nothing_to_count_is_said(tmp_path: Path) -> None:
    put(tmp_path, bad=heap(3, 4))
    result = run("stats", tmp_path)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        1,
        "There is no legal game to count.",
    )
    assert json.loads(run("stats", tmp_path, "--format", "json").stdout)["reports"] == []
    assert run("stats", tmp_path / "none.agn").exit_code == 2
