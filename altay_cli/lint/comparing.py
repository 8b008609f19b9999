"""Compare the games of rules with those of the rules that they change, for what makes no sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from altay_cli.base.findings import Text
from altay_cli.base.values import Entity
from altay_cli.lint import limits
from altay_cli.lint.observations import (
    APART,
    AT_END,
    BETWEEN,
    LOST,
    SOME,
    TO_ACTIVE,
    TO_OTHERS,
    WITHIN,
    Observations,
    Worth,
    zones_of,
)
from altay_cli.lint.playtests import Key, Playtests, Traced
from altay_cli.pack.model import Category, Pack, Zone
from altay_cli.pack.words import words_of
from altay_cli.simulation.simulated import Playout
from altay_cli.simulation.tally import Estimate, mean, proportion

SHORT = 10
"""Games that surely take this many times fewer rounds are reported."""

POINTS = frozenset({"categories", "numbers", "functions", "entities", "kinds", "scoring"})
"""Sections of the rules that make points; others only decide how often there are some."""
GIVING = frozenset({"categories", "moves", "procedures", "triggers"})
"""Sections of the rules that say who gets points."""
ENDS = frozenset({"outcome", "triggers", "status"})
"""Sections of the rules that say when a game ends."""


@dataclass(frozen=True, slots=True)
class PairedPlay:
    """Rules, what their games showed, and the sections of the rules that changed."""

    base: Pack
    pack: Pack
    before: Playtests
    after: Playtests
    sections: Set[str]

    @property
    def games(self) -> int:
        """How many games ended."""
        return len(self.after.ended_games)

    def lost(self, games: int | None = None) -> list[Key]:
        """Return moves and things of both rules that are no longer legal, beyond chance."""
        # Removed parts of the game are not lost.
        moves = {move.id for move in self.pack.moves}
        things = {"", *self.pack.shown.get("en", {}).values()}
        there = (key for key in self.before.legal if key[0] in moves and key[2] in things)
        return [key for key in there if is_lost(key, self.before, self.after, games)]

    def name(self, thing: Entity) -> str:
        """Return the English name of a thing."""
        return words_of(self.pack, "en").name(thing)

    def new_things(self) -> Iterator[Entity]:
        """Yield the things that only the changed rules have."""
        for kind, things in self.pack.entities.items():
            known = {thing.id for thing in self.base.entities.get(kind, ())}
            yield from (t for t in things if t.id not in known and t.parent is None)


def senseless(pair: PairedPlay) -> Iterator[Traced]:
    """Yield what games show to make no sense, the surest first."""
    yield from _undone_ends(pair)
    yield from _first_round(pair)
    if pair.games >= limits.ENOUGH_GAMES:
        yield from _worthless(pair)
        yield from _shared(pair)
        yield from _by_seat(pair)
        yield from _to_others(pair)
        yield from _idle_ties(pair)
        yield from _empty_formulas(pair)
        yield from _never_offered(pair)
        yield from _never_had(pair)
        yield from _never_decided(pair)


def is_gone(times: int, games: int, now: int) -> bool:
    """Return True if what happened in some of ``games`` cannot be missing ``now`` by chance."""
    return bool((1 - proportion(times, games).low) ** now < limits.ACCIDENT)


def is_lost(key: Key, before: Playtests, after: Playtests, games: int | None = None) -> bool:
    """Return True if a move is no longer legal, beyond chance.

    games: how many games without it there would be, if not those that were played.
    """
    number = len(after.outcomes) if games is None else games
    if key in after.legal or number < limits.FEW_GAMES or len(before.outcomes) < limits.FEW_GAMES:
        return False
    # Late moves do not occur in short games.
    enough = limits.EARLY * after.rounds().value
    known = sum(round_ <= enough for round_ in before.legal[key].values())
    return bool((1 - known / (len(before.outcomes) + 1)) ** number < limits.ACCIDENT)


def _undone_ends(pair: PairedPlay) -> Iterator[Traced]:
    if pair.after.course.undone and not pair.before.course.undone:
        message = Text(
            "the last round is announced, and then it is not the last: the end is undone"
        )
        advice = "no effect may withdraw the last round once it is announced"
        yield Traced("play-end-undone", message, (advice,), pair.after.course.undone)


def _first_round(pair: PairedPlay) -> Iterator[Traced]:
    ended = pair.after.ended_games
    usual = mean(outcome.rounds or 0 for outcome in pair.before.outcomes)
    if len(ended) < limits.FEW_GAMES or len(ended) < len(pair.after.outcomes) or usual.low <= 2:
        return
    now = pair.after.rounds()
    help_line = Text("without the variant they take {rounds}", rounds=f"{usual.value:.1f}")
    if all((outcome.rounds or 0) <= 1 for outcome in ended):
        message = Text("all of {games} games ended in the first round", games=len(ended))
        yield Traced("play-short", message, (help_line,), _shortest(ended))
    elif SHORT * now.high < usual.low:
        message = Text("games take {rounds} rounds on average", rounds=f"{now.value:.1f}")
        yield Traced("play-short", message, (help_line,), _shortest(ended))


# ---------------------------------------------------------------- scores


def is_changed(pair: PairedPlay, category: Category) -> bool:
    """Return True if a category is new, or what makes its points may have changed."""
    known = {known.id for known in pair.base.categories}
    return category.id not in known or not POINTS.isdisjoint(pair.sections)


def _worthless(pair: PairedPlay) -> Iterator[Traced]:
    for category in pair.pack.categories:
        for worth in ((category.id, ""), (category.id, "each")):
            if not is_changed(pair, category) or pair.after.course.of(worth, AT_END, SOME):
                continue
            if why := _why_worthless(pair, category, worth):
                template = "`{category}` was worth 0 for every player in all {games} games"
                message = Text(template, category=category.title, games=pair.games)
                log = _shortest(pair.after.ended_games)
                yield Traced("play-worthless", message, why, log, category.id)
                break


def _why_worthless(pair: PairedPlay, category: Category, worth: Worth) -> tuple[str, ...]:
    """Return why it is no accident that a category is never worth anything; empty if it may be."""
    before, after = pair.before.course, pair.after.course
    games, some = before.of(worth, AT_END), before.of(worth, AT_END, SOME)
    if games:
        template = "without the variant it was worth something in {count} of {games} games"
        gone = is_gone(some, games, after.of(worth, AT_END))
        return (Text(template, count=some, games=games),) if gone else ()
    if worth[1] or after.of(worth, AT_END) < limits.ENOUGH_GAMES:
        return ()
    between, moments = after.of(worth, BETWEEN, SOME), after.of(worth, BETWEEN)
    within = after.of(worth, WITHIN, SOME)
    if not between and moments >= limits.ENOUGH_MOMENTS and within >= limits.ENOUGH:
        return ("it was worth something within turns, but never when a round had ended",)
    if 2 * between > moments >= limits.ENOUGH_MOMENTS:
        return ("it was worth something during the games, but never at their end",)
    read = zones_of(category)
    if read and moments >= limits.ENOUGH_MOMENTS and read.isdisjoint(after.changing):
        named = tuple(f"`{pair.pack.zones[index].name}`" for index in sorted(read))
        return (Text("nothing that it counts ever changed: {zones}", zones=named),)
    return ()


def _shared(pair: PairedPlay) -> Iterator[Traced]:
    for category in pair.pack.categories:
        worth, after, before = (category.id, ""), pair.after.course, pair.before.course
        games, apart = before.of(worth, AT_END), before.of(worth, AT_END, APART)
        now = after.of(worth, AT_END)
        is_shared = not (after.of(worth, AT_END, APART) or after.of(worth, BETWEEN, APART))
        is_worth = 2 * after.of(worth, AT_END, SOME) > now
        is_new = not games and after.of(worth, BETWEEN) >= limits.ENOUGH_MOMENTS
        is_news = is_new or (games > 0 and is_gone(apart, games, now))
        if is_shared and is_worth and is_news and is_changed(pair, category):
            template = "`{category}` was worth the same for all players in all {games} games"
            message = Text(template, category=category.title, games=now)
            advice = "it decides nothing; points of a player depend on `me`"
            log = _shortest(pair.after.ended_games)
            yield Traced("play-same-for-all", message, (advice,), log, category.id)


def is_by_seat(pair: PairedPlay, category: Category) -> bool:
    """Return True if a new category reads what changes, and gives each seat the same in all games.

    Points of a seat for its place at the table are a handicap, and read nothing.
    """
    course = pair.after.course
    is_new = category.id not in {known.id for known in pair.base.categories}
    points = course.seated.get(category.id, ())
    apart = course.of((category.id, ""), AT_END, APART)
    is_read = not zones_of(category).isdisjoint(course.changing)
    return is_new and bool(apart) and is_read and len(points) == 1


def _by_seat(pair: PairedPlay) -> Iterator[Traced]:
    for category in pair.pack.categories:
        games = pair.after.course.of((category.id, ""), AT_END)
        if games >= limits.ENOUGH_GAMES and is_by_seat(pair, category):
            template = "`{category}` gave each seat the same points in all {games} games: {points}"
            ((*points,),) = pair.after.course.seated[category.id]
            values = {"category": category.title, "games": games}
            message = Text(template, points=tuple(map(str, points)), **values)
            advice = "it depends on the seat alone; points of a player depend on what `me` has done"
            log = _shortest(pair.after.ended_games)
            yield Traced("play-seat", message, (advice,), log, category.id)


def others_share(course: Observations, category: Category) -> Estimate:
    """Return which share of the gains in a category went to others than whose turn it was."""
    own, others = (course.gains[category.id, whom] for whom in (TO_ACTIVE, TO_OTHERS))
    return proportion(others, own + others)


def is_for_others(pair: PairedPlay, category: Category) -> bool:
    """Return True if mostly the player whose turn it was gained points, and now others do.

    Where that player loses some instead, the fewest points may win.
    """
    usual, now = (others_share(played.course, category) for played in (pair.before, pair.after))
    is_lost = pair.after.course.gains[category.id, LOST] > 0
    is_given = not GIVING.isdisjoint(pair.sections)
    return is_given and not is_lost and usual.high < 1 / 2 < now.low


def _to_others(pair: PairedPlay) -> Iterator[Traced]:
    for category in pair.pack.categories:
        if is_for_others(pair, category):
            usual, now = (others_share(p.course, category) for p in (pair.before, pair.after))
            template = "{others} of {gains} times, `{category}` gave points to players out of turn"
            values = {"gains": now.n, "others": round(now.value * now.n)}
            message = Text(template, category=category.title, **values)
            template = "without the variant, it was {share} of the times"
            why = Text(template, share=f"{usual.value:.0%}")
            log = _shortest(pair.after.ended_games)
            yield Traced("play-wrong-player", message, (why,), log, category.id)


def _idle_ties(pair: PairedPlay) -> Iterator[Traced]:
    """Yield new tie-breakers that are the same for all players at the end of all games."""
    scored = {category.id for category in pair.pack.categories if category.counts}
    for ident in pair.pack.ties:
        worth = (ident, "")
        games = pair.after.course.of(worth, AT_END)
        is_known = ident in pair.base.ties or ident in scored - {c.id for c in pair.base.categories}
        if is_known or games < limits.ENOUGH_GAMES:
            continue
        if not (pair.after.course.of(worth, AT_END, APART)):
            template = (
                "`{category}` breaks no tie: it was the same for all players in {games} games"
            )
            title = next(c.title for c in pair.pack.categories if c.id == ident)
            message = Text(template, category=title, games=games)
            log = _shortest(pair.after.ended_games)
            yield Traced("play-same-for-all", message, (), log, ident)


def new_fields(pair: PairedPlay) -> list[Worth]:
    """Return the formulas of things, by thing and field, that only the changed rules have."""
    known = {thing.id for things in pair.base.entities.values() for thing in things}
    before = {worth for worth, _, _ in pair.before.course.counts}
    after = {worth for worth, _, _ in pair.after.course.counts}
    things = {thing.id for things in pair.pack.entities.values() for thing in things}
    of_things = (worth for worth in sorted(after) if worth[0] in things and worth[1])
    return [worth for worth in of_things if worth[0] not in known or worth not in before]


def _empty_formulas(pair: PairedPlay) -> Iterator[Traced]:
    course = pair.after.course
    things = {thing.id: thing for things in pair.pack.entities.values() for thing in things}
    for worth in new_fields(pair):
        seen = course.of(worth, BETWEEN) + course.of(worth, AT_END)
        some = course.of(worth, BETWEEN, SOME) + course.of(worth, AT_END, SOME)
        if not some and seen >= limits.ENOUGH_MOMENTS:
            template = "`{field}` of {name} never counted anything, in {games} games"
            name = pair.name(things[worth[0]])
            message = Text(template, field=worth[1], name=name, games=pair.games)
            log = _shortest(pair.after.ended_games)
            yield Traced("play-worthless", message, (), log, worth[0])


# ---------------------------------------------------------------- things


def _never_offered(pair: PairedPlay) -> Iterator[Traced]:
    """Yield new things that no move could name, although it could name all others of their kind."""
    games = len(pair.after.outcomes)
    for thing in pair.new_things():
        name = pair.name(thing)
        others = {
            pair.name(other) for other in pair.pack.entities[thing.kind] if other is not thing
        }
        for move, slot, shares in offers(pair.after, others):
            if len(shares) < limits.ENOUGH // 2 or (move, slot, name) in pair.after.legal:
                continue
            if is_gone(min(shares), games, games):
                template = "`{move}` was never legal with {names} in {games} games"
                message = Text(template, move=move, names=(name,), games=games)
                least = Text("with each of {count} others it was", count=len(shares))
                log = _shortest(pair.after.ended_games)
                yield Traced("play-never", message, (least,), log, thing.id, (name,))
                break


def not_had(pair: PairedPlay, games: int) -> list[tuple[Entity, Zone, int]]:
    """Return what players no longer have after ``games``, beyond chance.

    Each thing with the zone, and in how many games it was there before.
    """
    zones = {zone.name: zone for zone in pair.pack.zones if zone.per[:1] == ("player",)}
    things = {thing.id: thing for ts in pair.pack.entities.values() for thing in ts}
    missing = []
    for (ident, index), count in pair.before.course.places.items():
        zone, thing = zones.get(pair.base.zones[index].name), things.get(ident)
        if zone is None or thing is None or pair.after.course.places[ident, zone.index]:
            continue
        if is_gone(count, pair.before.course.games, games):
            missing.append((thing, zone, count))
    return missing


def _never_had(pair: PairedPlay) -> Iterator[Traced]:
    """Yield a thing of the game that players no longer get, where they still get others."""
    games = len(pair.after.outcomes)
    had = {(thing, zone) for thing, zone in pair.after.course.places}
    for thing, zone, count in not_had(pair, games):
        others = [other.id for other in pair.pack.entities[thing.kind] if other is not thing]
        if any((other, zone.index) in had for other in others):
            template = "{name} never came to `{zone}` in {games} games"
            message = Text(
                template, name=pair.name(thing), zone=zone.title or zone.name, games=games
            )
            template = "without the variant it did, in {count} of {games} games"
            usual = Text(template, count=count, games=pair.before.course.games)
            log = _shortest(pair.after.ended_games)
            yield Traced("play-never", message, (usual,), log, thing.id, (pair.name(thing),))
            return


def offers(played: Playtests, names: Set[str]) -> Iterator[tuple[str, str, list[int]]]:
    """Yield moves and slots with the number of games where they took some of the things."""
    shares: dict[tuple[str, str], list[int]] = {}
    for (move, slot, name), games in played.legal.items():
        if name in names:
            shares.setdefault((move, slot), []).append(len(games))
    for (move, slot), counts in shares.items():
        yield move, slot, counts


# ---------------------------------------------------------------- ends


def unusual_ends(pair: PairedPlay, games: int) -> list[tuple[str, int]]:
    """Return the usual ends that would surely be missing if ``games`` ended in other ways.

    Each with the number of games before that ended so; "" is any end with a winner.
    """
    before, after = pair.before.ended_games, pair.after.ended_games
    decided = sum(map(_has_winner, before))
    if not any(map(_has_winner, after)):
        return [("", decided)] if is_gone(decided, len(before), games) else []
    if not ENDS.isdisjoint(pair.sections):
        return []
    ends, reasons = {outcome.end for outcome in after}, _reasons(pair)
    counts = Counter(outcome.end for outcome in before)
    return [
        (end, count)
        for end, count in counts.items()
        if end not in ends and end in reasons and is_gone(count, len(before), games)
    ]


def _never_decided(pair: PairedPlay) -> Iterator[Traced]:
    before, after = pair.before.ended_games, pair.after.ended_games
    for end, count in unusual_ends(pair, len(after)):
        if end:
            template = "none of {games} games ended by {reason}"
            message = Text(template, games=len(after), reason=end)
            usual = Text(
                "without the variant, {count} of {games} did", count=count, games=len(before)
            )
        else:
            message = Text("none of {games} games had a winner", games=len(after))
            template = "without the variant, {count} of {games} had one"
            usual = Text(template, count=count, games=len(before))
        yield Traced("play-undecided", message, (usual,), _shortest(after))


def _has_winner(outcome: Playout) -> bool:
    return any(side.share == 1.0 for side in outcome.sides)


def _reasons(pair: PairedPlay) -> Set[str]:
    """Return the reasons to end a game that are written in both rules."""
    texts = [{ending.by.source for ending in pack.endings} for pack in (pair.base, pair.pack)]
    titles = [{str(t.title) for t in (*p.triggers, *p.watches)} for p in (pair.base, pair.pack)]
    return (texts[0] & texts[1]) | (titles[0] & titles[1])


def _shortest(outcomes: Sequence[Playout]) -> str:
    return min((outcome.log or "" for outcome in outcomes), key=len, default="")
