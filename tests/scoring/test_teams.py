"""Teams, games that all lose together, and games with a target: judged, printed and documented."""

from __future__ import annotations

import json

import pytest

from tests.small import Pebbles

SIDES = """\
kinds:
  side: {plural: sides, title: side}
"""

LOG = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob; seat Cid; seat Dan
turn 1 Ann
  take red; end
turn 2 Bob
  take red; end
turn 3 Cid
  take grey; end
turn 4 Dan
  take red; end
turn 5 Ann
  take grey; end
"""
# Ann: 2 - 3 = -1, Bob 2, Cid -3, Dan 2. Ann and Cid together: -4; Bob and Dan: 4.


@pytest.fixture
def teams(pebbles: Pebbles) -> Pebbles:
    """Four players: the first and the third against the others."""
    pebbles.change("game.yaml", "players: {least: 2, most: 2}", "players: {least: 1, most: 4}")
    pebbles.change("game.yaml", "kinds:\n", SIDES)
    pebbles.add("board.yaml", "side:\n  north: {}\n  south: {}\n")
    pebbles.change("names/en.yaml", "names: {", "names: {side: {north: North, south: South}, ")
    pebbles.add(
        "scoring.yaml",
        'teams: "players[0] == me || players.size() > 2 && players[2] == me ? sides.north : sides.south"\n',
    )
    assert pebbles.problems() == []
    return pebbles


def claimed(pebbles: Pebbles, *claims: str, log: str = LOG) -> list[str]:
    text = log + "result\n" + "".join(f"  {claim}\n" for claim in claims)
    return [found.partition(" ")[2].partition(" ")[2] for found in pebbles.findings(text)]


def test_teams_win_together_by_their_sum(teams: Pebbles) -> None:
    standing = teams.judge(LOG).standing
    assert standing is not None
    assert [(t.name, t.players, t.total) for t in standing.teams] == [
        ("North", ("Ann", "Cid"), -4),
        ("South", ("Bob", "Dan"), 4),
    ]
    assert standing.ranking == (("Bob", "Dan"), ("Ann", "Cid"))
    assert standing.winners == ("Bob", "Dan")
    assert (standing.decided_by, standing.sides) == ("total", 1)


def test_teams_are_claimed_by_their_names_or_their_players(teams: Pebbles) -> None:
    assert claimed(teams, "South: score 4", "winner South", "Ann: score -1", "loser Ann, Cid") == []
    assert claimed(teams, "winner Dan, Bob") == []
    assert claimed(teams, "winner Bob", "North: score 1") == [
        "claimed winner: Bob; computed: Bob, Dan",
        "North: score 1 is claimed, -4 is computed",
    ]


def test_teams_are_printed(teams: Pebbles) -> None:
    path = teams.folder.parent / "log.agn"
    path.write_text(LOG, encoding="utf-8")
    told = teams.run("score", str(path)).stdout
    assert "Team North (Ann and Cid): -4\nTeam South (Bob and Dan): 4\n" in told
    assert "Winner: Bob and Dan" in told
    (game,) = json.loads(teams.run("score", str(path), "--format", "json").stdout)["files"][0][
        "games"
    ]
    assert game["teams"] == [
        {"name": "North", "players": ["Ann", "Cid"], "total": -4},
        {"name": "South", "players": ["Bob", "Dan"], "total": 4},
    ]


def test_teams_are_ranked_by_sums_and_tie_as_teams(teams: Pebbles) -> None:
    teams.add("scoring.yaml", "ranking: [me.pouch.size(), -me.debt]\n")
    standing = teams.judge(LOG).standing
    assert standing is not None
    # Three stones to two.
    assert standing.winners == ("Ann", "Cid")
    assert standing.decided_by == "total"
    two = LOG.rpartition("turn 5")[0]
    standing = teams.judge(two).standing
    assert standing is not None
    assert (standing.winners, standing.decided_by) == (("Ann", "Cid", "Bob", "Dan"), "shared")
    assert standing.sides == 2


def test_an_outcome_of_one_is_that_of_the_team(teams: Pebbles) -> None:
    end = "outcome:\n  - {when: round > 0 && heap.size() == 0, winners: '[players[0]]', by: the last stone}\n"
    teams.add("scoring.yaml", end)
    standing = teams.judge(LOG).standing
    assert standing is not None
    assert (standing.winners, standing.decided_by) == (("Ann", "Cid"), "outcome")


LOST = """\
outcome:
  - when: round > 0 && heap.size() == 0 && score(players[0]) < 1
    losers: players
    by: "{score(players[0])} of 1 points"
  - {when: round > 0 && heap.size() == 0, winners: players, by: enough points}
