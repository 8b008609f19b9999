"""The referee: reads a recorded game move by move and reports what the rules forbid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from altay_cli.engine.binding import MAX_CHOICES, Binder, Parsed, Slip, Written, player_name
from altay_cli.engine.effects import Effects, Values
from altay_cli.engine.state import Pending, State
from altay_cli.expressions import EVALUATION_ERRORS, reset_budget
from altay_cli.findings import Finding, Severity
from altay_cli.notation import GameRecord, Section, SectionKind, Statement
from altay_cli.pack.model import Check, Message, MoveDef, Pack, Requirement, RuleText, Slot
from altay_cli.spans import Span
from altay_cli.values import Bag, Drawn, DrawnItem, Entity

MAX_FINDINGS = 1_000
"""How many findings of one game are reported one by one."""

BUDGET = 1_000_000
"""Steps that the expressions of one statement may take."""

MAX_READINGS = 16

_PHASES = {
    SectionKind.SETUP: "setup",
    SectionKind.POSITION: "position",
    SectionKind.TURN: "turns",
}


@dataclass(slots=True)
class Played:
    """A game as far as the log tells it: the last state and what was found on the way."""

    state: State
    findings: list[Finding] = field(default_factory=list)
    moves: int = 0
    suppressed: int = 0

    @property
    def ended(self) -> bool:
        """Whether the rules say that the game is over."""
        return bool(self._status("ended"))

    @property
    def rounds(self) -> int:
        """The number of the last round."""
        value = self._status("round")
        return value if isinstance(value, int) else 0

    def _status(self, key: str) -> object:
        expr = self.state.pack.status.get(key)
        value: object = expr.fn(self.state, {}) if expr else None
        return value


class _Stop(Exception):  # noqa: N818 - no error: a rule says that the rest is not played
    """The rest of the game's turns is left out."""


def play(
    pack: Pack, record: GameRecord, options: Mapping[str, str], language: str = "en"
) -> Played:
    """Play a recorded game through and report every move that the rules forbid.

    ``options`` are the values of all options of the pack. Raises nothing, whatever the log is.
    """
    return Referee(pack, options, language).run(record)


@dataclass(slots=True)
class _Reading:
    """One way to understand a statement: its values, and what is unsure about them."""

    parsed: Parsed
    values: Values
    notes: list[tuple[Written, Entity]]
    number: int = 0


