"""What people write is read as they mean it, and told once, with a fix that makes it right.

The slips stand in `slips.txt`, made by hand; see its head.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.suggest import suggest
from altay_cli.checking.check import check_text
from altay_cli.checking.fixing import applied, plain_words
from altay_cli.compile.load import load_pack
from altay_cli.notation import parser
from altay_cli.notation.reading import read_log
from altay_cli.notation.writing import format_log
from altay_cli.repair import limits, mending
from altay_cli.repair.rewriting import _most_similar
from tests.small import Pebbles

GAMES = Path(__file__).parents[2] / "games"
HERE = Path(__file__).parent


class Slip(NamedTuple):
    """A slip: its line in the table, the log, what it is told of it, what is written and meant."""

    number: int
    log: str
    cause: str
    wrong: str
    right: str
    meant: str
    guess: bool

    @property
    def place(self) -> int:
        """The line of the log in which it is made."""
        lines = (HERE / self.log).read_text(encoding="utf-8").split("\n")
        return [line.strip() for line in lines].index(self.right) + 1

    def text(self, written: str) -> str:
        """Return the log with something written in the place of what is right."""
        lines = (HERE / self.log).read_text(encoding="utf-8").split("\n")
        lines[self.place - 1] = f"  {written}"
        return "\n".join(lines)


def slips() -> Iterator[Slip]:
    log = cause = ""
    lines = (HERE / "slips.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("=="):
            log = line.strip("= ")
        elif " | " not in line:
            cause = line
        else:
            wrong, right, *meant = line.removeprefix("! ").split(" | ")
            guess = line.startswith("! ")
            yield Slip(number, log, cause.strip('"'), wrong, right, [right, *meant][-1], guess)


def findings(text: str) -> list[Finding]:
    """Return all findings but notes."""
    found = [finding for game in check_text(text).games for finding in game.findings]
    return [finding for finding in found if finding.severity is not Severity.NOTE]


ALL = list(slips())


def test_there_are_two_hundred_of_them() -> None:
    assert len(ALL) >= 200


@pytest.mark.parametrize("log", sorted({slip.log for slip in ALL}))
def test_what_is_meant_is_legal(log: str) -> None:
    assert findings((HERE / log).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("slip", ALL, ids=lambda slip: f"line {slip.number}: {slip.wrong}")
def test_a_slip_is_told_once_and_its_fix_is_what_was_meant(slip: Slip) -> None:
    text = slip.text(slip.wrong)
    found = findings(text)
    if slip.cause == "no finding":
        assert found == []
        return
    assert [(one.span.line, one.severity) for one in found] == [
        (slip.place, Severity.ERROR if slip.guess else Severity.WARNING)
    ]
    assert slip.cause in found[0].message
    assert found[0].fixes[0].certain is not slip.guess
    mended = applied(text, {fix for one in found for fix in one.fixes[:1]})
    assert format_log(mended) == format_log(slip.text(slip.meant))
    assert findings(mended) == []


def test_formatting_puts_plurals_right() -> None:
    text = (HERE / "setup.agn").read_text(encoding="utf-8")
    plural = text.replace("play 2 Hunter\n", "play 2 hunters\n")
    plural = plural.replace("end => 2 Warrior,", "end => 2 Warriors,")
    plural = plural.replace("draw 2 Hunter, 2 Warrior,", "draw 2 Hunters, 2 Kriegern,")
    assert plural.count("ers") > text.count("ers")
    assert plain_words(plural, None) == text.replace(
        "2 Hunter, 2 Warrior, V", "2 Hunter, 2 Krieger, V"
    )
    assert plain_words(text, None) == text


def test_formatting_writes_words_of_statements_small_and_no_names() -> None:
    text = (HERE / "position.agn").read_text(encoding="utf-8")
    loud = (
        text.replace("  play ", "  Play ").replace(" using ", " Using ").replace("end =", "END =")
    )
    assert loud != text
    assert plain_words(loud, None) == text
    claims = "result\n  Winner ANN\n  ANN: Score 3\n"
    mended = plain_words(text + claims, None)
    assert mended == text + claims.replace("Winner", "winner").replace("Score", "score")


PLAYERS = """\
[Game "altay"]
position
  "Oma Inge": faction Firefolk
  Bob: faction Elvenfolk
