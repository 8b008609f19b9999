"""What a rule, a ruling, a finding, a category or a thing of a game means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from altay_cli.base.catalogue import OWN_RULES, PROBLEMS, UNKNOWN_THING, Explained
from altay_cli.base.resources import data_folder, pack_folder
from altay_cli.base.suggest import normal, suggest
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.load import variant_names
from altay_cli.match.state import State
from altay_cli.pack.mentions import rewritten
from altay_cli.pack.model import Message, Pack
from altay_cli.report.rulebook import about, in_words
from altay_cli.report.terminal import citation
from altay_cli.report.text import (
    BOLD,
    Line,
    language,
    page_columns,
    phrase,
    speaking,
    table,
    translated,
    width,
    wrapped,
)
from altay_cli.source.folder import read_text

_DECIDED = ("numbers.", "rulings.")
"""What the names of values begin with that variants mostly change."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains what rules hold; with ``source``, as the rule files write it."""

    pack: Pack
    source: bool = False

    def text(self, text: str) -> str:
        """Return a text of the rules."""
        return self.pack.texts.get(language(), {}).get(text, text)

    def message(self, message: Message) -> str:
        """Return a message of the rules, as far as it is known before anybody plays."""
        return message.source if self.source else in_words(self.pack, message)

    # ------------------------------------------------------------ all, and what is near

    def everything(self) -> Iterator[str]:
        """Yield all that can be explained, rules by what they are asked of."""
        pack, several = self.pack, phrase("several moves")
        chapters: dict[str, list[str]] = {}
        for ident, uses in pack.rules.items():
            asked = list(dict.fromkeys(title for title, _ in uses))
            chapters.setdefault(asked[0] if len(asked) == 1 else several, []).append(ident)
        title = self.text(pack.title)
        yield phrase("Rules of {game}, by what they are asked of:", game=title)
        for chapter, idents in sorted(chapters.items(), key=lambda one: one[0] == several):
            yield f"  {self.text(chapter)}"
            for ident in sorted(idents):
                yield f"    {ident:<24} {about(pack, ident)}"
        rulings = [f"{one.id:<26} {self.text(one.title)}" for one in pack.rulings.values()]
        for head, entries in (
            (phrase("Rulings, where the rulebook is silent:"), rulings),
            (phrase("Findings of the program itself:"), sorted(OWN_RULES)),
            (
                phrase("Rules of {game} that make no sense:", game=title),
                sorted({entry.rule for entry in pack.lints}),
            ),
            (phrase("Problems of rule files:"), sorted(PROBLEMS)),
        ):
            yield from ("", head, *(f"  {entry}" for entry in entries))

    def named(self, name: str) -> list[str]:
        """Return what an id or a name means; case is ignored. Nothing if nothing is called so."""
        folded = name.casefold()
        lines = list(self._explain(self._known().get(folded, folded)))
        for thing in named_things(self.pack, name):
            lines += thing_lines(self.pack, thing)
        return lines

    def near(self, name: str) -> list[str]:
        """Return what may have been meant by a name that nothing has."""
        known, near = self._known(), list[str]()
        for each in (language(), ENGLISH):  # English names are compared if no other is near
            shown = {one.casefold(): one for one in self.pack.shown.get(each, {}).values()}
            there = known | {n: one for n, one in shown.items() if named_things(self.pack, n)}
            near = near or [there[key] for key in suggest(name.casefold(), there, most=3)]
        return near

    def _known(self) -> dict[str, str]:
        pack = self.pack
        idents = [
            *pack.rules,
            *pack.rulings,
            *(category.id for category in pack.categories),
            *OWN_RULES,
            *(entry.rule for entry in pack.lints),
            *PROBLEMS,
            *(f"unknown-{kind}" for kind in pack.kinds),
        ]
        return {ident.casefold(): ident for ident in idents}

    # ------------------------------------------------------------ one of them

    def _explain(self, name: str) -> Iterator[str]:
        pack = self.pack
        if name in pack.rules:
            # Rule files are English.
            with speaking(ENGLISH if self.source else language()):
                yield from self._rule(name)
        for category in pack.categories:
            if category.id == name:
                yield phrase(
                    "{id}: a score category of {game}", id=name, game=self.text(pack.title)
                )
                yield f"  {phrase('see')}: {citation(category.cite)}"
                if category.ruling:
                    yield from self._ruling(category.ruling)
        if name in pack.rulings:
            yield from self._ruling(name)
            rules = pack.rules.items()
            readers = sorted({rule for rule, of in rules if any(t.ruling == name for _, t in of)})
            if readers:
                yield f"  {phrase('read by the rules')}: {', '.join(readers)}"
        if name in OWN_RULES:
            yield f"{name}: {about(None, name)}"
        elif name.startswith("unknown-") and name.removeprefix("unknown-") in pack.kinds:
            yield f"{name}: {about(None, name)}"
            yield from self._problem(UNKNOWN_THING, name)
        if name in PROBLEMS:
            yield from self._problem(PROBLEMS[name], name)
        for entry in pack.lints:
            if entry.rule == name:
                yield f"{name}: {self.text(entry.title)}"
                yield f"  {phrase(entry.severity)}: {self.message(entry.message)}"
                if self.source:
                    yield f"  must hold: {entry.that.source}"
                yield f"  {phrase('example')}: {self.text(entry.example)}"

    def _problem(self, problem: Explained, name: str) -> Iterator[str]:
        text = translated(problem.text)
        yield phrase("{id}, in rule files: {text}", id=name, text=text)
        first, *rest = translated(problem.example).splitlines()
        head = f"  {phrase('example')}: "
        yield f"{head}{first}"
        yield from (f"{' ' * width(head)}{line}" for line in rest)

    def _rule(self, name: str) -> Iterator[str]:
        """Tell a rule: what it demands, why, and in words an example of each kind as well."""
        uses = self.pack.rules[name]
        titles = [text.title for _, text in uses if text.title] or [uses[0][0]]
        yield f"{name}: {self.text(titles[0])}"
        seen: set[str] = set()
        for _, text in uses:
            if text.message.source in seen:
                continue
            seen.add(text.message.source)
            yield f"  {phrase(text.severity)}: {self.message(text.message)}"
            if text.that and self.source:
                yield f"  must hold: {text.that}"
            for line in text.help:
                if self.source or any(isinstance(part, str) for part in line.parts):
                    yield f"  {phrase('help')}: {self.message(line)}"
            if text.cite:
                yield f"  {phrase('see')}: {citation(text.cite)}"
        texts = self.pack.texts.get(language(), {})
        asked = dict.fromkeys(texts.get(title) or translated(title) for title, _ in uses)
        yield f"  {phrase('asked of')}: {'; '.join(asked)}"
        for ruling in dict.fromkeys(text.ruling for _, text in uses if text.ruling):
            yield from self._ruling(ruling)
        if self.source:
            return
        changed = list(self._changed_by(name))
        if changed:
            yield f"  {phrase('changed by the variants')}: {', '.join(changed)}"
        for kind in ("legal", "illegal"):
            if lines := self._example(name, kind):
                yield from ("", f"  {phrase('legal:' if kind == 'legal' else 'not legal:')}")
                yield from (f"    {part}" for line in lines for part in _fitting(line))

    def _changed_by(self, name: str) -> Iterator[str]:
        """Yield the shipped variants that mention a rule, or a number that it reads."""
        texts = [text for _, text in self.pack.rules[name]]
        conditions = {text.that for text in texts}
        exprs = [expr for expr in self.pack.exprs if expr.source in conditions]
        exprs += [expr for text in texts for expr in text.exprs()]
        read = {value for expr in exprs for value in expr.names if value.startswith(_DECIDED)}
        folder = pack_folder(self.pack.id) / "variants"
        for variant in variant_names(self.pack.id):
            source = read_text(folder / f"{variant}.yaml", variant, "variant", [], folder.parent)
            text = "" if source is None or source.root.text is None else source.root.text.text
            words = set(re.findall(r"[\w.-]+", text))
            paths = {part for one in words for part in (one, *one.split("."))}
            if name in paths or any(one.startswith(path) for path in read for one in words):
                yield variant

    def _example(self, name: str, kind: str) -> list[str]:
        """Return a small log that keeps a rule, or one that breaks it, if there is one.

        Its names are those of the language; comments, which are English, are left out of others.
        """
        path = data_folder("examples") / name / f"{kind}.agn"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if f'[Game "{self.pack.id}"]' not in text:
            return []
        lines = text.splitlines()
        if language() != ENGLISH:
            lines = [*rewritten(self.pack, text, language())]
            lines = [re.sub(r"#[^!].*", "", line) for line in lines]
        mark = f"# <- {name}" if kind == "illegal" else ""
        lines = [re.sub(r"#!.*", mark, line) for line in lines]
        return [line.rstrip() for line in lines if line.strip()]

    def _ruling(self, name: str) -> Iterator[str]:
        ruling = self.pack.rulings[name]
        title = self.text(ruling.title)
        yield f"  {phrase('ruling {id}: {title}', id=ruling.id, title=title)}"
        yield f"    {phrase('chosen')}: {self.text(ruling.default)}"
        if ruling.choices:
            yield f"    {phrase('possible')}: {', '.join(ruling.choices)}"
        if ruling.reason:
            yield f"    {phrase('because')}: {self.text(ruling.reason)}"
        if ruling.source:
            yield f"    {phrase('sources')}: {', '.join(ruling.source)}"


