"""Effects that wait for answers: `tests/engine/banquet`, a game whose cards ask in the middle."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.checking import tags
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.cli.main import main
from altay_cli.match.decisions import PendingDecision
from tests.small import rules_folder

THREE = """\
[Game "banquet"]
setup
  seat Ann; seat Bob; seat Cleo
turn 1 Ann
"""


@pytest.fixture(autouse=True)
def banquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_folder(tmp_path, monkeypatch)
    shutil.copytree(Path(__file__).parent / "banquet", rules / "banquet")
    tags.forget_rules()


def judge(text: str) -> GameReport:
    (game,) = check_text(text).games
    return game


def told(text: str) -> list[str]:
    return [f"{f.span.line} {f.rule}: {f.message}" for f in judge(text).findings]


def points(text: str) -> dict[str, int]:
    report = judge(text)
    assert report.legal, [finding.message for finding in report.findings]
    assert report.standing is not None
    return {player.player: player.total for player in report.standing.players}


def due(game: Game) -> tuple[str, str] | None:
    found = game.state.next_decision
    return None if found is None else (found.decision, found.who.id)


# ---------------------------------------------------------------- what follows sees the answer


def test_a_loop_asks_one_player_after_the_other() -> None:
    # Two of three served fish: two points for Ann, and a hundred behind it all.
    log = THREE + "play toast\nserve Fish\nBob: serve Plum\nCleo: serve Fish\n"
    assert points(log) == {"Ann": 102, "Bob": 0, "Cleo": 0}


def test_who_has_nothing_is_not_asked() -> None:
    plays = "play toast\nserve Fish\nBob: serve Plum\nCleo: serve Fish\n"
    plays += (
        "turn 1 Bob\nplay guest\ninvite toast\nAnn: serve Bread\nserve Bread\nCleo: serve Bread\n"
    )
    plays += "turn 1 Cleo\nplay crumbs\nfeed Cleo\nfeed Cleo\nfeed Bob\n"
    # All bread is given away again; then the card is done.
    assert points(THREE + plays) == {"Ann": 102, "Bob": 110, "Cleo": 100}


def test_a_card_carried_out_in_the_middle_of_another_is_finished_first() -> None:
    game = open_game(THREE + "play guest\ninvite toast\n")
    assert due(game) == ("serve", "Ann")
    for statement, after in (
        ("serve Fish", ("serve", "Bob")),
        ("Bob: serve Fish", ("serve", "Cleo")),
        ("Cleo: serve Bread", None),
    ):
        assert game.score().players[0].total in {0, 1, 2}
        game.apply(statement)
        assert due(game) == after
    # Two fish, ten for the guest, a hundred for the card played.
    assert game.score().players[0].total == 112


def test_answers_within_answers_keep_their_order() -> None:
    # A guest may not invite itself, but a card invited may be one that asks in a loop.
    log = THREE + "play toast\nserve Bread\nBob: serve Bread\nCleo: serve Plum\n"
    log += "turn 1 Bob\nplay guest\ninvite crumbs\nfeed Ann\nfeed Ann\n"
    assert points(log) == {"Ann": 100, "Bob": 110, "Cleo": 0}


# ---------------------------------------------------------------- slips


def test_another_player_cannot_answer() -> None:
    assert told(THREE + "play toast\nBob: serve Fish\nBob: serve Plum\nCleo: serve Fish\n")[0] == (
        "6 serve-player: Ann serves a dish, not Bob"
    )


def test_an_answer_must_come_first() -> None:
    assert told(THREE + "play toast\nturn 1 Bob\n")[0].startswith(
        "6 serve-due: Ann serves a dish first"
    )


def test_an_answer_is_held_to_its_rules() -> None:
    log = THREE + "play toast\nserve Fish\nBob: serve Fish\nCleo: serve Fish\nturn 1 Bob\n"
    log += "play guest\ninvite guest\n"
    assert told(log)[0] == "11 not-itself: a guest invites another card"


def test_a_card_that_carries_itself_out_for_ever_is_ended_by_the_budget() -> None:
    assert "rule-" in told(THREE + "play echo\n")[0]


# ---------------------------------------------------------------- listing, undoing, playing


def test_answers_are_listed() -> None:
    game = open_game(THREE + "play toast\nserve Fish\n")
    assert [move.statement for move in game.legal_moves()] == [
        "Bob: serve bread", "Bob: serve fish", "Bob: serve plum",
    ]  # fmt: skip
    game = open_game(THREE + "play guest\n")
    assert [move.statement for move in game.candidates()] == [
        "invite toast", "invite crumbs", "invite echo",
    ]  # fmt: skip


def test_a_game_goes_back_into_the_middle_of_a_card() -> None:
    game = open_game(THREE)
    game.apply("play guest")
    game.apply("invite toast")
    before = copy.copy(game.state.pending), dict(game.state.zones.held(0))
    for served in ("Bread", "Fish", "Plum"):
        game.apply(f"serve {served}")
        game.apply(f"Bob: serve {served}")
        game.apply(f"Cleo: serve {served}")
        assert due(game) is None
        for _ in range(3):
            game.undo()
        assert due(game) == ("serve", "Ann")
        assert game.state.pending == before[0]
    game.apply("serve Fish")
    with pytest.raises(IllegalMove):
        game.apply("Cleo: serve Fish")  # Bob serves before her
    game.apply("Bob: serve Fish")
    game.apply("Cleo: serve Fish")
    assert game.score().players[0].total == 113


def test_what_waits_is_plain_data() -> None:
    game = open_game(THREE + "play guest\ninvite toast\n")
    top = game.state.pending[-1]
    assert isinstance(top, PendingDecision)
    assert (top.decision, top.who.id, top.answer) == ("serve", "Ann", "served")
    assert all(isinstance(frame, tuple) for frame in game.state.pending)


def test_games_are_simulated(tmp_path: Path) -> None:
    out = tmp_path / "games"
    result = CliRunner().invoke(main, [
        "simulate", "--game", "banquet", "--players", "3", "--games", "5", "--seed", "1",
        "--policy", "quiet", "--processes", "1", "--out", str(out),
    ])  # fmt: skip
    assert result.exit_code == 0, result.output
    logs = sorted(out.rglob("*.agn"))
    assert len(logs) == 5
    for path in logs:
        assert judge(path.read_text(encoding="utf-8")).legal


def test_the_rules_make_sense() -> None:
    result = CliRunner().invoke(main, ["rules", "check", "--game", "banquet"])
    assert "error" not in result.output, result.output


def test_an_effect_stops_all_that_waits(tmp_path: Path) -> None:
    # Whoever is fed last ends the game: the loop of the card, and what comes behind it, is left out.
    variant = tmp_path / "mine.yaml"
    does = "[{if: 'player == players[2]', then: [{set: {over: true}}, {stop: everything}]}]"
    variant.write_text(
        "variant: mine\nextends: banquet\ntitle: Mine\nchange:\n"
        f"  - {{set: moves.feed.does, to: {does}}}\n",
        encoding="utf-8",
    )
    log = THREE.replace('banquet"]', 'banquet"]\n[Variant "mine.yaml"]')
    log += "play toast\nserve Bread\nBob: serve Bread\nCleo: serve Fish\nturn 1 Bob\nplay crumbs\n"
    game = open_game(f"{log}feed Bob\n", folder=tmp_path)
    assert (due(game), game.ended) == (("feed", "Bob"), False)
    game.apply("feed Cleo")
    assert (due(game), game.ended, game.state.pending) == (None, True, ())
    assert game.score().players[1].total == 0
