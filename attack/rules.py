"""`python -m attack rules`: change the rules one by one; some test must fail."""

from __future__ import annotations

import multiprocessing
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

import click

from attack.rules_judge import Judge, Verdict
from attack.rules_mutants import Mutant, exceptions, mutants

OPERATORS = {
    "drop": "a requirement that always holds",
    "negate": "a requirement that holds when it should not",
    "when": "the condition of a move or trigger, fixed to true or false",
    "if": "the condition of an effect, fixed to true or false",
    "while": "the condition of a draw, fixed to false",
    "literal": "a number in an expression, one more or less",
    "number": "a number of the rules, one more or less",
    "field": "a number of a card, marker or territory, one more or less",
    "count": "a thing more or less in a cost, a deck or what a card gives",
}

_judge: Judge | None = None
_changes: Sequence[Mutant] = ()


def choose(
    found: Sequence[Mutant],
    *,
    sample: int | None = None,
    seed: int = 0,
    only: str = "",
    operators: Sequence[str] = (),
) -> list[Mutant]:
    left = exceptions()["equivalent"]
    chosen = [
        mutant
        for mutant in found
        if mutant.ident not in left
        and (not operators or mutant.operator in operators)
        and (not only or re.search(only, f"{mutant.file} {mutant.ident}"))
    ]
    if sample is None or sample >= len(chosen):
        return chosen
    # By name, so a change of the rules exchanges only a few of a sample.
    drawn = sorted(chosen, key=lambda mutant: blake2b(f"{seed} {mutant.ident}".encode()).digest())
    return sorted(drawn[:sample], key=chosen.index)


def try_all(judge: Judge, chosen: Sequence[Mutant], processes: int = 1) -> Iterator[Verdict]:
    global _judge, _changes
    if processes <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        for mutant in chosen:
            yield judge.judge(mutant)
        return
    _judge, _changes = judge, chosen
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        yield from pool.imap_unordered(_verdict_on, range(len(chosen)), chunksize=8)


def _verdict_on(number: int) -> Verdict:
    assert _judge is not None
    return _judge.judge(_changes[number])


def thorough(mutant: Mutant) -> str:
    """Run the whole suite on a change; return the first test that fails."""
    done = subprocess.run(  # noqa: S603 - this program's own name of a change
        [sys.executable, "-m", "attack.rules_thorough", mutant.ident],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return failed[1] if failed else "" if done.returncode == 0 else f"exit {done.returncode}"


@click.command("rules")
@click.option("--sample", type=int, metavar="N", help="Try only so many changes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which ones those are.")
@click.option("--only", default="", metavar="PATTERN", help="Only those whose file or name fits.")
@click.option(
    "--operator", "operators", multiple=True, type=click.Choice(list(OPERATORS)),
    help="Only this kind of change; can be repeated.",
)  # fmt: skip
@click.option(
    "--processes", type=int, default=multiprocessing.cpu_count(), show_default="one a core"
)
@click.option(
    "--thorough", "all_tests", is_flag=True,
    help="Run all tests of the suite on what the cases leave over: minutes for each.",
)  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="List the changes and try none.")
@click.pass_context
def command(
    ctx: click.Context,
    sample: int | None,
    seed: int,
    only: str,
    operators: tuple[str, ...],
    processes: int,
    all_tests: bool,
    listed: bool,
) -> None:
    """Change the rules one by one; some test must fail.

    Requirements are dropped and negated, conditions fixed, and numbers made one more and one less.
    Changes that no test notices are listed as survivors; the exit code is then 1.
    """
    chosen = choose(mutants(), sample=sample, seed=seed, only=only, operators=operators)
    if listed:
        for mutant in chosen:
            click.echo(_line(mutant))
        return
    judge = Judge.prepared()
    for ident, reason in judge.failing.items():
        click.echo(f"left out, as it fails by itself: {ident}: {reason}", err=True)
    verdicts = list(_shown(try_all(judge, chosen, processes), len(chosen)))
    if all_tests:
        verdicts = [_again(verdict) if verdict.survived else verdict for verdict in verdicts]
    for text in report(verdicts):
        click.echo(text)
    ctx.exit(1 if any(verdict.survived for verdict in verdicts) else 0)


def _shown(verdicts: Iterator[Verdict], total: int) -> Iterator[Verdict]:
    """Show the progress: as a bar, or in a file a line for a hundred verdicts."""
    if sys.stderr.isatty():
        with click.progressbar(verdicts, length=total, label="changes", file=sys.stderr) as bar:
            yield from bar
        return
    left = 0
    for number, verdict in enumerate(verdicts, 1):
        left += verdict.survived
        if verdict.survived or number % 100 == 0:
            last = f": {verdict.mutant.ident}" if verdict.survived else ""
            click.echo(f"{number} of {total} changes, {left} survived{last}", err=True)
        yield verdict


def _again(verdict: Verdict) -> Verdict:
    by = thorough(verdict.mutant)
    return Verdict(verdict.mutant, "killed", by, verdict.seconds) if by else verdict


def _line(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.line}: {mutant.ident}\n    {mutant.was}\n -> {mutant.became}"


def report(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield counts by operator, by file, and every survivor."""
    keys: dict[str, Callable[[Mutant], str]] = {
        "operator": lambda mutant: mutant.operator,
        "file": lambda mutant: mutant.file,
    }
    for title, key in keys.items():
        counts: dict[str, Counter[str]] = {}
        for verdict in verdicts:
            counts.setdefault(key(verdict.mutant), Counter())[verdict.fate] += 1
        yield f"{title:<32}  tried  killed  refused  slow  survived"
        rows = [*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))]
        for name, found in rows:
            yield (
                f"{name:<32}  {found.total():>5}  {found['killed']:>6}  {found['refused']:>7}"
                f"  {found['slow']:>4}  {found['survived']:>8}"
            )
        yield ""
    survivors = [verdict.mutant for verdict in verdicts if verdict.survived]
    for mutant in sorted(survivors, key=lambda mutant: (mutant.file, mutant.line, mutant.ident)):
        yield f"survived: {_line(mutant)}"
    if not survivors:
        yield "no survivor"
