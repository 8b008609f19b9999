"""What the program says, and what is wrong somewhere: texts, findings, and exceptions with them.

A text is an English sentence that knows what went into it. A finding is one rule, at one place of
a text, with its reason.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Self, TypeGuard

from altay_cli.base.suggest import suggest

# A place of a template, or a brace that is written twice.
_PLACE = re.compile(r"\{(\w+)\}|(\{)\{|(\})\}")


@lru_cache(maxsize=2048)
def _parts_of(template: str) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...]]:
    """Return the parts of a template, and the names of those that are places, by their number."""
    parts = _PLACE.split(template)
    names = tuple((n, name) for n, name in enumerate(parts) if n % 4 == 1 and name is not None)
    return tuple(part or "" for part in parts), names


def places_of(template: str) -> frozenset[str]:
    """Return the names of the places of a template.

    >>> sorted(places_of("there is no {kind} `{name}`"))
    ['kind', 'name']
    """
    return frozenset(name for _, name in _parts_of(template)[1])


def fill(template: str, values: Mapping[str, object]) -> str:
    """Return a template with values in its places, which are names in braces and nothing else.

    A brace that is meant as one is written twice. Unlike with `str.format`, no template can ask for
    an attribute or a width: some come from files.

    >>> fill("{name:>9} is {{not}} {name}", {"name": "Ann"})
    '{name:>9} is {not} Ann'
    """
    plain, places = _parts_of(template)
    parts = [*plain]
    for number, name in places:
        parts[number] = str(values[name])
    return "".join(parts)


class Text(str):
    """An English text with what stands in its places: a message, or a part of one.

    It is the English sentence; other languages make theirs of ``template`` and ``values`` (see
    :mod:`altay_cli.base.translations`). Values are texts themselves where they are the program's
    words, tuples where several stand in a row, and else as they are shown.

    >>> Text("there is no {kind} `{name}`", kind="card", name="Huntr")
    'there is no card `Huntr`'
    """

    __slots__ = ("many", "number", "template", "values")

    template: str
    many: str
    """The template for another number than one; empty where the text is of no number."""
    number: int
    values: dict[str, str | tuple[str, ...]]

    def __new__(cls, template: str, many: str = "", number: int = 1, /, **values: Any) -> Self:
        """Put the values in the places of the template, which stand in braces."""
        shown: dict[str, str] = {}
        for name, value in values.items():
            if type(value) is tuple:
                kept = values[name] = tuple(map(str, value))
                shown[name] = ", ".join(kept)
            else:
                shown[name] = values[name] = str(value)
        used = many if many and number != 1 else template
        self = str.__new__(cls, fill(used, shown))
        self.template, self.many, self.number = template, many, number
        self.values = values
        return self

    @classmethod
    def plural(cls, count: int, one: str, many: str, **values: object) -> Self:
        """Return the text for a count, which is the value ``count`` of both templates."""
        return cls(one, many, count, count=f"{count:,}", **values)

    def __str__(self) -> str:
        """Return it unchanged: what is made a string, as messages of exceptions are, stays data."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, str, int], dict[str, str | tuple[str, ...]]]:
        return (self.template, self.many, self.number), self.values


class Bilingual(str):
    """An English text of the rules, or name of a thing, and the same for the reader of a report.

    It is the English text, so that what is read from a finding does not depend on the language of
    the report; ``shown`` is what the reader sees.

    >>> oars = Bilingual("Oars", "Ruder")
    >>> oars, oars.shown
    ('Oars', 'Ruder')
    """

    __slots__ = ("shown",)

    shown: str

    def __new__(cls, english: str, shown: str) -> Self:
        """Put the two together."""
        self = str.__new__(cls, english)
        self.shown = shown
        return self

    def __str__(self) -> str:
        """Return it unchanged: what is made a string stays bilingual."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, str]]:
        return (str.__str__(self), self.shown), {}


def joined(parts: Iterable[str], between: str = "") -> str:
    """Return texts one after the other; bilingual if one of them is."""
    there = [*parts]
    english = between.join(there)
    if not any(isinstance(one, Bilingual) for one in there):
        return english
    shown = (one.shown if isinstance(one, Bilingual) else one for one in there)
    return Bilingual(english, between.join(shown))


def either(parts: Iterable[object]) -> str:
    """Return "a or b or c" of the parts, of which there is at least one."""
    first, *others = map(str, parts)
    return Text("{first} or {last}", first=first, last=either(others)) if others else first


def any_of(parts: Sequence[str]) -> str:
    """Return "a, b or c" of at least one part."""
    *first, last = parts
    return Text("{first} or {last}", first=tuple(first), last=last) if first else last


def in_a_row(parts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the first ``most`` parts, and "..." for others."""
    return (*parts[:most], "...") if len(parts) > most else tuple(parts)


