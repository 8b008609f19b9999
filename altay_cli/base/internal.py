"""Internal errors: mistakes of the program, as findings of the game in which they happen.

An exception that nothing in a log should cause never ends a run over many games. The game is not
judged, the finding says where in the program the exception was raised, and the other games go on.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from altay_cli.base.findings import Finding, Severity, Span, Text

RULE = "internal-error"
"""The id of the finding."""

FATAL = (MemoryError, OSError)
"""Exceptions that concern the machine or the installation: they end the run."""

PACKAGE = Path(__file__).parent.parent

MAX_PLACES = 5
"""How many places of the program are named, the innermost first."""

MAX_MESSAGE = 200
"""How many characters of the exception's message are quoted."""


_HELP = (
    "this is a mistake of the program, not of the log; the game is not judged",
    "please report these lines, with the log if you can",
)


def description(error: BaseException, *, quoted: bool = True) -> str:
    """Return the type of an exception, with its message if that may be ``quoted``."""
    name, message = type(error).__name__, str(error)[:MAX_MESSAGE] if quoted else ""
    return f"{name}: {message}" if message else name


def places(error: BaseException) -> str:
    """Return where in the program an exception was raised: `repair/search.py:298 (take_best)`."""
    from traceback import extract_tb

    found = [
        f"{Path(frame.filename).relative_to(PACKAGE).as_posix()}:{frame.lineno} ({frame.name})"
        for frame in extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    return ", ".join(found[: -MAX_PLACES - 1 : -1])


def internal_error(error: Exception, span: Span, *, quoted: bool = True) -> Finding:
    """Return the finding for an exception; raise it again if it is one of ``FATAL``."""
    if isinstance(error, FATAL):
        raise error
    where = places(error)
    raised = (Text("raised at {places}", places=where),) if where else ()
    message = Text("internal error: {error}", error=description(error, quoted=quoted))
    return Finding(RULE, Severity.ERROR, message, span, help=(*raised, *_HELP))


def told(error: Exception) -> str:
    """Return an internal error in one line; raise it again if it is one of ``FATAL``."""
    if isinstance(error, FATAL):
        raise error
    template = "internal error: {error}; raised at {places}"
    return Text(template, error=description(error), places=places(error) or "?")


class Report(Protocol):
    """A report that can be replaced by one that says nothing but that the program failed."""

    def fail(self, error: Exception) -> None:
        """Replace all that was found by an internal error."""


AnyReport = TypeVar("AnyReport", bound=Report)
Made = TypeVar("Made")


def made_of(report: AnyReport, make: Callable[[AnyReport], Made]) -> Made:
    """Return what ``make`` makes of a report; if that fails, of the report of the failure."""
    try:
        return make(report)
    except Exception as error:
        report.fail(error)
        return make(report)
