"""`python -m attack mutations`: change the program in one place; some test must fail.

If no test of its room notices, code has no test or makes no difference.
"""

from __future__ import annotations

import ast
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType
from typing import NamedTuple

import click

from attack.reached import Reached, record

HOME = Path(__file__).parents[1]
SETTING = "ALTAY_MUTATION"
"""The variable that changes a module in a run of tests: `altay_cli.match.judging:12`."""

SECONDS = 600
"""Tests that need more time of the processor loop without end, which counts as noticed."""

WAITING = 3600
"""Tests that take longer wait without end, which counts as noticed."""

ROOMS = {
    "match": ("tests/engine", "tests/games", "tests/rules", "tests/findings", "tests/innovation"),
    "hidden": ("tests/engine", "tests/games", "tests/rules", "tests/innovation"),
    "scoring": ("tests/scoring", "tests/rules", "tests/games"),
    "repair": ("tests/engine", "tests/written", "tests/findings", "tests/rules", "tests/cli"),
}
"""Those that notice most come first."""

_EXCHANGED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
}  # fmt: skip


class Mutation(NamedTuple):
    """One change of a module; ``number`` counts the possible changes of that module."""

    module: str
    number: int
    line: int
    what: str

    @property
    def setting(self) -> str:
        """Return the value of SETTING for a run with this mutation."""
        return f"{self.module}:{self.number}"

    def is_noticed(self, tests: Sequence[str], cache: str) -> bool:
        """Return True if a test fails; raise a ClickException if it cannot be run."""
        with TemporaryDirectory() as folder:
            named = Path(folder, "tests")
            named.write_text("\n".join([*tests, ""]))
            return self._fails(named, cache)

    def _fails(self, named: Path, cache: str) -> bool:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "attack.mutations"]
        command += ["-p", "no:cacheprovider", "-p", "no:randomly", f"@{named}"]
        try:
            run = subprocess.run(  # noqa: S603 - our own tests
                command,
                cwd=HOME,
                env={**os.environ, SETTING: self.setting, "ALTAY_CACHE": cache},
                capture_output=True,
                text=True,
                check=False,
                timeout=WAITING,
            )
        except subprocess.TimeoutExpired:
            return True
        # 1: a test fails. 2 to 4: the changed module prevents even the collection of tests.
        if run.returncode == 5:
            raise click.ClickException(f"no tests: {run.stdout}")
        return run.returncode != 0


def _sites(tree: ast.Module) -> Iterator[tuple[int, str, Callable[[], None]]]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name == "__repr__":
            continue
        for node in (function, *_inside(function)):
            yield from _changes(node)


def _inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Skip functions defined in it, asserts and annotations."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assert | ast.Raise):
            continue
        yield node
        children = [
            child
            for name, value in ast.iter_fields(node)
            if name != "annotation"
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        ]
        waiting.extend(reversed(children))


def _changes(node: ast.AST) -> Iterator[tuple[int, str, Callable[[], None]]]:
    match node:
        case ast.Compare(ops=[op]):
            other = _EXCHANGED[type(op)]
            yield node.lineno, _exchange(op, other), lambda: node.ops.__setitem__(0, other())  # type: ignore[call-overload]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _EXCHANGED:
            other = _EXCHANGED[type(op)]
            yield node.lineno, _exchange(op, other), lambda: setattr(node, "op", other())
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not isinstance(test, ast.Compare | ast.BoolOp):
                opposite = _negated(test)
                yield test.lineno, "condition negated", lambda: setattr(node, "test", opposite)
        case ast.Return(value=ast.Constant(value=bool(value))):
            opposite = ast.Constant(not value)
            yield node.lineno, f"returns {not value}", lambda: setattr(node, "value", opposite)
        case ast.Return(value=ast.expr()):
            yield node.lineno, "returns None", lambda: setattr(node, "value", ast.Constant(None))
    for name in ("body", "orelse"):
        statements = getattr(node, name, None)
        if isinstance(statements, list):
            for index, statement in enumerate(statements):
                if _can_be_deleted(statement):
                    yield (
                        statement.lineno,
                        "statement deleted",
                        lambda to=statements, at=index: to.__setitem__(at, ast.Pass()),  # type: ignore[misc]
                    )


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
    return ast.UnaryOp(ast.Not(), test)


def _exchange(old: ast.AST, new: type[ast.AST]) -> str:
    return f"{type(old).__name__} becomes {new.__name__}"