def _fitting(line: str) -> list[str]:
    """Return a line of an example; a comment that is too long for the page as several."""
    columns = page_columns()
    if columns is None or not line.startswith("# "):
        return [line]
    return wrapped(line, columns - 4, "# ")


# ---------------------------------------------------------------- what there is in a game


def named_things(pack: Pack, name: str) -> list[Entity]:
    """Return the things that are called by a name in any language, or have it as their id."""
    things = [
        thing
        for kind, told in pack.tells.items()
        if told
        for thing in pack.names.get(kind, {}).get(normal(name), ())
    ]
    return list(dict.fromkeys(things))


def thing_lines(pack: Pack, thing: Entity) -> Iterator[str]:
    """Yield what is told of one thing."""
    state = _state(pack)
    kind = state.word(pack.kinds[thing.kind])
    yield Line((state.name(thing), BOLD), f": {kind}")
    for title, text in _facts(state, thing):
        if text:
            yield f"  {state.word(title)}: {text}"


def all_tables(pack: Pack) -> Iterator[str]:
    """Yield a table for each kind of things that have something to tell."""
    state = _state(pack)
    for kind, told in pack.tells.items():
        if not told:
            continue
        titles = [state.word(pack.kinds[kind]), *(state.word(title) for title, _ in told)]
        rows = [
            [state.name(thing), *(text for _, text in _facts(state, thing))]
            for thing in pack.entities[kind]
        ]
        yield from table([titles, *rows])
        yield ""


def _facts(state: State, thing: Entity) -> Iterator[tuple[str, str]]:
    """Yield each title with what is told under it; with nothing if there is nothing."""
    for title, expr in state.pack.tells[thing.kind]:
        value = state.value(expr, {thing.kind: thing}, "?")
        empty = isinstance(value, (Bag, list, tuple)) and not value
        yield title, "" if empty or value in ("0", "") else state.text(value)


def _state(pack: Pack) -> State:
    return State(pack, {option.id: option.default for option in pack.options.values()}, language())
