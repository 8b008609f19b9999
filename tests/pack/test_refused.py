"""Rules that would be useless or wrong in play are refused, each mistake at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small import LOG, Pebbles

TURNS = "moves/turns.yaml"


def refused(pebbles: Pebbles, *variants: Path) -> list[tuple[str, str]]:
    """Return the errors of `rules check`: each rule, and what is marked."""
    errors = {p.rule for p in pebbles.problems(*variants) if p.severity == "error"}
    return [(rule, text) for rule, _, text in pebbles.marked(*variants) if rule in errors]


def with_tokens(pebbles: Pebbles) -> None:
    """Add a second kind of things, and zones for it."""
    pebbles.change("game.yaml", "zones:\n", "  token: {plural: tokens, title: token}\nzones:\n")
    pebbles.change("game.yaml", "zones:\n", "zones:\n  coins: {holds: bag(token)}\n")
    pebbles.change("game.yaml", "zones:\n", "zones:\n  row: {holds: pile(token)}\n")
    pebbles.add("board.yaml", "token: {gold: {}}\n")


def with_effect(pebbles: Pebbles, effect: str) -> None:
    pebbles.change(TURNS, "triggers:", f"procedures: {{odd: {{does: [{effect}]}}}}\ntriggers:")


# ---------------------------------------------------------------- kinds of things in zones


@pytest.mark.parametrize(
    ("effect", "marked"),
    [
        ("{move: {what: stones.red, from: heap, to: coins}}", "coins"),
        ("{move: {what: stones.red, from: coins}}", "coins"),
        ("{move: {what: stones.red.bag(2), to: row}}", "row"),
        ("{move: {from: heap, to: row}}", "row"),
        ("{move: {from: row, to: heap}}", "heap"),
        ("{unknown: {from: heap, to: coins, count: 1}}", "coins"),
    ],
)
def test_things_move_between_zones_of_one_kind(pebbles: Pebbles, effect: str, marked: str) -> None:
    with_tokens(pebbles)
    with_effect(pebbles, effect)
    assert refused(pebbles) == [("type", marked)]


def test_the_message_names_both_kinds(pebbles: Pebbles) -> None:
    with_tokens(pebbles)
    with_effect(pebbles, "{move: {from: heap, to: coins}}")
    (problem,) = (p for p in pebbles.problems() if p.severity == "error")
    assert (
        problem.message
        == "`coins` holds things of the kind token; the moved things are of the kind stone"
    )


def test_things_of_one_kind_do_move(pebbles: Pebbles) -> None:
    with_tokens(pebbles)
    with_effect(pebbles, "{move: {what: tokens.gold, from: coins, to: row}}")
    assert refused(pebbles) == []


DRAW = """\
  draw:
    title: Draw
    written: "draw [=> <seen>]"
    takes: {seen: {type: drawn KIND}}
    does:
      - draw:
          {seen: seen, from: FROM, to: TO, times: 1, rules: {missing: NO, hidden: NO, extra: NO, short: NO, impossible: NO}}
