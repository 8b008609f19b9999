"""YAML with places: every expected line and column is counted by hand."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from altay_cli.base.findings import START, Finding, PackError, Severity, Span
from altay_cli.base.resources import data_folder
from altay_cli.source import yaml_events
from altay_cli.source.document import DataPath, Document
from altay_cli.source.folder import walk
from altay_cli.source.limits import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, MAX_PROBLEMS
from altay_cli.source.yaml_reader import read_yaml
from tests.effort import at_most

CALLS = 2_000_000


def good(text: str) -> Document:
    source, problems = read_yaml(text, "toy.yaml")
    assert problems == []
    assert source is not None
    return source


def faults(text: str) -> list[tuple[str, int, int]]:
    source, problems = read_yaml(text, "toy.yaml")
    only_numbers = all(problem.rule in {"yaml-float", "yaml-number"} for problem in problems)
    assert (source is not None) == only_numbers
    assert all(problem.file == "toy.yaml" and problem.message for problem in problems)
    return [(told.rule, told.span.line, told.span.column) for told in problems]


def key(source: Document, path: DataPath) -> Span:
    return source.locate(path, "key")[1]


def head(source: Document, path: DataPath) -> Span:
    return source.locate(path, "head")[1]


def within(source: Document, path: DataPath, start: int, end: int) -> Span:
    return source.within(path, start, end)[1]


def on_line(line: int, column: int, end: int) -> Span:
    return Span(line, column, line, end)


# --- data ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("True", True),
        ("false", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("'null'", "null"),
        ("12", 12),
        ("-3", -3),
        ("+0", 0),
        ("007", 7),
        ("1_000", "1_000"),
        ("'12'", "12"),
        ("12:30", "12:30"),
        ("2024-01-31", "2024-01-31"),
        ("1.2.3", "1.2.3"),
        ("-", [None]),
        (".", "."),
        ("a # b", "a"),
        ("a #b", "a"),
        ("a#b", "a#b"),
        ("a:b", "a:b"),
        ("http://x/?a=b", "http://x/?a=b"),
        ("999999999999999", 999_999_999_999_999),
        ("鳥 と 人", "鳥 と 人"),
        ('"a\\tb\\u00e9"', "a\tbé"),
        ("'it''s'", "it's"),
        ("|\n  a\n   b\n\n", "a\n b\n"),
        (">-\n  a\n  b\n", "a b"),
        ("a\n  b\n\n  c", "a b\nc"),
        ("[1, two, [], {}]", [1, "two", [], {}]),
        ("{a: 1, b, 'c': [x: y]}", {"a": 1, "b": None, "c": [{"x": "y"}]}),
        ("[http://x, a:b, -c]", ["http://x", "a:b", "-c"]),
    ],
)
def test_values(written: str, meant: object) -> None:
    data = good(f"key: {written}\n" if meant != [None] else f"key:\n  {written}\n").data
    assert data == {"key": meant}
    assert type(data["key"]) is type(meant)


def test_whole_documents() -> None:
    assert good("").data is None
    assert good("# nothing\n").data is None
    assert good("---\n").data is None
    assert good("--- a\n...\n").data == "a"
    assert good("%YAML 1.2\n---\n- a\n").data == ["a"]
    assert good("a:\n- 1\n-\n  - 2\nb:\n").data == {"a": [1, [2]], "b": None}


def test_order_of_keys_is_kept() -> None:
    assert list(good("b: 1\na: 2\nc: 3\n").data) == ["b", "a", "c"]


def test_line_ends_and_byte_order_mark_do_not_move_places() -> None:
    for text in ("a: 1\nb: x\n", "a: 1\r\nb: x\r\n", "a: 1\rb: x\r", "\ufeffa: 1\nb: x\n"):
        source = good(text)
        assert source.data == {"a": 1, "b": "x"}
        assert source.where(("a",))[1] == on_line(1, 4, 5)
        assert key(source, ("b",)) == on_line(2, 1, 2)


# --- places ---------------------------------------------------------------------

RULES = """\
# A comment.
buy:
  title: Acquire a card
  cite: {en: 11, de: 12}
  requires:
    - rule: empty
      that: "a > 0"

    - - deep
  note:

