"""The rules in English, German and Japanese: every text and name is there, and none is mistaken."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.base.findings import PackError
from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.cli.main import main
from altay_cli.compile.building import read_tree
from altay_cli.compile.load import load_pack
from altay_cli.source.folder import Tree
from tests.languages.said import about_variant, assert_distinct, expressions, texts_of
from tests.languages.untranslated import is_shown_in_english
from tests.languages.warned import warn_untranslated
from tests.small import compile_folder

RULES = data_folder("rules") / "altay"
VARIANTS = sorted((RULES / "variants").glob("*.yaml"))
HERE = Path(__file__).parent
LOGS = sorted((HERE.parent / "languages").glob("*.agn"))
OTHERS = ("de", "ja")
LANGUAGES = ("en", *OTHERS)


@cache
def tree(variant: Path | None = None) -> Tree:
    found = read_tree(RULES, [variant] if variant else [])
    assert not found.problems
    return found


@cache
def all_texts() -> set[str]:
    return texts_of(tree().data).union(
        *(texts_of(tree(path).data) | about_variant(path) for path in VARIANTS)
    )


def told_elsewhere() -> set[str]:
    """Return what `explain` and `rules diff` tell of lints and functions: not all has words."""
    data = tree().data
    return {entry["example"] for entry in data["lints"]} | {
        entry["title"] for entry in data["functions"].values() if "title" in entry
    }


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_there_and_no_other(language: str) -> None:
    there = set(tree().data["texts"][language])
    unused = there - all_texts() - told_elsewhere()
    warn_untranslated(language, unused, "translations of no text")
    warn_untranslated(language, all_texts() - there)
    titles = {one["title"] for one in tree().data["functions"].values() if "title" in one}
    warn_untranslated(language, titles - there)  # `rules diff` tells of functions by them


@pytest.mark.parametrize("language", OTHERS)
def test_texts_have_the_same_expressions(language: str) -> None:
    texts = tree().data["texts"][language]
    assert {en: other for en, other in texts.items() if expressions(en) != expressions(other)} == {}


def test_pieces_of_german_sentences_keep_their_blanks() -> None:
    texts = tree().data["texts"]["de"]
    for english, german in texts.items():
        if english == " are left":  # closes a bracket
            continue
        assert english[:1].isspace() == german[:1].isspace() or english.startswith(","), english
        assert english[-1:].isspace() == german[-1:].isspace(), english


def test_mistakes_in_the_words_of_a_language_have_their_place(tmp_path: Path) -> None:
    folder = tmp_path / "altay"
    shutil.copytree(RULES, folder)
    for name, old, new in (
        ("messages/de.yaml", '"{faction} ist vergeben', '"{fraction} ist vergeben'),
        ("names/de.yaml", "  title: [colonist,", "  title: [colonnist,"),
    ):
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(PackError) as caught:
        compile_folder(folder)
    assert [(p.rule, p.file) for p in caught.value.problems] == [
        ("unknown-title", "altay/names/de.yaml"),
        ("text-expression", "altay/messages/de.yaml"),
    ]
    assert caught.value.problems[1].span.column == 7


# ---------------------------------------------------------------- names


def test_every_thing_has_a_name_in_every_language() -> None:
    for variant in (None, *VARIANTS):
        data = tree(variant).data
        for kind, entities in data["entities"].items():
            for language in LANGUAGES:
                missing = set(entities) - set(data["names"][language][kind])
                assert not missing, f"{variant}, {kind}: no {language} name for {missing}"


def test_no_name_stands_for_two_things() -> None:
    for variant in (None, *VARIANTS):
        assert_distinct(tree(variant).data["names"])


def test_names_that_are_in_no_source_are_marked() -> None:
    # The German rulebook names eight titles of cards and no achievement; the guide names all.
    ours, names = tree().data["ours"], tree().data["names"]["de"]
    printed = set(names["title"]) - set(ours["de"]["title"])
    assert printed == {
        "village", "warrior", "craftsman_wood", "craftsman_stone", "stonecutter", "cavalry",
        "town", "chariot", "city",
    }  # fmt: skip
    assert ours["de"]["achievement"] == "all"
    assert not {"title", "achievement", "resource", "faction"} & set(ours["ja"])
    assert not {"resource", "faction", "terrain"} & set(ours["de"])


def test_rules_show_tells_which_names_are_ours() -> None:
    runner = CliRunner()
    ours = runner.invoke(main, ["rules", "show", "names.de.title.hunter"])
    printed = runner.invoke(main, ["rules", "show", "names.de.title.warrior"])
    assert "Jäger" in ours.output
    assert "our name" in ours.output
    assert "Krieger" in printed.output
    assert "our name" not in printed.output


# ---------------------------------------------------------------- logs


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_log_can_use_the_names_of_any_language(path: Path, language: str) -> None:
    report = check_text(path.read_text(encoding="utf-8"), path.name, language=language)
    assert [finding.message for game in report.games for finding in game.findings] == []


def test_findings_are_the_same_in_every_language() -> None:
    pack = load_pack("altay")
    english = {text.message.source for texts in pack.rules.values() for _, text in texts}
    plain = {source for source in english if not expressions(source)}
    for path in sorted(HERE.glob("*/illegal*.agn")):
        text = path.read_text(encoding="utf-8")
        here = check_text(text, path.name, path.parent).games
        told = [finding for game in here for finding in game.findings]
        for language in OTHERS:
            there = check_text(text, path.name, path.parent, language=language).games
            found = [finding for game in there for finding in game.findings]
            assert [(f.rule, f.span) for f in found] == [(f.rule, f.span) for f in told]
            for finding, other in zip(found, told, strict=True):
                if finding.message in plain or finding.message == other.message:
                    if finding.rule in pack.rules:
                        assert is_shown_in_english(language, finding.message)
                        warn_untranslated(language, [finding.message])
                elif finding.rule in pack.rules:
                    assert finding.message.count("?") == other.message.count("?")


def messages(text: str, language: str) -> list[tuple[str, str, tuple[str, ...]]]:
    report = check_text(text, language=language)
    return [(f.rule, f.message, f.help) for game in report.games for f in game.findings]


POSITION = """[Game "altay"]
position
  Ann: faction Erdvolk
  Bob: faction 火の民
  Ann: hand 2 Hunter, 鉱夫
  Ann: settlements 1 F2
  Bob: settlements 1 F6
