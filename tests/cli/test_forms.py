"""The forms that `altay check` reports in, and what of it is shown."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from jsonschema import Draft4Validator
from xmlschema import XMLSchema

from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from altay_cli.report import limits
from altay_cli.report import text as layout
from altay_cli.report.explained import all_tables
from altay_cli.report.terminal import finding_lines, score_lines
from altay_cli.report.text import speaking
from tests.cli.sample import ILLEGAL, LEGAL, OVER, document, put, run

SCHEMA = Path(__file__).with_name("forms") / "sarif-2.1.0-rtm.5.json"
SLIPS = """\
[Game "altay"]
[Event "##vso[task] ]]> {0} [x](http://example.org) ::error::"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 3 Hunter, Village, Warrior
  Ann: settlements F2
  Bob: settlements F6
turn 3 Ann
  play 3 Hunter
  buy Farmer
  buy Farmer
  Ann play Village
  end -> Shaman
"""
HOSTILE = "\x1b[31m::error::\u202e %0A, {0} [a](b) ]]> ##vso[x] <&>\"'"


def sarif(*arguments: str | Path, text: str = "") -> dict[str, Any]:
    """Return the one run of a report as SARIF, held against the public schema."""
    return valid_sarif(run("check", *arguments, "--format", "sarif", text=text).stdout)


def valid_sarif(text: str) -> dict[str, Any]:
    """Return the one run of a text as SARIF, held against the public schema."""
    told = json.loads(text)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    problems = [error.message for error in Draft4Validator(schema).iter_errors(told)]
    assert problems == []
    (found,) = told["runs"]
    assert isinstance(found, dict)
    return found


# ---------------------------------------------------------------- SARIF


def test_sarif_of_findings_of_every_weight(tmp_path: Path) -> None:
    slips, legal = put(tmp_path, slips=SLIPS, legal=LEGAL)
    found = sarif(slips, legal, tmp_path / "none.agn")
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    for result in found["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    twice = next(one for one in found["results"] if one["ruleId"] == "bought-twice")
    assert twice["level"] == "error"
    place = twice["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == slips.as_uri()
    assert place["region"] == {"startLine": 12, "startColumn": 7, "endLine": 12, "endColumn": 13}
    assert twice["properties"] == {"round": 3, "player": "Ann", "cite": {"en": 11, "de": 11}}
    levels = {result["level"] for result in found["results"]}
    assert levels == {"error", "warning", "note"}
    (invocation,) = found["invocations"]
    assert invocation["executionSuccessful"] is False
    (unread,) = invocation["toolExecutionNotifications"]
    assert unread["message"]["text"] == "there is no such file"


def test_the_fixes_of_sarif_mend_the_text() -> None:
    lines = SLIPS.splitlines()
    for result in sarif("-", text=SLIPS)["results"]:
        for fix in result.get("fixes", ())[:1]:
            (change,) = fix["artifactChanges"]
            (edit,) = change["replacements"]
            region = edit["deletedRegion"]
            row = region["startLine"] - 1
            before, after = region["startColumn"] - 1, region["endColumn"] - 1
            text = edit["insertedContent"]["text"]
            lines[row] = lines[row][:before] + text + lines[row][after:]
    assert lines[12:] == ["  Ann: play Village", "  end => Shaman"]


def test_sarif_of_nothing_and_of_a_hostile_text(tmp_path: Path) -> None:
    assert sarif("-", text=OVER)["results"] == []
    name = "a b#?%ü.agn"
    (tmp_path / name).write_text(SLIPS.replace("Ann", f'"{HOSTILE[1:30]}"'), encoding="utf-8")
    found = sarif(tmp_path)
    for result in found["results"]:
        assert "](" not in re.sub(r"\\.", "", result["message"]["text"])
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith(
            "a%20b%23%3F%25%C3%BC.agn"
        )


# ---------------------------------------------------------------- JUnit

# What Jenkins, GitLab and the others read, by the schema of the xUnit plugin.
JUNIT = XMLSchema(Path(__file__).with_name("forms") / "junit-10.xsd")


def junit(*arguments: str | Path, text: str = "") -> Xml.Element:
    """Return a report as JUnit XML, held against the public schema, and its sums."""
    return valid_junit(run("check", *arguments, "--format", "junit", text=text).stdout)


def valid_junit(text: str) -> Xml.Element:
    """Return a text as JUnit XML, held against the public schema, and its sums."""
    assert [str(error.reason) for error in JUNIT.iter_errors(text)] == []
    root = Xml.fromstring(text)  # noqa: S314
    assert root.tag == "testsuites"
    for suite in root:
        cases = Counter(child.tag for case in suite for child in case)
        told = (int(suite.attrib[name]) for name in ("tests", "failures", "errors"))
        assert tuple(told) == (len(suite), cases["failure"], cases["error"])
    for name in ("tests", "failures", "errors"):
        assert int(root.attrib[name]) == sum(int(suite.attrib[name]) for suite in root)
    return root


def test_junit_has_a_suite_for_each_file_and_a_test_for_each_game(tmp_path: Path) -> None:
    one, two = put(tmp_path, one=LEGAL + ILLEGAL, two=OVER.replace('"altay"', '"atlantis"'))
    root = junit(one, two, tmp_path / "none.agn")
    assert [suite.attrib["name"] for suite in root] == [str(one), str(two), f"{tmp_path}/none.agn"]
    legal, illegal = root[0]
    assert [child.tag for child in legal] == ["system-out"]
    failure = illegal.find("failure")
    assert failure is not None
    assert failure.attrib["type"] == "in-hand"
    assert failure.attrib["message"].endswith("Village, Shaman (and 1 more)")
    assert "   = see: English rulebook, page 9" in (failure.text or "")
    assert [child.tag for child in root[1][0]] == ["error"]
    assert root[2][0][0].attrib["message"] == "there is no such file"


def test_the_schema_of_junit_refuses_what_is_none() -> None:
    told = run("check", "-", "--format", "junit", text=ILLEGAL).stdout
    for wrong in (
        told.replace("<testcase", "<case").replace("</testcase", "</case"),
        told.replace(' failures="1"', ""),
        told.replace('time="', 'time="about '),
    ):
        assert told != wrong
        assert not JUNIT.is_valid(wrong)


def test_junit_of_a_hostile_text() -> None:
    text = SLIPS.replace("Event", "Evnt").replace("Bob", f'"{HOSTILE[5:30]}"')
    told = run("check", "-", "--format", "junit", text=text)
    assert "##" not in told.stdout
    assert all(not line.lstrip().startswith("::") for line in told.stdout.splitlines())
    junit("-", text=text)


# ---------------------------------------------------------------- GitHub, lines


def test_github_commands_hold_nothing_but_what_they_tell(tmp_path: Path) -> None:
    (path,) = put(tmp_path, **{"a,b%:": SLIPS.replace("Village", f'"{HOSTILE[5:20]}"')})
    lines = run("check", path, "--format", "github").stdout.splitlines()
    assert lines
    for line in lines:
        command, told = line[2:].split("::", 1)
        name, values = command.split(" ", 1)
        assert name in {"error", "warning", "notice"}
        assert f"file={tmp_path}/a%2Cb%25%3A.agn" in values.split(",")
        assert "##vso[" not in told
        assert told.isprintable()
    assert "::error file=" in lines[0]
    place = ",line=12,endLine=12,col=7,endColumn=12,title=bought-twice::a second Farmer"
    assert sum(place in line for line in lines) == 1


def test_github_shows_ten_of_each_level_and_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    text = SLIPS.replace("buy Farmer\n", "buy Farmer\n  play <b>[x](y)\n" + "  buy Farmer\n" * 14)
    lines = run("check", "-", "--format", "github", text=text).stdout.splitlines()
    found = [line.split(" ")[0] for line in lines]
    errors = len(document("check", "-", text=text)["files"][0]["games"][0]["findings"])
    assert found.count("::error") == 10
    assert len(lines) == errors > 20
    plain = [line for line in lines if not line.startswith("::")]
    assert plain
    assert all(line.startswith(" -:") for line in plain)
    told = summary.read_text(encoding="utf-8")
    assert told.startswith("before\n### altay: 1 illegal, ")
    assert told.count("\n- ") == errors
    assert "<b>" not in told
    assert "](" not in told


def test_what_a_summary_has_no_room_for_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room for lines of five characters, of which there are none."""
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setattr(limits, "MAX_SUMMARY", 5)
    run("check", "-", "--format", "github", text=SLIPS)
    errors = len(document("check", "-", text=SLIPS)["files"][0]["games"][0]["findings"])
    assert summary.read_text(encoding="utf-8").endswith(f"\n\n- and {errors} more\n\n")


def test_sarif_names_the_address_that_the_distribution_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named = Message()
    named["Project-URL"] = "Homepage, https://altay.example/home"
    monkeypatch.setattr("importlib.metadata.metadata", lambda _: named)
    driver = sarif("-", text=SLIPS)["tool"]["driver"]
    assert driver["informationUri"] == "https://altay.example/home"


def test_a_line_is_a_finding_or_a_game() -> None:
    lines = run("check", "-", "--format", "concise", text=SLIPS).stdout.splitlines()
    assert lines[0].startswith("-:12:7: error: a second Farmer in one turn")
    assert lines[0].endswith(" [bought-twice]")
    assert lines[-1] == ("1 game: illegal (2 errors, 2 warnings); 2 can be fixed with `--fix`")
    (line,) = run("check", "-", "--format", "jsonl", text=SLIPS).stdout.splitlines()
    game = json.loads(line)
    # Other places that a finding tells of are here only: the one document stays as it was.
    (related,) = game["findings"][0].pop("related")
    assert (related["line"], related["message"]) == (11, "the first Farmer was bought here")
    whole = json.loads(run("check", "-", "--format", "json", text=SLIPS).stdout)
    assert {**game, "path": "-", "game": 1} == {
        **whole["files"][0]["games"][0], "path": "-", "game": 1,
    }  # fmt: skip


# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (["--select", "bought-twice"], ["bought-twice"]),
        (["--select", "b*,draw-too-few", "--ignore", "badly-written"], ["bought-twice", "draw-too-few"]),
        (["--select", "buy"], ["bought-twice"]),
        (["--select", "warning"], ["badly-written", "badly-written"]),
        (["--select", "program", "--ignore", "note"], ["badly-written", "badly-written"]),
        (["--quiet"], ["bought-twice", "draw-too-few"]),
        (["--max-errors", "1"], ["bought-twice"]),
    ],
)  # fmt: skip
def test_what_is_shown_can_be_chosen(options: list[str], rules: list[str]) -> None:
    told = run("check", "-", "--format", "jsonl", *options, text=SLIPS)
    game = json.loads(told.stdout)
    assert [finding["rule"] for finding in game["findings"]] == rules
    # A verdict is not chosen.
    assert (game["verdict"], told.exit_code) == ("illegal", 1)


