"""The reader and the grammar say the same."""

from __future__ import annotations

import sys

import pytest
from agn_texts import WHOLE_GAME, logs, scraps
from hypothesis import example, given, settings
from lark import Token, Tree, UnexpectedInput

from altay_cli.notation import Log, read
from altay_cli.notation.agn import BLANKS
from altay_cli.notation.grammar import diagnose, parser
from altay_cli.notation.lexis import unescape
from altay_cli.notation.phrases import parse
from altay_cli.notation.source import split

MALFORMED = {"syntax", "unclosed-quote", "bad-tag"}


def by_grammar(text: str) -> list[tuple[str, list[str]]] | None:
    """Each tag, heading and statement with its tokens; None where the grammar refuses."""
    try:
        tree = parser().parse("\n".join(split(text)), start="start")
    except UnexpectedInput:
        return None
    parts = []
    for part in tree.children:
        assert isinstance(part, Tree)
        tokens = []
        for token in part.children:
            assert isinstance(token, Token)
            where = f"{token.line}:{token.column} "
            if token.type == "COMMA":
                tokens.append(where + ",")
            elif token.type == "TEXT":
                tokens.append(where + unescape(token[1:-1]))
            elif token.type == "QUALIFIER":
                tokens.append(where + " ".join(token[1:-1].split()))
            elif token.type not in ("COLON", "ARROW"):
                tokens.append(where + token)
        parts.append((str(part.data), tokens))
    return parts


def by_reader(log: Log) -> list[tuple[str, list[str]]]:
    """The same from the reader's tree (what stands outside of sections is not in it)."""
    parts = []
    for game in log.games:
        for tag in game.tags:
            name = f"{tag.span.line}:{{}} {tag.name}"
            value = f"{tag.value_span.line}:{tag.value_span.column} {tag.value}"
            parts.append(("tag", [name, value]))
        for section in game.sections:
            for statement in (section.heading, *section.statements):
                tokens = []
                for item in (*statement.actor, *statement.items, *(statement.outcome or ())):
                    span = statement.span_of(item)
                    tokens.append(f"{span.line}:{span.column} {item.text}")
                kind = "heading" if statement is section.heading else "statement"
                parts.append((kind, tokens))
    return parts


def without_strays(parts: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Leave out the statements outside of sections, and the columns of tags' names."""
    kept = []
    inside = False
    for kind, tokens in parts:
        if kind == "tag":
            inside = False
            line, rest = tokens[0].split(":", 1)
            kept.append((kind, [f"{line}:{{}} {rest.split(' ', 1)[1]}", tokens[1]]))
        elif kind == "heading" or inside:
            inside = True
            kept.append((kind, tokens))
    return kept


def check(text: str) -> None:
    log = read(text)
    expected = by_grammar(text)
    well_formed = not any(finding.rule in MALFORMED for finding in log.findings)
    assert well_formed == (expected is not None)
    if expected is not None and not any(f.rule == "number-too-large" for f in log.findings):
        assert by_reader(log) == without_strays(expected)


def test_a_whole_game() -> None:
    assert read(WHOLE_GAME).findings == ()
    check(WHOLE_GAME)


@settings(deadline=None)
@given(logs())
@example("setup\na,\nTurn 1 b")
@example("setup\na,\nresult # c")
@example("setup\na,\n\n  turn\u30001 b\n")
def test_well_formed_logs(text: str) -> None:
    check(text)


@settings(deadline=None)
@given(scraps)
@example('setup\n"turn": a')
@example("setup\nturn: a")
@example("setup\nſetup\n")
@example("setup\n()")
@example("setup\na( \t)")
@example("setup\na,\n[")
@example("a,\nsetup:")
@example("#\x07")
def test_any_text(text: str) -> None:
    check(text)


@settings(deadline=None)
@given(scraps)
def test_every_refusal_can_be_explained(text: str) -> None:
    for line in split(text):
        part = line.strip(BLANKS)
        if part and not part.startswith("[") and not any(sign in part for sign in '";；#＃'):
            parsed = parse(part)
            start = "statement" if parsed.section is None else "heading"
            well_formed = parsed.sound or bool(parsed.too_large)
            assert well_formed == (diagnose(part, start) is None)


@pytest.mark.parametrize("start", ["statement", "heading", "tag"])
def test_each_start_rule_takes_only_its_own(start: str) -> None:
    own = {"statement": "play Hunter", "heading": "turn 1 Ann", "tag": '[A "b"]'}
    for kind, text in own.items():
        # `turn 1 Ann` is a statement to the grammar when it is asked for one.
        fits = kind == start or (kind, start) == ("heading", "statement")
        assert (diagnose(text, start) is None) == fits


def test_white_space_is_what_python_takes_for_it() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    controls = set("\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85")
    spaces = {sign for sign in every if sign.isspace()}
    assert set(BLANKS) == spaces - controls | {"\ufeff"}
