"""Read YAML into plain data, with the place of every key and value.

Only mappings with text keys, lists, text, integers, true/false and null are supported. Anchors,
aliases, merge keys, tags, and large or deep files are refused, because they may come from
strangers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ruamel.yaml import events as e

from altay_cli.base.findings import Finding, ReadError, Severity, Text, with_values
from altay_cli.source import limits
from altay_cli.source.document import Data, Document, Node, SourceText
from altay_cli.source.yaml_events import events, quick_events

# Control characters, and line ends that only some programs recognise (NEL, LS, PS). A byte order
# mark is allowed at the start only.
_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_CONSTANTS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(
    r"(?P<whole>[-+]?[0-9]+)"
    r"|(?P<other_base>0o[0-7]+|0x[0-9a-fA-F]+)"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_WORD = re.compile(r"[^\s,\[\]{}]*")
_QUOTES = "put it in quotes if it is meant as text"


def read_yaml(text: str, file: str) -> tuple[Document | None, list[Finding]]:
    """Read the YAML ``text`` of the file named ``file``.

    Return the document and the problems found. The document is None if any is more than a wrong
    number, which is read as text; after a syntax error, the rest is not read. Never raises.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = SourceText(file, text if len(text) <= limits.MAX_CHARACTERS else "")
    reader = _DocumentReader(lines)
    with suppress(_Stop):
        reader.read(text)
    if reader.problems:
        usable = all(problem.rule in _NUMBERS for problem in reader.problems)
        problems = sorted(reader.problems, key=lambda problem: problem.span)
        return reader.document if usable else None, problems
    return reader.document or Document(None, Node(lines)), []


_NUMBERS = frozenset({"yaml-number", "yaml-float"})
"""Rules of problems with numbers, which are then read as text."""


class _Stop(Exception):  # noqa: N818 - no error: the reading has ended early
    """The rest of a file is not worth reading."""


_Offsets = tuple[int, int]