def test_quiet_is_nothing_but_errors_and_a_misspelt_name_is_told() -> None:
    assert run("check", "-", "--quiet", text=LEGAL).stdout == ""
    quiet = run("check", "-", "-q", text=SLIPS).stdout
    assert ": error: " in quiet
    assert not any(word in quiet for word in (": warning: ", ": note: ", "1 game"))
    told = run("check", "-", "--ignore", "boght-twice", text=SLIPS)
    assert "no rule or group `boght-twice`; did you mean `bought-twice`?" in told.stderr
    assert run("check", "-", "--ignore", "attack*,trade", text=SLIPS).stderr == ""


def test_after_so_many_errors_nothing_more_is_checked(tmp_path: Path) -> None:
    put(tmp_path, a=ILLEGAL, b=ILLEGAL, c=LEGAL)
    told = run("check", tmp_path, "--max-errors", "3").stdout.splitlines()
    assert told[-1].startswith("2 games in 2 files: all illegal (3 errors, ")
    assert told[-1].endswith("stopped after 3 errors, the rest is not checked")


def test_findings_are_counted_by_rule(tmp_path: Path) -> None:
    put(tmp_path, a=ILLEGAL + SLIPS, b=SLIPS, c=LEGAL)
    head, _, *rows, blank, last = run("check", tmp_path, "--statistics").stdout.splitlines()
    assert head.split() == ["Findings", "Games", "Files", "Rule", "About"]
    assert rows[0].split()[:5] == ["4", "2", "2", "badly-written", "(warning)"]
    assert (blank, last.split(":")[0]) == ("", "4 games in 3 files")
    told = json.loads(run("check", tmp_path, "--statistics", "--format", "json").stdout)
    assert told[0] == {
        "rule": "badly-written", "severity": "warning", "findings": 4, "games": 2, "files": 2,
    }  # fmt: skip


