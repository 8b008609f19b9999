"""Variant files that are broken, and every problem that they must give.

``broken/NAME/variant.yaml`` is checked, together with ``variant-2.yaml`` where there is one; other
files are only extended. ``expected.txt`` lists the problems, worked out by hand, a line each: the
id, line and column, and the file if it is another one than ``variant.yaml``.
"""

from __future__ import annotations

import re
import shutil
from functools import lru_cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.base.catalogue import PROBLEMS, PROGRAM_RULES
from altay_cli.base.findings import Finding
from altay_cli.base.resources import data_folder
from altay_cli.base.translations import translated_finding
from altay_cli.checking.check import check_text
from altay_cli.cli.main import main
from altay_cli.compile.load import load_pack, variant_names
from altay_cli.lint.examine import Examiner
from tests.languages.untranslated import ENGLISH_WORDS, OTHERS
from tests.rules_check.ids import expression_ids, problem_ids
from tests.small import Pebbles

HERE = Path(__file__).parent
BROKEN = sorted(path.parent for path in HERE.glob("broken/*/variant.yaml"))
RULES = data_folder("rules") / "altay"

# What no small variant file can bring about; tested below, or where the file is read.
ELSEWHERE = {
    "assumption-missing",
    "file-missing", "file-unreadable", "unknown-pack", "yaml-too-large", "too-many-problems",
    "variant-order", "play-stuck", "play-endless", "play-failure", "play-trigger", "play-never", "play-never-over", "play-long",
    "play-seat", "play-short", "play-end-undone", "play-worthless", "play-same-for-all", "play-undecided", "play-gain",
    "play-no-effect", "play-wrong-player", "play-points", "expression-too-long", "rules-unusable", "text-expression", "unknown-lifetime", "game-folder", "file-unread",
    "trigger-asks", "unknown-frame", "unknown-zone", "grid-size", "grid-place",
    "zone-size",
}  # fmt: skip


@lru_cache(maxsize=1)
def examiner() -> Examiner:
    return Examiner(RULES)


def told(problems: list[Finding]) -> list[str]:
    return sorted(
        f"{p.rule} {p.span.line} {p.span.column}"
        + (f" {p.file}" if p.file != "variant.yaml" else "")
        for p in problems
    )


def where_it_shows(problems: list[Finding]) -> None:
    """Where a problem shows is told beside its cause."""
    (problem,) = problems
    assert problem.file == "variant.yaml"
    assert problem.help[-1].startswith("it shows in altay/game.yaml, line ")


def what_is_left(problems: list[Finding]) -> None:
    """What a removal leaves unused is told once, with a list."""
    # Only what judges `develop` mentions the first two, and only what policies think of it the others.
    (problem,) = problems
    start, _, paths = problem.message.partition(": ")
    assert start == "nothing uses these parts any more"
    named = ("count_of_level", "display_veiled", "goal_worth", "out_of_reach")
    assert sorted(paths.split(", ")) == [f"`functions.{name}`" for name in named]


MORE = {"no-end": where_it_shows, "left-unused": what_is_left}
"""What else is looked at in some of the files."""


@pytest.mark.parametrize("folder", BROKEN, ids=lambda path: path.name)
def test_every_problem_is_told_at_its_place(folder: Path) -> None:
    variants = sorted(folder.glob("variant*.yaml"), key=lambda path: (len(path.name), path.name))
    problems = examiner().examine(variants)
    expected = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    shown = "\n".join(f"  {problem} {problem.help}" for problem in problems)
    assert told(problems) == sorted(expected), shown
    if folder.name in MORE:
        MORE[folder.name](problems)
    # What the rules themselves ask is told in their own words.
    asked = {entry.rule for entry in load_pack("altay").lints}
    for language in OTHERS:
        for problem in problems:
            found = translated_finding(language, problem)
            for text in (found.message, *found.help) if problem.rule not in asked else ():
                plain = re.sub(r"`[^`]*`|'[^']*'|\([^)]*\)|\b\w+: .*|\w+-[\w-]+", "", text)
                assert ENGLISH_WORDS.search(plain) is None, text


