"""The events of a YAML text: ruamel.yaml's parser, faster and in plain words.

ruamel.yaml reads a text character by character. Here the reader, and the parts
of the scanner that rule files spend their time in, work on whole stretches;
the grammar is ruamel's. Faults of the syntax are told to someone who does not
know YAML's grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import FileMark, MarkedYAMLError
from ruamel.yaml.events import Event
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner
from ruamel.yaml.tokens import ScalarToken

_MAX_TAG = 100

# A plain text on one line: it ends at " #", at ": ", and in a flow collection
# at a comma or bracket too. The parser puts a NUL behind the text.
_PLAIN = re.compile(
    r"(?!#)(?:[^ \n\t:\0]|:(?![ \n\t\0]))+(?: +(?!#)(?:[^ \n\t:\0]|:(?![ \n\t\0]))+)*"
)
_PLAIN_IN_FLOW = re.compile(
    r"(?!#)(?:[^ \n\t:\0,\[\]{}]|:(?![ \n\t\0]))+(?: +(?!#)(?:[^ \n\t:\0,\[\]{}]|:(?![ \n\t\0]))+)*"
)
# Spaces, comments and line ends between two tokens.
_BLANK = re.compile(r"(?: *(?:#[^\n\0]*)?\n)* *(?:#[^\n\0]*)?")
_BLANK_IN_FLOW = re.compile(r"(?:[ \t]*(?:#[^\n\0]*)?\n)*[ \t]*(?:#[^\n\0]*)?")


class SyntaxFault(Exception):  # noqa: N818
    """The text is no YAML from here on."""

    def __init__(self, message: str, offset: int, rule: str = "yaml-syntax") -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.rule = rule


class _Reader(Reader):
    """ruamel's reader, less its loop over every character.

    The text is one string, has line feeds for its only line ends, and has been
    checked for characters that are not allowed.
    """

    reached = 0
    """How far the reader had come when it was last reset: ruamel resets it on errors."""

    def reset_reader(self) -> None:
        self.reached = getattr(self, "index", 0)
        super().reset_reader()

    def check_printable(self, data: object) -> None:
        """Accept the text: it has been checked."""

    def forward(self, length: int = 1) -> None:
        end = self.pointer + length
        breaks = self.buffer.count("\n", self.pointer, end)
        if breaks:
            self.line += breaks
            self.column = end - self.buffer.rfind("\n", self.pointer, end) - 1
        else:
            self.column += length
        self.pointer = self.index = end

    def get_mark(self) -> FileMark:
        return FileMark(None, self.index, self.line, self.column)


class _Scanner(Scanner):
    """ruamel's scanner with its slowest parts done by regular expressions.

    What it accepts and gives is the same; a test compares the two.
    """

    @cached_property
    def reader(self) -> Any:
        """The reader of the same loader, looked up once."""
        return self.loader.reader

    def need_more_tokens(self) -> bool:
        if self.done or (self.tokens and not self.possible_simple_keys):
            return False
        return bool(super().need_more_tokens())

    def scan_to_next_token(self) -> None:
        reader = self.reader
        blank = _BLANK_IN_FLOW if self.flow_context else _BLANK
        found = blank.match(reader.buffer, reader.pointer)
        start, end = found.span() if found else (0, 0)
        if end > start:
            reader.forward(end - start)
            if not self.flow_context and reader.buffer.find("\n", start, end) >= 0:
                self.allow_simple_key = True

    def scan_plain(self) -> Any:
        reader = self.reader
        pattern = _PLAIN_IN_FLOW if self.flow_context else _PLAIN
        start = end = reader.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        spaces: list[str] = []
        while found := pattern.match(reader.buffer, reader.pointer):
            self.allow_simple_key = False
            chunks += spaces
            chunks.append(found[0])
            reader.forward(len(found[0]))
            end = reader.get_mark()
            spaces = self.scan_plain_spaces(indent, start)
            if not spaces or (not self.flow_context and reader.column < indent):
                break
        return ScalarToken("".join(chunks), True, start, end)

    def scan_tag_uri(self, name: str, start_mark: FileMark) -> str:
        # Every tag is refused; one of a million characters would take ruamel
        # minutes to copy, character by character, into its own tag object.
        return str(super().scan_tag_uri(name, start_mark))[:_MAX_TAG]


class _Parser(Parser):
    """ruamel's parser, which looks its scanner up once and not at each step."""

    @cached_property
    def scanner(self) -> Any:
        """The scanner of the same loader."""
        return self.loader.scanner


