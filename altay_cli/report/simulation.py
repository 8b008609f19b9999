"""Write the results of simulated games as tables and JSON (docs/json.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from altay_cli.base.findings import Text, filled
from altay_cli.base.translations import ENGLISH, translated
from altay_cli.pack.model import Pack
from altay_cli.report import limits
from altay_cli.report.json import dump
from altay_cli.report.text import (
    BOLD,
    Line,
    counted,
    language,
    listed,
    phrase,
    room_of,
    table,
    wrapped,
)
from altay_cli.simulation import tally as t
from altay_cli.simulation.planning import Sweep
from altay_cli.simulation.simulated import GREEDY, RANDOM

COLUMNS = 100

INTERVAL = Text("95 {percent} interval", percent="%")
"""The sign is a field, as translation tools read `% i` as a format."""

COMPARED = ("A", "B", "B - A", Text("{interval}  ", interval=INTERVAL))
"""The columns of a comparison; blanks after the intervals leave room for a mark."""

Row = Sequence[str]
Part = str | Sequence[Row]
"""A line, or a table with its heading."""

Report = Sequence[t.Run]
"""One run, or two to compare."""

Translate = Callable[[str], str]


def translator(pack: Pack) -> Translate:
    """Return a translator for texts of the program and the rules."""
    if language() == ENGLISH:
        return str
    shown, texts = pack.shown.get(language(), {}), pack.translations(language())
    terms = dict(texts)
    for key, name in pack.shown.get(ENGLISH, {}).items():
        if key in shown:
            kind = pack.kinds.get(key.partition(" ")[0], "")
            terms.setdefault(name, shown[key])
            terms[f"{kind.capitalize()} {name}"] = f"{texts.get(kind, kind)} {shown[key]}"

    def translate(text: str) -> str:
        # An empty text would return the catalogue's header.
        return text and (terms.get(text) or translated(language(), text, terms))

    return translate


def simulation_lines(runs: Sequence[t.Run]) -> Iterator[str]:
    """Yield the report of one run, or the differences of two."""
    translate = translator(runs[-1].pack)
    yield from _heading(runs, translate)
    for part in _differing(runs, translate) if len(runs) > 1 else _counted(runs[0], translate):
        if isinstance(part, str):
            yield translate(part)
        else:
            rows = [list(map(translate, row)) for row in part]
            yield from ("", *table(rows, range(1, len(rows[0])), COLUMNS))


def _counted(run: t.Run, translate: Translate) -> Iterator[Part]:
    tally = run.tally
    yield [["How games end", "Games", "Share", INTERVAL], *map(_ending, tally.endings)]
    if not tally.endings:
        yield "no game ended"
    yield from _given_up_games(run)
    yield from _never_made(run)
    if not tally.over:
        return
    yield from _few_games_note(tally.over)
    lengths = (("Rounds", tally.rounds), ("Moves", tally.moves))
    spreads = [_spread(title, spread) for title, spread in lengths if spread.counts]
    if spreads:
        yield [["Of a game", "Mean", INTERVAL, "Median", "Least", "Most"], *spreads]
    if tally.categories and tally.ties.games:
        yield _ties(tally, translate)
    groupings = [grouping for grouping in (tally.seats, *tally.groups) if grouping.groups]
    if len(tally.policies.groups) > 1:
        groupings.append(tally.policies)
    yield from map(_grouping, groupings)
    if groupings:
        yield Text(
            "With equal chances, each would win {share}.", share=_percent(1 / run.plan.players)
        )
    if tally.categories:
        yield _categories(tally)
    if numbers := [average for average in tally.numbers if average.all.n]:
        heads = ["Of a player, at the end", "Mean", INTERVAL, "Winners", "Others"]
        yield [heads, *map(_average, numbers)]
    for things in tally.things:
        if things.per_game.n:
            yield _things(things)
            if not things.things:
                yield "none"
    yield from _unrecorded(tally)


def _unrecorded(tally: t.Tally, letter: str = "") -> Iterator[Part]:
    name = Text("{letter}: not recorded", letter=letter) if letter else "Not recorded"
    rows = [[entry.title, f"{entry.games:,}"] for entry in tally.unrecorded]
    if rows:
        yield [[name, "Games"], *rows]


def _differing(runs: Sequence[t.Run], translate: Translate) -> Iterator[Part]:
    before, after = runs
    yield from _given_up_games(before, "A")
    yield from _given_up_games(after, "B")
    # Say once what neither set of rules led to.
    yield from dict.fromkeys((*_never_made(before), *_never_made(after)))
    if not before.tally.over and not after.tally.over:
        return
    yield from _few_games_note(min(before.tally.over, after.tally.over))
    contrasts = t.compare(before.tally, after.tally)
    yield from _clear_differences(contrasts)
    for part in contrasts:
        yield from _contrasts(part)
    yield from _unrecorded(before.tally, "A")
    yield from _unrecorded(after.tally, "B")
    rows = [row for part in contrasts for row in part.rows if row.difference is not None]
    legend = Text(
        "* The {interval} of the difference B - A does not contain 0. Where nothing differs, "
        "this happens by chance in about one of 20 comparisons; here in {clear} of {all}. "
        "Differences of shares are in percentage points.",
        interval=INTERVAL,
        clear=sum(row.clear for row in rows),
        all=len(rows),
    )
    yield from ("", *wrapped(translate(legend), room_of(COLUMNS)))


def _never_made(run: t.Run) -> list[str]:
    """Name the policies that never make a move of a variant: they cannot judge it."""
    template = "The policy {policy} never makes `{move}`, which a variant adds."
    return [Text(template, policy=policy, move=move) for policy, move in t.never_made(run)]


def _heading(runs: Sequence[t.Run], translate: Translate) -> Iterator[str]:
    first = runs[0]
    plan, pack = first.plan, first.pack
    games = Text.plural(first.tally.games, "1 game", "{count} games")
    players = Text.plural(plan.players, "1 player", "{count} players")
    template = "{games}, {players}, seed {seed}"
    if first.is_recorded:
        template = "{games}, {players}" if len(runs) == 1 else "{players}"
    elif len(runs) > 1:
        template = "{games} under each of two sets of rules, {players}, seed {seed}"
    about = Text(template, games=games, players=players, seed=plan.seed)
    yield Line((f"{translate(pack.title)}: {translate(about)}", BOLD))
    for letter, run in zip("AB", runs, strict=False):
        variants = ", ".join(f"{name} {version}" for name, version in run.pack.variants)
        tags = ", ".join(f"{name} {value}" for name, value in run.plan.tags if name != "Variant")
        rules = f"{run.pack.id} {run.pack.version}" + (f" with {variants}" if variants else "")
        rules += f" ({tags})" if tags else ""
        if run.is_recorded and len(runs) > 1:
            count = translate(Text.plural(run.tally.games, "1 game", "{count} games"))
            yield f"{letter}: {run.label}: {count}, {rules}"
        else:
            line = translate(Text("Rules: {rules}", rules=rules))
            yield f"{letter}: {rules}" if len(runs) > 1 else line
    if first.is_recorded:
        return
    policies, names = plan.policies, tuple(pack.policies)
    line = Text("Policies: {names}", names=policies)
    if GREEDY in policies and names:
        template = (
            "Policies: {policies} ({policy}: each player by chance one of {names})"
            if len(policies) > 1
            else "Policies: {policy} (each player by chance one of {names})"
        )
        line = Text(template, policies=policies, policy=GREEDY, names=names)
    yield from wrapped(translate(line), room_of(COLUMNS), "  ")
    if policies == (RANDOM,):
        yield translate("Chance chooses every move; such games say little about how people play.")


def _few_games_note(games: int) -> Iterator[str]:
    text = "Fewer than {count} games ended: intervals of means are narrower than they should be."
    if games < limits.FEW_GAMES:
        yield from ("", Text(text, count=limits.FEW_GAMES))


def _given_up_games(run: t.Run, letter: str = "") -> Iterator[Part]:
    tally = run.tally
    if not tally.given_up:
        return
    name = Text("{letter}: not over", letter=letter) if letter else "Not over"
    rows: list[Row] = [[name, "Games", "Share", INTERVAL, "Numbers"]]
    for ending in tally.given_up:
        numbers = [*map(str, ending.numbers[:5]), *["…"] * (ending.games > 5)]
        rows.append([*_ending(ending), ", ".join(numbers)])
    yield rows
    if run.is_recorded:
        yield Text.plural(
            tally.games - tally.over,
            "This game is left out of all that follows.",
            "These {count} games are left out of all that follows.",
        )
        return
    yield Text.plural(
        tally.games - tally.over,
        "This game is left out of all that follows; `--out DIR` writes down every game.",
        "These {count} games are left out of all that follows; `--out DIR` writes down every game.",
    )


def _ending(ending: t.EndReason) -> list[str]:
    return [ending.reason, f"{ending.games:,}", *_shares(ending.share)]


def _spread(title: str, spread: t.Spread) -> list[str]:
    median = f"{spread.median:,.{int(spread.median % 1 > 0)}f}"
    return [title, *_means(spread.mean), median, f"{spread.least:,}", f"{spread.most:,}"]


def _ties(tally: t.Tally, translate: Translate) -> list[Row]:
    ties, games = tally.ties, tally.ties.games
    rows: list[Row] = [["What decides", "Games", "Share", INTERVAL]]
    if ties.outcome:
        share = _percent(ties.outcome / games)
        rows.append(["The end, regardless of points", f"{ties.outcome:,}", share, ""])
    if ties.outcome < games:
        share = _percent(1 - ties.share.value - ties.outcome / games)
        rows.append(["The most points", f"{ties.total - ties.outcome:,}", share, ""])
        rows.append(["A tie for the most", f"{games - ties.total:,}", *_shares(ties.share)])
    titles = {average.id: average.title for average in tally.categories}
    deciders = [
        (Text("decided by {category}", category=titles[ident]), count)
        for ident, count in ties.categories.items()
    ]
    return rows + [
        [f"  {translate(title)}", f"{count:,}", _percent(count / games), ""]
        for title, count in (*deciders, ("victory shared", ties.shared))
        if count
    ]


def _grouping(grouping: t.Grouping) -> list[Row]:
    rows: list[Row] = [
        [grouping.title, "Players", "Score", INTERVAL, "Games won", "Share", INTERVAL]
    ]
    for group in grouping.groups:
        players, won = f"{group.players:,}", f"{group.won:,.1f}"
        score, wins = _means(group.score), _shares(group.wins)
        rows.append([_with_id(group.name, group.title), players, *score, won, *wins])
    return rows


def _categories(tally: t.Tally) -> list[Row]:
    rows: list[Row] = [
        ["Points", "Mean", INTERVAL, "of all", "Winners", "of all", "Others", "of all"]
    ]
    total = tally.total
    for average in (*tally.categories, total):
        title, value, interval, winners, others = _average(average)
        of_all, of_winners, of_others = (
            f"{100 * part.value / all_points.value:.0f} %" if all_points.value else "-"
            for (_, part), (_, all_points) in zip(average.by_players, total.by_players, strict=True)
        )
        rows.append([title, value, interval, of_all, winners, of_winners, others, of_others])
    return rows


def _average(average: t.Average) -> list[str]:
    others = [_number(e.value) if e.n else "-" for e in (average.winners, average.others)]
    return [average.title, *_means(average.all), *others]


def _things(things: t.Counted) -> list[Row]:
    shown = limits.SHOWN if len(things.things) > limits.SHOWN + 2 else limits.SHOWN + 2
    rows: list[Row] = [
        [things.title, "Times", "per game", INTERVAL],
        *(
            [thing.name, f"{thing.count:,}", *_means(thing.per_game)]
            for thing in things.things[:shown]
        ),
    ]
    if rest := things.things[shown:]:
        count = sum(thing.count for thing in rest)
        per_game = sum(thing.per_game.value for thing in rest)
        rows.append([Text("{count} more", count=len(rest)), f"{count:,}", _number(per_game), ""])
    if len(things.things) > 1:
        together = sum(thing.count for thing in things.things)
        rows.append(["in total", f"{together:,}", *_means(things.per_game)])
    return rows


_HEADS = {
    "score": "Score by {group}",
    "wins": "Games won by {group}",
    "things": "{title} in a game",
}


def _contrasts(part: t.Contrasts) -> Iterator[Part]:
    head: str = part.title
    if part.what in _HEADS:
        head = Text(_HEADS[part.what], title=part.title, group=part.title.lower())
    listed = list(part.rows)
    if part.what == "things":
        first, *others = listed
        sizes = {row.id: abs(row.difference.value) if row.difference else 0.0 for row in others}
        largest = sorted(others, key=lambda row: sizes[row.id], reverse=True)[: limits.SHOWN]
        listed = [*(row for row in others if row in largest), first]
    yield [[head, *COMPARED], *(_contrast(row, _row_title(part, row)) for row in listed)]
    if left := len(part.rows) - len(listed):
        yield Text("{count} more differ less.", count=left)


def _clear_differences(contrasts: Sequence[t.Contrasts]) -> Iterator[Part]:
    clear = [
        # Certainty: the difference by the width of its interval.
        (-abs(change.value) / max(change.high - change.low, t.ROUNDING_ERROR), part, row)
        for part in contrasts
        for row in part.rows
        if row.clear and (change := row.difference)
    ]
    if not clear:
        yield from ("", "Nothing differs clearly.")
        return
    clear.sort(key=lambda item: item[0])
    shown = [_contrast(row, full_title(part, row)) for _, part, row in clear[: limits.SHOWN]]
    yield [["What differs most surely", *COMPARED], *shown]
    if (left := len(clear) - limits.SHOWN) > 0:
        yield Text("{count} more differ clearly; they are marked with * below.", count=left)


_FULL_TITLES = {
    "wins": "{group}: games won",
    "score": "{group}: score",
    "categories": "points: {category}",
    "given_up": "not over: {reason}",
    "endings": "ends: {reason}",
}


def full_title(part: t.Contrasts, row: t.Contrast) -> str:
    """Return a row's title that is understandable without its table."""
    if part.what == "things":
        return f"{part.title}: {row.title}" if row.id else part.title
    if part.what not in _FULL_TITLES:
        return row.title
    group = f"{part.title} {_row_title(part, row)}"
    if part.title == "Seat":
        group = Text("Seat {number}", number=row.id)
    elif part.title == "Policy" and row.title != row.id:
        group = Text("Policy {name} ({title})", name=row.id, title=row.title)
    return Text(_FULL_TITLES[part.what], group=group, category=row.title, reason=row.title)


