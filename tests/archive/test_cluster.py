"""A Dask cluster prints the same as one process, to the byte, whatever happens to a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from altay_cli.archive import cluster as module
from altay_cli.archive.cluster import ClusterError, DaskWorkers
from altay_cli.archive.judging import Judgement, judge
from altay_cli.archive.sources import SourceGame
from altay_cli.archive.work import Work
from altay_cli.archive.workers import results_in_order
from altay_cli.report.results import Wanted
from bench.cluster import Cluster, running
from tests.archive import deadly
from tests.archive.test_jobs import FORMS, nim
from tests.archive.test_sending import VARIANT
from tests.cli.sample import run
from tests.small import FILES, LOG

GAMES = 300


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Return a cluster of two workers that a game can kill."""
    with running(2, preload=deadly.__file__) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of games: some by a variant beside them, some by a pack of the club."""
    folder = tmp_path_factory.mktemp("club")
    (folder / "all.agn").write_text("".join(map(nim, range(GAMES))))
    (folder / "few.yaml").write_text(VARIANT.format(extends="nim", message="take fewer"))
    varied = nim(1).replace("[Event", '[Variant "few.yaml"]\n[Event').replace("take 3", "take 4")
    (folder / "varied.agn").write_text(
        varied * 3 + nim(1).replace("[Event", '[Variant "no.yaml"]\n[Event')
    )
    for name, text in FILES.items():
        path = folder / "packs" / "pebbles" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "pebbles.agn").write_text(LOG * 5)
    return folder


def same(cluster: Cluster, *arguments: str | Path) -> str:
    """Return what a command prints, which is the same with the cluster and without."""
    one = run(*arguments, "--jobs", "1")
    other = run(*arguments, "--scheduler", cluster.address)
    assert one.stdout == other.stdout
    assert one.stderr == other.stderr
    assert one.exit_code == other.exit_code
    return one.stdout


@pytest.mark.parametrize("form", FORMS)
def test_check_prints_the_same(form: str, cluster: Cluster, club: Path) -> None:
    printed = same(cluster, "check", club, "--format", form, "--packs", club / "packs")
    assert "take fewer" in printed
    assert "no.yaml" in printed


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_score_prints_the_same(form: str, cluster: Cluster, club: Path) -> None:
    printed = same(cluster, "score", club, "--format", form, "--packs", club / "packs")
    assert "Ann" in printed


@pytest.mark.parametrize(
    "options", [["--statistics"], ["--select", "take", "--max-errors", "30"], ["--lang", "de"]]
)
def test_options_do_the_same(options: list[str], cluster: Cluster, club: Path) -> None:
    same(cluster, "check", club / "all.agn", *options)


def test_rules_are_compared_the_same(cluster: Cluster, tmp_path: Path) -> None:
    """A command may name a variant file that has any name, and extends one beside it."""
    (tmp_path / "base.yaml").write_text(VARIANT.format(extends="nim", message="take fewer"))
    (tmp_path / "a.agn").write_text(nim(1).replace("take 3", "take 4"))
    second = VARIANT.format(extends="base.yaml", message="far fewer").replace("few,", "far-few,")
    (tmp_path / "mine.txt").write_text(second.replace("gentle", "second"))
    for under in ("mine.txt", "base.yaml"):
        printed = same(cluster, "check", tmp_path / "a.agn", "--under", tmp_path / under)
        assert "take fewer" in printed


def test_rules_are_played_the_same(cluster: Cluster, club: Path) -> None:
    printed = same(cluster, "rules", "check", club / "few.yaml", "--play", "60", "--format", "json")
    assert '"games": 60' in printed


def test_many_games_show_the_same(cluster: Cluster, club: Path) -> None:
    printed = same(cluster, "stats", club / "pebbles.agn", "--packs", club / "packs")
    assert "Pebbles" in printed


def test_a_dataset_is_the_same(cluster: Cluster, club: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for name, where in (("one", ["-j", "1"]), ("two", ["--scheduler", cluster.address])):
        arguments = ["check", str(club), "--dataset", str(tmp_path / name), "--changes", *where]
        assert run(*arguments, "--packs", str(club / "packs")).exit_code == 2
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*")]
    assert files
    for file in files:
        if (tmp_path / "one" / file).is_file():
            assert (tmp_path / "two" / file).read_bytes() == (tmp_path / "one" / file).read_bytes()


def test_a_sweep_is_played_the_same(cluster: Cluster, club: Path) -> None:
    sweep = ["--sweep", "entities.stone.red.worth=2..3", "--packs", str(club / "packs")]
    printed = same(
        cluster, "simulate", "--rules", "pebbles", "--games", "40", "--seed", "1", *sweep
    )
    assert "40 games for each value of " in printed
    assert "(entities.stone.red.worth)" in printed


def test_a_worker_that_is_killed_costs_nothing(cluster: Cluster) -> None:
    games = [SourceGame("a.agn", None, nim(number), 0, 1) for number in range(GAMES)]
    call = partial(judge, Judgement(Wanted(details=True)))
    work = Work(call, lambda _: 0.05, lambda _: None, least=1)  # type: ignore[arg-type, return-value]
    found = []
    for number, result in enumerate(results_in_order(work, games, DaskWorkers(cluster.address))):
        if number == 20:
            cluster.kill_worker()
        found.append(result)
    assert [one.games[0].details for one in found] == [one.games[0].details for one in call(games)]


def test_a_game_that_kills_is_left_out(cluster: Cluster, tmp_path: Path) -> None:
    games = [nim(number) for number in range(60)]
    (tmp_path / "all.agn").write_text("".join(games))
    expected = run("check", tmp_path, "--format", "jsonl", "-j", "1").stdout.splitlines()
    games[30] = games[30].replace("round 30", "deadly")
    (tmp_path / "all.agn").write_text("".join(games))
    result = run("check", tmp_path, "--format", "jsonl", "--scheduler", cluster.address)
    lines = result.stdout.splitlines()
    assert len(lines) == len(expected)
    differing = [line for line, other in zip(lines, expected, strict=True) if line != other]
    assert len(differing) == 1
    assert "the process that judged this game was ended" in differing[0]
    assert '"not judged"' in differing[0]
    assert result.exit_code == 2


# ------------------------------------------------------------------ no cluster


def test_a_scheduler_that_does_not_answer_is_an_error(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:1", "tcp://127.0.0.1:no", "nowhere://"):
        result = run("check", club, "--scheduler", address)
        assert result.stderr == f"altay: {address}: no Dask scheduler answers\n"
        assert result.stdout == ""
        assert result.exit_code == 2


def test_a_scheduler_that_goes_away_is_an_error() -> None:
    games = [SourceGame("a.agn", None, nim(number), 0, 1) for number in range(GAMES)]
    call = partial(judge, Judgement(Wanted()))
    work = Work(call, lambda _: 0.5, lambda _: None, least=1)  # type: ignore[arg-type, return-value]
    with running(1) as cluster:
        results = results_in_order(work, games, DaskWorkers(cluster.address))
        next(results)
        cluster.scheduler.kill()
        with pytest.raises(
            ClusterError, match=f"{cluster.address}: the scheduler no longer answers"
        ):
            list(results)


def test_a_cluster_without_workers_is_an_error(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT_SECONDS", 1)
    with running(0) as cluster:
        result = run("check", club, "--scheduler", cluster.address)
    assert result.stderr == f"altay: {cluster.address}: the scheduler has no workers\n"
    assert result.exit_code == 2


def test_an_interrupt_ends_the_command_and_what_was_sent(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "all.agn").write_text("".join(map(nim, range(20_000))))
    command = [sys.executable, "-m", "altay_cli", "check", str(tmp_path), "--format", "jsonl"]
    process = subprocess.Popen(
        [*command, "--scheduler", cluster.address],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert stderr.strip() == b"altay: interrupted"
    assert process.returncode == 130
    client = module.connect(cluster.address)
    try:
        for _ in range(600):
            if not any(client.processing().values()):
                break
            time.sleep(0.1)
        assert not any(client.processing().values())
    finally:
        client.close()
