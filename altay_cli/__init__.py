"""altay: a referee for recorded board games, with the rules as data.

>>> import altay_cli as altay
>>> altay.evaluate("1 + 2")  # an expression as in rule files
3
>>> game = altay.new_game("altay", ["Ann", "Bob"], seed=7)  # moves, undo, log
>>> checked = altay.check_text(game.log())  # findings, verdict and scores of each game
>>> [game.verdict.value for game in checked.games]
['legal']

Names are imported on first access. Everything else is internal and may change.
"""

from __future__ import annotations

from altay_cli.base.version import __version__

TYPE_CHECKING = False
"""True for type checkers; importing ``typing`` for it would delay every command."""

if TYPE_CHECKING:
    from altay_cli.base.findings import (
        ExpressionError,
        Finding,
        Fix,
        PackError,
        Related,
        Severity,
        Span,
        Verdict,
    )
    from altay_cli.checking.check import FileReport, GameReport, check_text
    from altay_cli.checking.errors import GameError, IllegalMove
    from altay_cli.checking.opening import new_game, open_game
    from altay_cli.checking.playing import Game
    from altay_cli.expressions.checker import evaluate
    from altay_cli.moves.choices import Choice
    from altay_cli.moves.listing import Move
    from altay_cli.pack.looks import Address
    from altay_cli.pack.model import Category
    from altay_cli.scoring.score import CategoryScore, PlayerScore, Standing

__all__ = [
    "Address",
    "Category",
    "CategoryScore",
    "Choice",
    "ExpressionError",
    "FileReport",
    "Finding",
    "Fix",
    "Game",
    "GameError",
    "GameReport",
    "IllegalMove",
    "Move",
    "PackError",
    "PlayerScore",
    "Related",
    "Severity",
    "Span",
    "Standing",
    "Verdict",
    "__version__",
    "check_text",
    "evaluate",
    "new_game",
    "open_game",
]

_CONTENTS = {
    "checking.check": ("FileReport", "GameReport", "check_text"),
    "moves.choices": ("Choice",),
    "moves.listing": ("Move",),
    "expressions.checker": ("evaluate",),
    "base.findings": (
        "ExpressionError",
        "Finding",
        "Fix",
        "PackError",
        "Related",
        "Severity",
        "Span",
        "Verdict",
    ),
    "checking.errors": ("GameError", "IllegalMove"),
    "checking.opening": ("new_game", "open_game"),
    "checking.playing": ("Game",),
    "pack.looks": ("Address",),
    "pack.model": ("Category",),
    "scoring.score": ("CategoryScore", "PlayerScore", "Standing"),
}
"""The public names, by module."""

if not TYPE_CHECKING:  # mypy sees the imports above
    from importlib import import_module

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})

    def __getattr__(name: str) -> object:
        home = next((module for module, names in _CONTENTS.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{home}"), name)
