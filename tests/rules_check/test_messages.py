"""What is told of mistakes that are easily made, so that they are easily mended."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from altay_cli.base.findings import Finding
from altay_cli.base.resources import data_folder
from altay_cli.lint.examine import Examiner
from tests.small import Pebbles


@lru_cache(maxsize=1)
def examiner() -> Examiner:
    return Examiner(data_folder("rules") / "altay")


def problem(folder: Path, change: str) -> Finding:
    """Return the first problem of a variant of Altay with one change."""
    return problems(folder, "altay", change)[0]


def problems(folder: Path, game: str, change: str) -> list[Finding]:
    """Return all problems of a variant with one change."""
    path = folder / "variant.yaml"
    text = f"variant: a\nextends: {game}\ntitle: A\nchange:\n  - {change}\n"
    path.write_text(text, encoding="utf-8")
    others = Examiner(data_folder("rules") / game) if game != "altay" else None
    return (others or examiner()).examine([path])


def test_all_places_that_use_what_is_removed(tmp_path: Path) -> None:
    found = problem(tmp_path, "{remove: entities.title.village}")
    assert found.message.startswith("`entities.title.village` is removed here, and ")
    assert found.help[-1].count("altay/cards/factions.yaml, line ") > 1


def test_a_removed_number_that_is_used(tmp_path: Path) -> None:
    found = problem(tmp_path, "{remove: numbers.hand_size}")
    assert found.message.startswith("`numbers.hand_size` is removed here, and ")
    assert "altay/moves/setup.yaml, line " in found.help[-1]


@pytest.mark.parametrize(
    ("game", "removed", "places"),
    # What takes a side as an argument, or reads what it gave, has no other mistake.
    [("chess", "kinds.wing", 7), ("gofish", "decisions.fish", 5)],
)
def test_what_is_removed_and_still_used_is_told_once(
    game: str, removed: str, places: int, tmp_path: Path
) -> None:
    (found,) = problems(tmp_path, game, f"{{remove: {removed}}}")
    assert found.message == f"`{removed}` is removed here, and {places} places still use it"


def test_with_its_last_entry_a_section_goes(tmp_path: Path) -> None:
    """Also that of what hangs on the entry: here a policy that only says what it is worth."""
    found = problems(tmp_path, "nim", "{remove: moves.take}")
    assert "schema-size" not in [one.rule for one in found]
    rules = [one.rule for one in problems(tmp_path, "altay", "{remove: assumptions.secret}")]
    assert rules == ["assumption-missing", "unused-function"]


def test_an_item_of_a_list_stays_though_nothing_is_left_of_it(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, "tictactoe", "{remove: moves.turn.does.2.set}")
    assert (found.rule, found.span.line) == ("schema-size", 5)


@pytest.mark.parametrize("effect", ["{do: {go: {}}}", "{ask: {go: {who: me}}}"])
def test_an_effect_that_names_nothing_is_marked_at_the_name(effect: str, tmp_path: Path) -> None:
    change = f"{{extend: moves.mark.does, with: [{effect}]}}"
    (found,) = problems(tmp_path, "tictactoe", change)
    assert f"  - {change}"[found.span.column - 1 : found.span.end_column - 1] == "go"


def test_a_bracket_in_a_text_that_stands_in_brackets(tmp_path: Path) -> None:
    rule = "{rule: x, that: players[0] == me, else: no}"
    found = problem(tmp_path, f"{{extend: moves.buy.requires, with: [{rule}]}}")
    assert found.message == "inside brackets, a text that contains '[' needs quotes"


CLAIM = "title: q, written: 'q <n>', takes: {n: {type: int}}, holds: {active: n}"


@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        # A kind that nothing is of: also where the program makes the view, for there is none.
        (
            "tictactoe",
            "{add: zones.q, to: {per: [sqare], holds: bool, title: q}}",
            "there is no kind `sqare`",
        ),
        (
            "tictactoe",
            "{add: zones.q, to: {per: [square], holds: bag(sqare), title: q}}",
            "no zone can hold `bag(sqare)`",
        ),
        # A type that is none, of a field that things have and rules ask for.
        ("nim", "{set: kinds.heap.fields.usual, to: inte}", "there is no type `inte`"),
        # A language in which nothing has a name.
        (
            "tictactoe",
            "{add: plurals.fr.square.a1, to: Foo}",
            "the square `a1` has no name here",
        ),
        (
            "tictactoe",
            f"{{add: claims.q, to: {{{CLAIM}}}}}",
            "player is needed here, but this is int",
        ),
    ],
)
def test_a_mistake_is_told_once_at_its_place(
    game: str, change: str, message: str, tmp_path: Path
) -> None:
    (found,) = problems(tmp_path, game, change)
    assert (found.message, found.file, found.span.line) == (message, "variant.yaml", 5)


def test_a_neighbour_that_is_not_there(tmp_path: Path) -> None:
    change = "{extend: outcome, before: ful, with: [{when: round > 9, by: x}]}"
    (found,) = problems(tmp_path, "tictactoe", change)
    assert found.help == ("did you mean `full`?",)


def test_a_name_that_differs_in_case(tmp_path: Path) -> None:
    found = problem(tmp_path, "{set: entities.title.town.cost, to: [Food, Wood]}")
    assert found.help == ("did you mean `food`?",)


def test_an_entry_that_is_set_to_its_value(tmp_path: Path) -> None:
    found = problem(tmp_path, "{set: numbers.hand_size, to: 6}")
    assert found.help == ("did you mean `numbers.hand_size.value`?",)


def test_a_thing_that_is_written_as_a_text(tmp_path: Path) -> None:
    rule = "{rule: x, that: \"title == 'town'\", else: no}"
    found = problem(tmp_path, f"{{extend: moves.buy.requires, with: [{rule}]}}")
    assert found.message.endswith("; did you mean `titles.town`?")


def test_a_thing_that_is_written_without_its_kind(tmp_path: Path) -> None:
    rule = "{rule: x, that: title == town, else: no}"
    found = problem(tmp_path, f"{{extend: moves.buy.requires, with: [{rule}]}}")
    assert found.message.endswith("; did you mean `titles.town`?")


def test_names_that_go_with_a_board_that_is_replaced(tmp_path: Path) -> None:
    found = problem(
        tmp_path, "{set: entities.territory, to: {A: {terrain: forest, adjacent: [], x: 1, y: 1}}}"
    )
    names = "names.de.territory, names.en.territory, names.ja.territory"
    assert found.help[0].startswith(f"change or remove these parts as well: {names}")


def test_an_effect_that_has_no_such_number(tmp_path: Path) -> None:
    label = "{if: me.coins > 3, then: [{label: pay, add: {me.coins: -1}}]}"
    path = tmp_path / "variant.yaml"
    changes = f"  - {{extend: moves.end.does, with: [{label}]}}\n  - {{remove: moves.end.does.5}}\n"
    path.write_text(f"variant: a\nextends: altay\ntitle: A\nchange:\n{changes}", encoding="utf-8")
    assert examiner().examine([path])[0].help == ("there is: close-turn, if-add-coins, pay",)


# A line each: the change, and the problem that it is. Form, paths, forms of what results, names,
# types and sense are asked one after the other, and a mistake of one kind must not hide another.
MISTAKES = """\
{sett: numbers.hand_size.value, to: 6}                                          # schema-unknown-key
17                                                                              # schema-type
{set: numbers.wonder_capp.value, to: 4}                                         # patch-hits-nothing
{set: numbers.settlements, to: 6}                                               # schema-type
{add: zones.fame, to: {holds: int, titel: fame}}                                # schema-unknown-key
{extend: moves.end.does, with: [{add: {fame: 1}}]}                              #
{set: entities.title.town.cost, to: [Food]}                                     # unknown-icon
{extend: moves.buy.requires, with: [{rule: a, that: title == 'town', else: no}]} # expression-wrong-type
{extend: moves.buy.requires, with: [{rule: b, that: "round <", else: no}]}      # expression-syntax
{extend: moves.buy.requires, with: [{rule: c, that: me.coins < 0, else: no}]}   # rule-never-met
"""


def test_mistakes_of_all_kinds_are_told_in_one_run(tmp_path: Path) -> None:
    lines = [line.rpartition("#") for line in MISTAKES.splitlines()]
    path = tmp_path / "variant.yaml"
    changes = "".join(f"  - {change}\n" for change, _, _ in lines)
    path.write_text(f"variant: a\nextends: altay\ntitle: A\nchange:\n{changes}", encoding="utf-8")
    expected = [(n, what.strip()) for n, (_, _, what) in enumerate(lines, 5) if what.strip()]
    found = [(problem.span.line, problem.rule) for problem in examiner().examine([path])]
    assert found == expected


def test_what_only_a_wrong_change_brings_is_not_said_to_be_missing(pebbles: Pebbles) -> None:
    # Without the wrong change, no stone would weigh anything.
    variant = pebbles.variant(
        "change:\n"
        "  - {set: kinds.stone.fields, to: {worth: int, weight: integer}}\n"
        "  - {set: entities.stone, to: {red: {worth: 2, weight: 1}, grey: {worth: -3, weight: 1}}}\n"
        "  - {set: categories.worth.parts.0.points, to: s.weight}\n"
    )
    assert [(p.span.line, p.rule) for p in pebbles.problems(variant)] == [(5, "unknown-type")]
