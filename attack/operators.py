"""The operators that change a game in one place, as a slip of the pen or a cheat would.

Each takes a script, the number of a line and a source of chance, and returns the changed lines with
the number of the first line that differs in meaning; None where it has nothing to do there. They
know the notation and what the rules name, and nothing of what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from altay_cli.base.values import Entity, WrittenName
from altay_cli.checking.playing import Game
from altay_cli.moves.wording import speller
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import SectionKind
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Phase


@dataclass(frozen=True, slots=True)
class Spot:
    """A line to change: the game before it, all lines, and its number."""

    game: Game
    lines: Sequence[str]
    number: int

    @property
    def text(self) -> str:
        """The line as it is."""
        return self.lines[self.number]

    @property
    def heading(self) -> bool:
        """Whether the line begins a turn."""
        return is_heading(self.text)

    def with_line(self, text: str) -> Changed:
        """Return the lines with another text in this one."""
        lines = [*self.lines[: self.number], text, *self.lines[self.number + 1 :]]
        return Changed(lines, self.number)

    def readings(self) -> Sequence[Candidate]:
        """Return what the line may mean."""
        phase: Phase = "heading" if self.heading else "turns"
        return self.game.match.binder.bind(parse(self.text).phrase, phase).readings

    def player(self, name: str) -> str:
        """Return the name of a player as it is written."""
        return self.game.speller.player(name)


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed game: its lines, and the first of them that is not as it was."""

    lines: list[str]
    number: int


Operator = Callable[[Spot, Random], Changed | None]


def is_heading(text: str) -> bool:
    """Tell whether a line begins a turn."""
    return parse(text).section is SectionKind.TURN


# ---------------------------------------------------------------- names and counts


def _names(spot: Spot, kind: str = "") -> list[tuple[WrittenName, str]]:
    """Return what is named in the slots of a line, with the kind of thing."""
    readings = spot.readings()
    if not readings:
        return []
    parsed = readings[0]
    return [
        (one, slot.kind)
        for slot in parsed.move.slots.values()
        for one in parsed.slots.get(slot.name, ())
        if slot.kind not in {"", "player"} and kind in {"", slot.kind}
    ]


def _all_of(spot: Spot, kind: str) -> Sequence[Entity]:
    return spot.game.pack.entities[kind]


def _replaced(spot: Spot, one: WrittenName, text: str) -> Changed:
    return spot.with_line(spot.text[: one.start] + text + spot.text[one.end :])


def _with_count(count: int, name: str) -> str:
    return name if count == 1 else f"{count} {name}"


def _other(kind: str) -> Operator:
    """Return the operator that puts another thing of a kind in the place of one."""

    def change(spot: Spot, random: Random) -> Changed | None:
        named = _names(spot, kind)
        if not named:
            return None
        one, found = random.choice(named)
        others = [thing for thing in _all_of(spot, found) if thing not in one.entities]
        name = speller(spot.game.pack).exact(random.choice(others))
        return _replaced(spot, one, _with_count(one.count, name))

    return change


def other_copy(spot: Spot, random: Random) -> Changed | None:
    """Name another copy of the same card, with its points."""
    named = [
        (one, kind)
        for one, kind in _names(spot)
        if any(len(thing.f.get("prints", ())) > 1 for e in one.entities for thing in _parents(e))
    ]
    if not named:
        return None
    one, _ = random.choice(named)
    prints = [copy for parent in _parents(one.entities[0]) for copy in parent.f["prints"]]
    name = speller(spot.game.pack).exact(random.choice(prints))
    changed = _replaced(spot, one, _with_count(one.count, name))
    return None if changed.lines[changed.number] == spot.text else changed


def _parents(thing: Entity) -> list[Entity]:
    return [
        found for found in thing.f.values() if isinstance(found, Entity) and "prints" in found.f
    ]


def more(spot: Spot, random: Random) -> Changed | None:
    """Count one more."""
    named = _names(spot)
    if not named:
        return None
    one, _ = random.choice(named)
    name = spot.text[one.start : one.end].removeprefix(f"{one.count} ")
    return _replaced(spot, one, f"{one.count + 1} {name}")


def fewer(spot: Spot, random: Random) -> Changed | None:
    """Count one fewer."""
    named = [one for one, _ in _names(spot) if one.count > 1]
    if not named:
        return None
    one = random.choice(named)
    name = spot.text[one.start : one.end].removeprefix(f"{one.count} ")
    return _replaced(spot, one, _with_count(one.count - 1, name))


