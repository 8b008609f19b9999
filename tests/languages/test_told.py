"""What the program itself says comes in every language that has a catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from altay_cli.base.catalogue import PROBLEMS, PROGRAM_RULES, UNKNOWN_THING
from altay_cli.base.findings import Text, either, there_is_no
from altay_cli.base.translations import ENGLISH, _catalogue, languages, phrase, translated
from altay_cli.checking.check import check_text
from altay_cli.report.rulebook import about
from altay_cli.report.text import speaking
from tests.cli.sample import run
from tests.languages.untranslated import (
    OTHERS,
    assert_not_english,
    is_shown_in_english,
)
from tests.languages.warned import warn_untranslated
from tests.written.test_written import ALL, Slip

ASKED = {"de": "geprüft bei", "ja": "対象"}
ILLEGAL = {"de": "nicht erlaubt", "ja": "違反の例"}
OWN_FINDINGS = re.compile("Findings of the program itself")

# One slip for each thing that is told of slips.
TOLD = list({slip.cause: slip for slip in ALL if slip.cause != "no finding"}.values())

LOG = """\
[Game "altay"]
[Evnt "x"]
setup
  seat Ann as Firefolk
  seat Bob as Elvnfok
  Bob: settle F6 (
  Carl: settle F5
turn 1 Ann
  buy Framr
  play 2 Hunter extra
  buy
result
  Ann: score x
  Ann: scor 2
"""


PARTLY = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 3 Hunter, Village, Warrior
  Ann: settlements F2
  Bob: settlements F6
turn 3 Ann
  end
"""


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("slip", TOLD, ids=lambda slip: slip.cause)
def test_what_is_told_of_slips_is_translated(slip: Slip, language: str) -> None:
    (game,) = check_text(slip.text(slip.wrong), language=language).games
    (found,) = (one for one in game.findings if one.fixes)
    plain = re.sub("`[^`]*`", "", found.message)
    assert_not_english(language, plain)


@pytest.mark.parametrize("language", OTHERS)
def test_findings_and_their_help_are_translated(language: str) -> None:
    for finding in check_text(LOG, language=language).games[0].findings:
        for text in (finding.message, *finding.help):
            assert_not_english(language, re.sub("`[^`]*`", "", text))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rule", [*PROGRAM_RULES, "unknown-card"])
def test_what_findings_mean_is_told_in_every_language(rule: str, language: str) -> None:
    with speaking(language):
        told = about(None, rule)
    if told == about(None, rule):
        assert is_shown_in_english(language, told)
        warn_untranslated(language, [told])


@pytest.mark.parametrize("language", OTHERS)
def test_what_problems_of_rules_mean_is_told_in_every_language(language: str) -> None:
    texts = {problem["text"] for problem in (*PROBLEMS.values(), UNKNOWN_THING)}
    warn_untranslated(language, {text for text in texts if translated(language, text) == text})


@pytest.mark.parametrize("language", OTHERS)
def test_listings_are_told_in_every_language(language: str) -> None:
    told = run("moves", "-", "--lang", language, text=PARTLY).stdout
    assert_not_english(language, run("explain", "--lang", language).stdout, OWN_FINDINGS)
    # What is asked when the setup is complete has no title of its own: the moment stands for it.
    assert "is complete" not in run("explain", "settle-missing", "--lang", language).stdout
    assert_not_english(language, re.sub("`[^`]*`", "", told))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    "command",
    [
        ("rules", "list"),
        ("rules", "diff", "altay", "edition-de"),
        ("rules", "check", "peaceful-start", "--play", "0"),
        ("rules", "report", "two-copies", "--play", "0"),
        ("explain", "wonder-cap"),
        ("explain", "deck-too-small"),
        ("explain", "never-completed"),
        ("explain", "text-expression"),
        ("explain", "unknown-parameter"),
    ],
    ids=" ".join,
)
def test_what_rules_are_is_told_in_every_language(command: tuple[str, ...], language: str) -> None:
    told = run(*command, "--lang", language).stdout
    quoted = re.sub("`[^`]*`|fide[^.]*", "", told)
    assert quoted
    assert_not_english(language, quoted)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Attack an opponent, demands, No attacks in the first rounds: new: "),
        (
            "de",
            "Ein gegnerisches Terrain angreifen, verlangt, In den ersten Runden greift niemand an",
        ),
        ("ja", "相手のエリアを攻撃する、条件、最初の数ラウンドは攻撃禁止: 新規: "),
    ],
)
def test_differences_are_told_in_words_and_not_by_keys(language: str, told: str) -> None:
    found = run("rules", "diff", "altay", "peaceful-start", "--lang", language).stdout
    assert told in found
    trading = run("rules", "diff", "altay", "trading", "--lang", language).stdout
    assert trading.endswith(": off -> on  (trading.yaml:13)\n")
    assert "default" not in trading


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rule", PROBLEMS)
def test_examples_of_problems_are_in_the_language(rule: str, language: str) -> None:
    example = translated(language, PROBLEMS[rule]["example"])
    plain = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"|title: .*|: .*?[,}\]]", "", example)
    words = re.compile(r"\b(the|that is|are|where|without|which|another|two|and another|named)\b")
    assert_not_english(language, plain, words)


def test_citations_are_joined_as_the_language_does() -> None:
    told = run("explain", "in-hand", "--lang", "ja").stdout
    assert "英語ルールブック9ページ、ドイツ語ルールブック9ページ" in told