def in_turn(parts: Iterable[str]) -> str:
    """Return "a; b; c"; an empty text if there is nothing."""
    shown = ""
    for part in reversed([*parts]):  # in a loop: there can be thousands
        shown = Text("{first}; {rest}", first=part, rest=shown) if shown else part
    return shown


def filled(document: Mapping[str, object]) -> dict[str, object]:
    """Return what of a document holds something: what is None or empty is left out."""
    return {key: value for key, value in document.items() if value not in (None, [], {})}


MAX_REPR = 200
"""The number of characters of the repr of a report, a score or a game, at most."""


def short_repr(of: object, **shown: object) -> str:
    """Return a repr with these values, cut off where it is too long."""
    values = ", ".join(f"{name}={value!r}" for name, value in shown.items())
    text = f"{type(of).__name__}({values})"
    return text if len(text) <= MAX_REPR else f"{text[: MAX_REPR - 4]}...)"


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> tuple[str, ...]:
    """Return a line of help with a name spelled much like ``name``, else ``otherwise`` with all."""
    known = tuple(known)
    near = tuple(Text("did you mean `{name}`?", name=one) for one in suggest(name, known))
    return near or ((Text(otherwise, names=known),) if otherwise and known else ())


def there_is_no(kind: str, name: str) -> Text:
    """Say that nothing of a kind has a name: of the kinds of parts of rules, or of a game."""
    if kind in _PARTS:
        return Text(f"there is no {kind} `{{name}}`", name=name)
    return Text("there is no {kind} `{name}`", kind=kind, name=name)


# What other languages say in words of their own.
_PARTS = frozenset({
    "decision", "field", "frame", "kind", "language", "move", "player", "procedure", "rule",
    "ruling", "slot", "type", "value", "zone",
})  # fmt: skip


def made_of(text: str, *templates: str) -> TypeGuard[Text]:
    """Return whether a text is made of one of some templates."""
    return isinstance(text, Text) and text.template in templates


def with_values(message: str, values: Mapping[str, object]) -> str:
    """Return a message with values in its places; one without any may be a text already."""
    return Text(message, **values) if values else message


class Span(NamedTuple):
    """A stretch of text, up to the column behind its last character.

    Lines and columns count from 1, columns in Unicode code points.
    """

    line: int
    column: int
    end_line: int
    end_column: int


START = Span(1, 1, 1, 1)
"""The place for what concerns a file as a whole."""


