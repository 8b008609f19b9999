"""The exceptions of this package."""

from __future__ import annotations


class ExpressionError(Exception):
    """An expression that cannot be read, checked or evaluated.

    ``code`` is a stable short name of what is wrong ("syntax", "unknown-name", "overflow", ...),
    ``message`` a sentence for people. ``start`` and ``end`` are offsets into the source, in code
    points from 0, or None if the place is not known (most errors of evaluation).
    """

    def __init__(
        self, code: str, message: str, start: int | None = None, end: int | None = None
    ) -> None:
        super().__init__(code, message, start, end)  # so that it goes to other processes whole
        self.code = code
        self.message = message
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return self.message


UNDECIDED = "undecided"
"""The code of the error that what is hidden is too much to be gone through."""


class BudgetError(ExpressionError):
    """The evaluation used up its steps; unlike other errors, `&&` and `||` never absorb it."""

    def __init__(
        self,
        code: str = "budget",
        message: str = "this takes too many steps to evaluate",
    ) -> None:
        super().__init__(code, message)
        self.args = (code, message)


UNKNOWN_CONTENT = "what follows depends on what lies where nobody recorded it"


class UnrecordedError(ExpressionError):
    """The evaluation needs to know something that nobody wrote down."""

    def __init__(self, message: str) -> None:
        super().__init__("unrecorded", message)
        self.args = (message,)
