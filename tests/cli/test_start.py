"""What `altay` says of itself without click is what click says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.cli.main import main

FULL = Path("/dev/full")


def started(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    script = (
        "import sys; from altay_cli.cli.start import main\n"
        "try: main()\n"
        "finally: print('click' in sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, *words]
    env = {**os.environ, **environ}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env)


@pytest.mark.parametrize("word", ["--help", "-h", "--version"])
def test_click_is_not_needed(word: str) -> None:
    found = started(word, COLUMNS="80")
    assert found.stderr == "False\n"
    assert found.stdout == CliRunner().invoke(main, [word], prog_name="altay").stdout


def test_a_narrow_terminal_has_narrow_lines() -> None:
    found = started("--help", COLUMNS="60")
    assert found.stderr == "True\n"
    assert max(map(len, found.stdout.splitlines())) <= 60


def test_completion_is_left_to_click() -> None:
    found = started("--version", _ALTAY_COMPLETE="bash_source")
    assert "complete" in found.stdout


def test_other_words_are_left_to_click() -> None:
    found = started("fmt", "--help")
    assert found.stderr == "True\n"
    assert "Usage: altay fmt" in found.stdout


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
def test_what_cannot_be_written_is_told() -> None:
    with FULL.open("w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "altay_cli", "--version"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert found.returncode == 2
    assert found.stderr.startswith("altay: the output cannot be written")
