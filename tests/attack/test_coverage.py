"""Every rule was seen to pass and to fail in some log; and what counts that, counts right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.base.catalogue import PROGRAM_RULES
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from attack.coverage import CORPUS, EXEMPT, NOT_BY_LOGS, Coverage, command, find_logs, measure
from tests.logs import verify

OWN = sorted((Path(__file__).parent / "own").glob("*.agn"))

POSITION = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 3 Hunter, Village, Warrior
  Ann: settlements 1 F2
  Bob: settlements 1 F6
  marker 1 on W2
turn 3 Ann
  play 3 Hunter
"""
NEW_HAND = "  end => 3 Warrior, Shaman, Village\n"


def of_text(folder: Path, *texts: str) -> Coverage:
    """Measure logs with such texts."""
    for number, text in enumerate(texts):
        (folder / f"{number}.agn").write_text(text, encoding="utf-8")
    return measure(find_logs([folder]))


def passed(coverage: Coverage, rule: str, place: str = "") -> int:
    return sum(
        n for use, n in coverage.passed.items() if use.rule == rule and use.place.startswith(place)
    )


def failed(coverage: Coverage, rule: str, place: str = "") -> int:
    return sum(
        n for use, n in coverage.failed.items() if use.rule == rule and use.place.startswith(place)
    )


# ---------------------------------------------------------------- the corpus


def test_every_rule_was_seen_to_pass_and_to_fail() -> None:
    # One test, so that the corpus is gone through once; the whole games take long, and are not needed.
    corpus = measure(find_logs(folder for folder in CORPUS if folder.name != "games"))
    assert corpus.gaps() == []
    assert {use.rule for use in corpus.uses} >= set(load_pack("altay").rules)
    # Nothing is exempt without need.
    lines = {line.rule: line for line in corpus.rules()}
    assert all(lines[rule].gaps for rule in EXEMPT)
    assert all(rule in PROGRAM_RULES and not corpus.own[rule] for rule in NOT_BY_LOGS)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


@pytest.mark.parametrize(
    ("rule", "statements"),
    [
        ("statement-too-long", "play " + "Hunter " * 2_000),
        ("too-many-findings", "sing; " * 1_001),
        ("too-many-statements", "end; " * 200_001),
    ],
)
def test_findings_of_logs_that_are_too_large_to_keep(rule: str, statements: str) -> None:
    assert rule in NOT_BY_LOGS
    report = check_text(POSITION + statements)
    assert rule in {finding.rule for game in report.games for finding in game.findings}


# ---------------------------------------------------------------- what passes


def test_a_requirement_passes_with_its_move(tmp_path: Path) -> None:
    found = of_text(tmp_path, POSITION + "  buy Farmer\n  buy Miner\n" + NEW_HAND)
    # Two cards were bought, of two types, each paid for.
    for rule in ("bought-twice", "market-empty", "top-copy"):
        assert (passed(found, rule), failed(found, rule)) == (2, 0), rule
    # What a card costs stands there twice: in the rulebook, and with points on the card's face.
    for rule in ("cannot-pay", "wrong-payment"):
        assert (passed(found, rule), failed(found, rule)) == (4, 0), rule
    # Hunters are played and cards bought in the turn; it is ended as well.
    assert passed(found, "your-turn", "move buy") == 2
    assert passed(found, "your-turn", "move play-produce") == 1
    assert passed(found, "your-turn", "move end") == 1
    assert passed(found, "turn-order") == 2


def test_the_requirement_that_is_broken_fails_and_nothing_else(tmp_path: Path) -> None:
    found = of_text(tmp_path, POSITION + "  buy Farmer\n  buy Farmer\n" + NEW_HAND)
    assert {use.rule: n for use, n in found.failed.items()} == {"bought-twice": 1}
    assert {use.place for use in found.failed} == {"move buy"}


def test_nothing_passes_in_a_game_with_an_error(tmp_path: Path) -> None:
    found = of_text(tmp_path, POSITION + "  buy Farmer\n  buy Farmer\n" + NEW_HAND)
    assert not found.passed
    assert (found.logs, found.games, found.legal) == (1, 1, 0)


def test_a_slip_of_syntax_is_an_error_too(tmp_path: Path) -> None:
    found = of_text(tmp_path, POSITION + "  buy = Farmer\n" + NEW_HAND)
    assert not found.passed
    assert found.own["syntax"] == 1


def test_a_note_is_no_error(tmp_path: Path) -> None:
    found = of_text(tmp_path, POSITION + NEW_HAND + "result\n")
    assert found.own["game-unfinished"] == 1
    assert found.legal == 1
    assert passed(found, "turn-order") == 2


