"""`python -m attack fuzz`: replay the stored corpus, or let atheris extend it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from cProfile import Profile
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import click

CORPUS = Path(__file__).parent / "corpus"
"""A folder for each target."""

NAMES = ("agn", "cel", "variant")
MAX_SECONDS = 100
"""CPU seconds for one text; more is a hang."""

CALLS = 10_000_000
"""For a changed text, judged up to four times: about three seconds."""

MEMORY = 500 << 20
"""Bytes of memory of the process while it runs changed texts."""

MOST_FILES = {"agn": 40, "cel": 40, "variant": 30}
"""Texts, besides those named by hand."""

LARGEST_STORED = 100_000
"""Their maximum total size in bytes."""


@dataclass(frozen=True)
class Crash:
    """A text that breaks a target."""

    target: str
    name: str
    data: bytes
    error: str


# ---------------------------------------------------------------- replaying


def corpus_files(target: str) -> list[Path]:
    """Return the corpus of a target."""
    return sorted(path for path in (CORPUS / target).iterdir() if path.is_file())


def replay(target: str, paths: Sequence[Path]) -> Iterator[Crash]:
    """Run texts through a target; yield those that raise or take too long."""
    from attack.fuzz.targets import TARGETS

    for path in paths:
        data = path.read_bytes()
        begin = time.process_time()
        try:
            with _bounded(MAX_SECONDS):
                TARGETS[target].run(data)
        except Exception:
            yield Crash(target, path.name, data, traceback.format_exc())
        else:
            if time.process_time() - begin > MAX_SECONDS:
                yield Crash(target, path.name, data, f"takes more than {MAX_SECONDS} seconds\n")


@contextmanager
def _bounded(seconds: int) -> Iterator[None]:
    """Raise TimeoutError if the body takes too long, where that is supported."""

    def stop(_number: int, _frame: Any) -> None:
        raise TimeoutError(f"takes more than {seconds} seconds")

    # CPU time, as a busy machine is no hang.
    try:
        before = signal.signal(signal.SIGPROF, stop)
    except (AttributeError, ValueError):  # not on this system, or not in this thread
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _replay_all(names: Sequence[str]) -> bool:
    sound = True
    for name in names:
        paths = corpus_files(name)
        begin = time.monotonic()
        crashes = list(replay(name, paths))
        click.echo(f"{name}: {len(paths)} texts in {time.monotonic() - begin:.1f} s")
        for crash in crashes:
            _print_crash(crash)
        sound = sound and not crashes
    return sound


def _print_crash(crash: Crash) -> None:
    click.echo(f"{crash.target}: {crash.name} breaks it:")
    click.echo(f"  {crash.data!r}")
    click.echo("  " + crash.error.rstrip().replace("\n", "\n  "))


# ---------------------------------------------------------------- changed texts, without atheris


def changed(target: str, count: int, seed: int) -> Iterator[bytes]:
    """Yield changed texts of the corpus or the project; equal seeds give equal texts."""
    from attack.fuzz import seeds
    from attack.fuzz.targets import TARGETS

    largest = TARGETS[target].largest
    stored = [path.read_bytes() for path in corpus_files(target)]
    texts = [data.decode("utf-8", "replace") for data in (*stored, *seeds.seeds(target, largest))]
    mutator = seeds.mutator(target)
    random = Random(f"{target} {seed}")
    for _ in range(count):
        text = random.choice(texts)
        if random.random() < 0.1:
            text = mutator.cross(text, random.choice(texts), random)
        yield mutator.mutate(text, random).encode("utf-8", "replace")[:largest]


def run_changed(target: str, count: int, seed: int) -> tuple[list[Crash], int]:
    """Run changed texts; return those that break the target, and the most calls of one."""
    from attack.fuzz.targets import TARGETS

    run = TARGETS[target].run
    for path in corpus_files(target)[:1]:
        with suppress(Exception):  # warm-up; `--replay` reports failures
            run(path.read_bytes())
    crashes: list[Crash] = []
    most = 0
    for number, data in enumerate(changed(target, count, seed)):
        error = ""
        profile = Profile()
        try:
            with _bounded(MAX_SECONDS), profile:
                run(data)
        except Exception:
            error = traceback.format_exc()
        calls = sum(entry.callcount for entry in profile.getstats())
        most = max(most, calls)
        if not error and calls > CALLS:
            error = f"makes {calls:,} calls; {CALLS:,} are allowed\n"
        if error:
            crashes.append(Crash(target, f"text {number} of seed {seed}", data, error))
    return crashes, most


def _run_changed(names: Sequence[str], count: int, seed: int) -> bool:
    sound = True
    for name in names:
        begin = time.process_time()
        crashes, most = run_changed(name, count, seed)
        seconds = time.process_time() - begin
        speed = count / seconds if seconds else 0
        click.echo(
            f"{name}: {count:,} changed texts in {seconds:.0f} s of the processor, "
            f"{speed:.0f} a second; the longest made {most:,} calls"
        )
        for crash in crashes:
            _print_crash(crash)
        sound = sound and not crashes
    peak = _peak()
    click.echo(f"at most {peak >> 20} MB of memory")
    return sound and peak <= MEMORY


def _peak() -> int:
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


# ---------------------------------------------------------------- fuzzing


def _drive(target: str, work: Path, *options: str, quiet: bool = False) -> tuple[int, str]:
    """Run libFuzzer in a separate process; return its exit code and output."""
    # To merge, libFuzzer restarts its program: a file that takes its options.
    program = work / "driver"
    start = shlex.join([sys.executable, "-m", "attack.fuzz.driver", target, str(program.resolve())])
    program.write_text(f'#!/bin/sh\nexec {start} "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    arguments = [str(program.resolve()), *options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    lines = []
    with subprocess.Popen(  # noqa: S603 - this program itself
        arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", env=environment,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if not quiet and re.match(r"#\d+\s+(INITED|pulse|DONE)", line):
                click.echo(line.rstrip())
    return process.returncode, "".join(lines)


def _fuzz(target: str, seconds: int, work: Path, *, fresh: bool) -> bool:
    from attack.fuzz import seeds
    from attack.fuzz.targets import TARGETS

    largest = TARGETS[target].largest
    found, begin = work / "found", work / "begin"
    for folder in (found, begin):
        folder.mkdir(parents=True, exist_ok=True)
    words = work / "dictionary"
    words.write_text(seeds.dictionary(target), encoding="utf-8")
    for number, data in enumerate(seeds.seeds(target, largest) if fresh else ()):
        (begin / f"{number:04}").write_bytes(data)
    folders = [found, begin]
    if (CORPUS / target).is_dir():
        folders.append(CORPUS / target)
    code, output = _drive(
        target, work, f"-max_total_time={seconds}", f"-timeout={3 * MAX_SECONDS}",
        f"-max_len={largest}", f"-dict={words}", f"-artifact_prefix={work}/",
        "-rss_limit_mb=4096", "-print_final_stats=1", *map(str, folders),
    )  # fmt: skip
    runs = re.search(r"number_of_executed_units: (\d+)", output)
    speed = re.search(r"average_exec_per_sec: +(\d+)", output)
    if runs and speed:
        click.echo(f"{target}: {int(runs[1]):,} executions, {speed[1]} a second")
    crashes = [p for p in sorted(work.iterdir()) if p.name.startswith(("crash", "timeout", "oom"))]
    if code and not crashes:
        click.echo(output[-4000:])
    sound = code == 0 or bool(crashes)
    for path in crashes:
        replayed = list(replay(target, [path]))
        sound = sound and not replayed
        for crash in replayed:
            _print_crash(crash)
        if not replayed:
            click.echo(f"{target}: {path.name} breaks nothing when it is replayed")
    return sound


# ---------------------------------------------------------------- keeping


def keep(target: str, work: Path) -> int:
    """Rebuild the corpus from itself and from new texts; return its size.

    libFuzzer chooses texts that reach new code; the fewest of these that run the most lines are
    stored. Texts named by hand (with a hyphen, such as past failures) stay.
    """
    stored = CORPUS / target
    stored.mkdir(parents=True, exist_ok=True)
    chosen = work / "chosen"
    shutil.rmtree(chosen, ignore_errors=True)
    chosen.mkdir()
    sources = [folder for folder in (stored, work / "found", work / "begin") if folder.is_dir()]
    folders = map(str, (chosen, *sources))
    code, output = _drive(target, work, "-merge=1", f"-timeout={MAX_SECONDS}", *folders, quiet=True)
    if code:
        raise click.ClickException(f"merging failed:\n{output[-2000:]}")
    texts = _covering(target, sorted(chosen.iterdir(), key=lambda p: (p.stat().st_size, p.name)))
    for path in corpus_files(target):
        if "-" not in path.name:
            path.unlink()
    for data in texts:
        (stored / sha256(data).hexdigest()[:12]).write_bytes(data)
    return len(corpus_files(target))


def _covering(target: str, paths: Sequence[Path]) -> list[bytes]:
    """Choose texts that together run the most lines, greedily, within the limits."""
    ran = {}
    for path in paths:
        data = path.read_bytes()
        lines = _lines_run(target, data)
        if lines is not None:
            ran[data] = lines
    texts: list[bytes] = []
    seen: set[tuple[str, int, int]] = set()
    while ran and len(texts) < MOST_FILES[target]:
        # The text that adds most; of equals, the shortest.
        best = max(ran, key=lambda data: (len(ran[data] - seen), -len(data)))
        added = ran.pop(best) - seen
        if not added:
            break
        if sum(map(len, texts)) + len(best) <= LARGEST_STORED:
            texts.append(best)
            seen |= added
    return texts


def _lines_run(target: str, data: bytes) -> set[tuple[str, int, int]] | None:
    """Return the transitions between lines of the program; None if the text breaks it."""
    from attack.fuzz.targets import TARGETS

    steps: set[tuple[str, int, int]] = set()
    program = f"{os.sep}altay_cli{os.sep}"

    def called(frame: Any, _event: str, _argument: Any) -> Any:
        file = frame.f_code.co_filename
        if program not in file:
            return None
        last = frame.f_lineno

        def stepped(frame: Any, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "line":
                steps.add((file, last, frame.f_lineno))
                last = frame.f_lineno
            return stepped

        return stepped

    before = sys.gettrace()
    sys.settrace(called)
    try:
        TARGETS[target].run(data)
    except Exception:
        return None
    finally:
        sys.settrace(before)
    return steps


# ---------------------------------------------------------------- the command


@click.command("fuzz")
@click.argument("targets", nargs=-1, type=click.Choice(NAMES))
@click.option("--seconds", default=60, show_default=True, help="How long, for each target.")
@click.option(
    "--replay", "again", is_flag=True, help="Only run the kept corpus; no atheris needed."
)
@click.option(
    "--changed",
    "count",
    type=click.IntRange(1),
    metavar="N",
    help="Run N changed texts of each target, and measure them; no atheris needed.",
)
@click.option("--seed", default=1, show_default=True, help="What is changed, with --changed.")
@click.option("--fresh", is_flag=True, help="Begin with all logs, expressions, variants as well.")
@click.option("--keep", "keeping", is_flag=True, help="Keep in the corpus what reaches more.")
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where what is found lies, to go on from; without it, a folder that is removed.",
)
@click.pass_context
def command(
    ctx: click.Context,
    targets: tuple[str, ...],
    seconds: int,
    again: bool,
    count: int | None,
    seed: int,
    fresh: bool,
    keeping: bool,
    work: Path | None,
) -> None:
    """Feed the readers random texts.

    TARGETS are agn (logs), cel (expressions) and variant (variant files); without any, all of them
    run in turn. Each begins with its corpus in attack/fuzz/corpus. Exit code 1 if a text makes the
    program raise, hang or contradict itself.
    """
    names = targets or NAMES
    if again:
        ctx.exit(0 if _replay_all(names) else 1)
    if count is not None:
        ctx.exit(0 if _run_changed(names, count, seed) else 1)
    if find_spec("atheris") is None:
        click.echo(
            "fuzzing needs atheris: pip install -e '.[fuzz]'; --replay and --changed do not",
            err=True,
        )
        ctx.exit(2)
    sound = True
    with tempfile.TemporaryDirectory(prefix="altay-fuzz-") as temporary:
        for name in names:
            folder = (work or Path(temporary)) / name
            sound = _fuzz(name, seconds, folder, fresh=fresh) and sound
            if keeping:
                click.echo(f"{name}: {keep(name, folder)} texts are kept")
    ctx.exit(0 if sound else 1)
