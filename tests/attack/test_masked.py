"""Logs of which draws are not recorded are judged as they should be; see attack/masked.py."""

from __future__ import annotations

import re
from itertools import cycle
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import check_text
from altay_cli.checking.filling import fill, fill_any
from altay_cli.checking.opening import open_game
from attack.masked import (
    GAMES,
    WAYS,
    differs,
    first_error,
    games,
    masked,
    wrong_with,
    wrongly_filled,
)
from attack.worlds import HAND, KINDS, Way, drawing, made, using

RECORDED = (
    "two-players", "three-players", "four-players", "full-map", "tie", "trading", "swept-away",
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_recorded_is_not_wrong(way: str) -> None:
    ((path, text),) = list(games(1))[:1]
    assert wrong_with(text, way, Random(path.name), fill=way in {"all", "reveals"}) is None


@pytest.mark.parametrize(
    ("game", "way"),
    [*zip(cycle(RECORDED), WAYS, strict=False)],
)
def test_what_is_filled_in_of_whole_games_is_what_came(game: str, way: str) -> None:
    text = (GAMES / f"{game}.agn").read_text(encoding="utf-8")
    assert wrongly_filled(text, masked(text, way, Random(f"{game} {way}"))) is None


@pytest.mark.parametrize("way", ["all", "question marks", "half", "hands", "no hands"])
def test_what_is_filled_in_of_another_game_is_what_came(way: str) -> None:
    """The first turns, where no dogma asks for the face of a card that nobody recorded."""
    judged = 0
    for path in sorted(GAMES.glob("innovation/*.agn"))[::10]:
        text = path.read_text(encoding="utf-8").partition("turn 3 ")[0]
        other = masked(text, way, Random(way))
        if check_text(other).games[0].verdict is Verdict.LEGAL:
            judged += 1
            assert wrongly_filled(text, other) is None
    assert judged


@pytest.mark.parametrize(
    ("game", "way", "seed"),
    [
        ("4-players/014", "all", 1),
        ("3-players/087", "one player", 1),
        ("3-players/074", "hands and half", 3),
    ],
)
def test_an_archived_card_may_be_the_one_that_was_used(game: str, way: str, seed: int) -> None:
    """It was not known whether the archive is empty; and what came back into the hand was lost.

    Nor was it known that the archive was empty when the next card was put there.
    """
    path = GAMES / "simulated" / f"{game}.agn"
    text = path.read_text(encoding="utf-8")
    assert wrong_with(text, way, Random(f"{seed} {path.name} {way}"), fill=True) is None


@pytest.mark.parametrize(
    ("game", "way"), [("074", "reveals"), ("074", "display"), ("024", "reveals")]
)
def test_what_was_begun_may_be_the_secret_wonder(game: str, way: str) -> None:
    """Of a wonder it was thought that it came from the display, if it can have been there."""
    path = GAMES / "simulated" / "4-players" / f"{game}.agn"
    text = masked(path.read_text(encoding="utf-8"), way, Random(1))
    (game,) = check_text(re.sub(r": secret .*", ": secret ?", text)).games
    assert [found for found in game.findings if found.severity is Severity.ERROR] == []


def test_what_is_left_on_display_may_be_a_secret_wonder() -> None:
    path = GAMES / "simulated" / "3-players" / "044.agn"
    assert wrong_with(path.read_text(encoding="utf-8"), "secrets", Random(1), fill=False) is None


def test_a_recorder_may_note_only_what_one_player_drew() -> None:
    """Of one player all is known then, of the others nothing: each is judged by what there is."""
    text = (GAMES / "simulated" / "3-players" / "005.agn").read_text(encoding="utf-8")
    one = masked(text, "one player", Random(1))
    assert first_error(one) is None
    game = open_game(one)
    assert {who for who, _, _ in game.unseen()} == {"Bob"}  # Cleo's hand can be only one
    # What Ann cannot have drawn is found at once; of Bob the same card may be anywhere.
    line, said = next(
        (number, line) for number, line in enumerate(one.splitlines(), 1) if "end => " in line
    )
    begins = said.partition("=>")[0]
    wrong = one.splitlines()
    wrong[line - 1] = f"{begins}=> 5 Cavalry"
    assert first_error("\n".join([*wrong, ""])) == line


def test_masking_masks() -> None:
    text = '[Game "altay"]\nsetup\n  Ann: draw 2 Hunter, Village\nturn 1 Ann\n  end => Hunter\n'
    assert masked(text, "hands", Random(1)).endswith("Ann: draw 3 ?\nturn 1 Ann\n  end\n")
    assert masked(text, "one player", Random(1)) == text


def test_logs_of_tiny_decks_are_judged_as_by_all_worlds() -> None:
    assert [told for seed in range(30) if (told := differs(seed))] == []


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), way=st.sampled_from(["all", "question marks", "half", "partly"]))
def test_neither_revealing_nor_masking_makes_a_log_illegal(seed: int, way: str) -> None:
    """What a fitting course of events drew may be written down, all of it or a part."""
    log = made(Random(seed), 4)
    if log.wrong is not None:
        kept = log.text.splitlines()[: log.wrong - 1]
        text = "\n".join([*kept, ""])
    else:
        text = log.text
    filled = fill_any(text, seed=seed)
    for one in (text, filled, masked(filled, way, Random(seed))):
        (game,) = check_text(one).games
        assert [f for f in game.findings if f.severity is Severity.ERROR] == []