class Severity(StrEnum):
    """How much a finding weighs; only errors make a game illegal."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Verdict(StrEnum):
    """What a check says of a game.

    It is ``NOT_JUDGED`` if any part of it could not be judged, whatever else was found: because
    the rules are missing or fail, or because it is unclear who plays.
    """

    LEGAL = "legal"
    ILLEGAL = "illegal"
    NOT_JUDGED = "not judged"


class Fix(NamedTuple):
    """An edit of the log that resolves a finding: replace ``span`` by ``text``.

    It is a guess unless it is ``certain``: nothing else can have been meant.
    """

    span: Span
    text: str
    certain: bool

    def __repr__(self) -> str:
        return short_repr(self, span=tuple(self.span), certain=self.certain, text=self.text)


class Related(NamedTuple):
    """A second place that a finding refers to, and a message for it."""

    span: Span
    message: str

    def __repr__(self) -> str:
        return short_repr(self, line=self.span.line, message=self.message)


NO_PAGES: Mapping[str, int | str] = {}
"""No citation; never modified."""


class Finding(NamedTuple):
    """One thing that is wrong somewhere: in a log, in rules, in a variant.

    ``rule`` is a stable id, ``span`` the place in ``file``, which is empty for the log that was
    checked. ``cite`` names pages of the rulebooks by their key (``{"en": 11, "de": 11}``); it is
    empty if the rule is the program's own (syntax, limits). ``help`` says what would have been
    right, a line each. ``round`` is None outside of turns, ``player`` where nobody in particular
    acts. ``fixes`` are edits that would mend it, each by itself, the likeliest first. ``related``
    are other places that it tells of. ``ruling`` names the ruling that it rests on, where the
    rulebook alone does not say so.
    """

    rule: str
    severity: Severity
    message: str
    span: Span
    cite: Mapping[str, int | str] = NO_PAGES
    help: tuple[str, ...] = ()
    round: int | None = None
    player: str | None = None
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    file: str = ""
    ruling: str | None = None

    def __repr__(self) -> str:
        severity, line = self.severity.value, self.span.line
        return short_repr(self, rule=self.rule, severity=severity, line=line, message=self.message)

    def to_dict(self, *, related: bool = False) -> dict[str, object]:
        """Return the finding as `docs/json.md` has it, with ``related`` its second places too."""
        places = [{**place._asdict(), "message": text} for place, text in self.related]
        return {
            "rule": self.rule,
            "severity": self.severity.value,
            "message": self.message,
            **self.span._asdict(),
            "round": self.round,
            "player": self.player,
            "cite": dict(self.cite),
            "ruling": self.ruling,
            "help": list(self.help),
            "fixes": [
                {**fix.span._asdict(), "text": fix.text, "certain": fix.certain}
                for fix in self.fixes
            ],
            **filled({"related": places if related else None}),
        }

    def __str__(self) -> str:
        place = f"{self.span.line}:{self.span.column}: {self.message} [{self.rule}]"
        return f"{self.file}:{place}" if self.file else place


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return those of some findings that are errors."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


class PackError(Exception):
    """A rule folder that cannot be used; ``problems`` says why, in order."""

    def __init__(self, problems: Iterable[Finding]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))

    def __repr__(self) -> str:
        return short_repr(self, message=str(self))


class ImpossibleError(ValueError):
    """What was asked for cannot be done; the message says why."""

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(with_values(message, values))

    def __repr__(self) -> str:
        return short_repr(self, message=str(self))


class ReadError(Exception):
    """What cannot be read in a text, and where: at ``text[start:end]``, by default all of it.

    ``fix`` is what may have been meant: a text, and the part that it is put in for. ``values``
    stand in the places of the message.
    """

    def __init__(
        self,
        rule: str,
        message: str,
        start: int = 0,
        end: int | None = None,
        help_lines: tuple[str, ...] = (),
        fix: tuple[int, int, str] | None = None,
        **values: object,
    ) -> None:
        message = with_values(message, values)
        super().__init__(rule, message, start, end, help_lines, fix)
        self.rule = rule
        self.message = message
        self.start = start
        self.end = end
        self.help = help_lines
        self.fix = fix


class ExpressionError(Exception):
    """An expression that cannot be read, checked or evaluated.

    ``code`` is a stable short name of what is wrong ("syntax", "unknown-name", "overflow", ...),
    ``message`` a sentence for people. ``start`` and ``end`` are offsets into the source, in code
    points from 0, or None if the place is not known (most errors of evaluation). ``values`` stand
    in the places of the message.
    """

    def __init__(
        self,
        code: str,
        message: str,
        start: int | None = None,
        end: int | None = None,
        /,
        **values: object,
    ) -> None:
        message = Text(message, **values) if values else message
        super().__init__(code, message, start, end)  # so that it goes to other processes whole
        self.code = code
        self.message = message
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return short_repr(self, message=str(self))


UNDECIDED = "undecided"
"""The code of the error that what is hidden is too much to be gone through."""


class EvaluationError(ExpressionError):
    """An expression that has no value; `&&` and `||` may absorb that."""


class BudgetError(ExpressionError):
    """The evaluation used up its steps, which says nothing of the value: it is never absorbed."""

    def __init__(
        self,
        code: str = "budget",
        message: str = "this takes too many steps to evaluate",
        **values: object,
    ) -> None:
        super().__init__(code, message, **values)
        self.args = (code, self.message)


UNKNOWN_CONTENT = "what follows depends on what lies where nobody recorded it"


class UnrecordedError(EvaluationError):
    """The evaluation needs to know something that nobody wrote down."""

    def __init__(self, message: str) -> None:
        super().__init__("unrecorded", message)
        self.args = (message,)
