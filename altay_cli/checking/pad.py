"""Score pads: what a form for them needs, and their logs.

    from altay_cli.checking.pad import categories, log_text

    form = categories("altay")
    text = log_text("altay", [("Ann", {"wonders": 7}), ("Bob", {"wonders": 5})])

A log with a `result` alone is then checked like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from altay_cli.base.findings import Bilingual
from altay_cli.base.translations import cited
from altay_cli.checking.errors import GameError
from altay_cli.checking.opening import rules_by_tags
from altay_cli.compile.load import variant_names
from altay_cli.match.state import State
from altay_cli.moves.wording import speller
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import SectionKind
from altay_cli.notation.writing import format_log
from altay_cli.pack.candidates import on_pad
from altay_cli.pack.model import Category
from altay_cli.pack.words import Words, words_of
from altay_cli.scoring.bounds import Bounds, bounds_for
from altay_cli.scoring.outcomes import by_points

Tags = Iterable[tuple[str, str]]

TOTAL = "score"
"""Names the total, in place of the id of a category."""


def categories(
    game: str,
    tags: Tags = (),
    *,
    players: int | None = None,
    folder: Path | str | None = None,
    language: str = "en",
) -> dict[str, Any]:
    """Return what a form for a score pad shows, as plain data (`docs/json.md`).

    Args:
        game: the id of the rules.
        tags: further tags of the log, such as ``("Edition", "de")``.
        players: how many play; without it, the most that can.
        folder: where variant files are looked up; without it, none are read.
        language: the code of the language of titles.

    Raises:
        GameError: if there are no such rules.

    """
    _, (pack, options) = rules_by_tags(game, tags, folder)
    words = words_of(pack, language)
    seats = [str(number) for number in range(1, (players or pack.most) + 1)]
    bounds = bounds_for(State(pack, options, language), seats)
    return {
        "game": pack.id,
        "title": words.word(pack.title),
        "players": {"least": pack.least, "most": pack.most},
        "options": [
            {
                "tag": option.tag,
                "values": list(option.values),
                "default": option.default,
                "value": options[option.id],
            }
            for option in pack.options.values()
            if option.tag
        ],
        "variants": variant_names(pack.id),
        "categories": [
            _category(category, bounds[category.id], words, language)
            for category in pack.categories
        ],
        "ties": list(pack.ties),
        "by_points": by_points(pack),
    }


def _category(category: Category, bound: Bounds, words: Words, language: str) -> dict[str, Any]:
    because = bound.because
    return {
        "id": category.id,
        "title": words.word(category.title),
        "counts": category.counts,
        "cite": dict(category.cite),
        "cited": cited(language, category.cite),
        "least": bound.least,
        "most": bound.most,
        "values": list(bound.values) or None,
        "together": bound.together,
        "because": (because.shown if isinstance(because, Bilingual) else because) or None,
    }


def log_text(
    game: str,
    players: Sequence[tuple[str, Mapping[str, int]]],
    tags: Tags = (),
    *,
    winners: Sequence[str] | None = None,
    folder: Path | str | None = None,
) -> str:
    """Return the log of a score pad, as `altay fmt` writes it.

    Args:
        game: the id of the rules.
        players: by seat, the name and the points by category; `score` is the total.
        tags: further tags of the log.
        winners: who has won, if that was written down; empty for a draw.
        folder: where variant files are looked up; without it, none are read.

    Raises:
        GameError: if there are no such rules, or a name cannot be written.

    """
    head, (pack, _) = rules_by_tags(game, tags, folder)
    known = [*(category.id for category in pack.categories), TOTAL]
    written = speller(pack).player
    lines = [head, "", SectionKind.RESULT]
    for player, points in players:
        for category in points:
            if category not in known:
                raise GameError("there is no score category `{name}`", name=category[:40])
        lines += [f"{written(player)}: {n} {int(points[n])}" for n in known if n in points]
    if winners is not None:
        lines.append(f"winner {', '.join(map(written, winners))}" if winners else "draw")
        others = [name for name, points in players if name not in winners]
        if winners and others and not pack.categories:  # else nothing would name them
            lines.append(f"loser {', '.join(map(written, others))}")
    text = "\n".join([*lines, ""])
    _check_names(text, [name for name, points in players if points])
    return format_log(text, pack.headings)


def _check_names(text: str, names: Sequence[str]) -> None:
    read = on_pad(read_log(text).games[0])
    for number, name in enumerate(names):
        if read[number : number + 1] != (name,):
            template = "`{name}` cannot be the name of a player here, or two players have it"
            raise GameError(template, name=name[:40])
