"""Whole games, from the setup to the end, against scores that were counted by hand.

The expected numbers are those of the notes beside the logs (games/NAME.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from altay_cli.checking.check import GameReport, check_text
from tests.logs import WHOLE_GAMES, expected, verify

HERE = Path(__file__).parent
FOLDER = HERE.parent.parent / "games"
CATEGORIES = ("technologies", "wonders", "cards", "territories", "captured", "conquest")
CLAIM = re.compile(r"^\s*(\w+): (\w+) (\d+)$")


@dataclass(frozen=True)
class Game:
    """What the note beside a log says of its end: points by category, in scoring order."""

    rounds: int
    winners: tuple[str, ...]
    decided_by: str
    points: dict[str, tuple[int, int, int, int, int, int]]


GAMES = {
    "two-players": Game(
        23,
        ("Marta",),
        "total",
        {"Marta": (10, 21, 1, 12, 4, 3), "Jonas": (7, 19, 2, 6, 0, 5)},
    ),
    "three-players": Game(
        20,
        ("Ida",),
        "total",
        {
            "Lena": (5, 7, 1, 6, 8, 2),
            "Paul": (9, 16, 1, 3, 0, 2),
            "Ida": (7, 11, 7, 8, 2, 3),
        },
    ),
    "four-players": Game(
        18,
        ("Hanna",),
        "total",
        {
            "Hanna": (7, 14, 5, 5, 2, 3),
            "Emil": (5, 9, 3, 8, 5, 2),
            "Vera": (9, 16, 2, 5, 1, 2),
            "Oskar": (4, 6, 0, 8, 1, 3),
        },
    ),
    "trading": Game(
        18,
        ("Greta",),
        "total",
        {"Greta": (7, 19, 5, 7, 2, 1), "Nils": (6, 11, 2, 9, 3, 5)},
    ),
    "tie": Game(
        15,
        ("Clara",),
        "cards",
        {
            "Ruth": (4, 7, 2, 3, 0, 0),
            "Simon": (4, 0, 2, 6, 2, 4),
            "Clara": (4, 0, 4, 6, 3, 1),
        },
    ),
    "full-map": Game(
        21,
        ("Jörg",),
        "total",
        {"Agnes": (8, 9, 5, 9, 1, 7), "Jörg": (8, 13, 2, 13, 1, 3)},
    ),
    "swept-away": Game(
        15,
        ("Moritz",),
        "total",
        {"Moritz": (3, 5, 1, 6, 7, 1), "Klara": (4, 8, 4, 0, 0, 1)},
    ),
}

CARDS = (
    "Colonist", "Digger", "Hunter", "Village", "Warrior", "Loremaster", "Shaman",
    "Craftsman(wood)", "Craftsman(stone)", "Spellweaver", "Farmer", "Lumberjack", "Miner",
    "Stonecutter", "Scholar", "Merchant", "Cavalry", "Town", "Worker", "Chariot", "City",
)  # fmt: skip
TECHNOLOGIES = (
    "Engineering", "Masonry", "Mathematics", "Strategy", "Writing",
    "Commerce", "Government", "Leadership", "Philosophy", "Religion",
)  # fmt: skip
WONDERS = (
    "Academy", "Amphitheatre", "Aqueducts", "Ark", "Colossus", "Great Wall", "Highways",
    "Mausoleum", "Siege Engines", "Triumphal Arch",
)  # fmt: skip
ABILITIES = (
    "Engineering trashing", "Mathematics discarding", "Writing archiving",
    "Commerce spending", "Government", "Philosophy", "Religion moving",
)  # fmt: skip


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def check(text: str) -> GameReport:
    report = check_text(text, "game.agn", FOLDER)
    assert len(report.games) == 1
    return report.games[0]


def statements(text: str) -> list[str]:
    """Return the statements of a log, without comments; a line may hold several."""
    bare = re.sub(r"\s*#.*", "", text)
    bare = re.sub(r",\n\s*", ", ", bare)
    return [part.strip() for line in bare.splitlines() for part in line.split(";")]


def claims(text: str) -> tuple[dict[tuple[str, str], int], list[str]]:
    """Return the claimed points by player and category, and who is claimed to have won."""
    result = statements(text)[statements(text).index("result") + 1 :]
    points = {(m[1], m[2]): int(m[3]) for line in result if (m := CLAIM.match(line))}
    winners = [line.removeprefix("winner ") for line in result if line.startswith("winner ")]
    return points, winners


def everything() -> list[str]:
    return [statement for path in WHOLE_GAMES for statement in statements(read(path))]


def test_every_game_has_an_entry_here_and_a_note() -> None:
    assert {path.stem for path in WHOLE_GAMES} == set(GAMES)
    assert {path.stem for path in FOLDER.glob("*.md")} >= set(GAMES)


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: path.stem)
def test_game_is_complete_and_has_no_findings(path: Path) -> None:
    report = check(read(path))
    assert report.findings == []
    assert report.played is not None
    assert report.played.ended
    assert report.played.state.round == GAMES[path.stem].rounds
    assert report.played.state.round >= 10


@pytest.mark.parametrize("name", GAMES)
def test_scores_are_those_counted_by_hand(name: str) -> None:
    game = GAMES[name]
    standing = check(read(FOLDER / f"{name}.agn")).standing
    assert standing is not None
    for player, points in game.points.items():
        score = standing.of(player)
        assert {c.category.id: c.points for c in score.categories} == dict(
            zip(CATEGORIES, points, strict=True)
        ), player
        assert score.total == sum(points)
    assert tuple(standing.winners) == game.winners
    assert standing.decided_by == game.decided_by


@pytest.mark.parametrize("name", GAMES)
def test_result_claims_every_number_and_the_winner(name: str) -> None:
    game = GAMES[name]
    points, winners = claims(read(FOLDER / f"{name}.agn"))
    wanted = {
        (player, category): number
        for player, numbers in game.points.items()
        for category, number in zip(CATEGORIES, numbers, strict=True)
    }
    wanted |= {(player, "score"): sum(numbers) for player, numbers in game.points.items()}
    assert points == wanted
    assert winners == [", ".join(game.winners)]


@pytest.mark.parametrize("name", GAMES)
def test_every_wrong_claim_is_found(name: str) -> None:
    text = read(FOLDER / f"{name}.agn")
    head, result = text.split("\nresult\n")
    wrong = re.sub(r"(: \w+ )(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", result)
    loser = next(player for player in GAMES[name].points if player not in GAMES[name].winners)
    wrong = re.sub(r"winner .*", f"winner {loser}", wrong)
    rules = [finding.rule for finding in check(f"{head}\nresult\n{wrong}").findings]
    assert rules == ["claim-wrong"] * 7 * len(GAMES[name].points) + ["claim-winner"]


@pytest.mark.parametrize("name", GAMES)
def test_note_says_the_same(name: str) -> None:
    rows = re.findall(r"^\| (\w+) ((?:\| \d+ ){7})\|$", read(FOLDER / f"{name}.md"), re.MULTILINE)
    told = {player: tuple(map(int, re.findall(r"\d+", numbers))) for player, numbers in rows}
    assert told == {player: (*points, sum(points)) for player, points in GAMES[name].points.items()}


def test_the_tie_is_decided_by_the_first_category_that_differs() -> None:
    game = GAMES["tie"]
    simon, clara = game.points["Simon"], game.points["Clara"]
    assert sum(simon) == sum(clara) > sum(game.points["Ruth"])
    first = next(c for c, a, b in zip(CATEGORIES, simon, clara, strict=True) if a != b)
    assert first == game.decided_by


@pytest.mark.parametrize("card", CARDS)
def test_every_card_is_used(card: str) -> None:
    title, _, kind = card.rstrip(")").partition("(")
    forms = [rf"play (?:\d+ )?{title}\b"]
    if kind:
        forms = [rf"play {title}(?:\({kind}\)| for {kind})"]
    if title in {"Warrior", "Cavalry", "Chariot"}:
        forms = [rf"attack .* with .*{title}\b", rf"fight with .*{title}\b"]
    for form in forms:
        assert any(re.search(form, statement) for statement in everything()), form


def completed(name: str) -> dict[str, list[str]]:
    """Return what each player completed, as the note lists it with its rounds."""
    note = read(FOLDER / f"{name}.md").split("## Result")[0]
    parts = re.split(r"^## (\w+) \(.*\)$", note, flags=re.MULTILINE)[1:]
    names = "|".join(TECHNOLOGIES + WONDERS)
    return {
        player: re.findall(rf"({names}) \(round \d+\)", text)
        for player, text in zip(parts[::2], parts[1::2], strict=True)
    }


@pytest.mark.parametrize("name", GAMES)
def test_note_lists_the_completed_achievements(name: str) -> None:
    standing = check(read(FOLDER / f"{name}.agn")).standing
    assert standing is not None
    for player, listed in completed(name).items():
        technologies, wonders = standing.of(player).categories[:2]
        scored = [line.text for line in (*technologies.lines, *wonders.lines)]
        assert sorted(text for text in scored if "secret" not in text) == sorted(listed), player


@pytest.mark.parametrize("achievement", TECHNOLOGIES + WONDERS)
def test_every_achievement_is_completed_in_some_game(achievement: str) -> None:
    assert any(achievement in listed for name in GAMES for listed in completed(name).values())


def test_the_game_ends_in_both_ways() -> None:
    # Nobody placed the last settlement in the one game; in the others somebody did.
    assert GAMES["swept-away"].points["Klara"][CATEGORIES.index("territories")] == 0
    for name in GAMES:
        last = "last settlement:" in read(FOLDER / f"{name}.agn")
        assert last == (name != "swept-away")


@pytest.mark.parametrize("ability", ABILITIES)
def test_every_ability_is_used(ability: str) -> None:
    assert any(statement.startswith(f"use {ability}") for statement in everything())


def test_coins_are_earned_and_spent() -> None:
    text = read(FOLDER / "trading.agn")
    assert '[Variant "trading"]' in text
    assert any(statement.startswith("trade for ") for statement in statements(text))
    rules = {finding.rule for finding in check(text.replace('[Variant "trading"]\n', "")).findings}
    assert "trade-option" in rules


def test_ten_mistakes_give_ten_findings() -> None:
    path = HERE / "ten-mistakes.agn"
    verify(path)
    rules = [rule for _, rule, _ in expected(read(path))]
    assert len(rules) == len(set(rules)) == 10


def test_the_mistakes_do_not_change_the_result() -> None:
    standing = check(read(HERE / "ten-mistakes.agn")).standing
    assert standing is not None
    assert {
        score.player: tuple(c.points for c in score.categories) for score in standing.players
    } == GAMES["tie"].points
