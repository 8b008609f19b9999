"""The reader and the grammar say the same."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from agn_texts import WHOLE_GAME, logs, scraps
from hypothesis import example, given, settings
from lark import Lark, Token, Tree, UnexpectedInput

from altay_cli.base.resources import data_folder
from altay_cli.notation import parser as notation
from altay_cli.notation.lexis import BLANKS, CONTROL, split_lines, unescape
from altay_cli.notation.parser import Pair, diagnose, parse, parse_tag
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Log

MALFORMED = {"syntax", "unclosed-quote", "bad-tag"}


@cache
def of_files() -> Lark:
    """The parser for whole files, which the program does without: it cuts them into statements."""
    text = (data_folder("grammar") / notation.GRAMMAR).read_text(encoding="utf-8")
    return Lark(text, parser="lalr")


def by_grammar(text: str) -> list[tuple[str, list[str]]] | None:
    """Each tag, heading and statement with its tokens; None where the grammar refuses."""
    if CONTROL.search("\n".join(split_lines(text))):
        return None  # allowed nowhere, though a comment that holds one is told apart
    try:
        tree = of_files().parse("\n".join(split_lines(text)))
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
    log = read_log(text)
    expected = by_grammar(text)
    well_formed = not any(finding.rule in MALFORMED for finding in log.findings)
    assert well_formed == (expected is not None)
    if expected is not None and not any(f.rule == "number-too-large" for f in log.findings):
        assert by_reader(log) == without_strays(expected)


def test_a_whole_game() -> None:
    assert read_log(WHOLE_GAME).findings == ()
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
    for line in split_lines(text):
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


@pytest.mark.parametrize("key", ["12", "-3", "turn", "Setup"])
def test_a_word_is_a_word_where_nothing_else_can_stand(key: str) -> None:
    assert parse_tag(f'[{key} "x"]') == Pair(key, "x", len(key) + 2, len(key) + 5)
    assert {item.kind for item in parse(f"play {key}").phrase.items} <= {"word", "number"}


def test_a_comment_behind_a_statement_is_no_part_of_it() -> None:
    assert parse("play Hunter # Ann: 2, (") == parse("play Hunter")
    assert not parse("# play Hunter").sound


def test_of_a_comma_at_the_end_of_a_line_only_the_comma_is_marked() -> None:
    error = diagnose("=> , # so\n, Hunter", "statement")
    assert error is not None
    assert (error.start, error.end) == (0, 2)
    error = diagnose(", # so\n Hunter", "statement")
    assert error is not None
    assert (error.start, error.end) == (0, 1)
    assert str(error.message) == "expected a name, a number or `?`, not `,`"


def test_texts_that_hardly_come_again_are_not_kept() -> None:
    kept = notation.cached_parse.cache_info().currsize, notation._cached_fit.cache_info().currsize
    assert parse("play " + "Hunter, " * notation.MAX_CACHED_LENGTH + "Hunter").sound
    assert kept == (
        notation.cached_parse.cache_info().currsize,
        notation._cached_fit.cache_info().currsize,
    )


def test_white_space_is_what_python_takes_for_it() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    controls = set("\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85")
    spaces = {sign for sign in every if sign.isspace()}
    assert set(BLANKS) == spaces - controls | {"\ufeff"}


def test_whoever_edits_the_grammar_has_edited_the_notation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = (data_folder("grammar") / notation.GRAMMAR).read_text(encoding="utf-8")
    edited = text.replace(r"HIDDEN: /\?/", r"HIDDEN: /\?\?/")
    (tmp_path / notation.GRAMMAR).write_text(edited, "utf-8")
    remembered = (notation.table, notation.tokens_of, notation._token, notation.cached_parse)
    monkeypatch.setattr("altay_cli.base.grammar.data_folder", lambda _: tmp_path)
    monkeypatch.setattr(notation, "data_folder", lambda _: tmp_path)
    for function in remembered:
        function.cache_clear()
    try:
        assert [item.kind for item in parse("draw 3 ??").phrase.items][-1] == "hidden"
        assert [token.kind for token in notation.tokens_of("??")] == ["hidden"]
        assert not parse("draw 3 ?").sound
    finally:
        for function in remembered:
            function.cache_clear()


def test_the_table_comes_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    made = notation.table()  # as any start does
    monkeypatch.setitem(sys.modules, "altay_cli.base.grammar", None)  # an import of it fails
    assert notation.table.__wrapped__() == made
