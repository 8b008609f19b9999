"""Data against a schema: each finding with its rule and place, counted by hand."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from altay_cli.pack.problems import MAX_PROBLEMS, Problem
from altay_cli.pack.schema import SchemaStore, validate
from altay_cli.pack.source import read_yaml
from altay_cli.spans import Span

BASE = "https://altay.example/schemas/"

COMMON = {
    "$id": BASE + "common.schema.json",
    "$defs": {
        "base": {"properties": {"id": {"$ref": "#/$defs/id"}}},
        "entry": {"$ref": "#/$defs/base", "unevaluatedProperties": False},
        "id": {"type": "string", "pattern": "^[a-z-]+$", "description": "small letters, hyphens."},
        "text": {"type": "string", "minLength": 1},
    },
}

MOVES = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": BASE + "moves.schema.json",
    "type": "object",
    "additionalProperties": {"$ref": "#/$defs/move"},
    "propertyNames": {"pattern": "^[a-z]+$", "x-hint": "one word in small letters"},
    "$defs": {
        "move": {
            "type": "object",
            "required": ["title"],
            "additionalProperties": False,
            "properties": {
                "title": {"type": "string", "description": "What people call the move."},
                "kind": {"enum": ["action", "answer", "free"]},
                "cite": {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": {"enum": ["en", "de", "ja"]},
                    "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 99},
                },
                "tags": {"type": "array", "minItems": 1, "uniqueItems": True},
                "places": {
                    "type": "array",
                    "prefixItems": [{"type": "integer"}, {"type": "integer"}],
                    "items": False,
                },
                "even": {"type": "integer", "multipleOf": 2, "exclusiveMaximum": 10},
                "rule": {"$ref": "common.schema.json#/$defs/id"},
                "flag": {"type": ["boolean", "null"]},
                "version": {"const": 1},
                "never": False,
                "entry": {"$ref": "common.schema.json#/$defs/entry"},
                "open": {"patternProperties": {"^x": False, "^n": {"type": "integer"}}},
                "some": {"contains": {"const": "x", "description": "an x"}},
                "odd": {"not": {"const": "bad", "x-hint": "bad is not a word here"}},
                "does": {"$ref": "#/$defs/effects"},
                "cost": {"oneOf": [{"type": "integer"}, {"$ref": "#/$defs/price"}]},
                "pick": {"oneOf": [{"enum": ["all", "none"]}, {"type": "integer"}]},
                "answer": {"oneOf": [{"$ref": "#/$defs/fight"}, {"$ref": "#/$defs/flee"}]},
                "either": {
                    "properties": {"a": {}, "b": {}},
                    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                },
                "when": {
                    "properties": {"far": {"type": "boolean"}, "steps": {"type": "integer"}},
                    "if": {"required": ["far"], "properties": {"far": {"const": True}}},
                    "then": {"required": ["steps"]},
                    "dependentRequired": {"steps": ["far"]},
                    "unevaluatedProperties": False,
                },
            },
        },
        "price": {
            "type": "object",
            "required": ["wood"],
            "properties": {"wood": {"type": "integer"}},
        },
        "fight": {
            "type": "object",
            "required": ["kind", "with"],
            "additionalProperties": False,
            "properties": {"kind": {"const": "fight"}, "with": {"type": "string"}},
        },
        "flee": {
            "type": "object",
            "required": ["kind", "to"],
            "additionalProperties": False,
            "properties": {"kind": {"const": "flee"}, "to": {"type": "string"}},
        },
        "effects": {"type": "array", "items": {"$ref": "#/$defs/effect"}},
        "effect": {
            "anyOf": [
                {
                    "type": "object",
                    "required": ["move"],
                    "additionalProperties": False,
                    "properties": {"move": {"$ref": "common.schema.json#/$defs/text"}},
                },
                {
                    "type": "object",
                    "required": ["if", "do"],
                    "additionalProperties": False,
                    "properties": {
                        "if": {"$ref": "common.schema.json#/$defs/text"},
                        "do": {"$ref": "#/$defs/effects"},
                    },
                },
                {
                    "type": "object",
                    "required": ["each", "do"],
                    "properties": {"each": {"type": "string"}, "do": {"$ref": "#/$defs/effects"}},
                },
                {
                    "type": "object",
                    "required": ["each"],
                    "properties": {"each": {"type": "integer"}, "do": {"$ref": "#/$defs/effects"}},
                },
            ]
        },
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SchemaStore:
    return make_store(tmp_path_factory.mktemp("schemas"), COMMON, MOVES)


def make_store(folder: Path, *schemas: dict[str, Any]) -> SchemaStore:
    for schema in schemas:
        name = schema["$id"].rsplit("/", 1)[1]
        (folder / name).write_text(json.dumps(schema), encoding="utf-8")
    return SchemaStore(folder)


def check(store: SchemaStore, text: str) -> list[Problem]:
    source, problems = read_yaml(text, "moves.yaml")
    assert source is not None, problems
    return validate(source, MOVES["$id"], store)  # type: ignore[arg-type]


def places(problems: list[Problem]) -> list[tuple[str, int, int]]:
    return [(told.rule, told.span.line, told.span.column) for told in problems]


def only(store: SchemaStore, line: str) -> Problem:
    """Check a move of which the third line is ``line``; give its one problem."""
    found = check(store, f"buy:\n  title: Buy\n  {line}\n")
    assert len(found) == 1, found
    assert found[0].span.line >= 3
    return found[0]


def test_right_data_has_no_problems(store: SchemaStore) -> None:
    text = """\
