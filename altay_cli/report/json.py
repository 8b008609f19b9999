"""Reports for programs; the shape is documented in docs/json.md and stays."""

from __future__ import annotations

import csv
import json
import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import chain

from altay_cli.base.findings import Finding
from altay_cli.base.internal import made_of
from altay_cli.base.suggest import INVISIBLE
from altay_cli.checking.check import FileCheck, GameReport, LeftOut
from altay_cli.match.reporting import Gap
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.scoring.score import Standing


def unread_documents(skipped: LeftOut, unreadable: LeftOut) -> Iterator[dict[str, object]]:
    """Give what stands for files that were left out and for those that could not be read.

    Each is given by its name, with the reason. The lists may grow until this is gone through.
    """
    for key, files in (("skipped", skipped), ("error", unreadable)):
        for path, reason in files:
            yield {"path": path, "games": [], key: reason}


def document_parts(
    files: Iterable[Mapping[str, object]], rest: Callable[[], Mapping[str, object]] = dict
) -> Iterator[str]:
    """Give a JSON document of many files in parts, each of whole lines and as soon as it is known.

    No more than the text of one file is kept. All parts together are what ``dump`` makes of
    ``{"files": [...]}``, with what ``rest`` tells of all of them in the end.
    """
    last = ""
    for file in files:
        yield f"{last},\n" if last else '{\n  "files": [\n'
        last = textwrap.indent(dump(file), "    ")
    ending = "".join(
        f",\n  {dump(key)}: " + dump(value).replace("\n", "\n  ") for key, value in rest().items()
    )
    yield f"{last}\n  ]{ending}\n}}\n" if last else f'{{\n  "files": []{ending}\n}}\n'


def dump(document: object, indent: int | None = 2) -> str:
    """Return a document as JSON, in which nothing harms a terminal or a CI system that shows it.

    Control characters, direction marks and parts of file names that are not text are escaped, and
    so is what would be a command; for a program that reads it, nothing changes. Without ``indent``
    it is one line.
    """
    return _STRANGE.sub(_escaped, json.dumps(document, ensure_ascii=False, indent=indent))


def json_parts(
    checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut, *, explain: bool = False
) -> Iterator[str]:
    """Give the report of many files as one document, in parts."""
    document = partial(game_document, explain=explain)
    documents = (
        {"path": check.path, "games": [made_of(game, document) for game in check.games]}
        for check in checks
    )
    return document_parts(chain(documents, unread_documents(skipped, unreadable)))


def jsonl_parts(
    checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut
) -> Iterator[str]:
    """Give a line for each game, then one for each file without a report."""
    for check in checks:
        for number, game in enumerate(check.games, 1):
            about = {"path": check.path, "game": number}
            document = made_of(game, partial(game_document, related=True))
            yield dump(about | document, indent=None) + "\n"
    for unread in unread_documents(skipped, unreadable):
        yield dump({key: unread[key] for key in unread if key != "games"}, indent=None) + "\n"


_STRANGE = re.compile(r"[^\n\x20-\x7e]|#(?=#\w*\[)")
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char == "#":
        return f"\\u{ord(char):04x}"
    harmful = unicodedata.category(char) in _HARMFUL or INVISIBLE.match(char)
    return json.dumps(char)[1:-1] if harmful else char


def game_document(
    game: GameReport, *, explain: bool = False, related: bool = False
) -> dict[str, object]:
    """Return the report of one game; with ``related``, the second places of findings as well."""
    played, outcomes = game.played, game.outcomes
    return {
        "tags": dict(game.tags),
        "verdict": game.verdict.value,
        "recorded": "wholly" if game.recorded else "partly",
        "ended": played.ended if played else False,
        "rounds": played.state.round if played else 0,
        "moves": played.moves if played else 0,
        "findings": [finding_document(finding, related=related) for finding in game.findings],
        **(NO_SCORES if outcomes is None else _scores(outcomes)),
        **filled({
            "unrecorded": _unrecorded(played.gaps) if played else None,
            "ignored": game.ignored or None,
            **({} if outcomes is None else _open(outcomes)),
            "explain": _explain(outcomes.first) if explain and outcomes else None,
        }),
    }  # fmt: skip


NO_SCORES: Mapping[str, object] = {
    "scores": {}, "rows": [], "ranking": [], "winners": [], "decided_by": None,
}  # fmt: skip
"""What is told of scores where nothing can be counted."""


