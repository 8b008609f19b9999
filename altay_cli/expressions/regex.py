r"""Regular expressions in linear time: what `matches` needs of RE2, without backtracking.

A pattern becomes a small machine (Thompson's construction) that runs over the text once with a
set of states, so that a stranger's pattern costs text times pattern and never more. Supported are
characters, `.`, classes, `\d \w \s`, anchors, groups, `|`, `* + ?` and counted repeats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from altay_cli.expressions.errors import ExpressionError

MAX_PATTERN = 1_000
MAX_STATES = 2_000
MAX_GROUPS = 50
MAX_REPEAT = 1_000

Test = Callable[[str], bool]


@dataclass(slots=True)
class _State:
    """One instruction: test a character, branch, or assert a place."""

    kind: str
    test: Test | None = None
    out: tuple[int, ...] = ()


class Program:
    """A compiled pattern."""

    def __init__(self, states: list[_State], start: int) -> None:
        self._states = states
        self._start = start
        self.size = len(states)

    def search(self, text: str) -> bool:
        """Whether the pattern is found somewhere in the text."""
        current: set[int] = set()
        for at in range(len(text) + 1):
            reached: set[int] = set()
            if self._follow([*current, self._start], at, text, reached):
                return True
            if at == len(text):
                break
            current = self._step(reached, text[at])
        return False

    def _step(self, reached: set[int], character: str) -> set[int]:
        following: set[int] = set()
        for number in reached:
            state = self._states[number]
            if state.test is not None and state.test(character):
                following.update(state.out)
        return following

    def _follow(self, todo: list[int], at: int, text: str, reached: set[int]) -> bool:
        """Collect the states that are reached without a character; True at the end of a match."""
        while todo:
            number = todo.pop()
            if number in reached:
                continue
            reached.add(number)
            state = self._states[number]
            if state.kind == "match":
                return True
            if state.kind == "branch" or (
                state.kind in _ASSERTIONS and _ASSERTIONS[state.kind](text, at)
            ):
                todo.extend(state.out)
        return False


def _is_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


def _at_boundary(text: str, at: int) -> bool:
    before = at > 0 and _is_word(text[at - 1])
    after = at < len(text) and _is_word(text[at])
    return before != after


_ASSERTIONS: dict[str, Callable[[str, int], bool]] = {
    "^": lambda _text, at: at == 0,
    "$": lambda text, at: at == len(text),
    "b": _at_boundary,
    "B": lambda text, at: not _at_boundary(text, at),
}
_CLASSES: dict[str, Test] = {
    "d": lambda c: "0" <= c <= "9",
    "w": _is_word,
    "s": lambda c: c in "\t\n\f\r ",
}
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> Program:
    """Compile a pattern.

    Raises:
        ExpressionError: "regex" for what is no pattern, or none that is supported.

    """
    if len(pattern) > MAX_PATTERN:
        raise ExpressionError("regex", f"the pattern is longer than {MAX_PATTERN} characters")
    return _Compiler(pattern).compile()


# A piece of the machine under construction: its first state and its loose ends.
_Piece = tuple[int, list[int]]


class _Compiler:
    """Recursive descent over a pattern; pieces of machine come out."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.groups = 0
        self.states: list[_State] = []

    def compile(self) -> Program:
        start, ends = self.alternatives()
        if self.at < len(self.pattern):
            self.refuse("`)` closes no group")
        final = self.state("match")
        self.patch(ends, final)
        return Program(self.states, start)

    def refuse(self, why: str) -> NoReturn:
        raise ExpressionError("regex", f"cannot use the pattern {self.pattern!a}: {why}")

    def state(self, kind: str, test: Test | None = None, *out: int) -> int:
        if len(self.states) >= MAX_STATES:
            self.refuse("it is too large")
        self.states.append(_State(kind, test, out))
        return len(self.states) - 1

    def patch(self, ends: list[int], target: int) -> None:
        for end in ends:
            self.states[end].out += (target,)

    def peek(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def take(self) -> str:
        if self.at >= len(self.pattern):
            self.refuse("it ends too early")
        self.at += 1
        return self.pattern[self.at - 1]

    def alternatives(self) -> _Piece:
        pieces = [self.sequence()]
        while self.peek() == "|":
            self.take()
            pieces.append(self.sequence())
        if len(pieces) == 1:
            return pieces[0]
        start = self.state("branch", None, *(piece[0] for piece in pieces))
        return start, [end for piece in pieces for end in piece[1]]

    def sequence(self) -> _Piece:
        start = self.state("branch")
        ends = [start]
        while self.peek() not in ("", "|", ")"):
            piece = self.repeat()
            self.patch(ends, piece[0])
            ends = piece[1]
        return start, ends

    def repeat(self) -> _Piece:
        begin = self.at
        piece = self.atom()
        sign = self.peek()
        counts = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign)
        if counts:
            self.take()
        elif sign == "{":
            counts = self.counts()
        if counts is None:
            return piece
        if self.peek() == "?":
            # Lazy or greedy makes no difference to whether something is found.
            self.take()
        resume = self.at
        if self.peek() in ("*", "+", "?") or (self.peek() == "{" and self.counts()):
            self.refuse("a repeat cannot be repeated; use a group")
        least, most = counts
        pieces = [piece]
        for _ in range(max(least, most or 0, 1) - 1):
            # Once more the same piece: read its text again.
            self.at = begin
            pieces.append(self.atom())
        self.at = resume
        return self.repeated(pieces, least, most)

    def repeated(self, pieces: list[_Piece], least: int, most: int | None) -> _Piece:
        start = self.state("branch")
        ends, loose = [start], []
        for number, piece in enumerate(pieces):
            if number >= least:
                if most == 0:
                    break
                gate = self.state("branch")
                self.patch(ends, gate)
                loose.append(gate)
                ends = [gate]
            self.patch(ends, piece[0])
            ends = piece[1]
        if most is None:
            loop = self.state("branch", None, pieces[-1][0])
            self.patch(ends, loop)
            ends = [loop]
        return start, [*ends, *loose]

    def counts(self) -> tuple[int, int | None] | None:
        closing = self.pattern.find("}", self.at)
        text = self.pattern[self.at + 1 : closing] if closing > 0 else ""
        low, comma, high = text.partition(",")
        if not (low.isascii() and low.isdigit()) or (
            high and not (high.isascii() and high.isdigit())
        ):
            # As in RE2, such a brace is an ordinary character.
            return None
        if len(low) > 4 or len(high) > 4:
            self.refuse(f"at most {MAX_REPEAT} repeats")
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if least > MAX_REPEAT or (most is not None and not least <= most <= MAX_REPEAT):
            self.refuse(f"repeats must rise, up to {MAX_REPEAT}")
        self.at = closing + 1
        return least, most

    def single(self, test: Test) -> _Piece:
        state = self.state("test", test)
        return state, [state]

    def atom(self) -> _Piece:
        character = self.take()
        if character == "(":
            return self.group()
        if character == "[":
            return self.single(self.bracket())
        if character == ".":
            return self.single(lambda c: c != "\n")
        if character in "^$":
            state = self.state(character)
            return state, [state]
        if character in "*+?":
            self.refuse(f"nothing before `{character}` to repeat")
        if character == "\\":
            return self.escape()
        return self.single(character.__eq__)

    def group(self) -> _Piece:
        self.groups += 1
        if self.groups > MAX_GROUPS:
            self.refuse("its groups are nested too deep")
        if self.peek() == "?":
            if not self.pattern.startswith("?:", self.at):
                self.refuse("flags, names and look-around are left out")
            self.at += 2
        piece = self.alternatives()
        if self.peek() != ")":
            self.refuse("a group is not closed")
        self.take()
        self.groups -= 1
        return piece

    def escape(self) -> _Piece:
        character = self.take()
        if character in "bB":
            state = self.state(character)
            return state, [state]
        if character in "Az":
            state = self.state("^" if character == "A" else "$")
            return state, [state]
        return self.single(self.escaped(character))

    def escaped(self, character: str) -> Test:
        if character in "dws":
            return _CLASSES[character]
        if character in "DWS":
            inside = _CLASSES[character.lower()]
            return lambda c: not inside(c)
        return self.escaped_character(character).__eq__

    def escaped_character(self, character: str) -> str:
        if character in _CONTROLS:
            return _CONTROLS[character]
        if not character.isascii() or character.isalnum():
            self.refuse(f"the escape \\{character} is left out")
        return character

    def bracket(self) -> Test:
        negative = self.peek() == "^"
        if negative:
            self.take()
        tests: list[Test] = []
        first = True
        while first or self.peek() != "]":
            first = False
            tests.append(self.bracket_item())
        self.take()
        if negative:
            return lambda c: not any(test(c) for test in tests)
        return lambda c: any(test(c) for test in tests)

    def bracket_item(self) -> Test:
        low = self.take()
        if low == "[" and self.peek() == ":":
            self.refuse("named classes are left out")
        if low == "\\":
            low = self.take()
            if low in "dwsDWS":
                return self.escaped(low)
            low = self.escaped_character(low)
        following = self.pattern[self.at : self.at + 2]
        if following[:1] != "-" or following[1:] in ("]", ""):
            return low.__eq__
        self.take()
        high = self.take()
        if high == "\\":
            high = self.escaped_character(self.take())
        if high < low:
            self.refuse(f"the range {low}-{high} runs backward")
        return lambda c: low <= c <= high
