"""Data of rule files, with the place of every part of it.

What a file holds is plain Python (dict, list, str, int, bool, None); beside it stands a tree of
nodes of the same shape that knows where each part stands. Files are laid together, and changed by
variants, data and nodes alike.
"""

from __future__ import annotations

import marshal
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from altay_cli.base.findings import Finding, Severity, Span, with_values
from altay_cli.source import limits

Data = dict[str, "Data"] | list["Data"] | str | int | bool | None
"""What a YAML file holds, as plain Python."""

Entry = Mapping[str, Any]
"""A mapping of a rule file that its schema has checked: what is under a key need not be asked."""

DataPath = tuple[str | int, ...]
"""The way from the root of a document to a part: keys and list indexes (from 0)."""

Mark = Literal["part", "value", "key", "head"]
"""Which part to point at: its value, its key, or its head (the key, else the first line).

A part as such is shown by its head if it is a collection with a name, else by its value.
"""


class SourceText:
    """The text of a file, and where its lines begin."""

    __slots__ = ("file", "starts", "text")

    def __init__(self, file: str, text: str = "") -> None:
        self.file = file
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

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


@dataclass(slots=True, eq=False)
class Node:
    """Where a part stands: its text, the offsets of its value and of its key, and its own parts.

    ``text`` is None for a section that is laid together from several places. ``style`` is "" for
    plain text, a quote, "|" or ">" for scalars; for collections "{" (flow) or "-" (block).
    ``parts`` are the nodes of a mapping by key, those of a list by number.
    """

    text: SourceText | None
    start: int = 0
    end: int = 0
    style: str = ""
    key: tuple[int, int] | None = None
    parts: dict[str | int, Node] = field(default_factory=dict)

    def copy(self) -> Node:
        """Return a copy that may be modified."""
        parts = {step: part.copy() for step, part in self.parts.items()}
        return Node(self.text, self.start, self.end, self.style, self.key, parts)

    def with_places(self) -> Iterator[Node]:
        """Yield the outermost parts that have a place of their own, itself or inside of it."""
        if self.text is not None:
            yield self
        else:
            for part in self.parts.values():
                yield from part.with_places()


@dataclass(slots=True)
class Document:
    """Data, and where each part of it stands. The root has a text, if only one with a name.

    A path that leads nowhere, or to a section without a place of its own, gives the place of the
    nearest part on the way that has one.
    """

    data: Any
    root: Node

    @property
    def file(self) -> str:
        """The name of the file; of several, what to name where nothing else can be."""
        return self.root.text.file if self.root.text else "?"

    def at(self, path: DataPath) -> tuple[Any, Node]:
        """Return the data and the node at ``path``; raises LookupError if there is nothing."""
        data, node = self.data, self.root
        for step in path:
            node = node.parts[step]
            data = data[step]
        return data, node

    def copied(self, path: DataPath) -> tuple[Any, Node]:
        """Return a copy of the data and the nodes at ``path`` that may be modified."""
        data, node = self.at(path)
        return marshal.loads(marshal.dumps(data)), node.copy()  # noqa: S302 - of what is here

    def placed(self, path: DataPath) -> Node:
        """Return the last node on the way that has a place of its own."""
        placed = node = self.root
        for step in path:
            if step not in node.parts:
                break
            node = node.parts[step]
            if node.text is not None:
                placed = node
        return placed

    def locate(self, path: DataPath, mark: Mark) -> tuple[str, Span]:
        """Return file and place of a part: of its value, its key or its head.

        What has no key, as the item of a list, is its own key; its head is its first line. A
        section that is laid together has the key of the first of its parts.
        """
        node = self.placed(path)
        if mark in {"part", "key"}:
            with suppress(LookupError):
                node = next(self.at(path)[1].with_places(), node)
        text, start, end = node.text or SourceText("?"), node.start, node.end
        if mark == "part":
            # The new value of a change has no name.
            begun = text.text[node.key[0] : node.start] if node.key else ""
            is_new = begun.partition(":")[0].rstrip() == "to" and "\n" not in begun
            mark = "head" if node.style in {"{", "-"} and not is_new else "value"
        if mark != "value" and node.key is not None:
            start, end = node.key
        elif mark == "head":
            end = min(end, text.end_of_line(start))
        return text.file, text.span(start, end)

    def where(self, path: DataPath) -> tuple[str, Span]:
        """Return file and place of a value."""
        return self.locate(path, "value")

    def within(self, path: DataPath, start: int, end: int) -> tuple[str, Span]:
        """Return file and place of ``text[start:end]`` of the text at ``path``.

        Exact for plain, quoted and block text, also over several lines and with escapes. If there
        is no text at ``path``, the place of the value.
        """
        value, node = None, self.root
        with suppress(LookupError):
            value, node = self.at(path)
        if node.text is None or not isinstance(value, str):
            return self.where(path)
        units = _units(node.text, node)
        if len(units) != sum(not char.isspace() for char in value):  # the file is not what was read
            return self.where(path)
        start = min(max(start, 0), len(value))
        end = min(max(end, start), len(value))
        first = last = _offset(value, units, node, start)
        if end > start:
            last = _offset(value, units, node, end - 1, behind=True)
        return node.text.file, node.text.span(first, last)

    # --- changing, data and nodes alike

    def section(self, path: DataPath) -> Any:
        """Return the data at ``path``; mappings are made on the way where nothing is."""
        for cut, step in enumerate(path):
            if step not in self.at(path[:cut])[0]:
                self.put(path[: cut + 1], {}, Node(None))
        return self.at(path)[0]

    def put(self, path: DataPath, value: Data, node: Node) -> None:
        """Set a key of a mapping, or an item of a list that is there."""
        data, holder = self.at(path[:-1])
        data[path[-1]] = value
        holder.parts[path[-1]] = node

    def insert(self, path: DataPath, at: int, values: list[Data], node: Node) -> None:
        """Put items, of which ``node`` knows the places, into the list at ``path``, at ``at``."""
        data, holder = self.at(path)
        data[at:at] = values
        parts = [*holder.parts.values()]
        parts[at:at] = node.parts.values()
        holder.parts = dict(enumerate(parts))

    def remove(self, path: DataPath) -> None:
        """Take a part out."""
        data, holder = self.at(path[:-1])
        del data[path[-1]], holder.parts[path[-1]]
        if isinstance(data, list):
            holder.parts = dict(enumerate(holder.parts.values()))


