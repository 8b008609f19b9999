"""What compiling every section needs: the tree, what is declared, and how expressions are made.

A ``Clause`` is a part of the rules together with its place and what it can mention.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from altay_cli.base.findings import ExpressionError, Severity, Text, did_you_mean, there_is_no
from altay_cli.base.values import Entity
from altay_cli.compile.vocabulary import parse_type
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment, Reads, Symbol
from altay_cli.expressions.limits import MAX_LENGTH
from altay_cli.expressions.types import DYN, Type, list_of
from altay_cli.pack import model as m
from altay_cli.pack.words import lone_brace, split_message
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree

A_LIST = "a list is needed, not {type}"
A_THING = "a thing is needed, not {type}"

EMPTY = check("[]", Environment())._replace(type=list_of(DYN))
"""What stands for a list that is not there."""

WRONG = check("null", Environment())._replace(type=DYN)
"""What stands for an expression that is wrong: that is told once, not of all that mentions it."""


def is_list(kind: Type) -> bool:
    """Return whether a type is that of a list."""
    return kind.name == "list"


class Context:
    """What is known while one tree is compiled; ``tree.problems`` collects what is wrong with it.

    What is declared is put in by ``declarations.declare``, before any section is compiled, and the
    ``pack`` when all are.
    """

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
        """The types of the answers that have a value, by decision."""
        self.base = Environment()
        """What can be mentioned by what tells how the game stands."""
        self.env = self.base
        self.move_envs: dict[str, Environment] = {}
        """By move: what its requirements and effects can mention."""

        self.exprs: list[m.Expr] = []
        self.codes: dict[str, str] = {}
        self.quick: dict[str, str] = {}
        self.checked: dict[str, Checked] = {}
        """What was found out about expressions, by their keys; of functions by `fn` and name."""
        self.paths: dict[str, DataPath] = {}
        """Where expressions stand, by their keys."""
        self.functions: dict[str, m.RuleFunction] = {}
        self.function_reads: dict[str, Reads] = {}
        """By function: what it looks at, also in those that it calls."""
        # What expressions look at, each set once: the cache keeps it once, too.
        self._reads: dict[Reads, Reads] = {}
        self.about = ""
        """The title of the move or section being compiled."""
        self.rules: dict[str, list[tuple[str, m.RuleText]]] = {}
        self.routines: list[m.Effects] = []
        self.things: dict[Entity, str] = {}
        """The Python constants that things are which hold effects."""
        self.loops = 0
        """How many loops of effects lie around what is being compiled."""
        self.translated: set[str] = set()
        """The texts whose translations have been checked."""

    # ------------------------------------------------------------ data and problems

    def section(self, *keys: str) -> Entry:
        """Return what stands under some keys, one in the other; empty if nothing does."""
        part = self.data
        for key in keys:
            part = part.get(key, m.NOTHING)
        return part

    def unknown(
        self, what: str, name: str, known: Iterable[str], path: DataPath, *, key: bool = False
    ) -> None:
        """Report that ``name`` is unknown."""
        near = did_you_mean(name, known)
        self.problem(f"unknown-{what}", there_is_no(what, name), path, *near, key=key)

    # ------------------------------------------------------------ expressions

    def check(
        self,
        text: object,
        path: DataPath,
        env: Environment,
        expect: Type | None = None,
        key: bool = False,
        offset: int | None = None,
    ) -> Checked:
        """Check an expression of the rules, see ``Clause.check``; gives ``WRONG`` if it is."""
        source = str(text).lower() if isinstance(text, bool) else str(text)
        try:
            return check(source, env, expect)
        except ExpressionError as error:
            start, end = error.start, error.end
            if offset is not None:
                start = offset + (start or 0)
                end = offset + (len(source) if end is None else end)
            within = None
            if not key and start is not None and end is not None:
                within = (start, max(end, start + 1))
            self.problem(f"expression-{error.code}", error.message, path, key=key, within=within)
            return WRONG

    def register(self, checked: Checked, source: object, path: DataPath) -> m.Expr:
        """Keep an expression that stands at ``path``, to be linked; ``source`` is how it reads."""
        reads = checked.reads.union(*(self.function_reads.get(name, ()) for name in checked.calls))
        expr = m.Expr(
            f"e{len(self.exprs)}",
            str(source),
            checked.names,
            checked.locals,
            checked.type.name,
            self.place(path),
            self._reads.setdefault(reads, reads),
        )
        self.exprs.append(expr)
        self.codes[expr.key] = checked.code
        self.checked[expr.key] = checked
        self.paths[expr.key] = path
        if checked.quick != checked.code:
            self.quick[expr.key] = checked.quick
        return expr

    def place(self, path: DataPath) -> tuple[str, int]:
        """Return the file and line in which something stands."""
        file, span = self.tree.where(path)
        return file, span.line


# ---------------------------------------------------------------- one part of the rules


Named = tuple[str, m.Expr]
"""A name and what it stands for."""


@dataclass(frozen=True, slots=True)
class Clause:
    """What rules say at a place: ``clause["do"]`` is the part under a key, or the item of a list.

    ``env`` is what its expressions can mention.
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
        """Return what stands under a key, as it is written."""
        return self.data.get(key, default)

    def under(self, key: str, default: Any = None) -> Clause:
        """Return the part under a key, which says ``default`` if it is not there."""
        return Clause(self.c, self.data.get(key, default), (*self.path, key), self.env)

    def saying(self, data: Any) -> Clause:
        """Return a part at the same place that says something else."""
        return replace(self, data=data)

    def parts(self, key: str) -> Iterator[tuple[Any, Clause]]:
        """Yield the parts of what stands under a key, if anything does, by names or numbers."""
        if key in self.data:
            yield from self[key].each_part()

    def each_part(self) -> Iterator[tuple[Any, Clause]]:
        """Yield the parts of a mapping or a list, by their names or numbers."""
        for name in self.data if isinstance(self.data, Mapping) else range(len(self.data)):
            yield name, self[name]

    def knowing(self, names: Mapping[str, Type]) -> Clause:
        """Return the same part with more names that it can mention, of values of the moment."""
        symbols = {}
        for name, kind in names.items():
            outer = self.env.names.get(name)
            # It may hide a name of the same kind: `v_card`, `v1_card`, `v2_card`, ...
            level = outer.level + 1 if outer is not None and outer.local is not None else 0
            variable = f"v{level or ''}_{name}"
            symbols[name] = Symbol(kind, variable, (variable, name), level=level)
        return replace(self, env=self.env.child(symbols))

    def as_type(self) -> Type | None:
        """Return the type that is named here; None, and a problem, if there is none."""
        kind = parse_type(self.data, self.c.kinds)
        if kind is None:
            self.unknown("type", ())
        return kind

    def types(self, key: str) -> dict[str, Type]:
        """Return the types of the parameters that are declared under a key."""
        return {name: kind for name, part in self.parts(key) if (kind := part.as_type())}

    def named(self, key: str, what: str, known: Collection[str]) -> str | None:
        """Return what is named under a key; None if nothing is, or nothing that is known."""
        name: str | None = self.get(key)
        if name is None or name in known:
            return name
        self[key].unknown(what, known)
        return None

    # ------------------------------------------------------------ problems

    def problem(
        self, rule: str, message: str, /, *help_lines: str, key: bool = False, **values: object
    ) -> None:
        """Report a problem at this part, or at its ``key``; ``values`` stand in the message."""
        text = Text(message, **values) if values else message
        self.c.problem(rule, text, self.path, *help_lines, key=key)

    def unknown(self, what: str, known: Iterable[str], *, key: bool = False) -> None:
        """Report that what stands here, or its ``key``, names nothing that is known."""
        name = str(self.path[-1] if key else self.data)
        self.c.unknown(what, name, known, self.path, key=key)

    # ------------------------------------------------------------ expressions

    def check(
        self, expect: Type | None = None, *, key: bool = False, offset: int | None = None
    ) -> Checked:
        """Check the expression that stands here, or is the ``key``; gives ``WRONG`` if it is.

        With an ``offset`` it is a part of the text that stands here, and begins there.
        """
        return self.c.check(
            self.path[-1] if key else self.data, self.path, self.env, expect, key, offset
        )

    def register(self, checked: Checked) -> m.Expr:
        """Keep the expression that stands here, to be linked."""
        return self.c.register(checked, self.data, self.path)

    def expr(self, expect: Type | None = None) -> m.Expr:
        """Compile the expression that stands here; `null` stands for one that is wrong."""
        return self.register(self.check(expect))

    def optional(self, key: str, expect: Type | None = None) -> m.Expr | None:
        """Compile the expression under a key if there is one."""
        return self[key].expr(expect) if key in self.data else None

    def fitting(
        self, fits: Callable[[Type], bool], wrong: str, rule: str = "type", **values: object
    ) -> Checked:
        """Check the expression here, whose type must fit; ``wrong`` is said of any other type."""
        checked = self.check()
        if checked is WRONG or fits(checked.type):
            return checked
        self.problem(rule, Text(wrong, type=checked.type, **values))
        return WRONG

    def fitted(self, fits: Callable[[Type], bool], wrong: str) -> m.Expr:
        """Compile the expression here, whose type must fit; see ``fitting``."""
        return self.register(self.fitting(fits, wrong))

    def each(self) -> tuple[Named | None, Clause]:
        """Compile the name and the list under `each`, if they are there; see ``listed``."""
        return self.listed("each") if "each" in self.data else (None, self)

    def listed(
        self, key: str, name: str = "", shapes: Iterable[str] = ("list",), wrong: str = A_LIST
    ) -> tuple[Named, Clause]:
        """Compile the list that has a name under a key; the rest can mention its members.

        Without a name it is the only one there.
        """
        name = name or next(iter(self.data[key]))
        part = self[key][name]
        checked = part.fitting(lambda kind: kind.name in shapes, wrong)
        (member,) = checked.type.args or (DYN,)
        return (name, part.register(checked)), self.knowing({name: member})

    def lets(self) -> tuple[tuple[Named, ...], Clause]:
        """Compile the values under `let`; each may mention those before it, and the rest all."""
        result = []
        inner = self
        for name in self.get("let", ()):
            part = inner["let"][name]
            checked = part.check()
            result.append((name, part.register(checked)))
            inner = inner.knowing({name: checked.type})
        return tuple(result), inner


