"""A match can be gone back in, as a whole; and it goes on where a log ends."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.compile.load import load_pack
from altay_cli.match import reporting
from altay_cli.match.match import Match, Watcher
from altay_cli.match.referee import Referee
from altay_cli.match.statements import play
from altay_cli.moves.ability import Ability
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Statement
from altay_cli.repair.edits import Edit, EditKind
from altay_cli.repair.search import Search, _Slip
from altay_cli.repair.wording import suggest_at_error
from attack.counting import deep
from tests.engine.table import FIRST_TURN, SETUP
from tests.logs import GAMES, WHOLE_GAMES

PACK = load_pack("altay")
RULES = Path(__file__).parents[1] / "rules"


def begun(text: str) -> Match:
    """Return the match of a log at its end."""
    match = Match(PACK, {option.id: option.default for option in PACK.options.values()}, Ability)
    Referee(match, read_log(text).games[0]).run()
    return match


def test_everything_is_restored() -> None:
    match = begun(SETUP + FIRST_TURN)
    there, moment = deep(match.state), match.snapshot()
    players = dict(match.binder.players)
    log = read_log(
        f"{SETUP}  seat Zoe as Earthfolk\nturn 1 Ann\n  play 2 Hunter\n  buy Zork\n  bye\n"
    )
    for statement in log.games[0].sections[0].statements[-1:]:
        play(match, statement, "setup")
    for statement in log.games[0].sections[1].statements:
        play(match, statement, "turns")
    assert deep(match.state) != there
    assert len(match.report.findings) > 1
    assert match.state.unread
    assert match.binder.players.keys() - players.keys() == {"zoe"}
    match.restore(moment)
    assert deep(match.state) == there
    assert match.report.findings == []
    assert not match.state.unread
    assert match.binder.players == players
    # The same again comes to the same: nothing is left of what was taken back.
    again = log.games[0].sections[1].statements[0]
    play(match, again, "turns")
    assert match.report.findings == []


def test_a_turn_behind_a_setup_with_a_slip_begins_and_no_more() -> None:
    """The last line of the setup cannot be read; Ann still holds what she drew there."""
    path = RULES / "hand-missing" / "legal-unreadable.agn"
    game = open_game(path.read_text(encoding="utf-8"), "turn 1 Ann")
    assert game.apply("play 2 Hunter") == "play 2 Hunter"
    first = open_game(path.read_text(encoding="utf-8"), "19:1")
    first.apply("turn 1 Ann")
    assert first.apply("play 2 Hunter") == "play 2 Hunter"


def test_no_copies_of_what_is_not_there_are_added_or_taken() -> None:
    state = begun(SETUP).state
    (hand,) = [zone for zone in state.pack.zones if zone.name == "hand"]
    (digger,) = [card for card in state.pack.entities["card"] if card.id == "digger"]
    for delta in (0, -1):
        before, entries = state.cells[hand.first], len(state.journal.entries)
        state.table.add(hand.first, digger, delta)
        assert state.cells[hand.first] is before
        assert len(state.journal.entries) == entries


def test_why_something_cannot_be_is_noted_once_for_a_statement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report, reasons = begun(SETUP).report, [("first",), ("second",)]
    monkeypatch.setattr(reporting, "explain_absence", lambda *_: reasons.pop(0))
    for _ in range(2):
        report.cannot_be(0, ())
    assert [doubt.told for doubt in report.noted(reporting.Doubt)] == [("first",)]


def test_what_can_be_meant_in_one_way_only_is_not_tried_in_others() -> None:
    """Which bonus was declined is left out; there is none, even where the attack is wrong."""
    match = begun(f"{SETUP}{FIRST_TURN}  attack W2 from F2 with Hunter\n")
    assert [finding.rule for finding in match.report.findings] == ["attack-icon"]
    assert match.open == []


@pytest.mark.parametrize(
    ("suggested", "fixed"),
    [("buy Farmer", True), ("buy", False)],
    ids=["another name", "the name is left out"],
)
def test_a_suggestion_that_leaves_an_unknown_name_out_is_no_fix(
    suggested: str, *, fixed: bool
) -> None:
    match, (statement,) = begun(SETUP), statements_of("buy Zork")
    play(match, statement, "turns")
    suggest_at_error(match.report, statement, suggested)
    (found,) = match.report.findings
    assert found.help[0] == f"did you mean `{suggested}`?"
    assert [fix.text for fix in found.fixes] == [suggested] * fixed


def test_a_slip_that_is_read_again_is_corrected_again() -> None:
    log = read_log(f"{SETUP}{FIRST_TURN}  play 2 Hunter\n  buy Digger\n").games[0]
    match = Match(PACK, {option.id: option.default for option in PACK.options.values()}, Ability)
    referee = Referee(match, log)
    referee.run()
    *_, slip = referee.checkpoints
    (meant,) = statements_of("buy Farmer")
    edit = Edit(EditKind.REPLACE, slip, ((slip.statement, (meant,)),), text="buy Farmer")
    search = Search(referee, lambda: None)
    assert not search.repeat_answer(slip)
    assert [finding.rule for finding in match.report.findings] == ["not-for-sale"]
    search._slips[id(slip.statement)] = _Slip(slip, unread=False, edit=edit)
    assert search.repeat_answer(slip)
    assert [reading.parsed.move.id for reading in match.made] == ["buy"]
    (finding,) = match.report.findings
    assert finding.help[0] == "did you mean `buy Farmer`?"


def test_games_are_played_in_several_threads_at_once() -> None:
    texts = [path.read_text(encoding="utf-8") for path in WHOLE_GAMES] * 2

    def checked(text: str) -> list[object]:
        report = check_text(text, folder=GAMES).games[0]
        assert report.standing is not None
        return [report.findings, report.standing.ranking, report.standing.players]

    alone = list(map(checked, texts))
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(checked, texts)) == alone


MANY_SLIPS = """\
[Game "altay"]
setup
  seat Ann as Firefolk
  seat Bob as Elvenfolk
  marker 1 on F2, F5, W4, H2, H6
  marker 2 food on F3, W2
  build F2
  attack H2 from F2 with Warrior
  end => 2 Warrior, Shaman, Village, Hunter