# ---------------------------------------------------------------- ignored in the log


def ignoring(text: str) -> tuple[str, list[tuple[int, str]], dict[str, Any]]:
    """Return the verdict, the findings by line, and the game."""
    game = json.loads(run("check", "-", "--format", "jsonl", text=text).stdout)
    return game["verdict"], [(one["line"], one["rule"]) for one in game["findings"]], game


def test_a_warning_can_be_ignored_at_its_statement() -> None:
    text = SLIPS.replace(
        "  Ann play Village\n", "  Ann play Village  # altay: ignore[badly-written] sic\n"
    )
    verdict, found, game = ignoring(text)
    assert (13, "badly-written") not in found
    assert (14, "badly-written") in found
    assert (verdict, game["ignored"]) == ("illegal", 1)
    assert "; 1 ignored by comments in the logs" in run("check", "-", text=text).stdout


def test_a_statement_of_several_lines_is_one() -> None:
    text = SLIPS.replace(
        "Ann play Village", "Ann play Village, # altay: ignore[badly-written]\n    Village"
    )
    assert (13, "badly-written") not in ignoring(text)[1]


def test_an_illegal_move_cannot_be_ignored() -> None:
    text = SLIPS.replace("buy Farmer\n  Ann", "buy Farmer  # altay: ignore[bought-twice]\n  Ann")
    verdict, found, game = ignoring(text)
    assert (12, "bought-twice") in found
    assert (verdict, game.get("ignored")) == ("illegal", None)
    assert (
        "an error cannot be ignored; `altay: ignore` is for notes and warnings"
        in run("check", "-", text=text).stdout
    )


