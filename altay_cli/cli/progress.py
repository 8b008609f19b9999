"""Progress of long tasks, with an estimate of the time left; shown on terminals only."""

from __future__ import annotations

import time

import click

from altay_cli.cli.output import status
from altay_cli.report.text import phrase

QUIET_SECONDS = 1.0
"""Tasks that take fewer seconds than this show no progress."""


class Progress:
    """Shows how much of some work is done; ``what`` names it, such as "checking"."""

    def __init__(self, what: str, total: float) -> None:
        length = max(round(total), 1)
        self._bar = click.progressbar(length=length, label=phrase(what), item_show_func=str)

    def add(self, amount: float, about: str = "") -> None:
        """Count what was done; ``about`` is shown beside it."""
        self._bar.make_step(round(amount))
        self._bar.current_item = about
        if time.time() - self._bar.start >= QUIET_SECONDS:
            status(self._bar.format_progress_line())

    def end(self) -> None:
        """Erase the progress line."""
        status("")
