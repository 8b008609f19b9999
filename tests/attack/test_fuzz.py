"""The kept corpus breaks nothing, and the targets notice what they are there for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import altay_cli.checking.check
import altay_cli.compile.building
import altay_cli.compile.emit
import altay_cli.compile.load
import altay_cli.expressions.checker
import altay_cli.notation.reading
import altay_cli.notation.writing
from altay_cli.base.findings import START, Finding, Severity, Span
from altay_cli.expressions.types import INT, STRING, Type, list_of
from attack.fuzz import runner, seeds, targets
from attack.fuzz.runner import NAMES, command, corpus_files, replay
from attack.fuzz.targets import TARGETS, Broken, run_agn, run_cel, run_variant

LOG = b"""\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
"""
VARIANT = b"""\
variant: six
extends: altay
title: Six cards in hand
change:
  - {set: numbers.hand_size.value, to: 6}
"""
TEXTS = {"agn": LOG, "cel": b"me.hand.size() > 3", "variant": VARIANT}


# ---------------------------------------------------------------- the corpus


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("part", range(4))
def test_the_corpus_breaks_nothing(target: str, part: int) -> None:
    assert list(replay(target, corpus_files(target)[part::4])) == []


def test_the_corpus_is_small() -> None:
    files = [path for target in NAMES for path in corpus_files(target)]
    assert all(len(corpus_files(target)) >= 20 for target in NAMES)
    assert len(files) <= 150
    assert sum(path.stat().st_size for path in files) <= 300_000
    assert all(
        path.stat().st_size <= TARGETS[target].largest
        for target in NAMES
        for path in corpus_files(target)
    )


# ---------------------------------------------------------------- planted mistakes


def crash(*_: object, **__: object) -> None:
    raise ZeroDivisionError("planted")


@pytest.mark.parametrize(
    ("target", "module", "name"),
    [
        ("agn", altay_cli.notation.reading, "read_log"),
        ("agn", altay_cli.notation.writing, "format_log"),
        ("agn", altay_cli.checking.check, "check_text"),
        ("cel", altay_cli.expressions.checker, "check"),
        ("cel", altay_cli.compile.emit, "evaluating"),
        ("cel", altay_cli.expressions.checker, "evaluate"),
        ("variant", altay_cli.compile.building, "apply_variants"),
        ("variant", altay_cli.compile.building, "compile_tree"),
        ("variant", altay_cli.compile.load, "link_pack"),
    ],
)
def test_a_planted_crash_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str, module: object, name: str
) -> None:
    targets.setting()  # made once, by a program that is right
    path = tmp_path / "text"
    path.write_bytes(TEXTS[target])
    assert list(replay(target, [path])) == []
    monkeypatch.setattr(module, name, crash)
    (found,) = replay(target, [path])
    assert (found.target, found.name, found.data) == (target, "text", TEXTS[target])
    assert "ZeroDivisionError: planted" in found.error


def test_a_hang_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def hang(_: str) -> None:
        while True:
            pass

    monkeypatch.setattr(runner, "MAX_SECONDS", 1)
    monkeypatch.setattr(altay_cli.notation.reading, "read_log", hang)
    path = tmp_path / "text"
    path.write_bytes(LOG)
    (found,) = replay("agn", [path])
    assert "takes more than 1 seconds" in found.error


def test_formatting_must_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(altay_cli.notation.writing, "format_log", lambda text: text + "\n")
    with pytest.raises(Broken, match="formatting twice"):
        run_agn(LOG)


@pytest.mark.parametrize(
    ("neat", "message"),
    [
        ('[Game "altay"]\n\nposition\n  Ann: faction Firefolk\n', "says something else"),
        (LOG.decode().replace("Ann", "Anna"), "says something else"),
        (LOG.decode() + "# a comment\n", "changes the comments"),
    ],
)
def test_formatting_must_keep_the_meaning(
    monkeypatch: pytest.MonkeyPatch, neat: str, message: str
) -> None:
    monkeypatch.setattr(altay_cli.notation.writing, "format_log", lambda _: neat)
    with pytest.raises(Broken, match=message):
        run_agn(LOG)


@pytest.mark.parametrize(
    ("finding", "message"),
    [
        (Finding("rule-failure", Severity.ERROR, "no", START), "rule-failure: no"),
        (Finding("syntax", Severity.ERROR, "no", Span(99, 1, 99, 2)), "outside of the text"),
        (Finding("syntax", Severity.ERROR, "", START), "says nothing"),
    ],
)
def test_findings_must_be_sound(
    monkeypatch: pytest.MonkeyPatch, finding: Finding, message: str
) -> None:
    def check(text: str) -> altay_cli.checking.check.FileReport:
        game = altay_cli.checking.check.GameReport({}, [finding])
        return altay_cli.checking.check.FileReport("", [game], text.split("\n"))

    monkeypatch.setattr(altay_cli.checking.check, "check_text", check)
    with pytest.raises(Broken, match=message):
        run_agn(LOG)


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1, INT, True),
        (True, INT, False),
        ("a", STRING, True),
        ([1, 2], list_of(INT), True),
        ([1, "a"], list_of(INT), False),
        (None, Type("card"), True),
    ],
)
def test_values_are_held_against_their_types(value: object, kind: Type, fits: bool) -> None:
    assert targets._fits(value, kind) is fits


def test_a_value_of_another_type_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    targets.setting()
    wrong: Callable[..., object] = lambda name, *_: [f"def {name}(S, v): return 'three'"]  # noqa: E731
    monkeypatch.setattr(altay_cli.compile.emit, "evaluating", wrong)
    with pytest.raises(Broken, match="'three' is no int"):
        run_cel(b"1 + 2")


def test_rules_that_cannot_be_used_need_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(altay_cli.compile.building, "compile_tree", lambda *_: None)
    with pytest.raises(Broken, match="nothing says why"):
        run_variant(VARIANT)


# ---------------------------------------------------------------- seeds and changes


@pytest.mark.parametrize("target", NAMES)
def test_changed_texts_differ_and_come_again_with_the_seed(target: str) -> None:
    mutator = seeds.mutator(target)
    text = TEXTS[target].decode()
    changed = [mutator.mutate(text, Random(seed)) for seed in range(200)]
    assert changed == [mutator.mutate(text, Random(seed)) for seed in range(200)]
    assert len(set(changed)) > 100
    assert all(isinstance(mutator.mutate("", Random(seed)), str) for seed in range(50))
    crossed = {mutator.cross(text, text.upper(), Random(seed)) for seed in range(50)}
    assert len(crossed) > 5


def test_a_changed_log_is_nearly_a_log() -> None:
    mutator = seeds.mutator("agn")
    text = LOG.decode()
    changed = [mutator.mutate(text, Random(seed)) for seed in range(200)]
    # Most still have the tag and a heading, so that the moves are judged.
    assert sum("[Game" in other and "position" in other for other in changed) > 100


@pytest.mark.parametrize("target", NAMES)
def test_seeds_are_small_enough(target: str) -> None:
    largest = TARGETS[target].largest
    found = seeds.seeds(target, largest)
    assert len(found) > 50
    assert all(0 < len(data) <= largest for data in found)


@pytest.mark.parametrize(
    ("target", "entries"),
    [
        ("agn", ['"Hunter"', '"develop"', '"=>"', '"\\x22"']),
        ("cel", ['".exists(a,"', '"me"', '".hand"', '"&&"']),
        ("variant", ['"change: "', '"entities.title.farmer"', '"numbers.hand_size"']),
    ],
)
def test_dictionaries_have_the_words_of_the_language(target: str, entries: list[str]) -> None:
    lines = seeds.dictionary(target).splitlines()
    assert set(entries) <= set(lines)
    assert all(line[0] == line[-1] == '"' and line.isascii() for line in lines)


# ---------------------------------------------------------------- the command


def test_replay_tells_what_crashes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "agn").mkdir()
    (tmp_path / "agn" / "one").write_bytes(LOG)
    monkeypatch.setattr(runner, "CORPUS", tmp_path)
    result = CliRunner().invoke(command, ["--replay", "agn"])
    assert result.exit_code == 0
    assert result.output.startswith("agn: 1 texts in ")
    monkeypatch.setattr(altay_cli.notation.reading, "read_log", crash)
    result = CliRunner().invoke(command, ["--replay", "agn"])
    assert result.exit_code == 1
    assert "agn: one breaks it:" in result.output
    assert "ZeroDivisionError: planted" in result.output


def test_changed_texts_are_run_and_measured() -> None:
    result = CliRunner().invoke(command, ["--changed", "30", "--seed", "7", "cel"])
    assert result.output.startswith("cel: 30 changed texts in "), result.output
    assert "MB of memory" in result.output


@pytest.mark.parametrize("target", NAMES)
def test_changed_texts_break_nothing(target: str) -> None:
    crashes, _ = runner.run_changed(target, 12, 3)
    assert crashes == []


def test_changed_texts_come_again_with_the_seed() -> None:
    texts = list(runner.changed("agn", 40, 1))
    assert texts == list(runner.changed("agn", 40, 1))
    assert texts != list(runner.changed("agn", 40, 2))
    assert all(len(data) <= TARGETS["agn"].largest for data in texts)


def test_a_changed_text_that_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "CALLS", -1)
    crashes, _ = runner.run_changed("cel", 3, 1)
    assert [crash.name for crash in crashes] == [f"text {n} of seed 1" for n in range(3)]
    assert "calls; -1 are allowed" in crashes[0].error


def test_without_atheris_nothing_is_fuzzed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "find_spec", lambda _: None)
    result = CliRunner().invoke(command, ["agn"])
    assert result.exit_code == 2
    assert "atheris" in result.output
