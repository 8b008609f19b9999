"""Translations that translate nothing: of a sentence, or into a language, that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from altay_cli.base.findings import Finding
from altay_cli.base.resources import FRAMES
from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text
from altay_cli.source.document import DataFinding, DataPath
from altay_cli.source.folder import Tree, read_source, walk

_WORDS = re.compile(r"""\bwords\(\s*(?P<quote>['"])(.*?)(?P=quote)""")
"""A text that an expression gives to be translated, in either kind of quotes."""

_OF_THE_PROGRAM = frozenset({"nothing", "yes", "no"})
"""What the program itself says of the values of expressions."""


def texts(tree: Tree, folder: Path) -> Iterator[DataFinding]:
    """Yield what is wrong with the texts of the rules in ``folder``, or of variants over them.

    With variants, their own texts only: what they take out of the rules leaves texts behind.
    """
    if tree.variants and not any("texts" in layer.data for layer in tree.layers):
        return
    sections: dict[str, dict[str, str]] = tree.data.get("texts", {})
    layers = {layer.root.text: layer for layer in tree.layers}
    origin = {
        (language, english): layers.get(tree.placed(("texts", language, english)).text)
        for language, table in sections.items()
        for english in table
    }
    varied = {key: variant for key, variant in origin.items() if variant}
    rules = {key: value for key, value in tree.data.items() if key != "texts"}
    known = {*_all_texts(rules), *rules.get("groups", ()), *_OF_THE_PROGRAM}
    languages = {*tree.data.get("names", {}), *(lang for lang, _ in origin.keys() - varied.keys())}
    others: frozenset[str] | None = None
    for (language, english), variant in (varied if tree.variants else origin).items():
        path: DataPath = ("texts", language, english)
        if language not in languages:
            languages.add(language)
            message: str = Text(
                "no other part of the rules is in a language `{language}`", language=language
            )
            yield DataFinding("unknown-language", message, path[:2], mark="key")
        if english in known or tree.where(path)[0].startswith(f"{FRAMES}/"):
            continue  # a frame also says what a game does not take over from it
        if variant:
            # What it brings, even if a variant that extends it takes that out again.
            there = _all_texts(variant.data)
        else:
            # The files of a game translate the variants that come with it.
            others = _of_variants(folder) if others is None else others
            there = others
        if english not in there:
            near = suggest(english, known)
            help_lines = (Text("did you mean: {text}", text=near[0]),) if near else ()
            message = "no rule says this in English, so the translation is never used"
            yield DataFinding("unknown-text", message, path, help_lines, mark="key")


def _all_texts(data: object) -> frozenset[str]:
    """Return every text in data, and those that expressions in it join."""
    strings = [value for _, value in walk(data) if isinstance(value, str)]
    return frozenset([*strings, *(word for text in strings for _, word in _WORDS.findall(text))])


def _of_variants(folder: Path) -> frozenset[str]:
    """Return what the variants that come with a game say."""
    ignored: list[Finding] = []
    paths = [*folder.glob("variants/*.yaml"), *folder.glob("versions/*.yaml")]
    read = [read_source(path, path.name, "variant", ignored, folder) for path in paths]
    return frozenset().union(*(_all_texts(source.data) for source in read if source is not None))
