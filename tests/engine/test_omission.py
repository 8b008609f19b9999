"""One slip that makes many errors is told once: a statement left out, two that were exchanged."""

from __future__ import annotations

from tests.engine.slips import GAMES, errors, errors_of, recorded


def test_a_statement_that_was_left_out_is_asked_for() -> None:
    left_out = "  develop Masonry with stone => Writing\n"
    (error,) = errors("tie", left_out)
    # Resources are placed on it 21 lines later; what was revealed is found as well.
    assert error.rule == "place-not-developing"
    asked = "was `develop Masonry with stone => Writing` left out before line 60?"
    assert error.help[0] == asked
    assert error.fixes[0].text == "develop Masonry with stone => Writing; "
    assert error.fixes[0].certain is False


def test_a_statement_left_out_just_before_the_error_is_asked_for() -> None:
    left_out = "  develop Writing with 2 food, 2 wood\n"
    (error,) = errors("tie", left_out)
    assert error.rule == "build-nothing"
    assert error.help[0] == "was `develop Writing with 2 wood, 2 food` left out before this?"


def test_a_statement_left_out_in_the_turn_of_another_player_is_asked_for() -> None:
    left_out = "  develop Commerce with food, wood, stone => Religion\n"
    # Jonas did it; Marta develops what it revealed, eleven lines later.
    (error,) = errors("two-players", left_out)
    assert error.rule == "develop-available"
    assert error.help[0] == (
        "was `develop Commerce with wood, stone, food => Religion` left out before line 395?"
    )


def test_what_was_left_out_is_looked_for_from_the_error_backwards() -> None:
    """What could have been forgotten long before used up the tries: this gave four errors."""
    (error,) = errors("three-players", "  place stone on Masonry                      # 1 to go\n")
    assert error.help[0].startswith("was `place stone on Masonry` left out before line ")


def test_what_was_left_out_may_be_named_by_what_is_told_alone() -> None:
    """No statement with an error names Masonry: it is what is still being developed."""
    (error,) = errors("two-players", "  place stone on Masonry\n")
    assert error.help[0] == "was `place stone on Masonry` left out before line 73?"


def test_what_explains_errors_blames_nothing_that_was_right_before_them() -> None:
    lines = recorded("tie").partition("\nresult")[0].split("\n")
    (changed,) = (n for n, line in enumerate(lines) if line.startswith("  place 2 culture on Maus"))
    # The turn may end here, and these cards are in the deck: only what follows is wrong.
    lines[changed] = "  end => Miner, Warrior, Hunter, Village, Scholar"
    assert errors_of("\n".join(lines))[0].span.line == changed + 2


def test_two_statements_that_were_exchanged_are_told_once() -> None:
    right = "  end => Hunter, Craftsman(wood), Craftsman(stone), 2 Hunter\n\nturn 1 Simon\n"
    end, heading = right.split("\n\n")
    (error,) = errors("tie", right, f"{heading}\n{end}\n")
    assert error.rule == "turn-not-ended"
    assert error.help[0] == "was this meant to come after line 37?"


def test_another_name_that_was_meant_explains_all() -> None:
    (error,) = errors("three-players", "  Ida: settle F1\n", "  Ida: settle M1\n")
    assert error.rule == "settle-terrain"
    assert error.help[0] == "did you mean `F1`?"
    assert error.fixes[0].text == "F1"
    assert error.fixes[0].certain is False


def test_another_name_that_was_meant_where_something_began_explains_all() -> None:
    text = recorded("tie")
    line = text.split("\n")[314]
    assert line == "  develop Leadership with 2 metal, stone => Government, Religion"
    (error,) = errors("tie", line, line.replace("Leadership", "Writing"))
    assert (error.rule, error.span.line) == ("develop-available", 315)
    assert error.help[0] == "did you mean `Leadership`?"
    # Where what was begun is possible as well, the error comes where it goes on.
    begun = "  develop Philosophy with 2 culture"
    (error,) = errors("three-players", begun + "\n", begun.replace("Philosophy", "Religion") + "\n")
    assert (error.rule, error.span.line) == ("place-not-developing", 496)
    assert error.help[0] == "did you mean `develop Philosophy with 2 culture` in line 463?"


def test_many_independent_errors_are_all_told() -> None:
    text = (GAMES.parent / "tests" / "games" / "ten-mistakes.agn").read_text(encoding="utf-8")
    assert len(errors_of(text)) == 10
