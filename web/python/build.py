"""Make the archives of the page, in the Python that will read them.

`scripts/bundle.mjs` runs this in Pyodide: compiled code fits only the Python that wrote it. First
`compile_rules`, then in a fresh Python `write_archives`.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from pathlib import Path
from types import CodeType

from archive import PACKAGE, written

PROGRAM = "altay_cli"
LIBRARIES = (
    "attr", "attrs", "click", "jinja2", "jsonschema", "jsonschema_specifications", "lark",
    "markupsafe", "referencing", "ruamel",
)  # fmt: skip
OWN = ("bridge", "sheet")
"""Modules of the page itself."""
HOUSE, DRAWING = "house", "drawing"
OPTIMIZE = 2
"""The program and Python's library go without asserts and docstrings."""

MAX_SAMPLES = 3

VARIANT = 'variant: sample\nextends: {game}\ntitle: Sample\nversion: "1.0"\nchange: []\n'

_DATA_FILES = {".css", ".html", ".json", ".lark", ".mo", ".svg", ".txt", ".xml", ".yaml"}
# Files that a check or a replay reads: what names games and variants, catalogues, drawings.
_CORE_FILES = (
    "rules/*/game.yaml", "rules/*/messages/*.yaml", "rules/*/variants/*.yaml",
    "rules/*/versions/*.yaml", "languages/*.mo", "altay_cli/base/*",
    "altay_cli/report/assets/*.svg", "altay_cli/replay/assets/words.json",
)  # fmt: skip
_NO_FILES = (
    "altay_cli/replay/assets/*.css", "altay_cli/replay/assets/*.html", "schemas/reports/*",
    "jsonschema/benchmarks/*", "jsonschema/benchmarks/*/*",
)  # fmt: skip
# Parts of Python's library that are taken only if an answer needs them.
_SELDOM = """
    _pyio _pyrepl bdb cProfile cmd code codeop configparser ctypes curses dbm difflib doctest email
    encodings ensurepip filecmp fileinput ftplib getopt http idlelib imaplib lib2to3 lzma mailbox
    mimetypes multiprocessing netrc optparse pdb pickletools plistlib poplib profile pstats pyclbr
    pydoc pydoc_data rlcompleter sched smtplib socketserver sqlite3 symtable tarfile test timeit
    tkinter trace tracemalloc turtle turtledemo unittest venv wave webbrowser wsgiref xml xmlrpc
    zipapp
""".split()  # noqa: SIM905 - a list of words
_ENCODINGS = (
    "aliases",
    "ascii",
    "charmap",
    "cp437",
    "idna",
    "latin_1",
    "punycode",
    "utf_16",
    "utf_32",
)

# Of the table of lines in Python's code objects (`InternalDocs/code_objects.md` in CPython).
_NO_LINE, _MOST_UNITS = 0x80 | 15 << 3, 8

# Of these, only modules that answers need are taken.
_ONLY_USED = (
    "altay_cli.archive", "altay_cli.cli", "altay_cli.replay.page", "altay_cli.replay.serving",
    "altay_cli.report.ci", "altay_cli.report.figure", "altay_cli.report.plot", "attr", "attrs",
    "click.testing", "click.shell_completion", "jinja2", "jsonschema", "lark", "referencing",
    "ruamel",
)  # fmt: skip
_KEPT = ("jinja2.debug",)  # needed only by errors


def _compiled(source: bytes, name: str, *, lines: bool = True) -> CodeType:
    code = compile(source, name, "exec", dont_inherit=True, optimize=OPTIMIZE)
    return code if lines else without_lines(code)