def one_more_name(spot: Spot, random: Random) -> Changed | None:
    """Add a name to a list."""
    named = _names(spot)
    if not named:
        return None
    one, kind = random.choice(named)
    name = speller(spot.game.pack).exact(random.choice(_all_of(spot, kind)))
    return _replaced(spot, one, f"{spot.text[one.start : one.end]}, {name}")


def other_number(spot: Spot, random: Random) -> Changed | None:
    """Change the number of the round, or of coins, by one."""
    for parsed in spot.readings()[:1]:
        for slot in parsed.move.slots.values():
            if slot.shape == "int" and slot.name in parsed.slots:
                one = parsed.slots[slot.name][0]
                value = max(one.value + random.choice((-1, 1)), 0)
                return _replaced(spot, one, str(value)) if value != one.value else None
    return None


# ---------------------------------------------------------------- draws


def _outcome(spot: Spot) -> tuple[str, list[str]] | None:
    """Return what stands before `=>`, and the things drawn, each by itself."""
    before, arrow, drawn = spot.text.partition("=>")
    if not arrow:
        return None
    things: list[str] = []
    for part in filter(None, (part.strip() for part in drawn.split(","))):
        count, _, name = part.partition(" ")
        things.extend([name] * int(count) if count.isdecimal() else [part])
    return before.rstrip(), things


def _drawn(spot: Spot, before: str, things: Sequence[str]) -> Changed:
    return spot.with_line(f"{before} => {', '.join(things)}".rstrip())


def other_draw(spot: Spot, random: Random) -> Changed | None:
    """Draw another card."""
    outcome = _outcome(spot)
    if outcome is None or not outcome[1]:
        return None
    before, things = outcome
    kind = next((s.kind for p in spot.readings()[:1] for s in p.move.slots.values()
                 if s.shape == "drawn"), "")  # fmt: skip
    number = random.randrange(len(things))
    name = speller(spot.game.pack).exact(random.choice(_all_of(spot, kind)))
    if name == things[number]:
        return None
    return _drawn(spot, before, [*things[:number], name, *things[number + 1 :]])


def fewer_drawn(spot: Spot, random: Random) -> Changed | None:
    """Leave out a card that was drawn."""
    outcome = _outcome(spot)
    if outcome is None or not outcome[1]:
        return None
    before, things = outcome
    number = random.randrange(len(things))
    return _drawn(spot, before, [*things[:number], *things[number + 1 :]])


def more_drawn(spot: Spot, random: Random) -> Changed | None:
    """Draw a card twice."""
    outcome = _outcome(spot)
    if outcome is None or not outcome[1]:
        return None
    before, things = outcome
    return _drawn(spot, before, [*things, random.choice(things)])


def unrecorded(spot: Spot, random: Random) -> Changed | None:
    """Leave out what was drawn."""
    del random
    outcome = _outcome(spot)
    return None if outcome is None or not outcome[1] else spot.with_line(outcome[0])


def other_order(spot: Spot, random: Random) -> Changed | None:
    """Write what was drawn in another order."""
    outcome = _outcome(spot)
    if outcome is None or len(set(outcome[1])) < 2:
        return None
    before, things = outcome
    shuffled = random.sample(things, len(things))
    return None if shuffled == things else _drawn(spot, before, shuffled)


# ---------------------------------------------------------------- parts of statements


def without_part(spot: Spot, random: Random) -> Changed | None:
    """Leave out a part that can be left out: what a thing is paid with, the cards of an attack."""
    del random
    text = spot.text.partition(" =>")[0]
    for parsed in spot.readings()[:1]:
        for name, (start, _) in parsed.places.items():
            slot = parsed.move.slots[name]
            if slot.optional and slot.shape == "bag":
                head = text[:start].rstrip().rpartition(" ")[0]
                outcome = spot.text[len(text) :]
                return spot.with_line(head + outcome)
    return None


def misspelled(spot: Spot, random: Random) -> Changed | None:
    """Leave a letter out of a name."""
    named = [one for one, _ in _names(spot) if one.end - one.start > 4]
    if not named:
        return None
    one = random.choice(named)
    name = spot.text[one.start : one.end]
    letters = [i for i, char in enumerate(name) if char.isalpha()][1:]
    if not letters:
        return None
    number = random.choice(letters)
    return _replaced(spot, one, name[:number] + name[number + 1 :])


# ---------------------------------------------------------------- players


