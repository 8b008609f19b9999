"""Well-formed texts and the trees that they must give."""

from __future__ import annotations

import gc
import tracemalloc
from contextlib import suppress

import pytest
from agn_texts import WHOLE_GAME, brief, found, logs, outline, said, scraps
from hypothesis import example, given, settings
from hypothesis import strategies as st

from altay_cli.base.findings import Span
from altay_cli.checking.check import check_text
from altay_cli.notation import lexis, limits, reading
from altay_cli.notation.lexis import GAME_TAG, NotationError, decode
from altay_cli.notation.parser import parse
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Item, Log, Statement


def read_well(text: str) -> Log:
    log = read_log(text)
    assert log.findings == ()
    return log


def one(text: str) -> Statement:
    """The only statement of a setup."""
    log = read_well(f'[Game "x"]\nsetup\n{text}')
    (statement,) = log.games[0].sections[0].statements
    return statement


@pytest.mark.parametrize("quotes", ["“”", "„“", "””", "＂＂", '“"'])
def test_the_quotes_that_a_phone_makes(quotes: str) -> None:
    before, after = quotes
    log = read_well(f"[Game {before}altay{after}]\nsetup\nseat {before}a; b # c{after} as X")
    assert log.games[0].tags[0].value == "altay"
    (statement,) = log.games[0].sections[0].statements
    assert brief(statement.items) == ["seat", '"a; b # c"', "as", "X"]


def test_plain_quotes_hold_others() -> None:
    assert brief(one('seat "a “b” c" as X').items)[1] == '"a “b” c"'


def test_a_plain_quote_that_a_phone_closes() -> None:
    log = read_log('[Game "altay”]\nsetup\n')
    assert [finding.rule for finding in log.findings] == ["unclosed-quote"]
    assert log.games[0].tags[0].value == "altay"


def test_a_whole_game() -> None:
    assert outline(read_well(WHOLE_GAME)) == [
        (
            [
                ("Game", "altay"),
                ("Event", "Wednesday"),
                ("Date", "2026.12.02"),
                ("Variant", "trading"),
                ("Variant", "short"),
            ],
            [
                (
                    "setup",
                    ["setup"],
                    [
                        ([], ["seat", "Cem", "as", "Earthfolk"], None),
                        ([], ["seat", '"Old Tom"', "as", "Windfolk"], None),
                        ([], ["marker", 2, "stone", "on", "W5", ",", "W6"], None),
                        ([], ["marker", 1, "on", "F2"], None),
                        ([], ["reveal", 2, "Masonry", ",", "Writing", ",", "Strategy"], None),
                        (["Old", "Tom"], ["settle", "F6"], None),
                        (["Cem"], ["secret", "?"], None),
                    ],
                ),
                (
                    "turn",
                    ["turn", 1, "Cem"],
                    [
                        ([], ["play", 2, "Hunter"], None),
                        (
                            [],
                            ["attack", "W2", "from", "F2", "with", "Chariot", "(2)", ",", 3, "?"],
                            None,
                        ),
                        (['"Old Tom"'], ["fight", "with", "Warrior"], ["Hunter"]),
                        (
                            [],
                            ["end"],
                            [2, "Warrior", ",", "Craftsman", "(wood)", ",", "狩人", ",", "?"],
                        ),
                    ],
                ),
                ("turn", ["turn", 1, "Old", "Tom"], [([], ["end"], [])]),
                (
                    "result",
                    ["result"],
                    [
                        (["Cem"], ["score", 31], None),
                        (["Old", "Tom"], ["score", 27], None),
                        ([], ["winner", "Cem"], None),
                    ],
                ),
            ],
        )
    ]


def test_an_item_knows_its_place_in_the_statement() -> None:
    assert one("  Bob:  draw 12 A.b( x  y )").items == (
        Item("word", "draw", 0, 6, 10),
        Item("number", "12", 12, 11, 13),
        Item("word", "A.b", 0, 14, 17),
        Item("qualifier", "x y", 0, 17, 25),
    )


def test_places_in_the_file() -> None:
    text = '[Game  "x"]\n\tsetup # c\n a; Bob : b "c" , # why\n\n   d => ?\n'
    game = read_well(text).games[0]
    assert game.span == Span(1, 1, 5, 10)
    assert game.lines[4] == "   d => ?"
    assert game.tags[0].span == Span(1, 1, 1, 12)
    assert game.tags[0].value_span == Span(1, 8, 1, 11)
    section = game.sections[0]
    assert section.heading.span() == Span(2, 2, 2, 7)
    first, second = section.statements
    assert first.span() == Span(3, 2, 3, 3)
    assert second.span() == Span(3, 5, 5, 10)
    assert [second.span_of(item) for item in second.items] == [
        Span(3, 11, 3, 12),
        Span(3, 13, 3, 16),
        Span(3, 17, 3, 18),
        Span(5, 4, 5, 5),
    ]
    assert second.span_of(second.actor[0]) == Span(3, 5, 3, 8)
    assert second.outcome is not None
    assert second.span_of(second.outcome[0]) == Span(5, 9, 5, 10)
    assert second.span(0, 3) == Span(3, 5, 3, 8)


