"""The one place that writes: what commands say, made harmless for terminals and CI systems.

Names of files and players, titles and citations come from strangers. All that is written for
people goes line by line through ``say``; what is written for programs goes through ``document``.
Nothing else in the program writes to standard output or standard error. What cannot be written
raises an UnwritableError.
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
from shutil import get_terminal_size
from typing import IO, Any

import click

from altay_cli.base.files import why, write_atomically, write_new
from altay_cli.base.findings import any_of, with_values
from altay_cli.base.translations import languages
from altay_cli.report.text import (
    Line,
    counted,
    cut,
    folded,
    inert,
    lay_out_for,
    phrase,
    speak,
    translated,
)

LEAST_COLUMNS = 40
"""The minimum width that output is laid out for."""

# What ends a command that was interrupted from the keyboard.
INTERRUPTED = 130

_ERASE = "\r\x1b[K"
# The status in the last line of the terminal, erased before anything else is written.
_status: list[str] = []


class Refused(click.ClickException):
    """A refused request, with the reason in the language of the command; the exit code is 2.

    ``values`` stand in the places of the message, as those of a ``Text`` do.
    """

    exit_code = 2

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(translated(with_values(message, values)))

    def show(self, _file: IO[Any] | None = None) -> None:
        """Print the reason to standard error."""
        say_all((f"altay: {line}" for line in self.message.split("\n")), err=True)


@contextlib.contextmanager
def written(path: Path | str) -> Iterator[None]:
    """Refuse the request where a file cannot be written, or one of that name is there already."""
    try:
        yield
    except FileExistsError as error:
        raise Refused("{path} exists already", path=path) from error
    except OSError as error:
        raise Refused("{name}: {reason}", name=path, reason=why(error)) from error


def create(path: Path, text: str, *, quietly: bool = False) -> None:
    """Write a new file, and the folders on the way to it; say so, but where ``quietly``."""
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new(path, text.encode("utf-8"))
    if not quietly:
        say(phrase("wrote {file}", file=path.as_posix()))


def save(path: Path, data: bytes) -> None:
    """Write a file, or replace one; refuse the request where that cannot be done."""
    with written(path):
        write_atomically(path, data)


def check_ending(name: str, known: Sequence[str]) -> None:
    """Refuse to write a file whose name has another ending than the known ones."""
    ending = Path(name).suffix
    if name != "-" and ending and ending.lower() not in known:
        message = "{file}: `{ending}` files cannot be written; end the name in {known}"
        raise Refused(message, file=name, ending=ending, known=any_of(known))


class UnwritableError(Exception):
    """The output cannot be written; the message says why."""


def prepare() -> None:
    """Prepare the streams: what they cannot encode is escaped instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    lay_out_for(_columns())


def say(line: str = "", *, err: bool = False, whole: bool = False) -> None:
    """Write one line for people; with ``err``, on standard error.

    On a terminal that is narrower it is broken at blanks, unless it is to be kept ``whole``.

    Parts of a ``Line`` are set apart on terminals that can. Control characters, direction marks
    and line ends in it, wherever they come from, become visible ones, and no CI system takes it
    for a command.
    """
    for part in [line] if whole else folded(line):
        text = inert(part)
        # Making the line inert would shift its styled parts; such a line has none.
        if isinstance(part, Line) and len(text) == len(part):
            text = _styled(text, part)
        _write(text + "\n", err=err)


def say_all(lines: Iterable[str], *, err: bool = False, whole: bool = False) -> None:
    """Write lines for people as they come, each as ``say`` does."""
    for line in lines:
        say(line, err=err, whole=whole)


def warn(text: str, /, *, about: object = None, **values: object) -> None:
    """Tell something on standard error, in the command's language; first what it is ``about``."""
    line = translated(with_values(text, values))
    say(f"altay: {line}" if about is None else f"altay: {about}: {line}", err=True)


def document(text: str) -> None:
    """Write what is for programs, in UTF-8: JSON, a schema, a log; terminals show it to people."""
    if on_terminal():
        say_all(text.removesuffix("\n").split("\n"), whole=True)
    else:
        end = "" if text.endswith("\n") or not text else "\n"
        _write((text + end).encode("utf-8", "replace"), err=False)


def document_all(parts: Iterable[str]) -> None:
    """Write the parts of what is for programs as they come, each as ``document`` does."""
    for part in parts:
        document(part)


def tell(form: str, lines: Iterable[str], text: Callable[[], str]) -> None:
    """Write lines for people, or what ``text`` makes of the same for programs, as ``form`` says."""
    if form == "text":
        say_all(lines)
    else:
        document(text())


def on_terminal(*, err: bool = False) -> bool:
    """Return whether the output goes to a terminal."""
    stream = sys.stderr if err else sys.stdout
    return stream is not None and stream.isatty()


def _columns() -> int | None:
    """Return the width of the terminal; None if the output goes elsewhere."""
    return max(get_terminal_size().columns, LEAST_COLUMNS) if on_terminal() else None


def status(text: str) -> None:
    """Show progress below all output until something else is written; only on a terminal."""
    shown = [text] if text else []
    if on_terminal(err=True) and shown != _status:
        _status[:] = shown
        _echo(_ERASE + cut(inert(text), get_terminal_size().columns - 1), err=True)


def clear() -> None:
    """Clear the terminal, if there is one."""
    lay_out_for(_columns())
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
    """Handle a failure to write to a stream: it is an UnwritableError unless its reader is gone."""
    # What the stream still holds is discarded, and so is all further output to it.
    if not stream.closed:
        with contextlib.suppress(OSError), Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
    # A closed pipe means that the reader has read enough. The command still runs to its end, and
    # its exit code stays the same.
    if not isinstance(error, BrokenPipeError):
        raise UnwritableError(f"the output cannot be written: {why(error)}") from error


BAR_COLUMNS = 20
"""The width of the bar of progress."""

QUIET_SECONDS = 1.0
"""Tasks that take fewer seconds than this show no progress."""


class Progress:
    """Shows how much of some work is done, how many games a second, and the time that is left.

    Args:
        what: the name of the work, such as "checking".
        total: how much work there is; None if that is not known.

    """

    def __init__(self, what: str, total: float | None) -> None:
        unknown = (about for about in [""])
        length = None if total is None else max(round(total), 1)
        self._bar = click.progressbar(
            unknown, length, label=phrase(what), item_show_func=str, width=BAR_COLUMNS
        )
        self._games = 0

    def add(self, amount: float, about: str = "", games: int = 1) -> None:
        """Count what was done, and its games; ``about`` is shown beside it."""
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
"""The formats of findings; of each for programs ``report.json`` or ``report.ci`` has the writer."""

FOR_PEOPLE = frozenset({"text", "concise"})


def format_of(forms: Sequence[str], told: str) -> Callable[[Command], Command]:
    """Return the choice between formats, of which text is the default."""
    return click.option(
        "--format", "form", type=click.Choice(forms), default="text", show_default=True, help=told
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
    """Return the writer of a format: it makes a document, in parts, of checks and skipped files."""
    module = import_module(f"altay_cli.report.{'json' if form.startswith('json') else 'ci'}")
    parts: Callable[..., Iterator[str]] = getattr(module, f"{form}_parts")
    return parts


def diff_lines(before: str, after: str, name: str) -> Iterator[str]:
    """Yield the diff between two texts of a file."""
    from difflib import unified_diff

    from altay_cli.notation.lexis import split_lines

    return unified_diff(split_lines(before), split_lines(after), name, name, lineterm="")
