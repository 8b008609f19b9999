"""Every statement with the state behind it: the same as that of the game opened there."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.view.model import Address, Arrow, Cell, Scene
from altay_cli.view.scene import Viewer
from altay_cli.view.watching import LogLines, Watched, watch_text
from tests.view.sample import GAMES, LOG, of_place, of_player, plain, scene, things


def watched(text: str, language: str = "en") -> Watched:
    _, (game,) = watch_text(text, language=language)
    assert game is not None
    return game


def states(game: Watched) -> list[dict[Address, Cell]]:
    """Return the states before the first moment and after each."""
    found = [dict(game.opening.cells)]
    for moment in game.moments:
        cells = dict(found[-1])
        for at, (before, after) in moment.changes.items():
            assert cells.get(at) == before
            if after is None:
                del cells[at]
            else:
                cells[at] = after
        found.append(cells)
    return found


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_each_state_is_that_of_the_game_opened_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game = watched(text)
    after = states(game)
    numbers = [*range(0, len(game.moments), 23), len(game.moments) - 1]
    for number in numbers:
        statement = game.moments[number].statement
        there = scene(text, f"{statement.line}:{statement.column}")
        assert after[number] == there.cells, statement
    last = scene(text)
    assert after[-1] == last.cells
    assert (game.moments[-1].round, game.moments[-1].ended) == (last.round, last.ended)
    standing = open_game(text).score()
    assert [sum(row) for row in game.moments[-1].points] == [p.total for p in standing.players]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_watching_changes_no_finding(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    report, _ = watch_text(text)
    assert report == check_text(text) or [g.findings for g in report.games] == [
        g.findings for g in check_text(text).games
    ]


def test_what_a_fight_changes() -> None:
    game = watched(LOG)
    by_text = {moment.statement.text: moment for moment in game.moments}
    # Two settlements and a card against one: 3 to 1; Bob's Warrior makes it 3 to 2, and he loses.
    assert by_text["attack W2 from F2 with Warrior"].tells == ("strength 3, in W2: 1",)
    fight = by_text["Bob: fight with Warrior => Hunter"]
    assert fight.tells == ("defense 2 against strength 3",)
    assert fight.player == "Bob"
    assert fight.changes[of_place("W2", "settlers")][1] is None
    assert fight.changes[of_player("Bob", "hand")] == (
        plain(things("card", "hunter", "warrior"), "Bob"),
        plain(things("card", ("hunter", 2)), "Bob"),
    )
    # The marker of H2 has strength 2; taking it brings food.
    conquest = by_text["attack H2 from F2 with Warrior"]
    assert conquest.tells == ("strength 3 against 2",)
    assert conquest.changes[of_place("H2", "marker")] == (
        plain(things("marker", "two_food")),
        None,
    )


def test_a_game_with_slips_is_shown_from_the_states_in_which_reading_goes_on() -> None:
    # The second Warrior is not there; the turn has no end.
    text = LOG.replace("  attack W2 from F2 with Warrior\n", "  attack W2 from F2 with 3 Warrior\n")
    text = text.replace("  end => 2 Hunter, 2 Village, Warrior\n", "turn 3 Bob\n  play Village\n")
    game = watched(text)
    after = states(game)
    for number, moment in enumerate(game.moments):
        place = f"{moment.statement.line}:{moment.statement.column}"
        opened = scene(text, place)
        assert after[number] == opened.cells, moment.statement


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("  develop Engineering with stone => Masonry\n", ""),
        (
            "  seat Marta as Earthfolk\n  seat Jonas as Smallfolk\n",
            "  seat Jonas as Smallfolk\n  seat Marta as Earthfolk\n",
        ),
    ],
    ids=["left out", "two seats swapped"],
)
def test_a_slip_that_is_explained_by_what_was_before_is_shown_so(
    written: str, instead: str
) -> None:
    text = (GAMES[0].parent / "two-players.agn").read_text(encoding="utf-8")
    whole, game = watched(text), watched(text.replace(written, instead, 1))
    assert len(whole.moments) - len(game.moments) == (not instead)
    assert states(game)[-1] == states(whole)[-1]


def test_a_turn_without_heading_behind_the_setup_is_shown() -> None:
    text = (GAMES[0].parent / "two-players.agn").read_text(encoding="utf-8")
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines) if line.startswith("turn 1"))
    end = next(n for n, line in enumerate(lines) if line.startswith("  end"))
    game = watched("\n".join([*lines[:number], *lines[number + 1 : end + 1]]))
    assert [m.statement.line for m in game.moments][:2] == [number + 1, number + 2]


def test_nothing_to_show() -> None:
    for text in ("", "play chess", '[Game "altay"]\n', '[Game "nothing"]\nsetup\n  seat A\n'):
        report, games = watch_text(text)
        assert len(report.games) == len(games)
        assert games in ([None], [])


def test_the_text_of_a_log_in_its_parts(stones: Path) -> None:
    text = stones.read_text(encoding="utf-8")
    game = watched(text)
    lines = text.splitlines()
    for line, segments in LogLines(game).rows():
        assert "".join(segment.text() for segment in segments) == lines[line - 1]
    numbers = [
        s.moment for _, segments in LogLines(game).rows() for s in segments if s.moment is not None
    ]
    assert numbers == list(range(len(game.moments)))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_parts_of_each_line_are_the_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for line, segments in LogLines(watched(text)).rows():
        assert "".join(segment.text() for segment in segments) == lines[line - 1]


def test_a_statement_over_several_lines_on_one() -> None:
    text = LOG.replace("2 Hunter, 2 Village, Warrior", "2 Hunter, # two\n    2 Village,\n Warrior")
    game = watched(text)
    last = game.moments[-1].statement
    assert LogLines(game).sentence(last) == "end => 2 Hunter, 2 Village, Warrior"
    assert LogLines(game).sentence(last, "Ann") == "end => 2 Hunter, 2 Village, Warrior"
    assert LogLines(game).sentence(last, "Bob") == "end => 5 ?"


def test_the_state_is_that_of_the_engine() -> None:
    """Bags and numbers of the zones themselves, against what is shown of them."""
    text = GAMES[0].read_text(encoding="utf-8")
    game = open_game(text)
    zones = {zone.name: game.state.zones.held(zone.index) for zone in game.pack.zones}
    shown: Scene = Viewer(game.state).scene()
    for player in game.state.players:
        for name in ("hand", "deck", "discard", "pool", "completed", "conquered"):
            items = shown.cells[of_player(player.id, name)].groups[0].items
            bag = {f"{thing.kind} {thing.id}": n for thing, n in zones[name][player].items()}
            assert dict(items.known) == bag  # type: ignore[union-attr]
        assert shown.cells[of_player(player.id, "supply")] == plain(zones["supply"][player])


def test_an_attack_is_an_arrow_with_both_strengths() -> None:
    arrows = {
        moment.statement.text.split(" with ")[0].split(" => ")[0]: moment.arrow
        for moment in watched(LOG).moments
    }
    assert arrows["attack W2 from F2"] == Arrow("territory F2", "territory W2", "3 : 1")
    assert arrows["end"] is None
