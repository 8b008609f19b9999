"""What is known of hidden things at a point of a game: what is certain, what is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from altay_cli.playing import Game
from altay_cli.report.text import plural


def unseen_lines(game: Game) -> Iterator[str]:
    """Yield a line for each bag of a player of which it is not known what lies in it."""
    state = game.state
    for who, title, known in game.unseen():
        parts = [f"{state.text(known.certain)} certain"] if known.certain else []
        possible = [
            f"{state.name(item)} ({_percent(share)})"
            for item, share in sorted(known.shares.items(), key=lambda pair: -pair[1])
            if not known.certain.get(item)
        ]
        if possible:
            parts.append(f"possible {', '.join(possible)}")
        if known.size is not None:
            parts.append(f"{plural(known.size - known.certain.size(), 'thing')} unknown")
        yield f"{who}, {state.word(title)}: {'; '.join(parts)}"


def unseen_document(game: Game) -> list[dict[str, Any]]:
    """Return the same for programs."""
    return [
        {
            "player": who,
            "zone": title,
            "size": known.size,
            "certain": {item.id: count for item, count in known.certain.items()},
            "likely": {item.id: round(share, 6) for item, share in known.shares.items()},
        }
        for who, title, known in game.unseen()
    ]


def _percent(share: float) -> str:
    if share >= 0.995:
        return "over 99%"
    return "under 1%" if share < 0.005 else f"{share:.0%}"
