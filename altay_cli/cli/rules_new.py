"""`altay rules new` writes a commented file to start a variant from."""

from __future__ import annotations

import re
from pathlib import Path

import click

from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, say

_TEXT = """\
# yaml-language-server: $schema={schema}
# A house rule. Check it with: altay rules check {name}.yaml
# Play by it with this tag in a log beside it: [Variant "{name}.yaml"]
variant: {name}
extends: {game}            # a game, a variant that comes with it, or a file beside this one
title: {title}
version: "1.0"
authors: [Your Name]
description: What it changes, in a sentence.

# Each change names a part of the rules by its path; `altay rules show` prints all parts.
#   set     gives a part a new value, or makes a new one
#   add     makes a new part; it is a mistake if it is there already
#   remove  takes a part out
#   extend  adds items to a list
change:
  - set: {path}
    to: {value}
  # - remove: moves.MOVE.requires.RULE          # drop a requirement
  # - extend: moves.MOVE.requires               # add one
  #   with:
  #     - rule: my-rule                         # an id of your own
  #       that: players.size() > 2              # what must hold
  #       else: "not with {{players.size()}}"     # what is said where it does not
"""


@click.command("new")
@click.argument("name")
@click.option("--game", help="The game that it changes.")
@language_option
def command(name: str, game: str | None, language: str) -> None:
    """Write NAME.yaml, a commented file to start a variant from.

    Beside it goes the schema of variants of the game, by which editors complete and check it.
    """
    from altay_cli.base.atomic import write_new
    from altay_cli.base.translations import phrase
    from altay_cli.cli.rules_schema import bundled
    from altay_cli.cli.rulesets import find_rules, named_or_default
    from altay_cli.compile.building import read_tree

    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise Refused("a name is lower-case words joined by hyphens, like long-winter")
    game = named_or_default(game)
    rules = find_rules(game)
    if rules is None:
        raise Refused(Text("there are no rules `{name}`", name=game))
    numbers = read_tree(rules.folder, ()).data.get("numbers", {})
    first = next(iter(numbers), None)
    extended = rules.name if rules.variants else rules.folder.name
    schema = Path(f"{extended}-variant.schema.json")
    text = _TEXT.format(
        schema=schema,
        name=name,
        game=extended,
        title=name.replace("-", " ").capitalize(),
        path="title" if first is None else f"numbers.{first}.value",
        value="Another title" if first is None else numbers[first]["value"],
    )
    path = Path(f"{name}.yaml")
    written = {path: text} if schema.exists() else {path: text, schema: bundled(game)}
    for path, text in written.items():
        try:
            write_new(path, text.encode("utf-8"))
        except FileExistsError as error:
            raise Refused(Text("{path} exists already", path=path)) from error
        except OSError as error:
            raise Refused(Text("{name}: {reason}", name=path, reason=error.strerror)) from error
        say(phrase(language, "wrote {file}", file=path))