triggers:
"""


@pytest.mark.parametrize(
    ("kind", "source", "target", "marked"),
    [
        ("stone", "heap", "me.pouch", None),
        ("token", "heap", "me.pouch", "seen"),
        ("stone", "heap", "coins", "coins"),
    ],
)
def test_what_is_drawn_is_of_one_kind(
    pebbles: Pebbles, kind: str, source: str, target: str, marked: str | None
) -> None:
    with_tokens(pebbles)
    move = DRAW.replace("KIND", kind).replace("FROM", source).replace("TO", target)
    move = move.replace("NO", "{rule: none-drawn, else: no}")
    pebbles.change(TURNS, "triggers:\n", move)
    assert [text for _, text in refused(pebbles)] == ([] if marked is None else [marked])


@pytest.mark.parametrize("domain", ["coins", "tokens", "5", "heap.size()", "heap.has(heap)"])
def test_what_there_is_to_choose_from_is_of_the_kind_of_the_slot(
    pebbles: Pebbles, domain: str
) -> None:
    with_tokens(pebbles)
    pebbles.change(TURNS, "type: stone, from: heap", f'type: stone, from: "{domain}"')
    assert refused(pebbles) == [("expression-wrong-type", f'"{domain}"')]


def test_what_a_name_reveals_lies_in_a_bag_of_its_kind(pebbles: Pebbles) -> None:
    with_tokens(pebbles)
    pebbles.change(TURNS, "from: heap}}", "from: heap, reveals: coins}}")
    assert refused(pebbles) == [("expression-wrong-type", "coins")]


@pytest.mark.parametrize(
    ("old", "new"), [("ended: over", "ended: round"), ("round: round", "round: over")]
)
def test_the_status_has_the_types_that_the_program_needs(
    pebbles: Pebbles, old: str, new: str
) -> None:
    pebbles.change("game.yaml", old, new)
    assert refused(pebbles) == [("expression-wrong-type", new.split()[1])]


# ---------------------------------------------------------------- effects that things hold


@pytest.mark.parametrize(
    ("effects", "rule", "marked"),
    [
        ("[{mowe: {from: heap, to: me.pouch}}]", "schema-unknown-key", "mowe"),
        ("[{if: over, thn: []}]", "schema-unknown-key", "thn"),
    ],
)
def test_a_mistake_in_the_effects_of_a_thing_is_marked(
    pebbles: Pebbles, effects: str, rule: str, marked: str
) -> None:
    pebbles.change("game.yaml", "fields: {worth: int}", "fields: {worth: int, gives: effects}")
    pebbles.change("board.yaml", "{worth: 2}", f"{{worth: 2, gives: {effects}}}")
    assert (rule, marked) in refused(pebbles)


# ---------------------------------------------------------------- formulas


def with_effects_of_stones(pebbles: Pebbles, formula: str) -> None:
    """Give stones a list of records, each with a formula."""
    game = "fields: {worth: int}"
    pebbles.change("game.yaml", game, "fields: {worth: int, gives: list(gift)}")
    record = "  gift: {plural: gifts, title: gift, record: true, fields: {more: formula(list)}}\n"
    pebbles.change("game.yaml", "zones:\n", f"{record}zones:\n")
    pebbles.change("board.yaml", "{worth: 2}", f'{{worth: 2, gives: [{{more: "{formula}"}}]}}')
    pebbles.add(
        "scoring.yaml",
        """\
  gifts:
    title: Gifts
    parts: [{each: {g: "me.pouch.list().map(s, s.gives).flatten()"}, points: g.more(me).size(), show: gift}]