def _row_title(part: t.Contrasts, row: t.Contrast) -> str:
    return _with_id(row.id, row.title) if part.what in {"score", "wins"} else row.title


def _with_id(ident: str, title: str) -> str:
    return title if title == ident else Text("{id} ({title})", id=ident, title=title)


def _contrast(row: t.Contrast, title: str) -> Row:
    written = _shares if row.is_share else _means
    shown = [written(e)[0] if e is not None and e.n else "-" for e in row.values]
    if row.difference is None:
        return [title, *shown, "-", ""]
    value, interval = written(row.difference)
    if not any(digit in value for digit in "123456789"):
        value = value.removeprefix("-")  # 0 has no sign
    elif not value.startswith("-"):
        value = f"+{value}"
    mark = " *" if row.clear else "  "
    return [title, *shown, value, Text("{interval}{mark}", interval=interval, mark=mark)]


WHAT = ("length", "ties", "wins", "score", "categories", "numbers")
"""Only for `--compare`."""


def measures(runs: Sequence[t.Run]) -> list[tuple[str, str, t.Contrast]]:
    """Return kind, title and values of each measure, in order of appearance."""
    rows = [
        (part.what, full_title(part, row), row)
        for part in t.compare(*(run.tally for run in runs))
        if part.what in WHAT
        for row in part.rows
    ]
    return sorted(rows, key=lambda row: [value is None for value in row[2].values].index(False))


