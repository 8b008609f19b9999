"""Describe rules in words, and what a variant changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from altay_cli.base.catalogue import PROBLEMS, PROGRAM_RULES, UNKNOWN_NAME
from altay_cli.base.findings import Finding
from altay_cli.pack.model import Message, Pack
from altay_cli.pack.words import as_template, words_of
from altay_cli.report import limits
from altay_cli.report.html import rendered
from altay_cli.report.text import counted, language, pad, phrase, translated, width
from altay_cli.report.verdict import PLAYED, severity_of, verdict, without_notes

if TYPE_CHECKING:  # slow to import
    from altay_cli.lint.tryout import TryOut
    from altay_cli.simulation.tally import Estimate
    from altay_cli.source.document import Entry
    from altay_cli.source.inspect import Difference


def in_words(pack: Pack, message: Message) -> str:
    """Return a message with its fields written as `<...>`."""
    words = words_of(pack, language())
    kinds = {**pack.kinds, "player": phrase("player")}
    shown = {kind: f"<{words.word(name)}>" for kind, name in kinds.items()}
    parts = words.parts(message)
    return "".join(p if isinstance(p, str) else shown.get(p.type, "…") for p in parts)


def asked_of_rules(data: Entry) -> dict[str, str]:
    """Return the messages of checks in merged rules, and their translations.

    Expressions become fields.
    """
    texts: dict[str, str] = data.get("texts", {}).get(language(), {})
    english = [entry.get(key) for entry in data.get("lints", ()) for key in ("else", "help")]
    shown = {}
    for text in filter(texts.__contains__, english):
        places: dict[str, str] = {}
        shown[as_template(text, places)] = as_template(texts[text], places)
    return shown


def about(pack: Pack | None, rule: str) -> str:
    """Describe a rule; empty if it is unknown."""
    if pack is not None and rule in pack.rules:
        text = pack.rules[rule][0][1]
        return words_of(pack, language()).word(text.title) or in_words(pack, text.message)
    if rule in PROGRAM_RULES or rule in PROBLEMS:
        return translated(PROGRAM_RULES.get(rule) or PROBLEMS[rule]["text"])
    return translated(UNKNOWN_NAME) if rule.startswith("unknown-") else ""


def difference_lines(differences: Iterable[Difference]) -> Iterator[str]:
    """Yield differences in words, under the headings of their groups."""
    before, after = (f"{phrase(key)}: " for key in ("before", "after"))
    columns = max(width(before), width(after))
    for group, members in groupby(differences, key=lambda difference: difference.group):
        yield f"{group}:"
        for difference in members:
            where = f"  ({difference.where})" if difference.where != "?" else ""
            if difference.old is None:
                yield f"  {difference.about}: {phrase('new')}: {difference.new}{where}"
            elif difference.new is None:
                removed = phrase("removed (it was: {old})", old=difference.old)
                yield f"  {difference.about}: {removed}"
            elif width(difference.old) + width(difference.new) <= limits.SIDE_BY_SIDE:
                yield f"  {difference.about}: {difference.old} -> {difference.new}{where}"
            else:
                yield f"  {difference.about}:{where}"
                yield f"    {pad(before, columns)}{difference.old}"
                yield f"    {pad(after, columns)}{difference.new}"


def difference_document(difference: Difference) -> dict[str, object]:
    """Return a difference for JSON."""
    names = ("group", "path", "about", "before", "after")
    where = None if difference.where == "?" else difference.where
    return {**{name: getattr(difference, name) for name in names}, "where": where}


_COLUMNS = 40


def verdict_page(
    form: str,
    title: str,
    differences: Sequence[Difference],
    problems: Sequence[Finding],
    played: Sequence[TryOut],
) -> str:
    """Return a page about a variant: one file of HTML, or text if ``form`` is ".txt".

    The verdict is about the first games; others are of other numbers of players.
    """
    groups = groupby(differences, key=lambda change: change.group)
    return rendered(
        f"verdict{form}",
        {"width": width, "pad": pad, "interval": _interval},
        language=language(),
        phrase=phrase,
        title=title,
        severity=severity_of(without_notes(problems)),
        verdict=verdict(without_notes(problems), played[0] if played else None),
        changes=[(group, [*members]) for group, members in groups],
        lines=[*difference_lines(differences)],
        problems=[(problem, _place(problem)) for problem in problems],
        played=[_plots(games) for games in played],
    )


def _interval(estimate: Estimate, most: float) -> str:
    low, value, high = (
        round(_COLUMNS * x / most) for x in (estimate.low, estimate.value, estimate.high)
    )
    marks = {low: "|", high: "|", value: "o"}
    return "".join(marks.get(n, "-" if low < n < high else " ") for n in range(_COLUMNS + 1))


def sentences(report: TryOut) -> list[str]:
    """Return a sentence for each problem that games have shown."""
    return [
        *(translated(text) for text in (*report.lost, *report.gained)),
        *(
            phrase(
                "`{rule}` held each of the {times} times that it was checked",
                rule=rule,
                times=times,
            )
            for rule, times in report.unbroken
        ),
        *(
            phrase("`{policy}` never made `{move}`", policy=policy, move=move)
            for policy, move in report.unused
        ),
    ]


def _place(problem: Finding) -> str:
    how = "found by playing" if problem.rule.startswith(PLAYED) else "found by reading"
    return phrase(f"{{file}}, line {{line}}; {how}", file=problem.file, line=problem.span.line)


def _plots(report: TryOut) -> dict[str, object]:
    """Return the plots, whose rows have a label, and the values with and without the variant.

    The values without it are missing for a number of players that the game is not for.
    """
    played = [report.after] if report.before is None else [report.after, report.before]
    rounds = [games.rounds() for games in played]
    most = max(1.0, *(estimate.high for estimate in rounds))
    pairs = zip(*(games.seats() for games in played), strict=False)
    seats = [(phrase("seat {number}", number=n), pair) for n, pair in enumerate(pairs, 1)]
    return {
        "summary": _summary(report),
        "plots": [
            (phrase("Length"), [(phrase("rounds"), rounds)], most, "{:.1f}"),
            (phrase("Victories by seat"), seats, 1.0, "{:.0%}"),
        ],
        "sentences": sentences(report),
    }


def _summary(report: TryOut) -> str:
    before, after = report.before, report.after
    games = counted("{count} game", "{count} games", len(after.outcomes))
    if before is None:
        return phrase(
            "{games} of {players} players, of which {over} ended; without the variant, so many "
            "cannot play. Bars show the range that is likely in 19 of 20 cases.",
            games=games,
            players=report.players,
            over=len(after.ended_games),
        )
    return phrase(
        "{games} of {players} players with the variant, {before} without it; {over} and "
        "{over_before} ended. Bars show the range that is likely in 19 of 20 "
        "cases: above with the variant, below without.",
        games=games,
        players=report.players,
        before=len(before.outcomes),
        over=len(after.ended_games),
        over_before=len(before.ended_games),
    )
