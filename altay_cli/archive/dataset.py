"""A folder of Parquet files with what was found in games: the tables of ``report.tables``.

Games come in the order of their sources. So many of them make a part, which has a file for each
table. A file is complete or not there: it is written under another name, and renamed when it is
on disk. Its name says what it holds, so a file is never replaced by another one. The manifest
lists the parts; what it does not list is not there for whoever reads the dataset.

A run that is resumed begins with part 1 again. A game whose key (``archive.keys``) is known is not
judged: its rows are those of an earlier part, which stays until the run has come to its end.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from altay_cli import __version__
from altay_cli.archive.judging import UnitResult
from altay_cli.archive.keys import SIZE, Keys
from altay_cli.archive.sources import SourceGame
from altay_cli.base.files import MAX_LOG, read_regular, why, write_atomically
from altay_cli.base.findings import ImpossibleError, Severity, Verdict
from altay_cli.report.results import GameResult
from altay_cli.report.tables import CHANGES, TABLES, VERSION, Row

if TYPE_CHECKING:  # it takes long to import, and few commands need it
    import pyarrow as pa

MANIFEST = "dataset.json"
"""The file that lists the parts."""

PART_GAMES = 1_000
"""How many games make a part."""

ROWS_HELD = 50_000
"""How many rows are held as they are, before they are packed."""


class Settings(NamedTuple):
    """What findings depend on beside the games, and which tables are written."""

    language: str
    complete: bool = False
    changes: bool = False

    @property
    def tables(self) -> list[str]:
        """The names of the tables."""
        return [name for name in TABLES if self.changes or name != CHANGES]


class Part(NamedTuple):
    """A part of a dataset: how many games, and the file of each table, relative to the folder."""

    games: int
    files: Mapping[str, str]


class Manifest(NamedTuple):
    """What a dataset consists of; ``earlier`` are the parts that a resumed run may still use."""

    settings: Settings
    parts: Sequence[Part]
    earlier: Sequence[Part] = ()
    complete: bool = False
    tables: int = VERSION
    program: str = __version__

    def text(self) -> str:
        """Return the text of the file."""
        document = {
            "tables": self.tables,
            "program": self.program,
            "settings": self.settings._asdict(),
            "complete": self.complete,
            "games": sum(part.games for part in self.parts),
            "parts": [part._asdict() for part in self.parts],
            "earlier": [part._asdict() for part in self.earlier],
        }
        if not self.earlier:
            del document["earlier"]
        return json.dumps(document, indent=1) + "\n"


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a dataset; None if the folder holds none."""
    try:
        document = json.loads(read_regular(folder / MANIFEST, MAX_LOG))
        parts, earlier = (
            [Part(int(part["games"]), dict(part["files"])) for part in listed]
            for listed in (document["parts"], document.get("earlier", []))
        )
        about = Settings(**document["settings"])
        complete, tables = bool(document["complete"]), int(document["tables"])
        return Manifest(about, parts, earlier, complete, tables, str(document["program"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ImpossibleError("{name}: {reason}", name=folder, reason=why(error)) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ImpossibleError(
            "{name}: this is not the list of a dataset", name=folder / MANIFEST
        ) from error


def check_installed(*modules: str) -> None:
    """Raise an ImpossibleError if a library that datasets need is not installed."""
    for name in modules:
        if find_spec(name) is None:
            template = "datasets need {library}: {command}"
            command = "pip install 'altay[archive]'"
            raise ImpossibleError(template, library=name, command=command)


# ---------------------------------------------------------------- what is known from before


class _Known(NamedTuple):
    """A game that was judged before: its part and row there, and what is counted of it."""

    part: int
    row: int
    verdict: str
    recorded: bool
    found: tuple[int, int, int]
    ignored: int


class _Kept(NamedTuple):
    """A game that is not judged again, and where it stands now."""

    path: str
    number: int
    line: int
    known: _Known

    def result(self, language: str) -> UnitResult:
        """Return what is counted of it; its findings are not listed."""
        known = self.known
        severities = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
        unlisted = dict(zip(severities, known.found, strict=True))
        game = GameResult(
            {},
            [],
            Verdict(known.verdict),
            known.recorded,
            language=language,
            ignored=known.ignored,
            unlisted=unlisted,
        )
        return UnitResult(self.path, self.number, [game])


class _Fresh(NamedTuple):
    """A game that is judged now."""

    key: str
    line: int


class _Earlier:
    """The parts of an earlier run, and where in them each game stands, by its key."""

    def __init__(self, folder: Path, parts: Sequence[Part], tables: Sequence[str]) -> None:
        self.folder = folder
        self.parts = parts
        self._tables = tables
        self._games: dict[bytes, _Known] = {}
        self.load: Callable[[int, str], _Runs] = lru_cache(maxsize=2 * len(TABLES))(self._load)
        for number, part in enumerate(parts):
            if self._is_intact(part):
                self._add(number, part)

    def find(self, key: str) -> _Known | None:
        """Return the game of a key."""
        return self._games.get(bytes.fromhex(key))

    def _is_intact(self, part: Part) -> bool:
        """Return True if all files of a part are there, and hold what their names say."""
        for table in self._tables:
            name = part.files.get(table)
            try:
                if name is None or name != _name(table, name, (self.folder / name).read_bytes()):
                    return False
            except OSError:
                return False
        return True

    def _add(self, number: int, part: Part) -> None:
        import pyarrow.parquet as pq

        wanted = ["verdict", "recorded", "errors", "warnings", "notes", "ignored", "key"]
        columns = pq.read_table(self.folder / part.files["games"], columns=wanted).to_pydict()
        for row, (verdict, recorded, *found, ignored, key) in enumerate(
            zip(*(columns[name] for name in wanted), strict=True)
        ):
            if key is not None and len(key) == 2 * SIZE:
                known = _Known(number, row, verdict, recorded != "partly", tuple(found), ignored)
                self._games.setdefault(bytes.fromhex(key), known)

    def _load(self, number: int, table: str) -> _Runs:
        import pyarrow.parquet as pq

        return _Runs(pq.read_table(self.folder / self.parts[number].files[table]))


class _Runs:
    """A table of a part, and which of its rows each game has."""

    def __init__(self, table: pa.Table) -> None:
        import pyarrow.compute as pc

        self.table = table
        self._rows: dict[int, tuple[int, int]] = {}
        begin = 0
        if len(table):
            runs = pc.run_end_encode(table.column("game_id").combine_chunks())
            ends, ids = runs.run_ends.to_pylist(), runs.values.to_pylist()
            for ident, end in zip(ids, ends, strict=True):
                self._rows[ident] = (begin, end - begin)
                begin = end

    def of(self, game_id: int) -> pa.Table:
        """Return the rows of a game."""
        begin, count = self._rows.get(game_id, (0, 0))
        return self.table.slice(begin, count)


# ---------------------------------------------------------------- writing


class Dataset:
    """Writes the rows of games into a folder, part by part.

    Whatever cannot be read or written raises an ImpossibleError; what was written before is intact.

    Args:
        folder: the folder; without ``resume`` it must be new, or empty.
        settings: what findings depend on beside the games.
        resume: whether games that were judged before are not judged again.

    """

    def __init__(self, folder: Path, settings: Settings, *, resume: bool = False) -> None:
        check_installed("pyarrow")
        self.folder = folder
        self.settings = settings
        self.kept = 0
        """How many games were not judged again."""
        self.games = 0
        """How many games came in."""
        self._keys = Keys(repr(settings))
        self._parts: list[Part] = []
        self._held: dict[str, list[_Held]] = {table: [] for table in settings.tables}
        self._rows_held = 0
        self._packed: dict[str, list[pa.Table]] = {table: [] for table in settings.tables}
        self._in_part = 0
        self._all_kept: list[_Kept] | None = []
        with self._writing(folder):
            before = read_manifest(folder) if folder.is_dir() else None
            if before is None:
                self._refuse_others()
            elif not resume:
                raise ImpossibleError(
                    "{name}: there is a dataset already; continue it with --resume, or choose "
                    "another folder",
                    name=folder,
                )
            usable = before is not None and before.tables == VERSION
            parts = [*before.parts, *before.earlier] if before is not None and usable else []
            unique = {tuple(part.files.items()): part for part in parts}
            folder.mkdir(parents=True, exist_ok=True)
            for table in settings.tables:
                (folder / table).mkdir(exist_ok=True)
            self._earlier = _Earlier(folder, [*unique.values()], settings.tables)
            self._write_manifest(complete=False)

    def _refuse_others(self) -> None:
        """Refuse a folder that holds something else."""
        if self.folder.exists() and not self.folder.is_dir():
            raise ImpossibleError("{name}: this is not a folder", name=self.folder)
        there = [*self.folder.iterdir()] if self.folder.is_dir() else []
        # A run that is killed at once leaves no more than this.
        tables = [one for one in there if one.name in TABLES and one.is_dir()]
        ours = [one for one in tables if not any(one.iterdir())]
        if any(one not in ours and not one.name.startswith(".altay-") for one in there):
            raise ImpossibleError(
                "{name}: the folder holds something else; choose another one", name=self.folder
            )

    # ------------------------------------------------------------ games on their way

    def record(
        self,
        games: Iterable[SourceGame],
        judge: Callable[[Iterator[SourceGame]], Iterator[UnitResult]],
    ) -> Iterator[UnitResult]:
        """Yield the result of each game in order, and write the rows of all of them.

        ``judge`` returns the results of the games that are not known from before.
        """
        waiting: deque[_Kept | _Fresh] = deque()

        def unknown() -> Iterator[SourceGame]:
            for game in games:
                key, line = self._keys.of(game), game.before + 1
                known = self._earlier.find(key)
                if known is None:
                    waiting.append(_Fresh(key, line))
                    yield game
                else:
                    waiting.append(_Kept(game.path, game.number, line, known))

        for result in judge(unknown()):
            yield from self._known_before(waiting)
            fresh = waiting.popleft()
            assert isinstance(fresh, _Fresh)
            self._add(fresh, result)
            yield result
        yield from self._known_before(waiting)
        self.finish()

    def add(self, game: SourceGame, judge: Callable[[SourceGame], UnitResult]) -> None:
        """Add a game, which ``judge`` judges unless it is known from before."""
        key, line = self._keys.of(game), game.before + 1
        known = self._earlier.find(key)
        if known is None:
            self._add(_Fresh(key, line), judge(game))
        else:
            self._keep(_Kept(game.path, game.number, line, known))

    def _known_before(self, waiting: deque[_Kept | _Fresh]) -> Iterator[UnitResult]:
        while waiting and isinstance(waiting[0], _Kept):
            kept = waiting.popleft()
            assert isinstance(kept, _Kept)
            self._keep(kept)
            yield kept.result(self.settings.language)

    def _add(self, fresh: _Fresh, unit: UnitResult) -> None:
        """Add the rows of games that were judged now."""
        alone = len(unit.games) == 1
        for number, game in enumerate(unit.games, unit.number):
            self._unfold()
            self.games += 1
            ident, rows = self.games, game.rows
            game.rows = {}
            key = fresh.key if alone and not game.failed else None
            path = unit.path.encode("utf-8", "backslashreplace").decode()
            about = [(path, number, fresh.line, *row, key) for row in rows.get("games", ())]
            for table, held in self._held.items():
                if listed := about if table == "games" else rows.get(table):
                    held.append((ident, listed))
                    self._rows_held += len(listed)
            self._count_game()
        if self._rows_held > ROWS_HELD:
            self._pack()

    def _keep(self, kept: _Kept) -> None:
        """Add the rows of a game that was judged before."""
        self.games += 1
        self.kept += 1
        if self._all_kept is None:
            self._copy(kept, self.games)
        else:
            self._all_kept.append(kept)
        self._count_game()

    def _unfold(self) -> None:
        """Copy the rows of the games of this part so far, as it is not just an earlier part."""
        kept, self._all_kept = self._all_kept, None
        first = self.games - len(kept or ()) + 1
        for ident, one in enumerate(kept or (), first):
            self._copy(one, ident)

    def _copy(self, kept: _Kept, ident: int) -> None:
        import pyarrow as pa

        self._pack()
        known = kept.known
        about = self._earlier.load(known.part, "games").table.slice(known.row, 1)
        before = about.column("game_id")[0].as_py()
        for table, packed in self._packed.items():
            rows = about if table == "games" else self._earlier.load(known.part, table).of(before)
            values: dict[str, object] = {"game_id": ident}
            if table == "games":
                path = kept.path.encode("utf-8", "backslashreplace").decode()
                values |= {"path": path, "number": kept.number, "line": kept.line}
            for name, value in values.items():
                at = rows.schema.get_field_index(name)
                field = rows.schema.field(at)
                rows = rows.set_column(at, field, pa.array([value] * len(rows), field.type))
            packed.append(rows)

    def _count_game(self) -> None:
        self._in_part += 1
        if self._in_part >= PART_GAMES:
            self._end_part()

    # ------------------------------------------------------------ parts

    def _pack(self) -> None:
        """Turn the rows that are held into columns, which take less memory."""
        for table, rows in self._held.items():
            if rows:
                self._packed[table].append(_columns(table, rows))
                rows.clear()
        self._rows_held = 0

    def _end_part(self) -> None:
        """Write a part."""
        part = self._same_part()
        if part is None:
            if self._all_kept is not None:
                self._unfold()
            self._pack()
            part = self._write_part()
        self._parts.append(part)
        self._in_part, self._all_kept = 0, []
        for packed in self._packed.values():
            packed.clear()
        self._write_manifest(complete=False)

    def _same_part(self) -> Part | None:
        """Return the earlier part that holds just the games of this one, if there is one."""
        kept = self._all_kept
        if not kept:
            return None
        number = kept[0].known.part
        part = self._earlier.parts[number]
        places = [(one.known.part, one.known.row) for one in kept]
        if part.games != len(kept) or places != [(number, row) for row in range(part.games)]:
            return None
        columns = ["game_id", "path", "number", "line"]
        rows = self._earlier.load(number, "games").table.select(columns).to_pydict()
        first = self.games - len(kept) + 1
        now = [(ident, one.path, one.number, one.line) for ident, one in enumerate(kept, first)]
        same = [*zip(*(rows[name] for name in columns), strict=True)] == now
        return part if same else None

    def _write_part(self) -> Part:
        import pyarrow as pa
        import pyarrow.parquet as pq

        files = {}
        for table, packed in self._packed.items():
            whole = pa.concat_tables([_schema(table).empty_table(), *packed]).combine_chunks()
            packed.clear()
            sink = pa.BufferOutputStream()
            pq.write_table(whole, sink, compression="zstd", store_schema=False)
            del whole
            data = sink.getvalue().to_pybytes()
            name = _name(table, f"{table}/{len(self._parts) + 1:05d}", data)
            with self._writing(self.folder / name):
                write_atomically(self.folder / name, data)
            files[table] = name
        return Part(self._in_part, files)

    def _write_manifest(self, *, complete: bool) -> None:
        earlier = () if complete else self._earlier.parts
        manifest = Manifest(self.settings, self._parts, earlier, complete)
        path = self.folder / MANIFEST
        with self._writing(path):
            write_atomically(path, manifest.text().encode())

    def finish(self) -> None:
        """Write the last part, and remove what no part needs."""
        if self._in_part or not self._parts:
            self._end_part()
        self._write_manifest(complete=True)
        needed = {self.folder / name for part in self._parts for name in part.files.values()}
        with self._writing(self.folder):
            for table in TABLES:
                for path in (self.folder / table).glob("*.parquet"):
                    if path not in needed:
                        path.unlink()

    @contextmanager
    def _writing(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            done = sum(part.games for part in self._parts)
            template = (
                "{name}: {reason}; the dataset holds {count} games, and --resume goes on from there"
                if done
                else "{name}: {reason}"
            )
            reason, count = why(error), f"{done:,}"
            raise ImpossibleError(template, name=path, reason=reason, count=count) from error


def _name(table: str, start: str, data: bytes) -> str:
    """Return the name of a file: its table, the number that ``start`` has, and what it holds."""
    number = Path(start).name.split("-")[0].removesuffix(".parquet")
    return f"{table}/{number}-{blake2b(data, digest_size=8).hexdigest()}.parquet"


# ---------------------------------------------------------------- rows to columns


@lru_cache(maxsize=len(TABLES))
def _schema(table: str) -> pa.Schema:
    """Return the columns of a table, as Arrow has them."""
    import pyarrow as pa

    names = pa.list_(pa.string())
    types = {
        "BIGINT": pa.int64(),
        "INTEGER": pa.int32(),
        "DOUBLE": pa.float64(),
        "BOOLEAN": pa.bool_(),
        "VARCHAR": pa.string(),
        "VARCHAR[]": names,
        "BIGINT[]": pa.list_(pa.int64()),
        "MAP(VARCHAR, VARCHAR)": pa.map_(pa.string(), pa.string()),
        "MAP(VARCHAR, VARCHAR[])": pa.map_(pa.string(), names),
    }
    return pa.schema([(column.name, types[column.type]) for column in TABLES[table]])


_Held = tuple[int, Sequence[Row]]
"""The number of a game, and its rows."""


def _columns(table: str, games: Sequence[_Held]) -> pa.Table:
    import pyarrow as pa

    schema = _schema(table)
    every = [row for _, rows in games for row in rows]
    idents: list[Any] = [ident for ident, rows in games for _ in rows]
    # `zip` would make an object for each row, and wake up the garbage collector.
    others: Iterator[list[Any]] = (
        [row[number] for row in every] for number in range(len(schema) - 1)
    )
    arrays = [
        _array(values, field.type)
        for values, field in zip(chain([idents], others), schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Return a column; a number that is too large for it becomes null."""
    import pyarrow as pa

    if pa.types.is_map(kind):
        values = [None if one is None else [*one.items()] for one in values]
    try:
        return pa.array(values, kind)
    except (OverflowError, pa.ArrowInvalid):
        most = 2 ** (kind.bit_width - 1)
        fits = [None if isinstance(one, int) and not -most <= one < most else one for one in values]
        return pa.array(fits, kind)
