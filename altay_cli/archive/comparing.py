"""Judge games under several rules, locally or on workers."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from altay_cli.archive.judging import cost, prepare, result_of, variant_names
from altay_cli.archive.sources import SourceGame
from altay_cli.archive.work import Work, Workers
from altay_cli.archive.workers import results_in_order
from altay_cli.base.findings import ImpossibleError, Text, Verdict
from altay_cli.base.internal import internal_error_line
from altay_cli.base.translations import ENGLISH, translated
from altay_cli.checking.check import CheckSettings, FileReport, GameReport, check_games
from altay_cli.report.compare import AS_PLAYED, ComparedGame, compare_lines, shift_of
from altay_cli.report.results import GameResult, Wanted


@dataclass(frozen=True)
class OtherRules:
    """A variant, by file or id, and the ids of its games."""

    variant: Path | str
    games: frozenset[str]

    def concern(self, game: GameReport) -> bool:
        """Return True if the variant applies, or the game's rules are unknown."""
        return game.played is None or game.played.state.pack.id in self.games


@dataclass(frozen=True)
class Comparison:
    """Settings of a comparison; can be pickled.

    several: rules apply only to logs of their games.
    documents: True for JSON documents, False for text.
    complete: everything must be recorded, as with the tag `Recorded`.
    """

    others: Mapping[str, OtherRules]
    several: bool
    documents: bool
    language: str = ENGLISH
    columns: int | None = None
    complete: bool = False


def compared_games(
    games: Iterable[SourceGame], how: Comparison, workers: Workers
) -> Generator[ComparedGame, None, None]:
    """Yield the comparison of each game, in order."""
    files = [
        (other.variant.parent, other.variant.name)
        for other in how.others.values()
        if isinstance(other.variant, Path)
    ]
    times = 1 + len(how.others)
    work = Work(
        partial(_compare, how),
        lambda game: times * cost(game),
        partial(_lost, how),
        variants=lambda game: chain(variant_names(game), files),
    )
    for compared in results_in_order(work, games, workers):
        yield from compared


def _compare(how: Comparison, games: Sequence[SourceGame]) -> list[list[ComparedGame]]:
    prepare(how.language, how.columns)
    return [_compared(how, game) for game in games]


def _compared(how: Comparison, game: SourceGame) -> list[ComparedGame]:
    try:
        return [*_each(how, game)]
    except ImpossibleError as error:
        return [_failed(game, str(error))]
    except Exception as error:
        return [_failed(game, internal_error_line(error))]


def _failed(game: SourceGame, reason: str) -> ComparedGame:
    played = GameResult({}, [], Verdict.NOT_JUDGED)
    return ComparedGame(game.path, game.number, played, usable=False, error=reason)


def _lost(how: Comparison, game: SourceGame) -> list[ComparedGame]:
    message = Text("the process that judged this game was ended, or ran out of memory")
    return [_failed(game, translated(how.language, message))]


def _each(how: Comparison, game: SourceGame) -> Iterator[ComparedGame]:
    def checked(*under: Path | str) -> FileReport:
        settings = CheckSettings(game.folder, under, how.language, complete=how.complete)
        check = check_games(game.text, settings, game.path, game.before)
        return FileReport(check.path, list(check.games), check.lines)

    as_played = checked()
    run = {AS_PLAYED: as_played}
    for name, other in how.others.items():
        if not how.several or any(map(other.concern, as_played.games)):
            run[name] = checked(other.variant)
    if len({len(report.games) for report in run.values()}) > 1:
        failed = [game for report in run.values() for game in report.games if game.failed]
        raise ImpossibleError(failed[0].findings[0].message)
    for index, played in enumerate(as_played.games):
        number = game.number + index
        reports = {name: report.games[index] for name, report in run.items()}
        shifts = {
            name: shift_of(played, reports[name], name)
            if name in reports and other.concern(played)
            else None
            for name, other in how.others.items()
        }
        # Findings under other rules are a result; rules that cannot be used are an error.
        unusable = any(
            report.failed or (report.played is None and played.played is not None)
            for name, report in reports.items()
            if report.failed or not how.several or shifts.get(name) is not None
        )
        documents = how.documents
        result = result_of(played, Wanted())
        result.size = 0 if index else len(game.text)
        yield ComparedGame(
            game.path,
            number,
            result,
            shifts,
            {name: report.to_dict() for name, report in reports.items()} if documents else {},
            []
            if documents or how.several
            else [*compare_lines(reports, game.path, number, as_played.lines)],
            usable=not unusable,
        )