turn 3 Ann
"""


def test_messages_join_texts_in_one_language() -> None:
    log = POSITION.replace(", 鉱夫", "") + "  play 2 狩人\n  play Jäger for 文化\n"
    log = log.replace("2 Hunter", "3 Hunter")
    effects = "has no such effect: it shows food"
    assert messages(log, "en") == [("no-such-effect", f"Hunter {effects}", ())]
    german = "Jäger hat keinen solchen Effekt; möglich: Nahrung"
    assert messages(log, "de") == [("no-such-effect", german, ())]
    assert messages(log, "ja") == [("no-such-effect", "狩人にその効果はありません。効果: 食料", ())]


def test_effects_in_words() -> None:
    log = POSITION.replace("  Ann: hand", "  Ann: deck 2 Jäger, Bauer\n  Ann: hand")
    log = log.replace("鉱夫", "農民") + "  play 農民 to draw => Hunter\n"
    effects = {
        "en": "Farmer has no such effect: it shows food, use a farmland: 2 food",
        "de": "Bauer hat keinen solchen Effekt; möglich: Nahrung, nutze Grasland: 2 Nahrung",
        "ja": "農民にその効果はありません。効果: 食料、エリア利用・農地: 2 食料",
    }
    for language, told in effects.items():
        assert told in [message for _, message, _ in messages(log, language)]


def test_the_nearest_name_is_given_in_its_language() -> None:
    # A bare title means any of its copies, of which there are three of the Chariot.
    copies = (
        ("Charriott", "Chariot"),
        ("Charriott(2)", "Chariot(2)"),
        ("Streitwgn", "Streitwagen"),
    )
    plain = (("Krigr", "Krieger"), ("Wariro", "Warrior"), ("シャマン", "シャーマン"))
    for wrong, right in (*plain, *copies):
        log = POSITION.replace("鉱夫", "Warrior") + f"  attack H2 from F2 with {wrong}\n"
        found = [line for rule, _, lines in messages(log, "en") for line in lines]
        assert f"did you mean `{right}`?" in found


# ---------------------------------------------------------------- score sheets

SHEETS = {
    "german": (
        "de",
        """\
Die Aufzeichnung endet in Runde 3, vor dem Ende der Partie: Zwischenstand.
Rang  Name  Volk       Technologien  Wunder  Aktionskarten  Terrains  Gewonnene Siedlungen\
  Eroberungsmarker  Summe
----  ----  ---------  ------------  ------  -------------  --------  --------------------\
  ----------------  -----
   1  Änne  Kleinvolk             3       0              2         1                     0\
                 0      6
   2  Bodo  Waldvolk              0       0              0         2                     0\
                 1      3

In Führung: Änne
""",
    ),
    "japanese": (
        "ja",
        """\
記録は第3ラウンドの途中で終わっています。途中経過です。
順位  プレイヤー  勢力        技術  偉業  アクションカード  エリア  相手の入植地  征服マーカー  合計
----  ----------  ----------  ----  ----  ----------------  ------  ------------  ------------  ----
   1  さくら      小さき民       3     0                 2       1             0             0     6
   2  健太        エルフの民     0     0                 0       2             0             1     3

首位: さくら
""",
    ),
}


@pytest.mark.parametrize("name", SHEETS)
def test_score_sheet(name: str) -> None:
    language, sheet = SHEETS[name]
    path = HERE.parent / "languages" / f"{name}.agn"
    result = CliRunner().invoke(main, ["score", "--lang", language, str(path)])
    assert result.exit_code == 0
    assert result.output.split("\n", 1)[1] == sheet


def test_score_sheet_derives_in_the_language() -> None:
    path = HERE.parent / "languages" / "mixed.agn"
    result = CliRunner().invoke(main, ["score", "--lang", "ja", "--explain", str(path)])
    assert "  技術: 3 (英語ルールブック15ページ、ドイツ語ルールブック15ページ)" in result.output
    assert "マーカー1個の合計3を3で割る: 3\n" in result.output
