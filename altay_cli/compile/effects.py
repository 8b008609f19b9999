"""From effects in rule files to compiled effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.compile.amounts import counted
from altay_cli.compile.trees import zone_read
from altay_cli.compile.vocabulary import EFFECTS, drawn_type
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.typed import Item, Member, Tree
from altay_cli.expressions.types import BOOL, INT, Type, list_of
from altay_cli.source.document import DataPath, Entry

if TYPE_CHECKING:
    from altay_cli.compile.compiler import Compiler


MAX_LOOPS = 15
"""How deep loops can be nested: Python allows no more than twenty."""


class EffectCompiler:
    """Compiles lists of effects; mistakes become problems of the compiler's tree."""

    def __init__(self, compiler: Compiler) -> None:
        self.c = compiler
        self._loops = 0
        self._zones = {zone.name: zone for zone in compiler.zones}
        self.routines: list[m.Effects] = []
        self._kinds: dict[str, Callable[[Entry, DataPath, Environment], m.Effect | None]] = {
            "move": self._move,
            "add": self._set,
            "set": self._set,
            "if": self._if,
            "each": self._each,
            "let": self._let,
            "do": self._do,
            "ask": self._ask,
            "draw": self._draw,
            "say": self._say,
            "while": self._while,
            "run": self._run,
            "reset": self._reset,
            "seat": self._seat,
            "stop": self._stop,
            "unknown": self._unknown,
            "reveal": self._reveal,
            "either": self._either,
            "lacks": self._lacks,
            "unsure": self._unsure,
        }

    def whole(self, data: list[object], path: DataPath, env: Environment) -> m.Effects:
        """Compile a list of effects that has a function of its own."""
        effects = m.Effects(f"d_{len(self.routines)}", self.compile(data, path, env))
        self.routines.append(effects)
        return effects

    def compile(self, data: list[Any], path: DataPath, env: Environment) -> tuple[m.Effect, ...]:
        """Compile the list of effects at ``path``; what is wrong is left out."""
        result = []
        for number, entry in enumerate(data):
            for key, build in self._kinds.items():
                if key in entry:
                    effect = build(entry, (*path, number), env)
                    if isinstance(effect, m.AskEffect) and effect.answer is not None:
                        gives = self.c.answer_types[effect.decision]
                        env = self.c.bind(env, {effect.answer: gives})
                        effect = effect._replace(local=env.names[effect.answer].code)
                    if effect is not None:
                        result.append(effect)
                    break
        return tuple(result)

    # ------------------------------------------------------------ places

    def _place(self, text: str, path: DataPath, env: Environment) -> tuple[m.Place, Type] | None:
        """Compile the name of a value that can be set."""
        checked = self.c.check(text, path, env, key=True)
        if checked is None:
            return None
        found = zone_read(checked.tree, self._zones)
        if found is None:
            message = Text("`{text}` is not a zone of the state", text=text)
            self.c.tree.problem("not-a-zone", message, path, key=True)
            return None
        container, key = (
            self.c.register(part, text) for part in self._halves(checked, found.zone, env)
        )
        return m.Place(container, key, found.zone.index), checked.type

    def _halves(self, checked: Checked, zone: m.Zone, env: Environment) -> tuple[Checked, Checked]:
        """Return what holds a value of the state, and the key under which it is held there."""

        def part(tree: Tree) -> Checked:
            return check(checked.source[tree.start : tree.end], env)

        tree = checked.tree
        if isinstance(tree, Item):
            return part(tree.operand), part(tree.key)
        if isinstance(tree, Member):
            code = f"S.z[{zone.index}]"
            whole = checked._replace(code=code, quick=code, locals=m.NOTHING)
            return whole, part(tree.operand)
        index = str(zone.index)
        held = checked._replace(code="S.z", quick="S.z")
        return held, checked._replace(code=index, quick=index)

    def _bounds(self, place: m.Place) -> tuple[int | None, int | None]:
        """Return the bounds of the zone that a place belongs to."""
        zone = self.c.zones[place.zone]
        return zone.least, zone.most

    def _container(self, text: Any, path: DataPath, env: Environment) -> m.Expr | m.Place | None:
        """Compile the source or target of a move: a bag or a pile of the state."""
        checked = self.c.check(text, path, env)
        if checked is None:
            return None
        found = zone_read(checked.tree, self._zones)
        if checked.type.name not in {"bag", "pile"} or found is None:
            self.c.tree.problem(
                "not-a-zone", Text("`{text}` is not a zone that holds things", text=text), path
            )
            return None
        if checked.type.name == "pile":
            place = self._place(text, path, env)
            return place[0] if place else None
        return self.c.register(checked, text, found.zone.index)

    def _end(
        self, text: Any, path: DataPath, env: Environment, kind: str | None
    ) -> tuple[m.Expr | m.Place | None, str | None]:
        """Compile where things come from or go to; gives the kind of what is moved as well.

        ``kind`` is what is known of that already.
        """
        found = self._container(text, path, env)
        checked = self.c.check(text, path, env) if found is not None else None
        if checked is None:
            return None, kind
        held = checked.type.args[0].name
        if kind not in {None, held}:
            message = Text(
                "`{text}` holds things of the kind {held}; what is moved is of the kind {kind}",
                text=text,
                held=held,
                kind=kind,
            )
            self.c.tree.problem("type", message, path)
        return found, kind or held

    # ------------------------------------------------------------ effects

    def _move(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["move"]
        path = (*path, "move")
        what = None
        kind = None
        if "what" in data:
            checked = self.c.check(data["what"], (*path, "what"), env)
            if checked is None:
                return None
            if checked.type.name != "bag" and checked.type.name not in self.c.kinds:
                message = Text("things of type {type} cannot be moved", type=checked.type)
                self.c.tree.problem("type", message, (*path, "what"))
                return None
            what = self.c.register(checked, data["what"])
            kind = checked.type.args[0].name if checked.type.name == "bag" else checked.type.name
        count = self.c.expr(data["count"], (*path, "count"), env, INT) if "count" in data else None
        ends: dict[str, m.Expr | m.Place | None] = {}
        for end in ("from", "to"):
            ends[end] = None
            if end in data:
                ends[end], kind = self._end(data[end], (*path, end), env, kind)
        top = data.get("place") == "top"
        if "place" in data and ends["to"] is not None and not isinstance(ends["to"], m.Place):
            message = Text("`{text}` is not a pile: nothing has a place in it", text=data["to"])
            self.c.tree.problem("not-a-zone", message, (*path, "place"))
        return m.MoveEffect(what, count, ends["from"], ends["to"], top)

    def _set(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        word = "add" if "add" in entry else "set"
        ((target, value),) = entry[word].items()
        where = (*path, word, target)
        found = self._place(target, where, env)
        if found is None:
            return None
        place, held = found
        expect = INT if word == "add" else held
        compiled = self.c.expr(value, where, env, expect)
        return m.SetEffect(place, compiled, word == "add", self._bounds(place))

    def _if(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        condition = self.c.expr(entry["if"], (*path, "if"), env, BOOL)
        then = self.compile(entry.get("then", []), (*path, "then"), env)
        otherwise = self.compile(entry.get("else", []), (*path, "else"), env)
        return m.IfEffect(condition, then, otherwise) if condition else None

    def _each(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        ((name, items),) = entry["each"].items()
        checked = self.c.check(items, (*path, "each", name), env)
        if checked is None:
            return None
        if checked.type.name != "list":
            message = Text("a list is needed, not {type}", type=checked.type)
            self.c.tree.problem("type", message, (*path, "each", name))
            return None
        inner = self.c.bind(env, {name: checked.type.args[0]})
        each = self.c.register(checked, items)
        does = self._repeated(entry, path, inner)
        return m.EachEffect(name, each, does, inner.names[name].code)

    def _repeated(self, entry: Entry, path: DataPath, env: Environment) -> tuple[m.Effect, ...]:
        """Compile what a loop does."""
        if self._loops == MAX_LOOPS:
            message = Text("more than {count} loops inside of each other", count=MAX_LOOPS)
            self.c.tree.problem("effects-too-deep", message, (*path, "does"))
            return ()
        self._loops += 1
        does = self.compile(entry.get("does", []), (*path, "does"), env)
        self._loops -= 1
        return does

    def _let(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        values, inner = self.c.lets(entry["let"], (*path, "let"), env)
        does = self.compile(entry.get("does", []), (*path, "does"), inner)
        return m.LetEffect(values, does, tuple(inner.names[name].code for name, _ in values))

    def _arguments(
        self,
        data: Entry,
        wanted: Mapping[str, Type],
        path: DataPath,
        env: Environment,
        what: str,
    ) -> tuple[tuple[str, m.Expr], ...]:
        result = []
        for name, text in data.items():
            if name not in wanted:
                message = Text(
                    "{what} takes no `{name}`, but {names}"
                    if wanted
                    else "{what} takes no `{name}`, but nothing",
                    what=what,
                    name=name,
                    names=tuple(wanted),
                )
                self.c.tree.problem("unknown-parameter", message, (*path, name), key=True)
                continue
            compiled = self.c.expr(text, (*path, name), env, wanted[name])
            if compiled:
                result.append((name, compiled))
        for name in wanted:
            if name not in data:
                message = Text("{what} needs `{name}`", what=what, name=name)
                self.c.tree.problem("missing-parameter", message, path, key=True)
        return tuple(result)

    def _do(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        ((name, arguments),) = entry["do"].items()
        where = (*path, "do", name)
        wanted = self.c.procedure_types.get(name)
        if wanted is None:
            self.c.unknown("procedure", name, self.c.procedure_types, where)
            return None
        arguments = dict(arguments or {})
        if "me" in wanted and "me" in env.names:
            arguments.setdefault("me", "me")
        usual = self._usual(name, arguments)
        rest = {key: kind for key, kind in wanted.items() if key not in dict(usual)}
        what = Text("the procedure `{name}`", name=name)
        return m.DoEffect(name, (*self._arguments(arguments, rest, where, env, what), *usual))

    def _usual(self, name: str, given: Entry) -> tuple[tuple[str, m.Expr], ...]:
        """Compile the default values of a procedure's parameters."""
        path: DataPath = ("procedures", name, "defaults")
        wanted = self.c.procedure_types[name]
        result = []
        for key, text in self.c.data["procedures"][name].get("defaults", {}).items():
            if key not in wanted:
                self.c.unknown("parameter", key, wanted, (*path, key), key=True)
            elif key not in given:
                compiled = self.c.expr(text, (*path, key), self.c.env, wanted[key])
                result.append((key, compiled))
        return tuple(result)

    def _ask(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        ((name, data),) = entry["ask"].items()
        where = (*path, "ask", name)
        if name not in self.c.decision_types:
            self.c.unknown("decision", name, self.c.decision_types, where)
            return None
        who = self.c.expr(data["who"], (*where, "who"), env, Type("player"))
        times = self.c.expr(data["times"], (*where, "times"), env, INT) if "times" in data else None
        values = self._arguments(
            data.get("with", {}),
            self.c.decision_types[name],
            (*where, "with"),
            env,
            Text("the decision `{name}`", name=name),
        )
        answer = data.get("as")
        if answer is not None and name not in self.c.answer_types:
            silent = Text("the decision `{name}` does not say what its answer `gives`", name=name)
            self.c.tree.problem("no-answer", silent, (*where, "as"))
            answer = None
        if answer is not None and times is not None:
            message = "only a single answer has a value; leave `times` out"
            self.c.tree.problem("no-answer", message, (*where, "as"))
        forced, gives = self._forced(data, answer, name, where, env)
        if who is None:
            return None
        return m.AskEffect(name, who, times, values, answer, forced=forced, gives=gives)

    def _forced(
        self, data: Entry, answer: str | None, decision: str, path: DataPath, env: Environment
    ) -> tuple[m.Expr | None, m.Expr | None]:
        """Compile when nobody need be asked, and what the answer is then."""
        if "forced" not in data:
            return None, None
        path = (*path, "forced")
        if answer is None or "forced" not in self.c.data["decisions"][decision]:
            message = (
                "what only has one answer needs a name for it, `as`, and the decision `forced`"
            )
            self.c.tree.problem("no-answer", message, path, key=True)
            return None, None
        when = self.c.expr(data["forced"]["when"], (*path, "when"), env, BOOL)
        gives = self.c.answer_types[decision]
        return when, self.c.expr(data["forced"]["gives"], (*path, "gives"), env, gives)

    def _while(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        condition = self.c.expr(entry["while"], (*path, "while"), env, BOOL)
        does = self._repeated(entry, path, env)
        return m.WhileEffect(condition, does) if condition else None

    def _run(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["run"]
        what = self.c.expr(data["what"], (*path, "run", "what"), env, EFFECTS)
        who = self.c.optional(data, "by", (*path, "run"), env, Type("player"))
        return m.RunEffect(what, who) if what else None

    def _bag(
        self, text: object, path: DataPath, env: Environment, kind: str | None = None
    ) -> tuple[m.Expr, str] | None:
        """Compile a bag zone and return the kind it holds, which is ``kind`` if that is given."""
        compiled, held = self._end(text, path, env, kind)
        if not isinstance(compiled, m.Expr) or held is None:
            if compiled is not None:
                self.c.tree.problem("not-a-zone", Text("`{text}` is not a bag", text=text), path)
            return None
        return compiled, held

    def _draw(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["draw"]
        path = (*path, "draw")
        source = self._bag(data["from"], (*path, "from"), env)
        held = source[1] if source else None
        target = self._bag(data["to"], (*path, "to"), env, held)
        refill = None
        if "refill" in data:
            refill = self._bag(data["refill"], (*path, "refill"), env, held)
        if source is None or target is None:
            return None
        kind = Type(source[1])
        seen_type = drawn_type(source[1])
        seen = self.c.expr(data["seen"], (*path, "seen"), env, seen_type)
        times = self.c.expr(data["times"], (*path, "times"), env, INT) if "times" in data else None
        loop = self.c.expr(data["while"], (*path, "while"), env, BOOL) if "while" in data else None
        inner = self.c.bind(env, {"it": kind})
        only = self.c.expr(data["only"], (*path, "only"), inner, BOOL) if "only" in data else None
        words = {
            "given": INT,
            "due": INT,
            "missing": INT,
            "left": Type("bag", (kind,)),
            "drawn_card": kind,
        }
        if "rules" not in data and data["seen"].strip() != "unrecorded()":
            message = "the key 'rules' is missing: what is said of a record that cannot be right"
            self.c.tree.problem("schema-missing-key", message, path, key=True)
        elif "rest" not in data and "extra" not in data.get("rules", {"extra": None}):
            message = "the key 'extra' is missing: nothing else takes what is recorded beyond"
            self.c.tree.problem("schema-missing-key", message, (*path, "rules"), key=True)
        if ("rest" in data) is not ("does" in entry):
            message = "`rest` names what is left for the effects under `does`; both are needed"
            self.c.tree.problem("schema-missing-key", message, path, key=True)
        rules = {}
        for case, rule in data.get("rules", {}).items():
            rules[case] = self.c.rule_text(
                rule, (*path, "rules", case), self.c.bind(env, words), rule["rule"]
            )
        effect = m.DrawEffect(
            seen,
            source[0],
            refill[0] if refill else None,
            target[0],
            times,
            loop,
            only,
            rules,
            source[1],
            data.get("needed", False),
            data.get("back", False),
            "rest" in data,
            above=self._pile(data, "above", path, env, source[1]),
            below=self._pile(data, "below", path, env, source[1]),
            backs=self._backs(data, path, env),
            counts=self._counts(loop),
        )
        if effect.backs and "while" in data:
            message = Text(
                "`{zone}` tells backs, and how many come is not known with `while`", zone=data["to"]
            )
            self.c.tree.problem("zone-backs", message, (*path, "to"))
        if "rest" not in data:
            return effect
        # What is left is named for the effects that stand inside.
        inner = self.c.bind(env, {data["rest"]: seen_type})
        left = check("unrecorded()", env)
        left = left._replace(code="S.rest", quick="S.rest", type=seen_type)
        named = m.LetEffect(
            ((data["rest"], self.c.register(left, data["rest"])),),
            self.compile(entry.get("does", []), (*path[:-1], "does"), inner),
            (inner.names[data["rest"]].code,),
        )
        return m.LetEffect((), (effect, named), ())

    def _counts(self, loop: m.Expr | None) -> frozenset[int]:
        """Return the zones of which a condition counts things."""
        if loop is None:
            return frozenset()
        zones = {zone.name: zone.index for zone in self.c.zones}
        return counted(loop.key, self.c.checked, self.c.data.get("functions", {}), zones)

    def _pile(
        self, data: Entry, key: str, path: DataPath, env: Environment, kind: str
    ) -> m.Place | None:
        """Compile a pile of which a draw takes what is known."""
        if key not in data:
            return None
        found, _ = self._end(data[key], (*path, key), env, kind)
        if found is not None and not isinstance(found, m.Place):
            self.c.tree.problem(
                "not-a-zone", Text("`{text}` is not a pile", text=data[key]), (*path, key)
            )
            return None
        if found is not None and "only" in data:
            message = "what is known to come next comes, whatever can be drawn: leave `only` out"
            self.c.tree.problem("not-a-zone", message, (*path, key), key=True)
        return found

    def _backs(self, data: Entry, path: DataPath, env: Environment) -> tuple[str, ...]:
        """Return what is seen of things that come to a zone although nobody knows what they are."""
        checked = self.c.check(data["to"], (*path, "to"), env)
        found = zone_read(checked.tree, self._zones) if checked is not None else None
        return found.zone.backs if found is not None else ()

    def _say(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["say"]
        text = self.c.rule_text(
            {**data, "else": data["message"]}, (*path, "say"), env, data["rule"], key="message"
        )
        return m.SayEffect(text)

    def _reset(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        del env
        lifetime = entry["reset"]
        if lifetime not in {zone.lifetime for zone in self.c.zones}:
            message = Text("no zone lasts for a `{lifetime}`", lifetime=lifetime)
            self.c.tree.problem("unknown-lifetime", message, (*path, "reset"))
            return None
        return m.ResetEffect(lifetime)

    def _seat(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        player = self.c.expr(entry["seat"], (*path, "seat"), env, Type("player"))
        return m.SeatEffect(player) if player else None

    @staticmethod
    def _stop(entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        del entry, path, env
        return m.StopEffect()

    def _unsure(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        bag = self._bag(entry["unsure"], (*path, "unsure"), env)
        return m.UnsureEffect(bag[0]) if bag else None

    def _reveal(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["reveal"]
        path = (*path, "reveal")
        bag = self._bag(data["in"], (*path, "in"), env)
        if bag is None:
            return None
        what = self.c.expr(data["what"], (*path, "what"), env, Type(bag[1]))
        return m.RevealEffect(what, bag[0], self.c.expr(data["count"], (*path, "count"), env, INT))

    def _either(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["either"]
        path = (*path, "either")
        kind: str | None = None
        ways: list[tuple[m.Expr, m.Expr]] = []
        for number, way in enumerate(data["moves"]):
            found: list[m.Expr] = []
            for end in ("from", "to"):
                bag = self._bag(way[end], (*path, "moves", number, end), env, kind)
                if bag is None:
                    return None
                kind = bag[1]
                found.append(bag[0])
            ways.append((found[0], found[1]))
        assert kind is not None
        what = self.c.expr(data["what"], (*path, "what"), env, Type(kind))
        return m.EitherEffect(what, tuple(ways)) if what else None

    def _lacks(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["lacks"]
        path = (*path, "lacks")
        bag = self._bag(data["in"], (*path, "in"), env)
        if bag is None:
            return None
        what = self.c.expr(data["what"], (*path, "what"), env, list_of(Type(bag[1])))
        return m.LacksEffect(what, bag[0]) if what else None

    def _unknown(self, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
        data = entry["unknown"]
        path = (*path, "unknown")
        source = self._bag(data["from"], (*path, "from"), env)
        target = self._bag(data["to"], (*path, "to"), env, source[1] if source else None)
        count = self.c.expr(data["count"], (*path, "count"), env, INT)
        if source is None or target is None or count is None:
            return None
        return m.UnknownEffect(source[0], target[0], count, self._backs(data, path, env))
