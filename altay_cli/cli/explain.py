"""`altay explain`: what a rule means, where it stands, and what it looks at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from altay_cli.base.resources import data_folder, pack_folder
from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text, either
from altay_cli.base.translations import ENGLISH
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, say
from altay_cli.cli.rulesets import rules_of, variants_option
from altay_cli.compile.model import Pack
from altay_cli.pack.load import variant_names

if TYPE_CHECKING:
    from altay_cli.base.catalogue import Explained


_DECIDED = ("numbers.", "rulings.")
"""What the names of values begin with that variants mostly change."""

MAX_NAME = 60
"""The length to which a name is compared when looking for the one that was meant."""


@click.command("explain")
@click.argument("name", required=False)
@click.option("--game", help="The rules to look in.")
@variants_option
@click.option("--source", is_flag=True, help="Show rules as the rule files write them.")
@language_option
@click.option(
    "--at", metavar="PLACE", help="NAME is a log: tell what is known there of hidden things."
)
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    game: str | None,
    variants: tuple[str, ...],
    source: bool,
    language: str,
    at: str | None,
) -> None:
    """Explain a rule, a ruling, a finding, or a thing of the game by its name.

    Without NAME, all that can be explained is listed, rules by what they are asked of.
    With --at, NAME is a log, and PLACE a line of it or a turn (`turn 3 Ann`).
    """
    if at is not None and name is not None:
        from altay_cli.base.translations import phrase
        from altay_cli.cli.viewing import opened
        from altay_cli.report.knowledge import unseen_lines

        told = list(unseen_lines(opened(ctx, name, at, 1, language)[1]))
        for line in told or [
            phrase(language, "nothing is hidden: all that was drawn so far is recorded")
        ]:
            say(line)
        return
    pack = rules_of(game, variants)
    lines = _list(pack, language) if name is None else _explained(pack, name, language, source)
    for line in lines:
        say(line)


def _explained(pack: Pack, name: str, language: str, source: bool) -> list[str]:
    """Return what an id or a name means; case is ignored."""
    from altay_cli.report.things import named_things, thing_lines

    folded = name.casefold()
    known = {ident.casefold(): ident for ident in _explainable(pack)}
    lines = list(_explain(pack, known.get(folded, folded), language, source))
    for thing in named_things(pack, name):
        lines += thing_lines(pack, thing, language)
    if not lines:
        near: list[str] = []
        for each in (language, ENGLISH):  # English names are compared if no other is near
            names = {shown.casefold(): shown for shown in pack.shown.get(each, {}).values()}
            there = known | {one: shown for one, shown in names.items() if named_things(pack, one)}
            near = near or [there[found] for found in suggest(folded, there, most=3)]
        if not near:
            raise Refused("there is no rule, ruling, finding or thing of that name")
        raise Refused(
            Text(
                "there is no rule, ruling, finding or thing of that name; did you mean {names}?",
                names=either(near),
            )
        )
    return lines


def _explainable(pack: Pack) -> list[str]:
    from altay_cli.base.catalogue import OWN_RULES, PROBLEMS

    return [
        *pack.rules,
        *pack.rulings,
        *(category.id for category in pack.categories),
        *OWN_RULES,
        *(entry.rule for entry in pack.lints),
        *PROBLEMS,
        *(f"unknown-{kind}" for kind in pack.kinds),
    ]


def _list(pack: Pack, language: str) -> Iterator[str]:
    from altay_cli.base.catalogue import OWN_RULES, PROBLEMS
    from altay_cli.base.translations import phrase
    from altay_cli.report.rulebook import about

    several = phrase(language, "several moves")
    texts = pack.texts.get(language, {})
    chapters: dict[str, list[str]] = {}
    for ident, uses in pack.rules.items():
        asked = list(dict.fromkeys(title for title, _ in uses))
        chapters.setdefault(asked[0] if len(asked) == 1 else several, []).append(ident)
    title = texts.get(pack.title, pack.title)
    yield phrase(language, "Rules of {game}, by what they are asked of:", game=title)
    for chapter, idents in sorted(chapters.items(), key=lambda one: one[0] == several):
        yield f"  {texts.get(chapter, chapter)}"
        for ident in sorted(idents):
            yield f"    {ident:<24} {about(pack, ident, language)}"
    yield ""
    yield phrase(language, "Rulings, where the rulebook is silent:")
    for ruling in pack.rulings.values():
        yield f"  {ruling.id:<26} {texts.get(ruling.title, ruling.title)}"
    yield ""
    yield phrase(language, "Findings of the program itself:")
    for ident in sorted(OWN_RULES):
        yield f"  {ident}"
    yield ""
    yield phrase(language, "Rules of {game} that make no sense:", game=title)
    for ident in sorted({entry.rule for entry in pack.lints}):
        yield f"  {ident}"
    yield ""
    yield phrase(language, "Problems of rule files:")
    for ident in sorted(PROBLEMS):
        yield f"  {ident}"


def _explain(pack: Pack, name: str, language: str, source: bool) -> Iterator[str]:
    from altay_cli.base.catalogue import OWN_RULES, PROBLEMS, UNKNOWN_THING
    from altay_cli.base.translations import phrase
    from altay_cli.report.rulebook import about, in_words
    from altay_cli.report.terminal import citation

    texts = pack.texts.get(language, {})
    if name in pack.rules:
        yield from _rule(pack, name, source) if source else _rule_told(pack, name, language)
    for category in pack.categories:
        if category.id == name:
            title = texts.get(pack.title, pack.title)
            yield phrase(language, "{id}: a score category of {game}", id=name, game=title)
            yield f"  {phrase(language, 'see')}: {citation(category.cite, language)}"
            if category.ruling:
                yield from _ruling(pack, category.ruling, language)
    if name in pack.rulings:
        yield from _ruling(pack, name, language)
        readers = sorted(
            {rule for rule, texts in pack.rules.items() if any(t.ruling == name for _, t in texts)}
        )
        if readers:
            yield f"  {phrase(language, 'read by the rules')}: {', '.join(readers)}"
    if name in OWN_RULES:
        yield f"{name}: {about(None, name, language)}"
    elif name.startswith("unknown-") and name.removeprefix("unknown-") in pack.kinds:
        yield f"{name}: {about(None, name, language)}"
        yield from _problem(UNKNOWN_THING, name, language)
    if name in PROBLEMS:
        yield from _problem(PROBLEMS[name], name, language)
    for entry in pack.lints:
        if entry.rule == name:
            yield f"{name}: {texts.get(entry.title, entry.title)}"
            told = entry.message.source if source else in_words(pack, entry.message, language)
            yield f"  {phrase(language, entry.severity)}: {told}"
            if source:
                yield f"  must hold: {entry.that.source}"
            example = texts.get(entry.example, entry.example)
            yield f"  {phrase(language, 'example')}: {example}"


def _problem(problem: Explained, name: str, language: str) -> Iterator[str]:
    from altay_cli.base.translations import phrase, translated
    from altay_cli.report.text import width

    text = translated(language, problem.text)
    yield phrase(language, "{id}, in rule files: {text}", id=name, text=text)
    first, *rest = translated(language, problem.example).splitlines()
    head = f"  {phrase(language, 'example')}: "
    yield f"{head}{first}"
    yield from (f"{' ' * width(head)}{line}" for line in rest)


def _rule_told(pack: Pack, name: str, language: str) -> Iterator[str]:
    """Tell a rule in words: what it demands, why, an example of each kind, what changes it."""
    from altay_cli.base.translations import phrase, translated
    from altay_cli.report.rulebook import in_words
    from altay_cli.report.terminal import citation

    texts = pack.texts.get(language, {})
    uses = pack.rules[name]
    titles = [text.title for _, text in uses if text.title] or [uses[0][0]]
    yield f"{name}: {texts.get(titles[0], titles[0])}"
    seen: set[str] = set()
    for _, text in uses:
        if text.message.source in seen:
            continue
        seen.add(text.message.source)
        severity = phrase(language, text.severity)
        yield f"  {severity}: {in_words(pack, text.message, language)}"
        for line in text.help:
            if any(isinstance(part, str) for part in line.parts):
                yield f"  {phrase(language, 'help')}: {in_words(pack, line, language)}"
        if text.cite:
            yield f"  {phrase(language, 'see')}: {citation(text.cite, language)}"
    asked = dict.fromkeys(texts.get(title) or translated(language, title) for title, _ in uses)
    yield f"  {phrase(language, 'asked of')}: {'; '.join(asked)}"
    for ruling in dict.fromkeys(text.ruling for _, text in uses if text.ruling):
        yield from _ruling(pack, ruling, language)
    changed = list(_changed_by(pack, name))
    if changed:
        yield f"  {phrase(language, 'changed by the variants')}: {', '.join(changed)}"
    for kind in ("legal", "illegal"):
        lines = _example(pack, name, kind, language)
        if lines:
            yield ""
            yield f"  {phrase(language, 'legal:' if kind == 'legal' else 'not legal:')}"
            yield from (f"    {part}" for line in lines for part in _fitting(line))


def _fitting(line: str) -> list[str]:
    """Return a line of an example; a comment that is too long for the page as several."""
    from altay_cli.report.text import page_columns, wrapped

    columns = page_columns()
    if columns is None or not line.startswith("# "):
        return [line]
    return wrapped(line, columns - 4, "# ")


def _changed_by(pack: Pack, name: str) -> Iterator[str]:
    """Yield the shipped variants that mention the rule, or a number that it reads."""
    from altay_cli.source.folder import read_text

    conditions = {text.that for _, text in pack.rules[name]}
    exprs = [expr for expr in pack.exprs if expr.source in conditions]
    exprs += [expr for _, text in pack.rules[name] for expr in text.exprs()]
    read = {found for expr in exprs for found in expr.names if found.startswith(_DECIDED)}
    folder = pack_folder(pack.id) / "variants"
    for variant in variant_names(pack.id):
        source = read_text(folder / f"{variant}.yaml", variant, "variant", [], folder.parent)
        text = "" if source is None or source.root.text is None else source.root.text.text
        words = set(re.findall(r"[\w.-]+", text))
        paths = {part for one in words for part in (one, *one.split("."))}
        if name in paths or any(one.startswith(path) for path in read for one in words):
            yield variant


def _example(pack: Pack, name: str, kind: str, language: str) -> list[str]:
    """Return a small log that keeps a rule, or one that breaks it, if there is one.

    Its names are those of the language; comments, which are English, are left out of others.
    """
    path = data_folder("examples") / name / f"{kind}.agn"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if f'[Game "{pack.id}"]' not in text:
        return []
    lines = text.splitlines()
    if language != ENGLISH:
        from altay_cli.pack.mentions import rewritten

        lines = [re.sub(r"#[^!].*", "", line) for line in rewritten(pack, text, language)]
    told = [re.sub(r"#!.*", f"# <- {name}" if kind == "illegal" else "", line) for line in lines]
    return [line.rstrip() for line in told if line.strip()]


def _rule(pack: Pack, name: str, source: bool) -> Iterator[str]:
    from altay_cli.report.terminal import citation

    texts = pack.rules[name]
    titles = list(dict.fromkeys(text.title for _, text in texts if text.title))
    yield f"{name}: {titles[0] if titles else texts[0][0]}"
    seen: set[str] = set()
    for _, text in texts:
        if text.message.source in seen:
            continue
        seen.add(text.message.source)
        yield f"  {text.severity}: {text.message.source}"
        if text.that and source:
            yield f"  must hold: {text.that}"
        for line in text.help:
            yield f"  help: {line.source}"
        if text.cite:
            yield f"  see: {citation(text.cite)}"
    yield f"  asked of: {'; '.join(dict.fromkeys(about for about, _ in texts))}"
    for ruling in dict.fromkeys(text.ruling for _, text in texts if text.ruling):
        yield from _ruling(pack, ruling)


def _ruling(pack: Pack, name: str, language: str = "en") -> Iterator[str]:
    from altay_cli.base.translations import phrase

    ruling = pack.rulings[name]
    texts = pack.texts.get(language, {})
    title = texts.get(ruling.title, ruling.title)
    yield f"  {phrase(language, 'ruling {id}: {title}', id=ruling.id, title=title)}"
    yield f"    {phrase(language, 'chosen')}: {texts.get(ruling.default, ruling.default)}"
    if ruling.choices:
        yield f"    {phrase(language, 'possible')}: {', '.join(ruling.choices)}"
    if ruling.reason:
        yield f"    {phrase(language, 'because')}: {texts.get(ruling.reason, ruling.reason)}"
    if ruling.source:
        yield f"    {phrase(language, 'sources')}: {', '.join(ruling.source)}"
