"""Explain a rule, ruling, finding, category or thing of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from altay_cli.base.catalogue import PROBLEMS, PROGRAM_RULES, UNKNOWN_THING
from altay_cli.base.resources import data_folder, pack_folder
from altay_cli.base.suggest import normal, suggest
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.load import variant_names
from altay_cli.match.state import State
from altay_cli.pack.candidates import rewritten
from altay_cli.pack.model import Message, Pack, RuleText
from altay_cli.pack.words import words_of
from altay_cli.report.html import rendered
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

# Prefixes of values that variants usually change.
_DECIDED = ("numbers.", "rulings.")


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains rules; with ``source``, by the text of the rule files."""

    pack: Pack
    source: bool = False

    def text(self, text: str) -> str:
        """Translate a text of the rules."""
        return words_of(self.pack, language()).word(text)

    def message(self, message: Message) -> str:
        """Translate a message of the rules; without a game, its fields have no values."""
        return message.source if self.source else in_words(self.pack, message)

    def everything(self) -> Iterator[str]:
        """Yield all names that can be explained; rules by move."""
        pack, several = self.pack, phrase("several moves")
        chapters: dict[str, list[str]] = {}
        for ident, uses in pack.rules.items():
            asked, *others = dict(uses)
            chapters.setdefault(several if others else asked, []).append(ident)
        title = self.text(pack.title)
        yield phrase("Rules of {game}, by the move that requires them:", game=title)
        for chapter, idents in sorted(chapters.items(), key=lambda item: item[0] == several):
            yield f"  {self.text(chapter)}"
            for ident in sorted(idents):
                yield f"    {ident:<24} {about(pack, ident)}"
        rulings = [f"{ruling.id:<26} {self.text(ruling.title)}" for ruling in pack.rulings.values()]
        for head, entries in (
            (phrase("Rulings, where the rulebook is silent:"), rulings),
            (phrase("Findings of the program itself:"), sorted(PROGRAM_RULES)),
            (
                phrase("Mistakes that house rules of {game} can make:", game=title),
                sorted({entry.rule for entry in pack.lints}),
            ),
            (phrase("Problems of rule files:"), sorted(PROBLEMS)),
        ):
            yield from ("", head, *(f"  {entry}" for entry in entries))

    def named(self, name: str) -> list[str]:
        """Explain an id or a name in any case; empty if unknown."""
        folded = name.casefold()
        ident = self._known().get(folded, folded)
        with speaking(ENGLISH if self.source and ident in self.pack.rules else language()):
            lines = self._explained(ident)
        for thing in named_things(self.pack, name):
            state = _state(self.pack)
            kind = state.words.word(self.pack.kinds[thing.kind])
            lines.append(Line((state.words.name(thing), BOLD), f": {kind}"))
            facts = ((state.words.word(title), text) for title, text in _facts(state, thing))
            lines += [f"  {title}: {text}" for title, text in facts if text]
        return lines

    def near(self, name: str) -> list[str]:
        """Return names similar to an unknown one."""
        known, near = self._known(), list[str]()
        for each in (language(), ENGLISH):  # English names only if no other is similar
            shown = {title.casefold(): title for title in self.pack.shown.get(each, {}).values()}
            there = known | {n: title for n, title in shown.items() if named_things(self.pack, n)}
            near = near or [there[key] for key in suggest(name.casefold(), there, most=3)]
        return near

    def _known(self) -> dict[str, str]:
        pack = self.pack
        idents = [
            *pack.rules,
            *pack.rulings,
            *(category.id for category in pack.categories),
            *PROGRAM_RULES,
            *(entry.rule for entry in pack.lints),
            *PROBLEMS,
            *(f"unknown-{k}" for k in pack.kinds),
        ]
        return {ident.casefold(): ident for ident in idents}

    def _explained(self, name: str) -> list[str]:
        known = name.startswith("unknown-") and name.removeprefix("unknown-") in self.pack.kinds
        return rendered(
            "explained.txt",
            {"width": width, "asked": lambda title: translated(self.text(title))},
            name=name,
            of=self,
            own_rules=PROGRAM_RULES,
            problems=PROBLEMS,
            unknown=UNKNOWN_THING if known else None,
            changed_by=lambda texts: list(self._changed_by(name, texts)),
            readers=sorted(
                rule
                for rule, uses in self.pack.rules.items()
                if name in {use.ruling for _, use in uses}
            ),
            about=about,
            citation=citation,
            phrase=phrase,
            translated=translated,
        ).split("\n")[1:]

    def _changed_by(self, name: str, texts: Sequence[RuleText]) -> Iterator[str]:
        """Yield the shipped variants that mention a rule or a number it uses."""
        conditions = {text.that for text in texts}
        exprs = [expr for expr in self.pack.exprs if expr.source in conditions]
        exprs += [expr for text in texts for expr in text.exprs()]
        read = {value for expr in exprs for value in expr.names if value.startswith(_DECIDED)}
        folder = pack_folder(self.pack.id) / "variants"
        for variant in variant_names(self.pack.id):
            source = read_text(folder / f"{variant}.yaml", variant, "variant", [], folder.parent)
            text = "" if source is None or source.root.text is None else source.root.text.text
            words = set(re.findall(r"[\w.-]+", text))
            paths = {part for word in words for part in (word, *word.split("."))}
            if name in paths or any(word.startswith(path) for path in read for word in words):
                yield variant

    def example(self, name: str, kind: str) -> list[str]:
        """Return a small log that follows or breaks a rule; empty without one.

        Names are translated; English comments are removed in other languages.
        """
        path = data_folder("examples") / name / f"{kind}.agn"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if f'[Game "{self.pack.id}"]' not in text:
            return []
        lines = text.splitlines()
        if language() != ENGLISH:
            translation = rewritten(self.pack, text, language())
            lines = [re.sub(r"#[^!].*", "", line) for line in translation]
        mark = f"# <- {name}" if kind == "illegal" else ""
        lines = [re.sub(r"#!.*", mark, line).rstrip() for line in lines]
        columns = page_columns()
        if columns is not None:
            wrapped_lines = (
                [line] if line[:2] != "# " else wrapped(line, columns - 4, "# ") for line in lines
            )
            lines = list(chain.from_iterable(wrapped_lines))
        return list(filter(None, lines))


def named_things(pack: Pack, name: str) -> list[Entity]:
    """Return the entities with this id, or this name in any language."""
    found = [pack.names.get(kind, {}) for kind, details in pack.details.items() if details]
    return list(dict.fromkeys(thing for of in found for thing in of.get(normal(name), ())))


def all_tables(pack: Pack) -> Iterator[str]:
    """Yield a table for each kind of entities with details."""
    state = _state(pack)
    for kind, details in pack.details.items():
        if details:
            heads = (pack.kinds[kind], *(title for title, _ in details))
            rows = [
                [state.words.name(thing), *(text for _, text in _facts(state, thing))]
                for thing in pack.entities[kind]
            ]
            yield from (*table([[*map(state.words.word, heads)], *rows]), "")


def _facts(state: State, thing: Entity) -> Iterator[tuple[str, str]]:
    for title, expr in state.pack.details[thing.kind]:
        value = state.value(expr, {thing.kind: thing}, "?")
        empty = isinstance(value, (Bag, list, tuple)) and not value
        yield title, "" if empty or value in ("0", "") else state.words.text(value)


def _state(pack: Pack) -> State:
    return State(pack, {option.id: option.default for option in pack.options.values()}, language())
