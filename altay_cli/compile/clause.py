"""A part of the rules that is being compiled, together with its place and what it can mention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from altay_cli.base.text import Text
from altay_cli.compile.context import A_LIST, Context, bind
from altay_cli.compile.vocabulary import parse_type
from altay_cli.expressions.checker import Checked
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.types import DYN, Type
from altay_cli.pack import model as m
from altay_cli.source.document import DataPath

Named = tuple[str, m.Expr]
"""A name and what it stands for."""


@dataclass(frozen=True, slots=True)
class Clause:
    """What rules say at a place: ``clause["do"]`` is the part under a key, or the item of a list.

    ``env`` is what its expressions can mention.
    """

    c: Context
    data: Any
    path: DataPath
    env: Environment

    def __getitem__(self, key: str | int) -> Clause:
        return Clause(self.c, self.data[key], (*self.path, key), self.env)

    def __contains__(self, key: object) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = None) -> Any:
        """Return what stands under a key, as it is written."""
        return self.data.get(key, default)

    def under(self, key: str, default: Any = None) -> Clause:
        """Return the part under a key, which says ``default`` if it is not there."""
        return Clause(self.c, self.data.get(key, default), (*self.path, key), self.env)

    def saying(self, data: Any) -> Clause:
        """Return a part at the same place that says something else."""
        return replace(self, data=data)

    def parts(self, key: str) -> Iterator[tuple[Any, Clause]]:
        """Yield the parts of what stands under a key, if anything does, by names or numbers."""
        if key in self.data:
            yield from self[key].each_part()

    def each_part(self) -> Iterator[tuple[Any, Clause]]:
        """Yield the parts of a mapping or a list, by their names or numbers."""
        for name in self.data if isinstance(self.data, Mapping) else range(len(self.data)):
            yield name, self[name]

    def knowing(self, names: Mapping[str, Type]) -> Clause:
        """Return the same part with more names that it can mention, of values of the moment."""
        return replace(self, env=bind(self.env, names))

    def as_type(self) -> Type | None:
        """Return the type that is named here; None, and a problem, if there is none."""
        kind = parse_type(self.data, self.c.kinds)
        if kind is None:
            self.unknown("type", ())
        return kind

    def types(self, key: str) -> dict[str, Type]:
        """Return the types of the parameters that are declared under a key."""
        declared = ((name, part.as_type()) for name, part in self.parts(key))
        return {name: kind for name, kind in declared if kind is not None}

    # ------------------------------------------------------------ problems

    def problem(self, rule: str, message: str, *help_lines: str, key: bool = False) -> None:
        """Report a problem at this part, or at its ``key``."""
        self.c.problem(rule, message, self.path, *help_lines, key=key)

    def unknown(self, what: str, known: Iterable[str], *, key: bool = False) -> None:
        """Report that what stands here, or its ``key``, names nothing that is known."""
        name = str(self.path[-1] if key else self.data)
        self.c.unknown(what, name, known, self.path, key=key)

    # ------------------------------------------------------------ expressions

    def check(
        self, expect: Type | None = None, *, key: bool = False, offset: int | None = None
    ) -> Checked | None:
        """Check the expression that stands here, or is the ``key``; None if it is wrong.

        With an ``offset`` it is a part of the text that stands here, and begins there.
        """
        text = self.path[-1] if key else self.data
        return self.c.check(text, self.path, self.env, expect, key, offset)

    def register(self, checked: Checked | None) -> m.Expr:
        """Keep the expression that stands here, to be linked; `null` stands for one not given."""
        return self.c.register(checked, self.data, self.path)

    def expr(self, expect: Type | None = None) -> m.Expr:
        """Compile the expression that stands here; `null` stands for one that is wrong."""
        return self.register(self.check(expect))

    def optional(self, key: str, expect: Type | None = None) -> m.Expr | None:
        """Compile the expression under a key if there is one."""
        return self[key].expr(expect) if key in self.data else None

    def fitting(
        self, fits: Callable[[Type], bool], wrong: str, rule: str = "type", **values: object
    ) -> Checked | None:
        """Check the expression here, whose type must fit; ``wrong`` is said of any other type."""
        checked = self.check()
        if checked is None or fits(checked.type):
            return checked
        self.problem(rule, Text(wrong, type=checked.type, **values))
        return None

    def fitted(
        self, fits: Callable[[Type], bool], wrong: str, rule: str = "type", **values: object
    ) -> m.Expr | None:
        """Compile the expression here, whose type must fit; None if it is wrong."""
        checked = self.fitting(fits, wrong, rule, **values)
        return None if checked is None else self.register(checked)

    def each(self, key: str = "each") -> tuple[Named | None, Clause]:
        """Compile the name and the list under a key, if they are there; see ``listed``."""
        if key not in self.data:
            return None, self
        (name,) = self.data[key]
        return self.listed(key, name)

    def listed(
        self, key: str, name: str, shapes: Iterable[str] = ("list",), wrong: str = A_LIST
    ) -> tuple[Named | None, Clause]:
        """Compile the list that has a name under a key; the rest can mention its members."""
        part = self[key][name]
        checked = part.fitting(lambda kind: kind.name in shapes, wrong)
        if checked is None:
            return None, self.knowing({name: DYN})
        named = (name, part.register(checked))
        return named, self.knowing({name: checked.type.args[0]})

    def lets(self) -> tuple[tuple[Named, ...], Clause]:
        """Compile the values under `let`; each may mention those before it, and the rest all."""
        result = []
        inner = self
        for name in self.get("let", ()):
            part = inner["let"][name]
            checked = part.check()
            if checked is not None:
                result.append((name, part.register(checked)))
            # What is wrong with it is told once, not of all that mentions it.
            inner = inner.knowing({name: DYN if checked is None else checked.type})
        return tuple(result), inner


def clauses(
    c: Context, section: str, env: Environment | None = None
) -> Iterator[tuple[Any, Clause]]:
    """Yield the entries of a section, by their names or numbers."""
    return Clause(c, c.data, (), env or c.env).parts(section)
