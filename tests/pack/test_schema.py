"""Data against a schema: each finding with its rule and place, counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry

from altay_cli.base.findings import Finding, Span
from altay_cli.base.resources import data_folder
from altay_cli.source.limits import MAX_ERRORS, MAX_PROBLEMS
from altay_cli.source.schema import errors, read_schemas, validate
from altay_cli.source.yaml_reader import read_yaml
from tests.effort import at_most

CALLS = 2_000_000

BASE = "https://altay.example/schemas/"

COMMON = {
    "$id": BASE + "common.schema.json",
    "$defs": {
        "id": {"type": "string", "pattern": "^[a-z-]+$", "description": "small letters, hyphens."},
        "text": {"type": "string", "minLength": 1},
    },
}

USE = {
    "required": ["use"],
    "properties": {"use": {"type": "string"}},
    "additionalProperties": False,
}
OWN = {
    "type": "object",
    "required": ["rule", "that"],
    "properties": {"rule": {"type": "string"}, "that": {"type": "string"}},
    "additionalProperties": False,
}
MOVES = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": BASE + "moves.schema.json",
    "type": "object",
    "additionalProperties": {"$ref": "#/$defs/move"},
    "propertyNames": {"pattern": "^[a-z]+$", "title": "one word in small letters"},
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
                "even": {"type": "integer", "multipleOf": 2, "exclusiveMaximum": 10},
                "rule": {"$ref": "common.schema.json#/$defs/id"},
                "flag": {"type": ["boolean", "null"]},
                "version": {"const": 1},
                "does": {"$ref": "#/$defs/effects"},
                "names": {
                    "type": ["string", "array"],
                    "if": {"type": "string"},
                    "then": {"$ref": "common.schema.json#/$defs/id"},
                    "items": {"$ref": "common.schema.json#/$defs/id"},
                    "uniqueItems": True,
                },
                "with": {"if": {"required": ["use"]}, "then": USE, "else": OWN},
                "either": {
                    "type": "object",
                    "properties": {"a": {}, "b": {}},
                    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                },
                "when": {
                    "properties": {"far": {"type": "boolean"}, "steps": {"type": "integer"}},
                    "dependentRequired": {"steps": ["far"]},
                    "maxProperties": 1,
                    "title": "far, or steps",
                },
            },
        },
        "effects": {"type": "array", "items": {"$ref": "#/$defs/effect"}},
        "effect": {
            "type": "object",
            "properties": {
                "move": {"$ref": "common.schema.json#/$defs/text"},
                "if": {"$ref": "common.schema.json#/$defs/text"},
                "each": {"type": "string"},
                "do": {"$ref": "#/$defs/effects"},
            },
            "additionalProperties": False,
            "minProperties": 1,
            "dependentRequired": {"if": ["do"], "each": ["do"]},
            "dependentSchemas": {
                "move": {"propertyNames": {"const": "move"}},
                "if": {"propertyNames": {"enum": ["if", "do"]}},
                "each": {"propertyNames": {"enum": ["each", "do"]}},
                "do": {"anyOf": [{"required": ["if"]}, {"required": ["each"]}]},
            },
        },
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return make_store(tmp_path_factory.mktemp("schemas"), COMMON, MOVES)


def make_store(folder: Path, *schemas: dict[str, Any]) -> dict[str, Any]:
    for schema in schemas:
        name = schema["$id"].rsplit("/", 1)[1]
        (folder / name).write_text(json.dumps(schema), encoding="utf-8")
    return read_schemas(folder)


def check(store: dict[str, Any], text: str) -> list[Finding]:
    source, problems = read_yaml(text, "moves.yaml")
    assert source is not None, problems
    return validate(source, "moves", store)


def places(problems: list[Finding]) -> list[tuple[str, int, int]]:
    return [(told.rule, told.span.line, told.span.column) for told in problems]


def only(store: dict[str, Any], line: str) -> Finding:
    """Check a move of which the third line is ``line``; give its one problem."""
    found = check(store, f"buy:\n  title: Buy\n  {line}\n")
    assert len(found) == 1, found
    assert found[0].span.line >= 3
    return found[0]


def test_right_data_has_no_problems(store: dict[str, Any]) -> None:
    text = """\
buy:
  title: Buy
  kind: action
  cite: {en: 11, de: 99}
  tags: [a, b, 1, true]
  even: 8
  rule: some-rule
  flag:
  version: 1
  names: [a, b]
  with: {rule: a, that: b}
  either: {b: 1}
  when: {far: true}
  does:
    - move: x
    - if: y
      do: [{each: z, do: []}]
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
        ("tags: [a, b, a]", "schema-duplicate", 16, "item 3 of the list is the same as item 1"),
        ("cite: {fr: 1}", "schema-unknown-key", 10, "unknown key 'fr'"),
        ("either: {a: 1, b: 2}", "schema", 3, "only one of these keys can be given: a, b"),
        ("either: {}", "schema-missing-key", 3, "one of these is needed: a, b"),
        ("when: {far: true, steps: 1}", "schema", 3, "far, or steps"),
        ("either: 3", "schema-type", 11, "expected a mapping ('key: value' lines), found the number 3"),
        ("names: 3", "schema-type", 10, "expected text or a list, found the number 3"),
        ("names: A", "schema-pattern", 10,
         "'A' does not have the right form: small letters, hyphens"),
        ("names: [a, B]", "schema-pattern", 14,
         "'B' does not have the right form: small letters, hyphens"),
        ("names: [a, b, a]", "schema-duplicate", 17, "item 3 of the list is the same as item 1"),
        ("when: {steps: 1}", "schema-missing-key", 10, "'steps' needs the key 'far' beside it"),
    ],
)  # fmt: skip
def test_single_keywords(
    store: dict[str, Any], line: str, rule: str, column: int, message: str
) -> None:
    found = only(store, line)
    assert (found.rule, found.span.line, found.span.column) == (rule, 3, column)
    assert found.message == message


