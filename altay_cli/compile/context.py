"""What compiling every section needs: the tree, what is declared, and how expressions are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from altay_cli.base.errors import ExpressionError
from altay_cli.base.suggest import did_you_mean
from altay_cli.base.text import Text, there_is_no
from altay_cli.base.values import Entity
from altay_cli.compile import model as m
from altay_cli.compile.vocabulary import parse_type
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment, Reads, Symbol
from altay_cli.expressions.types import DYN, Type, list_of
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree

PLAYER = Type("player")

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
        self.functions: dict[str, m.RuleFunction] = {}
        self.function_reads: dict[str, Reads] = {}
        """By function: what it looks at, also in those that it calls."""
        self._reads: dict[Reads, Reads] = {}
        """What expressions look at, each set once: the cache keeps it once, too."""
        self.at: DataPath = ()
        """Where the expression stands that was checked last."""
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
        found: Any = self.data
        for key in keys:
            found = found.get(key, m.NOTHING)
        entry: Entry = found
        return entry

    def entries(self, section: str) -> Iterator[tuple[Any, DataPath, Any]]:
        """Yield the entries of a section, each with its name or number and its path."""
        found = self.data.get(section, ())
        for key, entry in found.items() if isinstance(found, Mapping) else enumerate(found):
            yield key, (section, key), entry

    def unknown(
        self, what: str, name: str, known: Iterable[str], path: DataPath, *, key: bool = False
    ) -> None:
        """Report that ``name`` is unknown."""
        help_lines = did_you_mean(name, known)
        self.problem(f"unknown-{what}", there_is_no(what, name), path, *help_lines, key=key)

    def type_of(self, text: str, path: DataPath) -> Type | None:
        """Return the type that stands at ``path``; None, and a problem, if there is none."""
        found = parse_type(text, self.kinds)
        if found is None:
            self.unknown("type", text, (), path)
        return found

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
        """Check an expression of the rules; None if it is wrong.

        It is the value at ``path``, or the ``key`` itself, or begins at an ``offset`` in the value.
        """
        source = str(text).lower() if isinstance(text, bool) else str(text)
        self.at = path
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
            code = f"expression-{error.code}"
            self.problem(code, error.message, path, key=key, within=within)
            return None

    def fitting(
        self,
        text: object,
        path: DataPath,
        env: Environment,
        fits: Callable[[Type], bool],
        wrong: str = A_LIST,
        rule: str = "type",
        **values: object,
    ) -> Checked | None:
        """Check an expression whose type fits; ``wrong`` is what is said of any other type."""
        checked = self.check(text, path, env)
        if checked is None or fits(checked.type):
            return checked
        self.problem(rule, Text(wrong, type=checked.type, **values), path)
        return None

    def fitted(
        self,
        text: object,
        path: DataPath,
        env: Environment,
        fits: Callable[[Type], bool],
        wrong: str,
        rule: str = "type",
        **values: object,
    ) -> m.Expr | None:
        """Compile an expression whose type fits; None if it is wrong."""
        checked = self.fitting(text, path, env, fits, wrong, rule, **values)
        return None if checked is None else self.register(checked, text)

    def register(self, checked: Checked | None, source: object) -> m.Expr:
        """Keep the expression checked last, to be linked; ``source`` is how it reads.

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
            self.tree.line(self.at),
            self._read_by(checked),
        )
        self.exprs.append(expr)
        self.codes[expr.key] = checked.code
        self.checked[expr.key] = checked
        if checked.quick != checked.code:
            self.quick[expr.key] = checked.quick
        return expr

    def _read_by(self, checked: Checked) -> Reads:
        """Return what an expression looks at, also in the functions that it calls."""
        found = checked.reads.union(*(self.function_reads.get(name, ()) for name in checked.calls))
        return self._reads.setdefault(found, found)

    def expr(
        self, text: object, path: DataPath, env: Environment, expect: Type | None = None
    ) -> m.Expr:
        """Compile an expression; where it is wrong, a problem is noted and `null` stands for it."""
        return self.register(self.check(text, path, env, expect), text)

    def optional(
        self, data: Entry, key: str, path: DataPath, env: Environment, expect: Type | None = None
    ) -> m.Expr | None:
        """Compile ``data[key]`` if it is there."""
        return self.expr(data[key], (*path, key), env, expect) if key in data else None

    def each(
        self, data: Entry, path: DataPath, env: Environment, key: str = "each"
    ) -> tuple[tuple[str, m.Expr] | None, Environment]:
        """Compile ``data[key]``, a name and a list, if it is there."""
        if key not in data:
            return None, env
        ((name, text),) = data[key].items()
        checked = self.fitting(text, (*path, key, name), env, is_list)
        if checked is None:
            return None, bind(env, {name: DYN})
        return (name, self.register(checked, text)), bind(env, {name: checked.type.args[0]})

    def lets(
        self, data: Entry, path: DataPath, env: Environment
    ) -> tuple[tuple[tuple[str, m.Expr], ...], Environment]:
        """Compile the named values in ``data``; each may mention those before it."""
        result = []
        for name, text in data.get("let", m.NOTHING).items():
            checked = self.check(text, (*path, "let", name), env)
            if checked is not None:
                result.append((name, self.register(checked, text)))
            # What is wrong with it is told once, not of all that mentions it.
            env = bind(env, {name: DYN if checked is None else checked.type})
        return tuple(result), env
