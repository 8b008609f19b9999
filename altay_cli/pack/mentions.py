"""The things and numbers that statements name, and the language in which a log names them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from altay_cli.base.suggest import normal
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import Entity
from altay_cli.notation import GameRecord, Kind, Statement, read
from altay_cli.pack.model import Pack

MAX_WORDS = 4
"""The number of words of the longest name."""

MAX_STATEMENTS = 300
"""The number of statements examined to find the language of the names in a log."""


class Name(NamedTuple):
    """A name or number in a statement, ``text[start:end]``; ``things`` are what a name can mean."""

    start: int
    end: int
    things: tuple[Entity, ...]


def names_in(pack: Pack, statement: Statement) -> Iterator[Name]:
    """Yield the names of things and the numbers of a statement, behind its first word."""
    items = (*statement.items, *(statement.outcome or ()))
    for at in range(1, len(items)):
        start = items[at].start
        # The longest name first: what it begins with may be a name as well.
        for last in range(min(at + MAX_WORDS, len(items)) - 1, at - 1, -1):
            end = items[last].end
            key = normal(statement.text[start:end])
            things = tuple(thing for names in pack.names.values() for thing in names.get(key, ()))
            if things:
                yield Name(start, end, things)
        if items[at].kind is Kind.NUMBER:
            yield Name(start, items[at].end, ())


def written_in(pack: Pack, record: GameRecord, language: str) -> str:
    """Return the language in which a log writes most names that are not the same in all.

    Where it has none of them, or as many in ``language``, that is it.
    """
    count = dict.fromkeys(pack.shown, 0)
    statements = (one for section in record.sections for one in section.statements)
    for statement in islice(statements, MAX_STATEMENTS):
        for name in names_in(pack, statement):
            written = normal(statement.text[name.start : name.end])
            languages = [
                one
                for one, shown in pack.shown.items()
                if any(normal(shown.get(f"{t.kind} {t.id}", "")) == written for t in name.things)
            ]
            # What is called the same everywhere tells nothing.
            if len(languages) < len(count):
                count.update((one, count[one] + 1) for one in languages)
    most = max(count.values(), default=0)
    likeliest = [one for one in count if count[one] == most]
    return likeliest[0] if most and count.get(language, 0) < most else language


def rewritten(pack: Pack, text: str, language: str) -> list[str]:
    """Return the lines of an English log with the names that things have in a language."""
    log = read(text)
    lines = list(log.lines)
    english, shown = pack.shown.get(ENGLISH, {}), pack.shown.get(language, {})
    edits: dict[tuple[int, int, int], str] = {}
    for record in log.games:
        for section in record.sections:
            for statement in section.statements:
                behind = 0
                for name in names_in(pack, statement):
                    written = normal(statement.text[name.start : name.end])
                    keys = [f"{thing.kind} {thing.id}" for thing in name.things]
                    meant = [
                        k for k in keys if normal(english.get(k, "")) == written and k in shown
                    ]
                    span = statement.span(name.start, name.end)
                    if meant and name.start >= behind and span.line == span.end_line:
                        edits[span.line, span.column, span.end_column] = shown[meant[0]]
                        behind = name.end
    for (line, start, end), new in sorted(edits.items(), reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[: start - 1] + new + old[end - 1 :]
    return lines
