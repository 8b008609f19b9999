"""Whatever a log says, legal or not: nothing is raised, no rule fails, and all can be undone."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from altay_cli.compile.load import load_pack
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.match.state import State
from altay_cli.moves.ability import Ability
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Statement
from altay_cli.pack.model import Phase
from attack.counting import deep, negative
from tests.engine.table import FIRST_TURN, MIDDLE, SETUP

PACK = load_pack("altay")


class Twice(Referee):
    """Takes every statement back and plays it again; both times the same must come of it."""

    def play(self, statement: Statement, phase: Phase) -> bool:
        if phase not in {"turns", "heading"}:
            return super().play(statement, phase)
        match = self.match
        before, moment = deep(match.state), match.snapshot()
        first = self._ended(statement, phase)
        after, found = deep(match.state), match.report.findings[moment.report.findings :]
        match.restore(moment)
        assert deep(match.state) == before, f"{statement.text} is not undone"
        second = self._ended(statement, phase)
        assert deep(match.state) == after, f"{statement.text} does something else again"
        assert match.report.findings[moment.report.findings :] == found
        assert type(first) is type(second)
        if isinstance(second, Exception):
            raise second
        return second

    def _ended(self, statement: Statement, phase: Phase) -> Exception | bool:
        """Play a statement; returns what a rule raises that lets nothing more be played."""
        try:
            return super().play(statement, phase)
        except Exception as stop:
            if type(stop).__name__ == "Stop":
                return stop
            raise


def play(text: str, **options: str) -> Match:
    """Play a log, watched; fails where a rule could not be applied."""
    chosen = {option.id: option.default for option in PACK.options.values()} | options
    match = Match(PACK, chosen, Ability)
    for game in read_log(text).games:
        Twice(match, game).run()
    failed = [f.message for f in match.report.findings if f.rule == "rule-failure"]
    assert not failed, failed
    return match


# ---------------------------------------------------------------- statements by chance

PLAYERS = ["Ann", "Bob", "Cid"]
PLACES = ["F2", "F3", "F5", "F6", "W2", "W3", "W6", "H2", "H3", "H6", "M3", "M4", "F1", "I1", "X9"]
CARDS = [
    "Hunter", "Warrior", "Village", "Shaman", "Loremaster", "Colonist", "Digger", "Craftsman",
    "Craftsman(wood)", "Spellweaver", "Farmer", "Miner", "Scholar", "Merchant", "Merchant(1)",
    "Cavalry", "Town", "City(2)", "Chariot", "Chariot(1)", "Worker", "Lumberjack", "Zork",
]  # fmt: skip
GOALS = [
    "Writing", "Masonry", "Strategy", "Engineering", "Mathematics", "Commerce", "Religion",
    "Government", "Philosophy", "Leadership", "Ark", "Colossus", "Highways", "Great Wall", "Academy",
]  # fmt: skip
THINGS = ["food", "wood", "metal", "stone", "culture"]


def counted(names: list[str]) -> st.SearchStrategy[str]:
    one = st.tuples(
        st.sampled_from(["", "", "", "2 ", "3 ", "7 ", "0 ", "900 "]), st.sampled_from(names)
    )
    hidden = st.sampled_from([("", "?"), ("3 ", "?")])
    lists = st.lists(one | one | one | hidden, min_size=1, max_size=3)
    return lists.map(lambda some: ", ".join(count + name for count, name in some))


card = counted(CARDS)
place = st.sampled_from(PLACES)
thing = counted(THINGS)
goal = st.sampled_from(GOALS)
drawn = st.sampled_from(["", "", " =>"]) | card.map(" => {}".format)
revealed = st.sampled_from(["", " =>"]) | counted(GOALS).map(" => {}".format)
actor = st.sampled_from(["", "", "", "Ann: ", "Bob: ", "Cid: "])


def line(pattern: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.fixed_dictionaries({"actor": actor, **parts}).map(
        lambda given: given["actor"] + pattern.format(**given)
    )


STATEMENTS = st.one_of(
    line("play {card}", card=card),
    line("play {card} for {thing}", card=card, thing=thing),
    line("play {card} using {place}", card=card, place=place),
    line("play {card} to draw{drawn}", card=card, drawn=drawn),
    line("play {card} to store", card=card),
    line("play {card} consuming {place} for {thing}", card=card, place=place, thing=thing),
    line("place {thing} on {card}", card=card | goal, thing=thing),
    line("build {place}", place=counted(PLACES)),
    line("build nowhere"),
    line("take {card}", card=card),
    line("buy {card}", card=card),
    line("buy {card} for {thing}", card=card, thing=thing),
    line("attack {to} from {base} with {card}", to=place, base=place, card=card),
    line("attack {to} from {base}", to=place, base=place),
    line("fight{drawn}", drawn=drawn),
    line("fight with {card}{drawn}", card=card, drawn=drawn),
    line("surrender{drawn}", drawn=drawn),
    line("surrender discarding {card}{drawn}", card=card, drawn=drawn),
    line("develop {goal} with {thing}{revealed}", goal=goal, thing=thing, revealed=revealed),
    line("develop {goal}", goal=goal),
    line("abandon {goal}", goal=goal),
    line("use {goal}", goal=goal),
    line("use {goal} trashing {card}{drawn}", goal=goal, card=card, drawn=drawn),
    line("use {goal} discarding {card}{drawn}", goal=goal, card=card, drawn=drawn),
    line("use {goal} spending {some} for {thing}", goal=goal, some=thing, thing=thing),
    line("use {goal} moving {base} to {place}", goal=goal, base=place, place=place),
    line("use {goal} archiving {card}", goal=goal, card=card),
    line("trade for {thing}", thing=thing),
    line("end{drawn}", drawn=drawn),
)
HEADINGS = st.builds("turn {} {}".format, st.integers(0, 9), st.sampled_from(PLAYERS))
TURNS = st.lists(STATEMENTS | STATEMENTS | HEADINGS, min_size=10, max_size=30).map("\n".join)

MANY = settings(max_examples=15, deadline=None)


@pytest.mark.parametrize("start", [SETUP + FIRST_TURN, MIDDLE], ids=["first turn", "middle"])
@MANY
@given(turns=TURNS)
def test_any_statements_can_be_played_and_undone(start: str, turns: str) -> None:
    match = play(start + turns)
    assert list(negative(match.state)) == []


LAYING_OUT = st.one_of(
    line("seat {who} as {folk}", who=st.sampled_from(PLAYERS), folk=st.sampled_from(
        ["Firefolk", "Elvenfolk", "Earthfolk", "Smallfolk", "Zorkfolk"])),
    line("faction {folk}", folk=st.sampled_from(["Firefolk", "Smallfolk", "Earthfolk"])),
    line("marker {value} {thing} on {places}", value=st.sampled_from("1234"),
         thing=st.sampled_from(["", *THINGS]), places=counted(PLACES)),
    line("vp {places}", places=counted(PLACES)),
    line("reveal {goals}", goals=counted(GOALS)),
    line("settle {place}", place=place),
    line("secret {goal}", goal=goal | st.just("?")),
    line("draw {card}", card=card),
    line("deck {card}", card=card),
    line("hand {card}", card=card),
    line("discarded {card}", card=card),
    line("archived {card}", card=card),
    line("table {card} with {thing}", card=card, thing=thing),
    line("resources {thing}", thing=thing),
    line("completed {goals}", goals=counted(GOALS)),
    line("developing {goal} with {thing}", goal=goal, thing=thing),
    line("settlements {places}", places=counted(PLACES)),
    line("captured {who}", who=counted(PLAYERS)),
    line("lost {number}", number=st.sampled_from(["0", "1", "15", "99"])),
    line("markers {values}", values=counted(["1", "2", "3", "9"])),
    line("took {value} {thing} in {place}", value=st.sampled_from("123"),
         thing=st.sampled_from(["", *THINGS]), place=place),
    line("coins {number}", number=st.sampled_from(["0", "7", "101"])),
)  # fmt: skip


@pytest.mark.parametrize("section", ["setup", "position"])
@pytest.mark.parametrize("trading", ["off", "on"])
@settings(max_examples=6, deadline=None)
@given(lines=st.lists(LAYING_OUT, max_size=20), turns=TURNS)
@example(lines=[], turns="\n".join([*["play Hunter"] * 4, "develop Writing with food => ?, Ark"]))
def test_any_game_can_be_laid_out(section: str, trading: str, lines: list[str], turns: str) -> None:
    seats = {
        "setup": ["seat Ann as Firefolk", "seat Bob as Smallfolk"],
        "position": ["Ann: faction Firefolk", "Bob: faction Smallfolk"],
    }
    text = "\n".join(['[Game "altay"]', section, *seats[section], *lines, "turn 1 Ann", turns])
    match = play(text, trading=trading)
    assert list(negative(match.state)) == []


def test_a_state_undone_to_its_beginning_is_empty() -> None:
    options = {option.id: option.default for option in PACK.options.values()}
    match = Match(PACK, options, Ability)
    Twice(match, read_log(SETUP).games[0]).run()
    match.state.journal.undo(0)
    assert deep(match.state) == deep(State(PACK, options))
