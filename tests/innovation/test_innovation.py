"""Innovation: logs of whole tables and of single cards, each with the findings that it announces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from altay_cli.base.findings import Verdict
from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.checking.filling import fill_any
from altay_cli.checking.opening import open_game
from altay_cli.compile.load import load_pack
from altay_cli.lint.examine import Examiner
from altay_cli.match.match import Match, Watcher
from altay_cli.match.readings import Reading
from altay_cli.notation.tree import GameRecord, Statement
from tests.languages.warned import without_unused
from tests.logs import verify

HERE = Path(__file__).parent
LOGS = sorted(HERE.rglob("*.agn"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: str(path.relative_to(HERE)))
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


def test_the_rules_make_sense() -> None:
    found = Examiner(data_folder("rules") / "innovation").examine([])
    assert [p.message for p in without_unused(found) if p.severity == "error"] == []


def test_there_are_all_cards() -> None:
    cards = load_pack("innovation").entities["card"]
    # Fifteen cards of age 1, three of each colour; ten of every other age, two of each.
    counts = {(c.f["age"], c.f["colour"].id): 0 for c in cards}
    for card in cards:
        counts[card.f["age"], card.f["colour"].id] += 1
    assert len(cards) == 105
    assert len(counts) == 50
    assert all(n == (3 if age == 1 else 2) for (age, _), n in counts.items())
    # One place of each card is its hexagon; what is featured is one of the other three.
    for card in cards:
        icons = [icon.id for icon in card.f["icons"]]
        assert icons.count("hexagon") == 1
        assert card.f["featured"].id in icons
        assert card.f["featured"].id != "hexagon"


GAMES = sorted((HERE.parents[1] / "games" / "innovation").glob("*.agn"))


def test_there_are_a_hundred_games() -> None:
    assert len(GAMES) == 100


@pytest.mark.parametrize("path", GAMES[::12], ids=lambda path: path.stem)
def test_simulated_games_are_legal_and_won_as_they_say(path: Path) -> None:
    (game,) = check_text(path.read_text(encoding="utf-8")).games
    assert [f.message for f in game.findings] == []


def test_games_end_in_all_the_ways_there_are() -> None:
    games = HERE.parents[1] / "games" / "innovation"
    found = []
    for name in ("players-2-0003", "players-2-0001", "players-2-0002"):
        game = open_game((games / f"{name}.agn").read_text(encoding="utf-8"))
        found.append(game.score().by)
    assert found == ["achievements", "no card left to draw", "a card"]


def test_a_wrong_winner_is_told_with_where_the_rules_say_how_games_end() -> None:
    text = (HERE.parents[1] / "games" / "innovation" / "players-2-0003.agn").read_text("utf-8")
    (game,) = check_text(
        re.sub("^  winner .*$", "  winner Ann, Bob", text, flags=re.MULTILINE)
    ).games
    assert [(f.rule, dict(f.cite)) for f in game.findings] == [
        ("claim-winner", {"summary": "End Game"})
    ]


# ---------------------------------------------------------------- what is not recorded


class _Drawn(NamedTuple):
    """A draw that effects asked for, and what it brought."""

    line: int
    card: str


class _Watcher(Watcher):
    """Notes which draws brought a card to a hand or score pile, where nobody else sees it."""

    def __init__(self, match: Match, secret: set[int]) -> None:
        self.state = match.state
        self.secret = secret
        self.answers: set[int] = set()
        self.last: _Drawn | None = None
        names = [zone.name for zone in match.pack.zones]
        self.zones = [names.index("hand"), names.index("scored")]
        self.cards = {self.state.words.name(card): card for card in match.pack.entities["card"]}

    def before(self, statement: Statement) -> None:
        if self.last is not None:
            card = self.cards[self.last.card]
            if any(
                card in bag for zone in self.zones for bag in self.state.zones.held(zone).values()
            ):
                self.secret.add(self.last.line)
        drawn = re.fullmatch(r"(?:\w+: )?draw => (.*)", statement.text)
        self.last = _Drawn(statement.line, drawn[1]) if drawn else None

    def on_move(self, reading: Reading) -> None:
        if self.last is not None and reading.parsed.move.answers is not None:
            self.answers.add(self.last.line)


def secret(text: str, how: str) -> str:
    """Return a game without the cards that were dealt, and those that came to hands unseen.

    ``how`` is what is written in the place of a card; with `-`, draws inside of a dogma are not
    written at all.
    """
    found: set[int] = set()
    watchers: list[_Watcher] = []

    def watch(record: GameRecord, match: Match) -> None:
        del record
        watchers.append(_Watcher(match, found))
        match.watcher = watchers[0]

    check_text(text, watch=watch)
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"  \w+: draw [A-Z]", line):
            if how:
                lines.append(line.partition(" draw ")[0] + " draw ?, ?")
            continue
        if how == "-" and number in found & watchers[0].answers:
            continue
        lines.append(line.partition(" =>")[0] + how.strip("-") if number in found else line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("path", "how"), [*zip(GAMES[5::15], ["", " => ?", "-"] * 3, strict=False)]
)
def test_games_are_judged_as_far_as_they_are_recorded(path: Path, how: str) -> None:
    text = secret(path.read_text(encoding="utf-8"), how)
    (game,) = check_text(text).games
    found = {finding.rule: finding for finding in game.findings}
    # Nothing is wrong, up to where something must be looked at that nobody recorded.
    assert found.keys() <= {"unrecorded", "undecided", "game-unfinished"}
    assert not game.recorded
    if "undecided" in found:
        assert "the log does not record" in found["undecided"].message
        assert game.verdict is Verdict.NOT_JUDGED
        early = "\n".join(text.splitlines()[: found["undecided"].span.line - 1])
        text = early + "\n"
        (game,) = check_text(text).games
    assert game.verdict is Verdict.LEGAL
    if how != "":
        (game,) = check_text(fill_any(text), complete=True).games
        assert [f.message for f in game.findings if f.rule != "game-unfinished"] == []


FEW = """\
[Game "innovation"]
setup
  seat Ann
  seat Bob
  Ann: meld Archery
  Bob: meld Clothing
