"""`altay rules`, `explain` and `cards`: show, explain, compare and start rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from altay_cli.base.findings import either, fill
from altay_cli.base.resources import FRAMES, data_folder, pack_folder, packs_beside
from altay_cli.base.translations import translated_finding
from altay_cli.cli import output
from altay_cli.cli.rulesets import (
    named_or_default,
    rules_named,
    rules_of,
    rules_option,
    variants_option,
)
from altay_cli.compile.building import apply_variants, read_tree
from altay_cli.compile.load import pack_names, variant_names
from altay_cli.report.explained import Explainer, all_tables
from altay_cli.report.json import dump
from altay_cli.report.rulebook import difference_document, difference_lines
from altay_cli.report.text import language, pad, phrase, width
from altay_cli.source.bundle import bundle
from altay_cli.source.folder import LAYOUT, read_folder, read_text
from altay_cli.source.inspect import UnknownPartError, differences, find, show


@click.command("explain")
@click.argument("name", required=False)
@rules_option("The rules to look in.")
@variants_option
@click.option("--source", is_flag=True, help="Show rules as the rule files write them.")
@output.language_option
@click.option(
    "--at", metavar="PLACE", help="NAME is a log: tell what is known there of hidden things."
)
@output.format_option
def explain(
    name: str | None,
    game: str | None,
    variants: tuple[str, ...],
    source: bool,
    at: str | None,
    form: str,
) -> None:
    """Explain a rule, a ruling, a finding, or a thing of the game by its name; or a line of a log.

    Without NAME, all names that can be explained are listed, rules by the move that requires them.
    NAME can be a line of a log, FILE:LINE (`game.agn:34`): what each of its statements means,
    whether it is legal, each requirement with its values at that moment, and what changed.
    With --at, NAME is a log, and PLACE a line of it or a turn (`turn 3 Ann`).
    """
    if at is None and name is not None and (place := log_line(name)) is not None:
        _explain_line(*place, form)
        return
    if form != "text":
        raise output.Refused("`--format json` explains a line of a log: `altay explain FILE:LINE`")
    if at is not None and name is not None:
        from altay_cli.cli.viewing import unseen_at  # rules alone need no games

        unseen = unseen_at(name, at)
        output.print_lines(
            unseen or [phrase("nothing is hidden: everything drawn so far is recorded")]
        )
        return
    explainer = Explainer(rules_of(game, variants), source)
    if name is None:
        output.print_lines(explainer.everything())
        return
    lines = explainer.named(name)
    if not lines:
        nothing = "there is no rule, ruling, finding or thing of that name"
        if near := explainer.near(name):
            raise output.Refused(f"{nothing}; did you mean {{names}}?", names=either(near))
        raise output.Refused(nothing)
    output.print_lines(lines)


_DIGITS = re.compile("[+-]?[0-9]+")


def log_line(name: str) -> tuple[str, str] | None:
    r"""Return the file and the line of FILE:LINE or FILE:LINE:COLUMN, or None for another name.

    >>> log_line("C:\\games\\x.agn:12"), log_line("x.agn:12:7"), log_line("bought-twice")
    (('C:\\games\\x.agn', '12'), ('x.agn', '12'), None)
    """
    file, colon, line = name.rpartition(":")
    inner, _, number = file.rpartition(":")
    if inner and _DIGITS.fullmatch(number) and _DIGITS.fullmatch(line):
        file, line = inner, number
    if name.casefold().endswith(".agn"):  # with `C:`, perhaps
        return name, ""
    is_log = file == "-" or file.casefold().endswith(".agn") or Path(file).is_file()
    return (file, line) if colon and is_log else None


def _explain_line(file: str, line: str, form: str) -> None:
    from altay_cli.checking.errors import GameError
    from altay_cli.cli.viewing import single_log  # rules alone need no games
    from altay_cli.report.explained_line import explained_lines
    from altay_cli.view.explaining import explain_line

    if not _DIGITS.fullmatch(line):
        template = "`{line}` is not the number of a line; write {example}"
        raise output.Refused(template, line=line[:20], example=f"{file}:12")
    path, folder, text = single_log(file)
    try:
        # Python does not read numbers of any length.
        document = explain_line(text, int(line[:12]), folder=folder, language=language())
    except GameError as error:
        raise output.Refused("{name}: {reason}", name=path, reason=error) from error
    output.write_result(
        form, explained_lines(document, path), lambda: dump({"path": path, **document})
    )


@click.command("cards")
@rules_option("The rules to look in.")
@variants_option
def cards(game: str | None, variants: tuple[str, ...]) -> None:
    """List all cards, places and other things of a game with what they do."""
    output.print_lines(
        list(all_tables(rules_of(game, variants)))
        or [phrase("the things of this game have no facts to show")]
    )


@click.command("list")
def rules_list() -> None:
    """List the available rules and variants, with their versions."""
    for game in pack_names():
        folder = pack_folder(game)
        data = read_tree(folder, ()).data
        texts = data.get("texts", {}).get(language(), {})
        title, version = data.get("title", ""), data.get("version", "")
        output.print_line(f"{game} {version}: {texts.get(title, title)}")
        for name in variant_names(game):
            path = folder / "variants" / f"{name}.yaml"
            source = read_text(path, path.name, "variant", [], folder)
            about = source.data if source is not None else {}
            title, description = about.get("title", ""), about.get("description", "")
            output.print_line(f"  {name} {about.get('version', '')}: {texts.get(title, title)}")
            if description:
                output.print_line(f"      {texts.get(description, description)}")


@click.command("show")
@click.argument("path", required=False)
@click.option("--rules", "name", help="Game or variant.")
def rules_show(path: str | None, name: str | None) -> int:
    """Print a part of the rules: a dotted PATH such as moves.buy or entities.title.town.

    Without PATH, the sections are listed. Each value is followed by its file and line, and by the
    original value if a variant has changed it.
    """
    ruleset = rules_named(named_or_default(name))
    base = read_folder(ruleset.folder)
    tree = apply_variants(base, ruleset.folder, ruleset.variants)
    if tree.problems:
        output.print_lines(
            (str(translated_finding(language(), problem)) for problem in tree.problems), err=True
        )
        return 1
    if path is None:
        for section, entries in tree.data.items():
            names = ", ".join(entries) if isinstance(entries, dict) else ""
            output.print_line(f"{section}: {names}"[:200])
        return 0
    before = base if ruleset.variants else None
    try:
        part, data = find(tree, path)
    except UnknownPartError as error:
        try:
            part, data = find(base, path)
        except UnknownPartError:
            template = "there is no `{part}`" + ("; there is: {names}" if error.near else "")
            raise output.Refused(template, part=error.part, names=tuple(error.near)) from error
        output.print_line(phrase("`{path}` is removed; it was:", path=path))
        tree, before = base, None
    lines = list(show(tree, part, data, before, language()))
    columns = min(max(width(text) for text, _ in lines), 76)
    output.print_lines(f"{pad(text, columns)}  # {where}" for text, where in lines)
    return 0


@click.command("diff")
@click.argument("one")
@click.argument("other")
@output.format_option
def rules_diff(one: str, other: str, form: str) -> None:
    """Say in plain words what differs between ONE and OTHER, grouped as a player thinks.

    Each is a game, a shipped variant, a variant file or a rules folder.
    """
    sets = [rules_named(name) for name in (one, other)]
    bases = {each.folder: read_folder(each.folder) for each in sets}
    old, new = (apply_variants(bases[each.folder], each.folder, each.variants) for each in sets)
    for tree in (old, new):
        if tree.problems:
            raise output.Refused("\n".join(map(str, tree.problems)))
    changed = differences(old, new, language())
    lines = [*difference_lines(changed)] or [phrase("no difference")]
    output.write_result(
        form, lines, lambda: dump({"differences": [*map(difference_document, changed)]})
    )


@click.command("schema")
@click.argument("kind", default="variant")
@click.option(
    "--bundle",
    "game",
    metavar="GAME",
    help="One file for variants of this game, with its paths and what their values are.",
)
def rules_schema(kind: str, game: str | None) -> None:
    """Print the JSON Schema of a KIND of rule file: variant (the default), game, moves, ...

    YAML editors use it to complete and check while you type. With --bundle it needs no other file.
    """
    if game is not None:
        output.document(_bundled(game))
        return
    schemas = {path.name.split(".")[0]: path for path in data_folder("schemas").glob("*.json")}
    if kind not in schemas:
        message = "there is no schema `{name}`; there is {names}"
        raise output.Refused(message, name=kind, names=tuple(sorted(schemas)))
    output.document(schemas[kind].read_text(encoding="utf-8"))


def _bundled(name: str) -> str:
    ruleset = rules_named(name)
    tree = read_tree(ruleset.folder, ruleset.variants)
    if tree.problems:
        raise output.Refused(str(tree.problems[0]))
    return dump(bundle(tree), indent=None) + "\n"


@click.command("new")
@click.argument("name")
@rules_option("The game that it changes.")
def rules_new(name: str, game: str | None) -> None:
    """Write NAME.yaml, a commented file to start a variant from.

    The schema for variants of the game is written beside it, for completion and checks in editors.
    """
    title = _title(name)
    game = named_or_default(game)
    ruleset = rules_named(game, missing="there are no rules `{name}`")
    numbers = read_tree(ruleset.folder, ()).data.get("numbers", {})
    path, value = next(
        ((f"numbers.{ident}.value", number["value"]) for ident, number in numbers.items()),
        ("title", "Another title"),
    )
    extended = ruleset.name if ruleset.variants else ruleset.folder.name
    schema = Path(f"{extended}-variant.schema.json")
    sample = data_folder("rules") / FRAMES / "new-variant" / "variant.yaml"
    about = {"schema": schema, "name": name, "game": extended, "title": title}
    text = fill(sample.read_text(encoding="utf-8"), {**about, "path": path, "value": value})
    described = None if schema.exists() else _bundled(game)
    output.create(Path(f"{name}.yaml"), text)
    if described is not None:
        output.create(schema, described)


@click.command("new-game")
@click.argument("name")
@click.option("--like", "base", metavar="GAME", help="Begin from the rules of this game.")
def rules_new_game(name: str, base: str | None) -> None:
    """Write a folder NAME with the rules of a small game, as a start for a game of your own.

    You can check, play and simulate them as they are. Their first lines name the schemas in
    NAME/schemas, for completion and checks in editors. Continue with docs/new-game.md.

    With --like, the rules are those of another game, without the translations of its messages, and
    NAME/example.agn is a game played by them. Choose one that has what yours needs: chess for
    pieces that move, gofish for hidden cards.
    """
    title, folder = _title(name), Path(name)
    if folder.exists():
        raise output.Refused("{path} exists already", path=folder)
    schemas = data_folder("schemas")
    for inner, text in _copied_game(base, name, title) if base else _small_game(name, title):
        up = "../" * len(inner.parts[1:])
        kind = next((kind for pattern, kind in LAYOUT if inner.match(pattern)), "variant")
        head = f"# yaml-language-server: $schema={up}schemas/{kind}.schema.json"
        output.create(folder / inner, f"{head}\n{text}")
    for path in sorted(schemas.glob("*.schema.json")):
        output.create(
            folder / "schemas" / path.name, path.read_text(encoding="utf-8"), quietly=True
        )
    if base:
        output.create(folder / "example.agn", _example(folder))


def _small_game(name: str, title: str) -> Iterator[tuple[Path, str]]:
    """Yield path and text of each file of the sample game."""
    sample = data_folder("rules") / FRAMES / "new-game"
    for path in sorted(sample.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8").replace("GAME", name).replace("TITLE", title)
        yield path.relative_to(sample), text


def _copied_game(base: str, name: str, title: str) -> Iterator[tuple[Path, str]]:
    """Yield path and text of each rule file of another game, under a new id and title.

    Translations of messages are left out: they would no longer fit the first changed message.
    """
    if base not in pack_names():
        message = "there are no rules `{name}`; there is: {names}"
        raise output.Refused(message, name=base, names=tuple(pack_names()))
    source = pack_folder(base)
    for path in sorted(source.rglob("*.yaml")):
        inner = path.relative_to(source)
        if inner.parts[0] == "messages":
            continue
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"\A# yaml-language-server:.*\n", "", text)
        text = re.sub(
            rf"^(game|extends): {re.escape(base)}$", rf"\1: {name}", text, flags=re.MULTILINE
        )
        if inner.name == "game.yaml":
            text = re.sub(r"^title: .*$", f"title: {title}", text, count=1, flags=re.MULTILINE)
        yield inner, text


def _example(folder: Path) -> str:
    """Return a log of a game that is played by the rules in a folder, to its end if possible."""
    from altay_cli.compile.load import load_pack
    from altay_cli.simulation import limits
    from altay_cli.simulation.simulated import GREEDY, PlayPlan, playout

    with packs_beside(folder):
        players = load_pack(folder.name).least
        plan = PlayPlan(folder.name, players, (GREEDY,), seed=1, keep=True)
        played = playout(plan, 1)
        for number in range(2, limits.EXAMPLE_TRIES + 1):
            if played.ended:
                break
            played = playout(plan, number)
    return played.log or ""


def _title(name: str) -> str:
    """Refuse a name that cannot be an id of rules."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise output.Refused("a name is lower-case words joined by hyphens, like long-winter")
    return name.replace("-", " ").capitalize()
