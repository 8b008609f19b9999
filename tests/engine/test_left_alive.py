"""Nothing of a game outlives its check, and nothing of its rules their last user."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

from altay_cli.checking.check import CheckSettings, check_games, check_text
from altay_cli.checking.opening import open_game
from altay_cli.checking.tags import forget_rules
from altay_cli.compile.load import load_pack, pack_names
from altay_cli.match.state import State
from altay_cli.pack.model import Pack

ROOT = Path(__file__).parents[2]
LOGS = {
    name: next(
        path
        for path in sorted(ROOT.glob("games/**/*.agn"))
        if path.stem != "mistakes" and f'[Game "{name}"]' in path.read_text(encoding="utf-8")
    )
    for name in pack_names()
}
"""A log of a whole game by each of the packs."""

SLIP = "turn 1 Nobody\n  nonsense 3 of it\n"


def alive(kind: type[Any]) -> list[Any]:
    gc.collect()
    return [one for one in gc.get_objects() if type(one) is kind]


def used(pack: str) -> None:
    """Do with rules what can be done with them: judge, recover, list and play, score, explain."""
    text = LOGS[pack].read_text(encoding="utf-8")
    for log in (text, text.replace("\nturn", f"\n{SLIP}turn", 1)):
        for language in ("en", "de"):
            check_text(log, language=language)
    start = text[: text.index("\nturn")] + "\n" if "\nturn" in text else text
    game = open_game(start)
    for move in game.legal_moves()[:1]:
        game.apply(move)


def test_no_state_outlives_its_check_and_no_pack_its_last_user() -> None:
    """All packs in one test: what is alive is found among all objects of the process, which takes long."""
    forget_rules()
    before = set(map(id, alive(State) + alive(Pack)))
    for pack in pack_names():
        used(pack)
    left = [state for state in alive(State) if id(state) not in before]
    assert [state.pack.id for state in left] == []
    assert len([one for one in alive(Pack) if id(one) not in before]) == len(pack_names())
    forget_rules()
    assert [pack.id for pack in alive(Pack) if id(pack) not in before] == []


def test_a_pack_that_nobody_asked_for_by_a_log_goes_too() -> None:
    before = set(map(id, alive(Pack)))
    pack = load_pack("tictactoe")
    del pack
    assert [one for one in alive(Pack) if id(one) not in before] == []


def test_games_of_a_file_go_one_by_one() -> None:
    text = LOGS["tictactoe"].read_text(encoding="utf-8")
    most = 0
    for report in check_games(text * 3, CheckSettings()).games:
        del report
        most = max(most, len(alive(State)))
    assert most <= 1 + len(alive(State))
