"""What is suggested is written as the log writes its names, whatever language findings are in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.filling import fill
from altay_cli.checking.fixing import applied
from altay_cli.compile.load import load_pack
from altay_cli.notation.reading import read_log
from altay_cli.pack.candidates import written_in

GAMES = Path(__file__).parents[2] / "games"
TIE = re.sub(r"\s*#.*", "", (GAMES / "tie.agn").read_text(encoding="utf-8"))
KINDS = ("title", "achievement", "faction", "resource")


def written(text: str, language: str) -> str:
    """Return a log with all its names in another language."""
    shown = load_pack("altay").shown
    names = {
        name: shown[language][key]
        for key, name in shown["en"].items()
        if key.partition(" ")[0] in KINDS and "(" not in name
    }
    found = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?m)(?<!\w)({found})(?!\w)", lambda one: names[one[0]], text)


def errors(text: str, language: str) -> list[Finding]:
    (game,) = check_text(text, folder=GAMES, language=language).games
    return [found for found in game.findings if found.severity is Severity.ERROR]


DEVELOP = "  develop Masonry with stone => Writing\n", "develop Masonry with stone => Writing; "
BUILD = "  develop Writing with 2 food, 2 wood\n", "develop Writing with 2 wood, 2 food; "
SEAT = "  seat Clara as Elvenfolk\n", "seat Clara as Elvenfolk; "


@pytest.mark.parametrize(
    ("left_out", "log", "told"),
    [
        (DEVELOP, "de", "en"),
        *((left_out, *rest) for left_out in (BUILD, SEAT) for rest in (("de", "en"), ("de", "de"))),
        *((left_out, *rest) for left_out in (BUILD, SEAT) for rest in (("en", "de"), ("ja", "ja"))),
    ],
)
def test_a_suggestion_is_in_the_language_of_the_log(
    left_out: tuple[str, str], log: str, told: str
) -> None:
    slip, right = left_out
    text = written(TIE, log)
    assert text.count(written(slip, log)) == 1
    slipped = text.replace(written(slip, log), "")
    found = errors(slipped, told)
    assert [fix.text for fix in found[0].fixes[:1]] == [written(right, log)]
    assert errors(applied(slipped, [found[0].fixes[0]]), told) == []


@pytest.mark.parametrize("language", ["de", "ja"])
def test_draws_are_filled_in_as_the_log_writes_names(language: str) -> None:
    hidden = re.sub(r"(?m)^(  Ruth: draw) .*$", r"\1 5 ?", TIE)
    assert hidden != TIE
    assert fill(written(hidden, language), GAMES) == written(fill(hidden, GAMES), language)


def test_the_language_of_a_log_may_show_late() -> None:
    """The first hundred statements name nothing."""
    ends = "  end\n" * 100
    log = read_log(f'[Game "altay"]\nturn 1 Ann\n{ends}  buy {written("Farmer", "de")}\n')
    assert written_in(load_pack("altay"), log.games[0], "en") == "de"
