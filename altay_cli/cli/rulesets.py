"""Find the rules that a command line names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from altay_cli.base.findings import Finding, PackError
from altay_cli.base.resources import pack_folder
from altay_cli.base.suggest import suggest
from altay_cli.base.translations import ENGLISH, translated_finding
from altay_cli.cli.output import Command, Refused
from altay_cli.compile.load import default_pack, load_pack, pack_names, variant_names
from altay_cli.pack.model import Pack
from altay_cli.report.rulebook import asked_of_rules
from altay_cli.report.text import language
from altay_cli.source.inspect import words_in


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A game, with variants."""

    name: str
    folder: Path
    variants: tuple[Path, ...]


def find_rules(name: str, game: str | None = None) -> RuleSet | None:
    """Return the rules for ``name``, or None.

    ``name`` is the id of a game or of a shipped variant, the path of a variant file, or of a rules
    folder. A variant's id must be unique among all games unless ``game`` is given.
    """
    if name in pack_names():
        return RuleSet(name, pack_folder(name), ())
    owners = [game] if game is not None else pack_names()
    owners = [owner for owner in owners if name in variant_names(owner)]
    if len(owners) > 1:
        message = "{name}: {games} each have a variant of that name; choose the game with --rules"
        raise Refused(message, name=name, games=tuple(owners))
    if owners:
        folder = pack_folder(owners[0])
        return RuleSet(name, folder, (folder / "variants" / f"{name}.yaml",))
    path = Path(name)
    with suppress(OSError):
        if (path / "game.yaml").is_file():
            return RuleSet(name, path, ())
        if path.is_file():
            return RuleSet(name, _game_of(path), (path,))
    return None


NOT_THERE = "{name}: there are no such rules, and no such file"
NO_VARIANT = "{name}: there is no such variant, and no such file"


def rules_named(name: str, missing: str = NOT_THERE) -> RuleSet:
    """Return the rules for ``name``, or refuse the request."""
    if (rules := find_rules(name)) is None:
        raise Refused(missing, name=name)
    return rules


def in_language(rules: RuleSet, problems: Iterable[Finding]) -> list[Finding]:
    """Return problems in the language of reports."""
    if language() == ENGLISH:
        return list(problems)
    from altay_cli.compile.building import read_tree

    data = read_tree(rules.folder, rules.variants).data
    terms = asked_of_rules(data) | words_in(data, language())
    return [translated_finding(language(), problem, terms) for problem in problems]


def named_or_default(game: str | None) -> str:
    """Return the named game, or the default one."""
    if (name := game or default_pack()) is None:
        raise Refused("choose a game with --rules; there is {names}", names=tuple(pack_names()))
    return name


def rules_option(help_text: str) -> Callable[[Command], Command]:
    """Return the option for a game by the id of its rules; `--game` is an older name."""
    return click.option("--rules", "--game", "game", metavar="ID", help=help_text)


variants_option = click.option(
    "--variant", "variants", multiple=True, metavar="VARIANT", help="A variant's id or file."
)


def tag_named(text: str) -> tuple[str, str]:
    """Split a tag given as an option into name and value."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise Refused("--tag {text}: write a tag as NAME=VALUE", text=text)
    if name.casefold() == "variant":
        raise Refused("--tag {text}: write --variant {value}", text=text, value=value)
    return name, value


def game_of(variants: Iterable[str]) -> str:
    """Return the game of the variants; without variants the default one."""
    found = (rules for rules in map(find_rules, variants) if rules is not None and rules.variants)
    first = next(found, None)
    return named_or_default(None) if first is None else first.folder.name


def variant_of(game: str, name: str) -> RuleSet:
    """Return the variant for ``name``, or refuse the request."""
    rules = find_rules(name, game)
    if rules is None or not rules.variants:
        near = suggest(name, variant_names(game))
        message = NO_VARIANT + ("; did you mean `{other}`?" if near else "")
        raise Refused(message, name=name, other="".join(near))
    if rules.folder.name != game:
        message = "{name}: this is a variant of {game}, not of {other}"
        raise Refused(message, name=name, game=rules.folder.name, other=game)
    return rules


def rules_of(game: str | None, variants: Sequence[str]) -> Pack:
    """Return the rules of a game, by default the default one, with variants."""
    name = game or game_of(variants)
    if name not in pack_names():
        message = "there are no rules `{game}`; there is {names}"
        raise Refused(message, game=name, names=tuple(pack_names()))
    paths = [variant_of(name, variant).variants[-1] for variant in variants]
    try:
        return load_pack(name, paths)
    except PackError as error:
        raise Refused(str(error.problems[0])) from error


def variant_named(name: str) -> tuple[Path | str, set[str]]:
    """Return the variant for ``name``, an id or a file, and its games."""
    games = {game for game in pack_names() if name in variant_names(game)}
    if games:
        return name, games
    rules = find_rules(name)
    if rules is None or not rules.variants:
        raise Refused(NO_VARIANT, name=name)
    return rules.variants[-1].resolve(), {rules.folder.name}


def _game_of(path: Path) -> Path:
    """Return the folder of the game that a variant file ``extends``.

    For an unknown game, return a similar one or any: errors are reported against that game.
    """
    from altay_cli.source.variants import extended

    beside = path.resolve().parent.parent  # a rules folder that the file may belong to
    last = extended(path)
    there = {beside.name, *(file.stem for file in (beside / "variants").glob("*.yaml"))}
    if last in there and (beside / "game.yaml").is_file():
        return beside
    games = {name: game for game in pack_names() for name in (*variant_names(game), game)}
    near = suggest(last, games)
    return pack_folder(games[last if last in games else near[0] if near else pack_names()[0]])
