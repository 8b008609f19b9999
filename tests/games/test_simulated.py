"""The simulated games, replayed: a change of the rules shows which of them it touches.

A difference here is no mistake by itself. Look at the games that are named; if the change of the
rules is right, `python -m attack corpus --write` plays the corpus anew.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from altay_cli.checking.check import check_text
from altay_cli.compile.load import variant_names
from attack.corpus import FOLDER, differences, names, result, stored_results

RESULTS = stored_results()
NAMES = list(RESULTS)


@pytest.mark.parametrize("first", range(0, len(NAMES), 10))
def test_games_are_as_they_were(first: int) -> None:
    changed = [
        line
        for name in NAMES[first : first + 10]
        for line in differences(name, RESULTS[name], result(name))
    ]
    assert changed == []


def test_the_corpus_is_there_and_mixed() -> None:
    assert names() == NAMES
    assert Counter(name.partition("/")[0] for name in NAMES) == {
        "2-players": 100,
        "3-players": 100,
        "4-players": 100,
    }
    assert sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.agn")) == sorted(NAMES)
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in NAMES]
    variants = {found for text in texts for found in re.findall(r'\[Variant "(.*)"\]', text)}
    assert variants == set(variant_names("altay"))
    plain = [t for t in texts if not re.search(r"\[(Variant|Map|Edition) ", t)]
    assert len(plain) == 150


def test_most_games_are_over_and_every_log_says_its_scores() -> None:
    """The winner and the scores stand in the logs as well, so `check` finds them wrong itself."""
    over = [name for name, found in RESULTS.items() if found["ended"]]
    assert len(over) >= 240
    for name in over[::10]:
        text = (FOLDER / name).read_text(encoding="utf-8")
        winners = re.findall(r"^  winner (.*)$", text, re.MULTILINE)
        assert winners == [", ".join(RESULTS[name]["winners"])]
        for player, scores in RESULTS[name]["scores"].items():
            assert f"  {player}: score {sum(scores.values())}\n" in text


def test_a_change_is_noticed() -> None:
    """A card fewer drawn at the end of a turn, a marker worth more, a score that is another."""
    name = NAMES[0]
    old = RESULTS[name]
    new = {**old, "rounds": old["rounds"] + 1, "findings": ["30 draw-impossible"]}
    assert differences(name, old, new) == [
        f"{name}: rounds was {old['rounds']}, is {old['rounds'] + 1}",
        f"{name}: findings was {old['findings']}, is ['30 draw-impossible']",
    ]


def test_every_log_is_legal() -> None:
    for name in NAMES[::15]:
        game = check_text((FOLDER / name).read_text(encoding="utf-8"), name).games[0]
        assert game.legal, (name, game.findings)
