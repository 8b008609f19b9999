"""The words of a pack in a language: names, values and texts of rules.

Texts have expressions in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from altay_cli.base import on_demand
from altay_cli.base.budget import MAX_SIZE
from altay_cli.base.findings import Bilingual, ExpressionError, Text
from altay_cli.base.translations import ENGLISH, listed, phrase
from altay_cli.base.values import Bag, Entity
from altay_cli.pack import limits
from altay_cli.pack.model import Expr, Message, Pack, RuleFunction

_EXPRESSION = re.compile(r"""\{((?:[^'"{}]|'[^']*'|"[^"]*")*+)\}""")
"""An expression in braces; quotes protect braces."""


def split_message(text: str) -> list[tuple[str, int | None]]:
    """Split ``text`` into plain parts and expressions with their offsets.

    The offset of plain text is None. Quotes protect braces; a lone brace is plain text.
    """
    parts: list[tuple[str, int | None]] = []
    plain = 0
    for expression in _EXPRESSION.finditer(text):
        parts.append((text[plain : expression.start()], None))
        parts.append((expression[1], expression.start(1)))
        plain = expression.end()
    parts.append((text[plain:], None))
    return [(part, offset) for part, offset in parts if part or offset is not None]


def as_template(text: str, places: dict[str, str]) -> str:
    """Return a text whose expressions are replaced by ``Text`` fields p0, p1, ...

    ``places`` maps expressions to fields; new ones are added.
    """
    return "".join(
        part.replace("{", "{{").replace("}", "}}")
        if offset is None
        else f"{{{places.setdefault(part, f'p{len(places)}')}}}"
        for part, offset in split_message(text)
    )


def lone_brace(text: str) -> int | None:
    """Return the offset of a brace without a partner, or None."""
    brace = re.search("[{}]", _EXPRESSION.sub(lambda expression: " " * len(expression[0]), text))
    return None if brace is None else brace.start()


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """A text of the rules with its values."""

    message: Message
    values: tuple[object, ...]
    words: Words

    def __str__(self) -> str:
        return self.words.render(self)

    def __eq__(self, other: object) -> bool:
        """Compare; players of two games are never equal."""
        return str(self) == str(other) if isinstance(other, Wording) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


class Words:
    """Formats values and texts of the rules; by default in English."""

    __slots__ = ("_language", "_orders", "_shown", "_texts")

    def __init__(self, pack: Pack, language: str) -> None:
        # A reference to the pack would keep it alive.
        self._shown = {**pack.shown.get("en", {}), **pack.shown.get(language, {})}
        self._texts = pack.translations(language)
        self._language = language
        self._orders: dict[str, tuple[str | int, ...]] = {}

    def name(self, item: Entity) -> str:
        """Return the name of a thing."""
        name = self._shown.get(f"{item.kind} {item.id}", item.id)
        if isinstance(name, Bilingual) and self._language != ENGLISH:  # not identified
            return name.shown
        return name

    def word(self, text: str) -> str:
        """Return a title or text of the rules."""
        return self._texts.get(text, text)

    def text(self, value: object) -> str:
        """Return a value in words: names, counted lists, "nothing"."""
        if isinstance(value, Entity):
            return self.name(value)
        if isinstance(value, Bag):
            parts = [times(n, self.name(e)) for e, n in value.items()]
            if value.unknown.hidden:
                parts.append(phrase(self._language, "{count} unknown", count=value.unknown.hidden))
            return self._listed(parts)
        if isinstance(value, list | tuple):
            return self._listed(map(self.text, value))
        if value is None:
            return self.word("nothing")
        if isinstance(value, bool):
            return self.word("yes" if value else "no")
        return str(value)

    def _listed(self, parts: Iterable[str]) -> str:
        there: list[str] = []
        size = 0
        for part in parts:
            size += len(part) + 2
            if size > MAX_SIZE:
                there.append("…")
                break
            there.append(part)
        return listed(self._language, there) or self.word("nothing")

    def parts(self, message: Message) -> list[str | Expr]:
        """Return the parts of a message, in this language."""
        return [
            entry if isinstance(entry, str) else message.parts[entry]
            for entry in self._order(message)
        ]

    def render(self, wording: Wording) -> str:
        """Return a text with its values filled in."""
        return "".join(
            part if isinstance(part, str) else self.text(wording.values[part])
            for part in self._order(wording.message)
        )

    def _order(self, message: Message) -> tuple[str | int, ...]:
        order = self._orders.get(message.source)
        if order is None:
            parts = [*enumerate(message.parts)]
            text = self._texts.get(message.source)
            order = tuple(part if isinstance(part, str) else n for n, part in parts)
            if text is not None:
                number = {part.source: n for n, part in parts if isinstance(part, Expr)}
                order = tuple(
                    piece if at is None else number[piece] for piece, at in split_message(text)
                )
            self._orders[message.source] = order
        return order


class BilingualWords:
    """Formats texts in English, with the reader's names beside English ones."""

    __slots__ = ("_english", "_shown")

    def __init__(self, pack: Pack, language: str) -> None:
        self._english = words_of(pack, ENGLISH)
        self._shown = words_of(pack, language)

    def name(self, item: Entity) -> str:
        """Return the name of a thing."""
        return Bilingual(self._english.name(item), self._shown.name(item))

    def word(self, text: str) -> str:
        """Return a title or text of the rules."""
        return Bilingual(self._english.word(text), self._shown.word(text))

    def text(self, value: object) -> str:
        """Return a value in words."""
        return Bilingual(self._english.text(value), self._shown.text(value))


def times(count: int, name: str) -> str:
    """Return a name with a count; few numbers are repeated: `2, 2`."""
    if count == 1:
        return name
    if name.isdecimal() and count <= limits.MOST_SIDE_BY_SIDE:
        return ", ".join([name] * count)
    return f"{count} {name}"


def words_of(pack: Pack, language: str) -> Words:
    """Return a pack's words in a language."""
    return pack.cached(Words, language)


def words_for_findings(pack: Pack, language: str) -> Words | BilingualWords:
    """Return the words for findings in a language."""
    return (
        words_of(pack, language) if language == ENGLISH else pack.cached(BilingualWords, language)
    )


def not_for(players: int, pack: Pack) -> Text:
    """Return the message that a game is not for so many players."""
    singular = "{count} player: the game is for {least} to {most}"
    plural = "{count} players: the game is for {least} to {most}"
    return Text.plural(players, singular, plural, least=pack.least, most=pack.most)


# ---------------------------------------------------------------- what could not be evaluated

FILE = "<rules>"
"""The file name of the functions of a pack."""


def reason(error: ExpressionError, pack: Pack) -> str:
    """Return what went wrong, in which expression, file and line."""
    key = None
    for raised in (error, error.__cause__):
        for frame, line in on_demand.traceback.walk_tb(
            None if raised is None else raised.__traceback__
        ):
            if frame.f_code.co_filename == FILE:
                # Lines, each with the key of its expression or function: see ``emit.print_pack``.
                words = frame.f_globals["LINES"].split()
                key = dict(zip(words[::2], words[1::2], strict=True)).get(str(line), key)
    parts: list[RuleFunction | Expr] = [*pack.functions.values(), *pack.exprs]
    for part in parts:
        if part.key == key:
            text = " ".join(part.source.split())
            shown = text if len(text) <= limits.MAX_SHOWN else text[: limits.MAX_SHOWN - 1] + "…"
            template, (file, line) = "{words}, in `{expression}` ({file}, line {line})", part.place
            return Text(template, words=error.message, expression=shown, file=file, line=line)
    return error.message
