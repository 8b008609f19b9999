"""Find numbers of a variant that nothing in the game comes up to."""

from __future__ import annotations

from collections.abc import Iterator

from altay_cli.base.findings import Severity
from altay_cli.expressions import typed as t
from altay_cli.lint import known as k
from altay_cli.lint.interpreter import MIRRORED, Interpreter, is_brought
from altay_cli.source.document import DataFinding, Entry, fault


def numbers_out_of_reach(truth: Interpreter, base: Entry) -> Iterator[DataFinding]:
    """Yield numbers of a variant that a field of things is compared with, and never comes up to.

    Only where it could with the number of the ``base``.
    """
    numbers = truth.c.data.get("numbers", {})
    for name, entry in numbers.items():
        path = ("numbers", name, "value")
        usual = base.get("numbers", {}).get(name, {}).get("value")
        if not truth.c.tree.variants or usual is None or not is_brought(truth.c.tree, path):
            continue
        for compared, sign, bounds in _compared(truth, f"numbers.{name}"):
            value = entry["value"]
            if k.compared(sign, bounds, k.exactly(value)) == k.FALSE and (
                k.compared(sign, bounds, k.exactly(usual)) is None
            ):
                template = "`{number}` is {value}, but `{field}` is from {least} to {most}"
                yield fault(
                    "constant-condition", template, path, severity=Severity.WARNING,
                    number=name, value=value, field=compared.field,
                    least=bounds.least, most=bounds.most,
                )  # fmt: skip
                break


def _compared(truth: Interpreter, number: str) -> Iterator[tuple[t.Member, str, k.Range]]:
    """Yield each field that is compared with a number, the sign, and the bounds of the field."""
    for checked in truth.c.checked.values():
        if number not in checked.names:
            continue
        for tree in t.everything(checked.tree):
            if not isinstance(tree, t.Applied) or tree.function not in MIRRORED:
                continue
            left, right = tree.arguments
            for sign, one, other in (
                (tree.function, left, right),
                (MIRRORED[tree.function], right, left),
            ):
                bounds = _bounds(truth, one)
                if isinstance(other, t.Reference) and other.name == number and bounds is not None:
                    assert isinstance(one, t.Member)
                    yield one, sign, bounds


def _bounds(truth: Interpreter, tree: t.Tree) -> k.Range | None:
    """Return the least and the greatest number in a field of all things of a kind."""
    if not isinstance(tree, t.Member):
        return None
    things = truth.pack.entities.get(tree.operand.type.name, ())
    return k.number(k.either([k.exactly(thing.f.get(tree.field)) for thing in things]))
