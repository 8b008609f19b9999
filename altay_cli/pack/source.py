"""YAML to plain data, with the place of every key and value.

Only the part of YAML 1.2 that data needs is read: mappings with text keys,
lists, text, whole numbers, true/false and null. Anchors, aliases, merge keys
and tags are refused, and so is what is too large or too deep: a rule file may
come from a stranger, and reading it must neither run code nor take long.

The events of ruamel.yaml's parser are built into data here, with a stack of
our own: nothing recurses, so no input can exhaust Python's stack, and
duplicate keys and places come out of the same pass.

Importing this module imports ruamel.yaml (some 30 ms); a program that has a
compiled pack need not import it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from altay_cli.pack.problems import MAX_PROBLEMS, Problem
from altay_cli.pack.yaml_events import SyntaxFault, events
from altay_cli.spans import START, Span

Data = dict[str, "Data"] | list["Data"] | str | int | bool | None
"""What a YAML file holds, as plain Python."""

Path = tuple[str | int, ...]
"""The way from the root of a file to a value: keys and list indexes (from 0)."""

MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 60
MAX_NODES = 30_000
"""Keys and values; some ten times what the largest rule file holds."""
MAX_DIGITS = 15
"""Whole numbers up to here are the same in every JSON tool (2**53)."""

# The characters that YAML calls printable, less those that only some programs
# take for a line end (NEL, LS, PS): with them, two editors would not agree on
# what is line 7. A byte order mark is allowed at the very beginning only.
_NOT_TEXT = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)

_CONSTANTS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_NUMBER_STARTS = frozenset("+-.0123456789")


# --- Places in a text -------------------------------------------------------


class _Lines:
    """A text, and where its lines begin."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        """Return the span from offset ``start`` to before offset ``end``."""
        return Span(*self._place(start), *self._place(max(start, end)))

    def end_of_line(self, offset: int) -> int:
        """Return the offset of the end of the line that ``offset`` is in."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


@dataclass(slots=True)
class _Node:
    """Where a value stands: offsets, its style, and its parts.

    ``style`` is "" for plain text, a quote, "|" or ">" for scalars; for
    collections "{" (flow) or "-" (block). ``keys`` holds the offsets of the
    keys of a mapping.
    """

    start: int
    end: int
    style: str = ""
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    parts: dict[str, _Node] | list[_Node] = field(default_factory=list)

    def part(self, step: str | int) -> _Node | None:
        if isinstance(self.parts, dict):
            return self.parts.get(step) if isinstance(step, str) else None
        if isinstance(step, int) and 0 <= step < len(self.parts):
            return self.parts[step]
        return None


@dataclass(frozen=True, slots=True)
class Source:
    """The data of one YAML file, and where each part of it stands.

    ``data`` is made of dict (with text keys), list, str, int, bool and None; an
    empty file gives None. Its type is Any because the schemas say the rest.

    Paths are tuples of keys and list indexes; ``()`` is the whole file. A path
    that leads nowhere gives the place of the nearest part that exists.
    """

    file: str
    data: Any
    _lines: _Lines
    _root: _Node

    def span(self, path: Path) -> Span:
        """Return the place of the value at ``path``."""
        node = self._find(path)[-1]
        return self._lines.span(node.start, node.end)

    def key_span(self, path: Path) -> Span:
        """Return the place of the key of the value at ``path``.

        An item of a list has no key: it gives the place of the item; the path
        ``()`` gives the place of the whole.
        """
        nodes = self._find(path)
        last = len(nodes) - 2
        key = nodes[last].keys.get(str(path[last])) if last >= 0 else None
        return self._lines.span(*key) if key else self._lines.span(nodes[-1].start, nodes[-1].end)

    def head_span(self, path: Path) -> Span:
        """Return the place that names the value: its key, else its first line."""
        nodes = self._find(path)
        if len(nodes) > 1 and nodes[-2].keys:
            return self.key_span(path)
        start, end = nodes[-1].start, nodes[-1].end
        return self._lines.span(start, min(end, self._lines.end_of_line(start)))

    def locate(self, path: Path, mark: str) -> tuple[str, Span]:
        """Return file and place of a value ("value"), its key ("key"), or its head ("head")."""
        place = {"key": self.key_span, "head": self.head_span, "value": self.span}[mark]
        return self.file, place(path)

    def span_within(self, path: Path, start: int, end: int) -> Span:
        """Return the place of ``text[start:end]`` of the text at ``path``.

        Exact for plain, quoted and block text, also over several lines and
        with escapes. If there is no text at ``path``, the place of the value.
        """
        nodes = self._find(path)
        text = self.data
        for step in path[: len(nodes) - 1]:
            text = text[step]
        if len(nodes) <= len(path) or not isinstance(text, str):
            return self.span(path)
        units = _units(self._lines, nodes[-1])
        if len(units) != sum(not char.isspace() for char in text):
            return self.span(path)
        start = min(max(start, 0), len(text))
        end = min(max(end, start), len(text))
        first = _offset(text, units, nodes[-1], start)
        if end == start:
            return self._lines.span(first, first)
        return self._lines.span(first, _offset(text, units, nodes[-1], end - 1, behind=True))

    def _find(self, path: Path) -> list[_Node]:
        """Return the nodes on the way, from the root as far as it exists."""
        nodes = [self._root]
        for step in path:
            node = nodes[-1].part(step)
            if node is None:
                break
            nodes.append(node)
        return nodes