def test_there_are_sixty_files_and_each_problem_occurs() -> None:
    found = {
        line.split()[0]
        for folder in BROKEN
        for line in (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    }
    assert len(BROKEN) >= 60
    own = {entry.rule for entry in load_pack("altay").lints}
    assert (set(PROBLEMS) | own) - found == ELSEWHERE


# ---------------------------------------------------------------- what no small file brings about


def variant(change: str, game: str = "altay") -> str:
    return f"variant: a\nextends: {game}\ntitle: A\nchange:\n{change}"


def problems_of(pebbles: Pebbles, change: str) -> list[Finding]:
    path = pebbles.folder.parent / "variant.yaml"
    path.write_text(variant(change, "pebbles"), encoding="utf-8")
    return pebbles.problems(path)


def test_a_huge_file_is_not_read(pebbles: Pebbles) -> None:
    change = "  - {set: players.most, to: 2}\n# " + "x" * 2_000_001
    assert told(problems_of(pebbles, change)) == ["yaml-too-large 1 1"]


def test_a_file_of_very_many_problems_is_told_in_part(pebbles: Pebbles) -> None:
    change = "".join(f"  - {{set: numbers.n{n}.value, to: 1}}\n" for n in range(300))
    found = [p.rule for p in problems_of(pebbles, change)]
    assert found == ["patch-hits-nothing"] * 200 + ["too-many-problems"]


def test_changes_beyond_those_that_are_told_of_are_not_tried(pebbles: Pebbles) -> None:
    change = "".join(f"  - add: moves.m{n}\n    value: 1\n" for n in range(300))
    problems = problems_of(pebbles, change)
    # Each lacks `to` and has an unknown key: 600 mistakes, of which 200 are told.
    assert problems[-1].message == "there are 400 more problems in this file"
    assert len(problems) == 201


def test_a_long_expression_is_not_read(pebbles: Pebbles) -> None:
    change = "  - {set: moves.take.requires.one-stone.that, to: '" + "!" * 60_000 + "true'}\n"
    assert [p.rule for p in problems_of(pebbles, change)] == ["expression-too-long"]


def test_a_message_of_very_many_places_is_not_read(pebbles: Pebbles) -> None:
    change = (
        "  - {set: moves.take.requires.one-stone.else, to: '" + "{players.size()}" * 10_000 + "'}\n"
    )
    (found,) = problems_of(pebbles, change)
    assert (found.rule, found.span.line) == ("expression-too-long", 5)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert [p.rule for p in examiner().examine([tmp_path])] == ["file-unreadable"]


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "variant.yaml"
    path.write_bytes(b"variant: \xff\xfe\n")
    assert told(examiner().examine([path])) == ["yaml-not-text 1 1"]


def test_an_empty_folder_lacks_files(tmp_path: Path) -> None:
    problems = Examiner(tmp_path).examine(())
    assert [(p.rule, p.file) for p in problems] == [
        ("file-missing", f"{tmp_path.name}/game.yaml"),
        ("file-missing", f"{tmp_path.name}/scoring.yaml"),
    ]


def test_a_message_in_another_language_has_no_expressions_of_its_own(tmp_path: Path) -> None:
    copy = tmp_path / "altay"
    shutil.copytree(RULES, copy)
    (copy / "messages").mkdir(exist_ok=True)
    text = 'language: fr\ntexts:\n  nobody is under attack: "{me} n\'est pas attaqué"\n'
    (copy / "messages" / "fr.yaml").write_text(text, encoding="utf-8")
    problems = [p for p in Examiner(copy).examine(()) if p.file == "altay/messages/fr.yaml"]
    assert [(p.rule, p.span.line, p.span.column) for p in problems] == [("text-expression", 3, 29)]


@pytest.mark.parametrize("choice", ["[]", "heap.kinds().filter(s, false)"])
def test_nothing_to_choose_from_is_told(choice: str, pebbles: Pebbles) -> None:
    change = f'{{set: moves.take.takes.stone.from, to: "{choice}"}}'
    problems = pebbles.problems(pebbles.variant(f"change: [{change}]\n"))
    assert "there is nothing to choose `stone` from: `take` can never be made" in [
        problem.message for problem in problems
    ]


def test_a_choice_that_a_requirement_forbids_altogether_is_told(pebbles: Pebbles) -> None:
    no_red = "{rule: no-red, at: stone, that: stone != stones.red, else: no red one}"
    changes = (
        '{set: moves.take.takes.stone.from, to: "[stones.red]"}',
        f"{{extend: moves.take.requires, with: [{no_red}]}}",
    )
    problems = pebbles.problems(pebbles.variant(f"change: [{', '.join(changes)}]\n"))
    message = "`no-red` forbids every `stone` to choose: `take` can never be made"
    assert message in [problem.message for problem in problems]


@pytest.mark.parametrize(
    ("game", "change", "severity"),
    [
        # Of the cards of age 1 there are fifteen.
        ("innovation", "{set: numbers.first_hand.value, to: 4}", "note"),
        ("altay", "{set: players.most, to: 5}", "error"),
    ],
)
def test_what_only_some_tables_cannot_play_is_a_note(
    game: str, change: str, severity: str, tmp_path: Path
) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text(variant(f"  - {change}\n", game), encoding="utf-8")
    problems = Examiner(data_folder("rules") / game).examine([path])
    severities = {str(problem.severity) for problem in problems}
    assert severity in severities
    assert ("error" in severities) is (severity == "error")


# ---------------------------------------------------------------- what is good


@pytest.mark.parametrize("name", ["", *variant_names("altay")])
def test_what_ships_has_no_problem_at_all(name: str) -> None:
    variants = [RULES / "variants" / f"{name}.yaml"] if name else []
    assert [str(problem) for problem in examiner().examine(variants)] == []


def test_problems_are_the_same_when_a_file_is_checked_again(pebbles: Pebbles) -> None:
    wrong = '{set: a.b, to: 1}, {set: moves.take.requires.one-stone.that, to: "false"}'
    path = pebbles.variant(f"change: [{wrong}, {{remove: triggers.empty}}]\n")
    again = Examiner(pebbles.folder)
    found = again.examine([path])
    assert len({problem.rule for problem in found}) > 1
    assert again.examine([path]) == again.examine([path]) == found == pebbles.problems(path)


# ---------------------------------------------------------------- every id is explained


def test_every_problem_of_the_sources_is_explained() -> None:
    ids = problem_ids() | expression_ids()
    assert {"yaml-syntax", "schema-type", "one-sided", "end-unreachable"} <= ids
    built = {ident for ident in ids if ident.endswith("*")}
    assert built == {"expression-*", "unknown-*"}
    assert ids - built - set(PROBLEMS) - set(PROGRAM_RULES) == set()


def test_every_explained_problem_is_one() -> None:
    known = problem_ids() | expression_ids()
    unused = {f"unused-{what}" for what in ("function", "procedure", "rule", "number", "zone")}
    assert set(PROBLEMS) - known - unused == set()


@pytest.mark.parametrize("ident", sorted(PROBLEMS))
def test_explain_says_what_it_means_with_an_example(ident: str) -> None:
    result = CliRunner().invoke(main, ["explain", ident])
    assert result.exit_code == 0
    assert f"{ident}, in rule files: {PROBLEMS[ident]['text']}\n  example: " in result.output


def test_explain_knows_what_makes_no_sense_in_the_game() -> None:
    result = CliRunner().invoke(main, ["explain", "unreachable-territory"])
    assert result.exit_code == 0
    assert "  example: `set: entities.territory.I1.never`" in result.output


# ---------------------------------------------------------------- the command


def test_the_command_reports_and_fails(pebbles: Pebbles) -> None:
    path = pebbles.variant("change: [{set: a.b, to: 1}]\n")
    result = pebbles.run("rules", "check", str(path))
    assert result.exit_code == 1
    assert "mine.yaml:4:16: error: " in result.output
    assert "[patch-hits-nothing]" in result.output


def test_warnings_alone_are_no_failure(pebbles: Pebbles) -> None:
    unused = "{set: functions.idle, to: {takes: {n: int}, gives: int, is: n + 1}}"
    path = pebbles.variant(f"change: [{unused}]\n")
    result = pebbles.run("rules", "check", str(path))
    assert result.exit_code == 0
    assert "no errors (1 warning)" in result.output


# ---------------------------------------------------------------- ties


@pytest.mark.parametrize(
    ("categories", "winners", "decided_by"),
    [
        ("[cards]", ("Clara",), "cards"),
        ("[territories]", ("Simon", "Clara"), "shared"),
        ("[]", ("Simon", "Clara"), "shared"),
        ("[territories, captured, conquest]", ("Clara",), "captured"),
        ("[conquest, cards]", ("Simon",), "conquest"),
    ],
)
def test_ties_are_broken_by_the_categories_listed(
    tmp_path: Path, categories: str, winners: tuple[str, ...], decided_by: str
) -> None:
    # games/tie.agn: Simon 4 0 2 6 2 4 and Clara 4 0 4 6 3 1 have the same total.
    path = tmp_path / "ties.yaml"
    path.write_text(variant(f"  - {{set: scoring.ties.by, to: {categories}}}\n"), encoding="utf-8")
    text = (HERE.parent.parent / "games" / "tie.agn").read_text(encoding="utf-8")
    standing = check_text(text, under=[path]).games[0].standing
    assert standing is not None
    assert standing.winners == winners
    assert standing.decided_by == decided_by
