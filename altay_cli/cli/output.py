"""All output of the commands, made harmless for terminals and CI systems.

Names, titles and citations come from strangers. No other module writes to standard output or
standard error. Failing writes raise an UnwritableError.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import click

from altay_cli.base import on_demand
from altay_cli.base.files import why, write_atomically, write_new
from altay_cli.base.findings import any_of, with_values
from altay_cli.base.translations import languages
from altay_cli.report.text import (
    Line,
    counted,
    cut,
    folded,
    inert,
    phrase,
    set_page_width,
    speak,
    translated,
)

LEAST_COLUMNS = 40
# After an interrupt from the keyboard.
INTERRUPTED = 130

_ERASE = "\r\x1b[K"
# In the last line of the terminal, erased before any other output.
_status: list[str] = []


class Refused(click.ClickException):
    """A refused request; the exit code is 2.

    ``values`` replace the fields of the message.
    """

    exit_code = 2

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(translated(with_values(message, values)))

    def show(self, _file: IO[Any] | None = None) -> None:
        """Print the reason to standard error."""
        print_lines((f"altay: {line}" for line in self.message.split("\n")), err=True)


@contextlib.contextmanager
def written(path: Path | str) -> Iterator[None]:
    """Refuse the request if a file cannot be written or exists."""
    try:
        yield
    except FileExistsError as error:
        raise Refused("{path} exists already", path=path) from error
    except OSError as error:
        raise Refused("{name}: {reason}", name=path, reason=why(error)) from error


def create(path: Path, text: str, *, quietly: bool = False) -> None:
    """Write a new file; report it unless ``quietly``."""
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new(path, text.encode("utf-8"))
    if not quietly:
        print_line(phrase("wrote {file}", file=path.as_posix()))


def save(path: Path, data: bytes) -> None:
    """Write or replace a file."""
    with written(path):
        write_atomically(path, data)


def check_ending(name: str, known: Sequence[str]) -> None:
    """Refuse a file name without a ``known`` extension."""
    ending = Path(name).suffix
    if name != "-" and ending and ending.lower() not in known:
        message = "{file}: `{ending}` files cannot be written; end the name in {known}"
        raise Refused(message, file=name, ending=ending, known=any_of(known))


class UnwritableError(Exception):
    """The output cannot be written."""


def prepare() -> None:
    """Make the streams escape characters that they cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    set_page_width(_columns())


def print_line(line: str = "", *, err: bool = False, fold: bool = True) -> None:
    """Print one line for people; with ``err``, on standard error.

    On a narrow terminal it is folded, unless ``fold`` is False. Control characters, direction marks
    and line ends become visible, and no CI system takes the line for a command.
    """
    for part in folded(line) if fold else [line]:
        text = inert(part)
        # Escaping may shift the styled parts: then print the line without style.
        if isinstance(part, Line) and len(text) == len(part):
            text = _styled(text, part)
        _write(text + "\n", err=err)


def print_lines(lines: Iterable[str], *, err: bool = False, fold: bool = True) -> None:
    """Print lines as they come."""
    for line in lines:
        print_line(line, err=err, fold=fold)


def warn(text: str, /, *, about: object = None, **values: object) -> None:
    """Print a translated warning on standard error, after its subject, ``about``."""
    line = translated(with_values(text, values))
    print_line(f"altay: {line}" if about is None else f"altay: {about}: {line}", err=True)


def document(text: str) -> None:
    """Write output for programs in UTF-8; on a terminal, escape it as text."""
    if on_terminal():
        print_lines(text.removesuffix("\n").split("\n"), fold=False)
    else:
        end = "" if text.endswith("\n") or not text else "\n"
        _write((text + end).encode("utf-8", "replace"), err=False)


def document_all(parts: Iterable[str]) -> None:
    """Write parts as they come."""
    for part in parts:
        document(part)


def write_result(form: str, lines: Iterable[str], text: Callable[[], str]) -> None:
    """Write ``lines`` if ``form`` is text, else the document that ``text`` returns."""
    if form == "text":
        print_lines(lines)
    else:
        document(text())


def on_terminal(*, err: bool = False) -> bool:
    """Return True if the output goes to a terminal."""
    stream = sys.stderr if err else sys.stdout
    return stream is not None and stream.isatty()


