"""What a YAML parser says of a fault, for someone who does not know YAML's grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altay_cli.base.findings import ReadError
from altay_cli.base.text import Text

if TYPE_CHECKING:
    from ruamel.yaml.error import FileMark, MarkedYAMLError


def plain_words(text: str, error: MarkedYAMLError) -> ReadError:
    """Tell a fault of the syntax to someone who does not know YAML's grammar."""
    problem = str(error.problem)
    here = _index(error.problem_mark, error.context_mark)
    begun = _index(error.context_mark, error.problem_mark)
    line = text.count("\n", 0, begun) + 1
    if "undefined tag handle" in problem:
        return ReadError("yaml-tag", "tags (words that begin with '!') are not allowed", here)
    if "expected <block end>" in problem:
        return ReadError("yaml-syntax", _misfit(text, here), here)
    for part, words, at_begin in _FAULTS:
        if part not in problem:
            continue
        offset = begun if at_begin else min(here, len(text))
        message = Text(words, place=Text("line {line}", line=line)) if "{place}" in words else words
        return ReadError("yaml-syntax", message, offset)
    if "cannot start any token" in problem:
        return ReadError("yaml-syntax", _bad_start(text[here : here + 1]), here)
    return ReadError("yaml-syntax", problem, min(here, len(text)))


def _misfit(text: str, here: int) -> str:
    """Say why what stands at ``here`` belongs to nothing before it."""
    before = text[text.rfind("\n", 0, here) + 1 : here].rstrip()
    if not before:
        return "this line does not fit the lines before it: fix its indentation"
    if before[-1] in "]}'\"":
        return Text(
            "this comes after the closing {char} of a value: put all of it in quotes",
            char=before[-1],
        )
    return "this does not fit what comes before it"


def _bad_start(char: str) -> str:
    if char == "\t":
        return "a tab is not allowed here; use spaces"
    return Text("a text cannot begin with '{char}' unless it is in quotes", char=char)


def _index(mark: FileMark | None, other: FileMark | None) -> int:
    known = mark if mark is not None else other
    return 0 if known is None else known.index


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
)
"""A part of what the parser says; our words; whether the place is the beginning."""
