"""Grids, frames, turns that end by themselves, outcomes, and requirements on the state behind."""

from __future__ import annotations

import pytest

from tests.small import Pebbles

GRID = "  field: {plural: fields, title: field, grid: {columns: a-c, rows: 1-4}}\n"


def asked(pebbles: Pebbles, expression: str) -> str:
    """Return what an expression comes to in the first turn, as a message shows it."""
    pebbles.change("game.yaml", "zones:\n", GRID + "zones:\n")
    told = f'say: {{rule: shown, severity: note, message: "{{{expression}}}"}}'
    pebbles.change(
        "moves/turns.yaml", "      - reset: turn\n", f"      - reset: turn\n      - {told}\n"
    )
    (found,) = [f for f in pebbles.findings() if f.startswith("shown")]
    return found.split(" ", 2)[2]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("fields.size()", "12"),
        ("fields[1]", "b1"),
        ("fields.b3.column * 10 + fields.b3.row", "23"),
        ("fields.b3.to(1, 1)", "c4"),
        ("fields.b3.to(2, 0)", "nothing"),
        ("fields.a1.ray(0, 1)", "a2, a3, a4"),
        ("fields.a1.ray(0, 0)", "nothing"),
        ("fields.b3.neighbours", "b4, c3, b2, a3"),
        ("fields.a1.around", "a2, b2, b1"),
        ("fields.b3.straight.map(r, r.size())", "1, 1, 2, 1"),
        ("fields.b3.slanted.map(r, r.size())", "1, 1, 1, 1"),
        ("fields.b3.rays.size()", "8"),
        # 4 rows, 3 columns with 2 places each, 2 diagonals each way
        ("fields.lines(3).size()", "14"),
        ("fields.a1.lines(3)", "a1, b1, c1, a1, a2, a3, a1, b2, c3"),
        ("fields.filter(f, f.row == 2).lines(3)", "a2, b2, c2"),
        ("fields.lines(9)", "nothing"),
    ],
)  # fmt: skip
def test_places_of_a_grid_know_each_other(pebbles: Pebbles, expression: str, value: str) -> None:
    assert asked(pebbles, expression) == value


def test_more_can_be_told_of_a_place(pebbles: Pebbles) -> None:
    pebbles.change(
        "game.yaml", "zones:\n", GRID.replace("grid", "fields: {sown: bool}, grid") + "zones:\n"
    )
    pebbles.add("board.yaml", "field: {b2: {sown: true}}\n")
    assert pebbles.problems() == []
    pebbles.change("board.yaml", "b2:", "z9:")
    assert pebbles.marked() == [("grid-place", "board.yaml", "z9")]


def test_a_grid_has_places(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "zones:\n", GRID.replace("a-c", "c-a") + "zones:\n")
    assert [mark[0] for mark in pebbles.marked()] == ["grid-size"]


@pytest.mark.parametrize(("rows", "found"), [("1-38", []), ("1-39", ["grid-size"])])
def test_a_grid_has_at_most_a_thousand_places(
    pebbles: Pebbles, rows: str, found: list[str]
) -> None:
    pebbles.change(
        "game.yaml", "zones:\n", GRID.replace("a-c, rows: 1-4", f"a-z, rows: {rows}") + "zones:\n"
    )
    assert [mark[0] for mark in pebbles.marked()] == found


@pytest.mark.parametrize(("rows", "found"), [("1-15", []), ("1-27", ["zone-size"])])
def test_zones_have_a_greatest_number_of_places(
    pebbles: Pebbles, rows: str, found: list[str]
) -> None:
    """For two of 150 places there are more than 20,000 pairs, for two of 270 more than 70,000."""
    zone = "  walls: {per: [field, field], holds: bool}\n"
    pebbles.change(
        "game.yaml",
        "zones:\n",
        GRID.replace("a-c, rows: 1-4", f"a-j, rows: {rows}") + "zones:\n" + zone,
    )
    assert [mark[0] for mark in pebbles.marked() if mark[0] == "zone-size"] == found


