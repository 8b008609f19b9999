"""What is known of hidden things at a point of a game: what is certain, what is possible."""

from __future__ import annotations

from collections.abc import Iterator

from altay_cli.base.translations import phrase
from altay_cli.checking.playing import Game


def unseen_lines(game: Game) -> Iterator[str]:
    """Yield a line for each bag of a player whose contents are not fully known."""
    state = game.state
    language = state.language
    for who, title, known in game.unseen():
        certain = state.text(known.certain)
        parts = [phrase(language, "{things} certain", things=certain)] if known.certain else []
        for some in known.one_of:
            names = phrase(language, ", ").join(map(state.name, some))
            parts.append(phrase(language, "at least one of {things}", things=names))
        possible = [
            f"{state.name(item)} ({_percent(share, language)})"
            for item, share in sorted(known.shares.items(), key=lambda pair: -pair[1])
            if not known.certain.get(item)
        ]
        if possible:
            parts.append(
                phrase(language, "possible {things}", things=phrase(language, ", ").join(possible))
            )
        if known.size is not None:
            count = known.size - known.certain.size()
            parts.append(phrase(language, "{count} unknown", count=f"{count:,}"))
        yield f"{who}, {state.word(title)}: {'; '.join(parts)}"


def unseen_document(game: Game) -> list[dict[str, object]]:
    """Return the same for programs."""
    return [
        {
            "player": who,
            "zone": title,
            "size": known.size,
            "certain": {item.id: count for item, count in known.certain.items()},
            "one_of": [[item.id for item in some] for some in known.one_of],
            "likely": {item.id: round(share, 6) for item, share in known.shares.items()},
        }
        for who, title, known in game.unseen()
    ]


def _percent(share: float, language: str) -> str:
    if share >= 0.995:
        return phrase(language, "over 99%")
    return phrase(language, "under 1%") if share < 0.005 else f"{share:.0%}"
