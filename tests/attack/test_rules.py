"""Changed rules: every requirement is missed by some test, and the bench itself can be trusted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from attack.rules import choose, command, report, try_all
from attack.rules_cases import cases
from attack.rules_judge import Judge, Verdict
from attack.rules_mutants import Mutant, exceptions, mutants
from attack.rules_packs import Built

NUMBERS = ("literal", "number", "field", "count")


@cache
def everything() -> list[Mutant]:
    return mutants()


@cache
def judge() -> Judge:
    """Return a judge with all cases but whole games, which take long and tell little more."""
    return Judge.prepared(case for case in cases() if "games/" not in case.ident)


def mutant(ident: str) -> Mutant:
    (found,) = [mutant for mutant in everything() if mutant.ident == ident]
    return found


def survivors(chosen: list[Mutant]) -> list[str]:
    return [v.mutant.ident for v in try_all(judge(), chosen) if v.survived]


# ---------------------------------------------------------------- the rules


# `python -m attack rules` tries every change of these, and others.


def test_no_requirement_can_be_dropped() -> None:
    chosen = choose(everything(), operators=("drop",))
    assert len(chosen) > 250
    assert survivors(chosen) == []


def test_no_requirement_of_a_sample_can_be_negated() -> None:
    assert survivors(choose(everything(), sample=60, seed=4, operators=("negate",))) == []


def test_no_number_of_a_sample_can_be_changed() -> None:
    assert survivors(choose(everything(), sample=20, seed=4, operators=NUMBERS)) == []


# ---------------------------------------------------------------- what is left out


def test_what_is_left_out_is_there_and_has_a_reason() -> None:
    known = {mutant.ident for mutant in everything()}
    for ident, reason in exceptions()["equivalent"].items():
        assert ident in known
        assert len(reason) > 20, ident
    assert all(len(reason) > 10 for reason in exceptions()["no rules"].values())


def test_names_of_changes_are_distinct() -> None:
    idents = [mutant.ident for mutant in everything()]
    assert len(set(idents)) == len(idents)


def test_pages_and_coordinates_are_no_rules() -> None:
    assert not any("cite" in mutant.path for mutant in everything())
    assert not any(mutant.path[-1] in {"x", "y"} for mutant in everything())


def test_every_operator_finds_something_to_change() -> None:
    found = {mutant.operator for mutant in everything()}
    assert found == {"drop", "negate", "when", "if", "while", *NUMBERS}


def test_numbers_of_every_kind_are_changed() -> None:
    for ident in (
        "+1 numbers.hand_size.value", "-1 entities.marker.one.copies", "+1 prepare.0.order",
        "+1 entities.territory.M4.vp_default.1", "+1 entities.title.chariot.prints.0.points",
        "+1 entities.title.farmer.cost.food", "-1 entities.faction.firefolk.deck.hunter",
        "+1 entities.title.farmer.effects.1.gives.food", "-1 categories.wonders.parts.0.each.a",
        "+1 entities.achievement.academy.counts", "+1 numbers.hand_size.value in six-card-hand",
        "-1 players.most in duel-map", "+1 procedures.lose.does.0.then.0.add.where.settlers[loser]",
    ):  # fmt: skip
        assert mutant(ident).was != mutant(ident).became


# ---------------------------------------------------------------- the judge


def picture(built: Built) -> dict[str, Any]:
    """Take a picture of all that a change in place can touch."""
    found: dict[str, Any] = {key: expr.fn for key, expr in built.by_key.items()}
    found |= {f"fn {name}": function for name, function in built.functions.items()}
    for entities in built.pack.entities.values():
        for entity in entities:
            found |= {
                f"{entity.kind} {entity.id} {k}": (id(v), str(v)) for k, v in entity.f.items()
            }
    return found


SAMPLE = (
    "drop buy/bought-twice", "negate play-use/use-own", "always triggers.wiped-out.when",
    "never procedures.lose.does.0.if", "+1 moves.build.requires.4.that#2", "+1 functions.held.is",
    "-1 entities.title.farmer.cost.food", "+1 entities.achievement.triumphal_arch.bonus",
    "-1 numbers.wonder_cap.value", "+1 entities.title.chariot.prints.0.points",
    "+1 numbers.last_round.value in fifteen-rounds", "-1 entities.title.city.effects.0.amount",
    "+1 entities.title.farmer.effects.1.gives.food",
)  # fmt: skip


@pytest.mark.parametrize("ident", SAMPLE)
def test_a_change_is_noticed_and_undone(ident: str) -> None:
    judging = judge()
    before = {variants: picture(built) for variants, built in judging.built.items()}
    assert judging.judge(mutant(ident)).fate == "killed"
    assert {v: picture(judging.built[v]) for v in before} == before


@pytest.mark.parametrize("ident", SAMPLE[1::3])  # a condition, a literal, a field, a number
def test_a_change_in_place_is_as_good_as_one_of_the_files(ident: str) -> None:
    assert judge().judge(mutant(ident), recompile=True).fate == "killed"


def test_a_change_that_changes_nothing_survives() -> None:
    found = mutant("+1 moves.build.requires.4.that#2")  # few cases come to it
    same = replace(found, ident="none", became=found.was, value=found.was)
    assert judge().judge(same).fate == "survived"


def test_a_case_that_never_asks_is_not_tried() -> None:
    # To drop what coins a resource takes matters only where somebody has too few.
    tried = judge().order(mutant("drop trade/trade-coins"))
    assert 0 < len(tried) < 10
    assert all("trade for" in case.text for case in tried if case.ident.endswith(".agn"))


def test_what_the_compiler_refuses_is_noticed() -> None:
    found = mutant("+1 functions.held.is")
    broken = replace(found, ident="none", became="territories.size()", value="territories.size()")
    assert judge().judge(broken).fate == "refused"


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    one, two, other = (choose(everything(), sample=20, seed=seed) for seed in (1, 1, 2))
    assert one == two != other
    assert choose(everything(), only="board.yaml .*M4")[0].ident.startswith("+1 entities.terr")


def test_the_report_counts_and_shows_survivors() -> None:
    found = mutant("drop buy/bought-twice")
    lines = list(report([Verdict(found, "survived"), Verdict(found, "killed", "x")]))
    assert lines[1].split() == ["drop", "2", "1", "0", "0", "1"]
    assert any(line.startswith(f"survived: altay/moves/buy.yaml:{found.line}: ") for line in lines)
    assert list(report([Verdict(found, "killed")]))[-1] == "no survivor"


def test_the_command_lists_changes() -> None:
    result = CliRunner().invoke(command, ["--list", "--only", "bought-twice", "--operator", "drop"])
    assert result.exit_code == 0
    assert "drop buy/bought-twice\n    turn.bought.count(title) <" in result.output
