"""Make parsers from the files in ``grammar/``, with Lark."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import lark
from lark import Lark

from altay_cli.base.cache import fingerprint, load, provided, store
from altay_cli.base.resources import data_folder


def read_grammar(name: str, **options: Any) -> Lark:
    """Return the Lark parser for a file in ``grammar/``; options as for ``lark.Lark``."""
    tables = provided(f"grammar {name}")
    if tables is not None:
        return Lark.load(BytesIO(tables))
    path = data_folder("grammar") / name
    # The saved tables include the transformer.
    about = {**options, "transformer": type(options.get("transformer"))}
    key = fingerprint([path], "grammar", lark.__version__, str(sorted(about.items())))
    tables = load(key)
    if tables is not None:
        return Lark.load(BytesIO(tables))
    made = Lark(path.read_text(encoding="utf-8"), parser="lalr", **options)
    store(key, saved(made))
    return made


def saved(parser: Lark) -> bytes:
    """Return the tables of a parser, from which ``read_grammar`` restores it."""
    written = BytesIO()
    parser.save(written, exclude_options=())
    return written.getvalue()
