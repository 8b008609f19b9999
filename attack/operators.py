"""Operators that change a game in one place, as a mistake or a cheat would.

Each returns the changed game, or None if it does not apply. They know the notation and the names in
the rules, but not what is legal.
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
    """A line to change."""

    game: Game
    lines: Sequence[str]
    number: int

    @property
    def text(self) -> str:
        return self.lines[self.number]

    @property
    def heading(self) -> bool:
        return is_heading(self.text)

    def with_line(self, text: str) -> Changed:
        lines = [*self.lines[: self.number], text, *self.lines[self.number + 1 :]]
        return Changed(lines, self.number)

    def readings(self) -> Sequence[Candidate]:
        phase: Phase = "heading" if self.heading else "turns"
        return self.game.match.binder.bind(parse(self.text).phrase, phase).readings

    def player(self, name: str) -> str:
        """Return the name of a player as written."""
        return self.game.speller.player(name)


@dataclass(frozen=True, slots=True)
class Changed:
    """``number``: the first changed line."""

    lines: list[str]
    number: int


Operator = Callable[[Spot, Random], Changed | None]


def is_heading(text: str) -> bool:
    return parse(text).section is SectionKind.TURN


# ---------------------------------------------------------------- names and counts


def _names(spot: Spot, kind: str = "") -> list[tuple[WrittenName, str]]:
    readings = spot.readings()
    if not readings:
        return []
    parsed = readings[0]
    return [
        (written, slot.kind)
        for slot in parsed.move.slots.values()
        for written in parsed.slots.get(slot.name, ())
        if slot.kind not in {"", "player"} and kind in {"", slot.kind}
    ]


def _all_of(spot: Spot, kind: str) -> Sequence[Entity]:
    return spot.game.pack.entities[kind]


def _replaced(spot: Spot, written: WrittenName, text: str) -> Changed:
    return spot.with_line(spot.text[: written.start] + text + spot.text[written.end :])


def _with_count(count: int, name: str) -> str:
    return name if count == 1 else f"{count} {name}"


def _other(kind: str) -> Operator:
    def change(spot: Spot, random: Random) -> Changed | None:
        named = _names(spot, kind)
        if not named:
            return None
        written, found = random.choice(named)
        others = [thing for thing in _all_of(spot, found) if thing not in written.entities]
        name = speller(spot.game.pack).exact(random.choice(others))
        return _replaced(spot, written, _with_count(written.count, name))

    return change


def other_copy(spot: Spot, random: Random) -> Changed | None:
    named = [
        (written, kind)
        for written, kind in _names(spot)
        if any(
            len(thing.f.get("prints", ())) > 1 for e in written.entities for thing in _parents(e)
        )
    ]
    if not named:
        return None
    written, _ = random.choice(named)
    prints = [copy for parent in _parents(written.entities[0]) for copy in parent.f["prints"]]
    name = speller(spot.game.pack).exact(random.choice(prints))
    changed = _replaced(spot, written, _with_count(written.count, name))
    return None if changed.lines[changed.number] == spot.text else changed


def _parents(thing: Entity) -> list[Entity]:
    return [
        found for found in thing.f.values() if isinstance(found, Entity) and "prints" in found.f
    ]


def more(spot: Spot, random: Random) -> Changed | None:
    named = _names(spot)
    if not named:
        return None
    written, _ = random.choice(named)
    name = spot.text[written.start : written.end].removeprefix(f"{written.count} ")
    return _replaced(spot, written, f"{written.count + 1} {name}")


def fewer(spot: Spot, random: Random) -> Changed | None:
    named = [written for written, _ in _names(spot) if written.count > 1]
    if not named:
        return None
    written = random.choice(named)
    name = spot.text[written.start : written.end].removeprefix(f"{written.count} ")
    return _replaced(spot, written, _with_count(written.count - 1, name))


def one_more_name(spot: Spot, random: Random) -> Changed | None:
    named = _names(spot)
    if not named:
        return None
    written, kind = random.choice(named)
    name = speller(spot.game.pack).exact(random.choice(_all_of(spot, kind)))
    return _replaced(spot, written, f"{spot.text[written.start : written.end]}, {name}")


def other_number(spot: Spot, random: Random) -> Changed | None:
    """Change the number of the round, or of coins, by one."""
    for parsed in spot.readings()[:1]:
        for slot in parsed.move.slots.values():
            if slot.shape == "int" and slot.name in parsed.slots:
                written = parsed.slots[slot.name][0]
                value = max(written.value + random.choice((-1, 1)), 0)
                return _replaced(spot, written, str(value)) if value != written.value else None
    return None


# ---------------------------------------------------------------- draws


def _outcome(spot: Spot) -> tuple[str, list[str]] | None:
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
    outcome = _outcome(spot)
    if outcome is None or not outcome[1]:
        return None
    before, things = outcome
    number = random.randrange(len(things))
    return _drawn(spot, before, [*things[:number], *things[number + 1 :]])


def more_drawn(spot: Spot, random: Random) -> Changed | None:
    outcome = _outcome(spot)
    if outcome is None or not outcome[1]:
        return None
    before, things = outcome
    return _drawn(spot, before, [*things, random.choice(things)])


def unrecorded(spot: Spot, random: Random) -> Changed | None:
    del random
    outcome = _outcome(spot)
    return None if outcome is None or not outcome[1] else spot.with_line(outcome[0])


def other_order(spot: Spot, random: Random) -> Changed | None:
    """Write draws in another order."""
    outcome = _outcome(spot)
    if outcome is None or len(set(outcome[1])) < 2:
        return None
    before, things = outcome
    shuffled = random.sample(things, len(things))
    return None if shuffled == things else _drawn(spot, before, shuffled)


# ---------------------------------------------------------------- parts of statements


def without_part(spot: Spot, random: Random) -> Changed | None:
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
    named = [written for written, _ in _names(spot) if written.end - written.start > 4]
    if not named:
        return None
    written = random.choice(named)
    name = spot.text[written.start : written.end]
    letters = [i for i, char in enumerate(name) if char.isalpha()][1:]
    if not letters:
        return None
    number = random.choice(letters)
    return _replaced(spot, written, name[:number] + name[number + 1 :])


# ---------------------------------------------------------------- players


def other_player(spot: Spot, random: Random) -> Changed | None:
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
    """Let the wrong player act."""
    if spot.heading or ": " in spot.text:
        return None
    others = [p.id for p in spot.game.state.players if p.id != spot.game.player]
    return spot.with_line(f"{spot.player(random.choice(others))}: {spot.text}")


# ---------------------------------------------------------------- whole statements


def dropped(spot: Spot, random: Random) -> Changed | None:
    del random
    if spot.heading or spot.text.startswith("end") or _is_answer(spot):
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def _is_answer(spot: Spot) -> bool:
    return any(parsed.move.answers is not None for parsed in spot.readings())


def skipped_decision(spot: Spot, random: Random) -> Changed | None:
    del random
    if not _is_answer(spot):
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def no_end(spot: Spot, random: Random) -> Changed | None:
    del random
    if spot.heading or not spot.game.match.binder.closes(parse(spot.text).phrase):
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def no_heading(spot: Spot, random: Random) -> Changed | None:
    del random
    if not spot.heading or not spot.number:
        return None
    return Changed([*spot.lines[: spot.number], *spot.lines[spot.number + 1 :]], spot.number)


def repeated(spot: Spot, random: Random) -> Changed | None:
    del random
    if spot.heading:
        return None
    number = spot.number + 1
    return Changed([*spot.lines[:number], spot.text, *spot.lines[number:]], number)


def swapped(spot: Spot, random: Random) -> Changed | None:
    del random
    number = spot.number
    if number + 1 >= len(spot.lines) or spot.heading or is_heading(spot.lines[number + 1]):
        return None
    here, following = spot.lines[number], spot.lines[number + 1]
    if here == following:
        return None
    return Changed([*spot.lines[:number], following, here, *spot.lines[number + 2 :]], number)


def moved(spot: Spot, random: Random) -> Changed | None:
    headings = [i for i in range(spot.number + 1, len(spot.lines)) if is_heading(spot.lines[i])]
    if spot.heading or not headings or spot.text.startswith("end"):
        return None
    to = random.choice(headings[:4])
    lines = [*spot.lines[: spot.number], *spot.lines[spot.number + 1 : to + 1]]
    return Changed([*lines, spot.text, *spot.lines[to + 1 :]], spot.number)


def foreign(spot: Spot, random: Random) -> Changed | None:
    others = [line for line in spot.lines if not is_heading(line)]
    if spot.heading:
        return None
    lines = [*spot.lines[: spot.number], random.choice(others), *spot.lines[spot.number :]]
    return Changed(lines, spot.number)


def instead(spot: Spot, random: Random) -> Changed | None:
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
