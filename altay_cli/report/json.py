"""Write reports in the stable format of docs/json.md."""

from __future__ import annotations

import csv
import json
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from io import StringIO
from itertools import chain

from altay_cli.base.internal import build_safely
from altay_cli.base.suggest import INVISIBLE
from altay_cli.checking.check import LeftOut
from altay_cli.report.results import FileResults, GameResult
from altay_cli.report.tables import Rows, names


def unread_documents(skipped: LeftOut, unreadable: LeftOut) -> Iterator[dict[str, object]]:
    """Yield name and reason for each file that could not be read.

    The lists may grow during the iteration.
    """
    for key, files in (("skipped", skipped), ("error", unreadable)):
        for path, reason in files:
            yield {"path": path, "games": [], key: reason}


def document_parts(
    files: Iterable[Mapping[str, object]], rest: Callable[[], Mapping[str, object]] = dict
) -> Iterator[str]:
    """Yield a JSON document of many files in parts; only one file is in memory.

    ``rest`` returns fields for the end.
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
    """Return JSON that is safe to show in terminals and CI systems."""
    return _STRANGE.sub(_escaped, json.dumps(document, ensure_ascii=False, indent=indent))


def json_parts(
    files: Iterable[FileResults], skipped: LeftOut, unreadable: LeftOut
) -> Iterator[str]:
    """Yield the report of many files as one JSON document."""
    documents = (
        {"path": file.path, "games": [build_safely(game, result_document) for game in file.games]}
        for file in files
    )
    return document_parts(chain(documents, unread_documents(skipped, unreadable)))


def jsonl_parts(
    files: Iterable[FileResults], skipped: LeftOut, unreadable: LeftOut
) -> Iterator[str]:
    """Yield a line for each game, then one for each file without a report."""
    for file in files:
        for game in file.games:
            where = {"path": file.path, "game": game.number}
            document = build_safely(game, partial(result_document, related=True))
            if game.rows:
                document["tables"] = table_documents(game.rows)
            yield dump(where | document, indent=None) + "\n"
    for unread in unread_documents(skipped, unreadable):
        yield dump({key: unread[key] for key in unread if key != "games"}, indent=None) + "\n"


def result_document(game: GameResult, *, related: bool = False) -> dict[str, object]:
    """Return the report of a game; ``related`` adds related places of findings."""
    findings = [finding.to_dict(related=related) for finding in game.findings]
    return {**game.details, "findings": findings}


def table_documents(rows: Rows) -> dict[str, list[dict[str, object]]]:
    """Return the rows of a game by table, without values that its document has."""
    return {
        table: [dict(zip(_columns_of(table), row, strict=True)) for row in listed]
        for table, listed in rows.items()
    }


def _columns_of(table: str) -> list[str]:
    outside = {"game_id", "path", "number", "line", "key"} if table == "games" else {"game_id"}
    return [name for name in names(table) if name not in outside]


_STRANGE = re.compile(r"[^\n\x20-\x7e]|#(?=#\w*\[)")
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char == "#":
        return f"\\u{ord(char):04x}"
    harmful = unicodedata.category(char) in _HARMFUL or char in INVISIBLE
    return json.dumps(char)[1:-1] if harmful else char


def csv_parts(
    files: Iterable[FileResults], failures: list[tuple[str, str]] | None = None
) -> Iterator[str]:
    """Yield a CSV row for each player and category; unrecorded values are empty.

    A game with an internal error goes to ``failures``: its file and the message.
    """
    yield _csv(("path", "game", "verdict", "ended", "player", "rank", "category", "points"))
    for file in files:
        for game in file.games:
            yield from build_safely(game, partial(_rows_of, file.path))
            if game.failed and failures is not None:
                failures.append((file.path, game.findings[0].message))


def _rows_of(path: str, game: GameResult) -> list[str]:
    about = path, game.number, game.verdict.value, "yes" if game.ended else "no"
    return [
        _csv((*about, player, rank, category, points))
        for player, rank, scores in game.points
        for category, points in scores.items()
    ]


def _csv(values: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(values)
    return text.getvalue()