def _interval_text(estimate: t.Estimate | None, *, is_share: bool) -> str:
    if estimate is None or not estimate.n:
        return "-"
    if is_share:
        value, low, high = (100 * x for x in (estimate.value, estimate.low, estimate.high))
        return f"{value:.0f} % ({low:.0f}-{high:.0f})"
    return f"{estimate.value:.1f} ({estimate.low:.1f}-{estimate.high:.1f})"


def sweep_lines(sweep: Sweep, runs: Sequence[t.Run], undrawn: Sequence[str] = ()) -> Iterator[str]:
    """Yield a table: a row for each measure, a column for each value of the rules.

    undrawn: the titles of measures that the plot leaves out.
    """
    games = counted("{count} game", "{count} games", runs[0].tally.games)
    translate = translator(runs[0].pack)
    title = translate(runs[0].pack.title)
    yield phrase(
        "{title}: {games} for each value of {path}", title=title, games=games, path=sweep.name
    )
    yield from (phrase("In brackets: the 95 {percent} confidence interval", percent="%"), "")
    rows = [
        [translate(title), *(_interval_text(value, is_share=row.is_share) for value in row.values)]
        for _, title, row in measures(runs)
    ]
    yield from table([["", *map(str, sweep.values)], *rows], range(1, 1 + len(sweep.values)))
    if undrawn:
        template = "Not in the plot, as they change less clearly: {measures}"
        names = listed(map(translate, undrawn))
        yield from ("", *wrapped(phrase(template, measures=names), COLUMNS))


