"""A text constant in a rule is only a value: no part of it ever becomes code.

Every expression of a game gets a condition with a constant, in one kind of expression after the
other. Games are then played, listed, judged, scored and shown as with a harmless constant of the
same length.
"""

from __future__ import annotations

import ast
import re
from itertools import count
from pathlib import Path

import pytest

from altay_cli.base.resources import pack_folder
from altay_cli.checking import tags
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.compile import context
from altay_cli.compile.building import compile_read, read_tree
from altay_cli.compile.load import link_pack
from altay_cli.compile.plans import parsed, replaced
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.typed import Applied, Conditional, Member, Reference
from altay_cli.expressions.types import BOOL, INT, STRING, Type
from altay_cli.pack.model import Pack
from altay_cli.simulation.simulated import PlayPlan, playout
from altay_cli.view.scene import Viewer
from tests.small import Pebbles

HOSTILE = (
    "it is v_p", "v_me", "{0}", "{", "S.cells[3]", "'", '"', "\\", "'\"\\'", "\n", "\r\n", "x\\",
    "  # e1", "e1(S, {})", "F_same(S, v_p, v_q)", "_x1", "\u2028\ud7ff日", "(", "#", "L.tries", "{0:index}",
)  # fmt: skip

KINDS = (
    "C == C",
    "C in [C, 'x']",
    "{C: 1}[C] == 1",
    "['x', C].exists(k_, k_ == C)",
    "['x'].map(k_, k_ + C).all(k_, k_ == 'x' + C)",
    "C == 'x' || C != 'x'",
    "!(C < C)",
    "(C + 'x').startsWith(C)",
    "[3].reduce(k_, l_, C.size(), k_ - l_) == C.size() - 3",
    "[C, C].sortBy(k_, k_).size() == 2",
    "(C.size() > 1000 ? 'x' : C) == C",
    "has({'a': C}.a) && {'a': C}.a == C",
    "[C].filter(k_, k_ == C)[0] == C",
    "[C].minBy(k_, k_ + C) == C",
    "words(C) == words(C)",
    "same_(C, C)",
)
"""Kinds of expressions that hold for any constant."""

FUNCTION = {"takes": {"p": "string", "q": "string"}, "gives": "bool", "is": "p == q"}


ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""What differs between two objects that say the same."""


def quoted(constant: str) -> str:
    """Write a constant in the language of expressions."""
    return '"' + "".join(f"\\U{ord(sign):08x}" for sign in constant) + '"'


def harmless(constant: str) -> str:
    """Return a constant that takes as much room in code."""
    return "z" * (len(ascii(constant)) - 2)


class Wrapper:
    """Stands for the function that checks expressions, and puts a constant into each of them."""

    def __init__(self, constant: str, first: int) -> None:
        self.constant = quoted(constant)
        self.kind = count(first)
        self.put = 0
        self.seen = 0

    def __call__(self, source: str, env: Environment, expect: Type | None = None) -> Checked:
        """Return what was found out about an expression with a constant in it."""
        plain = check(source, env, expect)
        kind = KINDS[next(self.kind) % len(KINDS)].replace("C", self.constant)
        self.seen += 1
        is_place = isinstance(plain.tree, Reference | Member) or (
            isinstance(plain.tree, Applied) and plain.tree.function == "[]"
        )
        if "same_" not in env.functions or source == FUNCTION["is"] or is_place:
            return plain
        if plain.type == BOOL:
            source = f"({source}) && ({kind})"
        elif plain.type == INT:
            source = f"({source}) + (({kind}) ? 0 : 1)"
        elif plain.type == STRING and not isinstance(plain.tree, Conditional):  # "is" or "are"
            source = f"({source}) + (({kind}) ? '' : 'x')"
        elif plain.type.name == "list":
            source = f"({source}).filter(k_, {kind})"
        else:
            return plain
        self.put += 1
        return check(source, env, expect)


def compiled(name: str, constant: str, first: int, monkeypatch: pytest.MonkeyPatch) -> Pack:
    """Return the pack of a game in whose expressions a constant stands."""
    tree = read_tree(pack_folder(name), ())
    tree.data.setdefault("functions", {})["same_"] = FUNCTION
    wrapper = Wrapper(constant, first)
    with monkeypatch.context() as patched:
        patched.setattr(context, "check", wrapper)
        pack = compile_read(tree)
    assert wrapper.put > wrapper.seen / 5
    link_pack(pack)
    return pack


def course(name: str, players: int, pack: Pack, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return all that can be seen of two games by some rules."""
    shown: list[object] = []
    with monkeypatch.context() as patched:
        patched.setattr(tags, "loaded", lambda *_: pack)
        policies = tuple(pack.policies) or ("random",)
        for number in range(2):
            plan = PlayPlan(name, players, policies, 7, max_rounds=12, max_moves=60, keep=True)
            played = playout(plan, number)
            log = played.log
            assert played.moves and log is not None
            shown += [log]
            lines = log.splitlines()
            for text in (log, "\n".join(lines[:-6] + lines[-5:])):
                report = check_text(text).games[0]
                shown += [report.verdict, *map(str, report.findings)]
            game = open_game("\n".join(lines[: len(lines) * 2 // 3]))
            shown += sorted(move.statement for move in game.candidates())
            shown += [
                ADDRESS.sub("", repr(one)) for one in (game.score(), Viewer(game.state).scene())
            ]
    return shown


def compare(
    name: str, players: int, constant: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare a game with a constant in its rules with the same game with a harmless one."""
    both = [
        course(name, players, compiled(name, one, first, monkeypatch), monkeypatch)
        for one in (constant, harmless(constant))
    ]
    assert both[0] == both[1]


@pytest.mark.parametrize(("first", "constant"), [*enumerate(HOSTILE)])
def test_a_constant_is_never_code(
    first: int, constant: str, pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare("pebbles", 2, constant, first, monkeypatch)


@pytest.mark.parametrize(
    ("name", "players"),
    [("altay", 2), ("innovation", 2), ("chess", 2), ("gofish", 3), ("kalah", 2)],
)
def test_no_constant_is_code_in_any_game(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(name, players, " ".join(HOSTILE), 0, monkeypatch)


def test_names_are_put_into_trees_and_not_into_texts() -> None:
    tree = parsed("[_x1 for _x1 in held(S, v_p) if _x1 != 'v_p' and v_pq]")
    put = replaced(tree, {"v_p": parsed("'v_pq _x1'"), "_x1": parsed("v_card")})
    assert (
        ast.unparse(put) == "[v_card for v_card in held(S, 'v_pq _x1') if v_card != 'v_p' and v_pq]"
    )


def test_a_function_with_such_a_text_is_put_into_the_listing(
    pebbles: Pebbles, tmp_path: Path
) -> None:
    """What `from` calls is looked at where moves are listed: its parameter `p` is `v_p` in code."""
    takes, text = "takes: {stone: {type: stone, from: heap}}", "it is v_p"
    pebbles.change("moves/turns.yaml", takes, "takes: {stone: {type: stone, from: \"some('x')\"}}")
    pebbles.add(
        "game.yaml",
        "functions:\n  some:\n    takes: {p: string}\n    gives: list(stone)\n"
        f"    is: \"heap.list().filter(s, s.worth < 100 && p != '{text}')\"\n",
    )
    assert pebbles.findings() == []
    game = open_game('[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n')
    assert [move.statement for move in game.candidates()] == ["take Red", "take Grey"]