def test_equal_statements_share_their_phrase() -> None:
    first, second = read_well('[G "x"]\nsetup\n a b\nc\n  a b').games[0].sections[0].statements[::2]
    assert first.phrase is second.phrase
    assert (first.line, second.line) == (3, 5)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("play 3?", ["play", 3, "?"]),
        ("2nd F2 x-1 d'Arc a>b", ["2nd", "F2", "x-1", "d'Arc", "a>b"]),
        ("007", [7]),
        ("２", ["２"]),
        ("a,b ,c", ["a", ",", "b", ",", "c"]),
        ('"a # b; \\"c\\" \\\\ \\d"', ['"a # b; "c" \\ \\d"']),
        ('"Great Wall"(2)', ['"Great Wall"', "(2)"]),
        ("Craftsman (wood, 2?)", ["Craftsman", "(wood, 2?)"]),
        ('""', ['""']),
        ("a\u3000b\u00a0c\td", ["a", "b", "c", "d"]),
        ("a，b", ["a", ",", "b"]),
        ("a # b, c", ["a"]),
        ("setup now", ["setup", "now"]),
        ('"turn" 1 x', ['"turn"', 1, "x"]),
        ("Turnip", ["Turnip"]),
        ("a, # c, d\n\n  # e\n b", ["a", ",", "b"]),
        ("a,\nresult b", ["a", ",", "result", "b"]),
    ],
)
def test_items(text: str, items: list[object]) -> None:
    assert brief(one(text).items) == items


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ann: a", (["Ann"], ["a"], None)),
        ("Ann : a", (["Ann"], ["a"], None)),
        ("Ann：a", (["Ann"], ["a"], None)),
        ("Player 2: a", (["Player", 2], ["a"], None)),
        ('"setup": a', (['"setup"'], ["a"], None)),
        ("end=>", ([], ["end"], [])),
        ("end => a, 2 b", ([], ["end"], ["a", ",", 2, "b"])),
        ("Ann: end =>?", (["Ann"], ["end"], ["?"])),
    ],
)
def test_actor_and_outcome(text: str, parts: object) -> None:
    assert said(one(text)) == parts


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = WHOLE_GAME.replace("\n", end)
    assert outline(read_well(text)) == outline(read_log(WHOLE_GAME))
    assert read_log(text).games == read_log(WHOLE_GAME).games


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_log_is_known_by_its_game(end: str) -> None:
    assert GAME_TAG.search(end.join(["# mine", '  [ game "altay"]', "turn 1 Ann"]))
    assert not GAME_TAG.search(end.join(["# mine", 'a [Game "altay"]', "[Games]"]))


def test_a_byte_order_mark_is_no_character() -> None:
    assert read_well("\ufeff" + WHOLE_GAME).games == read_log(WHOLE_GAME).games
    assert len(read_well(WHOLE_GAME + "\ufeff" + WHOLE_GAME).games) == 2


def test_accented_letters_are_the_same_in_one_sign_or_two() -> None:
    """Some systems write an accent as a sign of its own behind its letter."""
    lines = (
        '[Game "altay"]', '[Edition "de"]', "position", "Jörg: faction Flammvolk",
        "Bob: faction Waldvolk", "{}: hand Jäger, Krieger", "Bob: settlements F6", "turn 2 Jörg",
        '{}: play "Jäger"', "expect resources food",
    )  # fmt: skip
    text = "\n".join(lines).format("Jo\u0308rg", "Jörg").replace('"Jäger"', '"Ja\u0308ger"')
    (report,) = check_text(text).games
    assert report.findings == []
    # Places count the signs that are there.
    phrase = parse("Jo\u0308rg: play Ja\u0308ger").phrase
    assert [(item.text, item.start, item.end) for item in phrase.items] == [
        ("play", 7, 11), ("Jäger", 12, 18),
    ]  # fmt: skip


def test_headings_in_any_case() -> None:
    sections = read_well('[G "x"]\nSetup\nPOSITION x\nTurn 2 ann\nRESULT').games[0].sections
    assert [section.kind.value for section in sections] == ["setup", "turn", "result"]
    assert brief(sections[1].heading.items) == ["Turn", 2, "ann"]


def test_several_games() -> None:
    log = read_well('[A "1"]\n[B "2"]\nsetup\n[A "3"]\n# c\n[C "4"]\nresult\na')
    assert [[tag.value for tag in game.tags] for game in log.games] == [["1", "2"], ["3", "4"]]
    assert [game.span.line for game in log.games] == [1, 4]


def test_the_first_tag_of_a_name_counts() -> None:
    game = read_well('[Variant "a"]\n[VARIANT "b"]').games[0]
    tag = game.tag("variant")
    assert tag is not None
    assert tag.value == "a"
    assert game.tag("Event") is None


