"""Data of rule files; a parallel tree of nodes has the places."""

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

Entry = Mapping[str, Any]

DataPath = tuple[str | int, ...]
"""The path from the root to a part: keys, and list indexes from 0."""

Mark = Literal["part", "value", "key", "head"]
"""The place to mark: a value, a key, or a head (the key, else the first line).

"part" is the head of a collection with a name, else the value.
"""


class SourceText:
    """The text of a file, with the offsets of its lines."""

    __slots__ = ("file", "starts", "text")

    def __init__(self, file: str, text: str = "") -> None:
        self.file = file
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        """Return the span from offset ``start`` up to offset ``end``."""
        return Span(*self._place(start), *self._place(max(start, end)))

    def end_of_line(self, offset: int) -> int:
        """Return the offset of the end of the line."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


@dataclass(slots=True, eq=False)
class Node:
    """The place of a part: offsets of value and key, and the nodes of its parts.

    text: None for a section merged from several places.
    style: of scalars "" (plain), a quote, "|" or ">"; of collections "{" (flow) or "-" (block).
    parts: by key, or index in a list.
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
        """Yield the outermost nodes, from this one on, that have a place."""
        if self.text is not None:
            yield self
        else:
            for part in self.parts.values():
                yield from part.with_places()


@dataclass(slots=True)
class Document:
    """Data, and the place of each part: by default that of the enclosing part.

    The root has a text, if only with a file name.
    """

    data: Any
    root: Node

    @property
    def file(self) -> str:
        """The name of the file, or of parts without a place."""
        return self.root.text.file if self.root.text else "?"

    def at(self, path: DataPath) -> tuple[Any, Node]:
        """Return the data and the node at ``path``; raise LookupError if there is none."""
        data, node = self.data, self.root
        for step in path:
            node = node.parts[step]
            data = data[step]
        return data, node

    def copied(self, path: DataPath) -> tuple[Any, Node]:
        """Return a copy of data and nodes that may be modified."""
        data, node = self.at(path)
        return marshal.loads(marshal.dumps(data)), node.copy()  # noqa: S302 - only our data

    def placed(self, path: DataPath) -> Node:
        """Return the last node on the path that has a place."""
        placed = node = self.root
        for step in path:
            if step not in node.parts:
                break
            node = node.parts[step]
            if node.text is not None:
                placed = node
        return placed

    def locate(self, path: DataPath, mark: Mark) -> tuple[str, Span]:
        """Return file and span of a part: of its value, its key or its head.

        An item of a list is its own key, with its first line as head. A merged section has the key
        of its first part.
        """
        node = self.placed(path)
        if mark in {"part", "key"}:
            with suppress(LookupError):
                node = next(self.at(path)[1].with_places(), node)
        text, start, end = node.text or SourceText("?"), node.start, node.end
        if mark == "part":
            # The new value in a change has no name.
            begun = text.text[node.key[0] : node.start] if node.key else ""
            is_new = begun.partition(":")[0].rstrip() == "to" and "\n" not in begun
            mark = "head" if node.style in {"{", "-"} and not is_new else "value"
        if mark != "value" and node.key is not None:
            start, end = node.key
        elif mark == "head":
            end = min(end, text.end_of_line(start))
        return text.file, text.span(start, end)

    def where(self, path: DataPath) -> tuple[str, Span]:
        """Return file and span of a value."""
        return self.locate(path, "value")

    def within(self, path: DataPath, start: int, end: int) -> tuple[str, Span]:
        """Return file and span of ``text[start:end]``, where ``text`` is the value at ``path``.

        Exact for text in any style; for another value, its span.
        """
        value, node = None, self.root
        with suppress(LookupError):
            value, node = self.at(path)
        if node.text is None or not isinstance(value, str):
            return self.where(path)
        units = _units(node.text, node)
        # The file has changed since it was read.
        if len(units) != sum(not char.isspace() for char in value):
            return self.where(path)
        start = min(max(start, 0), len(value))
        end = min(max(end, start), len(value))
        first = last = _offset(value, units, node, start)
        if end > start:
            last = _offset(value, units, node, end - 1, after=True)
        return node.text.file, node.text.span(first, last)

    # --- changing data and nodes together

    def section(self, path: DataPath) -> Any:
        """Return the data at ``path``; create missing mappings."""
        for cut, step in enumerate(path):
            if step not in self.at(path[:cut])[0]:
                self.put(path[: cut + 1], {}, Node(None))
        return self.at(path)[0]

    def put(self, path: DataPath, value: Data, node: Node) -> None:
        """Set a key, or replace an item of a list."""
        data, holder = self.at(path[:-1])
        data[path[-1]] = value
        holder.parts[path[-1]] = node

    def insert(self, path: DataPath, at: int, values: list[Data], node: Node) -> None:
        """Insert items and their nodes into a list."""
        data, holder = self.at(path)
        data[at:at] = values
        parts = [*holder.parts.values()]
        parts[at:at] = node.parts.values()
        holder.parts = dict(enumerate(parts))

    def remove(self, path: DataPath) -> None:
        """Remove a part."""
        data, holder = self.at(path[:-1])
        del data[path[-1]], holder.parts[path[-1]]
        if isinstance(data, list):
            holder.parts = dict(enumerate(holder.parts.values()))


class DataFinding(NamedTuple):
    """A finding on data, by its path; its place is found later.

    keys: others concerned, such as the likely spelling of an unknown one.
    """

    rule: str
    message: str
    path: DataPath
    help: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    mark: Mark = "part"
    keys: tuple[str, ...] = ()

    def placed(self, document: Document) -> Finding:
        """Return the finding with its place in the files."""
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
    """Return a finding; ``values`` fill its message."""
    return DataFinding(rule, with_values(message, values), path, help_lines, severity, mark, keys)


def first_of(problems: list[Finding], message: str) -> list[Finding]:
    """Return the problems up to a limit, then ``message`` that there are more."""
    more = [
        Finding("too-many-problems", Severity.ERROR, message, problem.span, file=problem.file)
        for problem in problems[limits.MAX_PROBLEMS :][:1]
    ]
    return [*problems[: limits.MAX_PROBLEMS], *more]


# Folding, indentation and line continuation change only white space: the n-th non-blank character
# of the text is the n-th in the source.

_UNITS = {
    '"': re.compile(r"\\(?:x..|u.{4}|U.{8}|[\s\S])|\S"),
    "'": re.compile(r"''|\S"),
    "": re.compile(r"\S"),
}
_BLANK_ESCAPES = frozenset(" \ttnvfrN_LP\n")


def _units(lines: SourceText, node: Node) -> list[tuple[int, int]]:
    quote = node.style if node.style in _UNITS else ""
    start = lines.end_of_line(node.start) if node.style in {"|", ">"} else node.start + len(quote)
    units = _UNITS[quote].finditer(lines.text, start, node.end - len(quote))
    return [unit.span() for unit in units if not _is_blank(unit[0])]


def _is_blank(unit: str) -> bool:
    code = unit[2:]
    return chr(int(code, 16)).isspace() if code else unit[1:] in _BLANK_ESCAPES


def _offset(
    text: str, units: list[tuple[int, int]], node: Node, at: int, after: bool = False
) -> int:
    before = sum(not char.isspace() for char in text[:at])
    if at < len(text) and not text[at].isspace():
        return units[before][after]
    blanks = at - len(text[:at].rstrip()) + after
    low = units[before - 1][1] if before else node.start + (node.style in {"'", '"'})
    return min(low + blanks, max(low, units[before][0] if before < len(units) else node.end))
