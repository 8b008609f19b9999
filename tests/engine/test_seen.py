"""Who sees what, and decisions that several players take at once: `tests/packs/envelopes`."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.cli.main import main
from altay_cli.lint.examine import Examiner
from altay_cli.view.model import masked
from altay_cli.view.watching import LogLines, watch_text
from tests.small import Pebbles

PACKS = Path(__file__).parents[1] / "packs"

# Ann has a card on her forehead that Bob and Cleo see.
SEATED = """\
[Game "envelopes"]
setup
  seat Ann; seat Bob; seat Cleo
  Ann: wear High
  seal Middle
turn 1 Ann
  open
"""
BIDS = ["  Cleo: bid High\n", "  Ann: bid Low\n", "  Bob: bid Middle\n"]


@pytest.fixture(autouse=True)
def packs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pebbles" not in request.fixturenames:
        monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def found(log: str) -> list[str]:
    (game,) = check_text(log).games
    return [f"{finding.rule} {finding.span.line}: {finding.message}" for finding in game.findings]


def test_the_game_is_right() -> None:
    assert Examiner(PACKS / "envelopes").examine([]) == []


# ---------------------------------------------------------------- decisions of several players


def test_all_players_answer_in_any_order() -> None:
    for bids in permutations(BIDS):
        log = SEATED + "".join(bids)
        assert found(log) == []
        game = open_game(log)
        assert game.player == "Bob"  # the turn has passed on
        assert list(game.score().winners) == ["Cleo"]


def test_until_all_have_answered_nothing_else_happens() -> None:
    assert found(SEATED + BIDS[0] + BIDS[2] + "turn 1 Bob\n")[0] == "bid-due 10: Ann must bid first"
    assert found(f"{SEATED}  open\n")[0] == "bid-due 8: Ann must bid first"
    assert found(f"{SEATED}  Bob: open\n")[0] == "bid-due 8: Bob must bid first"


def test_nobody_answers_twice() -> None:
    twice = SEATED + BIDS[0] + "  Cleo: bid Low\n"
    assert found(twice) == ["bid-twice 9: Cleo has bid already; Ann has not"]


def test_the_moves_of_all_who_must_answer_are_listed() -> None:
    game = open_game(SEATED + BIDS[0])
    assert {str(move) for move in game.legal_moves()} == {
        "bid low", "bid middle", "bid high", "Bob: bid low", "Bob: bid middle", "Bob: bid high",
    }  # fmt: skip
    assert [due.player for due in watched(SEATED + BIDS[0]).moments[-1].due] == ["Ann", "Bob"]
    game.apply("Bob: bid low")
    assert {str(move) for move in game.legal_moves()} == {"bid low", "bid middle", "bid high"}


def test_nobody_is_asked_if_the_list_is_empty(pebbles: Pebbles) -> None:
    pebbles.change(
        "moves/turns.yaml",
        "triggers:\n",
        """\
  call:
    title: Call
    written: call
    does:
      - ask: {nod: {all: "players.filter(p, p.debt > 0)"}}
      - add: {me.debt: 5}
  nod:
    title: Nod
    written: nod
    answers: nod
    unasked: {rule: nod-unasked, else: nobody called}
    does: [{set: {me.debt: 0}}]
decisions:
  nod: {title: Nod, named: true, rule: nod-due, else: "{who} nods first", wrong: {rule: nod-wrong, else: "not {actor}"}}
triggers:
""",
    )
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  call\n'
    assert pebbles.findings(f"{log}  Bob: nod\n") == ["nod-unasked 6 nobody called"]
    assert pebbles.findings(f"{log}  call\n  nod\n  call; nod\n") == []
    assert pebbles.findings(f"{log}  call\n  Bob: nod\n") == ["nod-wrong 7 not Bob"]


@pytest.mark.parametrize("key", ["times: 2", "as: nodded"])
def test_answers_of_several_players_have_no_name_and_no_number(pebbles: Pebbles, key: str) -> None:
    pebbles.change(
        "moves/turns.yaml",
        "triggers:\n",
        f"""\
  call:
    title: Call
    written: call
    does: [{{ask: {{nod: {{all: players, {key}}}}}}}]
  nod: {{title: Nod, written: nod, answers: nod, gives: me.debt, unasked: {{rule: nod-unasked, else: nobody called}}}}