class DataFinding(NamedTuple):
    """Something that is wrong with data: a finding that has a path, and no place yet.

    ``mark`` says what of the part at ``path`` to mark. ``keys`` are other keys that it is about:
    those of which one is missing, or the one that an unknown key was probably meant to be.
    """

    rule: str
    message: str
    path: DataPath
    help: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    mark: Mark = "part"
    keys: tuple[str, ...] = ()

    def placed(self, document: Document) -> Finding:
        """Return it at its place in the files of the data."""
        file, span = document.locate(self.path, self.mark)
        return Finding(self.rule, self.severity, self.message, span, help=self.help, file=file)


def fault(
    rule: str,
    message: str,
    path: DataPath,
    /,
    *help_lines: str,
    severity: Severity = Severity.ERROR,
    mark: Mark = "part",
    keys: tuple[str, ...] = (),
    **values: object,
) -> DataFinding:
    """Return a finding of data; ``values`` stand in the places of its message."""
    return DataFinding(rule, with_values(message, values), path, help_lines, severity, mark, keys)


def first_of(problems: list[Finding], message: str) -> list[Finding]:
    """Return as many problems as are told, and behind them that there are more: the message."""
    more = [
        Finding("too-many-problems", Severity.ERROR, message, problem.span, file=problem.file)
        for problem in problems[limits.MAX_PROBLEMS :][:1]
    ]
    return [*problems[: limits.MAX_PROBLEMS], *more]


# --- From an offset in a text to its place in the file -----------------------
#
# Folding, indentation and line continuation change only white space. So the n-th character of the
# text that is not white space is the n-th such unit between the quotes (or behind the header of a
# block), and white space is counted from the character before it.

# By the quote: what gives one character.
_UNITS = {
    '"': re.compile(r"\\(?:x..|u.{4}|U.{8}|[\s\S])|\S"),
    "'": re.compile(r"''|\S"),
    "": re.compile(r"\S"),
}
_BLANK_ESCAPES = frozenset(" \ttnvfrN_LP\n")


def _units(lines: SourceText, node: Node) -> list[tuple[int, int]]:
    """Return the offsets of what gives each character that is not white space."""
    quote = node.style if node.style in _UNITS else ""
    start = lines.end_of_line(node.start) if node.style in {"|", ">"} else node.start + len(quote)
    units = _UNITS[quote].finditer(lines.text, start, node.end - len(quote))
    return [unit.span() for unit in units if not _is_blank(unit[0])]


def _is_blank(unit: str) -> bool:
    code = unit[2:]
    return chr(int(code, 16)).isspace() if code else unit[1:] in _BLANK_ESCAPES


def _offset(
    text: str, units: list[tuple[int, int]], node: Node, at: int, behind: bool = False
) -> int:
    """Return where ``text[at]`` stands in the file, or where it ends."""
    before = sum(not char.isspace() for char in text[:at])
    if at < len(text) and not text[at].isspace():
        return units[before][behind]
    blanks = at - len(text[:at].rstrip()) + behind
    low = units[before - 1][1] if before else node.start + (node.style in {"'", '"'})
    return min(low + blanks, max(low, units[before][0] if before < len(units) else node.end))