result
  Oma Inge {}
"""


@pytest.mark.parametrize("written", ["0", "scores 0", "has 0 points", ": 0"])
def test_a_claim_of_a_player_of_two_names(written: str) -> None:
    text = PLAYERS.replace(" {}", written if written == ": 0" else f" {written}")
    found = findings(text)
    assert [(one.rule, one.span.line) for one in found] == [("badly-written", 6)]
    assert "  Oma Inge: score 0\n" in applied(text, {one.fixes[0] for one in found})


def test_a_statement_that_says_how_often_is_one_for_each() -> None:
    text = (HERE / "position.agn").read_text(encoding="utf-8") + "  play Hunter x2\n"
    assert "; play Hunter`" not in findings(text)[0].message, "a list takes several at once"
    log = PLAYERS.partition("result")[0] + "turn 3 Bob\n  buy Lumberjack x3\n"
    found = [one for one in findings(log) if one.rule == "badly-written"]
    assert "`buy Lumberjack; buy Lumberjack; buy Lumberjack`" in found[0].message


@pytest.mark.parametrize(
    ("written", "claimed"),
    [
        ("Dan = 3", "Dan: score 3"),
        ("Dan: 27pts", "Dan: score 27"),
        ("ボブ: 27点", "ボブ: score 27"),
    ],
)
def test_a_score_on_a_pad(written: str, claimed: str) -> None:
    pad = '[Game "altay"]\nresult\n  Ann: score 12\n  {}\n'
    found = findings(pad.format(written))
    assert [one.rule for one in found] == ["badly-written"]
    assert applied(pad.format(written), {found[0].fixes[0]}) == pad.format(claimed)


def test_who_plays_is_told_by_a_result_whose_heading_is_badly_written() -> None:
    pad = '[Game "altay"]\nResults:\n  Ann 12\n  Bob 10\n  winner Ann\n'
    found = [one for one in findings(pad) if one.rule == "badly-written"]
    mended = applied(pad, {one.fixes[0] for one in found})
    assert mended.splitlines()[1:] == [
        "result", "  Ann: score 12", "  Bob: score 10", "  winner Ann"
    ]  # fmt: skip


def test_nonsense_is_no_reason_to_suggest_a_name() -> None:
    random = Random(20)
    words = {
        "".join(random.choice("bcdfghklmnprstwz") + random.choice("aeiou") for _ in range(size))
        for size in (2, 3, 4, 5)
        for _ in range(50)
    }
    assert len(words) > 180
    known = {name for table in load_pack("altay").names.values() for name in table}
    # A short word may happen to be a letter away from one of a thousand names.
    assert len([word for word in words if suggest(word, known, likeness=0.7)]) <= 2
    assert suggest("reiterei", known, likeness=0.7) == []  # `Arbeiter` has the same letters
    typed = {"lumberjakc": "lumberjack", "hutner": "hunter", "egineering": "engineering"}
    assert {word: suggest(word, known)[0] for word in typed} == typed


def test_all_statements_of_a_log_share_what_may_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """300 statements that nothing puts right took 900 tries each, and twice."""
    read_log: list[str] = []

    def counted(text: str) -> parser.Parsed:
        read_log.append(text)
        return parser.parse(text)

    monkeypatch.setattr(mending, "parse", counted)
    wrong = [f"  seat Ann as Firefok{number}" for number in range(300)]
    log = (HERE / "setup.agn").read_text(encoding="utf-8").replace("setup\n", "setup\n{}\n", 1)
    assert len(findings(log.format("\n".join(wrong)))) >= 300
    assert len(read_log) < 3 * limits.LOG_TRIES  # of 540,000
    # What comes first is put right all the same.
    first = findings(log.format("\n".join(["  seats Mia as Earthfolk", *wrong])))
    assert any(found.rule == "badly-written" for found in first)


def test_statements_put_together_are_paid_for_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece behind a list is read once more with all that is before it."""
    together: list[str] = []

    def counted(text: str) -> parser.Parsed:
        together.extend([text] * (", " in text))
        return parser.parse(text)

    monkeypatch.setattr(mending, "parse", counted)
    log = (HERE / "setup.agn").read_text(encoding="utf-8")
    findings(log + "turn 3 Ann\n" + ("  end => Hunter" + "; Hunter" * 40 + "\n") * 150)
    assert 1_000 < len(together) < limits.LOG_TRIES  # of 6,000


