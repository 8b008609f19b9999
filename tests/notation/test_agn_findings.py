"""Malformed texts: what is found, where, and what is read all the same."""

from __future__ import annotations

import pytest
from agn_texts import brief, found, outline, said

from altay_cli.base.findings import Severity
from altay_cli.notation.reading import read_log

HEAD = '[Game "x"]\nturn 1 Ann\n'


def findings_in_turn(line: str) -> list[tuple[str, int, int]]:
    """Rule, column and end column of what is found in line 3, with good lines around it."""
    log = read_log(f"{HEAD}{line}\nbuy b")
    statements = log.games[0].sections[0].statements
    assert brief(statements[-1].items) == ["buy", "b"]
    assert all(finding.severity is Severity.ERROR for finding in log.findings)
    assert all(finding.span.line == finding.span.end_line == 3 for finding in log.findings)
    return [(f.rule, f.span.column, f.span.end_column) for f in log.findings]


@pytest.mark.parametrize(
    ("line", "column", "end", "message"),
    [
        (
            "play Hunter )",
            13,
            14,
            "expected a name, a number, `?`, `,`, brackets, `:`, `=>` "
            "or the end of the statement, not `)`",
        ),
        ("a,", 3, 3, None),
        ("a,; b", 3, 3, "expected a name, a number or `?`, not the end of the statement"),
        ("a,, b", 3, 4, "expected a name, a number or `?`, not `,`"),
        (", b", 1, 2, "expected a name, a number or `?`, not `,`"),
        ("Ann:", 5, 5, "expected a name, a number or `?`, not the end of the statement"),
        (
            "Ann: Bob: a",
            9,
            10,
            "expected a name, a number, `?`, `,`, brackets, `=>` "
            "or the end of the statement, not `:`",
        ),
        ("=> a", 1, 3, "expected a name, a number or `?`, not `=>`"),
        (
            "a => b => c",
            8,
            10,
            "expected a name, a number, `?`, `,`, brackets or the end of the statement, not `=>`",
        ),
        ("a =>, b", 5, 6, "expected a name, a number, `?` or the end of the statement, not `,`"),
        (
            "3 (2)",
            3,
            6,
            "expected a name, a number, `?`, `,`, `:`, `=>` or the end of the statement, not `(2)`",
        ),
        (
            "a ? : b",
            5,
            6,
            "expected a name, a number, `?`, `,`, `=>` or the end of the statement, not `:`",
        ),
    ],
)
def test_syntax(line: str, column: int, end: int, message: str | None) -> None:
    if message is None:  # the next line belongs to it
        assert read_log(f"{HEAD}{line}\nbuy b").findings == ()
        return
    assert findings_in_turn(line) == [("syntax", column, end)]
    assert read_log(HEAD + line).findings[0].message == message


@pytest.mark.parametrize(
    ("line", "column", "help_has"),
    [
        ("a = b", 3, "`=>`"),
        ("a (2", 3, "name(2)"),
        ("a ()", 3, "name(2)"),
        ("a ((2))", 3, "name(2)"),
        ("a [b]", 3, "[Name"),
        ("a ]", 3, "[Name"),
    ],
)
def test_syntax_with_help(line: str, column: int, help_has: str) -> None:
    assert findings_in_turn(line) == [("syntax", column, column + 1)]
    assert help_has in read_log(HEAD + line).findings[0].help[0]


def test_a_long_token_is_shown_in_short() -> None:
    (finding,) = read_log(f"{HEAD}turn {'x' * 500}").findings
    assert finding.message == f"expected a number, not `{'x' * 30}…`"
    assert finding.span.end_column - finding.span.column == 500


def test_syntax_in_a_further_line() -> None:
    assert found(read_log(HEAD + "a, # c\n  b ) c\nd")) == [("syntax", 4, 5, 4, 6)]


def test_statements_beside_a_malformed_one() -> None:
    log = read_log(HEAD + "a; b ); c # )\nd")
    assert [said(s)[1] for s in log.games[0].sections[0].statements] == [["a"], ["c"], ["d"]]


