"""Texts that can be translated, findings, and exceptions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Self, TypeGuard

from altay_cli.base.suggest import suggest

_PLACE = re.compile(r"\{(\w+)\}|(\{)\{|(\})\}")


@lru_cache(maxsize=2048)
def _parts_of(template: str) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...]]:
    parts = _PLACE.split(template)
    names = tuple((n, name) for n, name in enumerate(parts) if n % 4 == 1 and name is not None)
    return tuple(part or "" for part in parts), names


def places_of(template: str) -> frozenset[str]:
    """Return the names of a template's placeholders.

    >>> sorted(places_of("there is no {kind} `{name}`"))
    ['kind', 'name']
    """
    return frozenset(name for _, name in _parts_of(template)[1])


def fill(template: str, values: Mapping[str, object]) -> str:
    """Return a template with its placeholders, such as ``{name}``, replaced by values.

    Unlike `str.format`, it cannot read attributes: some templates come from files.

    >>> fill("{name:>9} is {{not}} {name}", {"name": "Ann"})
    '{name:>9} is {not} Ann'
    """
    plain, places = _parts_of(template)
    parts = [*plain]
    for number, name in places:
        parts[number] = str(values[name])
    return "".join(parts)


class Text(str):
    """An English message, or part of one, that keeps its template and values.

    `base.translations` translates both; values that are tuples are listed with commas.

    >>> Text("there is no {kind} `{name}`", kind="card", name="Shep")
    'there is no card `Shep`'
    """

    __slots__ = ("many", "number", "template", "values")

    template: str
    many: str
    number: int
    values: dict[str, str | tuple[str, ...]]

    def __new__(cls, template: str, many: str = "", number: int = 1, /, **values: Any) -> Self:
        """Insert the values into the template."""
        shown: dict[str, str] = {}
        for name, value in values.items():
            if type(value) is tuple:
                values[name] = tuple(map(str, value))
                shown[name] = ", ".join(values[name])
            else:
                shown[name] = values[name] = str(value)
        used = many if many and number != 1 else template
        self = str.__new__(cls, fill(used, shown))
        self.template, self.many, self.number = template, many, number
        self.values = values
        return self

    @classmethod
    def plural(cls, count: int, singular: str, many: str, **values: object) -> Self:
        """Return the text for a count, which is ``{count}`` in both templates.

        >>> Text.plural(1, "{count} error", "{count} errors")
        '1 error'
        >>> Text.plural(2000, "{count} error", "{count} errors")
        '2,000 errors'
        """
        return cls(singular, many, count, count=f"{count:,}", **values)

    def __str__(self) -> str:
        """Return self, with template and values, as in exception messages."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, str, int], dict[str, str | tuple[str, ...]]]:
        return (self.template, self.many, self.number), self.values


class Bilingual(str):
    """A text or name from the rules, in English and in the reader's language.

    As a string it is English, so JSON does not depend on the language.

    >>> oars = Bilingual("Oars", "Ruder")
    >>> oars, oars.shown
    ('Oars', 'Ruder')
    """

    __slots__ = ("shown",)

    shown: str

    def __new__(cls, english: str, shown: str) -> Self:
        """Combine both forms."""
        self = str.__new__(cls, english)
        self.shown = shown
        return self

    def __str__(self) -> str:
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, str]]:
        return (str.__str__(self), self.shown), {}


def joined(parts: Iterable[str], between: str = "") -> str:
    """Return the parts joined by ``between``; bilingual if any part is.

    >>> joined(["Ann", "Bob"], ", ")
    'Ann, Bob'
    """
    texts = [*parts]
    english = between.join(texts)
    if not any(isinstance(text, Bilingual) for text in texts):
        return english
    shown = (text.shown if isinstance(text, Bilingual) else text for text in texts)
    return Bilingual(english, between.join(shown))


