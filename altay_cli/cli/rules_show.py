"""`altay rules show` prints any part of the merged rules, with where each value comes from."""

from __future__ import annotations

from contextlib import suppress

import click

from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, say
from altay_cli.cli.rulesets import find_rules, named_or_default


@click.command("show")
@click.argument("path", required=False)
@click.option("--rules", "name", help="Game or variant.")
@language_option
@click.pass_context
def command(ctx: click.Context, path: str | None, name: str | None, language: str) -> None:
    """Print a part of the rules: a dotted PATH such as moves.buy or entities.title.town.

    Without PATH, the sections are listed. Behind each value stands the file and line, and what
    it was before where a variant has changed it.
    """
    from altay_cli.base.translations import phrase, translated_finding
    from altay_cli.compile.building import lay_over
    from altay_cli.report.text import pad, width
    from altay_cli.source.folder import read_folder
    from altay_cli.source.inspect import UnknownPartError, find, show

    name = named_or_default(name)
    rules = find_rules(name)
    if rules is None:
        raise Refused(Text("{name}: there are no such rules, and no such file", name=name))
    base = read_folder(rules.folder)
    tree = lay_over(base, rules.folder, rules.variants)
    if tree.problems:
        for problem in tree.problems:
            say(str(translated_finding(language, problem)), err=True)
        ctx.exit(1)
    if path is None:
        for section, entries in tree.data.items():
            names = ", ".join(entries) if isinstance(entries, dict) else ""
            say(f"{section}: {names}"[:200])
        return
    gone = False
    try:
        found, data = find(tree, path)
    except UnknownPartError as error:
        with suppress(UnknownPartError):
            found, data = find(base, path)
            gone = bool(rules.variants)
        if not gone:
            message = Text("there is no `{part}`", part=error.part)
            if error.near:
                message = Text(
                    "there is no `{part}`; there is: {names}",
                    part=error.part,
                    names=tuple(error.near),
                )
            raise Refused(message) from error
        say(phrase(language, "`{path}` is taken out; it was:", path=path))
    before = base if rules.variants and not gone else None
    lines = list(show(base if gone else tree, found, data, before, language))
    columns = min(max(width(text) for text, _ in lines), 76)
    for text, where in lines:
        say(f"{pad(text, columns)}  # {where}")
