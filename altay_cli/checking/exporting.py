"""Turn recorded games into the form that converters take: moves by ids."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from altay_cli.base.findings import ImpossibleError, Span
from altay_cli.base.suggest import normal
from altay_cli.checking.check import GameReport, check_text
from altay_cli.converters.games import Done, Recorded
from altay_cli.match.match import PHASES, Match
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Log, Section, SectionKind
from altay_cli.pack.candidates import player_name


def recorded_games(text: str, folder: Path | None = None) -> Iterator[tuple[str, Recorded]]:
    """Yield each game of a log with the id of its rules.

    Raise ImpossibleError for the first game that is not legal.
    """
    matches: dict[Span, tuple[GameRecord, Match]] = {}

    def watch(record: GameRecord, match: Match) -> None:
        matches[record.span] = record, match  # the last replay of a game counts

    reports = check_text(text, folder=folder, watch=watch).games
    log = read_log(text)
    for number, report in enumerate(reports, 1):
        if not report.legal or report.span not in matches:
            message = "game {number} is not legal; `altay check` says why"
            raise ImpossibleError(message, number=number)
        record, match = matches[report.span]
        yield match.pack.id, _recorded(report, record, match, log)


def _recorded(report: GameReport, record: GameRecord, match: Match, log: Log) -> Recorded:
    players = [player.id for player in match.state.players]
    place = bisect_right([game.span for game in log.games], record.span)
    end = log.games[place].span if place < len(log.games) else None
    start = record.span if place > 1 else None
    comments = [
        (comment.line, comment.text.lstrip("#＃").strip())
        for comment in log.comments
        if (start is None or comment.span >= start) and (end is None or comment.span < end)
    ]
    position: list[Done] = []
    turns: list[tuple[int, Done]] = []
    first, rounds = players[0], 1
    headings = [section for section in record.sections if section.kind is SectionKind.TURN]
    for section in record.sections:
        if section.kind is SectionKind.POSITION:
            position += [move for _, move in _statements(section, match)]
        elif section.kind is SectionKind.TURN:
            turns += _statements(section, match)
    if headings:
        numbers = [item.text for item in headings[0].heading.items if item.kind == "number"]
        rounds = int(numbers[0]) if numbers else 1
        named = headings[0].heading.items[2:]
        player = match.binder.player(named) if named else None
        first = player.id if player is not None else first
    lines = [line for line, _ in turns]
    comments_after: dict[int, list[str]] = {}
    for line, comment in comments:
        comments_after.setdefault(bisect_right(lines, line) - 1, []).append(comment)
    standing, ended = report.standing, report.played is not None and report.played.ended
    winners = standing.winners if standing is not None and ended else ()
    return Recorded(
        tags={name: value for name, value in report.tags.items() if isinstance(value, str)},
        players=players,
        position=position,
        comments=comments_after.get(-1, ()),
        first=first,
        round=rounds,
        turns=[
            move._replace(comments=comments_after.get(number, ()))
            for number, (_, move) in enumerate(turns)
        ],
        winners=winners,
        drawn=ended and not winners,
    )


def _statements(section: Section, match: Match) -> Iterator[tuple[int, Done]]:
    for statement in section.statements:
        bound = match.binder.bind(statement.phrase, PHASES[section.kind]).readings[0]
        values = {
            name: [_id(match, bound.move.slots[name].kind, item.text) for item in written]
            for name, written in bound.slots.items()
        }
        actor = player_name(statement.actor) if statement.actor else ""
        player = match.binder.player(statement.actor) if statement.actor else None
        yield statement.line, Done(player.id if player else actor, bound.move.id, values)


def _id(match: Match, kind: str | None, text: str) -> str:
    things = match.pack.names.get(kind or "", {}).get(normal(text), ())
    return things[0].id if things else text
