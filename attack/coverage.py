"""`python -m attack coverage`: check that every rule was seen to pass and to fail.

A rule that never failed may forbid nothing; one that never passed may forbid everything.

- A rule has *failed* if it gave a finding.
- A *requirement* has passed if its move was carried out without a violation. Moves that are never
  legal explain an error: their requirements have passed if another move with the same words was
  made.
- A *check* of a section has passed if it held; a rule of a *draw*, if cards were drawn.
- A rule that reports a message has passed if its effect ran without one.
- The rules of a *decision* have passed if the right player answered it in time; that a payment is
  unambiguous, if it was omitted with only one choice.

Passes count only in games without errors, as the state after an error is a guess. Findings of the
program (syntax, names, tags, limits) can only fail.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from altay_cli.base.catalogue import PROGRAM_RULES
from altay_cli.base.findings import Finding, Severity
from altay_cli.base.resources import data_folder
from altay_cli.checking.tags import loaded, rules_of
from altay_cli.compile.load import link_pack, variant_names
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord
from altay_cli.pack import model as m
from altay_cli.pack.candidates import on_pad
from altay_cli.repair.play import play
from altay_cli.report.text import plural
from altay_cli.scoring.claims import Claims
from attack.referenced import code_of

ROOT = Path(__file__).parents[1]
CORPUS = tuple(
    ROOT / folder
    for folder in ("tests/rules", "tests/games", "tests/variants", "tests/attack/own", "games")
)
"""Folders with logs, at any depth."""

GAME = "altay"

EXEMPT: Mapping[str, str] = {}
"""Rules that need not pass or need not fail, with the reason."""

NOT_BY_LOGS: Mapping[str, str] = {
    "internal-error": "takes a mistake of the program; see tests/attack/test_planted.py",
    "too-many-statements": "takes a log of a million statements",
    "too-many-findings": "takes a log of a thousand mistakes",
    "too-many-moves": "takes a rule with `best` and more moves than are tried; see test_best.py",
    "statement-too-long": "takes a statement of ten thousand characters",
    "badly-written": "is told before a game is played; see tests/written",
    "meant-otherwise": "as well",
    "ignore-unneeded": "is told behind a game; see tests/attack/own/ignored.agn",
    "either-meant": "is told once both meanings were tried; see tests/findings",
    "winner-open": "is told with the scores; see tests/findings",
    "move-implied": "is of other games; see tests/findings",
    "not-judged": "takes rules that tell nobody's turn, or very many outcomes",
}
"""These need a huge log or odd rules; tests cover them."""

_MARK = "\t"


class Use(NamedTuple):
    """A use of a rule: `in-hand` in `move fight`."""

    rule: str
    place: str


@dataclass
class Coverage:
    """``own`` are findings of the program, ``silent`` uses whose passing cannot be observed."""

    uses: dict[Use, None] = field(default_factory=dict)
    silent: set[Use] = field(default_factory=set)
    passed: Counter[Use] = field(default_factory=Counter)
    failed: Counter[Use] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)
    logs: int = 0
    games: int = 0
    legal: int = 0

    def rules(self) -> list[Line]:
        """Return a line for each rule, unobserved ones first, then by id."""
        lines = {use.rule: Line(use.rule, 0, 0, passes=False) for use in self.uses}
        for use in self.uses:
            line = lines[use.rule]
            lines[use.rule] = Line(
                use.rule,
                line.passed + self.passed[use],
                line.failed + self.failed[use],
                passes=line.passes or use not in self.silent,
            )
        return sorted(lines.values(), key=lambda line: (not line.gaps, line.rule))

    def gaps(self) -> list[str]:
        """Return a sentence for each missing observation."""
        found = [
            f"{line.rule} was never seen to {gap}"
            for line in self.rules()
            if line.rule not in EXEMPT
            for gap in line.gaps
        ]
        missing = sorted(set(PROGRAM_RULES) - set(self.own) - set(NOT_BY_LOGS))
        return [*found, *(f"{rule} was never seen to fail" for rule in missing)]


class Line(NamedTuple):
    """``passes``: passing can be observed."""

    rule: str
    passed: int
    failed: int
    passes: bool

    @property
    def gaps(self) -> list[str]:
        """Return the missing observations: "pass", "fail"."""
        never = [("pass", self.passes and not self.passed), ("fail", not self.failed)]
        return [word for word, missing in never if missing]


# ---------------------------------------------------------------- a pack that counts


def use_of(rule: str) -> Use | None:
    """Return the use in a finding's rule; None for a rule of the program."""
    name, mark, place = rule.partition(_MARK)
    return Use(name, place) if mark else None


