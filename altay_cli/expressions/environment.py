"""What an expression may mention: names, members, functions, and how they read in Python."""

from __future__ import annotations

from collections import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from altay_cli.expressions.types import Type

Reads = frozenset[int | str]
"""What code looks at in a state: the indexes of zones, and words for everything else."""

NOTHING_READ: Reads = frozenset()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name and the Python source that yields its value, e.g. ``v_card``.

    The source is trusted: the engine writes it, never a rule file. It must not raise, and it binds
    so tightly that it can stand anywhere; so does the code of members and functions. Of a name
    whose value is only known at the moment, ``local`` is the Python variable that holds it, and
    the key under which callers pass it. ``size`` is how long a list is
    at least. ``level`` counts the names of the moment that it hides. ``reads`` is what the
    source looks at in a state.
    """

    type: Type
    code: str
    local: tuple[str, str] | None = None
    size: int = 0
    level: int = 0
    reads: Reads = NOTHING_READ


@dataclass(frozen=True, slots=True)
class Attribute:
    """A member of an engine type; ``{0}`` in the code stands for the receiver.

    ``{0:index}`` stands for its number among the things of its kind, see ``printing.Filled``.

    ``safe`` says that the code cannot raise for any receiver of the type, ``reads`` what it looks
    at in a state.
    """

    type: Type
    code: str
    safe: bool = False
    reads: Reads = NOTHING_READ


@dataclass(frozen=True, slots=True)
class Function:
    """One overload of a function or method; ``{0}``, ``{1}``, ... stand for the arguments.

    The receiver of a method is ``parameters[0]`` and ``{0}``. An argument that the template
    names twice is evaluated twice. ``safe`` says that the code cannot raise. ``least`` is how many
    steps a call takes at least. ``own`` says that the rules themselves define it. ``reads`` is
    what the code looks at in a state, apart from its arguments; of an own function, whoever calls
    it has to look up what that reads.
    """

    parameters: tuple[Type, ...]
    result: Type
    code: str
    method: bool = False
    safe: bool = False
    least: int = 0
    own: bool = False
    reads: Reads = NOTHING_READ


def overload(
    name: str, gives: Type, code: str, *parameters: Type,
    method: bool = True, safe: bool = True, reads: str = "",
) -> tuple[str, Function]:  # fmt: skip
    """Return one overload of a function, with its name."""
    looks = frozenset({reads}) if reads else NOTHING_READ
    return name, Function(parameters, gives, code, method, safe, reads=looks)


def by_name(*rows: abc.Iterable[tuple[str, Function]]) -> dict[str, list[Function]]:
    """Return overloads by their names, in their order."""
    overloads: dict[str, list[Function]] = {}
    for name, function in chain(*rows):
        overloads.setdefault(name, []).append(function)
    return overloads


@dataclass(frozen=True, slots=True)
class Iterable:
    """How an engine type becomes a Python list, for the macros and `in`.

    ``element`` may use the type variables of ``of``.
    """

    element: Type
    of: Type
    code: str


@dataclass(frozen=True, slots=True)
class Environment:
    """All that an expression may mention, on top of CEL's standard library.

    ``names`` may have dotted keys: of ``a.b.c`` the longest prefix that is a name counts.
    ``members`` is keyed by type name and member. The keys "@in", "@index", "@+", "@-", ... of
    ``functions`` overload operators for engine types. ``globals`` are the Python objects that
    the code templates mention. Null may stand where a type of ``nullable`` is asked for.
    ``local`` are those of the names that ``child`` added.
    """

    names: Mapping[str, Symbol] = field(default_factory=dict)
    members: Mapping[tuple[str, str], Attribute] = field(default_factory=dict)
    functions: Mapping[str, Sequence[Function]] = field(default_factory=dict)
    iterables: Sequence[Iterable] = ()
    globals: Mapping[str, object] = field(default_factory=dict)
    nullable: frozenset[str] = frozenset()
    local: Mapping[str, Symbol] = field(default_factory=dict)

    def child(self, names: Mapping[str, Symbol]) -> Environment:
        """Return an environment that knows these names too; they hide outer ones."""
        return Environment(
            {**self.names, **names},
            self.members,
            self.functions,
            self.iterables,
            self.globals,
            self.nullable,
            {**self.local, **names},
        )
