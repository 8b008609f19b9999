"""Progress of long tasks, with an estimate of the time left; shown on terminals only."""

from __future__ import annotations

from time import monotonic

from altay_cli.cli.output import on_terminal, say, status
from altay_cli.report.speech import phrase

QUIET_SECONDS = 1.0
"""Tasks that take fewer seconds than this show no progress."""

_PAUSE = 0.2


class Progress:
    """Shows how much of some work is done; ``what`` names it, such as "checking".

    The time left is estimated from the work done after the first part, which includes preparation;
    it is shown once a twentieth is done. Where a ``sample`` tells
    enough, it is said beforehand how long all that is ``told`` will take.
    """

    def __init__(
        self, what: str, total: float, *, sample: float | None = None, told: str = ""
    ) -> None:
        self._sample, self._all = sample, told
        self._what = phrase(what)
        self._total = total
        self._done = 0.0
        self._begun = monotonic()
        self._first: tuple[float, float] | None = None
        self._told = 0.0
        self._on = on_terminal(err=True)

    def add(self, amount: float, about: str = "") -> None:
        """Count what was done; ``about`` is shown beside it."""
        if not self._on:
            return
        self._done += amount
        now = monotonic()
        if self._first is None:
            self._first = (now, self._done)
        since, before = self._first
        spent, done = now - since, self._done - before
        rest = spent / done * max(self._total - self._done, 0.0) if done else 0.0
        if self._sample is not None and done >= self._sample and spent >= QUIET_SECONDS:
            self._sample = None
            if rest > QUIET_SECONDS:
                time = duration(rest + now - self._begun)
                text = phrase("{work} will take {time}", work=self._all, time=time)
                say(f"altay: {text}", err=True)
        if now - self._begun >= QUIET_SECONDS and now - self._told >= _PAUSE:
            self._told = now
            share = min(self._done / self._total, 1.0) if self._total else 1.0
            text = f"{self._what}{f' {about}' if about else ''}: {share:.0%}"
            if spent >= QUIET_SECONDS / 2 and done > self._total / 20:
                time = duration(rest)
                text = phrase("{done}, {time} left", done=text, time=time)
            status(text)

    def end(self) -> None:
        """Erase the progress line."""
        if self._told:
            status("")


def duration(seconds: float) -> str:
    """Return an estimated time in words."""
    if seconds < 1.5:
        return phrase("about 1 second")
    if seconds < 90:
        return phrase("about {count} seconds", count=_rounded(seconds))
    if seconds < 5400:
        return phrase("about {count} minutes", count=_rounded(seconds / 60))
    return phrase("about {count} hours", count=_rounded(seconds / 3600))


def _rounded(number: float) -> int:
    """Return a number rounded to the precision of an estimate."""
    return round(number) if number < 20 else round(number / 5) * 5