def clauses(
    c: Context, section: str, env: Environment | None = None
) -> Iterator[tuple[Any, Clause]]:
    """Yield the entries of a section, by their names or numbers."""
    return Clause(c, c.data, (), env or c.env).parts(section)


# ---------------------------------------------------------------- texts with expressions in them


def message(clause: Clause) -> m.Message:
    """Compile a text with expressions in braces, which other languages have as well."""
    text = clause.data
    if "{" in text and len(text) > MAX_LENGTH:
        # Each of very many places would be read, checked and printed.
        # The check tells that it is too long.
        clause.check()
        return m.Message((), text)
    parts: list[str | m.Expr] = []
    for part, offset in split_message(text):
        place = clause.saying(part)
        parts.append(part if offset is None else place.register(place.check(offset=offset)))
    _check_braces(clause.c, text, clause.path)
    _check_translations(clause.c, text)
    return m.Message(tuple(parts), text)


def optional_message(clause: Clause, key: str) -> m.Message | None:
    """Compile the text under a key if there is one."""
    return message(clause[key]) if key in clause else None


def _check_braces(c: Context, text: str, path: DataPath) -> None:
    brace = lone_brace(text)
    if brace is not None:
        template = "this `{brace}` has no partner: an expression stands between `{{` and `}}`"
        hint = "a brace that is meant as one is written {'{'} or {'}'}"
        alone = Text(template, brace=text[brace])
        c.problem("lone-brace", alone, path, hint, within=(brace, brace + 1))


