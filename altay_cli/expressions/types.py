"""Types of expressions, and when one type is accepted where another is asked for."""

from __future__ import annotations

INT_MIN = -(2**63)
INT_MAX = 2**63 - 1
"""The range of ``int``."""


class Type:
    """A type: of CEL ("int", "list", ...) or of the engine ("player", "bag", ...).

    As a value (what ``type(x)`` gives) a type has no arguments. It is never changed. Written out
    because every start needs it, and Python takes a millisecond to make a dataclass.
    """

    __slots__ = ("args", "name")

    def __init__(self, name: str, args: tuple[Type, ...] = ()) -> None:
        self.name = name
        self.args = args

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.name == other.name and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.name, self.args))

    def __str__(self) -> str:
        if self.name == "var":
            return self.args[0].name
        if not self.args:
            return "null" if self.name == "null_type" else self.name
        return f"{self.name}({', '.join(map(str, self.args))})"


NULL = Type("null_type")
BOOL = Type("bool")
INT = Type("int")
STRING = Type("string")
TYPE = Type("type")
# The type that is only known when the expression is evaluated.
DYN = Type("dyn")
# The type of the elements of `[]`: it fits every type.
NOTHING = Type("nothing")

SCALARS = frozenset({"bool", "int", "string"})
BUILTIN = frozenset({"null_type", "bool", "int", "string", "list", "map", "type", "dyn", "nothing"})


def list_of(element: Type) -> Type:
    """Return the type of lists with such elements."""
    return Type("list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """Return the type of maps with such keys and values."""
    return Type("map", (key, value))


def var(name: str) -> Type:
    """Return a type variable, for the parameters and results of generic functions."""
    return Type("var", (Type(name),))


def is_builtin(kind: Type) -> bool:
    """Whether only CEL's own types occur in it, so that a value can be tested for it."""
    return kind.name in BUILTIN and all(map(is_builtin, kind.args))


class Unifier:
    """Matches types against patterns with type variables, remembering what each stands for.

    ``nullable`` are the names of the types for which null may stand. ``dynamic`` tells afterwards
    whether something was accepted that only evaluation can confirm.
    """

    def __init__(self, nullable: frozenset[str]) -> None:
        self.nullable = nullable
        self.bound: dict[str, Type] = {}
        self.dynamic = False

    def accept(self, wanted: Type, given: Type) -> bool:
        """Whether a value of type ``given`` may stand where ``wanted`` is asked for."""
        if wanted.name == "var":
            name = wanted.args[0].name
            joined = join(self.bound.get(name, given), given, self.nullable)
            if joined is not None:
                self.bound[name] = joined
            return joined is not None
        if wanted.name == "dyn" or given.name == "nothing":  # `[]` is a list of anything
            return True
        if given.name == "dyn":
            # Whether it fits is seen at evaluation; of engine types we could not see it.
            self.dynamic = True
            return is_builtin(self.resolve(wanted))
        if given.name == "null_type" and wanted.name in self.nullable:
            return True
        if wanted.name != given.name or len(wanted.args) != len(given.args):
            return False
        return all(self.accept(w, f) for w, f in zip(wanted.args, given.args, strict=True))

    def resolve(self, kind: Type) -> Type:
        """Return the type with its variables replaced; an unbound one is dyn."""
        if kind.name == "var":
            return self.bound.get(kind.args[0].name, DYN)
        if not kind.args:
            return kind
        return Type(kind.name, tuple(map(self.resolve, kind.args)))


def join(one: Type, other: Type, nullable: frozenset[str]) -> Type | None:
    """Return the narrowest type that both fit, or None if only dyn would do."""
    if one == other or other.name == "nothing":
        return one
    if one.name == "nothing":
        return other
    if "dyn" in (one.name, other.name):
        return DYN
    if one.name == "null_type" and other.name in nullable:
        return other
    if other.name == "null_type" and one.name in nullable:
        return one
    if one.name != other.name or len(one.args) != len(other.args):
        return None
    args = [join(a, b, nullable) for a, b in zip(one.args, other.args, strict=True)]
    return None if None in args else Type(one.name, tuple(filter(None, args)))
