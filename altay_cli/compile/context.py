"""What compiling every section needs: the tree, what is declared, and how expressions are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from altay_cli.base.errors import ExpressionError
from altay_cli.base.suggest import did_you_mean
from altay_cli.base.text import there_is_no
from altay_cli.base.values import Entity
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment, Reads, Symbol
from altay_cli.expressions.types import DYN, Type, list_of
from altay_cli.pack import model as m
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree

A_LIST = "a list is needed, not {type}"
A_THING = "a thing is needed, not {type}"

EMPTY = check("[]", Environment())._replace(type=list_of(DYN))
"""What stands for a list that is wrong, or is not there."""

_NULL = check("null", Environment())


def bind(env: Environment, names: Mapping[str, Type]) -> Environment:
    """Return an environment with names whose values are among those of the moment."""
    return env.child({name: _local(env, name, kind) for name, kind in names.items()})


def _local(env: Environment, name: str, kind: Type) -> Symbol:
    """Return a name whose value is among those of the moment, in a Python variable of its own."""
    outer = env.names.get(name)
    # It may hide a name of the same kind: `v_card`, `v1_card`, `v2_card`, ...
    level = outer.level + 1 if outer is not None and outer.local is not None else 0
    ident = f"v{level or ''}_{name}"
    return Symbol(kind, ident, (ident, name), level=level)


def is_list(kind: Type) -> bool:
    """Return whether a type is that of a list."""
    return kind.name == "list"


class Context:
    """What is known while one tree is compiled; ``tree.problems`` collects what is wrong with it.

    What is declared is put in by ``declarations.declare``, before any section is compiled.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.data: Entry = tree.data
        self.problem = tree.problem
        self.kinds = frozenset(self.section("kinds")) | {"player"}
        self.zones: tuple[m.Zone, ...] = ()
        self.zone_named: Mapping[str, m.Zone] = {}
        self.entities: Mapping[str, tuple[Entity, ...]] = {}
        self.procedure_types: Mapping[str, Mapping[str, Type]] = {}
        self.decision_types: Mapping[str, Mapping[str, Type]] = {}
        self.answer_types: Mapping[str, Type] = {}
        """The types of the answers that have a value, by decision."""
        self.base = Environment()
        """What can be mentioned by what tells how the game stands."""
        self.env = self.base
        self.move_envs: dict[str, Environment] = {}
        """By move: what its requirements and effects can mention."""

        self.exprs: list[m.Expr] = []
        self.codes: dict[str, str] = {}
        self.quick: dict[str, str] = {}
        self.checked: dict[str, Checked] = {}
        """What was found out about expressions, by their keys; of functions by `fn` and name."""
        self.paths: dict[str, DataPath] = {}
        """Where expressions stand, by their keys."""
        self.functions: dict[str, m.RuleFunction] = {}
        self.function_reads: dict[str, Reads] = {}
        """By function: what it looks at, also in those that it calls."""
        self._reads: dict[Reads, Reads] = {}
        """What expressions look at, each set once: the cache keeps it once, too."""
        self.about = ""
        """The title of the move or section being compiled."""
        self.rules: dict[str, list[tuple[str, m.RuleText]]] = {}
        self.routines: list[m.Effects] = []
        self.things: dict[Entity, str] = {}
        """The Python constants that things are which hold effects."""
        self.loops = 0
        """How many loops of effects lie around what is being compiled."""
        self.translated: set[str] = set()
        """The texts whose translations have been checked."""

    # ------------------------------------------------------------ data and problems

    def section(self, *keys: str) -> Entry:
        """Return what stands under some keys, one in the other; empty if nothing does."""
        part: Any = self.data
        for key in keys:
            part = part.get(key, m.NOTHING)
        entry: Entry = part
        return entry

    def unknown(
        self, what: str, name: str, known: Iterable[str], path: DataPath, *, key: bool = False
    ) -> None:
        """Report that ``name`` is unknown."""
        help_lines = did_you_mean(name, known)
        self.problem(f"unknown-{what}", there_is_no(what, name), path, *help_lines, key=key)

    # ------------------------------------------------------------ expressions

    def check(
        self,
        text: object,
        path: DataPath,
        env: Environment,
        expect: Type | None = None,
        key: bool = False,
        offset: int | None = None,
    ) -> Checked | None:
        """Check an expression of the rules, see ``Clause.check``; None if it is wrong."""
        source = str(text).lower() if isinstance(text, bool) else str(text)
        try:
            return check(source, env, expect)
        except ExpressionError as error:
            start, end = error.start, error.end
            if offset is not None:
                start = offset + (start or 0)
                end = offset + (len(source) if end is None else end)
            within = None
            if not key and start is not None and end is not None:
                within = (start, max(end, start + 1))
            self.problem(f"expression-{error.code}", error.message, path, key=key, within=within)
            return None

    def register(self, checked: Checked | None, source: object, path: DataPath) -> m.Expr:
        """Keep an expression that stands at ``path``, to be linked; ``source`` is how it reads.

        `null` stands for one that is wrong.
        """
        if checked is None:
            checked = _NULL
        expr = m.Expr(
            f"e{len(self.exprs)}",
            str(source),
            checked.names,
            checked.locals,
            checked.type.name,
            self.place(path),
            self._read_by(checked),
        )
        self.exprs.append(expr)
        self.codes[expr.key] = checked.code
        self.checked[expr.key] = checked
        self.paths[expr.key] = path
        if checked.quick != checked.code:
            self.quick[expr.key] = checked.quick
        return expr

    def place(self, path: DataPath) -> tuple[str, int]:
        """Return the file and line in which something stands."""
        file, span = self.tree.where(path)
        return file, span.line

    def _read_by(self, checked: Checked) -> Reads:
        """Return what an expression looks at, also in the functions that it calls."""
        reads = checked.reads.union(*(self.function_reads.get(name, ()) for name in checked.calls))
        return self._reads.setdefault(reads, reads)
