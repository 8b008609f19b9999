"""`python -m attack planted`: plant a bug in functions of the program, one at a time.

A bug must be reported as an internal error, never as a verdict. Each function called while judging
a few logs raises an ``AttributeError``, which must be the only finding.

Then one call fails while a command works on several files. Only one game (or one file, while it is
read) may differ, output for programs must be complete, and the exit code is 2.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple
from xml.etree import ElementTree

import click
from click.testing import CliRunner, Result

import altay_cli
from altay_cli.base.internal import RULE
from altay_cli.checking.check import FileReport, check_text
from altay_cli.checking.tags import forget_rules
from altay_cli.cli.main import main
from attack.stored import text_of

PROGRAM = str(Path(altay_cli.__file__).parent)
MESSAGE = "planted"
LOGS = (
    "games/tie.agn", "games/classics/chess.agn", "games/innovation/players-2-0001.agn",
    *(f"{how} {number}" for how in ("changed", "masked") for number in range(4)),
)  # fmt: skip


class Planted(NamedTuple):
    """``ended`` is None if the function was not called."""

    name: str
    ended: str | None


def broken(*_: object, **__: object) -> Any:
    """Replace a function; this runs in that function's namespace."""
    from attack import planted as here  # noqa: PLW0406 - where it runs, this is another module

    here.reached.append(True)
    raise AttributeError(here.MESSAGE)


reached: list[bool] = []
"""Not empty if the bug was reached."""


def called(text: str) -> dict[CodeType, FunctionType]:
    """Return the functions that checking a text calls, by their code."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PROGRAM):
            codes.add(frame.f_code)

    forget_rules()
    sys.setprofile(note)
    try:
        check_text(text)
    finally:
        sys.setprofile(None)
    return {code: function for code, function in functions().items() if code in codes}


def functions() -> dict[CodeType, FunctionType]:
    """Return the functions and methods without free variables."""
    found: dict[CodeType, FunctionType] = {}
    for name, module in [*sys.modules.items()]:
        if name.startswith("altay_cli"):
            for item in list(vars(module).values()):
                for function in _functions(item):
                    if not function.__code__.co_freevars:
                        found[function.__code__] = function
    return found


def _functions(item: object) -> Iterable[FunctionType]:
    if isinstance(item, type) and item.__module__.startswith("altay_cli"):
        inner: list[object] = [
            getattr(var, "fget", None) or getattr(var, "__func__", var)
            for var in vars(item).values()
        ]
    else:
        inner = [getattr(item, "__wrapped__", item)]
    return [member for member in inner if isinstance(member, FunctionType)]


def try_out(function: FunctionType, check: Callable[[], FileReport]) -> Planted:
    """Check with a bug in a function."""
    code = function.__code__
    reached.clear()
    forget_rules()
    ended = "a verdict"
    function.__code__ = broken.__code__
    try:
        findings = [found for game in check().games for found in game.findings]
        if any(found.rule == RULE for found in findings):
            ended = MESSAGE if MESSAGE in findings[0].message else str(findings[0])
    except AttributeError as error:
        # The bug may be in the error handling: then it is raised.
        ended = MESSAGE if str(error) == MESSAGE else f"{error!r}"
    except Exception as error:
        ended = f"{error!r}"
    finally:
        function.__code__ = code
    return Planted(_name(function), ended if reached else None)


def _name(function: FunctionType) -> str:
    return f"{function.__module__.removeprefix('altay_cli.')}.{function.__qualname__}"


def wrong(count: int, seed: int) -> Iterator[Planted]:
    """Plant ``count`` bugs; yield those with a wrong outcome."""
    random = Random(seed)
    texts = map(text_of, LOGS)
    every = [(text, function) for text in texts for function in called(text).values()]
    for text, function in random.sample(every, min(count, len(every))):
        found = try_out(function, lambda text=text: check_text(text))  # type: ignore[misc]
        if found.ended not in (None, MESSAGE):
            yield found


# ---------------------------------------------------------------- one call that fails

FILES = {
    "1.agn": ("games/classics/nim.agn", "tests/rules/bought-twice/illegal.agn"),
    "2.agn": ("games/classics/tictactoe.agn", "changed 0", "games/classics/connectfour.agn"),
    "3.agn": ("masked 3", "games/classics/kalah.agn"),
}
"""The logs of each file that commands read."""

SHORT = 40
"""Logs are cut after so many lines, as they are judged several hundred times."""

SEVERAL: Mapping[tuple[str, ...], str] = {
    ("check", "--format", "json"): "json",
    ("check", "--format", "jsonl"): "jsonl",
    ("check", "--format", "sarif"): "sarif",
    ("check", "--format", "junit"): "junit",
    ("check", "--format", "github"): "lines",
    ("check", "--format", "concise"): "lines",
    ("check",): "lines",
    ("check", "--lang", "de"): "lines",
    ("check", "--fix", "--unsafe-fixes", "--format", "json"): "json",
    ("check", "--under", "trading", "--format", "json"): "json",
    ("score", "--explain"): "lines",
    ("score", "--format", "json"): "json",
    ("score", "--format", "csv"): "csv",
    ("fmt", "--diff"): "lines",
}
"""Commands on several files, with their format."""

SINGLE = {
    ("log", "--game", "1"): "2.agn",
    ("show",): "2.agn",
    ("moves",): "2.agn",
    ("fill",): "3.agn",
    ("replay", "--out", "-"): "2.agn",
}
"""Commands on one file."""

OF_THE_RUN = (
    "cli.*", "archive.judging.file_results", "archive.judging._OneFile.*", "archive.judging.judge",
    "archive.judging.prepare", "archive.comparing.compared_games", "archive.comparing._compare",
    "archive.comparing._compared", "archive.stats.*",
    "archive.judging._unit_result", "archive.judging.UnitResult.begins", "archive.judging.cost",
    "archive.sharing.*", "archive.work.*", "archive.sources.*",
    "archive.containers.*", "archive.workers.*", "archive.sharing.*",
    "checking.check.check_games", "checking.check._games", "checking.check._failed",
    "checking.tags.forget_rules", "report.choosing.Selection.of", "report.choosing.Total.count",
    "base.cache.*", "base.files.*", "base.internal.*", "base.resources.*",
    "base.translations.languages", "base.translations.counted", "base.translations.listed",
    "report.text.*", "report.html.*", "report.json.dump",
    "report.json.document_parts", "report.json.json_parts", "report.json._escaped",
    "report.json.unread_documents", "report.*_parts", "report.choosing.Selection.unmet",
    "report.choosing.rule_count*", "report.terminal.*.further_notes",
    "report.terminal.summary", "report.terminal._verdicts",
    "report.choosing.Total.games", "report.compare.Shifts.*", "report.results.GameResult.failed",
)  # fmt: skip
"""Functions outside of any game: they start a run, or summarise it."""


class Call(NamedTuple):
    """``left`` counts down to the call that fails."""

    function: Callable[..., Any]
    left: list[int]


failing: list[Call] = []
"""The failing call, while a command runs."""


def replacement(*values: Any, **named: Any) -> Any:
    """Replace a function; this runs in that function's namespace."""
    from attack import planted as here  # noqa: PLW0406 - where it runs, this is another module

    return here.called_again(*values, **named)