def either(parts: Iterable[object]) -> str:
    """Return "a or b or c" for one or more parts.

    >>> either(["red", "green", "blue"])
    'red or green or blue'
    """
    first, *others = map(str, parts)
    return Text("{first} or {last}", first=first, last=either(others)) if others else first


def any_of(parts: Sequence[str]) -> str:
    """Return "a, b or c" for one or more parts.

    >>> any_of(["red", "green", "blue"])
    'red, green or blue'
    """
    *first, last = parts
    return Text("{first} or {last}", first=tuple(first), last=last) if first else last


def with_ellipsis(parts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return at most ``most`` parts, followed by "..." if some are left out.

    >>> with_ellipsis(["red", "green", "blue"], 2)
    ('red', 'green', '...')
    """
    return (*parts[:most], "...") if len(parts) > most else tuple(parts)


def joined_by_semicolon(parts: Iterable[str]) -> str:
    """Return "a; b; c".

    >>> joined_by_semicolon(["red", "green", "blue"])
    'red; green; blue'
    """
    shown = ""
    for part in reversed([*parts]):  # there can be thousands
        shown = Text("{first}; {rest}", first=part, rest=shown) if shown else part
    return shown


def filled(document: Mapping[str, object]) -> dict[str, object]:
    """Return a document without its entries that are None or empty.

    >>> filled({"rule": "score", "player": None, "help": []})
    {'rule': 'score'}
    """
    return {key: value for key, value in document.items() if value not in (None, [], {})}


MAX_REPR = 200


def short_repr(of: object, **shown: object) -> str:
    """Return a repr with these values, at most ``MAX_REPR`` long."""
    values = ", ".join(f"{name}={value!r}" for name, value in shown.items())
    text = f"{type(of).__name__}({values})"
    return text if len(text) <= MAX_REPR else f"{text[: MAX_REPR - 4]}...)"


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> tuple[str, ...]:
    """Return a known name close to ``name``, else ``otherwise`` with all names.

    >>> did_you_mean("Shep", ["Sheep", "Goat"])
    ('did you mean `Sheep`?',)
    """
    known = tuple(known)
    near = tuple(Text("did you mean `{name}`?", name=close) for close in suggest(name, known))
    return near or ((Text(otherwise, names=known),) if otherwise and known else ())


def there_is_no(kind: str, name: str) -> Text:
    """Return the message that no thing has such a name."""
    if kind in _PARTS:
        return Text(f"there is no {kind} `{{name}}`", name=name)
    return Text("there is no {kind} `{name}`", kind=kind, name=name)


# Kinds whose messages are translated as sentences.
_PARTS = frozenset({
    "decision", "field", "frame", "kind", "language", "move", "player", "procedure", "rule",
    "ruling", "slot", "type", "value", "zone",
})  # fmt: skip


def has_template(text: str, *templates: str) -> TypeGuard[Text]:
    """Return True if a text was built from one of the templates."""
    return isinstance(text, Text) and text.template in templates


def with_values(message: str, values: Mapping[str, object]) -> str:
    """Return a message with values inserted."""
    return Text(message, **values) if values else message


class Span(NamedTuple):
    """A range of text; the end column is exclusive.

    Lines and columns count from 1, columns in Unicode code points.
    """

    line: int
    column: int
    end_line: int
    end_column: int


START = Span(1, 1, 1, 1)
"""The span of a file as a whole."""


class Severity(StrEnum):
    """Only errors make a game illegal."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Verdict(StrEnum):
    """The result for one game.

    ``NOT_JUDGED`` if a part could not be judged, because rules are missing or fail, or the players
    are unclear; even if errors were found.
    """

    LEGAL = "legal"
    ILLEGAL = "illegal"
    NOT_JUDGED = "not judged"


class Fix(NamedTuple):
    """An edit that resolves a finding: replace ``span`` by ``text``; a guess unless ``certain``."""

    span: Span
    text: str
    certain: bool

    def __repr__(self) -> str:
        return short_repr(self, span=tuple(self.span), certain=self.certain, text=self.text)


class Related(NamedTuple):
    """A second place that a finding refers to, with a message."""

    span: Span
    message: str

    def __repr__(self) -> str:
        return short_repr(self, line=self.span.line, message=self.message)


class Citation(dict[str, int | str]):
    """Pages of books by their key, with the ``titles`` by key and language."""

    titles: Mapping[str, Mapping[str, str]] = {}


NO_PAGES: Mapping[str, int | str] = {}
"""Never modified."""


class Subject(NamedTuple):
    """An entity that a finding is about."""

    kind: str
    id: str


class Finding(NamedTuple):
    """A problem in a log, in rules or in a variant.

    rule: a stable id.
    span: the place in ``file``, which is empty for the checked log.
    cite: pages of the rulebooks by their key (``{"en": 11}``); empty for the program's own rules.
    help: what would have been right, one string per line.
    round: None outside of turns.
    player: None if no particular player acts.
    fixes: alternative edits that resolve the finding, the likeliest first.
    related: other places that matter here.
    ruling: the ruling that this rests on, where the rulebook alone does not decide.
    about: the entities that message, help and ``related`` mention, for the search for repairs; not
        part of JSON.
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
    about: tuple[Subject, ...] = ()

    def __repr__(self) -> str:
        severity, line = self.severity.value, self.span.line
        return short_repr(self, rule=self.rule, severity=severity, line=line, message=self.message)

    def to_dict(self, *, related: bool = False) -> dict[str, object]:
        """Return the finding as described in `docs/json.md`; ``related`` adds its other places."""
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
    """Return the findings that are errors."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


class PackError(Exception):
    """A rule folder is unusable; ``problems`` say why."""

    def __init__(self, problems: Iterable[Finding]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))

    def __repr__(self) -> str:
        return short_repr(self, message=str(self))