def _number(value: float) -> str:
    return f"{value:,.2f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _means(estimate: t.Estimate) -> list[str]:
    if not estimate.n:
        return ["-", ""]
    interval = Text("{low} to {high}", low=_number(estimate.low), high=_number(estimate.high))
    return [_number(estimate.value), interval]


def _shares(estimate: t.Estimate) -> list[str]:
    if not estimate.n:
        return ["-", ""]
    low, high = f"{100 * estimate.low:.1f}", _percent(estimate.high)
    return [_percent(estimate.value), Text("{low} to {high}", low=low, high=high)]


def simulation_json(runs: Sequence[t.Run]) -> str:
    """Return all results as JSON; for two runs, with the differences."""
    return dump(_document(runs))


def stats_json(
    reports: Sequence[Report],
    left_out: Sequence[Mapping[str, object]],
    unread: Sequence[Mapping[str, object]],
) -> str:
    """Return reports of recorded games as JSON, with the games left out."""
    documents = [_document(runs) for runs in reports]
    return dump({"reports": documents, "left_out": list(left_out), "unread": list(unread)})


def _document(runs: Sequence[t.Run]) -> dict[str, object]:
    plan = runs[0].plan
    document: dict[str, object] = {
        "game": plan.pack,
        "title": runs[0].pack.title,
        "players": plan.players,
    }
    if not runs[0].is_recorded:
        document |= {
            "games": runs[0].tally.games,
            "policies": list(plan.policies),
            "seed": plan.seed,
            "max_rounds": plan.max_rounds,
            "max_moves": plan.max_moves,
        }
    document["runs"] = [_run_document(run) for run in runs]
    if len(runs) > 1:
        document["differences"] = [
            {
                "what": part.what,
                "of": part.of or None,
                "name": row.id or None,
                "title": row.title,
                "before": plain(row.values[0]),
                "after": plain(row.values[1]),
                "difference": plain(row.difference),
                "clear": row.clear,
            }
            for part in t.compare(*(run.tally for run in runs))
            for row in part.rows
        ]
    return document


