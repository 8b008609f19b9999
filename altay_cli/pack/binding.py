"""From a statement to the moves that it may mean: patterns matched, names looked up.

What depends on the pack and the players alone is done here, once for each wording;
what depends on the state (which of two copies is meant) is the referee's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from altay_cli.base.findings import ReadError, Text
from altay_cli.base.suggest import normal
from altay_cli.base.values import Drawn, Entity
from altay_cli.notation import Item, Phrase
from altay_cli.pack.candidates import (
    Candidate,
    Entries,
    Mistakes,
    Understood,
    player_name,
    slots_in,
    words_of,
)
from altay_cli.pack.model import Effects, MoveDef, Pack, Pattern, Phase

UNDRAWN = "nothing is drawn here, so `=>` is out of place"
"""What is told of an arrow behind a move that draws nothing."""

MAX_SHARED = 500
"""The number of wordings cached for all games of a pack."""


class Binding(NamedTuple):
    """All readings of a statement, or why there is none.

    ``claims`` is true of a statement that only says what the state is.
    """

    readings: tuple[Candidate, ...]
    errors: tuple[ReadError, ...] = ()
    claims: bool = False


_Cache = dict[tuple[int, str], tuple[Phrase, Binding]]
_Known = tuple[MoveDef, Pattern]
_Verbs = dict[str, dict[str, list[_Known]]]


def _shared(pack: Pack) -> tuple[_Verbs, _Cache]:
    """Return what all games of a pack share: its patterns by verb, and what was read with them."""
    verbs: _Verbs = {}
    for move in (*pack.moves, *pack.claims):
        for phase in move.phases:
            table = verbs.setdefault("heading" if move.heading else phase, {})
            for pattern in move.patterns:
                table.setdefault(pattern.verb, []).append((move, pattern))
    return verbs, {}


class Binder:
    """Reads statements by the patterns of a pack; knows the players of one game."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.players: dict[str, Entity] = {}
        self._player_names: dict[str, tuple[Entity, ...]] = {}
        self._entries = Entries(pack, self._player_names)
        self._cache: _Cache = {}
        self._verbs, self._shared = pack.kept(_shared)

    def add_player(self, player: Entity) -> None:
        """Add the name of a player."""
        name = normal(player.id)
        self.players[name], self._player_names[name] = player, (player,)
        self._cache.clear()

    def keep_players(self, count: int) -> None:
        """Forget all players but the first ``count``."""
        while len(self.players) > count:
            del self._player_names[self.players.popitem()[0]]
            self._cache.clear()

    def player(self, items: Sequence[Item]) -> Entity | None:
        """Return the player that the items name."""
        return self.players.get(normal(player_name(items)))

    def order(self, phrase: Phrase, phase: Phase) -> int:
        """Return the place of a statement in the order of its section."""
        return min((move.order for move, _ in self._patterns_for(phrase, phase)), default=0)

    def unread(self, phrase: Phrase, phase: Phase) -> Effects | None:
        """Return what to carry out where a statement could not be read, if anything."""
        moves = [move for move, _ in self._patterns_for(phrase, phase) if move.unread]
        return min(moves, key=lambda move: move.id).unread if moves else None

    def seats(self, phrase: Phrase, phase: Phase) -> bool:
        """Return whether a statement begins like one that gives somebody a seat."""
        if phrase.actor and self.player(phrase.actor) is not None:
            return False
        return any(
            (move.introduces and bool(phrase.actor)) or move.seat is not None
            for move, _ in self._patterns_for(phrase, phase)
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
        return any(move.closes for move, _ in self._patterns_for(phrase, Phase.TURNS))

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
        return [one for one in known if slots_in(one[1].parts, phrase.items, words) is not None]

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
            for parsed in self._readings(phrase, known, Mistakes.TOLD)
        )

    def _remember(self, key: tuple[int, str], phrase: Phrase, binding: Binding) -> Binding:
        """Remember a binding; what names no player and has no mistake reads the same anywhere."""
        if self.is_claim(phrase):
            binding = binding._replace(claims=True)
        slots = [slot for parsed in binding.readings for slot in parsed.move.slots.values()]
        common = not binding.errors and "player" not in [slot.kind for slot in slots]
        shared = common and len(self._shared) < MAX_SHARED
        (self._shared if shared else self._cache)[key] = (phrase, binding)
        return binding

    # ------------------------------------------------------------ statements

    def _bind(self, phrase: Phrase, phase: Phase) -> Binding:
        known = self._patterns_for(phrase, phase)
        if not known:
            return Binding((), (self._unknown_verb(phrase, _verb(phrase), phase),))
        good = self._faultless(phrase, phase, known)
        if good:
            return Binding(tuple(good))
        # Only now is it worthwhile to look for what may have been meant.
        readings = self._readings(phrase, known, Mistakes.GUESSED)
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
        good = self._readings(phrase, known, Mistakes.DROPPED)
        if good or not known or not known[0][1].verb:
            return good
        known = self._beginning_with_slot(phrase, phase)
        return self._readings(phrase, known, Mistakes.DROPPED)

    def _readings(
        self, phrase: Phrase, known: Sequence[_Known], mistakes: Mistakes
    ) -> list[Candidate]:
        readings: list[Candidate] = []
        understood: Understood = {}
        words = words_of(phrase.items)
        for move, pattern in known:
            captured = slots_in(pattern.parts, phrase.items, words)
            if captured is None or (phrase.outcome is not None and pattern.outcome is None):
                continue
            parsed = self._parse(move, pattern, captured, phrase, understood, mistakes)
            if not parsed.errors or mistakes is not Mistakes.DROPPED:
                readings.append(parsed)
        return readings

    def _unknown_verb(self, phrase: Phrase, verb: str, phase: Phase) -> ReadError:
        first = phrase.items[0] if phrase.items else None
        start, end = (first.start, first.end) if first else (0, None)
        written = first.text if first else verb
        elsewhere = sorted(p for p in self._verbs if verb in self._verbs[p] and p != "heading")
        if elsewhere:
            template, there = "`{verb}` belongs to the {there}, not to the {here}", elsewhere
            message = Text(template, verb=written, there=" or the ".join(there), here=phase)
            return ReadError("statement-phase", message, start, end)
        table = self._verbs.get(phase, {})
        known = tuple(filter(None, table))
        near = self._entries.nearest(verb, known, 0.6)
        if near:
            help_lines = [Text("did you mean `{name}`?", name=near[0])]
        else:
            ways = dict.fromkeys(pattern.source for _, pattern in table.get("", ()))
            help_lines = [Text("it is written: {pattern}", pattern=pattern) for pattern in ways]
            if known or not ways:
                begin = Text("statements begin with: {words}", words=tuple(sorted(known)))
                help_lines.insert(0, begin)
        shown = written if len(written) <= 40 else written[:40] + "…"
        message = Text("no statement begins with `{word}`", word=shown)
        return ReadError("unknown-statement", message, start, end, tuple(help_lines))

    def _malformed(self, phrase: Phrase, known: Sequence[_Known]) -> ReadError:
        patterns = dict.fromkeys(pattern.source for move, pattern in known if not move.fallback)
        if phrase.outcome is not None and all(pattern.outcome is None for _, pattern in known):
            return ReadError("no-outcome", UNDRAWN)
        message = Text("this is not how `{verb}` is written", verb=known[0][1].verb)
        ways = (Text("it is written: {pattern}", pattern=pattern) for pattern in patterns)
        return ReadError("malformed-statement", message, help_lines=tuple(ways))

    def _parse(
        self,
        move: MoveDef,
        pattern: Pattern,
        captured: Mapping[str, tuple[Item, ...]],
        phrase: Phrase,
        understood: Understood,
        mistakes: Mistakes,
    ) -> Candidate:
        in_slots = sum([len(items) for items in captured.values()])
        parsed = Candidate(move, len(phrase.items) - in_slots)
        for name, items in captured.items():
            parsed.places[name] = (items[0].start, items[-1].end)
            self._entries.read(move.slots[name], items, parsed, understood, mistakes)
            if parsed.errors and mistakes is Mistakes.DROPPED:
                return parsed
        if pattern.outcome is not None:
            slot = move.slots[pattern.outcome]
            outcome = phrase.outcome
            if outcome is None:
                parsed.drawn[slot.name] = Drawn(None)
            elif outcome:
                parsed.places[slot.name] = (outcome[0].start, outcome[-1].end)
                self._entries.read(slot, outcome, parsed, understood, mistakes)
            else:
                parsed.drawn[slot.name] = Drawn([])
        return parsed


def _verb(phrase: Phrase) -> str:
    return phrase.items[0].text.casefold() if phrase.items else ""
