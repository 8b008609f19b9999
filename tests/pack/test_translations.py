"""What a variant says in other languages: the places of the English text, and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import altay_cli
from altay_cli.base.findings import fill
from altay_cli.base.translations import translated_finding
from tests.small import LOG, Pebbles

OF_THE_RULES = "the heap holds {heap}"
OF_THE_PROGRAM = "there is no {kind} `{name}`"

RIGHT = [
    (OF_THE_RULES, "da liegt {heap}"),
    (OF_THE_RULES, "{heap} und {heap}"),
    (OF_THE_PROGRAM, "`{name}` ist kein {kind}"),
    ("Take a stone", "Nimm {'{'}"),
]
WRONG = [
    (OF_THE_RULES, "da liegt {heap:>900000000}", "heap:>900000000"),
    (OF_THE_RULES, "da liegt {heap.__class__}", "heap.__class__"),
    (OF_THE_RULES, "da liegt {heap!r}", "heap!r"),
    (OF_THE_RULES, "{heap} und {nokey}", "nokey"),
    (OF_THE_RULES, "da liegt {0}", "0"),
    (OF_THE_RULES, "da liegt {heap", "{"),
    (OF_THE_RULES, "da liegt was", '"da liegt was"'),
    (OF_THE_PROGRAM, "kein {kind}: {name:>900000000}", "name:>900000000"),
    (OF_THE_PROGRAM, "kein {kind}: {name.template}", "name.template"),
    (OF_THE_PROGRAM, "{nokey}", "nokey"),
    (OF_THE_PROGRAM, "kein {kind}", '"kein {kind}"'),
    ("Take a stone", "Nimm {stone}", "stone"),
]


def variant(pebbles: Pebbles, english: str, german: str) -> Path:
    """Write a variant with one translation."""
    return pebbles.variant(
        f'texts:\n  de:\n    "{english}": "{german}"\nchange: [{{set: title, to: Mine}}]\n'
    )


@pytest.mark.parametrize(("english", "german", "marked"), WRONG)
def test_anything_but_the_places_of_the_english_text_is_an_error(
    pebbles: Pebbles, english: str, german: str, marked: str
) -> None:
    path = variant(pebbles, english, german)
    rule = "lone-brace" if marked == "{" else "text-expression"
    assert pebbles.marked(path)[:1] == [(rule, "mine.yaml", marked)]
    log = LOG.replace("setup", '[Variant "mine.yaml"]\nsetup')
    report = pebbles.judge(log, path.parent)
    assert [f.rule for f in report.findings] == ["rules"]
    assert "mine.yaml:6:" in report.findings[0].message


@pytest.mark.parametrize(("english", "german"), RIGHT[:3])
def test_the_places_of_the_english_text_stand_anywhere(
    pebbles: Pebbles, english: str, german: str
) -> None:
    path = variant(pebbles, english, german)
    rules = [problem.rule for problem in pebbles.problems(path)]
    assert "text-expression" not in rules and "lone-brace" not in rules


def test_what_only_chooses_an_english_word_may_be_missing(pebbles: Pebbles) -> None:
    pebbles.change("moves/turns.yaml", "the heap holds", "there {heap.size() == 1 ? 'is' : 'are'}")
    english = "there {heap.size() == 1 ? 'is' : 'are'} {heap}"
    problems = pebbles.problems(variant(pebbles, english, "da liegt {heap}"))
    assert problems == []


def test_a_translation_of_a_removed_text_stays(pebbles: Pebbles) -> None:
    english = "there {heap.size() == 1 ? 'is' : 'are'} {heap}"
    pebbles.change("moves/turns.yaml", "the heap holds {heap}", english)
    (pebbles.folder / "messages").mkdir()
    text = f'language: de\ntexts:\n  "{english}": "da liegt {{heap}}"\n'
    (pebbles.folder / "messages" / "de.yaml").write_text(text, encoding="utf-8")
    assert pebbles.problems() == []
    path = pebbles.variant("change: [{remove: moves.take.requires.on-the-heap}]\n")
    assert [str(problem) for problem in pebbles.problems(path)] == []


def test_no_translation_of_a_template_has_other_places(pebbles: Pebbles) -> None:
    """Names of things are words as well, and nobody looks for braces in them."""
    (finding,) = pebbles.judge(LOG.replace("take red", "take blue")).findings[:1]
    assert finding.message.template == OF_THE_PROGRAM  # type: ignore[attr-defined]
    words = {OF_THE_PROGRAM: "{nokey} {name:>900000000}"}
    german = translated_finding("de", finding, words)
    assert "`blue`" in german.message and "{" not in german.message


def test_only_code_of_ours_is_a_format_string() -> None:
    """What `str.format` gets is a constant or printed code; messages go through `fill`."""
    package, calls = Path(altay_cli.__file__).parent, set()
    for path in package.rglob("*.py"):
        if "data" in path.relative_to(package).parts:  # examples that travel in a wheel
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("format", "format_map"):
                calls.add(path.relative_to(package).as_posix())
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                left = node.left
                assert not (isinstance(left, ast.Constant) and isinstance(left.value, str)), path
    assert calls == {
        "checking/filling.py", "compile/vocabulary.py", "expressions/macros.py",
        "expressions/printing.py", "lint/interpreter.py",
    }  # fmt: skip


def test_a_template_can_ask_for_nothing_of_its_values() -> None:
    values = {"name": "Ann"}
    for text in ("{name.template}", "{name:>9}", "{name!r}", "{name[0]}", "{0}", "{", "}", "{}"):
        assert fill(text, values | {"0": "zero"}) == text.replace("{0}", "zero")
    assert fill("{{name}} {name}", values) == "{name} Ann"
