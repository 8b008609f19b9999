"""Internal errors: exceptions of the program, reported as findings of one game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from altay_cli.base import on_demand
from altay_cli.base.findings import Finding, Severity, Span, Text

RULE = "internal-error"
FATAL = (MemoryError, OSError)
"""Exceptions of the machine or the installation end the run."""

PACKAGE = Path(__file__).parent.parent

MAX_PLACES = 5
"""Stack frames shown, the innermost first."""

MAX_MESSAGE = 200
"""Characters quoted of a message."""


_HELP = (
    "this is a mistake of the program, not of the log; the game is not judged",
    "please report these lines, with the log if you can",
)


def description(error: BaseException, *, quoted: bool = True) -> str:
    """Return an exception's type, and its message if ``quoted``.

    >>> description(ValueError("no such card"))
    'ValueError: no such card'
    """
    name, message = type(error).__name__, str(error)[:MAX_MESSAGE] if quoted else ""
    return f"{name}: {message}" if message else name


def places(error: BaseException) -> str:
    """Return the stack frames in this package: `repair/search.py:298 (take_best)`."""
    found = [
        f"{Path(frame.filename).relative_to(PACKAGE).as_posix()}:{frame.lineno} ({frame.name})"
        for frame in on_demand.traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    return ", ".join(found[: -MAX_PLACES - 1 : -1])


def internal_error(error: Exception, span: Span, *, quoted: bool = True) -> Finding:
    """Return an exception as a finding; re-raise it if ``FATAL``."""
    if isinstance(error, FATAL):
        raise error
    where = places(error)
    raised = (Text("raised at {places}", places=where),) if where else ()
    message = Text("internal error: {error}", error=description(error, quoted=quoted))
    return Finding(RULE, Severity.ERROR, message, span, help=(*raised, *_HELP))


def internal_error_line(error: Exception) -> str:
    """Return an exception as one line; re-raise it if ``FATAL``."""
    if isinstance(error, FATAL):
        raise error
    template = "internal error: {error}; raised at {places}"
    return Text(template, error=description(error), places=places(error) or "?")


class FailableReport(Protocol):
    """A report that an internal error can replace."""

    def fail(self, error: Exception) -> None:
        """Replace all findings by an internal error."""


AnyReport = TypeVar("AnyReport", bound=FailableReport)
Made = TypeVar("Made")


def build_safely(report: AnyReport, make: Callable[[AnyReport], Made]) -> Made:
    """Return ``make(report)``; if that fails, mark the report as failed and make it again."""
    try:
        return make(report)
    except Exception as error:
        report.fail(error)
        return make(report)
