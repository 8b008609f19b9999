"""Find the rules that the tags of a game name, and the values of their options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from altay_cli.base.files import Access, named_file
from altay_cli.base.findings import Finding, Fix, PackError, Severity, Span, Text, did_you_mean
from altay_cli.base.resources import pack_folder, pack_folders
from altay_cli.base.suggest import suggest, typed
from altay_cli.checking import limits
from altay_cli.compile.load import load_pack, pack_names, variant_names
from altay_cli.notation.lexis import OTHER_QUOTES, quote
from altay_cli.notation.tree import GameRecord, Tag
from altay_cli.pack.model import Pack

KNOWN_TAGS = (
    "Event", "Site", "Date", "Round", "Annotator", "Table", "Source", "Result", "Time", "Comment",
    "Recorded",
)  # fmt: skip
"""Tags without effect on the rules."""

UNUSABLE = "rules"

_COUNTING = ("Game", "Variant", "Rules")

# Why a variant file is not read.
_NOT_READ = {
    Access.OUTSIDE: "the variant file `{name}` is outside the folder of the log",
    Access.HIDDEN: "the variant file `{name}` is hidden, and hidden files are not read",
    Access.MISSING: "there is no variant file `{name}` beside the log",
}


class _NoRules(Exception):  # noqa: N818 - no error of the program
    """The tags name no usable rules; its argument is a finding."""


def loaded(name: str, variants: tuple[Path, ...], folder: Path) -> Pack:
    """Load a pack; a PackError is cached and raised again."""
    pack = _loaded(name, variants, folder)
    if isinstance(pack, PackError):
        raise PackError(pack.problems)
    return pack


@lru_cache(maxsize=32)
def _loaded(name: str, variants: tuple[Path, ...], _folder: Path) -> Pack | PackError:
    try:
        return load_pack(name, variants)
    except PackError as error:
        return PackError(error.problems)  # without its traceback


def forget_rules() -> None:
    """Empty the cache, as files may have changed."""
    _loaded.cache_clear()


def rules_of(
    record: GameRecord,
    folder: Path | None,
    findings: list[Finding],
    *,
    under: tuple[Path | str, ...] = (),
) -> tuple[Pack, dict[str, str]] | None:
    """Return the rules of a game and the values of their options, if they are usable.

    findings: problems with the tags are added to it.

    under: variants to apply: files, or ids.
    """
    tag = record.tag("Game")
    if tag is None:
        if record.tags:  # the parser reports a text without tags
            findings.append(no_game_tag(record))
        return None
    name, exact = _closest(tag.value, pack_names())
    if not exact and (titled := _titled(tag.value, tuple(pack_folders().items()))) is not None:
        name, exact = titled, True
    if not exact:
        suggestions = did_you_mean(name or "", pack_names(), "there is: {names}")
        template = "there is no rules pack `{name}`"
        findings.append(
            _tag_error("unknown-pack", template, tag, *suggestions, name=_cut(tag.value, 40))
        )
    if name is None:
        return None
    try:
        paths = [*_older(record, name), *_variants(record, name, folder, findings)]
        paths += [_variant_file(variant, name, tag) for variant in under]
        pack = loaded(name, tuple(dict.fromkeys(paths)), pack_folder(name))
    except _NoRules as error:
        findings += error.args
        return None
    except PackError as error:
        for problem in error.problems[:20]:
            where = f"{problem.file}:{problem.span.line}:{problem.span.column}"
            message = Text("{place}: {message}", place=where, message=problem.message)
            findings.append(_tag_error(UNUSABLE, message, tag, *problem.help))
        return None
    findings += _compare_versions(record, pack)
    return pack, _options(record, pack, findings)


def _variant_file(variant: Path | str, name: str, tag: Tag) -> Path:
    if isinstance(variant, Path):
        return variant
    if variant in variant_names(name):
        return pack_folder(name) / "variants" / f"{variant}.yaml"
    message = Text("{game} has no variant `{name}`", game=name, name=variant)
    raise _NoRules(_unknown_variant(message, variant, name, tag))


def beginning() -> str:
    """Return help on how a log begins."""
    first, *others = pack_names()
    template = "begin with {tag}; the other games are {names}" if others else "begin with {tag}"
    return Text(template, tag=f'[Game "{first}"]', names=tuple(others))


def values_of(record: GameRecord) -> dict[str, str | list[str]]:
    """Return the tags as written; all values of a repeated one."""
    values: dict[str, list[str]] = {}
    for tag in record.tags:
        values.setdefault(tag.name, []).append(tag.value)
    return {name: several if len(several) > 1 else several[0] for name, several in values.items()}


def badly_quoted(record: GameRecord) -> Iterator[Finding]:
    """Yield a warning with a fix for tags in typographic quotes."""
    for tag in record.tags:
        span = tag.value_span
        if record.lines[span.line - 1][span.column - 1] in OTHER_QUOTES:
            straight = quote(tag.value)
            shown = f"[{tag.name} {straight}]"
            message = Text("{why}: `{text}`", why="tags have straight quotes", text=shown)
            fix = Fix(span, straight, certain=True)
            yield Finding("badly-written", Severity.WARNING, message, span, fixes=(fix,))


def _tag_error(
    rule: str,
    message: str,
    tag: Tag,
    /,
    *help_lines: str,
    severity: Severity = Severity.ERROR,
    **values: object,
) -> Finding:
    message = Text(message, **values) if values else message
    return Finding(rule, severity, message, tag.value_span, {}, help_lines)


def no_game_tag(record: GameRecord) -> Finding:
    """Report that no tag names rules."""
    message = "the tag `Game` is missing: it names the rules"
    return Finding("game-tag", Severity.ERROR, message, record.span, {}, (beginning(),))


def _pinned(record: GameRecord) -> dict[str, str]:
    """Return versions by name, from `altay 1.0, trading 1.0`."""
    tag = record.tag("Rules")
    pairs = (part.split() for part in (tag.value if tag else "").split(","))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def _older(record: GameRecord, pack: str) -> list[Path]:
    # The version becomes part of a path: only numbers pass.
    version = _pinned(record).get(pack, "")
    path = pack_folder(pack) / "versions" / f"{version}.yaml"
    is_plain = re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}", version)
    return [path] if is_plain and path.is_file() else []


def _compare_versions(record: GameRecord, pack: Pack) -> Iterator[Finding]:
    tag = record.tag("Rules")
    if tag is None:
        return
    versions = {pack.id: pack.version, **dict(pack.variants)}
    pinned = _pinned(record)
    if not pinned:
        template = "the tag `Rules` names rules and versions: `{example}`"
        yield _tag_error("rules-version", template, tag, example="altay 1.0")
    for name, version in pinned.items():
        template = (
            "the log pins {name} {version}; it is checked against {there}"
            if name in versions
            else "the log pins `{name}` {version}, but this game does not use it"
        )
        if versions.get(name) != version:
            yield _tag_error(
                "rules-version", template, tag, severity=Severity.WARNING,
                name=name, version=version, there=versions.get(name),
            )  # fmt: skip


def _closest(written: str, known: Sequence[str]) -> tuple[str | None, bool]:
    names = {name.casefold(): name for name in known}
    folded = written.strip().casefold()
    exact = folded in names
    near = [folded] if exact else suggest(folded, list(names), likeness=0.8)
    return (names[near[0]] if near else None), exact


@lru_cache(maxsize=32)
def _titled(written: str, packs: tuple[tuple[str, Path], ...]) -> str | None:
    wanted = typed(written)
    for name, folder in sorted(packs) if wanted else ():
        files = [folder / "game.yaml", *sorted((folder / "messages").glob("*.yaml"))]
        # Searching files is faster than loading packs.
        if any(wanted in typed(path.read_text(encoding="utf-8")) for path in files):
            pack = loaded(name, (), folder)
            titles = [pack.title, *(texts.get(pack.title, "") for texts in pack.texts.values())]
            if wanted in map(typed, titles):
                return name
    return None


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _variants(
    record: GameRecord, pack: str, folder: Path | None, findings: list[Finding]
) -> list[Path]:
    paths: list[Path] = []
    # The options without variants.
    for option in loaded(pack, (), pack_folder(pack)).options.values():
        tag = record.tag(option.tag) if option.tag else None
        value = _closest(tag.value, option.values)[0] if tag else None
        if value and (variant := option.variants.get(value)) is not None:
            paths.append(pack_folder(pack) / "variants" / f"{variant}.yaml")
    tags = [tag for tag in record.tags if tag.name.casefold() == "variant"]
    if len(tags) > limits.MAX_VARIANTS:
        most, at = limits.MAX_VARIANTS, tags[limits.MAX_VARIANTS]
        raise _NoRules(
            _tag_error("too-many-variants", "more than {count} variants", at, count=most)
        )
    return [*paths, *(_variant(tag, pack, folder, findings) for tag in tags)]


def _variant(tag: Tag, pack: str, folder: Path | None, findings: list[Finding]) -> Path:
    name = tag.value
    shown = _cut(name, 60)
    if not name.endswith((".yaml", ".yml")):
        variant, exact = _closest(name, variant_names(pack))
        if not exact:
            wrong = Text("there is no variant `{name}`", name=shown)
            findings.append(_unknown_variant(wrong, name, pack, tag))
        if variant is None:
            raise _NoRules
        return pack_folder(pack) / "variants" / f"{variant}.yaml"
    template = (
        "the variant file `{name}` cannot be found: a log without a file has no folder to look in"
    )
    if folder is not None:
        path, place = named_file(name, folder, folder)
        if place is Access.THERE:
            return path.resolve()
        template = _NOT_READ[place]
    raise _NoRules(_tag_error("variant-path", template, tag, name=shown))


def _unknown_variant(message: str, name: str, pack: str, tag: Tag) -> Finding:
    known = variant_names(pack)
    return _tag_error(
        "unknown-variant", message, tag, *did_you_mean(name, known, "there is: {names}")
    )


def _name_span(record: GameRecord, tag: Tag) -> Span:
    line = tag.span.line
    start = record.lines[line - 1].index(tag.name, tag.span.column - 1) + 1
    return Span(line, start, line, start + len(tag.name))


def _options(record: GameRecord, pack: Pack, findings: list[Finding]) -> dict[str, str]:
    options = {option.id: option.default for option in pack.options.values()}
    by_tag = {o.tag.casefold(): o for o in pack.options.values() if o.tag}
    tag_names = [*_COUNTING, *(o.tag for o in by_tag.values() if o.tag), *KNOWN_TAGS]
    known = {name.casefold(): name for name in tag_names}
    for number, tag in enumerate(record.tags):
        folded = tag.name.casefold()
        # The parser reports a repeated tag; the first counts.
        option = by_tag.pop(folded, None)
        if option is None:
            unknown = folded not in known and number < limits.MAX_TAGS
            for near in suggest(folded, known, likeness=0.75) if unknown else ():
                template = "the program does not know the tag `{name}`, which has no effect"
                message = Text(template, name=tag.name[:40])
                asked = (Text("did you mean `{name}`?", name=known[near]),)
                found = Finding("unknown-tag", Severity.NOTE, message, tag.span, {}, asked)
                if known[near] not in KNOWN_TAGS:
                    # A misspelt tag has no effect, hence a warning.
                    fix = Fix(_name_span(record, tag), known[near], certain=False)
                    found = found._replace(severity=Severity.WARNING, fixes=(fix,))
                findings.append(found)
            continue
        choice, exact = _closest(tag.value, option.values)
        if choice is not None:
            options[option.id] = choice
        if not exact:
            template = "`{value}` is not a value of `{tag}`"
            possible = Text("possible: {names}", names=", ".join(option.values))
            value = _cut(tag.value, 40)
            findings.append(
                _tag_error("option-value", template, tag, possible, value=value, tag=tag.name)
            )
    return options
