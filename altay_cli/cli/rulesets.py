"""Which rules a command line names: a game, a shipped variant, a variant file, a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from altay_cli.pack.load import pack_names, variant_names
from altay_cli.resources import data_folder


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules as named: the folder of the game and the variants laid over it."""

    name: str
    folder: Path
    variants: tuple[Path, ...]


def find_rules(name: str) -> RuleSet | None:
    """Return the rules that ``name`` means; None where there are none.

    A game's id, a variant's id, the path of a variant file (its `extends:` says the game), or
    the path of a rules folder.
    """
    rules = data_folder("rules")
    if name in pack_names():
        return RuleSet(name, rules / name, ())
    for game in pack_names():
        if name in variant_names(game):
            return RuleSet(name, rules / game, (rules / game / "variants" / f"{name}.yaml",))
    path = Path(name)
    try:
        if (path / "game.yaml").is_file():
            return RuleSet(name, path, ())
        if path.is_file():
            return RuleSet(name, _game_of(path), (path,))
    except (OSError, ValueError):
        return None
    return None


def _game_of(path: Path) -> Path:
    """Return the folder of the game that a variant file belongs to.

    Where a file beside it has the rules of a game in a folder above, as shipped variants do,
    that game; else the first that is shipped, against which mistakes are then reported.
    """
    above = path.resolve().parent.parent
    if (above / "game.yaml").is_file():
        return above
    return data_folder("rules") / pack_names()[0]
