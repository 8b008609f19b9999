"""Every statement that the pages on notation show is legal somewhere, as the page writes it.

Logs that a page shows are checked as they stand. For statements in its text and tables,
`tests/documented` holds logs in which each of them is played; what a page shows as a mistake is
announced there with `#!`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.fixing import applied
from altay_cli.compile.load import load_pack
from tests.logs import expected
from tests.test_docs import ROOT, blocks, text_of

LOGS = sorted((Path(__file__).parent / "documented").glob("*.agn"))
PAGES = {
    "README.md": "altay",
    "docs/first-log.md": "altay",
    "docs/hidden.md": "altay",
    "docs/notation.md": "altay",
    "docs/positions.md": "altay",
    "docs/slips.md": "altay",
    "docs/text.md": "altay",
    "docs/cheat-sheet.md": "altay",
    "docs/checking.md": "altay",
    "docs/viewing.md": "altay",
    "docs/playing.md": "altay",
    "docs/json.md": "altay",
    "docs/innovation.md": "innovation",
    "docs/classics.md": "",
}
"""The pages that show statements, and of which game; of no name, of several."""

SHOWN_WRONG = {"docs/hidden.md": ["in-hand"], "docs/json.md": ["bought-twice"]}
"""The errors that pages show a log for."""

WHO = re.compile(r"^(?:Ann|Bob): (?:expect )?|^expect ")
PLACEHOLDER = re.compile(r"[A-Z]{3,}|\.\.\.|<|\?\?")


def errors(text: str) -> list[tuple[int, str]]:
    found = [found for game in check_text(text).games for found in game.findings]
    return sorted((one.span.line, one.rule) for one in found if one.severity is Severity.ERROR)


def statements(text: str) -> set[str]:
    """Return the statements of a log, without comments, one to each."""
    lines = (re.sub(r"\s+#.*", "", line).strip() for line in text.splitlines())
    parts = {part.strip() for line in lines for part in line.split(";") if part.strip()}
    # Pages may leave out who acts.
    return parts | {re.sub(r"^\w+: ", "", part) for part in parts}


def words_of(game: str) -> set[str]:
    """Return the words with which statements of a game begin."""
    pack = load_pack(game)
    heads = [pattern.source.split() for move in pack.moves for pattern in move.patterns]
    return {head[0].strip("[]") for head in heads if head}


def shown(page: str, game: str) -> Iterator[str]:
    """Yield the statements that a page shows in text, tables and parts of logs.

    Those of one word are left out.
    """
    text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\| written \| meant \|.*?\n\n", "", text, flags=re.MULTILINE | re.DOTALL)
    games = [game] if game else [path.name for path in (ROOT / "rules").iterdir()]
    words = set().union(*(words_of(one) for one in games if one != "frames"))
    written = re.findall(r"`([^`]+)`", text)
    for block in blocks(text):
        if "..." in block or not block.startswith(("[Game", "altay ")):
            written += [one for one in statements(block) if not one.startswith("turn ")]
    for span in written:
        for part in " ".join(span.split()).split("; "):
            rest = WHO.sub("", part)
            if " " in rest and rest.split(" ")[0] in words and not PLACEHOLDER.search(part):
                yield part


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_statements_are_legal(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert errors(text) == [(line, rule) for line, rule, _ in expected(text)]


@pytest.mark.parametrize("page", PAGES)
def test_every_statement_of_a_page_is_played(page: str) -> None:
    logs = [block for block in blocks(text_of(page)) if block.startswith("[Game")]
    played = set().union(*map(statements, [*logs, *(one.read_text("utf-8") for one in LOGS)]))
    missing = [one for one in shown(page, PAGES[page]) if one not in played]
    assert sorted(set(missing)) == []


@pytest.mark.parametrize("page", PAGES)
def test_the_logs_of_a_page_are_legal(page: str) -> None:
    logs = [one for one in blocks(text_of(page)) if one.startswith("[Game") and "..." not in one]
    assert [rule for log in logs for _, rule in errors(log)] == SHOWN_WRONG.get(page, [])


def badly_written() -> Iterator[tuple[str, list[str]]]:
    """Yield what the table of badly written statements shows, with what its row says is meant."""
    text = text_of("docs/slips.md")
    table = text[text.index("| written | meant |") :].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        left, right = (re.findall(r"`([^`]+)`", cell) for cell in row.strip("| ").split(" | "))
        yield from ((one, right) for one in left)


@pytest.mark.parametrize(("written", "meant"), list(badly_written()))
def test_what_is_badly_written_is_put_right(written: str, meant: list[str]) -> None:
    log = next(one for one in LOGS if one.stem == "badly").read_text("utf-8")
    assert any(is_put_right(written, one, log) for one in meant)


def is_put_right(written: str, meant: str, log: str) -> bool:
    """Tell whether a fix makes one statement of another, in the first game that has that one."""
    games = [f"[Game{part}" for part in re.sub(r" +#.*", "", log).split("[Game")[1:]]
    lines = next(
        lines for game in games if meant in (lines := [line.strip() for line in game.splitlines()])
    )
    number = lines.index(meant)
    text = "\n".join([*lines[:number], written, *lines[number + 1 :]])
    findings = [found for game in check_text(text).games for found in game.findings]
    told = [one.rule for one in findings if one.span.line == number + 1]
    left = applied(text, {fix for one in findings for fix in one.fixes[:1] if fix.certain})
    return "badly-written" in told and statements(left) == statements("\n".join(lines))
