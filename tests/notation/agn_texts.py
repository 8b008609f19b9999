"""Logs for the tests, and trees in a form that can be read."""

from __future__ import annotations

from hypothesis import strategies as st

from altay_cli.notation.tree import Item, Log, Statement

WHOLE_GAME = """\
# Written at the table.
[Game "altay"]
[Event "Wednesday"]
[Date "2026.12.02"]
[Variant "trading"]
[Variant "short"]

setup
  seat Cem as Earthfolk             # starts
  seat "Old Tom" as Windfolk
  marker 2 stone on W5, W6; marker 1 on F2
  reveal 2 Masonry, Writing,        # and
         Strategy
  Old Tom: settle F6
  Cem: secret ?

turn 1 Cem
  play 2 Hunter
  attack W2 from F2 with Chariot(2), 3?
  "Old Tom": fight with Warrior => Hunter
  end => 2 Warrior, Craftsman(wood), 狩人, ?

turn 1 Old Tom
  end =>

result
  Cem: score 31; Old Tom: score 27
  winner Cem
"""


def brief(items: tuple[Item, ...]) -> list[object]:
    """Items as plain values: 2 for a number, '"x"' for a text, '(x)' for a qualifier."""
    plain: list[object] = []
    for item in items:
        if item.kind == "number":
            plain.append(item.value)
        elif item.kind == "text":
            plain.append(f'"{item.text}"')
        elif item.kind == "qualifier":
            plain.append(f"({item.text})")
        else:
            plain.append(item.text)
    return plain


def said(statement: Statement) -> tuple[list[object], list[object], list[object] | None]:
    outcome = statement.outcome
    return (
        brief(statement.actor),
        brief(statement.items),
        None if outcome is None else brief(outcome),
    )


def outline(log: Log) -> list[object]:
    """All that a log says, without places; the words of headings in lower case."""

    def opens(heading: Statement) -> list[object]:
        keyword, *rest = brief(heading.items)
        return [str(keyword).lower(), *rest]

    return [
        (
            [(tag.name, tag.value) for tag in game.tags],
            [
                (section.kind.value, opens(section.heading), [said(s) for s in section.statements])
                for section in game.sections
            ],
        )
        for game in log.games
    ]


def found(log: Log) -> list[tuple[str, int, int, int, int]]:
    """Rules of the findings, with line, column, end line and end column."""
    return [
        (f.rule, f.span.line, f.span.column, f.span.end_line, f.span.end_column)
        for f in log.findings
    ]


words = st.sampled_from(
    [
        "play",
        "Hunter",
        "F2",
        "狩人",
        "d'Arc",
        "a.b-c",
        "x>y",
        "2nd",
        "turn",
        "setup",
        "result",
        "Turn",
    ]
) | st.text("abcÄé火", min_size=1, max_size=4)
numbers = st.integers(0, 999_999_999).map(str)
plain_texts = st.text(' abc;#,"“\\:[(=火', max_size=6).map(
    lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
)
curly_texts = st.builds(
    "".join,
    st.tuples(
        st.sampled_from("“„”＂"), st.text(" abc;#,:[(=火", max_size=6), st.sampled_from('”“"')
    ),
)
texts = plain_texts | curly_texts
qualifiers = st.sampled_from(["(2)", "( wood )", "(a  b,c)", "(?)"])
blanks = st.sampled_from([" ", "  ", "\t", "\u3000"])
maybe_blanks = st.sampled_from(["", " ", "  "])
comments = st.sampled_from(["#", "# c", "#; [x", '# "', "#, ,", "＃ 注"])
line_breaks = st.builds(
    "".join,
    st.tuples(st.sampled_from([",\n", ", # c\n", ",\n\n # d\n\n", ",\t#e\n#f\n"]), maybe_blanks),
)
separators = st.sampled_from([", ", ",", " ,", "，"]) | line_breaks


@st.composite
def runs(draw: st.DrawFn) -> str:
    """Items without a comma."""
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        part = draw(words | texts | numbers | st.just("?"))
        if part != "?" and not part.isdigit() and draw(st.booleans()):
            part += draw(maybe_blanks) + draw(qualifiers)
        parts.append(part)
    return draw(blanks).join(parts)


@st.composite
def lists(draw: st.DrawFn) -> str:
    text = draw(runs())
    for _ in range(draw(st.integers(0, 3))):
        text += draw(separators) + draw(runs())
    return text


@st.composite
def statements(draw: st.DrawFn) -> str:
    text = draw(lists())
    if draw(st.booleans()):
        names = st.lists(words | texts | numbers, min_size=1, max_size=2)
        text = " ".join(draw(names)) + draw(st.sampled_from([":", " : ", "："])) + text
    if draw(st.booleans()):
        text += draw(maybe_blanks) + "=>" + draw(maybe_blanks)
        if draw(st.booleans()):
            text += draw(lists())
    return text


@st.composite
def elements(draw: st.DrawFn) -> str:
    """A tag pair, a heading or a statement."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return "[" + draw(maybe_blanks) + "Tag" + draw(maybe_blanks) + draw(texts) + "]"
    if kind == 1:
        return draw(st.sampled_from(["setup", "Position", "RESULT"]))
    if kind == 2:
        return f"{draw(st.sampled_from(['turn', 'Turn']))} {draw(numbers)} {draw(words | texts)}"
    return draw(statements())


@st.composite
def logs(draw: st.DrawFn) -> str:
    """Logs that are nearly always well-formed."""
    text = ""
    for _ in range(draw(st.integers(0, 8))):
        text += draw(maybe_blanks) + draw(elements()) + draw(maybe_blanks)
        if draw(st.integers(0, 3)) == 0:
            text += ";" + draw(maybe_blanks)
            if draw(st.booleans()):
                continue
        if draw(st.integers(0, 3)) == 0:
            text += draw(comments)
        text += draw(st.sampled_from(["\n", "\n\n", "\n# own\n", "\n  # a\n\n  # b\n"]))
    return text


fragments = st.sampled_from(
    [
        *'ab2 ,;:#"()[]?=\\\n\t\x07',
        *("“", "”", "“x”", "[A “b”]\n"),
        *("=>", "turn", "turn 1 ", "setup", "result", "\n", "\n", '"x"', "(2)", '[A "b"]\n'),
        *(", \n", ", # c\n", "\r\n", "\u3000", "，", "＃", "\ufeff", "1234567890"),
    ]
)
scraps = st.lists(fragments, max_size=25).map("".join)
"""Texts of which most are malformed."""
