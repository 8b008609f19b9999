"""`altay query`: the questions of the page on archives, and what a question cannot do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from altay_cli.report.tables import TABLES
from tests.cli.sample import run
from tests.test_docs import ROOT

PAGE = ROOT / "docs" / "archives.md"
QUESTIONS = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

LOGS = [
    "four-players.agn", "mistakes.agn", "tie.agn", "classics/nim.agn", "classics/tictactoe.agn",
    "innovation/players-2-0001.agn",
]  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset") / "results"
    run(
        "check",
        *(ROOT / "games" / name for name in LOGS),
        "--dataset",
        folder,
        "--changes",
        "-j",
        "1",
    )
    return folder


def answer(results: Path, question: str) -> list[dict[str, Any]]:
    result = run("query", results, question, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def test_the_page_has_ten_questions() -> None:
    assert len(QUESTIONS) == 10


@pytest.mark.parametrize("number", range(10))
def test_a_question_of_the_page_has_an_answer(number: int, results: Path) -> None:
    assert answer(results, QUESTIONS[number])


def test_answers_are_as_counted_by_hand(results: Path) -> None:
    # Of the game of four, as its page counts it: Hanna wins from the first seat.
    points = "SELECT player, total, rank FROM players JOIN games USING (game_id) WHERE players = 4 ORDER BY rank"
    assert [tuple(one.values()) for one in answer(results, points)] == [
        ("Hanna", 36, 1), ("Vera", 35, 2), ("Emil", 32, 3), ("Oskar", 22, 4),
    ]  # fmt: skip
    # All errors of the sample are in one log.
    errors = answer(results, QUESTIONS[3])
    assert sum(one["findings"] for one in errors) == 4
    assert {one["games"] for one in errors} == {1}
    # All tables have the columns that the page says, and no name needs quotes.
    for name, columns in TABLES.items():
        listed = ", ".join(column.name for column in columns)
        types = answer(results, f"DESCRIBE SELECT {listed} FROM {name}")  # noqa: S608 - our own names
        found = [(one["column_name"], one["column_type"]) for one in types]
        assert found == [(one.name, one.type) for one in columns]


def test_changes_add_up_to_what_lies_there_in_the_end(results: Path) -> None:
    # What a statement leaves is what the next one finds, in every place of every zone.
    jumps = """
        SELECT * FROM (
          SELECT before, lag(after) OVER (PARTITION BY game_id, zone, place, thing ORDER BY statement) AS last
          FROM changes)
        WHERE last IS NOT NULL AND before != last
    """
    assert answer(results, jumps) == []


def test_every_statement_of_a_log_is_there_once(results: Path) -> None:
    count = "SELECT count(*) AS n, count(DISTINCT statement) AS d, max(statement) AS m FROM statements WHERE game_id = 4"
    # A heading and three lines lay out the game, four turns of a heading and a move follow, then the result.
    (found,) = answer(results, count)
    assert len(set(found.values())) == 1


# ---------------------------------------------------------------- forms


def test_without_a_question_the_tables_are_listed(results: Path) -> None:
    shown = run("query", results).stdout
    for name, columns in TABLES.items():
        assert f"{name}\n" in shown
        assert all(column.meaning in shown for column in columns)
    listed = json.loads(run("query", results, "--format", "json").stdout)
    assert {name: [one["name"] for one in columns] for name, columns in listed.items()} == {
        name: [one.name for one in columns] for name, columns in TABLES.items()
    }
    assert run("query", results, "--format", "csv").stdout.startswith(
        "table,column,type,unit,meaning\n"
    )


def test_null_is_shown_as_such(results: Path) -> None:
    question = "SELECT NULL AS a, 1.5 AS b, ['x', 'y'] AS c, true AS d, 'a,b' AS e"
    assert run("query", results, question).stdout.splitlines()[-1].split() == [
        "null",
        "1.5",
        "x,",
        "y",
        "true",
        "a,b",
    ]
    assert (
        run("query", results, question, "--format", "csv").stdout
        == 'a,b,c,d,e\n,1.5,"[""x"", ""y""]",true,"a,b"\n'
    )
    assert answer(results, question) == [
        {"a": None, "b": 1.5, "c": ["x", "y"], "d": True, "e": "a,b"}
    ]
    assert answer(results, "FROM games WHERE false") == []


def test_people_are_shown_a_thousand_rows(results: Path) -> None:
    shown = run("query", results, "FROM range(1200)").stdout.splitlines()
    assert len(shown) == 2 + 1_000 + 1
    assert shown[-1] == "200 more rows; --format csv shows all"


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("SELEC 1", "Parser Error: syntax error"),
        ("SELECT seet FROM players", 'Referenced column "seet" not found'),
        ("FROM elsewhere", "Table with name elsewhere does not exist"),
        ("", "there is no question"),
        ("FROM read_text('{file}')", "Permission Error"),
        ("FROM read_csv('{file}')", "Permission Error"),
        ("COPY games TO '{file}'", "Permission Error"),
        ("COPY games TO '{part}'", "Permission Error"),
        ("ATTACH '{file}' AS other", "Permission Error"),
        ("SET enable_external_access = true", "locked"),
        ("SET allowed_paths = ['{file}']", "locked"),
        ("INSTALL httpfs", "Permission Error"),
        ("SELECT 1::INTEGER // 'x'", "Conversion Error"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_one_line_and_exit_code_2(
    question: str, reason: str, results: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("word\n")
    part = next((results / "games").iterdir())
    before = part.read_bytes()
    result = run("query", results, question.format(file=secret, part=part))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert reason in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert secret.read_text() == "word\n"
    assert part.read_bytes() == before


def test_a_folder_without_a_dataset_is_named(tmp_path: Path) -> None:
    result = run("query", tmp_path, "FROM games")
    assert result.exit_code == 2
    assert "there is no dataset (no dataset.json)" in result.stderr
    (tmp_path / "dataset.json").write_text("[]")
    assert (
        "this is not the list of parts that a dataset has"
        in run("query", tmp_path, "FROM games").stderr
    )
