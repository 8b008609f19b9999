"""A Dask cluster on this machine: for measurements, and for the tests.

python bench/cluster.py 'games/**/*.agn'     # CPU of `check` with two workers, and with --jobs 2
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
START_SECONDS = 60


class Cluster:
    def __init__(self, folder: Path, workers: int, *, preload: str = "", failures: int = 1) -> None:
        self.folder = folder
        self.preload = preload
        # Quiet, without a profiler, on ports chosen by the system.
        self.environment = {
            **os.environ,
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(failures),
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
            "PYTHONWARNINGS": "ignore",
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self.address = self._wait("scheduler-0", r"Scheduler at:\s+(tcp://\S+)")
        self.workers = [self.add() for _ in range(workers)]
        for number, _ in enumerate(self.workers, 1):
            self._wait(f"worker-{number}", r"Starting established connection to (tcp://\S+)")

    def add(self) -> subprocess.Popen[bytes]:
        """Start a worker with one thread; its nanny restarts it."""
        preload = ["--preload", self.preload] if self.preload else []
        options = ["--nthreads", "1", "--local-directory", str(self.folder), *preload]
        return self._start("worker", self.address, "--host", "127.0.0.1", *options)

    def kill_worker(self) -> None:
        """Kill the process of the first worker; its nanny starts another one."""
        nanny = self.workers[0].pid
        for child in children(nanny):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
                return
        raise LookupError("the worker has no process")

    def cpu(self) -> float:
        """Return seconds."""
        return sum(cpu_of(process.pid) for process in self.processes)

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, "--no-dashboard", *options]
        log = (self.folder / f"{what}-{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment)
        self.processes.append(process)
        return process

    def _wait(self, name: str, pattern: str) -> str:
        log = self.folder / f"{name}.log"
        for _ in range(START_SECONDS * 10):
            if found := re.search(pattern, log.read_text()):
                return found[1]
            time.sleep(0.1)
        raise TimeoutError(log.read_text())


@contextmanager
def running(workers: int = 2, *, preload: str = "", failures: int = 1) -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder), workers, preload=preload, failures=failures)
        try:
            yield cluster
        finally:
            cluster.stop()


def children(pid: int) -> list[int]:
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, thread.read_text().split())
    return found


def cpu_of(pid: int) -> float:
    """Return seconds, with those of its children, and of those that ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(map(cpu_of, children(pid)))


def command_cpu(arguments: Sequence[str]) -> tuple[float, bytes]:
    """Return the seconds of all its processes, and the output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "altay_cli", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 2:
        raise RuntimeError(done.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def compare(sources: Sequence[str]) -> tuple[float, float]:
    """Return the CPU of `check --jobs 2`, and of two workers in a running cluster."""
    check = ["check", *sources, "--format", "jsonl"]
    local, printed = command_cpu([*check, "--jobs", "2"])
    with running() as cluster:
        before = cluster.cpu()
        remote, same = command_cpu([*check, "--scheduler", cluster.address])
        remote += cluster.cpu() - before
    if printed != same:
        raise RuntimeError("the output differs")
    return local, remote


if __name__ == "__main__":
    processes, cluster = compare(sys.argv[1:])
    print(f"--jobs 2: {processes:.1f} s; two workers: {cluster:.1f} s; {cluster / processes:.2f} x")
