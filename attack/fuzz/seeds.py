"""Texts to start fuzzing with, read from the project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from attack.fuzz.mutation import Mutator

ROOT = Path(__file__).parents[2]

_SIGNS = {
    "agn": ["=>", ",", ";", "#", ":", "?", '"', "(", ")", "[", "]", "\\", "\n", "：", "，", "＃"],
    "cel": ["(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "!", "-", "+", "*", "/", "%", "&&",
            "||", "==", "!=", "<", "<=", ">", ">=", "in", "true", "false", "null", "''", '"', "r'",
            "'''", "`", "//", "\\", "\n", "1.5", "2u", "b''", "9223372036854775807", "0x1F", "a",
            "a,", "k,", "for", "x"],
    "variant": ["- ", ": ", "{", "}", "[", "]", ",", '"', "'", "|", ">-", "#", "&a", "*a", "!!",
                "%", "---", "...", "\n", "\t", "null", "true", "on", "0x10", "1.5", "-1",
                "first: true"],
}  # fmt: skip

_TOKENS = {
    "agn": re.compile(r"""[^\W_]+|=>|"[^"\n]*"|[^\w\s]"""),
    "cel": re.compile(r"""\w+|'[^'\n]*'|"[^"\n]*"|&&|\|\||[=!<>]=|[^\w\s]"""),
    "variant": re.compile(r"""[\w.-]+|'[^'\n]*'|"[^"\n]*"|[^\w\s]"""),
}

# Paths that variants change, and words in these parts.
_SECTIONS = (
    "numbers", "options", "kinds", "zones", "functions", "entities", "names", "moves", "rules",
    "procedures", "decisions", "triggers", "prepare", "checks", "complete", "categories", "ties",
    "rulings", "status", "lints", "texts",
)  # fmt: skip


def logs() -> Iterator[Path]:
    """Yield all logs of the repository."""
    for folder in ("tests", "games"):
        yield from sorted((ROOT / folder).rglob("*.agn"))


def _variants() -> Iterator[Path]:
    yield from sorted((ROOT / "rules" / "altay" / "variants").glob("*.yaml"))
    for folder in ("rules_check", "variants", "pack"):
        yield from sorted((ROOT / "tests" / folder).rglob("*.yaml"))


@cache
def _rules() -> dict[str, Any]:
    from altay_cli.base.resources import data_folder
    from altay_cli.source.folder import read_folder

    rules: dict[str, Any] = read_folder(data_folder("rules") / "altay").data
    return rules


@cache
def _expressions() -> list[str]:
    from altay_cli.compile.load import load_pack

    found = dict.fromkeys(expr.source for expr in load_pack("altay").exprs)
    for path in sorted((ROOT / "tests" / "expressions").rglob("*.json")):
        found |= dict.fromkeys(_named(json.loads(path.read_text(encoding="utf-8")), "expr"))
    return list(found)


def _named(data: Any, key: str) -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from _named(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from _named(value, key)


def _keys(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        if isinstance(data.get("properties"), dict):
            yield from data["properties"]
        for value in data.values():
            yield from _keys(value)
    elif isinstance(data, list):
        for value in data:
            yield from _keys(value)


def seeds(target: str, largest: int) -> list[bytes]:
    """Return texts of at most ``largest`` bytes, ordered by size."""
    found: Iterable[bytes]
    if target == "agn":
        found = (path.read_bytes() for path in logs())
    elif target == "cel":
        found = (text.encode() for text in _expressions())
    else:
        found = (path.read_bytes() for path in _variants())
    return sorted({data for data in found if 0 < len(data) <= largest}, key=lambda d: (len(d), d))


def words(target: str) -> list[str]:
    """Return the words and signs of a language."""
    rules = _rules()
    found: Iterable[str]
    if target == "agn":
        from altay_cli.compile.load import load_pack

        pack = load_pack("altay")
        patterns = (pattern.source for move in pack.moves for pattern in move.patterns)
        found = chain(
            re.findall(r"(?<![<\w])[a-z]+(?![\w>])", " ".join(patterns)),
            (name for names in pack.shown.values() for name in names.values()),
            ("Ann", "Bob", "Ann:", "Bob:", "0", "1", "2", "3", "4", "7", "900", "winner", "score"),
            ("setup", "position", "result", "turn 1 Ann", "turn 2 Bob", "[Map", "[Game"),
        )
    elif target == "cel":
        from attack.fuzz.targets import LOCALS, setting

        env = setting().env
        found = chain(
            LOCALS,
            env.names,
            (f".{name}" for _, name in env.members),
            (f"{name}(" for name in env.functions if name[0] != "@"),
            (f".{name}(" for name in env.functions if name[0] != "@"),
            ("size(", ".size()", ".contains(", ".startsWith(", ".endsWith(", ".matches(", "int("),
            ("string(", "bool(", "type(", "dyn(", "has(", ".all(a,", ".exists(a,", ".filter(a,"),
            (".exists_one(a,", ".map(a,", ".transformList(k, a,", ".transformMap(k, a,"),
        )
    else:
        schemas = (ROOT / "schemas").glob("*.json")
        keys = (
            key for path in sorted(schemas) for key in _keys(json.loads(path.read_text("utf-8")))
        )
        found = chain(
            (f"{key}: " for key in keys),
            (f"{word}: " for word in ("set", "add", "remove", "extend", "move", "to", "with")),
            _SECTIONS,
            *(
                [f"{s}.{name}" for name in rules[s]]
                for s in _SECTIONS
                if isinstance(rules.get(s), dict)
            ),
            (
                f"entities.{kind}.{name}"
                for kind, some in rules["entities"].items()
                for name in some
            ),
            (f"moves.{name}.{key}" for name, move in rules["moves"].items() for key in move),
            ("altay", "trading", "fuzz.yaml", "int", "bool", "string", "bag(card)", "list(int)"),
        )
    return [*_SIGNS[target], *dict.fromkeys(found)]


def chunks(target: str) -> list[str]:
    """Return whole statements, expressions or changes."""
    if target == "cel":
        return _expressions()
    if target == "agn":
        lines = (line for path in logs() for line in path.read_text(encoding="utf-8").splitlines())
        return list(dict.fromkeys(line for line in lines if line.strip() and len(line) < 200))
    found: dict[str, None] = {}
    for path in _variants():
        text = path.read_bytes().decode("utf-8", "replace")
        # An item of the list of changes, with all its lines.
        for part in re.findall(r"^ *- .*(?:\n {3,}.*)*", text, re.MULTILINE):
            if len(part) < 1_000:
                found[part] = None
    return list(found)


def mutator(target: str) -> Mutator:
    """Return the mutator for a target."""
    return Mutator(_TOKENS[target], words(target), chunks(target), lines=target != "cel")


def dictionary(target: str) -> str:
    """Return the words of a target as libFuzzer reads them."""

    def escaped(word: str) -> str:
        return "".join(
            chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\x{b:02X}"
            for b in word.encode()
        )

    return "".join(f'"{escaped(word)}"\n' for word in words(target) if len(word.encode()) < 60)
