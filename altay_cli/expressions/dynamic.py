"""One expression, one value: CEL without declared types."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from altay_cli.base.budget import STEPS, Budget
from altay_cli.base.findings import ExpressionError, Text
from altay_cli.expressions import limits
from altay_cli.expressions.checker import check
from altay_cli.expressions.environment import Environment, Symbol
from altay_cli.expressions.linker import Compiled, link
from altay_cli.expressions.types import DYN, INT_MAX, INT_MIN


def evaluate(
    source: str, bindings: Mapping[str, object] | None = None, *, budget: int = STEPS
) -> object:
    """Evaluate a CEL expression.

    Args:
        source: the expression.
        bindings: the values of names, dotted ones included: null, bools, ints, strings, and lists
            and dicts of such.
        budget: the maximum number of steps.

    Returns:
        A value of the same kinds, or a ``Type`` for an expression like ``type(1)``.

    Raises:
        ExpressionError: for everything that is refused or goes wrong; nothing else is raised.

    """
    values = {name: _imported(name, value) for name, value in (bindings or {}).items()}
    return _compiled(source, tuple(sorted(values)))(Budget(budget), values)


@lru_cache(maxsize=256)
def _compiled(source: str, names: tuple[str, ...]) -> Compiled:
    env = Environment({name: Symbol(DYN, f"v[{name!a}]") for name in names})
    return link(check(source, env, lenient=True).code, {})


def _imported(name: str, value: object) -> object:
    """Return a copy of a binding in plain types, so that nothing else can reach an expression."""
    left = limits.MAX_BINDING_VALUES

    def copied(part: object, depth: int) -> object:
        nonlocal left
        left -= 1
        if depth > limits.MAX_BINDING_DEPTH or left < 0:
            raise _refused("the value of `{name}` is too large or too deep", name)
        if part is None or isinstance(part, bool):
            return part
        if isinstance(part, int):
            if INT_MIN <= part <= INT_MAX:
                return int(part)
            raise _refused("an integer in `{name}` does not fit into 64 bits", name)
        if isinstance(part, str):
            return str(part)
        if isinstance(part, list | tuple):
            return [copied(item, depth + 1) for item in part]
        if isinstance(part, Mapping):
            return {_key(name, key): copied(item, depth + 1) for key, item in part.items()}
        unknown = f"`{name}` holds a {type(part).__name__}, which CEL here does not know"
        raise ExpressionError("binding", unknown)

    return copied(value, 0)


def _key(name: str, key: object) -> bool | int | str:
    if isinstance(key, bool) or (isinstance(key, int) and INT_MIN <= key <= INT_MAX):
        return key
    if isinstance(key, str):
        return str(key)
    raise _refused("a key in `{name}` is not an int, bool or string", name)


def _refused(template: str, name: str) -> ExpressionError:
    return ExpressionError("binding", Text(template, name=name))