class Counting:
    """A copy of a pack whose conditions count their results.

    The copy is ``pack``; its findings name the rule and its use (``use_of``).
    """

    def __init__(self, pack: m.Pack) -> None:
        self.base = pack
        self.passed: list[Use] = []
        self.uses: dict[Use, None] = {}
        self.silent: set[Use] = set()
        # By the values of a move.
        self._tried: dict[int, tuple[object, dict[object, bool]]] = {}
        # Rules of moves that are never legal, by their patterns.
        self._otherwise: dict[str, list[Use]] = {}
        self._routines: list[m.Effects] = []
        self._codes: dict[str, str] = {}
        self._watched: dict[str, object] = {}
        decisions = {ident: self._decision(entry) for ident, entry in pack.decisions.items()}
        # Fallbacks first: the other moves look them up.
        moves = {
            move.id: self._move(move)
            for move in sorted(pack.moves, key=lambda move: not move.fallback)
        }
        self.pack = replace(
            pack,
            moves=tuple(moves[move.id] for move in pack.moves),
            decisions=decisions,
            procedures={
                ident: entry._replace(does=self._routine(entry.does, f"procedure {ident}"))
                for ident, entry in pack.procedures.items()
            },
            triggers=tuple(
                entry._replace(does=self._routine(entry.does, f"trigger {entry.id}"))
                for entry in pack.triggers
            ),
            prepare=tuple(
                stage._replace(does=self._routine(stage.does, "prepare")) for stage in pack.prepare
            ),
            complete=tuple(
                stage._replace(does=self._routine(stage.does, "complete"))
                for stage in pack.complete
            ),
            checks=tuple(map(self._check, pack.checks)),
            routines=self._routines,
            codes=pack.codes | self._codes,
            constants=pack.constants | self._watched,
            makers=[],
            scorers=[],
            listing=[],
        )
        link_pack(self.pack)
        self.pack.makers.clear()  # each condition is asked by itself

    def _use(self, rule: str, place: str) -> Use:
        use, number = Use(rule, place), 1
        while use in self.uses:
            number += 1
            use = Use(rule, f"{place} ({number})")
        self.uses[use] = None
        return use

    def _text(self, text: m.RuleText, place: str) -> tuple[m.RuleText, Use]:
        use = self._use(text.rule, place)
        return text._replace(rule=_MARK.join(use)), use

    def _pass(self, uses: Iterable[Use]) -> None:
        self.passed.extend(uses)

    # ------------------------------------------------------------ moves and decisions

    def _decision(self, decision: m.Decision) -> m.Decision:
        place = f"decision {decision.id}"
        due, wrong = self._text(decision.overdue, place)[0], self._text(decision.wrong, place)[0]
        return decision._replace(overdue=due, wrong=wrong)

    def _move(self, move: m.MoveDef) -> m.MoveDef:
        place = f"move {move.id}"
        requires: list[m.Requirement] = []
        conditions: dict[int | str, Use] = {}
        answered: list[Use] = []
        for number, requirement in enumerate(move.requires):
            text, use = self._text(requirement.text, place)
            before = self._routine(requirement.before, place)
            if move.fallback:  # it explains an error if no other move fits
                for pattern in move.patterns:
                    self._otherwise.setdefault(pattern.source, []).append(use)
            else:
                conditions[number] = use
            that = self._like(requirement.that, self._trying(requirement.that, number, bool))
            requires.append(requirement._replace(text=text, before=before, that=that))
        slots = {}
        for name, slot in move.slots.items():
            slots[name] = slot
            if slot.unclear is not None and slot.infer is not None:
                text, use = self._text(slot.unclear, place)
                conditions[name] = use
                clear = self._trying(slot.infer, name, lambda choices: len(choices) == 1)
                slots[name] = slot._replace(unclear=text, infer=self._like(slot.infer, clear))
        unasked = None
        if move.unasked is not None:
            unasked, use = self._text(move.unasked, place)
            answered.append(use)
        if move.answers is not None:
            asked = f"decision {move.answers}"
            answered += [use for use in self.uses if use.place == asked]
        if not move.fallback:
            for pattern in move.patterns:
                answered += [
                    use for use in self._otherwise.get(pattern.source, ()) if use not in answered
                ]
        first = m.IfEffect(self._made(conditions, answered, len(move.requires)), (), ())
        return move._replace(
            requires=tuple(requires),
            slots=slots,
            unasked=unasked,
            does=self._routine(move.does, place, first),
            unread=self._routine(move.unread, place),
        )

    def _trying(
        self, expr: m.Expr, key: object, holds: Callable[[Any], bool]
    ) -> Callable[[Any, Any], Any]:
        """Evaluate a condition and store the last result: moves are also tried to list them."""
        function = expr.fn

        def evaluate(state: Any, values: Any) -> Any:
            result = function(state, values)
            self._tried.setdefault(id(values), (values, {}))[1][key] = holds(result)
            return result

        return evaluate

    def _made(self, conditions: Mapping[Any, Use], answered: Sequence[Use], number: int) -> m.Expr:
        """Evaluate a condition of an effect once the move's conditions have passed."""

        def reached(_state: Any, values: Any) -> bool:
            results = self._tried.get(id(values), (None, {}))[1]
            self._tried.clear()
            if all(results.get(index) for index in range(number)):
                self._pass(use for key, use in conditions.items() if results.get(key))
                self._pass(answered)
            return False

        return self._like(m.Expr("", "", frozenset()), reached, "v")

    # ------------------------------------------------------------ checks and effects

    def _like(self, expr: m.Expr, function: Callable[[Any, Any], Any], values: str = "") -> m.Expr:
        other = copy(expr)
        other.key = f"W_{len(self._watched)}"
        other.fn = function
        self._watched[other.key] = other
        self._codes[other.key] = code_of(other, other.key, values)
        return other

    def _check(self, check: m.Check) -> m.Check:
        place = f"check after {' and '.join(check.after)}"
        text, use = self._text(check.text, place)
        function = check.that.fn

        def that(state: Any, values: Any) -> Any:
            result = function(state, values)
            if result:
                self._pass([use])
            return result

        does = self._routine(check.does, place)
        return check._replace(text=text, that=self._like(check.that, that), does=does)

    def _routine(self, effects: m.Effects, place: str, *first: m.Effect) -> m.Effects:
        routine = m.Effects(
            f"d_{len(self._routines)}", (*first, *self._effects(effects.tree, place))
        )
        self._routines.append(routine)
        return routine

    def _effects(self, effects: Sequence[m.Effect], place: str) -> tuple[m.Effect, ...]:
        return tuple(self._effect(effect, place) for effect in effects)

    def _effect(self, effect: m.Effect, place: str) -> m.Effect:
        match effect:
            case m.IfEffect():
                return self._if(effect, place)
            case m.EachEffect() | m.LetEffect():
                return effect._replace(does=self._effects(effect.does, place))
            case m.DrawEffect():
                return self._draw(effect, place)
            case m.ReportEffect():
                text, use = self._text(effect.text, place)
                self.silent.add(use)
                return effect._replace(text=text)
            case _:
                return effect

    def _if(self, effect: m.IfEffect, place: str) -> m.IfEffect:
        """Count rules that report nothing because of the condition's value."""
        branches, silent = [], []
        for effects in (effect.then, effect.otherwise):
            before = set(self.uses)
            branches.append(self._effects(effects, place))
            unspoken = {use for use in set(self.uses) - before if use in self.silent}
            self.silent -= unspoken
            silent.append(unspoken)
        function = effect.condition.fn

        def condition(state: Any, values: Any) -> Any:
            result = function(state, values)
            self._pass(silent[1] if result else silent[0])
            return result

        return m.IfEffect(self._like(effect.condition, condition), *branches)

    def _draw(self, effect: m.DrawEffect, place: str) -> m.DrawEffect:
        rules, uses = {}, []
        for case, text in effect.rules.items():
            rules[case], use = self._text(text, place)
            uses.append(use)
        function = effect.seen.fn

        def seen(state: Any, values: Any) -> Any:
            drawn = function(state, values)
            if list(drawn):
                self._pass(uses)
            return drawn

        return effect._replace(rules=rules, seen=self._like(effect.seen, seen))


