"""The variants that ship: each has logs that turn out differently without it.

``tests/variants/NAME/legal*.agn`` and ``illegal*.agn`` announce their findings as the logs of
tests/rules do. What is expected was worked out by hand from the variant's description.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.checking.check import GameReport, check_text
from altay_cli.compile import building
from altay_cli.compile.load import load_pack, variant_names
from altay_cli.source.folder import Tree, read_folder
from tests.logs import WHOLE_GAMES, verify
from tests.small import compile_folder

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*/*.agn"))
SHIPPED = data_folder("rules") / "altay" / "variants"
VARIANTS = (
    "druid", "duel-map", "edition-de", "fifteen-rounds", "full-map", "full-marker-value",
    "new-wonder", "peaceful-start", "six-card-hand", "take-any-turn", "ties-to-defender", "trading",
    "two-copies",
)  # fmt: skip

# A variant that only forbids leaves a legal log as it is; what tells is the illegal one.
ONLY_FORBID = {"peaceful-start"}

# Worked out by thought: no two others change the same part of the rules, and no two others
# contradict each other at the table. Both of these say which territories are in play.
REFUSED = {frozenset({"duel-map", "full-map"}): "variant-excluded"}

# All that can be played at once.
TOGETHER = [[n for n in VARIANTS if n != left_out] for left_out in ("duel-map", "full-map")]


def paths(*names: str) -> tuple[Path, ...]:
    return tuple(SHIPPED / f"{name}.yaml" for name in names)


def check(text: str, folder: Path = HERE) -> GameReport:
    report = check_text(text, "game.agn", folder)
    assert len(report.games) == 1
    return report.games[0]


def without(text: str, variant: str) -> str:
    """Return a log without the tag of a variant, in the same lines."""
    tag = f'[Variant "{variant}"]'
    assert text.count(tag) == 1
    return text.replace(tag, "")


def outcome(game: GameReport) -> tuple[object, object]:
    """Return what a log comes to: findings by place and rule, and points and winners."""
    findings = [(f.span.line, f.rule, f.severity) for f in game.findings]
    standing = game.standing
    if standing is None:
        return findings, None
    scores = {
        score.player: {c.category.id: c.points for c in score.categories}
        for score in standing.players
    }
    return findings, (scores, standing.winners)


def points(game: GameReport, player: str) -> dict[str, int]:
    assert game.standing is not None
    score = game.standing.of(player)
    return {c.category.id: c.points for c in score.categories} | {"total": score.total}


def test_every_shipped_variant_is_known_here() -> None:
    assert tuple(variant_names("altay")) == VARIANTS


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_has_a_legal_and_an_illegal_log(variant: str) -> None:
    legal = list((HERE / variant).glob("legal*.agn"))
    illegal = list((HERE / variant).glob("illegal*.agn"))
    assert legal
    assert illegal
    for path in [*legal, *illegal]:
        game = check(path.read_text(encoding="utf-8"))
        assert game.legal == (path in legal), path


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_log_turns_out_differently_without_its_variant(path: Path) -> None:
    variant = path.parent.name
    text = path.read_text(encoding="utf-8")
    same = outcome(check(text)) == outcome(check(without(text, variant)))
    assert same == (variant in ONLY_FORBID and path.stem.startswith("legal"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_tells_who_made_it_and_what_it_does(variant: str) -> None:
    text = (SHIPPED / f"{variant}.yaml").read_text(encoding="utf-8")
    first = text.splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../../schemas/variant.schema.json"
    for key in ("variant", "extends", "title", "version", "authors", "description", "change"):
        assert re.search(rf"^{key}:", text, re.MULTILINE), key
    assert f"\nvariant: {variant}\n" in text
    assert '\nversion: "1.0"\n' in text


# ---------------------------------------------------------------- together


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_loads_alone(variant: str) -> None:
    assert load_pack("altay", paths(variant)).variants == ((variant, "1.0"),)


@cache
def base() -> Tree:
    return read_folder(SHIPPED.parent)


@pytest.fixture
def kept_base(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the game's own files once for all pairs of variants."""
    monkeypatch.setattr(building, "read_folder", lambda _: base().copy())


@pytest.mark.usefixtures("kept_base")
@pytest.mark.parametrize("first", VARIANTS)
def test_two_variants_fit_together_or_are_refused(first: str) -> None:
    for second in VARIANTS:
        if first < second or frozenset({first, second}) in REFUSED:
            tree = building.read_tree(SHIPPED.parent, paths(first, second))
            rules = {problem.rule for problem in tree.problems}
            refused = REFUSED.get(frozenset({first, second}))
            assert (refused in rules) if refused else not rules, second
            # Where two cannot be played together, nothing is laid over the rules.
            laid = [variant.id for variant in tree.variants]
            assert laid == ([] if refused else [first, second])


