"""What the documentation shows is what happens: its programs, commands, logs and documents."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from altay_cli.source.yaml_reader import read_yaml
from tests.cli.sample import run

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^ {4}.*\n|^\n)+", re.MULTILINE)


def text_of(name: str, section: str | None = None) -> str:
    """Return a page, or one section of it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if section is None:
        return text
    begin = text.index(f"\n## {section}\n")
    end = text.find("\n## ", begin + 1)
    return text[begin : end if end > 0 else None]


def blocks(text: str) -> list[str]:
    """Return the indented blocks of a page."""
    found = (block[0].strip("\n") for block in INDENTED.finditer(text))
    return ["\n".join(line[4:] for line in block.split("\n")) + "\n" for block in found if block]


def executed(program: str, names: dict[str, Any]) -> str:
    """Run a program of the documentation; returns what it prints."""
    out = StringIO()
    with redirect_stdout(out):
        exec(compile(program, "<documentation>", "exec"), names)  # noqa: S102 - our own
    return out.getvalue()


# ---------------------------------------------------------------- programs


def test_the_programs_of_the_page_on_playing() -> None:
    names: dict[str, Any] = {}
    printed, shown = "", 0
    for language, block in FENCED.findall(text_of("docs/playing.md")):
        if language == "python":
            printed = executed(block, names)
        else:
            assert language == "text"
            assert printed == block
            shown += 1
    assert shown >= 6


def test_the_bot_of_the_readme() -> None:
    (program,) = [block for block in blocks(text_of("README.md")) if "new_game" in block]
    assert len(program.splitlines()) <= 10
    assert executed(program, {}) in {"won by Ann\n", "won by Bob\n", "won by Ann Bob\n"}
    # The page on playing begins with the same one.
    assert FENCED.findall(text_of("docs/playing.md"))[0] == ("python", program)


