"""The schemas as programs of others read them, from a folder of their own and without a network."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from altay_cli.base.resources import data_folder
from tests.cli.sample import run
from tests.schemas.programs import language_server, node_modules, offline, program

FILES = {
    "game": "game.yaml",
    "entities": "board.yaml",
    "moves": "moves/turn.yaml",
    "scoring": "scoring.yaml",
    "rulings": "rulings.yaml",
    "lints": "lints.yaml",
    "playouts": "playouts.yaml",
    "view": "view.yaml",
    "slips": "slips.yaml",
    "names": "names/de.yaml",
    "messages": "messages/de.yaml",
    "variant": "variants/trading.yaml",
}
RULES = data_folder("rules") / "altay"


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    """The schemas alone, as they lie in an installed program."""
    folder = tmp_path / "site-packages/altay_cli/data/schemas"
    shutil.copytree(data_folder("schemas"), folder)
    return folder


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A variant and a game that the program has begun."""
    monkeypatch.chdir(tmp_path)
    assert run("rules", "new", "my-rule", "--game", "altay").exit_code == 0
    assert run("rules", "new-game", "my-game").exit_code == 0
    return tmp_path


def named_schema(path: Path) -> Path:
    """Return the schema that the first line of a file names."""
    return path.parent / path.read_text("utf-8").splitlines()[0].partition("$schema=")[2]


def test_check_jsonschema_accepts_what_ships(schemas: Path) -> None:
    for kind, name in FILES.items():
        result = offline(
            program("check-jsonschema"),
            "--schemafile",
            schemas / f"{kind}.schema.json",
            RULES / name,
        )
        assert result.returncode == 0, result.stdout + result.stderr


def test_check_jsonschema_finds_an_error(schemas: Path, tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    text = (RULES / FILES["moves"]).read_text("utf-8")
    path.write_text(text.replace("heading: true", "heading: maybe"), "utf-8")
    result = offline(
        program("check-jsonschema"), "--schemafile", schemas / "moves.schema.json", path
    )
    assert result.returncode == 1
    assert "$.moves.turn.heading: 'maybe' is not of type 'boolean'" in result.stdout


def test_what_is_begun_names_schemas_that_fit(written: Path) -> None:
    paths = sorted(written.rglob("*.yaml"))
    assert len(paths) >= 5
    for path in paths:
        result = offline(program("check-jsonschema"), "--schemafile", named_schema(path), path)
        assert result.returncode == 0, (path, result.stdout)


def test_the_language_server_of_editors(written: Path) -> None:
    """A file is right, and an error that is planted is told at its line, in a variant and a game."""
    planted = {
        "my-rule.yaml": ("title: My rule", "titel: My rule"),
        "my-game/game.yaml": ("players: {least: 2", "players: {least: two"),
        "my-game/moves/mark.yaml": ("title:", "tittle:"),
    }
    with language_server() as server:
        for name, (right, wrong) in planted.items():
            path = written / name
            assert server.problems(path) == []
            text = path.read_text("utf-8")
            assert right in text
            line = text[: text.index(right)].count("\n") + 1
            path = path.with_name(f"wrong-{path.name}")
            path.write_text(text.replace(right, wrong, 1), "utf-8")
            assert line in [at for at, _ in server.problems(path)]


AJV = """
const Ajv = require(process.argv[2] + "/ajv/dist/2020").default, fs = require("fs");
const ajv = new Ajv({strictTuples: true, strictTypes: true, allowUnionTypes: true});
const files = process.argv.slice(3);
for (const file of files) ajv.addSchema(JSON.parse(fs.readFileSync(file)), file.split("/").pop());
for (const file of files) ajv.getSchema(file.split("/").pop());
"""


def test_ajv_compiles_them_in_its_strict_mode(schemas: Path, written: Path, tmp_path: Path) -> None:
    script = tmp_path / "compile.js"
    script.write_text(AJV)
    files = [*sorted(schemas.glob("*.json")), written / "altay-variant.schema.json"]
    result = offline(program("node"), script, node_modules("ajv"), *files)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
