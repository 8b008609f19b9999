"""`altay fmt`: logs in canonical form."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from altay_cli.cli.files import load
from altay_cli.cli.options import logs_argument, tell_unreadable
from altay_cli.cli.output import document, say
from altay_cli.notation import format_log


@click.command("fmt")
@logs_argument
@click.option("--check", "only_check", is_flag=True, help="Write nothing; tell which would change.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], only_check: bool) -> None:
    """Write logs in canonical form: spacing, indentation, one statement a line.

    Comments survive. A file is replaced only when its new text is complete on disk.
    Standard input is written to standard output.
    """
    loaded = load(paths)
    changed = 0
    for name, folder, text in loaded.texts:
        formatted = format_log(text)
        if folder is None and not only_check:
            document(formatted)
        elif formatted != text:
            changed += 1
            if only_check:
                say(f"would change: {name}")
            else:
                try:
                    _replace(Path(name), formatted)
                except OSError as error:
                    loaded.unreadable.append((name, error.strerror or "it cannot be written"))
    tell_unreadable(loaded)
    if loaded.unreadable:
        ctx.exit(2)
    ctx.exit(1 if only_check and changed else 0)


def _replace(path: Path, text: str) -> None:
    """Write a file so that either the old or the new text is there, whatever happens."""
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
