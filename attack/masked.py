"""`python -m attack masked`: judge logs whose draws are not recorded.

- Simulated games with masked draws must have no errors, and the same scores. `fill` must write
  actual draws only; its result and that of `fill --any` must pass.
- Random logs of tiny decks are enumerated (``attack.worlds``). `check` must report the same first
  impossible statement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import click

from altay_cli.base.findings import Finding, ImpossibleError, Severity
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.filling import fill, fill_any
from altay_cli.checking.tags import rules_of
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.moves.ability import Ability
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Statement
from altay_cli.pack.model import Pack
from attack.worlds import made

WAYS = (
    "all", "question marks", "one player", "half", "partly", "hands", "hands and half",
    "no hands", "no hands and half", "reveals", "display", "secrets",
)  # fmt: skip
UNSEEN = ("display", "secrets")
"""Ways to mask the display, even its setup."""

GAMES = Path(__file__).parent.parent / "games"
DEALT = re.compile(r"(.*\bdraw) (.*)")
LINES = re.compile(r",[ \t]*(?:#[^\n]*)?\n\s*")


def masked(text: str, way: str, random: Random) -> str:
    """Remove draws or replace them by `?`."""
    text = LINES.sub(", ", text)
    record = read_log(text).games[0]
    rules = rules_of(record, None, [])
    assert rules is not None
    lines = text.split("\n")
    for section in record.sections:
        for statement in (*section.statements,):
            who = who_does(section.heading, statement)
            new = masked_statement(statement, who, way, random, rules[0])
            if new is not None:
                line = lines[statement.line - 1]
                start = statement.column - 1
                end = start + len(statement.text)
                lines[statement.line - 1] = line[:start] + new + line[end:]
    return "\n".join(lines)


def who_does(heading: Statement, statement: Statement) -> str:
    items = statement.actor or heading.items[-1:]
    return " ".join(item.text for item in items)


def masked_statement(
    statement: Statement, who: str, way: str, random: Random, pack: Pack
) -> str | None:
    """Return a statement with some or no draws; None if unchanged."""
    verb = statement.items[0].text.casefold()
    begins, arrow, drawn = statement.text.partition("=>")
    if not arrow and way in UNSEEN and verb == "reveal":
        return ""
    if way == "secrets" and verb == "secret":
        return re.sub(r"secret .*", "secret ?", statement.text)
    if not arrow:
        found = DEALT.fullmatch(statement.text)
        if found is None or not ("hands" in way or way in UNSEEN):
            return None
        if way.startswith("no"):
            return ""
        return f"{found[1]} {len(_names(found[2]))} ?"
    slots = [
        move.slots[pattern.outcome]
        for move in pack.moves
        for pattern in move.patterns
        if pattern.outcome is not None and pattern.verb in {"", verb}
    ]
    kinds = {"card", "achievement"} if way in {"reveals", *UNSEEN} else {"card"}
    if not slots or slots[0].kind not in kinds or not drawn.strip():
        return None
    if way == "one player" and who == "Ann":
        return None
    if "half" in way and random.random() < 0.5:
        return None
    names = _names(drawn)
    if way == "partly":
        names = [name if random.random() < 0.4 else "?" for name in names]
        return f"{begins}=> {', '.join(names)}"
    # If the player chooses the number, an omitted draw means none.
    if way == "question marks" or any(slot.domain is not None for slot in slots):
        return f"{begins}=> {len(names)} ?" if len(names) > 1 else f"{begins}=> ?"
    return begins.rstrip()


def _names(drawn: str) -> list[str]:
    found = []
    for part in drawn.split(","):
        count, name = re.fullmatch(r"\s*(?:(\d+)\s+)?(.*?)\s*", part).groups()  # type: ignore[union-attr]
        found += [name] * int(count or 1)
    return found


def wrong_with(text: str, way: str, random: Random, *, fill: bool) -> str | None:
    """Return what is wrong with the verdict on a masked log."""
    other = masked(text, way, random)
    before, after = (check_text(log).games[0] for log in (text, other))
    errors = _errors(after)
    if errors:
        return f"line {errors[0].span.line}: {errors[0].message}"
    # An open secret may leave scores open; the log claims the actual ones.
    if way != "secrets" and _points(before) != _points(after):
        return "the scores are others"
    if sum(finding.rule == "unrecorded" for finding in after.findings) > 1:
        return "more than one note"
    if fill:
        return wrongly_filled(text, other)
    return None


def wrongly_filled(text: str, other: str) -> str | None:
    """Return what is wrong with the output of `fill`."""
    try:
        filled = fill(other)
        fill_any(other)  # it checks itself that the log is complete
    except ImpossibleError as error:
        return str(error)
    if errors := _errors(check_text(filled).games[0]):
        return f"filled, line {errors[0].span.line}: {errors[0].message}"
    came = _came(text)
    for key, names in _came(filled).items():
        del names["?"]
        if not names <= came[key]:
            return f"{key}: {came[key]} came, and {names} is filled in"
    return None


def _came(text: str) -> dict[tuple[str, str, int], Counter[str]]:
    found: dict[tuple[str, str, int], Counter[str]] = {}
    times: Counter[tuple[str, str]] = Counter()
    for section in read_log(LINES.sub(", ", text)).games[0].sections:
        for statement in section.statements:
            who = who_does(section.heading, statement)
            verb = f"{section.kind.value} {statement.items[0].text}"
            times[who, verb] += 1
            _, arrow, drawn = statement.text.partition("=>")
            if not arrow and (dealt := DEALT.fullmatch(statement.text)):
                drawn = dealt[2]
            names = [name.partition("(")[0] for name in _names(drawn) if name]
            found[who, verb, times[who, verb]] = Counter(names)
    return found


def _errors(game: GameReport) -> list[Finding]:
    return [found for found in game.findings if found.severity is Severity.ERROR]


def _points(game: GameReport) -> Sequence[int]:
    return [] if game.standing is None else [player.total for player in game.standing.players]


def referee_of(record: GameRecord) -> Referee:
    """Return a referee that judges without repair."""
    rules = rules_of(record, None, [])
    assert rules is not None
    return Referee(Match(*rules, Ability), record)


def first_error(text: str) -> int | None:
    """Return the line of the first error, without repair."""
    record = read_log(text).games[0]
    findings = referee_of(record).run().findings
    return min((f.span.line for f in findings if f.severity is Severity.ERROR), default=None)


def games(sample: int) -> Iterator[tuple[Path, str]]:
    """Return ``sample`` simulated games, evenly spread; 0 for all."""
    paths = sorted(GAMES.glob("simulated/*/*.agn"))
    for path in paths[:: max(len(paths) // sample, 1) if sample else 1]:
        yield path, path.read_text(encoding="utf-8")


def differs(seed: int) -> str | None:
    """Compare `check` with the worlds of a tiny deck."""
    random = Random(seed)
    log = made(random, random.randint(2, 7))
    found = [finding.span.line for finding in _errors(check_text(log.text).games[0])]
    first = min(found, default=None)
    if first == log.wrong:
        return None
    return f"seed {seed}: wrong in line {log.wrong}, found in line {first}\n{log.text}"


@click.command("masked")
@click.option(
    "--games", "sample", default=0, help="How many simulated games; 0 for all, -1 for none."
)
@click.option("--tiny", default=2000, show_default=True, help="How many logs of tiny decks.")
@click.option(
    "--solved",
    default=2000,
    show_default=True,
    help="How many changed games that are wrong, and as many that are not; 0 needs no solver.",
)
@click.option("--seed", default=1, show_default=True)
@click.option("--fill/--no-fill", default=True, help="Fill the masked logs in as well.")
@click.pass_context
def command(
    ctx: click.Context, sample: int, tiny: int, solved: int, seed: int, *, fill: bool
) -> None:
    """Mask draws of games, and judge logs of tiny decks; no verdict may be wrong."""
    wrong = judged = 0
    for path, text in games(sample) if sample >= 0 else ():
        for way in WAYS:
            judged += 1
            problem = wrong_with(text, way, Random(f"{seed} {path.name} {way}"), fill=fill)
            if problem is not None:
                wrong += 1
                click.echo(f"{path.parent.name}/{path.name}, {way}: {problem}")
    click.echo(f"{judged} masked games, {wrong} judged wrongly")
    others = [
        difference for number in range(tiny) if (difference := differs(seed * 1_000_000 + number))
    ]
    for difference in others[:10]:
        click.echo(difference)
    click.echo(f"{tiny} logs of tiny decks, {len(others)} judged otherwise than by all worlds")
    differing = _solved(solved, seed) if solved else 0
    ctx.exit(1 if wrong or others or differing else 0)


def _solved(most: int, seed: int) -> int:
    try:
        from attack.solved import judge
    except ImportError as error:
        raise click.UsageError("pip install -e '.[solver]', or --solved 0") from error
    judged = judge(most, seed)
    for difference in judged.differing[:10]:
        click.echo(difference)
    differing = len(judged.differing)
    summary = f"{judged.wrong} changed games that are wrong and {judged.possible} that are possible"
    click.echo(f"{summary}, {differing} judged otherwise than by a solver")
    return differing
