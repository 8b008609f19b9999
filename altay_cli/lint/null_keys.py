"""Finds effects that may put things into the place of nobody, because a key can be null."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from altay_cli.base.findings import Severity, Text
from altay_cli.expressions import typed as t
from altay_cli.lint import known as k
from altay_cli.lint.interpreter import Interpreter
from altay_cli.pack import model as m
from altay_cli.source.document import DataFinding, Mark, fault


class _Path(NamedTuple):
    """What is known where an effect is carried out.

    ``optional`` are slots that a statement may leave out, ``tested`` the meanings of all parts of
    the conditions on the way.
    """

    facts: k.Facts
    definitions: Mapping[str, t.Tree] = m.NOTHING
    optional: frozenset[str] = frozenset()
    tested: frozenset[object] = frozenset()


def null_keys(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield the keys that can be null where something is put into their place."""
    pack = truth.pack
    search = _Search(truth)
    for move in pack.moves:
        optional = frozenset(
            slot.name
            for slot in move.slots.values()
            if slot.optional and slot.shape == "entity" and slot.infer is None
        )
        path = _Path(k.Facts(), {name: truth.tree(e.key) for name, e in move.lets}, optional)
        for condition in filter(None, (move.when, *(one.that for one in move.requires))):
            path = search.assuming(path, condition)
        yield from search.effects(move.does, path)
    for trigger in (*pack.triggers, *pack.watches):
        yield from search.effects(trigger.does, search.assuming(_Path(k.Facts()), trigger.when))
    for stage in (*pack.prepare, *pack.complete):
        yield from search.effects(stage.does, _Path(k.Facts()))
    for procedure in pack.procedures.values():
        yield from search.effects(procedure.does, _Path(k.Facts()))


class _Search:
    def __init__(self, truth: Interpreter) -> None:
        self.truth = truth

    def assuming(self, path: _Path, condition: m.Expr) -> _Path:
        scope = k.Scope(facts=path.facts, definitions=path.definitions)
        facts = self.truth.facts(condition, scope)
        return self._testing(path._replace(facts=facts), condition)

    def _testing(self, path: _Path, condition: m.Expr) -> _Path:
        parts = {self.truth.meaning(part) for part in t.everything(self.truth.tree(condition.key))}
        return path._replace(tested=path.tested | (parts - {None}))

    def effects(self, effects: Iterable[m.Effect], path: _Path) -> Iterator[DataFinding]:
        for effect in effects:
            for place in m.named(effect):
                if isinstance(place, m.Place) and place.filled:
                    mark: Mark = "key" if isinstance(effect, m.SetEffect) else "part"
                    yield from self._keys(place, path, mark)
            match effect:
                case m.IfEffect():
                    yield from self.effects(effect.then, self.assuming(path, effect.condition))
                    otherwise = self._testing(path, effect.condition)
                    yield from self.effects(effect.otherwise, otherwise)
                case m.EachEffect():
                    yield from self.effects(effect.does, self._without(path, effect.name))
                case m.LetEffect():
                    inner = path
                    for name, expr in effect.values:
                        tree = self.truth.tree(expr.key)
                        inner = self._without(inner, name)
                        inner = inner._replace(definitions={**inner.definitions, name: tree})
                    yield from self.effects(effect.does, inner)
                case m.WhileEffect():
                    yield from self.effects(effect.does, self.assuming(path, effect.condition))
                case m.SetEffect():
                    path = self._after_set(effect, path)

    def _without(self, path: _Path, name: str) -> _Path:
        definitions = {key: tree for key, tree in path.definitions.items() if key != name}
        return path._replace(definitions=definitions, optional=path.optional - {name})

    def _after_set(self, effect: m.SetEffect, path: _Path) -> _Path:
        meaning = self.truth.meaning(self.truth.tree(effect.place.at.key))
        if self._can_be_null(self.truth.tree(effect.value.key), path):
            return path._replace(facts=k.Facts(), tested=path.tested - {meaning})
        return path._replace(facts=k.Facts(), tested=path.tested | {meaning})

    def _keys(self, place: m.Place, path: _Path, mark: Mark) -> Iterator[DataFinding]:
        read = self.truth.c.zone_read(self.truth.tree(place.at.key))
        for key in () if read is None else read.keys:
            if self._can_be_null(key, path):
                source = place.at.source[slice(*key.place)]
                yield fault(
                    "null-key",
                    "`{key}` can be null, and a null place cannot hold anything",
                    self.truth.path(place.at),
                    Text("test it before: `if: {key} != null`", key=source),
                    severity=Severity.WARNING,
                    mark=mark,
                    key=source,
                )

    def _can_be_null(self, tree: t.Tree, path: _Path) -> bool:
        meaning = self.truth.meaning(tree)
        if self.truth.known(tree, k.Scope(facts=path.facts)) == k.exactly(None):
            return True
        if meaning is not None and meaning in path.tested:
            return False
        match tree:
            case t.Conditional():
                ends = (*(value for _, value in tree.branches), tree.otherwise)
                # A test of the choice itself guards its branches.
                parts = chain(*(t.everything(test) for test, _ in tree.branches))
                tests = {*map(self.truth.meaning, parts)} - {None}
                inner = path._replace(facts=k.Facts(), tested=path.tested | tests)
                return any(self._can_be_null(end, inner) for end in ends)
            case t.Reference(key=str() as key):
                if key in path.definitions:
                    definition = path.definitions[key]
                    rest = {one: of for one, of in path.definitions.items() if one != key}
                    return self._can_be_null(definition, path._replace(definitions=rest))
                return key in path.optional
            case t.Applied(from_rules=True):
                plain = self.truth.inlined(tree, k.Scope())
                return plain is not None and self._can_be_null(plain, path)
        read = self.truth.c.zone_read(tree)
        return read is not None and read.zone.shape == "entity"
