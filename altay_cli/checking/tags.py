"""What the tags of a game mean: the rules that it is played by, and the values of their options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from altay_cli.base.findings import Finding, Fix, PackError, Severity, Text
from altay_cli.base.resources import pack_folder
from altay_cli.base.suggest import suggest
from altay_cli.compile.load import load_pack, pack_names, variant_names
from altay_cli.notation import GameRecord, Tag
from altay_cli.notation.lexis import OTHER_QUOTES, quote
from altay_cli.pack.model import Pack
from altay_cli.source.access import Access, named_file

KNOWN_TAGS = (
    "Event", "Site", "Date", "Round", "Annotator", "Table", "Source", "Result", "Time", "Comment",
    "Recorded",
)  # fmt: skip
"""Tags that are kept and reported but have no effect on the rules."""

_COUNTING = ("Game", "Variant", "Rules")

MAX_VARIANTS = 20
"""The maximum number of variants in one game."""

MAX_TAGS = 100
"""The maximum number of tags checked for misspelling in one game."""


@lru_cache(maxsize=32)
def loaded(name: str, variants: tuple[Path, ...], folder: Path) -> Pack:
    """Load a pack; ``folder``, its current location, is part of the cache key."""
    del folder
    return load_pack(name, variants)


def forget_rules() -> None:
    """Forget loaded rules, so that they are read again: their files may have changed."""
    loaded.cache_clear()


def rules_of(
    record: GameRecord,
    folder: Path | None,
    findings: list[Finding],
    *,
    under: tuple[Path | str, ...] = (),
) -> tuple[Pack, dict[str, str]] | None:
    """Return the rules that a game is played by and the values of their options.

    ``folder`` is the one that variant files are looked up in; ``under`` are variants to lay over
    the rules that the tags name: files, or ids. What is wrong with the tags is added to
    ``findings``; None if they name no rules that are there.
    """
    pack = _find_pack(record, folder, under, findings)
    return None if pack is None else (pack, _options(record, pack, findings))


def beginning() -> str:
    """Say what a log begins with."""
    first, *others = pack_names()
    tag = f'[Game "{first}"]'
    if not others:
        return Text("begin with {tag}", tag=tag)
    return Text("begin with {tag}; the other games are {names}", tag=tag, names=tuple(others))


def values_of(record: GameRecord) -> dict[str, str | list[str]]:
    """Return the tags as written; for a repeated tag, all its values."""
    values: dict[str, list[str]] = {}
    for tag in record.tags:
        values.setdefault(tag.name, []).append(tag.value)
    return {name: several if len(several) > 1 else several[0] for name, several in values.items()}


def badly_quoted(record: GameRecord) -> Iterator[Finding]:
    """Yield a warning for each tag whose quotes are those of a phone, with what mends it."""
    for tag in record.tags:
        span = tag.value_span
        if record.lines[span.line - 1][span.column - 1] in OTHER_QUOTES:
            straight = quote(tag.value)
            message = Text(
                "{why}: `{text}`", why="tags have straight quotes", text=f"[{tag.name} {straight}]"
            )
            fixes = (Fix(span, straight, certain=True),)
            yield Finding("badly-written", Severity.WARNING, message, span, fixes=fixes)


def _tag_error(
    rule: str, message: str, tag: Tag, *help_lines: str, severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(rule, severity, message, tag.value_span, {}, help_lines)


def no_game_tag(record: GameRecord) -> Finding:
    """Report that no tag names the rules of a game."""
    message = "the tag `Game` is missing: it names the rules"
    return Finding("game-tag", Severity.ERROR, message, record.span, {}, (beginning(),))


def _find_pack(
    record: GameRecord, folder: Path | None, under: tuple[Path | str, ...], findings: list[Finding]
) -> Pack | None:
    tag = record.tag("Game")
    if tag is None:
        if not record.tags:
            return None  # a text without any tag is reported by the notation
        findings.append(no_game_tag(record))
        return None
    name = _meant(tag.value, pack_names())
    if name is None or name.casefold() != tag.value.strip().casefold():
        message = Text("there is no rules pack `{name}`", name=_cut(tag.value, 40))
        there = _meant_or_all([name] if name else [], pack_names())
        findings.append(_tag_error("unknown-pack", message, tag, there))
    if name is None:
        return None
    try:
        paths = _variants(record, name, folder, findings)
        if paths is None:
            return None
        for variant in under:
            path = _shipped(variant, name) if isinstance(variant, str) else variant
            if path is None:
                message = Text("{game} has no variant `{name}`", game=name, name=variant)
                findings.append(_unknown_variant(message, str(variant), name, tag))
                return None
            if path not in paths:
                paths.append(path)
        pack = loaded(name, (*_older(record, name), *paths), pack_folder(name))
        findings.extend(_compare_versions(record, pack))
        return pack
    except PackError as error:
        for problem in error.problems[:20]:
            where = f"{problem.file}:{problem.span.line}:{problem.span.column}"
            findings.append(_tag_error("rules", f"{where}: {problem.message}", tag, *problem.help))
        return None


def _pinned(record: GameRecord) -> dict[str, str]:
    """Return the versions that the tag `Rules` pins: `altay 1.0, trading 1.0`."""
    tag = record.tag("Rules")
    pairs = [part.split() for part in (tag.value if tag else "").split(",")]
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def _older(record: GameRecord, pack: str) -> list[Path]:
    """Return the file that restores the version of the rules that a log pins, if it is kept."""
    # What stands in a log becomes a part of a path: it may be nothing but numbers.
    version = _pinned(record).get(pack, "")
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}", version):
        return []
    path = pack_folder(pack) / "versions" / f"{version}.yaml"
    return [path] if path.is_file() else []


def _compare_versions(record: GameRecord, pack: Pack) -> Iterator[Finding]:
    """Report pinned versions that differ from the current ones."""
    tag = record.tag("Rules")
    if tag is None:
        return
    there = {pack.id: pack.version, **dict(pack.variants)}
    pinned = _pinned(record)
    if not pinned:
        message = Text("the tag `Rules` names rules and versions: `{example}`", example="altay 1.0")
        yield _tag_error("rules-version", message, tag)
    for name, version in pinned.items():
        template = (
            "the log pins {name} {version}; it is checked against {there}"
            if name in there
            else "the log pins `{name}` {version}, but this game does not use it"
        )
        if there.get(name) != version:
            message = Text(template, name=name, version=version, there=there.get(name))
            yield _tag_error("rules-version", message, tag, severity=Severity.WARNING)


def _meant(written: str, known: Sequence[str]) -> str | None:
    """Return the name that is obviously meant: the same in any case, or a very similar one."""
    names = {name.casefold(): name for name in known}
    folded = written.strip().casefold()
    if folded not in names:
        near = suggest(folded, list(names), likeness=0.8)
        folded = near[0] if near else ""
    return names.get(folded)


def _meant_or_all(near: Sequence[str], known: Sequence[str]) -> Text:
    """Ask whether the name nearest was meant; without one, say what there is."""
    if near:
        return Text("did you mean `{name}`?", name=near[0])
    return Text("there is: {names}", names=", ".join(known))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _variants(
    record: GameRecord, pack: str, folder: Path | None, findings: list[Finding]
) -> list[Path] | None:
    """Return the files of the variants that the log names, shipped ones first by option."""
    paths: list[Path] = []
    shipped = pack_folder(pack) / "variants"
    # Which options there are, and what they mean, is known before any variant is laid over.
    base = loaded(pack, (), pack_folder(pack))
    for option in base.options.values():
        tag = record.tag(option.tag) if option.tag else None
        variant = option.variants.get(_meant(tag.value, option.values) or "") if tag else None
        if variant is not None:
            paths.append(shipped / f"{variant}.yaml")
    tags = [tag for tag in record.tags if tag.name.casefold() == "variant"]
    if len(tags) > MAX_VARIANTS:
        message = Text("more than {count} variants", count=MAX_VARIANTS)
        findings.append(_tag_error("too-many-variants", message, tags[MAX_VARIANTS]))
        return None
    for tag in tags:
        path = _variant(tag, pack, folder, findings)
        if path is None:
            return None
        if path not in paths:
            paths.append(path)
    return paths


def _variant(tag: Tag, pack: str, folder: Path | None, findings: list[Finding]) -> Path | None:
    """Return the file of one variant: a shipped one by its id, or a path beside the log."""
    name = tag.value
    shown = _cut(name, 60)
    if not name.endswith((".yaml", ".yml")):
        meant = _meant(name, variant_names(pack))
        if meant is None or meant.casefold() != name.strip().casefold():
            message = Text("there is no variant `{name}`", name=shown)
            findings.append(_unknown_variant(message, name, pack, tag))
        return _shipped(meant, pack) if meant is not None else None
    if folder is None:
        message = Text(
            "the variant file `{name}` is not read here: the log has no folder", name=shown
        )
        findings.append(_tag_error("variant-path", message, tag))
        return None
    path, place = named_file(name, folder, folder)
    if place is Access.THERE:
        return path.resolve()
    template = {
        Access.OUTSIDE: "the variant file `{name}` lies outside of the log's folder",
        Access.HIDDEN: "the variant file `{name}` is hidden, and hidden files are not read",
        Access.MISSING: "there is no variant file `{name}` beside the log",
    }[place]
    message = Text(template, name=shown)
    findings.append(_tag_error("variant-path", message, tag))
    return None


def _shipped(name: str, pack: str) -> Path | None:
    """Return the file of a variant that comes with a pack."""
    if name not in variant_names(pack):
        return None
    return pack_folder(pack) / "variants" / f"{name}.yaml"


def _unknown_variant(message: str, name: str, pack: str, tag: Tag) -> Finding:
    known = variant_names(pack)
    there = [_meant_or_all(suggest(name, known), known)] if known else []
    return _tag_error("unknown-variant", message, tag, *there)


def _options(record: GameRecord, pack: Pack, findings: list[Finding]) -> dict[str, str]:
    """Return the value of every option of the pack; note tags that say nothing known."""
    options = {option.id: option.default for option in pack.options.values()}
    by_tag = {o.tag.casefold(): o for o in pack.options.values() if o.tag}
    known = [*_COUNTING, *(o.tag for o in by_tag.values() if o.tag), *KNOWN_TAGS]
    folded = {name.casefold() for name in known}
    looked_up = 0
    for tag in record.tags:
        # A tag that comes twice is told by the notation; the first one counts.
        option = by_tag.pop(tag.name.casefold(), None)
        if option is None:
            looked_up += 1
            unknown = tag.name.casefold() not in folded and looked_up <= MAX_TAGS
            names = {name.casefold(): name for name in known}
            near = suggest(tag.name.casefold(), names, likeness=0.75) if unknown else []
            near = [names[one] for one in near]
            if near:
                template = "the tag `{name}` is kept, but means nothing to the program"
                message, there = Text(template, name=tag.name[:40]), _meant_or_all(near, ())
                note = Finding("unknown-tag", Severity.NOTE, message, tag.span, {}, (there,))
                findings.append(note)
            continue
        meant = _meant(tag.value, option.values)
        if meant is not None:
            options[option.id] = meant
        if meant is None or meant.casefold() != tag.value.strip().casefold():
            shown, possible = _cut(tag.value, 40), ", ".join(option.values)
            message = Text("`{value}` is not a value of `{tag}`", value=shown, tag=tag.name)
            there = Text("possible: {names}", names=possible)
            findings.append(_tag_error("option-value", message, tag, there))
    return options