buy:
  title: Buy
  kind: action
  cite: {en: 11, de: 99}
  tags: [a, b, 1, true]
  places: [1, 2]
  even: 8
  rule: some-rule
  flag:
  version: 1
  some: [a, x]
  odd: good
  cost: {wood: 2}
  pick: all
  answer: {kind: flee, to: home}
  either: {b: 1}
  when: {far: true, steps: 2}
  does:
    - move: x
    - if: y
      do: [{each: z, do: []}, {each: 3}]
"""
    assert check(store, text) == []


@pytest.mark.parametrize(
    ("line", "rule", "column", "message"),
    [
        ("kind: anser", "schema-enum", 9,
         "expected one of action, answer, free; found the text 'anser'"),
        ("kind: 3", "schema-enum", 9, "expected one of action, answer, free; found the number 3"),
        ("version: 2", "schema-enum", 12, "expected 1; found the number 2"),
        ("version: true", "schema-enum", 12, "expected 1; found true"),
        ("cite: {en: three}", "schema-type", 14,
         "expected a whole number, found the text 'three'"),
        ("cite: {en: true}", "schema-type", 14, "expected a whole number, found true"),
        ("cite: [1, 2]", "schema-type", 9,
         "expected a mapping ('key: value' lines), found a list of 2 items"),
        ("tags: {a: 1}", "schema-type", 9, "expected a list, found a mapping with the key 'a'"),
        ("flag: x", "schema-type", 9, "expected true or false or nothing, found the text 'x'"),
        ("rule:", "schema-type", 3, "expected text, found nothing"),
        ("rule: Some_Rule", "schema-pattern", 9,
         "'Some_Rule' does not have the right form: small letters, hyphens"),
        ("cite: {en: 0}", "schema-range", 14, "the number must be at least 1; found 0"),
        ("cite: {en: 100}", "schema-range", 14, "the number must be at most 99; found 100"),
        ("even: 3", "schema-range", 9, "the number must be a multiple of 2; found 3"),
        ("even: 10", "schema-range", 9, "the number must be less than 10; found 10"),
        ("tags: []", "schema-size", 9, "the list must not be empty"),
        ("cite: {}", "schema-size", 9, "the mapping must not be empty"),
        ("places: [1, 2, 3, 4]", "schema-size", 11, "expected at most 2 items, found 4"),
        ("tags: [a, b, a]", "schema-duplicate", 16, "item 3 of the list is the same as item 1"),
        ("cite: {fr: 1}", "schema-unknown-key", 10, "unknown key 'fr'"),
        ("never: 1", "schema-unknown-key", 3, "the key 'never' is not allowed here"),
        ("entry: {id: a, di: b}", "schema-unknown-key", 18, "unknown key 'di'"),
        ("entry: {id: A}", "schema-pattern", 15,
         "'A' does not have the right form: small letters, hyphens"),
        ("open: {n1: 1, x1: 1}", "schema-unknown-key", 17, "the key 'x1' is not allowed here"),
        ("open: {n1: x}", "schema-type", 14, "expected a whole number, found the text 'x'"),
        ("some: [y]", "schema", 3, "the list must hold an item 'an x'"),
        ("odd: bad", "schema", 3, "bad is not a word here"),
        ("either: {a: 1, b: 2}", "schema", 3, "only one of these keys can be given: a, b"),
        ("either: {}", "schema-missing-key", 3, "one of these is needed: a, b"),
        ("when: {far: true}", "schema-missing-key", 3, "the key 'steps' is missing"),
        ("when: {steps: 1}", "schema-missing-key", 10, "'steps' needs the key 'far' beside it"),
        ("when: {far: false, fra: 1}", "schema-unknown-key", 22, "unknown key 'fra'"),
        ("when: {far: 1, fra: 1}", "schema-type", 15, "expected true or false, found the number 1"),
    ],
)  # fmt: skip
def test_single_keywords(
    store: SchemaStore, line: str, rule: str, column: int, message: str
) -> None:
    found = only(store, line)
    assert (found.rule, found.span.line, found.span.column) == (rule, 3, column)
    assert found.message == message


@pytest.mark.parametrize(
    ("line", "rule", "column", "message"),
    [
        # No branch has the type.
        ("cost: x", "schema-type", 9,
         "expected a whole number or a mapping ('key: value' lines), found the text 'x'"),
        # Only one branch has the type: its errors.
        ("cost: {wood: x}", "schema-type", 16, "expected a whole number, found the text 'x'"),
        ("cost: {stone: 1}", "schema-missing-key", 3, "the key 'wood' is missing"),
        ("pick: al", "schema-enum", 9, "expected one of all, none; found the text 'al'"),
        # A key with a fixed value tells the branches apart.
        ("answer: {kind: flee, to: 3}", "schema-type", 28, "expected text, found the number 3"),
        ("answer: {kind: flee}", "schema-missing-key", 3, "the key 'to' is missing"),
        ("answer: {kind: fle, to: x}", "schema-enum", 18,
         "expected one of fight, flee; found the text 'fle'"),
        ("answer: {to: x}", "schema-missing-key", 3, "the key 'kind' is missing"),
        ("answer: {kind: fight, with: x, to: y}", "schema-unknown-key", 34, "unknown key 'to'"),
        # Keys tell the branches apart.
        ('does: [{move: ""}]', "schema-size", 17, "the text must not be empty"),
        ("does: [{if: x}]", "schema-missing-key", 10, "the key 'do' is missing"),
        ("does: [{}]", "schema-missing-key", 10,
         "one of these is needed: move, if and do, each and do, each"),
        ("does: [{if: x, do: [{if: y, do: [{move: 1}]}]}]", "schema-type", 43,
         "expected text, found the number 1"),
    ],
)  # fmt: skip
def test_branches(store: SchemaStore, line: str, rule: str, column: int, message: str) -> None:
    found = only(store, line)
    assert (found.rule, found.span.line, found.span.column) == (rule, 3, column)
    assert found.message == message


def test_several_findings_come_in_the_order_of_the_file(store: SchemaStore) -> None:
    text = """\
