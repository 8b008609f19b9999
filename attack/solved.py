"""A third judge of what nobody wrote down: whole numbers and sums, for a solver.

Where ``attack.worlds`` goes through all ways in which the cards of a tiny deck can lie, this takes
the games of a whole table. A complete log is played, and only which open card went from where to
where is taken from that. Of every kind of card it then says by numbers how many lie in each zone:
what is drawn leaves the deck, what is named leaves the hand, and none of the numbers is negative.
Whether there are such numbers a solver tells, which knows nothing of worlds or lots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from random import Random
from typing import Any, NamedTuple

from ortools.sat.python import cp_model

from altay_cli.base.values import Entity
from altay_cli.checking.tags import rules_of
from altay_cli.match.state import State
from altay_cli.moves.wording import Speller, counted, speller
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Statement
from attack.masked import GAMES, LINES, first_error, masked_statement, referee_of, who_does

ZONES = ("deck", "hand", "discard", "spent", "table")
"""The zones of a player between which cards move."""

POURED = {("discard", "deck"), ("spent", "discard")}
"""Those between which all go that are there, whatever they are."""

MOST = 200
"""No player has as many cards."""


class Change(NamedTuple):
    """So many of a thing came into a bag, or left it, in the statement of a line."""

    line: int
    zone: str
    item: Entity
    many: int
    depth: int


class Put(NamedTuple):
    """A thing that everybody sees came into a zone."""

    line: int
    zone: str
    item: Entity
    many: int


class Pour(NamedTuple):
    """All of a zone went to another."""

    line: int
    source: str
    target: str


class Draw(NamedTuple):
    """A card came from the deck; ``number`` is that of the draw in its statement."""

    line: int
    number: int
    item: Entity


class Name(NamedTuple):
    """So many cards were named, each one of ``among``; they went to ``target``, or out of sight."""

    line: int
    source: str
    among: tuple[Entity, ...]
    many: int
    target: str | None


class Hold(NamedTuple):
    """So many cards are in a zone, each one of ``among``: those that a statement names."""

    line: int
    source: str
    among: tuple[Entity, ...]
    many: int


Event = Put | Pour | Draw | Name | Hold


class _Heard:
    """What happened to the bags of one player."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.zones: dict[int, str] = {}
        self.changes: list[Change] = []

    def zone_of(self, state: State, place: int) -> str | None:
        """Return the name of a bag of the player, by its place; None if it is none."""
        if not self.zones:
            player = next((one for one in state.players if one.id == self.player), None)
            for zone in state.pack.zones:
                if player is not None and zone.name in ZONES and zone.per == ("player",):
                    self.zones[state.place(zone.index, player)] = zone.name
        return self.zones.get(place)


_HEARD: dict[int, _Heard] = {}
"""By the identity of a state that is listened to."""


class _Listening(State):
    """A state that tells of each change of a bag, and forgets what is taken back."""

    __slots__ = ()

    def add(self, place: int, item: Entity, delta: int) -> None:
        heard = _HEARD[id(self)]
        zone = heard.zone_of(self, place)
        if zone is not None:
            delta = max(delta, -self.cells[place].get(item, 0))
            depth = self.mark()
            heard.changes.append(Change(self.reporter.line, zone, item, delta, depth))
        super().add(place, item, delta)

    def move_bag(
        self,
        source: int | None,
        target: int | None,
        what: Mapping[Entity, int] | None,
        factor: int = 1,
        *,
        top: bool = False,
    ) -> None:
        for item, count in list((what or {}).items()):
            self.move_one(source, target, item, count * factor, top=top)

    def undo(self, mark: int) -> None:
        changes = _HEARD[id(self)].changes
        while changes and changes[-1].depth >= mark:
            changes.pop()
        super().undo(mark)


class Played(NamedTuple):
    """What happened to the cards of a player in a complete log."""

    events: list[Event]
    owned: list[Entity]
    """What the player ever had."""
    spell: Speller


def played(text: str, player: str) -> Played | None:
    """Play a complete log; None where it has what is not told here, which is archived cards."""
    record = read_log(text).games[0]
    lines = {one.line: one for section in record.sections for one in section.statements}
    if any(" archiving " in statement.text for statement in lines.values()):
        return None
    referee = referee_of(record)
    referee.state.__class__ = _Listening
    heard = _HEARD[id(referee.state)] = _Heard(player)
    try:
        referee.run()
    finally:
        del _HEARD[id(referee.state)]
    spell = speller(referee.pack)
    events = list(_held(_events(heard.changes, lines, spell)))
    owned = list(dict.fromkeys(e.item for e in events if isinstance(e, Put | Draw)))
    return Played(events, owned, spell)


