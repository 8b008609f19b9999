"""Logs with the findings that they must give, written into the logs themselves.

A line that ends in ``#! rule-id`` must give an error, warning or note of that rule, on that
line; ``#! rule-id, rule-id`` several; ``#! rule-id @7`` one that begins in column 7. Every
finding of the log must be so announced, and every announced one must come.
"""

from __future__ import annotations

import re
from pathlib import Path

from altay_cli.checking.check import check_text

GAMES = Path(__file__).parents[1] / "games"
WHOLE_GAMES = sorted(path for path in GAMES.glob("*.agn") if path.stem != "mistakes")
"""The whole games of the pack that most tests use, all legal; `mistakes` is there to be wrong."""

JOE_AND_MARY = """\
[Game "altay"]

setup
  seat Joe as Firefolk
  seat Mary as Elvenfolk
  marker 1 on F2, F5, W3, H2, H6
  marker 2 food on F3, W2
  marker 2 wood on F6, H3
  marker 2 stone on W5, W6, H5
  marker 3 metal on M3; marker 3 wood on M4, M5
  Mary: settle F6
  Joe: settle F2
"""
"""The setup of a game in which nobody's first hand is recorded."""

EXPECTED = re.compile(r"#!\s*(.+?)\s*$")
Place = tuple[int, str]


def begun(game: str) -> str:
    """Return the beginning of a log of two players, up to the first move."""
    return f'[Game "{game}"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n'


def expected(text: str) -> list[tuple[int, str, int | None]]:
    """Return line, rule and column (or None) of every announced finding."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        announced = EXPECTED.search(line)
        if announced:
            for entry in announced[1].split(","):
                rule, _, column = entry.partition("@")
                found.append((number, rule.strip(), int(column) if column else None))
    return found


def verify(path: Path) -> None:
    """Check a log and compare its findings with those that it announces."""
    text = path.read_text(encoding="utf-8")
    announced = expected(text)
    columns = {(line, rule) for line, rule, column in announced if column is not None}
    report = check_text(text, path.name, path.parent)
    found = [
        (
            finding.span.line,
            finding.rule,
            finding.span.column if (finding.span.line, finding.rule) in columns else None,
        )
        for game in report.games
        for finding in game.findings
    ]
    told = "\n".join(
        f"  line {f.span.line}, column {f.span.column}: {f.message} [{f.rule}]"
        for game in report.games
        for f in game.findings
    )
    assert sorted(found, key=str) == sorted(announced, key=str), f"{path}: findings are\n{told}"