def test_one_slip_in_each_of_hundreds_of_lines_is_mended_in_all() -> None:
    """All are read as they are meant; after 200 of them, the others were left out of the game."""
    lines = (GAMES / "two-players.agn").read_text(encoding="utf-8").split("\n")
    first = lines.index("turn 1 Marta")
    changed = [
        line.replace("  ", "  (", 1) if number > first and line.startswith("  ") else line
        for number, line in enumerate(lines)
    ]
    assert sum(map(str.__ne__, lines, changed)) > 350
    found = findings("\n".join(changed))
    assert {one.rule for one in found} == {"badly-written"}
    assert all(one.fixes and one.fixes[0].certain for one in found)


BEGUN = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'


def test_the_way_to_write_a_move_that_has_all_that_is_told_is_shown(pebbles: Pebbles) -> None:
    """Who grabs a stone names no player: the way to write it that needs one is not meant."""
    pebbles.change(
        "moves/turns.yaml",
        "    written: take <stone>\n    takes: {stone: {type: stone, from: heap}}\n",
        "    written: [put <stone> aside for <player>, take <stone>]\n"
        "    takes: {stone: {type: stone, from: heap}, player: {type: player, optional: true}}\n",
    )
    pebbles.write("slips.yaml", "slips:\n  written: {take: [grab <stone>]}\n")
    assert pebbles.problems() == []
    grabbed = BEGUN + "  grab red; end\n"
    (found,) = pebbles.judge(grabbed).findings
    assert found.message == "this is written `take <stone>`: `take red`"
    assert applied(grabbed, found.fixes) == BEGUN + "  take red; end\n"