def test_what_is_not_needed_any_more_is_told_and_mended() -> None:
    text = SLIPS.replace("play 3 Hunter\n", "play 3 Hunter  # altay: ignore[in-hand]\n")
    text = text.replace("Shaman\n", "Shaman  # altay: ignore[unknown-card, badly-written]\n")
    _, found, _ = ignoring(text)
    assert [place for place in found if place[1] == "ignore-unneeded"] == [
        (10, "ignore-unneeded"),
        (14, "ignore-unneeded"),
    ]
    mended = run("check", "-", "--fix", text=text).stdout
    assert "  play 3 Hunter\n" in mended
    assert "  end -> Shaman  # altay: ignore[badly-written]\n" in mended


def test_comments_are_about_their_own_game() -> None:
    text = LEGAL + OVER.replace(
        "Bob: settlements F6", "Bob: settlements F6  # altay: ignore[unrecorded]"
    )
    lines = run("check", "-", "--format", "jsonl", text=text).stdout.splitlines()
    first, second = (json.loads(line) for line in lines)
    assert [one["rule"] for one in second["findings"]] == ["ignore-unneeded"]
    assert "ignore-unneeded" not in [one["rule"] for one in first["findings"]]


# ---------------------------------------------------------------- for people


def test_a_note_on_a_legal_game_is_one_line() -> None:
    lines = run("check", "-", text=LEGAL).stdout.splitlines()
    assert [line.split(": ")[1] for line in lines[:-2]] == ["note"]
    assert lines[-1].startswith("1 game: legal")


ROWS = [
    ["Rank", "Player", "Faction", "Territories", "Conquest markers", "Technologies", "Total"],
    ["1", "Annabella Müller", "Firefolk", "12", "3", "4", "41"],
    ["2", "見えない手", "Elvenfolk", "10", "3", "4", "40"],
]


@pytest.fixture
def columns(request: pytest.FixtureRequest) -> Iterator[int]:
    layout.set_page_width(request.param)
    yield request.param
    layout.set_page_width(None)


@pytest.mark.parametrize("columns", [40, 60, 80, 200], indirect=True)
def test_tables_and_findings_fit_the_terminal(columns: int) -> None:
    lines = layout.table(ROWS, frozenset({0, 3, 4, 5, 6}))
    assert all(layout.width(line) <= columns for line in lines)
    for row in ROWS:
        for cell in row[2:]:
            assert all(word in " ".join(lines) for word in cell.split())
    report = check_text(SLIPS)
    for finding in report.games[0].findings:
        lines = finding_lines(finding, "tuesday.agn", dict(enumerate(report.lines, 1)))
        told = [part for line in lines for part in layout.folded(line)]
        assert all(layout.width(line) <= columns for line in told)
        number = next(n for n, line in enumerate(told) if "^" in line)
        start, end = told[number].index("^"), told[number].rindex("^")
        source = report.lines[finding.span.line - 1]
        marked = source[finding.span.column - 1 : finding.span.end_column - 1]
        assert told[number - 1][start : end + 1] == marked


