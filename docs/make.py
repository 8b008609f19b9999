"""Write the generated pages: the reference from the schemas, the recipes from their files.

    python docs/make.py            write them
    python docs/make.py --check    report pages that differ, and write nothing

To change a page of the reference, change the descriptions in its schema.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.report.tables import TABLES, VERSION

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

Schema = Mapping[str, Any]

PAGES = (
    "game",
    "entities",
    "moves",
    "scoring",
    "rulings",
    "slips",
    "lints",
    "playouts",
    "view",
    "names",
    "messages",
    "variant",
    "frame",
    "common",
)
"""The schemas with a page, in the order of reading."""

SOURCES = ("cite", "source", "ruling")
"""Keys of most entries: they share one row at the end of a table."""

MADE = "<!-- Made by docs/make.py from {source}: change that, and run it again. -->"


def schema_of(name: str) -> Schema:
    """Return the schema of a name."""
    path = ROOT / "schemas" / f"{name}.schema.json"
    return cast("Schema", json.loads(path.read_text(encoding="utf-8")))


def words_of(definition: str) -> str:
    """Split a name: `sharedRule` is `shared rule`."""
    return "".join(f" {char.lower()}" if char.isupper() else char for char in definition)


class Page:
    """The page of one schema."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.schema = schema_of(name)

    def resolved(self, ref: str) -> tuple[str, str, Schema]:
        """Resolve a reference: the schema, the last word of its path, the part."""
        file, _, path = ref.partition("#")
        name = file.removesuffix(".schema.json") if file else self.name
        part: Any = schema_of(name)
        keys = path.strip("/").split("/") if path else []
        for key in keys:
            part = part[key]
        return name, keys[-1] if keys else "", part

    def link(self, ref: str) -> str:
        """Link to the description of a reference."""
        name, last, _ = self.resolved(ref)
        page = "" if name == self.name else f"{name}.md"
        if "#/$defs/" in ref:
            word = words_of(last)
            return f"[{word}]({page}#{word.replace(' ', '-')})"
        return f"[as there]({page}#the-file)" if last else f"[{name}]({page})"

    def value(self, schema: Schema) -> str:
        """Describe the type of a value."""
        if "const" in schema:
            return f"`{json.dumps(schema['const'])}`".replace('"', "")
        if "enum" in schema:
            return ", ".join(f"`{word}`" for word in schema["enum"])
        if "$ref" in schema:
            return self.link(schema["$ref"])
        if "if" in schema and "items" in schema:  # one, or a list of them
            one = self.value(schema["items"])
            return (
                one if self.value(schema["then"]) == one else f"{self.value(schema['then'])}, {one}"
            )
        if schema.get("type") == "array":
            return f"list: {self.value(schema['items'])}" if "items" in schema else "list"
        if schema.get("type") == "object":
            rest = schema.get("additionalProperties")
            if isinstance(rest, dict) and "properties" not in schema:
                return f"by name: {self.value(rest)}"
            return "mapping"
        words = {"integer": "number", "string": "text", "boolean": "`true`, `false`"}
        kinds = schema.get("type", "any value")
        some = [kinds] if isinstance(kinds, str) else kinds
        return " or ".join(words.get(kind, kind) for kind in some)

    def described(self, schema: Schema) -> str:
        """Describe a key, by its definition if it has no text."""
        if "description" in schema:
            return str(schema["description"])
        if "$ref" in schema:
            return self.described(self.resolved(schema["$ref"])[2])
        raise ValueError(f"{self.name}: no description: {schema}")

    def rows(self, schema: Schema, before: str = "") -> Iterator[tuple[str, str, str]]:
        """Yield key, value and meaning of keys, nested ones too."""
        needed = schema.get("required", ())
        sources: list[tuple[str, str]] = []
        for key, part in schema.get("properties", {}).items():
            if key in SOURCES and part.get("$ref", "").endswith(f"#/$defs/{key}"):
                sources.append((f"{before}{key}", self.value(part)))
                continue
            mark = ", required" if key in needed else ""
            yield f"{before}{key}", f"{self.value(part)}{mark}", self.described(part)
            yield from self.inside(part, f"{before}{key}")
        if sources:
            keys, values = zip(*sources, strict=True)
            yield "`, `".join(keys), ", ".join(values), "Where it comes from."

    def inside(self, part: Schema, path: str) -> Iterator[tuple[str, str, str]]:
        """Yield keys inside a value without a definition."""
        yield from self.rows(part, f"{path}.") if "properties" in part else ()
        for key, step in (("additionalProperties", ".NAME"), ("items", "[]")):
            inner = part.get(key)
            if not isinstance(inner, dict) or "$ref" in inner:
                continue
            if "properties" in inner:
                yield from self.rows(inner, f"{path}{step}.")
            else:
                yield from self.inside(inner, f"{path}{step}")

    def section(self, title: str, schema: Schema) -> Iterator[str]:
        """Yield the lines of a section."""
        yield f"## {title}"
        yield ""
        text = str(schema.get("description", ""))
        if "enum" in schema:
            text += f"\n\nOne of {self.value(schema)}."
        yield text.strip()
        yield ""
        rest = schema.get("additionalProperties")
        if isinstance(rest, dict) and "$ref" in rest:
            yield f"Each entry: {self.value(rest)}."
            yield ""
        rows = list(self.rows(schema)) or list(self.inside(schema, ""))
        if rows:
            yield "| key | value | meaning |"
            yield "|---|---|---|"
            for key, value, meaning in rows:
                yield f"| `{key}` | {value} | {cell(meaning)} |"
            yield ""

    def text(self) -> str:
        """Return the page."""
        lines = [
            MADE.format(source=f"schemas/{self.name}.schema.json"),
            "",
            f"# {titled(self.schema['title'])}",
            "",
        ]
        if self.name == "common":
            lines += [self.schema["description"], ""]
        else:
            lines += self.section("The file", self.schema)
        for name, part in self.schema.get("$defs", {}).items():
            lines += self.section(words_of(name).capitalize(), part)
        return "\n".join(lines).rstrip("\n") + "\n"


