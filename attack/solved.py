"""A third judge of unrecorded draws: integer sums, given to a solver.

Unlike ``attack.worlds`` it judges games with all cards. From a complete log it takes only which
public cards moved where. For each kind of card, variables count the copies in each zone: draws
leave the deck, named cards leave the hand, and no number is negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from random import Random
from typing import Any, NamedTuple

from ortools.sat.python import cp_model

from altay_cli.base.journal import Journal
from altay_cli.base.values import Entity
from altay_cli.checking.tags import rules_of
from altay_cli.hidden.table import Table
from altay_cli.match.state import State
from altay_cli.match.zones import Zones
from altay_cli.moves.wording import Speller, counted, speller
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Statement
from attack.masked import GAMES, LINES, first_error, masked_statement, referee_of, who_does

ZONES = ("deck", "hand", "discard", "spent", "table")
"""Zones of a player between which cards move."""

POURED = {("discard", "deck"), ("spent", "discard")}
"""Zones that are emptied into one another."""

MOST = 200
"""More cards than any player has."""


class Change(NamedTuple):
    """Entities entered or left a bag."""

    line: int
    zone: str
    item: Entity
    many: int
    depth: int


class Put(NamedTuple):
    """A visible entity entered a zone."""

    line: int
    zone: str
    item: Entity
    many: int


class Pour(NamedTuple):
    """A zone was emptied into another."""

    line: int
    source: str
    target: str


class Draw(NamedTuple):
    """A card from the deck; ``number`` counts the draws of its statement."""

    line: int
    number: int
    item: Entity


class Name(NamedTuple):
    """Named cards, each one of ``among``; they went to ``target``, or out of sight."""

    line: int
    source: str
    among: tuple[Entity, ...]
    many: int
    target: str | None


class Hold(NamedTuple):
    """Cards that a statement names, each one of ``among``, and their zone."""

    line: int
    source: str
    among: tuple[Entity, ...]
    many: int


Event = Put | Pour | Draw | Name | Hold


class _ObservedPlayer:
    def __init__(self, player: str) -> None:
        self.player = player
        self.zones: dict[int, str] = {}
        self.changes: list[Change] = []

    def zone_of(self, state: State, place: int) -> str | None:
        if not self.zones:
            player = next((player for player in state.players if player.id == self.player), None)
            for zone in state.pack.zones:
                if player is not None and zone.name in ZONES and zone.per == ("player",):
                    self.zones[state.zones.place(zone.index, player)] = zone.name
        return self.zones.get(place)


_OBSERVED: dict[int, _ObservedPlayer] = {}
"""By the id of the observed journal."""


class _ListeningTable(Table):
    """Records changes of bags."""

    __slots__ = ()

    def add(self, place: int, item: Entity, delta: int) -> None:
        state = self.budget
        assert isinstance(state, State)
        observed = _OBSERVED[id(self.journal)]
        zone = observed.zone_of(state, place)
        if zone is not None:
            delta = max(delta, -self.cells[place].get(item, 0))
            depth = self.journal.mark()
            observed.changes.append(Change(self.reporter.line, zone, item, delta, depth))
        super().add(place, item, delta)


class _ListeningZones(Zones):
    """Moves the entities of a bag one by one."""

    __slots__ = ()

    def move_bag(
        self,
        source: int | None,
        target: int | None,
        what: Mapping[Entity, int] | None,
        factor: int = 1,
    ) -> None:
        self.move_each(source, target, dict(what or {}), factor)

    def move_all(self, source: int, target: int | None) -> None:
        self.move_bag(source, target, self.cells[source])

    def move_entity(
        self, source: int | None, target: int | None, item: Entity | None, count: int = 1
    ) -> None:
        self.move_one(source, target, item, count)


class _ListeningJournal(Journal):
    """Drops the recorded changes that are undone."""

    __slots__ = ()

    def undo(self, mark: int) -> None:
        changes = _OBSERVED[id(self)].changes
        while changes and changes[-1].depth >= mark:
            changes.pop()
        super().undo(mark)


class Played(NamedTuple):
    """The card movements of a player."""

    events: list[Event]
    owned: list[Entity]
    """All cards that the player ever had."""
    spell: Speller


def played(text: str, player: str) -> Played | None:
    """Play a complete log; None with archived cards, which are not modelled."""
    record = read_log(text).games[0]
    lines = {
        statement.line: statement for section in record.sections for statement in section.statements
    }
    if any(" archiving " in statement.text for statement in lines.values()):
        return None
    referee = referee_of(record)
    state = referee.state
    state.table.__class__ = _ListeningTable
    state.zones.__class__ = _ListeningZones
    state.journal.__class__ = _ListeningJournal
    observed = _OBSERVED[id(state.journal)] = _ObservedPlayer(player)
    try:
        referee.run()
    finally:
        del _OBSERVED[id(state.journal)]
    spell = speller(referee.pack)
    events = list(_held(_events(observed.changes, lines, spell)))
    owned = list(dict.fromkeys(e.item for e in events if isinstance(e, Put | Draw)))
    return Played(events, owned, spell)


class _Moved:
    """None stands for a zone outside the model."""

    def __init__(self, line: int, source: str | None, target: str | None, what: Change) -> None:
        self.line, self.source, self.target = line, source, target
        self.item, self.many = what.item, abs(what.many)

    def may_end(self, change: Change) -> bool:
        same = (self.line, self.item, self.many) == (change.line, change.item, change.many)
        return same and self.target is None


def _moves(observed: Sequence[Change]) -> list[_Moved]:
    """Pair each departure with the next arrival of as many of the same entity."""
    found: list[_Moved] = []
    for change in observed:
        if change.many < 0:
            found.append(_Moved(change.line, change.zone, None, change))
            continue
        here = takewhile(lambda move: move.line == change.line, reversed(found))  # noqa: B023
        was = next((move for move in here if move.may_end(change)), None)
        if was is not None:
            was.target = change.zone
        else:
            found.append(_Moved(change.line, None, change.zone, change))
    return found


def _events(
    observed: Sequence[Change], lines: Mapping[int, Statement], spell: Speller
) -> Iterator[Event]:
    """Return the events as other players saw them."""
    moves = _moves(observed)
    everything = list(dict.fromkeys(move.item for move in moves))
    numbers: Counter[int] = Counter()
    last: Event | None = None
    for move in moves:
        line, item, source, target = move.line, move.item, move.source, move.target
        verb = lines[line].items[0].text.casefold() if line in lines else ""
        if source == "deck":
            for _ in range(move.many):
                yield Draw(line, numbers[line], item)
                numbers[line] += 1
            last = None
            continue
        event: Event
        if source is None:
            assert target is not None
            event = Put(line, target, item, move.many)
        elif target is not None and (
            (source, target) in POURED or (source == "hand" and verb == "end")
        ):
            event = Pour(line, source, target)
        else:
            among = [other for other in everything if _same_card(other, item)]
            if spell.exact(item) in lines[line].text:
                among = [item]
            event = Name(line, source, tuple(among), move.many, target)
        if event != last or not isinstance(event, Pour):
            yield event
        last = event


def _held(events: Iterable[Event]) -> Iterator[Event]:
    """Precede the events of a statement by the cards it needs."""
    for line, group in groupby(events, lambda event: event.line):
        found = list(group)
        named = Counter[tuple[str, tuple[Entity, ...]]]()
        for event in found:
            if isinstance(event, Name) and event.source == "hand":
                named[event.source, event.among] += event.many
        yield from (Hold(line, *what, count) for what, count in named.items())
        yield from found


def _same_card(card: Entity, other: Entity) -> bool:
    return (card.parent or card) is (other.parent or other)


# ---------------------------------------------------------------- the sums

RecordedDraws = Mapping[tuple[int, int], Entity]
"""By line and number of the draw."""


def first_impossible(
    events: Sequence[Event], owned: Sequence[Entity], recorded: RecordedDraws
) -> int | None:
    """Return the first line up to which there is no solution."""
    lines = sorted({event.line for event in events})
    if _solvable(events, owned, recorded, lines[-1]):
        return None
    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high) // 2
        if _solvable(events, owned, recorded, lines[middle]):
            low = middle + 1
        else:
            high = middle
    return lines[low]


class _Sums:
    """Variables for each kind in each zone, and constraints on them."""

    def __init__(self, owned: Sequence[Entity]) -> None:
        self.model = cp_model.CpModel()
        self.owned = owned
        self.zones: dict[str, dict[Entity, Any]] = {zone: dict.fromkeys(owned, 0) for zone in ZONES}

    def number(self, most: int) -> Any:
        return self.model.new_int_var(0, most, "")

    def leave(self, zone: str, parts: Mapping[Entity, Any], target: str | None) -> None:
        for item, part in parts.items():
            left = self.number(MOST)
            self.model.add(left == self.zones[zone][item] - part)
            self.zones[zone][item] = left
            if target is not None:
                self.zones[target][item] = self.zones[target][item] + part

    def hold(self, zone: str, kinds: Sequence[Entity], count: int) -> None:
        self.model.add(sum(self.zones[zone][item] for item in kinds) >= count)

    def draw(self, kinds: Sequence[Entity], count: int) -> None:
        self.leave("deck", self.some(kinds, count), "hand")

    def some(self, kinds: Sequence[Entity], count: int) -> dict[Entity, Any]:
        parts = {item: self.number(count) for item in kinds}
        self.model.add(sum(parts.values()) == count)
        return parts

    def solvable(self) -> bool:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        assert status in {cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE}
        return bool(status != cp_model.INFEASIBLE)


def _solvable(
    events: Sequence[Event], owned: Sequence[Entity], recorded: RecordedDraws, last: int
) -> bool:
    sums = _Sums(owned)
    unseen = 0
    for event in (*(event for event in events if event.line <= last), None):
        # Unseen draws have no order.
        if unseen and not (isinstance(event, Draw) and (event.line, event.number) not in recorded):
            sums.draw(owned, unseen)
            unseen = 0
        match event:
            case None:
                pass
            case Put(_, zone, item, count):
                sums.zones[zone][item] = sums.zones[zone][item] + count
            case Pour(_, source, target):
                there = sums.zones[target]
                for item in owned:
                    there[item] = there[item] + sums.zones[source][item]
                sums.zones[source] = dict.fromkeys(owned, 0)
            case Draw(line, number, _) if (line, number) in recorded:
                sums.draw([recorded[line, number]], 1)
            case Draw():
                unseen += 1
                continue
            case Hold(_, source, among, count):
                sums.hold(source, among, count)
            case Name(_, source, among, count, goes):
                sums.leave(source, sums.some(among, count), goes)
    return sums.solvable()


# ---------------------------------------------------------------- changed logs


class Changed(NamedTuple):
    """A masked log, possibly with false draws."""

    text: str
    recorded: RecordedDraws


def changed(text: str, player: str, course: Played, random: Random) -> Changed:
    """Remove other players' draws; keep or alter some of ``player``."""
    record = read_log(text).games[0]
    rules = rules_of(record, None, [])
    assert rules is not None
    draws: dict[int, list[Entity]] = {}
    for event in course.events:
        if isinstance(event, Draw):
            draws.setdefault(event.line, []).append(event.item)
    lines = text.split("\n")
    recorded: dict[tuple[int, int], Entity] = {}
    often = random.choice((0.1, 0.3, 0.6))
    every = [(line, number) for line, came in draws.items() for number in range(len(came))]
    slips = set(random.sample(every, min(random.choice((1, 1, 2, 4)), len(every))))
    for section in record.sections:
        for statement in section.statements:
            who = who_does(section.heading, statement)
            if who == player and statement.line in draws:
                names: list[str] = []
                for number, item in enumerate(draws[statement.line]):
                    place = (statement.line, number)
                    if place in slips:
                        recorded[place] = random.choice([o for o in course.owned if o is not item])
                    elif random.random() < often:
                        recorded[place] = item
                    names.append(course.spell.exact(recorded[place]) if place in recorded else "?")
                new: str | None = _with_draws(statement, names)
            else:
                new = masked_statement(statement, who, "hands", random, rules[0])
            if new is not None:
                line = lines[statement.line - 1]
                start = statement.column - 1
                end = start + len(statement.text)
                lines[statement.line - 1] = line[:start] + new + line[end:]
    return Changed("\n".join(lines), recorded)