""",
    )


@pytest.mark.parametrize(
    ("formula", "rule", "marked"),
    [
        ("me.pouhc.list()", "expression-unknown-member", "me.pouhc"),
        ("nonsense", "expression-unknown-name", "nonsense"),
        ("me.debt", "type", '"me.debt"'),
    ],
)
def test_a_formula_inside_a_record_is_checked(
    pebbles: Pebbles, formula: str, rule: str, marked: str
) -> None:
    with_effects_of_stones(pebbles, formula)
    assert refused(pebbles) == [(rule, marked)]


def test_a_formula_inside_a_record_is_evaluated(pebbles: Pebbles) -> None:
    with_effects_of_stones(pebbles, "[me] + players")
    assert refused(pebbles) == []
    standing = pebbles.judge().standing
    assert standing is not None
    assert [score.points for score in standing.of("Ann").categories] == [2, 0, 3]


def test_a_formula_that_is_left_out_gives_nothing(pebbles: Pebbles) -> None:
    with_effects_of_stones(pebbles, "[me]")
    pebbles.change("board.yaml", '{more: "[me]"}', "{}")
    standing = pebbles.judge().standing
    assert standing is not None
    assert standing.of("Ann").categories[-1].points == 0


def test_the_default_of_a_formula_is_compiled(pebbles: Pebbles) -> None:
    with_effects_of_stones(pebbles, "[me]")
    pebbles.change("board.yaml", '{more: "[me]"}', "{}")
    fields = "fields: {more: formula(list)}"
    pebbles.change("game.yaml", fields, f'{fields}, defaults: {{more: "players"}}')
    standing = pebbles.judge().standing
    assert standing is not None
    assert standing.of("Ann").categories[-1].points == 2
    pebbles.change("game.yaml", '"players"', '"palyers"')
    assert refused(pebbles) == [("expression-unknown-name", "palyers")]


@pytest.mark.parametrize(
    ("kind", "rule", "marked"),
    [
        ("fields: {worth: int}, defaults: {worth: much}", "field-type", "much"),
        ("fields: {worth: int}, defaults: {wroth: 3}", "unknown-field", "wroth"),
        ("fields: {worth: int}, enums: {size: [big]}", "unknown-field", "size"),
        ("fields: {worth: int}, qualifier: size", "unknown-field", "size"),
        ("fields: {worth: int, size: siez}", "unknown-type", "siez"),
        (
            "fields: {worth: int, prints: list(copy)}, children: {prints: copy}",
            "unknown-kind",
            "copy",
        ),
        ("fields: {worth: int, twin: stnoe}", "unknown-type", "stnoe"),
    ],
)
def test_what_a_kind_says_of_its_fields_is_about_them(
    pebbles: Pebbles, kind: str, rule: str, marked: str
) -> None:
    pebbles.change("game.yaml", "fields: {worth: int}", kind)
    pebbles.change("board.yaml", "{worth: -3}", "{}")
    assert (rule, marked) in refused(pebbles)


# ---------------------------------------------------------------- what holds both ways


def with_twins(pebbles: Pebbles, kind: str, red: str, grey: str) -> None:
    pebbles.change("game.yaml", "{worth: int}", f"{{worth: int, twin: {kind}}}, symmetric: [twin]")
    pebbles.change("board.yaml", "{worth: 2}", f"{{worth: 2{red}}}")
    pebbles.change("board.yaml", "{worth: -3}", f"{{worth: -3{grey}}}")


@pytest.mark.parametrize(
    ("kind", "red", "grey", "found"),
    [
        ("stone?", ", twin: grey", ", twin: red", []),
        ("stone?", "", "", []),
        ("stone?", ", twin: grey", "", [("one-sided", "grey")]),
        ("stone", ", twin: grey", ", twin: grey", [("one-sided", "grey")]),
        ("list(stone)", ", twin: [grey]", ", twin: []", [("one-sided", "grey")]),
        ("int", ", twin: 1", ", twin: 2", [("type", "twin")]),
        ("list(int)", ", twin: [1]", ", twin: [2]", [("type", "twin")]),
    ],
)
def test_a_single_value_can_hold_both_ways(
    pebbles: Pebbles, kind: str, red: str, grey: str, found: list[tuple[str, str]]
) -> None:
    with_twins(pebbles, kind, red, grey)
    assert refused(pebbles) == found


def test_what_holds_both_ways_is_a_field(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "{worth: int}", "{worth: int}, symmetric: [twin]")
    assert refused(pebbles) == [("unknown-field", "twin")]


# ---------------------------------------------------------------- what things are filled with


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ("{worth: int, under: list(stone)}", []),
        ("{worth: int}", [("unknown-field", "under")]),
        ("{worth: int, under: list(int)}", [("type", "under")]),
    ],
)
def test_what_fills_a_thing_is_a_list_of_things(
    pebbles: Pebbles, fields: str, found: list[tuple[str, str]]
) -> None:
    pebbles.change("game.yaml", "fields: {worth: int}", f"fields: {fields}, filled_by: under")
    assert refused(pebbles) == found


def test_where_nothing_is_filled_nothing_fits(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", "points: 'heap.fits(heap) ? 1 : 0'")
    assert refused(pebbles) == [("expression-unknown-function", "fits")]


# ---------------------------------------------------------------- names of expressions


def test_things_whose_kind_and_id_read_alike_are_told_apart(pebbles: Pebbles) -> None:
    kinds = "  a: {plural: aa, title: a, fields: {n: int}}\n  a_b: {plural: a_bs, title: ab, fields: {n: int}}\n"
    pebbles.change("game.yaml", "zones:\n", f"{kinds}zones:\n")
    pebbles.add("board.yaml", "a: {b_c: {n: 10}}\na_b: {c: {n: 200}}\n")
    pebbles.change("scoring.yaml", "points: -me.debt", 'points: "aa.b_c.n + a_bs.c.n"')
    standing = pebbles.judge().standing
    assert standing is not None
    assert standing.of("Bob").categories[1].points == 210


@pytest.mark.parametrize(
    ("file", "old", "new", "marked"),
    [
        ("game.yaml", "zones:\n", "  s: {plural: stones, title: s}\nzones:\n", "stones"),
        ("game.yaml", "zones:\n", "  s: {plural: players, title: s}\nzones:\n", "players"),
        ("game.yaml", "zones:\n", "  s: {plural: numbers, title: s}\nzones:\n", "numbers"),
        ("game.yaml", "zones:\n", "  s: {plural: as, title: s}\nzones:\n", "as"),
        ("game.yaml", "zones:\n", "  player: {plural: ps, title: s}\nzones:\n", "player"),
        ("game.yaml", "  heap: {", "  stones: {holds: int}\n  heap: {", "stones"),
        ("game.yaml", "  heap: {", "  worth: {per: [stone], holds: int}\n  heap: {", "worth"),
        ("game.yaml", "{worth: int}", "{worth: int, id: int}", "id"),
    ],
)
def test_two_things_of_expressions_have_two_names(
    pebbles: Pebbles, file: str, old: str, new: str, marked: str
) -> None:
    pebbles.change(file, old, new)
    assert ("defined-twice", marked) in refused(pebbles)


# ---------------------------------------------------------------- how moves are written


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("offer <stone> <player> for <n>", "are next to each other"),
        ("offer <stone> [<player>] for <n>", "are next to each other"),
        ("offer <stone> [to <player>] <n>", "are next to each other"),
        ("offer <stone> for <n> or <stone> to <player>", "twice"),
        ("turn <n> with <player> by <stone>", "heading of a turn"),
        ("turn <stone> to <player> for <n>", "heading of a turn"),
        ("setup [<stone>] [for <n>] [to <player>]", "heading of a section"),
        ("pay 5 <stone> to <player> for <n>", "`5` is not a word"),
        ("pay: <stone> to <player> for <n>", "`pay:` is not a word"),
        ("pay <stone>, to <player> for <n>", "`,` is not a word"),
    ],
)
def test_a_move_is_written_so_that_it_can_be_read(pebbles: Pebbles, written: str, why: str) -> None:
    move = f"""\
  offer:
    title: Offer
    written: "{written}"
    takes: {{stone: {{type: stone}}, player: {{type: player}}, n: {{type: int, from: "[1]"}}}}
