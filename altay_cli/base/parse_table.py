"""The parse table of a grammar. Parsing by it needs no Lark, which is slow to import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lark import Lark

END = "$END"
"""The terminal after the last one of a text."""

Step = int | tuple[str, int]
"""A state to go to, or a rule to reduce and its length."""


class ParseTable(NamedTuple):
    """An LALR(1) table.

    terminals: name and regular expression of each; the first that matches wins.
    starts: the first state for each start rule.
    steps: what each state does with a symbol; where there is none, the text is malformed.
    """

    terminals: tuple[tuple[str, str], ...]
    starts: Mapping[str, int]
    steps: Mapping[int, Mapping[str, Step]]

    def advance(self, states: list[int], terminal: str) -> bool:
        """Change the stack of states by a terminal; return False if it does not fit.

        >>> steps = {0: {"WORD": 1, "word": 2}, 1: {END: ("word", 1)}, 2: {END: 2}}
        >>> table = ParseTable((), {"word": 0}, steps)
        >>> states = [table.starts["word"]]
        >>> [table.advance(states, terminal) for terminal in ("WORD", "WORD", END)]
        [True, False, True]
        """
        while True:
            step = self.steps[states[-1]].get(terminal)
            if step is None:
                return False
            if isinstance(step, int):
                states.append(step)
                return True
            rule, length = step
            del states[len(states) - length :]
            after = self.steps[states[-1]][rule]
            assert isinstance(after, int)
            states.append(after)


def table_of(parser: Lark) -> ParseTable:
    """Return the table of a parser as plain data."""
    starts = parser.options.start
    table = parser.parse_interactive(start=starts[0]).parser_state.parse_conf.parse_table
    steps: dict[int, dict[str, Step]] = {}
    for state, actions in table.states.items():
        # Some names are tokens of Lark; as plain texts they can be loaded without it.
        steps[state] = {
            str(symbol): target
            if action.name == "Shift"
            else (str(target.origin.name), len(target.expansion))
            for symbol, (action, target) in actions.items()
        }
    for state in table.end_states.values():
        steps[state][END] = state
    # Lark prefers the terminal of higher priority.
    terminals = sorted(parser.terminals, key=lambda terminal: -terminal.priority)
    return ParseTable(
        tuple([(str(terminal.name), terminal.pattern.to_regexp()) for terminal in terminals]),
        dict(table.start_states),
        steps,
    )
