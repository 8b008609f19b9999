"""What stands in the slots of a statement: numbers, and names that are looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from altay_cli.base.findings import ReadError, Text, there_is_no
from altay_cli.base.suggest import normal, suggest
from altay_cli.base.values import Drawn, DrawnItem, Entity
from altay_cli.notation import Item, Kind
from altay_cli.pack.candidates import (
    MISTAKE,
    Candidate,
    Mistakes,
    WrittenName,
    bad_player_name,
    elements,
    player_name,
)
from altay_cli.pack.model import Pack, Shape, Slot

MAX_COUNT = 1_000
"""The maximum number of things that one statement can name."""

LEAST_BEGINNING = 3
"""The number of letters that identify a name if no other known name begins with them."""

MAX_LOOKUPS = 1_000
"""The maximum number of unknown names and words per game for which the nearest is looked up."""

MAX_SUGGESTED = 100
"""The maximum number of them in one statement, so that the others get theirs."""

Understood = dict[tuple[str, Shape, bool, bool, tuple[int, int]], list[WrittenName]]
"""What has been read of a statement: by what a slot takes, and where it stands."""


class Entries:
    """Reads what fills the slots of statements, with the names of a pack and of ``players``."""

    def __init__(self, pack: Pack, players: Mapping[str, Entity]) -> None:
        self.pack = pack
        self.players = players
        self._near: dict[tuple[str, tuple[str, ...]], list[str]] = {}

    def nearest(
        self,
        name: str,
        known: Iterable[str],
        likeness: float,
        meant: Callable[[str], object] = str,
    ) -> list[str]:
        """Return the known name that is spelled most like ``name``, if one is.

        ``meant`` gives what a name means.
        """
        names = tuple(known)
        if (name, names) not in self._near:
            if len(self._near) >= MAX_LOOKUPS:
                return []
            self._near[name, names] = self._nearest(name, names, likeness, meant)
        return self._near[name, names]

    def _nearest(
        self, name: str, names: Sequence[str], likeness: float, meant: Callable[[str], object]
    ) -> list[str]:
        near = suggest(name, names, likeness=likeness)
        if not near and len(name) >= LEAST_BEGINNING:
            # A part of a name that no other thing has.
            for longer in (
                [other for other in names if other.startswith(name)],
                [other for other in names if name in other.split()],
            ):
                if len({meant(other) for other in longer}) == 1:
                    return sorted(longer, key=len)[:1]
        return near

    def read(
        self,
        slot: Slot,
        items: Sequence[Item],
        parsed: Candidate,
        understood: Understood,
        mistakes: Mistakes,
    ) -> None:
        """Read what is written for a slot, and note it, with its mistakes, in ``parsed``."""
        place = items[0].start, items[-1].end
        key = slot.kind, slot.shape, slot.each, slot.hidden, place
        known = understood.get(key)
        if known is not None:
            self._fill(slot, known, parsed)
            return
        if slot.shape is Shape.NEW_PLAYER:
            text = player_name(items)
            error = bad_player_name(items)
            if error is not None:
                parsed.errors.append(error)
            else:
                parsed.slots[slot.name] = [WrittenName(1, (), True, text, *place)]
            return
        written: list[WrittenName] = []
        wrong, usable = len(parsed.errors), True
        table = self._table(slot.kind)
        for element in elements(items):
            # Nearly all are one word that is known; all else takes the long way.
            first = element[0] if len(element) == 1 else None
            if first is not None and first.kind is Kind.WORD:
                name = first.text.casefold()
                found = table.get(name)
                if found is not None:
                    written.append(WrittenName(1, found, False, name, first.start, first.end))
                    continue
            if not element:
                start, end = parsed.places.get(slot.name) or (0, None)
                message = "a name is missing beside a comma"
                parsed.errors.append(ReadError("name-missing", message, start, end))
                continue
            one = (
                self._counted_name(slot, element, parsed, mistakes)
                if slot.kind
                else self._number(element, parsed)
            )
            if one is not None:
                written.append(one)
            else:
                usable = False
        count = sum([one.count for one in written])
        if count > MAX_COUNT:
            message = Text("more than {count} things in one statement", count=f"{MAX_COUNT:,}")
            parsed.errors.append(ReadError("count-range", message, *place))
            return
        single = slot.shape in (Shape.ENTITY, Shape.INT) and not slot.each
        if single and count > 1:
            what = self.kind_title(slot.kind) if slot.kind else "number"
            parsed.errors.append(
                ReadError("one-only", Text("one {kind} is expected here", kind=what), *place)
            )
            written = written[:1]
        if len(parsed.errors) == wrong:
            understood[key] = written
        if usable:
            self._fill(slot, written, parsed)

    def _fill(self, slot: Slot, written: list[WrittenName], parsed: Candidate) -> None:
        """Note what is written in a slot."""
        if slot.shape is Shape.DRAWN:
            drawn: list[DrawnItem] = []
            for one in written:
                item = DrawnItem(one.entities, one.exact, one.text, one.start, one.end)
                drawn += [item] * one.count
            parsed.drawn[slot.name] = Drawn(drawn)
        else:
            parsed.slots[slot.name] = written

    def _number(self, element: Sequence[Item], parsed: Candidate) -> WrittenName | None:
        """Read an element of a slot that takes numbers."""
        first = element[0]
        place = (first.start, element[-1].end)
        if len(element) == 1 and first.kind is Kind.NUMBER:
            return WrittenName(1, (), True, first.text, *place, value=first.value)
        shown = " ".join(item.text for item in element)[:40]
        message = Text("a number is expected here, not `{text}`", text=shown)
        parsed.errors.append(ReadError("number-expected", message, *place))
        return None

    def _counted_name(
        self, slot: Slot, element: Sequence[Item], parsed: Candidate, mistakes: Mistakes
    ) -> WrittenName | None:
        """Read a name, with its count and its qualifier."""
        place = (element[0].start, element[-1].end)
        count = 1
        counted = element[0].kind is Kind.NUMBER and len(element) > 1
        if counted:
            count = element[0].value
            element = element[1:]
            if not 0 < count <= MAX_COUNT:
                message: str = Text(
                    "a number from 1 to {most} is expected here, not {count}",
                    most=f"{MAX_COUNT:,}",
                    count=count,
                )
                parsed.errors.append(ReadError("count-range", message, *place))
                return None
        if element[0].kind is Kind.HIDDEN:
            if len(element) == 1 and (slot.hidden or slot.shape is Shape.DRAWN):
                return WrittenName(count, (), False, "?", *place)
            message = "what `?` stands for must be known here"
            parsed.errors.append(ReadError("not-recorded", message, *place))
            return None
        return self._look_up(slot, element, count, place, parsed, mistakes)

    def _look_up(
        self,
        slot: Slot,
        element: Sequence[Item],
        count: int,
        place: tuple[int, int],
        parsed: Candidate,
        mistakes: Mistakes,
    ) -> WrittenName | None:
        table = self._table(slot.kind)
        marks: list[str] = []
        if len(element) == 1 and element[0].kind is Kind.WORD:
            name = element[0].text.casefold()
        else:
            marks = [normal(item.text) for item in element if item.kind is Kind.QUALIFIER]
            texts = [item.text for item in element if item.kind is not Kind.QUALIFIER]
            name = normal(" ".join(texts)) + "".join([f"({mark})" for mark in marks])
        found = table.get(name)
        if found is not None:
            return WrittenName(count, found, bool(marks), name, *place)
        if mistakes is Mistakes.DROPPED:
            parsed.errors.append(MISTAKE)
            return None
        near: list[str] = []
        if mistakes is Mistakes.GUESSED and len(parsed.errors) < MAX_SUGGESTED:
            near = self.nearest(name, table, 0.7, lambda k: table[k][0].parent or table[k])
        shown = " ".join(item.text for item in element)
        if marks:
            shown = f"{' '.join(i.text for i in element if i.kind is not Kind.QUALIFIER)}"
            shown += "".join(f"({i.text})" for i in element if i.kind is Kind.QUALIFIER)
        shown = shown if len(shown) <= 40 else shown[:40] + "…"
        message = there_is_no(self.kind_title(slot.kind), shown)
        if not near:
            parsed.errors.append(ReadError(f"unknown-{slot.kind}", message, *place))
            return None
        meant = self._spelled(table[near[0]][0], near[0])
        help_lines = (Text("did you mean `{name}`?", name=meant),)
        fix = (element[0].start, element[-1].end, meant)
        parsed.errors.append(ReadError(f"unknown-{slot.kind}", message, *place, help_lines, fix))
        return WrittenName(count, table[near[0]], "(" in near[0], near[0], *place)

    def _table(self, kind: str) -> Mapping[str, tuple[Entity, ...]]:
        if kind == "player":
            return {name: (player,) for name, player in self.players.items()}
        return self.pack.names.get(kind, {})

    def kind_title(self, kind: str) -> str:
        """Return how rules call a kind of things."""
        return self.pack.kinds.get(kind, kind)

    def _spelled(self, entity: Entity, name: str) -> str:
        """Return how a thing is written in the language in which it has the name."""
        key = f"{entity.kind} {entity.id}"
        spelled = [table[key] for table in self.pack.shown.values() if key in table]
        english = self.pack.shown.get("en", {}).get(key, entity.id)
        return next((text for text in spelled if normal(text) == name), english)