@pytest.mark.parametrize(
    ("line", "rule", "column", "message"),
    [
        # A key tells which form is meant.
        ("with: {use: 3}", "schema-type", 15, "expected text, found the number 3"),
        ("with: {use: x, that: y}", "schema-unknown-key", 18, "unknown key 'that'"),
        ("with: {rule: x}", "schema-missing-key", 3, "the key 'that' is missing"),
        # What has no key of a form is something else: what it lacks is not told as well.
        ("with: {if: x}", "schema-unknown-key", 10, "unknown key 'if'"),
        ('does: [{move: ""}]', "schema-size", 17, "the text must not be empty"),
        ("does: [{if: x}]", "schema-missing-key", 11, "'if' needs the key 'do' beside it"),
        ("does: [{do: []}]", "schema-missing-key", 10, "one of these is needed: if, each"),
        ("does: [{}]", "schema-size", 10, "the mapping must not be empty"),
        ("does: [{move: x, do: []}]", "schema-unknown-key", 20, "unknown key 'do'"),
        ("does: [{moev: x}]", "schema-unknown-key", 11, "unknown key 'moev'"),
        ("does: [{if: x, do: [{if: y, do: [{move: 1}]}]}]", "schema-type", 43,
         "expected text, found the number 1"),
    ],
)  # fmt: skip
def test_forms_told_apart_by_keys(
    store: dict[str, Any], line: str, rule: str, column: int, message: str
) -> None:
    found = only(store, line)
    assert (found.rule, found.span.line, found.span.column) == (rule, 3, column)
    assert found.message == message


def test_several_findings_come_in_the_order_of_the_file(store: dict[str, Any]) -> None:
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


def test_help(store: dict[str, Any]) -> None:
    assert only(store, "kind: anser").help == ("did you mean 'answer'?",)
    assert only(store, "rule: 3").help == ('put it in quotes if it is meant as text: "3"',)
    told = only(store, "zzz: 3")
    assert told.help[0].startswith("allowed here: title, kind, cite, ")
    assert told.help[0].endswith(" and 1 more")
    assert only(store, "does: [{move: x, xyz: y}]").help == ("allowed here: move",)
    assert only(store, "does: [{moev: x}]").help == ("did you mean 'move'?",)


def test_a_whole_file_of_the_wrong_kind(store: dict[str, Any]) -> None:
    assert places(check(store, "\n- 1\n")) == [("schema-type", 2, 1)]
    assert places(check(store, "")) == [("schema-type", 1, 1)]


def test_the_head_of_an_item_is_its_first_line(store: dict[str, Any]) -> None:
    found = check(store, "buy:\n  title: x\n  does:\n    - do: []\n      \n    - move: y\n")
    assert [told.span for told in found] == [Span(4, 7, 4, 13)]


def test_too_many_problems(store: dict[str, Any]) -> None:
    text = "buy:\n  title: x\n  does:\n" + "    - 3\n" * (MAX_PROBLEMS + 57)
    found = check(store, text)
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1].rule == "too-many-problems"
    assert found[-1].message == "there are 57 more problems in this file"
    found = check(store, "buy:\n  title: x\n  does:\n" + "    - 3\n" * 5000)
    assert found[-1].message == "there are at least 800 more problems in this file"


def test_work_is_bounded_where_every_level_is_wrong(store: dict[str, Any]) -> None:
    depth = 27
    text = (
        "{buy: {title: x, does: " + "[{each: x, if: y, do: " * depth + "[3]" + "}]" * depth + "}}"
    )
    with at_most(CALLS):
        found = check(store, text)
    assert len(found) == 2 * depth + 1


def test_items_are_compared_by_hash(store: dict[str, Any]) -> None:
    # jsonschema's own uniqueItems compares each with each: a minute for these.
    items = ", ".join(f"{n}, x{n}" for n in range(6000))
    with at_most(CALLS):
        assert only(store, f"tags: [{items}, x5]").rule == "schema-duplicate"


def test_very_many_unknown_keys_are_not_all_looked_at(store: dict[str, Any]) -> None:
    keys = ", ".join(f"titl{n}: 1" for n in range(9000))
    with at_most(CALLS):
        found = check(store, "{buy: {title: x, " + keys + "}}")
    assert found[-1].message == "there are at least 800 more problems in this file"


