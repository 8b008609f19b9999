"""Beginning: `altay new`, completion in shells, hooks of pre-commit; and what is told meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from altay_cli.cli import output
from altay_cli.cli.files import rounds
from altay_cli.cli.main import COMMANDS, main
from tests.cli.sample import LEGAL, put, run

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "Ann,Bob", "--variant", "trading"],
        ["--players", "Ann, Bob C,Cleo,Dan", "--tag", "Map=full", "--seed", "1"],
        ["--players", "Ann,Bob", "--game", "chess"],
        ["--players", "Ann,Bob", "--game", "innovation"],
    ],
)
def test_a_new_log_is_legal_and_goes_on(options: list[str]) -> None:
    log = run("new", *options).stdout
    checked = run("check", "--strict", "-", text=log)
    assert checked.stdout.endswith("1 game: legal\n")
    assert log.rstrip().splitlines()[-1].startswith("turn 1 ")
    assert run("fmt", "--check", "-", text=log).exit_code == 0


def test_a_new_log_holds_what_was_asked_for() -> None:
    options = ["--players", "Ann,Bob", "--variant", "trading", "--tag", "Date=2026.01.02"]
    log = run("new", *options, "--seed", "3").stdout
    head = ['[Game "altay"]', '[Variant "trading"]', '[Date "2026.01.02"]', "", "setup"]
    assert log.splitlines()[:5] == head
    assert run("new", *options, "--seed", "3").stdout == log


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--players", "Ann"], "1 player: the game is for 2 to 4"),
        (["--players", "Ann,Ann"], "Ann"),
        (["--players", "Ann,Bob", "--variant", "nope"], "there is no variant `nope`"),
        (["--players", "Ann,Bob", "--variant", "../x.yaml"], "in its own folder"),
        (["--players", "Ann,Bob", "--game", "go"], "there is no rules pack `go`"),
        (["--players", "Ann,Bob", "--tag", "x"], "NAME=VALUE"),
        (["--players", "Ann,Bob", "--tag", "My tag=x"], "expected a quoted text, not `tag`"),
        (["--players", "Ann,Bob", "--tag", "Game=chess"], "a second tag Game in this game"),
    ],
)
def test_what_cannot_be_begun(options: list[str], told: str) -> None:
    result = run("new", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_setup_to_fill_in_has_a_gap_for_all_that_a_table_draws() -> None:
    log = run("new", "--players", "Ann,Bob", "--blank", "--tag", "Date=2026.01.02").stdout
    assert log.splitlines()[:7] == [
        '[Game "altay"]', '[Date "2026.01.02"]', "", "setup",
        "  # Take a seat and choose a faction:",
        "  # seat Ann as <faction>",
        "  # seat Bob as <faction>",
    ]  # fmt: skip
    assert "  # marker <value> [<resource>] on <where>\n" in log
    assert "  # Bob: settle <where>\n  # Ann: settle <where>\n" in log
    chess = run("new", "--players", "Ann,Bob", "--rules", "chess", "--blank").stdout
    assert chess.endswith("setup\n  seat Ann\n  seat Bob\n")
    assert run("new", "--players", "Ann,Bob", "--blank", "--seed", "1").exit_code == 2
    assert run("new", "--players", "Ann", "--blank").exit_code == 2


@pytest.mark.parametrize(
    "command",
    [["new", "--players", "Ann,Bob", "--seed", "1"], ["explain"], ["cards"]],
)
def test_rules_are_chosen_by_their_name_and_by_the_older_spelling(command: list[str]) -> None:
    by_rules, by_game = (run(*command, option, "gofish") for option in ("--rules", "--game"))
    assert by_rules.exit_code == 0
    assert by_rules.stdout == by_game.stdout != run(*command).stdout


def test_shells_complete_commands_options_and_files() -> None:
    def complete(words: str) -> list[str]:
        environment = {
            **os.environ, "_ALTAY_COMPLETE": "bash_complete",
            "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1),
        }  # fmt: skip
        command = [sys.executable, "-m", "altay_cli"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert complete("altay ch") == ["plain,check"]
    assert complete("altay check --format s") == ["plain,sarif"]
    assert complete("altay check ga") == ["file,ga"]
    for shell in ("bash", "zsh", "fish"):
        assert f"_ALTAY_COMPLETE={shell}_complete" in run("completion", shell).stdout
    assert run("completion", "tcsh").exit_code == 2


@pytest.mark.parametrize(
    ("shell", "asked", "answer"),
    [
        ("bash", "source {}; complete -p altay", "complete -o nosort -F _altay_completion altay"),
        # Nothing but this in ~/.zshrc: `compdef` is not there.
        ("zsh", "source {}; print $_comps[altay]", "_altay_completion"),
        ("fish", "source {}; complete -C 'altay ch'", "check\tCheck recorded games move by move."),
    ],
)
def test_shells_run_what_is_printed(shell: str, asked: str, answer: str, tmp_path: Path) -> None:
    program = tmp_path / "altay"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m altay_cli "$@"\n')
    program.chmod(0o755)
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_text(run("completion", shell).stdout)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }
    options = ["-f"] if shell == "zsh" else []
    done = subprocess.run(
        [found, *options, "-c", asked.format(script)],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == (answer, "")


def test_hooks_name_commands_that_there_are() -> None:
    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["altay-check", "altay-fmt", "altay-rules-check"]
    for hook in hooks:
        program, command, *options = hook["entry"].split()
        assert (program, command in COMMANDS, hook["language"]) == ("altay", True, "python")
        help_text = run(
            command, *[option for option in options if option == "check"], "--help"
        ).stdout
        for option in options:
            assert option in help_text or not option.startswith("-"), help_text


def test_files_are_looked_at_again_when_they_change(tmp_path: Path) -> None:
    log, other = put(tmp_path, log=LEGAL, other=LEGAL)
    waited: list[int] = []

    def pause() -> None:
        waited.append(1)
        if len(waited) == 2:
            log.write_text(LEGAL + "# more\n")
        elif len(waited) == 4:
            (tmp_path / "house.yaml").write_text("x")
        elif len(waited) == 6:
            other.unlink()
        elif len(waited) == 8:
            raise KeyboardInterrupt

    turns: list[int] = []
    changes = rounds((str(tmp_path),), pause)
    with pytest.raises(KeyboardInterrupt):
        while True:
            next(changes)
            turns.append(len(waited))
    assert turns == [0, 2, 4, 6]
    assert run("check", "--watch", "-").exit_code == 2


class Terminal:
    """Keeps what is shown on a terminal, and a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.shown: list[str] = []
        monkeypatch.setattr("time.time", lambda: self.now)
        monkeypatch.setattr(output, "status", self.shown.append)