def test_what_a_place_knows_is_no_field_of_its_own(pebbles: Pebbles) -> None:
    pebbles.change(
        "game.yaml", "zones:\n", GRID.replace("grid", "fields: {row: int}, grid") + "zones:\n"
    )
    assert pebbles.marked() == [("defined-twice", "game.yaml", "row")]


def test_a_frame_is_one_that_ships(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "zones:\n", "frame: nowhere\nzones:\n")
    assert pebbles.marked() == [("unknown-frame", "game.yaml", "nowhere")]


# ---------------------------------------------------------------- turns and moves


def ended(pebbles: Pebbles, log: str) -> bool:
    played = pebbles.judge(log).played
    assert played is not None
    return played.ended


def test_a_turn_ends_by_itself(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "status: {", 'status: {turn_over: "turn.taken.size() == 1", ')
    pebbles.add(
        "moves/turns.yaml",
        "complete:\n  - {after: [turn], does: [{reset: turn}, {set: {active: players.after(active)}}]}\n",
    )
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red; take grey; take red\n'
    assert pebbles.findings(log) == []
    assert pebbles.findings(log + "  Ann: take red\n") == ["your-turn 6 it is not your turn"]


AFTERWARDS = """\
      - rule: leaves-one
        afterwards: true
        that: heap.size() >= 4
        else: "{stone} would leave {heap.size()}"
    does:
      - move: {what: stone, from: heap, to: me.pouch}
"""


def test_what_must_hold_behind_a_move(pebbles: Pebbles) -> None:
    pebbles.change(
        "moves/turns.yaml",
        "    does:\n      - move: {what: stone, from: heap, to: me.pouch}\n",
        AFTERWARDS,
    )
    assert pebbles.problems() == []
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red; end\n'
    assert pebbles.findings(log) == []
    # The message is told of the state before; the stones that are left are those of then.
    assert pebbles.findings(log + "turn 2 Bob\n  take grey\n") == [
        "leaves-one 7 Grey would leave 4"
    ]


def test_what_must_hold_behind_a_move_decides_what_is_listed(pebbles: Pebbles) -> None:
    from altay_cli.checking.opening import open_game

    pebbles.change(
        "moves/turns.yaml",
        "    does:\n      - move: {what: stone, from: heap, to: me.pouch}\n",
        AFTERWARDS.replace(">= 4", ">= 4 && me.pouch.count(stones.grey) == 0"),
    )
    game = open_game('[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n')
    assert [move.statement for move in game.legal_moves()] == ["take Red"]


def test_a_move_that_is_not_listed_can_be_written(pebbles: Pebbles) -> None:
    from altay_cli.checking.opening import open_game

    pebbles.change(
        "moves/turns.yaml",
        "    title: End the turn\n",
        '    title: End the turn\n    listed: "false"\n',
    )
    assert pebbles.findings() == []
    game = open_game('[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red\n')
    assert game.legal_moves() == []


def test_who_can_move_is_asked(pebbles: Pebbles) -> None:
    pebbles.change(
        "moves/turns.yaml", "heap.size() == 0 && !over", "!able(players[0], 'take') && !over"
    )
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'
    assert ended(pebbles, log) is False
    assert ended(pebbles, log + "  take red\n") is True


def test_words_of_your_own_name_values(pebbles: Pebbles) -> None:
    pebbles.add(
        "moves/turns.yaml",
        "functions:\n  twice:\n    takes: {s: stone}\n    gives: int\n"
        "    let: {w: s.worth, both: w + w}\n    is: both\n",
    )
    assert asked(pebbles, "twice(stones.grey)") == "-6"


def test_what_tells_positions_apart_is_a_zone(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "zones:\n", "repeats: [heap, heep]\nzones:\n")
    assert pebbles.marked() == [("unknown-zone", "game.yaml", "heep")]


