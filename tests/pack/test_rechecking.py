"""What is taken from the last time is what would be found out again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from altay_cli.expressions import Checked, Environment, Type, check
from altay_cli.pack.building import compile_whole, lay_over
from altay_cli.pack.emit import print_pack
from altay_cli.pack.folder import kept_folder, read_folder, walk
from altay_cli.pack.load import load_pack
from altay_cli.pack.rechecking import Rechecking
from altay_cli.resources import data_folder

RULES = data_folder("rules") / "altay"

# Each changes something that expressions of the game hang on.
CHANGES: dict[str, list[object]] = {
    "values": [
        {"set": "numbers.hand_size.value", "to": 7},
        {"add": "zones.card_seen", "to": {"per": ["card"], "holds": "int", "title": "seen"}},
        {"set": "rulings.trading_conversion.default", "to": "choose"},
        {"set": "functions.coins_due.is", "to": "1"},
        {"set": "moves.buy.let.title", "to": "titles.town"},
    ],
    "types": [
        {"set": "zones.coins.least", "to": 1},
        {"set": "kinds.territory.fields.weight", "to": "int"},
        {"set": "moves.trade.takes.resource.type", "to": "icon"},
        {"set": "functions.held.takes", "to": {"q": "player"}},
    ],
    "things": [
        {"remove": "entities.title.farmer"},
        {"add": "entities.title.baker", "to": {"cost": ["food"], "prints": [{"points": 2}]}},
        {"set": "entities.title.town.cost", "to": ["food"]},
    ],
    "costs": [{"set": "functions.coins_due.is", "to": "lists.range(9000).map(i, i).sum()"}],
}


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rechecking:
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "cache"))
    first = Rechecking("altay")
    assert compile_whole(read_folder(RULES), (), first) is not None
    first.keep()
    return Rechecking("altay")


def test_expressions_are_the_same_as_if_they_were_checked(
    tmp_path: Path, before: Rechecking
) -> None:
    base = kept_folder(RULES)
    variants = [RULES / "variants" / "druid.yaml"]
    for name, changes in CHANGES.items():
        variants.append(tmp_path / f"{name}.yaml")
        data = {"variant": "v", "extends": "altay", "title": name, "change": changes}
        variants[-1].write_text(json.dumps(data), encoding="utf-8")
    for path in variants:
        trees = [lay_over(base, RULES, [path]) for _ in range(2)]
        found, again = (
            compile_whole(tree, [path], known)
            for tree, known in zip(trees, (None, before), strict=True)
        )
        assert trees[0].problems == trees[1].problems, path
        assert found is not None
        assert again is not None
        assert found.checked.keys() == again.checked.keys()
        for key, checked in found.checked.items():
            other = again.checked[key]
            same = ("type", "code", "quick", "source", "names", "locals", "calls", "types", "tree")
            assert [getattr(checked, one) for one in same] == [getattr(other, one) for one in same]
        if not trees[0].problems:
            assert print_pack(found.pack) == print_pack(again.pack)


def test_little_is_checked_again(before: Rechecking, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    check = "altay_cli.pack.rechecking.check"
    with monkeypatch.context() as patch:
        patch.setattr(check, lambda source, *_: asked.append(source))
        assert compile_whole(kept_folder(RULES), (), before) is not None
    assert asked == []


def test_a_new_card_has_little_checked_again(
    tmp_path: Path, before: Rechecking, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "card.yaml"
    baker = {"cost": ["food"], "prints": [{"points": 2, "copies": 8}]}
    change = [{"add": "entities.title.baker", "to": baker}]
    data = {"variant": "v", "extends": "altay", "title": "v", "change": change}
    path.write_text(json.dumps(data), encoding="utf-8")
    asked: list[str] = []

    def counting(source: str, env: Environment, expect: Type | None = None) -> Checked:
        asked.append(source)
        return check(source, env, expect)

    monkeypatch.setattr("altay_cli.pack.rechecking.check", counting)
    assert compile_whole(lay_over(kept_folder(RULES), RULES, [path]), [path], before) is not None
    # Those about all types of cards, and what is new; `cards` is a word of a hundred others.
    assert any("titles.filter" in source for source in asked)
    assert len(asked) < 60


def test_rules_that_were_edited_are_compiled_from_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ALTAY_PACKS", str(tmp_path))
    rules = tmp_path / "altay"
    shutil.copytree(RULES, rules)
    load_pack("altay")
    buy = rules / "moves" / "buy.yaml"
    text = buy.read_text(encoding="utf-8")
    edited = text.replace("market[title].size() > 0", "market[title].size() > 1")
    assert edited != text
    buy.write_text(edited, encoding="utf-8")
    asked: list[str] = []

    def counting(source: str, env: Environment, expect: Type | None = None) -> Checked:
        asked.append(source)
        return check(source, env, expect)

    monkeypatch.setattr("altay_cli.pack.rechecking.check", counting)
    pack = load_pack("altay")
    assert len(asked) < 10
    monkeypatch.setenv("ALTAY_CACHE", "off")
    assert print_pack(load_pack("altay")) == print_pack(pack)


def test_what_was_read_is_the_same_with_all_its_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "cache"))
    plain = read_folder(RULES)
    for kept in (kept_folder(RULES), kept_folder(RULES), kept_folder(RULES).copy()):
        assert kept.data == plain.data
        assert list(kept.data) == list(plain.data)
        for path, _ in list(walk(plain.data))[::7]:
            assert kept.locate(path, "head") == plain.locate(path, "head")
            assert kept.within(path, 0, 3) == plain.within(path, 0, 3)
    copy = kept_folder(RULES).copy()
    copy.remove(("numbers", "hand_size"))
    assert "hand_size" in kept_folder(RULES).copy().data["numbers"]


def test_an_expression_too_deep_to_be_kept_is_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("altay_cli.pack.rechecking.FEW", 1)
    env = Environment()
    first = Rechecking("sums")
    first.begin(env, weighed=True)
    for source in ("+".join(["1"] * 5_000), "1 + 1"):
        first.check(source, env)
    first.keep()
    asked: list[str] = []
    monkeypatch.setattr("altay_cli.pack.rechecking.check", lambda source, *_: asked.append(source))
    again = Rechecking("sums")
    again.begin(env, weighed=True)
    assert again.check("1 + 1", env).code == "_add(1, 1)"
    assert asked == []