def _with_draws(statement: Statement, names: Sequence[str]) -> str:
    begins, arrow, _ = statement.text.partition("=>")
    if arrow:
        return f"{begins}=> {counted(names)}"
    return f"{statement.text.partition('draw ')[0]}draw {counted(names)}"


def differs(text: str, player: str, course: Played, random: Random) -> tuple[bool, str | None]:
    """Change a log; return whether it is then impossible, and any wrong verdict."""
    log = changed(text, player, course, random)
    line = first_impossible(course.events, course.owned, log.recorded)
    found = first_error(log.text)
    if found == line:
        return line is not None, None
    return line is not None, f"{player}: wrong in line {line}, found in line {found}\n{log.text}"


def cut(text: str, random: Random) -> str:
    """Cut a log at the heading of a turn."""
    lines = LINES.sub(", ", text).split("\n")
    turns = [number for number, line in enumerate(lines) if line.startswith("turn ")]
    return "\n".join([*lines[: random.choice(turns[4:])], ""])


class Judged(NamedTuple):
    """Counts of logs, and wrong verdicts."""

    wrong: int
    possible: int
    differing: list[str]


CHANGES = 6
"""Logs derived from one player in a game."""


def judge(most: int, seed: int, *, quick: bool = False) -> Judged:
    """Judge at least ``most`` impossible and ``most`` possible logs.

    ``quick`` uses the beginnings of small games.
    """
    random = Random(f"solved {seed}")
    paths = sorted(GAMES.glob(f"simulated/{'2-players' if quick else '*'}/*.agn"))
    count = Counter[bool]()
    differing: list[str] = []
    while min(count[True], count[False]) < most:
        path = random.choice(paths)
        text = cut(path.read_text(encoding="utf-8"), random)
        player = random.choice(["Ann", "Bob"])
        course = played(text, player)
        for _ in range(CHANGES if course is not None else 0):
            assert course is not None
            wrong, difference = differs(text, player, course, random)
            if count[wrong] < most or difference is not None:
                count[wrong] += 1
                differing += (
                    [] if difference is None else [f"{path.parent.name}/{path.name}, {difference}"]
                )
    return Judged(count[True], count[False], differing)
