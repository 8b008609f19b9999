"""`altay explain FILE:LINE`: any line of a log, with what its rules require and whether it holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from altay_cli.checking.check import check_text
from altay_cli.checking.errors import GameError
from altay_cli.cli.rules import log_line
from altay_cli.view import explaining
from altay_cli.view.explaining import explain_line
from tests.cli.sample import ILLEGAL, LEGAL, OVER, document, run

NIM = """\
# Two heaps of matches.
[Game "nim"]
[Event "Tuesday"]

setup
  seat Ann; seat Bob
  heap A of 3
  heap B of 2  # the small one

turn 1 Ann
  take 1 from A
turn 1 Bob
  take 4 from A; take 1 from B
turn 2 Ann
  expect heap A of 2
  expect heap A of 3
result
  winner Bob
"""


def explained(line: int, text: str = NIM, language: str = "en") -> dict[str, Any]:
    """Return the document for a line."""
    return explain_line(text, line, language=language)


def statements(line: int, text: str = NIM, language: str = "en") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = explained(line, text, language)["statements"]
    return found


def requirements(statement: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {requirement["id"]: requirement for requirement in statement["requirements"]}


# ---------------------------------------------------------------- what a line is


@pytest.mark.parametrize(
    ("line", "about"),
    [
        (1, "a comment, without effect on the game"),
        (2, "a tag of the game: `Game` says by which rules it is judged"),
        (3, "a tag of the game: `Event` is kept and has no effect"),
        (4, "an empty line, without effect"),
        (5, "the heading of a section"),
        (7, "a statement of the setup"),
        (10, "the heading of a turn"),
        (11, "a statement of a turn"),
        (15, "a claim about the state at this point, which it does not change"),
        (18, "a claim of the result, compared with the computed scores"),
    ],
)
def test_every_line_has_an_answer(line: int, about: str) -> None:
    assert explained(line)["about"] == about


def test_a_position_and_a_text_without_a_game() -> None:
    assert explained(3, OVER)["about"] == "a statement of a position"
    lost = explain_line("take 1 from A\n", 1)
    assert (lost["about"], lost["statements"]) == ("no statement of a game", [])
    assert lost["findings"]


# ---------------------------------------------------------------- moves


def test_a_legal_move() -> None:
    (move,) = statements(11)
    assert (move["text"], move["verdict"], move["legal"]) == ("take 1 from A", "legal", True)
    assert (move["player"], move["section"]) == ("Ann", "turn 1 Ann")
    assert move["title"] == "Take things from one heap, at least one"
    assert move["meanings"] == [["heap", "A"], ["number", "1"]]
    assert ["what lies on a heap (A)", "3 → 2"] in move["changes"]
    assert move["possible"] == []
    assert [of["holds"] for of in move["requirements"]] == [True] * 4
    assert requirements(move)["your-turn"]["text"] == "Only the player whose turn it is acts"
    assert ["heap.size", "3"] in requirements(move)["not-there"]["values"]


def test_an_illegal_move_beside_a_legal_one() -> None:
    wrong, right = statements(13)
    assert (wrong["text"], wrong["legal"]) == ("take 4 from A", False)
    assert requirements(wrong)["not-there"] == {
        "id": "not-there",
        "text": "2 are on heap A, not 4",
        "holds": False,
        "values": [
            ["heap.size", "2"],
            ["heap", "A"],
            ["number", "4"],
            ["what lies on a heap (A)", "2"],
        ],
        "condition": requirements(wrong)["not-there"]["condition"],
        "cite": {},
        "cited": "",
        "ruling": None,
    }
    assert wrong["possible"] == ["take 1 from A", "take 2 from A", "take 1 from B", "take 2 from B"]
    assert [finding["rule"] for finding in wrong["findings"]] == ["not-there"]
    assert (right["text"], right["legal"], right["findings"]) == ("take 1 from B", True, [])


def test_a_house_rule_without_a_title(tmp_path: Path) -> None:
    (tmp_path / "few.yaml").write_text(
        "variant: few\nextends: nim\ntitle: Take few\nchange:\n"
        "  - extend: moves.take.requires\n"
        "    with: [{rule: few, that: number < 3, else: '{number} is more than 2 of {heap}'}]\n",
        encoding="utf-8",
    )
    text = NIM.replace('[Event "Tuesday"]', '[Variant "few.yaml"]')
    for language, holds in (
        ("en", "not so: ‹number› is more than 2 of ‹heap›"),
        ("de", "nicht der Fall: ‹number› is more than 2 of ‹heap›"),
    ):
        document = explain_line(text, 11, folder=tmp_path, language=language)
        (move,) = cast(list[dict[str, Any]], document["statements"])
        assert requirements(move)["few"]["text"] == holds
    document = explain_line(text, 13, folder=tmp_path)
    wrong, _ = cast(list[dict[str, Any]], document["statements"])
    assert requirements(wrong)["few"]["text"] == "4 is more than 2 of A"


def test_each_requirement_has_its_page() -> None:
    (move,) = statements(16, LEGAL)
    assert move["cited"] == "English rulebook, page 11; German rulebook, page 11"
    assert move["meanings"] == [
        ["card", "Farmer"],
        ["payment", "food"],
        ["cost", "food"],
        ["title", "Farmer"],
    ]
    assert requirements(move)["bought-twice"]["cite"] == {"en": 11, "de": 11}
    (price,) = [of for of in move["requirements"] if of["id"] == "top-copy"]
    assert price["ruling"] == "which-copy"
    assert ["resources at hand (Ann)", "2 food"] in requirements(move)["payment-lacking"]["values"]
    assert ["discard pile (Ann)", "+Farmer"] in move["changes"]


def test_a_move_that_takes_too_much() -> None:
    (move,) = statements(15, ILLEGAL)
    assert move["text"] == "play 3 Hunter"
    assert requirements(move)["in-hand"]["holds"] is False
    assert "play Hunter" in move["possible"]


def test_a_statement_of_several_lines() -> None:
    text = LEGAL.replace("  play 2 Hunter\n", "  play Hunter\n  play Hunter,\n    Village\n")
    assert statements(17, text)[0]["text"] == statements(16, text)[0]["text"]


def test_a_corrected_statement_is_shown_as_it_was_read() -> None:
    text = NIM.replace("take 1 from A", "takes 1 from A")
    (move,) = statements(11, text)
    assert (move["text"], move["read_as"]) == ("takes 1 from A", "take 1 from A")
    assert move["findings"]


def test_two_games_in_a_file() -> None:
    second = explained(len(NIM.splitlines()) + 11, NIM + NIM)
    assert second["game"] == 2
    assert second["statements"][0]["section"] == "turn 1 Ann"


# ---------------------------------------------------------------- claims


def test_claims_about_the_state() -> None:
    (right,), (wrong,) = statements(15), statements(16)
    assert (right["legal"], wrong["legal"]) == (True, False)
    assert requirements(wrong)["expect-wrong"]["values"] == [["claimed", "3"], ["found", "2"]]
    assert requirements(right)["expect-wrong"]["holds"] is True


def test_claims_of_the_result() -> None:
    right = statements(19, LEGAL)[0]
    wrong = statements(19, LEGAL.replace("score 6", "score 7"))[0]
    assert requirements(right)["claim-wrong"]["values"] == [["claimed", "6"], ["computed", "6"]]
    assert (right["legal"], wrong["legal"]) == (True, False)
    assert requirements(wrong)["claim-wrong"]["holds"] is False


def test_a_score_pad() -> None:
    pad = '[Game "altay"]\nresult\n  Ann: wonders 39\n  Bob: wonders 5\n'
    (wrong,), (right,) = statements(3, pad), statements(4, pad)
    assert (wrong["legal"], right["legal"]) == (False, True)
    for claim in (wrong, right):
        (requirement,) = claim["requirements"]
        assert (requirement["id"], requirement["holds"]) == ("claim-impossible", claim["legal"])
    assert wrong["findings"][0]["cited"] == "English rulebook, page 15; German rulebook, page 15"


# ---------------------------------------------------------------- what is not judged


def test_what_follows_when_nothing_more_is_judged() -> None:
    text = '[Game "nim"]\nsetup\n  seat Ann\nturn 1 Ann\n  take 1 from A\n'
    (move,) = statements(5, text)
    assert (move["verdict"], move["legal"]) == ("not judged", None)
    assert move["why"].startswith("not judged because of line 3: the game needs 2 players")


def test_what_depends_on_something_unrecorded() -> None:
    path = Path(__file__).parents[1] / "rules" / "marker-unrecorded" / "legal-open.agn"
    text = path.read_text(encoding="utf-8")
    attack, buy = (statements(line, text)[0] for line in (12, 13))
    assert (attack["verdict"], attack["legal"]) == ("undecided", None)
    assert [finding["rule"] for finding in attack["findings"]] == ["undecided"]
    assert requirements(attack)["marker-unrecorded"]["holds"] is False
    assert buy["why"] == "not judged because of line 12: the conquest marker on W2 is not recorded"


def test_without_rules() -> None:
    (move,) = statements(5, NIM.replace('"nim"', '"no such game"'))
    assert move["verdict"] == "not judged"
    assert "there is no rules pack" in move["why"]


def test_a_claim_that_is_not_judged() -> None:
    (claim,) = statements(18)
    assert claim["verdict"] == "not judged"
    assert requirements(claim)["claim-winner"]["holds"] is None


# ---------------------------------------------------------------- it changes nothing


@pytest.mark.parametrize("text", [NIM, LEGAL, ILLEGAL, OVER])
def test_the_findings_are_those_of_check(text: str) -> None:
    found = [finding.to_dict(related=True) for finding in check_text(text).games[0].findings]
    told: dict[str, dict[str, Any]] = {}
    for line in range(1, len(text.splitlines()) + 1):
        whole = explained(line, text)
        parts = [whole, *whole["statements"]]
        for finding in (finding for part in parts for finding in part["findings"]):
            del finding["cited"]
            told[json.dumps(finding)] = finding
    assert sorted(told) == sorted({json.dumps(finding) for finding in found})


# ---------------------------------------------------------------- languages


def test_in_german_and_japanese() -> None:
    for language, about, holds in (
        ("de", "eine Anweisung eines Zuges", "Genommen wird mindestens eins"),
        ("ja", "手番の文", "1個以上取る"),
    ):
        assert explained(11, language=language)["about"] == about
        (move,) = statements(11, language=language)
        assert requirements(move)["take-one"]["text"] == holds
        assert move["title"] != "Take things from one heap, at least one"


# ---------------------------------------------------------------- the command


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "table.agn"
    path.write_text(NIM, encoding="utf-8")
    return path


def test_as_text(log: Path) -> None:
    lines = run("explain", f"{log}:13").stdout.splitlines()
    assert lines[0] == f"{log}:13: a statement of a turn"
    assert "take 4 from A: illegal" in lines
    assert "  ✗ 2 are on heap A, not 4 [not-there]" in lines
    assert "  ✓ Only the player whose turn it is acts [your-turn]" in lines
    assert "take 1 from B: legal" in lines
    assert "    what lies on a heap (B): 2 → 1" in lines
    assert any(line.startswith("  possible here: `take 1 from A`") for line in lines)


def test_as_json(log: Path) -> None:
    told = document("explain", f"{log}:13")
    assert told == {"path": str(log), **explained(13)}


def test_standard_input_and_a_column() -> None:
    told = run("explain", "--", "-:11:3", text=NIM)
    assert told.exit_code == 0
    assert "take 1 from A: legal" in told.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0", "there is no line 0: the log has 18 lines"),
        ("-1", "there is no line -1: the log has 18 lines"),
        ("1000000000", "there is no line 1000000000: the log has 18 lines"),
        ("9" * 5000, "there is no line 999999999999: the log has 18 lines"),
        ("last", "`last` is not the number of a line; write "),
        ("", "`` is not the number of a line; write "),
        ("١", "`١` is not the number of a line; write "),
    ],
)
def test_lines_that_are_none(log: Path, line: str, message: str) -> None:
    result = run("explain", f"{log}:{line}")
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_log_without_a_line(log: Path) -> None:
    assert f"write {log}:12" in run("explain", log).stderr


def test_only_lines_have_json() -> None:
    assert "altay explain FILE:LINE" in run("explain", "bought-twice", "--format", "json").stderr


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("C:\\games\\x.agn:12", ("C:\\games\\x.agn", "12")),
        ("C:\\games\\x.agn", ("C:\\games\\x.agn", "")),
        ("x.agn:12:7", ("x.agn", "12")),
        ("a:b.agn:12", ("a:b.agn", "12")),
        ("-:3", ("-", "3")),
        ("bought-twice", None),
        ("F2", None),
        ("Craftsman:3", None),
    ],
)
def test_what_names_a_line(name: str, place: tuple[str, str] | None) -> None:
    assert log_line(name) == place


def test_a_line_of_another_log_than_there_is() -> None:
    with pytest.raises(GameError, match="no line 7: the log has 0 lines"):
        explain_line("", 7)


# ---------------------------------------------------------------- for the page

HEAVY = "click", "jinja2", "jsonschema", "rpds", "ruamel", "ruamel.yaml"
ASKED = """
import sys
from altay_cli.checking.check import check_text
from altay_cli.checking.pad import categories, log_text
from altay_cli.view import explaining
from altay_cli.view.explaining import explain_line
text = sys.argv[1]
for language in ("en", "de", "ja"):
    check_text(text, language=language).to_dict(explain=True)
    explain_line(text, 16, language=language)
    explain_line(text.replace("2 Hunter", "9 Hunter"), 15, language=language)
    categories("altay", language=language)
