"""`altay rules new-game` writes the rules of a small game to make another one of."""

from __future__ import annotations

import re
from pathlib import Path

import click

from altay_cli.base.resources import FRAMES, data_folder
from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, say


@click.command("new-game")
@click.argument("name")
@language_option
def command(name: str, language: str) -> None:
    """Write a folder NAME with the rules of a small game, to make another one of.

    They are sound: they can be checked, played and simulated as they are. Their first lines name
    the schemas in NAME/schemas, by which editors complete and check them. docs/new-game.md tells
    how to go on.
    """
    from altay_cli.base.atomic import write_new
    from altay_cli.base.translations import phrase
    from altay_cli.source.folder import LAYOUT

    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise Refused("a name is lower-case words joined by hyphens, like long-winter")
    folder = Path(name)
    if folder.exists():
        raise Refused(Text("{path} exists already", path=folder))
    sample, schemas = data_folder("rules") / FRAMES / "new-game", data_folder("schemas")
    texts = {}
    for path in sorted(sample.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        text = text.replace("GAME", name).replace("TITLE", name.replace("-", " ").capitalize())
        inner = path.relative_to(sample)
        kind = next(kind for pattern, kind in LAYOUT if inner.match(pattern))
        up = "../" * (len(inner.parts) - 1)
        texts[inner] = f"# yaml-language-server: $schema={up}schemas/{kind}.schema.json\n{text}"
    for path in sorted(schemas.glob("*.schema.json")):
        texts[Path("schemas", path.name)] = path.read_text(encoding="utf-8")
    for inner, text in texts.items():
        written = folder / inner
        try:
            written.parent.mkdir(parents=True, exist_ok=True)
            write_new(written, text.encode("utf-8"))
        except OSError as error:
            raise Refused(Text("{name}: {reason}", name=written, reason=error.strerror)) from error
        if inner.suffix == ".yaml":
            say(phrase(language, "wrote {file}", file=written.as_posix()))
