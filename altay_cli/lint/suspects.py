"""Find what a variant cannot mean: points for others, useless things, misspelled names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set

from altay_cli.base.findings import Severity, Text
from altay_cli.base.suggest import slips
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.context import Context
from altay_cli.expressions import typed as t
from altay_cli.lint.interpreter import Interpreter, is_brought
from altay_cli.lint.known import few
from altay_cli.lint.observations import expressions_of
from altay_cli.pack import model as m
from altay_cli.pack.words import words_of
from altay_cli.source.document import DataFinding, Entry, fault
from altay_cli.source.folder import walk

LONG_WORD = 8
"""Letters of a word that may have two slips, but not in its last letter."""

_MESSAGES = frozenset({"else", "help", "since", "message"})
_BRACES = re.compile(r"\{[^{}]*\}")
_COMMAND = re.compile(r"`([a-z]{4,})\b[^`]*`")
_NAME = re.compile(r"(?:(?<=[a-z,;] )|(?<=`))[A-Z][a-z]{4,}\b")


# ---------------------------------------------------------------- points


def points_of_others(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield new categories that give points only for what other players have."""
    tree = truth.c.tree
    for category in truth.pack.categories if tree.variants else ():
        path = ("categories", category.id)
        parts = [
            expr for part in category.parts for expr in (part.points, part.each and part.each[1])
        ]
        paths = [truth.path(expr) for expr in filter(None, parts)]
        uses = [use for expr in expressions_of(category) for use in _uses(truth.tree(expr.key))]
        fines = any(part.points.source.lstrip().startswith("-") for part in category.parts)
        brought = [path for path in (path, *paths) if is_brought(tree, path)]
        if uses and not fines and all(uses) and brought:
            template = (
                "`{category}` gives a player points for what others have, and for nothing of `me`"
            )
            way = "let the points depend on what `me` has: `me.ZONE`"
            severity = Severity.WARNING
            yield fault(
                "points-of-others",
                template,
                brought[0],
                way,
                severity=severity,
                category=category.title,
            )


def points_exchanged(c: Context, base: Entry) -> Iterator[DataFinding]:
    """Yield points of the ``base`` that a variant gives to the other of two players.

    What they read is the same with `me` and the other player exchanged.
    """
    for ident, category in base.get("categories", {}).items():
        parts = c.data.get("categories", {}).get(ident, {}).get("parts", [])
        for number, (old, new) in enumerate(zip(category["parts"], parts, strict=False)):
            other = next(iter(old.get("each", ())), "")
            before, after = (_read_of_two(str(part["points"]), other) for part in (old, new))
            exchanged = {_exchanged(text, other) for text in before} - before
            is_fine = str(new["points"]).lstrip().startswith("-")
            if after & exchanged and not after & before and not is_fine:
                path = ("categories", ident, "parts", number, "points")
                template = (
                    "`{category}` gives points to the wrong player: `me` and `{other}` are "
                    "exchanged"
                )
                way = Text("without the variant it is `{points}`", points=str(old["points"]))
                severity = Severity.WARNING
                values = {"category": category.get("title", ident), "other": other}
                yield fault("points-of-others", template, path, way, severity=severity, **values)


def _read_of_two(text: str, other: str) -> Set[str]:
    """Return what an expression reads of `me` and the ``other`` together: `me.captured[p]`."""
    name = rf"(?:me|{re.escape(other)})\b"
    read = re.findall(rf"(?<![\w.]){name}(?:\.\w+|\[{name}\])+", text) if other else ()
    return {text for text in read if {"me", other} <= {*re.findall(r"\w+", text)}}


def _exchanged(text: str, other: str) -> str:
    names = {"me": other, other: "me"}
    return "".join(names.get(word, word) for word in re.split(r"(\w+)", text))


def _uses(tree: t.Tree, parent: t.Tree | None = None) -> Iterator[bool]:
    """Yield for each `me` in a tree whether it only excludes `me` from the players."""
    if isinstance(tree, t.Reference) and tree.name == "me":
        yield _names_others(parent)
    for part in t.parts(tree):
        yield from _uses(part, tree)


def _names_others(parent: t.Tree | None) -> bool:
    if not isinstance(parent, t.Applied):
        return False
    if parent.function == "!=":
        return any(isinstance(argument, t.Variable) for argument in parent.arguments)
    return parent.function in {"after", "before"} and len(parent.arguments) == 2


