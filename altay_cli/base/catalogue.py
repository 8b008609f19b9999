"""The program's own findings: what a log can do wrong before any rule of a game is asked.

The findings of a game's rules stand in its pack; these are about text, names, tags and limits.
``PROBLEMS`` are those of rule files: what is wrong with rules, not with a game played by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OWN_RULES: Mapping[str, str] = {
    "unrecorded": "Draws were not written down. That is not an error: the game is judged as far as "
    'it is recorded. `altay check --strict`, or the tag [Recorded "complete"], demands all of '
    "them.",
    "ignore-unneeded": "A comment `# altay: ignore[rule]` stands where that rule finds nothing, or "
    "only behind another statement. It can go; `altay check --fix` takes it out.",
    "undecided": "The verdict depends on what was not written down, or so much was not written "
    "down that what can be hidden where is no longer worked out. What depends on it is not "
    "judged.",
    "syntax": "A statement is not written as AGN is. The message says what was expected there.",
    "unclosed-quote": "A double quote opens a name, and the line ends before it is closed.",
    "number-too-large": "A number has more than nine digits.",
    "statement-too-long": "A statement has more than 10,000 characters; it is not read.",
    "duplicate-tag": "A tag appears twice in one game. Only `Variant` can be repeated.",
    "section-order": "Sections come in this order: setup or position, turns, result; each of "
    "setup, position and result once.",
    "statement-outside-section": "A statement comes before any heading, so nobody can tell what "
    "it is.",
    "no-game": "The text holds no game: a game begins with tag pairs, of which one names it.",
    "bad-tag": 'A line begins like a tag pair and is not one: [Name "value"].',
    "too-many-statements": "A file has more statements than are read.",
    "too-many-findings": "There are more findings than are reported one by one.",
    "game-tag": "The tag `Game` is missing; it names the rules that the log is checked against.",
    "unknown-pack": "The tag `Game` names rules that this program does not have.",
    "unknown-variant": "The tag `Variant` names none of the variants that come with the rules, "
    "and no file.",
    "variant-path": "The variant file does not exist, lies outside of the log's folder, or is "
    "hidden.",
    "too-many-variants": "A log can name a limited number of variants.",
    "rules": "The rules that the log names, with its variants, contain a mistake.",
    "rules-version": "The tag `Rules` pins a version of the rules or of a variant that is not the "
    "current one. Where older rules are kept, the log is checked against them.",
    "option-value": "A tag that is an option of the game has a value that is not one of its "
    "choices.",
    "unknown-tag": "A tag is spelled almost like one that counts. All other tags are kept as "
    "they are.",
    "no-moves": "The game has neither setup nor position nor turns.",
    "no-players": "Nobody has a seat.",
    "unknown-statement": "No statement of the game begins with this word.",
    "badly-written": "What is meant is plain, and it is read that way; but it is written "
    "differently. `altay check --fix` puts it right.",
    "meant-otherwise": "No statement is written like this. It is read as the one that was most "
    "likely meant, which is a guess; `altay check --unsafe-fixes` writes that one.",
    "setup-contradicted": "No line of the setup is wrong by itself; but what follows contradicts "
    "one of them, and one change to it explains all errors.",
    "statement-phase": "This statement belongs to another part of the log.",
    "malformed-statement": "The statement begins with a known word but is not written in any "
    "of the ways that the game knows.",
    "no-outcome": "Something follows `=>`, but nothing is drawn or revealed.",
    "name-missing": "A comma has no name beside it.",
    "count-range": "A statement names too many things, or none.",
    "player-name": "A player's name is missing, too long, or not a name.",
    "one-only": "Several things are named where one is expected.",
    "number-expected": "A number is expected, but there is something else.",
    "not-recorded": "A `?` stands where the identity of the card must be known to judge the move.",
    "look-alike": "The names of two players look alike: they differ in letters that cannot be "
    "seen, or in forms of the same letter.",
    "unknown-player": "Nobody of this name has a seat.",
    "actor-missing": "The statement does not say who acts: in setup and position, `Name:` comes "
    "first.",
    "ambiguous-name": "A name stands for two different things that are both possible here.",
    "either-meant": "A name stands for different things, and nobody wrote down which of them was "
    "there. Each is tried, and the log is legal if it is so with one of them.",
    "copy-assumed": "Copies of a card differ in points, and the log does not say which one is "
    "meant. The one with the fewest points is taken.",
    "not-judged": "Statements are left out because nobody can tell how to judge them. Usually the "
    "finding that is the cause says so itself. Where many statements of a game cannot be read, "
    "it is judged up to the first one that is wrong without them.",
    "no-such-move": "The statement is written like a move that cannot be meant here.",
    "rule-failure": "A rule could not be evaluated. That is a mistake in the rules or in the "
    "program, not in the log.",
    "rule-budget": "A rule takes too many steps. That is a mistake in a house rule: work is "
    "bounded, so that a stranger's file can be checked.",
    "score-failure": "A score category could not be computed. That is a mistake in the rules.",
    "unknown-category": "A claim of the result names no score category.",
    "expect-wrong": "What a statement with `expect` says of the state is not so at that point.",
    "claim-wrong": "A claim of the result differs from the score that is computed.",
    "claim-winner": "The winner that is claimed is not the one that is computed.",
    "winner-open": "Who has won depends on what the log does not record, and it claims no winner.",
    "game-unfinished": "The log has a result but ends before the game does.",
}

UNKNOWN_NAME = (
    "The rules do not know this name, in any language. Where one is spelled almost alike, reading "
    "goes on as if it had been meant."
)
"""About the findings `unknown-` and a kind: unknown-card, unknown-territory, ..."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What a problem of a rule file means, and something that has it."""

    text: str
    example: str


