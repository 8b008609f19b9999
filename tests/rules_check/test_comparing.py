"""Rules compared: several variants as one table, differences for programs, games under others."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from click.testing import CliRunner, Result

from altay_cli.cli.main import main
from altay_cli.lint.tryout import TryOut
from altay_cli.report.rulebook import difference_lines
from altay_cli.report.verdict import verdict
from altay_cli.simulation.simulated import Playout
from altay_cli.source.inspect import Difference

GAMES = Path(__file__).parents[2] / "games"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def variant(folder: Path, name: str, *changes: str) -> Path:
    path = folder / f"{name}.yaml"
    lines = "".join(f"  - {change}\n" for change in changes)
    path.write_text(
        f"variant: {name}\nextends: tictactoe\ntitle: T\nchange:\n{lines}", encoding="utf-8"
    )
    return path


def test_variants_that_cannot_be_played_together() -> None:
    assert run("rules", "check", "duel-map", "--play", "0").exit_code == 0
    result = run("rules", "check", "--together", "duel-map", "full-map")
    assert result.exit_code == 1
    assert "[variant-excluded]" in result.output


def test_several_variants_are_checked_each_and_together(tmp_path: Path) -> None:
    three = variant(tmp_path, "three", "{set: numbers.row.value, to: 2}")
    four = variant(tmp_path, "four", "{set: numbers.row.value, to: 1}")
    result = run("rules", "check", three, four)
    assert result.exit_code == 1
    assert f"{three}: no errors" in result.output
    assert f"{three} + {four}: 1 error" in result.output
    assert "[variant-conflict]" in result.output
    alone = run("rules", "check", "--apart", three, four)
    assert (alone.exit_code, "[variant-conflict]" in alone.output) == (0, False)


def test_what_is_wrong_alone_is_mended_first(tmp_path: Path) -> None:
    wrong = variant(tmp_path, "wrong", "{set: numbers.rows.value, to: 2}")
    right = variant(tmp_path, "right", "{set: numbers.row.value, to: 4}")
    result = run("rules", "check", wrong, right)
    assert result.exit_code == 1
    assert " + " not in result.output
    for form in ("json", "concise"):
        result = run("rules", "check", wrong, right, "--format", form)
        assert (result.exit_code, " + " in result.output) == (1, False)


def test_variants_whose_order_counts(tmp_path: Path) -> None:
    ending = "{{when: round > {0}, by: round {0}}}"
    paths = [
        variant(
            tmp_path, name, f"{{extend: outcome, with: [{ending.format(number)}], first: true}}"
        )
        for name, number in (("long", 9), ("short", 5))
    ]
    result = run("rules", "check", "--together", *paths)
    assert "in another order these variants make other rules" in result.output
    assert "short.yaml:1:1: warning" in result.output
    other = variant(tmp_path, "title", "{set: title, to: Another}")
    assert "[variant-order]" not in run("rules", "check", "--together", paths[0], other).output


def test_differences_for_programs(tmp_path: Path) -> None:
    path = variant(tmp_path, "four", "{set: numbers.row.value, to: 4}")
    found = json.loads(run("rules", "diff", "tictactoe", path, "--format", "json").output)
    assert found == {
        "differences": [
            {
                "group": "Other",
                "path": "numbers.row.value",
                "about": "Marks in a row that win",
                "before": 3,
                "after": 4,
                "where": "four.yaml:5",
            }
        ]
    }


def test_paths_of_differences_name_parts_of_lists() -> None:
    """The recipe adds an effect to a procedure; the variant changes effects inside others."""
    plunder = Path(__file__).parents[2] / "docs" / "recipes" / "plunder.yaml"
    assert "procedures.conquer.does.if-plunder" in different_paths("altay", plunder)
    paths = different_paths("innovation", "first-edition")
    assert "entities.card.statistics.demand.transfer.do.transfer.number" in paths
    assert [path for path in paths if re.search(r"\.[0-9]+(\.|$)", path)] == []


def different_paths(game: str, variant: object) -> list[str]:
    found = json.loads(run("rules", "diff", game, variant, "--format", "json").output)
    return [difference["path"] for difference in found["differences"]]


def test_games_that_turn_out_differently_under_other_rules(tmp_path: Path) -> None:
    path = variant(tmp_path, "two", "{set: numbers.row.value, to: 2}")
    log = GAMES / "classics" / "tictactoe.agn"
    result = run("check", "--under", path, log)
    assert f"under {path}: 1 of 1 game changes its verdict" in result.output
    found = json.loads(run("check", "--under", path, log, "--format", "json").output)
    assert found["under"][str(path)]["verdict"] == [str(log)]


def test_of_several_games_a_line_each_is_told_and_those_of_others_are_left_out(
    tmp_path: Path,
) -> None:
    path = variant(tmp_path, "two", "{set: numbers.row.value, to: 2}")
    for name in ("tictactoe", "nim"):
        shutil.copy(GAMES / "classics" / f"{name}.agn", tmp_path)
    log = tmp_path / "tictactoe.agn"
    result = run("check", "--under", path, tmp_path)
    told, counted = result.output.splitlines()
    # Ann has b2 and a3 in line 10.
    assert told.startswith(f"{log}: legal as played, illegal under {path} from line 11 on: ")
    assert told.endswith(f"; won by nobody as played, by Ann under {path}")
    assert counted == (
        f"under {path}: 1 of 1 game changes its verdict, 1 the winner; "
        "the claimed results of 1 game are right under only one of the rules; 1 game of other rules left out"
    )
    assert result.exit_code == 0
    found = json.loads(run("check", "--under", path, tmp_path, "--format", "json").output)
    counts = {"games": 1, "left_out": 1}
    counts |= {key: [str(log)] for key in ("verdict", "winner", "claims")}
    assert found["under"] == {str(path): counts}
    log.unlink()
    result = run("check", "--under", path, tmp_path)
    assert "this variant applies to none of these games" in result.stderr
    assert result.exit_code == 2


def test_rules_that_cannot_be_used_change_no_winner(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("x: [\n", encoding="utf-8")
    result = run("check", "--under", path, GAMES / "tie.agn")
    last = result.output.splitlines()[-1]
    assert last == f"under {path}: 1 of 1 game changes its verdict, 0 the winner"
    assert result.exit_code == 2


def test_a_page_about_a_variant_for_the_table(tmp_path: Path) -> None:
    path = variant(tmp_path, "four", "{set: numbers.row.value, to: 2}", "{set: title, to: <b>}")
    out = tmp_path / "report.html"
    assert run("rules", "report", path, "-o", out, "--play", "3").exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert "<td>Marks in a row that win</td><td><del>3</del></td><td><ins>2</ins>" in text
    assert "<h2>Results of played games</h2>" in text
    assert "<svg" in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    assert run("rules", "report", path, "-o", out).exit_code == 2


def test_what_is_to_be_said_of_a_variant_as_text(tmp_path: Path) -> None:
    path = variant(tmp_path, "two", "{set: numbers.row.value, to: 2}")
    told = run("rules", "report", path, "--play", "5").output.splitlines()
    assert told[:3] == ["Tic-tac-toe: two", "================", ""]
    assert told[3] == "It can be played: all 5 games ended."
    assert "  Marks in a row that win: 3 -> 2  (two.yaml:5)" in told
    at = told.index("Length:")
    assert told[at + 1].startswith("  rounds  ")
    assert told[at + 2].startswith("          ")
    out = tmp_path / "report.txt"
    assert run("rules", "report", path, "--play", "5", "-o", out).exit_code == 0
    assert out.read_text(encoding="utf-8").splitlines()[:4] == told[:4]
    assert run("rules", "report", path, "-o", tmp_path / "report.pdf").exit_code == 2


def test_games_that_do_not_end_are_told_first(tmp_path: Path) -> None:
    closed = "{extend: moves.mark.requires, with: [{rule: shut, at: square, that: square.column < 3, else: shut}]}"
    stuck = run("rules", "check", variant(tmp_path, "stuck", closed), "--play", "8")
    assert stuck.output.splitlines()[0].endswith(
        "It cannot be played as it is: games showed 1 error."
    )


@pytest.mark.parametrize(
    ("ended", "first"),
    [
        (3, "It can be played: 3 of 4 games ended; the rest: not over after 60 rounds."),
        (1, "It can be played, but only 1 of 4 games ended; the rest: not over after 60 rounds."),
        (0, "It can hardly be played: none of 4 games ended."),
    ],
)
def test_why_games_did_not_end(ended: int, first: str) -> None:
    games = [
        Playout(n, n < ended, "" if n < ended else "not over after 60 rounds") for n in range(4)
    ]
    after = SimpleNamespace(outcomes=games, ended_games=games[:ended])
    told = verdict([], cast(TryOut, SimpleNamespace(before=None, after=after)))
    assert told == [first, "Nothing looks wrong."]


def test_a_page_plays_every_number_of_players_that_a_variant_names(tmp_path: Path) -> None:
    path = variant(tmp_path, "more", "{set: players, to: {least: 2, most: 4}}")
    path.write_text(path.read_text().replace("extends: tictactoe", "extends: nim"))
    lines = run("rules", "report", path, "--play", "3").output.splitlines()
    assert [line for line in lines if line.startswith("3 games of")] == [
        "3 games of 2 players with the variant, 3 without it; 3 and 3 ended. Bars show the range "
        "that is likely in 19 of 20 cases: above with the variant, below without.",
        *(
            f"3 games of {players} players, of which 3 ended; without the variant, so many cannot "
            "play. Bars show the range that is likely in 19 of 20 cases."
            for players in (3, 4)
        ),
    ]


def test_the_game_is_played_by_as_many_as_the_variant(tmp_path: Path) -> None:
    """Altay is for two to four, the variant for three or four."""
    path = variant(tmp_path, "three", "{set: players.least, to: 3}")
    path.write_text(path.read_text().replace("extends: tictactoe", "extends: altay"))
    lines = run("rules", "report", path, "--play", "1").output.splitlines()
    summaries = [line.partition("; ")[0] for line in lines if line.startswith("1 game of")]
    assert summaries == [
        f"1 game of {players} players with the variant, 1 without it" for players in (3, 4)
    ]


def test_what_a_change_is_judged_by_is_not_taken_from_before(tmp_path: Path) -> None:
    rule = "{extend: moves.buy.requires, with: [{rule: late, that: %s, else: later}]}"
    path = variant(tmp_path, "house", rule % "bank < 0")
    path.write_text(path.read_text().replace("extends: tictactoe", "extends: altay"))
    told = run("rules", "check", path, "--play", "0").output
    assert "`late` never holds" in told
    assert "`bank` is never less than 0" in told
    more = "  - {set: zones.bank.least, to: -1}\n"
    path.write_text(path.read_text() + more)
    assert "[rule-never-met]" not in run("rules", "check", path, "--play", "0").output


CHANGES = (
    "{move: moves.trade, first: true}",
    "{set: entities.title.town.cost, to: [food, food]}",
    "{extend: moves.end.does, with: [{add: {bank: 1}}]}",
    "{extend: moves.buy.requires, with: [{rule: late, that: round > 1, else: later}], first: true}",
    "{set: moves.buy.requires.bought-twice.else, to: not again}",
    "{remove: moves.buy.requires.top-copy}",
)


def altay(folder: Path) -> Path:
    path = variant(folder, "house", *CHANGES)
    path.write_text(path.read_text().replace("extends: tictactoe", "extends: altay"))
    return path


def test_differences_are_told_by_name_and_content(tmp_path: Path) -> None:
    lines = run("rules", "diff", "altay", altay(tmp_path)).output.splitlines()
    assert "  Town (action card), cost: food, wood -> food, food  (house.yaml:6)" in lines
    assert "  End the turn, does, add-bank: new: {add: {bank: 1}}  (house.yaml:7)" in lines
    assert "  Acquire a new action card, demands, late: new: later  (house.yaml:8)" in lines
    title = "The copies of a type that can be bought in a turn are limited"
    at = lines.index(f"  Acquire a new action card, demands, {title}, message:  (house.yaml:9)")
    assert lines[at + 1].startswith('    before: "a second {title} in one turn; ')
    assert lines[at + 2] == "    after:  not again"
    assert any(line.startswith("  Buy a resource with coins: after buy -> first") for line in lines)
    assert len([line for line in lines if line.startswith("  ")]) == 6 + 2


def test_parts_are_shown_with_what_they_were(tmp_path: Path) -> None:
    path = altay(tmp_path)
    cost = run("rules", "show", "--rules", path, "entities.title.town.cost").output
    assert cost == "[food, food]  # house.yaml:6; was: [food, wood]\n"
    asked = run("rules", "show", "--rules", path, "moves.buy.requires").output.splitlines()
    assert asked[0].endswith("# house.yaml:8; new")
    (line,) = [line for line in asked if "not again" in line]
    assert '# house.yaml:9; was: "a second {title} in one turn' in line
    gone = run("rules", "show", "--rules", path, "moves.buy.requires.top-copy").output
    assert gone.startswith("`moves.buy.requires.top-copy` is removed; it was:\nrule: top-copy ")
    assert "was:" not in run("rules", "show", "moves.buy.requires").output
    assert run("rules", "show", "scoring.ties.by").output.startswith("categories  # altay/scoring")


@pytest.mark.parametrize(
    ("length", "printed"),
    [
        (40, ["Numbers:", f"  row: {'a' * 40} -> {'b' * 40}"]),
        (41, ["Numbers:", "  row:", f"    before: {'a' * 41}", f"    after:  {'b' * 41}"]),
    ],
)
def test_long_values_stand_one_below_the_other(length: int, printed: list[str]) -> None:
    old, new = "a" * length, "b" * length
    difference = Difference("Numbers", "row", old, new, "?", "numbers.row", old, new)
    assert list(difference_lines([difference])) == printed
