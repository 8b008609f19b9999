"""What an expression may mention: names, members, functions, and how they read in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from altay_cli.expressions.types import Type

Reads = frozenset[int | str]
"""What code looks at in a state: the indexes of zones, and words for everything else."""

NOTHING_READ: Reads = frozenset()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name and the Python source that yields its value, e.g. ``v_card``; or a member of a type.

    The source is trusted: the engine writes it, never a rule file. It binds so tightly that it can
    stand anywhere; so does the code of functions. In that of a member, ``{0}`` stands for the
    receiver, and ``{0:index}`` for its number among the things of its kind, see
    ``printing.Filled``. ``safe`` says that it cannot raise, which a name never does.

    Of a name whose value is only known at the moment, ``local`` is the Python variable that holds
    it, and the key under which callers pass it. ``size`` is how long a list is at least. ``level``
    counts the names of the moment that it hides. ``reads`` is what the source looks at in a state.
    """

    type: Type
    code: str
    local: tuple[str, str] | None = None
    size: int = 0
    level: int = 0
    reads: Reads = NOTHING_READ
    safe: bool = True


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


def by_name(rows: Iterable[tuple[str, Function]]) -> dict[str, list[Function]]:
    """Return overloads by their names, in their order."""
    overloads: dict[str, list[Function]] = {}
    for name, function in rows:
        overloads.setdefault(name, []).append(function)
    return overloads


@dataclass(frozen=True, slots=True)
class Environment:
    """All that an expression may mention, on top of CEL's standard library.

    ``names`` may have dotted keys: of ``a.b.c`` the longest prefix that is a name counts.
    ``members`` is keyed by type name and member. The keys "@in", "@index", "@+", "@-", ... of
    ``functions`` overload operators for engine types; "@list" makes lists of them, for the macros
    and `in`. Null may stand where a type of ``nullable`` is asked for.
    """

    names: Mapping[str, Symbol] = field(default_factory=dict)
    members: Mapping[tuple[str, str], Symbol] = field(default_factory=dict)
    functions: Mapping[str, Sequence[Function]] = field(default_factory=dict)
    nullable: frozenset[str] = frozenset()

    def child(self, names: Mapping[str, Symbol]) -> Environment:
        """Return an environment that knows these names too; they hide outer ones."""
        return replace(self, names={**self.names, **names})