def test_each_game_of_a_file_counts_by_itself(tmp_path: Path) -> None:
    right, wrong = "  buy Farmer\n" + NEW_HAND, "  buy Farmer\n  buy Farmer\n" + NEW_HAND
    found = of_text(tmp_path, POSITION + right + POSITION + wrong)
    assert (passed(found, "bought-twice"), failed(found, "bought-twice")) == (1, 1)
    assert (found.games, found.legal) == (2, 1)


def test_what_was_only_tried_does_not_pass(tmp_path: Path) -> None:
    # That the Farmer is too dear is told with all cards that could be bought: none was.
    text = POSITION.replace("  play 3 Hunter\n", "  buy Farmer\n")
    found = of_text(tmp_path, text + NEW_HAND)
    assert failed(found, "cannot-pay") == 1
    assert passed(found, "bought-twice") == 0


def test_a_move_that_only_tells_what_is_wrong(tmp_path: Path) -> None:
    right = POSITION + "  attack W2 from F2 with Warrior\n" + NEW_HAND
    wrong = POSITION + "  attack H2 from F2 with Warrior\n" + NEW_HAND
    found = of_text(tmp_path, right, wrong)
    # W2 bears a marker; on H2 there is nothing to attack.
    assert (passed(found, "attack-target"), failed(found, "attack-target")) == (1, 1)


def test_a_decision_passes_where_it_is_answered(tmp_path: Path) -> None:
    village = "  play Village\n  place 2 food on Village\n"
    right = POSITION + village + "  build F2\n" + NEW_HAND
    wrong = POSITION + village + NEW_HAND
    found = of_text(tmp_path, right, wrong)
    assert (passed(found, "build-due"), failed(found, "build-due")) == (1, 1)
    assert passed(found, "build-nothing", "move build") == 1
    assert passed(found, "build-player") == 1


def test_the_rules_of_a_draw_pass_where_cards_come(tmp_path: Path) -> None:
    right = POSITION + NEW_HAND
    # Firefolk have one Shaman: a second one cannot come.
    wrong = POSITION + "  end => 3 Warrior, 2 Shaman\n"
    found = of_text(tmp_path, right, wrong)
    assert (passed(found, "draw-impossible"), failed(found, "draw-impossible")) == (1, 1)
    assert (passed(found, "draw-too-many"), failed(found, "draw-too-many")) == (1, 0)


def test_a_warning_passes_where_there_is_nothing_to_warn_of(tmp_path: Path) -> None:
    found = of_text(tmp_path, POSITION + NEW_HAND)
    # Three Hunters bring food, of which the reserve has enough.
    assert (passed(found, "reserve-short"), failed(found, "reserve-short")) == (1, 0)


def test_findings_are_those_of_a_check() -> None:
    logs = find_logs([Path(__file__).parents[1] / "rules" / "attack-weak"])
    found = measure(logs)
    told: dict[str, int] = {}
    for path in logs:
        report = check_text(path.read_text(encoding="utf-8"), folder=path.parent)
        for finding in (f for game in report.games for f in game.findings):
            told[finding.rule] = told.get(finding.rule, 0) + 1
    counted = {use.rule: 0 for use in found.failed}
    for use, n in found.failed.items():
        counted[use.rule] += n
    assert {**counted, **found.own} == told


# ---------------------------------------------------------------- the command


def test_gaps_are_told_first_and_by_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "one.agn").write_text(POSITION + "  buy Farmer\n" + NEW_HAND, encoding="utf-8")
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "1 log with 1 game, 1 of them without errors"
    assert "bought-twice was never seen to fail" in lines
    assert "bought-twice was never seen to pass" not in lines
    assert "captured-own was never seen to pass" in lines


def test_json(tmp_path: Path) -> None:
    (tmp_path / "one.agn").write_text(POSITION + "  buy Farmer\n" + NEW_HAND, encoding="utf-8")
    result = CliRunner().invoke(command, ["--format", "json", str(tmp_path)])
    document = json.loads(result.output)
    rules = {entry["rule"]: entry for entry in document["rules"]}
    assert rules["bought-twice"] == {
        "rule": "bought-twice",
        "passed": 1,
        "failed": 0,
        "uses": [{"place": "move buy", "passed": 1, "failed": 0}],
    }
    assert document["logs"] == document["games"] == document["legal"] == 1
    assert "bought-twice was never seen to fail" in document["gaps"]