buy:
  titel: Buy
  kind: nothing
  cite:
    en: x
    fr: 0
Sell:
  rule: X
pass: 3
"""
    found = check(store, text)
    assert places(found) == [
        ("schema-unknown-key", 2, 3),  # and "title" is not called missing besides
        ("schema-enum", 3, 9),
        ("schema-type", 5, 9),
        ("schema-unknown-key", 6, 5),
        ("schema-range", 6, 9),
        ("schema-missing-key", 7, 1),
        ("schema-pattern", 7, 1),
        ("schema-pattern", 8, 9),
        ("schema-type", 9, 7),
    ]
    assert found[0].span == Span(2, 3, 2, 8)
    assert found[0].help == ("did you mean 'title'?",)
    assert found[3].help == ("allowed here: en, de, ja",)
    assert found[5].help == ("title: What people call the move",)
    assert "one word in small letters" in found[6].message
    assert all(told.file == "moves.yaml" for told in found)


def test_help(store: SchemaStore) -> None:
    assert only(store, "kind: anser").help == ("did you mean 'answer'?",)
    assert only(store, "rule: 3").help == ('put it in quotes if it is meant as text: "3"',)
    told = only(store, "zzz: 3")
    assert told.help[0].startswith("allowed here: title, kind, cite, ")
    assert told.help[0].endswith(" and 8 more")
    assert only(store, "answer: {kind: flee, to: x, with: y}").help == ("allowed here: kind, to",)


def test_a_whole_file_of_the_wrong_kind(store: SchemaStore) -> None:
    assert places(check(store, "\n- 1\n")) == [("schema-type", 2, 1)]
    assert places(check(store, "")) == [("schema-type", 1, 1)]


def test_the_head_of_an_item_is_its_first_line(store: SchemaStore) -> None:
    found = check(store, "buy:\n  title: x\n  does:\n    - if: x\n      \n    - move: y\n")
    assert [told.span for told in found] == [Span(4, 7, 4, 12)]


def test_too_many_problems(store: SchemaStore) -> None:
    text = "buy:\n  title: x\n  does:\n" + "    - 3\n" * (MAX_PROBLEMS + 57)
    found = check(store, text)
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1].rule == "too-many-problems"
    assert found[-1].message == "there are 57 more problems in this file"
    found = check(store, "buy:\n  title: x\n  does:\n" + "    - 3\n" * 5000)
    assert found[-1].message == "there are at least 800 more problems in this file"


def test_work_is_bounded_where_branches_share_a_recursive_part(store: SchemaStore) -> None:
    # Three branches enter "do": without care, 3 to the power of the depth.
    depth = 27
    text = "{buy: {title: x, does: " + "[{each: x, do: " * depth + "[3]" + "}]" * depth + "}}"
    begin = time.process_time()
    found = check(store, text)
    assert time.process_time() - begin < 2
    assert places(found) == [("schema-type", 1, 23 + 15 * depth + 2)]


def test_much_data_is_checked_quickly(store: SchemaStore) -> None:
    move = (
        "  title: Buy\n  cite: {en: 1, de: 2}\n  does:\n" + "    - if: x\n      do: [move: y]\n" * 9
    )
    letters = "abcdefghijklmnopqrst"
    text = "".join(f"{a}{b}:\n{move}" for a in letters for b in letters[:15])
    assert len(text) > 90_000
    source, _ = read_yaml(text, "moves.yaml")
    assert source is not None
    begin = time.process_time()
    assert validate(source, "moves.schema.json", store) == []
    assert time.process_time() - begin < 1.5


# --- the same verdict as jsonschema's own keywords -------------------------------------

keys = st.sampled_from(
    ["title", "kind", "cite", "en", "tags", "places", "even", "cost", "wood", "pick", "answer",
     "with", "to", "either", "a", "b", "when", "far", "steps", "does", "move", "if", "do", "each",
     "version", "some", "odd", "flag", "rule", "buy", "X"]
)  # fmt: skip
scalars = st.sampled_from(
    [None, True, False, 0, 1, 2, 100, "", "x", "X", "bad", "action", "fight", "flee", "all"]
)
values = st.recursive(
    scalars, lambda part: st.lists(part, max_size=3) | st.dictionaries(keys, part, max_size=4)
)
effects = st.recursive(
    st.just([]),
    lambda part: st.lists(
        st.fixed_dictionaries(
            {}, optional={"move": scalars, "if": scalars, "each": scalars, "do": part}
        ),
        max_size=3,
    ),
)
moves = st.fixed_dictionaries(
    {"title": st.just("x")},
    optional={
        "does": effects,
        "answer": st.fixed_dictionaries(
            {}, optional=dict.fromkeys(("kind", "with", "to"), scalars)
        ),
        "when": st.dictionaries(keys, scalars, max_size=3),
        "tags": st.lists(scalars, max_size=4),
        "cost": values,
        "pick": scalars,
        "either": st.dictionaries(st.sampled_from("abc"), scalars),
    },
)


@given(st.dictionaries(st.sampled_from(["buy", "X"]), moves | values) | values)
def test_verdict_is_that_of_plain_jsonschema(store: SchemaStore, data: Any) -> None:
    plain = Draft202012Validator(store.schemas[MOVES["$id"]], registry=store._registry)
    text = json.dumps(data, ensure_ascii=False)
    source, problems = read_yaml(text, "moves.yaml")
    assert source is not None, problems
    assert source.data == data
    found = validate(source, "moves.schema.json", store)
    assert (found == []) == plain.is_valid(data)


# --- the store ----------------------------------------------------------------------------


def test_store_finds_by_id_and_by_file_name(store: SchemaStore) -> None:
    assert store.validator("moves.schema.json") is store.validator(BASE + "moves.schema.json")
    with pytest.raises(LookupError, match="no schema cards"):
        store.validator("cards")


def test_sound_schemas_have_no_faults(store: SchemaStore) -> None:
    assert store.faults() == []


def test_faults_of_schemas(tmp_path: Path) -> None:
    broken = {
        "$id": BASE + "x.json",
        "type": "strin",
        "items": {"$ref": "y.json#/$defs/z"},
        "properties": {"a": {"$ref": "https://example.org/never-fetched.json"}},
        "anyOf": [{"$id": BASE + "inner.json"}],
        "examples": [{"$ref": "data, not a reference"}],
    }
    found = make_store(tmp_path, broken).faults()
    assert sorted(line.split(": ", 1)[1] for line in found) == [
        "$.type: 'strin' is not valid under any of the given schemas",
        "$ref to nowhere: https://example.org/never-fetched.json",
        "$ref to nowhere: y.json#/$defs/z",
        "an $id within a schema is not understood",
    ]


def test_a_store_needs_ids_that_differ(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"type": "string"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.json: a schema must be an object with an \$id"):
        SchemaStore(tmp_path)
    (tmp_path / "a.json").write_text('{"$id": "https://x/y"}', encoding="utf-8")
    (tmp_path / "b.json").write_text('{"$id": "https://x/y"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"b\.json: another schema has the \$id"):
        SchemaStore(tmp_path)