class _Moved:
    """So many of a thing left a zone and came into another; None is what nobody is asked about."""

    def __init__(self, line: int, source: str | None, target: str | None, what: Change) -> None:
        self.line, self.source, self.target = line, source, target
        self.item, self.many = what.item, abs(what.many)

    def may_end(self, change: Change) -> bool:
        """Tell whether a change can be where this went."""
        same = (self.line, self.item, self.many) == (change.line, change.item, change.many)
        return same and self.target is None


def _moves(heard: Sequence[Change]) -> list[_Moved]:
    """Find out what went where: what left a bag goes to the next one that gets so many of it."""
    found: list[_Moved] = []
    for change in heard:
        if change.many < 0:
            found.append(_Moved(change.line, change.zone, None, change))
            continue
        here = takewhile(lambda one: one.line == change.line, reversed(found))  # noqa: B023
        was = next((one for one in here if one.may_end(change)), None)
        if was is not None:
            was.target = change.zone
        else:
            found.append(_Moved(change.line, None, change.zone, change))
    return found


def _events(
    heard: Sequence[Change], lines: Mapping[int, Statement], spell: Speller
) -> Iterator[Event]:
    """Say what happened as somebody at the table saw it."""
    moves = _moves(heard)
    everything = list(dict.fromkeys(one.item for one in moves))
    numbers: Counter[int] = Counter()
    last: Event | None = None
    for one in moves:
        line, item, source, target = one.line, one.item, one.source, one.target
        verb = lines[line].items[0].text.casefold() if line in lines else ""
        if source == "deck":
            for _ in range(one.many):
                yield Draw(line, numbers[line], item)
                numbers[line] += 1
            last = None
            continue
        event: Event
        if source is None:
            assert target is not None
            event = Put(line, target, item, one.many)
        elif target is not None and (
            (source, target) in POURED or (source == "hand" and verb == "end")
        ):
            event = Pour(line, source, target)
        else:
            among = [other for other in everything if _alike(other, item)]
            if spell.exact(item) in lines[line].text:
                among = [item]
            event = Name(line, source, tuple(among), one.many, target)
        if event != last or not isinstance(event, Pour):
            yield event
        last = event


def _held(events: Iterable[Event]) -> Iterator[Event]:
    """Say before all that happens in a statement that what it names is there."""
    for line, group in groupby(events, lambda event: event.line):
        found = list(group)
        named = Counter[tuple[str, tuple[Entity, ...]]]()
        for event in found:
            if isinstance(event, Name) and event.source == "hand":
                named[event.source, event.among] += event.many
        yield from (Hold(line, *what, count) for what, count in named.items())
        yield from found


def _alike(one: Entity, other: Entity) -> bool:
    """Tell whether two things are copies of one."""
    return (one.parent or one) is (other.parent or other)


# ---------------------------------------------------------------- the sums

Told = Mapping[tuple[int, int], Entity]
"""What a log says was drawn, by the line and the number of the draw."""


def first_impossible(events: Sequence[Event], owned: Sequence[Entity], told: Told) -> int | None:
    """Return the first line up to which there are no numbers; None if there always are."""
    lines = sorted({event.line for event in events})
    if _solvable(events, owned, told, lines[-1]):
        return None
    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high) // 2
        if _solvable(events, owned, told, lines[middle]):
            low = middle + 1
        else:
            high = middle
    return lines[low]


