"""A result that stands alone, a score pad: it is added up, ranked, and checked as far as it goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from altay_cli.checking.check import check_text
from altay_cli.checking.errors import GameError
from altay_cli.checking.pad import categories, log_text
from tests.cli.sample import run
from tests.logs import verify
from tests.small import LOG, Pebbles

HERE = Path(__file__).parent / "pads"


@pytest.mark.parametrize("path", sorted(HERE.glob("*.agn")), ids=lambda path: path.stem)
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


def told(name: str, *command: str) -> str:
    return run(*command, str(HERE / f"{name}.agn")).output


def test_verdicts() -> None:
    verdicts = {
        name: check_text((HERE / f"{name}.agn").read_text(encoding="utf-8")).games[0].verdict.value
        for name in ("legal", "wrong-sum", "some-categories", "strict", "nobody")
    }
    assert verdicts == {
        "legal": "legal", "wrong-sum": "illegal", "some-categories": "legal", "strict": "illegal",
        "nobody": "not judged",
    }  # fmt: skip


def test_it_is_added_up_and_ranked() -> None:
    game = json.loads(told("added-up", "score", "--format", "json"))["files"][0]["games"][0]
    assert {name: of["total"] for name, of in game["scores"].items()} == {"Ann": 20, "Bob": 20}
    assert game["scores"]["Bob"]["territories"] == 9
    assert (game["ranking"], game["winners"]) == ([["Bob"], ["Ann"]], ["Bob"])
    assert (game["decided_by"], game["recorded"]) == ("technologies", "wholly")


def test_what_is_not_given_is_open() -> None:
    game = json.loads(told("score-open", "check", "--format", "json"))["files"][0]["games"][0]
    assert game["scores"]["Bob"]["technologies"] == 3
    assert game["scores"]["Bob"]["cards"] is game["scores"]["Bob"]["total"] is None
    assert game["scores"]["Ann"]["total"] == 27
    assert (game["recorded"], game["winners"], game["ranking"]) == ("partly", [], [])
    assert [one["winners"] for one in game["outcomes"]] == [["Bob"], ["Ann"], ["Ann", "Bob"]]
    (help_lines,) = [one["help"] for one in game["findings"] if one["rule"] == "unrecorded"]
    assert help_lines[0] == "Ann: only the score is given"
    assert help_lines[1].startswith("Bob: 7 without Action cards, Territories, ")


def test_lower_ranks_that_are_open() -> None:
    text = '[Game "altay"]\nresult\nAnn: score 30\nBob: score 9\nBob: wonders 3\nCora: score 9\n'
    outcomes = check_text(text).games[0].outcomes
    assert outcomes is not None
    assert {one.standing.ranking for one in outcomes.all} == {
        (("Ann",), ("Bob",), ("Cora",)), (("Ann",), ("Cora",), ("Bob",)), (("Ann",), ("Bob", "Cora")),
    }  # fmt: skip
    assert outcomes.winners == ("Ann",)


def test_scores_are_shown() -> None:
    lines = told("some-categories", "score").splitlines()
    assert lines[1] == "Scores as the log records them."
    assert lines[4].split() == ["1", "Ann", "2", "6", "?", "?", "?", "?", "31"]
    assert lines[-1] == "Winner: Ann"
    assert told("tie-open", "score").splitlines()[-2:] == [
        "The winner depends on unrecorded facts.",
        "tied at 27 points: Ann, Bob; Technologies decides next, and is not recorded for Bob.",
    ]
    assert told("chess", "score").endswith("Winner: Ann\n")


@pytest.mark.parametrize("command", ["show", "moves", "log"])
def test_there_is_no_game_to_look_at(command: str) -> None:
    assert (
        told("legal", command)
        == f"altay: {HERE / 'legal.agn'}: the log has only a result, and no position to show\n"
    )


def test_it_is_formatted() -> None:
    text = '[Game "altay"]\nRESULT\nann: Wonders 6;Bob: SCORE 3'
    assert run("fmt", "-", text=text).stdout == (
        '[Game "altay"]\n\nresult\n  ann: wonders 6\n  Bob: score 3\n'
    )


# ---------------------------------------------------------------- what cannot be


def impossible(text: str, language: str = "en") -> list[tuple[str, tuple[str, ...]]]:
    """Return what is refused in a score pad, with its help."""
    (game,) = check_text(text, language=language).games
    return [(one.message, one.help) for one in game.findings if one.rule == "claim-impossible"]


def altay(claims: str, edition: str = "en") -> str:
    return f'[Game "altay"]\n[Edition "{edition}"]\nresult\n{claims}\n'


def test_more_points_than_all_wonders_give() -> None:
    ((message, (why,)),) = impossible(altay("Vera: wonders 39; Bob: wonders 38"))
    assert message == "Vera cannot have 39 points for Wonders: at most 38 are possible"
    assert why == (
        "a wonder gives 7 points at most, the secret one 3 more, and a player has at most one wonder "
        "for each technology of level 2"
    )


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("de", "39 Punkte für Wunder kann Vera nicht haben: Möglich sind höchstens 38"),
        ("ja", "Veraの偉業が39点になることはありません。最大38点です"),
    ],
)
def test_it_is_refused_in_every_language(language: str, message: str) -> None:
    ((told_message, (why,)),) = impossible(altay("Vera: wonders 39; Bob: wonders 3"), language)
    assert told_message == message
    assert "7" in why
    assert "wonder" not in why


def test_the_german_edition_counts_goals() -> None:
    assert impossible(altay("Ann: goals 48; Bob: goals 0", "de")) == []
    assert impossible(altay("Ann: goals 49; Bob: goals 0", "de"))[0][0].endswith(
        "at most 48 are possible"
    )


def test_the_number_of_players_counts() -> None:
    two, three = (
        "Ann: captured 16; Bob: captured 0",
        "Ann: captured 16; Bob: captured 0; Cora: score 9",
    )
    assert len(impossible(altay(two))) == 1
    assert impossible(altay(three)) == []


def test_what_all_have_together() -> None:
    assert impossible(altay("Ann: cards 5; Bob: cards 5")) == []
    ((message, _),) = impossible(altay("Ann: cards 5; Bob: cards 4; Cora: cards 2"))
    assert message == (
        "the players cannot have 11 points for Action cards together: at most 10 are possible"
    )


def test_a_variant_changes_what_is_possible() -> None:
    pad = altay("Ann: conquest 30; Bob: conquest 1")
    assert len(impossible(pad)) == 1
    assert impossible(pad.replace("result", '[Variant "full-marker-value"]\nresult')) == []


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("innovation", "score_pile 555"),
        ("othello", "discs_up 64"),
        ("gofish", "books_laid 13"),
        ("kalah", "stored 48"),
    ],
)
def test_other_games_have_limits_too(game: str, most: str) -> None:
    category, points = most.split()
    pad = f'[Game "{game}"]\nresult\nAnn: {category} {{points}}\nBob: {category} 0\n'
    assert impossible(pad.format(points=points)) == []
    ((message, _),) = impossible(pad.format(points=int(points) + 1))
    assert message.endswith(f"at most {points} are possible")


def test_a_log_with_moves_is_not_held_against_them(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "title: Worth", WORTH.format(possible="most: -9"))
    assert "claim-impossible" not in {
        f.split()[0] for f in pebbles.findings(LOG + "result\nAnn: worth 2\n")
    }


WORTH = "title: Worth\n    possible: {{{possible}, because: 'of {{players.size()}} pouches'}}"
PAD = '[Game "pebbles"]\nresult\nAnn: worth 4\nBob: worth {points}\n'


def test_a_category_may_state_all_its_values(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "title: Worth", WORTH.format(possible="values: '[4, -3, 0]'"))
    assert impossible(PAD.format(points=-3)) == []
    assert impossible(PAD.format(points=2)) == [
        ("Bob cannot have 2 points for Worth: possible are -3, 0, 4", ("of 2 pouches",)),
    ]


def test_a_least_can_be_below_zero(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "title: Worth", WORTH.format(possible="least: '-6'"))
    assert impossible(PAD.format(points=-6)) == []
    assert impossible(PAD.format(points=-7)) == [
        ("Bob cannot have -7 points for Worth: at least -6 are possible", ("of 2 pouches",)),
    ]


# ---------------------------------------------------------------- ties


def test_the_tie_that_decides_is_named() -> None:
    game = check_text(
        altay("Ann: score 31\nBob: score 31; Bob: technologies 4\nVera: score 20")
    ).games[0]
    (open_win,) = (one.message for one in game.findings if one.rule == "winner-open")
    assert open_win == (
        "tied at 31 points: Ann, Bob; Technologies decides next, and is not recorded for Ann"
    )
    assert game.to_dict()["open_ties"] == [
        {"players": ["Ann", "Bob"], "points": 31, "category": "technologies", "missing": ["Ann"]},
    ]


def test_a_tie_hangs_on_the_first_category_that_could_decide_it() -> None:
    both = "technologies 4; {name}: wonders 6; {name}: score 31"
    pad = "\n".join(f"{name}: {both.format(name=name)}" for name in ("Ann", "Bob"))
    outcomes = check_text(altay(pad)).games[0].outcomes
    assert outcomes is not None
    assert [(tie.category, tie.missing) for tie in outcomes.open_ties] == [
        ("cards", ("Ann", "Bob"))
    ]


def test_missing_points_stay_within_what_is_possible() -> None:
    """Bob has at most ten technologies, so he cannot pass Ann."""
    pad = altay("Ann: technologies 10; Ann: score 31\nBob: score 31; Bob: wonders 22")
    outcomes = check_text(pad).games[0].outcomes
    assert outcomes is not None
    assert outcomes.winners == ("Ann",)


@pytest.mark.parametrize(
    ("pad", "message"),
    [
        ("Ann: score 20; Ann: score 21", "Ann: score is claimed twice, as 20 and as 21"),
        (
            "Ann: technologies 3; Ann: technologies 2",
            "Ann: technologies is claimed twice, as 3 and as 2",
        ),
    ],
)
def test_what_is_given_twice_is_called_so(pad: str, message: str) -> None:
    (game,) = check_text(altay(f"{pad}; Bob: score 3")).games
    assert [found.message for found in game.findings if found.rule == "claim-wrong"] == [message]


# ---------------------------------------------------------------- a form for them


def test_the_categories_of_a_form() -> None:
    form = categories("altay", [("Edition", "de")], players=2, language="de")
    titles = [of["title"] for of in form["categories"]]
    assert titles == [
        "Ziele",
        "Aktionskarten",
        "Terrains",
        "Gewonnene Siedlungen",
        "Eroberungsmarker",
    ]
    goals, cards, *_ = form["categories"]
    assert (goals["id"], goals["least"], goals["most"], goals["cite"]) == (
        "goals",
        0,
        48,
        {"de": 15},
    )
    assert (cards["together"], cards["because"]) == (
        10,
        "So viele Punkte bringen alle Aktionskarten zusammen",
    )
    assert form["players"] == {"least": 2, "most": 4}
    assert form["by_points"] is True
    (edition,) = [option for option in form["options"] if option["tag"] == "Edition"]
    assert (edition["values"], edition["value"]) == (["en", "de"], "de")


def test_a_game_without_points() -> None:
    form = categories("chess")
    assert (form["categories"], form["by_points"]) == ([], False)
    text = log_text("chess", [("Ann", {}), ("Bob", {})], winners=["Ann"])
    assert text == '[Game "chess"]\n\nresult\n  winner Ann\n  loser Bob\n'


def test_the_log_of_a_form() -> None:
    columns = [("Ann", {"wonders": 6, "technologies": 2}), ("Bob Marley", {"score": 27})]
    text = log_text("altay", columns, [("Date", "2026.11.17")], winners=["Ann"])
    assert text == (
        '[Game "altay"]\n[Date "2026.11.17"]\n\nresult\n  Ann: technologies 2\n  Ann: wonders 6\n'
        "  Bob Marley: score 27\n  winner Ann\n"
    )
    (game,) = check_text(text).games
    assert game.legal
    assert game.to_dict()["scores"]["Bob Marley"]["total"] == 27


@pytest.mark.parametrize(
    "name", ["winner", "score", "draw", "Ann, Bob", "3", "a;b", "[Game]", "花子", "#1", 'the "Red"']
)
def test_any_name_can_be_written(name: str) -> None:
    (game,) = check_text(log_text("altay", [("Ann", {"wonders": 7}), (name, {"wonders": 5})])).games
    assert game.legal
    assert list(game.to_dict()["scores"]) == ["Ann", name]


@pytest.mark.parametrize("name", ["", " ", "Ann", "a\nb", "x" * 500, "\x07"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(GameError, match="cannot be the name of a player"):
        log_text("altay", [("Ann", {"wonders": 7}), (name, {"wonders": 5})])


def test_what_is_no_category() -> None:
    with pytest.raises(GameError, match="no score category `wonders 3`"):
        log_text("altay", [("Ann", {"wonders 3\nwinner Ann"[:9]: 7})])


def test_categories_cite_books_by_their_titles() -> None:
    (wonders,) = [part for part in categories("altay")["categories"] if part["id"] == "wonders"]
    assert wonders["cite"] == {"en": 15, "de": 15}
    assert wonders["cited"] == "English rulebook, page 15; German rulebook, page 15"
