"""The public conformance cases of CEL; see conformance/README.md for where they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.checker import evaluate

Case = dict[str, Any]

CASES: list[Case] = json.loads(
    (Path(__file__).parent / "conformance" / "cases.json").read_text(encoding="utf-8")
)

# Codes with which something is refused before it is evaluated.
REFUSED = {"unsupported", "too-deep", "too-long", "regex"}


def value(written: Any) -> Any:
    """Read a value of the file."""
    if isinstance(written, dict):
        return {key: value(item) for key, item in written["map"]}
    if isinstance(written, list):
        return [value(item) for item in written]
    return written


def exact(found: Any) -> Any:
    """Make a value comparable in which true is not 1 and maps have no order."""
    if isinstance(found, list):
        return ["list", *map(exact, found)]
    if isinstance(found, dict):
        return ["map", sorted((repr(exact(k)), exact(v)) for k, v in found.items())]
    return type(found).__name__, found


def run(case: Case) -> Any:
    bindings = {name: value(written) for name, written in case.get("bindings", {}).items()}
    return evaluate(case["expr"], bindings)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['file']}/{c['section']}/{c['name']}")
def test_case(case: Case) -> None:
    if case.get("error"):
        with pytest.raises(ExpressionError) as caught:
            run(case)
        assert caught.value.code not in REFUSED
        return
    try:
        found = run(case)
    except ExpressionError as error:
        if error.code not in REFUSED:
            raise
        pytest.skip(f"refused: {error.message}")
    assert exact(found) == exact(value(case["value"]))


def test_nine_in_ten_are_evaluated() -> None:
    refused = 0
    for case in CASES:
        try:
            run(case)
        except ExpressionError as error:
            refused += error.code in REFUSED
    evaluated = len(CASES) - refused
    print(f"{evaluated} of {len(CASES)} conformance cases are evaluated")  # noqa: T201
    assert evaluated >= 0.9 * len(CASES)