def _of(text: str, example: str) -> Explained:
    return Explained(text, example)


# The examples are of no game that ships: the program knows none.
PROBLEMS: Mapping[str, Explained] = {
    # ---- reading the file
    "file-missing": _of(
        "A rules folder lacks a file that every game needs.",
        "a folder `chess` without `chess/scoring.yaml`",
    ),
    "file-unreadable": _of(
        "The file exists but cannot be read: it is a folder, or its permissions forbid it.",
        "a folder named `my.yaml`",
    ),
    "unknown-pack": _of("No rules have this name.", '[Game "ches"]'),
    "yaml-syntax": _of(
        "The text is not YAML from here on. Nothing after it can be read, so there may be more to"
        " fix.",
        "change: [set: numbers.sheep.value",
    ),
    "yaml-duplicate-key": _of(
        "A mapping has a key twice. Other programs take the last one silently.",
        "title: My rules\ntitle: Your rules",
    ),
    "yaml-key": _of(
        "Keys are text. A list, a mapping, a number, a truth value or nothing is not a key.",
        "7: seven",
    ),
    "yaml-alias": _of(
        "Anchors (&), aliases (*) and merge keys (<<) are not read: a small file could stand for "
        "one of any size. Write the values out.",
        "to: &same [1, 2]\nwith: *same",
    ),
    "yaml-tag": _of(
        "Tags (words that begin with !) are not read. A text that begins with ! needs quotes.",
        "that: !ended   # right: that: '!ended'",
    ),
    "yaml-number": _of(
        "A whole number has at most 15 digits, and is written in decimal.", "value: 0x10"
    ),
    "yaml-float": _of("Only whole numbers are allowed.", "value: 2.5"),
    "yaml-not-text": _of(
        "The file is not UTF-8 text, or holds a character that text files do not have.",
        'title: "a bell: \\x07"',
    ),
    "yaml-several-documents": _of("A file holds one document.", "variant: a\n---\nvariant: b"),
    "yaml-too-deep": _of("Lists and mappings are nested too deeply.", "to: [[[[[[...]]]]]]"),
    "yaml-too-large": _of("The file is larger than any rule file needs to be.", "two megabytes"),
    "too-many-problems": _of("There are more problems than are reported one by one.", "300 typos"),
    # ---- its form
    "schema": _of(
        "The value does not have the form that the schema of the file asks for. `altay rules "
        "schema` prints it.",
        "set: with both `first` and `before`",
    ),
    "schema-type": _of(
        "The value must be of another type: text, a whole number, a list, a mapping ...",
        'value: "5"   # right: value: 5',
    ),
    "schema-enum": _of("Only certain words are allowed here.", "severity: fatal"),
    "schema-missing-key": _of("A required key is missing.", "a variant without `title`"),
    "schema-unknown-key": _of(
        "There is no such key here; often it is a misspelling.", "titel: My rules"
    ),
    "schema-pattern": _of("A text does not have the right form.", "variant: My Rules"),
    "schema-range": _of("A number is too small or too large.", "players: {least: 0, most: 4}"),
    "schema-size": _of("A list, a mapping or a text has too few or too many parts.", "change: []"),
    "schema-duplicate": _of("A list has the same item twice.", "needs: [long, long]"),
    # ---- variants
    "extends-unknown": _of(
        "What the variant extends is neither a game nor a shipped variant, nor a file beside it.",
        "extends: ches",
    ),
    "extends-outside": _of(
        "A variant can extend files in its own folder and below, and shipped variants. Nothing "
        "else is read, and nothing hidden.",
        "extends: a/../../other.yaml",
    ),
    "extends-itself": _of("Variants extend each other in a circle.", "in a.yaml: extends: a.yaml"),
    "extends-too-long": _of("Too many variants extend each other.", "eleven files in a chain"),
    "variant-conflict": _of(
        "Two variants, of which neither extends the other, change the same thing differently.",
        "set: numbers.sheep.value, to: 5 in the one and to: 6 in the other",
    ),
    "variant-excluded": _of(
        "A variant excludes another one that is played as well.",
        "excludes: [long-winter]",
    ),
    "variant-needed": _of(
        "A variant needs another one that is not played.", "needs: [long-winter]"
    ),
    "patch-hits-nothing": _of(
        "A change names a part of the rules that is not there. `altay rules show` prints the "
        "parts that are.",
        "set: numbers.shep.value",
    ),
    "patch-exists": _of(
        "`add` makes something new, but this already exists. `set` replaces it.",
        "add: numbers.sheep",
    ),
    "patch-no-list": _of(
        "Only a list can be extended, and only entries of a section can be moved.",
        "extend: numbers.sheep",
    ),
    "rules-unusable": _of(
        "The rules are nested too deep to be compiled; it cannot be said where.",
        "brackets in brackets, some hundreds deep",
    ),
    # ---- references
    "unknown-kind": _of("There is no such kind of thing.", "entities.anmial.fox"),
    "unknown-type": _of("There is no such type.", "fields: {eats: bag(anmial)}"),
    "unknown-field": _of("Things of this kind have no such field.", "fox: {legss: 4}"),
    "unknown-ruling": _of("There is no ruling of this name.", "ruling: who-strats"),
    "unknown-rule": _of(
        "No shared rule has this id; or an entry of `slips` names a rule that is not required "
        "there.",
        "requires: [{use: your-trun}]",
    ),
    "unknown-slot": _of(
        "A pattern of a move has a slot that the move does not declare, or the other way round.",
        "written: sell <what>, takes: {thing: ...}",
    ),
    "unknown-decision": _of("There is no decision of this name.", "answers: barter"),
    "unknown-procedure": _of("There is no procedure of this name.", "do: {sheer: {}}"),
    "unknown-move": _of(
        "There is no move of this name: in the opening, a policy, a measure, the view or a slip.",
        "worth: {sel: 5}",
    ),
    "unknown-policy": _of("There is no policy of this name.", "like: gredy"),
    "unknown-parameter": _of(
        "A procedure or decision has no such parameter.", "do: {shear: {whom: me}}"
    ),
    "unknown-value": _of(
        "The default of an option or of a ruling is not one of its choices.",
        "values: [short, long], default: medium",
    ),
    "unknown-zone": _of("There is no zone of this name.", "repeats: [feild, active]"),
    "unknown-frame": _of(
        "No course of the game of this name is shipped to be shared.", "frame: round-robin"
    ),
    "grid-size": _of(
        "A grid has no places, or too many: the first column or row stands before the last.",
        "grid: {columns: h-a, rows: 1-8}",
    ),
    "grid-place": _of(
        "Something is told of a place that the grid does not have.",
        "field: {k9: {sown: true}}, where the columns are a-h",
    ),
    "unknown-lifetime": _of("No zone has this lifetime.", "reset: turn, without such zones"),
    "missing-parameter": _of(
        "A value that a procedure or decision needs is missing.", "do: {shear: {}}"
    ),
    "missing-field": _of("A thing lacks what every thing of its kind needs.", "prints: []"),
    "defined-twice": _of(
        "Two parts of the rules have the same id, or the same name in expressions.",
        "two moves `sell`; two kinds with the plural `sheep`",
    ),
    "field-type": _of("The value of a field has another type.", "legs: four"),
    "field-value": _of("The value of a field is none of those possible.", "size: hugde"),
    "one-sided": _of(
        "A symmetric field holds in one direction only, such as who is whose neighbour.",
        "a: {beside: [b]}, b: {beside: []}",
    ),
    "not-a-zone": _of(
        "Only zones of the state can be changed, and things lie only in zones.",
        "set: {numbers.sheep: 5}",
    ),
    "effects-too-deep": _of(
        "More loops are nested than can be carried out.",
        "each: {...}, does: [each: {...}, does: [each: ...]]",
    ),
    "endless": _of(
        "A function uses itself, a procedure carries itself out whatever holds, or policies are "
        "like each other in a circle.",
        "is: f(x) + 1, in the function f",
    ),
    "no-answer": _of(
        "An answer and those who wait for it do not fit: `as` needs a decision that `gives` "
        "something and a single answer, and a move that answers such a decision says what it "
        "`gives`.",
        "ask: {defend: {who: me, as: told}}, where `defend` gives nothing",
    ),
    "trigger-asks": _of(
        "What happens after a change, in the middle of what is being carried out, cannot put a "
        "decision before anybody.",
        "on: change, does: [{ask: ...}]",
    ),
    "opening-step": _of(
        "A step of the opening cannot be done: its move is none of the setup, nobody is named who "
        "makes it, it repeats what is done once a player, or it is given a value that chance or "
        "the table decides.",
        "move: sell",
    ),
    "view-frame": _of(
        "A map cannot be drawn: it has no width or height, or a shape without its outline.",
        "frame: {left: 0, right: 0, top: 0, bottom: 10}",
    ),
    "view-owner": _of(
        "Only what stands under `player` belongs to somebody, who alone may see it.",
        "table: {stock: {title: Stock, items: stock, seen: owner}}",
    ),
    "never-made": _of(
        "A policy or measure speaks of a move that only writes down a position. In a game that is "
        "played it is never made.",
        "worth: {flock: 5}",
    ),
    "pattern": _of(
        "A pattern of a move cannot be read, or no statement could ever match it.",
        "written: offer <what> <price>",
    ),
    "heading-player": _of(
        "It is not said, or not rightly, which part of a move names who acts; the heading of a "
        "turn always names a player.",
        "heading: true, without `actor`",
    ),
    "no-heading": _of(
        "No move is the heading of a turn, so that nobody could tell whose turn it is, and nothing "
        "that happens in turns could be judged.",
        "moves, none of them with `heading: true`",
    ),
    "missing-from": _of(
        "A number in a move has no `from`, so that nobody can tell which numbers there are: the "
        "move is never listed, and no simulated player makes it.",
        "takes: {price: {type: int}}",
    ),
    "zone-bounds": _of(
        "The bounds of a zone allow no number, or the zone does not hold a number.",
        "flock: {holds: int, least: 5, most: 3}",
    ),
    "zone-backs": _of(
        "The backs of a zone tell a field that its things do not have, or nothing with a back lies "
        "there, or how many things come to lie there is not known.",
        "flock: {holds: bag(sheep), backs: [colour]}",
    ),
    "lone-brace": _of(
        "A brace in a message has no partner, so the expression is not evaluated.",
        'else: "a price of {price"',
    ),
    "name-unwritable": _of(
        "A name that no log can write: what stands in brackets follows a word, not a number.",
        "six: 6(red)",
    ),
    "file-unread": _of(
        "A file lies among the rules of a game, and nothing reads it.",
        "a file `score.yaml`, where `scoring.yaml` was meant",
    ),
    "game-folder": _of(
        "The id of a game is not the name of its folder, by which it is found.",
        "game: chess, in the folder `draughts`",
    ),
    "type": _of("A value of another type is needed here.", "each: {p: 5}"),
    "text-expression": _of(
        "A text in another language has an expression in braces that the English text lacks.",
        "`{cost}` in the translation of `{price} is too much`",
    ),
    "unknown-text": _of(
        "A translation of a text that the rules do not contain: an older or a misspelled one.",
        'texts: {de: {"too manny sheep": zu viele Schafe}}',
    ),
    "unknown-language": _of(
        "A variant has texts in a language that nothing else in the rules has.",
        "texts: {dee: {...}}",
    ),
    "tie-unknown-category": _of(
        "A category that is to break ties is not a category of the score.",
        "ties: {by: [wol]}",
    ),
    # ---- expressions
    "expression-syntax": _of("This cannot be read as an expression.", "sheep > > 5"),
    "expression-unsupported": _of(
        "This is CEL, and left out here: doubles, bytes, times, messages; or a pattern where "
        "google-re2 is not installed.",
        "1.5 * sheep",
    ),
    "expression-too-long": _of("The expression has too many characters.", "30,000 of them"),
    "expression-too-deep": _of("The expression is nested too deep.", "((((((...))))))"),
    "expression-too-costly": _of(
        "Evaluating this always takes more steps than a statement may take.",
        "lists.range(5000000)",
    ),
    "expression-int-range": _of("A whole number needs more than 64 bits.", "9223372036854775808"),
    "expression-regex": _of("A regular expression cannot be read.", "name.matches('(')"),
    "expression-unknown-name": _of("Nothing has this name.", "sheeep > 5"),
    "expression-unknown-member": _of("Values of this type have no such part.", "me.sheeep"),
    "expression-unknown-function": _of("There is no such function or method.", "wool.shear()"),
    "expression-arity": _of("A function is given too many values or too few.", "max(1)"),
    "expression-no-overload": _of("There is no such operation for these types.", "sheep + 'five'"),
    "expression-wrong-type": _of("The value does not have the type that is needed.", "that: 5"),
    "expression-map-key": _of("This cannot be a key of a map.", "{[1]: 2}"),
    "expression-duplicate-key": _of("A map has a key twice.", "{1: 2, 1: 3}"),
    # ---- sense, of any game
    "rule-never-fails": _of(
        "A requirement depends on nothing that could differ, and holds: nothing can ever break it.",
        "that: 1 < 2",
    ),
    "rule-never-met": _of(
        "A requirement can never hold, so that the move is never legal. To take a move out of the "
        "game, remove it. A move that only tells what is wrong has `fallback: true`.",
        "that: 1 > 2",
    ),
    "rules-contradict": _of(
        "Two requirements of a move exclude each other, so that the move can never be made.",
        "that: round < 3, and another that: round > 5",
    ),
    "thing-never-usable": _of(
        "A requirement names a thing and never holds with it, so that no such move is ever legal "
        "with the thing. To take it out of the game, remove it.",
        "that: sheep != flock.dolly",
    ),
    "zone-never-filled": _of(
        "A zone is read, and no effect ever brings anything there or sets it.",
        "zones: {fold: {holds: bag(sheep)}}, read by a rule",
    ),
    "zone-never-read": _of(
        "A variant adds a number, a flag or a thing to remember, and no rule asks for it.",
        "zones: {fame: {holds: int}}, set by a move and read by no rule",
    ),
    "category-constant": _of(
        "A score category of a variant gives every player the same number of points.",
        "parts: [{points: 5, show: bonus}]",
    ),
    "unread-value": _of(
        "A variant adds a value of a field that no rule asks for: it has no effect.",
        "kind: shear, where rules ask for other kinds only",
    ),
    "never-happens": _of(
        "A trigger can never happen, or a move can never be meant: its condition is always false.",
        'when: "false"',
    ),
    "always-happens": _of("A trigger happens after every move.", 'when: "true"'),
    "constant-condition": _of(
        "An `if` goes the same way in every game, and looks at no number and no ruling.",
        "if: 1 < 2",
    ),
    "choice-empty": _of(
        "A choice without options: a decision that no move answers, or something to choose from "
        "that is empty.",
        "a decision `barter`, and no move with `answers: barter`",
    ),
    "end-unreachable": _of(
        "The game cannot end: what `status.ended` looks at can never become true, because no "
        "legal move, no trigger and nothing behind a section sets it, or only under conditions "
        "that never hold.",
        "all triggers taken out that end the game",
    ),
    "variant-order": _of(
        "Variants that are played together give different rules in another order.",
        "two variants that put a category first",
    ),
    "play-stuck": _of(
        "In a game that was played by chance, it is somebody's turn, or an answer is due, and no "
        "move is legal.",
        "a move that ends the turn, and needs what a player may not have",
    ),
    "play-endless": _of(
        "A move can be made again and again in one turn, without end.",
        "a move without requirements that takes a coin",
    ),
    "play-failure": _of(
        "A move is legal but its effects fail; what scores a game fails; or none can be laid out.",
        "does: [{add: {me.wool: 1 / me.sheep}}]",
    ),
    "play-trigger": _of(
        "The condition of a trigger stays true, so that it happens after every move.",
        "when: round > 0",
    ),
    "play-never": _of(
        "A move, or a move with a certain thing, was legal in most games without the variant, and "
        "in none with it.",
        "a card that costs what nobody can come by any more",
    ),
    "play-never-over": _of(
        "No game came to its end with the variant, but most did without it.",
        "supply that is refilled for ever",
    ),
    "play-long": _of(
        "Games take far more rounds with the variant than without it.",
        "pieces that come back into the supply",
    ),
    "play-seat": _of(
        "One seat wins far more games than its share, and did not without the variant.",
        "points for the player who begins",
    ),
    "end-at-once": _of("The game is over before anybody has moved.", 'status: {ended: "true"}'),
    "no-players-possible": _of(
        "The minimum number of players is greater than the maximum.", "players: {least: 5, most: 4}"
    ),
    "unused-function": _of("A function is mentioned nowhere.", "functions: {old: ...}"),
    "unused-procedure": _of("A procedure is carried out nowhere.", "procedures: {old: ...}"),
    "unused-rule": _of("No move uses this shared rule.", "rules: {old: ...}"),
    "unused-number": _of(
        "A number is read nowhere: perhaps it was meant to replace another one.",
        "add: numbers.sheeps",
    ),
    "unused-zone": _of("A zone is mentioned nowhere.", "zones: {old: {holds: int}}"),
    "unused-decision": _of("A decision is never asked.", "decisions: {old: ...}"),
}
"""The problems of rule files by id. What makes no sense in one game stands in its `lints.yaml`."""

UNKNOWN_THING = Explained(
    "A thing is named that does not exist: nothing of this kind has the id.", "eats: [gras]"
)
"""About the problems `unknown-` and a kind that have no entry of their own."""
