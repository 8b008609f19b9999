"""`altay query`: ask a dataset a question in SQL, or list its tables."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from io import StringIO
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import click

from altay_cli.archive.manifest import check_installed
from altay_cli.cli.output import document_all, format_of, print_line, print_lines, warn
from altay_cli.report.json import dump
from altay_cli.report.tables import TABLES
from altay_cli.report.text import BOLD, Line, phrase, table

if TYPE_CHECKING:  # the library may be missing
    from altay_cli.archive.query import Answer

MOST_SHOWN = 1_000
"""For people."""

DIGITS = 4
"""For people."""


@click.command("query")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.argument("question", required=False, metavar="[SQL]")
@format_of(("text", "csv", "json"), "For people, or for programs; text shows 1,000 rows.")
def query(folder: Path, question: str | None, form: str) -> None:
    """Ask a dataset a question in SQL, in the dialect of DuckDB.

    FOLDER is a dataset written by `altay check --dataset FOLDER`. Without a question, its tables
    and columns are listed. A question reads these tables, and can neither read nor write other
    files. docs/archives.md has questions to start from.
    """
    check_installed("duckdb")
    from altay_cli.archive.query import ask, open_dataset

    manifest, database = open_dataset(folder)
    if not manifest.complete:
        message = (
            "this dataset is incomplete: the command that writes it was interrupted, "
            "or is still running"
        )
        warn(message, about=folder)
    if question is None:
        _list_tables(manifest.settings.tables, form)
        return
    answer = ask(database, question)
    if form == "csv":
        document_all(_csv_lines(answer))
    elif form == "json":
        document_all(_json_lines(answer))
    else:
        rows = answer.rows()
        shown = [[*map(_shown, row)] for row in islice(rows, MOST_SHOWN)]
        numbers = _number_columns(shown, answer.columns)
        lines = table([answer.columns, *shown], numbers) if answer.columns else []
        print_lines(lines)
        if more := sum(1 for _ in rows):
            print_line(phrase("{count} more rows; --format csv shows all", count=f"{more:,}"))


def _list_tables(names: Iterable[str], form: str) -> None:
    columns = [(name, column) for name in names for column in TABLES[name]]
    if form == "csv":
        heads = ("table", "column", "type", "unit", "meaning")
        document_all(map(_csv_line, (heads, *((name, *column) for name, column in columns))))
    elif form == "json":
        documents = {name: [column._asdict() for column in TABLES[name]] for name in names}
        document_all([dump(documents) + "\n"])
    else:
        for count, name in enumerate(names):
            if count:
                print_line()
            print_line(Line((name, BOLD)))
            titles = [phrase("Column"), phrase("Type"), phrase("Unit"), phrase("Meaning")]
            print_lines(table([titles, *map(list, TABLES[name])]))


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal | float) and isfinite(value):
        return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_shown(part)}" for key, part in value.items())
    return " ".join(str(value).split("\n"))


def _number_columns(rows: list[list[str]], names: list[str]) -> list[int]:
    def is_number(text: str) -> bool:
        try:
            float(text)
        except ValueError:
            return text == "null"
        return True

    return [n for n in range(len(names)) if rows and all(is_number(row[n]) for row in rows)]


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_plain, value)]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _json_lines(answer: Answer) -> Iterator[str]:
    last = None
    for row in answer.rows():
        yield "[" if last is None else f"{last},"
        last = f"  {dump(dict(zip(answer.columns, map(_plain, row), strict=True)), indent=None)}"
    yield "[]" if last is None else f"{last}\n]"


def _csv_lines(answer: Answer) -> Iterator[str]:
    yield _csv_line(answer.columns)
    for row in answer.rows():
        yield _csv_line(map(_cell, row))


def _cell(value: object) -> object:
    """Write null as empty, lists and objects as JSON."""
    plain = _plain(value)
    if isinstance(plain, bool):
        return str(plain).lower()
    return json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict) else plain


def _csv_line(values: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()