def test_changed_games_are_judged_as_by_a_solver() -> None:
    pytest.importorskip("ortools")
    from attack.solved import judge

    judged = judge(4, 1, quick=True)
    assert judged.differing == []
    assert (judged.wrong, judged.possible) == (4, 4)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_an_illegal_log_stays_illegal_however_it_is_filled(seed: int) -> None:
    """Whatever is written for what was not recorded, what cannot be then cannot be."""
    log = made(Random(seed), 4)
    assume(log.wrong is not None)
    assert log.wrong is not None
    before = "\n".join([*log.text.splitlines()[: log.wrong - 1], ""])
    last = log.text.splitlines()[log.wrong - 1]
    for text in (before, filled_at_random(before, Random(seed)), fill_any(before, seed=seed)):
        found = first_error(f"{text}{last}\n")
        assert found is not None
        assert found <= log.wrong


def filled_at_random(text: str, random: Random) -> str:
    """Write any cards for those that are not recorded, whether they can have come or not."""

    def drawn(_: re.Match[str]) -> str:
        return random.choice(KINDS)

    lines = [
        f"end => {', '.join('?' * HAND)}" if line == "end" and random.random() < 0.5 else line
        for line in text.splitlines()
    ]
    return "\n".join([*(re.sub(r"\?", drawn, line) for line in lines), ""])


def test_some_of_them_are_possible_and_some_are_not() -> None:
    wrong = [made(Random(seed), 5).wrong for seed in range(30)]
    assert 5 < sum(line is None for line in wrong) < 25


def test_all_ways_to_draw_and_use() -> None:
    ways = drawing({Way((), ("A", "B"), ())}, None)
    assert ways == {Way(("A",), ("B",), ()), Way(("B",), ("A",), ())}
    assert using(ways, "A", discarded=True) == {Way((), ("B",), ("A",))}
    assert drawing({Way((), (), ("A",))}, "A") == {Way(("A",), (), ())}
    assert drawing({Way((), (), ("A",))}, "B") == set()
    assert drawing({Way(("A",), (), ())}, None) == {Way(("A",), (), ())}
    assert drawing({Way(("A",), (), ())}, None, recorded=True) == set()


def test_a_secret_wonder_is_filled_in_where_only_one_is_possible() -> None:
    """The scores tell which the secret wonders were; of the draws, any course will do."""
    path = GAMES / "simulated" / "2-players" / "014.agn"
    text = path.read_text(encoding="utf-8")
    secrets = re.findall(r".*: secret .*", text)
    assert len(secrets) == 2
    hidden = re.sub(r": secret .*", ": secret ?", masked(text, "hands", Random(1)))
    assert re.findall(r".*: secret .*", fill(hidden)) == secrets
    filled = fill_any(hidden)
    assert re.findall(r".*: secret .*", filled) == secrets
    (game,) = check_text(filled, complete=True).games
    assert [f for f in game.findings if f.severity is Severity.ERROR] == []


def test_a_secret_wonder_that_may_be_several_is_filled_in_only_if_any_will_do() -> None:
    text = (GAMES / "simulated" / "2-players" / "014.agn").read_text(encoding="utf-8")
    begun = re.sub(r": secret .*", ": secret ?", text[: text.index("turn 2")])
    assert fill(begun).count("secret ?") == 2
    filled = fill_any(begun)
    assert "?" not in filled
    (game,) = check_text(filled, complete=True).games
    assert [f for f in game.findings if f.severity is Severity.ERROR] == []