turn 1 Ann
  dogma Archery demanding Bob
  Bob: transfer Pottery
turn 1 Bob
  meld Writing
  dogma Writing
turn 2 Ann
  meld Tools
  draw
turn 2 Bob
  dogma Writing sharing Ann
  meld Philosophy
"""


def errors(text: str) -> list[str]:
    (game,) = check_text(text).games
    return [f"{f.span.line} {f.rule}" for f in game.findings if f.rule != "unrecorded"]


def test_draws_of_effects_need_not_be_written() -> None:
    assert errors(FEW) == []
    # Philosophy is of age 2: it came with Writing, and not before.
    assert errors(FEW.replace("Writing\n  dogma", "Philosophy\n  dogma")) != []
    # `draw` is an action as well: the two of Ann's turn, or one of them that of the card before.
    twice = "turn 3 Ann\n  draw\n  draw\n"
    assert errors(FEW + twice) == []
    assert errors(FEW + twice + "turn 3 Bob\n  dogma Writing\n  draw\nturn 4 Ann\n") == []
    assert errors(FEW + twice + "turn 3 Bob\n  dogma Writing\n  draw => Archery\n") == [
        "24 draw-impossible"
    ]
    # What is claimed may be so behind a draw that nobody wrote down.
    claimed = FEW.replace("meld Writing\n", "meld Writing\n  expect hand\n")
    assert errors(claimed) == []
    assert (
        errors(claimed.replace("dogma Writing\nturn", "dogma Writing\n  expect hand\nturn")) == []
    )
    assert errors(FEW.replace("turn 2 Ann", "expect hand Calendar\nturn 2 Ann")) == []
    assert errors(FEW.replace("turn 2 Ann", "expect hand Oars\nturn 2 Ann")) == ["13 expect-wrong"]
    # A log that says that it is complete must be.
    strict = FEW.replace("setup", '[Recorded "complete"]\nsetup', 1)
    assert "10 draw-due" in errors(strict)