@pytest.mark.usefixtures("kept_base")
def test_what_a_variant_adds_has_a_name_in_every_language() -> None:
    for names in TOGETHER:
        data = building.read_tree(SHIPPED.parent, paths(*names)).data
        for language, tables in data["names"].items():
            for kind, table in tables.items():
                assert set(table) == set(data["entities"][kind]), (language, kind)


@pytest.mark.parametrize("names", TOGETHER, ids=["full-map", "duel-map"])
def test_all_that_do_not_exclude_each_other_load_together(names: list[str]) -> None:
    assert [name for name, _ in load_pack("altay", paths(*names)).variants] == names


def tags(*names: str) -> str:
    return "".join(f'[Variant "{name}"]\n' for name in names)


POSITION = """
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
"""


def test_an_exclusion_stands_in_the_report_of_a_log() -> None:
    game = check(f'[Game "altay"]\n{tags("duel-map", "full-map")}{POSITION}')
    assert any(
        finding.rule == "rules" and "`full-map`" in finding.message for finding in game.findings
    )


@pytest.mark.parametrize("names", TOGETHER, ids=["full-map", "duel-map"])
@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_log_can_be_read_under_all_the_others_too(path: Path, names: list[str]) -> None:
    text = path.read_text(encoding="utf-8")
    bare = re.sub(r"\[Variant .*\]\n", "", text)
    game = check(bare.replace('[Game "altay"]\n', f'[Game "altay"]\n{tags(*names)}'))
    assert game.played is not None
    rules = {finding.rule for finding in game.findings}
    assert rules.isdisjoint({"rules", "rule-failure", "score-failure"})


# ---------------------------------------------------------------- the German edition

TIE = (
    POSITION
    + """\
  Ann: completed Writing, Masonry, Strategy, Engineering
  Ann: settlements 1 F2, 1 W2, 1 H2
  Ann: markers 1, 1, 1
  Bob: completed Writing, Commerce, Highways
  Bob: settlements 1 F3, 1 F5, 1 F6
"""
)


@pytest.mark.parametrize("tag", ['[Edition "de"]', '[Variant "edition-de"]'])
def test_german_edition_breaks_ties_by_goals(tag: str) -> None:
    game = check(f'[Game "altay"]\n{tag}{TIE}')
    common = {"cards": 0, "captured": 0, "total": 8}
    assert points(game, "Ann") == {"goals": 4, "territories": 3, "conquest": 1, **common}
    assert points(game, "Bob") == {"goals": 5, "territories": 3, "conquest": 0, **common}
    assert game.standing is not None
    assert list(points(game, "Ann")) == [
        "goals", "cards", "territories", "captured", "conquest", "total",
    ]  # fmt: skip
    assert game.standing.winners == ("Bob",)
    assert game.standing.decided_by == "goals"


def test_english_edition_breaks_the_same_tie_by_technologies() -> None:
    game = check(f'[Game "altay"]\n[Edition "en"]{TIE}')
    assert game.standing is not None
    assert game.standing.winners == ("Ann",)
    assert game.standing.decided_by == "technologies"


def test_german_edition_caps_each_goal_and_not_the_bonus() -> None:
    # Ark: 9 territories with one settlement, 7 of them score; secret: 3 more; technologies: 2.
    text = f"""[Game "altay"]
[Edition "de"]{POSITION}\
  Ann: completed Writing, Commerce, Ark
  Ann: secret Ark
  Ann: settlements 1 F2, 1 W2, 1 H2, 1 H3, 1 F3, 1 W3, 1 M3, 1 W5, 1 H6
"""
    game = check(text)
    assert points(game, "Ann")["goals"] == 7 + 3 + 2
    assert game.standing is not None
    lines = game.standing.of("Ann").categories[0].lines
    assert [(line.points, line.lost) for line in lines] == [(1, 0), (1, 0), (7, 2), (3, 0)]


