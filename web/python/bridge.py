"""Answer the requests of the page with the reports of the program, as JSON.

`src/protocol.ts` lists the requests. Nothing here knows a rule or counts a point.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from sheet import game_document

from altay_cli.base.internal import build_safely
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import check_text
from altay_cli.checking.pad import categories, log_text
from altay_cli.notation.lexis import Comment, cut_statements, is_tag, split_lines
from altay_cli.notation.parser import terminals_of
from altay_cli.notation.reading import read_log
from altay_cli.report.text import speaking

if TYPE_CHECKING:
    from altay_cli.view.explaining import Explanations

NAME = "log.agn"
"""The name by which the log is reported."""

AROUND = 40
"""Lines before and after an explained one that are judged with it."""

SAMPLES = Path(__file__).with_name("samples.json")
"""Logs to look at, by game; `build.py` makes it."""

_LINE_END = re.compile(r"\r\n|\r|\n")

_folder: list[tempfile.TemporaryDirectory[str]] = []

Request = Mapping[str, Any]


def answer(call: str) -> str:
    """Return the JSON document that answers a call, which is JSON too.

    Raise ValueError for a call that `protocol.ts` does not know.
    """
    asked = json.loads(call)
    request: Request = asked["request"]
    respond = ANSWERS.get(request["kind"])
    if respond is None:
        raise ValueError(f"there is no request {request['kind']!r}")
    language = asked.get("language", ENGLISH)
    with speaking(language):
        return json.dumps(respond(request, language), ensure_ascii=False)


def prepare() -> None:
    """Make the first check as quick as later ones: parse a statement, read the catalogues."""
    list(tokens("turn 1 A"))


def _check(request: Request, language: str) -> object:
    folder = table_folder(request.get("files"))
    report = check_text(request["text"], NAME, folder, language=language)
    games = [build_safely(game, game_document) for game in report.games]
    return {"files": [{"path": NAME, "games": games}]}


def _replay(request: Request, language: str) -> object:
    from altay_cli.replay.game_data import game_documents, outlines, page_words
    from altay_cli.view.watching import watch_text

    folder = table_folder(request.get("files"))
    report, games = watch_text(request["text"], NAME, folder, language=language)
    maps: list[str] = []
    documents = game_documents(report, games, maps)
    config = {"words": page_words(), "count": len(documents), "version": "", "outlines": outlines()}
    return {"games": documents, "maps": maps, "config": config}


def _complete(request: Request, language: str) -> object:
    from altay_cli.checking.errors import GameError, IllegalMove
    from altay_cli.checking.opening import open_game
    from altay_cli.report.moves import moves_document

    line, text = request["line"], request["text"]
    at = f"{line}:{request['column']}"
    folder, number = table_folder(request.get("files")), _game_at(text, line)
    try:
        game = open_game(text, at, game=number, folder=folder, language=language)
        return moves_document(game, NAME)
    except (GameError, IllegalMove) as error:
        found = [finding.to_dict() for finding in error.findings]
        document = {"path": NAME, "moves": [], "complete": False}
        return {**document, "error": str(error), "findings": found}


def _game_at(text: str, line: int) -> int:
    begins = [record.span.line for record in read_log(text).games]
    return max(bisect_right(begins, line), 1)


def _why(request: Request, language: str) -> object:
    from altay_cli.view.explaining import Explanations

    text, folder = request["text"], table_folder(request.get("files"))
    key = text, folder, language
    if key not in _explanations:
        _explanations.clear()
        _explanations[key] = Explanations(text, folder=folder, language=language, around=AROUND)
    return _explanations[key].of_line(request["line"])


_explanations: dict[tuple[str, Path, str], Explanations] = {}
"""Those of the last text that was explained: the cursor goes from line to line."""


def _games(_request: Request, language: str) -> object:
    from altay_cli.compile.load import pack_names

    samples = json.loads(SAMPLES.read_text("utf-8")) if SAMPLES.is_file() else {}
    return {"games": [_game(name, language, samples.get(name, [])) for name in pack_names()]}


def _game(name: str, language: str, samples: Sequence[object]) -> dict[str, object]:
    form: Any = categories(name, language=language)
    return {
        **form,
        "id": name,
        "seats": {part: form["players"][part] for part in ("least", "most")},
        "samples": samples,
    }


def _pad(request: Request, _language: str) -> object:
    players = [(column["player"], column["points"]) for column in request["points"]]
    return {"text": log_text(request["game"], players, request["tags"].items())}


def _tokens(request: Request, _language: str) -> object:
    text: str = request["text"]
    return list(tokens(text))


def tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and terminal of each piece of a log; offsets count UTF-16 code units."""
    lines, at = split_lines(text), _utf16(text)
    starts = [int(text.startswith("\ufeff")), *(end.end() for end in _LINE_END.finditer(text))]
    for piece in cut_statements(lines):
        inside = [piece] if isinstance(piece, Comment) else [*piece.comments]
        spans = [(c.span.line, c.column, len(c.text), "COMMENT") for c in inside]
        if not isinstance(piece, Comment) and piece.text is not None:
            for name, start, end in terminals_of(
                piece.text, "tag" if is_tag(piece, lines) else "line"
            ):
                place = piece.place(start, end)
                # A comma at the end of a line takes comments in.
                length = 1 if name == "COMMA" else end - start
                spans.append((place.line, place.column, length, name))
        for line, column, length, name in sorted(spans):
            start = starts[line - 1] + column - 1
            yield at(start), at(start + length), name