def events(text: str) -> Iterator[Event]:
    """Yield the parser's events; raises ``SyntaxFault`` and nothing else."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Reader, yaml.Scanner, yaml.Parser = _Reader, _Scanner, _Parser
    parsed = yaml.parse(text)
    while True:
        try:
            event = next(parsed)
        except StopIteration:
            return
        except MarkedYAMLError as error:
            raise _plain_words(text, error) from None
        except Exception:
            # ruamel lets some ValueErrors and the like through, for example
            # for "\UFFFFFFFF"; a stranger's file must not end the program.
            where = min(yaml.reader.reached, len(text))
            raise SyntaxFault("this cannot be read as YAML", where) from None
        yield event


# --- What the parser says, in plain words --------------------------------------


def _plain_words(text: str, error: MarkedYAMLError) -> SyntaxFault:
    """Tell a fault of the syntax to someone who does not know YAML's grammar."""
    said = str(error.problem)
    here = _index(error.problem_mark, error.context_mark)
    begun = _index(error.context_mark, error.problem_mark)
    line = text.count("\n", 0, begun) + 1
    if "undefined tag handle" in said:
        return SyntaxFault("tags (words that begin with '!') are not allowed", here, "yaml-tag")
    if "expected <block end>" in said:
        return SyntaxFault(_misfit(text, here), here)
    for part, words, at_begin in _FAULTS:
        if part not in said:
            continue
        offset = begun if at_begin else min(here, len(text))
        return SyntaxFault(words.replace("{begun}", f"line {line}"), offset)
    if "cannot start any token" in said:
        return SyntaxFault(_bad_start(text[here : here + 1]), here)
    return SyntaxFault(said, min(here, len(text)))


def _misfit(text: str, here: int) -> str:
    """Say why what stands at ``here`` belongs to nothing before it."""
    before = text[text.rfind("\n", 0, here) + 1 : here].rstrip()
    if not before:
        return "this line does not fit the lines before it: mend its indentation"
    if before[-1] in "]}'\"":
        return f"this stands behind the closing {before[-1]} of a value: put all of it in quotes"
    return "this does not fit what stands before it"


def _bad_start(char: str) -> str:
    if char == "\t":
        return "a tab cannot stand here; use spaces"
    return f"a text cannot begin with '{char}' unless it is in quotes"


def _index(mark: FileMark | None, other: FileMark | None) -> int:
    found = mark if mark is not None else other
    return 0 if found is None else found.index


_FAULTS: tuple[tuple[str, str, bool], ...] = (
    (
        "mapping values are not allowed",
        "a ': ' cannot stand here: put a text that holds one in quotes, or mend the indentation",
        False,
    ),
    ("could not find expected ':'", "a ':' is missing behind this key", True),
    ("expected ',' or ']'", "a ',' is missing here, or the ']' of the list of {begun}", False),
    ("expected ',' or '}'", "a ',' is missing here, or the '}' of the mapping of {begun}", False),
    ("unexpected end of stream", "the quote that opens here is never closed", True),
    ("unexpected document separator", "the quote that opens here is never closed", True),
    ("sequence entries are not allowed", "a list item ('- ') cannot begin here", False),
    ("mapping keys are not allowed", "a key ('? ') cannot begin here", False),
    ("unknown escape character", "this is no escape of a double-quoted text", False),
    ("expected escape sequence", "an escape (\\x, \\u, \\U) lacks hexadecimal digits", False),
    ("expected chomping", "only +, - or a digit can stand behind '|' or '>'", False),
    ("expected indentation indicator", "the digit behind '|' or '>' must be 1 to 9", False),
    ("expected a comment or a line break", "nothing else can stand on this line", False),
    ("more indented follow up line", "the first lines of this text are indented unevenly", False),
    ("expected the node content", "a value is missing here", False),
    ("found unexpected ':'", "a ':' cannot stand here: put the text in quotes", False),
    ("expected '<document start>'", "nothing can follow the end of the document", False),
    ("non-comment content after document end", "nothing can follow '...'", False),
)
"""A part of what the parser says; our words; whether the place is the beginning."""
