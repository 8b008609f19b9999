"""Reports for programs; the shape is documented in docs/json.md and stays."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NotRequired, TypedDict

from altay_cli.base.findings import Finding
from altay_cli.base.looks import INVISIBLE
from altay_cli.base.spans import Span
from altay_cli.checking.check import FileCheck, GameReport
from altay_cli.match.reporting import Gap
from altay_cli.scoring.outcomes import Outcome, Outcomes
from altay_cli.scoring.score import Standing


class PlaceDocument(TypedDict):
    """A place in a file: lines and columns from 1, the end not included."""

    line: int
    column: int
    end_line: int
    end_column: int


class FixDocument(PlaceDocument):
    """An edit that resolves a finding."""

    text: str
    certain: bool


class FindingDocument(PlaceDocument):
    """A finding."""

    rule: str
    severity: str
    message: str
    round: int | None
    player: str | None
    cite: dict[str, int | str]
    ruling: str | None
    help: list[str]
    fixes: list[FixDocument]


class GapDocument(TypedDict):
    """How much of a kind a player drew and nobody recorded."""

    player: str | None
    kind: str
    draws: int
    things: int


class TeamDocument(TypedDict):
    """The score of a team."""

    name: str
    players: list[str]
    total: int


class OutcomeDocument(TypedDict):
    """Possible scores, and what they assume."""

    assumed: list[str]
    scores: dict[str, dict[str, int | None]]
    winners: list[str]


class LineDocument(TypedDict):
    """A part of a score."""

    text: str
    points: int
    lost_to_cap: int
    counted: list[str]


class GameDocument(TypedDict):
    """The report of a game."""

    tags: dict[str, str | list[str]]
    verdict: str
    recorded: str
    ended: bool
    rounds: int
    moves: int
    findings: list[FindingDocument]
    scores: dict[str, dict[str, int | None]]
    rows: list[dict[str, str | int | None]]
    ranking: list[list[str]]
    winners: list[str]
    decided_by: str | None
    unrecorded: NotRequired[list[GapDocument]]
    ignored: NotRequired[int]
    by: NotRequired[str]
    losers: NotRequired[list[str]]
    teams: NotRequired[list[TeamDocument]]
    outcomes: NotRequired[list[OutcomeDocument]]
    outcomes_complete: NotRequired[bool]
    totals: NotRequired[dict[str, list[int]]]
    explain: NotRequired[dict[str, dict[str, list[LineDocument]]]]


def file_document(check: FileCheck, *, explain: bool = False) -> dict[str, object]:
    """Return the report of one file."""
    games = [game_document(game, explain=explain) for game in check.games]
    return {"path": check.path, "games": games}


def unread_documents(
    skipped: Iterable[tuple[str, str]], unreadable: Iterable[tuple[str, str]]
) -> Iterator[dict[str, object]]:
    """Give what stands for files that were left out and for those that could not be read.

    Each is given by its name, with the reason. The lists may grow until this is gone through.
    """
    for key, files in (("skipped", skipped), ("error", unreadable)):
        for path, reason in files:
            yield {"path": path, "games": [], key: reason}


def document_parts(
    files: Iterable[Mapping[str, object]],
    rest: Callable[[], Mapping[str, object]] = dict,
) -> Iterator[str]:
    """Give a JSON document of many files in parts, each of whole lines and as soon as it is known.

    No more than the text of one file is kept. All parts together are what ``dump`` makes of
    ``{"files": [...]}``, with what ``rest`` tells of all of them in the end.
    """
    last = None
    for file in files:
        yield '{\n  "files": [\n' if last is None else f"{last},\n"
        last = "    " + dump(file).replace("\n", "\n    ")
    told = "".join(
        f",\n  {dump(key)}: " + dump(value).replace("\n", "\n  ") for key, value in rest().items()
    )
    yield f'{{\n  "files": []{told}\n}}\n' if last is None else f"{last}\n  ]{told}\n}}\n"


def dump(document: object) -> str:
    """Return a document as JSON, in which nothing harms a terminal or a CI system that shows it.

    Control characters, direction marks and parts of file names that are not text are escaped, and
    so is what would be a command; for a program that reads it, nothing changes.
    """
    return _harmless(json.dumps(document, ensure_ascii=False, indent=2))


def parts(
    checks: Iterable[FileCheck],
    skipped: Iterable[tuple[str, str]],
    unreadable: Iterable[tuple[str, str]],
) -> Iterator[str]:
    """Give the report of many files as one document, in parts."""
    documents = map(file_document, checks)
    return document_parts(chain(documents, unread_documents(skipped, unreadable)))


def line(document: object) -> str:
    """Return a document as JSON in one line, as harmless as ``dump`` makes it."""
    return _harmless(json.dumps(document, ensure_ascii=False))


def _harmless(text: str) -> str:
    return _STRANGE.sub(_escaped, text)


_STRANGE = re.compile(r"[^\n\x20-\x7e]|#(?=#\w*\[)")
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    if char == "#":
        return f"\\u{ord(char):04x}"
    harmful = unicodedata.category(char) in _HARMFUL or INVISIBLE.match(char)
    return json.dumps(char)[1:-1] if harmful else char


def game_document(game: GameReport, *, explain: bool = False) -> GameDocument:
    """Return the report of one game."""
    played = game.played
    result: GameDocument = {
        "tags": dict(game.tags),
        "verdict": game.verdict.value,
        "recorded": "wholly" if game.recorded else "partly",
        "ended": played.ended if played else False,
        "rounds": played.rounds if played else 0,
        "moves": played.moves if played else 0,
        "findings": [finding_document(finding) for finding in game.findings],
        "scores": {},
        "rows": [],
        "ranking": [],
        "winners": [],
        "decided_by": None,
    }
    if played is not None and played.gaps:
        result["unrecorded"] = _unrecorded(played.gaps)
    if game.ignored:
        result["ignored"] = game.ignored
    if game.outcomes is not None:
        _add_scores(result, game.outcomes)
        if explain:
            result["explain"] = _explain(game.outcomes.first)
    return result


def _unrecorded(gaps: Sequence[Gap]) -> list[GapDocument]:
    """Return how much was not written down, by player and kind of thing."""
    found: dict[tuple[str | None, str], list[int]] = {}
    for gap in gaps:
        found.setdefault((gap.player, gap.kind), []).append(gap.things)
    return [
        {"player": player, "kind": kind, "draws": len(counts), "things": sum(counts)}
        for (player, kind), counts in found.items()
    ]


def _add_scores(result: GameDocument, found: Outcomes) -> None:
    """Add the scores, and what else they may be; what differs then is left empty."""
    standings = [outcome.standing for outcome in found.all]
    first = standings[0]
    result["scores"] = _points(first)
    result["ranking"] = [list(names) for names in first.ranking]
    result["winners"] = list(found.winners)
    result["decided_by"] = first.decided_by
    if first.by and not found.open:
        result["by"] = first.by
    if first.losers and not found.open:
        result["losers"] = list(first.losers)
    if first.teams:
        result["teams"] = [
            {"name": team.name, "players": list(team.players), "total": team.total}
            for team in first.teams
        ]
    if found.open:
        if not found.complete or any(other.ranking != first.ranking for other in standings):
            result["ranking"] = []
        if not found.complete or any(other.decided_by != first.decided_by for other in standings):
            result["decided_by"] = None
        result["outcomes"] = [_outcome(outcome) for outcome in found.all]
        if not found.complete:
            result["outcomes_complete"] = False
            if found.totals:
                result["totals"] = {name: list(both) for name, both in found.totals.items()}
    result["rows"] = _rows(result)


def _rows(result: GameDocument) -> list[dict[str, str | int | None]]:
    """Return the scores of a game as rows; ``rank`` is null where the log leaves it open."""
    ranks: dict[str, int] = {}
    for names in result["ranking"]:
        ranks.update(dict.fromkeys(names, len(ranks) + 1))
    return [
        {"player": name, "rank": ranks.get(name), **scores}
        for name, scores in result["scores"].items()
    ]


def _outcome(outcome: Outcome) -> OutcomeDocument:
    return {
        "assumed": list(outcome.assumed),
        "scores": _points(outcome.standing),
        "winners": list(outcome.standing.winners),
    }


def _points(standing: Standing) -> dict[str, dict[str, int | None]]:
    """Return the points of each player by category, and in all."""
    return {
        player.player: {
            **{one.category.id: _told(one.points, one.unrecorded) for one in player.categories},
            "total": _told(player.total, player.unrecorded),
        }
        for player in standing.players
    }


def _told(points: int, unrecorded: bool) -> int | None:
    return None if unrecorded else points


def _explain(standing: Standing) -> dict[str, dict[str, list[LineDocument]]]:
    return {
        player.player: {
            score.category.id: [
                {
                    "text": line.text,
                    "points": line.points,
                    "lost_to_cap": line.lost,
                    "counted": list(line.counted),
                }
                for line in score.lines
            ]
            for score in player.categories
        }
        for player in standing.players
    }


def place_document(span: Span) -> PlaceDocument:
    """Return a place."""
    line, column, end_line, end_column = span
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def finding_document(finding: Finding) -> FindingDocument:
    """Return one finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        **place_document(finding.span),
        "round": finding.round,
        "player": finding.player,
        "cite": dict(finding.cite),
        "ruling": finding.ruling,
        "help": list(finding.help),
        "fixes": [
            {**place_document(fix.span), "text": fix.text, "certain": fix.certain}
            for fix in finding.fixes
        ],
    }
