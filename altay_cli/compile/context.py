"""The context for compiling all sections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import filterfalse
from typing import Any, NamedTuple

from altay_cli.base.findings import (
    Citation,
    ExpressionError,
    Severity,
    did_you_mean,
    there_is_no,
)
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import Entity
from altay_cli.compile.vocabulary import function_keys, parse_type
from altay_cli.expressions import limits
from altay_cli.expressions import typed as t
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment, Symbol
from altay_cli.expressions.types import DYN, Type
from altay_cli.pack import model as m
from altay_cli.pack.words import lone_brace, split_message
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree

A_LIST = "a list is needed, not {type}"
A_THING = "a thing is needed, not {type}"

WRONG = check("null", Environment())._replace(type=DYN)
"""Replaces a faulty expression: its users report nothing."""


def check_translations(c: Context) -> None:
    """Check translations, after all messages have been compiled.

    One that a game has for a text that variants remove may lack expressions.
    """
    variants = [variant.source.data.get("texts", {}) for variant in c.tree.variants]
    for language, texts in c.section("texts").items():
        brought = {english for of_variant in variants for english in of_variant.get(language, ())}
        for english in filterfalse(c.translated.__contains__, texts):
            expressions = [part for part, offset in split_message(english) if offset is not None]
            needed = () if variants and english not in brought else expressions
            c.part("texts", language, english).check_translation(expressions, needed)


def _chooses_words(tree: t.Tree) -> bool:
    match tree:
        case t.Conditional():
            return all(_chooses_words(part) for _, part in tree.branches) and _chooses_words(
                tree.otherwise
            )
        case t.Applied(function="words"):
            return all(map(_chooses_words, tree.arguments))
    return isinstance(tree, t.Constant)


def is_list(kind: Type) -> bool:
    """Return True for the type of a list."""
    return kind.name == "list"


class ZoneRead(NamedTuple):
    """An expression that reads a zone; ``keys`` give the place."""

    zone: m.Zone
    keys: tuple[t.Tree, ...]


class Context:
    """The declarations and results while a tree is compiled."""

    pack: m.Pack

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.data: Entry = tree.data
        self.problem = tree.problem
        self.kinds = frozenset(self.section("kinds")) | {"player"}
        self.zones: tuple[m.Zone, ...] = ()
        self.zone_named: Mapping[str, m.Zone] = {}
        self.entities: Mapping[str, tuple[Entity, ...]] = {}
        self.procedure_types: Mapping[str, Mapping[str, Type]] = {}
        self.decision_types: Mapping[str, Mapping[str, Type]] = {}
        self.answer_types: Mapping[str, Type] = {}
        """The type of the answer to each decision."""
        self.base = Environment()
        self.env = self.base
        self.move_envs: dict[str, Environment] = {}

        self.exprs: list[m.Expr] = []
        self.checked: dict[str, Checked] = {}
        """The checked expressions, by key."""
        self.paths: dict[str, DataPath] = {}
        """The positions of the checked expressions, by key."""
        self.functions: dict[str, m.RuleFunction] = {}
        self.shared: dict[Any, Any] = {}
        """Parts of expressions that the cache stores once."""
        self.about = ""
        """The title of the move or section being compiled."""
        self.goals: dict[DataPath, m.Goal] = {}
        """What requirements compare among the possible moves, by path."""
        self.rules: dict[str, list[tuple[str, m.RuleText]]] = {}
        self.routines: list[m.Effects] = []
        self.constants: dict[str, object] = {}
        """Objects that generated code finds by name."""
        self.loops = 0
        """The number of enclosing loops."""
        self.translated: set[str] = set()
        """Texts with checked translations."""

    def section(self, *keys: str | int) -> Entry:
        """Return the value at a path of keys, or an empty one."""
        part: Mapping[Any, Any] = self.data
        for key in keys:
            part = part.get(key, m.NOTHING)
        return part

    def citation(self, cite: m.Cite) -> m.Cite:
        """Return a citation with the titles of its books."""
        if not cite:
            return cite
        cited = Citation(cite)
        cited.titles = self.book_titles
        return cited

    @cached_property
    def book_titles(self) -> Mapping[str, Mapping[str, str]]:
        """The titles of cited books, by key and language."""
        texts = self.section("texts").items()
        return {
            book: {
                ENGLISH: title,
                **{code: known[title] for code, known in texts if title in known},
            }
            for book, title in self.section("rulebooks").items()
        }

    def part(self, *path: str | int, env: Environment | None = None) -> Clause:
        """Return the part of the rules at a path, perhaps empty.

        The environment of its expressions is by default that of moves.
        """
        return Clause(self, self.section(*path), path, env or self.env)

    def parts(self, section: str, env: Environment | None = None) -> Iterator[tuple[Any, Clause]]:
        """Yield the entries of a section."""
        return self.part(section, env=env).each_part()

    def with_called(self, keys: Iterable[str]) -> Iterator[Checked]:
        """Yield these expressions, and functions they call."""
        functions = self.section("functions")
        waiting = [*keys]
        met = {*waiting}
        while waiting:
            checked = self.checked[waiting.pop()]
            yield checked
            for name in checked.calls:
                inner = ({*function_keys(name, functions[name])} - met) & self.checked.keys()
                waiting += inner
                met |= inner

    def zone_read(self, tree: t.Tree) -> ZoneRead | None:
        """Return the zone and keys of an expression, or None."""
        keys: list[t.Tree] = []
        while isinstance(tree, t.Applied) and tree.function == "[]":
            tree, key = tree.arguments
            keys.append(key)
        zone: m.Zone | None = None
        if isinstance(tree, t.Member) and not tree.test:
            zone = self.zone_named.get(tree.field)
            if zone is not None and zone.per[:1] != (tree.operand.type.name,):
                zone = None
            keys.append(tree.operand)
        elif isinstance(tree, t.Reference) and tree.key is None:
            zone = self.zone_named.get(tree.name)
        if zone is None or len(keys) != len(zone.per):
            return None
        return ZoneRead(zone, tuple(reversed(keys)))


Named = tuple[str, m.Expr]


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the rules, its position and environment.

    ``clause["do"]`` is the part under a key, or the item of a list.
    """

    c: Context
    data: Any
    path: DataPath
    env: Environment

    def __getitem__(self, key: str | int) -> Clause:
        return Clause(self.c, self.data[key], (*self.path, key), self.env)

    def __contains__(self, key: object) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = None) -> Any:
        """Return the raw value under a key."""
        return self.data.get(key, default)

    def under(self, key: str) -> Clause:
        """Return the part under a key, perhaps empty."""
        return Clause(self.c, self.data.get(key, m.NOTHING), (*self.path, key), self.env)

    def with_data(self, data: Any) -> Clause:
        """Return a part with other data."""
        return replace(self, data=data)

    def parts(self, key: str) -> Iterator[tuple[Any, Clause]]:
        """Yield the parts under a key."""
        return self.under(key).each_part()

    def each_part(self) -> Iterator[tuple[Any, Clause]]:
        """Yield the parts of a mapping or a list."""
        for name in self.data if isinstance(self.data, Mapping) else range(len(self.data)):
            yield name, self[name]

    def as_list(self) -> list[Clause]:
        """Return the parts of a list, or a text as only part."""
        return [self] if isinstance(self.data, str) else [part for _, part in self.each_part()]

    def with_names(self, names: Mapping[str, Type]) -> Clause:
        """Return the same part with more local values."""
        symbols = {}
        for name, kind in names.items():
            outer = self.env.names.get(name)
            # Names can be shadowed: their variables are `v_card`, `v1_card`, ...
            level = outer.level + 1 if outer is not None and outer.local is not None else 0
            variable = f"v{level or ''}_{name}"
            symbols[name] = Symbol(kind, variable, (variable, name), level=level)
        return replace(self, env=self.env.child(symbols))

    def as_type(self) -> Type | None:
        """Return the type named here, or report it."""
        kind = parse_type(self.data, self.c.kinds)
        if kind is None:
            self.unknown("type", ())
        return kind

    def types(self, key: str) -> dict[str, Type]:
        """Return the parameter types under a key."""
        return {name: kind for name, part in self.parts(key) if (kind := part.as_type())}

    def named(self, key: str, what: str, known: Collection[str]) -> str | None:
        """Return which of ``known`` is named, or None."""
        name: str | None = self.get(key)
        if name is None or name in known:
            return name
        self[key].unknown(what, known)
        return None

    def problem(self, rule: str, message: str, /, *help_lines: str, **values: Any) -> None:
        """Report a problem at this part or its key."""
        self.c.problem(rule, message, self.path, *help_lines, **values)

    def unknown(self, what: str, known: Iterable[str], *, key: bool = False) -> None:
        """Report an unknown name."""
        name = str(self.path[-1] if key else self.data)
        near = did_you_mean(name, known)
        self.problem(f"unknown-{what}", there_is_no(what, name), *near, key=key)

    # ------------------------------------------------------------ expressions

    def check(self, expect: Type | None = None, *, key: bool = False, offset: int = 0) -> Checked:
        """Check the expression here, or in ``key``; ``WRONG`` if it is faulty.

        It begins at ``offset`` in the text.
        """
        text = self.path[-1] if key else self.data
        source = str(text).lower() if isinstance(text, bool) else str(text)
        try:
            return check(source, self.env, expect)
        except ExpressionError as error:
            start = offset + (error.start or 0)
            end = offset + (len(source) if error.end is None else error.end)
            within = None if key else (start, max(end, start + 1))
            self.problem(f"expression-{error.code}", error.message, key=key, within=within)
            return WRONG

    def register(self, checked: Checked) -> m.Expr:
        """Register the expression here for linking."""
        c, key = self.c, f"e{len(self.c.exprs)}"
        c.checked[key] = checked
        c.paths[key] = self.path
        called = c.with_called([key]) if checked.calls else ()
        reads = checked.reads.union(*(function.reads for function in called))
        source, kind = str(self.data), checked.type.name
        bound = c.shared.setdefault(tuple(checked.locals.items()), checked.locals)
        parts = source, checked.names, kind, self.place, reads
        source, names, kind, place, reads = (c.shared.setdefault(part, part) for part in parts)
        expr = m.Expr(key, source, names, bound, kind, place, reads)
        c.exprs.append(expr)
        return expr

    @property
    def place(self) -> tuple[str, int]:
        """The file and line of this part."""
        file, span = self.c.tree.where(self.path)
        return file, span.line

    def expr(self, expect: Type | None = None) -> m.Expr:
        """Compile the expression here, or `null` if faulty."""
        return self.register(self.check(expect))

    def optional(self, key: str, expect: Type | None = None) -> m.Expr | None:
        """Compile the expression under a key, if any."""
        return self[key].expr(expect) if key in self.data else None

    def fitting(
        self, fits: Callable[[Type], bool], wrong: str, rule: str = "type", **values: object
    ) -> Checked:
        """Check the expression here; report ``wrong`` for other types."""
        checked = self.check()
        if checked is WRONG or fits(checked.type):
            return checked
        self.problem(rule, wrong, type=checked.type, **values)
        return WRONG

    def fitted(self, fits: Callable[[Type], bool], wrong: str) -> m.Expr:
        """Compile the expression here; see ``fitting``."""
        return self.register(self.fitting(fits, wrong))

    def each(self) -> tuple[Named | None, Clause]:
        """Compile the name and list under `each`, if any."""
        named, inner = self.lists("each")
        return (named[0] if named else None), inner

    def lists(
        self, key: str, shapes: Collection[str] = ("list",), wrong: str = A_LIST
    ) -> tuple[tuple[Named, ...], Clause]:
        """Compile the named lists under a key; each name is a variable for members.

        Each can use the names before it. Without ``shapes``, names are those of values of any type.
        """
        result = []
        inner = self
        for name in self.get(key, ()):
            part = inner[key][name]
            checked = part.fitting(lambda kind: not shapes or kind.name in shapes, wrong)
            result.append((name, part.register(checked)))
            (named,) = (checked.type.args or (DYN,)) if shapes else (checked.type,)
            inner = inner.with_names({name: named})
        return tuple(result), inner

    def lets(self) -> tuple[tuple[Named, ...], Clause]:
        """Compile the values under `let`; each can use those before it."""
        return self.lists("let", ())

    # ------------------------------------------------------------ texts

    def message(self) -> m.Message:
        """Compile a text with expressions, and its translations."""
        c, text = self.c, self.data
        if "{" in text and len(text) > limits.MAX_LENGTH:
            self.check()
            return m.Message((), text)
        parts: list[str | m.Expr] = []
        expressions: dict[str, Checked] = {}
        for part, offset in split_message(text):
            if offset is None:
                parts.append(part)
            else:
                place = self.with_data(part)
                expressions[part] = place.check(offset=offset)
                parts.append(place.register(expressions[part]))
        self._check_braces()
        if text not in c.translated:
            c.translated.add(text)
            needed = [
                part for part, checked in expressions.items() if not _chooses_words(checked.tree)
            ]
            for language in c.section("texts"):
                c.part("texts", language, text).check_translation(expressions, needed)
        return m.Message(tuple(parts), text)

    def check_translation(self, expressions: Collection[str], needed: Collection[str]) -> None:
        """Check that a translation has the ``needed`` expressions, and only ``expressions``."""
        if not self.data:
            return
        self._check_braces()
        there = {part: at for part, at in split_message(self.data) if at is not None}
        unknown = [part for part in there if part not in expressions]
        for part in unknown:
            template = "the English text has no `{part}`"
            within = there[part], there[part] + len(part)
            self.problem("text-expression", template, part=f"{{{part}}}", within=within)
        missing = [f"`{{{part}}}`" for part in needed if part not in there]
        if missing and not unknown and lone_brace(self.data) is None:
            template = "the English text has {parts} as well"
            self.problem("text-expression", template, parts=tuple(missing))

    def optional_message(self, key: str) -> m.Message | None:
        """Compile the text under a key, if any."""
        return self[key].message() if key in self else None

    def _check_braces(self) -> None:
        brace = lone_brace(self.data)
        if brace is not None:
            template = "this `{brace}` has no partner: write an expression between `{{` and `}}`"
            hint = "a brace that is meant as one is written {'{'} or {'}'}"
            at = brace, brace + 1
            self.problem("lone-brace", template, hint, brace=self.data[brace], within=at)

    def rule_text(
        self, rule: str | None = None, cite: m.Cite | None = None, key: str = "else"
    ) -> m.RuleText:
        """Compile the text of a finding of ``rule``, by default the name of this part.

        ``cite`` is the page of its move, ``key`` the key of its message.
        """
        c, data = self.c, self.data
        ruling = self.named("ruling", "ruling", c.section("rulings"))
        sentence = self[key].message()
        help_line = self.optional_message("help")
        text = m.RuleText(
            data["rule"] if rule is None else rule,
            sentence,
            # A text from elsewhere is not on the page of its move.
            c.citation(data.get("cite", {} if "source" in data else cite or {})),
            Severity(data.get("severity", Severity.ERROR)),
            () if help_line is None else (help_line,),
            data.get("title", ""),
            ruling,
            next((str(data[key]) for key in ("that", "best") if key in data), None),
            self.named("unrecorded", "kind", c.kinds) or "",
            self.optional_message("since"),
            cite is None and not {"cite", "source"} & data.keys(),
        )
        c.rules.setdefault(text.rule, []).append((c.about, text))
        return text
