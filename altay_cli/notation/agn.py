"""The terminals and rules of ``grammar/agn.lark``, as the reader uses them.

Made by ``python -m grammar``: change the grammar, and run that.
"""

import re

BLANKS = (
    "\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028"
    "\u2029\u202f\u205f\u3000\ufeff"
)
"""White space within a line."""

# As canonical text has them.
OPEN = "["
CLOSE = "]"
COMMA = ","
COLON = ":"
ARROW = "=>"

QUOTES = '"“”„‟＂'
"""What a quoted text begins with."""

COMMENTS = ("#", "＃")
"""What a comment begins with."""

COMMAS = (",", "，")
"""The commas."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""A control character: it belongs to no terminal."""

TOKEN = re.compile(
    r"(?P<number>\-?+[0-9]++(?![^\x00- \"#\(\),:;=\?\[\]\x7f-\xa0\u1680\u2000-\u200a“-‟\u2028"
    r"\u2029\u202f\u205f\u3000\ufeff＂＃，：；]))|"
    r"(?P<word>[^\x00- \"#\(\),:;=\?\[\]\x7f-\xa0\u1680\u2000-\u200a“-‟\u2028\u2029\u202f"
    r"\u205f\u3000\ufeff＂＃，：；]++)|"
    r"(?P<comma>[,，](?:[\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*+(?:[#"
    r"＃][^\n]*+)?+\n)*+)|"
    r"(?P<text>[“-‟＂](?:\\[^\x00-\x08\n-\x1f\x7f-\x9f]|[^\x00-\x08\n-\x1f\"\\\x7f-\x9f“-‟＂])*+"
    r"[\"“-‟＂]|\"(?:\\[^\x00-\x08\n-\x1f\x7f-\x9f]|[^\x00-\x08\n-\x1f\"\\\x7f-\x9f])*+\")|"
    r"(?P<qualifier>\([\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*+[^\x00"
    r"- \"#\(\):;=\[\]\x7f-\xa0\u1680\u2000-\u200a“-‟\u2028\u2029\u202f\u205f\u3000\ufeff＂＃：；]"
    r"[^\x00-\x08\n-\x1f\"#\(\):;=\[\]\x7f-\x9f“-‟＂＃：；]*+\))|"
    r"(?P<hidden>\?)|"
    r"(?P<arrow>=>)|"
    r"(?P<colon>[:：])|"
    r"(?P<stray>[^\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff])"
)
"""A token of a statement; ``lastgroup`` is its kind, "stray" for what is none."""

TAG = re.compile(
    r"\[[\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*+"
    r"(?P<key>[^\x00- \"#\(\),:;=\?\[\]\x7f-\xa0\u1680\u2000-\u200a“-‟\u2028\u2029\u202f\u205f"
    r"\u3000\ufeff＂＃，：；]++)[\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*+"
    r"(?P<value>[“-‟＂](?:\\[^\x00-\x08\n-\x1f\x7f-\x9f]|[^\x00-\x08\n-\x1f\"\\\x7f-\x9f“-‟＂])*"
    r"+[\"“-‟＂]|\"(?:\\[^\x00-\x08\n-\x1f\x7f-\x9f]|[^\x00-\x08\n-\x1f\"\\\x7f-\x9f])*+\")[\t "
    r"\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*+\]"
)
"""A whole tag pair."""

SECTION = re.compile(r"(?ai:setup)|(?ai:position)|(?ai:result)")
"""The word that is the heading of a section."""

TURN = re.compile(r"(?ai:turn)")
"""The word that the heading of a turn begins with."""

HEADING_LINE = (
    r"[\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*+(?:\[|(?ai:turn)[\t "
    r"\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]++[0-9]|(?:(?ai:setup)|(?ai:"
    r"position)|(?ai:result))[\t \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*"
    r"+(?:[\n#;＃；]|\Z))"
)
"""What a line begins with that a comma behind the line before does not take in. As text: it is
hardly ever asked for."""

BREAK = re.compile(
    r"(?P<text>[“-‟＂](?:\\[^\n]|[^\n\"\\“-‟＂])*+[\"“-‟＂]|\"(?:\\[^\n]|[^\n\"\\])*+\")|"
    r"(?P<unclosed>[\"“-‟＂])|"
    r"(?P<end>[;；][\t ;\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff；]*+)|"
    r"(?P<comment>[#＃])"
)
"""What matters for cutting a line into statements. Behind an unclosed quote nothing does."""

SIGN = re.compile(r"[\"#;“-‟＂＃；]")
"""The first character of a BREAK."""

LETTERS = {
    "number": "n",
    "word": "w",
    "comma": "c",
    "text": "t",
    "qualifier": "q",
    "hidden": "h",
    "arrow": "a",
    "colon": "o",
    "section": "s",
    "turn": "u",
    "stray": "!",
}
"""A letter for each kind of token. They make the shape of a statement."""

STATEMENT = re.compile(
    r"(?:"
    r"(?P<actor>[ntw]++)o)?"
    r"(?P<items>(?:[ntw]++|[ntw]*(?:h|[tw]q)(?:h|[tw]q|[ntw])*)(?:c(?:[ntw]++|[ntw]*(?:h|[tw]q"
    r")(?:h|[tw]q|[ntw])*))*)(?:a"
    r"(?P<outcome>(?:(?:[ntw]++|[ntw]*(?:h|[tw]q)(?:h|[tw]q|[ntw])*)(?:c(?:[ntw]++|[ntw]*(?:h|"
    r"[tw]q)(?:h|[tw]q|[ntw])*))*)?))?"
)
"""The shape of a statement."""

HEADING = re.compile(r"s|un[ntw]++")
"""The shape of a heading."""

NAMES = re.compile(r"[ntw]++")
"""The shape of names in a row."""