def _check_translations(c: Context, text: str) -> None:
    """Check that a text in other languages has no expressions but its own."""
    if text in c.translated:
        return
    c.translated.add(text)
    own = {part for part, offset in split_message(text) if offset is not None}
    for language, texts in c.section("texts").items():
        path = ("texts", language, text)
        translated = texts.get(text, "")
        _check_braces(c, translated, path)
        for part, offset in split_message(translated):
            if offset is not None and part not in own:
                foreign = Text("the English text has no `{part}`", part=f"{{{part}}}")
                c.problem("text-expression", foreign, path, within=(offset, offset + len(part)))


def rule_text(
    clause: Clause, rule: str | None = None, cite: m.Cite | None = None, key: str = "else"
) -> m.RuleText:
    """Compile what a finding of a rule says: of that which the clause names, if none is given.

    ``cite`` is where its move is explained, if it is one of a move; ``key`` is where its message
    stands.
    """
    c, data = clause.c, clause.data
    ruling = clause.named("ruling", "ruling", c.section("rulings"))
    sentence = message(clause[key])
    help_line = optional_message(clause, "help")
    text = m.RuleText(
        data["rule"] if rule is None else rule,
        sentence,
        # What comes from somewhere else does not stand on the page of its move.
        data.get("cite", {} if "source" in data else cite or {}),
        Severity(data.get("severity", Severity.ERROR)),
        () if help_line is None else (help_line,),
        data.get("title", ""),
        ruling,
        str(data["that"]) if "that" in data else None,
        clause.named("unrecorded", "kind", c.kinds) or "",
        optional_message(clause, "since"),
        cite is None and not {"cite", "source"} & data.keys(),
    )
    c.rules.setdefault(text.rule, []).append((c.about, text))
    return text
