"""Parsers by the grammars in ``grammar/``: Lark makes them, and the cache keeps their tables."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import lark
from lark import Lark

from altay_cli.base.cache import fingerprint, load, store
from altay_cli.base.resources import data_folder


def read_grammar(name: str, **options: Any) -> Lark:
    """Return the parser for a grammar; the options are those of :class:`lark.Lark`."""
    path = data_folder("grammar") / name
    # What makes the tree is kept with the tables, by the name of its class.
    about = {**options, "transformer": type(options.get("transformer"))}
    key = fingerprint([path], "grammar", lark.__version__, str(sorted(about.items())))
    tables = load(key)
    if tables is not None:
        return Lark.load(BytesIO(tables))
    made = Lark(path.read_text(encoding="utf-8"), parser="lalr", **options)
    written = BytesIO()
    made.save(written, exclude_options=())
    store(key, written.getvalue())
    return made