decisions:
  nod: {{title: Nod, gives: int, rule: nod-due, else: "{{who}} nods", wrong: {{rule: nod-wrong, else: "not {{actor}}"}}}}
triggers:
""",
    )
    assert [problem.rule for problem in pebbles.problems()][:1] == ["no-answer"]


# ---------------------------------------------------------------- who sees what


def watched(log: str):  # type: ignore[no-untyped-def]
    _, (game,) = watch_text(log)
    assert game is not None
    return game


def sizes_and_names(log: str, viewer: str | None) -> dict[str, str]:
    """Return what a player sees at the end: by place, names or the number of unknown things."""
    state = open_game(log).state
    from altay_cli.view.scene import Viewer

    cells = Viewer(state).scene().cells
    shown = {}
    for at, cell in cells.items():
        items = masked(cell, viewer).groups[0].items if cell.groups else None
        if not isinstance(items, int) and items is not None:
            names = [ref.split()[-1] for ref, _ in items.known]
            shown[f"{at.where} {at.field}".strip()] = " ".join(names) or "?" * items.unknown
    return shown


def test_each_player_sees_what_the_zones_say() -> None:
    log = SEATED + BIDS[0]
    ann, cleo, everything = (sizes_and_names(log, viewer) for viewer in ("Ann", "Cleo", None))
    assert (ann["Ann forehead"], cleo["Ann forehead"]) == ("?", "high")
    assert (ann["Cleo bid"], cleo["Cleo bid"]) == ("?", "high")
    assert (ann["Cleo hand"], cleo["Cleo hand"]) == ("??", "low middle")
    assert (ann["sealed"], cleo["sealed"], everything["sealed"]) == ("?", "?", "middle")


def test_bids_are_seen_as_soon_as_all_have_bid() -> None:
    log = SEATED + "".join(BIDS)
    assert sizes_and_names(log, "Ann")["Cleo bid"] == "high"
    assert sizes_and_names(log, "Ann")["sealed"] == "?"


def text_for(log: str, viewer: str) -> str:
    """Return the statements of a log as a player knows them."""
    game = watched(log)
    rows = LogLines(game).rows()
    return "\n".join("".join(segment.text(viewer) for segment in row) for _, row in rows)


def test_the_log_shows_what_a_player_knows_by_now() -> None:
    some = text_for(SEATED + BIDS[0] + BIDS[1], "Ann")
    assert "Cleo: bid ?" in some
    assert "Ann: bid Low" in some
    assert "Ann: wear ?" in some
    assert "seal ?" in some
    everything = text_for(SEATED + "".join(BIDS), "Ann")
    assert "Cleo: bid High" in everything
    assert "Ann: wear ?" in everything
    assert "Ann: wear High" in text_for(SEATED, "Bob")
    assert "seal ?" in text_for(SEATED, "Bob")


def test_the_state_is_shown_to_a_player(tmp_path: Path) -> None:
    path = tmp_path / "game.agn"
    path.write_text(SEATED + BIDS[0])
    shown = CliRunner().invoke(main, ["show", "--as", "Ann", str(path)]).output
    assert "Ann, Bob decide" in shown or "Ann decides" in shown
    assert [line.split() for line in shown.splitlines() if "Forehead" in line] == [
        ["Forehead", "1", "unknown"]
    ]


def test_only_what_a_player_has_has_an_owner(pebbles: Pebbles) -> None:
    pebbles.write("view.yaml", "table:\n  heap: {title: Heap, items: heap, seen: others}\n")
    assert pebbles.marked() == [("view-owner", "view.yaml", "others")]
    pebbles.write("view.yaml", "table:\n  heap: {title: Heap, items: heap, seen: nobody}\n")
    assert pebbles.problems() == []
