"""altay: a referee for recorded board games, with the rules as data.

The library, under one import:

    import altay_cli as altay

    report = altay.check_text(text)  # findings, verdict and scores of recorded games
    game = altay.new_game("altay", ["Ann", "Bob"], seed=7)  # a game to play: moves, undo, log
    altay.evaluate("1 + 2")  # an expression as rule files have them

Each name is imported when it is first asked for. Everything else is internal and may change.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""What type checkers take to be true; ``typing``, which has it too, would delay every command."""

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
    from altay_cli.checking.playing import Game, GameError, IllegalMove, new_game, open_game
    from altay_cli.expressions.checker import evaluate
    from altay_cli.moves.listing import Move
    from altay_cli.pack.model import Category
    from altay_cli.scoring.score import CategoryScore, PlayerScore, Standing

__version__ = "0.1.0"
"""The version of the distribution too: ``pyproject.toml`` reads it from this line."""

__all__ = [
    "Category",
    "CategoryScore",
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
    "checking.playing": ("Game", "GameError", "IllegalMove", "new_game", "open_game"),
    "pack.model": ("Category",),
    "scoring.score": ("CategoryScore", "PlayerScore", "Standing"),
}
"""What is offered, by the module in which it is."""

if not TYPE_CHECKING:  # to mypy the imports above are all there is

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})

    def __getattr__(name: str) -> object:
        from importlib import import_module

        home = next((module for module, names in _CONTENTS.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{home}"), name)