def _can_be_deleted(statement: ast.AST) -> bool:
    match statement:
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False


def mutations(module: str) -> list[Mutation]:
    """Return all mutations of a module.

    >>> mutations("altay_cli.match.judging")[0].module
    'altay_cli.match.judging'
    """
    tree = ast.parse(_path(module).read_bytes())
    return [
        Mutation(module, number, line, what) for number, (line, what, _) in enumerate(_sites(tree))
    ]


def changed(source: bytes, number: int) -> ast.Module:
    r"""Return the syntax tree of a module with one mutation.

    >>> ast.unparse(changed(b"def f(x):\n    return x + 1", 1))
    'def f(x):\n    return x - 1'
    """
    tree = ast.parse(source)
    sites = list(_sites(tree))
    sites[number][2]()
    return ast.fix_missing_locations(tree)


def modules(room: str) -> list[str]:
    folder = HOME / "altay_cli" / room
    return [f"altay_cli.{room}.{path.stem}" for path in sorted(folder.glob("[a-z]*.py"))]


def _path(module: str) -> Path:
    return HOME.joinpath(*module.split(".")).with_suffix(".py")


class _Loader(SourceFileLoader):
    number = 0

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - its signature is fixed
        tree = changed(self.get_data(self.path), self.number)
        return compile(tree, self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Must come before any other finder."""

    def __init__(self, module: str, number: int) -> None:
        self._module = module
        self._number = number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin)
        spec.loader.number = self._number
        return spec


FIRST = 40
"""Of the tests that reach a line, so many run first: most mutations are noticed by one of them."""


def _batches(mutation: Mutation, reached: Reached | None) -> list[Sequence[str]]:
    """Return the tests that may notice a mutation, those first that take little time."""
    if reached is None:
        return [ROOMS[mutation.module.split(".")[1]]]
    tests = reached.tests(_path(mutation.module), mutation.line)
    return [batch for batch in (tests[:FIRST], tests[FIRST:]) if batch]


@click.command("mutations")
@click.argument("only", nargs=-1, metavar="[ROOM|MODULE...]")
@click.option("--sample", default=20, show_default=True, help="Mutations of each room.")
@click.option("--seed", default=1, show_default=True, help="Which mutations are drawn.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Runs at a time.")
@click.option(
    "--reached",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Run only tests that reach the changed line. FOLDER keeps which do; made if missing.",
    metavar="FOLDER",
)
def main(only: tuple[str, ...], sample: int, seed: int, jobs: int, folder: Path | None) -> None:
    """Change the program in one place; a test of its room must fail.

    ROOM is one of match, hidden, scoring and repair (all without an argument); MODULE is one of
    their modules (`match.judging`). A mutation takes some ten seconds, one that no test notices
    some minutes. With --reached that is less, after all tests have run once, slowly.
    """
    reached = None
    if folder is not None:
        if not folder.is_dir():
            record(
                folder,
                list(ROOMS),
                sorted({path for paths in ROOMS.values() for path in paths}),
                jobs,
            )
        reached = Reached(folder)
    chosen: list[Mutation] = []
    for name in only or ROOMS:
        room, _, module = name.partition(".")
        if room not in ROOMS:
            raise click.UsageError(f"{room} is none of {', '.join(ROOMS)}")
        named = [f"altay_cli.{name}"] if module else modules(room)
        possible = [mutation for path in named for mutation in mutations(path)]
        chosen += Random(seed).sample(possible, min(sample, len(possible)))
    unnoticed = 0
    tests = [_batches(mutation, reached) for mutation in chosen]
    with TemporaryDirectory() as cache, ThreadPoolExecutor(jobs) as pool:
        results = pool.map(
            lambda mutation, batches: any(mutation.is_noticed(batch, cache) for batch in batches),
            chosen,
            tests,
        )
        for mutation, batches, noticed in zip(chosen, tests, results, strict=True):
            if not noticed:
                unnoticed += 1
                path = _path(mutation.module).relative_to(HOME)
                by = "" if batches else ", which no test reaches"
                click.echo(f"{path}:{mutation.line}: {mutation.what} ({mutation.setting}){by}")
    share = 100 - 100 * unnoticed / len(chosen)
    click.echo(f"{len(chosen)} mutations, {unnoticed} not noticed: {share:.0f} % caught")
    sys.exit(bool(unnoticed))


if SETTING in os.environ:
    _module, _, _number = os.environ[SETTING].partition(":")
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    sys.meta_path.insert(0, _Finder(_module, int(_number)))
