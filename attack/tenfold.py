"""`python -m attack tenfold`: with a limit ten times larger or smaller, some test fails.

``tenfold.yaml`` names it. A limit without such a test is not needed, or may break unnoticed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from ruamel.yaml import YAML

HOME = Path(__file__).parents[1]
SEEN = HOME / "attack" / "tenfold.yaml"
SETTING = "ALTAY_LIMIT"
"""The variable that changes a limit in a run of tests: `match.MAX_SINCE=30`."""

PLUGINS = ("-p", "attack.tenfold", "-p", "no:cacheprovider")


class Seen(NamedTuple):
    """A test that fails with a limit (``room.NAME``) ten times ``more`` or ``less``.

    If ``how`` is ``set``, the test itself lowers a large limit.
    """

    limit: str
    how: str
    test: str

    @property
    def changed(self) -> int | float:
        """Return the limit in a run that fails."""
        value = limits()[self.limit]
        if self.how == "more":
            return value * 10
        return value // 10 if isinstance(value, int) else value / 10

    def fails(self) -> bool:
        """Run the test with the changed limit; raise a ClickException if that is impossible."""
        with TemporaryDirectory() as folder:
            run = subprocess.run(  # noqa: S603 - our own tests
                [
                    sys.executable,
                    "-m",
                    "pytest",
                    "-x",
                    "-m",
                    "slow or not slow",
                    *PLUGINS,
                    self.test,
                ],
                cwd=HOME,
                env={**os.environ, SETTING: f"{self.limit}={self.changed}", "ALTAY_CACHE": folder},
                capture_output=True,
                text=True,
                check=False,
            )
        if run.returncode > 1:
            raise click.ClickException(f"{self.test}:\n{run.stdout}{run.stderr}")
        return run.returncode == 1


def limits() -> dict[str, int | float]:
    return {
        f"{path.parent.name}.{name}": value
        for path in sorted((HOME / "altay_cli").glob("*/limits.py"))
        for name, value in vars(import_module(f"altay_cli.{path.parent.name}.limits")).items()
        if name.isupper()
    }


def seen() -> list[Seen]:
    data = YAML(typ="safe").load(SEEN.read_text(encoding="utf-8"))
    return [Seen(limit, *how_and_test) for limit, how_and_test in data.items()]


def _change(setting: str) -> None:
    """Change a limit, before any module has read it."""
    limit, _, value = setting.partition("=")
    room, _, name = limit.partition(".")
    module = import_module(f"altay_cli.{room}.limits")
    setattr(module, name, type(getattr(module, name))(value))


@click.command("tenfold")
@click.argument("only", nargs=-1, metavar="[LIMIT...]")
def main(only: tuple[str, ...]) -> None:
    """Change each limit of the program tenfold; its test must fail.

    LIMIT is a room (`match`) or a limit of it (`match.MAX_SINCE`). All take some ten minutes.
    """
    rows = [
        row
        for row in seen()
        if row.how != "set" and (not only or {row.limit, row.limit.partition(".")[0]} & {*only})
    ]
    missed = []
    for row in rows:
        if not row.fails():
            missed.append(row)
            click.echo(f"{row.limit} = {row.changed}: {row.test} passes")
    click.echo(f"{len(rows)} limits, {len(missed)} of which no test sees")
    sys.exit(bool(missed))


if SETTING in os.environ:
    _change(os.environ[SETTING])
