"""Work on several processes: the results are those of one, whatever happens to a process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from altay_cli.archive.work import Work
from altay_cli.archive.workers import LocalWorkers, results_in_order

ITEMS = range(1_000)
DEADLY = 777


def double(items: Sequence[int]) -> list[int]:
    return [2 * item for item in items]


def die_of_one(items: Sequence[int]) -> list[int]:
    if DEADLY in items and multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return double(items)


def die_once(items: Sequence[tuple[int, str]]) -> list[int]:
    for item, mark in items:
        if item == DEADLY and not Path(mark).exists():
            Path(mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return [2 * item for item, _ in items]


def sleep(items: Sequence[int]) -> list[int]:
    if multiprocessing.parent_process() is not None:
        time.sleep(60)
    return double(items)


def work(call: object) -> Work[int, int]:
    return Work(call, cost=lambda _: 0.01, failed=lambda item: -item)  # type: ignore[arg-type]


def own_children(before: set[object]) -> set[object]:
    return {*multiprocessing.active_children()} - before


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_results_come_in_the_order_of_the_items(method: str) -> None:
    workers = LocalWorkers(2, method)
    assert [*results_in_order(work(double), ITEMS, workers)] == [2 * n for n in ITEMS]


def test_few_items_start_no_process() -> None:
    class NoWorkers(LocalWorkers):
        def start(self, work: object) -> object:  # type: ignore[override]
            raise AssertionError

    few = range(199)
    assert [*results_in_order(work(double), few, NoWorkers(2))] == [2 * n for n in few]
    assert [*results_in_order(work(double), ITEMS, NoWorkers(1))] == [2 * n for n in ITEMS]
    with pytest.raises(AssertionError):
        list(results_in_order(work(double), range(200), NoWorkers(2)))


def test_an_item_that_ends_its_process_costs_itself_only() -> None:
    results = [*results_in_order(work(die_of_one), ITEMS, LocalWorkers(2))]
    assert results == [-DEADLY if n == DEADLY else 2 * n for n in ITEMS]


def test_a_process_that_is_killed_once_costs_nothing(tmp_path: Path) -> None:
    mark = str(tmp_path / "killed")
    items = [(n, mark) for n in ITEMS]
    job = Work(die_once, cost=lambda _: 0.01, failed=lambda item: -item[0])
    assert [*results_in_order(job, items, LocalWorkers(2))] == [2 * n for n in ITEMS]
    assert Path(mark).exists()


def test_no_process_is_left_where_the_caller_stops() -> None:
    before: set[object] = {*multiprocessing.active_children()}
    results = results_in_order(work(sleep), ITEMS, LocalWorkers(2))
    for _ in range(5):
        next(results)
    results.close()
    assert own_children(before) == set()