def test_what_cannot_be_done_is_told_in_the_language_that_was_asked_for() -> None:
    told = run("moves", "games/tie.agn", "--at", "turn 99 Zed", "--lang", "de")
    assert told.stderr == "altay: games/tie.agn: in der Partie gibt es `turn 99 Zed` nicht\n"
    told = run("rules", "diff", "altay", "no-such-rules", "--lang", "de")
    assert told.stderr.startswith("altay: no-such-rules: solche Regeln gibt es nicht")
    told = run("rules", "show", "numbers.hand_sise", "--lang", "ja")
    assert told.stderr.startswith("altay: `hand_sise` はありません")


def test_a_summary_in_german_and_japanese() -> None:
    told = run("check", "-", "--lang", "de", text=LOG).stdout.splitlines()[-1]
    assert told.startswith("1 Partie: regelwidrig (")
    assert "Fehler" in told
    assert (
        run("check", "-", "--lang", "ja", text=LOG)
        .stdout.splitlines()[-1]
        .startswith("1ゲーム: 違反あり")
    )


@pytest.mark.parametrize(
    ("text", "german"),
    [
        (there_is_no("territory", "F9"), "Terrain `F9` gibt es nicht"),
        (there_is_no("zone", "hnad"), "die Zone `hnad` gibt es nicht"),
        (
            Text(
                "expected {expected}, not {found}",
                expected=either([Text("{a}, {b}", a="a name", b="a number"), "`,`"]),
                found="`=`",
            ),
            "erwartet wird ein Name, eine Zahl oder `,`, nicht `=`",
        ),
        (Text("at the table: {names}", names=("Ann", "Bob")), "am Tisch: Ann, Bob"),
        # What was written stays as it was, whatever it says.
        (Text("did you mean `{name}`?", name="a name"), "war `a name` gemeint?"),
        ("something that nobody says", "something that nobody says"),
    ],
)  # fmt: skip
def test_a_text_is_found_by_its_template(text: str, german: str) -> None:
    assert translated("de", text, {"territory": "Terrain"}) == german


def test_a_program_without_catalogues_speaks_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("altay_cli.base.translations.data_folder", lambda name: tmp_path / name)
    _catalogue.cache_clear()
    assert languages() == (ENGLISH,)
    assert phrase("de", "page {page}", page=3) == "page 3"
    assert run("check", "-", text=LOG).stdout.endswith("1 game: illegal (8 errors, 2 notes)\n")
    monkeypatch.undo()
    _catalogue.cache_clear()
    assert phrase("de", "page {page}", page=3) == "Seite 3"


@pytest.mark.parametrize(
    ("arguments", "german", "japanese"),
    [
        (["fmt", "--check", "a.agn"], "würde geändert: a.agn", "変更の必要あり: a.agn"),
        (["fmt", "b.agn"], "die Datei bleibt, wie sie ist", "ファイルはそのままです"),
        (["fill", "b.agn"], "ist nicht beurteilt", "判定できません"),
        (["rules", "new", "house"], "geschrieben: house.yaml", "house.yaml に書き出しました"),
        (["rules", "new", "House"], "mit Bindestrichen", "ハイフン"),
        (["rules", "new-game", "go"], "geschrieben: go/", "go/game.yaml に書き出しました"),
        (["rules", "schema", "x"], "das Schema `x` gibt es nicht", "スキーマ `x` はありません"),
        (["new", "--players", "Ann,Bob"], "seat Ann as ", "seat Ann as "),
        (["simulate", "--variant", "trding"], "war `trading` gemeint?", "`trading` のことですか"),
        (
            ["simulate", "--policy", "x"],
            "die Spielweise `x` gibt es nicht",
            "方針 `x` はありません",
        ),
    ],
)
def test_every_command_speaks_the_language(
    arguments: list[str],
    german: str,
    japanese: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for language, told in (("de", german), ("ja", japanese)):
        folder = tmp_path / language
        folder.mkdir()
        (folder / "a.agn").write_text(PARTLY.replace("  ", "      "), encoding="utf-8")
        (folder / "b.agn").write_text("Hunter and Warrior\n", encoding="utf-8")
        monkeypatch.chdir(folder)
        monkeypatch.setenv("ALTAY_LANG", language)
        result = run(*arguments)
        assert told in result.output
        assert_not_english(language, result.output)


def test_a_log_to_start_from_has_names_of_the_language() -> None:
    names = {"en": "Firefolk|Elvenfolk", "de": "Flammvolk|Waldvolk", "ja": "火の民|エルフの民"}
    for language, known in names.items():
        log = run("new", "--players", "Ann,Bob,Cleo,Dan", "--lang", language).stdout
        assert len(re.findall(known, log)) == 2
        assert check_text(log, language=language).games[0].findings == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rule", ["bought-twice", "develop-level", "in-hand", "attack-adjacent"])
def test_examples_have_names_of_the_language(rule: str, language: str) -> None:
    lines = run("explain", rule, "--lang", language).stdout.split("\n\n")
    asked = next(line for line in lines[0].splitlines() if line.startswith(f"  {ASKED[language]}"))
    assert_not_english(language, asked)
    for example in lines[1:]:
        head, *log = example.splitlines()
        (game,) = check_text("\n".join(log)).games
        errors = [found.rule for found in game.findings if found.severity == "error"]
        assert errors == ([rule] if head == f"  {ILLEGAL[language]}:" else [])
        # A name that is English in no other language.
        assert re.search(r"\b(Hunter|Firefolk|Village|Warrior)\b", example) is None


@pytest.mark.parametrize("language", languages())
def test_nothing_is_said_of_a_rule_that_nobody_knows(language: str) -> None:
    """An empty text has a translation for gettext: the head of the catalogue."""
    with speaking(language):
        assert about(None, "no-such-rule") == ""
