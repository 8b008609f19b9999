"""Translate texts of the program with gettext catalogues, ``languages/*.po`` and ``*.mo``.

Packs translate their own rules and names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations

from altay_cli.base.findings import Bilingual, Citation, Finding, Text, fill, places_of
from altay_cli.base.resources import data_folder

ENGLISH = "en"

REPORT = "report"
"""The gettext context of phrases in reports: a short word such as "Rank" is ambiguous alone."""

_NOTHING: Mapping[str, str] = {}


def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    codes = {path.stem for path in data_folder("languages").glob("*.mo")}
    return (ENGLISH, *sorted(codes - {ENGLISH}))


@lru_cache(maxsize=16)
def _catalogue(language: str) -> GNUTranslations | None:
    path = data_folder("languages") / f"{language}.mo"
    if language == ENGLISH or not path.is_file():
        return None
    with path.open("rb") as file:
        return GNUTranslations(file)


def template(language: str, english: str, context: str = REPORT) -> str:
    """Return a phrase with its placeholders."""
    catalogue = _catalogue(language)
    return english if catalogue is None else catalogue.pgettext(context, english)


def phrase(language: str, english: str, /, **values: object) -> str:
    """Return a phrase in a language, with values inserted.

    >>> phrase("de", "page {page}", page=3)
    'Seite 3'
    """
    return fill(template(language, english), values)


def counted(language: str, singular: str, many: str, count: int) -> str:
    """Return a count with its noun; both templates contain ``{count}``."""
    catalogue = _catalogue(language)
    english = singular if count == 1 else many
    form = english if catalogue is None else catalogue.npgettext(REPORT, singular, many, count)
    return fill(form, {"count": f"{count:,}"})


def listed(language: str, parts: Iterable[str]) -> str:
    """Return parts as a list, separated as usual in a language."""
    return phrase(language, ", ").join(parts)


def cited(language: str, cite: Mapping[str, int | str]) -> str:
    """Return a citation in words.

    >>> cited("en", {"en": 11, "summary": "Dogma"})
    'en, page 11; summary, Dogma'
    """
    parts = []
    titles = cite.titles if isinstance(cite, Citation) else {}
    for book, page in cite.items():
        where = phrase(language, "page {page}", page=page) if isinstance(page, int) else page
        by_language = titles.get(book, {})
        title = by_language.get(language) or by_language.get(ENGLISH, book)
        parts.append(phrase(language, "{book}, {page}", book=title, page=where))
    return phrase(language, "; ").join(parts)


def translated(language: str, text: str, terms: Mapping[str, str] = _NOTHING) -> str:
    """Return a text in a language; unchanged if it has no translation.

    ``terms`` maps English words of the rules, such as kinds, to the language. One that replaces a
    template must have the same placeholders.
    """
    if language == ENGLISH:
        return text
    if isinstance(text, Bilingual):
        return text.shown
    catalogue = _catalogue(language) or NullTranslations()
    if not isinstance(text, Text):
        return catalogue.gettext(text)
    sentence = terms.get(text.template, "")
    if not sentence or places_of(sentence) != places_of(text.template):
        sentence = catalogue.gettext(text.template)
    if text.many:
        sentence = catalogue.ngettext(text.template, text.many, text.number)

    def part(value: str | tuple[str, ...]) -> str:
        if isinstance(value, tuple):
            return listed(language, map(part, value))
        return terms.get(value) or translated(language, value, terms)

    # Quoted values are shown as written.
    template = text.template
    quoted = {n for n in text.values if f"`{{{n}}}`" in template or f"'{{{n}}}'" in template}
    shown = {
        name: value if name in quoted and not isinstance(value, Bilingual) else part(value)
        for name, value in text.values.items()
    }
    return fill(sentence, shown)


def translated_finding(
    language: str, finding: Finding, terms: Mapping[str, str] = _NOTHING
) -> Finding:
    """Return a finding with all its messages in a language."""
    if language == ENGLISH:
        return finding
    return finding._replace(
        message=translated(language, finding.message, terms),
        help=tuple(translated(language, line, terms) for line in finding.help),
        related=tuple(
            place._replace(message=translated(language, place.message, terms))
            for place in finding.related
        ),
    )
