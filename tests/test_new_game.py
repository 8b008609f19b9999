"""docs/new-game.md, followed to the letter: its files are written, its commands run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.checking import tags
from altay_cli.cli.main import main

PAGE = Path(__file__).parent.parent / "docs" / "new-game.md"
BLOCK = re.compile(
    r"^```\w+\n# (?P<file>\S+)\n(?P<text>.*?)^```$|(?P<run>(?:^    [^\n]*\n)+)",
    re.MULTILINE | re.DOTALL,
)


def steps() -> Iterator[tuple[str, str]]:
    """Yield what the page says to do: a file with its text, or `$` and a command with its output."""
    for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if found["file"]:
            yield found["file"], f"# {found['file']}\n{found['text']}"
            continue
        lines = [line[4:].rstrip() for line in found["run"].splitlines()]
        command = ""
        output: list[str] = []
        for line in [*lines, "$ "]:
            if line.startswith("$ "):
                if command:
                    yield command, "\n".join(output)
                command, output = line, []
            else:
                output.append(line)


def said(wanted: str, found: str) -> bool:
    """Tell whether an output is the one of the page, where `...` stands for anything."""
    pattern = ".*".join(re.escape(part.strip()) for part in wanted.split("..."))
    return re.fullmatch(pattern, found.strip(), re.DOTALL) is not None


def test_the_page_to_the_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALTAY_CACHE", "off")
    monkeypatch.setenv("ALTAY_PACKS", "")
    done = 0
    for what, text in steps():
        done += 1
        if not what.startswith("$ "):
            Path(what).write_text(text, encoding="utf-8")
            tags.forget_rules()
            continue
        program, *arguments = shlex.split(what[2:])
        assert program == "altay"
        if arguments[0] == "simulate":
            arguments += ["--processes", "1"]
        result = CliRunner().invoke(main, arguments)
        assert said(text, result.output), f"{what}\n{result.output}"
    assert done >= 15


def test_a_new_game_is_not_written_over_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noughts").mkdir()
    result = CliRunner().invoke(main, ["rules", "new-game", "noughts"])
    assert result.exit_code != 0
    assert "noughts exists already" in result.output
    result = CliRunner().invoke(main, ["rules", "new-game", "../out"])
    assert result.exit_code != 0
    assert "lower-case words" in result.output
    assert list((tmp_path / "noughts").iterdir()) == []


@pytest.mark.parametrize("base", ["chess", "gofish", "altay", "innovation"])
def test_a_game_begun_from_another_is_sound(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["rules", "new-game", "harbour", "--like", base])
    assert result.exit_code == 0, result.output
    result = CliRunner().invoke(main, ["rules", "check", "harbour", "--play", "0"])
    assert result.output == "harbour: no errors\n"
    result = CliRunner().invoke(main, ["check", "--packs", ".", "harbour/example.agn"])
    assert result.output == "1 game: legal\n"
    assert '[Game "harbour"]' in (tmp_path / "harbour/example.agn").read_text("utf-8")
    assert not (tmp_path / "harbour/messages").exists()
    for path in (tmp_path / "harbour").rglob("*.yaml"):
        first = path.read_text("utf-8").splitlines()[0]
        assert (path.parent / first.partition("$schema=")[2]).is_file()


def test_a_game_is_not_begun_from_one_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["rules", "new-game", "harbour", "--like", "ludo"])
    assert result.exit_code != 0
    assert "there are no rules `ludo`; there is: altay, " in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_nothing_reads_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["rules", "new-game", "noughts"]).exit_code == 0
    (tmp_path / "noughts" / "score.yaml").write_text("categories: {}\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["rules", "check", "noughts"])
    assert "score.yaml:1:1: warning: `score.yaml` is not a file of the rules" in result.output
    assert "did you mean `scoring.yaml`?" in result.output
    assert result.exit_code == 0
