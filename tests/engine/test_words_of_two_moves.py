"""A word that is an action and an answer: what is due decides, and never the order of files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from altay_cli.base import resources
from altay_cli.base.findings import UnrecordedError
from altay_cli.checking import tags
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.opening import open_game
from altay_cli.match import attempts
from altay_cli.match.decisions import PendingDecision
from altay_cli.match.match import Match
from altay_cli.match.readings import Reading
from tests.small import Pebbles

ROOT = Path(__file__).parents[2]

# `borrow` is what the player whose turn it is can do (1 of debt), and an answer to `offer` (10).
ACTION = """\
moves:
  borrow:
    title: Borrow
    written: borrow
    requires:
      - {rule: your-turn-to-borrow, that: me == active, else: "it is not your turn"}
    does: [{add: {me.debt: 1}}]
  offer:
    title: Offer a loan
    written: offer
    requires: [{rule: your-turn-to-offer, that: me == active, else: "it is not your turn"}]
    does: [{ask: {loan: {who: players.after(me)}}}]
"""
ANSWER = """\
moves:
  accept:
    title: Accept a loan
    written: borrow
    answers: loan
    unasked: {rule: loan-unasked, else: "nobody has offered a loan"}
    does: [{add: {me.debt: 10}}]
  decline:
    title: Decline a loan
    written: decline
    answers: loan
    unasked: {rule: loan-unasked, else: "nobody has offered a loan"}
decisions:
  loan:
    title: A loan that was offered is accepted or declined
    rule: loan-due
    else: "{who} answers first"
    wrong: {rule: loan-player, else: "{who} answers, not {actor}"}
"""
HEAD = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'


@pytest.fixture(params=[("a.yaml", "z.yaml"), ("z.yaml", "a.yaml")], ids=["action", "answer"])
def loans(request: pytest.FixtureRequest, pebbles: Pebbles) -> Pebbles:
    """Lay the two moves into files of either order."""
    action, answer = request.param
    pebbles.write(f"moves/{action}", ACTION)
    pebbles.write(f"moves/{answer}", ANSWER)
    return pebbles


def told(game: GameReport) -> tuple[list[str], list[int]]:
    """Return the errors, and the debts of Ann and Bob."""
    assert game.standing is not None
    debts = [-player.categories[1].points for player in game.standing.players]
    return [found.rule for found in game.findings], debts


def test_the_rules_are_sound(loans: Pebbles) -> None:
    assert loans.problems() == []


def test_where_nothing_is_due_it_is_an_action(loans: Pebbles) -> None:
    assert told(loans.judge(HEAD + "borrow; take red; end\n")) == ([], [1, 0])
    assert told(loans.judge(HEAD + "Bob: borrow; take red; end\n"))[0] == ["your-turn-to-borrow"]


def test_where_it_is_due_it_is_the_answer(loans: Pebbles) -> None:
    assert told(loans.judge(HEAD + "offer; Bob: borrow; take red; end\n")) == ([], [0, 10])
    # Nobody is named, and only Bob can be meant.
    assert told(loans.judge(HEAD + "offer; borrow; take red; end\n")) == ([], [0, 10])


def test_the_answer_of_the_wrong_player(loans: Pebbles) -> None:
    rules, debts = told(loans.judge(HEAD + "offer; Ann: borrow; take red; end\n"))
    assert (rules, debts) == (["loan-player"], [0, 10])


def test_behind_an_answer_it_is_an_action_again(loans: Pebbles) -> None:
    text = HEAD + "offer; Bob: borrow; borrow; take red; end\n"
    assert told(loans.judge(text)) == ([], [1, 10])


def test_an_answer_that_comes_late(loans: Pebbles) -> None:
    # That it is late is told once; who is named tells that it is the answer.
    text = HEAD + "offer; take red; Bob: borrow; end\n"
    assert told(loans.judge(text)) == (["loan-due"], [0, 10])
    assert told(loans.judge(HEAD + "offer; take red; borrow; end\n")) == (["loan-due"], [1, 0])
    # It has been given then: nobody waits for another one.
    text = HEAD + "offer; take red; Bob: borrow; Bob: decline; end\n"
    assert told(loans.judge(text)) == (["loan-due", "loan-unasked"], [0, 10])


@pytest.mark.parametrize(
    ("turn", "moves"),
    [
        ("", ["borrow", "offer", "take Red", "take Grey"]),
        ("offer\n", ["Bob: borrow", "decline"]),
    ],
)
def test_the_listing_says_the_same(loans: Pebbles, turn: str, moves: list[str]) -> None:
    del loans
    game = open_game(HEAD + turn)
    listed = game.legal_moves()
    assert sorted(map(str, listed)) == sorted(moves)
    ids = {str(move): move.id for move in listed}
    assert ids.get("borrow") in {None, "borrow"}
    assert ids.get("Bob: borrow") in {None, "accept"}


def test_an_answer_of_which_one_requirement_stays_open_breaks_another_one(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is certain about it is reported, and the answer counts as given."""
    unasked = '    unasked: {rule: loan-unasked, else: "nobody has offered a loan"}\n'
    debtor = '    requires: [{rule: debtor, that: me.debt > 0, else: "{me} has no debt"}]\n'
    pebbles.write("moves/action.yaml", ACTION)
    pebbles.write("moves/answer.yaml", ANSWER.replace(unasked, unasked + debtor, 1))
    tried = attempts.attempt

    def partly_open(
        match: Match, reading: Reading, pending: PendingDecision | None, first: int, **options: bool
    ) -> int:
        number = tried(match, reading, pending, first, **options)
        if reading.parsed.move.id == "accept" and not first:
            raise UnrecordedError("not recorded")
        return number

    monkeypatch.setattr(attempts, "attempt", partly_open)
    text = HEAD + "offer; Bob: borrow; take red; end\n"
    assert told(pebbles.judge(text)) == (["debtor"], [0, 10])


# ---------------------------------------------------------------- the shipped game

LOGS = [
    *sorted((ROOT / "tests" / "games").glob("*.agn")),
    *sorted((ROOT / "tests" / "languages").glob("*.agn")),
    *sorted((ROOT / "tests" / "rules").glob("[dst]*/illegal*.agn"))[::4],
]


def findings() -> list[list[tuple[object, ...]]]:
    tags.forget_rules()
    return [
        [
            (found.rule, found.message, found.span, found.help)
            for game in check_text(path.read_text(encoding="utf-8"), path.name, path.parent).games
            for found in game.findings
        ]
        for path in LOGS
    ]


def test_the_order_of_files_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = findings()
    assert sum(map(len, before)) > 30
    for name in ("schemas", "grammar", "languages"):
        (tmp_path / name).symlink_to(ROOT / name)
    rules = tmp_path / "rules" / "altay"
    shutil.copytree(ROOT / "rules" / "altay", rules)
    (rules.parent / "frames").symlink_to(ROOT / "rules" / "frames")
    for number, path in enumerate(sorted((rules / "moves").iterdir())):
        path.rename(path.with_name(f"{chr(ord('z') - number)}-{path.name}"))
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "altay_cli")
    monkeypatch.setenv("ALTAY_CACHE", "off")
    assert findings() == before
    tags.forget_rules()
