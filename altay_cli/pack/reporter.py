"""Who is told what effects find out while they are carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altay_cli.base.values import DrawnItem, Entity, Sink
from altay_cli.pack.model import RuleText


class Reporter:
    """The receiver of what effects report: this one ignores it."""

    @property
    def line(self) -> int:
        """The line of the statement that is judged."""
        return 0

    def say(self, text: RuleText, values: Mapping[str, Any], item: DrawnItem | None) -> None:
        """Report that a rule has something to say, at the drawn card ``item`` if one is given."""

    def unsure(self, item: DrawnItem, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a written name may stand for several things, and which was taken."""

    def unrecorded(self, kind: str, count: int, *, shared: bool = False) -> None:
        """Note that so many things of a kind came, and nobody wrote down which."""

    def cannot_be(self, place: int, named: Sequence[Entity]) -> None:
        """Note that nothing hidden in a place can be what a statement names."""

    def came(
        self,
        written: Sequence[DrawnItem] | None,
        what: Sequence[Entity | Sink],
        target: int | None = None,
    ) -> None:
        """Note what came, in order, and of what is written of it; only if all is traced.

        ``target`` is where it came to, if nobody was to write it.
        """

    def meant(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note what was taken for the names at ``start`` to ``end``."""

    def undecided(self, message: str) -> None:
        """Report that what is hidden is no longer worked out."""


SILENT = Reporter()
"""A reporter that ignores everything."""