def test_positions_that_come_again_are_counted(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "zones:\n", "repeats: [active, turn.taken]\nzones:\n")
    told = '      - say: {rule: shown, severity: note, message: "{repeats}"}\n'
    pebbles.change("moves/turns.yaml", "      - reset: turn\n", f"      - reset: turn\n{told}")
    assert pebbles.problems() == []
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\n'
    log += "".join(
        f"turn {n} {'Bob' if n % 2 == 0 else 'Ann'}\n  take red; end\n" for n in (1, 2, 3)
    )
    # Nothing has been counted before the first heading; later, nobody was active, with one taken.
    assert [found.split()[-1] for found in pebbles.findings(log)] == ["0", "1", "2"]


# ---------------------------------------------------------------- results


def ranked(pebbles: Pebbles, log: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    standing = pebbles.judge(log).standing
    assert standing is not None
    return standing.ranking, standing.decided_by


WHOLE = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
  take red; end
turn 2 Bob
  take grey; end
"""


def test_the_fewest_may_win(pebbles: Pebbles) -> None:
    assert ranked(pebbles, WHOLE) == ((("Ann",), ("Bob",)), "total")
    pebbles.add("scoring.yaml", "ranking: [me.debt, '-me.pouch.list().map(s, s.worth).sum()']\n")
    assert pebbles.problems() == []
    assert ranked(pebbles, WHOLE) == ((("Bob",), ("Ann",)), "ranking.1")


def test_a_category_may_count_for_nothing_but_a_tie(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "    title: Worth\n", "    title: Worth\n    counts: false\n")
    game = pebbles.judge(WHOLE)
    assert game.standing is not None
    assert [player.total for player in game.standing.players] == [0, 0]
    assert ranked(pebbles, WHOLE) == ((("Ann",), ("Bob",)), "worth")


def test_an_outcome_comes_before_points(pebbles: Pebbles) -> None:
    pebbles.add(
        "scoring.yaml",
        'outcome:\n  - {when: round == 2 && active == null, winners: "[players[1]]", by: the last stone}\n',
    )
    assert pebbles.problems() == []
    assert ranked(pebbles, WHOLE) == ((("Bob",), ("Ann",)), "outcome")
    assert ended(pebbles, WHOLE)


def test_zones_last_as_long_as_the_rules_say(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "lasts: turn}", "lasts: turn}\n  spent: {holds: int, lasts: round}")
    pebbles.change(
        "moves/turns.yaml",
        "      - reset: turn\n",
        "      - reset: turn\n      - if: player == players[0]\n        then: [{reset: round}]\n"
        "      - add: {spent: 1}\n"
        '      - say: {rule: shown, severity: note, message: "{spent}"}\n',
    )
    assert pebbles.problems() == []
    log = (
        '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red; end\n'
        "turn 2 Bob\n  take red; end\nturn 3 Ann\n  take red; end\n"
    )
    assert [found.split()[-1] for found in pebbles.findings(log)] == ["1", "2", "1"]
    pebbles.change("moves/turns.yaml", "{reset: round}", "{reset: rounds}")
    assert pebbles.marked() == [("unknown-lifetime", "moves/turns.yaml", "rounds")]


def test_moves_that_ask_whether_they_can_be_made_end(pebbles: Pebbles) -> None:
    pebbles.change(
        "moves/turns.yaml",
        'that: turn.taken.size() > 0, else: "take a stone first"}',
        'that: "!able(me, \'end\') && !able(me)", else: "{me} can end the turn"}',
    )
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red; end\n'
    (found,) = pebbles.findings(log)
    assert found.startswith("rule-budget 5 ")
    assert "depends on whether it can be made" in found


def test_what_is_known_of_one_player_is_not_taken_for_another(pebbles: Pebbles) -> None:
    # Whether Ann can move is asked while it is looked for what Bob can do.
    pebbles.change(
        "moves/turns.yaml",
        '{rule: your-turn, that: me == active, else: "it is not your turn"}',
        "{rule: your-turn, that: \"me == active || able(active, 'take')\", else: no}",
    )
    pebbles.change(
        "moves/turns.yaml", "heap.size() == 0 && !over", "!able(players[1], 'take') && !over"
    )
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'
    assert ended(pebbles, log) is False
    assert ended(pebbles, log + "  take red\n") is True
