"""Measure how the program is built, with targets.

    python bench/house.py            # from the code, and the cost of calls: minutes
    python bench/house.py --tests    # the first lane of the tests, too

`--list ROW` (a word of the row) prints each place that a row counts. Exit code 1 if a target is
missed.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import re
import resource
import subprocess
import sys
import time
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

HOME = Path(__file__).parents[1]
PACKAGE = "altay_cli"
GAME = HOME / "games" / "three-players.agn"
SECOND_EDITION = {
    "lines of the largest room": 11_250,
    "lines of the largest module": 1_369,
    "lines of the largest class": 1_233,
    "modules in circles of imports": 44,
    "imports inside functions": 80,
    "words of docstrings and comments": 79_000,
    "depth of inheritance": 5,
    "class names used twice": 39,
    "calls for a statement of a legal game read before": 124,
    "calls that a second `buy Farmer` costs beyond the legal game": 239_000,
    "a log with slips against its legal twin, less 0.3 s": 160,
    "the README's test command, seconds of CPU": 1_380,
}


class Row(NamedTuple):
    name: str
    value: float | str
    asked: float | str
    places: tuple[str, ...] = ()

    @property
    def met(self) -> bool:
        if isinstance(self.value, str) or isinstance(self.asked, str):
            return self.value == self.asked
        return self.value <= self.asked


class Module(NamedTuple):
    """``name`` is without that of the package (`match.match`)."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        return self.name.partition(".")[0] if "." in self.name or self.is_package else "(top)"

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    def place(self, node: ast.stmt | ast.expr | ast.excepthandler) -> str:
        return f"{self.path.relative_to(HOME)}:{node.lineno}"


class House:
    @cached_property
    def modules(self) -> dict[str, Module]:
        found = {}
        for path in sorted((HOME / PACKAGE).rglob("*.py")):
            name = ".".join(path.relative_to(HOME / PACKAGE).with_suffix("").parts)
            name = name.removesuffix("__init__").rstrip(".")
            text = path.read_text(encoding="utf-8")
            found[name] = Module(name, path, text, ast.parse(text))
        return found

    def nodes(self, *rooms: str) -> Iterator[tuple[Module, ast.AST]]:
        for module in self.modules.values():
            if not rooms or module.room in rooms:
                for node in ast.walk(module.tree):
                    yield module, node

    # ------------------------------------------------------------ sizes

    def sizes(self) -> Iterator[Row]:
        statements = sum(
            isinstance(node, ast.stmt) for module, node in self.nodes() if module.room != "archive"
        )
        yield Row("statements of Python, without archive/", statements, 25_000)
        lines = Counter({m.name or PACKAGE: m.text.count("\n") for m in self.modules.values()})
        rooms: Counter[str] = Counter()
        for module in self.modules.values():
            rooms[module.room] += module.text.count("\n")
        classes = Counter(
            {
                f"{module.name}.{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
                for module, node in self.nodes()
                if isinstance(node, ast.ClassDef)
            }
        )
        for name, sizes, asked in (
            ("lines of the largest room", rooms, 5_000),
            ("lines of the largest module", lines, 700),
            ("lines of the largest class", classes, 400),
        ):
            most = sizes.most_common(20)
            yield Row(name, most[0][1], asked, tuple(f"{size:6} {what}" for what, size in most))

    # ------------------------------------------------------------ circles

    def imports(self, module: Module) -> Iterator[str]:
        """Yield the modules that this one imports anywhere, by name too."""
        package = module.name if module.is_package else module.name.rpartition(".")[0]
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    parts = [PACKAGE, *filter(None, package.split("."))]
                    base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [base])])
                # The imported name may be a module of a package, or a name in a module.
                names = [
                    f"{base}.{a.name}" if self._module(f"{base}.{a.name}") is not None else base
                    for a in node.names
                ]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                # A command that is imported when it runs. The package's bare name is no import.
                names = [node.value] if node.value != PACKAGE else []
            else:
                continue
            for name in names:
                known = self._module(name)
                if known is not None and known != module.name:
                    yield known

    def _module(self, name: str) -> str | None:
        if name == PACKAGE:
            return ""
        below = name.removeprefix(f"{PACKAGE}.")
        return below if below != name and below in self.modules else None

    def circles(self) -> Row:
        after = {name: set(self.imports(module)) for name, module in self.modules.items()}
        found = [sorted(circle) for circle in _components(after) if len(circle) > 1]
        places = tuple(", ".join(circle) for circle in found)
        return Row("modules in circles of imports", sum(map(len, found)), 0, places)

    # ------------------------------------------------------------ words

    def words(self) -> Row:
        """Attacks, benchmarks and docs count, too."""
        words: Counter[str] = Counter()
        for folder in (PACKAGE, "attack", "bench", "docs"):
            for path in sorted((HOME / folder).rglob("*.py")):
                name = "/".join(path.relative_to(HOME).parts[:2])
                words[name] += sum(
                    len(_WORD.findall(text)) for text in _prose(path.read_text("utf-8"))
                )
        places = tuple(f"{count:6} {name}" for name, count in words.most_common())
        return Row("words of docstrings and comments", words.total(), 55_000, places)

    def late_imports(self) -> Row:
        places = {
            f"{module.place(node)}: {ast.unparse(node)}": None
            for module, function in self.nodes()
            if isinstance(function, ast.FunctionDef)
            for node in ast.walk(function)
            if isinstance(node, (ast.Import, ast.ImportFrom))
        }
        return Row("imports inside functions", len(places), 20, tuple(places))

    def inheritance(self) -> Row:
        parents = {
            node.name: [ast.unparse(base).partition("[")[0] for base in node.bases]
            for _, node in self.nodes()
            if isinstance(node, ast.ClassDef)
        }

        def chain(name: str) -> list[str]:
            longer = [chain(parent) for parent in parents[name] if parent in parents]
            return [name, *max(longer, key=len, default=[])]

        chains = sorted(map(chain, parents), key=len, reverse=True)
        places = tuple(" < ".join(names) for names in chains[:20])
        return Row("depth of inheritance", len(chains[0]), 2, places)

    def class_names(self) -> Row:
        places: dict[str, list[str]] = {}
        for module, node in self.nodes():
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module.place(node))
        twice = {name: where for name, where in sorted(places.items()) if len(where) > 1}
        places = tuple(f"{name}: {', '.join(where)}" for name, where in twice.items())
        return Row("class names used twice", len(twice), 0, places)

    def taken(self, source: str, asked: int) -> Row:
        names = {
            f"{node.module}.{alias.name}"
            for _, node in self.nodes("match")
            if isinstance(node, ast.ImportFrom)
            and f"{node.module}.".startswith(f"{PACKAGE}.{source}.")
            for alias in node.names
        }
        built = all((HOME / PACKAGE / room).is_dir() for room in ("match", source))
        value = len(names) if built else "not built"
        return Row(f"names that match/ takes from {source}/", value, asked, tuple(sorted(names)))


