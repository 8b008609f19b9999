"""Candidates of a statement: a move for each matching pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import NamedTuple

from altay_cli.base.findings import ReadError, Subject, Text, there_is_no
from altay_cli.base.suggest import normal, suggest, typed
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import UNRECORDED, Drawn, Entity, WrittenName, bag_of, subjects_of
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Item, SectionKind, Statement
from altay_cli.pack import limits
from altay_cli.pack.model import MoveDef, Pack, Pattern, PatternPart, Slot


def words_of(items: Sequence[Item]) -> list[str]:
    """Return words in lower case, and "" for other items."""
    return [item.text.casefold() if item.kind in {"word", "hidden"} else "" for item in items]


def slots_in(
    parts: tuple[PatternPart, ...], items: Sequence[Item], words: Sequence[str]
) -> dict[str, tuple[Item, ...]] | None:
    """Return the items in each slot, or None without a match.

    A slot ends at the first word that can follow it.
    """
    captured: dict[str, tuple[Item, ...]] = {}
    return captured if _match(parts, items, words, 0, captured) == len(items) else None


def capture(pattern: Pattern, items: Sequence[Item]) -> dict[str, tuple[Item, ...]] | None:
    """Return the items in each slot of a pattern, or None without a match."""
    return slots_in(pattern.parts, items, words_of(items))


def _match(
    parts: tuple[PatternPart, ...],
    items: Sequence[Item],
    words: Sequence[str],
    at: int,
    captured: dict[str, tuple[Item, ...]],
) -> int:
    size = len(items)
    for word, slot, inner, stops, single in parts:
        if word:
            if at >= size or words[at] != word:
                return -1
            at += 1
        elif slot:
            end = at
            if single:
                if at < size and items[at].kind == "number":
                    end += 1
            else:
                while end < size and words[end] not in stops:
                    end += 1
            if end == at:
                return -1
            captured[slot] = tuple(items[at:end])
            at = end
        elif at < size and (
            words[at] == inner[0].word if inner[0].word else words[at] not in stops
        ):
            at = _match(inner, items, words, at, captured)
            if at < 0:
                return -1
    return at


# ---------------------------------------------------------------- lists and players


def elements(items: Sequence[Item]) -> Sequence[Sequence[Item]]:
    """Split items at the commas."""
    if len(items) == 1 and items[0].kind != "comma":
        return (items,)
    elements: list[list[Item]] = [[]]
    for item in items:
        if item.kind == "comma":
            elements.append([])
        else:
            elements[-1].append(item)
    return elements


def player_name(items: Sequence[Item]) -> str:
    """Return the name of a player as written."""
    return " ".join([item.text for item in items if item.kind != "comma"])


def bad_player_name(items: Sequence[Item]) -> ReadError | None:
    """Return why the items cannot be a player's name, or None."""
    place = (items[0].start, items[-1].end)
    name = player_name(items)
    if any(item.kind in {"comma", "hidden", "qualifier"} for item in items):
        return ReadError("player-name", "a player's name is words, or a text in quotes", *place)
    if not name.strip():
        return ReadError("player-name", "a player's name is missing between the quotes", *place)
    if len(name) > limits.MAX_NAME:
        template = "a player's name has at most {most} characters, not {count}"
        return ReadError(
            "player-name", template, *place, most=limits.MAX_NAME, count=f"{len(name):,}"
        )
    return None


def on_pad(record: GameRecord) -> Sequence[str]:
    """Return the players of a log that is only a result.

    These have points; without points, they won or lost.
    """
    if any(section.kind is not SectionKind.RESULT for section in record.sections):
        return ()
    statements = [statement for section in record.sections for statement in section.statements]
    named: list[Sequence[Item]] = [
        statement.actor for statement in statements if statement.actor
    ] or [
        element
        for statement in statements
        if statement.items and statement.items[0].text.casefold() in {"winner", "loser"}
        for element in elements(statement.items[1:])
    ]
    names: dict[str, str] = {}
    for items in named:
        if items and bad_player_name(items) is None:
            names.setdefault(normal(player_name(items)), player_name(items))
    return tuple(names.values())


# ---------------------------------------------------------------- candidates


class Mistakes(Enum):
    """How to treat mistakes."""

    DROPPED = "the candidate is dropped"
    REPORTED = "they are reported"
    GUESSED = "they are reported with a guess"