class _DocumentReader:
    def __init__(self, text: SourceText) -> None:
        self.text = text
        self.problems: list[Finding] = []
        self.document: Document | None = None
        self._events: Iterator[Any] = iter(())
        # The lists and mappings being read, the innermost last.
        self._open: list[Node] = []
        self._nodes = 0
        self._last_end = 0

    def read(self, text: str) -> None:
        if len(text) > limits.MAX_CHARACTERS:
            template, count = "the file has {count} characters; {most} are the limit", len(text)
            most = f"{limits.MAX_CHARACTERS:,}"
            self._problem("yaml-too-large", template, 0, 0, count=f"{count:,}", most=most)
            return
        for match in _NOT_TEXT.finditer(text):
            template = "the character {code} is not allowed in a text file"
            self._problem("yaml-not-text", template, *match.span(), code=_code(match))
        if self.problems:
            return
        quick = quick_events(text)
        self._events = events(text) if quick is None else iter(quick)
        try:
            for event in self._events:
                if isinstance(event, e.DocumentStartEvent):
                    self._document(event)
                elif isinstance(event, e.NodeEvent):
                    root, data = self._value(event)
                    self.document = Document(data, root)
        except ReadError as error:
            start, message = error.start, error.message
            if start >= len(text.rstrip()) and self._open and self._open[-1].style == "{":
                start = self._open[-1].start
                message = "the bracket that opens here is never closed"
            self._problem(error.rule, message, start, min(start + 1, self.text.end_of_line(start)))

    def _problem(
        self, rule: str, message: str, start: int, end: int, *help_lines: str, **values: object
    ) -> None:
        message = with_values(message, values)
        is_last = len(self.problems) == limits.MAX_PROBLEMS
        if is_last:
            rule, help_lines = "too-many-problems", ()
            message = "there are more problems; the file was not read beyond this place"
        span, file = self.text.span(start, end), self.text.file
        self.problems.append(
            Finding(rule, Severity.ERROR, message, span, help=help_lines, file=file)
        )
        if is_last:
            raise _Stop

    def _document(self, event: e.DocumentStartEvent) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        if self.document is not None:
            message = "a second document begins here; a file holds one"
            self._problem("yaml-several-documents", message, start, end)
            raise _Stop
        if event.version not in {None, (1, 2)}:
            message = "the file asks for a version of YAML other than 1.2"
            self._problem("yaml-syntax", message, start, end, "leave out the %YAML line")
        if event.tags:
            self._problem("yaml-tag", "%TAG lines are not allowed", start, end)

    def _begin(self, event: e.NodeEvent) -> _Offsets:
        start, end = event.start_mark.index, event.end_mark.index
        self._nodes += 1
        if self._nodes > limits.MAX_NODES:
            template = "the file holds more than {count} keys and values"
            self._problem("yaml-too-large", template, start, start, count=f"{limits.MAX_NODES:,}")
            raise _Stop
        if event.anchor is not None:
            sign, template = "&", "the anchor {name} is not allowed; write values out"
            if isinstance(event, e.AliasEvent):
                sign, template = "*", "the alias {name} is not allowed; write the value out"
            name = _short(sign + event.anchor)
            self._problem("yaml-alias", template, start, self._end_of_word(start), name=name)
        if getattr(event, "ctag", None) is not None:
            template = "tags (words that begin with '!') are not allowed"
            self._problem("yaml-tag", template, start, self._end_of_word(start), _QUOTES)
        return start, end

    def _end_of_word(self, start: int) -> int:
        word = _WORD.match(self.text.text, start)
        return word.end() if word else start

    def _value(self, event: e.NodeEvent, key: _Offsets | None = None) -> tuple[Node, Data]:
        start, end = self._begin(event)
        if isinstance(event, e.CollectionStartEvent):
            return self._collection(event, start)
        if not isinstance(event, e.ScalarEvent):
            return Node(self.text, start, end), None
        style = event.style or ""
        value: Data = event.value
        if style == '"':
            self._is_text(event.value, start, end)
        elif style in {"|", ">"}:
            end = start + len(self.text.text[start:end].rstrip())
        elif start == end:
            # A missing value is marked at its key, or at its dash.
            dash = self.text.text[start - 1 : start] == "-"
            start, end = key or (start - dash, end)
            value = None
        elif not style:
            value = self._plain_scalar(event.value, start, end)
        self._last_end = max(self._last_end, end)
        return Node(self.text, start, end, style), value

    def _collection(self, event: e.CollectionStartEvent, start: int) -> tuple[Node, Data]:
        # This bounds the recursion.
        if len(self._open) >= limits.MAX_DEPTH:
            template = "lists and mappings are nested more than {count} deep"
            self._problem("yaml-too-deep", template, start, start + 1, count=limits.MAX_DEPTH)
            raise _Stop
        data: Any = {} if isinstance(event, e.MappingStartEvent) else []
        node = Node(self.text, start, start, "{" if event.flow_style else "-")
        self._open.append(node)
        for part in self._events:
            if isinstance(part, e.CollectionEndEvent):
                # A block ends with its last part; the parser notices after blank lines and
                # comments.
                first, end = part.start_mark.index, part.end_mark.index
                node.end = self._last_end = max(end if end > first else self._last_end, start)
                break
            if isinstance(data, list):
                node.parts[len(data)], value = self._value(part)
                data.append(value)
                continue
            key, place = self._key(part, node)
            below, value = self._value(next(self._events), place)
            if place is not None:
                below.key = place
                node.parts[key] = below
                data[key] = value
        self._open.pop()
        return node, data

    def _key(self, event: e.NodeEvent, holder: Node) -> tuple[str, _Offsets | None]:
        start, end = self._begin(event)
        if isinstance(event, e.CollectionStartEvent):
            message = "a list or mapping cannot be a key; keys are text"
            self._problem("yaml-key", message, start, start + 1)
            self._collection(event, start)
            return "", None
        self._last_end = end
        if not isinstance(event, e.ScalarEvent):
            return "", None
        key: str = event.value
        if event.style == '"' and not self._is_text(key, start, end):
            return key, None
        kind = None if event.style else _kind(key)
        first = holder.parts.get(key)
        if key == "<<" and not event.style:
            message = "merge keys (<<) are not allowed; write the values out"
            self._problem("yaml-alias", message, start, end)
        elif key == "" and not event.style:
            self._problem("yaml-key", "a key is missing before this ':'", start, end)
        elif kind is not None:
            advice = Text("put it in quotes: {text}", text=f"'{key}'")
            message = f"the key {{key}} is {kind}; keys are text"
            self._problem("yaml-key", message, start, end, advice, key=_short(key))
        elif first is not None and first.key is not None:
            line = self.text.span(*first.key).line
            template = "the key {key} appears twice; the first is on line {line}"
            self._problem("yaml-duplicate-key", template, start, end, key=_short(key), line=line)
        else:
            return key, (start, end)
        return key, None

    def _plain_scalar(self, text: str, start: int, end: int) -> Data:
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        number = _NUMBER.fullmatch(text)
        if number is None:
            return text
        rule = "yaml-number"
        if number["whole"]:
            if len(text.lstrip("+-0")) <= limits.MAX_DIGITS:
                return int(text)
            template = "a whole number of more than {count} digits"
        elif number["other_base"]:
            template = "{text} is not a decimal number"
        else:
            rule = "yaml-float"
            template = "{text} is not a whole number; only whole numbers are allowed"
        self._problem(
            rule, template, start, end, _QUOTES, text=_short(text), count=limits.MAX_DIGITS
        )
        return text

    def _is_text(self, text: str, start: int, end: int) -> bool:
        match = _NOT_TEXT.search(text)
        if match is not None:
            template = "the text holds the character {code}, which is not allowed"
            self._problem("yaml-not-text", template, start, end, code=_code(match))
        return match is None


def _code(match: re.Match[str]) -> str:
    return f"U+{ord(match[0]):04X}"


def _kind(text: str) -> str | None:
    if text in _CONSTANTS:
        return "nothing" if _CONSTANTS[text] is None else "a truth value"
    return "a number" if _NUMBER.fullmatch(text) else None


def _short(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"