"""
    pebbles.change(TURNS, "moves:\n", f"moves:\n{move}")
    assert ("pattern", f'"{written}"') in refused(pebbles)
    assert why in "; ".join(problem.message for problem in pebbles.problems())


@pytest.mark.parametrize(
    "written", ["pay <n> <stone> to <player>", "position <stone> to <player> [for <n>]"]
)
def test_other_ways_to_write_are_right(pebbles: Pebbles, written: str) -> None:
    move = f"""\
  offer:
    title: Offer
    written: "{written}"
    takes: {{stone: {{type: stone}}, player: {{type: player}}, n: {{type: int, from: "[1]"}}}}
"""
    pebbles.change(TURNS, "moves:\n", f"moves:\n{move}")
    assert pebbles.problems() == []
    log = LOG.replace("end", written.replace("[", "").replace("]", "") + "; end")
    log = log.replace("<n>", "1").replace("<stone>", "red").replace("<player>", "Bob")
    assert pebbles.findings(log) == []


@pytest.mark.parametrize(
    "written",
    ["turn <player> <number>", "turn <number>", "turn of <player>"],
)
def test_the_heading_of_a_turn_has_the_form_that_the_notation_knows(
    pebbles: Pebbles, written: str
) -> None:
    pebbles.change(TURNS, "turn <number> <player>", written)
    assert ("pattern", written) in refused(pebbles)


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("    actor: player\n", "", "turn"),
        ("    actor: player\n", "    actor: number\n", "number"),
        (
            "player: {type: player, from: players}",
            "player: {type: player, optional: true}",
            "player",
        ),
    ],
)
def test_a_heading_names_a_player(pebbles: Pebbles, old: str, new: str, marked: str) -> None:
    pebbles.change(TURNS, old, new)
    assert ("heading-player", marked) in refused(pebbles)


def test_who_acts_is_a_part_of_the_statement(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, "actor: player", "actor: payler")
    assert refused(pebbles) == [("unknown-slot", "payler")]


# ---------------------------------------------------------------- numbers to choose


def test_a_number_in_a_turn_says_what_it_can_be(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, "written: end", "written: end <n>\n    takes: {n: {type: int}}")
    assert refused(pebbles) == [("missing-from", "n")]


def test_a_number_of_the_opening_says_what_it_can_be_or_is_given(pebbles: Pebbles) -> None:
    move = """\
  owe: {title: Owe, written: owe <n>, takes: {n: {type: int}}, does: [{set: {me.debt: n}}]}