def capped_at_nothing(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield caps of points that a variant makes 0."""
    caps = [(c, part.cap) for c in truth.pack.categories for part in c.parts if part.cap]
    for category, cap in caps if truth.c.tree.variants else ():
        brought = truth.brought_path(cap)
        if brought and few(truth.value(cap)) == (0,):
            template = "the points of `{category}` are capped at 0: it is worth nothing"
            yield fault(
                "category-constant",
                template,
                brought,
                severity=Severity.WARNING,
                category=category.title,
            )


# ---------------------------------------------------------------- things


def worse_things(c: Context) -> Iterator[DataFinding]:
    """Yield new things that ask for no less than another of their kind, and offer no more."""
    kinds = c.data["kinds"]
    records = {kind for kind, entry in kinds.items() if entry.get("record")}
    demands = {f"bag({kind})" for kind, entry in kinds.items() if "filled_by" in entry}
    for kind, things in c.pack.entities.items() if c.tree.variants else ():
        fields = kinds.get(kind, {}).get("fields", {})
        asked = [name for name, text in fields.items() if text in demands]
        # What only some things have can as well be room on them.
        asked = [name for name in asked if 2 * sum(bool(t.f[name]) for t in things) > len(things)]
        for thing in things if asked else ():
            path = ("entities", kind, thing.id)
            better = (
                other
                for other in things
                if other is not thing
                and (
                    _is_worse(thing, other, asked, records)
                    or _offers_nothing(thing, other, asked, things)
                )
            )
            other = next(better, None) if is_brought(c.tree, path) else None
            if other is not None:
                words = words_of(c.pack, "en")
                template = "{name} asks for no less than {other}, and offers no more"
                yield fault(
                    "worse-thing",
                    template,
                    path,
                    severity=Severity.WARNING,
                    name=words.name(thing),
                    other=words.name(other),
                )


def _is_worse(thing: Entity, other: Entity, asked: Collection[str], records: Set[str]) -> bool:
    differs = False
    for name, value in thing.f.items():
        mine, theirs = _plain(value, records), _plain(other.f[name], records)
        if mine == theirs:
            continue
        differs = True
        less, more = (theirs, mine) if name in asked else (mine, theirs)
        if not (isinstance(less, Counter) and isinstance(more, Counter) and less <= more):
            return False
    return differs


def _offers_nothing(
    thing: Entity, other: Entity, asked: Collection[str], things: Sequence[Entity]
) -> bool:
    """Return True if a thing has only what all ``things`` have, and asks for more than another."""
    rest = [name for name in thing.f if name not in asked]
    common = {name for name in rest if all(_is_given(one.f[name]) for one in things)}
    return (
        all(thing.f[name].size() > other.f[name].size() for name in asked)
        and all(thing.f[name] == other.f[name] for name in common)
        and not any(_is_given(thing.f[name]) for name in rest if name not in common)
        and any(_is_given(other.f[name]) for name in rest if name not in common)
    )


def _is_given(value: object) -> bool:
    return bool(value) and not (isinstance(value, m.Expr) and value.source == "[]")


def _plain(value: object, records: Set[str]) -> object:
    """Return what things are compared by: the fields of records and of copies, else their ids."""
    match value:
        case Bag():
            return Counter({thing.id: count for thing, count in value.items()})
        case list():
            return Counter(repr(_plain(item, records)) for item in value)
        case Entity() if value.parent is not None or value.kind in records:
            fields = value.f.items()
            return {name: _plain(v, records) for name, v in fields if v is not value.parent}
        case Entity():
            return value.id
    return value


# ---------------------------------------------------------------- names


def names_of_nothing(c: Context) -> Iterator[DataFinding]:
    """Yield messages of a variant that misspell a move or a thing."""
    tree = c.tree
    if not tree.variants:
        return
    verbs = {pattern.verb for move in c.pack.moves for pattern in move.patterns}
    words = words_of(c.pack, "en")
    names = {words.name(thing) for things in c.pack.entities.values() for thing in things}
    known = verbs | {word for text in _patterns(c.pack) for word in text.split()}
    for path, value in walk(c.data):
        if path and path[-1] in _MESSAGES and isinstance(value, str) and is_brought(tree, path):
            plain = _BRACES.sub("", value)
            wrong = [*_unknown_verbs(plain, verbs, known), *_unknown_names(plain, names)]
            for word, near in wrong[:1]:
                template = "`{word}` in this message is the name of nothing"
                meant = Text("did you mean `{name}`?", name=near)
                yield fault(
                    "misspelled-name", template, path, meant, severity=Severity.WARNING, word=word
                )


def _patterns(pack: m.Pack) -> Iterator[str]:
    for move in pack.moves:
        yield from (pattern.source for pattern in move.patterns)
        yield move.id


def _unknown_verbs(text: str, verbs: Set[str], known: Set[str]) -> Iterator[tuple[str, str]]:
    for word in _COMMAND.findall(text):
        if word not in known:
            for near in sorted(verbs):
                if _is_slip(word, near):
                    yield word, near


def _unknown_names(text: str, names: Set[str]) -> Iterator[tuple[str, str]]:
    for word in _NAME.findall(text):
        if not any(word in name.split() or word.startswith(name) for name in names):
            for near in sorted(names):
                if _is_slip(word, near):
                    yield word, near


def _is_slip(word: str, name: str) -> bool:
    """Return True if one letter is wrong, missing, added or moved, in a long word two."""
    if word == name or word[:1] != name[:1]:
        return False
    if sorted(word) == sorted(name):
        return True
    is_long = len(word) >= LONG_WORD and word[-1:] == name[-1:]
    return slips(word, name) <= 1 + is_long