turn 1 Bob
  Bob: settle F6
  Ann: settle F2
  Ann: draw 2 Hunter, 2 Warrior, Village
  Bob: draw 3 Hunter, Loremaster, Village
turn 1 Ann
  play 2 Hunter
  play Village
  place 2 food on Village
  play 3 Hunter
  buy Farmer
  end => 2 Hunter, 2 Warrior, Loremaster
"""


def test_what_is_tried_out_is_not_remembered() -> None:
    """Each statement names a few hidden things; so do the many that are tried in its place."""
    match, happened = begun(MANY_SLIPS), 0
    past = match.state.hidden.beliefs.history
    while past:
        past, happened = past[0], happened + 1
    assert 0 < happened < 120


def test_what_is_listed_is_not_remembered() -> None:
    """Any of the cards that nobody wrote down may be meant, and each is tried."""
    text = (RULES / "develop-wonder" / "legal-at-once.agn").read_text(encoding="utf-8")
    game = open_game(text, "16")
    before = game.state.hidden.beliefs.history
    assert "develop Colossus with culture" in [move.statement for move in game.legal_moves()]
    assert game.state.hidden.beliefs.history is before


def statements_of(lines: str) -> list[Statement]:
    """Return the statements of Ann's first turn."""
    text = SETUP + "turn 1 Ann\n" + "".join(f"  {line}\n" for line in lines.split("; "))
    return list(read_log(text).games[0].sections[1].statements)


class TestSuppressed:
    """`Report.suppressed`: the state stays as it was played, the report as it was before."""

    def test_findings_inside_are_dropped_and_those_before_stay(self) -> None:
        first, second = statements_of("buy Zork; buy Gork")
        match = begun(SETUP)
        play(match, first, "turns")
        before, mark = list(match.report.findings), match.report.mark
        assert [finding.span.line for finding in before] == [first.line]
        with match.report.suppressed():
            play(match, second, "turns")
            assert len(match.report.findings) == 2
        assert match.report.findings == before
        assert match.report.mark == mark
        assert match.report.errors == len(before)

    def test_the_same_finding_can_be_reported_after_it(self) -> None:
        (wrong,) = statements_of("buy Zork")
        match = begun(SETUP)
        with match.report.suppressed():
            play(match, wrong, "turns")
        assert match.report.findings == []
        play(match, wrong, "turns")
        assert [finding.span.line for finding in match.report.findings] == [wrong.line]

    def test_findings_survive_a_rewind_inside(self) -> None:
        first, second = statements_of("buy Zork; buy Gork")
        match = begun(SETUP)
        start = match.snapshot()
        play(match, first, "turns")
        before = list(match.report.findings)
        with match.report.suppressed():
            match.rewind(start)
            play(match, second, "turns")
        assert match.report.findings == before

    def test_an_inner_context_explains_no_more_than_an_outer_one(self) -> None:
        report = begun(SETUP).report
        assert report.explains
        with report.suppressed():
            assert not report.explains
            with report.suppressed(explained=True):
                assert not report.explains
        assert report.explains
        with report.suppressed(explained=True):
            assert report.explains

    def test_an_error_inside_ends_it_too(self) -> None:
        (wrong,) = statements_of("buy Zork")
        match = begun(SETUP)
        with pytest.raises(ZeroDivisionError), match.report.suppressed():
            play(match, wrong, "turns")
            raise ZeroDivisionError
        assert match.report.findings == []
        assert match.report.explains


def test_speculating_restores_the_state_and_hides_it_from_the_watcher() -> None:
    play_hunters, wrong = statements_of("play 2 Hunter; buy Zork")
    match = begun(SETUP + "turn 1 Ann\n")
    before, entries = deep(match.state), []

    class Listener(Watcher):
        def __getattribute__(self, name: str) -> object:
            return lambda *arguments: entries.append((name, *arguments))

    match.watcher = watcher = Listener()
    with match.speculating():
        play(match, play_hunters, "turns")
        play(match, wrong, "turns")
        assert deep(match.state) != before
        assert match.report.findings
    assert deep(match.state) == before
    assert match.report.findings == []
    assert match.watcher is watcher
    assert entries == []
    play(match, play_hunters, "turns")
    assert entries