class _Sums:
    """Numbers of each kind in each zone, and what must hold of them."""

    def __init__(self, owned: Sequence[Entity]) -> None:
        self.model = cp_model.CpModel()
        self.owned = owned
        self.zones: dict[str, dict[Entity, Any]] = {zone: dict.fromkeys(owned, 0) for zone in ZONES}

    def number(self, most: int) -> Any:
        return self.model.new_int_var(0, most, "")

    def leave(self, zone: str, parts: Mapping[Entity, Any], target: str | None) -> None:
        """Let so many of some kinds leave a zone; no fewer than none are left."""
        for item, part in parts.items():
            left = self.number(MOST)
            self.model.add(left == self.zones[zone][item] - part)
            self.zones[zone][item] = left
            if target is not None:
                self.zones[target][item] = self.zones[target][item] + part

    def hold(self, zone: str, kinds: Sequence[Entity], count: int) -> None:
        """Let at least so many of some kinds be in a zone."""
        self.model.add(sum(self.zones[zone][item] for item in kinds) >= count)

    def draw(self, kinds: Sequence[Entity], count: int) -> None:
        """Draw so many cards, each of one of some kinds."""
        self.leave("deck", self.some(kinds, count), "hand")

    def some(self, kinds: Sequence[Entity], count: int) -> dict[Entity, Any]:
        """Return numbers of some kinds that are so many in all."""
        parts = {item: self.number(count) for item in kinds}
        self.model.add(sum(parts.values()) == count)
        return parts

    def solvable(self) -> bool:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        assert status in {cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE}
        return bool(status != cp_model.INFEASIBLE)


def _solvable(events: Sequence[Event], owned: Sequence[Entity], told: Told, last: int) -> bool:
    """Tell whether there are numbers that fit all up to a line."""
    sums = _Sums(owned)
    unseen = 0
    for event in (*(event for event in events if event.line <= last), None):
        # What nobody saw coming, one after the other, came in no order.
        if unseen and not (isinstance(event, Draw) and (event.line, event.number) not in told):
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
            case Draw(line, number, _) if (line, number) in told:
                sums.draw([told[line, number]], 1)
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
    """A masked log, in which perhaps other draws are told than there were."""

    text: str
    told: Told


def changed(text: str, player: str, course: Played, random: Random) -> Changed:
    """Leave out what other players drew, and tell some of what one did, perhaps something else."""
    record = read_log(text).games[0]
    rules = rules_of(record, None, [])
    assert rules is not None
    draws: dict[int, list[Entity]] = {}
    for event in course.events:
        if isinstance(event, Draw):
            draws.setdefault(event.line, []).append(event.item)
    lines = text.split("\n")
    told: dict[tuple[int, int], Entity] = {}
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
                        told[place] = random.choice([o for o in course.owned if o is not item])
                    elif random.random() < often:
                        told[place] = item
                    names.append(course.spell.exact(told[place]) if place in told else "?")
                new: str | None = _with_draws(statement, names)
            else:
                new = masked_statement(statement, who, "hands", random, rules[0])
            if new is not None:
                line = lines[statement.line - 1]
                start = statement.column - 1
                end = start + len(statement.text)
                lines[statement.line - 1] = line[:start] + new + line[end:]
    return Changed("\n".join(lines), told)


def _with_draws(statement: Statement, names: Sequence[str]) -> str:
    """Return a statement with what it drew."""
    begins, arrow, _ = statement.text.partition("=>")
    if arrow:
        return f"{begins}=> {counted(names)}"
    return f"{statement.text.partition('draw ')[0]}draw {counted(names)}"


def differs(text: str, player: str, course: Played, random: Random) -> tuple[bool, str | None]:
    """Change a log; return whether it is wrong then, and what is judged otherwise if anything."""
    log = changed(text, player, course, random)
    line = first_impossible(course.events, course.owned, log.told)
    found = first_error(log.text)
    if found == line:
        return line is not None, None
    return line is not None, f"{player}: wrong in line {line}, found in line {found}\n{log.text}"


def cut(text: str, random: Random) -> str:
    """Return the beginning of a log, up to the heading of a turn."""
    lines = LINES.sub(", ", text).split("\n")
    turns = [number for number, line in enumerate(lines) if line.startswith("turn ")]
    return "\n".join([*lines[: random.choice(turns[4:])], ""])


class Judged(NamedTuple):
    """How many logs were judged that are wrong, and possible; and how those that were wrongly."""

    wrong: int
    possible: int
    differing: list[str]


CHANGES = 6
"""How many logs are made of what one player did in a game."""


def judge(most: int, seed: int, *, quick: bool = False) -> Judged:
    """Judge so many logs at least that are wrong, and so many that are possible.

    ``quick`` takes the beginnings of small games.
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
            wrong, told = differs(text, player, course, random)
            if count[wrong] < most or told is not None:
                count[wrong] += 1
                differing += [] if told is None else [f"{path.parent.name}/{path.name}, {told}"]
    return Judged(count[True], count[False], differing)
