"""`altay rules list` lists the games and variants that are there."""

from __future__ import annotations

import click

from altay_cli.cli.options import language_option
from altay_cli.cli.output import say
from altay_cli.cli.rulesets import find_rules
from altay_cli.pack.load import pack_names, variant_names


@click.command("list")
@language_option
def command(language: str) -> None:
    """List the rules and variants that are there, with their versions."""
    from altay_cli.compile.building import read_tree
    from altay_cli.source.folder import read_text

    for game in pack_names():
        rules = find_rules(game)
        assert rules is not None
        data = read_tree(rules.folder, ()).data
        texts = data.get("texts", {}).get(language, {})
        title, version = data.get("title", ""), data.get("version", "")
        say(f"{game} {version}: {texts.get(title, title)}")
        for name in variant_names(game):
            path = rules.folder / "variants" / f"{name}.yaml"
            source = read_text(path, path.name, "variant", [], rules.folder)
            about = source.data if source is not None else {}
            title, told = about.get("title", ""), about.get("description", "")
            say(f"  {name} {about.get('version', '')}: {texts.get(title, title)}")
            if told:
                say(f"      {texts.get(told, told)}")
