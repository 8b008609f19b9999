"""Print Python, which needs no brackets, from a typed tree."""

from __future__ import annotations

from altay_cli.expressions import typed as t
from altay_cli.expressions.macros import MACROS
from altay_cli.expressions.types import BOOL, DYN, Type

# Nested calls of longer chains would exceed Python's limits.
_LONG_CHAIN = 12

# Python 3.12 and 3.13 inline comprehensions and crash at some twenty nested ones; deeper ones are
# generators.
_MAX_COMPREHENSIONS = 8


class Filled(str):
    """Code for a template; ``{0:index}`` is the number of an entity, -1 for null."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        if form != "index":
            return str(self)
        return f"({self}.index if {self} else -1)" if self.isidentifier() else f"_index({self})"


class Key(Filled):
    """Code of the key of a place that effects fill: null raises, with its ``source``."""

    __slots__ = ("source",)
    source: str

    def __format__(self, form: str) -> str:
        if form == "index" and self.isidentifier():
            return f"({self}.index if {self} is not None else _no_key({self.source!r}))"
        return f"_key_index({self}, {self.source!r})" if form == "index" else str(self)


class Printer:
    """Prints an expression.

    quick: absorb no errors; if the code raises, the absorbing code must be evaluated.
    absorbs: afterwards, whether an error is absorbed, or would have to be.
    """

    def __init__(self, *, quick: bool = False) -> None:
        self.absorbs = False
        self._quick = quick
        self._loops = 0

    def value(self, tree: t.Tree, kind: Type) -> str:
        """Return the code of a value, tested if its type is uncertain."""
        return tested(self.code(tree), tree.type, kind)

    def condition(self, tree: t.Tree) -> str:
        """Return the code of a value that must be a bool."""
        return f"_truth({self.code(tree)})" if tree.type == DYN else self.code(tree)

    def code(self, tree: t.Tree) -> str:
        """Return the code of a tree."""
        match tree:
            case t.Reference() | t.Variable():
                return tree.code
            case t.Constant(value=int() as value) if value < 0:
                return f"({value})"
            case t.Constant():
                return ascii(tree.value)
            case t.Applied(function="&&" | "||"):
                return self._joined(tree)
            case t.Applied() if t.is_chain(tree):
                return self._chain(tree)
            case t.Applied() | t.Member():
                return tree.code.format(*(Filled(self.code(part)) for part in t.parts(tree)))
            case t.Walk():
                return self._walk(tree)
            case t.Conditional():
                branches = [
                    f"{self.code(value)} if {self.condition(test)} else "
                    for test, value in tree.branches
                ]
                return f"({''.join(branches)}{self.code(tree.otherwise)})"
            case t.Listed():
                return f"[{', '.join(map(self.code, tree.items))}]"
            case t.Mapped():
                pairs = [(self.code(key), self.code(value)) for key, value in tree.entries]
                if tree.is_plain:
                    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"
                return f"_new_map(S, {', '.join(f'({key}, {value})' for key, value in pairs)})"
            case t.Failure():
                return f"_fail({tree.code!a}, {tree.message!a}, *{tree.place})"

    def _chain(self, tree: t.Applied) -> str:
        first, operators = t.chain(tree)
        text = self.code(first)
        rights = [self.code(operator.arguments[1]) for operator in operators]
        if len(operators) > _LONG_CHAIN:
            steps = [
                f"((lambda _l, _r: {operator.code.format('_l', '_r')}), {right})"
                for operator, right in zip(operators, rights, strict=True)
            ]
            return f"_fold(S, {text}, {', '.join(steps)})"
        for operator, right in zip(operators, rights, strict=True):
            text = operator.code.format(text, right)
        return text

    def _joined(self, tree: t.Applied) -> str:
        """Print ``&&`` or ``||``.

        Operands commute, errors included: so those that cannot raise come first, as plain Python. A
        single other one decides then; only several need a helper.
        """
        word, helper = "or", "_any_is(S, True, ({}), _call)"
        if tree.function == "&&":
            word, helper = "and", "(not _any_is(S, False, ({}), _call))"
        safe: list[str] = []
        unsafe: list[str] = []
        for operand in tree.arguments:
            (safe if t.is_certain(operand) else unsafe).append(self.condition(operand))
        if len(unsafe) > 1:
            self.absorbs = True
            if not self._quick:
                unsafe = [helper.format(", ".join(f"lambda: {text}" for text in unsafe))]
        texts = safe + unsafe
        return f"({f' {word} '.join(texts)})" if len(texts) > 1 else texts[0]

    def _walk(self, tree: t.Walk) -> str:
        macro = MACROS[tree.macro, len(tree.variables) + len(tree.bodies)]
        over = tree.code.format(self.code(tree.over), f", {tree.weight}" if tree.weight > 1 else "")
        self._loops += 1
        conditions = list(map(self.condition, tree.bodies[: macro.conditions]))
        bodies = [*conditions, *map(self.code, tree.bodies[macro.conditions :])]
        self._loops -= 1
        code = (self._loops >= _MAX_COMPREHENSIONS and macro.nested) or macro.code
        if macro.absorbing and not t.is_certain(tree.bodies[0]):
            self.absorbs = True
            code = code if self._quick else macro.absorbing
        return code.format(
            over=over,
            x=f"_x{tree.number}",
            y=f"_x{tree.number + 1}",
            first=bodies[0],
            last=bodies[-1],
            where=f" if {bodies[0]}" if conditions and len(bodies) > 1 else "",
            weight=tree.weight,
        )


def tested(code: str, given: Type, wanted: Type) -> str:
    """Return the code of a value, tested if its type is uncertain."""
    if given == wanted:
        return code
    return f"_truth({code})" if wanted == BOOL else f"_conform(S, {code}, {type_source(wanted)})"


def type_source(kind: Type) -> str:
    """Return the source that creates a type.

    >>> from altay_cli.expressions.types import INT, list_of
    >>> type_source(list_of(INT))
    "_T('list', (_T('int'), ))"
    """
    if not kind.args:
        return f"_T({kind.name!r})"
    return f"_T({kind.name!r}, ({''.join(type_source(arg) + ', ' for arg in kind.args)}))"
