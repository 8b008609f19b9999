"""The hooks of pre-commit, in a repository of their own: what is committed, and what is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.cli.sample import ILLEGAL, LEGAL

ROOT = Path(__file__).parents[2]
HOUSE = """\
variant: house
extends: nim
title: Nim
version: "1.0"
change:
  - {set: options.last.title, to: Who wins}
"""


class Repository:
    """A git repository that has the hooks, as they are defined, for the program as it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "logs"
        self.folder.mkdir()
        program = folder / "bin" / "altay"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m altay_cli "$@"\n')
        program.chmod(0o755)
        self.variables = {
            **os.environ,
            "PATH": os.pathsep.join([str(program.parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "PRE_COMMIT_HOME": str(folder / "kept"),
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            **{
                f"GIT_{who}_{what}": "ann@example.org"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        # All that differs is where the program comes from: to install it takes a minute.
        yaml = YAML(typ="safe")
        hooks = yaml.load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        local = [{**hook, "language": "system"} for hook in hooks]
        with (self.folder / ".pre-commit-config.yaml").open("w", encoding="utf-8") as file:
            yaml.dump({"repos": [{"repo": "local", "hooks": local}]}, file)
        self.call("git", "init", "--quiet")
        self.call(sys.executable, "-m", "pre_commit", "install")

    def call(self, *words: str) -> tuple[int, str]:
        """Call a program in the repository; give its exit code and what it said."""
        done = subprocess.run(
            words, cwd=self.folder, env=self.variables, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def commit(self, **files: str) -> tuple[int, str]:
        """Write files and commit them."""
        for name, text in files.items():
            path = self.folder / name.replace("_", ".")
            path.write_text(text, encoding="utf-8")
        self.call("git", "add", "--all")
        return self.call("git", "commit", "--message", "logs")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    pytest.importorskip("pre_commit")
    return Repository(tmp_path)


def test_sound_files_are_committed(repository: Repository) -> None:
    code, told = repository.commit(game_agn=LEGAL, house_yaml=HOUSE, notes_txt="play 3 Hunter")
    assert code == 0, told
    assert told.count("Passed") == 3


def test_mistakes_are_told_and_not_committed(repository: Repository) -> None:
    wrong = HOUSE.replace("options.last", "options.lats")
    code, told = repository.commit(game_agn=ILLEGAL, house_yaml=wrong)
    assert code == 1
    assert told.count("Failed") == 2
    assert "game.agn:15:" in told
    assert "did you mean `last`?" in told
    assert repository.call("git", "log")[0] != 0, "nothing was committed"


def test_what_is_not_canonical_is_written_anew_and_told(repository: Repository) -> None:
    code, told = repository.commit(game_agn=LEGAL.replace("  buy Farmer", "     buy   Farmer"))
    assert code == 1
    assert "files were modified by this hook" in told
    assert "\n  buy Farmer\n" in (repository.folder / "game.agn").read_text(encoding="utf-8")
    assert repository.commit()[0] == 0
