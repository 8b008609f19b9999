"""The program's own findings: what a log can do wrong before any rule of a game is asked.

The findings of a game's rules stand in its pack; these are about text, names, tags and limits.
"""

from __future__ import annotations

from collections.abc import Mapping

OWN_RULES: Mapping[str, str] = {
    "syntax": "A statement is not written as AGN is. The message says what was expected there.",
    "unclosed-quote": "A double quote opens a name, and the line ends before it is closed.",
    "number-too-large": "A number has more than nine digits.",
    "statement-too-long": "A statement has more than 10,000 characters; it is not read.",
    "duplicate-tag": "A tag stands twice in one game. Only `Variant` can be repeated.",
    "section-order": "Sections come in this order: setup or position, turns, result; each of "
    "setup, position and result once.",
    "statement-outside-section": "A statement stands before any heading, so nobody can tell what "
    "it is.",
    "no-game": 'The text holds no game: a game begins with tag pairs such as [Game "altay"].',
    "bad-tag": 'A line begins like a tag pair and is none: [Name "value"].',
    "too-many-findings": "There are more findings than are reported one by one.",
    "game-tag": "The tag `Game` is missing; it names the rules that the log is checked against.",
    "unknown-pack": "The tag `Game` names rules that this program does not have.",
    "unknown-variant": "The tag `Variant` names none of the variants that come with the rules, "
    "and no file.",
    "variant-path": "The variant file does not exist, or lies outside of the log's folder.",
    "too-many-variants": "A log can name a limited number of variants.",
    "rules": "The rules that the log asks for, with its variants, have a mistake.",
    "rules-version": "The tag `Rules` pins a version of the rules or of a variant that is not the "
    "one there is. Where older rules are kept, the log is checked by them.",
    "option-value": "A tag that is an option of the game has a value that is none of its choices.",
    "unknown-tag": "A tag is spelled almost like one that counts. All other tags are kept as "
    "they are.",
    "no-moves": "The game has neither setup nor position nor turns.",
    "no-players": "Nobody has a seat.",
    "unknown-statement": "No statement of the game begins with this word.",
    "statement-phase": "This statement belongs to another part of the log.",
    "malformed-statement": "The statement begins with a known word and is not written as the game "
    "has it.",
    "no-outcome": "Something stands behind `=>`, where nothing is drawn or revealed.",
    "name-missing": "A comma has no name beside it.",
    "count-range": "A statement names too many things, or none.",
    "player-name": "A player's name is missing, too long, or no name.",
    "one-only": "Several things are named where one is expected.",
    "number-expected": "A number is expected, and something else stands there.",
    "not-recorded": "A `?` stands where the identity of the card must be known to judge the move.",
    "unknown-player": "Nobody of this name has a seat.",
    "actor-missing": "It is not said who acts: in setup and position, `Name:` comes first.",
    "ambiguous-name": "A name stands for two different things that are both possible here.",
    "copy-assumed": "Copies of a card differ in points, and the log does not say which one is "
    "meant. The one with the fewest points is taken.",
    "no-such-move": "The statement is written like a move that cannot be meant here.",
    "rule-failure": "A rule could not be evaluated. That is a mistake in the rules or in the "
    "program, not in the log.",
    "rule-budget": "A rule takes too many steps. That is a mistake in a house rule: work is bounded, "
    "so that a stranger's file can be checked.",
    "score-failure": "A score category could not be computed. That is a mistake in the rules.",
    "unknown-category": "A claim of the result names no score category.",
    "claim-wrong": "A claim of the result differs from the score that is computed.",
    "claim-winner": "The winner that is claimed is not the one that is computed.",
    "game-unfinished": "The log has a result, and ends before the game does.",
}

UNKNOWN_NAME = (
    "A name is none that the rules know, in any language. Where one is spelled almost alike, "
    "reading goes on as if it had been meant."
)
"""About the findings `unknown-` and a kind: unknown-card, unknown-territory, ..."""
