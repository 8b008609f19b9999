"""Parts of scores in words."""

from __future__ import annotations

from altay_cli.scoring.score import Line, Standing


def category_titles(standing: Standing) -> dict[str, str]:
    """Return the titles of the categories by id, in the order of the rules."""
    scores = standing.players[0].categories
    return {one.category.id: standing.words.word(one.category.title) for one in scores}


def counted_things(standing: Standing, line: Line) -> list[str]:
    """Return the names of what a line counts, and how many there are beyond those it lists."""
    names = list(map(standing.words.text, line.counted))
    return [*names, f"+ {line.more}"] if line.more else names