# ---------------------------------------------------------------- the corpus


def find_logs(paths: Iterable[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        found |= dict.fromkeys(sorted(path.rglob("*.agn")) if path.is_dir() else [path])
    return list(found)


@cache
def _shipped() -> tuple[Counting, ...]:
    folder = data_folder("rules") / GAME
    files = [(folder / "variants" / f"{name}.yaml",) for name in variant_names(GAME)]
    return tuple(Counting(loaded(GAME, variants, folder)) for variants in ((), *files))


def measure(logs: Iterable[Path]) -> Coverage:
    """Count how often each rule passes and fails, including rules that no log uses."""
    coverage = Coverage()
    counting = {id(counter.base): counter for counter in _shipped()}
    for path in logs:
        try:
            log = read_log(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            continue
        coverage.logs += 1
        coverage.own.update(finding.rule for finding in log.findings)
        for record in log.games:
            slips = any(_within(finding, record) for finding in log.findings)
            _measure_game(record, path.parent, coverage, counting, sound=not slips)
    reported: set[Use] = set()
    for counter in counting.values():
        coverage.uses |= counter.uses
        coverage.silent |= counter.silent
        reported |= counter.uses.keys() - counter.silent
    coverage.silent -= reported
    return coverage


def _within(finding: Finding, record: GameRecord) -> bool:
    return record.span.line <= finding.span.line <= record.span.end_line


def _measure_game(
    record: GameRecord,
    folder: Path,
    coverage: Coverage,
    counting: dict[int, Counting],
    *,
    sound: bool,
) -> None:
    """``sound``: the syntax is correct."""
    findings: list[Finding] = []
    rules = rules_of(record, folder, findings)
    if rules is not None and rules[0].id != GAME:  # other games have tests of their own
        return
    coverage.games += 1
    passed: Sequence[Use] = ()
    if rules is not None:
        pack, options = rules
        if id(pack) not in counting:
            counting[id(pack)] = Counting(pack)
        counter = counting[id(pack)]
        counter.passed = []
        played = play(counter.pack, options, record)
        passed = counter.passed
        findings += played.findings
        if played.abandoned:
            coverage.own["too-many-findings"] += 1
        if played.state.players or on_pad(record):
            claims = Claims(record, played)
            findings += claims.check()
            players = claims.outcomes.first.players
            if any(c.fault is not None for p in players for c in p.categories):
                coverage.own["score-failure"] += 1
    for finding in findings:
        use = use_of(finding.rule)
        if use is None:
            coverage.own[finding.rule] += 1
        else:
            coverage.failed[use] += 1
    if sound and not any(finding.severity is Severity.ERROR for finding in findings):
        coverage.legal += 1
        coverage.passed.update(passed)


# ---------------------------------------------------------------- the report


def _table(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[number]) for row in texts) for number in range(len(texts[0]))]
    for row in texts:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()


def _lines(coverage: Coverage, *, uses: bool) -> Iterator[str]:
    logs, games = plural(coverage.logs, "log"), plural(coverage.games, "game")
    yield f"{logs} with {games}, {coverage.legal} of them without errors"
    yield ""
    rows: list[tuple[object, ...]] = [("rule", "passed", "failed")]
    for line in coverage.rules():
        rows.append((line.rule, line.passed if line.passes else "-", line.failed))
        if uses:
            rows += [
                (
                    f"  {use.place}",
                    "-" if use in coverage.silent else coverage.passed[use],
                    coverage.failed[use],
                )
                for use in sorted(use for use in coverage.uses if use.rule == line.rule)
            ]
    yield from _table(rows)
    yield ""
    own = sorted(
        set(PROGRAM_RULES) | set(coverage.own), key=lambda rule: (coverage.own[rule] > 0, rule)
    )
    yield from _table([("finding of the program", "told"), *((r, coverage.own[r]) for r in own)])
    yield ""
    gaps = coverage.gaps()
    yield from gaps or ["every rule was seen to pass and to fail"]


def _document(coverage: Coverage) -> dict[str, object]:
    return {
        "logs": coverage.logs,
        "games": coverage.games,
        "legal": coverage.legal,
        "rules": [
            {
                "rule": line.rule,
                "passed": line.passed if line.passes else None,
                "failed": line.failed,
                "uses": [
                    {
                        "place": use.place,
                        "passed": None if use in coverage.silent else coverage.passed[use],
                        "failed": coverage.failed[use],
                    }
                    for use in sorted(use for use in coverage.uses if use.rule == line.rule)
                ],
            }
            for line in coverage.rules()
        ],
        "own": [
            {"rule": rule, "failed": coverage.own[rule]}
            for rule in sorted(set(PROGRAM_RULES) | set(coverage.own))
        ],
        "gaps": coverage.gaps(),
    }


@click.command("coverage")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--uses", is_flag=True, help="Count each move that asks for a rule by itself.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], uses: bool, form: str) -> None:
    """Count how often each rule passed and failed in logs.

    PATHS are logs or folders; without any, all logs of the repository. A rule passes only in games
    without errors. Exit code 1 if a rule never passed or never failed.
    """
    coverage = measure(find_logs(paths or CORPUS))
    if form == "json":
        click.echo(json.dumps(_document(coverage), indent=2, ensure_ascii=False))
    else:
        for line in _lines(coverage, uses=uses):
            click.echo(line)
    ctx.exit(1 if coverage.gaps() else 0)