# --- From an offset in a text to its place in the file -----------------------
#
# Folding, indentation and line continuation change only white space. So the
# n-th character of the text that is not white space is the n-th such unit
# between the quotes (or behind the header of a block), and white space is
# counted from the character before it.

_ESCAPED = re.compile(r"\\(?:x(..)|u(.{4})|U(.{8})|([\s\S]))|\S")
_SINGLE = re.compile(r"''|\S")
_PLAIN = re.compile(r"\S")
_BLANK_ESCAPES = frozenset(" \ttnvfrN_LP\n")


def _units(lines: _Lines, node: _Node) -> list[tuple[int, int]]:
    """Return the offsets of what gives each character that is not white space."""
    if node.style == '"':
        found = _ESCAPED.finditer(lines.text, node.start + 1, node.end - 1)
        return [unit.span() for unit in found if not _is_blank(unit)]
    if node.style == "'":
        return [u.span() for u in _SINGLE.finditer(lines.text, node.start + 1, node.end - 1)]
    start = lines.end_of_line(node.start) if node.style in {"|", ">"} else node.start
    return [u.span() for u in _PLAIN.finditer(lines.text, start, node.end)]


def _is_blank(unit: re.Match[str]) -> bool:
    code = unit[1] or unit[2] or unit[3]
    if code:
        return chr(int(code, 16)).isspace()
    return unit[4] is not None and unit[4] in _BLANK_ESCAPES


def _offset(
    text: str, units: list[tuple[int, int]], node: _Node, at: int, behind: bool = False
) -> int:
    """Return where ``text[at]`` stands in the file, or where it ends."""
    before = sum(not char.isspace() for char in text[:at])
    if at < len(text) and not text[at].isspace():
        return units[before][behind]
    blanks = at - len(text[:at].rstrip()) + behind
    low = units[before - 1][1] if before else node.start + (node.style in {"'", '"'})
    high = units[before][0] if before < len(units) else node.end
    return min(low + blanks, max(low, high))


# --- Reading -----------------------------------------------------------------