@pytest.mark.usefixtures("pebbles")
def test_what_is_mended_pays_for_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the lines costs 8 tries at the least: 480 together."""
    monkeypatch.setattr(limits, "LOG_TRIES", 100)
    (game,) = read_log(BEGUN + "  take (red\n" * 60).games
    assert len(mending.mend(game, load_pack("pebbles"), mending.TextBudget())) == 60


@pytest.mark.usefixtures("pebbles")
def test_to_read_a_long_text_counts_as_several_tries() -> None:
    """Nothing puts right a name of so many letters; a text of 600 characters counts as seven."""
    spent = []
    for letters in (60, 660):
        (game,) = read_log(f"{BEGUN}  take {'q' * letters}\n").games
        budget = mending.TextBudget()
        assert not mending.mend(game, load_pack("pebbles"), budget)
        spent.append(limits.LOG_TRIES - limits.LEAST_TRIES - budget.left)
    assert 0 < 7 * spent[0] == spent[1]


SEATED = (HERE / "position.agn").read_text(encoding="utf-8").partition("turn 3 Ann")[0]
OWNED = "  Bob: hand 2 Warrior, Hunter\n"
"""Before a turn, and what Bob holds there."""


def wrong_names(text: str) -> list[tuple[int, str, list[str]]]:
    """Return the line, the place and the fixes of each name that nobody knows."""
    lines = text.split("\n")
    return [
        (one.span.line, lines[one.span.line - 1][one.span.column - 1 : one.span.end_column - 1],
         [fix.text for fix in one.fixes])
        for one in findings(text) if one.rule == "unknown-card"
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [{30: "Huntr"}, {30: "Huntr", 50: "Hutner"}])
def test_a_letter_wrong_in_a_long_list_leaves_the_rest_readable(wrong: dict[int, str]) -> None:
    names = ", ".join(wrong.get(number, "Hunter") for number in range(60))
    text = SEATED.replace(OWNED, f"  Bob: hand {names}\n")
    text += "turn 3 Ann\n  end\nturn 3 Bob\n  expect hand 60 Hunter\n"
    assert wrong_names(text) == [(18, name, ["Hunter"]) for name in wrong.values()]
    assert {one.rule for one in findings(text)} == {"unknown-card"}


def test_a_comma_that_a_long_list_lacks_is_put_in() -> None:
    names = ", ".join(["Hunter"] * 60).replace("Hunter, Hunter", "Hunter Hunter", 1)
    text = SEATED.replace(OWNED, f"  Bob: hand {names}\n").replace("  Ann: deck", "  #")
    told = [one for one in findings(text) if one.rule == "badly-written"]
    assert [(one.span.line, [fix.text for fix in one.fixes]) for one in told] == [(18, [","])]


def test_each_of_hundreds_of_long_lists_gets_its_names_right() -> None:
    """What is looked up for one name is known for all; it was after 300 that none was found."""
    ways = [f"Hun{letter}er" for letter in "abcdefghijklmnop"] + ["Hutner", "Huntr"]
    wrong = [(ways[number % 18], ways[(number + 5) % 18]) for number in range(200)]
    lists = [", ".join(["Hunter"] * 7 + [one, "Hunter", other]) for one, other in wrong]
    text = SEATED + "turn 3 Ann\n" + "".join(f"  expect hand {names}\n" for names in lists)
    first = text[: text.index("  expect")].count("\n") + 1
    misspelled = {one.span.line for one in findings(text) if one.rule == "badly-written"}
    assert len(misspelled) > 100
    # `Hunder` is near `Händler` as well: it is an error, with the likeliest name.
    assert wrong_names(text) == [
        (first + number, name, ["Hunter"])
        for number, pair in enumerate(wrong)
        for name in pair
        if first + number not in misspelled
    ]


def test_lines_that_nobody_can_read_leave_tries_for_those_behind_them() -> None:
    """Ten of them took all that there were, and slips behind them were not put right."""
    lost = [
        f"  and so {word} it went {word} on and on, as it does, {word}" for word in "abcdefghij"
    ]
    text = SEATED + "\n".join(["turn 3 Ann", *lost, "  buy Farmer and Stonecutter", ""])
    told = [one for one in findings(text) if one.rule == "badly-written"]
    assert [one.span.line for one in told] == [text.count("\n")]


def test_a_word_alone_is_not_taken_for_the_name_behind_it() -> None:
    text = '[Game "chess"]\nsetup\n  seat\n  seat Bob\n  seat Ann\nturn 1 Bob\n  move e2 to e4\n'
    assert [(one.rule, one.span.line) for one in findings(text)] == [("malformed-statement", 3)]


@pytest.mark.parametrize(("sign", "code"), [("\f", "U+000C"), ("\v", "U+000B"), ("\x85", "U+0085")])
@pytest.mark.parametrize(
    "line", ["{}buy Farmer", "buy Farmer{}", "{} buy Farmer {}", "{}turn 1 Bob", "{}Bob: settle F6"]
)
def test_a_control_character_around_a_statement_is_named(line: str, sign: str, code: str) -> None:
    """Such as the form feed that a word processor leaves where a page ends."""
    meant = line.format("", "").strip()
    lines = (HERE / "setup.agn").read_text(encoding="utf-8").split("\n")
    number = [one.strip() for one in lines].index(meant)
    right = "\n".join([*lines[:number], meant, *lines[number + 1 :]])
    lines[number] = line.format(sign, sign)
    (found,) = findings("\n".join(lines))
    assert (found.severity, found.span.line) == (Severity.WARNING, number + 1)
    assert found.message == f"the control character {code} does not belong here: `{meant}`"
    assert applied("\n".join(lines), [found.fixes[0]]) == right


def test_a_word_that_is_too_many_slips_away_is_no_suggestion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = frozenset({"play"})
    _most_similar.cache_clear()
    assert _most_similar("plya", words) == ("play",)
    _most_similar.cache_clear()
    monkeypatch.setattr(limits, "WORD_SLIPS", 0)
    assert _most_similar("plya", words) == ()
    _most_similar.cache_clear()
