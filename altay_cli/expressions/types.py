"""Types of expressions, and their compatibility."""

from __future__ import annotations

INT_MIN = -(2**63)
INT_MAX = 2**63 - 1


class Type:
    """A type of CEL ("int", "list", ...) or of the engine ("player", "bag", ...); immutable.

    As a value (the result of ``type(x)``) it has no arguments. No dataclass, to start faster.

    >>> str(Type("list", (Type("int"),)))
    'list(int)'
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
# Known at evaluation only.
DYN = Type("dyn")
# The element type of `[]`, which fits every type.
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
    """Return a type variable, for generic functions."""
    return Type("var", (Type(name),))


def is_builtin(kind: Type) -> bool:
    """Return True if only CEL's own types occur."""
    return kind.name in BUILTIN and all(map(is_builtin, kind.args))


class Unifier:
    """Matches types against patterns, and remembers the binding of each type variable.

    nullable: the names of types that accept null.
    dynamic: afterwards, whether a match must be confirmed at evaluation.

    >>> types = Unifier(frozenset())
    >>> types.accept(list_of(var("A")), list_of(INT)), str(types.resolve(var("A")))
    (True, 'int')
    """

    def __init__(self, nullable: frozenset[str]) -> None:
        self.nullable = nullable
        self.bound: dict[str, Type] = {}
        self.dynamic = False

    def accept(self, wanted: Type, given: Type) -> bool:
        """Return True if ``given`` is accepted as ``wanted``."""
        if wanted.name == "var":
            name = wanted.args[0].name
            joined = join(self.bound.get(name, given), given, self.nullable)
            if joined is not None:
                self.bound[name] = joined
            return joined is not None
        if wanted.name == "dyn" or given.name == "nothing":  # `[]` is a list of anything
            return True
        if given.name == "dyn":
            # Confirmed at evaluation, which is impossible for engine types.
            self.dynamic = True
            return is_builtin(self.resolve(wanted))
        if given.name == "null_type" and wanted.name in self.nullable:
            return True
        if wanted.name != given.name or len(wanted.args) != len(given.args):
            return False
        return all(self.accept(w, f) for w, f in zip(wanted.args, given.args, strict=True))

    def resolve(self, kind: Type) -> Type:
        """Return the type without variables; unbound ones are dyn."""
        if kind.name == "var":
            return self.bound.get(kind.args[0].name, DYN)
        if not kind.args:
            return kind
        return Type(kind.name, tuple(map(self.resolve, kind.args)))


def join(left: Type, right: Type, nullable: frozenset[str]) -> Type | None:
    """Return the narrowest type that accepts both, or None if only dyn would.

    >>> str(join(list_of(NOTHING), list_of(INT), frozenset()))
    'list(int)'
    """
    if left == right or right.name == "nothing":
        return left
    if left.name == "nothing":
        return right
    if "dyn" in (left.name, right.name):
        return DYN
    if left.name == "null_type" and right.name in nullable:
        return right
    if right.name == "null_type" and left.name in nullable:
        return left
    if left.name != right.name or len(left.args) != len(right.args):
        return None
    args = [join(a, b, nullable) for a, b in zip(left.args, right.args, strict=True)]
    return None if None in args else Type(left.name, tuple(filter(None, args)))
