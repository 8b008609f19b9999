"""A variant can give a game any section that it lacks: a win at once, teams, decisions, scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.findings import Severity
from altay_cli.base.resources import pack_folder
from altay_cli.checking.check import GameReport, check_text
from altay_cli.compile.building import read_tree
from altay_cli.lint.examine import Examiner
from tests.cli.sample import document

NAMES = "{en: North, de: Norden, ja: 北}"
TWO_SIDES = """\
  - {set: players, to: {least: 4, most: 4, rule: seat-count}}
  - {add: kinds.side, to: {plural: sides, title: side}}
  - {add: entities.side, to: {north: {}, south: {}}}
  - {add: names.en.side, to: {north: North, south: South}}
  - {add: names.de.side, to: {north: Norden, south: Süden}}
  - {add: names.ja.side, to: {north: 北, south: 南}}
  - {set: teams, to: "me == players[0] || me == players[2] ? sides.north : sides.south"}
"""
ZONE = "{add: zones.middle, to: {holds: bool}}"
TICTACTOE = {
    "triggers": "{add: triggers.taken, to: {title: The middle is taken, when: '!middle && squares.b2.mark != null', does: [{set: {middle: 'true'}}]}}",
    "procedures": "{add: procedures.take, to: {title: Take it, takes: {p: player}, does: [{set: {middle: 'p == players[0]'}}]}}",
    "decisions": "{add: decisions.choose, to: {title: Choose, rule: choose-due, else: '{who} chooses', wrong: {rule: choose-player, else: '{who} chooses'}}}",
    "options": "{add: options.size, to: {title: How big, tag: Size, values: [small, large], default: small}}",
    "rulings": "{add: rulings.edge, to: {title: Does the edge count?, default: 'yes', choices: ['yes', 'no'], reason: It is nicer.}}",
    "measures": "{add: measures.marks, to: {title: Marks, moves: {mark: square}}}",
    "categories": "{add: categories.marks, to: {title: Marks, parts: [{points: 'squares.filter(s, s.mark == me).size()', show: marks}]}}",
    "assumptions": "{add: assumptions.middle, to: {title: The middle, each: {p: players}, one_of: {n: '[true]'}, show: '{n}', does: [{set: {middle: 'true'}}]}}",
    "groups": "{add: groups.Marking, to: [moves.mark]}",
    "ranking": "{extend: ranking, with: ['squares.filter(s, s.mark == me).size()']}",
    "repeats": "{extend: repeats, with: [mark]}",
    "names": "{add: names.en.square.b2, to: [middle, b2]}",
    "authors": "{set: authors, to: [Ann]}",
}  # fmt: skip


def variant(folder: Path, game: str, changes: str, name: str = "own") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(f"variant: {name}\nextends: {game}\ntitle: Ours\nchange:\n{changes}\n", "utf-8")
    return path


@pytest.mark.parametrize("section", TICTACTOE)
def test_each_section_that_a_small_game_lacks(section: str, tmp_path: Path) -> None:
    folder = pack_folder("tictactoe")
    assert section not in read_tree(folder, ()).data
    path = variant(tmp_path, "tictactoe", f"  - {ZONE}\n  - {TICTACTOE[section]}")
    tree = read_tree(folder, (path,))
    assert [str(problem) for problem in tree.problems] == []
    assert tree.data[section]
    wrong = {problem.rule for problem in Examiner(folder).examine((path,))}
    assert wrong <= {
        "choice-empty",
        "zone-never-filled",
        *(f"unused-{word}" for word in ("zone", "procedure", "option", "ruling", "decision")),
    }


def test_a_name_that_is_no_section(tmp_path: Path) -> None:
    changes = "  - {add: outcom, to: []}\n  - {set: frame, to: turns}\n  - {add: measures.wins.title, to: Wins}"
    tree = read_tree(pack_folder("altay"), (variant(tmp_path, "altay", changes),))
    assert [(p.rule, p.message, "".join(p.help)[:22]) for p in tree.problems] == [
        ("patch-hits-nothing", "there is no `outcom` in the rules", "did you mean `outcome`"),
        ("patch-hits-nothing", "there is no `frame` in the rules", ""),
        ("patch-hits-nothing", "there is no `wins` in measures", "there is: faction, bou"),
    ]


def test_what_is_new_in_a_list(tmp_path: Path) -> None:
    changes = "  - {add: moves.buy.requires.haggling, to: {rule: haggling, that: 1 < 2, else: no}}"
    (problem,) = read_tree(pack_folder("altay"), (variant(tmp_path, "altay", changes),)).problems
    assert problem.rule == "patch-hits-nothing"
    extend = "{extend: moves.buy.requires, with: [...]}"
    assert problem.help[-1] == f"a list gets something new by `{extend}`"


# ---------------------------------------------------------------- played

SEATS = """\
[Game "altay"]
[Variant "own.yaml"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter, Warrior, Village, Shaman
  Ann: settlements 2 F2
  Bob: settlements F6
"""
TURN = SEATS + "turn 3 Ann\n  play 2 Hunter\n  buy Farmer\n"


def judged(folder: Path, log: str) -> GameReport:
    (report,) = check_text(log, folder=folder).games
    return report


def told(report: GameReport) -> list[tuple[str, int]]:
    errors = [f for f in report.findings if f.severity is Severity.ERROR]
    return [(found.rule, found.span.line) for found in errors]


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """Whoever is the first to own a Farmer wins at once."""
    changes = """\
  - add: outcome
    to:
      - when: "players.exists(p, cards.farmer in owned(p))"
        winners: "players.filter(p, cards.farmer in owned(p))"
        by: a farm"""
    variant(tmp_path, "altay", changes)
    return tmp_path


def test_a_victory_at_once(farm: Path) -> None:
    assert told(judged(farm, TURN + "result\n  winner Ann\n")) == []
    standing = judged(farm, TURN).standing
    assert standing is not None
    assert (standing.winners, standing.decided_by) == (("Ann",), "outcome")
    assert told(judged(farm, TURN + "result\n  winner Bob\n")) == [("claim-winner", 13)]


def test_nothing_is_played_after_a_victory_at_once(farm: Path) -> None:
    assert told(judged(farm, TURN + "  play Shaman\n")) == [("turn-running", 12)]
    assert told(judged(farm, TURN + "  end\n")) == [("turn-running", 12)]
    assert told(judged(farm, TURN + "turn 3 Bob\n  play Hunter\n")) == [("game-over", 12)]
    # Without the variant the game goes on.
    own = TURN.replace('[Variant "own.yaml"]\n', "")
    assert told(judged(farm, own + "  play Shaman\n")) == []


def test_a_game_that_all_win_or_lose(tmp_path: Path) -> None:
    changes = """\
  - set: outcome
    to:
      - {when: "over && players.map(p, score(p)).sum() >= 2", winners: players, by: two points together}
      - {when: over, losers: players, by: less than two points together}"""
    variant(tmp_path, "altay", changes)
    # Bob has no settlement any more: this round is the last one. A territory is a point.
    end = "turn 3 Ann\n  end\nturn 3 Bob\n  end\nresult\n"
    poor = SEATS.replace("  Bob: settlements F6\n", "") + end
    assert told(judged(tmp_path, poor + "  loser Ann, Bob\n")) == []
    assert told(judged(tmp_path, poor + "  winner Ann\n")) == [("claim-winner", 13)]
    rich = poor.replace("settlements 2 F2", "settlements F2, W1")
    assert told(judged(tmp_path, rich + "  winner Ann, Bob\n")) == []


def test_teams_and_a_ranking(tmp_path: Path) -> None:
    variant(tmp_path, "altay", TWO_SIDES + '  - {add: ranking, to: ["-score(me)"]}')
    log = """\
[Game "altay"]
[Variant "own.yaml"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Cid: faction Earthfolk
  Dan: faction Smallfolk
  Ann: settlements F2
  Bob: settlements F6
  Cid: settlements W1
  Dan: discard Chariot(2)
"""
    standing = judged(tmp_path, log).standing
    assert standing is not None
    # North: 1 + 1. South: 1 and the 2 of the card. The fewest points win.
    assert [(t.name, t.players, t.total) for t in standing.teams] == [
        ("North", ("Ann", "Cid"), 2),
        ("South", ("Bob", "Dan"), 3),
    ]
    assert standing.winners == ("Ann", "Cid")


def test_a_position_that_comes_again(tmp_path: Path) -> None:
    changes = """\
  - {set: repeats, to: [next]}
  - {add: outcome, to: [{when: "repeats >= 2", by: a position that came again}]}"""
    variant(tmp_path, "altay", changes)
    # Ann is the next one when her turn begins, and again behind that of Bob.
    log = SEATS + "turn 3 Ann\n  end\nturn 3 Bob\n  end\n"
    assert told(judged(tmp_path, log)) == []
    assert told(judged(tmp_path, log + "turn 4 Ann\n  play Hunter\n")) == [("game-over", 13)]


def test_such_games_are_played_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = "players.filter(p, held(p).size() >= 2)"
    end = f"{{when: '{wide}.size() > 0', winners: '{wide}', by: two territories}}"
    variant(tmp_path, "altay", f"  - {{add: outcome, to: [{end}]}}")
    monkeypatch.chdir(tmp_path)
    short = ("--games", "1", "--seed", "3", "--processes", "1")
    (run,) = document("simulate", "--variant", "own.yaml", *short)["runs"]
    assert [run["over"], run["endings"][0]["reason"]] == [1, "two territories"]