def read_yaml(text: str, file: str) -> tuple[Source | None, list[Problem]]:
    """Read the YAML ``text`` of the file named ``file``.

    Gives the source, or None and every problem that was found: as many as
    YAML lets one see, for behind a mistake in the syntax nothing can be read.
    Never raises, whatever the text is.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = _Lines(text if len(text) <= MAX_CHARACTERS else "")
    builder = _Builder(lines, file)
    with suppress(_Stop):
        builder.read(text)
    if builder.problems:
        return None, sorted(builder.problems, key=lambda problem: problem.span)
    root = builder.root or _Node(0, 0)
    return Source(file, builder.data, lines, root), []


class _Stop(Exception):  # noqa: N818 - no error: the reading has ended early
    """Nothing behind this place is worth reading."""


@dataclass(slots=True)
class _Open:
    """A collection that is being read; a mapping if ``key`` has been set up.

    ``key`` is the key whose value comes next; None when a key comes next;
    ``_LOST`` when the value belongs to a key that has been refused.
    """

    node: _Node
    data: dict[str, Data] | list[Data]
    key: str | None = None


_LOST = "\0lost"
"""Stands for a refused key; no key of a text can hold a NUL."""


class _Builder:
    """Builds data and nodes from events, and keeps what is wrong with them."""

    def __init__(self, lines: _Lines, file: str) -> None:
        self.lines = lines
        self.file = file
        self.problems: list[Problem] = []
        self.data: Data = None
        self.root: _Node | None = None
        self._stack: list[_Open] = []
        self._nodes = 0
        self._documents = 0
        self._last_end = 0

    def read(self, text: str) -> None:
        """Read the whole text; raises ``_Stop`` where the rest is not worth it."""
        self._check_text(text)
        try:
            for event in events(text):
                self._take(event)
        except SyntaxFault as fault:
            start, message = fault.offset, fault.message
            if start >= len(text.rstrip()) and self._stack and self._stack[-1].node.style == "{":
                start = self._stack[-1].node.start
                message = "the bracket that opens here is never closed"
            end = min(start + 1, self.lines.end_of_line(start))
            self._problem(fault.rule, message, start, end)

    def _check_text(self, text: str) -> None:
        """Refuse what is too long, or is no text, before it is parsed."""
        if len(text) > MAX_CHARACTERS:
            message = f"the file has {len(text):,} characters; {MAX_CHARACTERS:,} are the limit"
            self.problems.append(Problem("yaml-too-large", message, self.file, START))
            raise _Stop
        for found in _NOT_TEXT.finditer(text):
            code = f"U+{ord(found[0]):04X}"
            message = f"the character {code} cannot stand in a text file"
            self._problem("yaml-not-text", message, found.start(), found.end())
        if self.problems:
            raise _Stop

    def _take(self, event: Event) -> None:
        if isinstance(event, NodeEvent):
            self._count(event)
            self._refuse_properties(event)
            if isinstance(event, CollectionStartEvent):
                self._open(event)
            elif self._awaits_key():
                self._key(event)
            elif isinstance(event, ScalarEvent):
                self._scalar(event)
            else:
                self._put(_Node(event.start_mark.index, event.end_mark.index), None)
        elif isinstance(event, CollectionEndEvent):
            self._close(event)
        elif isinstance(event, DocumentStartEvent):
            self._document(event)

    def _problem(self, rule: str, message: str, start: int, end: int, *help_lines: str) -> None:
        span = self.lines.span(start, end)
        if len(self.problems) == MAX_PROBLEMS:
            message = "there are more problems; the file was not read beyond this place"
            self.problems.append(Problem("too-many-problems", message, self.file, span))
            raise _Stop
        self.problems.append(Problem(rule, message, self.file, span, help_lines))

    def _document(self, event: DocumentStartEvent) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        self._documents += 1
        if self._documents > 1:
            message = "a second document begins here; a file holds one"
            self._problem("yaml-several-documents", message, start, end)
            raise _Stop
        if event.version not in {None, (1, 2)}:
            message = "the file asks for another YAML than 1.2"
            self._problem("yaml-syntax", message, start, end, "leave out the %YAML line")
        if event.tags:
            self._problem("yaml-tag", "%TAG lines are not allowed", start, end)

    def _count(self, event: NodeEvent) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            message = f"the file holds more than {MAX_NODES:,} keys and values"
            start = event.start_mark.index
            self._problem("yaml-too-large", message, start, start)
            raise _Stop

    def _refuse_properties(self, event: NodeEvent) -> None:
        start = event.start_mark.index
        word = _WORD.match(self.lines.text, start)
        end = word.end() if word else start
        if isinstance(event, AliasEvent):
            message = f"the alias {_short('*' + event.anchor)} is not allowed; write the value out"
            self._problem("yaml-alias", message, start, end)
        elif event.anchor is not None:
            message = f"the anchor {_short('&' + event.anchor)} is not allowed; write values out"
            self._problem("yaml-alias", message, start, end)
        if getattr(event, "ctag", None) is not None:
            message = "tags (words that begin with '!') are not allowed"
            self._problem("yaml-tag", message, start, end, _QUOTES)

    def _awaits_key(self) -> bool:
        top = self._stack[-1] if self._stack else None
        return top is not None and isinstance(top.data, dict) and top.key is None

    def _open(self, event: CollectionStartEvent) -> None:
        start = event.start_mark.index
        if len(self._stack) >= MAX_DEPTH:
            message = f"lists and mappings are nested more than {MAX_DEPTH} deep"
            self._problem("yaml-too-deep", message, start, start + 1)
            raise _Stop
        if self._awaits_key():
            self._problem(
                "yaml-key", "a list or mapping cannot be a key; keys are text", start, start + 1
            )
        style = "{" if event.flow_style else "-"
        if isinstance(event, MappingStartEvent):
            self._stack.append(_Open(_Node(start, start, style, parts={}), {}))
        else:
            self._stack.append(_Open(_Node(start, start, style), []))

    def _close(self, event: CollectionEndEvent) -> None:
        done = self._stack.pop()
        # Only brackets have a width. A block ends where its last part ends,
        # not where the parser notices: that is behind blank lines and comments.
        start, end = event.start_mark.index, event.end_mark.index
        done.node.end = max(end if end > start else self._last_end, done.node.start)
        self._last_end = done.node.end
        if self._awaits_key():
            self._stack[-1].key = _LOST
        else:
            self._put(done.node, done.data)

    def _key(self, event: NodeEvent) -> None:
        top = self._stack[-1]
        top.key = _LOST
        start, end = event.start_mark.index, event.end_mark.index
        self._last_end = end
        if not isinstance(event, ScalarEvent):
            return
        key = event.value
        if not self._is_good_key(event, key, start, end):
            return
        if key in top.node.keys:
            first = self.lines.span(*top.node.keys[key])
            message = f"the key {_short(key)} stands twice; the first is on line {first.line}"
            self._problem("yaml-duplicate-key", message, start, end)
            return
        top.node.keys[key] = (start, end)
        top.key = key

    def _is_good_key(self, event: ScalarEvent, key: str, start: int, end: int) -> bool:
        if event.style is None:
            if key == "<<":
                message = "merge keys (<<) are not allowed; write the values out"
                self._problem("yaml-alias", message, start, end)
                return False
            if key == "":
                self._problem("yaml-key", "a key is missing before this ':'", start, end)
                return False
            kind = _kind(key)
            if kind is not None:
                message = f"the key {_short(key)} is {kind}; keys are text"
                self._problem("yaml-key", message, start, end, f"put it in quotes: '{key}'")
                return False
        return self._is_text(key, start, end)

    def _scalar(self, event: ScalarEvent) -> None:
        text = event.value
        start, end = event.start_mark.index, event.end_mark.index
        if event.style is None:
            if start == end:
                self._put(self._empty(start), None)
                return
            value = self._plain(text, start, end)
        else:
            if event.style in {"|", ">"}:
                end = start + len(self.lines.text[start:end].rstrip())
            self._is_text(text, start, end)
            value = text
        self._last_end = end
        self._put(_Node(start, end, event.style or ""), value)

    def _empty(self, at: int) -> _Node:
        """Return a node for a value that is not there: its key's or dash's place."""
        top = self._stack[-1] if self._stack else None
        if top is not None and top.key is not None:
            return _Node(*top.node.keys.get(top.key, (at, at)))
        if top is not None and self.lines.text[at - 1 : at] == "-":
            self._last_end = at
            return _Node(at - 1, at)
        return _Node(at, at)

    def _plain(self, text: str, start: int, end: int) -> Data:
        """Return what a plain scalar means by YAML 1.2's core schema."""
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if text[0] not in _NUMBER_STARTS:
            return text
        if _INTEGER.fullmatch(text):
            if len(text.lstrip("+-0")) <= MAX_DIGITS:
                return int(text)
            message = f"a whole number of more than {MAX_DIGITS} digits"
            self._problem("yaml-number", message, start, end, _QUOTES)
        elif _OTHER_BASE.fullmatch(text):
            message = f"{_short(text)} is not a decimal number"
            self._problem("yaml-number", message, start, end, _QUOTES)
        elif _FLOAT.fullmatch(text):
            message = f"{_short(text)} is no whole number; only whole numbers are allowed"
            self._problem("yaml-float", message, start, end, _QUOTES)
        return text

    def _is_text(self, text: str, start: int, end: int) -> bool:
        """Check what escapes may have brought in."""
        found = _NOT_TEXT.search(text)
        if found is None:
            return True
        message = f"the text holds the character U+{ord(found[0]):04X}, which is not allowed"
        self._problem("yaml-not-text", message, start, end)
        return False

    def _put(self, node: _Node, value: Data) -> None:
        """Add a finished value to the collection that it belongs to."""
        if not self._stack:
            self.root, self.data = node, value
            return
        top = self._stack[-1]
        if isinstance(top.data, list) and isinstance(top.node.parts, list):
            top.data.append(value)
            top.node.parts.append(node)
        elif isinstance(top.data, dict) and isinstance(top.node.parts, dict):
            if top.key is not None and top.key is not _LOST:
                top.data[top.key] = value
                top.node.parts[top.key] = node
            top.key = None


_WORD = re.compile(r"[^\s,\[\]{}]*")
_QUOTES = "put it in quotes if it is meant as text"


def _kind(text: str) -> str | None:
    """Say what a plain scalar is if it is not text."""
    if text in _CONSTANTS:
        return "nothing" if _CONSTANTS[text] is None else "a truth value"
    if _INTEGER.fullmatch(text) or _OTHER_BASE.fullmatch(text) or _FLOAT.fullmatch(text):
        return "a number"
    return None


def _short(text: str) -> str:
    """Return the text in quotes, cut to what fits in a message."""
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"