@pytest.mark.parametrize(
    ("line", "column"),
    [("a\x07b", 2), ("\x0c", 1), ('a "\x1b[0m"', 4), ("a # \x00", 5), ("\x85", 1)],
)
def test_control_characters(line: str, column: int) -> None:
    assert findings_in_turn(line) == [("syntax", column, column + 1)]
    sign = line[column - 1]
    assert read_log(HEAD + line).findings[0].message == f"a control character, U+{ord(sign):04X}"


def test_a_quote_ends_with_its_line() -> None:
    log = read_log(HEAD + 'a "b; c # d \\\nend')
    assert found(log) == [("unclosed-quote", 3, 3, 3, 14)]
    first, second = log.games[0].sections[0].statements
    assert brief(first.items) == ["a", '"b; c # d \\"']
    assert (first.items[1].start, first.items[1].end) == (2, 13)
    assert brief(second.items) == ["end"]


def test_a_quote_that_is_not_closed_in_a_further_line() -> None:
    assert found(read_log(HEAD + 'a,\n "b\nend')) == [("unclosed-quote", 4, 2, 4, 4)]


def test_only_the_quote_is_reported() -> None:
    assert findings_in_turn('a ) "b') == [("unclosed-quote", 5, 7)]


def test_numbers() -> None:
    assert findings_in_turn("a 999999999") == []
    assert findings_in_turn("a 1000000000 b 0000000001, 2") == [
        ("number-too-large", 3, 13),
        ("number-too-large", 16, 26),
    ]
    assert len(read_log(HEAD + "a 1000000000").games[0].sections[0].statements) == 0


def test_long_statements() -> None:
    assert findings_in_turn("a" * 10_000) == []
    assert findings_in_turn("a; " + "b" * 10_001 + " ; c # d") == [
        ("statement-too-long", 4, 10_005)
    ]
    log = read_log(HEAD + "a, # c\n" * 2000 + "b\nc")
    assert found(log) == [("statement-too-long", 3, 1, 2003, 2)]
    assert outline(log)[0][1][0][2] == [([], ["c"], None)]  # type: ignore[index]


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("[Event Tuesday]", (8, 15), "expected a quoted text, not `Tuesday`"),
        ('[Event "x"', (11, 11), "expected `]`, not the end of the statement"),
        ('["x"]', (2, 5), 'expected a name, not `"x"`'),
        ("[", (2, 2), "expected a name, not the end of the statement"),
        ('[Event "x"] a', (13, 14), "expected the end of the statement, not `a`"),
        ('[Event "x"] [Site "y"]', (13, 14), "expected the end of the statement, not `[`"),
    ],
)
def test_bad_tags(line: str, place: tuple[int, int], message: str) -> None:
    log = read_log(f'[Game "x"]\n{line}\n[Date "y"]')
    (finding,) = log.findings
    assert (finding.rule, finding.message) == ("bad-tag", message)
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (2, *place)
    assert [tag.name for tag in log.games[0].tags] == ["Game", "Date"]


def test_a_bad_tag_starts_a_game_as_well() -> None:
    assert len(read_log('[Game "x"]\nsetup\n[Game x]\n[Event "y"]\nsetup').games) == 2


def test_a_comma_never_takes_a_tag_or_heading_in() -> None:
    log = read_log('[Game "x"]\nsetup\na, # c\n\nturn 1 Ann\nb,\n[Game "y"]\nsetup\nc,\nresult')
    assert found(log) == [("syntax", 3, 3, 3, 3), ("syntax", 6, 3, 6, 3), ("syntax", 9, 3, 9, 3)]
    assert [len(game.sections) for game in log.games] == [2, 2]


def test_an_unclosed_tag() -> None:
    log = read_log('[Game "altay]\n[Event "')
    assert found(log) == [("unclosed-quote", 1, 7, 1, 14), ("unclosed-quote", 2, 8, 2, 9)]
    assert [(tag.name, tag.value) for tag in log.games[0].tags] == [
        ("Game", "altay"),
        ("Event", ""),
    ]


def test_a_tag_that_is_too_long() -> None:
    log = read_log(f'[Game "x"]\n[Event "{"y" * 10_000}"]\n[Date "z"]')
    assert found(log) == [("statement-too-long", 2, 1, 2, 10_011)]
    assert [tag.name for tag in log.games[0].tags] == ["Game", "Date"]