def test_german_edition_caps_technologies_as_well(tmp_path: Path) -> None:
    # A house rule makes Writing worth nine: the English rulebook caps wonders only.
    (tmp_path / "rich.yaml").write_text(
        "variant: rich\nextends: altay\ntitle: Rich\nchange:\n"
        "  - {set: entities.achievement.writing.points, to: 9}\n",
        encoding="utf-8",
    )
    text = f'[Game "altay"]\n[Variant "rich.yaml"]{POSITION}  Ann: completed Writing\n'
    assert points(check(text, tmp_path), "Ann")["technologies"] == 9
    german = text.replace("[Variant", '[Edition "de"]\n[Variant')
    assert points(check(german, tmp_path), "Ann")["goals"] == 7


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: path.stem)
def test_german_edition_adds_technologies_and_wonders_up(path: Path) -> None:
    text = path.read_text(encoding="utf-8").split("\nresult\n")[0]
    english, german = check(text), check(text.replace('"altay"]', '"altay"]\n[Edition "de"]', 1))
    assert german.legal
    assert english.standing is not None
    for score in english.standing.players:
        wanted = points(english, score.player)
        wanted["goals"] = wanted.pop("technologies") + wanted.pop("wonders")
        assert points(german, score.player) == wanted


COINS = """[Game "altay"]
[Variant "trading"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 3 Hunter, 2 Warrior
turn 3 Ann
  play 3 Hunter
"""


@pytest.mark.parametrize(
    ("edition", "end", "coins", "rules"),
    [
        ("en", "end", 3, []),
        ("en", "end for 3 coins", 3, []),
        ("en", "end for 2 coins", 3, ["end-coins-all"]),
        ("en", "end for 4 coins", 3, ["end-coins"]),
        ("de", "end", 3, []),
        ("de", "end for 3 coins", 3, []),
        ("de", "end for 2 coins", 2, []),
        ("de", "end for 1 coin", 1, []),
        ("de", "end for 0 coins", 0, []),
        ("de", "end for 4 coins", 3, ["end-coins"]),
    ],
)
def test_coins_at_the_end_of_a_turn(edition: str, end: str, coins: int, rules: list[str]) -> None:
    text = COINS.replace("position", f'[Edition "{edition}"]\nposition')
    game = check(f"{text}  {end} => Shaman, 2 Village, 2 Warrior\n")
    assert [finding.rule for finding in game.findings] == rules
    assert game.played is not None
    state = game.played.state
    zones = {zone.name: state.zones.held(zone.index) for zone in state.pack.zones}
    assert zones["coins"][state.players[0]] == coins
    assert zones["bank"] == 100 - coins
    assert zones["pool"][state.players[0]].size() == 0


# ---------------------------------------------------------------- nothing changed

UNCHANGED = """\
variant: unchanged
extends: altay
title: As it was
change:
  - {set: numbers.hand_size.value, to: 5}
  - {set: options.map.default, to: recommended}
  - {set: rulings.combat_tie.default, to: nothing}
  - {set: entities.title.town.cost, to: [food, wood]}
  - {set: entities.territory.F1.adjacent, to: [W1, H1, H2]}
  - {set: scoring.categories.conquest.title, to: Conquest markers}
  - {set: moves.end.title, to: End the turn}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the variant file that changes nothing."""
    folder = tmp_path_factory.mktemp("unchanged")
    (folder / "unchanged.yaml").write_text(UNCHANGED, encoding="utf-8")
    return folder


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: path.stem)
def test_a_variant_that_changes_nothing_changes_nothing(path: Path, folder: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game, under = (
        check(text),
        check(text.replace("]\n", ']\n[Variant "unchanged.yaml"]\n', 1), folder),
    )
    assert under.played is not None
    assert under.legal == game.legal
    assert [(f.rule, f.message) for f in under.findings] == [
        (f.rule, f.message) for f in game.findings
    ]
    assert outcome(under)[1] == outcome(game)[1]
    assert under.standing is not None
    assert game.standing is not None
    assert under.standing.decided_by == game.standing.decided_by


def test_a_variant_that_changes_nothing_gives_the_same_pack(folder: Path) -> None:
    # The same generated code is the same work for every statement.
    rules = SHIPPED.parent
    plain, under = compile_folder(rules), compile_folder(rules, [folder / "unchanged.yaml"])
    assert under.codes == plain.codes
    assert [move.id for move in under.moves] == [move.id for move in plain.moves]
    assert [category.id for category in under.categories] == [c.id for c in plain.categories]


def test_a_house_rule_cites_no_page() -> None:
    # It stands among the requirements of a move that has a page, and says `source: house rule`.
    log = (HERE / "peaceful-start" / "illegal.agn").read_text(encoding="utf-8")
    found = [f for game in check_text(log).games for f in game.findings]
    house = [finding for finding in found if finding.rule == "peaceful-start"]
    assert house
    assert [dict(finding.cite) for finding in house] == [{}] * len(house)
