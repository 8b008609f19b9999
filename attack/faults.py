"""`python -m attack faults`: break logs of every pack, edition and variant; no command may fail.

No command may report an internal error, and JSON must be complete.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

import click
from click.testing import CliRunner

from altay_cli.archive.workers import cores
from altay_cli.base.findings import Finding, ImpossibleError, PackError
from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text, headings
from altay_cli.checking.fixing import mended, unread_statements
from altay_cli.cli.main import main
from altay_cli.compile.load import load_pack, pack_names, variant_names
from altay_cli.notation.writing import format_file
from altay_cli.simulation.simulated import PlayPlan, playout

POLICIES = (("random",), ("greedy",), ("greedy", "random"))
MOST_FAULTS = 4
ROUNDS, MOVES = 9, 70
"""Mistakes in longer games take longer to judge."""

BASES = 6
"""Games per setting."""

WEIGHTS = {"altay": 6, "innovation": 4, "chess": 2}
"""The packs with most rules; others have 1."""

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check", "--format", "json"),
    ("check", "--format", "json", "--lang", "de"),
    ("check", "--format", "sarif", "--lang", "ja"),
    ("check",),
    ("check", "--strict", "--statistics"),
    ("check", "--fix"),
    ("check", "--fix", "--unsafe-fixes"),
    ("score", "--explain"),
    ("score", "--format", "json"),
    ("fmt",),
    ("fill",),
    ("fill", "--any"),
    ("log",),
    ("show",),
    ("moves", "--format", "json"),
    ("replay", "--out", "-"),
)
"""Applied to the broken logs in turn."""

WORD = re.compile(r"\w[\w()'-]*")
NUMBER = re.compile(r"\d+")


# ---------------------------------------------------------------- the games


class Setting(NamedTuple):
    """``full``: with the maximum number of players, else the minimum."""

    pack: str
    full: bool = False
    tags: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        players = "most players" if self.full else "fewest players"
        return ", ".join([self.pack, players, *map(" ".join, self.tags)])


@cache
def settings() -> tuple[Setting, ...]:
    """Return single options and variants, and pairs."""
    found: list[Setting] = []
    for name in pack_names():
        named = {("Variant", variant) for variant in variant_names(name)}
        named |= {
            (option.tag, value)
            for option in load_pack(name).options.values()
            if option.tag
            for value in option.values
            if value != option.default
        }
        choices = [(), *combinations(sorted(named), 1), *combinations(sorted(named), 2)]
        found += [Setting(name, full, tags) for tags in choices for full in (False, True)]
    return tuple(found)


@cache
def base(setting: Setting, number: int) -> str:
    """Return a legal log, of the plain game if the variants exclude each other."""
    folder = data_folder("rules") / setting.pack / "variants"
    files = [folder / f"{value}.yaml" for tag, value in setting.tags if tag == "Variant"]
    try:
        pack = load_pack(setting.pack, tuple(files))
    except PackError:
        return base(setting._replace(tags=()), number)
    plan = PlayPlan(
        setting.pack, pack.most if setting.full else pack.least,
        POLICIES[number % len(POLICIES)], number, setting.tags,
        max_rounds=ROUNDS, max_moves=MOVES, keep=True,
    )  # fmt: skip
    log = playout(plan, number).log
    return log if log is not None else base(setting._replace(tags=()), number)


def broken(seed: int) -> tuple[Setting, str]:
    """Return a log with faults, and its setting."""
    random = Random(f"faults {seed}")
    # Choose the pack first: one pack has most settings.
    pack = random.choice([name for name in pack_names() for _ in range(WEIGHTS.get(name, 1))])
    # Pairs are rarer, as their rules must be compiled.
    most = 2 if seed % 4 == 0 else 1
    fitting = [
        setting for setting in settings() if setting.pack == pack and len(setting.tags) <= most
    ]
    setting = random.choice(fitting)
    text = base(setting, random.randrange(BASES))
    for _ in range(random.randint(1, MOST_FAULTS)):
        name = random.choice(sorted(FAULTS))
        lines = text.split("\n")
        text = "\n".join(FAULTS[name](lines, random))
    return setting, text


# ---------------------------------------------------------------- the faults

Fault = Callable[[list[str], Random], list[str]]


def _statements(lines: Sequence[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if line.startswith(" ")] or [0]


def _outcomes(lines: Sequence[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if "=>" in line]


def _headings(lines: Sequence[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if re.match(r"[a-z]", line)] or [0]


def _any_line(lines: Sequence[str], random: Random) -> int:
    return random.randrange(len(lines))


def _at(lines: list[str], number: int, *instead: str) -> list[str]:
    return [*lines[:number], *instead, *lines[number + 1 :]]


def lost(lines: list[str], random: Random) -> list[str]:
    return _at(lines, _any_line(lines, random))


def lost_stretch(lines: list[str], random: Random) -> list[str]:
    start = _any_line(lines, random)
    return lines[:start] + lines[start + random.randint(2, 6) :]


def lost_section(lines: list[str], random: Random) -> list[str]:
    starts = [*_headings(lines), len(lines)]
    which = random.randrange(len(starts) - 1)
    return lines[: starts[which]] + lines[starts[which + 1] :]


def doubled(lines: list[str], random: Random) -> list[str]:
    number = _any_line(lines, random)
    return _at(lines, number, lines[number], lines[number])


def doubled_section(lines: list[str], random: Random) -> list[str]:
    starts = [*_headings(lines), len(lines)]
    which = random.randrange(len(starts) - 1)
    return lines[: starts[which + 1]] + lines[starts[which] :]


def exchanged(lines: list[str], random: Random) -> list[str]:
    number = random.randrange(len(lines) - 1) if len(lines) > 1 else 0
    return [*lines[:number], *reversed(lines[number : number + 2]), *lines[number + 2 :]]


def moved(lines: list[str], random: Random) -> list[str]:
    number = _any_line(lines, random)
    rest = _at(lines, number)
    to = random.randint(0, len(rest))
    return [*rest[:to], lines[number], *rest[to:]]


def inserted(lines: list[str], random: Random) -> list[str]:
    to = _any_line(lines, random)
    return [*lines[:to], random.choice(lines), *lines[to:]]


def from_another_game(lines: list[str], random: Random) -> list[str]:
    other = base(random.choice(settings()), 0).split("\n")
    to = _any_line(lines, random)
    return [*lines[:to], random.choice(other), *lines[to:]]


def _in_word(lines: list[str], random: Random, change: Callable[[str], str]) -> list[str]:
    number = (
        random.choice(_statements(lines)) if random.random() < 0.8 else _any_line(lines, random)
    )
    words = list(WORD.finditer(lines[number]))
    if not words:
        return lines
    word, line = random.choice(words), lines[number]
    return _at(lines, number, line[: word.start()] + change(word[0]) + line[word.end() :])


def other_word(lines: list[str], random: Random) -> list[str]:
    """Replace a word by another of the log."""
    words = WORD.findall("\n".join(lines)) or ["?"]
    return _in_word(lines, random, lambda _: random.choice(words))


def other_name(lines: list[str], random: Random) -> list[str]:
    return _in_word(lines, random, lambda _: random.choice(_names_of(_pack_of(lines))))


def _pack_of(lines: Sequence[str]) -> str:
    found = re.search(r'\[Game "(\w+)"\]', "\n".join(lines))
    return found[1] if found and found[1] in pack_names() else "altay"


@cache
def _names_of(name: str) -> tuple[str, ...]:
    pack = load_pack(name)
    return tuple(sorted({text for names in pack.shown.values() for text in names.values()})) or (
        "1",
    )


def letter_lost(lines: list[str], random: Random) -> list[str]:
    def change(word: str) -> str:
        at = random.randrange(len(word))
        return word[:at] + word[at + 1 :]

    return _in_word(lines, random, change)


def word_lost(lines: list[str], random: Random) -> list[str]:
    return _in_word(lines, random, lambda _: "")


def word_doubled(lines: list[str], random: Random) -> list[str]:
    return _in_word(lines, random, lambda word: f"{word} {word}")


def unknown_word(lines: list[str], random: Random) -> list[str]:
    odd = (
        "xyzzy",
        "?",
        "3 ?",
        "(2)",
        "()",
        '"',
        '""',
        '"x"',
        ",",
        ";",
        ":",
        "=>",
        "-1",
        "Ａnn",
        "é",
    )
    return _in_word(lines, random, lambda _: random.choice(odd))


def other_count(lines: list[str], random: Random) -> list[str]:
    """Change or add a number."""
    number = _any_line(lines, random)
    numbers = list(NUMBER.finditer(lines[number]))
    value = str(random.choice((0, 1, 2, 3, 7, 99, 1000, 999_999_999, 10**30)))
    if not numbers:
        return _in_word(lines, random, lambda word: f"{value} {word}")
    found, line = random.choice(numbers), lines[number]
    return _at(lines, number, line[: found.start()] + value + line[found.end() :])


def points(lines: list[str], random: Random) -> list[str]:
    """Add a number in brackets after a word."""
    return _in_word(lines, random, lambda word: f"{word}({random.randint(0, 3)})")


def cut_off(lines: list[str], random: Random) -> list[str]:
    """Truncate a line, or the log."""
    number = _any_line(lines, random)
    line = lines[number][: random.randint(0, len(lines[number]))]
    return _at(lines, number, line) if random.random() < 0.7 else [*lines[:number], line]


def joined(lines: list[str], random: Random) -> list[str]:
    number = random.randrange(len(lines) - 1) if len(lines) > 1 else 0
    mark = random.choice(("; ", ", ", " ", " => ", ": ", ";;", " # "))
    return [*lines[:number], mark.join(lines[number : number + 2]), *lines[number + 2 :]]


def _in_outcome(lines: list[str], random: Random, change: Callable[[str], str]) -> list[str]:
    places = _outcomes(lines)
    if not places:
        number = random.choice(_statements(lines))
        return _at(lines, number, f"{lines[number]} => {change('')}")
    number = random.choice(places)
    before, _, drawn = lines[number].partition("=>")
    return _at(lines, number, f"{before}=> {change(drawn.strip())}".rstrip())


def nothing_drawn(lines: list[str], random: Random) -> list[str]:
    return _in_outcome(lines, random, lambda _: "")


def not_recorded(lines: list[str], random: Random) -> list[str]:
    """Replace draws by `?`."""
    return _in_outcome(lines, random, lambda _: random.choice(("?", "3 ?", "0 ?", "99 ?")))


def no_outcome(lines: list[str], random: Random) -> list[str]:
    """Remove some or all outcomes."""
    share = random.choice((1.0, 0.5, 0.1))
    return [
        line.partition("=>")[0].rstrip() if "=>" in line and random.random() < share else line
        for line in lines
    ]


def more_drawn(lines: list[str], random: Random) -> list[str]:
    """Add a draw where there is none."""
    words = WORD.findall("\n".join(lines)) or ["?"]
    return _in_outcome(lines, random, lambda drawn: f"{drawn}, {random.choice(words)}".strip(", "))


def other_order(lines: list[str], random: Random) -> list[str]:
    def change(drawn: str) -> str:
        parts = drawn.split(", ")
        random.shuffle(parts)
        return ", ".join(parts)

    return _in_outcome(lines, random, change)


def _actors(lines: Sequence[str]) -> list[str]:
    seats = re.findall(r"(?m)^ *seat (\w+)", "\n".join(lines))
    return [*seats, "Nobody", "?", ""]


def other_actor(lines: list[str], random: Random) -> list[str]:
    number = random.choice(_statements(lines))
    bare = re.sub(r"^ *\w+: ", "", lines[number]).strip()
    return _at(lines, number, f"  {random.choice(_actors(lines))}: {bare}")


def other_heading(lines: list[str], random: Random) -> list[str]:
    who = random.choice(_actors(lines))
    heading = random.choice(
        (
            f"turn {who}", f"turn 1 {who}", f"turn 99 {who}", "turn", "turn 2", f"turn 0 {who}",
            who, f"Turn 3, {who}", f"turn {who} 2", "Round 2", f"turn -1 {who}", "setup",
            "position", "result", f"turn 2 {who} =>", f"turn 2 {who}; end =>", "[Game]",
        )
    )  # fmt: skip
    at = random.choice(_headings(lines)) if random.random() < 0.5 else _any_line(lines, random)
    return _at(lines, at, heading) if random.random() < 0.5 else [*lines[:at], heading, *lines[at:]]


def other_tag(lines: list[str], random: Random) -> list[str]:
    """Insert a tag of any setting, or an invalid one."""
    tags = [tag for setting in settings() for tag in setting.tags]
    odd = (
        "[]",
        '[Game "x"]',
        "[Variant]",
        '[Variant "nothing"]',
        '[Edition ""]',
        '[ "x"]',
        "[Game",
    )
    name, value = random.choice(tags)
    tag = f'[{name} "{value}"]' if random.random() < 0.8 else random.choice(odd)
    at = random.randint(0, min(len(lines), 8))
    return [*lines[:at], tag, *lines[at:]]


def seats(lines: list[str], random: Random) -> list[str]:
    """Add, remove, repeat or rename a player."""
    places = [number for number, line in enumerate(lines) if line.strip().startswith("seat ")]
    if not places:
        return lines
    number = random.choice(places)
    seat = lines[number]
    words = WORD.findall("\n".join(lines))
    other = re.sub(r"seat \S+", f"seat {random.choice(words)}", seat)
    return _at(
        lines, number, *random.choice(((), (seat, seat), (other,), (seat, other), ("  seat",)))
    )


def renamed(lines: list[str], random: Random) -> list[str]:
    """Rename a player: with spaces, or like an entity."""
    actors = _actors(lines)[:-3]
    if not actors:
        return lines
    was = random.choice(actors)
    names = ('"Mary Ann"', "turn", "result", "1", "Ａnn", random.choice(_names_of(_pack_of(lines))))
    name = random.choice(names)
    return [re.sub(rf"\b{was}\b", lambda _: name, line) for line in lines]


def claims(lines: list[str], random: Random) -> list[str]:
    """Claim a result at the end, or in a position."""
    who = random.choice(_actors(lines))
    words = WORD.findall("\n".join(lines)) or ["x"]
    claim = random.choice(
        (
            f"{who}: score {random.randint(0, 99)}", f"winner {who}", "winner", "draw",
            f"loser {who}", f"{who}: {random.choice(words)} 3", f"{who}: score", f"{who}: score =>",
            "score 1", f"winner {who}, {who}", f"expect {random.choice(words)}", "expect",
            f"{who}: expect 3", f"{who}: hand ?", f"{who}: hand {random.choice(words)}",
            f"{who}: deck 3 ?",
        )
    )  # fmt: skip
    to = len(lines) if random.random() < 0.7 else _any_line(lines, random)
    section = random.choice(("result", "result", "position", ""))
    return [*lines[:to], *([section] if section else []), f"  {claim}", *lines[to:]]


def as_position(lines: list[str], random: Random) -> list[str]:
    """Exchange the headings of setup and position."""
    del random
    exchange = {"setup": "position", "position": "setup"}
    return [exchange.get(line.strip(), line) for line in lines]


def spaced(lines: list[str], random: Random) -> list[str]:
    """Insert invisible characters."""
    number = _any_line(lines, random)
    line = lines[number]
    at = random.randint(0, len(line))
    odd = random.choice(
        ("\t", "\u00a0", "\u200b", "\u202e", "\x0c", "\x00", "\x1b[0m", "\u3000", "\r")
    )
    return _at(lines, number, line[:at] + odd + line[at:])


def other_language(lines: list[str], random: Random) -> list[str]:
    pack = load_pack(_pack_of(lines))
    chosen = [language for language in sorted(pack.shown) if language != "en"]
    if not chosen:
        return lines
    names = pack.shown[random.choice(chosen)]
    english = pack.shown.get("en", {})
    pairs = {english[key]: name for key, name in names.items() if key in english}
    share, text = random.choice((1.0, 0.3)), "\n".join(lines)
    for was, name in sorted(pairs.items(), key=lambda pair: -len(pair[0])):
        if random.random() < share:
            text = re.sub(rf"\b{re.escape(was)}\b", name.replace("\\", r"\\"), text)
    return text.split("\n")


def two_games(lines: list[str], random: Random) -> list[str]:
    return [*lines, *base(random.choice(settings()), 0).split("\n")]


FAULTS: dict[str, Fault] = {
    fault.__name__.replace("_", "-"): fault
    for fault in (
        lost, lost_stretch, lost_section, doubled, doubled_section, exchanged, moved, inserted,
        from_another_game, other_word, other_name, letter_lost, word_lost, word_doubled,
        unknown_word, other_count, points, cut_off, joined, nothing_drawn, not_recorded, no_outcome,
        more_drawn, other_order, other_actor, other_heading, other_tag, seats, renamed, claims,
        as_position, spaced, other_language, two_games,
    )
}  # fmt: skip


# ---------------------------------------------------------------- what must hold


class Failure(NamedTuple):
    """A command that fails, and why."""

    seed: int
    setting: str
    command: str
    reason: str


def asked(seed: int) -> tuple[str, ...]:
    """Return the command for the log with this seed."""
    return COMMANDS[Random(f"command {seed}").randrange(len(COMMANDS))]


def failure_of(text: str, command: Sequence[str]) -> str | None:
    """Return what is wrong with a command's output."""
    result = CliRunner().invoke(main, [*command, "-"], input=text)
    output = f"{result.output}{result.stderr}"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{result.exception!r}"
    if found := re.search(
        r"(internal error|interner Fehler|内部エラー|internal-error)[^\n]*", output
    ):
        raised = re.search(r"\w+/\w+\.py:\d+ \(\w+\)", output[found.start() :])
        return f"{found[0][:200]} {raised[0] if raised else ''}"
    if result.exit_code not in (0, 1, 2):
        return f"exit code {result.exit_code}"
    if command[1:2] == ("--format",) and command[2] in {"json", "sarif"} and result.stdout:
        try:
            json.loads(result.stdout)
        except ValueError as error:
            return f"this is not JSON: {error}"
    return None


