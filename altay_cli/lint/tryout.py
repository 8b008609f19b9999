"""Try out house rules: play short games with and without them, and compare.

Only findings beyond chance are reported.
"""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from altay_cli.base.cache import fingerprint, load, store
from altay_cli.base.findings import START, PackError, Span, Text, has_template
from altay_cli.base.resources import pack_folder
from altay_cli.checking.tags import loaded
from altay_cli.compile.load import pack_key
from altay_cli.lint import limits
from altay_cli.lint.comparing import PairedPlay, is_lost, senseless
from altay_cli.lint.confirming import confirmed
from altay_cli.lint.gains import GAINS
from altay_cli.lint.implied import implied_requirements, needless_changes, unreached_effects
from altay_cli.lint.playtests import Forbidden, Playtests, Quotas, RequirementTests, Traced
from altay_cli.lint.reduced import (
    blamed,
    cause,
    changes_of,
    game_plan,
    idle_changes,
    likely_causes,
)
from altay_cli.lint.stopping import is_settled
from altay_cli.pack.model import Pack
from altay_cli.pack.terms import NOTHING
from altay_cli.simulation.planning import rules_for
from altay_cli.simulation.simulated import (
    ENDED,
    GREEDY,
    NOT_SET_UP,
    RANDOM,
    UNFINISHED,
    Playout,
    PlayPlan,
    playout,
)
from altay_cli.source import limits as source_limits
from altay_cli.source.folder import Variant, read_folder

FIRST_GAMES = 8
"""How many games are played before workers get the others."""


