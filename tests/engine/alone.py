"""Logs of two players of whom only one does anything: what lies in her hand is what is asked."""

from __future__ import annotations

TABLE = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: completed Mathematics, Engineering
  Ann: settlements 2 F2, W2
  Bob: settlements 2 F6, H6
"""


def played(position: str, *turns: str) -> str:
    """Return a log of Ann's turns, each with its statements; Bob only ends his.

    ``position`` is what is told of it besides; an `end` that is not told is just that.
    """
    lines = [f"{TABLE}{position}"]
    for number, turn in enumerate(turns, 1):
        statements = turn.split("; ")
        end = [] if statements[-1].startswith("end") else ["end"]
        lines += [f"turn {number} Ann", *statements, *end, f"turn {number} Bob", "end"]
    return "\n".join([*lines, ""])