def called_again(*values: Any, **named: Any) -> Any:
    """Call the replaced function, or fail."""
    call = failing[0]
    call.left[0] -= 1
    if call.left[0] == 0:
        reached.append(True)
        raise AttributeError(MESSAGE)
    return call.function(*values, **named)


@contextmanager
def failing_call(function: FunctionType, number: int) -> Iterator[None]:
    """Make call ``number`` (from 1) of a function fail."""
    code = function.__code__
    before = FunctionType(code, function.__globals__, function.__name__, function.__defaults__)
    before.__kwdefaults__ = function.__kwdefaults__
    reached.clear()
    failing[:] = [Call(before, [number])]
    function.__code__ = replacement.__code__
    try:
        yield
    finally:
        function.__code__ = code
        failing.clear()


def calls_of(work: Callable[[], object]) -> dict[FunctionType, int]:
    """Count the calls of each function, except those that start a run."""
    counts = Counter[CodeType]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PROGRAM):
            counts[frame.f_code] += 1

    forget_rules()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    known = functions()
    return {
        known[code]: count
        for code, count in counts.items()
        if code in known and not any(fnmatch(_name(known[code]), pattern) for pattern in OF_THE_RUN)
    }


def write_files(folder: Path) -> None:
    for name, logs in FILES.items():
        texts = ["\n".join([*text_of(log).split("\n")[:SHORT], ""]) for log in logs]
        (folder / name).write_text("\n".join(texts), encoding="utf-8")