def test_the_checker_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = [block for block in blocks(text_of("README.md")) if "check_text" in block]
    log = (ROOT / "games" / "tie.agn").read_text(encoding="utf-8")
    log = log.replace("seat Clara", "seat Klara")
    (tmp_path / "game.agn").write_text(log, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    *findings, ranking = executed(program, {}).splitlines()
    # Clara, who has no seat, chooses a starting territory.
    line = log.splitlines().index("  Clara: settle F1") + 1
    assert [found for found in findings if found.startswith(f"{line} unknown-player ")]
    assert "Klara" in ranking


# ---------------------------------------------------------------- rules

SHOWN = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RULES = ("rules", "tests/engine/banquet", "tests/packs")
"""The games out of whose files pages show something."""


def data_of(text: str) -> Any:
    """Return what a text in YAML holds."""
    document, problems = read_yaml(text, "shown.yaml")
    assert document is not None, (text, problems)
    return document.data


def rule_files() -> list[Any]:
    """Return what stands in the rule files of the games."""
    paths = [path for game in RULES for path in sorted((ROOT / game).rglob("*.yaml"))]
    return [data_of(path.read_text(encoding="utf-8")) for path in paths]


def is_part(shown: Any, there: Any) -> bool:
    """Tell whether what a page shows stands in a file; `...` and keys left out stand for the rest."""
    if shown == "...":
        return True
    if isinstance(shown, dict):
        return isinstance(there, dict) and all(
            key in there and is_part(value, there[key]) for key, value in shown.items()
        )
    if isinstance(shown, list):
        rest = iter(there if isinstance(there, list) else ())
        return all(any(is_part(one, other) for other in rest) for one in shown)
    return bool(shown == there)


def anywhere(shown: Any, there: Any) -> bool:
    """Tell whether what a page shows stands in a file, or in a part of it."""
    inner = there.values() if isinstance(there, dict) else there if isinstance(there, list) else ()
    return is_part(shown, there) or any(anywhere(shown, part) for part in inner)


def test_rules_that_pages_show_stand_in_the_files() -> None:
    files = rule_files()
    pages = ["docs/house-rules.md", *(f"docs/{one.name}" for one in DOCS.glob("rules*.md"))]
    excerpts = [(page, text) for page in pages for text in SHOWN.findall(text_of(page))]
    excerpts += [("README.md", text) for text in blocks(text_of("README.md")) if "does:" in text]
    assert len(excerpts) >= 20
    made_up = []
    for page, text in excerpts:
        shown = data_of(text)
        if "variant" in shown:
            made_up.append(shown["variant"])  # a variant that nobody ships, as a first example
        else:
            assert any(anywhere(shown, there) for there in files), (page, text)
    assert made_up == ["hand-six"]


def test_an_excerpt_that_no_file_has_is_found() -> None:
    (shown,) = [text for text in blocks(text_of("README.md")) if "does:" in text]
    files = rule_files()
    for old, new in (("bought-twice", "bought-thrice"), ("to: reserve", "to: box"), ("<", ">")):
        assert not any(anywhere(data_of(shown.replace(old, new)), file) for file in files)


# ---------------------------------------------------------------- commands


def commands(text: str) -> Iterator[list[str]]:
    """Yield the calls of `altay` in indented blocks, each as its arguments."""
    for block in blocks(text):
        for line in block.splitlines():
            if line.startswith("altay "):
                yield shlex.split(line, comments=True)[1:]


COMMANDS = ["first-log", "house-rules", "rules", "simulate", "viewing"]
"""The pages whose commands are run."""


@pytest.mark.parametrize("page", [f"docs/{name}.md" for name in COMMANDS])
def test_commands_work_as_they_are_written(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the top of the repository; games are only few, because there is no time for more."""
    for folder in ("games", "rules", "schemas"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    ran = 0
    for arguments in commands(text_of(page)):
        if any(word.isupper() and len(word) > 1 for word in arguments):
            continue  # FILE, DIR: stands for something
        if arguments[0] == "page":
            continue  # serves until it is stopped: see tests/web/test_page.py
        if "--games" in arguments:
            arguments[arguments.index("--games") + 1] = "2"
            arguments += ["--max-rounds", "2", "--processes", "1"]
        result = run(*arguments)
        assert result.exit_code == (MISTAKES in arguments), (arguments, result.stderr)
        assert result.stderr == "" or arguments[0] == "simulate", (arguments, result.stderr)
        ran += 1
    assert ran


def test_the_commands_that_pages_name_in_passing() -> None:
    text = text_of("README.md") + text_of("docs/first-log.md") + text_of("docs/commands.md")
    named = [
        shlex.split(command)[1:]
        for command in re.findall(r"`(altay [^`]+)`", text)
        if not re.search(r"[A-Z]{3}", command)
    ]
    # A command without its arguments is only a name.
    bare = (["rules", "check"], ["fmt", "--diff"], ["check", "--fix"])
    whole = [some for some in named if len(some) > 1 and some not in bare]
    assert ["completion", "bash"] in whole
    assert ["explain", "bought-twice"] in [*commands(text), *whole]
    for arguments in whole:
        result = run(*[word.replace("games/", f"{ROOT}/games/") for word in arguments])
        assert result.exit_code == 0, (arguments, result.stderr)


def test_the_list_of_moves_that_a_page_shows() -> None:
    (call, *shown) = blocks(text_of("docs/viewing.md", "Legal moves"))[0].split("\n", 2)
    arguments = shlex.split(call)[1:]
    result = run(*[word.replace("games/", f"{ROOT}/games/") for word in arguments])
    assert result.stdout.replace(f"{ROOT}/", "") == "\n".join(shown).lstrip("\n")


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), ROOT / "attack" / "README.md", *DOCS.rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
            path, _, anchor = target.partition("#")
            if "://" in path:
                continue
            other = page.parent / path if path else page
            assert other.exists(), (page, target)
            if anchor:
                titles = re.findall(r"^#+ (.*)$", other.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in map(slug, titles), (page, target)


def slug(title: str) -> str:
    """Return the anchor that a heading gets."""
    return re.sub(r"[^\w -]", "", title.casefold()).replace(" ", "-")


# ---------------------------------------------------------------- documents


@pytest.mark.parametrize(
    ("section", "arguments"),
    [("An example", ["check", "walk.agn"]), ("Legal moves", ["moves", "attack.agn"])],
)
def test_the_documents_shown(
    section: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of("docs/json.md", section)
    log = next(block for block in blocks(text) if block.startswith("[Game"))
    (tmp_path / arguments[1]).write_text(log, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = [block for language, block in FENCED.findall(text) if language == "json"]
    assert run(*arguments, "--format", "json").stdout == shown[0]


def test_the_finding_that_the_first_look_at_rules_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = next(block for block in blocks(text_of("docs/json.md")) if block.startswith("[Game"))
    (tmp_path / "walk.agn").write_text(walk, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (shown,) = [one for one in blocks(text_of("docs/rules.md")) if one.startswith("walk.agn")]
    assert shown in run("check", "walk.agn").stdout


MISTAKES = "games/mistakes.agn"
"""The game that is there to be found wrong: its mistakes, by hand."""

WRONG = [(25, "bought-twice"), (26, "attack-weak"), (32, "develop-lacking"), (33, "in-hand")]
"""Two Farmers; 2 against 2; Masonry with stone that Bob lacks; a second Loremaster that he lacks."""


def found_in_mistakes() -> str:
    """Return what `altay check` prints of that game, as the first command of the README calls it."""
    result = run("check", str(ROOT / MISTAKES))
    assert result.exit_code == 1
    return result.stdout.replace(f"{ROOT}/", "")


def test_the_mistakes_of_the_first_game_are_found() -> None:
    found = re.findall(
        r"^games/mistakes\.agn:(\d+):\d+: error: .* \[(.+)\]$", found_in_mistakes(), re.MULTILINE
    )
    assert [(int(line), rule) for line, rule in found] == WRONG


@pytest.mark.parametrize("page", ["README.md", "docs/first-log.md"])
def test_the_log_and_the_findings_of_the_first_game(page: str) -> None:
    """A page shows a part of the log (`...` stands for the rest), and findings as they are printed."""
    there = iter(text_of(MISTAKES).splitlines())
    log = next(one for one in blocks(text_of(page)) if one.startswith("[Game"))
    assert all(line in there for line in log.splitlines() if line.strip() not in {"", "..."})
    printed = found_in_mistakes()
    shown = [one for one in blocks(text_of(page)) if one.startswith(f"{MISTAKES}:")]
    assert shown
    assert all(one in printed for one in shown)


def test_the_first_command_of_the_readme_checks_and_scores() -> None:
    setup, tests = (
        one for one in blocks(text_of("README.md")) if one.startswith("python3 -m venv")
    )
    assert len(setup.splitlines()) == len(tests.splitlines()) == 1
    ran = [part.split() for part in re.split(r"&&|;", setup) if "/altay " in part]
    assert [one[1] for one in ran] == ["check", "score"]
    exit_codes = [run(*one[1:-1], str(ROOT / one[-1])).exit_code for one in ran]
    assert exit_codes == [1, 0]


def test_ci_runs_what_contributing_says() -> None:
    """`.ci/run` takes the commands from the page; this is what it finds there."""
    ci, page = text_of(".ci/run"), text_of("CONTRIBUTING.md")
    assert "grep -E '^    \\.venv/bin/' CONTRIBUTING.md | grep -v ' pip install '" in ci
    ran = [
        one
        for one in re.findall(r"^    (\.venv/bin/.*)$", page, re.MULTILINE)
        if " pip install " not in one
    ]
    for wanted in (
        "ruff check .",
        "ruff format --check .",
        "mypy",
        "pytest -n auto",
        "bench/hot.py",
    ):
        assert any(wanted in one for one in ran), wanted


def test_what_nobody_wrote_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = blocks(text_of("docs/hidden.md"))
    log, shown = (
        next(one for one in page if one.startswith(begin)) for begin in ("[Game", "game.agn")
    )
    (tmp_path / "game.agn").write_text(log, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert shown in run("check", "game.agn").stdout


@pytest.mark.parametrize(
    ("page", "most"), [("README.md", 150), ("docs/rules.md", 120), ("docs/cheat-sheet.md", 60)]
)
def test_what_is_read_first_is_short(page: str, most: int) -> None:
    assert len(text_of(page).splitlines()) <= most


NAMED = re.compile(r"\[`([\w.]+)`\]\(\.\./(altay_cli/[\w/]+\.py)\)")
"""A name of the program on a page, with a link to the module that has it."""


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/glossary.md"])
def test_the_names_of_the_program_are_where_the_page_says(page: str) -> None:
    named = NAMED.findall(text_of(page))
    for name, module in named:
        code = (ROOT / module).read_text("utf-8")
        for part in name.split("."):
            defined = rf"^ *(?:def|class) {part}\b|^ *{part}\b *[:=]"
            assert re.search(defined, code, re.MULTILINE), (name, module)
    assert len(named) >= 20


def test_the_modules_in_which_rooms_begin_are_there() -> None:
    rows = re.findall(
        r"^\| `(\w+)/` \|.*\| (.*) \|$", text_of("docs/architecture.md"), re.MULTILINE
    )
    assert len(rows) >= 18
    for room, modules in rows:
        for module in re.findall(r"`(\w+\.py)`", modules):
            assert (ROOT / "altay_cli" / room / module).is_file(), (room, module)


def tables(text: str) -> list[list[str]]:
    """Return the tables of a page, each as the names in its first column."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith("| `"):
            found[-1] += re.findall(r"`(\w+)`", line.split("|")[1])
        elif found[-1]:
            found.append([])
    return [table for table in found if table]


def test_the_keys_of_the_document_of_moves() -> None:
    of_document, of_move = tables(text_of("docs/json.md", "Legal moves"))
    game = str(ROOT / "games" / "two-players.agn")
    for at in ("turn 1 Marta", "turn 9 Jonas"):
        document = json.loads(run("moves", game, "--at", at, "--format", "json").stdout)
        assert sorted(document) == sorted(of_document)
        assert document["moves"]
        for move in document["moves"]:
            assert sorted(move) == sorted(of_move)
            assert types(move) == {
                "statement": str, "move": str, "kind": str, "id": str, "title": str,
                "player": str, "slots": dict, "draws": bool,
            }  # fmt: skip
            assert {type(value) for value in move["slots"].values()} <= {str}
        assert types(document) == {
            "path": str, "round": int, "player": str, "ended": bool, "decision": type(None),
            "errors_before": int, "moves": list, "complete": bool,
        }  # fmt: skip


def types(document: dict[str, Any]) -> dict[str, type]:
    """Return the types of the values of an object."""
    return {key: type(value) for key, value in document.items()}
