"""AGN, the notation of a recorded game: text to syntax tree, tree to canonical text.

Nothing here knows a game: a statement is a list of words, numbers and the
like, and what it means is the rules pack's business.
"""

from altay_cli.notation.lexis import GAME_TAG, Comment, NotationError, decode, quote
from altay_cli.notation.parser import parse
from altay_cli.notation.reading import read
from altay_cli.notation.tree import (
    GameRecord,
    Item,
    Kind,
    Log,
    Phrase,
    Section,
    SectionKind,
    Statement,
    Tag,
    divided,
    heads,
)
from altay_cli.notation.writing import format_file, format_log

__all__ = [
    "GAME_TAG", "Comment", "GameRecord", "Item", "Kind", "Log", "NotationError", "Phrase",
    "Section", "SectionKind", "Statement", "Tag", "decode", "divided", "format_file", "format_log",
    "heads", "parse", "quote", "read",
]  # fmt: skip
