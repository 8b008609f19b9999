"""Which tests reach a line: `python -m attack mutations --reached FOLDER` chooses by it.

The tests run once under `coverage`, which notes for each line the tests that run it. Processes that
a test starts are not followed.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from coverage import Coverage, CoverageData

HOME = Path(__file__).parents[1]
SETTING = "ALTAY_REACHED"
"""The variable with the folder that a run of tests writes to."""

TIMES = "times"
"""What the names of files begin with that say how long each test took."""


class Reached:
    """The tests that reach each line of some rooms of the program."""

    def __init__(self, folder: Path) -> None:
        """Read what `record` wrote to a folder; raise an OSError if it cannot be read."""
        self._data = CoverageData(no_disk=True)
        for path in sorted(folder.glob(".coverage*")):
            part = CoverageData(basename=str(path))
            part.read()
            self._data.update(part)
        self._times: dict[str, float] = {}
        for path in sorted(folder.glob(f"{TIMES}-*.json")):
            self._times.update(json.loads(path.read_text()))

    def tests(self, path: Path, line: int) -> list[str]:
        """Return the tests that run the statement at a line of a module, the quickest first.

        They are named as pytest names them: `tests/games/test_games.py::test_all[nim]`.
        """
        by_line = self._data.contexts_by_lineno(str(path))
        first, last = _statement(ast.parse(path.read_bytes()), line)
        found = {test for at in range(first, last + 1) for test in by_line.get(at, ())}
        return sorted(found & self._times.keys(), key=lambda test: (self._times[test], test))


def _statement(tree: ast.Module, line: int) -> tuple[int, int]:
    """Return the first and last line of the innermost statement at a line, without its body."""
    first, last = line, line
    smallest = sys.maxsize
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.end_lineno is not None:
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno
            end = max(end, node.lineno)
            if node.lineno <= line <= end and end - node.lineno < smallest:
                smallest = end - node.lineno
                first, last = node.lineno, end
    return first, last


def record(folder: Path, rooms: Sequence[str], tests: Sequence[str], jobs: int) -> None:
    """Run tests, and write which of them reach each line of some rooms to a folder.

    Tests that fail while they are watched are left out. Raise a ClickException if none can run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "attack.reached", "-n", str(jobs)]
    setting = f"{folder.resolve()}:{','.join(rooms)}"
    run = subprocess.run(  # noqa: S603 - our own tests
        [*command, "-p", "no:cacheprovider", *tests],
        cwd=HOME,
        env={**os.environ, SETTING: setting},
        check=False,
    )
    if run.returncode > 1:
        raise click.ClickException(f"no tests: pytest ends with {run.returncode}")


class _Recorder:
    """Notes, in one process of a run of tests, what each test reaches and how long it takes."""

    def __init__(self, folder: Path, rooms: Sequence[str]) -> None:
        self._folder = folder
        self._coverage = Coverage(
            data_file=str(folder / ".coverage"),
            data_suffix=True,
            config_file=False,
            include=[str(HOME / "altay_cli" / room / "*") for room in rooms],
        )
        self._times: dict[str, float] = {}
        self._failed: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self._coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._times[report.nodeid] = self._times.get(report.nodeid, 0.0) + report.duration
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionstart(self) -> None:
        self._coverage.start()

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        written = self._folder / f"{TIMES}-{os.getpid()}.json"
        passed = {test: time for test, time in self._times.items() if test not in self._failed}
        written.write_text(json.dumps(passed))


def pytest_configure(config: pytest.Config) -> None:
    """Begin to note what tests reach, in a process that runs tests."""
    distributes = getattr(config.option, "numprocesses", None) and not hasattr(
        config, "workerinput"
    )
    if SETTING in os.environ and not distributes:
        folder, _, rooms = os.environ[SETTING].rpartition(":")
        config.pluginmanager.register(_Recorder(Path(folder), rooms.split(",")))