"""


@pytest.mark.parametrize("seats", ["Ann; seat Bob", "Ann"])
def test_all_lose_together_or_alone_where_a_target_is_missed(pebbles: Pebbles, seats: str) -> None:
    pebbles.change("game.yaml", "least: 2, most: 2", "least: 1, most: 2")
    pebbles.add("scoring.yaml", LOST)
    assert pebbles.problems() == []
    names = seats.split("; seat ")
    turns = zip(range(1, 6), names * 5, ["grey", "grey", "red", "red", "red"], strict=False)
    log = f'[Game "pebbles"]\nsetup\n  seat {seats}\n' + "".join(
        f"turn {n} {who}\n  take {stone}; end\n" for n, who, stone in turns
    )
    standing = pebbles.judge(log).standing
    assert standing is not None
    # Alone, Ann has 6 - 6 = 0. Of two, Ann has the first, third and fifth stone: -3 + 2 + 2 = 1.
    lost = len(names) == 1
    assert (standing.winners, standing.losers) == (((), ("Ann",)) if lost else (("Ann", "Bob"), ()))
    if lost:
        assert claimed(pebbles, "Ann: score 0", "loser Ann", log=log) == []
        assert claimed(pebbles, "draw", log=log) == [
            "claimed: a draw; computed: a defeat of Ann (0 of 1 points)"
        ]
        path = pebbles.folder.parent / "log.agn"
        path.write_text(log, encoding="utf-8")
        assert "Defeat: Ann (0 of 1 points)" in pebbles.run("score", str(path)).stdout
        told = json.loads(pebbles.run("score", str(path), "--format", "json").stdout)
        (game,) = told["files"][0]["games"]
        assert (game["winners"], game["losers"], game["by"]) == ([], ["Ann"], "0 of 1 points")


def test_who_does_not_lose_wins(pebbles: Pebbles) -> None:
    end = "outcome:\n  - {when: heap.size() < 5, losers: '[players[0]]', by: taking a stone}\n"
    pebbles.add("scoring.yaml", end)
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red; end\n'
    standing = pebbles.judge(log).standing
    assert standing is not None
    assert (standing.winners, standing.losers) == (("Bob",), ("Ann",))


def test_what_is_lost_is_simulated_and_its_logs_are_right(pebbles: Pebbles) -> None:
    pebbles.add("scoring.yaml", LOST.replace("< 1", "< 100"))
    out = pebbles.folder.parent / "out"
    done = pebbles.simulate("--out", str(out))
    assert "of 1 points" in done.stdout
    assert "The end, regardless of points      3  100.0 %" in done.stdout
    assert "The most points" not in done.stdout
    logs = sorted(out.rglob("*.agn"))
    assert logs
    assert all("  loser " in log.read_text(encoding="utf-8") for log in logs)
    assert pebbles.run("check", *map(str, logs)).exit_code == 0


def test_points_that_ask_whether_the_game_has_ended_do_not_end_it(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "points: s.worth", "points: 'ended() ? s.worth : 0'")
    assert pebbles.problems() == []
    pebbles.add("scoring.yaml", LOST)
    assert [mark[0] for mark in pebbles.marked()] == ["endless"]