def rules_in(text: str) -> Counter[str]:
    """Count findings by rule, and games by verdict."""
    games = check_text(text).games
    rules = Counter(found.rule for game in games for found in game.findings)
    return rules + Counter(f"a game is {game.verdict.value}" for game in games)


def harm_of_fixes(text: str) -> str | None:
    """Return what certain fixes make worse, or None."""

    def found(text: str) -> list[Finding]:
        return [finding for game in check_text(text).games for finding in game.findings]

    fixed = mended(text, found, guesses=False)
    worse = rules_in(fixed.text) - rules_in(text)
    del worse["a game is legal"], worse["a game is illegal"]  # instead of not judged
    return f"fixes bring {dict(worse)}" if worse else None


def harm_of_format(text: str) -> str | None:
    """Return how formatting changes the findings, or None."""
    try:
        formatted = format_file(text, headings(text, None), unread_statements(text, None))
    except ImpossibleError:
        return None  # it is left unformatted, with a message
    before, after = rules_in(text), rules_in(formatted)
    return None if before == after else f"fmt turns {before - after} into {after - before}"


def tried(seed: int) -> Failure | None:
    """Break a log and run a command on it."""
    setting, text = broken(seed)
    command = asked(seed)
    reason = failure_of(text, command)
    if reason is None and command[0] == "fmt":
        reason = harm_of_format(text)
    if reason is None and command[1:2] == ("--fix",):
        reason = harm_of_fixes(text)
    if reason is None:
        return None
    return Failure(seed, str(setting), " ".join(command), reason)


