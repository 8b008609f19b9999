"""The report of simulated games, as people and programs read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import click
import pytest

from altay_cli.report.simulation import simulation_json, simulation_lines
from altay_cli.report.text import speaking, width
from altay_cli.simulation.simulated import Playout
from tests.simulation.made import games, run, side


def text(lines: Iterable[str]) -> str:
    return click.unstyle("\n".join(lines)) + "\n"


ONE = text(simulation_lines([run()]))


def test_the_head_says_what_was_played() -> None:
    assert ONE.startswith(
        "Altay: Dawn of Civilization: 5 games, 2 players, seed 7\n"
        "Rules: altay 1.0\n"
        "Policies: greedy, fight (greedy: each player by chance one of balanced, expand, fight, wonders)\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        # The intervals are those of Wilson for 2 of 5, 1 of 5 and 2 of 3.
        "the last round 2 40.0 % 11.8 to 76.9 %",
        "a rout 1 20.0 % 3.6 to 62.4 %",
        "not over after 9 rounds 1 20.0 % 3.6 to 62.4 % 4",
        "These 2 games are left out of all that follows; `--out DIR` writes down every game.",
        "Fewer than 30 games ended: intervals of means are narrower than they should be.",
        "A tie for the most 2 66.7 % 20.8 to 93.9 %",
        "decided by Technologies 1 33.3 %",
        "victory shared 1 33.3 %",
        # 5 points on average; squares 0, 1, 1, so that the error is the root of 1/3, 0.577.
        # Wilson for 1.5 of 3: 0.5, and 1.96 * root(0.25/3 + 3.8415/36) / (1 + 3.8415/3) = 0.375.
        "Earthfolk 3 5.00 3.87 to 6.13 1.5 50.0 % 12.5 to 87.5 %",
        "With equal chances, each would win 50.0 %.",
        "Farmer 3 1.00 0.00 to 2.96",
        "in total 5 1.67 0.00 to 4.02",
    ],
)
def test_a_line_of_the_report(line: str) -> None:
    assert line in [" ".join(found.split()) for found in ONE.splitlines()]


def test_shares_of_the_total() -> None:
    # Technologies 16 of 28 points; of winners 13 of 19; of others 3 of 9.
    (line,) = [line for line in ONE.splitlines() if line.startswith("Technologies  ")]
    assert line.split()[-8:] == ["57", "%", "3.25", "68", "%", "1.50", "33", "%"]


def test_what_was_given_up_counts_for_nothing() -> None:
    assert "Smallfolk" not in ONE
    assert "City" not in ONE
    assert " 99.00 " not in ONE
    assert "999" not in ONE


def test_only_games_that_were_given_up() -> None:
    found = text(simulation_lines([run(games()[3:])]))
    assert "no game ended" in found
    assert "Seat" not in found


def test_all_fits_into_a_hundred_columns() -> None:
    named = games()
    named[0].end = (
        "a reason that nobody can tell in short, for which there are many words to be said " * 3
    )
    named[1].end = "w" * 300
    for outcome in named:
        for player in outcome.sides:
            player.groups["faction"] += " of the Farthest Northern Shores and of all the Islands"
    one, other = run(named), run()
    for line in [*simulation_lines([one]), *simulation_lines([one, other])]:
        assert width(click.unstyle(line)) <= 100, line


def test_long_lists_are_cut_and_the_rest_is_counted() -> None:
    bought = {f"Card {number:02}": 40 - number for number in range(14)}
    outcome = games()[0]
    outcome.sides[0] = side(1, "Earthfolk", "balanced", 1.0, 3, bought=bought)
    found = text(simulation_lines([run([outcome])]))
    assert "Card 09" in found
    assert "Card 10" not in found
    # 30 + 29 + 28 + 27, and the one Farmer of the other player.
    assert "5 more          115    115.00\n" in found


def many(number: int, spare: int) -> list[Playout]:
    """Make games of 10 or 11 rounds in turn, and so many rounds more."""
    return [
        Playout(
            n, True, "the end", 10 + spare + n % 2, 30, "total",
            [side(1, "Earthfolk", "fight", 1.0, 5), side(2, "Firefolk", "fight", 0.0, 3)],
        )
        for n in range(1, number + 1)
    ]  # fmt: skip


def test_a_comparison_marks_what_differs() -> None:
    printed = text(simulation_lines([run(many(40, 0)), run(many(40, 2))]))
    found = [" ".join(line.split()) for line in printed.splitlines()]
    # Halves off 10.5, so that the error of a mean is 0.5 / root of 39, 0.080064; of two of them
    # 0.113228; times 1.959964 that is 0.221922.
    assert "Rounds 10.50 12.50 +2.00 1.78 to 2.22 *" in found
    assert "Moves 30.00 30.00 0.00 0.00 to 0.00" in found
    # What has a star comes first, and again in its own table.
    starred = [line for line in found if line.endswith(" *")]
    assert starred == ["Rounds 10.50 12.50 +2.00 1.78 to 2.22 *"] * 2
    first = next(n for n, line in enumerate(found) if line.startswith("What differs most surely"))
    assert found[first + 2] == starred[0]
    assert first < next(n for n, line in enumerate(found) if line.startswith("Length of a game"))
    assert "Where nothing differs, this happens by chance" in " ".join(found)
    assert "here in 1 of" in " ".join(found)
    assert "Fewer than" not in printed


def test_where_nothing_differs_that_is_said_first() -> None:
    lines = text(simulation_lines([run(many(40, 0)), run(many(40, 0))])).splitlines()
    assert "Nothing differs clearly." in lines
    assert not any(line.startswith("What differs most surely") for line in lines)


@pytest.mark.parametrize(("number", "warned"), [(29, True), (30, False)])
def test_intervals_of_few_games_are_told_to_be_narrow(number: int, warned: bool) -> None:
    found = text(simulation_lines([run(many(number, 0))]))
    assert ("Fewer than 30 games ended" in found) is warned


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", [
            "Altay – Aufbruch der Völker: je 40 Partien nach zwei Regeln, 2 Personen, Startwert 7",
            "Runden 10.50 12.50 +2.00 1.78 bis 2.22 *",
            "Länge einer Partie A B B - A 95-%-Intervall",
            "Siege nach Volk A B B - A 95-%-Intervall",
        ]),
        ("ja", [
            "アルタイ: 文明の曙: 2種類のルールで各40ゲーム、2人、シード7",
            "ラウンド 10.50 12.50 +2.00 1.78～2.22 *",
            "勢力別の勝利 A B B - A 95 % 区間",
        ]),
    ],
)  # fmt: skip
def test_a_comparison_in_other_languages(language: str, lines: list[str]) -> None:
    with speaking(language):
        told = list(simulation_lines([run(many(40, 0)), run(many(40, 2))]))
    assert max(map(width, told)) <= 100
    found = [" ".join(line.split()) for line in told]
    assert [line for line in lines if line not in found] == []
    # What the rules of this test have no words for, such as `the end`, stays as it is.
    words = re.compile(r"\b(the|is|are|of|not|there|this|differ)\b")
    known = ("the end", "Dawn of")
    assert [
        line for line in found if words.search(line) and not any(w in line for w in known)
    ] == []


def test_the_document() -> None:
    document = json.loads(simulation_json([run()]))
    assert {key: document[key] for key in ("game", "players", "games", "policies", "seed")} == {
        "game": "altay",
        "players": 2,
        "games": 5,
        "policies": ["greedy", "fight"],
        "seed": 7,
    }
    (found,) = document["runs"]
    assert found["over"] == 3
    assert [ending["numbers"] for ending in found["given_up"]] == [[4], [5]]
    assert found["rounds"]["counts"] == [[3, 1], [4, 1], [5, 1]]
    assert found["ties"]["total"] == 1
    assert found["ties"]["shared"] == 1
    assert found["seats"][0]["won"] == 1.5
    assert found["groups"][0]["id"] == "faction"
    assert found["total"]["winners"]["value"] == 4.75
    assert found["categories"][0]["of_total"]["winners"] == pytest.approx(13 / 19)
    assert found["things"][0]["things"][0] == {
        "name": "Farmer",
        "count": 3,
        "per_game": {"value": 1.0, "low": 0.0, "high": 2.959964, "n": 3},
    }
    assert "differences" not in document


def test_the_document_of_a_comparison() -> None:
    document = json.loads(simulation_json([run(many(40, 0)), run(many(40, 2))]))
    assert len(document["runs"]) == 2
    (rounds,) = [row for row in document["differences"] if row["name"] == "rounds"]
    assert (rounds["what"], rounds["of"], rounds["clear"]) == ("length", None, True)
    assert rounds["difference"]["value"] == 2.0