MISTAKE = ReadError("unreadable", "a name is unknown")
"""Marks a candidate that is dropped."""

Values = dict[str, object]


class Candidate:
    """A statement read as one move.

    ``words`` counts the words of the pattern. `build F2, F3` has two ``repetitions``. ``values``
    holds the slot values of each; None if a name is unknown, or depends on the state.
    """

    def __init__(self, move: MoveDef, words: int = 0) -> None:
        self.move = move
        self.words = words
        self.slots: dict[str, list[WrittenName]] = {}
        self.drawn: dict[str, Drawn] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.errors: list[ReadError] = []
        self.repetitions = 1
        self.values: tuple[Values, ...] | None = None

    def complete(self) -> None:
        """Compute ``repetitions`` and ``values`` once all slots are noted."""
        each = [written for name, written in self.slots.items() if self.move.slots[name].each]
        if each:
            self.repetitions = sum([element.count for element in each[0]])
        if not self.errors:
            self.values = self._values()

    @property
    def usable(self) -> bool:
        """Return True if all written slots have a value."""
        return all(name in self.slots or name in self.drawn for name in self.places)

    def _values(self) -> tuple[Values, ...] | None:
        values: Values = {}
        each: tuple[str, list[Entity]] | None = None
        for name, slot in self.move.slots.items():
            written = self.slots.get(name)
            if slot.shape == "drawn":
                values[name] = self.drawn.get(name, UNRECORDED)
            elif written is None:
                if slot.infer is None:
                    values[name] = slot.empty
            elif slot.each and self.repetitions != 1 and slot.shape != "entity":
                return None
            elif not slot.kind:
                numbers = [element.value for element in written]
                values[name] = numbers[0] if slot.shape == "int" else numbers
            elif [
                element for element in written if len(element.entities) != 1
            ]:  # for example of a new player
                return None
            else:
                things = [element.entities[0] for element in written for _ in range(element.count)]
                if slot.shape == "bag":
                    values[name] = bag_of(things)
                elif slot.shape == "list":
                    values[name] = things
                elif len(things) == 1:
                    values[name] = things[0]
                elif slot.each:
                    each = name, things
                else:
                    return None
        if each is None:
            return (values,)
        return tuple({**values, each[0]: thing} for thing in each[1])


# ---------------------------------------------------------------- what fills the slots


def unambiguous_typed_forms(names: Mapping[str, tuple[Entity, ...]]) -> Mapping[str, str]:
    """Return by typed form a name of it, unless its names mean different things."""
    ways: dict[str, list[str]] = {}
    for name in names:
        ways.setdefault(typed(name), []).append(name)
    return {way: same[0] for way, same in ways.items() if len({names[name] for name in same}) == 1}


