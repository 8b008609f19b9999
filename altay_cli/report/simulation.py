"""The results of simulated games as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from altay_cli.base.findings import Text
from altay_cli.base.translations import ENGLISH, translated
from altay_cli.pack.model import Pack
from altay_cli.report.text import BOLD, Line, counted, language, phrase, room_of, table, visible
from altay_cli.simulation.comparing import SMALLEST, Contrast, Contrasts, compare
from altay_cli.simulation.planning import Sweep
from altay_cli.simulation.simulated import GREEDY, RANDOM
from altay_cli.simulation.tally import (
    Average,
    Counted,
    EndReason,
    Estimate,
    Grouping,
    Run,
    Spread,
    Tally,
    never_made,
)

COLUMNS = 100
SHOWN = 10
"""How many things of a kind are listed, or two more if that is all; the JSON lists every one."""

MOST_CLEAR = 12
"""How many of the clear differences are listed first."""

FEW = 30
"""With fewer games, the normal approximation makes intervals of means too narrow."""

INTERVAL = Text("95 {percent} interval", percent="%")
"""How exact a number is. The sign is put in: tools of translators take `% i` for a format."""

COMPARED = ("A", "B", "B - A", Text("{interval}  ", interval=INTERVAL))
"""What stands above the numbers of a comparison; there is room for a mark behind the intervals."""

Row = Sequence[str]
Tell = Callable[[str], str]
"""Returns a text of the report in its language."""


def teller(pack: Pack) -> Tell:
    """Return what gives texts in a language: of the program, of the rules, names of things."""
    if language() == ENGLISH:
        return str
    shown = pack.shown.get(language(), {})
    terms = {name: shown[key] for key, name in pack.shown.get(ENGLISH, {}).items() if key in shown}
    texts = pack.texts.get(language(), {})
    terms |= texts
    for key, name in pack.shown.get(ENGLISH, {}).items():  # of groups: a kind and a name
        kind = pack.kinds.get(key.partition(" ")[0], "")
        if key in shown:
            terms[f"{kind.capitalize()} {name}"] = f"{texts.get(kind, kind)} {shown[key]}"

    def tell(text: str) -> str:
        # Of no text catalogues have their own head.
        return text and (terms.get(text) or translated(language(), text, terms))

    return tell


def simulation_lines(run: Run) -> Iterator[str]:
    """Yield the report of games that were played under the same rules."""
    tell = teller(run.pack)
    tally = run.tally
    yield Line((_title([run], tell), BOLD))
    yield tell(Text("Rules: {rules}", rules=_rules(run)))
    yield from _played(run, tell)
    yield ""
    yield from _grid(
        [["How games end", "Games", "Share", INTERVAL], *map(_ending, tally.endings)],
        tell,
        empty="no game was over",
    )
    yield from _given_up_games(tally, tell)
    yield from map(tell, _never_made(run))
    if not tally.over:
        return
    yield from _few_games_note(tally.over, tell)
    yield ""
    spreads = [_spread("Rounds", tally.rounds), _spread("Moves", tally.moves)]
    yield from _grid([["Of a game", "Mean", INTERVAL, "Median", "Least", "Most"], *spreads], tell)
    if tally.categories:
        yield ""
        yield from _ties(tally, tell)
    for grouping in (tally.seats, *tally.groups, tally.policies):
        if grouping is tally.policies and len(grouping.groups) < 2:
            continue
        yield ""
        yield from _grouping(grouping, tell)
    yield tell(Text("All alike would win {share} each.", share=_percent(1 / run.plan.players)))
    if tally.categories:
        yield ""
        yield from _categories(tally, tell)
    if tally.numbers:
        yield ""
        heads = ["Of a player, at the end", "Mean", INTERVAL, "Winners", "Others"]
        yield from _grid([heads, *map(_average, tally.numbers)], tell)
    for things in tally.things:
        yield ""
        yield from _things(things, tell)


def comparison_lines(before: Run, after: Run) -> Iterator[str]:
    """Yield how games under two rules differ, each difference with its interval."""
    tell = teller(after.pack)
    yield Line((_title([before, after], tell), BOLD))
    yield f"A: {_rules(before)}"
    yield f"B: {_rules(after)}"
    yield from _played(before, tell)
    for letter, run in (("A", before), ("B", after)):
        yield from _given_up_games(run.tally, tell, letter)
    # What neither of both rules has brought about is said once.
    yield from dict.fromkeys(tell(line) for run in (before, after) for line in _never_made(run))
    if not before.tally.over and not after.tally.over:
        return
    yield from _few_games_note(min(before.tally.over, after.tally.over), tell)
    contrasts = compare(before.tally, after.tally)
    yield ""
    yield from _clear(contrasts, tell)
    for part in contrasts:
        yield ""
        yield from _contrasts(part, tell)
    rows = [row for part in contrasts for row in part.rows if row.difference is not None]
    clear = sum(row.clear for row in rows)
    yield ""
    legend = Text(
        "* The {interval} of the difference B - A leaves out 0. Of many "
        "comparisons some do so by chance, about one in 20 where nothing "
        "differs: here {clear} of {all}. Differences of shares are in "
        "percentage points.",
        interval=INTERVAL,
        clear=clear,
        all=len(rows),
    )
    yield from wrap(tell(legend), room_of(COLUMNS))


def _never_made(run: Run) -> Iterator[str]:
    """Yield the policies that never make a move which the variants add: they cannot judge it."""
    for policy, move in never_made(run):
        template = "The policy {policy} never makes `{move}`, which a variant adds."
        yield Text(template, policy=policy, move=move)


# ---------------------------------------------------------------- the head


def _title(runs: Sequence[Run], tell: Tell) -> str:
    plan = runs[0].plan
    about = Text(
        "{games} each under two rules, {players}, seed {seed}"
        if len(runs) > 1
        else "{games}, {players}, seed {seed}",
        games=Text.plural(runs[0].tally.games, "1 game", "{count} games"),
        players=Text.plural(plan.players, "1 player", "{count} players"),
        seed=plan.seed,
    )
    return f"{tell(runs[0].pack.title)}: {tell(about)}"


def _rules(run: Run) -> str:
    pack = run.pack
    variants = [f"{name} {version}" for name, version in pack.variants]
    tags = [f"{name} {value}" for name, value in run.plan.tags if name != "Variant"]
    text = f"{pack.id} {pack.version}"
    text += f" with {', '.join(variants)}" if variants else ""
    return text + (f" ({', '.join(tags)})" if tags else "")


def _played(run: Run, tell: Tell) -> Iterator[str]:
    """Yield how the games were played, and when they are given up."""
    plan = run.plan
    names = tuple(run.pack.policies)
    line = Text("Policies: {names}", names=plan.policies)
    if GREEDY in plan.policies and names and len(plan.policies) > 1:
        template = "Policies: {policies} ({policy}: each player by chance one of {names})"
        line = Text(template, policies=plan.policies, policy=GREEDY, names=names)
    elif GREEDY in plan.policies and names:
        template = "Policies: {policy} (each player by chance one of {names})"
        line = Text(template, policy=GREEDY, names=names)
    yield from wrap(tell(line), room_of(COLUMNS), subsequent_indent="  ")
    if plan.policies == (RANDOM,):
        yield tell("Chance chooses every move; such games say little about how people play.")


def _few_games_note(games: int, tell: Tell) -> Iterator[str]:
    if games < FEW:
        note = Text(
            "Fewer than {count} games are over: intervals of means are narrower than they should "
            "be.",
            count=FEW,
        )
        yield from ("", tell(note))


# ---------------------------------------------------------------- tables


def _grid(rows: Sequence[Row], tell: Tell, empty: str = "") -> Iterator[str]:
    """Lay out rows, the first being the heading; the first column is broken where it is long."""
    rows = [list(map(tell, row)) for row in rows]
    yield from table(rows, range(1, len(rows[0])), COLUMNS)
    if len(rows) == 1:
        yield tell(empty)


def _given_up_games(tally: Tally, tell: Tell, letter: str = "") -> Iterator[str]:
    """Yield why games were given up, and which."""
    if not tally.given_up:
        return
    yield ""
    number = sum(ending.games for ending in tally.given_up)
    name = Text("{letter}: not over", letter=letter) if letter else "Not over"
    rows: list[Row] = [[name, "Games", "Share", INTERVAL, "Numbers"]]
    for ending in tally.given_up:
        numbers = [*map(str, ending.numbers[:5]), *["…"] * (ending.games > 5)]
        rows.append([*_ending(ending), ", ".join(numbers)])
    yield from _grid(rows, tell)
    yield tell(
        Text.plural(
            number,
            "This game is left out of all that follows; `--out DIR` writes down every game.",
            "These {count} games are left out of all that follows; "
            "`--out DIR` writes down every game.",
        )
    )


def _ending(ending: EndReason) -> list[str]:
    return [ending.reason, f"{ending.games:,}", *_shares(ending.share)]


def _spread(title: str, spread: Spread) -> list[str]:
    halves = 0 if spread.median == int(spread.median) else 1
    return [
        title,
        *_means(spread.mean),
        f"{spread.median:,.{halves}f}",
        f"{spread.least:,}",
        f"{spread.most:,}",
    ]


def _ties(tally: Tally, tell: Tell) -> Iterator[str]:
    ties, games = tally.ties, tally.over
    rows: list[Row] = [["What decides", "Games", "Share", INTERVAL]]
    if ties.outcome:
        share = _percent(ties.outcome / games)
        rows.append(["The end, whatever the points", f"{ties.outcome:,}", share, ""])
    if ties.outcome < games or not games:
        points = ties.total - ties.outcome
        share = _percent(1 - ties.share.value - ties.outcome / games) if games else ""
        rows.append(["The most points", f"{points:,}", share, ""])
        tied = games - ties.total
        rows.append(["A tie for the most", f"{tied:,}", *_shares(ties.share)])
    titles = {average.id: average.title for average in tally.categories}
    deciders = [
        (Text("decided by {category}", category=titles[ident]), count)
        for ident, count in ties.categories.items()
    ]
    for title, count in (*deciders, ("victory shared", ties.shared)):
        if count:
            rows.append([f"  {tell(title)}", f"{count:,}", _percent(count / games), ""])
    yield from _grid(rows, tell)


def _grouping(grouping: Grouping, tell: Tell) -> Iterator[str]:
    heads = [grouping.title, "Players", "Score", INTERVAL, "Games won", "Share", INTERVAL]
    rows: list[Row] = [heads]
    for group in grouping.groups:
        won = f"{group.won:,.1f}"
        score, wins = _means(group.score), _shares(group.wins)
        rows.append([_with_id(group.name, group.title), f"{group.players:,}", *score, won, *wins])
    yield from _grid(rows, tell)


def _categories(tally: Tally, tell: Tell) -> Iterator[str]:
    heads = ["Points", "Mean", INTERVAL, "of all", "Winners", "of all", "Others", "of all"]
    rows: list[Row] = [heads]
    total = tally.total
    for average in (*tally.categories, total):
        title, value, interval, winners, others = _average(average)
        pairs = zip(average.by_players, total.by_players, strict=True)
        of_all, of_winners, of_others = (
            f"{100 * part.value / whole.value:.0f} %" if whole.value else "-"
            for (_, part), (_, whole) in pairs
        )
        rows.append([title, value, interval, of_all, winners, of_winners, others, of_others])
    yield from _grid(rows, tell)


def _average(average: Average) -> list[str]:
    others = [_number(e.value) if e.n else "-" for e in (average.winners, average.others)]
    return [average.title, *_means(average.all), *others]


def _things(things: Counted, tell: Tell) -> Iterator[str]:
    rows: list[Row] = [[things.title, "Times", "per game", INTERVAL]]
    together = sum(thing.count for thing in things.things)
    shown = SHOWN if len(things.things) > SHOWN + 2 else SHOWN + 2
    for thing in things.things[:shown]:
        rows.append([thing.name, f"{thing.count:,}", *_means(thing.per_game)])
    rest = things.things[shown:]
    if rest:
        count = sum(thing.count for thing in rest)
        per_game = sum(thing.per_game.value for thing in rest)
        rows.append([Text("{count} more", count=len(rest)), f"{count:,}", _number(per_game), ""])
    if len(things.things) > 1:
        rows.append(["all together", f"{together:,}", *_means(things.per_game)])
    yield from _grid(rows, tell, empty="none")


# ---------------------------------------------------------------- differences

_HEADS = {
    "score": "Score by {group}",
    "wins": "Games won by {group}",
    "things": "{title} in a game",
}


def _contrasts(part: Contrasts, tell: Tell) -> Iterator[str]:
    head: str = part.title
    if part.what in _HEADS:
        head = Text(_HEADS[part.what], title=part.title, group=part.title.lower())
    rows: list[Row] = [[head, *COMPARED]]
    listed = list(part.rows)
    if part.what == "things":
        # The largest differences, in the order in which the things stand.
        first, *others = listed
        sizes = {row.id: abs(row.difference.value) if row.difference else 0.0 for row in others}
        kept = sorted(others, key=lambda row: sizes[row.id], reverse=True)[:SHOWN]
        listed = [*(row for row in others if row in kept), first]
    rows.extend(_contrast(row, _named(part, row)) for row in listed)
    yield from _grid(rows, tell)
    left = len(part.rows) - len(listed)
    if left:
        yield tell(Text("{count} more differ less.", count=left))


def _clear(contrasts: Sequence[Contrasts], tell: Tell) -> Iterator[str]:
    """Yield what differs clearly, the surest first: each stands again in its own table below."""
    pairs = [(part, row) for part in contrasts for row in part.rows if row.clear]
    if not pairs:
        yield tell("Nothing differs clearly.")
        return
    pairs.sort(key=lambda pair: -_sureness(pair[1]))
    rows: list[Row] = [["What differs most surely", *COMPARED]]
    rows += [_contrast(row, full_title(part, row)) for part, row in pairs[:MOST_CLEAR]]
    yield from _grid(rows, tell)
    left = len(pairs) - MOST_CLEAR
    if left > 0:
        yield tell(Text("{count} more differ clearly; they are marked with * below.", count=left))


def _sureness(row: Contrast) -> float:
    """Return the ratio of a difference to the width of its interval."""
    change = row.difference
    assert change is not None
    return abs(change.value) / max(change.high - change.low, SMALLEST)


def full_title(part: Contrasts, row: Contrast) -> str:
    """Return what a row of a comparison tells of, where it stands without its table."""
    if part.what in {"wins", "score"}:
        template = "{group}: games won" if part.what == "wins" else "{group}: score"
        return Text(template, group=_group(part, row))
    if part.what == "things":
        return f"{part.title}: {row.title}" if row.id else part.title
    if part.what == "categories":
        return Text("points: {category}", category=row.title)
    templates = {"given_up": "not over: {reason}", "endings": "ends: {reason}"}
    return Text(templates[part.what], reason=row.title) if part.what in templates else row.title


def _group(part: Contrasts, row: Contrast) -> str:
    """Return which group of players a row tells of."""
    if part.title == "Seat":
        return Text("Seat {number}", number=row.id)
    if part.title == "Policy" and row.title != row.id:
        return Text("Policy {name} ({title})", name=row.id, title=row.title)
    return f"{part.title} {_named(part, row)}"


def _named(part: Contrasts, row: Contrast) -> str:
    """Return the title of a row, behind its name where that is what players know."""
    return _with_id(row.id, row.title) if part.what in {"score", "wins"} else row.title


def _with_id(ident: str, title: str) -> str:
    return title if title == ident else Text("{id} ({title})", id=ident, title=title)


def _contrast(row: Contrast, title: str) -> Row:
    written = _shares if row.is_share else _means
    change = row.difference
    shown = [written(e)[0] if e is not None and e.n else "-" for e in row.values]
    if change is None:
        return [title, *shown, "-", ""]
    value, interval = written(change)
    marked = Text("{interval}{mark}", interval=interval, mark=" *" if row.clear else "  ")
    return [title, *shown, _signed(value), marked]


def _signed(text: str) -> str:
    """Write a difference with its sign, without one if it is rounded to 0."""
    if not any(digit in text for digit in "123456789"):
        return text.removeprefix("-")
    return text if text.startswith("-") else f"+{text}"


# ---------------------------------------------------------------- values side by side

WHAT = ("length", "ties", "wins", "score", "categories", "numbers")
"""What is shown of all that is counted: how games end, and what is bought, is for `--compare`."""


def measures(runs: Sequence[Run]) -> list[tuple[str, str, Contrast]]:
    """Return what is measured in some run: what it is, its title and values.

    What the first run has comes first.
    """
    rows = [
        (part.what, full_title(part, row), row)
        for part in compare(*(run.tally for run in runs))
        if part.what in WHAT
        for row in part.rows
    ]
    return sorted(rows, key=lambda row: [value is None for value in row[2].values].index(False))


def _spoken(estimate: Estimate | None, *, is_share: bool) -> str:
    if estimate is None or not estimate.n:
        return "-"
    if is_share:
        value, low, high = (100 * x for x in (estimate.value, estimate.low, estimate.high))
        return f"{value:.0f} % ({low:.0f}-{high:.0f})"
    return f"{estimate.value:.1f} ({estimate.low:.1f}-{estimate.high:.1f})"


def sweep_lines(sweep: Sweep, runs: Sequence[Run]) -> Iterator[str]:
    """Yield a table: a measure a row, a value of the rules a column."""
    games = counted("{count} game", "{count} games", runs[0].tally.games)
    tell = teller(runs[0].pack)
    title = visible(tell(runs[0].pack.title))
    yield phrase(
        "{title}: {games} for each value of {path}", title=title, games=games, path=sweep.path
    )
    yield phrase("In brackets: the 95 {percent} confidence interval", percent="%")
    yield ""
    rows = [["", *map(str, sweep.values)]]
    rows += [
        [tell(title), *(_spoken(value, is_share=row.is_share) for value in row.values)]
        for _, title, row in measures(runs)
    ]
    yield from table(rows, range(1, len(rows[0])))


# ---------------------------------------------------------------- numbers


def _number(value: float) -> str:
    return f"{value:,.2f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _means(estimate: Estimate) -> list[str]:
    """Return a mean and its interval."""
    interval = Text("{low} to {high}", low=_number(estimate.low), high=_number(estimate.high))
    return [_number(estimate.value), interval]


def _shares(estimate: Estimate) -> list[str]:
    """Return a share and its interval, in percent."""
    low, high = f"{100 * estimate.low:.1f}", _percent(estimate.high)
    return [_percent(estimate.value), Text("{low} to {high}", low=low, high=high)]