class ImpossibleError(ValueError):
    """The request cannot be met; the message says why."""

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(with_values(message, values))

    def __repr__(self) -> str:
        return short_repr(self, message=str(self))


class ReadError(Exception):
    """A text cannot be parsed at ``text[start:end]``, by default anywhere in it.

    fix: the likely intention, as start and end of what to replace, and its replacement.
    about: the entities that may be meant.
    """

    def __init__(
        self,
        rule: str,
        message: str,
        start: int = 0,
        end: int | None = None,
        help_lines: tuple[str, ...] = (),
        fix: tuple[int, int, str] | None = None,
        about: tuple[Subject, ...] = (),
        **values: object,
    ) -> None:
        message = with_values(message, values)
        super().__init__(rule, message, start, end, help_lines, fix, about)
        self.rule = rule
        self.message = message
        self.start = start
        self.end = end
        self.help = help_lines
        self.fix = fix
        self.about = about


class ExpressionError(Exception):
    """An expression cannot be parsed, checked or evaluated.

    code: a stable short name ("syntax", "unknown-name", "overflow", ...).
    start, end: offsets into the source in code points; None if unknown, as for most evaluations.
    values: replace the placeholders of the message.
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
        super().__init__(code, message, start, end)  # makes it picklable
        self.code = code
        self.message = message
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return short_repr(self, message=str(self))


UNDECIDED = "undecided"
"""The code for hidden contents with too many possibilities."""


class EvaluationError(ExpressionError):
    """An expression has no value; `&&` and `||` may absorb this."""


class BudgetError(ExpressionError):
    """The evaluation ran out of steps; never absorbed: the value is unknown."""

    def __init__(
        self,
        code: str = "budget",
        message: str = "this takes too many steps to evaluate",
        **values: object,
    ) -> None:
        super().__init__(code, message, **values)
        self.args = (code, self.message)


UNKNOWN_CONTENT = "the verdict depends on things whose place the log does not record"


class UnrecordedError(EvaluationError):
    """The evaluation depends on something unrecorded."""

    def __init__(self, message: str) -> None:
        super().__init__("unrecorded", message)
        self.args = (message,)
