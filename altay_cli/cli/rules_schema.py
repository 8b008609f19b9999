"""`altay rules schema` prints the JSON Schema of a kind of rule file."""

from __future__ import annotations

import click

from altay_cli.base.resources import data_folder
from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, document


@click.command("schema")
@click.argument("kind", default="variant")
@click.option(
    "--bundle",
    "game",
    metavar="GAME",
    help="One file for variants of this game, with its paths and what their values are.",
)
@language_option
def command(kind: str, game: str | None, language: str) -> None:
    """Print the JSON Schema of a KIND of rule file: variant (the default), game, moves, ...

    YAML editors use it to complete and check while you type. With --bundle it needs no other file.
    """
    del language  # that of what is refused
    if game is not None:
        document(bundled(game))
        return
    known = sorted(path.name.split(".")[0] for path in data_folder("schemas").glob("*.json"))
    if kind not in known:
        raise Refused(
            Text("there is no schema `{name}`; there is {names}", name=kind, names=tuple(known))
        )
    path = data_folder("schemas") / f"{kind}.schema.json"
    document(path.read_text(encoding="utf-8"))


def bundled(name: str) -> str:
    """Return the schema of variants of a game, or of what extends a variant, as text."""
    from altay_cli.cli.rulesets import find_rules
    from altay_cli.compile.building import read_tree
    from altay_cli.report.json import line
    from altay_cli.source.bundle import bundle

    rules = find_rules(name)
    if rules is None:
        raise Refused(Text("{name}: there are no such rules, and no such file", name=name))
    tree = read_tree(rules.folder, rules.variants)
    if tree.problems:
        raise Refused(str(tree.problems[0]))
    return line(bundle(tree)) + "\n"