def test_how_long_it_takes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch)
    told = output.Progress("checking", 100)
    for _ in range(50):
        terminal.now += 0.4
        told.add(1, "b.agn")
    bar = "#" * 10 + "-" * 10
    shown = f"checking  [{bar}]   50%  00:00:20  50 games, 2.5 a second, b.agn"
    assert terminal.shown[-1] == shown
    told.end()
    assert terminal.shown[-1] == ""


def test_of_work_without_an_end_in_sight_it_is_told_how_fast_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal(monkeypatch)
    told = output.Progress("checking", None)
    for _ in range(8):
        terminal.now += 0.5
        told.add(1, "games.zip/b.agn")
    assert terminal.shown[-1].startswith("checking  [")
    assert terminal.shown[-1].endswith("]  8 games, 2.0 a second, games.zip/b.agn")


def test_what_is_quick_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch)
    told = output.Progress("checking", 100)
    for _ in range(10):
        terminal.now += 0.09
        told.add(10)
    told.end()
    assert terminal.shown == [""]


def test_what_is_told_of_progress_gives_way_to_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def echo(text: str, *, err: bool) -> None:
        written.append(f"{text}!" if err else text)

    monkeypatch.setattr(output, "on_terminal", lambda *, err=False: err)
    monkeypatch.setattr(output, "_echo", echo)
    output.status("half")
    output.status("more")
    output.status("more")
    output.print_line("a line")
    output.print_line("another")
    erase = "\r\x1b[K"
    assert written == [f"{erase}half!", f"{erase}more!", f"{erase}!", "a line\n", "another\n"]


def test_all_commands_can_be_loaded() -> None:
    context = main.make_context("altay", ["check", "x"], resilient_parsing=True)
    assert all(main.get_command(context, name) is not None for name in main.list_commands(context))  # type: ignore[attr-defined]