def _utf16(text: str) -> Callable[[int], int]:
    """Return a function from offsets in code points to offsets in UTF-16 code units."""
    wide = [place for place, char in enumerate(text) if char > "\uffff"]
    return (
        (lambda offset: offset + bisect_right(wide, offset - 1)) if wide else lambda offset: offset
    )


def _rules(request: Request, language: str) -> object:
    """Run `altay rules check` in a folder with the file."""
    name = _plain_name(request["name"])
    folder = table_folder({**request.get("files", {}), name: request["text"]})
    return command(
        "rules", "check", name, "--format", "json", "-j", "1", "--lang", language, at=folder
    )


def command(*words: str, at: Path) -> object:
    """Return the JSON document that a command prints, run in a folder.

    Raise ValueError if it prints none.
    """
    from altay_cli.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with (
        contextlib.chdir(at),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.suppress(SystemExit),
    ):
        main([*words])
    printed, errors = (_written(stream) for stream in (out, err))
    if not printed.strip():
        raise ValueError(errors.strip())
    return json.loads(printed)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]


# ---------------------------------------------------------------- files beside the log


def table_folder(files: Mapping[str, str] | None) -> Path:
    """Return a folder with these files; another for other contents, as rules are kept by path."""
    if not _folder:
        _folder.append(tempfile.TemporaryDirectory(prefix="altay-page-"))
    digest = blake2b(json.dumps(files or {}, sort_keys=True).encode(), digest_size=8).hexdigest()
    top = Path(_folder[0].name)
    folder = top / digest
    if not folder.exists():
        folder.mkdir(parents=True)  # a snapshot of memory has no folders
        for other in top.iterdir():
            if other != folder:
                rmtree(other)
        for name, text in (files or {}).items():
            path = folder / _plain_name(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return folder


def _plain_name(name: str) -> str:
    """Return a name that stays within its folder; raise ValueError for any other."""
    path = PurePosixPath(name)
    if not name or "\0" in name or "\\" in name or path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{name[:60]!r} is not the name of a file beside the log")
    return str(path)


ANSWERS: dict[str, Callable[[Request, str], object]] = {
    "check": _check,
    "replay": _replay,
    "complete": _complete,
    "tokens": _tokens,
    "why": _why,
    "games": _games,
    "pad": _pad,
    "rules": _rules,
}
"""By kind of request: the function that answers it, given the request and the language."""