sell: [1, [2, 3]]   # end
text: |
  one
    two

last: ''
"""


def test_places_of_values() -> None:
    source = good(RULES)
    assert source.where(("buy", "title"))[1] == on_line(3, 10, 24)
    assert source.where(("buy", "cite"))[1] == on_line(4, 9, 25)
    assert source.where(("buy", "cite", "de"))[1] == on_line(4, 22, 24)
    assert source.where(("buy", "requires"))[1] == Span(6, 5, 9, 13)
    assert source.where(("buy", "requires", 0))[1] == Span(6, 7, 7, 20)
    assert source.where(("buy", "requires", 0, "that"))[1] == on_line(7, 13, 20)
    assert source.where(("buy", "requires", 1, 0))[1] == on_line(9, 9, 13)
    assert source.where(("sell",))[1] == on_line(12, 7, 18)
    assert source.where(("sell", 1, 1))[1] == on_line(12, 15, 16)
    assert source.where(("text",))[1] == Span(13, 7, 15, 8)
    assert source.where(("last",))[1] == on_line(17, 7, 9)
    assert source.where(())[1] == Span(2, 1, 17, 9)


def test_a_value_that_is_not_there_stands_at_its_key_or_dash() -> None:
    assert good(RULES).where(("buy", "note"))[1] == on_line(10, 3, 7)
    assert good("a:\n  -\n  - b\n").where(("a", 0))[1] == on_line(2, 3, 4)
    assert good("").where(())[1] == START


def test_places_of_keys() -> None:
    source = good(RULES)
    assert key(source, ("buy", "title")) == on_line(3, 3, 8)
    assert key(source, ("buy", "cite", "de")) == on_line(4, 18, 20)
    assert key(source, ("buy", "requires", 0)) == Span(6, 7, 7, 20)  # an item
    assert key(source, ()) == Span(2, 1, 17, 9)
    assert key(good("? 'a b'\n: 1\n"), ("a b",)) == on_line(1, 3, 8)


def test_heads() -> None:
    source = good(RULES)
    assert head(source, ("buy", "requires")) == on_line(5, 3, 11)
    assert head(source, ("buy", "requires", 0)) == on_line(6, 7, 18)
    assert head(source, ()) == on_line(2, 1, 5)


def test_what_ends_with_a_bracket_ends_behind_it() -> None:
    source = good("- a: []\n  b: {c: 1}\n\n- d\n")
    assert source.where((0,))[1] == Span(1, 3, 2, 12)
    assert head(good("- a: []\n"), (0,)) == on_line(1, 3, 8)


def test_a_path_to_nowhere_gives_the_nearest_place() -> None:
    source = good(RULES)
    assert source.where(("buy", "cite", "fr"))[1] == on_line(4, 9, 25)
    assert source.where(("sell", 7, "x"))[1] == on_line(12, 7, 18)
    assert source.where(("sell", -1))[1] == on_line(12, 7, 18)
    assert source.where(("sell", "0"))[1] == on_line(12, 7, 18)
    assert source.where(("buy", "title", "x", 3))[1] == on_line(3, 10, 24)
    assert key(source, ("buy", "cite", "fr")) == on_line(4, 3, 7)


@pytest.mark.parametrize(
    ("text", "part", "place"),
    [
        ("a: me.pool.has(x)\n", "pool", on_line(1, 7, 11)),
        ("a: 'me.pool has'\n", "pool", on_line(1, 8, 12)),
        ("a: 'x is ''it'' y'\n", "it", on_line(1, 12, 14)),
        ("a: 'x is ''it'' y'\n", "y", on_line(1, 17, 18)),
        ('a: "x\\ty\\u0041 \\"z"\n', "yA", on_line(1, 8, 15)),
        ('a: "x\\ty\\u0041 \\"z"\n', "z", on_line(1, 18, 19)),
        ("a: |\n    x\n      pool\n", "pool", on_line(3, 7, 11)),
        ("a: |\n    x\n      pool\n", "x\n  po", Span(2, 5, 3, 9)),
        ("a: >2\n  x y\n  pool b\n", "y pool", Span(2, 5, 3, 7)),
        ("a: one two\n  three\n", "three", on_line(2, 3, 8)),
        ('a: "one\n  two \\\n  three"\n', "three", on_line(3, 3, 8)),
        ("a: x  and  y\n", "  and", on_line(1, 5, 10)),
        ("a: 鳥 と 人\n", "と", on_line(1, 6, 7)),
    ],
)
def test_places_within_a_text(text: str, part: str, place: Span) -> None:
    source = good(text)
    start = source.data["a"].index(part)
    assert within(source, ("a",), start, start + len(part)) == place


def test_places_within_a_text_at_its_edges() -> None:
    source = good('a: "abc"\nb: 12\nc: abc\nd: ""\n')
    assert within(source, ("a",), 0, 0) == on_line(1, 5, 5)
    assert within(source, ("a",), 3, 3) == on_line(1, 8, 8)
    assert within(source, ("a",), 1, 99) == on_line(1, 6, 8)
    assert within(source, ("a",), -5, 1) == on_line(1, 5, 6)
    assert within(source, ("c",), 3, 3) == on_line(3, 7, 7)
    assert within(source, ("d",), 0, 0) == on_line(4, 5, 5)
    assert within(source, ("b",), 0, 1) == on_line(2, 4, 6)  # no text: the value
    assert within(source, ("a", "x"), 0, 1) == on_line(1, 4, 9)


@given(st.text(alphabet="ab \t\n'\"\\é鳥:#-", max_size=12), st.data())
def test_every_offset_of_a_double_quoted_text_leads_to_its_character(
    text: str, data: st.DataObject
) -> None:
    written = "".join({"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}.get(c, c) for c in text)
    source = good(f'- "{written}"\n')
    assert source.data == [text]
    if not text.strip():
        return
    at = data.draw(st.sampled_from([at for at, char in enumerate(text) if not char.isspace()]))
    span = within(source, (0,), at, at + 1)
    found = f'- "{written}"'[span.column - 1 : span.end_column - 1]
    assert found in {text[at], "\\" + text[at]}


# --- what is refused --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", [("yaml-duplicate-key", 3, 1)]),
        ("x:\n  - a: 1\n    'a': 2\n", [("yaml-duplicate-key", 3, 5)]),
        ("{a: 1, b: {c: 1, c: 2}}", [("yaml-duplicate-key", 1, 18)]),
        ("a: &x 1\nb: *x\n", [("yaml-alias", 1, 4), ("yaml-alias", 2, 4)]),
        ("<<: {a: 1}\n", [("yaml-alias", 1, 1)]),
        ("a: !!python/object/apply:os.system [ls]\n", [("yaml-tag", 1, 4)]),
        ("a: !!str 1\n", [("yaml-tag", 1, 4)]),
        ("a: !x!y 1\n", [("yaml-tag", 1, 4)]),
        ("%TAG !x! tag:x,2000:\n---\na: 1\n", [("yaml-tag", 2, 1)]),
        ("a: 1.5\nb: 1e3\nc: .inf\nd: -.5\n", [("yaml-float", n, 4) for n in (1, 2, 3, 4)]),
        ("a: 0x1F\nb: 0o17\n", [("yaml-number", 1, 4), ("yaml-number", 2, 4)]),
        ("a: 1000000000000000\n", [("yaml-number", 1, 4)]),
        ("3: x\n", [("yaml-key", 1, 1)]),
        ("true: x\n~: y\n1.5: z\n", [("yaml-key", 1, 1), ("yaml-key", 2, 1), ("yaml-key", 3, 1)]),
        (": x\n", [("yaml-key", 1, 1)]),
        ("? [a, b]\n: c\nd: 1.5\n", [("yaml-key", 1, 3), ("yaml-float", 3, 4)]),
        ("a: {{card}}\n", [("yaml-key", 1, 5)]),
        ("a: b\x00c\n", [("yaml-not-text", 1, 5)]),
        ("a: b\x1b\nc: \ud800\n", [("yaml-not-text", 1, 5), ("yaml-not-text", 2, 4)]),
        ("a: b\u2028c: d\n", [("yaml-not-text", 1, 5)]),
        ('a: "\\0"\n', [("yaml-not-text", 1, 4)]),
        ('"\\ud800": 1\n', [("yaml-not-text", 1, 1)]),
        ("a: 1\n---\nb: 2\n", [("yaml-several-documents", 2, 1)]),
        ("a: 1\n...\nb: 2\n", [("yaml-several-documents", 3, 1)]),
        ("%YAML 1.1\n---\na: 1\n", [("yaml-syntax", 2, 1)]),
        ("a: [1, 2\n", [("yaml-syntax", 1, 4)]),
        ("a: [1\nb: 2\n", [("yaml-syntax", 2, 2)]),
        ("a: {b: 1\n", [("yaml-syntax", 1, 4)]),
        ('a: 1\nb: "x\n', [("yaml-syntax", 2, 4)]),
        ("a: b: c\n", [("yaml-syntax", 1, 5)]),
        ("a:\n  b: 1\n c: 2\n", [("yaml-syntax", 3, 2)]),
        ("a: {card} left\n", [("yaml-syntax", 1, 11)]),
        ("a: 1\n\tb: 2\n", [("yaml-syntax", 2, 1)]),
        ("a: @b\n", [("yaml-syntax", 1, 4)]),
        ("a: 1\nword\nb: 2\n", [("yaml-syntax", 2, 1)]),
        ('a: "\\UFFFFFFFF"\n', [("yaml-syntax", 1, 7)]),
        ("%YAML " + "1" * 5000 + ".2\n---\na", [("yaml-syntax", 1, 7)]),
        # What can be seen before the syntax breaks is told, too.
        ("a: 1.5\na: 2\nb: [\n", [("yaml-float", 1, 4), ("yaml-duplicate-key", 2, 1),
                                  ("yaml-syntax", 3, 4)]),
        ("a: {b: [x, y\n", [("yaml-syntax", 1, 8)]),
    ],
)  # fmt: skip
def test_refused(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert faults(text) == expected


def test_a_duplicate_key_names_the_first_place() -> None:
    _, problems = read_yaml("a: 1\nb: 2\na: 3\n", "toy.yaml")
    assert problems[0].message == "the key 'a' appears twice; the first is on line 1"
    assert problems[0].span == on_line(3, 1, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: b: c", "put a text that holds one in quotes"),
        ("a: {card} left", "comes after the closing }"),
        ("a:\n  b: 1\n c: 2", "fix its indentation"),
        ("a: [1, 2", "never closed"),
        ("a: 'x", "quote that opens here is never closed"),
        ("- a\n\t- b", "use spaces"),
        ("a: `b`", "unless it is in quotes"),
        ("a: 1\nword\nb: 2\n", "':' is missing"),
    ],
)
def test_syntax_in_plain_words(text: str, words: str) -> None:
    _, problems = read_yaml(text, "toy.yaml")
    assert words in problems[0].message


def test_depth() -> None:
    fine = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert faults(fine) == []
    assert faults(f"[{fine}]") == [("yaml-too-deep", 1, MAX_DEPTH + 1)]


def test_size() -> None:
    assert faults("a" * MAX_CHARACTERS) == []
    assert faults("a" * (MAX_CHARACTERS + 1)) == [("yaml-too-large", 1, 1)]


def test_many_problems_end_the_reading() -> None:
    found = faults("- *a\n" * 500)
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1] == ("too-many-problems", MAX_PROBLEMS + 1, 3)


# --- hostile inputs ------------------------------------------------------------------

LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefghijk", "bcdefghijkl", strict=True)
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (LAUGHS, "yaml-alias"),
        ("[" * 100_000, "yaml-too-deep"),
        ("{" * 100_000, "yaml-too-deep"),
        ("- " * 100_000, "yaml-too-deep"),
        ("? " * 100_000, "yaml-too-deep"),
        ("a: " * 100_000, "yaml-syntax"),
        ("x" * 5_000_000, "yaml-too-large"),
        ("\x00\x01\xff" * 100_000, "yaml-not-text"),
        ("a: 1\n" * 10_000, "yaml-duplicate-key"),
        ("!" * 1_000_000, "yaml-tag"),
        ("'" * 300_001, "yaml-syntax"),
        ("9" * 100_000, "yaml-number"),
        ("&" + "a" * 100_000 + " b", "yaml-alias"),
    ],
    ids=lambda value: value[:8] if isinstance(value, str) else None,
)
def test_hostile_inputs_are_refused_quickly(text: str, rule: str) -> None:
    with at_most(CALLS):
        found = faults(text)
    assert rule in {told[0] for told in found}
    assert len(found) <= MAX_PROBLEMS + 1


def test_the_number_of_values_is_bounded() -> None:
    found = faults("[" + "a," * MAX_NODES + "]")
    assert found == [("yaml-too-large", 1, 2 * MAX_NODES)]


yaml_like = st.text(alphabet="ab1 \t\n\r-:?,[]{}#&*!|>'\"%@`.~<\\0ux\ufeff\x85é", max_size=60)
"""Texts of the signs that mean something in YAML."""


@given(st.one_of(st.text(), yaml_like))
def test_no_text_raises(text: str) -> None:
    source, problems = read_yaml(text, "toy.yaml")
    only_numbers = all(problem.rule in {"yaml-float", "yaml-number"} for problem in problems)
    assert (source is not None) == only_numbers
    if source is not None:
        assert source.where(())[1] >= START


# --- two parsers ------------------------------------------------------------------------


def by_ruamel(text: str) -> object:
    """Read a text without libyaml."""
    with patch.object(yaml_events, "CParser", None):
        return told(text)


def told(text: str) -> object:
    source, problems = read_yaml(text, "toy.yaml")
    if source is None:
        rules = [problem.rule for problem in problems]
        return "refused" if "yaml-alias" in rules else rules  # what ends a name differs
    return [
        (path, part, source.where(path)[1], key(source, path)) for path, part in walk(source.data)
    ]


RULE_FILES = sorted(data_folder("rules").rglob("*.yaml"))


@pytest.mark.skipif(yaml_events.CParser is None, reason="ruamel.yaml.clib is not installed")
@given(yaml_like)
@example("? :\n")
@example("a: |#\n  b\n")
@example("a: b\t\n")
@example("!:!")
def test_both_parsers_give_the_same(text: str) -> None:
    # A file that is a block text alone, which no rule file is: whether `#` is a comment in it.
    assume(not re.match(r"\ufeff?\s*(---\s*)?[|>]", text))
    ours, by_python = told(text), by_ruamel(text)
    # No tag is allowed; whether one is malformed as well differs.
    assert ours == by_python or (ours, by_python) == (["yaml-tag"], ["yaml-syntax"])


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.name)
def test_shipped_files_are_read_by_libyaml_alike(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if yaml_events.CParser is not None:
        assert len(yaml_events.quick_events(text) or ()) > 2
    assert told(text) == by_ruamel(text)


def test_what_libyaml_refuses_is_read_all_the_same() -> None:
    text = "a: {holds: thing?, b: c}\n"
    if yaml_events.CParser is not None:
        assert yaml_events.quick_events(text) is None
    assert good(text).data == {"a": {"holds": "thing?", "b": "c"}}


@pytest.mark.usefixtures("without_libyaml")
def test_rules_are_read_without_libyaml() -> None:
    source = good(RULES)
    assert head(source, ("buy", "requires", 0)) == on_line(6, 7, 18)
    assert faults("a: [1\nb: 2\n") == [("yaml-syntax", 2, 2)]


@pytest.fixture
def without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_events, "CParser", None)


# --- problems ---------------------------------------------------------------------------


def test_a_pack_error_shows_its_problems_a_line_each() -> None:
    one = Finding("yaml-float", Severity.ERROR, "no", on_line(3, 4, 7), file="a.yaml")
    two = Finding("yaml-key", Severity.ERROR, "nor this", on_line(1, 1, 2), file="b.yaml")
    error = PackError([one, two])
    assert error.problems == (one, two)
    assert str(error) == "a.yaml:3:4: no [yaml-float]\nb.yaml:1:1: nor this [yaml-key]"
