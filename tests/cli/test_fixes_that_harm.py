"""`--fix` never leaves more errors than there were before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from altay_cli.base.findings import Finding, Fix, Severity, Span
from altay_cli.checking.check import check_text
from altay_cli.checking.fixing import mended
from attack.fuzz.targets import check_fixes
from tests.cli.sample import run
from tests.written.test_written import slips

TESTS = Path(__file__).parents[1]
SETUP = (TESTS / "written" / "setup.agn").read_text(encoding="utf-8")
GAMES = Path(__file__).parents[2] / "games"

# The heading comes before the first hands, and again where it belongs.
EARLY = SETUP.replace("  Ann: draw", "turn 1 Ann\n  Ann: draw")


@pytest.mark.parametrize("log", [EARLY, EARLY.replace("\n\nturn 1 Ann\n", "\n")])
def test_a_heading_that_comes_too_early_makes_no_other_statements_of_the_setup(log: str) -> None:
    """`Ann: draw ...` became `Ann: end => ...` and ended a turn that had not begun."""
    found = [one for one in check_text(log).games[0].findings if one.severity is Severity.ERROR]
    assert [(one.rule, log.split("\n")[one.span.line - 1]) for one in found] == [
        ("statement-phase", "  Ann: draw 2 Hunter, 2 Warrior, Village"),
        ("statement-phase", "  Bob: draw 3 Hunter, Loremaster, Village"),
    ]
    assert run("check", "--fix", "-", text=log).stdout.startswith(log)


def test_so_it_is_in_a_whole_game() -> None:
    log = (GAMES / "two-players.agn").read_text(encoding="utf-8")
    log = log[: log.index("turn 3 ")].replace("  Jonas: settle", "turn 1 Marta\n  Jonas: settle", 1)
    check_fixes(log, guesses=False)
    check_fixes(log, guesses=True)


def test_what_is_drawn_at_the_end_of_a_turn_is_still_read_as_its_end() -> None:
    """A statement of the setup is taken for another one where the turn has begun."""
    log = SETUP.replace("end => 2 Warrior, Shaman", "draw 2 Warrior, Shaman")
    found = [one.rule for one in check_text(log).games[0].findings]
    assert found == ["badly-written", "game-unfinished"]


def logs_of_the_tests() -> Iterator[tuple[str, str]]:
    """Yield a third of the logs of the tests, and all slips in logs, each with its name."""
    for path in sorted(TESTS.rglob("*.agn"))[::3]:
        yield path.relative_to(TESTS).as_posix(), path.read_text(encoding="utf-8")
    for slip in slips():
        yield f"slips.txt:{slip.number}", slip.text(slip.wrong)


def test_no_certain_fix_of_any_log_brings_a_finding() -> None:
    """What was legal is so behind `--fix`, and whatever is found then was found before."""
    fixed = 0
    for name, text in logs_of_the_tests():
        before = check_text(text)
        if not any(fix.certain for game in before.games for f in game.findings for fix in f.fixes):
            continue
        after = check_text(
            mended(
                text,
                lambda text: [f for game in check_text(text).games for f in game.findings],
                guesses=False,
            ).text
        )
        rules, others = (
            Counter(found.rule for game in report.games for found in game.findings)
            for report in (before, after)
        )
        assert not others - rules, name
        assert after.legal or not before.legal, name
        fixed += others != rules
    assert fixed >= 150


def harmful(text: str) -> Iterator[Finding]:
    """Tell an error for each `?` and for each `x` in a text; each `?` can be made an `x` or `yx`."""
    for column, letter in enumerate(text, 1):
        place = Span(1, column, 1, column + 1)
        if letter == "?":
            fix = Fix(place, "xx" if text[column : column + 1] == "!" else "y", certain=True)
            yield Finding("asked", Severity.ERROR, "asked", place, fixes=(fix,))
        if letter == "x":
            yield Finding("wrong", Severity.ERROR, "wrong", place)


def test_of_several_fixes_only_those_that_harm_are_left_out() -> None:
    """Behind an exclamation mark, one question becomes two errors."""
    after = mended("? ?! ? ? ?! ?", lambda text: list(harmful(text)), guesses=False)
    assert after.text.count("y") >= 4
    assert len(list(harmful(after.text))) < 6
    alone = mended("?!", lambda text: list(harmful(text)), guesses=False)
    assert alone == ("?!", 0, 1)


def test_one_fix_that_harms_is_found_among_many() -> None:
    """The 16 fixes are halved four times until the one that harms is left."""

    def ruinous(text: str) -> Iterator[Finding]:
        for found in harmful(text):
            yield from [found] * (9 if found.rule == "wrong" else 1)

    after = mended("?!" + "?" * 15, ruinous, guesses=False)
    assert after == ("?!" + "y" * 15, 15, 1)


@pytest.mark.parametrize(("first", "made"), [("e", 5), ("a", 9), ("Z", 10)])
def test_what_a_fix_reveals_is_mended_too_but_not_for_ever(first: str, made: int) -> None:
    """Each letter before `j` becomes the next one: ten times at the most."""

    def earlier(text: str) -> Iterator[Finding]:
        if text < "j":
            place = Span(1, 1, 1, 2)
            yield Finding("early", Severity.ERROR, "early", place, fixes=(fix(place, text),))

    def fix(place: Span, text: str) -> Fix:
        return Fix(place, chr(ord(text) + 1), certain=True)

    assert mended(first, earlier, guesses=False) == (chr(ord(first) + made), made, 0)


def test_it_is_told_that_a_fix_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from altay_cli.checking.fixing import Fixed
    from altay_cli.cli import check

    monkeypatch.setattr(check, "mended", lambda text, *_, **__: Fixed(text, 0, 2))
    said = run("check", "--fix", "-", text=SETUP).stderr
    assert "2 fixes not made: the log would have more errors than now" in said


def test_standard_input_is_written_where_some_fixes_were_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from altay_cli.checking.fixing import Fixed
    from altay_cli.cli import check

    monkeypatch.setattr(check, "mended", lambda text, *_, **__: Fixed(f"{text}; mended", 1, 2))
    assert run("check", "--fix", "-", text=SETUP).stdout.startswith(f"{SETUP}; mended\n")
