"""What is written harms no terminal and no CI system, whatever strangers put into names."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

import altay_cli
from altay_cli.report.text import BOLD, Line, inert, visible, width
from tests.cli.sample import ILLEGAL, LEGAL, OVER, put, run
from tests.small import LOG

PROGRAM = Path(altay_cli.__file__).parent
EVIL = "\x1b[31m\u202eAnn\x07\u2066\u2028\x9b2J"
COMMANDS = ("::error file=a.py::hello", "##vso[task.complete]hello", "##[error]hello")


def harmless(text: str) -> None:
    strange = {
        char for char in text if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    }
    assert strange <= {"\n"}, strange
    for line in text.splitlines():
        assert not line.lstrip().startswith("::"), line
        assert "##vso[" not in line
        assert "##[" not in line


def both(*arguments: str | Path, text: str = "") -> str:
    result = run(*arguments, text=text)
    harmless(result.stdout)
    harmless(result.stderr)
    return result.output


# ---------------------------------------------------------------- one place


def test_one_place_writes() -> None:
    writers = {"echo", "secho", "print", "pprint", "confirm", "prompt"}
    found = []
    for path in PROGRAM.rglob("*.py"):
        # What is said before any command is loaded has nothing of strangers in it.
        if path in {PROGRAM / "cli" / "output.py", PROGRAM / "cli" / "start.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            on_stream = (
                isinstance(called, ast.Attribute)
                and name in {"write", "writelines", "flush"}
                and "std" in ast.unparse(called.value)
            )
            if name in writers or on_stream:
                found.append(f"{path.name}:{node.lineno}")
    assert found == []


def test_lines_that_would_be_commands() -> None:
    assert inert("::error::x") == r"\::error::x"
    assert inert(" \t::error::x") == r"  \::error::x"
    assert inert("a ##vso[task]") == r"a #\#vso[task]"
    assert inert("###[x]") == r"##\#[x]"
    # What is none stays as it is.
    for text in ("a::b", ": :", "## [x]", "# of #[x]", "12 | ##", "#"):
        assert inert(text) == text


def test_what_is_replaced_keeps_its_width() -> None:
    for text in (EVIL, "a\tb\nc", "狩人\u3000x", "\ud800"):
        assert width(visible(text)) == width(text)
        assert visible(text).isprintable()


def test_parts_that_are_set_apart_are_parts_of_the_text() -> None:
    line = Line("a ", ("b\x1b", BOLD), " c")
    assert line == "a b\x1b c"
    assert line.styles == ((2, 4, BOLD),)


# ---------------------------------------------------------------- names from everywhere


@pytest.mark.parametrize("evil", [EVIL, *COMMANDS], ids=ascii)
def test_names_of_files(evil: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = evil.replace("/", "")
    Path(folder).mkdir()
    log, rules = Path(folder, "a.agn"), Path(folder, "v.yaml")
    log.write_text(ILLEGAL, encoding="utf-8")
    rules.write_text("variant: v\nextends: nim\ntitle: V\nchange: [{set: a.b, to: 1}]\n")
    assert "in-hand" in both("check", str(log))
    assert "Rank" in both("score", str(log))
    both("check", "--format", "json", str(log))
    both("fmt", "--check", str(log))
    both("moves", str(log))
    both("check", str(log), f"{folder}/missing")
    both("check", "--under", str(rules), str(log))
    both("rules", "check", str(rules), folder)
    both("rules", "check", "--format", "json", str(rules), folder)
    both("rules", "diff", "nim", str(rules))
    both("rules", "show", "--rules", str(rules), evil)
    both("rules", "show", evil)
    both("simulate", "--variant", str(rules), "--tag", evil)
    both("explain", evil, "--game", "nim")
    both("explain", "--game", evil)
    both("check", f"--{evil}")
    both(evil)
    both("check", "--format", evil, "-")


@pytest.mark.parametrize("evil", ["\u202eAnn\u2066", "::error::Ann", "##vso[x]Ann"], ids=ascii)
def test_names_of_players_and_tags(evil: str) -> None:
    text = ILLEGAL.replace("Ann", f'"{evil}"').replace("Tuesday table", evil)
    for arguments in (["check"], ["score"], ["score", "--explain"], ["moves"]):
        both(*arguments, "-", text=text)
        both(*arguments, "--format", "json", "-", text=text)


RULES = """\
variant: v
extends: pebbles
title: "{evil}"
description: "{evil}"
change:
  - set: moves.take.requires.one-stone.cite
    to: {{"en": "{evil}"}}
  - set: categories.worth.title
    to: "{evil}"
  - set: categories.worth.cite
    to: {{"en": "{evil}"}}
  - set: moves.take.requires.one-stone.else
    to: "{evil}"
"""


@pytest.mark.parametrize("evil", ["\\u202eAnn\\u2066", "::error::Ann", "##vso[x]Ann"])
@pytest.mark.usefixtures("pebbles")
def test_titles_and_citations_of_house_rules(evil: str, tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text(RULES.format(evil=evil), encoding="utf-8")
    tagged = LOG.replace("setup", '[Variant "v.yaml"]\nsetup').replace(
        "take red", "take red; take red"
    )
    (log,) = put(tmp_path, log=tagged)
    assert "one-stone" in both("check", log)
    both("score", "--explain", log)
    both("rules", "check", tmp_path / "v.yaml")
    both("rules", "diff", "pebbles", tmp_path / "v.yaml")
    both("rules", "show", "categories", "--rules", tmp_path / "v.yaml")


def test_json_is_the_same_to_who_reads_it(tmp_path: Path) -> None:
    evil = "\u202eAnn ##vso[x] \U000e0041 狩人"
    text = LEGAL.replace("Tuesday table", evil)
    shown = both("check", "--format", "json", "-", text=text)
    assert "狩人" in shown
    assert json.loads(shown)["files"][0]["games"][0]["tags"]["Event"] == evil


# ---------------------------------------------------------------- who reads it


def process(*arguments: str | Path, out: int, text: str = "") -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "altay_cli", *map(str, arguments)],
        input=text,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def gone() -> int:
    """Return a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize(
    ("arguments", "text", "code"),
    [
        (["explain"], "", 0),
        (["check", "-"], OVER, 0),
        (["check", "-"], ILLEGAL, 1),
        (["check", "--format", "json", "-"], ILLEGAL, 1),
        (["score", "-"], OVER, 0),
    ],
)
def test_a_reader_who_has_read_enough(arguments: list[str], text: str, code: int) -> None:
    out = gone()
    assert process(*arguments, out=out, text=text) == (code, "")
    os.close(out)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("arguments", [["explain"], ["check", "--format", "json", "-"]])
def test_a_disk_that_is_full(arguments: list[str]) -> None:
    out = os.open("/dev/full", os.O_WRONLY)
    code, told = process(*arguments, out=out, text=OVER)
    os.close(out)
    assert code == 2
    assert told == "altay: the output cannot be written: no space left on device\n"


def test_colours_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    import pty

    reader, writer = pty.openpty()
    code, _ = process("check", "-", out=writer, text=ILLEGAL)
    os.close(writer)
    shown = os.read(reader, 100_000).decode()
    os.close(reader)
    assert code == 1
    assert "\x1b[31m\x1b[1merror\x1b[0m" in shown
    assert "\x1b" not in run("check", "-", text=ILLEGAL).stdout
