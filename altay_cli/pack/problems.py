"""What can be wrong with a rule folder, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from altay_cli.spans import Span

MAX_PROBLEMS = 200
"""How many problems of one file are told one by one."""


class Problem(NamedTuple):
    """One thing that is wrong in a file of a rule folder.

    ``rule`` is a stable id, ``file`` the name that the reader was given, and
    ``help`` says what would have been right, a line each.
    """

    rule: str
    message: str
    file: str
    span: Span
    help: tuple[str, ...] = ()
    severity: str = "error"

    def __str__(self) -> str:
        return f"{self.file}:{self.span.line}:{self.span.column}: {self.message} [{self.rule}]"


class PackError(Exception):
    """A rule folder that cannot be used; ``problems`` says why, in order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
