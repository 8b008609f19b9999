"""The library under one import: every public name is there, and says what goes in and out."""

from __future__ import annotations

import inspect
import json
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import altay_cli
from altay_cli.base.findings import Finding
from tests.cli.sample import document, run
from tests.logs import GAMES


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions and methods of the library, by name."""
    for name in altay_cli.__all__:
        thing = getattr(altay_cli, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for inner, method in inspect.getmembers(thing, inspect.isfunction):
                if not inner.startswith("_") and method.__module__.startswith("altay_cli"):
                    yield f"{name}.{inner}", method


FUNCTIONS = dict(functions())


def told(function: Callable[..., Any]) -> set[str]:
    """Return what a docstring has a section about: arguments, results, what is raised."""
    text = inspect.getdoc(function) or ""
    return {one for one in ("Args", "Returns", "Yields", "Raises") if f"\n{one}:\n" in text}


def test_all_names_are_there_and_described() -> None:
    for name in altay_cli.__all__:
        thing = getattr(altay_cli, name)
        assert isinstance(thing, str) or (thing.__doc__ or "").strip(), name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = altay_cli.nothing  # type: ignore[attr-defined]


def test_what_there_is_can_be_listed() -> None:
    assert set(altay_cli.__all__) <= set(dir(altay_cli))
    assert "check_text" in pydoc.plain(pydoc.render_doc(altay_cli))


def test_a_folder_can_be_a_text(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(
        "variant: one\nextends: nim\ntitle: One\nchange:\n  - {set: title, to: One}\n",
        encoding="utf-8",
    )
    text = '[Game "nim"]\n[Variant "one.yaml"]\nsetup\n  seat Ann\n  seat Bob\n  heap A of 3\n'
    assert altay_cli.open_game(text, folder=str(tmp_path)).findings == []
    assert altay_cli.check_text(text, folder=str(tmp_path)).games[0].findings == []


def test_one_text_is_no_list_of_players() -> None:
    with pytest.raises(TypeError, match="a list of names, not the text 'Ann'"):
        altay_cli.new_game("chess", "Ann")


def test_the_import_alone_loads_nothing() -> None:
    code = "import sys, altay_cli; print(*sorted(m for m in sys.modules if 'altay' in m))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert loaded == ["altay_cli", "altay_cli.base", "altay_cli.base.version"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_docstring_says_what_goes_in_what_comes_out_and_what_is_raised(name: str) -> None:
    function = FUNCTIONS[name]
    text = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    parameters = [one for one in signature.parameters if one != "self"]
    missing = [one for one in parameters if not re.search(rf"\b{one}\b", text)]
    assert missing == []
    if signature.return_annotation != "None":
        first = text.split(None, 1)[0]
        assert first in {"Return", "Yield", "List", "Tell"} or told(function) & {
            "Returns",
            "Yields",
        }
    if "raise " in inspect.getsource(function):
        assert "Raises" in told(function) or re.search(r"(?i)\braises? ", text)


def test_a_program_needs_one_import() -> None:
    report = altay_cli.check_text('[Game "nim"]\n')
    (finding, *_) = report.games[0].findings
    assert isinstance(finding, Finding)
    assert altay_cli.evaluate("1 + 2") == 3


# ---------------------------------------------------------------- as data, and in short

OPEN = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: completed Writing, Commerce, Ark
  Ann: settlements 2 F2
  Bob: settlements F6
"""
"""Whether the Ark was Ann's secret wonder is not recorded, so that her points are open."""


def logs() -> dict[str, str]:
    """Return logs of all kinds: legal, with errors, open, a pad, by other rules, and none at all."""
    return {
        "legal": (GAMES / "tie.agn").read_text(encoding="utf-8"),
        "mistakes": (GAMES / "mistakes.agn").read_text(encoding="utf-8"),
        "open": OPEN,
        "chess": (GAMES / "classics" / "chess.agn").read_text(encoding="utf-8"),
        "pad": '[Game "altay"]\nresult\n  Ann: score 3\n  Bob: score 2\n  winner Ann\n',
        "no rules": '[Game "ludo"]\n',
        "no log": "nothing\n",
    }


@pytest.mark.parametrize("name", logs())
def test_a_report_as_data_is_what_the_command_writes(name: str) -> None:
    text = logs()[name]
    report = altay_cli.check_text(text, "-")
    assert report.to_dict() == document("check", "-", text=text)
    explained = json.loads(run("score", "-", "--explain", "--format", "json", text=text).stdout)
    assert json.loads(json.dumps(report.to_dict(explain=True))) == explained
    (game,) = report.games
    assert [game.to_dict()] == report.to_dict()["files"][0]["games"]  # type: ignore[index]


def test_scores_as_data_are_those_of_the_report() -> None:
    text = logs()["legal"]
    scores = altay_cli.open_game(text).score().to_dict()
    assert list(scores) == ["scores", "rows", "ranking", "winners", "decided_by"]
    (game,) = document("check", "-", text=text)["files"][0]["games"]
    assert scores == {key: game[key] for key in scores}
    # As it stands in the note beside the game.
    assert scores["winners"] == ["Clara"]
    assert scores["decided_by"] == "cards"
    lost = altay_cli.open_game(logs()["chess"]).score().to_dict()
    assert lost["winners"] == ["Morphy"]


def test_what_is_shown_of_a_value_is_short() -> None:
    long, name = "A" * 300, "A" * 60
    text = logs()["mistakes"].replace("Ann", name)
    report = altay_cli.check_text(text, long)
    game = altay_cli.new_game("altay", [name, "B" * 60, "C" * 60], seed=1)
    for _ in range(2):
        game.apply(game.legal_moves()[0])
    (found, *_) = (one for one in report.games[0].findings if one.related)
    badly = altay_cli.check_text(logs()["legal"].replace("play Hunter", f"plya Hunter #{long}", 1))
    fixes = [fix for one in badly.games[0].findings for fix in one.fixes]
    standing = game.score()
    with pytest.raises(altay_cli.IllegalMove) as refused:
        game.apply(long)
    with pytest.raises(altay_cli.GameError) as failed:
        altay_cli.new_game(long, ["Ann", "Bob"])
    shown: list[object] = [
        report, report.games[0], report.games[0].played, report.games[0].outcomes, found,
        found.span, found.severity, found.related[0], *fixes[:1], game, *game.legal_moves()[:1],
        standing, standing.players[0], standing.players[0].categories[0],
        standing.players[0].categories[0].category, refused.value, failed.value,
        altay_cli.ExpressionError("syntax", long), altay_cli.PackError([found]),
    ]  # fmt: skip
    for value in shown:
        assert repr(value).startswith((type(value).__name__, f"<{type(value).__name__}"))
        assert len(repr(value)) <= 200, type(value)
    assert fixes
    assert repr(altay_cli.check_text(logs()["legal"], "tie.agn")) == (
        "FileReport(path='tie.agn', games=1, verdicts=['legal'])"
    )