def run(command: Iterable[str], folder: Path) -> Result:
    names = [SINGLE[tuple(command)]] if tuple(command) in SINGLE else [*FILES]
    return CliRunner().invoke(main, [*command, *(str(folder / name) for name in names)])


Games = dict[tuple[str, int], str]
"""By file and number."""


def games_of(text: str, form: str) -> Games:
    """Return the output about each game; raise ValueError or ParseError if incomplete."""
    match form:
        case "json":
            return {
                (file["path"], number): json.dumps(game)
                for file in json.loads(text)["files"]
                for number, game in enumerate(file["games"])
            }
        case "jsonl":
            games = map(json.loads, text.splitlines())
            return {(game["path"], game.get("game", 0)): json.dumps(game) for game in games}
        case "csv":
            found: Games = {}
            for row in csv.reader(text.splitlines()):
                found[row[0], 0] = found.get((row[0], 0), "") + repr(row)
            return found
        case "sarif":
            found = {}
            for result in json.loads(text)["runs"][0]["results"]:
                del result["ruleIndex"]
                place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                found[place, 0] = found.get((place, 0), "") + json.dumps(result)
            return found
        case "junit":
            root = ElementTree.fromstring(text)  # noqa: S314 - our own
            found = {}
            for suite in root.iter("testsuite"):
                for number, case in enumerate(suite.iter("testcase")):
                    found[suite.get("name", ""), number] = ElementTree.tostring(case).decode()
            return found
    return {}


def fault_of(command: tuple[str, ...], before: Result, after: Result) -> str | None:
    """Return what is wrong with the output of a command with a failing call."""
    if after.exception is not None and not isinstance(after.exception, SystemExit):
        return f"it raises {after.exception!r}"
    was, now = (re.sub(r' time="[^"]*"', "", result.stdout) for result in (before, after))
    if (before.exit_code, was) == (after.exit_code, now):
        return None  # the call was repeated, or not needed
    if after.exit_code != 2:
        return f"exit code {after.exit_code}"
    printed = f"{after.output}{after.stderr}"
    if MESSAGE not in printed:
        return "the mistake is not told"
    if "altay: internal error" in printed and command in SEVERAL:
        return "it ends the run"
    form = SEVERAL.get(command, "")
    try:
        games, others = games_of(was, form), games_of(now, form)
    except (ValueError, KeyError, ElementTree.ParseError) as error:
        return f"not complete: {error!r}"
    changed = {place for place in games if games[place] != others.get(place)}
    if len({file for file, _ in changed}) > 1:
        return f"games of several files: {sorted(changed)}"
    if form == "lines":
        files = set(re.findall(r"[^\s:]+\.agn", was))
        missing = [file for file in files if file not in printed]
        if len(missing) > 1:
            return f"nothing is said of {missing}"
    return None


def wrong_in_commands(count: int, seed: int) -> Iterator[Planted]:
    """Make one call of ``count`` functions fail, under each command in turn."""
    random = Random(seed)
    commands = [*SEVERAL, *SINGLE]
    each = [count // len(commands) + (n < count % len(commands)) for n in range(len(commands))]
    with TemporaryDirectory() as name:
        folder = Path(name)
        for command, number in zip(commands, each, strict=True):
            write_files(folder)
            before = run(command, folder)
            write_files(folder)
            calls = calls_of(lambda command=command: run(command, folder))  # type: ignore[misc]
            order = sorted(calls, key=_name)
            for function in random.sample(order, min(number, len(order))):
                write_files(folder)
                forget_rules()
                with failing_call(function, random.randint(1, calls[function])):
                    after = run(command, folder)
                # A generator counts as called whenever it resumes.
                fault = fault_of(command, before, after) if reached else None
                if fault is not None:
                    yield Planted(f"{' '.join(command)}: {_name(function)}", fault)


@click.command("planted")
@click.argument("count", type=click.IntRange(min=1), default=200)
@click.option("--seed", type=int, default=1, help="Which functions.")
def command(count: int, seed: int) -> None:
    """Plant bugs in the program; each must be reported as one, in one game."""
    found = 0
    for planted in (*wrong(count, seed), *wrong_in_commands(count, seed)):
        found += 1
        click.echo(f"{planted.name}: {planted.ended}")
    click.echo(f"2 times {count:,} mistakes, {found:,} of which end as something else")
    sys.exit(found > 0)
