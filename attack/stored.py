"""`python -m attack stored`: compare the output of the program with stored digests.

Logs are changed as text, independently of the program. `--show` prints an output, to compare with
another checkout.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from random import Random

import click
from click.testing import CliRunner

from altay_cli.archive.workers import cores
from altay_cli.cli.main import main

HOME = Path(__file__).parent.parent
STORED = Path(__file__).with_suffix(".json")
FORMS = {
    "findings": ("check", "--format", "json"),
    "en": ("check", "--lang", "en"),
    "de": ("check", "--lang", "de"),
    "ja": ("check", "--lang", "ja"),
    "score": ("score", "--format", "json"),
    "replay": ("replay", "--out", "-"),
}
CHANGED, MASKED = 300, 200
LINES = 60
"""Games are cut after so many lines before they are changed, as mistakes take long to judge."""

LATER = ("backgammon", "checkers", "goofspiel", "hanabi")
"""Games recorded later: with them, the changed and masked logs would not be the stored ones."""

DIGITS = 8
GAME = re.compile(r'<script type="text/plain"[^>]*>(.*?)</script>', re.DOTALL)
SECONDS = re.compile(r"\d+\.\d+ ?(?:seconds|s)\b")
DRAWN = re.compile(r"[ \t]*=>[^#;\n]*(?:,[ \t]*\n[^#;\n]*)*")
WORD = re.compile(r"\w[\w()]*")


def recorded() -> list[Path]:
    """Return the recorded games and the logs of the rules."""
    games = (path for path in HOME.glob("games/**/*.agn") if path.stem != "mistakes")
    return sorted([*games, *HOME.glob("tests/rules/**/*.agn")])


def names() -> list[str]:
    """Return paths, or a change and its seed."""
    return [
        *(path.relative_to(HOME).as_posix() for path in recorded()),
        *(f"changed {seed}" for seed in range(CHANGED)),
        *(f"masked {seed}" for seed in range(MASKED)),
    ]


def text_of(name: str) -> str:
    how, _, seed = name.partition(" ")
    if not seed:
        return (HOME / name).read_text(encoding="utf-8")
    random = Random(name)
    games = [path for path in recorded() if not {"tests", *LATER} & {*path.parts, path.stem}]
    lines = random.choice(games).read_text(encoding="utf-8").split("\n")
    text = "\n".join([*lines[:LINES], ""])
    return changed(text, random) if how == "changed" else masked(text, random)


def changed(text: str, random: Random) -> str:
    """Make one to three mistakes in lines or words."""
    lines = text.split("\n")
    words = WORD.findall(text)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at = random.randrange(1, len(lines) - 1)
        match random.choice(("lost", "doubled", "swapped", "word", "letter")):
            case "lost":
                del lines[at]
            case "doubled":
                lines.insert(at, lines[at])
            case "swapped":
                lines[at - 1], lines[at] = lines[at], lines[at - 1]
            case "word":
                lines[at] = _in_a_word(lines[at], random, lambda _: random.choice(words))
            case "letter":
                lines[at] = _in_a_word(lines[at], random, lambda word: word[:-2] + word[-1:])
    return "\n".join(lines)


def _in_a_word(line: str, random: Random, change: Callable[[str], str]) -> str:
    found = list(WORD.finditer(line))
    if not found:
        return line
    word = random.choice(found)
    return line[: word.start()] + change(word[0]) + line[word.end() :]


def masked(text: str, random: Random) -> str:
    share = random.choice((1.0, 0.5, 0.2))
    instead = random.choice(("", " => ?", " => {} ?"))

    def left_out(match: re.Match[str]) -> str:
        if random.random() > share:
            return match[0]
        count = sum(int(number or 1) for number in re.findall(r"(?:=>|,)\s*(\d*)", match[0]))
        return instead.format(count)

    return DRAWN.sub(left_out, text)


def output_of(name: str, form: str) -> str:
    """Return the exit code and output for a log."""
    text = text_of(name)
    made = " " in name
    arguments = [*FORMS[form], "-" if made else name]
    result = CliRunner().invoke(main, arguments, input=text if made else None)
    output = result.output
    if form == "replay":
        games = (zlib.decompress(b64decode(encoded)).decode() for encoded in GAME.findall(output))
        output = "\n".join(games) or output
    return f"{result.exit_code}\n{SECONDS.sub('- s', output)}"


def forms(name: str) -> list[str]:
    """Return the stored forms of a log: the findings, and one chosen by its name."""
    others = ("en", "score", "de", "replay", "ja", "score")
    return ["findings", others[zlib.crc32(name.encode()) % len(others)]]


def digests(name: str, forms: Iterable[str]) -> dict[str, str]:
    return {form: sha256(output_of(name, form).encode()).hexdigest()[:DIGITS] for form in forms}


def _prepare() -> None:
    os.chdir(HOME)
    os.environ["COLUMNS"] = "100"


def everything(logs: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
    with ProcessPoolExecutor(cores(), initializer=_prepare) as pool:
        return dict(zip(logs, pool.map(digests, logs, logs.values(), chunksize=8), strict=True))


@click.command("stored")
@click.option("--write", is_flag=True, help="Store what the program says now.")
@click.option("--every", default=1, help="Compare one log in so many only.")
@click.option("--show", nargs=2, metavar="LOG FORM", help="Print what is said of a log now.")
def command(write: bool, every: int, show: tuple[str, str] | None) -> None:
    """Compare the output for 1,700 logs with the stored one."""
    if show:
        _prepare()
        click.echo(output_of(*show), nl=False)
        return
    stored: dict[str, dict[str, str]] = json.loads(STORED.read_text(encoding="utf-8"))
    if write:
        # The forms of a log stay as they are, whatever other logs there are.
        found = everything({name: tuple(stored.get(name) or forms(name)) for name in names()})
        rows = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(digests)}" for name, digests in found.items()
        )
        STORED.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
        return
    # Logs added since then are not compared.
    found = everything({name: tuple(stored[name]) for name in list(stored)[::every]})
    differing = 0
    for name, now in found.items():
        was = stored[name]
        if was != now:
            differing += 1
            click.echo(f"{name}: {', '.join(f for f in FORMS if was.get(f) != now.get(f))}")
    click.echo(f"{len(found):,} logs, {differing:,} of which something else is said")
    sys.exit(differing > 0)
