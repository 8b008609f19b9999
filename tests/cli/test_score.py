"""`altay score`: score sheets and derivations."""

from __future__ import annotations

from pathlib import Path

from tests.cli.sample import ILLEGAL, LEGAL, OVER, document, put, run

ROOT = Path(__file__).parents[2]
SHEET = """\
-, game 1: Tuesday table, 2026.11.17
The log ends in round 3, before the game does: standings so far.
Rank  Player  Faction    Technologies  Wonders  Action cards  Territories  Captured settlements  Conquest markers  Total
----  ------  ---------  ------------  -------  ------------  -----------  --------------------  ----------------  -----
   1  Ann     Firefolk              2        3             0            1                     0                 0      6
   2  Bob     Elvenfolk             0        0             0            1                     0                 0      1

Ann: Ark 0; secret wonder completed (Ark) 3
Leading: Ann
"""


def test_a_score_sheet() -> None:
    result = run("score", "-", text=LEGAL)
    assert result.exit_code == 0
    assert result.stdout == SHEET


def test_errors_are_said_and_the_scores_go_by_the_log() -> None:
    result = run("score", "-", text=ILLEGAL)
    assert result.exit_code == 1
    assert "This log has errors: 2" in result.stdout
    assert "   1  Ann  " in result.stdout


def test_a_tie_is_shared() -> None:
    result = run("score", "-", text=OVER)
    assert result.exit_code == 0
    assert "Scores of the position.\n" in result.stdout
    assert "   1  Ann  " in result.stdout
    assert "   1  Bob  " in result.stdout
    assert "Ann and Bob share the victory: tied in every category.\n" in result.stdout


def test_three_who_share_are_read_out_as_a_list() -> None:
    third = "Cat: faction Smallfolk\nCat: settlements F5\n"
    result = run("score", "-", text=OVER + third)
    assert "Ann, Bob and Cat share the victory: tied in every category.\n" in result.stdout
    result = run("score", "--lang", "de", "-", text=OVER + third)
    assert "Ann, Bob und Cat teilen sich" in result.stdout


def test_what_decides_a_tie_is_said() -> None:
    # Ann: a technology and a territory; Bob: two territories.
    text = OVER + "Ann: completed Writing\nBob: settlements W6\n"
    assert (
        "Winner: Ann; the tie is decided by technologies.\n" in run("score", "-", text=text).stdout
    )


def test_the_derivation_of_every_number() -> None:
    result = run("score", "--explain", "-", text=LEGAL)
    ann, _, bob = result.stdout[len(SHEET) :].partition("\nBob: 1\n")
    assert ann.startswith("\nAnn: 6\n")
    assert "      1  Writing\n      1  Commerce\n" in ann
    assert "      3  secret wonder completed (Ark)\n" in ann
    assert "      1  F6\n" in bob
    assert "English rulebook, page 15" in ann


def test_the_cap_is_told() -> None:
    # 14 markers: 1 + 14 / 2 = 8, of which the cap takes one.
    text = (
        OVER
        + "Ann: completed Writing, Commerce, Triumphal Arch\nAnn: markers "
        + "1, " * 12
        + "2, 2\n"
    )
    result = run("score", "--explain", "-", text=text)
    assert "Triumphal Arch 7 (capped; 1 lost)" in result.stdout
    assert "; the cap took 1 away" in result.stdout


def test_markers_are_told_by_what_was_written_of_them() -> None:
    # Which resource two markers of value 2 show nobody wrote down: (2 + 2) / 3 is 1, and 1 + 2 / 2 is 2.
    text = OVER + "Ann: completed Writing, Commerce, Triumphal Arch\nAnn: markers 2, 2\n"
    lines = run("score", "--explain", "-", text=text).stdout.splitlines()
    assert "      1  2 taken, worth 4, divided by 3: 2 × 2" in lines
    assert "      2  Triumphal Arch (1 and one for every 2 of 2): 2 × 2" in lines


def test_scores_as_rows_and_as_a_table() -> None:
    # A technology each and a territory each, and Bob has a second one.
    text = OVER + "Ann: completed Writing\nBob: completed Writing\nBob: settlements W6\n"
    (game,) = document("score", "-", text=text)["files"][0]["games"]
    assert [(row["player"], row["rank"], row["total"]) for row in game["rows"]] == [
        ("Ann", 2, 2),
        ("Bob", 1, 3),
    ]
    lines = run("score", "--format", "csv", "-", text=text).stdout.splitlines()
    assert lines[0] == "path,game,verdict,ended,player,rank,category,points"
    assert "-,1,legal,no,Bob,1,territories,2" in lines
    assert "-,1,legal,no,Ann,2,total,2" in lines
    assert len(lines) == 1 + 2 * 7


def test_where_a_king_stands_is_no_part_of_a_score_sheet() -> None:
    text = (ROOT / "games" / "classics" / "chess.agn").read_text(encoding="utf-8")
    sheet = run("score", "-", text=text[: text.index("result")]).stdout
    assert "Morphy" in sheet
    assert "Square" not in sheet


def test_the_derivation_as_json() -> None:
    game = document("score", "--explain", "-", text=LEGAL)["files"][0]["games"][0]
    assert game["explain"]["Ann"]["wonders"] == [
        {"text": "Ark", "points": 0, "lost_to_cap": 0, "counted": [], "how": "nothing to count"},
        {"text": "secret wonder completed (Ark)", "points": 3, "lost_to_cap": 0, "counted": []},
    ]
    for player, scores in game["scores"].items():
        lines = game["explain"][player]
        assert {key: sum(line["points"] for line in lines[key]) for key in lines} == {
            key: points for key, points in scores.items() if key != "total"
        }
        assert scores["total"] == sum(points for key, points in scores.items() if key != "total")
    assert "explain" not in document("score", "-", text=LEGAL)["files"][0]["games"][0]


def test_check_and_score_tell_programs_the_same() -> None:
    text = LEGAL + ILLEGAL
    assert document("check", "-", text=text) == document("score", "-", text=text)


def test_several_games_and_files(tmp_path: Path) -> None:
    paths = put(tmp_path, one=OVER + LEGAL, two=LEGAL)
    titles = [line for line in run("score", *paths).stdout.splitlines() if ", game " in line]
    assert titles == [
        f"{paths[0]}, game 1",
        f"{paths[0]}, game 2: Tuesday table, 2026.11.17",
        f"{paths[1]}, game 1: Tuesday table, 2026.11.17",
    ]


def test_nobody_at_the_table() -> None:
    result = run("score", "-", text='[Game "altay"]\n')
    assert result.exit_code == 2
    assert "no scores: no players are seated" in result.stdout


def test_a_missing_file(tmp_path: Path) -> None:
    result = run("score", tmp_path / "missing.agn")
    assert result.exit_code == 2
    assert "there is no such file" in result.stderr


def test_wide_characters_keep_the_columns_straight() -> None:
    lines = run("score", "-", text=OVER.replace("Ann", "狩人")).stdout.splitlines()
    head = next(line for line in lines if line.startswith("Rank"))
    wide = next(line for line in lines if "狩人" in line and "Firefolk" in line)
    assert head.index("Faction") == wide.index("Firefolk") + len("狩人")
