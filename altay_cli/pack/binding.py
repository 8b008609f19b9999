"""Find the candidates of a statement: match patterns, look up names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from altay_cli.base.findings import ReadError, Text
from altay_cli.base.suggest import find_name, normal
from altay_cli.base.values import Drawn, Entity
from altay_cli.notation.tree import Item, Phrase
from altay_cli.pack.candidates import Candidate, Entries, Mistakes, player_name, slots_in, words_of
from altay_cli.pack.model import MoveDef, Pack, Pattern, Phase

UNDRAWN = "nothing is drawn here, so `=>` is out of place"

MAX_SHARED = 4_000
"""The number of wordings cached per pack."""


class Binding(NamedTuple):
    """The candidates of a statement, or the reasons why it has none.

    ``claims``: it only states a fact. ``partial``: the best candidate with unknown names.
    """

    readings: tuple[Candidate, ...]
    errors: tuple[ReadError, ...] = ()
    claims: bool = False
    partial: Candidate | None = None


_Cache = dict[tuple[int, str], tuple[Phrase, Binding]]
_Known = tuple[MoveDef, Pattern]
_Verbs = dict[str, dict[str, list[_Known]]]


def _shared_cache(pack: Pack) -> tuple[_Verbs, _Cache]:
    verbs: _Verbs = {}
    for move in (*pack.moves, *pack.claims):
        for phase in move.phases:
            table = verbs.setdefault("heading" if move.heading else phase, {})
            for pattern in move.patterns:
                table.setdefault(pattern.verb, []).append((move, pattern))
    return verbs, {}


class Binder:
    """Reads the statements of a game."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.players: dict[str, Entity] = {}
        self._player_names: dict[str, tuple[Entity, ...]] = {}
        self._entries = Entries(pack, self._player_names)
        self._cache: _Cache = {}
        self._verbs, self._shared_cache = pack.cached(_shared_cache)

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
        """Return the player of this name, or None."""
        return find_name(player_name(items), self.players)

    def order(self, phrase: Phrase, phase: Phase) -> int:
        """Return the position of a statement in its section's order."""
        return min((move.order for move, _ in self._patterns_for(phrase, phase)), default=0)

    def unread(self, phrase: Phrase, phase: Phase) -> Candidate | None:
        """Return the best candidate among moves that leave something open if unreadable."""
        known = [(move, pattern) for move, pattern in self._patterns_for(phrase, phase)]
        moves = [move for move, _ in known if move.unread]
        if not moves:
            return None
        unread = min(moves, key=lambda move: move.id)
        patterns = [pair for pair in known if pair[0] is unread]
        readings = self._read(phrase, patterns, Mistakes.REPORTED)
        return min(readings, key=lambda candidate: len(candidate.errors), default=Candidate(unread))

    def seats(self, phrase: Phrase, phase: Phase) -> bool:
        """Return True if a statement begins like one that seats a player."""
        if phrase.actor and self.player(phrase.actor) is not None:
            return False
        return any(
            (move.introduces and bool(phrase.actor)) or move.seat is not None
            for move, _ in self._patterns_for(phrase, phase)
        )

    def is_of_turn(self, phrase: Phrase, phase: Phase) -> bool:
        """Return True if the first word fits the turns, but not ``phase``."""
        return bool(self._patterns_for(phrase, "turns")) and not self._patterns_for(phrase, phase)

    def is_claim(self, phrase: Phrase) -> bool:
        """Return True if a statement begins like a claim."""
        found: Sequence[_Known] = self._verbs.get("turns", {}).get(_verb(phrase), ())
        return bool(found) and bool(found[0][0].holds)  # moves come before claims

    def closes(self, phrase: Phrase) -> bool:
        """Return True if a statement is written like a move that ends a turn."""
        return any(move.closes for move, _ in self._patterns_for(phrase, "turns"))

    def _patterns_for(self, phrase: Phrase, phase: Phase) -> Sequence[_Known]:
        found = self._verbs.get(phase, {}).get(_verb(phrase))
        return self._beginning_with_slot(phrase, phase) if found is None else found

    def _beginning_with_slot(self, phrase: Phrase, phase: Phase) -> Sequence[_Known]:
        known = self._verbs.get(phase, {}).get("", ())
        words = words_of(phrase.items) if known else ()
        return [pair for pair in known if slots_in(pair[1].parts, phrase.items, words) is not None]

    def bind(self, phrase: Phrase, phase: Phase, *, guessing: bool = True) -> Binding:
        """Find the candidates of a statement; if not ``guessing``, only those without mistakes."""
        key = (id(phrase), phase)
        cached = self._shared_cache.get(key) or self._cache.get(key)
        if cached is not None:
            return cached[1]
        known = self._patterns_for(phrase, phase)
        good = self._faultless_candidates(phrase, phase, known)
        if not (good or guessing):
            return Binding(())
        binding = Binding(tuple(good)) if good else self._bind_with_mistakes(phrase, phase, known)
        if self.is_claim(phrase):
            binding = binding._replace(claims=True)
        slots = [slot for parsed in binding.readings for slot in parsed.move.slots.values()]
        common = not binding.errors and "player" not in [slot.kind for slot in slots]
        if len(self._shared_cache) >= MAX_SHARED:
            self._shared_cache.clear()
        (self._shared_cache if common else self._cache)[key] = (phrase, binding)
        return binding

    def good(self, phrase: Phrase, phase: Phase) -> Sequence[Candidate]:
        """Return the candidates without mistakes."""
        binding = self.bind(phrase, phase, guessing=False)
        return () if binding.errors else binding.readings

    def is_formed(self, phrase: Phrase, phase: Phase) -> bool:
        """Return True if only names of a statement may be wrong."""
        return any(
            all(error.rule.startswith("unknown-") for error in parsed.errors)
            for parsed in self._read(phrase, self._patterns_for(phrase, phase), Mistakes.REPORTED)
        )

    # ------------------------------------------------------------ statements

    def _bind_with_mistakes(self, phrase: Phrase, phase: Phase, known: Sequence[_Known]) -> Binding:
        if not known:
            return Binding((), (self._unknown_verb(phrase, phase),))
        readings = self._read(phrase, known, Mistakes.GUESSED)
        if readings:
            # The guessed names of the candidate with the fewest mistakes are the nearest.
            usable = [r for r in readings if r.usable] or readings
            least = min((len(r.errors), -r.words) for r in usable)
            best = [r for r in usable if (len(r.errors), -r.words) == least]
            best.sort(key=lambda found: ([error.rule for error in found.errors], found.move.id))
            readings = best if best[0].usable else []
            return Binding(tuple(readings), tuple(best[0].errors), partial=best[0])
        if phrase.outcome is not None and phrase.items:
            # Perhaps only the outcome after `=>` is wrong.
            good = self._faultless_candidates(phrase._replace(outcome=None), phase, known)
            if good:
                start = phrase.items[-1].end
                end = phrase.outcome[-1].end if phrase.outcome else None
                fix = None if end is None else (start, end, "")
                error = ReadError("no-outcome", UNDRAWN, start, end, (), fix)
                return Binding(tuple(good), (error,))
        if phrase.outcome is not None and all(pattern.outcome is None for _, pattern in known):
            return Binding((), (ReadError("no-outcome", UNDRAWN),))
        patterns = dict.fromkeys(pattern.source for move, pattern in known if not move.fallback)
        ways = (Text("it is written: {pattern}", pattern=pattern) for pattern in patterns)
        message, verb = "this is not how `{verb}` is written", known[0][1].verb
        error = ReadError("malformed-statement", message, help_lines=tuple(ways), verb=verb)
        return Binding((), (error,))

    def _faultless_candidates(
        self, phrase: Phrase, phase: Phase, known: Sequence[_Known]
    ) -> list[Candidate]:
        good = self._read(phrase, known, Mistakes.DROPPED)
        if good or not known or not known[0][1].verb:
            return good
        known = self._beginning_with_slot(phrase, phase)
        return self._read(phrase, known, Mistakes.DROPPED)

    def _read(self, phrase: Phrase, known: Sequence[_Known], mistakes: Mistakes) -> list[Candidate]:
        readings: list[Candidate] = []
        words = words_of(phrase.items)
        for move, pattern in known:
            captured = slots_in(pattern.parts, phrase.items, words)
            if captured is None or (phrase.outcome is not None and pattern.outcome is None):
                continue
            parsed = Candidate(move, len(phrase.items) - sum(map(len, captured.values())))
            if phrase.outcome and pattern.outcome is not None:
                captured[pattern.outcome] = phrase.outcome
            elif pattern.outcome is not None:
                parsed.drawn[pattern.outcome] = Drawn(None if phrase.outcome is None else [])
            for name, items in captured.items():
                parsed.places[name] = (items[0].start, items[-1].end)
                self._entries.read(move.slots[name], items, parsed, mistakes)
                if parsed.errors and mistakes is Mistakes.DROPPED:
                    break
            else:
                parsed.complete()
                readings.append(parsed)
        return readings

    def _unknown_verb(self, phrase: Phrase, phase: Phase) -> ReadError:
        verb = _verb(phrase)
        first = phrase.items[0] if phrase.items else None
        start, end, written = (first.start, first.end, first.text) if first else (0, None, verb)
        elsewhere = sorted(p for p in self._verbs if verb in self._verbs[p] and p != "heading")
        if elsewhere:
            values = {"verb": written, "there": " or the ".join(elsewhere), "here": phase}
            message = Text("`{verb}` belongs to the {there}, not to the {here}", **values)
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


def _verb(phrase: Phrase) -> str:
    return phrase.items[0].text.casefold() if phrase.items else ""