def test_no_line_begins_with_the_end_of_a_sentence() -> None:
    assert layout.wrapped("効果は自動的に働きます。", 22) == ["効果は自動的に働きま", "す。"]
    # A word of Latin letters among others is not cut, and nothing comes between parts of a word.
    assert layout.wrapped("上限が適用されるもの、default: x", 26) == [
        "上限が適用されるもの、",
        "default: x",
    ]
    assert layout.wrapped("  aaaaaaaaa", 12, "      ") == ["  aaaaaaaaa"]


@pytest.mark.parametrize("columns", [40, 80, 200], indirect=True)
@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_reports_fit_the_terminal(columns: int, language: str) -> None:
    game = Path(__file__).parents[2] / "games" / "four-players.agn"
    pack = load_pack("altay")
    report = check_text(game.read_text(encoding="utf-8"), language=language).games[0]
    with speaking(language):
        lines = [*all_tables(pack), *score_lines(report, explain=True)]
    told = [part for line in lines for part in layout.folded(line)]
    wide = [line for line in told if layout.width(line) > columns]
    assert wide == []


# ---------------------------------------------------------------- second places

TWICE = """\
[Game "altay"]
setup
  seat Ann as Firefolk
  seat Bob as Firefolk
  Bob: settle F2
  Ann: settle F2
turn 1 Ann
  play 3 Hunter
  buy Farmer
  play Village
  buy Farmer
turn 1 Bob
  buy Farmer
"""


@pytest.mark.parametrize(
    ("rule", "line", "told"),
    [
        ("faction-twice", 3, "it was taken here"),
        ("settle-occupied", 5, "it was taken here"),
        ("bought-twice", 9, "the first Farmer was bought here"),
        ("turn-not-ended", 7, "the turn of Ann began here"),
    ],
)
def test_a_finding_shows_what_brought_it_about(rule: str, line: int, told: str) -> None:
    report = check_text(TWICE, "log.agn")
    (found,) = (finding for finding in report.games[0].findings if finding.rule == rule)
    (related,) = found.related
    assert (related.span.line, related.message) == (line, told)
    lines = list(finding_lines(found, "log.agn", dict(enumerate(report.lines, 1))))
    at = next(n for n, text in enumerate(lines) if "---" in text)
    assert lines[at - 1].split(" | ") == [
        f"{line:>{len(str(found.span.line))}}",
        report.lines[line - 1],
    ]
    assert lines[at].endswith(f"- {told}")
    result = next(one for one in sarif("-", text=TWICE)["results"] if one["ruleId"] == rule)
    (place,) = result["relatedLocations"]
    assert place["message"]["text"] == told
    assert place["physicalLocation"]["region"]["startLine"] == line


def test_looking_for_what_brought_it_about_changes_nothing() -> None:
    without = check_text(TWICE.replace("  buy Farmer\nturn 1 Bob", "turn 1 Bob"))
    with_it = check_text(TWICE)
    texts = [
        [(one.rule, one.message) for one in report.games[0].findings if one.rule != "bought-twice"]
        for report in (without, with_it)
    ]
    assert texts[0] == texts[1]


def test_names_are_told_as_they_were_written() -> None:
    text = SLIPS.replace("  buy Farmer\n", "  Frobnicate Hunter\n  SEAT Cleo as Earthfolk\n", 1)
    told = [finding.message for finding in check_text(text).games[0].findings]
    assert "no statement begins with `Frobnicate`" in told
    assert "`SEAT` belongs to the setup, not to the turns" in told


def test_the_same_again_and_again_is_told_once() -> None:
    text = SLIPS.replace("  buy Farmer\n", "  buy Faarmeer\n" * 6, 1)
    told = run("check", "-", text=text).stdout
    assert told.count("Faarmeer` [unknown-card]") == 1
    assert "   = the same 5 more times, in lines 12, 13, 14, 15, 16\n" in told
    assert "1 game: illegal (8 errors, 2 warnings)" in told
    assert (
        len(json.loads(run("check", "-", "--format", "jsonl", text=text).stdout)["findings"]) == 10
    )