prepare:
"""
    pebbles.change("moves/setup.yaml", "prepare:\n", move)
    assert pebbles.problems() == [], "only written down, never played"
    step = '  - {title: Debts, move: owe, by: "players[0]"}\n'
    pebbles.write("playouts.yaml", f"opening:\n  - {{title: Seats, move: seat}}\n{step}")
    assert refused(pebbles) == [("missing-from", "n")]
    pebbles.change("playouts.yaml", '"players[0]"', '"players[0]", with: {n: 3}')
    assert pebbles.problems() == []


# ---------------------------------------------------------------- the folder


def test_the_id_of_a_game_is_the_name_of_its_folder(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "game: pebbles", "game: chess")
    assert refused(pebbles) == [("game-folder", "chess")]


# ---------------------------------------------------------------- names and texts


@pytest.mark.parametrize("name", ["6(red)", "Route 66(red)", '"Red(a:b)"'])
def test_a_name_is_one_that_a_log_can_write(pebbles: Pebbles, name: str) -> None:
    pebbles.change("names/en.yaml", "red: Red", f"red: {name}")
    assert refused(pebbles) == [("name-unwritable", name)]


@pytest.mark.parametrize("name", ["6", "Six(red)", "Route 66", "R2-D2(x)", "Rot (hell)"])
def test_other_names_are_read(pebbles: Pebbles, name: str) -> None:
    pebbles.change("names/en.yaml", "red: Red", f'red: "{name}"')
    assert pebbles.problems() == []
    assert pebbles.findings(LOG.replace("red", name)) == []


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("the heap holds {heap}", "the heap holds {heap", "{"),
        ("the heap holds {heap}", "the heap holds heap}", "}"),
        ("the heap holds {heap}", "{heap} lies {there} }", "there"),
    ],
)
def test_braces_of_a_message_have_partners(
    pebbles: Pebbles, old: str, new: str, marked: str
) -> None:
    pebbles.change(TURNS, old, new)
    rule = "lone-brace" if marked in "{}" else "expression-unknown-name"
    assert (rule, marked) in refused(pebbles)


def test_a_brace_that_is_meant_as_one_is_an_expression(pebbles: Pebbles) -> None:
    pebbles.change(TURNS, "the heap holds {heap}", "the heap {'{'}{heap}{'}'}")
    assert pebbles.problems() == []
    found = pebbles.findings(LOG.replace("take red", "take red; take red"))
    assert found == ["one-stone 5 one stone in a turn"]


def test_braces_of_a_translation_have_partners(pebbles: Pebbles) -> None:
    text = 'language: de\ntexts: {"the heap holds {heap}": "da liegt {heap"}\n'
    pebbles.write("messages/de.yaml", text)
    assert refused(pebbles) == [("lone-brace", "{")]


def test_a_translation_is_of_a_text_of_the_rules(pebbles: Pebbles) -> None:
    text = 'language: de\ntexts: {"the heap hold {heap}": "da liegt {heap}", nothing: nichts}\n'
    pebbles.write("messages/de.yaml", text)
    assert refused(pebbles) == [("unknown-text", '"the heap hold {heap}"')]
    (problem,) = pebbles.problems()
    assert problem.help == ("did you mean: the heap holds {heap}",)


def test_a_translation_can_be_of_a_text_of_a_shipped_variant(pebbles: Pebbles) -> None:
    pebbles.write("messages/de.yaml", "language: de\ntexts: {two stones: zwei Steine}\n")
    assert [rule for rule, _ in refused(pebbles)] == ["unknown-text"]
    pebbles.write(
        "variants/two.yaml",
        "variant: two\nextends: pebbles\ntitle: Two\nchange:\n"
        "  - {set: moves.take.requires.one-stone.else, to: two stones}\n",
    )
    assert pebbles.problems() == []


def test_what_a_variant_takes_out_leaves_translations_behind(pebbles: Pebbles) -> None:
    pebbles.write("messages/de.yaml", 'language: de\ntexts: {"one stone in a turn": nur einer}\n')
    path = pebbles.variant("change: [{remove: moves.take.requires.one-stone}]\n")
    assert pebbles.problems(path) == []


def test_a_variant_translates_what_the_rules_say_into_a_language_that_is_there(
    pebbles: Pebbles,
) -> None:
    pebbles.write("names/de.yaml", "language: de\nnames: {stone: {red: Rot}}\n")
    changes = "change: [{set: moves.take.requires.one-stone.else, to: only one}]\ntexts:\n"
    good = "  de: {only one: nur einer}\n"
    assert refused(pebbles, pebbles.variant(changes + good)) == []
    bad = "  dee: {only one: nur einer}\n  de: {olny one: nur einer}\n"
    found = refused(pebbles, pebbles.variant(changes + bad))
    assert found == [("unknown-language", "dee"), ("unknown-text", "olny one")]


# ---------------------------------------------------------------- variants


def test_a_move_that_replaces_another_keeps_its_phases(pebbles: Pebbles) -> None:
    path = pebbles.variant(
        "change:\n  - set: moves.seat\n    to: {title: Sit, written: seat <player> please, "
        "takes: {player: {type: new player}}, does: [{seat: player}]}\n"
    )
    assert pebbles.problems(path) == []
    log = LOG.replace('"]', '"]\n[Variant "mine.yaml"]', 1).replace("Ann;", "Ann please;", 1)
    log = log.replace("Bob", "Bob please")
    assert pebbles.judge(log, path.parent).findings == []


# ---------------------------------------------------------------- what variants make of the rules


@pytest.mark.parametrize(
    ("change", "rule", "marked"),
    [
        # In Python, true is 1; only what a variant changes is held to the schemas again.
        ("{set: zones.round.least, to: true}", "schema-type", "true"),
        ("{set: kinds, to: {}}", "schema-size", "{}"),
        ("{set: players.least, to: true}", "schema-type", "true"),
        ("{set: moves.take.written, to: [1]}", "schema-type", "1"),
    ],
)
def test_what_a_variant_puts_in_is_of_the_right_form(
    pebbles: Pebbles, change: str, rule: str, marked: str
) -> None:
    pebbles.change("game.yaml", "round: {holds: int}", "round: {holds: int, least: 1}")
    found = refused(pebbles, pebbles.variant(f"change: [{change}]\n"))
    assert found[0] == (rule, marked)
