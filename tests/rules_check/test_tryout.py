"""House rules tried out by playing: what games show, and logs that show it to anybody."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.cli.main import main
from altay_cli.compile.load import load_pack
from altay_cli.lint.playtests import Playtests, Traced
from altay_cli.lint.tryout import (
    forbidden_at_any_table,
    intended_halt,
    is_lost,
    place,
    plans,
    play,
    try_out,
)
from altay_cli.simulation.simulated import Playout, PlayPlan
from altay_cli.source.variants import Chains

HEAD = "variant: house\nextends: {game}\ntitle: House\nchange:\n"


def house(folder: Path, game: str, *changes: object) -> Path:
    path = folder / "house.yaml"
    lines = [f"  - {json.dumps(change)}\n" for change in changes]
    path.write_text(HEAD.format(game=game) + "".join(lines), encoding="utf-8")
    return path


def planned(game: str, variants: list[Path]) -> tuple[PlayPlan, PlayPlan | None] | None:
    folder = data_folder("rules") / game
    return plans(folder, variants, Chains(folder, []).read(variants))


def played(folder: Path, game: str, *changes: object, games: int = 1) -> Playtests:
    found = planned(game, [house(folder, game, *changes)])
    assert found is not None
    return play(found[0], games)


def only(folder: Path, game: str, *changes: object, games: int = 1) -> Traced:
    """Return what one game shows, with a log that is legal under the variant."""
    (shown,) = played(folder, game, *changes, games=games).found()
    if shown.log is not None:
        report = check_text(shown.log, folder=folder)
        assert [f.message for f in report.games[0].findings if f.severity == "error"] == []
    return shown


def test_a_turn_that_cannot_be_ended(tmp_path: Path) -> None:
    rich = {"rule": "rich", "that": "me.pool.size() > 9", "else": "poor"}
    end = {"extend": "moves.end.requires", "with": [rich]}
    shown = only(tmp_path, "altay", end)
    assert shown.finding.message == "the game has not ended, but there is no legal move"
    assert shown.finding.help[0].startswith("forbidden there: `end` by `rich`, ")
    assert shown.log is not None
    assert open_game(shown.log, folder=tmp_path).legal_moves() == []


def test_a_decision_whose_answers_are_all_illegal(tmp_path: Path) -> None:
    far = {"rule": "far", "at": "where", "that": "where.settlers[me] > 3", "else": "no"}
    shown = only(tmp_path, "altay", {"extend": "moves.build.requires", "with": [far]})
    assert shown.finding.message.startswith("`build` cannot be answered: no answer of ")
    assert shown.log is not None
    game = open_game(shown.log, folder=tmp_path)
    assert game.state.next_decision is not None
    assert game.legal_moves() == []


def test_each_answer_is_told_with_what_forbids_it(tmp_path: Path) -> None:
    changes = [
        {
            "extend": f"moves.{move}.requires",
            "first": True,
            "with": [{"rule": rule, "that": that, "else": "no"}],
        }
        for move, rule, that in (
            ("build", "late", "round < 4"),
            ("fight", "weak", "me.lost > 9"),
            ("surrender", "proud", "me.lost > 9"),
        )
    ]
    path = house(tmp_path, "altay", *changes)
    folder = data_folder("rules") / "altay"
    found = planned("altay", [path])
    assert found is not None
    every = [one for one in play(found[0], 9).found() if one.finding.rule == "play-stuck"]
    chain = Chains(folder, []).read([path])
    assert {
        shown.about: (*shown.finding.help, place(folder, chain, shown)[1].line) for shown in every
    } == {
        "build": (
            "forbidden there: `build` by `late`, `build-nowhere` by `build-possible`",
            5,
        ),
        "defend": ("forbidden there: `fight` by `weak`, `surrender` by `proud`", 7),
    }


def test_a_free_move_without_end(tmp_path: Path) -> None:
    requires = [{"use": "game-over"}, {"use": "your-turn"}]
    does = [{"set": {"turn.marked": "false"}}]
    change = {"title": "Pass the time", "written": "wait", "requires": requires, "does": does}
    shown = only(
        tmp_path,
        "tictactoe",
        {"add": "zones.turn.marked", "to": {"holds": "bool", "lasts": "turn"}},
        {"extend": "moves.mark.does", "with": [{"set": {"turn.marked": "true"}}]},
        {"add": "moves.wait", "to": change},
        {"set": "status.turn_over", "to": "turn.marked"},
    )
    assert shown.finding.rule == "play-endless"
    assert shown.finding.help == ("it was made 150 times on end",)
    assert shown.log is not None
    assert shown.log.count("wait") == 10
    assert "wait" in [
        move.statement for move in open_game(shown.log, folder=tmp_path).legal_moves()
    ]


def test_of_many_moves_without_end_some_are_told(tmp_path: Path) -> None:
    requires = [{"use": "game-over"}, {"use": "your-turn"}]
    wait = {"title": "Wait", "requires": requires, "does": [{"reset": "turn"}]}
    path = house(
        tmp_path,
        "tictactoe",
        *({"add": f"moves.wait{n}", "to": {**wait, "written": f"wait{n}"}} for n in range(30)),
        {"set": "status.turn_over", "to": "false"},
    )
    found = planned("tictactoe", [path])
    assert found is not None
    assert len(play(found[0], 1).endless) == 20


def test_moves_that_lead_back_to_where_they_began(tmp_path: Path) -> None:
    sunny = {"rule": "sunny", "that": "!turn.wet", "else": "no"}
    rainy = {"rule": "rainy", "that": "turn.wet", "else": "no"}
    shown = only(
        tmp_path,
        "altay",
        {"add": "zones.turn.wet", "to": {"holds": "bool", "lasts": "turn"}},
        {"add": "moves.rain", "to": weather("rain", sunny, "true")},
        {"add": "moves.shine", "to": weather("shine", rainy, "false")},
    )
    assert shown.finding.rule == "play-endless"
    assert shown.finding.message.startswith("`rain`, `shine` can be made again and again")
    assert shown.finding.help == ("afterwards the game is in the same state as before",)
    assert shown.log is not None
    assert shown.log.count("rain") >= 1


def weather(word: str, rule: dict[str, str], after: str) -> dict[str, object]:
    does = [{"set": {"turn.wet": after}}]
    return {"title": word, "written": word, "requires": [rule], "does": does}


def test_a_trigger_whose_condition_stays(tmp_path: Path) -> None:
    rain = {"title": "Rain", "when": "round > 0 && round < 99", "does": [{"add": {"bank": 1}}]}
    shown = only(tmp_path, "altay", {"add": "triggers.rain", "to": rain})
    assert shown.finding.message == "`rain` happens again and again: its condition stays true"
    assert shown.log is not None


def test_points_that_should_be_impossible(tmp_path: Path) -> None:
    change = {"set": "scoring.categories.books_laid.possible.most", "to": "3"}
    (found,) = played(tmp_path, "gofish", change, games=1).found()
    assert found.rule == "play-points"
    assert found.message.endswith("in `books_laid`, which `possible` excludes: there are 13 books")
    assert '[Game "gofish"]' in found.log


def test_what_fails_though_it_is_legal(tmp_path: Path) -> None:
    does = [{"set": {"round": "1 / (round - 1)"}}]
    change = {"extend": "moves.mark.does", "with": does}
    every = list(played(tmp_path, "tictactoe", change, games=1).found())
    assert [one.finding.rule for one in every] == ["play-failure"]
    log = every[0].log
    assert log is not None
    rules = [finding.rule for finding in check_text(log, folder=tmp_path).games[0].findings]
    assert rules == ["rule-failure"]


def test_a_heap_from_which_nobody_can_take_any_more(tmp_path: Path) -> None:
    calm = {"rule": "calm", "that": "heap != heaps.c", "else": "never"}
    last = {"when": "active != null && heaps.all(h, h == heaps.c || h.size == 0)", "by": "the end"}
    changes = {"extend": "moves.take.requires", "with": [calm]}, {"set": "outcome", "to": [last]}
    found = planned("nim", [house(tmp_path, "nim", *changes)])
    assert found is not None
    (shown,) = try_out(*found, 20, inf).found
    assert shown.finding.message == "`take` was never legal with C in 20 games: `calm` forbids it"
    assert shown.log is not None
    assert [f.rule for f in check_text(shown.log, folder=tmp_path).games[0].findings] == []


def test_each_thing_is_told_with_the_rule_that_forbids_it(tmp_path: Path) -> None:
    rules = [
        {"rule": "calm", "that": "heap != heaps.a", "else": "never"},
        {"rule": "quiet", "that": "heap != heaps.b", "else": "never"},
        {"rule": "slow", "that": "number == 1", "else": "one at a time"},
    ]
    last = [{"when": "active != null && heaps.c.size == 0", "by": "the end"}]
    changes = {"extend": "moves.take.requires", "with": rules}, {"set": "outcome", "to": last}
    found = planned("nim", [house(tmp_path, "nim", *changes)])
    assert found is not None
    report = try_out(*found, 20, inf)
    assert sorted(report.lost) == [
        "`take` with A was legal before and is not any more: `calm` forbids it",
        "`take` with B was legal before and is not any more: `quiet` forbids it",
    ]


@pytest.mark.parametrize("games", [20, 11])
def test_one_seat_always_wins(games: int, tmp_path: Path) -> None:
    first = {"when": "round > 1", "winners": "[players[1]]", "by": "having waited"}
    path = house(tmp_path, "tictactoe", {"set": "outcome", "to": [first]})
    found = planned("tictactoe", [path])
    assert found is not None
    (shown,) = [t for t in try_out(*found, games, inf).found if t.finding.rule == "play-seat"]
    assert shown.finding.message == f"the player of seat 2 won {games} of {games} games"
    assert shown.log is not None
    (game,) = check_text(shown.log, folder=tmp_path).games
    assert [f.message for f in game.findings if f.severity == "error"] == []
    assert game.standing is not None
    assert game.standing.winners == ("Bob",)


def test_what_variants_bring_is_counted(tmp_path: Path) -> None:
    same = [{"set": {"round": "round"}}]
    wide = {"rule": "wide", "that": "round < 100", "else": "no"}
    late = {"rule": "late", "that": "round > 100", "else": "no"}
    shout = {"title": "Shout", "written": "shout", "requires": [late], "does": same}
    sing = {"title": "Sing", "written": "sing", "requires": [wide], "does": same}
    changes = {"add": "moves.shout", "to": shout}, {"add": "moves.sing", "to": sing}
    found = planned("tictactoe", [house(tmp_path, "tictactoe", *changes)])
    assert found is not None
    report = try_out(*found, 20, inf)
    messages = [shown.finding.message for shown in report.found]
    assert "`shout` was never legal in 60 games: `late` never held" in messages
    assert report.gained == ("`sing` was never legal before and now is",)
    assert [rule for rule, _ in report.unbroken] == ["wide"]


def test_what_a_shipped_variant_changes_is_no_matter_of_those_above_it(tmp_path: Path) -> None:
    path = house(tmp_path, "duel-map", {"set": "title", "to": "Another"})
    found = planned("altay", [path])
    assert found is not None
    assert found[1].tags == (("Variant", "duel-map"),)


@pytest.mark.parametrize("game", ["tictactoe", "connectfour", "nim"])
def test_nothing_is_said_where_nothing_changes(game: str, tmp_path: Path) -> None:
    path = house(tmp_path, game, {"set": "title", "to": "Another"})
    found = planned(game, [path])
    assert found is not None
    report = try_out(*found, 20, inf)
    assert (report.found, report.lost, report.gained) == ((), (), ())
    # More games could add nothing.
    assert 8 <= len(report.after.outcomes) < 20


def test_the_command_writes_games_that_show_it(tmp_path: Path) -> None:
    does = [{"set": {"round": "1 / (round - 1)"}}]
    path = house(tmp_path, "tictactoe", {"extend": "moves.mark.does", "with": does})
    arguments = ["rules", "check", str(path), "--play", "2", "--traces", str(tmp_path / "traces")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "house.yaml:5:" in result.output
    assert "`mark` is legal, but its effects fail" in result.output
    assert sorted(p.name for p in (tmp_path / "traces").iterdir()) == [
        "house.yaml", "play-failure-1.agn",
    ]  # fmt: skip


RICH = {"rule": "rich", "that": "me.pool.size() > 9", "else": "poor"}
CALM = {"rule": "calm", "that": "heap.id != 'c'", "else": "never"}
LAST = {"when": "active != null && heaps.all(h, h == heaps.c || h.size == 0)", "by": "the end"}
WAIT = {
    "title": "Wait",
    "written": "wait",
    "requires": [{"use": "game-over"}, {"use": "your-turn"}],
    "does": [{"set": {"turn.marked": "false"}}],
}
RAIN = {"title": "Rain", "when": "round > 0 && round < 99", "does": [{"add": {"bank": 1}}]}
WAITED = {"when": "round > 1", "winners": "[players[1]]", "by": "having waited"}

# The rows of the table in docs/house-rules.md that a game can show: what is told, and the changes.
SHOWN: dict[str, tuple[str, str, list[object]]] = {
    "no-legal-move": (
        "altay", "play-stuck", [{"extend": "moves.end.requires", "with": [RICH]}],
    ),
    "no-answer": (
        "altay", "play-stuck", [{"extend": "moves.build.requires", "with": [RICH]}],
    ),
    "free-move": (
        "tictactoe",
        "play-endless",
        [
            {"add": "zones.turn.marked", "to": {"holds": "bool", "lasts": "turn"}},
            {"extend": "moves.mark.does", "with": [{"set": {"turn.marked": "true"}}]},
            {"add": "moves.wait", "to": WAIT},
            {"set": "status.turn_over", "to": "turn.marked"},
        ],
    ),
    "trigger": ("altay", "play-trigger", [{"add": "triggers.rain", "to": RAIN}]),
    "never-legal-with": (
        "nim",
        "play-never",
        [{"extend": "moves.take.requires", "with": [CALM]}, {"set": "outcome", "to": [LAST]}],
    ),
    "seat": ("tictactoe", "play-seat", [{"set": "outcome", "to": [WAITED]}]),
}  # fmt: skip


@pytest.mark.parametrize("row", SHOWN)
def test_the_trace_of_each_row_is_accepted_by_the_command(row: str, tmp_path: Path) -> None:
    game, rule, changes = SHOWN[row]
    path = house(tmp_path, game, *changes)
    games = "1" if game == "altay" else "20"
    traces = tmp_path / "traces"
    found = ["rules", "check", str(path), "--play", games, "--traces", str(traces)]
    assert f"[{rule}]" in CliRunner().invoke(main, found).output
    logs = sorted(traces.glob(f"{rule}-*.agn"))
    assert logs != []
    checked = CliRunner().invoke(main, ["check", *map(str, logs)])
    assert (checked.exit_code, "error" in checked.output) == (0, False), checked.output


def test_the_command_says_how_games_went(tmp_path: Path) -> None:
    path = house(tmp_path, "tictactoe", {"set": "title", "to": "Another"})
    result = CliRunner().invoke(main, ["rules", "check", str(path), "--play", "5"])
    assert result.exit_code == 0
    assert "Played: 4 games of 2 players" in result.output or "Played: 5 games" in result.output
    form = CliRunner().invoke(
        main, ["rules", "check", str(path), "--play", "5", "--format", "json"]
    )
    (entry,) = json.loads(form.output)["files"]
    assert entry["played"]["players"] == 2


@pytest.mark.parametrize(("round_", "missed"), [(2, True), (10, False)])
def test_what_comes_late_is_not_missed_in_games_that_are_over_soon(
    round_: int, missed: bool
) -> None:
    key = ("fly", "", "")
    before, after = (
        Playtests([Playout(n, True, "", rounds) for n in range(1, 21)]) for rounds in (16, 4)
    )
    before.legal[key] = dict.fromkeys(range(1, 21), round_)
    assert is_lost(key, before, after) is missed


@pytest.mark.parametrize(("games", "missed"), [(8, False), (10, True)])
def test_what_can_hardly_be_an_accident_is_missed(games: int, missed: bool) -> None:
    """What is legal in 8 of 21 games is missed in 20 by one chance in 15,000; 10, in 400,000."""
    key = ("fly", "", "")
    before, after = (Playtests([Playout(n, True, "", 10) for n in range(1, 21)]) for _ in range(2))
    before.legal[key] = dict.fromkeys(range(1, games + 1), 2)
    assert is_lost(key, before, after) is missed


@pytest.mark.parametrize(
    ("decision", "ended", "is_note"), [("build", 5, True), ("build", 3, False), ("tax", 5, False)]
)
def test_a_decision_of_the_game_that_few_games_cannot_answer_is_a_note(
    decision: str, ended: int, is_note: bool
) -> None:
    after = Playtests([Playout(number, number <= ended, "") for number in range(1, 9)])
    forbidden = ("too-cold", "build-possible")
    halt = Traced("play-stuck", "", about=decision, forbidden_by=forbidden)
    shown = intended_halt(halt, load_pack("altay"), after)
    assert shown.is_note is is_note
    advice = "let `build-possible` allow for `too-cold`, or add another answer"
    assert shown.help == (("5 of 8 games ended all the same", advice) if is_note else ())


@pytest.mark.parametrize(("most", "is_forbidden"), [(5, False), (6, True)])
def test_what_more_players_can_do_is_not_forbidden(
    most: int, is_forbidden: bool, tmp_path: Path
) -> None:
    crowd = {"rule": "crowd", "that": f"players.size() > {most}", "else": "no"}
    found = planned(
        "gofish", [house(tmp_path, "gofish", {"extend": "moves.ask.requires", "with": [crowd]})]
    )
    assert found is not None
    forbidden = {("ask", "crowd"): [("ask", "", "")]}
    left = forbidden_at_any_table(forbidden, found[0], load_pack("gofish"))
    assert left == (forbidden if is_forbidden else {})