def without_lines(code: CodeType) -> CodeType:
    """Return code whose tracebacks name functions, but no lines; that is a fifth smaller."""
    parts = (without_lines(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    # A byte says that so many units of two bytes, up to eight, come from no line.
    full, rest = divmod(len(code.co_code) // 2, _MOST_UNITS)
    table = [_NO_LINE | _MOST_UNITS - 1] * full + [_NO_LINE | rest - 1] * bool(rest)
    return code.replace(co_linetable=bytes(table), co_consts=tuple(parts))


def modules(folder: Path, package: str, *, lines: bool = True) -> Iterator[tuple[str, CodeType]]:
    """Yield name and code of each module of a package in a folder."""
    for path in sorted((folder / package).rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        yield (
            name + PACKAGE * is_package,
            _compiled(path.read_bytes(), f"{'/'.join(parts)}.py", lines=lines),
        )


def data_files(folder: Path, part: str) -> Iterator[tuple[str, bytes]]:
    """Yield path and contents of each data file in a part of a folder."""
    for path in sorted((folder / part).rglob("*")):
        name = path.relative_to(folder)
        if path.suffix in _DATA_FILES and not any(map(name.match, _NO_FILES)):
            data = path.read_bytes()
            yield name.as_posix(), _without_space(data) if path.suffix == ".json" else data


def _without_space(document: bytes) -> bytes:
    return json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":")).encode()


# ---------------------------------------------------------------- first: rules


def compile_rules(program: str, packages: str, own: str, out: str) -> dict[str, str]:
    """Write packs and parser tables; return the digests of the rules, by pack."""
    sys.path[:0] = [program, packages, f"{own}/standins"]
    from altay_cli.base.grammar import saved
    from altay_cli.base.resources import pack_folder
    from altay_cli.compile.building import compile_read, read_tree
    from altay_cli.compile.load import pack_names, packed, variant_names
    from altay_cli.compile.trees import packed_tree
    from altay_cli.expressions.parser import parser as expressions
    from altay_cli.notation.parser import packed_table, table

    digests: dict[str, str] = {}
    for name in pack_names():
        tree = read_tree(pack_folder(name), ())
        if variant_names(name) and not tree.problems:
            # Without libyaml this takes as long as all the rest of compiling a variant.
            Path(out, f"tree-{name}").write_bytes(packed_tree(tree))
        Path(out, f"pack-{name}").write_bytes(packed(compile_read(tree)))
        digests[name] = digest(pack_folder(name))
    Path(out, "table-agn.lark").write_bytes(packed_table(table()))
    Path(out, "grammar-cel.lark").write_bytes(saved(expressions()))
    return digests


def digest(folder: Path) -> str:
    """Return a digest of the rule files in a folder, by name."""
    found = blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.yaml")):
        found.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        found.update(blake2b(path.read_bytes()).digest())
    return found.hexdigest()


# ---------------------------------------------------------------- then: archives


def write_archives(program: str, packages: str, own: str, out: str, library: str) -> None:
    """Write the archives, and Python's library; ``out`` has the compiled rules.

    The core has what a check imports, "drawing" what a replay imports too, "house" the rest.
    """
    sys.path[:0] = [program, packages, f"{own}/standins"]
    checked, drawn, used = _imported(Path(program), Path(out))
    top = Path(packages)
    code = {
        name: made
        for folder, package, lines in (
            (Path(program), PROGRAM, True),
            (Path(own, "standins"), "rpds", True),
            *((top, name, False) for name in LIBRARIES),
        )
        for name, made in modules(folder, package, lines=lines)
    }
    for name in [*code]:
        parent = name.removesuffix(PACKAGE).rpartition(".")[0]
        if parent and parent + PACKAGE not in code:  # a namespace, without a module of its own
            code[parent + PACKAGE] = _compiled(b"", f"{parent}/__init__.py")
    files = dict(
        file
        for folder, part in [
            *(
                (Path(program), part)
                for part in (PROGRAM, "grammar", "languages", "rules", "schemas")
            ),
            *((top, part) for part in LIBRARIES),
        ]
        for file in data_files(folder, part)
    )
    parts: dict[str, dict[str, CodeType]] = {"core": {}, DRAWING: {}, HOUSE: {}}
    for name, made in code.items():
        plain = name.removesuffix(PACKAGE)
        if plain not in (*used, *_KEPT) and f"{plain}.".startswith(
            tuple(f"{part}." for part in _ONLY_USED)
        ):
            continue
        parts["core" if plain in checked else DRAWING if plain in drawn else HOUSE][name] = made
    elsewhere = {
        name.removesuffix(PACKAGE): part for part in (DRAWING, HOUSE) for name in parts[part]
    }
    for name in OWN:
        parts["core"][name] = _compiled(Path(own, f"{name}.py").read_bytes(), f"{name}.py")
    core_files = {
        path: text for path, text in files.items() if any(map(Path(path).match, _CORE_FILES))
    }
    house_files = {path: text for path, text in files.items() if path not in core_files}
    core_files["samples.json"] = json.dumps(_samples(Path(program)), ensure_ascii=False).encode()
    Path(out, "core").write_bytes(written(parts["core"], core_files, elsewhere))
    Path(out, DRAWING).write_bytes(written(parts[DRAWING], {}))
    Path(out, HOUSE).write_bytes(written(parts[HOUSE], house_files))
    Path(out, "python_stdlib.zip").write_bytes(compiled_library(Path(library), used))


def _imported(program: Path, out: Path) -> tuple[Collection[str], ...]:
    """Return the modules that checks need, that other answers about logs need, and all."""
    from altay_cli.base.cache import provide

    def provided(name: str) -> bytes | None:
        path = out / name.replace(" ", "-")
        return path.read_bytes() if path.is_file() else None

    provide(provided)
    import bridge

    def ask(kind: str, **request: object) -> None:
        call = {"language": "de", "request": {"kind": kind, **request}}
        bridge.answer(json.dumps(call))

    logs = [path.read_text(encoding="utf-8") for path in _sample_logs(program / "games")]
    for text in logs:
        ask("check", text=text)
        ask("tokens", text=text)
    ask("games")
    checked = {*sys.modules}
    for text in logs:
        line = text.count("\n") // 2
        ask("replay", text=text)
        ask("complete", text=text, line=line, column=1)
        ask("why", text=text, line=line)
    drawn = {*sys.modules}
    smallest = min(out.glob("pack-*"), key=lambda path: path.stat().st_size)
    game = smallest.name.removeprefix("pack-")
    ask("rules", name="sample.yaml", text=VARIANT.format(game=game))
    ask("rules", name="broken.yaml", text="title: [")
    # With games played by the rules, which a sound variant would need too.
    bridge.command("rules", "check", game, "--format", "json", "-j", "1", at=Path.cwd())
    return checked, drawn, {*sys.modules}


def _samples(program: Path) -> dict[str, list[dict[str, str]]]:
    """Return logs to look at, by game: the shortest that were not played by a program."""
    from altay_cli.notation.reading import read_log

    samples: dict[str, list[dict[str, str]]] = {}
    logs = [path for path in (program / "games").rglob("*.agn") if "simulated" not in path.parts]
    for path in sorted(logs, key=lambda path: path.stat().st_size):
        text = path.read_text(encoding="utf-8")
        record, *others = read_log(text).games
        tags = {tag.name: tag.value for tag in record.tags}
        of_game = samples.setdefault(tags["Game"], [])
        if not others and "Variant" not in tags and len(of_game) < MAX_SAMPLES:
            title = path.stem.replace("-", " ").capitalize()
            of_game.append({"name": path.name, "title": title, "text": text})
    return samples


def _sample_logs(games: Path) -> Iterable[Path]:
    """Return the logs with mistakes, and one of each game beside."""
    yield games / "mistakes.agn"
    yield games / "two-players.agn"
    for folder in sorted(path for path in games.iterdir() if path.is_dir()):
        yield from sorted(folder.rglob("*.agn"))[:1]


def compiled_library(library: Path, used: Collection[str]) -> bytes:
    """Return Python's library, without what a browser never needs; ``used`` modules compiled.

    Unused modules stay sources, which are half as large.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(library) as source, zipfile.ZipFile(out, "w") as target:
        for entry in source.infolist():
            name = entry.filename
            parts = name.removesuffix(".py").removesuffix("/__init__").split("/")
            is_used = ".".join(parts) in used or parts[-1] in _ENCODINGS
            if entry.is_dir() or (parts[0] in _SELDOM and not is_used):
                continue
            data = source.read(entry)
            if is_used and name.endswith(".py"):
                head = MAGIC_NUMBER + bytes(12)  # flags, time, size: it is never compared
                data, name = head + dumps(_compiled(data, name, lines=False)), f"{name}c"
            target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()