_WORD = re.compile(r"[A-Za-z']+")


def _prose(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                yield docstring
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def _components(after: dict[str, set[str]]) -> Iterator[set[str]]:
    """Yield the strongly connected components of a graph (Kosaraju)."""
    before: dict[str, set[str]] = {name: set() for name in after}
    for name, others in after.items():
        for other in others:
            before[other].add(name)

    def reached(start: str, graph: dict[str, set[str]], seen: set[str]) -> list[str]:
        order, waiting = [], [(start, iter(sorted(graph[start])))]
        seen.add(start)
        while waiting:
            others = waiting[-1][1]
            following = next((other for other in others if other not in seen), None)
            if following is None:
                order.append(waiting.pop()[0])
            else:
                seen.add(following)
                waiting.append((following, iter(sorted(graph[following]))))
        return order

    seen: set[str] = set()
    finished = [n for name in after if name not in seen for n in reached(name, after, seen)]
    seen = set()
    for name in reversed(finished):
        if name not in seen:
            yield set(reached(name, before, seen))


# ---------------------------------------------------------------- what it costs


def _calls(work: Callable[[], object]) -> int:
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def costs() -> Iterator[Row]:
    sys.path.insert(0, str(HOME))
    from altay_cli.checking.check import check_text

    text = GAME.read_text(encoding="utf-8")
    folder = GAME.parent

    def check(log: str) -> str:
        return repr(
            [
                (f.rule, f.span, f.message)
                for g in check_text(log, folder=folder).games
                for f in g.findings
            ]
        )

    check(text)
    legal = _calls(lambda: check(text))
    statements = sum(
        1 for line in text.splitlines() for part in line.split(";") if part.startswith("  ") or part
    )
    yield Row("calls for a statement of a legal game read before", round(legal / statements), 60)
    lines = text.splitlines(keepends=True)
    bought = next(n for n, line in enumerate(lines) if line.strip() == "buy Farmer")
    doubled = "".join([*lines[: bought + 1], lines[bought], *lines[bought + 1 :]])
    check(doubled)
    yield Row(
        "calls that a second `buy Farmer` costs beyond the legal game",
        _calls(lambda: check(doubled)) - legal,
        30_000,
    )
    worst, places = 0.0, []
    for path in sorted(GAME.parent.glob("*.agn")):
        if path.stem == "mistakes":
            continue
        log = path.read_text(encoding="utf-8")
        for written, twin in (("", log), ("without draws, ", _bare(log))):
            for slip, slipped in slips(twin):
                # The runs alternate, as a machine may be slow for a while.
                cost = median(
                    (_seconds(partial(check, slipped)) - 0.3) / _seconds(partial(check, twin))
                    for _ in range(3)
                )
                worst = max(worst, cost)
                places.append(f"{cost:6.1f} x  {path.name}, {written}{slip}")
    yield Row(
        "a log with slips against its legal twin, less 0.3 s", round(worst, 1), 10, tuple(places)
    )
    clocks = tuple(_clocks())
    yield Row(
        "limits in seconds, by which a busy machine may answer otherwise", len(clocks), 0, clocks
    )


def _bare(log: str) -> str:
    return "".join(line.partition(" =>")[0].rstrip("\n") + "\n" for line in log.splitlines(True))


def slips(log: str) -> Iterator[tuple[str, str]]:
    """Yield changed logs with one mistake each, and its name."""
    lines = log.splitlines(keepends=True)
    late = len(lines) * 4 // 5
    play = next(n for n in range(late, len(lines)) if lines[n].startswith("  play "))
    yield "`play 3 Shaman` late", "".join([*lines[:play], "  play 3 Shaman\n", *lines[play:]])
    for what in ("settle ", "buy ", "play ", "end"):
        at = next(n for n, line in enumerate(lines) if f" {what}" in line)
        yield f"the first `{what.strip()}` is lost", "".join([*lines[:at], *lines[at + 1 :]])
    buy = next(n for n, line in enumerate(lines) if line.startswith("  buy "))
    other = lines[buy].replace("buy ", "buy Wonder ", 1)
    yield "a card that there is not is bought", "".join([*lines[:buy], other, *lines[buy + 1 :]])


def _clocks() -> Iterator[str]:
    """Yield the places where judging reads a clock."""
    for module, node in House().nodes():
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in _CLOCKS
            and module.room not in _SHOWING
            and module.name not in _AGES
        ):
            yield f"{module.place(node)}: {ast.unparse(node)}"


