"""From a tree of rule data to a compiled pack, with every mistake at its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from altay_cli.base.budget import STEPS
from altay_cli.base.errors import ExpressionError
from altay_cli.base.findings import Severity
from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text, either, there_is_no
from altay_cli.base.values import Entity
from altay_cli.compile import model as m
from altay_cli.compile.clashes import check_names
from altay_cli.compile.effects import EffectCompiler
from altay_cli.compile.entities import build_entities
from altay_cli.compile.hints import HintCompiler
from altay_cli.compile.messages import lone_brace, split_message
from altay_cli.compile.patterns import compile_pattern, slots_of, unreadable
from altay_cli.compile.playouts import PlayoutCompiler
from altay_cli.compile.slips import astray, slip_of
from altay_cli.compile.steps import plan, sure_calls
from altay_cli.compile.touching import looked_at
from altay_cli.compile.view import ViewCompiler
from altay_cli.compile.vocabulary import (
    base_environment,
    drawn_type,
    function_keys,
    parse_type,
    reads,
    with_standing,
)
from altay_cli.compile.zones import build_zones
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.cost import least
from altay_cli.expressions.environment import Environment, Function, Name, Reads
from altay_cli.expressions.parser import MAX_LENGTH
from altay_cli.expressions.typed import Applied, Constant, everything
from altay_cli.expressions.typed import Tree as Typed
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, Type, Unifier, list_of
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree
from altay_cli.source.naming import build_names
from altay_cli.source.schema import shipped_schemas
from altay_cli.source.spelling import normal

_STATUS = {
    "ended": BOOL, "ending": BOOL, "round": INT, "active": Type("player"), "next": Type("player"),
    "turn_over": BOOL,
}  # fmt: skip
"""What the parts of the status must give."""

_NULL = check("null", Environment())
_EMPTY = check("[]", Environment())._replace(type=list_of(DYN))


def _local(env: Environment, name: str, kind: Type) -> Name:
    """Return a name whose value is among those of the moment, in a Python variable of its own."""
    outer = env.names.get(name)
    # It may hide a name of the same kind: `v_card`, `v1_card`, `v2_card`, ...
    level = outer.level + 1 if outer is not None and outer.local is not None else 0
    ident = f"v{level or ''}_{name}"
    return Name(kind, ident, (ident, name), level=level)


class Compiler:
    """Compiles one tree; ``tree.problems`` collects what is wrong with it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        """Results of an earlier check, if given."""
        self.data: Entry = tree.data
        self.exprs: list[m.Expr] = []
        self.codes: dict[str, str] = {}
        self.checked: dict[str, Checked] = {}
        """What was found out about expressions, by their keys; of functions by `fn` and name."""
        self.quick: dict[str, str] = {}
        self.functions: dict[str, m.Function] = {}
        self.function_reads: dict[str, Reads] = {}
        """By function: what it looks at, also in those that it calls."""
        self._reads: dict[Reads, Reads] = {}
        """What expressions look at, each set once: the cache keeps it once, too."""
        self.at: DataPath = ()
        """Where the expression stands that was checked last."""
        self.about = ""
        """The title of the move or section being compiled."""
        self.rules: dict[str, list[tuple[str, m.RuleText]]] = {}
        self.field_effects: list[m.Effects] = []
        """The effects that things hold."""
        self._things: dict[Entity, str] = {}
        self.move_envs: dict[str, Environment] = {}
        """By move: what its requirements and effects can mention."""
        self._translated: set[str] = set()
        """The texts whose translations have been checked."""
        self.kinds: frozenset[str] = frozenset(self.data.get("kinds", {})) | {"player"}
        check_names(tree)
        self.zones = build_zones(tree, self.kinds)
        self.repeats = self._repeated()
        self.grids = {
            kind: (entry["grid"]["columns"], entry["grid"]["rows"])
            for kind, entry in self.data.get("kinds", {}).items()
            if "grid" in entry
        }
        self.entities, self.formulas = build_entities(tree, self.kinds)
        self.procedure_types = self._parameters("procedures", "takes")
        self.decision_types = self._parameters("decisions", "with")
        self.base = self._environment()
        """What can be mentioned by what tells how the game stands."""
        self.env = with_standing(self.base)
        self.answer_types = self._answers()
        self.effects = EffectCompiler(self)

    # ------------------------------------------------------------ helpers

    def unknown(
        self, what: str, name: str, known: Iterable[str], path: DataPath, *, key: bool = False
    ) -> None:
        """Report that ``name`` is unknown."""
        near = suggest(name, known)
        help_lines = (Text("did you mean `{name}`?", name=near[0]),) if near else ()
        message = there_is_no(what, name)
        self.tree.problem(f"unknown-{what}", message, path, *help_lines, key=key)

    def _parameters(self, section: str, key: str) -> dict[str, dict[str, Type]]:
        result: dict[str, dict[str, Type]] = {}
        for ident, entry in self.data.get(section, {}).items():
            result[ident] = {}
            for name, text in entry.get(key, {}).items():
                found = parse_type(text, self.kinds)
                if found is None:
                    path = (section, ident, key, name)
                    self.tree.problem(
                        "unknown-type", Text("there is no type `{name}`", name=text), path
                    )
                else:
                    result[ident][name] = found
        return result

    def _repeated(self) -> tuple[int, ...]:
        """Return the indexes of the zones that distinguish one position from another."""
        indexes = {zone.name: zone.index for zone in self.zones}
        for number, name in enumerate(self.data.get("repeats", [])):
            if name not in indexes:
                self.unknown("zone", name, indexes, ("repeats", number))
        return tuple(indexes[name] for name in self.data.get("repeats", []) if name in indexes)

    def _answers(self) -> dict[str, Type]:
        """Return the types of the answers that have a value, by decision."""
        result = {}
        for ident, entry in self.data.get("decisions", {}).items():
            if "gives" in entry:
                found = parse_type(entry["gives"], self.kinds)
                if found is None:
                    message = Text("there is no type `{name}`", name=entry["gives"])
                    self.tree.problem("unknown-type", message, ("decisions", ident, "gives"))
                else:
                    result[ident] = found
        return result

    @staticmethod
    def bind(env: Environment, names: Mapping[str, Type]) -> Environment:
        """Return an environment with names whose values are among those of the moment."""
        return env.child({name: _local(env, name, kind) for name, kind in names.items()})

    def check(
        self,
        text: object,
        path: DataPath,
        env: Environment,
        expect: Type | None = None,
        key: bool = False,
    ) -> Checked | None:
        """Check an expression of the rules; None if it is wrong."""
        source = str(text).lower() if isinstance(text, bool) else str(text)
        self.at = path
        try:
            return check(source, env, expect)
        except ExpressionError as error:
            within = None
            if not key and error.start is not None and error.end is not None:
                within = (error.start, max(error.end, error.start + 1))
            self.tree.problem(
                f"expression-{error.code}", error.message, path, key=key, within=within
            )
            return None

    def register(self, checked: Checked, source: object, zone: int | None = None) -> m.Expr:
        """Keep the expression checked last, to be linked; ``source`` is how it reads.

        ``zone`` is the zone that it gives, if it stands for one that is to change.
        """
        expr = m.Expr(
            f"e{len(self.exprs)}",
            str(source),
            checked.names,
            checked.locals,
            checked.type.name,
            self._place(),
            self._read_by(checked),
            zone,
        )
        self.exprs.append(expr)
        self.codes[expr.key] = checked.code
        self.checked[expr.key] = checked
        if checked.quick != checked.code:
            self.quick[expr.key] = checked.quick
        return expr

    def _read_by(self, checked: Checked) -> Reads:
        """Return what an expression looks at, also in the functions that it calls."""
        found = checked.reads.union(*(self.function_reads.get(name, ()) for name in checked.calls))
        return self._reads.setdefault(found, found)

    def _place(self) -> tuple[str, int]:
        """Return the file and line of the expression that was checked last."""
        return self.tree.line(self.at)

    def expr(
        self, text: object, path: DataPath, env: Environment, expect: Type | None = None
    ) -> m.Expr:
        """Compile an expression; where it is wrong, a problem is noted and `null` stands for it."""
        checked = self.check(text, path, env, expect)
        if checked is None:
            return self.register(_NULL, text)
        return self.register(checked, text)

    def optional(
        self,
        data: Entry,
        key: str,
        path: DataPath,
        env: Environment,
        expect: Type | None,
    ) -> m.Expr | None:
        """Compile ``data[key]`` if it is there."""
        return self.expr(data[key], (*path, key), env, expect) if key in data else None

    def several(
        self,
        data: Any,
        key: str | int,
        path: DataPath,
        env: Environment,
        kind: str,
        shapes: tuple[str, ...],
    ) -> m.Expr | None:
        """Compile ``data[key]``, if it is there: several things of a kind, in one of the shapes."""
        if key not in data:
            return None
        path = (*path, key)
        checked = self.check(data[key], path, env)
        if checked is None:
            return None
        held = Unifier(frozenset())
        wanted = [Type(shape, (Type(kind),)) for shape in shapes]
        if checked.type.name in shapes and checked.type.args[0] == DYN:
            wanted.append(checked.type)  # what a formula gives is known only in play
        if not any(held.accept(one, checked.type) for one in wanted):
            told = either(f"a {one}" for one in wanted)
            message = Text("{wanted} is needed, not {type}", wanted=told, type=checked.type)
            self.tree.problem("expression-wrong-type", message, path)
            return None
        return self.register(checked, data[key])

    def lets(
        self, data: Entry, path: DataPath, env: Environment
    ) -> tuple[tuple[tuple[str, m.Expr], ...], Environment]:
        """Compile named values; each may mention those before it."""
        result = []
        for name, text in data.items():
            checked = self.check(text, (*path, name), env)
            if checked is not None:
                result.append((name, self.register(checked, text)))
            # What is wrong with it is told once, not of all that mentions it.
            env = self.bind(env, {name: DYN if checked is None else checked.type})
        return tuple(result), env

    def message(self, text: str, path: DataPath, env: Environment) -> m.Message:
        """Compile a text with expressions in braces, which other languages have as well."""
        parts: list[str | m.Expr] = []
        if "{" in text and len(text) > MAX_LENGTH:
            # Each of very many places would be read, checked and printed.
            message = Text(
                "the expression has {count} characters; at most {most} are read",
                count=len(text),
                most=MAX_LENGTH,
            )
            within = (MAX_LENGTH, len(text))
            self.tree.problem("expression-too-long", message, path, within=within)
            return m.Message((), text)
        for part, offset in split_message(text):
            if offset is None:
                parts.append(part)
                continue
            self.at = path
            try:
                checked = check(part, env)
            except ExpressionError as error:
                start = offset + (error.start or 0)
                end = offset + (error.end if error.end is not None else len(part))
                self.tree.problem(
                    f"expression-{error.code}",
                    error.message,
                    path,
                    within=(start, max(end, start + 1)),
                )
                continue
            parts.append(self.register(checked, part))
        self._check_braces(text, path)
        self._check_translations(text)
        return m.Message(tuple(parts), text)

    def _check_braces(self, text: str, path: DataPath) -> None:
        """Check that every brace of a message has its partner."""
        brace = lone_brace(text)
        if brace is not None:
            message = Text(
                "this `{brace}` has no partner: an expression stands between `{{` and `}}`",
                brace=text[brace],
            )
            told = "a brace that is meant as one is written {'{'} or {'}'}"
            self.tree.problem("lone-brace", message, path, told, within=(brace, brace + 1))

    def _check_translations(self, text: str) -> None:
        """Check that a text in other languages has no expressions but its own."""
        if text in self._translated:
            return
        self._translated.add(text)
        own = {part for part, offset in split_message(text) if offset is not None}
        for language, texts in self.data.get("texts", {}).items():
            self._check_braces(texts.get(text, ""), ("texts", language, text))
            for part, offset in split_message(texts.get(text, "")):
                if offset is not None and part not in own:
                    self.tree.problem(
                        "text-expression",
                        Text("the English text has no `{part}`", part=f"{{{part}}}"),
                        ("texts", language, text),
                        within=(offset, offset + len(part)),
                    )

    def rule_text(
        self,
        data: Entry,
        path: DataPath,
        env: Environment,
        rule: str,
        cite: m.Cite | None = None,
        key: str = "else",
    ) -> m.RuleText:
        """Compile what a finding of a rule says."""
        ruling = data.get("ruling")
        if ruling is not None and ruling not in self.data.get("rulings", {}):
            self.unknown("ruling", ruling, self.data.get("rulings", {}), (*path, "ruling"))
        text = m.RuleText(
            rule,
            self.message(data["else"], (*path, key), env),
            # What comes from somewhere else does not stand on the page of its move.
            data.get("cite", {} if "source" in data else cite or {}),
            Severity(data.get("severity", Severity.ERROR)),
            (self.message(data["help"], (*path, "help"), env),) if "help" in data else (),
            data.get("title", ""),
            ruling,
            str(data["that"]) if "that" in data else None,
            data.get("unrecorded", ""),
            self.message(data["since"], (*path, "since"), env) if "since" in data else None,
            cite is None and not {"cite", "source"} & data.keys(),
        )
        if text.unrecorded and text.unrecorded not in self.kinds:
            self.unknown("kind", text.unrecorded, self.kinds, (*path, "unrecorded"))
        self.rules.setdefault(rule, []).append((self.about, text))
        return text

    # ------------------------------------------------------------ the environment

    def _environment(self) -> Environment:
        names: dict[str, Name] = {}
        for kind, entities in self.entities.items():
            plural = self.data["kinds"][kind].get("plural", kind + "s")
            names[plural] = Name(list_of(Type(kind)), f"L_{kind}", size=len(entities))
            for entity in entities:
                if entity.id.isidentifier():
                    names[f"{plural}.{entity.id}"] = Name(Type(kind), _constant(entity))
        for name, number in self.data.get("numbers", {}).items():
            names[f"numbers.{name}"] = Name(INT, f"({number['value']!r})")
        for name in self.data.get("options", {}):
            names[f"options.{name}"] = Name(STRING, f"S.options[{name!r}]", reads=reads("options"))
        for name, ruling in self.data.get("rulings", {}).items():
            if "choices" in ruling:
                names[f"rulings.{name}"] = Name(STRING, repr(ruling["default"]))
        fields = {k: v.get("fields", {}) for k, v in self.data.get("kinds", {}).items()}
        for kind, entry in self.data.get("kinds", {}).items():
            if "parent" in entry:
                fields[kind] = {**fields[kind], entry["parent"]: entry["parent"]}
        players = self.data["players"]
        for key in ("least", "most"):
            names[f"seats.{key}"] = Name(INT, f"({players[key]!r})")
        if self.repeats:
            names["repeats"] = Name(INT, "S.repeats", reads=reads("repeats"))
        filled = {
            kind: entry["filled_by"]
            for kind, entry in self.data.get("kinds", {}).items()
            if "filled_by" in entry
        }
        env = base_environment(self.kinds, fields, self.zones, names, self.grids, filled)
        return self._with_functions(env)

    def _with_functions(self, env: Environment) -> Environment:
        """Add the pack's own functions."""
        functions = {name: list(overloads) for name, overloads in env.functions.items()}
        declared: dict[str, tuple[dict[str, Type], Type]] = {}
        for name, entry in self.data.get("functions", {}).items():
            path = ("functions", name)
            takes = {}
            for parameter, text in entry.get("takes", {}).items():
                found = parse_type(text, self.kinds)
                if found is None:
                    message = Text("there is no type `{name}`", name=text)
                    self.tree.problem("unknown-type", message, (*path, "takes", parameter))
                else:
                    takes[parameter] = found
            gives = parse_type(entry["gives"], self.kinds)
            if gives is None:
                message = Text("there is no type `{name}`", name=entry["gives"])
                self.tree.problem("unknown-type", message, (*path, "gives"))
                continue
            declared[name] = (takes, gives)
            code = f"F_{name}(S{''.join(f', {{{i}}}' for i in range(len(takes)))})"
            own = Function(tuple(takes.values()), gives, code, own=True)
            functions.setdefault(name, []).append(own)
        env = Environment(
            env.names, env.members, functions, env.iterables, env.globals, env.nullable
        )
        self._compile_functions(env, declared)
        return env

    def _compile_functions(
        self, env: Environment, declared: dict[str, tuple[dict[str, Type], Type]]
    ) -> None:
        uses: dict[str, set[str]] = {}
        for name, (takes, gives) in declared.items():
            inner = self.bind(env, takes)
            uses[name] = set()
            lets: list[tuple[str, str]] = []
            own, *keys = function_keys(name, self.data["functions"][name])
            named = self.data["functions"][name].get("let", {}).items()
            for key, (let, text) in zip(keys, named, strict=True):
                found = self.check(text, ("functions", name, "let", let), inner)
                if found is not None:
                    self.checked[key] = found
                    uses[name] |= found.calls
                inner = self.bind(inner, {let: found.type if found else DYN})
                if found is not None:
                    lets.append((inner.names[let].code, found.code))
            path = ("functions", name, "is")
            checked = self.check(self.data["functions"][name]["is"], path, inner, gives)
            if checked is not None:
                parameters = tuple(f"v_{parameter}" for parameter in takes)
                self.functions[name] = m.Function(
                    f"F_{name}", parameters, checked.code, checked.quick, checked.source,
                    self._place(), tuple(lets),
                )  # fmt: skip
                self.checked[own] = checked
                uses[name] |= checked.calls
        self._look_up(uses)
        for name in _endless(uses):
            message = Text("the function `{name}` uses itself", name=name)
            self.tree.problem("endless", message, ("functions", name), key=True)
        self._weigh(env, uses)

    def _look_up(self, uses: Mapping[str, set[str]]) -> None:
        """Note what each function looks at, also in those that it calls."""
        own: dict[str, set[int | str]] = {}
        for name in uses:
            keys = function_keys(name, self.data["functions"][name])
            own[name] = {
                what for key in keys if key in self.checked for what in self.checked[key].reads
            }
        for group in components(uses):
            # Those that call each other look at the same.
            called = {*group, *(other for name in group for other in uses[name])}
            found = frozenset[int | str]().union(
                *(own.get(name, ()) for name in group),
                *(self.function_reads.get(name, ()) for name in called),
            )
            self.function_reads.update(dict.fromkeys(group, found))

    def _weigh(self, env: Environment, uses: Mapping[str, set[str]]) -> None:
        """Note the minimum cost of a call of each function; refuse those that cost too much."""
        for name in chain.from_iterable(components(uses)):
            if name not in self.functions:  # what is wrong with it is told
                continue
            own, *_ = function_keys(name, self.data["functions"][name])
            steps = least(self.checked[own].tree, env).steps
            if steps > STEPS:
                message = Text(
                    "this takes at least {steps} steps; a statement may take {most}",
                    steps=f"{steps:,}",
                    most=f"{STEPS:,}",
                )
                self.tree.problem("expression-too-costly", message, ("functions", name, "is"))
                return
            functions = env.functions[name]
            assert isinstance(functions, list)
            functions[-1] = replace(functions[-1], least=1 + steps)

    # ------------------------------------------------------------ moves

    def _slot(self, name: str, data: Entry, path: DataPath, env: Environment) -> m.Slot:
        text = data["type"]
        shape, kind = m.Shape.ENTITY, text
        if text == "int":
            shape, kind = m.Shape.INT, ""
        elif text == "new player":
            shape, kind = m.Shape.NEW_PLAYER, "player"
        elif text.startswith("drawn "):
            shape, kind = m.Shape.DRAWN, text.removeprefix("drawn ")
        elif text.startswith(("bag(", "list(")):
            name_of, _, kind = text[:-1].partition("(")
            shape = m.Shape(name_of)
            kind = "" if text == "list(int)" else kind
        if kind and kind not in self.kinds:
            self.unknown("type", text, self.kinds, (*path, "type"))
        # Numbers have no bags; of what is drawn, `from` tells how many can come.
        numbers = not kind or shape is m.Shape.DRAWN
        wanted = ("list",) if numbers else ("list", "bag", "pile")
        return m.Slot(
            name,
            shape,
            kind,
            data.get("each", False),
            data.get("optional", False),
            data.get("hidden", False),
            data.get("exact", False),
            self.several(data, "from", path, env, "int" if numbers else kind, wanted),
            None,
            None,
            self._reveals(data, path, env, kind),
            *self._bounds(data, path, env, shape),
            self._orders(data, path, env, shape, kind),
        )

    def _bounds(
        self, data: Entry, path: DataPath, env: Environment, shape: m.Shape
    ) -> tuple[m.Expr | None, m.Expr | None]:
        """Compile how many things a bag or list can hold."""
        count = data.get("count", {})
        if count and shape not in (m.Shape.BAG, m.Shape.LIST):
            message = "only of a bag or a list can be said how many things it holds"
            self.tree.problem("type", message, (*path, "count"), key=True)
        return (
            self.optional(count, "least", (*path, "count"), env, INT),
            self.optional(count, "most", (*path, "count"), env, INT),
        )

    def _orders(
        self, data: Entry, path: DataPath, env: Environment, shape: m.Shape, kind: str
    ) -> m.Expr | None:
        """Compile the lists of which a list can be any one, in any order."""
        if "orders" in data and shape is not m.Shape.LIST:
            message = "only a list has an order"
            self.tree.problem("type", message, (*path, "orders"), key=True)
            return None
        lists = Type("list", (Type("list", (Type(kind or "int"),)),))
        return self.optional(data, "orders", path, env, lists)

    def _reveals(
        self, data: Entry, path: DataPath, env: Environment, kind: str
    ) -> tuple[m.Expr, ...]:
        """Compile the zones in which something hidden may be what is named."""
        given = data.get("reveals", [])
        if not isinstance(given, list):
            found = self.several(data, "reveals", path, env, kind, ("bag",))
            return (found,) if found else ()
        path = (*path, "reveals")
        zones = dict(enumerate(given))
        several = [self.several(zones, number, path, env, kind, ("bag",)) for number in zones]
        return tuple(found for found in several if found)

    @staticmethod
    def slot_type(slot: m.Slot) -> Type:
        """Return the type of a value of the slot."""
        match slot.shape:
            case m.Shape.INT:
                return INT
            case m.Shape.DRAWN:
                return drawn_type(slot.kind)
            case m.Shape.BAG | m.Shape.LIST:
                return Type(slot.shape, (Type(slot.kind or "int"),))
            case _:
                return Type(slot.kind)

    def _move(self, ident: str, data: Entry) -> m.MoveDef:
        path: DataPath = ("moves", ident)
        first = len(self.exprs)
        self.about = data.get("title", ident)
        cite = data.get("cite", {})
        env = self.bind(self.env, {"me": Type("player")})
        decision = data.get("answers")
        if decision is not None and decision not in self.decision_types:
            self.unknown("decision", decision, self.decision_types, (*path, "answers"))
            decision = None
        if decision is not None:
            env = env.child(
                {
                    f"asked.{n}": Name(kind, f"v_asked[{n!r}]", ("v_asked", "asked"))
                    for n, kind in self.decision_types[decision].items()
                }
            )
        unread = self.data.get("slips", {}).get("unread", {}).get(ident, [])
        mended = self.effects.whole(unread, ("slips", "unread", ident), env)
        slots: dict[str, m.Slot] = {}
        late: list[str] = []
        for name, entry in data.get("takes", {}).items():
            where = (*path, "takes", name)
            slots[name] = self._slot(name, entry, where, env)
            if "infer" in entry:
                late.append(name)
            else:
                env = self.bind(env, {name: self.slot_type(slots[name])})
        when = self.optional(data, "when", path, env, BOOL)
        lets, env = self.lets(data.get("let", {}), (*path, "let"), env)
        for name in late:
            slots[name], env = self._inferred(slots[name], data["takes"][name], path, env)
        self.move_envs[ident] = env
        patterns = self._patterns(data, path, slots)
        also = self._also(ident, slots, heading=data.get("heading", False))
        requires = tuple(
            requirement
            for where, entry in self._requirements(ident, data)
            if (requirement := self._requirement(ident, entry, where, env, slots, cite)) is not None
        )
        does = self.effects.whole(data.get("does", []), (*path, "does"), env)
        unasked = None
        if "unasked" in data:
            unasked = self.rule_text(
                data["unasked"], (*path, "unasked"), env, data["unasked"]["rule"], cite
            )
        return m.MoveDef(
            id=ident,
            title=data.get("title", ident),
            cite=cite,
            phases=tuple(map(m.Phase, data.get("phases", ["turns"]))),
            order=data.get("order", 0),
            heading=data.get("heading", False),
            closes=data.get("closes", False),
            fallback=data.get("fallback", False),
            introduces=data.get("introduces", False),
            actor=data.get("actor"),
            answers=decision,
            gives=self._gives(data, decision, path, env),
            unasked=unasked,
            patterns=patterns,
            slots=slots,
            when=when,
            lets=lets,
            requires=requires,
            does=does,
            unread=mended,
            listed=self.optional(data, "listed", path, self.env, BOOL),
            also=also,
            needs_actor=any("me" in expr.names for expr in self.exprs[first:]),
            number=list(self.data["moves"]).index(ident),
            looks_back=any(one.afterwards for one in requires),
        )

    def _claim(self, ident: str, data: Entry) -> m.MoveDef:
        """Compile something that a log can say of the state."""
        path: DataPath = ("claims", ident)
        first = len(self.exprs)
        self.about = data["title"]
        env = self.bind(self.env, {"me": Type("player")})
        slots: dict[str, m.Slot] = {}
        for name, entry in data.get("takes", {}).items():
            slots[name] = self._slot(name, entry, (*path, "takes", name), env)
            env = self.bind(env, {name: self.slot_type(slots[name])})
        lets, env = self.lets(data.get("let", {}), (*path, "let"), env)
        holds = []
        for state, claimed in data["holds"].items():
            where = (*path, "holds", state)
            found = self.check(state, where, env, key=True)
            there = None if found is None else self.register(found, state)
            if there is not None:
                holds.append((there, self.expr(claimed, where, env)))
        told = None
        if "else" in data:
            told = self.message(data["else"], (*path, "else"), env)
        written = {**data, "written": f"expect {data['written']}"}
        patterns = self._patterns(written, path, slots)
        does = self.effects.whole(data.get("does", []), (*path, "does"), env)
        return m.MoveDef(
            id=ident,
            title=data["title"],
            cite={},
            phases=(m.Phase.TURNS,),
            order=0,
            heading=False,
            closes=False,
            fallback=False,
            introduces=False,
            actor=None,
            answers=None,
            gives=None,
            unasked=None,
            patterns=patterns,
            slots=slots,
            when=None,
            lets=lets,
            requires=(),
            does=does,
            unread=self.effects.whole([], (), env),
            also=(),
            needs_actor=any("me" in expr.names for expr in self.exprs[first:]),
            number=-1,
            looks_back=False,
            listed=None,
            holds=tuple(holds),
            otherwise=told,
        )

    def _gives(
        self, data: Entry, decision: str | None, path: DataPath, env: Environment
    ) -> m.Expr | None:
        """Compile the value of an answer."""
        wanted = self.answer_types.get(decision or "")
        if "gives" in data and wanted is None:
            message = "only the answer to a decision that `gives` something has a value"
            self.tree.problem("no-answer", message, (*path, "gives"), key=True)
            return None
        if wanted is not None and "gives" not in data:
            message = Text(
                "this answers `{decision}`, so it says what it `gives`: a {type}",
                decision=decision,
                type=wanted,
            )
            self.tree.problem("no-answer", message, (*path, "answers"), key=True)
        return self.optional(data, "gives", path, env, wanted)

    def _inferred(
        self, slot: m.Slot, data: Entry, path: DataPath, env: Environment
    ) -> tuple[m.Slot, Environment]:
        """Compile a slot whose value may be left out where only one is possible."""
        where = (*path, "takes", slot.name)
        kind = self.slot_type(slot)
        infer = self.expr(data["infer"], (*where, "infer"), env, list_of(kind))
        inner = self.bind(env, {"choices": list_of(kind)})
        unclear = self.rule_text(
            data["unclear"],
            (*where, "unclear"),
            inner,
            data["unclear"]["rule"],
            self.data["moves"][path[1]].get("cite", {}),
        )
        done = m.Slot(
            slot.name, slot.shape, slot.kind, slot.each, True, slot.hidden, slot.exact,
            slot.domain, infer, unclear, slot.reveals, slot.least, slot.most, slot.orders,
        )  # fmt: skip
        return done, self.bind(env, {slot.name: kind})

    def _patterns(
        self, data: Entry, path: DataPath, slots: dict[str, m.Slot]
    ) -> tuple[m.Pattern, ...]:
        written = data["written"]
        result = []
        for number, text in enumerate(written if isinstance(written, list) else [written]):
            where = (*path, "written", number) if isinstance(written, list) else (*path, "written")
            pattern = self._pattern(text, where, slots, heading=data.get("heading", False))
            if pattern is not None:
                result.append(pattern)
        used = {name for pattern in result for name in slots_of(pattern)}
        for name in slots:
            if name not in used and result:
                message = Text("`{name}` does not occur in how the move is written", name=name)
                self.tree.problem("unknown-slot", message, (*path, "takes", name), key=True)
        self._check_actor(data, path, slots, result)
        return tuple(result)

    def _pattern(
        self, text: str, where: DataPath, slots: Mapping[str, m.Slot], *, heading: bool
    ) -> m.Pattern | None:
        """Compile one way to write a move; None, and a problem, if it is not a pattern."""
        try:
            pattern = compile_pattern(text)
        except ValueError as error:
            self.tree.problem("pattern", str(error), where)
            return None
        for name in slots_of(pattern):
            if name not in slots:
                message = Text("`<{name}>` is not among what the move takes", name=name)
                self.tree.problem("unknown-slot", message, where)
        for why in unreadable(pattern, slots, heading=heading):
            self.tree.problem("pattern", why, where)
        return pattern

    def _also(
        self, ident: str, slots: Mapping[str, m.Slot], *, heading: bool
    ) -> tuple[m.Pattern, ...]:
        """Compile the other ways in which people write a move."""
        result = []
        for number, text in enumerate(self.data.get("slips", {}).get("written", {}).get(ident, ())):
            where = ("slips", "written", ident, number)
            pattern = self._pattern(text, where, slots, heading=heading)
            if pattern is not None:
                result.append(pattern)
        return tuple(result)

    def _tells(self) -> dict[str, tuple[tuple[str, m.Expr], ...]]:
        """Compile the facts that are shown about things."""
        told = {}
        for kind, entry in self.data["kinds"].items():
            env = self.bind(self.env, {kind: Type(kind)})
            told[kind] = tuple(
                (one["title"], self.expr(one["is"], ("kinds", kind, "tells", name, "is"), env))
                for name, one in entry.get("tells", {}).items()
            )
        return told

    def _words(self) -> dict[str, tuple[str, ...]]:
        """Return what people write in the place of words."""
        words: dict[str, tuple[str, ...]] = {}
        for word, others in self.data.get("slips", {}).get("words", {}).items():
            for other in others:
                words[normal(other)] = (*words.get(normal(other), ()), word)
        return words

    def _check_actor(
        self,
        data: Entry,
        path: DataPath,
        slots: Mapping[str, m.Slot],
        patterns: Iterable[m.Pattern],
    ) -> None:
        """Check that `actor` names a player, and that every heading has one."""
        actor = data.get("actor")
        if actor is None:
            if any(pattern.verb == "turn" for pattern in patterns if data.get("heading", False)):
                message = (
                    "the heading of a turn needs `actor`: the part that names whose turn it is"
                )
                self.tree.problem("heading-player", message, path, key=True)
            return
        where = (*path, "actor")
        if actor not in slots:
            self.unknown("slot", actor, slots, where)
        elif (
            slots[actor].kind != "player"
            or slots[actor].shape in (m.Shape.BAG, m.Shape.LIST)
            or slots[actor].optional
        ):
            message = Text(
                "`{name}` says who acts: its type is `player`, and it cannot be left out",
                name=actor,
            )
            self.tree.problem("heading-player", message, where)
        elif any(m.SlotRef(actor) not in pattern.parts for pattern in patterns):
            message = Text(
                "`<{name}>` says who acts, so it is part of every way to write the move", name=actor
            )
            self.tree.problem("heading-player", message, where)

    def _requirements(self, ident: str, data: Entry) -> Iterable[tuple[DataPath, dict[str, Any]]]:
        path: DataPath = ("moves", ident)
        for number, entry in enumerate(data.get("_defaults", [])):
            yield (*path, "_defaults", number), entry
        for number, entry in enumerate(data.get("requires", [])):
            yield (*path, "requires", number), entry

    def _requirement(
        self,
        move: str,
        entry: Entry,
        path: DataPath,
        env: Environment,
        slots: Mapping[str, m.Slot],
        cite: m.Cite,
    ) -> m.Requirement | None:
        rule = entry.get("rule", "")
        if "use" in entry:
            rule = entry["use"]
            shared = self.data.get("rules", {})
            if rule not in shared:
                self.unknown("rule", rule, shared, (*path, "use"))
                return None
            entry, path = shared[rule], ("rules", rule)
        at = entry.get("at")
        if at is not None and at not in slots:
            self.unknown("slot", at, slots, (*path, "at"))
        slip, place = slip_of(self.data, rule, move)
        return m.Requirement(
            self.rule_text(entry, path, env, rule, cite),
            self.expr(entry["that"], (*path, "that"), env, BOOL),
            at,
            slip.get("then", "play"),
            self.effects.whole(slip.get("mend", []), (*place, "mend"), env),
            entry.get("afterwards", False),
        )

    # ------------------------------------------------------------ the other sections

    def _decision(self, ident: str, data: Entry) -> m.Decision:
        path: DataPath = ("decisions", ident)
        self.about = data.get("title", ident)
        names = {
            **{
                f"asked.{n}": Name(kind, f"v_asked[{n!r}]", ("v_asked", "asked"))
                for n, kind in self.decision_types[ident].items()
            },
        }
        env = self.bind(self.env, {"who": Type("player"), "actor": Type("player")}).child(names)
        cite = data.get("cite", {})
        wrong, forced = data["wrong"], data.get("forced")
        gives = self.answer_types.get(ident)
        answered = env if gives is None else self.bind(env, {"answer": gives})
        return m.Decision(
            ident,
            data.get("title", ident),
            self.rule_text(data, path, env, data["rule"], cite),
            self.rule_text(wrong, (*path, "wrong"), env, wrong["rule"], cite),
            tuple(self.decision_types[ident]),
            data.get("gives"),
            self.rule_text(forced, (*path, "forced"), answered, forced["rule"], cite)
            if forced is not None
            else None,
        )

    def _procedure(self, ident: str, data: Entry) -> m.Procedure:
        self.about = data.get("title", ident)
        takes = self.procedure_types[ident]
        env = self.bind(self.env, takes)
        does = self.effects.whole(data.get("does", []), ("procedures", ident, "does"), env)
        return m.Procedure(ident, tuple(takes), does)

    def _procedures(self) -> dict[str, m.Procedure]:
        found = {
            ident: self._procedure(ident, data)
            for ident, data in self.data.get("procedures", {}).items()
        }
        for name in _endless(sure_calls(found)):
            message = Text("the procedure `{name}` carries itself out, whatever holds", name=name)
            self.tree.problem("endless", message, ("procedures", name), key=True)
        return found

    def _triggers(self) -> tuple[m.Trigger, ...]:
        result = []
        for ident, data in self.data.get("triggers", {}).items():
            path: DataPath = ("triggers", ident)
            when = self.expr(data["when"], (*path, "when"), self.env, BOOL)
            result.append(
                m.Trigger(
                    ident,
                    data.get("title", ident),
                    data.get("cite", {}),
                    when,
                    self.effects.whole(data["does"], (*path, "does"), self.env),
                    when.zones if data.get("on") == "change" else None,
                    when.zones if when.reads <= when.zones | m.STEADY else None,
                )
            )
        return tuple(result)

    def each(
        self, data: Entry, path: DataPath, env: Environment, key: str = "each"
    ) -> tuple[tuple[str, m.Expr] | None, Environment]:
        """Compile ``data[key]``, a name and a list, if it is there."""
        if key not in data:
            return None, env
        ((name, text),) = data[key].items()
        checked = self.check(text, (*path, key, name), env)
        if checked is None or checked.type.name != "list":
            if checked is not None:
                message = Text("a list is needed, not {type}", type=checked.type)
                self.tree.problem("type", message, (*path, key, name))
            return None, self.bind(env, {name: Type("dyn")})
        return (name, self.register(checked, text)), self.bind(env, {name: checked.type.args[0]})

    def _checks(self) -> tuple[m.Check, ...]:
        result = []
        for number, data in enumerate(self.data.get("checks", [])):
            path: DataPath = ("checks", number)
            self.about = f"when the {' or the '.join(data['after'])} is complete"
            each, env = self.each(data, path, self.env)
            slip, place = slip_of(self.data, data["rule"])
            result.append(
                m.Check(
                    self.rule_text(data, path, env, data["rule"]),
                    _phases(data["after"]),
                    data.get("at"),
                    each,
                    self.expr(data["that"], (*path, "that"), env, BOOL),
                    self.effects.whole(slip.get("mend", []), (*place, "mend"), env),
                    slip.get("then", "play"),
                )
            )
        return tuple(result)

    def _stages(self, section: str, key: str) -> tuple[m.Stage, ...]:
        return tuple(
            m.Stage(
                _phases(data[key]),
                data.get("order", 0),
                self.effects.whole(data["does"], (section, number, "does"), self.env),
            )
            for number, data in enumerate(self.data.get(section, []))
        )

    def _category(self, ident: str, data: Entry) -> m.Category:
        path: DataPath = ("categories", ident)
        base = self.bind(self.env, {"me": Type("player")})
        parts = []
        for number, part in enumerate(data["parts"]):
            where = (*path, "parts", number)
            each, env = self.each(part, where, base)
            parts.append(
                m.Part(
                    each,
                    self.expr(part["points"], (*where, "points"), env, INT),
                    self.optional(part, "cap", where, env, INT),
                    self.message(part["show"], (*where, "show"), env),
                    self.optional(part, "counted", where, env, None),
                    self.optional(part, "key", where, env, None),
                )
            )
        return m.Category(
            ident,
            data["title"],
            data.get("cite", {}),
            data.get("ruling"),
            tuple(parts),
            data.get("counts", True),
        )

    def _endings(self) -> tuple[m.Ending, ...]:
        """Compile the endings of a game that are not decided by points."""
        result = []
        for number, data in enumerate(self.data.get("outcome", [])):
            path: DataPath = ("outcome", number)
            self.about = data["by"]
            winners = list_of(Type("player"))
            result.append(
                m.Ending(
                    self.expr(data["when"], (*path, "when"), self.base, BOOL),
                    self.optional(data, "winners", path, self.base, winners),
                    self.optional(data, "losers", path, self.base, winners),
                    self.message(data["by"], (*path, "by"), self.base),
                    data.get("cite", {}),
                )
            )
        return tuple(result)

    def _headings(self, moves: Sequence[m.MoveDef]) -> frozenset[str]:
        """Return the words that headings of the game's own begin with."""
        found = frozenset(p.verb for move in moves if move.heading for p in move.patterns)
        words = found - {"turn"}
        if self.data.get("claims") and "expect" in words:
            message = "what begins with `expect` says what the state is"
            self.tree.problem("pattern", message, ("claims",), key=True)
        for move in moves:
            wrong = not move.heading and [p for p in move.patterns if p.verb in words]
            if wrong:
                message = Text("what begins with `{verb}` is always a heading", verb=wrong[0].verb)
                self.tree.problem("pattern", message, ("moves", move.id, "written"))
        return words

    def _hints(self, moves: Iterable[m.MoveDef]) -> dict[str, m.Hint]:
        """Return what conditions tell of the slots of moves that can be listed."""
        numbers = {
            f"numbers.{k}": entry["value"] for k, entry in self.data.get("numbers", {}).items()
        }
        numbers |= {f"seats.{key}": self.data["players"][key] for key in ("least", "most")}
        compiler = HintCompiler(self.checked, numbers)
        return dict(chain.from_iterable(compiler.of_move(one) for one in moves if not one.fallback))

    def _check_scores(self, pack: m.Pack) -> None:
        """Check that no category asks for points that it is part of."""
        everywhere = [category.id for category in pack.categories]
        in_all = [category.id for category in pack.categories if category.counts]
        asked: dict[str, set[str]] = {}
        for category in pack.categories:
            exprs = [e for p in category.parts for e in (p.each and p.each[1], p.points, p.cap)]
            keys = [expr.key for expr in exprs if expr is not None and "score" in expr.reads]
            asked[category.id] = set()
            for _, *named in self._scores_in(keys):
                ids = [one.value if isinstance(one, Constant) else None for one in named]
                asked[category.id].update(
                    in_all if not ids else everywhere if None in ids else map(str, ids)
                )
        for ident in _endless({ident: asked[ident] & asked.keys() for ident in asked}):
            message = Text("the category `{name}` asks for points that it is part of", name=ident)
            told = "`score(me, 'other')` asks for those of one other category"
            self.tree.problem("endless", message, ("categories", ident), told, key=True)

    def _scores_in(self, keys: Iterable[str]) -> Iterator[tuple[Typed, ...]]:
        """Yield the arguments of each call of `score` in expressions, in functions too."""
        waiting, met = [*keys], {*keys}
        while waiting:
            checked = self.checked[waiting.pop()]
            for part in everything(checked.tree):
                if isinstance(part, Applied) and part.function == "score" and not part.own:
                    yield part.arguments
            for name in checked.calls:
                inner = {*function_keys(name, self.data["functions"][name])} - met
                met |= inner
                waiting += inner & self.checked.keys()

    def _check_ends(self, pack: m.Pack) -> None:
        """Check that the end of the game does not depend on points that depend on the end."""
        counted = [
            expr
            for category in pack.categories
            for part in category.parts
            for expr in (part.each and part.each[1], part.points, part.cap)
            if expr is not None and "ended" in expr.reads
        ]
        ends: dict[DataPath, m.Expr] = {("status", key): expr for key, expr in pack.status.items()}
        for number, ending in enumerate(pack.endings):
            ends["outcome", number, "when"] = ending.when
        for path, expr in ends.items() if counted else ():
            if "score" in expr.reads:
                message = "this asks for points, and points ask whether the game has ended"
                told = Text("`{expression}` is evaluated for them", expression=counted[0].source)
                self.tree.problem("endless", message, path, told)

    def _teams(self) -> m.Expr | None:
        env = self.bind(self.base, {"me": Type("player")})
        return self.optional(self.data, "teams", (), env, None)

    def _ranking(self) -> tuple[m.Expr, ...]:
        env = self.bind(self.base, {"me": Type("player")})
        return tuple(
            self.expr(text, ("ranking", number), env, INT)
            for number, text in enumerate(self.data.get("ranking", []))
        )

    def _assumptions(self) -> tuple[m.Assumption, ...]:
        result = []
        for ident, data in self.data.get("assumptions", {}).items():
            path: DataPath = ("assumptions", ident)
            self.about = data["title"]
            each, env = self.each(data, path, self.env)
            one_of, env = self.each(data, path, env, "one_of")
            show = self.message(data["show"], (*path, "show"), env)
            does = self.effects.whole(data["does"], (*path, "does"), env)
            if each is not None and one_of is not None:
                result.append(m.Assumption(ident, data["title"], each, one_of, show, does))
        return tuple(result)

    def _ties(self) -> tuple[str, ...]:
        """Return the categories that break ties: those listed, or all in their order."""
        known = self.data.get("categories", {})
        listed = self.data.get("ties", {}).get("by", "categories")
        if listed == "categories":
            return tuple(known)
        for number, ident in enumerate(listed):
            if ident not in known:
                near = suggest(ident, known)
                told = (
                    Text("did you mean `{name}`?", name=near[0])
                    if near
                    else Text("there is: {names}", names=tuple(known))
                )
                message = Text("there is no score category `{name}` to break ties", name=ident)
                self.tree.problem("tie-unknown-category", message, ("ties", "by", number), told)
        return tuple(listed)

    def _lints(self) -> tuple[m.Lint, ...]:
        result = []
        for number, data in enumerate(self.data.get("lints", [])):
            path: DataPath = ("lints", number)
            lets, env = self.lets(data.get("let", {}), (*path, "let"), self.env)
            each = []
            for name, text in data.get("each", {}).items():
                found, env = self.each({"each": {name: text}}, path, env)
                if found is not None:
                    each.append(found)
            told = data.get("help")
            result.append(
                m.Lint(
                    data["rule"],
                    data["title"],
                    lets,
                    tuple(each),
                    self.message(data["at"], (*path, "at"), env),
                    self.expr(data["that"], (*path, "that"), env, BOOL),
                    self.message(data["else"], (*path, "else"), env),
                    None if told is None else self.message(told, (*path, "help"), env),
                    Severity(data.get("severity", Severity.ERROR)),
                    data["example"],
                )
            )
        return tuple(result)

    def _check_rulings(self) -> None:
        """Check that rulings that offer choices have chosen one of them."""
        for ident, entry in self.data.get("rulings", {}).items():
            choices = entry.get("choices")
            if choices is not None and entry["default"] not in choices:
                self.unknown("value", entry["default"], choices, ("rulings", ident, "default"))

    def _formulas(self) -> None:
        """Compile the expressions that stand in fields of entities."""
        env = self.bind(self.env, {"me": Type("player")})
        empty = self.register(_EMPTY, "[]")
        compiled: dict[DataPath, m.Expr] = {}
        for entity, field, path in self.formulas:
            if self.data["kinds"][entity.kind]["fields"][field] == "effects":
                entity.f[field] = self._field_effects(entity, field, path)
            elif path is None:
                entity.f[field] = empty
            elif path in compiled:  # what a kind has for all that say nothing themselves
                entity.f[field] = compiled[path]
            else:
                compiled[path] = entity.f[field] = self._formula(entity.f[field], path, env)

    def _field_effects(self, entity: Entity, field: str, path: DataPath | None) -> m.Effects:
        """Compile the effects that a thing holds; `it` is the thing, `me` who carries them out."""
        raw = entity.f[field] if path is not None else []
        env = self.bind(self.env, {"me": Type("player")})
        env = env.child({"it": Name(Type(entity.kind), self._thing(entity))})
        self.about = entity.id
        wrong = [] if path is None else list(shipped_schemas().errors("common", "effects", raw))
        for one in wrong:
            found = one._replace(path=(*(path or ()), *one.path))
            self.tree.problems.append(found.placed(self.tree))
        effects = self.effects.whole([] if wrong else raw, path or (), env)
        self.field_effects.append(effects)
        return effects

    def _thing(self, entity: Entity) -> str:
        """Return the Python constant that a thing is."""
        return self._things.setdefault(entity, f"T_{len(self._things)}")

    def _formula(self, source: object, path: DataPath, env: Environment) -> m.Expr:
        checked = self.check(source, path, env)
        if checked is not None and checked.type.name != "list":
            self.tree.problem("type", Text("a list is needed, not {type}", type=checked.type), path)
            checked = None
        return self.register(checked or _EMPTY, source)

    def _options(self) -> dict[str, m.Option]:
        result = {}
        for ident, data in self.data.get("options", {}).items():
            if data["default"] not in data["values"]:
                self.unknown(
                    "value", data["default"], data["values"], ("options", ident, "default")
                )
            result[ident] = m.Option(
                ident,
                data.get("title", ident),
                data.get("tag"),
                tuple(data["values"]),
                data["default"],
                data.get("variants", {}),
            )
        return result

    def compile(self) -> m.Pack:
        """Compile the whole tree; the pack is only valid if no problem was noted."""
        data = self.data
        names, shown, plurals = build_names(self.tree, self.entities)
        self._formulas()
        self._check_rulings()
        for slip in astray(data):
            self.unknown(slip.what, slip.name, slip.known, slip.path, key=True)
        procedures = self._procedures()
        triggers = self._triggers()
        moves = tuple(self._move(ident, entry) for ident, entry in data.get("moves", {}).items())
        if not any(move.heading for move in moves):
            message = "no move is the heading of a turn (`heading: true`): no turn could be judged"
            self.tree.problem("no-heading", message, ("game",))
        playouts = PlayoutCompiler(self, moves)
        constants: dict[str, object] = {
            _constant(entity): entity
            for entities in self.entities.values()
            for entity in entities
            if entity.id.isidentifier()
        }
        constants |= {name: entity for entity, name in self._things.items()}
        for kind, entities in self.entities.items():
            constants[f"L_{kind}"] = list(entities)
        status = {
            key: self.expr(text, ("status", key), self.base, _STATUS[key])
            for key, text in data.get("status", {}).items()
        }
        pack = m.Pack(
            id=data["game"],
            title=data["title"],
            version=data["version"],
            least=data["players"]["least"],
            most=data["players"]["most"],
            variants=tuple(self.tree.variants),
            options=self._options(),
            kinds={kind: entry.get("title", kind) for kind, entry in data["kinds"].items()},
            entities=self.entities,
            zones=self.zones,
            moves=moves,
            headings=self._headings(moves),
            claims=tuple(
                self._claim(ident, entry) for ident, entry in data.get("claims", {}).items()
            ),
            decisions={
                ident: self._decision(ident, entry)
                for ident, entry in data.get("decisions", {}).items()
            },
            procedures=procedures,
            triggers=tuple(trigger for trigger in triggers if trigger.zones is None),
            watches=tuple(trigger for trigger in triggers if trigger.zones is not None),
            looked_at=[],
            followers=[],
            prepare=self._stages("prepare", "phases"),
            complete=self._stages("complete", "after"),
            checks=self._checks(),
            grids=self.grids,
            repeats=self.repeats,
            categories=tuple(
                self._category(ident, entry) for ident, entry in data.get("categories", {}).items()
            ),
            ties=self._ties(),
            endings=self._endings(),
            teams=self._teams(),
            ranking=self._ranking(),
            assumptions=self._assumptions(),
            lints=self._lints(),
            opening=playouts.opening(),
            policies=playouts.policies(),
            measures=playouts.measures(),
            view=ViewCompiler(self, moves).view(),
            rulings={
                ident: m.Ruling(
                    ident,
                    entry["title"],
                    entry["default"],
                    entry.get("reason", ""),
                    tuple(entry.get("source", [])),
                    tuple(entry.get("choices", [])),
                )
                for ident, entry in data.get("rulings", {}).items()
            },
            status=status,
            names=names,
            shown=shown,
            words=self._words(),
            tells=self._tells(),
            plurals=plurals,
            exprs=self.exprs,
            codes=self.codes,
            quick=self.quick,
            hints=self._hints(moves),
            functions=self.functions,
            constants=constants,
            routines=self.effects.routines,
            makers=[],
            scorers=[],
            texts=data.get("texts", {}),
            rules=self.rules,
        )
        self._check_ends(pack)
        self._check_scores(pack)
        for trigger in plan(pack, self.field_effects):
            message = "what happens in the middle of something else cannot ask anything"
            self.tree.problem("trigger-asks", message, ("triggers", trigger.id, "does"))
        if not self.tree.problems:
            pack.looked_at.extend(looked_at(pack))
        return pack


