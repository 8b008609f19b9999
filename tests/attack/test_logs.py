"""Changed logs: `check` and the listing of legal moves agree, and the bench notices where not."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from altay_cli.base.findings import Severity
from altay_cli.checking.check import FileReport, check_text
from altay_cli.match import attempts, judging, statements
from altay_cli.match.match import Match
from altay_cli.moves.listing import Lister, Move
from attack import logs
from attack.logs import Tally, Trial, attack, command, recorded
from attack.operators import OPERATORS, Spot
from attack.scripts import Script, script, simulated
from tests.engine.table import FIRST_TURN, SETUP

SMALL = SETUP + FIRST_TURN + "  play 2 Hunter\n  buy Farmer\n  buy Miner\n"


@cache
def games() -> tuple[Script, ...]:
    """Return a recorded game and a simulated one for each number of players."""
    chosen = [game for game in recorded() if game.name == "trading.agn"]
    return (*chosen, *(next(iter(simulated(players, 1, 5))) for players in (2, 3, 4)))


@cache
def trials() -> list[Trial]:
    return [
        trial for number, game in enumerate(games()) for trial in attack(game, 16, f"ci/{number}")
    ]


def small(line: str) -> Script:
    """Return the small game with only one line to change, behind its heading."""
    return script("small", SETUP + FIRST_TURN + f"  {line}\n")


# ---------------------------------------------------------------- check and listing


def test_check_and_the_listing_agree() -> None:
    assert len(trials()) == 64
    assert [trial for trial in trials() if trial.conflict] == []


def test_a_mistake_is_found_where_it_is_and_brings_few_others() -> None:
    mistakes = [trial for trial in trials() if not trial.legal]
    assert len(mistakes) > 50
    assert sum(trial.on_spot for trial in mistakes) >= 0.95 * len(mistakes)
    assert sum(trial.errors for trial in mistakes) <= 1.4 * len(mistakes)


def test_every_operator_changes_something_somewhere() -> None:
    left = dict(OPERATORS)
    assert len(left) >= 15
    for game in games():
        state = game.game()
        for number, line in enumerate(game.lines):
            spot = Spot(state, game.lines, number)
            for name, operator in list(left.items()):
                changed = operator(spot, Random(number))
                if changed is not None and changed.lines != list(game.lines):
                    same = changed.lines[: changed.number] == list(game.lines[: changed.number])
                    assert same, (name, line)
                    del left[name]
            if not left:
                return
            state.apply(line)
    assert not left


def test_the_same_seed_gives_the_same_changes() -> None:
    game = small("play 2 Hunter")
    assert attack(game, 6, "same") == attack(game, 6, "same")
    assert [trial.operator for trial in attack(game, 6, "same")] != [
        trial.operator for trial in attack(game, 6, "other")
    ]


# ---------------------------------------------------------------- planted disagreements


def conflicts(game: Script, operator: str, changes: int = 4) -> list[str]:
    return [t.conflict for t in attack(game, changes, "planted", [operator]) if t.conflict]


def test_a_move_that_the_listing_leaves_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of two Hunters one can be played as well: `fewer` makes a legal line.
    game = small("play 2 Hunter")
    assert conflicts(game, "fewer") == []
    moves = Lister.moves

    def short(self: Lister) -> list[Move]:
        return [move for move in moves(self) if move.statement != "play Hunter"]

    monkeypatch.setattr(Lister, "moves", short)
    found = conflicts(game, "fewer")
    assert found
    assert all("not listed" in one and "check finds nothing" in one for one in found)


def test_a_rule_that_check_forgets_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # With three Hunters of two in hand, check must say something, as the listing has no such move.
    game = small("play 2 Hunter")
    assert conflicts(game, "more") == []
    monkeypatch.setattr(attempts, "report_breach", lambda *_: None)
    found = conflicts(game, "more")
    assert found
    assert all("check finds nothing" in one for one in found)


def test_a_rule_that_check_invents_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = script("small", SMALL)
    assert conflicts(game, "swapped", 12) == []
    judge = statements.judge_statement

    def strictly(match: Match, said: judging.BoundStatement, *given: Any, **how: Any) -> None:
        judge(match, said, *given, **how)
        statement = said.statement
        before = match.course[-2][1].text if len(match.course) > 1 else ""
        if statement.text == "buy Miner" and before == "play 2 Hunter":
            match.report.add("made-up", Severity.ERROR, "no", statement.span())

    def check(text: str, folder: Path | None = None, **more: bool) -> FileReport:
        with monkeypatch.context() as only_here:
            for module in (statements, judging):
                only_here.setattr(module, "judge_statement", strictly)
            return check_text(text, folder=folder, **more)

    monkeypatch.setattr(logs, "check_text", check)
    found = conflicts(game, "swapped", 12)
    assert found
    assert all("listed, but check says" in one for one in found)


def test_an_error_in_the_wrong_line_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = small("play 2 Hunter")

    def elsewhere(text: str, folder: Path | None = None, **more: bool) -> FileReport:
        return check_text("\n" + text, folder=folder, **more)  # all lines move down by one

    monkeypatch.setattr(logs, "check_text", elsewhere)
    found = conflicts(game, "more")
    assert found
    assert all("but the first error is" in one for one in found)


# ---------------------------------------------------------------- the command


def trial(*, legal: bool, errors: int, conflict: str = "") -> Trial:
    on_spot = errors > 0
    return Trial("more", "g", 3, "a", "b", legal, "", errors, on_spot, "3: no [x]", conflict)


def test_the_table_counts_mistakes_only() -> None:
    tally = Tally([trial(legal=False, errors=3), trial(legal=False, errors=0, conflict="c"),
                   trial(legal=True, errors=1)])  # fmt: skip
    rows = {row[0]: row[1:] for row in tally.rows()}
    assert rows["more"] == ["3", "2", "50.0 %", "1.50", "1"]
    assert rows["all"] == rows["more"]
    assert rows["fewer"] == ["0", "0", "-", "0.00", "0"]


def test_the_command_shows_conflicts_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "recorded", lambda: [small("play 2 Hunter")])
    options = ["--games", "0", "--changes", "5", "--processes", "1"]
    fine = CliRunner().invoke(command, options)
    assert fine.exit_code == 0, fine.output
    assert "conflict:" not in fine.output
    monkeypatch.setattr(logs, "_conflict", lambda *_: "they do not agree")
    broken = CliRunner().invoke(command, options)
    assert broken.exit_code == 1
    assert "they do not agree" in broken.output
