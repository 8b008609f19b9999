"""Write ``altay_cli/notation/agn.py``: the terminals and rules of ``agn.lark`` as patterns.

Loading Lark takes longer than checking a game, so these read what is well-formed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from lark import Tree
from lark.grammar import NonTerminal, Terminal
from lark.load_grammar import load_grammar

from grammar.regular import (
    Chain,
    Choice,
    Group,
    Look,
    Node,
    Signs,
    all_signs,
    chain,
    changed,
    choice,
    first,
    parse,
    possessive,
    printed,
    repeat,
    shortest,
)

GRAMMAR = Path(__file__).with_name("agn.lark")
MODULE = Path(__file__).parent.parent / "altay_cli" / "notation" / "agn.py"

_LINE = 100
_WIDTH = 88  # of a piece of a longer pattern
_STRAY = "stray", "!"  # what is no token, and its letter
_COUNTS = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_NOTHING = chain()
_HEAD = '''"""The terminals and rules of ``grammar/agn.lark``, as the reader uses them.

Made by ``python -m grammar``: change the grammar, and run that.
"""

import re'''


class Grammar:
    """A grammar: its terminals by name as trees of regular expressions, and its rules."""

    def __init__(self, text: str) -> None:
        loaded, _ = load_grammar(text, "agn.lark", [], False)  # type: ignore[no-untyped-call]
        terminals, _, _ = loaded.compile(["start"], "*")
        self.terminals = {one.name: parse(one.pattern.to_regexp()) for one in terminals}
        self._priority: dict[str, int] = {one.name: one.priority for one in terminals}
        self._rules = {name: tree for name, _, tree, _ in loaded.rule_defs}

    def word(self, name: str) -> Node:
        """Return a terminal without the look ahead that makes sure that it is a whole word."""
        terminal = self.terminals[name]
        assert isinstance(terminal, Chain)
        *parts, last = terminal.parts
        assert isinstance(last, Look)
        return chain(*parts)

    def names(self, rule: str) -> tuple[str, ...]:
        """Return the terminals of a rule, those of highest priority first, then as they stand."""
        rules, used = [rule], set()
        for one in rules:
            for symbol in self._rules[one].scan_values(lambda _: True):
                if isinstance(symbol, Terminal):
                    used.add(symbol.name)
                elif isinstance(symbol, NonTerminal) and symbol.name not in rules:
                    rules.append(symbol.name)
        return tuple(sorted(filter(used.__contains__, self.terminals), key=self._rank))

    def _rank(self, name: str) -> int:
        return -self._priority[name]

    def regular(
        self,
        rule: str,
        terminal: Callable[[str], Node],
        *,
        between: Node = _NOTHING,
        grouped: bool = False,
        above: tuple[str, ...] = (),
    ) -> Node:
        """Return a rule as a regular expression.

        ``terminal`` gives that of each terminal, ``between`` what may stand between two parts. With
        ``grouped``, each rule that this one names is a group with its name. ``above`` are the rules
        that this one stands in.

        Raises:
            ValueError: where a rule holds itself, other than as its first part.

        """
        if rule in above:
            raise ValueError(f"the rule {rule} is not regular")

        def built(tree: object) -> Node:
            match tree:
                case Terminal(name=name):
                    return terminal(name)
                case NonTerminal(name=name):
                    inner = self.regular(name, terminal, between=between, above=(*above, rule))
                    return Group(name.removeprefix("_"), inner) if grouped else inner
                case Tree(data="value", children=[child]):
                    return built(child)
                case Tree(data="expansion", children=children):
                    return row(children)
                case Tree(data="expansions", children=children):
                    return choice(*map(built, children))
                case Tree(data="expr", children=[child, count]):
                    return repeat(built(child), *_COUNTS[str(count)])
            raise ValueError(f"the rule {rule} holds {tree}")

        def row(trees: Sequence[object]) -> Node:
            parts = [part for tree in trees for part in (between, built(tree))]
            return chain(*parts[1:])

        # Repetition as LALR(1) likes it best: `a: b | a c` is b c*.
        begins, goes_on = [], []
        for option in self._rules[rule].children:
            if option.children[:1] == [Tree("value", [NonTerminal(rule)])]:
                goes_on.append(row(option.children[1:]))
            else:
                begins.append(built(option))
        start = choice(*begins)
        return chain(start, repeat(choice(*goes_on), 0, None)) if goes_on else start


def module(text: str) -> str:
    """Return the module for the text of a grammar."""
    return "\n\n".join(_statements(Grammar(text))) + "\n"


def _statements(grammar: Grammar) -> Iterator[str]:
    """Give the statements of the module."""
    terminals = grammar.terminals
    blank, heading_ahead = terminals["_BLANK"], terminals["_NO_HEADING"]
    assert isinstance(blank, Signs)
    assert isinstance(heading_ahead, Look)
    every = Signs(())
    for terminal in terminals.values():
        for signs in all_signs(terminal):
            every |= signs
    controls = ~every

    def plain(name: str) -> Node:
        return terminals[name]

    def lenient(name: str) -> Node:
        """Return a terminal to which control characters are like others.

        Where they stand is told apart from the rest. And what is cut already holds no heading.
        """

        def change(node: Node) -> Node:
            if isinstance(node, Signs) and node.excludes:
                return node | controls
            return _NOTHING if node == heading_ahead else node

        return changed(terminals[name], change)

    comment, comma, quote = (first(terminals[name]) for name in ("COMMENT", "COMMA", "TEXT"))
    end = first(terminals["_END"]) & ~Signs.of("\n")

    yield _HEAD

    yield _constant("BLANKS", "White space within a line.", _in_pieces(_text(blank)[1:-1], ""))
    written = ("_OPEN", "_CLOSE", "COMMA", "COLON", "ARROW")
    lines = [f"{name.lstrip('_')} = {_text(shortest(terminals[name]))}" for name in written]
    yield "\n".join(("# As canonical text has them.", *lines))
    yield _constant("QUOTES", "What a quoted text begins with.", _text(quote))
    yield _constant("COMMENTS", "What a comment begins with.", _texts(comment))
    yield _constant("COMMAS", "The commas.", _texts(comma))
    yield _pattern("CONTROL", "A control character: it belongs to no terminal.", controls)

    names = grammar.names("statement")
    tokens = [Group(name.lower(), plain(name)) for name in names]
    tokens[names.index("COMMA")] = Group("comma", lenient("COMMA"))
    tokens.append(Group(_STRAY[0], ~blank))
    yield _pattern(
        "TOKEN",
        'A token of a statement; ``lastgroup`` is its kind, "stray" for what is none.',
        Choice(tuple(tokens)),
    )

    tag = grammar.regular("tag", plain, between=repeat(blank, 0, None), grouped=True)
    yield _pattern("TAG", "A whole tag pair.", tag)
    yield _pattern("SECTION", "The word that is the heading of a section.", grammar.word("SECTION"))
    yield _pattern("TURN", "The word that the heading of a turn begins with.", grammar.word("TURN"))
    yield _constant(
        "HEADING_LINE",
        "What a line begins with that a comma behind the line before does not take in. "
        "As text: it is\nhardly ever asked for.",
        _in_pieces(printed(possessive(heading_ahead.body)), "r"),
    )
    yield _pattern(
        "BREAK",
        "What matters for cutting a line into statements. Behind an unclosed quote nothing does.",
        Choice(
            (
                Group("text", lenient("TEXT")),
                Group("unclosed", quote),
                Group("end", chain(end, repeat(end | blank, 0, None))),
                Group("comment", comment),
            )
        ),
    )
    yield _pattern("SIGN", "The first character of a BREAK.", quote | end | comment)

    letters = _letters((*names, *grammar.names("heading")))
    entries = "".join(f'    "{name.lower()}": "{one}",\n' for name, one in letters.items())
    yield _constant(
        "LETTERS",
        "A letter for each kind of token. They make the shape of a statement.",
        f"{{\n{entries}}}",
    )

    def letter(name: str) -> Node:
        return Signs.of(letters[name])

    shape = grammar.regular("statement", letter, grouped=True)
    yield _pattern("STATEMENT", "The shape of a statement.", shape)
    yield _pattern("HEADING", "The shape of a heading.", grammar.regular("heading", letter))
    yield _pattern("NAMES", "The shape of names in a row.", grammar.regular("_names", letter))


def _letters(names: tuple[str, ...]) -> dict[str, str]:
    """Return a letter for each name: the first of its own that is free."""
    letters: dict[str, str] = {}
    for name in names:
        if name not in letters:
            taken = letters.values()
            letters[name] = next(one for one in name.lower() if one not in taken)
    return {**letters, _STRAY[0]: _STRAY[1]}


def _constant(name: str, meaning: str, value: str) -> str:
    return f'{name} = {value}\n"""{meaning}"""'


def _text(characters: Iterable[str]) -> str:
    """Return the literal of a text."""
    # As the formatter likes it: in single quotes where it holds double ones.
    shown = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in characters)
    return f"'{shown}'" if '"' in shown else f'"{shown}"'


def _texts(signs: Signs) -> str:
    """Return the literal of a tuple of characters."""
    texts = list(map(_text, signs))
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


def _pattern(name: str, meaning: str, node: Node) -> str:
    """Return the statement that compiles a pattern, in lines that are not too long."""
    text = printed(possessive(node))
    single = f're.compile(r"{text}")'
    fits = len(f"{name} = {single}") <= _LINE
    return _constant(name, meaning, single if fits else f"re.compile{_in_pieces(text, 'r')}")


def _in_pieces(text: str, prefix: str) -> str:
    """Return a literal that goes over several lines, in brackets."""
    pieces = [""]
    for piece in re.findall(r"\(\?P<|\\(?:x..|u....|.)|[^\\]", text):
        if len(pieces[-1]) + len(piece) > _WIDTH or (piece == "(?P<" and pieces[-1]):
            pieces.append("")
        pieces[-1] += piece
    lines = "".join(f'    {prefix}"{piece}"\n' for piece in pieces)
    return f"(\n{lines})"


def main() -> None:
    """Write the module."""
    MODULE.write_text(module(GRAMMAR.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