def test_comments_are_kept() -> None:
    log = read_well('#! a\n[G "#"] # b\nsetup;# c\na, #d \n  # e\nb\n;# f')
    assert [(c.text, c.line, c.column, c.is_alone) for c in log.comments] == [
        ("#! a", 1, 1, True),
        ("# b", 2, 9, False),
        ("# c", 3, 7, False),
        ("#d", 4, 4, False),
        ("# e", 5, 3, True),
        ("# f", 7, 2, True),
    ]


def test_decode() -> None:
    assert decode(b"\xef\xbb\xbfa \xe7\x81\xab") == "a 火"


@pytest.mark.parametrize(
    ("data", "what", "line"),
    [
        (b"a\nb\xff", "byte 0xFF", 2),
        (b"\xef\xbb\xbfa\r\n\r\xc3", "byte 0xC3", 3),
        (b"\x89PNG\r\n", "byte 0x89", 1),
        (b"PK\x03\n\x00\x00", "a zero byte", 2),
        (b"a\x00\xff", "a zero byte", 1),
    ],
)
def test_decode_refuses_what_is_no_text(data: bytes, what: str, line: int) -> None:
    with pytest.raises(NotationError, match=f"{what} in line {line}"):
        decode(data)


@settings(deadline=None)
@given(st.text() | st.text('\n\r;,#"([])? =>turn1\x0b\x85\u2028\ufeff\\'))
def test_reading_never_raises(text: str) -> None:
    log = read_log(text)
    for rule, line, column, end_line, end_column in found(log):
        assert rule
        assert (1, 1) <= (line, column) <= (end_line, end_column)
        assert end_line <= len(log.lines)
        assert end_column <= len(log.lines[end_line - 1]) + 1


@settings(deadline=None)
@given(logs() | scraps | st.lists(scraps | logs(), max_size=4).map("".join))
@example("play,\nTurn;setup\n")
@example('setup\na; [A "b"]\nsetup\nb,\n; [A "b"]; [A "c"]\n x')
def test_a_game_that_is_read_again_is_the_same(text: str) -> None:
    """Of the games of an archive only the places are kept."""
    log = read_log(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "MAX_CACHED_STATEMENTS", -1)
        again = read_log(text)
        assert again.findings == log.findings
        assert tuple(again.games) == log.games
        assert tuple(again.games[1:3]) == log.games[1:3]


@pytest.mark.parametrize("text", ["", "\n", "a", "ab\n", "\n\na", "abc\n\n\nde\n", "a\nbc\ndef"])
def test_lines_are_those_of_the_text(text: str) -> None:
    lines, expected = lexis.split_lines(text), text.split("\n")
    assert [*lines] == expected
    assert [lines[i] for i in range(-len(lines), len(lines))] == expected * 2
    assert lines[1:3] == expected[1:3]
    assert lines[::2] == expected[::2]


def test_a_line_of_which_much_is_asked_is_cut_out_of_the_text_once() -> None:
    """Each statement asks for its line: one of a megabyte holds 200,000, and would be copied so often."""
    lines = lexis.split_lines("first\nsecond")
    assert lines[1] is lines[1]


def test_only_comments_that_hold_something_are_kept() -> None:
    log = read_log("# one\nsetup # altay: ignore[x]\n", comments="altay:")
    assert [comment.text for comment in log.comments] == ["# altay: ignore[x]"]


def test_a_game_has_so_many_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes behind them is not kept, and the next game is read again."""
    monkeypatch.setattr(limits, "MAX_GAME", 3)
    log = read_log('[Game "x"]\nsetup\n a\n b\n c\n d\n[Game "x"]\nsetup\n a\n')
    sections = [game.sections for game in log.games]
    assert [sum(len(one.statements) for one in of_game) for of_game in sections] == [2, 1]
    assert [game.span.end_line for game in log.games] == [4, 9]
    found = [(finding.rule, finding.span.line) for finding in log.findings]
    assert found == [("too-many-statements", 5)]


def test_of_an_archive_little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line takes its text and 4 bytes; a statement would take some hundreds."""
    monkeypatch.setattr(reading, "MAX_CACHED_STATEMENTS", 0)
    kept = []
    for count in (50, 550):
        text = WHOLE_GAME * count
        tracemalloc.start()
        log = read_log(text)
        gc.collect()
        kept.append((tracemalloc.get_traced_memory()[0], len(log.lines)))
        tracemalloc.stop()
        assert len(log.games) == count
    (less, few), (more, many) = kept
    assert more - less < 60 * (many - few)


@settings(deadline=None)
@given(st.binary())
def test_decoding_raises_nothing_else(data: bytes) -> None:
    with suppress(NotationError):
        decode(data)


def test_a_line_of_nothing_but_signs_is_read() -> None:
    assert not parse("").sound
    for signs in ("---", "...", "[]():"):
        assert check_text(f'[Game "altay"]\nsetup\n{signs}\n').games
