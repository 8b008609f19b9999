"""The events of YAML's parsers, and their errors in plain words.

libyaml (ruamel.yaml.clib) is the parser if installed; text that it refuses is read again by
ruamel.yaml, which is 20 times slower, supports more of YAML 1.2 and explains errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from ruamel.yaml import YAML
from ruamel.yaml import events as e
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner

from altay_cli.base.findings import ReadError, Text
from altay_cli.source import limits

try:
    from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
except ImportError:  # not available for every Python
    CParser = None

# libyaml and ruamel.yaml differ on these: tabs, directives, and comments after the header of a
# block. The result must not depend on the machine.
_FOR_RUAMEL = re.compile(r"\t|^%|[|>][-+0-9]*#", re.MULTILINE)

_MAX_TAG = 100  # characters


def quick_events(text: str) -> list[e.Event] | None:
    """Return libyaml's events up to a limit, or None if it refuses the text."""
    if CParser is None or _FOR_RUAMEL.search(text):
        return None
    with suppress(YAMLError, ValueError):
        return [*islice(iter(CParser(text).get_event, None), 2 * limits.MAX_NODES + 10)]
    return None


class _MarkedReader(Reader):
    """Remembers its progress when it is reset after an error."""

    reached = 0

    def reset_reader(self) -> None:
        self.reached = getattr(self, "index", 0)
        super().reset_reader()


class _Scanner(Scanner):
    def scan_tag_uri(self, name: str, start_mark: object) -> str:
        # Tags are refused; ruamel.yaml would copy a very long one for minutes.
        return str(super().scan_tag_uri(name, start_mark))[:_MAX_TAG]


def events(text: str) -> Iterator[e.Event]:
    """Yield ruamel.yaml's events; raise only ``ReadError``."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Reader, yaml.Scanner = _MarkedReader, _Scanner
    try:
        yield from yaml.parse(text)
    except MarkedYAMLError as error:
        raise _plain_words(text, error) from None
    except Exception:
        # ruamel.yaml lets some ValueErrors escape, for example on "\UFFFFFFFF".
        where = min(yaml.reader.reached, len(text))
        raise ReadError("yaml-syntax", "this cannot be read as YAML", where) from None


def _plain_words(text: str, error: MarkedYAMLError) -> ReadError:
    problem = str(error.problem)
    marks = [mark.index for mark in (error.context_mark, error.problem_mark) if mark is not None]
    begun, here = (marks[0], marks[-1]) if marks else (0, 0)
    line = text.count("\n", 0, begun) + 1
    if "undefined tag handle" in problem:
        return ReadError("yaml-tag", "tags (words that begin with '!') are not allowed", here)
    if "expected <block end>" in problem:
        before = text[text.rfind("\n", 0, here) + 1 : here].rstrip()
        words = "this does not fit what comes before it"
        if not before:
            words = "this line does not fit the lines before it: fix its indentation"
        elif before[-1] in "]}'\"":
            words = "this comes after the closing {char} of a value: put all of it in quotes"
        return ReadError("yaml-syntax", words, here, char=before[-1:])
    if "expected ','" in problem and text[here : here + 1] in {"[", "{"} and text[here - 1].strip():
        template = "inside brackets, a text that contains '{char}' needs quotes"
        return ReadError("yaml-syntax", template, here, char=text[here])
    for part, words, at_begin in _FAULTS:
        if part in problem:
            offset = begun if at_begin else min(here, len(text))
            char, place = text[here : here + 1], Text("line {line}", line=line)
            return ReadError("yaml-syntax", words, offset, char=char, place=place)
    return ReadError("yaml-syntax", problem, min(here, len(text)))


# A part of the parser's message; ours; whether the error is at the beginning.
_FAULTS: tuple[tuple[str, str, bool], ...] = (
    (
        "mapping values are not allowed",
        "a ': ' is not allowed here: put a text that holds one in quotes, or fix the indentation",
        False,
    ),
    ("could not find expected ':'", "a ':' is missing after this key", True),
    ("expected ',' or ']'", "a ',' is missing here, or the ']' of the list of {place}", False),
    ("expected ',' or '}'", "a ',' is missing here, or the '}}' of the mapping of {place}", False),
    ("unexpected end of stream", "the quote that opens here is never closed", True),
    ("unexpected document separator", "the quote that opens here is never closed", True),
    ("sequence entries are not allowed", "a list item ('- ') cannot begin here", False),
    ("mapping keys are not allowed", "a key ('? ') cannot begin here", False),
    ("unknown escape character", "this is not an escape of a double-quoted text", False),
    ("expected escape sequence", "an escape (\\x, \\u, \\U) lacks hexadecimal digits", False),
    ("expected chomping", "only +, - or a digit can follow '|' or '>'", False),
    ("expected indentation indicator", "the digit after '|' or '>' must be 1 to 9", False),
    ("expected a comment or a line break", "nothing else is allowed on this line", False),
    ("more indented follow up line", "the first lines of this text are indented unevenly", False),
    ("expected the node content", "a value is missing here", False),
    ("found unexpected ':'", "a ':' is not allowed here: put the text in quotes", False),
    ("expected '<document start>'", "nothing can follow the end of the document", False),
    ("non-comment content after document end", "nothing can follow '...'", False),
    ("'\\t' that cannot start any token", "a tab is not allowed here; use spaces", False),
    ("cannot start any token", "a text cannot begin with '{char}' unless it is in quotes", False),
)
