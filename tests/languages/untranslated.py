"""Texts that have no translation: the program shows them in English, and a test warns of them.

`python -m tests.languages.untranslated` lists all of them by language; its exit code is 1 if there
are any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from altay_cli.base.catalogue import PROBLEMS, PROGRAM_RULES, UNKNOWN_NAME, UNKNOWN_THING
from altay_cli.base.resources import data_folder
from altay_cli.base.translations import ENGLISH, languages
from altay_cli.compile.building import read_tree
from tests.languages.program_texts import program_texts
from tests.languages.said import VALUES, about_variant, texts_of
from tests.languages.warned import warn_untranslated

NEVER_SHOWN = frozenset({("", "a name is unknown")})
"""Texts of findings that are always dropped."""

ENGLISH_WORDS = re.compile(r"\b(the|is|are|of|not|there|this|no)\b")
OTHERS = [language for language in languages() if language != ENGLISH]


def written(language: str) -> Catalog:
    """Return what translators have written."""
    with (data_folder("languages") / f"{language}.po").open("rb") as file:
        return read_po(file, language, abort_invalid=True)


def ids(catalog: Catalog) -> set[tuple[str, str]]:
    """Return the context and English of all texts with a translation, singular and plural."""
    return {
        (message.context or "", english)
        for message in catalog
        if message.id and not message.fuzzy and all(strings(message.string))
        for english in strings(message.id)
    }


def strings(text: str | Iterable[str]) -> list[str]:
    """Return the forms of a text: one, or singular and plural."""
    return [text] if isinstance(text, str) else [*text]


def explanations() -> Iterator[str]:
    """Yield what `altay explain` says of the findings of the program."""
    yield from (*PROGRAM_RULES.values(), UNKNOWN_NAME)
    yield from (problem["text"] for problem in (*PROBLEMS.values(), UNKNOWN_THING))


@cache
def of_program(language: str) -> frozenset[tuple[str, str]]:
    """Return the context and English of all texts of the program without a translation."""
    needed = program_texts() | {("", text) for text in explanations()}
    needed |= {text for other in OTHERS for text in ids(written(other))}
    return needed - ids(written(language)) - NEVER_SHOWN


@cache
def of_rules(language: str) -> frozenset[tuple[str, str]]:
    """Return the games and texts of their rules, with all variants, without a translation."""
    found = set()
    for path in data_folder("rules").glob("*/game.yaml"):
        folder = path.parent
        variants = sorted((folder / "variants").glob("*.yaml"))
        data = read_tree(folder, []).data
        texts = texts_of(data).union(
            *(texts_of(read_tree(folder, [one]).data) | about_variant(one) for one in variants)
        )
        there = data.get("texts", {}).get(language, {})
        found |= {(folder.name, text) for text in texts - set(there) - set(VALUES)}
    return frozenset(found)


def is_shown_in_english(language: str, shown: str) -> bool:
    """Return True if what is shown has English words because a text has no translation."""
    templates = (text for _, text in (*of_program(language), *of_rules(language)))
    return any(_pattern(template).search(shown) for template in templates)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in re.split(r"\{[^{}]*\}", template))
    return re.compile(".*".join(r"\s+".join(part.split(r"\ ")) for part in parts), re.DOTALL)


def assert_not_english(language: str, shown: str, words: re.Pattern[str] = ENGLISH_WORDS) -> None:
    """Check that there are no English words, but for those of texts without a translation."""
    if words.search(shown):
        assert is_shown_in_english(language, shown), shown
        warn_untranslated(language, [shown[:100]])


def main() -> int:
    """Print all texts without a translation."""
    count = 0
    for language in OTHERS:
        for where, text in sorted(of_program(language) | of_rules(language)):
            print(f"{language}: {f'[{where}] ' if where else ''}{text}")  # noqa: T201
            count += 1
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