def other_player(spot: Spot, random: Random) -> Changed | None:
    """Give a turn, or an answer, to another player."""
    players = [player.id for player in spot.game.state.players]
    if spot.heading:
        word, number, name = spot.text.split(" ", 2)
        others = [spot.player(other) for other in players if spot.player(other) != name]
        return spot.with_line(f"{word} {number} {random.choice(others)}")
    before, colon, rest = spot.text.partition(": ")
    if colon and not before.count("=>"):
        others = [spot.player(other) for other in players if spot.player(other) != before]
        return spot.with_line(f"{random.choice(others)}: {rest}")
    return None


def somebody_else(spot: Spot, random: Random) -> Changed | None:
    """Let a player act who is not the one to do so."""
    if spot.heading or ": " in spot.text:
        return None
    others = [p.id for p in spot.game.state.players if p.id != spot.game.player]
    return spot.with_line(f"{spot.player(random.choice(others))}: {spot.text}")


# ---------------------------------------------------------------- whole statements


def dropped(spot: Spot, random: Random) -> Changed | None:
    """Leave out a statement."""
    del random
    if spot.heading or spot.text.startswith("end") or _is_answer(spot):
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def _is_answer(spot: Spot) -> bool:
    return any(parsed.move.answers is not None for parsed in spot.readings())


def skipped_decision(spot: Spot, random: Random) -> Changed | None:
    """Leave out the answer to a decision."""
    del random
    if not _is_answer(spot):
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def no_end(spot: Spot, random: Random) -> Changed | None:
    """Leave out the end of a turn."""
    del random
    if spot.heading or not spot.game.match.binder.closes(parse(spot.text).phrase):
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def no_heading(spot: Spot, random: Random) -> Changed | None:
    """Leave out the heading of a turn."""
    del random
    if not spot.heading or not spot.number:
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def repeated(spot: Spot, random: Random) -> Changed | None:
    """Write a statement twice."""
    del random
    if spot.heading:
        return None
    number = spot.number + 1
    return Changed([*spot.lines[:number], spot.text, *spot.lines[number:]], number)


def swapped(spot: Spot, random: Random) -> Changed | None:
    """Exchange a statement with the next one."""
    del random
    number = spot.number
    if number + 1 >= len(spot.lines) or spot.heading or is_heading(spot.lines[number + 1]):
        return None
    here, following = spot.lines[number], spot.lines[number + 1]
    if here == following:
        return None
    return Changed([*spot.lines[:number], following, here, *spot.lines[number + 2 :]], number)


def moved(spot: Spot, random: Random) -> Changed | None:
    """Move a statement to the beginning of a later turn."""
    headings = [i for i in range(spot.number + 1, len(spot.lines)) if is_heading(spot.lines[i])]
    if spot.heading or not headings or spot.text.startswith("end"):
        return None
    to = random.choice(headings[:4])
    lines = [*spot.lines[: spot.number], *spot.lines[spot.number + 1 : to + 1]]
    return Changed([*lines, spot.text, *spot.lines[to + 1 :]], spot.number)


def foreign(spot: Spot, random: Random) -> Changed | None:
    """Put in a statement from elsewhere in the game."""
    others = [line for line in spot.lines if not is_heading(line)]
    if spot.heading:
        return None
    lines = [*spot.lines[: spot.number], random.choice(others), *spot.lines[spot.number :]]
    return Changed(lines, spot.number)


def instead(spot: Spot, random: Random) -> Changed | None:
    """Put a statement from elsewhere in the place of one."""
    others = [line for line in spot.lines if not is_heading(line) and line != spot.text]
    if spot.heading or not others:
        return None
    return spot.with_line(random.choice(others))


OPERATORS: dict[str, Operator] = {
    "other-card": _other("card"),
    "other-territory": _other("territory"),
    "other-resource": _other("resource"),
    "other-achievement": _other("achievement"),
    "other-copy": other_copy,
    "more": more,
    "fewer": fewer,
    "one-more-name": one_more_name,
    "other-number": other_number,
    "other-draw": other_draw,
    "fewer-drawn": fewer_drawn,
    "more-drawn": more_drawn,
    "unrecorded": unrecorded,
    "other-order": other_order,
    "without-part": without_part,
    "misspelled": misspelled,
    "other-player": other_player,
    "somebody-else": somebody_else,
    "dropped": dropped,
    "skipped-decision": skipped_decision,
    "no-end": no_end,
    "no-heading": no_heading,
    "repeated": repeated,
    "swapped": swapped,
    "moved": moved,
    "foreign": foreign,
    "instead": instead,
}