class Referee:
    """Plays one game. ``played`` holds the state and the findings so far."""

    def __init__(self, pack: Pack, options: Mapping[str, str], language: str = "en") -> None:
        self.pack = pack
        self.state = State(pack, options, language)
        self.played = Played(self.state)
        self.binder = Binder(pack)
        self.effects = Effects(self.state, self)
        self._statement: Statement | None = None
        self._actor: Entity | None = None
        self._phase = ""
        self._muted = False
        self._unread = False
        self._faulty = False
        self._active = pack.status.get("active")

    # ------------------------------------------------------------ a whole game

    def run(self, record: GameRecord) -> Played:
        """Play all sections of a game."""
        opened = False
        for section in record.sections:
            phase = _PHASES.get(section.kind)
            if phase is None:
                continue
            opened = True
            try:
                if phase == "turns":
                    self._turn(section)
                else:
                    self._lay_out(section, phase)
            except _Stop:
                break
        if not opened:
            self._report(
                "no-moves", Severity.ERROR, "the game has no setup and no turns", record.span
            )
        elif not self.state.players:
            message = "nobody has a seat: a game begins with `setup` or `position`"
            self._report("no-players", Severity.ERROR, message, record.span)
        return self.played

    def _lay_out(self, section: Section, phase: str) -> None:
        """Carry out the statements of a setup or position in the order of the rules."""
        self._phase = phase
        ordered: dict[int, list[Statement]] = {}
        for statement in section.statements:
            order = self.binder.order(statement.phrase, phase)
            ordered.setdefault(order, []).append(statement)
        stages = [stage for stage in self.pack.prepare if phase in stage.phases]
        for order in sorted({*ordered, *(stage.order for stage in stages)}):
            for statement in ordered.get(order, ()):
                self.play(statement, phase)
            for stage in stages:
                if stage.order == order:
                    self._guarded(
                        section.heading, lambda does=stage.does: self.effects.run(does, {})
                    )
        self._close(section, phase)

    def _close(self, section: Section, phase: str) -> None:
        """Check what must hold when a section is complete."""
        self._actor = None
        for check in self.pack.checks:
            if phase in check.after:
                self._guarded(section.heading, lambda check=check: self._check(check, section))
        for stage in self.pack.complete:
            if phase in stage.phases:
                self._guarded(section.heading, lambda does=stage.does: self.effects.run(does, {}))

    def _check(self, check: Check, section: Section) -> None:
        place = section.heading
        if check.at is not None:
            for statement in section.statements:
                if statement.items and statement.items[0].text.casefold() == check.at:
                    place = statement
        self._statement = place
        state = self.state
        values: list[Values] = [{}]
        if check.each is not None:
            name, items = check.each
            values = [{name: item} for item in items.fn(state, {})]
        for inner in values:
            if not check.that.fn(state, inner):
                self.say(check.text, inner, None)
                self._muted = True
                self.effects.run(check.does, inner)
                self._muted = False

    def _guarded(self, place: Statement, action: Any) -> None:
        """Carry out what the rules say; where they cannot be applied, say so."""
        self._statement = place
        mark = self.state.mark()
        reset_budget(BUDGET)
        try:
            action()
        except EVALUATION_ERRORS as error:
            self.state.undo(mark)
            self._muted = False
            message = f"the rules cannot be applied here: {error}"
            self._report("rule-failure", Severity.ERROR, message, place.span())

    def _turn(self, section: Section) -> None:
        self._phase = "turns"
        self.play(section.heading, "heading")
        self.state.attribute(self.state, "overdue", ())
        self._unread = False
        for statement in section.statements:
            self._unread = False
            self.play(statement, "turns")
            self.played.moves += 1

    # ------------------------------------------------------------ one statement

    def play(self, statement: Statement, phase: str) -> None:
        """Judge a statement and carry it out."""
        self._statement = statement
        self._faulty = False
        binding = self.binder.bind(statement.phrase, phase)
        actor = self._who(statement)
        self._actor = actor
        for slip in binding.slips:
            if phase != "heading" or slip.rule.startswith("unknown"):
                self._slip(slip)
            self._faulty = True
        if not binding.readings:
            self._lost()
            return
        self._guarded(statement, lambda: self._judge(statement, binding.readings, actor))

    def _lost(self) -> None:
        """Forget what was due: the statement that could not be read may have been the answer."""
        self._unread = True
        if self.state.pending:
            self.state.attribute(self.state, "overdue", self.state.pending)
            self.state.attribute(self.state, "pending", ())

    def _who(self, statement: Statement) -> Entity | None:
        """Return who acts: the one named, else the one whose turn it is."""
        if not statement.actor:
            return self._active.fn(self.state, {}) if self._active else None
        return self.binder.player(statement.actor)

    def _judge(
        self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None
    ) -> None:
        if any(parsed.move.introduces for parsed in readings) and statement.actor:
            actor = self._introduce(statement)
        elif statement.actor and actor is None:
            self._unknown_player(statement)
            self._lost()
            return
        pending = self._due(statement, readings, actor) or self._late(readings)
        move = readings[0].move
        if move.answers is not None:
            if pending is None:
                if move.unasked is not None:
                    self.say(move.unasked, {"me": actor}, None)
                return
            if pending.who is not actor:
                if statement.actor:
                    self.say(
                        self.pack.decisions[pending.decision].wrong,
                        {"who": pending.who, "actor": actor, "asked": pending.values},
                        None,
                    )
                    self._faulty = True
                actor = pending.who
        if actor is None and move.needs_actor and not move.heading:
            help_lines = (f"begin with the player's name: `Ann: {statement.text[:40]}`",)
            self._report(
                "actor-missing", Severity.ERROR, "it is not said who does this",
                statement.span(), help_lines=help_lines,
            )  # fmt: skip
            return
        self._actor = actor
        for number in range(self._repetitions(readings)):
            if number and move.answers is not None:
                pending = self.state.pending[-1] if self.state.pending else None
                if pending is None or pending.decision != move.answers:
                    if move.unasked is not None and not self._faulty:
                        self.say(move.unasked, {"me": actor}, None)
                    return
            self._one(statement, readings, actor, pending, number)

    def _introduce(self, statement: Statement) -> Entity:
        """Return the player that a statement names, seated now if that is the first time."""
        player = self.binder.player(statement.actor)
        if player is None:
            player = Entity("player", player_name(statement.actor), len(self.state.players))
            self.state.seat(player)
            self.binder.add_player(player)
        return player

    def _unknown_player(self, statement: Statement) -> None:
        name = player_name(statement.actor)[:40]
        known = ", ".join(player.id for player in self.state.players)
        span = statement.span(statement.actor[0].start, statement.actor[-1].end)
        help_lines = (f"at the table: {known}",) if known else ()
        self._report(
            "unknown-player", Severity.ERROR, f"there is no player `{name}`", span,
            help_lines=help_lines,
        )  # fmt: skip

    def _due(
        self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None
    ) -> Pending | None:
        """Return the decision that this statement answers; report one that it ignores."""
        del statement
        pending = self.state.pending[-1] if self.state.pending else None
        if pending is None:
            return None
        if any(parsed.move.answers == pending.decision for parsed in readings):
            return pending
        values = {"who": pending.who, "actor": actor, "asked": pending.values}
        self.say(self.pack.decisions[pending.decision].due, values, None)
        self.state.attribute(self.state, "overdue", self.state.pending)
        self.state.attribute(self.state, "pending", ())
        return None

    def _late(self, readings: Sequence[Parsed]) -> Pending | None:
        """Return a decision that was passed over and that this statement answers late.

        It is reported already, so that its answer is no further mistake.
        """
        overdue = self.state.overdue
        if not overdue or all(p.move.answers != overdue[-1].decision for p in readings):
            return None
        self.state.attribute(self.state, "pending", overdue)
        self.state.attribute(self.state, "overdue", ())
        return overdue[-1]

    @staticmethod
    def _repetitions(readings: Sequence[Parsed]) -> int:
        """Return how many moves a statement stands for: `build F2, F3` are two."""
        for slot in readings[0].move.slots.values():
            if slot.each and slot.name in readings[0].slots:
                return sum(written.count for written in readings[0].slots[slot.name])
        return 1

    def _one(
        self,
        statement: Statement,
        readings: Sequence[Parsed],
        actor: Entity | None,
        pending: Pending | None,
        number: int,
    ) -> None:
        """Judge one move and carry it out."""
        base: Values = {"me": actor, "asked": pending.values if pending else {}}
        chosen = self._choose(statement, readings, base, number)
        if chosen is None:
            return
        move, values = chosen.parsed.move, chosen.values
        if pending is not None and move.answers == pending.decision:
            self._answered(pending)
        for written, entity in chosen.notes:
            self._assumed(written.start, written.end, entity)
        if move.actor is not None:
            actor = values[move.actor]
            self._actor = actor
        if not self._require(chosen):
            return
        self.effects.run(move.does, values)
        if not self.state.pending and self._phase == "turns":
            self._trigger()

    def _answered(self, pending: Pending) -> None:
        rest = self.state.pending[:-1]
        if pending.times > 1:
            rest = (
                *rest,
                Pending(pending.decision, pending.who, pending.times - 1, pending.values),
            )
        self.state.attribute(self.state, "pending", rest)

    def _trigger(self) -> None:
        for trigger in self.pack.triggers:
            if trigger.when.fn(self.state, {}):
                self.effects.run(trigger.does, {})

    # ------------------------------------------------------------ which reading is meant

    def _choose(
        self, statement: Statement, readings: Sequence[Parsed], base: Values, number: int
    ) -> _Reading | None:
        """Return the reading that is meant; a fallback where no move applies."""
        for fallback in (False, True):
            for parsed in readings:
                if parsed.move.fallback is not fallback:
                    continue
                found = [
                    reading
                    for reading in self._readings(parsed, base, number)
                    if self._applies(reading)
                ]
                if found:
                    return self._pick(statement, found)
        message = "no move that is written like this fits here"
        self._report("no-such-move", Severity.ERROR, message, statement.span())
        return None

    def _applies(self, reading: _Reading) -> bool:
        """Tell whether the move is meant for such values; names its values on the way."""
        move = reading.parsed.move
        values = reading.values
        if move.when is not None and not move.when.fn(self.state, values):
            return False
        self._name_values(move, values)
        return True

    def _name_values(self, move: MoveDef, values: Values) -> None:
        for name, expr in move.lets:
            values[name] = expr.fn(self.state, values)

    def _pick(self, statement: Statement, found: list[_Reading]) -> _Reading:
        if len(found) == 1:
            self._infer(found[0])
            return found[0]
        for reading in found:
            self._infer(reading, quiet=True)
        legal = [reading for reading in found if self._is_legal(reading)]
        if len(legal) != 1:
            names = self._differing(legal or found)
            if len(legal) > 1 or not legal:
                self._report_ambiguous(statement, found[0], names, legal=bool(legal))
        return (legal or found)[0]

    def _differing(self, readings: list[_Reading]) -> list[str]:
        names: dict[str, None] = {}
        for reading in readings:
            for slot in reading.parsed.slots:
                value = reading.values.get(slot)
                values = [r.values.get(slot) for r in readings]
                if any(other != value for other in values):
                    names[self.state.text(value)] = None
        return list(names)

    def _report_ambiguous(
        self, statement: Statement, reading: _Reading, names: list[str], *, legal: bool
    ) -> None:
        if not legal:
            return
        place = next(iter(reading.parsed.places.values()), (None, None))
        message = f"this may be {' or '.join(names)}; say which"
        self._report("ambiguous-name", Severity.ERROR, message, statement.span(*place))

    def _is_legal(self, reading: _Reading) -> bool:
        try:
            return all(
                requirement.that.fn(self.state, reading.values)
                for requirement in reading.parsed.move.requires
            )
        except EVALUATION_ERRORS:
            return False

    def _infer(self, reading: _Reading, *, quiet: bool = False) -> None:
        """Find the values that were left out because only one is possible."""
        for slot in reading.parsed.move.slots.values():
            if slot.infer is None or slot.name in reading.parsed.slots:
                continue
            choices = slot.infer.fn(self.state, reading.values)
            if len(choices) > 1 and slot.unclear is not None and not quiet:
                self.say(slot.unclear, {**reading.values, "choices": choices[:MAX_CHOICES]}, None)
            empty: Any = Bag() if slot.shape == "bag" else None
            reading.values[slot.name] = choices[0] if choices else empty

    def _readings(self, parsed: Parsed, base: Values, number: int) -> list[_Reading]:
        """Return the values that the written names can have in this state."""
        options: list[list[tuple[str, Any, list[tuple[Written, Entity]]]]] = []
        values = dict(base)
        for slot in parsed.move.slots.values():
            if slot.shape == "drawn":
                values[slot.name] = parsed.drawn.get(slot.name, Drawn(None))
                continue
            written = parsed.slots.get(slot.name)
            if written is None:
                if slot.infer is None:
                    values[slot.name] = Bag() if slot.shape == "bag" else None
                continue
            possible = self._values(slot, written, values, number)
            if len(possible) == 1:
                values[slot.name] = possible[0][0]
            options.append([(slot.name, value, notes) for value, notes in possible])
        result = []
        for combination in product(*options):
            reading = _Reading(parsed, dict(values), [], number)
            for name, value, notes in combination:
                reading.values[name] = value
                reading.notes.extend(notes)
            result.append(reading)
            if len(result) >= MAX_READINGS:
                break
        return result

    def _values(
        self, slot: Slot, written: list[Written], values: Values, number: int
    ) -> list[tuple[Any, list[tuple[Written, Entity]]]]:
        """Return the possible values of one slot, each with the assumptions it rests on."""
        if slot.shape == "new player":
            return [(self._new_player(written[0].text), [])]
        if slot.each:
            flat = [one for one in written for _ in range(one.count)]
            written = [flat[number]] if number < len(flat) else flat[-1:]
        if slot.shape == "int":
            return [(written[0].value, [])]
        domain = self._domain(slot, values)
        if slot.shape == "entity":
            one = written[0]
            if not one.entities:
                return [(None, [])]
            return [(entity, notes) for entity, notes in self._entity(slot, one, domain, values)]
        return self._bags(slot, written, domain, values)

    def _new_player(self, name: str) -> Entity:
        known = self.binder.players.get(" ".join(name.casefold().split()))
        if known is None:
            known = Entity("player", name, len(self.state.players))
            self.binder.add_player(known)
        return known

    def _domain(self, slot: Slot, values: Values) -> Bag | None:
        """Return what the slot's value comes from, as a bag; None where that is not said."""
        if slot.domain is None:
            return None
        domain = slot.domain.fn(self.state, values)
        if isinstance(domain, Bag):
            return domain
        bag = Bag()
        for item in domain:
            bag[item] = bag.get(item, 0) + 1
        return bag

    def _entity(
        self, slot: Slot, one: Written, domain: Bag | None, values: Values
    ) -> list[tuple[Entity, list[tuple[Written, Entity]]]]:
        """Return what a single name can mean."""
        groups = self._groups(slot, one, domain)
        self._identify(slot, groups, one.count, domain, values)
        result: list[tuple[Entity, list[tuple[Written, Entity]]]] = []
        for group in groups:
            there = [e for e in group if domain is not None and domain.get(e, 0) > 0] or group
            chosen = there[-1]
            notes = [(one, chosen)] if len(there) > 1 and not slot.exact and domain else []
            result.append((chosen, notes))
        return result

    def _groups(self, slot: Slot, one: Written, domain: Bag | None) -> list[list[Entity]]:
        """Split what a name may stand for into different things; copies of one stay together.

        Where only some of them are in the zone meant, the others are not.
        """
        groups: dict[Entity, list[Entity]] = {}
        for entity in one.entities:
            groups.setdefault(entity.parent or entity, []).append(entity)
        found = list(groups.values())
        if domain is not None and len(found) > 1:
            there = [g for g in found if any(domain.get(e, 0) > 0 for e in g)]
            if there:
                return there
        del slot
        return found

    def _identify(
        self,
        slot: Slot,
        groups: list[list[Entity]],
        count: int,
        domain: Bag | None,
        values: Values,
    ) -> None:
        """Let a hidden card of the zone be the one that is named, where it is not there openly."""
        if slot.reveals is None or domain is None or len(groups) != 1:
            return
        zone: Bag = slot.reveals.fn(self.state, values)
        group = groups[0]
        open_ones = max(sum(bag.get(entity, 0) for entity in group) for bag in (domain, zone))
        lacking = count - open_ones
        while lacking > 0 and zone.hidden > 0:
            origin = zone.origin
            chosen = group[-1]
            self.state.attribute(zone, "hidden", zone.hidden - 1)
            self.state.count(zone, chosen, 1)
            if origin is not None:
                if origin.get(chosen, 0):
                    self.state.count(origin, chosen, -1)
                self.state.attribute(origin, "absent", max(origin.absent - 1, 0))
            domain[chosen] = domain.get(chosen, 0) + 1
            lacking -= 1

    def _bags(
        self, slot: Slot, written: list[Written], domain: Bag | None, values: Values
    ) -> list[tuple[Bag, list[tuple[Written, Entity]]]]:
        """Return what a counted list of names can mean."""
        parts: list[list[tuple[Bag, list[tuple[Written, Entity]]]]] = []
        left = Bag(domain) if domain is not None else None
        for one in written:
            groups = self._groups(slot, one, left)
            self._identify(slot, groups, one.count, left, values)
            options = []
            for group in groups:
                options.append(self._copies(slot, one, group, left))
            if len(options) == 1 and left is not None:
                for entity, count in options[0][0].items():
                    left[entity] = left.get(entity, 0) - count
            parts.append(options)
        result: list[tuple[Bag, list[tuple[Written, Entity]]]] = []
        for combination in product(*parts):
            bag = Bag()
            notes: list[tuple[Written, Entity]] = []
            for some, assumed in combination:
                for entity, count in some.items():
                    bag[entity] = bag.get(entity, 0) + count
                notes.extend(assumed)
            result.append((bag, notes))
            if len(result) >= MAX_READINGS:
                break
        return result

    @staticmethod
    def _copies(
        slot: Slot, one: Written, group: list[Entity], domain: Bag | None
    ) -> tuple[Bag, list[tuple[Written, Entity]]]:
        """Choose copies of one thing: those worth least first, as many as there are."""
        bag = Bag()
        wanted = one.count
        there = {e: max(domain.get(e, 0), 0) for e in group} if domain is not None else {}
        if domain is None or slot.exact or one.exact:
            bag[group[-1]] = wanted
            return bag, []
        for entity in reversed(group):
            count = min(wanted, there[entity])
            if count:
                bag[entity] = count
                wanted -= count
        unsure = sum(1 for n in there.values() if n) > 1 and one.count < sum(there.values())
        notes = [(one, next(iter(bag)))] if unsure else []
        if wanted:
            rest = next(iter(bag), group[-1])
            bag[rest] = bag.get(rest, 0) + wanted
        return bag, notes

    # ------------------------------------------------------------ requirements

    def _require(self, reading: _Reading) -> bool:
        """Check what the move requires; report the first breach; tell whether to carry it out."""
        carry_out = True
        reported = self._faulty
        for requirement in reading.parsed.move.requires:
            if requirement.that.fn(self.state, reading.values):
                continue
            if not reported and not (requirement.before and self._unread):
                self._breach(requirement, reading)
                reported = True
            if requirement.before:
                muted, self._muted = self._muted, True
                self.effects.run(requirement.before, reading.values)
                self._muted = muted
            if requirement.otherwise == "stop":
                raise _Stop
            if requirement.otherwise == "skip":
                carry_out = False
                break
        return carry_out

    def _breach(self, requirement: Requirement, reading: _Reading) -> None:
        place = reading.parsed.places.get(requirement.at) if requirement.at else None
        statement = self._statement
        assert statement is not None
        if place is not None and requirement.at is not None:
            place = self._narrow(requirement.at, reading, place)
        text = requirement.text
        help_lines = [self._render(line, reading.values) for line in text.help]
        if requirement.at is not None:
            legal = self._alternatives(requirement.at, reading)
            if legal:
                help_lines.append(f"possible here: {', '.join(legal)}")
        self._report(
            text.rule,
            Severity(text.severity),
            self._render(text.message, reading.values),
            statement.span(*place) if place else statement.span(),
            text.cite,
            tuple(help_lines),
        )

    @staticmethod
    def _narrow(at: str, reading: _Reading, place: tuple[int, int]) -> tuple[int, int]:
        """Return the place of the one name that is meant in a list of several moves."""
        if not reading.parsed.move.slots[at].each:
            return place
        flat = [one for one in reading.parsed.slots.get(at, []) for _ in range(one.count)]
        if reading.number >= len(flat):
            return place
        return flat[reading.number].start, flat[reading.number].end

    def _alternatives(self, at: str, reading: _Reading) -> list[str]:
        """List the values of a slot with which the move would have been legal."""
        slot = reading.parsed.move.slots[at]
        if (
            slot.domain is None
            or slot.shape != "entity"
            or len(self.played.findings) > MAX_FINDINGS
        ):
            return []
        found: list[str] = []
        domain = self._domain(slot, reading.values) or Bag()
        for candidate in domain:
            trial = _Reading(reading.parsed, {**reading.values, at: candidate}, [])
            try:
                if self._applies(trial) and self._is_legal(trial):
                    found.append(self.state.name(candidate))
            except EVALUATION_ERRORS:
                continue
            if len(found) > MAX_CHOICES:
                return [*found[:MAX_CHOICES], "…"]
        return found

    # ------------------------------------------------------------ reporting

    def say(self, text: RuleText, values: Mapping[str, Any], item: DrawnItem | None) -> None:
        """Report that a rule has something to say, at the card ``item`` if one is given."""
        statement = self._statement
        assert statement is not None
        span = statement.span(item.start, item.end) if item else statement.span()
        self._report(
            text.rule,
            Severity(text.severity),
            self._render(text.message, values),
            span,
            text.cite,
            tuple(self._render(line, values) for line in text.help),
        )

    def unsure(self, item: DrawnItem, chosen: Entity, others: Iterable[Entity]) -> None:
        """Report that a drawn card may be one of several copies."""
        del others
        self._assumed(item.start, item.end, chosen)

    def _assumed(self, start: int, end: int, chosen: Entity) -> None:
        statement = self._statement
        assert statement is not None
        name = self.state.name(chosen)
        message = f"several copies may be meant; {name} is taken, which has the fewest points"
        self._report("copy-assumed", Severity.NOTE, message, statement.span(start, end))

    def _slip(self, slip: Slip) -> None:
        statement = self._statement
        assert statement is not None
        span = statement.span(slip.start, slip.end)
        self._report(slip.rule, Severity.ERROR, slip.message, span, {}, slip.help)

    def _render(self, message: Message, values: Mapping[str, Any]) -> str:
        parts = []
        for part in message.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            try:
                parts.append(self.state.text(part.fn(self.state, values)))
            except EVALUATION_ERRORS:
                parts.append("?")
        return "".join(parts)

    def _report(
        self,
        rule: str,
        severity: Severity,
        message: str,
        span: Span,
        cite: Mapping[str, int | str] | None = None,
        help_lines: tuple[str, ...] = (),
    ) -> None:
        if self._muted:
            return
        if len(self.played.findings) >= MAX_FINDINGS:
            self.played.suppressed += 1
            return
        in_turns = self._phase == "turns"
        self.played.findings.append(
            Finding(
                rule,
                severity,
                message,
                span,
                cite or {},
                help_lines,
                self.played.rounds if in_turns else None,
                self._actor.id if self._actor is not None and (in_turns or self._phase) else None,
            )
        )


__all__ = ["Played", "Referee", "play"]