def filled(document: Mapping[str, object]) -> dict[str, object]:
    """Return what of a document holds something: what is None or empty is left out."""
    return {key: value for key, value in document.items() if value not in (None, [], {})}


def _unrecorded(gaps: Sequence[Gap]) -> list[dict[str, object]]:
    draws, things = Counter[tuple[str | None, str]](), Counter[tuple[str | None, str]]()
    for gap in gaps:
        draws[gap.player, gap.kind] += 1
        things[gap.player, gap.kind] += gap.things
    return [
        {"player": of[0], "kind": of[1], "draws": count, "things": things[of]}
        for of, count in draws.items()
    ]


def _scores(outcomes: Outcomes) -> dict[str, object]:
    """Return the scores, and what else they may be; what differs then is left empty."""
    first = outcomes.first
    scores, places = points_of(first), ranks(outcomes)
    same = outcomes.complete and all(
        one.standing.decided_by == first.decided_by for one in outcomes.all
    )
    return {
        "scores": scores,
        # ``rank`` is null where the log leaves it open.
        "rows": [{"player": name, "rank": places.get(name), **of} for name, of in scores.items()],
        "ranking": [list(names) for names in first.ranking] if places else [],
        "winners": list(outcomes.winners),
        "decided_by": first.decided_by if same else None,
    }


def _open(outcomes: Outcomes) -> dict[str, object]:
    """Return what some games decide besides, and what else the scores may be."""
    first = outcomes.first
    return {
        "by": first.by if first.by and not outcomes.open else None,
        "losers": [] if outcomes.open else list(first.losers),
        "teams": [
            {"name": team.name, "players": list(team.players), "total": team.total}
            for team in first.teams
        ],
        "outcomes": [
            {
                "assumed": list(one.assumed),
                "scores": points_of(one.standing),
                "winners": list(one.standing.winners),
            }
            for one in (outcomes.all if outcomes.open else ())
        ],
        "outcomes_complete": None if outcomes.complete else False,
        "totals": None if outcomes.complete else outcomes.totals,
    }


def ranks(outcomes: Outcomes) -> dict[str, int]:
    """Return the rank of each player, equals together; none where the log leaves them open."""
    first = outcomes.first
    agreed = outcomes.complete and all(o.standing.ranking == first.ranking for o in outcomes.all)
    return first.ranks if agreed else {}


def points_of(standing: Standing) -> dict[str, dict[str, int | None]]:
    """Return the points of each player by category, and in all; none that are not recorded."""
    return {
        player.player: {
            **{of.category.id: None if of.unrecorded else of.points for of in player.categories},
            "total": None if player.unrecorded else player.total,
        }
        for player in standing.players
    }


def _explain(standing: Standing) -> dict[str, object]:
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


def finding_document(finding: Finding, *, related: bool = False) -> dict[str, object]:
    """Return one finding, with its second places if these are asked for and there are any."""
    places = [{**place._asdict(), "message": text} for place, text in finding.related]
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        **finding.span._asdict(),
        "round": finding.round,
        "player": finding.player,
        "cite": dict(finding.cite),
        "ruling": finding.ruling,
        "help": list(finding.help),
        "fixes": [
            {**fix.span._asdict(), "text": fix.text, "certain": fix.certain}
            for fix in finding.fixes
        ],
        **filled({"related": places if related else None}),
    }


def score_rows(
    checks: Iterable[FileCheck], failures: list[tuple[str, str]] | None = None
) -> Iterator[str]:
    """Yield a CSV row for each player and category; what the log leaves open is empty.

    A game on which the program fails has none: its file and the message go into ``failures``.
    """
    yield _csv(("path", "game", "verdict", "ended", "player", "rank", "category", "points"))
    for check in checks:
        for number, game in enumerate(check.games, 1):
            yield from made_of(game, partial(_rows_of, check.path, number))
            if game.failed and failures is not None:
                failures.append((check.path, game.findings[0].message))


def _rows_of(path: str, number: int, game: GameReport) -> list[str]:
    """Return the CSV rows of one game."""
    if (outcomes := game.outcomes) is None:
        return []
    ended = "yes" if game.played is not None and game.played.ended else "no"
    rank = ranks(outcomes)
    return [
        _csv((path, number, game.verdict.value, ended, player, rank.get(player), category, points))
        for player, scores in points_of(outcomes.first).items()
        for category, points in scores.items()
    ]


def _csv(values: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(values)
    return text.getvalue()
