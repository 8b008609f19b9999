"""The program's own messages in other languages: ``languages/*.json``.

Findings are made in English. The catalogue of a language maps each English text, with named
placeholders in braces, to its translation; reports look texts up by their English wording. The
messages of rules, and the names of things, come from the pack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from altay_cli.findings import Finding
from altay_cli.records import Record
from altay_cli.resources import data_folder

ENGLISH = "en"

MAX_TOLD = 2_000
"""Longer texts are left in English."""

_PLACE = re.compile(r"\{(\w+)\}")
_JOINTS = frozenset({", ", " or "})
"""The separators of English lists."""

_NOTHING: Mapping[str, str] = {}


class _Translation(NamedTuple):
    """An English text with its places, and what it is in a language; ``joins`` for a list.

    ``fixed`` is what stands between the places: it has to be in a text that this may be.
    """

    english: str
    fixed: tuple[str, ...]
    text: str
    joins: bool


class Catalogue(Record):
    """What the program says in a language.

    ``words`` are single words and lines of reports by key, ``page`` those of the page on which
    games are played back, ``messages`` translations of English texts; ``patterns`` find the text
    that a message is.
    """

    name: str
    words: Mapping[str, str]
    page: Mapping[str, str]
    messages: Mapping[str, str]
    patterns: tuple[_Translation, ...]

    def told(self, text: str, terms: Mapping[str, str] = _NOTHING, *, within: bool = False) -> str:
        """Return a text of the program in this language, or unchanged if it has no translation.

        ``terms`` are the words of the rules, such as the kinds of things. ``within`` says that it
        is a part of another text: it may be a list.
        """
        if not self.messages or len(text) > MAX_TOLD:
            return text
        for english, fixed, translation, joins in self.patterns:
            if (joins and not within) or not all(part in text for part in fixed):
                continue
            found = _pattern(english).fullmatch(text)
            if found is not None:
                parts = {
                    name: part if _is_quoted(english, name) else self._part(part, terms)
                    for name, part in found.groupdict().items()
                }
                return "".join(
                    parts[part] if number % 2 else part
                    for number, part in enumerate(_PLACE.split(translation))
                )
        return text

    def _part(self, text: str, terms: Mapping[str, str]) -> str:
        return terms.get(text) or self.told(text, terms, within=True)

    def beside(self, texts: Mapping[str, str]) -> Catalogue:
        """Return this catalogue with further English texts, which take precedence."""
        return self._replace(patterns=(*_translations(texts), *self.patterns))

    def word(self, key: str, **values: object) -> str:
        """Return one of the phrases of reports."""
        return self.words[key].format(**values)

    def finding(self, finding: Finding, terms: Mapping[str, str] = _NOTHING) -> Finding:
        """Return a finding in this language."""
        help_lines = tuple(self.told(line, terms) for line in finding.help)
        related = tuple(
            one._replace(message=self.told(one.message, terms)) for one in finding.related
        )
        return finding._replace(
            message=self.told(finding.message, terms), help=help_lines, related=related
        )


def word(language: str, key: str, **values: object) -> str:
    """Return one of the program's phrases in a language, or in English if it has none."""
    return catalogue(language).word(key, **values)


def listed(language: str, parts: Iterable[str]) -> str:
    """Return parts in a row, as a language separates them."""
    return word(language, "list").join(parts)


def counted(language: str, key: str, count: int) -> str:
    """Return a count with its noun, singular or plural."""
    return word(language, f"{key}-one" if count == 1 else f"{key}-many", count=f"{count:,}")


def languages() -> tuple[str, ...]:
    """Return the codes of the available languages, English first."""
    found = {path.stem for path in data_folder("languages").glob("*.json")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


@lru_cache(maxsize=16)
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, or the English one if it has none.

    Raises:
        OSError: if the English one is missing as well; it names the file.

    """
    path = data_folder("languages") / f"{language}.json"
    if language != ENGLISH and not path.is_file():
        return catalogue(ENGLISH)
    data = json.loads(path.read_text(encoding="utf-8"))
    messages: dict[str, str] = data["messages"]
    words: dict[str, str] = data["words"]
    page: dict[str, str] = data.get("page", {})
    if language != ENGLISH:
        english = catalogue(ENGLISH)
        words, page = {**english.words, **words}, {**english.page, **page}
    return Catalogue(data["name"], words, page, messages, _translations(messages))


def _translations(texts: Mapping[str, str]) -> tuple[_Translation, ...]:
    """Return translations of texts; what says most in words of its own is looked for first."""
    return tuple(
        _Translation(
            text,
            tuple(filter(None, _PLACE.split(text)[::2])),
            texts[text],
            _PLACE.sub("", text) in _JOINTS,
        )
        for text in sorted(texts, key=lambda text: -len(_PLACE.sub("", text)))
    )


def _is_quoted(text: str, place: str) -> bool:
    """Return whether a placeholder is quoted: what it holds is left as it was written."""
    return f"`{{{place}}}`" in text or f"'{{{place}}}'" in text


@lru_cache(maxsize=4096)
def _pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of an English text.

    What stands in braces can be anything; in backquotes, it holds none itself.
    """
    parts = _PLACE.split(text)
    source = ""
    for number, part in enumerate(parts):
        if number % 2:
            quoted = parts[number - 1].endswith("`") and parts[number + 1].startswith("`")
            source += f"(?P<{part}>[^`]+)" if quoted else f"(?P<{part}>.+?)"
        else:
            source += re.escape(part)
    return re.compile(source, re.DOTALL)


__all__ = ["ENGLISH", "Catalogue", "catalogue", "counted", "languages", "word"]