def titled(title: str) -> str:
    """Show the file name in a title as code."""
    file, colon, rest = title.partition(": ")
    return ", ".join(f"`{one}`" for one in file.split(" and ")) + f": {rest}" if colon else title


def cell(text: str) -> str:
    """Escape a text for a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def index() -> str:
    """Return the index page of the reference."""
    lines = [
        MADE.format(source="schemas/"),
        "",
        "# Reference of the rule files",
        "",
        "Each kind of file has a page with every key, its values and its meaning. Editors show the",
        "same text while you type, because each rule file names its schema in its first line.",
        "",
        "`NAME` means a name of your own, `[]` each item of a list.",
        "",
        "| file | content |",
        "|---|---|",
    ]
    for name in PAGES:
        schema = schema_of(name)
        file, colon, _ = str(schema["title"]).partition(": ")
        link = ", ".join(f"`{one}`" for one in file.split(" and ")) if colon else "shared parts"
        lines.append(f"| [{link}]({name}.md) | {cell(schema['description'])} |")
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- recipes

RECIPES = {
    "A number or an answer": ("five-in-a-territory", "failed-attacks"),
    "Cards and factions": ("brave-warriors", "fewer-hunters", "astronomer", "riverfolk"),
    "What is allowed": (
        "two-purchases",
        "spare-the-last",
        "attack-again",
        "second-copy-noted",
    ),
    "Actions, and automatic effects": (
        "barter",
        "plunder",
        "explorer",
        "head-start",
    ),
    "The end, and points": ("two-wonders", "warlord", "realm", "conquest-first", "pairs"),
    "Variants of variants": ("cheap-coins",),
}
"""By part; each has a log whose verdict it changes."""

BEFORE_RECIPES = """\
# Twenty house rules

