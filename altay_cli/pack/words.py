"""The words of a pack in a language: names of things, and values and texts of rules for people.

Texts of rules have expressions in braces. Where one could not be evaluated, it is said which, and
where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from traceback import walk_tb

from altay_cli.base.budget import MAX_SIZE
from altay_cli.base.findings import Bilingual, ExpressionError, Text
from altay_cli.base.translations import ENGLISH, listed, phrase
from altay_cli.base.values import Bag, Entity
from altay_cli.pack import limits
from altay_cli.pack.model import Expr, Message, Pack, RuleFunction

_EXPRESSION = re.compile(r"""\{((?:[^'"{}]|'[^']*'|"[^"]*")*+)\}""")
"""An expression in its braces; quotes protect braces."""


def split_message(text: str) -> list[tuple[str, int | None]]:
    """Split ``text`` into plain parts and expressions.

    Gives (part, None) for plain text and (expression, offset in ``text``) for what stands in
    braces. Quotes inside an expression protect braces; an open brace without its partner is
    plain text.
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
    """Return a text in which expressions are places, as those of ``Text`` are: p0, p1 and so on.

    The names that they have already stand in ``places``; those that get one are added.
    """
    return "".join(
        part.replace("{", "{{").replace("}", "}}")
        if offset is None
        else f"{{{places.setdefault(part, f'p{len(places)}')}}}"
        for part, offset in split_message(text)
    )


def lone_brace(text: str) -> int | None:
    """Return the offset of a brace without a partner; None if there is none."""
    brace = re.search("[{}]", _EXPRESSION.sub(lambda expression: " " * len(expression[0]), text))
    return None if brace is None else brace.start()


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """What a text of the rules says: ``values`` are those of its parts, plain text being itself."""

    message: Message
    values: tuple[object, ...]
    words: Words

    def __str__(self) -> str:
        return self.words.say(self)

    def __eq__(self, other: object) -> bool:
        """Return whether both say the same: players of two games are never the same thing."""
        return str(self) == str(other) if isinstance(other, Wording) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


class Words:
    """Says values and texts of the rules in a language, and in English where that lacks them."""

    __slots__ = ("_language", "_orders", "_shown", "_texts")

    def __init__(self, pack: Pack, language: str) -> None:
        # Not the pack itself: it would be kept as long as its words are.
        self._shown = {**pack.shown.get("en", {}), **pack.shown.get(language, {})}
        self._texts = pack.texts.get(language, {})
        self._language = language
        self._orders: dict[str, tuple[str | int, ...]] = {}

    def name(self, item: Entity) -> str:
        """Return the name of a thing."""
        name = self._shown.get(f"{item.kind} {item.id}", item.id)
        if isinstance(name, Bilingual) and self._language != ENGLISH:  # nobody knows what it is
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
        """Return parts in a row; a row that no text has room for is cut off."""
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
        """Return the parts of a message in the order of this language."""
        return [one if isinstance(one, str) else message.parts[one] for one in self._order(message)]

    def say(self, wording: Wording) -> str:
        """Return what a text of the rules says with its values."""
        return "".join(
            part if isinstance(part, str) else self.text(wording.values[part])
            for part in self._order(wording.message)
        )

    def _order(self, message: Message) -> tuple[str | int, ...]:
        """Return the texts of a message in this language, with numbers of parts between them."""
        order = self._orders.get(message.source)
        if order is None:
            parts = [*enumerate(message.parts)]
            text = self._texts.get(message.source)
            order = tuple(part if isinstance(part, str) else n for n, part in parts)
            if text is not None:
                number = {part.source: n for n, part in parts if isinstance(part, Expr)}
                order = tuple(one if at is None else number[one] for one, at in split_message(text))
            self._orders[message.source] = order
        return order


class BilingualWords:
    """Says values and texts of the rules in English, with what a reader sees of them."""

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
    """Return a name so many times, counted; a few numbers stand side by side: `2, 2`."""
    if count == 1:
        return name
    if name.isdecimal() and count <= limits.MOST_SIDE_BY_SIDE:
        return ", ".join([name] * count)
    return f"{count} {name}"


def words_of(pack: Pack, language: str) -> Words:
    """Return the words of a pack in a language, made once."""
    return pack.kept(Words, language)


def words_for_findings(pack: Pack, language: str) -> Words | BilingualWords:
    """Return the words of a pack for findings that are read in a language, made once."""
    return words_of(pack, language) if language == ENGLISH else pack.kept(BilingualWords, language)


def not_for(players: int, pack: Pack) -> Text:
    """Say that a game is not for so many players."""
    one = "{count} player: the game is for {least} to {most}"
    many = "{count} players: the game is for {least} to {most}"
    return Text.plural(players, one, many, least=pack.least, most=pack.most)


# ---------------------------------------------------------------- what could not be evaluated

FILE = "<rules>"
"""What Python calls the file of a module with all functions of a pack."""


def reason(error: ExpressionError, pack: Pack) -> str:
    """Return what went wrong, in which expression, and in which file and line that stands."""
    key = None
    # What Python raised tells the line of the function that ends with it.
    for one in (error, error.__cause__):
        for frame, line in walk_tb(None if one is None else one.__traceback__):
            if frame.f_code.co_filename == FILE:
                # See ``emit.print_pack``: lines, each with the key of an expression or a function.
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
