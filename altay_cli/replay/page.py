"""The page: data, drawings, styles and scripts put together in one file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from altay_cli.base.translations import template
from altay_cli.checking.check import FileReport
from altay_cli.replay.tables import GameData
from altay_cli.report.html import rendered
from altay_cli.report.maps import OUTLINES
from altay_cli.report.text import language
from altay_cli.view.watching import Watched

ASSETS = Path(__file__).parent / "assets"
MODULES = ("dom", "game", "things", "panels", "log", "chart", "main")
"""The scripts, each before those that need it."""

_IMPORT = re.compile(r"^import .*?;$\n?", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function|class|const)", re.MULTILINE)


def page(
    report: FileReport,
    games: Sequence[Watched | None],
    *,
    viewer: str | None = None,
    version: str = "",
) -> str:
    """Return a page on which the games of a file can be played back.

    ``viewer`` is the player whose knowledge the page holds; None for everything. ``version`` names
    what the page was made from, for one that is made anew when the log changes.

    Raises:
        ValueError: if no game can be shown.

    """
    from markupsafe import Markup

    maps: list[str] = []
    documents = [
        GameData(game, watched, maps, viewer).document()
        for game, watched in zip(report.games, games, strict=True)
        if watched is not None and (viewer is None or viewer in watched.stage.players)
    ]
    if not documents:
        raise ValueError("no game of the file can be shown")
    words = _words()
    style, script = (ASSETS / "style.css").read_text(encoding="utf-8"), _script()
    config = {
        "words": words,
        "count": len(documents),
        "version": version,
        "outlines": {shape: list(corners) for shape, corners in OUTLINES.items()},
    }
    return rendered(
        ASSETS / "page.html",
        language=language(),
        words=words,
        policy=policy(style, script, watching=bool(version)),
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


def policy(style: str, script: str, *, watching: bool) -> str:
    """Return the content security policy: what stands in the page runs, and nothing else."""
    sources = [
        "default-src 'none'",
        f"script-src '{_hash(script)}'",
        f"style-src '{_hash(style)}'",
        "img-src data:",
        *(["connect-src 'self'"] if watching else []),
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(sources)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(document: object) -> str:
    """Return JSON that is safe inside an HTML element: nothing in it closes the element."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _packed(document: object) -> str:
    """Return data as text that scripts unpack: deflated JSON in base64."""
    # A surrogate that stands alone is not text; it comes from a log that is not UTF-8.
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()


def _words() -> dict[str, str]:
    """Return the words of the page by the keys of its scripts; some have places, as templates."""
    english: dict[str, str] = json.loads((ASSETS / "words.json").read_text(encoding="utf-8"))
    return {key: template(language(), text, "page") for key, text in english.items()}


@cache
def _script() -> str:
    """Return all modules as one: their imports left out, their exports plain."""
    modules = ((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in MODULES)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
