"""Places in a text file."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of text.

    Lines and columns count from 1, columns in Unicode code points; the end
    column is the one behind the last marked character (a one-character span
    has ``end_column == column + 1``).
    """

    line: int
    column: int
    end_line: int
    end_column: int


START = Span(1, 1, 1, 1)
"""The place for what concerns a file as a whole."""
