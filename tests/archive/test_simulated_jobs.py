"""Simulated games on several processes: the report and the files are those of one process."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from altay_cli.archive.work import Work
from altay_cli.archive.workers import LocalWorkers, results_in_order
from altay_cli.simulation import simulated
from altay_cli.simulation.simulated import Playout, PlayPlan, playouts
from tests.cli.sample import run

NIM = ("simulate", "--rules", "nim", "--games", "30", "--seed", "3")
PLAN = PlayPlan("nim", 2, ("random",), 3)
DEADLY = 17


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_games_are_the_same_wherever_they_are_played(method: str) -> None:
    numbers = range(1, 13)
    work = Work(partial(playouts, PLAN), lambda _: 0.05, lambda _: pytest.fail(), least=2)
    assert [*results_in_order(work, numbers, LocalWorkers(2, method))] == playouts(PLAN, numbers)


@pytest.mark.parametrize("option", ["--jobs", "-j", "--processes"])
def test_the_report_is_the_same(option: str) -> None:
    one, two = (run(*NIM, "--format", "json", option, count) for count in ("1", "2"))
    assert one.exit_code == two.exit_code == 0
    assert one.output == two.output


def kill_with_one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """End the process of whoever plays one of the games, unless that is this one."""
    played = simulated.playout

    def playout(plan: PlayPlan, number: int) -> Playout:
        if number == DEADLY and multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return played(plan, number)

    monkeypatch.setattr(simulated, "playout", playout)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="other processes do not have the patch")
def test_a_process_that_dies_costs_its_game_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(*NIM, "--jobs", "1", "--out", tmp_path / "whole")
    with monkeypatch.context() as patch:
        kill_with_one_game(patch)
        result = run(*NIM, "--format", "json", "--jobs", "2", "--out", tmp_path / "club")
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "altay: 1 game was not played: its process was ended, or ran out of memory\n"
    )
    (ran,) = json.loads(result.stdout)["runs"]
    assert ran["over"] == 29
    assert [ended["numbers"] for ended in ran["given_up"]] == [[DEADLY]]

    # The same command plays what is missing.
    again = run(*NIM, "--jobs", "2", "--out", tmp_path / "club")
    assert again.exit_code == 0
    assert "29 of 30 games have already been played" in again.stderr
    assert again.stdout == whole.stdout
    names = sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "club").iterdir())
    for name in names:
        assert (tmp_path / "club" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
