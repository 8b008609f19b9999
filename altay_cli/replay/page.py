"""Assemble the page in one file: data, drawings, styles and scripts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Sequence

from markupsafe import Markup

from altay_cli.checking.check import FileReport
from altay_cli.replay.game_data import ASSETS, GameData, game_documents, outlines, page_words
from altay_cli.report.html import rendered
from altay_cli.report.text import language
from altay_cli.view import watching

__all__ = ["ASSETS", "MODULES", "GameData", "page", "policy"]

MODULES = (
    "dom",
    "game",
    "things",
    "cards",
    "board",
    "maps",
    "panels",
    "moves",
    "log",
    "chart",
    "result",
    "preview",
    "main",
)
"""The scripts, each before those that import it."""

_IMPORT = re.compile(r"^import .*?;$\n?", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function|class|const)", re.MULTILINE)


def page(
    report: FileReport,
    games: Sequence[watching.Watched | None],
    *,
    viewer: str | None = None,
    version: str = "",
) -> str:
    """Return a page that plays back the games of a file.

    Raise ValueError if no game can be shown.

    viewer: the player whose knowledge the page holds; None for everything.
    version: names the state of the log, for a page that is reloaded when the log changes.
    """
    maps: list[str] = []
    documents = [d for d in game_documents(report, games, maps, viewer) if d is not None]
    if not documents:
        raise ValueError("no game of the file can be shown")
    words = page_words()
    style = "".join(
        (ASSETS / name).read_text(encoding="utf-8") for name in ("style.css", "board.css")
    )
    # Join the modules: drop imports, and the word `export`.
    modules = ((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in MODULES)
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    config = {
        "words": words,
        "count": len(documents),
        "version": version,
        "outlines": outlines(),
    }
    return rendered(
        ASSETS / "page.html",
        language=language(),
        words=words,
        policy=policy(style, script, live=bool(version)),
        title=documents[0]["title"],
        pack=documents[0]["pack"],
        names=[document["title"] for document in documents],
        count=len(documents),
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own files
        config=Markup(_json(config)),  # noqa: S704 - escaped there
        maps=[Markup(drawn) for drawn in maps],  # noqa: S704 - every text in it is escaped
        games=[_packed(document) for document in documents],
    )


def policy(style: str, script: str, *, live: bool) -> str:
    """Return the content security policy: only the page's scripts and styles run."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            *(["connect-src 'self'"] if live else []),
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(document: object) -> str:
    """Return JSON that cannot close the HTML element around it."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})


def _packed(document: object) -> str:
    """Return data as base64 of deflated JSON, which the scripts unpack."""
    # A lone surrogate, from a log that is not UTF-8, has no encoding.
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()
