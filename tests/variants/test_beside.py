"""A log of a stranger names files: only variants that lie beside it are read and quoted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.sample import document, run

GAME = Path(__file__).parents[2] / "games" / "classics" / "nim.agn"
"""Of a small game, of which rules are read and checked soon."""

HOSTS = "github.com:\n    oauth_token: gho_secret\n    user: &anchor ann\n"


def log(folder: Path, name: str) -> Path:
    path = folder / "log.agn"
    path.write_text(
        GAME.read_text("utf-8").replace("setup", f'[Variant "{name}"]\nsetup', 1), encoding="utf-8"
    )
    return path


def variant(path: Path, extends: str = "nim", head: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"{head}variant: own\nextends: {extends}\ntitle: T\n"
        'version: "1.0"\nchange: [{set: options.last.title, to: Who wins}]\n',
        encoding="utf-8",
    )


def told(path: Path) -> tuple[list[str], str]:
    """Return the rules of what is found, and all that is printed by any command about it."""
    (game,) = document("check", path)["files"][0]["games"]
    printed = [
        run(*command, path)
        for command in (["check"], ["score"], ["moves"], ["check", "--format", "json"])
    ]
    return [f["rule"] for f in game["findings"]], "".join(r.stdout + r.stderr for r in printed)


@pytest.mark.parametrize(
    "name",
    [".config/gh/hosts.yml", "./.config/gh/hosts.yml", "a/../.config/gh/hosts.yml", ".hosts.yml", "link.yml"],
)  # fmt: skip
def test_hidden_files_are_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / ".config/gh").mkdir(parents=True)
    (tmp_path / "a").mkdir()
    (tmp_path / ".config/gh/hosts.yml").write_text(HOSTS)
    (tmp_path / ".hosts.yml").write_text(HOSTS)
    (tmp_path / "link.yml").symlink_to(".config/gh/hosts.yml")
    rules, printed = told(log(tmp_path, name))
    assert rules == ["variant-path"]
    assert "is hidden" in printed
    assert not any(word in printed for word in ("oauth", "github", "secret", "anchor"))


def test_hidden_files_are_not_read_even_if_they_are_variants(tmp_path: Path) -> None:
    variant(tmp_path / "a/.hidden/own.yaml")
    assert told(log(tmp_path, "a/.hidden/own.yaml"))[0] == ["variant-path"]
    for name in ("a/.hidden/own.yaml", "link.yaml"):
        variant(tmp_path / "own.yaml", name)
        rules, printed = told(log(tmp_path, "own.yaml"))
        assert rules == ["rules"]
        assert "hidden files are not read" in printed
        (tmp_path / "link.yaml").unlink(missing_ok=True)
        (tmp_path / "link.yaml").symlink_to("a/.hidden/own.yaml")


def test_a_log_in_a_hidden_folder_has_its_variants_there(tmp_path: Path) -> None:
    variant(tmp_path / ".games/house/own.yaml")
    assert told(log(tmp_path / ".games", "house/own.yaml"))[0] == []


@pytest.mark.parametrize(
    "text",
    ["# a comment\n---\n" + HOSTS, "- oauth_token\n- secret\n", "{oauth_token: secret}",
     "title: secret\nvariant: [\n", ""],
)  # fmt: skip
def test_of_a_file_that_is_no_variant_nothing_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.yaml"
    path.write_text(text)
    rules, printed = told(log(tmp_path, "notes.yaml"))
    assert rules == ["rules"]
    variant(tmp_path / "own.yaml", "notes.yaml")
    rules, more = told(log(tmp_path, "own.yaml"))
    assert rules == ["rules"]
    checked = run("rules", "check", path, tmp_path / "own.yaml")
    assert checked.exit_code == 1
    printed += more + checked.stdout + checked.stderr
    assert printed.count("this is not a variant") >= 6
    assert not any(word in printed for word in ("oauth", "github", "secret", "anchor"))


@pytest.mark.parametrize(
    "head", ["", "# mine\n\n", "\ufeff", "%YAML 1.2\n---\n", "---   # mine\n", "   # mine\n  \n"]
)
def test_what_begins_as_a_variant_is_one(tmp_path: Path, head: str) -> None:
    variant(tmp_path / "own.yaml", head=head)
    assert told(log(tmp_path, "own.yaml"))[0] == []


def test_the_keys_that_a_variant_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(
        '{"extends": "nim", "variant": "own", "title": "T",\n'
        ' "change": [{"set": "options.last.title", "to": "Who wins"}]}\n'
    )
    assert told(log(tmp_path, "own.yaml"))[0] == []


def test_a_variant_in_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    variant(folder / "base.yaml")
    variant(folder / "own.yaml", "base.yaml")
    path = log(folder, "own.yaml")
    for _ in range(2):  # compiled, and out of the cache
        for command in ("check", "score", "moves"):
            result = run(command, path)
            assert result.exit_code in {0, 2}, result.output
            assert "Traceback" not in result.output
    assert run("check", path).exit_code == 0
    assert run("rules", "check", folder / "own.yaml").exit_code == 0
