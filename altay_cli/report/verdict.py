"""A one-page verdict on a variant, for the table that wants to play by it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from altay_cli.base.findings import Finding, errors_of
from altay_cli.lint.tryout import TryOut
from altay_cli.report.html import rendered
from altay_cli.report.rulebook import difference_lines
from altay_cli.report.text import counted, language, pad, phrase, translated, width
from altay_cli.simulation.tally import Estimate
from altay_cli.source.inspect import Difference

_COLUMNS = 40


def page(
    form: str,
    title: str,
    differences: Sequence[Difference],
    problems: Sequence[Finding],
    played: TryOut | None,
) -> str:
    """Return the page as ".html", which needs no other file, or as ".txt"."""
    severity, verdict = _verdict(problems, played)
    groups = groupby(differences, key=lambda change: change.group)
    return rendered(
        f"verdict{form}",
        {"width": width, "pad": pad, "interval": _interval},
        language=language(),
        phrase=phrase,
        title=title,
        severity=severity,
        verdict=verdict,
        changes=[(group, [*members]) for group, members in groups],
        lines=[*difference_lines(differences)],
        problems=[(one, _place(one)) for one in problems],
        played=played and _shown(played),
    )


def _interval(estimate: Estimate, most: float) -> str:
    low, value, high = (
        round(_COLUMNS * x / most) for x in (estimate.low, estimate.value, estimate.high)
    )
    marks = {low: "|", high: "|", value: "o"}
    return "".join(marks.get(n, "-" if low < n < high else " ") for n in range(_COLUMNS + 1))


def sentences(report: TryOut) -> list[str]:
    """Return what games have shown of moves and requirements, a sentence each."""
    return [
        *(translated(text) for text in (*report.lost, *report.gained)),
        *(
            phrase("`{rule}` always held, {times} times asked", rule=rule, times=times)
            for rule, times in report.unbroken
        ),
        *(
            phrase("`{policy}` never made `{move}`", policy=policy, move=move)
            for policy, move in report.unused
        ),
    ]


def _verdict(problems: Sequence[Finding], played: TryOut | None) -> tuple[str, str]:
    """Return the worst severity, if there is any problem, and the verdict in a sentence."""
    kind, sentence = "", phrase("Playable; nothing speaks against it")
    if broken := len(errors_of(problems)):
        errors = counted("{count} error", "{count} errors", broken)
        kind, sentence = "error", phrase("Not playable as it is: {errors}", errors=errors)
    elif problems:
        warnings = counted("{count} warning", "{count} warnings", len(problems))
        kind, sentence = "warning", phrase("Playable, with {warnings}", warnings=warnings)
    if played is not None:
        games = counted("{count} game", "{count} games", len(played.after.outcomes))
        sentence = phrase("{told}, after {games}", told=sentence, games=games)
    return kind, phrase("{text}.", text=sentence)


def _place(problem: Finding) -> str:
    how = "found by playing" if problem.rule.startswith("play-") else "found by reading"
    return phrase(f"{{file}}, line {{line}}; {how}", file=problem.file, line=problem.span.line)


def _shown(report: TryOut) -> dict[str, object]:
    """Return what games have shown.

    Of each plot: a title, rows, the greatest value, and how values are written. Of a row: a label,
    what there is with the variant, and without it.
    """
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    length = (phrase("rounds"), after.rounds(), before.rounds())
    most = max(before.rounds().high, after.rounds().high, 1.0)
    pairs = zip(after.seats(), before.seats(), strict=False)
    seats = [(phrase("seat {number}", number=n), *pair) for n, pair in enumerate(pairs, 1)]
    summary = phrase(
        "{games} of {players} players with it, {before} without it; {over} and {over_before} "
        "came to their end. Bars show what is likely in 19 of 20 cases: above with it, "
        "below without.",
        games=counted("{count} game", "{count} games", len(after.outcomes)),
        players=report.players,
        before=len(before.outcomes),
        over=len(after.over),
        over_before=len(before.over),
    )
    plots = [
        (phrase("Length"), [length], most, "{:.1f}"),
        (phrase("Victories by seat"), seats, 1.0, "{:.0%}"),
    ]
    return {"summary": summary, "plots": plots, "sentences": sentences(report)}