check_text(log_text("altay", [("Ann", {"wonders": 7}), ("Bob", {"wonders": 5})]))
print(*sorted(name for name in sys.argv[2:] if name in sys.modules))
"""


def test_neither_checks_nor_explanations_need_readers_of_rules() -> None:
    """A page in a browser has compiled packs and none of these modules."""
    run("explain", "bought-twice")  # the rules are in the cache from here on
    check_text(LEGAL)
    command = [sys.executable, "-c", ASKED, LEGAL, *HEAVY]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    assert found.stdout.split() == []


def test_lines_near_each_other_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is explained as it is alone."""
    judged: list[int | None] = []

    def counted(*arguments: object, **named: Any) -> object:
        judged.append(named["only"])
        return check_text(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(explaining, "check_text", counted)
    count = NIM.count("\n")
    explanations = explaining.Explanations(NIM + NIM, around=30)
    together = {line: explanations.of_line(line) for line in range(1, 2 * count + 1)}
    assert judged == [None, 1, 2]  # the comment before the first game, and each game
    monkeypatch.undo()
    for line, found in together.items():
        assert found == explain_line(NIM + NIM, line)


def test_lines_far_from_each_other_are_judged_apart() -> None:
    explanations = explaining.Explanations(NIM, around=1)
    for line in (10, 14, 11):
        assert explanations.of_line(line) == explain_line(NIM, line)