def test_of_too_many_problems_the_first_are_told(store: dict[str, Any]) -> None:
    # In every run the same, though jsonschema would take further keys in the order of a set.
    found = check(store, "".join(f"m{number}: 3\n" for number in range(2 * MAX_ERRORS)))
    assert [told.span.line for told in found] == [*range(1, MAX_PROBLEMS + 2)]


def test_much_data_is_checked_quickly(store: dict[str, Any]) -> None:
    move = (
        "  title: Buy\n  cite: {en: 1, de: 2}\n  does:\n" + "    - if: x\n      do: [move: y]\n" * 9
    )
    letters = "abcdefghijklmnopqrst"
    text = "".join(f"{a}{b}:\n{move}" for a in letters for b in letters[:15])
    assert len(text) > 90_000
    source, _ = read_yaml(text, "moves.yaml")
    assert source is not None
    with at_most(CALLS):
        assert validate(source, "moves", store) == []


# --- the same verdict as jsonschema's own keywords -------------------------------------

keys = st.sampled_from(
    ["title", "kind", "cite", "en", "tags", "even", "names", "with", "use", "that", "either", "a",
     "b", "when", "far", "steps", "does", "move", "if", "do", "each", "version", "flag",
     "rule", "buy", "X"]
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
        "with": st.fixed_dictionaries({}, optional=dict.fromkeys(("use", "rule", "that"), scalars)),
        "when": st.dictionaries(keys, scalars, max_size=3),
        "tags": st.lists(scalars, max_size=4),
        "names": values,
        "either": st.dictionaries(st.sampled_from("abc"), scalars),
    },
)


@given(st.dictionaries(st.sampled_from(["buy", "X"]), moves | values) | values)
def test_verdict_is_that_of_plain_jsonschema(store: dict[str, Any], data: Any) -> None:
    registry = Registry().with_contents(
        (schema["$id"], {"$schema": MOVES["$schema"], **schema}) for schema in (COMMON, MOVES)
    )
    plain = Draft202012Validator(MOVES, registry=registry)
    text = json.dumps(data, ensure_ascii=False)
    source, problems = read_yaml(text, "moves.yaml")
    assert source is not None, problems
    assert source.data == data
    found = validate(source, "moves", store)
    assert (found == []) == plain.is_valid(data)


# --- the schemas that ship ------------------------------------------------------------------


def parts(schema: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every object of a schema with the key that it stands at."""
    if isinstance(schema, dict):
        yield key, schema
    inner = schema.items() if isinstance(schema, dict) else ()
    for name, part in inner if isinstance(schema, dict) else enumerate(schema):
        if isinstance(part, dict | list):
            yield from parts(part, str(name))


SHIPPED = {
    path.name: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(data_folder("schemas").glob("*.schema.json"))
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_schemas_are_sound(name: str) -> None:
    meta = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert best_match(meta.iter_errors(SHIPPED[name])) is None
    # Without an address of its own a schema is found beside the others, wherever it lies.
    assert "$id" not in SHIPPED[name]
    for key, part in parts(SHIPPED[name]):
        # Keywords of our own are refused by others, such as ajv in its strict mode.
        assert not [word for word in part if word.startswith("x-")]
        # What stands beside a reference must not say more than the reference does.
        assert "$ref" not in part or key == "properties" or part.keys() <= {"$ref", "description"}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_schemas_choose_by_keys_alone(name: str) -> None:
    # A choice that looks into values could take time exponential in the depth of the data.
    for key, part in parts(SHIPPED[name]):
        for word in ("anyOf", "oneOf") if key != "properties" else ():
            assert all(branch.keys() == {"required"} for branch in part.get(word, ()))
        if "then" in part and key not in {"properties", "dependentRequired"}:
            assert part["if"] in ({"required": ["use"]}, {"required": ["best"]}, {"type": "string"})
        assert not {"allOf", "not", "unevaluatedProperties"} & part.keys() or key == "properties"


def test_a_reference_to_nowhere_is_an_error(tmp_path: Path) -> None:
    broken = {"$id": BASE + "x.schema.json", "items": {"$ref": "#/$defs/z"}}
    with pytest.raises(KeyError):
        make_store(tmp_path, broken)


def test_references_are_followed_through_files_and_circles(tmp_path: Path) -> None:
    here = {"$defs": {"list": {"type": "array", "items": {"$ref": "b.schema.json#/$defs/item"}}}}
    there = {
        "$defs": {
            "item": {"$ref": "#/$defs/real"},
            "real": {"type": ["string", "array"], "items": {"$ref": "a.schema.json#/$defs/list"}},
        },
        "$ref": "a.schema.json#/$defs/list",
    }
    (tmp_path / "a.schema.json").write_text(json.dumps(here), encoding="utf-8")
    (tmp_path / "b.schema.json").write_text(json.dumps(there), encoding="utf-8")
    schema = read_schemas(tmp_path)["b"]
    assert not errors(["a", [["b", []]]], schema)
    assert errors(["a", [["b", [[3]]]]], schema)
