"""Judge games locally or on workers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from altay_cli.archive.sources import SourceGame
from altay_cli.archive.work import Work, Workers
from altay_cli.archive.workers import results_in_order
from altay_cli.base.findings import Finding, Severity, Span, Text, Verdict
from altay_cli.base.internal import RULE, build_safely, internal_error
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import CheckSettings, GameReport, check_games
from altay_cli.notation.reading import read_log
from altay_cli.pack.model import MoveDef, Pack
from altay_cli.report.results import FileResults, GameResult, Wanted
from altay_cli.report.terminal import score_lines
from altay_cli.report.text import page_columns, set_page_width, speak, speaking
from altay_cli.scoring.outcomes import ranks
from altay_cli.scoring.score import points_of

if TYPE_CHECKING:
    from altay_cli.archive.rows import Observer

# Estimated seconds per game and per character, for the size of batches.
SECONDS_A_GAME = 0.005
SECONDS_A_CHARACTER = 0.000_005


class Judgement(NamedTuple):
    """Settings for judging; can be pickled.

    columns: width of score sheets; None for no limit.
    complete: everything must be recorded, as with the tag `Recorded`.
    """

    wanted: Wanted
    language: str = ENGLISH
    columns: int | None = None
    complete: bool = False


def file_results(
    games: Iterable[SourceGame],
    how: Judgement,
    workers: Workers,
    record: Recording | None = None,
) -> Generator[FileResults, None, None]:
    """Yield the results of each file, in order; iterating a file judges its games.

    ``record`` stores results, or returns those stored earlier.
    """
    work = Work(partial(judge, how), cost, partial(_lost, how), variants=variant_names)
    judged = partial(results_in_order, work, workers=workers)
    results = judged(games) if record is None else record(games, judged)
    ahead = next(results, None)
    while ahead is not None:
        file, ahead = _OneFile(ahead, results), None
        yield FileResults(file.path, file)
        ahead = file.following()


class UnitResult(NamedTuple):
    """The results of one text, which nearly always is one game."""

    path: str
    number: int
    games: Sequence[GameResult]

    def begins(self, other: UnitResult) -> bool:
        """Return True if ``other``, the next result, begins another file."""
        return self.path != other.path or other.number <= self.number


Judge = Callable[[Iterable[SourceGame]], Iterator[UnitResult]]
"""Returns the result of each text, in order."""

Recording = Callable[[Iterable[SourceGame], Judge], Iterator[UnitResult]]
"""Also stores the results."""


class _OneFile:
    """The games of one file, up to the first result of the next file."""

    def __init__(self, first: UnitResult, results: Iterator[UnitResult]) -> None:
        self.path = first.path
        self._next: UnitResult | None = first
        self._results = results
        self._games = self._iterate()

    def __iter__(self) -> Iterator[GameResult]:
        return self._games

    def _iterate(self) -> Iterator[GameResult]:
        last = self._next
        number = 1 if last is None else last.number
        while last is not None:
            for game in last.games:
                game.number, number = number, number + 1
                yield game
            self._next = next(self._results, None)
            if self._next is not None and last.begins(self._next):
                return
            last = self._next

    def following(self) -> UnitResult | None:
        """Return the first result of the next file."""
        for _ in self._games:
            pass
        return self._next


def judge(how: Judgement, games: Sequence[SourceGame]) -> list[UnitResult]:
    """Judge texts; runs on a worker."""
    prepare(how.language, how.columns)
    return [_unit_result(how, game) for game in games]


def prepare(language: str, columns: int | None) -> None:
    """Set the language and line width of this process."""
    if page_columns() != columns:
        set_page_width(columns)
    speak(language)


def _unit_result(how: Judgement, game: SourceGame) -> UnitResult:
    try:
        return UnitResult(game.path, game.number, list(_results(how, game)))
    except Exception as error:
        return _not_judged(how, game, internal_error(error, _start_of(game)))


def _results(how: Judgement, game: SourceGame) -> Iterator[GameResult]:
    observer = None
    if how.wanted.tables:
        from altay_cli.archive.rows import Observer  # few runs write tables

        observer = Observer()
    settings = CheckSettings(
        game.folder,
        language=how.language,
        complete=how.complete,
        watch=None if observer is None else observer.watch,
    )
    start, size = perf_counter(), len(game.text)
    check = check_games(game.text, settings, game.path, game.before)
    for report in check.games:
        make = partial(result_of, wanted=how.wanted, lines=check.lines, observer=observer)
        result = build_safely(report, make)
        now = perf_counter()
        result.seconds, start = now - start, now
        result.size, size = size, 0
        yield result


def result_of(
    report: GameReport,
    wanted: Wanted,
    lines: Sequence[str] = (),
    observer: Observer | None = None,
) -> GameResult:
    """Return the parts of a game's report that were asked for.

    ``lines`` are those of its file. ``observer`` watched the game if table rows are needed.
    """
    findings, outcomes, played = report.findings, report.outcomes, report.played
    pack = played.state.pack if played is not None else None
    ids = {finding.rule for finding in findings}
    result = GameResult(
        report.tags,
        findings,
        report.verdict,
        report.recorded,
        report.title,
        report.language,
        report.span,
        report.ignored,
        lines={
            place.line: lines[place.line - 1]
            for finding in findings
            for place in (finding.span, *(span for span, _ in finding.related))
            if 0 < place.line <= len(lines)
        },
        ended=played is not None and played.ended,
    )
    if wanted.rules:
        from altay_cli.report.rulebook import about  # few reports explain rules

        with speaking(wanted.rules):
            result.rules = {rule: about(pack, rule) for rule in ids}
    if wanted.groups and pack is not None:
        groups = pack.cached(_groups_of)
        result.groups = {rule: groups[rule] for rule in ids if rule in groups}
        result.known = pack.cached(_selectable)
    if wanted.details:
        result.details = {**report.to_dict(explain=wanted.explain), "findings": []}
    if outcomes is not None:
        rank = ranks(outcomes)
        points = points_of(outcomes.first)
        result.points = [(name, rank.get(name), scores) for name, scores in points.items()]
    if observer is not None:
        result.rows = observer.rows_of(report, changes=wanted.changes)
    if wanted.sheet:
        result.sheet = list(score_lines(report, explain=wanted.explain))
    return result


def _groups_of(pack: Pack) -> dict[str, frozenset[str]]:
    return {
        rule: frozenset(
            name for move in pack.moves if move.title in dict(uses) for name in _names_of(move)
        )
        for rule, uses in pack.rules.items()
    }


def _selectable(pack: Pack) -> frozenset[str]:
    return frozenset(chain(pack.rules, *map(_names_of, pack.moves)))


def _names_of(move: MoveDef) -> list[str]:
    return [move.id, *filter(None, (pattern.verb for pattern in move.patterns))]


def cost(game: SourceGame) -> float:
    """Estimate the seconds for judging a game."""
    return SECONDS_A_GAME + SECONDS_A_CHARACTER * len(game.text)


def variant_names(game: SourceGame) -> Iterator[tuple[Path, str]]:
    """Yield the variant files that a game's tags name, with their folder."""
    last = max(map(game.text.rfind, (".yaml", ".yml")))
    if game.folder is None or last < 0:
        return
    end = game.text.find("\n", last)
    for record in read_log(game.text if end < 0 else game.text[:end]).games:
        for tag in record.tags:
            if tag.name.casefold() == "variant" and tag.value.endswith((".yaml", ".yml")):
                yield game.folder, tag.value


def _lost(how: Judgement, game: SourceGame) -> UnitResult:
    message = Text("the process that judged this game was ended, or ran out of memory")
    return _not_judged(how, game, Finding(RULE, Severity.ERROR, message, _start_of(game)))


def _not_judged(how: Judgement, game: SourceGame, finding: Finding) -> UnitResult:
    result = GameResult({}, [], Verdict.NOT_JUDGED, language=how.language)
    result.replace_by(finding)
    if how.wanted.tables:
        from altay_cli.archive.rows import rows_of_lost  # as above

        result.rows = rows_of_lost(result.findings[0])
    return UnitResult(game.path, game.number, [result])


def _start_of(game: SourceGame) -> Span:
    return Span(game.before + 1, 1, game.before + 1, 1)
