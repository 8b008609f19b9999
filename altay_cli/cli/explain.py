"""`altay explain`: what a rule means, where it stands, and what it looks at."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from altay_cli.cli.output import Refused, say
from altay_cli.cli.rulesets import named_or_default
from altay_cli.pack.load import load_pack, pack_names
from altay_cli.pack.model import Pack

if TYPE_CHECKING:
    from altay_cli.catalogue import Explained


MAX_NAME = 60
"""How much of a name is looked at to find out which one was meant."""


@click.command("explain")
@click.argument("name", required=False)
@click.option("--game", help="The rules to look in.")
def command(name: str | None, game: str | None) -> None:
    """Explain a rule, a ruling or a finding by its id; without NAME, list all ids."""
    game = named_or_default(game)
    if game not in pack_names():
        raise Refused(f"there are no rules `{game}`; there is {', '.join(pack_names())}")
    pack = load_pack(game)
    for line in _list(pack) if name is None else _explained(pack, name):
        say(line)


def _explained(pack: Pack, name: str) -> list[str]:
    """Return what an id means, in whatever case it is written."""
    folded = name.casefold()
    known = {ident.casefold(): ident for ident in _known(pack)}
    lines = list(_explain(pack, known.get(folded, folded)))
    if not lines:
        near = [known[found] for found in get_close_matches(folded[:MAX_NAME], known, 3)]
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise Refused(f"there is no rule, ruling or finding of that name{hint}")
    return lines


def _known(pack: Pack) -> list[str]:
    from altay_cli.catalogue import OWN_RULES, PROBLEMS

    return [
        *pack.rules,
        *pack.rulings,
        *(category.id for category in pack.categories),
        *OWN_RULES,
        *(entry.rule for entry in pack.sense),
        *PROBLEMS,
        *(f"unknown-{kind}" for kind in pack.kinds),
    ]


def _list(pack: Pack) -> Iterator[str]:
    from altay_cli.catalogue import OWN_RULES, PROBLEMS

    yield f"Rules of {pack.title}:"
    for ident in sorted(pack.rules):
        about, text = pack.rules[ident][0]
        yield f"  {ident:<26} {text.title or about}"
    yield ""
    yield "Rulings, where the rulebook is silent:"
    for ruling in pack.rulings.values():
        yield f"  {ruling.id:<26} {ruling.title}"
    yield ""
    yield "Findings of the program itself:"
    for ident in sorted(OWN_RULES):
        yield f"  {ident}"
    yield ""
    yield f"Rules of {pack.title} that make no sense:"
    for ident in sorted({entry.rule for entry in pack.sense}):
        yield f"  {ident}"
    yield ""
    yield "Problems of rule files:"
    for ident in sorted(PROBLEMS):
        yield f"  {ident}"


def _explain(pack: Pack, name: str) -> Iterator[str]:
    from altay_cli.catalogue import OWN_RULES, PROBLEMS, UNKNOWN_NAME, UNKNOWN_THING
    from altay_cli.report.people import citation

    if name in pack.rules:
        yield from _rule(pack, name)
    for category in pack.categories:
        if category.id == name:
            yield f"{name}: a score category of {pack.title}"
            yield f"  see: {citation(category.cite)}"
            if category.ruling:
                yield from _ruling(pack, category.ruling)
    if name in pack.rulings:
        yield from _ruling(pack, name)
        readers = sorted(
            {rule for rule, texts in pack.rules.items() if any(t.ruling == name for _, t in texts)}
        )
        if readers:
            yield f"  read by the rules: {', '.join(readers)}"
    if name in OWN_RULES:
        yield f"{name}: {OWN_RULES[name]}"
    elif name.startswith("unknown-") and name.removeprefix("unknown-") in pack.kinds:
        yield f"{name}: {UNKNOWN_NAME}"
        yield from _problem(UNKNOWN_THING, name)
    if name in PROBLEMS:
        yield from _problem(PROBLEMS[name], name)
    for entry in pack.sense:
        if entry.rule == name:
            yield f"{name}: {entry.title} ({entry.severity} of `altay rules check`)"
            yield f"  says: {entry.message.source}"
            yield f"  must hold: {entry.that.source}"
            yield f"  example: {entry.example}"


def _problem(problem: Explained, name: str) -> Iterator[str]:
    yield f"{name}, in rule files: {problem.text}"
    first, *rest = problem.example.splitlines()
    yield f"  example: {first}"
    yield from (f"           {line}" for line in rest)


def _rule(pack: Pack, name: str) -> Iterator[str]:
    from altay_cli.report.people import citation

    texts = pack.rules[name]
    titles = list(dict.fromkeys(text.title for _, text in texts if text.title))
    yield f"{name}: {titles[0] if titles else texts[0][0]}"
    seen: set[str] = set()
    for _, text in texts:
        if text.message.source in seen:
            continue
        seen.add(text.message.source)
        yield f"  {text.severity}: {text.message.source}"
        if text.that:
            yield f"  must hold: {text.that}"
        for line in text.help:
            yield f"  help: {line.source}"
        if text.cite:
            yield f"  see: {citation(text.cite)}"
    yield f"  asked of: {'; '.join(dict.fromkeys(about for about, _ in texts))}"
    for ruling in dict.fromkeys(text.ruling for _, text in texts if text.ruling):
        yield from _ruling(pack, ruling)


def _ruling(pack: Pack, name: str) -> Iterator[str]:
    ruling = pack.rulings[name]
    yield f"  ruling {ruling.id}: {ruling.title}"
    yield f"    chosen: {ruling.default}"
    if ruling.choices:
        yield f"    possible: {', '.join(ruling.choices)}"
    if ruling.reason:
        yield f"    because: {ruling.reason}"
    if ruling.source:
        yield f"    sources: {', '.join(ruling.source)}"
