"""`altay explain`: every id that a finding can have is explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from tests.cli.sample import run

PACK = load_pack("altay")


def test_a_rule_with_its_page() -> None:
    result = run("explain", "bought-twice")
    assert result.exit_code == 0
    assert result.stdout.startswith("bought-twice: ")
    assert "English rulebook, page 11" in result.stdout


def test_a_ruling_with_its_reason() -> None:
    result = run("explain", "finite-reserve")
    assert result.exit_code == 0
    assert PACK.rulings["finite-reserve"].default in result.stdout
    assert "16 tokens" in result.stdout


def test_the_list() -> None:
    result = run("explain")
    assert result.exit_code == 0
    for name in ("bought-twice", "finite-reserve", "syntax", "claim-wrong", "unknown-pack"):
        assert f"  {name}" in result.stdout


def test_a_name_that_is_none() -> None:
    result = run("explain", "bought-twise")
    assert result.exit_code == 2
    assert "did you mean bought-twice" in result.stderr
    assert run("explain", "buy", "--game", "../../etc").exit_code == 2


@pytest.mark.parametrize("name", ["\x1b[31m", "a" * 10_000, "", "\u202e"])
def test_hostile_names(name: str) -> None:
    result = run("explain", name)
    assert result.exit_code in {0, 2}
    assert "\x1b" not in result.output


def test_rulings_and_own_rules_are_listed_and_explained() -> None:
    rules, *others = run("explain").stdout.split("\n\n")
    listed = [line.split()[0] for line in rules.splitlines() if line.startswith("    ")]
    listed += [
        line.split()[0] for block in others for line in block.splitlines() if line.startswith("  ")
    ]
    assert set(PACK.rulings) <= set(listed)
    for name in listed[::15]:
        result = run("explain", name)
        assert result.exit_code == 0, name
        assert name in result.stdout


@pytest.mark.parametrize(
    "name", ["BOUGHT-TWICE", "Bought-Twice", "FINITE-RESERVE", "Syntax", "UNKNOWN-TITLE"]
)
def test_names_in_any_case(name: str) -> None:
    result = run("explain", name)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == run("explain", name.lower()).stdout


def test_a_suggestion_whatever_the_case() -> None:
    result = run("explain", "BOUGHT-TWISE")
    assert result.exit_code == 2
    assert "did you mean bought-twice" in result.stderr
    assert "did you mean unknown-title" in run("explain", "Unknown-Tilte").stderr


def test_a_rule_is_told_in_words_with_its_examples_and_what_changes_it() -> None:
    told = run("explain", "bought-twice").stdout
    assert "a second <action card> in one turn" in told
    assert "turn.bought" not in told, "the source is for --source"
    assert "changed by the variants: two-copies" in told
    # The examples are the logs of tests/rules, which are run there.
    assert "    buy Farmer                    # <- bought-twice" in told
    assert (
        "must hold: turn.bought.count(title)" in run("explain", "bought-twice", "--source").stdout
    )


def test_no_title_stands_for_many_rules_in_the_list() -> None:
    lines = run("explain").stdout.split("\n\n")[0].splitlines()
    titles = [line.strip().partition("  ")[2].strip() for line in lines if line[:4] == "    "]
    assert len(titles) == len(PACK.rules)
    assert max(map(titles.count, titles)) <= 3


def test_a_card_a_place_and_a_name_of_two_words() -> None:
    farmer = run("explain", "Farmer").stdout
    assert farmer.startswith("Farmer: action card\n  Cost: food\n")
    assert "  Points (copies): 0 (8)\n" in farmer
    assert "  Adjacent: W2, M3, H2\n" in run("explain", "F2").stdout
    assert run("explain", "great wall", "--lang", "de").stdout.startswith("Große Mauer: ")
    assert "Kosten: Nahrung" in run("explain", "Bauer", "--lang", "de").stdout


def test_all_cards_as_a_table() -> None:
    lines = run("cards", "--lang", "de").stdout.splitlines()
    (farmer,) = (line for line in lines if line.startswith("Bauer "))
    assert farmer.split()[:2] == ["Bauer", "Nahrung"]


def test_cards_say_how_much_and_what() -> None:
    # Town builds one settlement and City two; the Shaman produces any resource.
    effects = {name: run("explain", name).stdout for name in ("Town", "City", "Shaman")}
    assert "  Effects: collect, then build 1\n" in effects["Town"]
    assert "  Effects: collect, then build 2\n" in effects["City"]
    assert "  Effects: culture, consume a conquest marker: produce any\n" in effects["Shaman"]
    # One effect is not divided by what stands between two.
    assert "食料、エリア利用・農地: 2 食料" in run("explain", "Farmer", "--lang", "ja").stdout


@pytest.mark.parametrize("language", ["de", "ja"])
def test_one_thing_has_one_word(language: str) -> None:
    told = [*PACK.texts[language].values()]
    other = {"de": ("Gebirge",), "ja": ("廃棄", "山以外")}[language]
    assert [text for text in told if any(word in text for word in other)] == []


def test_cards_of_another_game_and_of_variants() -> None:
    assert run("cards", "--game", "innovation").stdout.count("\n") >= 105
    archery = run("explain", "--game", "innovation", "Archery").stdout
    assert archery.startswith("Archery: card\n  Age: 1\n  Colour: red\n")
    assert run("explain", "Druid").exit_code != 0
    for command in (["explain", "Druid"], ["cards"]):
        assert "culture, use a forest: 2 culture" in run(*command, "--variant", "druid").stdout
    wrong = run("cards", "--variant", "duel-mop")
    assert wrong.exit_code == 2
    assert "did you mean `duel-map`?" in wrong.stderr
    nothing = run("cards", "--game", "chess")
    assert nothing.stdout == "the things of this game have no facts to show\n"


def test_a_new_kind_of_effect_is_told_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "fly.yaml"
    path.write_text(
        "variant: fly\nextends: altay\ntitle: Flying\nchange:\n"
        "  - {extend: kinds.effect.enums.kind, with: [fly]}\n"
        "  - {set: entities.title.town.effects, to: [{kind: fly, amount: 2}]}\n",
        encoding="utf-8",
    )
    assert "  Effects: fly 2\n" in run("explain", "Town", "--variant", path).stdout


def test_what_a_wonder_scores_is_told() -> None:
    told = run("explain", "Great Wall").stdout
    assert "  Effect: 1 point for each own territory beside another player\n" in told
    assert "自分のエリア1つにつき1点" in run("explain", "Great Wall", "--lang", "ja").stdout


def test_an_example_is_a_log_on_a_narrow_page_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("text", "explained"):
        monkeypatch.setattr(f"altay_cli.report.{module}.page_columns", lambda: 60)
    lines = run("explain", "cannot-pay").stdout.splitlines()
    example = [line.removeprefix("    ") for line in lines[lines.index("  legal:") + 1 :]]
    assert [line[:2] for line in example[:2]] == ["# ", "# "], "the comment takes two lines"
    assert all(len(line) <= 56 for line in example)
    assert check_text("\n".join(example)).games[0].legal