def failures(seeds: Sequence[int], processes: int) -> Iterator[Failure | None]:
    """Try logs with these seeds, on several processes."""
    if processes <= 1:
        yield from map(tried, seeds)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(tried, seeds, chunksize=8)


@click.command("faults")
@click.argument("count", type=click.IntRange(min=1), default=2000)
@click.option("--seed", default=0, show_default=True, help="The number of the first log.")
@click.option("--processes", default=cores, type=int)
@click.option("--show", type=int, help="Print the log with this number, and try every command.")
def command(count: int, seed: int, processes: int, show: int | None) -> None:
    """Break logs of every pack, edition and variant; no command may fail."""
    if show is not None:
        _, text = broken(show)
        click.echo(text)
        for command in COMMANDS:
            if reason := failure_of(text, command):
                click.echo(f"{' '.join(command)}: {reason}", err=True)
        return
    found = Counter[str]()
    with click.progressbar(length=count, file=sys.stderr) as bar:
        for failure in failures(range(seed, seed + count), processes):
            bar.update(1)
            if failure is not None:
                found[failure.reason] += 1
                if found[failure.reason] == 1:
                    click.echo(f"{failure.seed} ({failure.setting}), {failure.command}:")
                    click.echo(f"  {failure.reason}")
    click.echo(f"{count:,} broken logs of {len(settings())} settings, {found.total():,} failures")
    sys.exit(bool(found))
