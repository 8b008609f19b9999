"""`python -m attack languages`: check broken logs in every language of reports.

The language changes only words: verdicts, rules and places of findings must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from altay_cli.base.findings import Severity, Span, Verdict
from altay_cli.base.translations import languages
from altay_cli.checking.check import check_text
from attack.stored import CHANGED, HOME, MASKED, text_of

Judged = list[tuple[Verdict, list[tuple[str, Severity, Span]]]]
"""The verdict of each game, and the rules and places of its findings."""


def judged(text: str, folder: Path | None, language: str) -> Judged:
    """Return the findings in a language, without words."""
    games = check_text(text, folder=folder, language=language).games
    return [(g.verdict, [(f.rule, f.severity, f.span) for f in g.findings]) for g in games]


def differing(text: str, folder: Path | None = None) -> list[str]:
    """Return the languages whose findings differ from those of the first."""
    first, *others = languages()
    found = judged(text, folder, first)
    return [language for language in others if judged(text, folder, language) != found]


def logs(seed: int) -> Iterator[tuple[str, str, Path | None]]:
    paths = [*HOME.glob("tests/**/*.agn"), *HOME.glob("games/**/*.agn")]
    names = [path.relative_to(HOME).as_posix() for path in paths]
    names += [f"changed {number}" for number in range(CHANGED)]
    names += [f"masked {number}" for number in range(MASKED)]
    for name in Random(seed).sample(sorted(names), len(names)):
        path = HOME / name
        yield name, text_of(name), path.parent if path.is_file() else None


@click.command("languages")
@click.option("--logs", "most", default=-1, help="How many logs; all without it.")
@click.option("--seed", default=0)
def command(most: int, seed: int) -> None:
    """Check broken logs in every language; only the words may differ."""
    wrong = count = 0
    for name, text, folder in logs(seed):
        if count == most:
            break
        count += 1
        if found := differing(text, folder):
            wrong += 1
            click.echo(f"{name}: {', '.join(found)}")
    click.echo(f"{count:,} logs, {wrong:,} judged otherwise in some language")
    if wrong:
        raise SystemExit(1)
