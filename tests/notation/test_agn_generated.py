"""What reads AGN quickly is made from the grammar, and from nothing else."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.__main__ import GRAMMAR, MODULE, Grammar, module
from grammar.regular import Node, Signs, chain, choice, parse, possessive, printed, repeat

TEXT = GRAMMAR.read_text(encoding="utf-8")


def test_the_module_is_what_the_grammar_gives() -> None:
    assert MODULE.read_text(encoding="utf-8") == module(TEXT), "run `python -m grammar`"


def made(text: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(module(text), names)  # noqa: S102
    return names


def pattern(names: dict[str, object], name: str) -> re.Pattern[str]:
    found = names[name]
    assert isinstance(found, re.Pattern)
    return found


def test_another_grammar_gives_another_reader() -> None:
    text = TEXT.replace('HIDDEN: "?"', 'HIDDEN: "??"').replace("[;；", "[|").replace("[#＃]", "[%]")
    text = text.replace("setup|position", "start|position").replace("(ARROW _outcome)?", "")
    names = made(text)
    token = pattern(names, "TOKEN")
    assert [found.lastgroup for found in token.finditer("3 ??")] == ["number", "hidden"]
    breaks = pattern(names, "BREAK")
    assert [found.lastgroup for found in breaks.finditer("a; | b % c")] == ["end", "comment"]
    assert names["COMMENTS"] == ("%",)
    assert pattern(names, "SECTION").fullmatch("Start")
    assert not pattern(names, "SECTION").fullmatch("setup")
    assert "outcome" not in pattern(names, "STATEMENT").groupindex


def test_control_characters_are_those_of_no_terminal() -> None:
    controls = pattern(made(TEXT.replace(r"\x00-\x08", r"\x00-\x06")), "CONTROL")
    assert controls.match("\x06")
    assert not controls.match("\x07")


def test_a_rule_that_is_not_regular_is_refused() -> None:
    grammar = Grammar('start: A start B | A\nA: "a"\nB: "b"\n')
    with pytest.raises(ValueError, match="the rule start is not regular"):
        grammar.regular("start", Signs.of)


def test_repetition_as_left_recursion() -> None:
    grammar = Grammar('start: A | start B | start "," A\nA: "a"\nB: "b"\n')
    with pytest.raises(ValueError, match="holds"):  # a terminal has a name
        grammar.regular("start", Signs.of)
    grammar = Grammar('start: A | start B | start C A\nA: "a"\nB: "b"\nC: ","\n')
    assert printed(grammar.regular("start", lambda name: grammar.terminals[name])) == "a(?:b|,a)*"


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("[ac]*b", "[ac]*+b"),
        ("[a-c]*b", "[a-c]*b"),
        ("[a-c]*", "[a-c]*+"),
        ("-?[0-9]+(?![0-9a-z])", "\\-?+[0-9]++(?![0-9a-z])"),
        ("(?:[^x]|xy)*x", "(?:[^x]|xy)*x"),
        ("(?:[^xy]|xx)*y", "(?:[^xy]|xx)*+y"),
        ("(?:a|ab)*c", "(?:a(?:|b))*c"),
        ("(?:a+b)*c", "(?:a++b)*+c"),
        ("(?:a+b?)*c", "(?:a+b?+)*c"),
        ("(?ai:turn)[ab]", "(?ai:turn)[ab]"),
    ],
)
def test_what_need_not_be_taken_back_is_not(plain: str, expected: str) -> None:
    assert printed(possessive(parse(plain))) == expected


counts = st.sampled_from([(0, 1), (0, None), (1, None)])
patterns: st.SearchStrategy[Node] = st.recursive(
    st.sampled_from("abc").map(Signs.of) | st.just(Signs.of("ab")),
    lambda parts: (
        st.lists(parts, min_size=2, max_size=3).map(lambda found: chain(*found))
        | st.lists(parts, min_size=2, max_size=3).map(lambda found: choice(*found))
        | st.builds(lambda part, count: repeat(part, *count), parts, counts)
    ),
    max_leaves=6,
)
SHORT = ["".join(letters) for size in range(6) for letters in product("abc", repeat=size)]


@settings(deadline=None, max_examples=200)
@given(patterns)
def test_taking_nothing_back_changes_nothing(node: Node) -> None:
    plain, changed = re.compile(printed(node)), re.compile(printed(possessive(node)))
    for text in SHORT:
        assert bool(plain.fullmatch(text)) == bool(changed.fullmatch(text)), (plain, changed, text)
        first, second = plain.match(text), changed.match(text)
        assert (first and first.span()) == (second and second.span()), (plain, changed, text)
