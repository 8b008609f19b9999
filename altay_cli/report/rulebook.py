"""Rules in words: what a rule is about, independent of any single finding, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from altay_cli.base.catalogue import OWN_RULES, PROBLEMS, UNKNOWN_NAME
from altay_cli.pack.model import Message, Pack
from altay_cli.pack.words import split_message, words_of
from altay_cli.report.limits import SIDE_BY_SIDE
from altay_cli.report.text import language, pad, phrase, translated, width

if TYPE_CHECKING:  # the readers of rule files take long to load, and logs need none
    from altay_cli.source.document import Entry
    from altay_cli.source.inspect import Difference


def in_words(pack: Pack, message: Message) -> str:
    """Return a message with what differs from case to case as `<...>`."""
    words = words_of(pack, language())
    kinds = {**pack.kinds, "player": phrase("player")}
    text = ""
    for part in words.parts(message):
        if isinstance(part, str):
            text += part
        else:
            text += f"<{words.word(kinds[part.type])}>" if part.type in kinds else "…"
    return text


def asked_of_rules(data: Entry) -> dict[str, str]:
    """Return what rules say where they make no sense, and the same in a language.

    ``data`` are merged rules. Expressions in the texts become places, as texts of the program have
    them: what stands there has been worked out already.
    """
    texts: dict[str, str] = data.get("texts", {}).get(language(), {})
    english = [entry.get(key) for entry in data.get("lints", ()) for key in ("else", "help")]
    shown = {}
    for text in filter(texts.__contains__, english):
        parts = split_message(text)
        asked = dict.fromkeys(part for part, at in parts if at is not None)
        places = {part: f"{{p{number}}}" for number, part in enumerate(asked)}
        shown[_with_places(parts, places)] = _with_places(split_message(texts[text]), places)
    return shown


def _with_places(parts: Iterable[tuple[str, int | None]], places: Mapping[str, str]) -> str:
    """Return a text in which expressions are places, as those of ``Text`` are."""
    return "".join(
        part.replace("{", "{{").replace("}", "}}") if at is None else places[part]
        for part, at in parts
    )


def about(pack: Pack | None, rule: str) -> str:
    """Return what a rule is about in a sentence; an empty text if the rule is unknown.

    ``pack`` are the rules of the game in which it was found; None if there are none.
    """
    if pack is not None and rule in pack.rules:
        text = pack.rules[rule][0][1]
        return words_of(pack, language()).word(text.title) or in_words(pack, text.message)
    if rule in OWN_RULES or rule in PROBLEMS:
        return translated(OWN_RULES.get(rule) or PROBLEMS[rule].text)
    return translated(UNKNOWN_NAME) if rule.startswith("unknown-") else ""


def difference_lines(differences: Iterable[Difference]) -> Iterator[str]:
    """Yield differences in words, under the headings of their groups."""
    group = None
    before, after = (f"{phrase(key)}: " for key in ("before", "after"))
    columns = max(width(before), width(after))
    for one in differences:
        if one.group != group:
            group = one.group
            yield f"{group}:"
        where = f"  ({one.where})" if one.where != "?" else ""
        if one.old is None:
            yield f"  {one.about}: {phrase('new')}: {one.new}{where}"
        elif one.new is None:
            yield f"  {one.about}: {phrase('gone (it was: {old})', old=one.old)}"
        elif width(one.old) + width(one.new) <= SIDE_BY_SIDE:
            yield f"  {one.about}: {one.old} -> {one.new}{where}"
        else:
            yield f"  {one.about}:{where}"
            yield f"    {pad(before, columns)}{one.old}"
            yield f"    {pad(after, columns)}{one.new}"


def difference_document(difference: Difference) -> dict[str, object]:
    """Return a difference for JSON."""
    return {
        "group": difference.group,
        "path": difference.path,
        "about": difference.about,
        "before": difference.before,
        "after": difference.after,
        "where": None if difference.where == "?" else difference.where,
    }
