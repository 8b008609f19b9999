"""The tables of a dataset: their columns, with type, unit and meaning.

This is the one place that says what a dataset holds. ``docs/archives.md`` shows it, ``altay query``
lists it, and the writer makes its Parquet files by it. Who changes a column raises ``VERSION``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

VERSION = 1
"""The version of the tables; a dataset of another version is not continued."""

CHANGES = "changes"
"""The table that is written only on request."""


class Column(NamedTuple):
    """A column of a table.

    ``type`` is that of DuckDB. ``unit`` is what a number counts; empty where there is nothing to
    count. ``meaning`` says what it holds, and when it is null.
    """

    name: str
    type: str
    unit: str
    meaning: str


def _table(text: str) -> tuple[Column, ...]:
    """Return the columns that a text lists, a line each, its parts divided by bars.

    A line without bars goes on with the meaning of the column above it.
    """
    lines: list[str] = []
    for line in text.strip().splitlines():
        if "|" in line:
            lines.append(line)
        else:
            lines[-1] += f" {line.strip()}"
    return tuple(Column(*(part.strip() for part in line.split("|"))) for line in lines)


_ID = "game_id | BIGINT | | the number of the game in the dataset, from 1, in their order"

TABLES: Mapping[str, Sequence[Column]] = {
    "games": _table(f"""
        {_ID}
        path | VARCHAR | | the file, as it was named; for a member of an archive, both names
        number | INTEGER | | which game of its file it is, from 1
        line | INTEGER | | the line of the file at which its text begins, from 1
        game | VARCHAR | | the id of the rules; null if there are none of that name
        version | VARCHAR | | the version of the rules; null without rules
        variants | VARCHAR[] | | the ids of the variants, in their order; null without rules
        event | VARCHAR | | the tag `Event`; null if it is missing
        site | VARCHAR | | the tag `Site`; null if it is missing
        date | VARCHAR | | the tag `Date`, as written; null if it is missing
        tags | MAP(VARCHAR, VARCHAR[]) | | all tags, each with its values
        players | INTEGER | players | how many play; null if nobody has a seat
        verdict | VARCHAR | | `legal`, `illegal` or `not judged`
        recorded | VARCHAR | | `wholly` or `partly`; null without rules
        ended | BOOLEAN | | whether the game is over by its rules; null without rules
        rounds | BIGINT | rounds | the round in which the log ends, 0 for a position; null
            without rules
        moves | BIGINT | statements | how many statements the turns have; null without rules
        winners | VARCHAR[] | | who won; empty for a draw; null if the game is not over, or
            the log leaves it open
        decided_by | VARCHAR | | `total`, the category that broke the tie, `shared`, or
            `outcome` where no points decide; null as in `winners`
        errors | INTEGER | findings | how many errors were found
        warnings | INTEGER | findings | how many warnings were found
        notes | INTEGER | findings | how many notes were found
        ignored | INTEGER | findings | how many warnings and notes the log suppresses
        key | VARCHAR | | identifies text, rules, program and settings, for `--resume`; null
            if the game is judged again in any case
    """),
    "players": _table(f"""
        {_ID}
        seat | INTEGER | | the seat, from 1
        player | VARCHAR | | the name
        plays | VARCHAR | | the id of what distinguishes the player, such as a colour or a
            people; null without it
        team | VARCHAR | | the team; null without teams
        rank | BIGINT | | the rank, from 1, equals together; null if the log leaves it open
        total | BIGINT | points | all points; null if they are not recorded
        winner | BOOLEAN | | whether the player won, perhaps with others; null if the game is
            not over, or the log leaves it open
        share | DOUBLE | victories | the part of the victory, 0 to 1; null as in `winner`
    """),
    "scores": _table(f"""
        {_ID}
        seat | INTEGER | | the seat of the player
        player | VARCHAR | | the name of the player
        category | VARCHAR | | the id of the category, in the order of the rules
        points | BIGINT | points | the points; null if they are not recorded
    """),
    "findings": _table(f"""
        {_ID}
        finding | INTEGER | | its number in the game, from 1, in the order of the file
        statement | INTEGER | | the number of the statement at which it begins; null if it
            begins at none
        rule | VARCHAR | | the id of the rule; `altay explain` tells what it means
        severity | VARCHAR | | `error`, `warning` or `note`
        message | VARCHAR | | what is wrong, for people
        line | INTEGER | lines | where it begins in the file, from 1
        col | INTEGER | characters | where it begins in the line, from 1
        end_line | INTEGER | lines | where it ends
        end_col | INTEGER | characters | where it ends; the character behind the last
        round | BIGINT | | the round; null outside of turns, and in a game without rounds
        player | VARCHAR | | who acts, or whose claim it is; null if it is nobody
        pages | MAP(VARCHAR, VARCHAR) | | the pages of the rulebooks, by language; empty for
            findings of the program
        ruling | VARCHAR | | the ruling on which it rests; null if it is the rulebook
        help | VARCHAR[] | | further lines for people
    """),
    "statements": _table(f"""
        {_ID}
        statement | INTEGER | | its number in the game, from 1, headings included
        phase | VARCHAR | | the section: `setup`, `position`, `turn` or `result`
        heading | BOOLEAN | | whether it is the heading of its section
        turn | INTEGER | | which turn of the game it belongs to, from 1; null outside of turns
        round | BIGINT | | the round; null outside of turns, where it is not judged, and in a
            game without rounds
        line | INTEGER | lines | where it begins in the file, from 1
        col | INTEGER | characters | where it begins in the line, from 1
        player | VARCHAR | | who acts; null if it is nobody, or not known
        move | VARCHAR | | the id of the move that it is taken for: of a wrong one, what was
            probably meant; null if it is none, or not judged
        times | BIGINT | moves | how many moves it stands for: one that names two places may be
            two; null as in `move`
        things | VARCHAR[] | | the ids of what it names, in order, `?` for what is hidden;
            null as in `move`
        numbers | BIGINT[] | | the numbers that it names, in order; null as in `move`
        drawn | VARCHAR[] | | the ids of what chance brought, `?` for what is hidden; null if
            there was no draw, or it is not recorded
        legal | BOOLEAN | | whether no error was found at it; null if it was not judged
        text | VARCHAR | | the statement as it is written
    """),
    CHANGES: _table(f"""
        {_ID}
        statement | INTEGER | | the number of the statement that changed it; null if the log
            leaves the statement out
        zone | VARCHAR | | the zone of the rules
        shape | VARCHAR | | what the zone holds: `int` (a number), `bool` (a mark), `entity`
            (one thing), `bag` (things), `pile` (things in an order)
        place | VARCHAR[] | | the ids of what the place belongs to, such as a player; empty
            for a zone of the whole game
        thing | VARCHAR | | the id of the thing that came or went, `?` for a hidden one; null
            for numbers and marks
        before | BIGINT | things, or as the zone counts | the number, the mark (0 or 1), or
            how many of the thing lay there; null if it is not known
        after | BIGINT | things, or as the zone counts | the same after the statement
    """),
}
"""The columns of each table, in order."""

Row = tuple[object, ...]
"""The values of a row, in the order of the columns, without ``game_id``."""

Rows = Mapping[str, Sequence[Row]]
"""The rows of a game by table."""


def names(table: str) -> list[str]:
    """Return the names of the columns of a table."""
    return [column.name for column in TABLES[table]]
