"""The tables of a dataset. To change a column, raise ``VERSION``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

VERSION = 1
"""Datasets of other versions cannot be resumed."""

CHANGES = "changes"
"""The table of changes, written only on request."""


class Column(NamedTuple):
    """``type`` is a type of DuckDB. ``meaning`` also says when values are null."""

    name: str
    type: str
    unit: str
    meaning: str


def _table(text: str) -> tuple[Column, ...]:
    """Parse a line for each column, with bars between the parts.

    A line without bars continues the meaning of the column above it.
    """
    lines: list[str] = []
    for line in text.strip().splitlines():
        if "|" in line:
            lines.append(line)
        else:
            lines[-1] += f" {line.strip()}"
    return tuple(Column(*(part.strip() for part in line.split("|"))) for line in lines)


_ID = "game_id | BIGINT | | the number of the game in the dataset, from 1"

TABLES: Mapping[str, Sequence[Column]] = {
    "games": _table(f"""
        {_ID}
        path | VARCHAR | | the file as named; for a member of an archive, both names
        number | INTEGER | | its number in the file, from 1
        line | INTEGER | | the first line of its text in the file, from 1
        game | VARCHAR | | the id of the rules; null if there are none of that name
        version | VARCHAR | | the version of the rules; null without rules
        variants | VARCHAR[] | | the ids of the variants, in their order; null without rules
        event | VARCHAR | | the tag `Event`; null if it is missing
        site | VARCHAR | | the tag `Site`; null if it is missing
        date | VARCHAR | | the tag `Date`, as written; null if it is missing
        tags | MAP(VARCHAR, VARCHAR[]) | | all tags, each with its values
        players | INTEGER | players | the number of players; null if there are none
        verdict | VARCHAR | | `legal`, `illegal` or `not judged`
        recorded | VARCHAR | | `wholly` or `partly`; null without rules
        ended | BOOLEAN | | true if the game has ended by its rules; null without rules
        rounds | BIGINT | rounds | the round at the end of the log, 0 for a position; null
            without rules
        moves | BIGINT | statements | the number of statements in the turns; null without rules
        winners | VARCHAR[] | | the winners; empty for a draw; null if the game has not ended,
            or the log leaves them open
        decided_by | VARCHAR | | `total`, the category that broke the tie, `shared`, or
            `outcome` if points did not decide; null as in `winners`
        errors | INTEGER | findings | the number of errors
        warnings | INTEGER | findings | the number of warnings
        notes | INTEGER | findings | the number of notes
        ignored | INTEGER | findings | the number of warnings and notes that the log suppresses
        key | VARCHAR | | identifies text, rules, program and settings, for `--resume`; null
            if the game is always judged again
    """),
    "players": _table(f"""
        {_ID}
        seat | INTEGER | | the seat, from 1
        player | VARCHAR | | the name
        plays | VARCHAR | | the id of the thing that distinguishes the player, such as a
            colour or a faction; null without one
        team | VARCHAR | | the team; null without teams
        rank | BIGINT | | the rank, from 1, shared by equals; null if the log leaves it open
        total | BIGINT | points | the total; null if it depends on unrecorded things
        winner | BOOLEAN | | true if the player won, alone or with others; null if the game has
            not ended, or the log leaves it open
        share | DOUBLE | victories | the part of the victory, 0 to 1; null as in `winner`
    """),
    "scores": _table(f"""
        {_ID}
        seat | INTEGER | | the seat of the player
        player | VARCHAR | | the name of the player
        category | VARCHAR | | the id of the category, in the order of the rules
        points | BIGINT | points | the points; null if they depend on unrecorded things
    """),
    "findings": _table(f"""
        {_ID}
        finding | INTEGER | | its number in the game, from 1, in the order of the file
        statement | INTEGER | | the number of the statement that it begins in; null if there
            is none
        rule | VARCHAR | | the id of the rule; `altay explain` explains it
        severity | VARCHAR | | `error`, `warning` or `note`
        message | VARCHAR | | a sentence for people
        line | INTEGER | lines | its first line in the file, from 1
        col | INTEGER | characters | its first character in the line, from 1
        end_line | INTEGER | lines | its last line
        end_col | INTEGER | characters | the character after its last one
        round | BIGINT | | the round; null outside turns, and in a game without rounds
        player | VARCHAR | | the player who acts or claims; null if there is none
        pages | MAP(VARCHAR, VARCHAR) | | the pages of the rulebooks, by language; empty for
            findings of the program
        ruling | VARCHAR | | the ruling that decides it; null if the rulebook does
        help | VARCHAR[] | | further lines for people
    """),
    "statements": _table(f"""
        {_ID}
        statement | INTEGER | | its number in the game, from 1, headings included
        phase | VARCHAR | | the section: `setup`, `position`, `turn` or `result`
        heading | BOOLEAN | | true for the heading of its section
        turn | INTEGER | | the number of its turn in the game, from 1; null outside turns
        round | BIGINT | | the round; null outside turns, if it is not judged, and in a game
            without rounds
        line | INTEGER | lines | its first line in the file, from 1
        col | INTEGER | characters | its first character in the line, from 1
        player | VARCHAR | | the player who acts; null if there is none, or it is not known
        move | VARCHAR | | the id of the move; for a wrong statement, of the move probably
            meant; null if it is no move, or not judged
        times | BIGINT | moves | the number of moves in it: a statement that names two places may be
            two moves; null as in `move`
        things | VARCHAR[] | | the ids of the things that it names, in order, `?` for hidden
            ones; null as in `move`
        numbers | BIGINT[] | | the numbers that it names, in order; null as in `move`
        drawn | VARCHAR[] | | the ids of the things drawn, `?` for hidden ones; null if there
            was no draw, or it is not recorded
        legal | BOOLEAN | | true if it has no error; null if it was not judged
        text | VARCHAR | | the statement as written
    """),
    CHANGES: _table(f"""
        {_ID}
        statement | INTEGER | | the number of the statement that caused it; null if the log
            leaves the statement out
        zone | VARCHAR | | the zone of the rules
        shape | VARCHAR | | the contents of the zone: `int` (a number), `bool` (a mark),
            `entity` (one thing), `bag` (things), `pile` (things in order)
        place | VARCHAR[] | | the ids of the key of the place, such as a player; empty for a
            zone without a key
        thing | VARCHAR | | the id of the thing that came or left, `?` for a hidden one; null for
            numbers and marks
        before | BIGINT | things, or as the zone counts | the number, the mark (0 or 1), or
            how many of the thing the place held; null if not known
        after | BIGINT | things, or as the zone counts | the same after the statement
    """),
}

Row = tuple[object, ...]
"""The values of a row in the order of columns, without ``game_id``."""

Rows = Mapping[str, Sequence[Row]]


def names(table: str) -> list[str]:
    """Return the names of the columns."""
    return [column.name for column in TABLES[table]]
