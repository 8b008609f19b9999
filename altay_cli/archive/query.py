"""Answer SQL questions about a dataset with DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from altay_cli.archive.manifest import MANIFEST, Manifest, read_manifest
from altay_cli.base.findings import ImpossibleError
from altay_cli.report.tables import TABLES, VERSION

BLOCK = 1_000


class Answer:
    """The column names, and the rows, which can be read once."""

    def __init__(self, result: duckdb.DuckDBPyConnection) -> None:
        self.columns = [name for name, *_ in result.description]
        self._result = result

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows."""
        while rows := _answered(self._result.fetchmany, BLOCK):
            yield from rows


def open_dataset(folder: Path) -> tuple[Manifest, duckdb.DuckDBPyConnection]:
    """Return a dataset's manifest, and a database with a view for each table.

    The database can open no other files, and its settings are locked.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        template = "{name}: there is no dataset (no {file}); `altay check --dataset` writes one"
        raise ImpossibleError(template, name=folder, file=MANIFEST)
    if manifest.tables != VERSION:
        template = (
            "{name}: the tables have version {version}, which this program cannot read; "
            "write the dataset again"
        )
        raise ImpossibleError(template, name=folder, version=manifest.tables)
    database = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    try:
        _add_views(database, folder, manifest)
    except duckdb.Error as error:
        raise ImpossibleError("{name}: {reason}", name=folder, reason=_first_line(error)) from error
    return manifest, database


def _add_views(database: duckdb.DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    names: dict[str, Sequence[str]] = {
        table: [
            str((folder / part.files[table]).resolve())
            for part in manifest.parts
            if table in part.files
        ]
        for table in manifest.settings.tables
    }
    for table, files in names.items():
        columns = TABLES[table]
        if files:
            listed = ", ".join(_quoted(name) for name in files)
            source = f"SELECT * FROM read_parquet([{listed}])"  # noqa: S608 - our own names
        else:
            nulls = ", ".join(
                f'CAST(NULL AS {column.type}) AS "{column.name}"' for column in columns
            )
            source = f"SELECT {nulls} WHERE false"
        database.execute(f"CREATE VIEW {table} AS {source}")
    allowed = ", ".join(_quoted(name) for files in names.values() for name in files)
    database.execute(f"SET allowed_paths = [{allowed}]")
    database.execute("SET temp_directory = ''")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def ask(database: duckdb.DuckDBPyConnection, question: str) -> Answer:
    """Answer a question in SQL."""
    result = _answered(database.execute, question)
    if result is None or not result.description:
        raise ImpossibleError('there is no question; write one in SQL, such as "FROM games"')
    return Answer(result)


def _answered(call: Any, value: object) -> Any:
    try:
        return call(value)
    except duckdb.Error as error:
        raise ImpossibleError("{reason}", reason=_first_line(error)) from error


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first_line(error: Exception) -> str:
    text = str(error).split("\n\nLINE ")[0]
    return " ".join(text.split())
