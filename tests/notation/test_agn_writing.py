"""Canonical text."""

from __future__ import annotations

import pytest
from agn_texts import WHOLE_GAME, logs, outline, scraps
from hypothesis import example, given, settings
from hypothesis import strategies as st

from altay_cli.notation.reading import read_log
from altay_cli.notation.writing import format_log

MESSY = """\
# one

[Game   "altay"]# two
[ Event "a \\"b\\" c" ]
  # three
SETUP
seat Ann as X;Bob :settle  F6   # four
# five

    a,b ,   # six
  # seven

 c(2),  d ( x   y )
Turn 01 "Old Tom" # eight
play 3?; "Great Wall" =>
end=>a,"b"
[Game "y"]
result
 winner　狩人
# nine
"""

NEAT = """\
# one
[Game "altay"]  # two
[Event "a \\"b\\" c"]

# three
setup
  seat Ann as X
  Bob: settle F6  # four
  # five
  a, b,     # six
      # seven
      c(2), d(x y)

turn 01 "Old Tom"  # eight
  play 3 ?
  "Great Wall" =>
  end => a, "b"

[Game "y"]

result
  winner 狩人

# nine
"""


def test_all_at_once() -> None:
    assert format_log(MESSY) == NEAT
    assert format_log(NEAT) == NEAT


def test_quotes_of_a_phone_become_plain_ones() -> None:
    text = '[Game “altay”]\n[Event "A “big” one"]\n\nsetup\n  seat „Old Tom“ as ”X“  # “y”\n'
    plain = '[Game "altay"]\n[Event "A “big” one"]\n\nsetup\n  seat "Old Tom" as "X"  # “y”\n'
    assert format_log(text) == plain
    assert outline(read_log(text)) == outline(read_log(plain))


def test_crlf_becomes_lf() -> None:
    assert format_log("\ufeff" + MESSY.replace("\n", "\r\n")) == NEAT


def test_continued_lines_are_joined() -> None:
    assert format_log("setup\n a,\n\n b,\n c") == "setup\n  a, b, c\n"


def test_long_statements_are_broken_behind_a_comma() -> None:
    names = [f"Name{number:02}" for number in range(30)]
    text = format_log("setup\nreveal " + ",".join(names))
    assert text.splitlines() == [
        "setup",
        "  reveal " + ", ".join(names[:11]) + ",",
        "      " + ", ".join(names[11:22]) + ",",
        "      " + ", ".join(names[22:]),
    ]
    assert max(map(len, text.splitlines())) <= 100


def test_a_line_is_not_broken_before_what_looks_like_a_heading() -> None:
    for last in ("turn 1 b", "result", "setup"):
        text = f"setup\n  {'a' * 99}, {last}\n"
        assert format_log(text) == text
    text = f"setup\n  {'a' * 99},\n      result, b\n"
    assert format_log(text) == text


@pytest.mark.parametrize(
    "line",
    ["a  )  b", "(", 'a  "b ; c # d', "a,;", "x  1234567890", "a\x07  b", "y  " + "z" * 10_000],
)
def test_a_malformed_statement_stays_as_it_is(line: str) -> None:
    text = f"setup\n  {line}\n  b\n"
    assert format_log(text) == text
    assert format_log(text.replace("\n  ", "\n\t")) == text


def test_malformed_tags_and_headings_stay_as_they_are() -> None:
    text = '[Game  x]\n[Event "y]\n\nturn  Ann\n  a\n'
    assert format_log(text) == text


def test_a_malformed_statement_of_several_lines() -> None:
    text = "setup\n  a,  # c\n     )  b\n  c\n"
    assert format_log(text) == text


def test_a_comma_before_a_heading() -> None:
    text = "setup\n  a,  # c\n\n# d\nresult\n  b\n"
    assert format_log(text) == text


def test_a_statement_that_would_become_too_long_stays_as_it_is() -> None:
    text = "setup\n  " + ",".join("a" * 4000) + "\n"
    assert format_log(text) == text


def test_a_whole_game() -> None:
    text = format_log(WHOLE_GAME)
    assert format_log(text) == text
    assert outline(read_log(text)) == outline(read_log(WHOLE_GAME))


def test_nothing() -> None:
    assert format_log("") == ""
    assert format_log("\n ; \n") == ""
    assert format_log("# a\n\n# b") == "# a\n# b\n"


@settings(deadline=None)
@given(logs() | scraps | st.text())
@example(" \ufeffa")
@example("setup\na,\n;b")
@example("setup\na,;b # c")
@example("setup\na, # c\n[")
def test_formatting(text: str) -> None:
    neat = format_log(text)
    assert format_log(neat) == neat
    before, after = read_log(text), read_log(neat)
    assert outline(after) == outline(before)
    assert [f.rule for f in after.findings] == [f.rule for f in before.findings]
    assert [c.text for c in after.comments] == [c.text for c in before.comments]