Each of these is a complete variant file: copy one that is like yours, and change it. The comment at
its top explains the technique. A log that uses it follows, with the errors that `altay check` finds
with the house rule and without it.

The files are in `docs/recipes`. [House rules](house-rules.md) shows how to start your own, check it
and play with it; [variants/*.yaml](reference/variant.md) has every key.
"""


def errors_of(text: str, name: str) -> list[str]:
    """Return the errors of a log."""
    games = check_text(text, name, DOCS / "recipes").games
    findings = [one for game in games for one in game.findings]
    return [
        f"{name}:{one.span.line}:{one.span.column}: error: {one.message} [{one.rule}]"
        for one in findings
        if one.severity is Severity.ERROR
    ]


def without(text: str) -> str:
    """Remove the variant, keeping line numbers."""
    return re.sub(r'^\[Variant "[^"]*"\]', '[Event "without"]', text, flags=re.MULTILINE)


def recipe(name: str) -> Iterator[str]:
    """Yield the lines about a house rule."""
    variant = (DOCS / "recipes" / f"{name}.yaml").read_text(encoding="utf-8")
    log = (DOCS / "recipes" / f"{name}.agn").read_text(encoding="utf-8")
    title, meaning = (
        re.findall(rf"^{key}: (.*)$", variant, re.MULTILINE)[0] for key in ("title", "description")
    )
    yield from ("", f"### {title}", "", meaning, "", "```yaml", variant.rstrip("\n"), "```")
    yield from ("", "```agn", log.rstrip("\n"), "```", "")
    for heading, text in (("With it", log), ("Without it", without(log))):
        errors = errors_of(text, f"{name}.agn")
        yield f"{heading}, the game is {'illegal' if errors else 'legal'}{':' if errors else '.'}"
        yield ""
        if errors:
            yield from ("```text", *errors, "```", "")


def recipes() -> str:
    """Return the page of house rules."""
    lines = [MADE.format(source="docs/recipes/"), "", BEFORE_RECIPES.rstrip("\n")]
    for group, names in RECIPES.items():
        lines += ["", f"## {group}"]
        for name in names:
            lines += recipe(name)
        while not lines[-1]:
            lines.pop()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


# ---------------------------------------------------------------- the tables of datasets

BEFORE_TABLES = """
# The tables of a dataset

`altay check --dataset FOLDER` writes these tables, and `altay query FOLDER` queries them ([Archives of games](archives.md)). All tables
have `game_id`, so you can join them: `JOIN ... USING (game_id)`. Unrecorded values are null, never zero.

`changes` is written only with `--changes`. This is version {version} of the tables; `dataset.json` in a dataset states its version.
"""  # noqa: E501


def tables() -> str:
    """Return the page of the tables of a dataset."""
    lines = [MADE.format(source="altay_cli/report/tables.py")]
    lines += BEFORE_TABLES.rstrip("\n").format(version=VERSION).split("\n")
    for name, columns in TABLES.items():
        lines += ["", f"## {name}", "", "| column | type | unit | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{one.name}` | `{one.type}` | {one.unit} | {cell(one.meaning)} |" for one in columns
        ]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- all of it


def reference() -> dict[Path, str]:
    """Return the pages of the reference by path."""
    made = {DOCS / "reference" / f"{name}.md": Page(name).text() for name in PAGES}
    return {DOCS / "reference" / "index.md": index(), **made}


def main(arguments: list[str]) -> int:
    """Write the pages, or compare them."""
    different = 0
    others = {DOCS / "recipes.md": recipes(), DOCS / "tables.md": tables()}
    for path, text in {**reference(), **others}.items():
        there = path.read_text(encoding="utf-8") if path.is_file() else ""
        if there != text:
            different += 1
            print(f"{path.relative_to(ROOT)}: {'differs' if arguments else 'written'}")
            if not arguments:
                path.write_text(text, encoding="utf-8")
    return bool(different and arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