@dataclass(frozen=True, slots=True)
class TryOut:
    """Observations with and without variants (``before`` is None for a game alone).

    ``lost`` and ``gained`` are sentences about what became illegal or legal. ``unbroken`` are
    requirements that always held, with the number of tests; ``unused`` new moves never made.
    """

    before: Playtests | None
    after: Playtests
    players: int
    found: tuple[Traced, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    unbroken: tuple[tuple[str, int], ...] = ()
    unused: tuple[tuple[str, str], ...] = ()

    def document(self) -> dict[str, object]:
        """Return the results as JSON data."""
        return {
            "players": self.players,
            "before": None if self.before is None else self.before.document(),
            "after": self.after.document(),
            "lost": list(self.lost),
            "gained": list(self.gained),
            "unbroken": [{"rule": rule, "asked": asked} for rule, asked in self.unbroken],
            "unused": [{"policy": policy, "move": move} for policy, move in self.unused],
        }


Plans = tuple[PlayPlan, PlayPlan | None]
"""How to play by rules with and without variants."""


def plans(folder: Path, variants: Sequence[Path], applied: Sequence[Variant]) -> Plans | None:
    """Return how to play by rules with and without variants; None if impossible.

    As many play by both as the fewest for whom both are. ``applied`` are these variants and those
    that they extend. Playing needs the name of a game, a default setup, and variants of one folder.
    """
    shipped = (folder / "variants").resolve()
    local = [path for path in variants if not path.resolve().is_relative_to(shipped)]
    outside = {path.resolve() for path in local}
    folders = {path.parent for path in outside}
    if len(folders) > 1 or folder.resolve() != pack_folder(folder.name).resolve():
        return None
    tags = tuple(("Variant", path.name if path in local else path.stem) for path in variants)
    try:
        pack = loaded(folder.name, tuple(variants), folder)
    except PackError:
        return None
    if not pack.opening:
        return None
    most = limits.MAX_ROUNDS, limits.MAX_MOVES
    beside = next(iter(folders), None)
    plan = PlayPlan(
        folder.name, pack.least, (GREEDY,), 1, tags, beside, *most, steps=limits.PLAYED_STEPS
    )
    if not variants:
        return plan, None
    below = {ident for variant in applied if variant.path in outside for ident in variant.ancestors}
    inside = [
        variant
        for variant in applied
        if variant.path.is_relative_to(shipped) and variant.id in below
    ]
    base = replace(
        plan, tags=tuple(("Variant", variant.path.stem) for variant in inside), folder=None
    )
    game = rules_for(base)
    players = max(pack.least, game.least)
    if players > min(pack.most, game.most):
        return plan, None
    return replace(plan, players=players), replace(base, players=players)


def plans_by_players(both: Plans) -> list[Plans]:
    """Return ``both`` and, if a variant changes how many can play, the plans for other numbers."""
    plan, base = both
    changed, game = rules_for(plan), rules_for(replace(plan, tags=(), folder=None))
    if (changed.least, changed.most) == (game.least, game.most):
        return [both]
    numbers = range(changed.least, changed.most + 1)[: limits.MAX_SIZES]
    others = []
    for number in (number for number in numbers if number != plan.players):
        comparable = base is not None and game.least <= number <= game.most
        without = replace(base, players=number) if base is not None and comparable else None
        others.append((replace(plan, players=number), without))
    return [both, *others]


def place(folder: Path, variants: Sequence[Variant], shown: Traced) -> tuple[str, Span]:
    """Return the place in the rules to report for a problem found by playing.

    In a variant: the change that is proved or most likely to be its cause, else the head of the
    file.
    """
    if not variants:
        tree = read_folder(folder)
        for section in ("moves", "triggers", "decisions", "categories"):
            if shown.about in tree.data.get(section, {}):
                return tree.locate((section, shown.about), "key")
        return f"{folder.name}/game.yaml", START
    change = blamed(variants, shown)
    return change.place() if change is not None else variants[-1].source.where(("variant",))


def try_out(
    plan: PlayPlan,
    base: PlayPlan | None,
    games: int,
    steps: float = limits.PLAYED_STEPS,
    progress: Callable[[], None] = lambda: None,
    share: Share | None = None,
    variants: Sequence[Variant] = (),
    *,
    play_all: bool = False,
    data: Mapping[str, Any] = NOTHING,
) -> TryOut:
    """Play games by each plan within ``steps``; ``variants`` are what the base lacks.

    data: the rules of the game as they are written.

    By the changed rules only as many as answer what is open, unless ``play_all``.
    """
    if base is None:
        after = play(plan, games, steps, progress, share)
        # A seat that wins far more than its share needs many games to be proven.
        return TryOut(None, after, plan.players, (*after.found(), *_ends(None, after)), (), ())
    before = _cached_play(base, games, steps, progress, share)
    rules = rules_for(base)
    changed = rules_for(plan)
    sections = {change.section for change in changes_of(plan, variants)}

    def is_enough(played: Playtests) -> bool:
        number = len(played.outcomes)
        shown = PairedPlay(rules, changed, before, played, sections)
        least = games if play_all else max(FIRST_GAMES, games // 4)
        return number >= least and is_settled(shown, games)

    after = play(plan, games, steps, progress, share, is_enough)
    pair = PairedPlay(rules, changed, before, after, sections)
    # Where games stop early, some moves had no chance to become legal.
    halts = [intended_halt(halt, rules, after) for halt in after.halts.values()]
    stuck = any(not halt.is_note for halt in halts)
    broken = bool(stuck or after.failures or not after.ended_games)
    lost = [] if broken else pair.lost()
    asked = RequirementTests(rules, changed, {key: before.examples[key] for key in lost})
    if not broken and (lost or asked.new or asked.added):
        for number, style in enumerate((GREEDY, RANDOM, GREEDY), 1):
            playout(replace(plan, policies=(style,), max_moves=plan.max_moves // 5), number, asked)
    forbidden = asked.forbidden(lost)
    forbidden = forbidden_at_any_table(forbidden, plan, changed)
    findings = [
        *(shown for shown in after.found(before) if shown.rule != "play-stuck"),
        *(halt for halt in halts if not halt.is_note),
        *_ends(before, after),
        *_length(before, after),
        *_unfair_seats(before, after),
        *_no_longer_legal(forbidden, asked, before, after),
    ]
    if not (broken or findings):
        changes = changes_of(plan, variants)
        rare = confirmed(pair, plan, asked, changes, variants)
        idle = idle_changes(plan, variants, changed, after, data)
        findings += islice(_gains(asked), 1)
        implied = implied_requirements(plan, variants, asked)
        needless = needless_changes(plan, variants, changed, after.outcomes, asked)
        unreached = unreached_effects(plan, variants, changed, after.outcomes)
        senses = chain(senseless(pair), idle, rare, implied, needless, unreached)
        findings += islice(senses, 1)
    findings += (halt for halt in halts if halt.is_note)
    findings = [_with_cause(shown, plan, variants, before, rules) for shown in findings]
    template = "`{move}` was never legal before and now is"
    new = [k for k in after.legal if not (k[1] or broken) and is_lost(k, after, before)]
    gained = tuple(Text(template, move=move) for move, _, _ in new)
    lost_sentences = tuple(_lost_sentences(forbidden))
    unbroken = tuple((rule, times) for (_, rule), times in asked.always(True))
    unused = tuple(_unused(asked, after))
    return TryOut(
        before, after, plan.players, tuple(findings), lost_sentences, gained, unbroken, unused
    )


def intended_halt(halt: Traced, base: Pack, after: Playtests) -> Traced:
    """Return a halt, as a note if few games come to it, at a decision of the base."""
    games, ended = len(after.outcomes), len(after.ended_games)
    decisions = {move.answers for move in base.moves if move.answers}
    if halt.about not in decisions or 2 * ended < games or not halt.forbidden_by:
        return halt
    known = set(base.rules)
    new = tuple(f"`{rule}`" for rule in halt.forbidden_by if rule not in known)
    old = tuple(f"`{rule}`" for rule in halt.forbidden_by if rule in known)
    template = "{count} of {games} games ended all the same"
    often = Text(template, count=ended, games=games)
    advice = Text("let {old} allow for {new}, or add another answer", old=old, new=new)
    return halt._replace(help=(*halt.help, often, *([advice] if old and new else [])), is_note=True)


def forbidden_at_any_table(forbidden: Forbidden, plan: PlayPlan, pack: Pack) -> Forbidden:
    """Return the moves that are forbidden with the most players too, by rule."""
    if not forbidden or pack.most == plan.players:
        return forbidden
    larger = play(replace(plan, players=pack.most), limits.FEW_GAMES)
    left = {
        rule: [key for key in keys if key not in larger.legal] for rule, keys in forbidden.items()
    }
    return {rule: keys for rule, keys in left.items() if keys}


def _with_cause(
    shown: Traced, plan: PlayPlan, variants: Sequence[Variant], before: Playtests, base: Pack
) -> Traced:
    """Add the change without which games do not show a problem, unless it is plain."""
    changes = changes_of(plan, variants)
    if len(changes) < 2 or likely_causes(variants, shown):
        return shown

    def has(other: PlayPlan) -> bool:
        after = play(other, limits.ENOUGH_GAMES)
        pair = PairedPlay(
            base, rules_for(other), before, after, {change.section for change in changes}
        )
        found = [*after.found(before), *_ends(before, after), *_length(before, after)]
        found += [*_unfair_seats(before, after), *senseless(pair)]
        lost = {key[0] for key in pair.lost()}
        return shown.about in lost or any(other.rule == shown.rule for other in found)

    return shown._replace(cause=cause(plan, variants, changes, has))


def play(
    plan: PlayPlan,
    games: int,
    steps: float = inf,
    progress: Callable[[], None] = lambda: None,
    share: Share | None = None,
    is_enough: Callable[[Playtests], bool] = lambda _: False,
) -> Playtests:
    """Play games within ``steps``, or until they are enough.

    Those that ``share`` hands out count as well.
    """
    left = steps
    played = Playtests()
    with closing(_outcomes(plan, games, played, share)) as outcomes:
        for outcome in outcomes:
            greedy = played.style == GREEDY
            if greedy or outcome.ended or not has_template(outcome.end, *UNFINISHED):
                played.outcomes.append(outcome)
            progress()
            left -= outcome.steps
            is_proof = played.ended_games or len(played.outcomes) >= limits.FEW_GAMES
            too_many = left < 0 and ((left < -steps and is_proof) or not played.is_strange())
            if too_many or outcome.steps >= plan.steps or is_enough(played):
                break
    return played


class PlannedGame(NamedTuple):
    """A game to be played, and the quotas used by earlier games."""

    number: int
    quotas: Quotas


class ObservedGame(NamedTuple):
    """A played game; both fields are None if its worker died."""

    outcome: Playout | None
    tests: Playtests | None


Share = Callable[
    [Callable[[Sequence[PlannedGame]], list[ObservedGame]], Iterable[PlannedGame]],
    Generator[ObservedGame, None, None],
]
"""Hands a function and items to workers; yields results in order."""


def _outcomes(
    plan: PlayPlan, games: int, played: Playtests, share: Share | None
) -> Generator[Playout, None, None]:
    # The first games use up most quotas.
    first = games if share is None else min(games, FIRST_GAMES)
    for number in range(1, first + 1):
        yield _observed(plan, number, played)
    if share is None:
        return
    sent: deque[PlannedGame] = deque()

    def asked() -> Iterator[PlannedGame]:
        for number in range(first + 1, games + 1):
            sent.append(PlannedGame(number, played.quotas()))
            yield sent[-1]

    with closing(share(partial(_play_apart, plan), asked())) as shared:
        for outcome, tests in shared:
            number, quotas = sent.popleft()
            if outcome is None or tests is None:
                played.number, played.style = number, GREEDY
                yield Playout(number, False, ENDED)
            elif played.absorb(tests, quotas):
                played.number, played.style = tests.number, tests.style
                yield outcome
            else:
                yield _observed(plan, number, played)


def _play_apart(plan: PlayPlan, games: Sequence[PlannedGame]) -> list[ObservedGame]:
    seen = []
    for number, quotas in games:
        tests = Playtests.after(quotas)
        seen.append(ObservedGame(_observed(plan, number, tests), tests))
    return seen


def _observed(plan: PlayPlan, number: int, played: Playtests) -> Playout:
    bounded = game_plan(plan, number)
    played.number, played.style = number, bounded.policies[0]
    played.course.begin()
    return playout(bounded, number, played)


def _cached_play(
    base: PlayPlan, games: int, steps: float, progress: Callable[[], None], share: Share | None
) -> Playtests:
    """Play games by shipped rules; results are cached until those change."""
    folder = pack_folder(base.pack)
    variants = [folder / "variants" / f"{name}.yaml" for _, name in base.tags]
    key = fingerprint((), pack_key(folder, variants), f"{base} {games} {steps}")
    data = load(key)
    # Safe to unpickle: the cache returns only data that it stored.
    cached = None if data is None else pickle.loads(data)  # noqa: S301
    if isinstance(cached, Playtests):
        for _ in range(games):
            progress()
        return cached
    played = play(base, games, 3 * steps, progress, share)
    for outcome in played.outcomes:
        outcome.log = None
    if not played.lost:
        store(key, pickle.dumps(played))
    return played


def _no_longer_legal(
    forbidden: Forbidden, asked: RequirementTests, before: Playtests, after: Playtests
) -> Iterator[Traced]:
    help_line = Text("without the variant it was, in {games} games", games=len(before.outcomes))
    new = {requirement.text.rule for _, requirement in asked.new}
    # What new requirements forbid comes first: the rest may follow from it.
    for (move, rule), lost in sorted(forbidden.items(), key=lambda item: item[0][1] not in new):
        named = tuple(thing for _, _, thing in lost if thing)
        template = (
            "`{move}` was never legal with {names} in {games} games"
            if named
            else "`{move}` was never legal in {games} games"
        )
        template += _FORBIDDEN if rule else ""
        message = Text(template, move=move, names=named, games=len(after.outcomes), rule=rule)
        log = next((asked.logs[key] for key in lost if key in asked.logs), "")
        yield Traced("play-never", message, (help_line,), log, move, named, (rule,) if rule else ())


def _gains(asked: RequirementTests) -> Iterator[Traced]:
    for moves, log in asked.gains.found.items():
        template = "{moves} can be made again and again, and gain something for nothing"
        message = Text(template, moves=tuple(f"`{move}`" for move in moves))
        why = Text("a player gained {count} times on end, and gave nothing", count=GAINS)
        yield Traced("play-gain", message, (why,), log, moves[0])
    for move, log in asked.gains.idle.items():
        message = Text("players can make `{move}` for ever: the game need not end", move=move)
        same = "afterwards the game is in the same state as before"
        yield Traced("play-endless", message, (same,), log, move)


def _unused(asked: RequirementTests, after: Playtests) -> list[tuple[str, str]]:
    legal = [move for move in asked.added if (move, "", "") in after.legal]
    styles = sorted({style for style, _ in after.made_by})
    return [(style, move) for move in legal for style in styles if not after.made_by[style, move]]


_FORBIDDEN = ": `{rule}` forbids it"


def _lost_sentences(forbidden: Forbidden) -> Iterator[str]:
    for (move, rule), lost in forbidden.items():
        names = tuple(thing for _, _, thing in lost if thing)
        template = "`{move}` with {names} was legal before and is not any more"
        if not names:
            template = "`{move}` was legal before and is not any more"
        elif len(names) > source_limits.MAX_NAMES:
            template = "`{move}` with {names} and others was legal before and is not any more"
        template += _FORBIDDEN if rule else ""
        yield Text(template, move=move, names=names[: source_limits.MAX_NAMES], rule=rule)


def _ends(before: Playtests | None, after: Playtests) -> Iterator[Traced]:
    games = len(after.outcomes)
    known = len(before.outcomes) if before is not None else 0
    usual = before is None or 5 * len(before.ended_games) >= 4 * known >= 4 * limits.FEW_GAMES
    explained = after.halts or after.failures or after.unscored
    broken = next((o.end for o in after.outcomes if has_template(o.end, NOT_SET_UP)), None)
    if broken is not None:
        reason = broken.values["reason"]
        yield Traced("play-failure", Text("the setup of a game fails: {reason}", reason=reason))
    elif games >= limits.FEW_GAMES and usual and not (after.ended_games or explained):
        ends = Counter(outcome.end for outcome in after.outcomes).most_common(1)[0][0]
        message = Text("none of {games} games came to its end: {reason}", games=games, reason=ends)
        template = "without the variant, {count} of {games} did"
        help_lines = (
            [] if before is None else [Text(template, count=len(before.ended_games), games=known)]
        )
        log = min((o.log or "" for o in after.outcomes), key=len)
        played = log.partition("\nresult")[0].rstrip("\n") + "\n"
        yield Traced("play-never-over", message, tuple(help_lines), played)


def _length(before: Playtests, after: Playtests) -> Iterator[Traced]:
    now, usual = after.rounds(), before.rounds()
    are_longer = now.low > limits.LONG * usual.high
    if are_longer and min(len(after.ended_games), len(before.ended_games)) >= limits.FEW_GAMES:
        message = Text("games take {rounds} rounds on average", rounds=f"{now.value:.1f}")
        help_line = Text("without the variant they take {rounds}", rounds=f"{usual.value:.1f}")
        log = max((o.log or "" for o in after.ended_games), key=len)
        yield Traced("play-long", message, (help_line,), log)


def _unfair_seats(before: Playtests, after: Playtests) -> Iterator[Traced]:
    for seat, (share, earlier) in enumerate(zip(after.seats(), before.seats(), strict=False)):
        fair = 1 / len(after.seats())
        most = max(fair + 2 * limits.UNFAIR, earlier.value + limits.UNFAIR)
        if len(after.ended_games) >= 2 * limits.FEW_GAMES and share.low > most:
            won = round(share.value * share.n, 1)
            template = "the player of seat {seat} won {won} of {games} games"
            message = Text(template, seat=seat + 1, won=f"{won:g}", games=share.n)
            low, high, usual = (f"{rate:.0%}" for rate in (share.low, share.high, earlier.value))
            template = "in 19 of 20 cases, its share is {low} to {high}"
            template += "; without the variant it won {share}"
            help_line = Text(template, low=low, high=high, share=usual)
            won_by = [o.log for o in after.ended_games if o.log and o.sides[seat].share == 1.0]
            yield Traced("play-seat", message, (help_line,), min(won_by, key=len, default=""))