class Entries:
    """Reads the slots of statements."""

    def __init__(self, pack: Pack, players: Mapping[str, tuple[Entity, ...]]) -> None:
        self.pack = pack
        self._names = {**pack.names, "player": players}
        self._near: dict[tuple[str, tuple[str, ...]], list[str]] = {}

    def nearest(
        self,
        name: str,
        known: Iterable[str],
        likeness: float,
        target: Callable[[str], object] = str,
    ) -> list[str]:
        """Return the nearest known names.

        A part of a name counts if all names with it have the same ``target``.
        """
        names = tuple(known)
        if (name, names) not in self._near:
            if len(self._near) >= limits.MAX_LOOKUPS:
                return []
            near = suggest(name, names, likeness=likeness)
            if not near and len(name) >= limits.LEAST_BEGINNING:
                begin = [other for other in names if other.startswith(name)]
                contain = [other for other in names if name in other.split()]
                for longer in (begin, contain):
                    if not near and len(set(map(target, longer))) == 1:
                        near = sorted(longer, key=len)[:1]
            self._near[name, names] = near
        return self._near[name, names]

    def _name_typed_as(self, kind: str, name: str) -> str | None:
        ways = (
            unambiguous_typed_forms(self._names[kind])
            if kind == "player"
            else self.pack.typed_forms.get(kind)
        )
        return ways.get(typed(name)) if ways else None

    def read(
        self, slot: Slot, items: Sequence[Item], parsed: Candidate, mistakes: Mistakes
    ) -> None:
        """Read a slot into ``parsed``."""
        written = self._read_elements(slot, items, parsed, mistakes)
        if written is not None and slot.shape == "drawn":
            parsed.drawn[slot.name] = Drawn(
                [element for element in written for _ in range(element.count)]
            )
        elif written is not None:
            parsed.slots[slot.name] = written

    def _read_elements(
        self, slot: Slot, items: Sequence[Item], parsed: Candidate, mistakes: Mistakes
    ) -> list[WrittenName] | None:
        place = items[0].start, items[-1].end
        written: list[WrittenName] = []
        if slot.shape == "new player":
            error = bad_player_name(items)
            if error is None:
                return [WrittenName(1, (), True, player_name(items), *place)]
            parsed.errors.append(error)
            return None
        usable = True
        table = self._names.get(slot.kind, {})
        for element in elements(items):
            # Fast path: nearly all are one known word.
            first = element[0] if len(element) == 1 else None
            if first is not None and first.kind == "word":
                name = first.text.casefold()
                found = table.get(name)
                if found is not None:
                    written.append(WrittenName(1, found, False, name, first.start, first.end))
                    continue
            if not element:
                message = "a name is missing beside a comma"
                parsed.errors.append(ReadError("name-missing", message, *place))
                continue
            read_element = self._read_element(slot, element, parsed, mistakes)
            if isinstance(read_element, WrittenName):
                written.append(read_element)
            else:
                parsed.errors.append(read_element)
                usable = False
        count = sum([element.count for element in written])
        if count > limits.MAX_NAMED:
            template, most = "more than {count} things in one statement", f"{limits.MAX_NAMED:,}"
            parsed.errors.append(ReadError("count-range", template, *place, count=most))
            return None
        if count > 1 and slot.shape in ("entity", "int") and not slot.each:
            what = self.pack.kinds.get(slot.kind, slot.kind) if slot.kind else "number"
            template = "one {kind} is expected here"
            fix: tuple[int, int, str] | None = None
            help_lines: tuple[str, ...] = ()
            if len(written) == 1 and items[0].kind == "number" and len(items) > 1:
                name = " ".join(item.text for item in items[1:])[:40]
                fix = items[0].start, items[1].start, ""
                help_lines = (Text("leave out the number: `{name}`", name=name),)
            parsed.errors.append(
                ReadError("one-only", template, *place, help_lines, fix, kind=what)
            )
            written = written[:1]
        return written if written and usable else None

    def _read_element(
        self, slot: Slot, element: Sequence[Item], parsed: Candidate, mistakes: Mistakes
    ) -> WrittenName | ReadError:
        first, place = element[0], (element[0].start, element[-1].end)
        if not slot.kind:
            if len(element) == 1 and first.kind == "number":
                return WrittenName(1, (), True, first.text, *place, value=first.value)
            template = "a number is expected here, not `{text}`"
            shown = " ".join(item.text for item in element)[:40]
            return ReadError("number-expected", template, *place, text=shown)
        count = 1
        if first.kind == "number" and len(element) > 1:
            count, element = first.value, element[1:]
        if not 0 < count <= limits.MAX_NAMED:
            template = "a number from 1 to {most} is expected here, not {count}"
            most = f"{limits.MAX_NAMED:,}"
            return ReadError("count-range", template, *place, most=most, count=count)
        if element[0].kind == "hidden":
            if len(element) == 1 and (slot.hidden or slot.shape == "drawn"):
                return WrittenName(count, (), False, "?", *place)
            return ReadError(
                "not-recorded", "write the name of the card here instead of `?`", *place
            )
        return self._look_up(slot, element, count, place, parsed, mistakes)

    def _look_up(
        self,
        slot: Slot,
        element: Sequence[Item],
        count: int,
        place: tuple[int, int],
        parsed: Candidate,
        mistakes: Mistakes,
    ) -> WrittenName | ReadError:
        table = self._names.get(slot.kind, {})
        shown = " ".join([item.text for item in element if item.kind != "qualifier"])
        marks = "".join([f"({item.text})" for item in element if item.kind == "qualifier"])
        name = normal(shown) + marks.casefold()
        found = table.get(name)
        if found is not None:
            return WrittenName(count, found, bool(marks), name, *place)
        typed_name = self._name_typed_as(slot.kind, name)
        if typed_name is not None:
            return WrittenName(count, table[typed_name], bool(marks), typed_name, *place)
        if mistakes is Mistakes.DROPPED:
            return MISTAKE
        near: list[str] = []
        if mistakes is Mistakes.GUESSED:
            near = self.nearest(name, table, 0.7, lambda k: table[k][0].parent or table[k])
        shown += marks
        shown = shown if len(shown) <= 40 else shown[:40] + "…"
        rule = f"unknown-{slot.kind}"
        message = there_is_no(self.pack.kinds.get(slot.kind, slot.kind), shown)
        written_name = Subject(slot.kind, shown)
        if not near:
            return ReadError(rule, message, *place, about=(written_name,))
        written, name, things = name, near[0], table[near[0]]
        # Offer the name in the language of the log, without marks of copies.
        key, texts = f"{things[0].kind} {things[0].id}", self.pack.shown
        names = [texts.get(ENGLISH, {}).get(key, things[0].id)]
        names += [shown[key] for shown in texts.values() if key in shown]
        spelled = names if "(" in name else [text.partition("(")[0] for text in names]
        closest = next((text for text in spelled if normal(text) == name), spelled[0])
        help_lines = (Text("did you mean `{name}`?", name=closest),)
        # A shorter name would drop a word that may matter.
        shorter = set(normal(closest).split()) < set(written.split())
        fix = None if shorter else (element[0].start, element[-1].end, closest)
        about = (written_name, *subjects_of(*things))
        parsed.errors.append(ReadError(rule, message, *place, help_lines, fix, about))
        return WrittenName(count, things, "(" in name, name, *place)


