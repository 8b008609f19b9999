"""What a view shows, in words: things with their counts, numbers, and what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from altay_cli.report.text import phrase
from altay_cli.view.model import Cell, CellGroup, Heap, Ref, Things, Value

MINUS = "\N{MINUS SIGN}"


class Teller:
    """Tells values; ``things`` are all that are shown."""

    def __init__(self, things: Things) -> None:
        self.things = things

    def name(self, ref: Ref) -> str:
        """Return the name of a thing."""
        return self.things[ref].name

    def value(self, value: Value) -> str:
        """Return a value in words; nothing for what is empty."""
        if isinstance(value, bool):
            return "✓" if value else ""
        if isinstance(value, int | str):
            return str(value)
        parts = [self._counted(ref, count) for ref, count in value.known]
        if value.unknown or value.more != 0:
            parts.append(phrase("{count} unknown", count=self._unknown(value)))
        return (" > " if value.ordered else ", ").join(parts)

    def _unknown(self, things: Heap) -> str:
        if things.more is None:
            return "?"
        low, high = things.unknown, things.unknown + things.more
        return str(low) if low == high else phrase("{low} to {high}", low=low, high=high)

    def _counted(self, ref: Ref, count: int) -> str:
        return self.name(ref) if count == 1 else f"{count}× {self.name(ref)}"

    def cell(self, cell: Cell) -> str:
        """Return what a field shows, on one line; its groups divided by semicolons."""
        return "; ".join(filter(None, (self.group(group) for group in cell.groups)))

    def group(self, group: CellGroup) -> str:
        """Return a group: what it is of, how it is splayed, what is in it."""
        items = self.value(group.items)
        if group.of is None:
            return items
        of = self.value(group.of)
        if group.splay not in {None, "none"}:
            of += f" ({group.splay})"
        if isinstance(group.of, Heap) and isinstance(group.items, int):
            return f"{of} {items}"
        return f"{of}: {items}" if items else of

    def change(self, before: Cell | None, after: Cell | None) -> str:
        """Return what changed in a field: `+2 …, −…`, `3 → 4`, or the new value."""
        old = {} if before is None else {group.of: group for group in before.groups}
        new = {} if after is None else {group.of: group for group in after.groups}
        every = [*new, *(of for of in old if of not in new)]
        parts = [
            self._changed(old.get(of), new.get(of)) for of in every if old.get(of) != new.get(of)
        ]
        return "; ".join(filter(None, parts))

    def _changed(self, old: CellGroup | None, new: CellGroup | None) -> str:
        there = new or old
        assert there is not None
        of = "" if there.of is None else self.value(there.of)
        gained = self._difference(old, new, there)
        if not of:
            return gained
        if old is None or new is None:
            sign = "+" if old is None else MINUS
            return f"{sign}{of}" + (f" ({gained})" if gained else "")
        return f"{of}: {gained}" if gained else of

    def _difference(self, old: CellGroup | None, new: CellGroup | None, there: CellGroup) -> str:
        before = None if old is None else old.items
        after = None if new is None else new.items
        if isinstance(there.items, bool):
            return "" if after else phrase("no more")
        if isinstance(there.items, int):
            return f"{before or 0} → {after or 0}"
        if not isinstance(there.items, Heap):
            return f"{before or ''} → {after or ''}".strip()
        first = before if isinstance(before, Heap) else Heap()
        second = after if isinstance(after, Heap) else Heap()
        if old is not None and new is not None and old.splay != new.splay:
            return f"→ {new.splay}"
        if first == second:
            return ""
        if first.more != second.more:
            return f"{self.value(first)} → {self.value(second)}".strip()
        return ", ".join(self._moved(first, second)) or phrase("in another order")

    def _moved(self, old: Heap, new: Heap) -> Iterator[str]:
        changes = Counter[Ref]()
        for heap, way in ((new, 1), (old, -1)):
            unnamed = [("", heap.unknown)] if heap.unknown else []
            for ref, count in (*heap.known, *unnamed):
                changes[ref] += way * count
        for sign, way in (("+", 1), (MINUS, -1)):
            for ref, change in changes.items():
                if change * way > 0 and ref:
                    yield sign + self._counted(ref, abs(change))
                elif change * way > 0:
                    yield sign + phrase("{count} unknown", count=abs(change))
