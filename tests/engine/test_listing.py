"""The listing of legal moves is exact: all that is listed is accepted, all that is accepted listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.opening import new_game, open_game
from altay_cli.checking.playing import Game
from altay_cli.compile.load import load_pack
from altay_cli.match.readings import Reading
from altay_cli.moves.listing import Key, Move
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import SectionKind, Statement
from altay_cli.pack.model import PatternPart
from altay_cli.simulation.simulated import choose
from attack.counting import deep
from tests.engine.table import MIDDLE
from tests.logs import WHOLE_GAMES, expected

ROOT = Path(__file__).parents[2]
LEGAL = sorted((ROOT / "tests" / "rules").glob("*/legal*.agn"))


def key(reading: Reading) -> Key:
    move = reading.parsed.move
    actor = reading.values["me"] if move.needs_actor else None
    return Move(move, actor, reading.values, {}, "").key


def replay(path: Path) -> Iterator[tuple[Game, Statement, bool]]:
    """Yield a recorded game before each of its statements, and whether its round is free.

    A log that announces an error in a statement (`#! rule`) ends there.
    """
    text = path.read_text(encoding="utf-8")
    record = read_log(text).games[0]
    turns = [section for section in record.sections if section.kind is SectionKind.TURN]
    if not turns:
        return
    first = turns[0].heading
    game = open_game(text, f"{first.line}:{first.column}", folder=path.parent)
    free = record.sections[0].kind is SectionKind.POSITION
    announced = {line for line, _, _ in expected(text)}
    for section in turns:
        for statement in (section.heading, *section.statements):
            if statement.line in announced and not game.accepts(statement.text):
                return
            yield game, statement, free and statement is first
            game.apply(statement.text)


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: path.stem)
def test_every_move_of_a_recorded_game_is_listed(path: Path) -> None:
    for game, statement, _ in replay(path):
        listed = {move.key for move in game.candidates()}
        game.apply(statement.text)
        assert key(game.match.made[0]) in listed, statement.text
        game.undo()


def test_every_move_of_the_legal_logs_of_the_rules_is_listed() -> None:
    for path in LEGAL:
        lines = path.read_text(encoding="utf-8").split("\n")
        for game, statement, free in replay(path):
            if statement.items[0].text == "expect":  # claims are no moves
                continue
            if "#! unrecorded" in lines[statement.line - 1]:  # accepted, as it is not judged
                continue
            listed = {move.key for move in game.candidates()}
            game.apply(statement.text)
            # Behind a position the number of the round is free, and one is listed.
            assert free or key(game.match.made[0]) in listed, (path, statement.text)
            game.undo()


@cache
def game_after(seed: int, moves: int) -> Game:
    """Return a game under way, played by chance and by sense in turn."""
    random = Random(seed)
    names = ["Ann", "Bob", "Cleo", "of Dan"][: 2 + seed % 3]
    tags = [[], [("Variant", "trading")], [("Map", "full")], [("Edition", "de")]][seed % 4]
    game = new_game("altay", names, seed=seed, tags=tags)
    policies = [None, *game.pack.policies.values()]
    for _ in range(moves):
        listed = game.candidates()
        if not listed:
            break
        game.apply(choose(game.state, listed, random.choice(policies), random))
    return game


GAMES = st.builds(game_after, st.integers(0, 11), st.integers(0, 160))
SLOW = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(GAMES, st.data())
def test_what_is_listed_is_accepted_by_check(game: Game, data: st.DataObject) -> None:
    before = deep(game.state)
    candidates = game.candidates()
    listed = game.legal_moves()
    assert [move.statement for move in listed] == [move.statement for move in candidates]
    assert len({move.statement for move in listed}) == len(listed)
    assert deep(game.state) == before
    log = game.log()
    for move in data.draw(st.lists(st.sampled_from(listed), max_size=4)) if listed else []:
        report = check_text(log + game.example(move) + "\n").games[0]
        assert [f for f in report.findings if f.severity is Severity.ERROR] == [], move


def filled(game: Game, parts: tuple[PatternPart, ...], slots: object, random: Random) -> list[str]:
    """Write a pattern with whatever names there are in its slots."""
    words: list[str] = []
    for part in parts:
        if part.word:
            words.append(part.word)
        elif part.slot:
            words.append(anything(game, slots[part.slot], random))
        elif random.random() < 0.6:
            words += filled(game, part.inner, slots, random)
    return words


def anything(game: Game, slot: object, random: Random) -> str:
    if slot.shape == "int":
        return str(random.randint(0, 4))
    things = game.state.players if slot.kind == "player" else game.pack.entities[slot.kind]
    lying = [
        t
        for zone in game.pack.zones
        for t in _things(game.state.zones.held(zone.index))
        if t.kind == slot.kind
    ]
    chosen = random.choices(lying or list(things), k=random.choice((1, 1, 2)))
    if slot.shape == "entity":
        chosen = chosen[:1]
    return ", ".join(game.speller.name(thing) for thing in dict.fromkeys(chosen))


def _things(zone: object) -> Iterator[object]:
    for key, value in zone.items() if isinstance(zone, dict) else ():
        if isinstance(value, dict):
            yield from _things(value)
        elif getattr(key, "kind", None):
            yield key


@SLOW
@given(GAMES, st.integers(0, 2**32))
def test_what_is_accepted_is_listed(game: Game, seed: int) -> None:
    random = Random(seed)
    listed = {move.key for move in game.candidates()}
    accepted = 0
    moves = [move for move in game.pack.moves if "turns" in move.phases]
    for _ in range(60):
        move = random.choice(moves)
        pattern = random.choice(move.patterns)
        text = " ".join(filled(game, pattern.parts, move.slots, random))
        if random.random() < 0.1:
            text = f"{game.speller.player(random.choice(game.state.players).id)}: {text}"
        try:
            game.apply(text)
        except IllegalMove:
            continue
        made = game.match.made[0]
        game.undo()
        accepted += 1
        # A list of several places is as many moves; the first is listed, the others behind it.
        assert key(made) in listed, text
    # Where there is only one move, or one of a kind that is hard to hit, none may be found.
    assert accepted or len(listed) < 60


def test_what_a_hidden_hand_may_hold_is_listed() -> None:
    """Of Bob's five cards nothing is known but what the deck that they came from lists.

    He owns fifteen cards. One Village is on the table, 2 Hunter and the Worker are discarded; so
    the five are out of Colonist, Digger, Hunter, Village, 3 Warrior, Cavalry, 2 Scholar and Town.
    """
    log = MIDDLE.replace("  Bob: hand 2 Warrior, Colonist, Cavalry, Scholar\n", "")
    assert log != MIDDLE
    game = open_game(log)
    game.apply("attack H3 from W2 with Cavalry")
    answers = [re.sub(r"\(\d\)", "", move.statement) for move in game.legal_moves()]
    # Only Warriors and the Cavalry defend; one card of the attacker allows for one discard.
    shown = ["", "Warrior", "2 Warrior", "3 Warrior"]
    shown += ["Cavalry", *(f"Cavalry, {warriors}" for warriors in shown[1:])]
    fights = ["Bob: fight" + f" with {cards}" * bool(cards) for cards in shown]
    titles = ["Colonist", "Digger", "Hunter", "Village", "Warrior", "Cavalry", "Scholar", "Town"]
    surrenders = ["Bob: surrender", *(f"Bob: surrender discarding {title}" for title in titles)]
    assert sorted(answers) == sorted([*fights, *surrenders])


def test_how_many_cards_a_defender_draws_is_listed_where_it_is_a_choice() -> None:
    """de 12: Bob draws as many cards as he played, or fewer; en 12: as many as he played."""
    for edition, draws in (("en", [""]), ("de", ["", " => ?", " => 2 ?"])):
        game = open_game(MIDDLE.replace("position", f'[Edition "{edition}"]\nposition', 1))
        game.apply("attack H3 from W2 with Cavalry")
        fight = "Bob: fight with 2 Warrior"
        listed = [move for move in game.legal_moves() if move.statement.startswith(fight)]
        plain = [move for move in listed if "Cavalry" not in move.statement]
        assert [move.statement for move in plain] == [fight + drawn for drawn in draws]
        assert len({move.key for move in plain}) == len(plain)


def test_a_question_mark_is_drawn_by_chance_and_written_as_what_came() -> None:
    game = open_game(MIDDLE.replace("position", '[Edition "de"]\nposition', 1))
    game.apply("attack H3 from W2 with Cavalry")
    hand = next(z.index for z in game.pack.zones if z.name == "hand")
    bob = game.state.players[1]
    held = game.state.zones.held(hand, bob).size()
    for drawn, size in (("", 0), (" =>", 0), (" => ?", 1), (" => 2 ?", 2)):
        text = game.apply(f"Bob: fight with 2 Warrior{drawn}")
        assert game.state.zones.held(hand, bob).size() == held - 2 + size
        assert "?" not in text
        assert text.count("=>") == (size > 0 or drawn == " =>")
        game.undo()
    with pytest.raises(IllegalMove) as told:
        game.apply("Bob: fight with 2 Warrior => 3 ?")
    assert [finding.rule for finding in told.value.findings] == ["defend-draw"]
    game.apply("Bob: fight")
    for drawn in ("4 ?", "6 ?"):
        with pytest.raises(IllegalMove):
            game.apply(f"end => {drawn}")
    assert "?" not in game.apply("end => 5 ?")


def test_moves_differ_in_more_than_the_order_of_what_they_list() -> None:
    game = open_game(
        MIDDLE.replace("turn 5 Ann", "  Ann: resources 2 food, wood, stone\nturn 5 Ann")
    )
    moves = [
        (move.id, move.actor, {(name, *sorted(t.split(", "))) for name, t in move.written.items()})
        for move in game.legal_moves()
    ]
    assert len(moves) > 20
    assert not [one for number, one in enumerate(moves) if one in moves[:number]]


def test_undo_takes_back_exactly_what_was_done() -> None:
    game = new_game("altay", ["Ann", "Bob"], seed=5)
    random = Random(5)
    pictures = []
    logs = []
    for _ in range(40):
        pictures.append(deep(game.state))
        logs.append(game.log())
        game.apply(random.choice(game.candidates()))
    for picture, log in zip(reversed(pictures), reversed(logs), strict=True):
        game.undo()
        assert deep(game.state) == picture
        assert game.log() == log
    with pytest.raises(IndexError):
        game.undo()


def test_an_illegal_move_changes_nothing_and_says_why() -> None:
    game = open_game(MIDDLE)
    before = deep(game.state)
    with pytest.raises(IllegalMove) as told:
        game.apply("build F2")
    assert [finding.rule for finding in told.value.findings] == ["build-nothing"]
    assert deep(game.state) == before
    assert game.statements == []


def test_the_only_move_between_turns_is_the_next_heading() -> None:
    game = open_game(MIDDLE)
    game.apply("end")
    assert [move.statement for move in game.legal_moves()] == ["turn 5 Bob"]


def test_some_answers_are_listed_where_there_are_too_many() -> None:
    hand = [card.id for card in load_pack("innovation").entities["card"] if card.f["age"] <= 3]
    hand.remove("tools")
    log = (
        '[Game "innovation"]\nposition\n  seat Ann; seat Bob\n  Ann: board Refrigeration\n'
        f"  Bob: board Tools\n  Bob: hand {', '.join(hand)}\nturn 4 Ann\n  dogma Refrigeration\n"
    )
    game = open_game(log)
    moves = game.legal_moves()
    assert len(hand) == 34
    assert not game.complete
    # Bob returns half of his hand.
    assert moves
    assert all(len(set(move.written["cards"].split(", "))) == 17 for move in moves)