# ---------------------------------------------------------------- names and their language


class Name(NamedTuple):
    """A name or number in ``text[start:end]``, and its possible entities."""

    start: int
    end: int
    things: tuple[Entity, ...]


def names_in(pack: Pack, statement: Statement) -> Iterator[Name]:
    """Yield the names and numbers of a statement, but not its verb."""
    items = (*statement.items, *(statement.outcome or ()))
    for at in range(1, len(items)):
        start = items[at].start
        # A part of a name may be a name as well.
        for last in range(min(at + limits.MAX_WORDS, len(items)) - 1, at - 1, -1):
            end = items[last].end
            key = normal(statement.text[start:end])
            things = tuple(thing for names in pack.names.values() for thing in names.get(key, ()))
            if things:
                yield Name(start, end, things)
        if items[at].kind == "number":
            yield Name(start, items[at].end, ())


def written_in(pack: Pack, record: GameRecord, language: str) -> str:
    """Return the language of most names in a log; ``language`` in a tie."""
    count = dict.fromkeys(pack.shown, 0)
    statements = (statement for section in record.sections for statement in section.statements)
    names = Counter(
        (normal(statement.text[name.start : name.end]), name.things)
        for statement in islice(statements, limits.MAX_STATEMENTS)
        for name in names_in(pack, statement)
    )
    for (written, things), often in names.items():
        languages = [
            lang
            for lang, shown in pack.shown.items()
            if any(normal(shown.get(f"{t.kind} {t.id}", "")) == written for t in things)
        ]
        if len(languages) < len(count):
            count.update((lang, count[lang] + often) for lang in languages)
    most = max(count.values(), default=0)
    likeliest = [lang for lang in count if count[lang] == most]
    return likeliest[0] if most and count.get(language, 0) < most else language


def rewritten(pack: Pack, text: str, language: str) -> list[str]:
    """Return an English log with names of another language."""
    log = read_log(text)
    lines = list(log.lines)
    english, shown = pack.shown.get(ENGLISH, {}), pack.shown.get(language, {})
    edits: dict[tuple[int, int, int], str] = {}
    for record in log.games:
        for section in record.sections:
            for statement in section.statements:
                done = 0
                for name in names_in(pack, statement):
                    named = normal(statement.text[name.start : name.end])
                    keys = [f"{thing.kind} {thing.id}" for thing in name.things]
                    matching = [
                        k for k in keys if normal(english.get(k, "")) == named and k in shown
                    ]
                    span = statement.span(name.start, name.end)
                    if matching and name.start >= done and span.line == span.end_line:
                        edits[span.line, span.column, span.end_column] = shown[matching[0]]
                        done = name.end
    for (line, start, end), new in sorted(edits.items(), reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[: start - 1] + new + old[end - 1 :]
    return lines