def test_a_tag_twice() -> None:
    log = read_log('[Game "x"]\n[Event "a"]\n[EVENT "b"]\n[Variant "c"]\n[variant "d"]')
    assert found(log) == [("duplicate-tag", 3, 1, 3, 12)]
    assert "line 2" in log.findings[0].message
    assert [tag.value for tag in log.games[0].tags] == ["x", "a", "b", "c", "d"]
    assert read_log('[Game "x"]\nsetup\n[Game "x"]').findings == ()


@pytest.mark.parametrize(
    ("heading", "items", "column", "message"),
    [
        ("turn Ann", ["turn", "Ann"], 6, "expected a number, not `Ann`"),
        ("turn 1", ["turn", 1], 7, "expected a name or a number, not the end of the statement"),
        ("turn", ["turn"], 5, "expected a number, not the end of the statement"),
        ("turn 1 Ann, Bob", ["turn", 1, "Ann"], 11, None),
        ("turn: a", ["turn"], 5, "expected a number, not `:`"),
    ],
)
def test_a_malformed_heading_opens_a_turn(
    heading: str, items: list[object], column: int, message: str | None
) -> None:
    log = read_log(f'[Game "x"]\n{heading}\nplay b')
    (finding,) = log.findings
    assert (finding.rule, finding.span.line, finding.span.column) == ("syntax", 2, column)
    assert message in (None, finding.message)
    (section,) = log.games[0].sections
    assert section.kind.value == "turn"
    assert brief(section.heading.items) == items
    assert [brief(statement.items) for statement in section.statements] == [["play", "b"]]


def test_a_round_that_is_too_large() -> None:
    log = read_log('[Game "x"]\nturn 12345678901 Ann\nb')
    assert found(log) == [("number-too-large", 2, 6, 2, 17)]
    assert brief(log.games[0].sections[0].heading.items) == ["turn", "Ann"]


def test_the_order_of_sections() -> None:
    log = read_log('[G "x"]\nsetup\nposition\nturn 1 a\nsetup\nturn 2 a\nresult\nturn 3 a\nresult')
    assert found(log) == [
        ("section-order", 3, 1, 3, 9),
        ("section-order", 5, 1, 5, 6),
        ("section-order", 8, 1, 8, 9),
        ("section-order", 9, 1, 9, 7),
    ]
    assert len(log.games[0].sections) == 8


def test_statements_outside_of_sections() -> None:
    log = read_log('a\nb\n[Game "x"]\nc; d )\ne\nsetup\nf\n[Game "y"]\ng')
    assert found(log) == [
        ("statement-outside-section", 1, 1, 1, 2),
        ("statement-outside-section", 4, 1, 4, 2),
        ("syntax", 4, 6, 4, 7),
        ("statement-outside-section", 9, 1, 9, 2),
    ]
    assert [len(game.sections) for game in log.games] == [1, 0]


def test_a_statement_between_tags_ends_a_game() -> None:
    assert len(read_log('[Game "x"]\na\n[Event "y"]\nsetup').games) == 2


def test_no_game() -> None:
    for text in ("", "\n\n", "# nothing\n", ";;"):
        assert found(read_log(text)) == [("no-game", 1, 1, 1, 1)]
    log = read_log("# no tags\nsetup\na")
    assert found(log) == [("no-game", 2, 1, 2, 6)]
    assert outline(log) == [([], [("setup", ["setup"], [([], ["a"], None)])])]


def test_not_more_than_a_thousand_findings() -> None:
    assert len(read_log(HEAD + ")\n" * 1000).findings) == 1000
    log = read_log(HEAD + ")\n" * 1500 + "a")
    assert len(log.findings) == 1001
    last = log.findings[-1]
    assert last.rule == "too-many-findings"
    assert last.span.line == 1003
    assert last.message.startswith("500 ")
    assert len(log.games[0].sections[0].statements) == 1


def test_only_so_much_is_explained() -> None:
    log = read_log(HEAD + ("a " * 4999 + ")\n") * 12)
    assert [finding.rule for finding in log.findings] == ["syntax"] * 12
    assert log.findings[0].span.column == 9999
    assert log.findings[-1].message == "malformed statement"
    assert (log.findings[-1].span.column, log.findings[-1].span.end_column) == (1, 10_000)