_CLOCKS = frozenset(
    f"{module}{clock}"
    for module in ("", "time.")
    for clock in ("perf_counter", "monotonic", "process_time", "time")
)
_SHOWING = frozenset({"cli", "replay", "report"})
"""They read a clock only to show progress."""
_AGES = frozenset({"base.files"})
"""They read a clock only for the age of files left over by a killed process."""


def tests() -> Row:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "pytest", "-n", "auto", "-q"], cwd=HOME, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Row("the README's test command, seconds of CPU", round(spent), 500)


def rows(with_tests: bool) -> Iterator[Row]:
    house = House()
    yield from house.sizes()
    yield house.circles()
    yield house.late_imports()
    yield house.words()
    yield house.inheritance()
    yield house.class_names()
    yield house.taken("hidden", 1)
    yield house.taken("repair", 0)
    yield from costs()
    if with_tests:
        yield tests()


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tests", action="store_true", help="run the first lane of the tests too")
    parser.add_argument("--list", metavar="ROW", help="print each place of the rows with this word")
    options = parser.parse_args()
    os.environ.setdefault("PYTHONHASHSEED", "0")
    missed = False
    print(f"  {'':68} {'before':>8} {'today':>10} {'asked':>8}")
    for row in rows(options.tests):
        missed |= not row.met
        was, value, asked = map(_number, (SECOND_EDITION.get(row.name, ""), row.value, row.asked))
        mark = " " if row.met else "x"
        print(f"{mark} {row.name:68} {was:>8} {value:>10} {asked:>8}", flush=True)
        if options.list and options.list in row.name:
            print(*(f"      {place}" for place in row.places), sep="\n")
    sys.exit(missed)


if __name__ == "__main__":
    main()
