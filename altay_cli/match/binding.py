"""From a statement to the moves that it may mean: patterns matched, names looked up.

What depends on the pack and the players alone is done here, once for each wording;
what depends on the state (which of two copies is meant) is the referee's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from altay_cli.base.findings import ReadError
from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text, there_is_no
from altay_cli.base.values import UNRECORDED, Bag, Drawn, DrawnItem, Entity
from altay_cli.compile.model import (
    Effects,
    MoveDef,
    Pack,
    Pattern,
    Phase,
    Shape,
    Slot,
)
from altay_cli.match.patterns import (
    PatternStep,
    bad_player_name,
    elements,
    player_name,
    slots_in,
    steps_of,
    words_of,
)
from altay_cli.notation import Item, Kind, Phrase
from altay_cli.source.spelling import normal

MAX_COUNT = 1_000
"""The maximum number of things that one statement can name."""

UNDRAWN = "nothing is drawn here, so `=>` is out of place"
"""What is told of an arrow behind a move that draws nothing."""

LEAST_BEGINNING = 3
"""The number of letters that identify a name if no other known name begins with them."""

MAX_LOOKUPS = 300
"""The maximum number of unknown names and words per game for which the nearest is looked up."""

MAX_SHARED = 500
"""The number of wordings cached for all games of a pack."""

MAX_CHOICES = 12
"""How many possibilities a message lists."""


class _Mistakes(Enum):
    """What becomes of the mistakes of a reading."""

    DROPPED = "nobody is told of them, as the reading is dropped"
    TOLD = "it is told what is wrong"
    GUESSED = "it is told as well what may have been meant"


_MISTAKE = ReadError("unreadable", "a name is unknown")
"""Stands for a mistake of a reading that is dropped."""

Values = dict[str, object]
"""The values of local names at some moment."""


class WrittenName:
    """A name as written: how many, what it may stand for, and where it is in the statement.

    ``entities`` is empty for `?`. ``value`` is what is written where a number is asked for.
    """

    __slots__ = ("count", "end", "entities", "exact", "start", "text", "value")

    def __init__(
        self,
        count: int,
        entities: tuple[Entity, ...],
        exact: bool,
        text: str,
        start: int,
        end: int,
        value: int = 0,
    ) -> None:
        self.count = count
        self.entities = entities
        self.exact = exact
        self.text = text
        self.start = start
        self.end = end
        self.value = value


class Candidate:
    """A statement read as one move: what is written in each slot.

    ``errors`` are names that could not be read; where ``usable``, the nearest name was taken
    for each of them. ``words`` counts the words of the statement that are the pattern's own;
    ``repetitions`` how many moves the statement stands for: `build F2, F3` are two. ``values`` are
    those of all slots for each of these moves, where every name means one thing in any state; else
    None.
    """

    __slots__ = (
        "drawn", "errors", "move", "places", "repetitions", "slots", "usable", "values", "words",
    )  # fmt: skip

    def __init__(self, move: MoveDef) -> None:
        self.move = move
        self.slots: dict[str, list[WrittenName]] = {}
        self.drawn: dict[str, Drawn] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.errors: list[ReadError] = []
        self.usable = True
        self.words = 0
        self.repetitions = 1
        self.values: tuple[Values, ...] | None = None


class Binding:
    """All readings of a statement, or why there is none.

    ``claims`` is true of a statement that only says what the state is.
    """

    __slots__ = ("claims", "errors", "readings")

    def __init__(self, readings: tuple[Candidate, ...], errors: tuple[ReadError, ...] = ()) -> None:
        self.readings = readings
        self.errors = errors
        self.claims = False

    @property
    def is_common(self) -> bool:
        """Whether it is right and names no player, so that it is the same in every game."""
        return not self.errors and all(
            slot.kind != "player" for parsed in self.readings for slot in parsed.move.slots.values()
        )


def _values(parsed: Candidate) -> tuple[Values, ...] | None:
    """Return the values of all slots where they depend on no state; they are never changed.

    One for each move that the statement stands for.
    """
    values: Values = {}
    each: tuple[str, list[Entity]] | None = None
    for name, slot in parsed.move.slots.items():
        written = parsed.slots.get(name)
        if slot.shape is Shape.DRAWN:
            values[name] = parsed.drawn.get(name, UNRECORDED)
        elif written is None:
            if slot.infer is None:
                values[name] = slot.empty
        elif slot.shape is Shape.NEW_PLAYER or (
            slot.each and parsed.repetitions != 1 and slot.shape is not Shape.ENTITY
        ):
            return None
        elif slot.shape is Shape.INT:
            values[name] = written[0].value
        elif not slot.kind:
            values[name] = [one.value for one in written]
        elif any(len(one.entities) != 1 for one in written):
            return None
        elif slot.shape is Shape.BAG:
            bag = values[name] = Bag()
            for one in written:
                entity = one.entities[0]
                bag[entity] = bag.get(entity, 0) + one.count
        elif slot.shape is Shape.LIST:
            values[name] = [one.entities[0] for one in written for _ in range(one.count)]
        elif len(written) == 1 and written[0].count == 1:
            values[name] = written[0].entities[0]
        elif slot.each:
            each = name, [one.entities[0] for one in written for _ in range(one.count)]
        else:
            return None
    if each is None:
        return (values,)
    return tuple({**values, each[0]: thing} for thing in each[1])


_Cache = dict[tuple[int, str], tuple[Phrase, Binding]]
_Known = tuple[MoveDef, Pattern, "tuple[PatternStep, ...]"]
_Verbs = dict[str, dict[str, list[_Known]]]
_Understood = dict[tuple[str, Shape, bool, bool, tuple[int, int]], list[WrittenName]]
"""What has been read of a statement: by what a slot takes, and where it stands."""


def _shared(pack: Pack) -> tuple[_Verbs, _Cache]:
    """Return what all games of a pack share: its patterns by verb, and what was read with them."""
    verbs: _Verbs = {}
    for move in (*pack.moves, *pack.claims):
        for phase in move.phases:
            table = verbs.setdefault("heading" if move.heading else phase, {})
            for pattern in move.patterns:
                steps = steps_of(pattern.parts, frozenset())
                table.setdefault(pattern.verb, []).append((move, pattern, steps))
    return verbs, {}


class Binder:
    """Reads statements by the patterns of a pack; knows the players of one game."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.players: dict[str, Entity] = {}
        self._lookups = 0
        self._cache: _Cache = {}
        self._verbs, self._shared = pack.kept(_shared)

    def add_player(self, player: Entity) -> None:
        """Add the name of a player."""
        self.players[normal(player.id)] = player
        self._cache.clear()

    def keep_players(self, count: int) -> None:
        """Forget all players but the first ``count``."""
        if len(self.players) > count:
            while len(self.players) > count:
                self.players.popitem()
            self._cache.clear()

    def player(self, items: Sequence[Item]) -> Entity | None:
        """Return the player that the items name."""
        return self.players.get(normal(player_name(items)))

    def order(self, phrase: Phrase, phase: Phase) -> int:
        """Return the place of a statement in the order of its section."""
        found = self._patterns_for(phrase, phase)
        return min((move.order for move, _, _ in found), default=0)

    def unread(self, phrase: Phrase, phase: Phase) -> Effects | None:
        """Return what to carry out where a statement could not be read, if anything."""
        found = self._patterns_for(phrase, phase)
        moves = sorted((move for move, _, _ in found if move.unread), key=lambda move: move.id)
        return moves[0].unread if moves else None

    def seats(self, phrase: Phrase, phase: Phase) -> bool:
        """Return whether a statement begins like one that gives somebody a seat."""
        if phrase.actor and self.player(phrase.actor) is not None:
            return False
        return any(
            (move.introduces and bool(phrase.actor))
            or any(slot.shape is Shape.NEW_PLAYER for slot in move.slots.values())
            for move, _, _ in self._patterns_for(phrase, phase)
        )

    def is_of_turn(self, phrase: Phrase, phase: Phase) -> bool:
        """Return whether a statement begins like one of a turn and like none of ``phase``."""
        return bool(self._patterns_for(phrase, Phase.TURNS)) and not self._patterns_for(
            phrase, phase
        )

    def is_claim(self, phrase: Phrase) -> bool:
        """Return whether a statement begins like one that only says what the state is."""
        found: Sequence[_Known] = self._verbs.get(Phase.TURNS, {}).get(_verb(phrase), ())
        return bool(found) and bool(found[0][0].holds)  # moves come before claims

    def closes(self, phrase: Phrase) -> bool:
        """Return whether a statement is written like a move that ends a turn."""
        return any(move.closes for move, _, _ in self._patterns_for(phrase, Phase.TURNS))

    def _patterns_for(self, phrase: Phrase, phase: Phase) -> Sequence[_Known]:
        """Return the patterns that begin like a statement.

        Those that begin with a slot come second, and must match: they could begin with anything.
        """
        table = self._verbs.get(phase, {})
        found = table.get(_verb(phrase))
        if found is not None:
            return found
        return self._beginning_with_slot(phrase, phase) if "" in table else ()

    def _beginning_with_slot(self, phrase: Phrase, phase: Phase) -> Sequence[_Known]:
        """Return the patterns that begin with a slot by which a statement may be written."""
        known = self._verbs.get(phase, {}).get("", ())
        words = words_of(phrase.items) if known else ()
        return [one for one in known if slots_in(one[2], phrase.items, words) is not None]

    def bind(self, phrase: Phrase, phase: Phase) -> Binding:
        """Read a statement."""
        key = (id(phrase), phase)
        cached = self._shared.get(key) or self._cache.get(key)
        if cached is None:
            return self._remember(key, phrase, self._bind(phrase, phase))
        return cached[1]

    def good(self, phrase: Phrase, phase: Phase) -> Sequence[Candidate]:
        """Return the readings of a statement that is right; none if it has mistakes."""
        key = (id(phrase), phase)
        cached = self._shared.get(key) or self._cache.get(key)
        if cached is not None:
            return () if cached[1].errors else cached[1].readings
        good = self._faultless(phrase, phase, self._patterns_for(phrase, phase))
        return self._remember(key, phrase, Binding(tuple(good))).readings if good else ()

    def is_formed(self, phrase: Phrase, phase: Phase) -> bool:
        """Return whether a statement is written like a move, and only names in it are unknown."""
        known = self._patterns_for(phrase, phase)
        return any(
            all(error.rule.startswith("unknown-") for error in parsed.errors)
            for parsed in self._readings(phrase, known, _Mistakes.TOLD)
        )

    def _remember(self, key: tuple[int, str], phrase: Phrase, binding: Binding) -> Binding:
        """Remember a binding; what names no player and has no mistake reads the same anywhere."""
        binding.claims = self.is_claim(phrase)
        shared = binding.is_common and len(self._shared) < MAX_SHARED
        (self._shared if shared else self._cache)[key] = (phrase, binding)
        return binding

    def _nearest(
        self,
        name: str,
        known: Iterable[str],
        likeness: float,
        meant: Callable[[str], object] = str,
    ) -> list[str]:
        """Return the known name that is spelled most like ``name``, if one is.

        ``meant`` gives what a name means.
        """
        self._lookups += 1
        if self._lookups > MAX_LOOKUPS:
            return []
        names = list(known)
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

    # ------------------------------------------------------------ statements

    def _bind(self, phrase: Phrase, phase: Phase) -> Binding:
        known = self._patterns_for(phrase, phase)
        if not known:
            return Binding((), (self._unknown_verb(phrase, _verb(phrase), phase),))
        good = self._faultless(phrase, phase, known)
        if good:
            return Binding(tuple(good))
        # Only now is it worthwhile to look for what may have been meant.
        readings = self._readings(phrase, known, _Mistakes.GUESSED)
        if readings:
            # Where the name nearest to what is written lies in one reading, that one is meant.
            usable = [r for r in readings if r.usable] or readings
            least = min((len(r.errors), -r.words) for r in usable)
            best = [r for r in usable if (len(r.errors), -r.words) == least]
            best.sort(key=lambda found: ([error.rule for error in found.errors], found.move.id))
            return Binding(tuple(best) if best[0].usable else (), tuple(best[0].errors))
        undrawn = self._undrawn(phrase, phase, known)
        return undrawn or Binding((), (self._malformed(phrase, known),))

    def _undrawn(self, phrase: Phrase, phase: Phase, known: Sequence[_Known]) -> Binding | None:
        """Return what a statement means without what it says that was drawn, if that is wrong."""
        if phrase.outcome is None or not phrase.items:
            return None
        good = self._faultless(phrase._replace(outcome=None), phase, known)
        if not good:
            return None
        start, end = phrase.items[-1].end, phrase.outcome[-1].end if phrase.outcome else None
        fix = None if end is None else (start, end, "")
        return Binding(tuple(good), (ReadError("no-outcome", UNDRAWN, start, end, (), fix),))

    def _faultless(self, phrase: Phrase, phase: Phase, known: Sequence[_Known]) -> list[Candidate]:
        """Return the readings without a mistake: first by the ``known`` patterns of its word."""
        good = self._readings(phrase, known, _Mistakes.DROPPED)
        if good or not known or not known[0][1].verb:
            return good
        known = self._beginning_with_slot(phrase, phase)
        return self._readings(phrase, known, _Mistakes.DROPPED)

    def _readings(
        self, phrase: Phrase, known: Sequence[_Known], mistakes: _Mistakes
    ) -> list[Candidate]:
        """Read a statement by every pattern that it is written like."""
        readings: list[Candidate] = []
        understood: _Understood = {}
        words = words_of(phrase.items)
        for move, pattern, steps in known:
            captured = slots_in(steps, phrase.items, words)
            if captured is None or (phrase.outcome is not None and pattern.outcome is None):
                continue
            parsed = self._parse(move, pattern, captured, phrase, understood, mistakes)
            if not parsed.errors:
                parsed.values = _values(parsed)
            elif mistakes is _Mistakes.DROPPED:
                continue
            readings.append(parsed)
        return readings

    def _unknown_verb(self, phrase: Phrase, verb: str, phase: Phase) -> ReadError:
        first = phrase.items[0] if phrase.items else None
        start, end = (first.start, first.end) if first else (0, None)
        written = first.text if first else verb
        elsewhere = sorted(p for p in self._verbs if verb in self._verbs[p] and p != "heading")
        if elsewhere:
            message = Text(
                "`{verb}` belongs to the {there}, not to the {here}",
                verb=written,
                there=" or the ".join(elsewhere),
                here=phase,
            )
            return ReadError("statement-phase", message, start, end)
        table = self._verbs.get(phase, {})
        near = self._nearest(verb, filter(None, table), 0.6)
        known = tuple(sorted(filter(None, table)))
        help_line = (
            Text("did you mean `{name}`?", name=near[0])
            if near
            else Text("statements begin with: {words}", words=known)
        )
        help_lines: tuple[str, ...] = (help_line,)
        if not near and "" in table:
            ways = (
                Text("it is written: {pattern}", pattern=pattern.source)
                for _, pattern, _ in table[""]
            )
            help_lines = (*([help_line] if known else []), *dict.fromkeys(ways))
        shown = written if len(written) <= 40 else written[:40] + "…"
        message = Text("no statement begins with `{word}`", word=shown)
        return ReadError("unknown-statement", message, start, end, help_lines)

    def _malformed(self, phrase: Phrase, known: Sequence[_Known]) -> ReadError:
        patterns = dict.fromkeys(pattern.source for move, pattern, _ in known if not move.fallback)
        if phrase.outcome is not None and all(pattern.outcome is None for _, pattern, _ in known):
            return ReadError("no-outcome", UNDRAWN)
        return ReadError(
            "malformed-statement",
            Text("this is not how `{verb}` is written", verb=known[0][1].verb),
            help_lines=tuple(
                Text("it is written: {pattern}", pattern=pattern) for pattern in patterns
            ),
        )

    def _parse(
        self,
        move: MoveDef,
        pattern: Pattern,
        captured: Mapping[str, tuple[Item, ...]],
        phrase: Phrase,
        understood: _Understood,
        mistakes: _Mistakes,
    ) -> Candidate:
        parsed = Candidate(move)
        parsed.words = len(phrase.items) - sum(len(items) for items in captured.values())
        for name, items in captured.items():
            parsed.places[name] = (items[0].start, items[-1].end)
            self._parse_slot(move.slots[name], items, parsed, understood, mistakes)
            if parsed.errors and mistakes is _Mistakes.DROPPED:
                return parsed
        if pattern.outcome is not None:
            slot = move.slots[pattern.outcome]
            outcome = phrase.outcome
            if outcome is None:
                parsed.drawn[slot.name] = Drawn(None)
            elif outcome:
                parsed.places[slot.name] = (outcome[0].start, outcome[-1].end)
                self._parse_slot(slot, outcome, parsed, understood, mistakes)
            else:
                parsed.drawn[slot.name] = Drawn([])
        return parsed

    # ------------------------------------------------------------ slots

    def _parse_slot(
        self,
        slot: Slot,
        items: Sequence[Item],
        parsed: Candidate,
        understood: _Understood,
        mistakes: _Mistakes,
    ) -> None:
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
                parsed.usable = False
            parsed.slots[slot.name] = [WrittenName(1, (), True, text, *place)]
            return
        written: list[WrittenName] = []
        wrong = len(parsed.errors)
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
            if slot.kind:
                one = self._counted_name(slot, element, parsed, mistakes)
            else:
                one = self._number(element, parsed)
            if one is not None:
                written.append(one)
            else:
                parsed.usable = False
        if sum([one.count for one in written]) > MAX_COUNT:
            place = parsed.places[slot.name]
            message = Text("more than {count} things in one statement", count=f"{MAX_COUNT:,}")
            parsed.errors.append(ReadError("count-range", message, *place))
            parsed.usable = False
            written = []
        single = slot.shape in (Shape.ENTITY, Shape.INT) and not slot.each
        if single and (len(written) > 1 or any(one.count != 1 for one in written)):
            place = parsed.places[slot.name]
            what = self._kind_title(slot.kind) if slot.kind else "number"
            parsed.errors.append(
                ReadError("one-only", Text("one {kind} is expected here", kind=what), *place)
            )
            written = written[:1]
        if len(parsed.errors) == wrong:
            understood[key] = written
        self._fill(slot, written, parsed)

    def _fill(self, slot: Slot, written: list[WrittenName], parsed: Candidate) -> None:
        """Note what is written in a slot."""
        if slot.shape is Shape.DRAWN:
            drawn: list[DrawnItem] = []
            for one in written:
                item = DrawnItem(one.entities, one.exact, one.text, one.start, one.end)
                drawn += [item] * one.count
            parsed.drawn[slot.name] = Drawn(drawn)
            return
        if slot.each and not any(parsed.move.slots[name].each for name in parsed.slots):
            parsed.repetitions = sum([one.count for one in written])
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
        self, slot: Slot, element: Sequence[Item], parsed: Candidate, mistakes: _Mistakes
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
        mistakes: _Mistakes,
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
        if mistakes is _Mistakes.DROPPED:
            parsed.errors.append(_MISTAKE)
            return None
        near: list[str] = []
        if mistakes is _Mistakes.GUESSED:
            near = self._nearest(name, table, 0.7, lambda k: table[k][0].parent or table[k])
        shown = " ".join(item.text for item in element)
        if marks:
            shown = f"{' '.join(i.text for i in element if i.kind is not Kind.QUALIFIER)}"
            shown += "".join(f"({i.text})" for i in element if i.kind is Kind.QUALIFIER)
        shown = shown if len(shown) <= 40 else shown[:40] + "…"
        message = there_is_no(self._kind_title(slot.kind), shown)
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

    def _kind_title(self, kind: str) -> str:
        return self.pack.kinds.get(kind, kind)

    def _spelled(self, entity: Entity, name: str) -> str:
        """Return how a thing is written in the language in which it has the name."""
        key = f"{entity.kind} {entity.id}"
        spelled = [table[key] for table in self.pack.shown.values() if key in table]
        english = self.pack.shown.get("en", {}).get(key, entity.id)
        return next((text for text in spelled if normal(text) == name), english)


def _verb(phrase: Phrase) -> str:
    return phrase.items[0].text.casefold() if phrase.items else ""
