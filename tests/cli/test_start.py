"""How the command starts: help, version, completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from altay_cli.base.version import __version__
from altay_cli.cli.main import COMMANDS, RULES, main
from tests.cli.sample import run

FULL = Path("/dev/full")


def started(*words: str, **environ: str) -> str:
    """Return what the command prints, run as a process of its own."""
    command = [sys.executable, "-m", "altay_cli", *words]
    env = {**os.environ, **environ}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout


def test_help_has_a_line_for_each_command_and_imports_none() -> None:
    script = (
        "import sys; from altay_cli.cli.main import main\n"
        "try: main(['--help'])\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    for name, (_, line) in COMMANDS.items():
        assert f"  {name} " in found.stdout
        assert line in found.stdout
    modules = {module for module, _ in (*COMMANDS.values(), *RULES.values())}
    assert modules & {*found.stderr.split()} == {main.callback.__module__}


@pytest.mark.parametrize("command", ["check", "score"])
def test_whoever_reads_a_log_loads_no_reader_of_rule_files(command: str) -> None:
    game = str(Path(__file__).parents[2] / "games" / "tie.agn")
    started("check", game)  # its rules are in the cache from here on
    script = (
        "import sys; from altay_cli.cli.main import main\n"
        f"try: main([{command!r}, {game!r}])\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "tie.agn" in found.stdout or "1 game" in found.stdout
    assert not {"jinja2", "jsonschema", "lark", "ruamel.yaml"} & {*found.stderr.split()}


def test_a_narrow_terminal_has_narrow_lines() -> None:
    assert max(map(len, started("--help", COLUMNS="60").splitlines())) <= 60


def test_completion_is_left_to_click() -> None:
    assert "complete" in started("--version", _ALTAY_COMPLETE="bash_source")


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
def test_what_cannot_be_written_is_told() -> None:
    with FULL.open("w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "altay_cli", "--version"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert found.returncode == 2
    assert found.stderr.startswith("altay: the output cannot be written")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chek", "x.agn"], "No such command 'chek'. Did you mean 'check'?"),
        (["rules", "dif", "a", "b"], "No such command 'dif'. Did you mean 'diff'?"),
        (["xyzzy"], "No such command 'xyzzy'."),
    ],
)
def test_a_command_that_is_misspelled_is_suggested(words: list[str], told: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"Error: {told}\n")


def test_the_version_says_whether_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    from altay_cli.base import budget

    for place, kind in (("budget.py", "pure Python"), ("budget.cp311-win.pyd", "compiled")):
        monkeypatch.setattr(budget, "__file__", place)
        result = run("--version")
        assert (result.exit_code, result.output) == (0, f"altay {__version__} ({kind})\n")
