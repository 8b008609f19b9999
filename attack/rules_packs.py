"""Compile rules that can be changed in one place: every expression knows its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from altay_cli.base.findings import ExpressionError
from altay_cli.base.resources import data_folder
from altay_cli.compile import emit
from altay_cli.compile.building import apply_variants, compile_rules
from altay_cli.compile.context import WRONG, Clause, Context
from altay_cli.compile.load import link_pack
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.types import Type
from altay_cli.pack.model import Expr, Pack, RuleFunction
from altay_cli.source.document import DataPath
from altay_cli.source.folder import Tree, read_folder
from attack.referenced import link_by_reference

RULES = data_folder("rules") / "altay"
VARIANTS = RULES / "variants"

Variants = tuple[Path, ...]
Edit = Callable[[Tree], None]
Undo = Callable[[], None]


class Refused(Exception):  # noqa: N818 - no error: the rules cannot be changed like this
    """The changed rules are invalid."""


@dataclass(frozen=True, slots=True)
class Site:
    """A use of an expression: its key in the pack, and its type check."""

    key: str
    env: Environment
    expect: Type | None


@contextmanager
def noted(sites: dict[DataPath, list[Site]]) -> Iterator[None]:
    """Record the uses of expressions while rules are compiled."""
    original_check, original_register = Clause.check, Clause.register
    last: tuple[Checked, Site, DataPath] | None = None

    def note(key: str) -> None:
        assert last is not None
        _, site, path = last
        sites.setdefault(path, []).append(replace(site, key=key))

    def checking(
        clause: Clause, expect: Type | None = None, *, key: bool = False, offset: int = 0
    ) -> Checked:
        nonlocal last
        checked = original_check(clause, expect, key=key, offset=offset)
        last = None
        if checked is not WRONG and not key and not offset:
            last = checked, Site("", clause.env, expect), clause.path
            if clause.path[0] == "functions":
                note(f"fn {clause.path[1]}")
        return checked

    def registering(clause: Clause, checked: Checked) -> Expr:
        expr = original_register(clause, checked)
        if last is not None and last[0] is checked:
            note(expr.key)
        return expr

    with patch.object(Clause, "check", checking), patch.object(Clause, "register", registering):
        yield


@dataclass(slots=True, eq=False)
class Built:
    """A linked pack; ``sites`` maps paths to compiled uses."""

    variants: Variants
    tree: Tree
    pack: Pack
    compiled: Context
    sites: dict[DataPath, list[Site]]
    by_key: dict[str, Expr]
    namespace: dict[str, Any]
    """Of the generated code."""

    functions: dict[str, Any]
    """Called with the values of their parameters."""

    def replace(self, key: str, function: Any) -> Undo:
        """Replace the evaluation of an expression; return what restores it."""
        if key.startswith("fn "):
            name = key[3:]
            original = self.functions[name]
            self._put(name, function)
            return lambda: self._put(name, original)
        expr = self.by_key[key]
        was = expr.fn
        expr.fn = function
        return lambda: setattr(expr, "fn", was)

    def _put(self, name: str, function: Any) -> None:
        known = self.pack.functions[name]
        keys = [ident.partition("_")[2] for ident in known.parameters]
        self.functions[name] = function
        self.namespace[known.key] = lambda state, *values: function(
            state, dict(zip(keys, values, strict=True))
        )

    def function(self, key: str) -> Any:
        """Return the function that evaluates an expression."""
        return self.functions[key[3:]] if key.startswith("fn ") else self.by_key[key].fn

    def rewrite(self, path: DataPath, text: str) -> list[Undo]:
        """Compile another text for the expression at ``path``, wherever it is used.

        Raise Refused if it is invalid.
        """
        undo = []
        namespace = dict(self.namespace)
        for site in self.sites.get(path, ()):
            try:
                checked = check(text, site.env, site.expect)
            except ExpressionError as error:
                raise Refused(error.message) from error
            source = emit.text(emit.evaluating("changed", checked.locals, checked.code))
            exec(source, namespace)  # noqa: S102 - as load.py
            undo.append(self.replace(site.key, namespace["changed"]))
        return undo


@lru_cache(maxsize=1)
def _base() -> Tree:
    tree = read_folder(RULES)
    if tree.problems:
        raise Refused("\n".join(map(str, tree.problems)))
    return tree


@lru_cache(maxsize=64)
def _applied(variants: Variants) -> Tree:
    return apply_variants(_base(), RULES, variants)


def read(variants: Variants = ()) -> Tree:
    return _applied(variants).copy()


def build(variants: Variants = (), edit: Edit | None = None) -> Built:
    """Compile the rules with variants and one change.

    Raise Refused if the compiler reports a problem.
    """
    tree = read(variants)
    if edit is not None:
        edit(tree)
    sites: dict[DataPath, list[Site]] = {}
    try:
        with noted(sites):
            context = Context(tree)
            pack = None if tree.problems else compile_rules(context)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refused(str(error)) from error
    if pack is None or tree.problems:
        raise Refused("; ".join(problem.message for problem in tree.problems[:3]))
    namespace = link_pack(pack)
    link_by_reference(pack)
    return Built(
        variants, tree, pack, context, sites, {expr.key: expr for expr in pack.exprs},
        namespace, {name: _called(namespace, entry) for name, entry in pack.functions.items()},
    )  # fmt: skip


def _called(namespace: dict[str, Any], entry: RuleFunction) -> Any:
    """Adapt a function of the rules to a state and values, like an expression."""
    function = namespace[entry.key]
    keys = [ident.partition("_")[2] for ident in entry.parameters]
    return lambda state, values: function(state, *(values[key] for key in keys))


@lru_cache(maxsize=64)
def plain(variants: Variants = ()) -> Built:
    """Compile the rules with variants, cached."""
    return build(variants)


def shipped(names: Sequence[str] | None = None) -> list[Path]:
    """Return the files of shipped variants."""
    found = sorted(VARIANTS.glob("*.yaml"))
    return [path for path in found if names is None or path.stem in names]
