"""Texts that were made to hurt: all of them take a time in proportion to their length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from altay_cli.notation import parser
from altay_cli.notation.limits import MAX_LINE
from altay_cli.notation.reading import read_log
from altay_cli.notation.writing import format_log
from tests.effort import at_most

HEAD = '[Game "x"]\nturn 1 Ann\n'
MANY = 12_000
CALLS = 4_000_000

TEXTS: dict[str, Callable[[], str]] = {
    "tags": lambda: "".join(f'[T{n} "x"]\n' for n in range(MANY)),
    "the same tag": lambda: '[Game "x"]\n' * MANY,
    "brackets in a line": lambda: HEAD + "(" * MANY,
    "brackets in lines": lambda: HEAD + "(\n" * MANY,
    "square brackets": lambda: HEAD + "[\n" * MANY,
    "malformed lines, all different": lambda: HEAD + "".join(f"({n}\n" for n in range(MANY)),
    "long malformed lines": lambda: HEAD + "".join(f"{'a ' * 4990}) {n}\n" for n in range(10)),
    "seats": lambda: HEAD + "".join(f"seat P{n} as X\n" for n in range(MANY)),
    "headings": lambda: HEAD + "turn Ann\nsetup\n" * (MANY // 2),
    "semicolons": lambda: HEAD + ";" * 1_000_000,
    "semicolons with blanks": lambda: HEAD + "; " * 500_000,
    "short statements in a line": lambda: HEAD + "a;" * MANY,
    "quotes": lambda: HEAD + '"' * 1_000_001,
    "escapes": lambda: HEAD + '"\\' * 500_000,
    "unclosed quotes": lambda: HEAD + 'a "b\n' * MANY,
    "unclosed quotes, all different": lambda: HEAD + "".join(f'a "b{n}\\\n' for n in range(MANY)),
    "a comma and blank lines": lambda: HEAD + "a,\n" + "\n" * 1_000_000,
    "lines that end in a comma": lambda: HEAD + "a,\n" * MANY,
    "commas and comments": lambda: HEAD + "a," + "# c\n" * MANY + "b",
    "commas and blanks": lambda: HEAD + ("a," + " " * 9990 + "b\n") * 100,
    "brackets and blanks": lambda: HEAD + ("a(" * 4999 + "\n" + "a(" + " " * 9990 + "\n") * 50,
    "digits": lambda: HEAD + "1" * 9_999 + "\n" + "1" * 1_000_000,
    "control characters": lambda: HEAD + "\x01\n" * MANY + "\x02" * MANY,
    "carriage returns": lambda: HEAD + "\r" * 1_000_000,
    "a huge line": lambda: HEAD + "a" * 50_000_000,
    "a huge line of separators": lambda: HEAD + ";" * 50_000_000,
    "a huge line of quotes": lambda: HEAD + '"' * 50_000_000,
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("function", [read_log, format_log])
def test_time(function: Callable[[str], object], name: str) -> None:
    text = TEXTS[name]()
    with at_most(CALLS):
        function(text)


def test_many_semicolons_are_no_error() -> None:
    assert read_log(HEAD + ";" * 1_000_000).findings == ()


def test_a_huge_line_is_one_finding() -> None:
    log = read_log(HEAD + "a;" * (MAX_LINE // 2 + 1) + "\nb")
    assert [finding.rule for finding in log.findings] == ["statement-too-long"]
    assert len(log.games[0].sections[0].statements) == 1


def test_the_memory_of_phrases_is_bounded() -> None:
    read_log(TEXTS["seats"]())
    information = parser.cached_parse.cache_info()
    assert information.maxsize is not None
    assert information.currsize <= information.maxsize