def _run_document(run: t.Run) -> dict[str, object]:
    tally, pack = run.tally, run.pack
    document: dict[str, object] = {
        "label": run.label,
        "version": pack.version,
        "variants": [{"id": name, "version": version} for name, version in pack.variants],
        "tags": run.plan.tags,
        **({"games": tally.games} if run.is_recorded else {}),
        "over": tally.over,
        **filled({"never_made": [{"policy": of, "move": move} for of, move in t.never_made(run)]}),
    }
    counts: dict[str, Any] = plain(tally)
    del counts["games"], counts["over"], counts["made"], counts["ties"]["games"]
    if not tally.unrecorded:
        del counts["unrecorded"]
    for length in ("rounds", "moves"):
        if not counts[length]["counts"]:
            counts[length] |= dict.fromkeys(("median", "least", "most"))
    if not tally.ties.outcome:
        del counts["ties"]["outcome"]
    for grouping in (counts["seats"], counts["policies"], *counts["groups"]):
        for group in grouping["groups"]:
            del group["title"]
    for name in ("seats", "policies"):
        counts[name] = counts[name]["groups"]
    if run.is_recorded:
        del counts["policies"]
    documents = (*counts["categories"], counts["total"])
    for average, shown in zip((*tally.categories, tally.total), documents, strict=True):
        pairs = zip(average.by_players, tally.total.by_players, strict=True)
        shown["of_total"] = {
            kind: plain(part.value / total.value) if total.value else None
            for (kind, part), (_, total) in pairs
        }
    return document | counts


def plain(value: object, digits: int = 9) -> Any:
    """Return a value for JSON; an estimate without observations is null."""
    if isinstance(value, t.Estimate) and not value.n:
        return None
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name), digits) for field in fields(value)}
    if isinstance(value, tuple):
        return [plain(item, digits) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    # The last digits depend on the machine.
    return round(value, digits) + 0.0 if isinstance(value, float) else value


def sweep_json(sweep: Sweep, runs: Sequence[t.Run]) -> str:
    """Return a sweep as JSON."""
    return dump(
        {
            "path": sweep.path,
            "values": list(sweep.values),
            "games": runs[0].tally.games,
            "seed": runs[0].plan.seed,
            "measures": [
                {
                    "what": what,
                    "id": row.id,
                    "title": title,
                    "share": row.is_share,
                    "values": plain(row.values, digits=6),
                }
                for what, title, row in measures(runs)
            ],
        }
    )
