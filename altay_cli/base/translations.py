"""What the program says in other languages: gettext catalogues, ``languages/*.po`` and ``*.mo``.

Everything is made in English, as :class:`~altay_cli.base.findings.Text`, and so English needs no
catalogue. A language has a translation for each template, in which the same values go. The messages
of rules, and the names of things, come from the pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from gettext import NullTranslations
from typing import TYPE_CHECKING

from altay_cli.base.findings import Bilingual, Finding, Text, fill, places_of
from altay_cli.base.resources import data_folder

if TYPE_CHECKING:
    from gettext import GNUTranslations

ENGLISH = "en"

REPORT = "report"
"""The context of phrases of reports: what is meant by a player's "Rank" is told by none else."""

_NOTHING: Mapping[str, str] = {}


def languages() -> tuple[str, ...]:
    """Return the codes of the available languages, English first."""
    codes = {path.stem for path in data_folder("languages").glob("*.mo")}
    return (ENGLISH, *sorted(codes - {ENGLISH}))


@lru_cache(maxsize=16)
def _catalogue(language: str) -> GNUTranslations | None:
    """Return the catalogue of a language; None for English, and where there is none."""
    path = data_folder("languages") / f"{language}.mo"
    if language == ENGLISH or not path.is_file():
        return None
    from gettext import GNUTranslations

    with path.open("rb") as file:
        return GNUTranslations(file)


def template(language: str, english: str, context: str = REPORT) -> str:
    """Return one of the program's phrases in a language, with places in braces where it has any."""
    own = _catalogue(language)
    return english if own is None else own.pgettext(context, english)


def phrase(language: str, english: str, /, **values: object) -> str:
    """Return one of the phrases of reports in a language, with what goes in its places.

    >>> phrase("de", "page {page}", page=3)
    'Seite 3'
    """
    return fill(template(language, english), values)


def counted(language: str, one: str, many: str, count: int) -> str:
    """Return a count with its noun, singular or plural: both with a place ``{count}``."""
    own = _catalogue(language)
    english = one if count == 1 else many
    form = english if own is None else own.npgettext(REPORT, one, many, count)
    return fill(form, {"count": f"{count:,}"})


def listed(language: str, parts: Iterable[str]) -> str:
    """Return parts in a row, as a language separates them."""
    return phrase(language, ", ").join(parts)


def translated(language: str, text: str, terms: Mapping[str, str] = _NOTHING) -> str:
    """Return a text of the program in a language, or unchanged if it has no translation.

    ``terms`` are the words of the rules by the English ones, such as the kinds of things; one that
    is put in for a template must have the same places.
    """
    if language == ENGLISH:
        return text
    if isinstance(text, Bilingual):
        return text.shown
    own = _catalogue(language) or NullTranslations()
    if not isinstance(text, Text):
        return own.gettext(text)
    sentence = terms.get(text.template, "")
    if not sentence or places_of(sentence) != places_of(text.template):
        sentence = own.gettext(text.template)
    if text.many:
        sentence = own.ngettext(text.template, text.many, text.number)

    def part(value: str | tuple[str, ...]) -> str:
        if isinstance(value, tuple):
            return listed(language, map(part, value))
        return terms.get(value) or translated(language, value, terms)

    # What stands in quotes is left as it was written.
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
    """Return a finding with all that it says in a language."""
    if language == ENGLISH:
        return finding
    return finding._replace(
        message=translated(language, finding.message, terms),
        help=tuple(translated(language, line, terms) for line in finding.help),
        related=tuple(
            one._replace(message=translated(language, one.message, terms))
            for one in finding.related
        ),
    )
