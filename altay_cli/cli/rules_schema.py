"""`altay rules schema` prints the JSON Schema of a kind of rule file."""

from __future__ import annotations

import click

from altay_cli.cli.output import Refused, document
from altay_cli.resources import data_folder


@click.command("schema")
@click.argument("kind", default="variant")
def command(kind: str) -> None:
    """Print the JSON Schema of a KIND of rule file: variant (the default), game, moves, ...

    YAML editors use it to complete and check while you type.
    """
    known = sorted(path.name.split(".")[0] for path in data_folder("schemas").glob("*.json"))
    if kind not in known:
        raise Refused(f"there is no schema `{kind}`; there is {', '.join(known)}")
    path = data_folder("schemas") / f"{kind}.schema.json"
    document(path.read_text(encoding="utf-8"))
