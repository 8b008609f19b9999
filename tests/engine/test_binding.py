"""How statements are read: words, slots, counts, qualifiers, names that are keywords."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from altay_cli.base.values import Entity
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Phrase
from altay_cli.pack import limits
from altay_cli.pack.binding import Binder, Binding
from altay_cli.pack.candidates import capture
from altay_cli.pack.model import Pattern, PatternPart, Phase

PACK = load_pack("altay")


def phrase(line: str) -> Phrase:
    heading = line.startswith("turn ")
    log = read_log(f'[Game "x"]\n{line}' if heading else f'[Game "x"]\nturn 1 x\n{line}')
    assert not log.findings, log.findings
    section = log.games[0].sections[0]
    return section.heading.phrase if heading else section.statements[0].phrase


def bind(line: str, phase: Phase = "turns", players: tuple[str, ...] = ("Ann", "Bob")) -> Binding:
    binder = Binder(PACK)
    for number, name in enumerate(players):
        binder.add_player(Entity("player", name, number))
    return binder.bind(phrase(line), phase)


# ---------------------------------------------------------------- patterns

WrittenName = list[
    tuple[str | None, str]
]  # pieces of a statement: the slot that each belongs to, or None


def written(
    parts: tuple[PatternPart, ...], *, whole: bool, follows: PatternPart | None = None
) -> WrittenName:
    """Write a pattern out, its slots as names that occur nowhere else; ``whole`` with all options."""
    pieces: WrittenName = []
    for number, part in enumerate(parts):
        after = parts[number + 1] if number + 1 < len(parts) else follows
        if part.word:
            pieces.append((None, part.word))
        elif part.slot:
            # Directly before another slot there is room for a single number.
            other = after.inner[0] if after and after.inner else after
            number_only = other is not None and other.slot
            pieces.append((part.slot, "7" if number_only else f"zz{part.slot} yy"))
        elif whole:
            pieces.extend(written(part.inner, whole=True, follows=after))
    return pieces


def patterns() -> Iterator[Pattern]:
    for move in PACK.moves:
        yield from move.patterns


@pytest.mark.parametrize("whole", [True, False], ids=["with options", "without options"])
@pytest.mark.parametrize(
    "pattern", sorted(set(patterns()), key=lambda p: p.source), ids=lambda p: p.source
)
def test_a_pattern_finds_again_what_was_put_into_it(pattern: Pattern, whole: bool) -> None:
    pieces = written(pattern.parts, whole=whole)
    items = phrase(" ".join(text for _, text in pieces)).items
    captured = capture(pattern, items)
    assert captured is not None
    found = {name: " ".join(item.text for item in some) for name, some in captured.items()}
    assert found == {name: text for name, text in pieces if name is not None}


@pytest.mark.parametrize(
    "line",
    ["play", "buy for food", "attack F2", "attack from F2", "place food",
     "place on Village", "develop", "use", "end now", "fight Hunter",
     "take", "trade food", "build"],
)  # fmt: skip
def test_what_fits_no_pattern_is_malformed(line: str) -> None:
    binding = bind(line)
    assert binding.readings == ()
    assert [error.rule for error in binding.errors] == ["malformed-statement"]
    assert binding.errors[0].help


# ---------------------------------------------------------------- slots


def cards(line: str) -> list[tuple[int, list[str]]]:
    (reading, *_) = bind(line).readings
    return [(one.count, [entity.id for entity in one.entities]) for one in reading.slots["cards"]]


def test_counts_names_and_qualifiers() -> None:
    ((two, hunters), (one, chariots)) = cards("play 2 Hunter, Chariot(2)")
    assert (two, one) == (2, 1)
    assert len(hunters) == 1
    assert len(chariots) == 1
    ((_, either),) = cards("play Chariot")
    assert len(either) == 3, "a bare title means any of its copies"
    ((_, both),) = cards("play Craftsman")
    assert len(both) == 2, "two cards share the title"
    ((_, wood),) = cards("play craftsman( WOOD )")
    assert wood[0] in both


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("play Huntre", "unknown-card"),
        ("play Chariot(3)", "unknown-card"),
        ("play Hunter using F9", "unknown-territory"),
        ("play Digger for gold", "unknown-resource"),
        ("develop Wonderwall with food", "unknown-achievement"),
        ("play 1001 Hunter", "count-range"),
        ("play 0 Hunter", "count-range"),
        ("play 600 Hunter, 600 Warrior", "count-range"),
        ("play ?", "not-recorded"),
        ("attack F2, F3 from H2 with Warrior", "one-only"),
        ("attack 2 F2 from H2 with Warrior", "one-only"),
        ("buy Farmer => Hunter", "no-outcome"),
        ("settle F2", "statement-phase"),
        ("dance", "unknown-statement"),
    ],
)
def test_slips(line: str, rule: str) -> None:
    assert [error.rule for error in bind(line).errors] == [rule]


def test_the_nearest_name_is_offered_and_read() -> None:
    binding = bind("play Huntre")
    assert binding.errors[0].help == ("did you mean `Hunter`?",)
    assert binding.readings


@pytest.mark.parametrize(("line", "meant"), [("play Hun", "Hunter"), ("play Hu", None)])
def test_three_letters_are_the_beginning_of_a_name(line: str, meant: str | None) -> None:
    (error,) = bind(line).errors
    assert error.help == ((f"did you mean `{meant}`?",) if meant else ())


def test_for_so_many_names_the_nearest_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LOOKUPS", 2)
    errors = bind("play Huntre, Warrier, Huntre, Shamann").errors
    meant = [("did you mean `Hunter`?",), ("did you mean `Warrior`?",)]
    assert [error.help for error in errors] == [*meant, meant[0], ()]


def test_a_quoted_word_is_a_name_and_no_keyword() -> None:
    players = ("from", "with")
    captured = bind('captured "from", 2 "with"', "position", players).readings[0].slots["whom"]
    assert [(one.count, one.entities[0].id) for one in captured] == [(1, "from"), (2, "with")]


def test_players_are_those_of_the_game() -> None:
    # One file, two tables: a name of the one means nothing at the other.
    def table(second: str, captured: str) -> str:
        return (
            f'[Game "altay"]\nposition\nAnn: faction Firefolk\n{second}: faction Elvenfolk\n'
            f"Ann: captured {captured}\n"
        )

    for text, wrong in (
        (table("Bob", "Bob") + table("Cid", "Bob"), 1),
        (table("Cid", "Bob") + table("Bob", "Bob"), 0),
    ):
        found = [[f.rule for f in game.findings] for game in check_text(text).games]
        assert found[wrong] == ["unknown-player"]
        assert found[1 - wrong] == []
