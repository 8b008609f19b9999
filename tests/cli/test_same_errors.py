"""`check`, `replay`, `log`, `show`, `board` and `moves` find the same errors in the same log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.errors import GameError
from altay_cli.checking.opening import open_game
from altay_cli.notation.tree import GameRecord
from altay_cli.pack.model import Pack
from altay_cli.repair.play import play
from altay_cli.view.watching import watch_text

TESTS = Path(__file__).parents[1]
SETUP = (TESTS / "written" / "setup.agn").read_text(encoding="utf-8")
GAME = (TESTS.parent / "games" / "two-players.agn").read_text(encoding="utf-8")
BEGINNING = GAME[: GAME.index("turn 4 ")]

CORPUS = {
    "a misspelled word": SETUP.replace("  play Village\n", "  plai Village\n"),
    "a plural": SETUP.replace("play 2 Hunter", "play 2 Hunters"),
    "a statement in two lines": SETUP.replace("Bob\n  play Hunter", "Bob\n  play Shaman").replace(
        "  end => 2 W", "  end\n  draws 2 W"
    ),
    "a purchase left out": BEGINNING.replace("  buy Miner\n", "", 1),
    "a marker left out": BEGINNING.replace("  marker 2 stone on F2\n", ""),
    "another territory": BEGINNING.replace("build H6", "build F5"),
    "a wrong heading": BEGINNING.replace("turn 2 Jonas", "turn 3 Jonas"),
    "a heading left out": BEGINNING.replace("turn 2 Jonas\n", ""),
    "a wrong claim": SETUP.replace("score 2", "score 7"),
    "nobody at the table": SETUP.replace("  seat Ann as Firefolk\n  seat Bob as Elvenfolk\n", ""),
    "an unknown tag": SETUP.replace('[Date "2026', '[Dote "2026'),
    **{
        path.stem: path.read_text(encoding="utf-8")
        for path in sorted((TESTS / "findings").glob("*.agn"))
    },
}


def errors(findings: Iterator[Finding]) -> list[Finding]:
    return [one for one in findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize("log", CORPUS.values(), ids=CORPUS.keys())
def test_the_same_errors(log: str) -> None:
    folder = TESTS / "findings"
    checked = [errors(iter(game.findings)) for game in check_text(log, folder=folder).games]
    watched, _ = watch_text(log, folder=folder)
    assert [errors(iter(game.findings)) for game in watched.games] == checked
    for number, told in enumerate(checked, 1):
        try:
            game = open_game(log, game=number, folder=folder)
        except GameError:
            assert told  # `check` says why there is nothing to show
            continue
        # What is claimed in the end is wrong behind the last move.
        assert errors(iter(game.findings)) == [one for one in told if one.span.line < result(log)]


def result(log: str) -> int:
    """Return the line in which the result of a log begins."""
    lines = log.split("\n")
    return lines.index("result") + 1 if "result" in lines else len(lines)


def test_of_one_game_of_several_and_only_that_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = ("a misspelled word", "a purchase left out", "a wrong heading")
    logs = [CORPUS[slip].rstrip() for slip in slips]
    text = "\n\n".join(logs)
    checked = [errors(iter(game.findings)) for game in check_text(text).games]
    assert all(checked)
    for number, told in enumerate(checked, 1):
        report, watched = watch_text(text, only=number)
        assert [errors(iter(game.findings)) for game in report.games] == [told]
        assert len(watched) == 1
        assert errors(iter(open_game(text, game=number).findings)) == told
    assert watch_text(text, only=4)[1] == []

    judged: list[int] = []

    def play_and_note(pack: Pack, options: Any, record: GameRecord, *rest: Any, **how: Any) -> Any:
        judged.append(record.span.line)
        return play(pack, options, record, *rest, **how)

    monkeypatch.setattr("altay_cli.checking.check.play", play_and_note)
    open_game(text, game=2)
    assert len(set(judged)) == 1  # the others would only take their time


def test_of_a_point_those_before_it() -> None:
    """What is meant by a line is played, though it is written otherwise."""
    log = SETUP.replace("  play Village\n", "  plays Village\n").replace("buy Farmer", "buy Ark")
    line = log.split("\n").index("  buy Ark") + 1
    before, behind = open_game(log, f"{line}"), open_game(log, f"{line + 1}")
    assert [one.rule for one in before.findings] == ["badly-written"]
    assert [one.rule for one in errors(iter(behind.findings))] == ["unknown-card"]
    # The Village lies on the table, so that it can be given food.
    played = log.split("\n").index("  plays Village") + 1
    assert "place 2 food on Village" in {
        move.statement for move in open_game(log, f"{played + 1}").legal_moves()
    }


def test_a_list_that_goes_on_in_the_next_line_moves_no_finding_up() -> None:
    """What stood behind it was told a line too early."""
    log = CORPUS["a statement in two lines"]
    found = errors(iter(check_text(log).games[0].findings))
    assert [(log.split("\n")[one.span.line - 1], one.rule) for one in found] == [
        ("  play Shaman", "in-hand")
    ]