def _columns() -> int | None:
    return max(_terminal_width(), LEAST_COLUMNS) if on_terminal() else None


def _terminal_width() -> int:
    return on_demand.shutil.get_terminal_size().columns


def status(text: str) -> None:
    """Show progress until the next output."""
    shown = [text] if text else []
    if on_terminal(err=True) and shown != _status:
        _status[:] = shown
        _echo(_ERASE + cut(inert(text), _terminal_width() - 1), err=True)


def clear() -> None:
    """Clear the terminal, if any."""
    set_page_width(_columns())
    if on_terminal():
        click.clear()


def _styled(text: str, line: Line) -> str:
    parts, at = [], 0
    for start, end, style in line.styles:
        parts += [text[at:start], click.style(text[start:end], fg=style.colour, bold=style.bold)]
        at = end
    return "".join([*parts, text[at:]])


def _write(text: str | bytes, *, err: bool) -> None:
    if _status:
        _status.clear()
        _echo(_ERASE, err=True)
    _echo(text, err=err)


def _echo(text: str | bytes, *, err: bool) -> None:
    try:
        click.echo(text, nl=False, err=err)
    except OSError as error:
        lost(error, sys.stderr if err else sys.stdout)


def lost(error: OSError, stream: IO[str]) -> None:
    """Raise an UnwritableError unless the reader has gone."""
    # Discard all further output.
    if not stream.closed:
        with contextlib.suppress(OSError), Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
    # The reader of a closed pipe has read enough. The command still runs to its end, and its exit
    # code stays the same.
    if not isinstance(error, BrokenPipeError):
        raise UnwritableError(f"the output cannot be written: {why(error)}") from error


BAR_COLUMNS = 20
QUIET_SECONDS = 1.0
"""Shorter tasks show no progress."""


class Progress:
    """Shows the work done, games per second, and the remaining time.

    ``what`` is such as "checking"; ``total`` the amount of work, None if unknown.
    """

    def __init__(self, what: str, total: float | None) -> None:
        unknown = (about for about in [""])
        length = None if total is None else max(round(total), 1)
        self._bar = click.progressbar(
            unknown, length, label=phrase(what), item_show_func=str, width=BAR_COLUMNS
        )
        self._games = 0

    def add(self, amount: float, about: str = "", games: int = 1) -> None:
        """Add finished work and games."""
        self._games += games
        self._bar.make_step(round(amount))
        seconds = time.time() - self._bar.start
        if seconds >= QUIET_SECONDS:
            done = counted("{count} game", "{count} games", self._games)
            rate = phrase("{count} a second", count=f"{self._games / seconds:,.1f}")
            self._bar.current_item = ", ".join(filter(None, (done, rate, about)))
            status(self._bar.format_progress_line())

    def end(self) -> None:
        """Erase the progress line."""
        status("")


Command = Callable[..., object]


FORMS = ("text", "concise", "json", "jsonl", "github", "sarif", "junit")
"""``report.json`` and ``report.ci`` write those for programs."""

FOR_PEOPLE = frozenset({"text", "concise"})
FOR_PROGRAMS = frozenset({"json", "jsonl", "csv"})


def format_of(forms: Sequence[str], help_text: str) -> Callable[[Command], Command]:
    """Return an option for the format, by default text."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default="text",
        show_default=True,
        help=help_text,
    )


report_option = format_of(FORMS, "For people (concise: a line each), programs, or CI systems.")
format_option = format_of(("text", "json"), "For people, or for programs.")

language_option = click.option(
    "--lang",
    "language",
    expose_value=False,
    callback=lambda _ctx, _parameter, chosen: speak(chosen),
    type=click.Choice(languages()),
    default="en",
    show_default=True,
    envvar="ALTAY_LANG",
    help="The language of names and messages; ALTAY_LANG says which without it.",
)


def report_parts(form: str) -> Callable[..., Iterator[str]]:
    """Return the writer of a format."""
    module = import_module(f"altay_cli.report.{'json' if form in FOR_PROGRAMS else 'ci'}")
    parts: Callable[..., Iterator[str]] = getattr(module, f"{form}_parts")
    return parts


def diff_lines(before: str, after: str, name: str) -> Iterator[str]:
    """Yield the diff between two texts of a file."""
    old, new = before.split("\n"), after.split("\n")
    return on_demand.difflib.unified_diff(old, new, name, name, lineterm="")