def _constant(entity: Entity) -> str:
    """Return the name of an entity in generated code, which no other entity has."""
    # Kinds and ids hold `_` themselves, so that they do not tell where the one ends.
    return f"c{len(entity.kind)}_{entity.kind}_{entity.id}"


def components(uses: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Return the strongly connected components of the names.

    A group comes after all groups that it uses. Tarjan's algorithm, in linear time.
    """
    numbers: dict[str, int] = {}
    lows: dict[str, int] = {}
    open_: dict[str, None] = {}
    found: list[list[str]] = []
    for root in uses:
        path: list[tuple[str, Iterator[str]]] = []
        entering: str | None = root if root not in numbers else None
        while path or entering is not None:
            if entering is not None:
                numbers[entering] = lows[entering] = len(numbers)
                open_[entering] = None
                path.append((entering, iter(sorted(uses[entering]))))
                entering = None
            name, rest = path[-1]
            for other in rest:
                if other in open_:
                    lows[name] = min(lows[name], numbers[other])
                elif other in uses and other not in numbers:
                    entering = other
                    break
            if entering is not None:
                continue
            path.pop()
            if path:
                lows[path[-1][0]] = min(lows[path[-1][0]], lows[name])
            if lows[name] == numbers[name]:
                group: list[str] = []
                while not group or group[-1] != name:
                    group.append(open_.popitem()[0])
                found.append(group)
    return found


def _endless(uses: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield the names that use themselves, directly or indirectly."""
    groups = components(uses)
    around = {name for group in groups if len(group) > 1 for name in group}
    yield from (name for name in uses if name in around or name in uses[name])


__all__ = ["Compiler", "Entity"]


def _phases(names: Iterable[str]) -> tuple[m.Phase, ...]:
    """Return phases by the names of parts that are complete: a turn is one of the turns."""
    return tuple(m.Phase.TURNS if name == "turn" else m.Phase(name) for name in names)
