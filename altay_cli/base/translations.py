"""The program's own messages in other languages: ``languages/*.json``.

Findings are made in English, as :class:`~altay_cli.base.text.Text`. The catalogue of a language
maps each English text, with named places in braces, to its translation, in which the same values
go. The messages of rules, and the names of things, come from the pack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from altay_cli.base.findings import Finding
from altay_cli.base.records import Record
from altay_cli.base.resources import data_folder
from altay_cli.base.text import Text

ENGLISH = "en"

_PLACE = re.compile(r"\{(\w+)\}")
_NOTHING: Mapping[str, str] = {}


class Catalogue(Record):
    """What the program says in a language.

    ``words`` are single words and lines of reports by key, ``page`` those of the page on which
    games are played back, ``messages`` translations of English texts.
    """

    name: str
    words: Mapping[str, str]
    page: Mapping[str, str]
    messages: Mapping[str, str]

    def told(self, text: str, terms: Mapping[str, str] = _NOTHING) -> str:
        """Return a text of the program in this language, or unchanged if it has no translation.

        ``terms`` are the words of the rules, such as the kinds of things.
        """
        if not self.messages:
            return text
        if not isinstance(text, Text):
            return self.messages.get(text, text)
        template = self.messages.get(text.template)
        if template is None:
            if any(map(str.isalpha, _PLACE.sub("", text.template))):
                return text
            template = text.template  # nothing but what stands in its places
        return template.format_map({
            name: value if _is_quoted(text.template, name) else self._part(value, terms)
            for name, value in text.values.items()
        })  # fmt: skip

    def _part(self, value: str | tuple[str, ...], terms: Mapping[str, str]) -> str:
        """Return what stands in a place in this language."""
        if isinstance(value, tuple):
            return self.words["list"].join(self._part(one, terms) for one in value)
        return terms.get(value) or self.told(value, terms)

    def beside(self, texts: Mapping[str, str]) -> Catalogue:
        """Return this catalogue with further English texts, which take precedence."""
        return self._replace(messages={**self.messages, **texts})

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
    return Catalogue(data["name"], words, page, messages)


def _is_quoted(text: str, place: str) -> bool:
    """Return whether a placeholder is quoted: what it holds is left as it was written."""
    return f"`{{{place}}}`" in text or f"'{{{place}}}'" in text


__all__ = ["ENGLISH", "Catalogue", "catalogue", "counted", "languages", "word"]
