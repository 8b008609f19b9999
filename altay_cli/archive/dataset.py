"""Write the tables of ``report.tables`` as a folder of Parquet files.

A part is ``PART_GAMES`` games in the order of their sources, with a file per table. Files are
renamed once on disk, so they are complete, and never overwritten, as their names contain digests.
The manifest lists the parts; other files do not belong to the dataset.

A resumed run starts again with part 1. The rows of games with a known key (``archive.keys``) are
copied from earlier parts, which are removed when the run ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from altay_cli.archive import judging
from altay_cli.archive.judging import Judgement, UnitResult
from altay_cli.archive.keys import SIZE, Keys
from altay_cli.archive.manifest import MANIFEST, DatasetPart, Manifest, Settings, read_manifest
from altay_cli.archive.sources import SourceGame
from altay_cli.base.files import why, write_atomically
from altay_cli.base.findings import ImpossibleError, Severity, Verdict
from altay_cli.report.results import GameResult, Wanted
from altay_cli.report.tables import TABLES, VERSION, Row

PART_GAMES = 1_000

ROWS_HELD = 50_000
"""Rows held as tuples before they are packed into columns."""


class _EarlierGame(NamedTuple):
    """``row`` is the game's row in ``part``."""

    part: int
    row: int
    verdict: str
    recorded: bool
    found: tuple[int, int, int]
    ignored: int


class _ReusedGame(NamedTuple):
    path: str
    number: int
    line: int
    known: _EarlierGame

    def result(self, language: str) -> UnitResult:
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


class _NewGame(NamedTuple):
    key: str
    line: int


class _Earlier:
    def __init__(self, folder: Path, parts: Sequence[DatasetPart], tables: Sequence[str]) -> None:
        self.folder = folder
        self.parts = parts
        self._tables = tables
        self._games: dict[bytes, _EarlierGame] = {}
        self.load: Callable[[int, str], _Runs] = lru_cache(maxsize=2 * len(TABLES))(self._load)
        for number, part in enumerate(parts):
            if self._is_intact(part):
                self._add(number, part)

    def find(self, key: str) -> _EarlierGame | None:
        return self._games.get(bytes.fromhex(key))

    def _is_intact(self, part: DatasetPart) -> bool:
        for table in self._tables:
            name = part.files.get(table)
            try:
                if name is None or name != _name(table, name, (self.folder / name).read_bytes()):
                    return False
            except OSError:
                return False
        return True

    def _add(self, number: int, part: DatasetPart) -> None:
        wanted = ["verdict", "recorded", "errors", "warnings", "notes", "ignored", "key"]
        columns = pq.read_table(self.folder / part.files["games"], columns=wanted).to_pydict()
        for row, (verdict, recorded, *found, ignored, key) in enumerate(
            zip(*(columns[name] for name in wanted), strict=True)
        ):
            if key is not None and len(key) == 2 * SIZE:
                known = _EarlierGame(
                    number, row, verdict, recorded != "partly", tuple(found), ignored
                )
                self._games.setdefault(bytes.fromhex(key), known)

    def _load(self, number: int, table: str) -> _Runs:
        return _Runs(pq.read_table(self.folder / self.parts[number].files[table]))


class _Runs:
    def __init__(self, table: pa.Table) -> None:
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
        begin, count = self._rows.get(game_id, (0, 0))
        return self.table.slice(begin, count)


class Dataset:
    """Writes the rows of games into a folder, part by part.

    The folder must be new or empty unless ``resume`` is given. Raises ImpossibleError if a file
    cannot be read or written; finished files stay intact.
    """

    def __init__(self, folder: Path, settings: Settings, *, resume: bool = False) -> None:
        self.folder = folder
        self.settings = settings
        self.reused = 0
        """Games that were not judged again."""
        self.games = 0
        self._keys = Keys(repr(settings))
        self._parts: list[DatasetPart] = []
        self._held: dict[str, list[_Held]] = {table: [] for table in settings.tables}
        self._rows_held = 0
        self._packed: dict[str, list[pa.Table]] = {table: [] for table in settings.tables}
        self._in_part = 0
        self._only_reused: list[_ReusedGame] | None = []
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
        if self.folder.exists() and not self.folder.is_dir():
            raise ImpossibleError("{name}: this is not a folder", name=self.folder)
        there = [*self.folder.iterdir()] if self.folder.is_dir() else []
        # A run that is killed at once leaves only these.
        tables = [path for path in there if path.name in TABLES and path.is_dir()]
        ours = [table for table in tables if not any(table.iterdir())]
        if any(path not in ours and not path.name.startswith(".altay-") for path in there):
            raise ImpossibleError(
                "{name}: the folder holds other files; choose a new or empty one", name=self.folder
            )

    def record(
        self,
        games: Iterable[SourceGame],
        judge: Callable[[Iterator[SourceGame]], Iterator[UnitResult]],
    ) -> Iterator[UnitResult]:
        """Yield the result of each game in order, and write the rows of all.

        ``judge`` gets only unknown games.
        """
        waiting: deque[_ReusedGame | _NewGame] = deque()

        def unknown() -> Iterator[SourceGame]:
            for game in games:
                key, line = self._keys.of(game), game.before + 1
                known = self._earlier.find(key)
                if known is None:
                    waiting.append(_NewGame(key, line))
                    yield game
                else:
                    waiting.append(_ReusedGame(game.path, game.number, line, known))

        for result in judge(unknown()):
            yield from self._known_before(waiting)
            fresh = waiting.popleft()
            assert isinstance(fresh, _NewGame)
            self._add(fresh, result)
            yield result
        yield from self._known_before(waiting)
        self.finish()

    def add(self, game: SourceGame, judge: Callable[[SourceGame], UnitResult]) -> None:
        """Add a game; judge it if unknown."""
        key, line = self._keys.of(game), game.before + 1
        known = self._earlier.find(key)
        if known is None:
            self._add(_NewGame(key, line), judge(game))
        else:
            self._reuse(_ReusedGame(game.path, game.number, line, known))

    def add_log(self, path: Path, folder: Path | None, text: str) -> None:
        """Judge and add a log that the program wrote, with variant files in ``folder``."""
        wanted = Wanted(tables=True, changes=self.settings.changes)
        how = Judgement(wanted, self.settings.language, complete=self.settings.complete)
        game = SourceGame(str(path), folder, text, 0, 1)
        self.add(game, lambda game: judging.judge(how, [game])[0])

    def _known_before(self, waiting: deque[_ReusedGame | _NewGame]) -> Iterator[UnitResult]:
        while waiting and isinstance(waiting[0], _ReusedGame):
            game = waiting.popleft()
            assert isinstance(game, _ReusedGame)
            self._reuse(game)
            yield game.result(self.settings.language)

    def _add(self, fresh: _NewGame, unit: UnitResult) -> None:
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

    def _reuse(self, game: _ReusedGame) -> None:
        self.games += 1
        self.reused += 1
        if self._only_reused is None:
            self._copy(game, self.games)
        else:
            self._only_reused.append(game)
        self._count_game()

    def _unfold(self) -> None:
        games, self._only_reused = self._only_reused, None
        first = self.games - len(games or ()) + 1
        for ident, game in enumerate(games or (), first):
            self._copy(game, ident)

    def _copy(self, game: _ReusedGame, ident: int) -> None:
        self._pack()
        known = game.known
        about = self._earlier.load(known.part, "games").table.slice(known.row, 1)
        before = about.column("game_id")[0].as_py()
        for table, packed in self._packed.items():
            rows = about if table == "games" else self._earlier.load(known.part, table).of(before)
            values: dict[str, object] = {"game_id": ident}
            if table == "games":
                path = game.path.encode("utf-8", "backslashreplace").decode()
                values |= {"path": path, "number": game.number, "line": game.line}
            for name, value in values.items():
                at = rows.schema.get_field_index(name)
                field = rows.schema.field(at)
                rows = rows.set_column(at, field, pa.array([value] * len(rows), field.type))
            packed.append(rows)

    def _count_game(self) -> None:
        self._in_part += 1
        if self._in_part >= PART_GAMES:
            self._end_part()

    def _pack(self) -> None:
        for table, rows in self._held.items():
            if rows:
                self._packed[table].append(_columns(table, rows))
                rows.clear()
        self._rows_held = 0

    def _end_part(self) -> None:
        part = self._same_part()
        if part is None:
            if self._only_reused is not None:
                self._unfold()
            self._pack()
            part = self._write_part()
        self._parts.append(part)
        self._in_part, self._only_reused = 0, []
        for packed in self._packed.values():
            packed.clear()
        self._write_manifest(complete=False)

    def _same_part(self) -> DatasetPart | None:
        """Find an earlier part with exactly the games of this one."""
        games = self._only_reused
        if not games:
            return None
        number = games[0].known.part
        part = self._earlier.parts[number]
        places = [(game.known.part, game.known.row) for game in games]
        if part.games != len(games) or places != [(number, row) for row in range(part.games)]:
            return None
        columns = ["game_id", "path", "number", "line"]
        rows = self._earlier.load(number, "games").table.select(columns).to_pydict()
        first = self.games - len(games) + 1
        now = [
            (ident, game.path, game.number, game.line) for ident, game in enumerate(games, first)
        ]
        same = [*zip(*(rows[name] for name in columns), strict=True)] == now
        return part if same else None

    def _write_part(self) -> DatasetPart:
        files = {}
        for table, packed in self._packed.items():
            joined = pa.concat_tables([_schema(table).empty_table(), *packed]).combine_chunks()
            packed.clear()
            sink = pa.BufferOutputStream()
            pq.write_table(joined, sink, compression="zstd", store_schema=False)
            del joined
            data = sink.getvalue().to_pybytes()
            name = _name(table, f"{table}/{len(self._parts) + 1:05d}", data)
            with self._writing(self.folder / name):
                write_atomically(self.folder / name, data)
            files[table] = name
        return DatasetPart(self._in_part, files)

    def _write_manifest(self, *, complete: bool) -> None:
        earlier = () if complete else self._earlier.parts
        manifest = Manifest(self.settings, self._parts, earlier, complete)
        path = self.folder / MANIFEST
        with self._writing(path):
            write_atomically(path, manifest.text().encode())

    def finish(self) -> None:
        """Write the last part, and remove files that no part uses."""
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
                "{name}: {reason}; the dataset holds {count} games, "
                "and --resume continues from there"
                if done
                else "{name}: {reason}"
            )
            reason, count = why(error), f"{done:,}"
            raise ImpossibleError(template, name=path, reason=reason, count=count) from error


def _name(table: str, start: str, data: bytes) -> str:
    number = Path(start).name.split("-")[0].removesuffix(".parquet")
    return f"{table}/{number}-{blake2b(data, digest_size=8).hexdigest()}.parquet"


@lru_cache(maxsize=len(TABLES))
def _schema(table: str) -> pa.Schema:
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


def _columns(table: str, games: Sequence[_Held]) -> pa.Table:
    schema = _schema(table)
    every = [row for _, rows in games for row in rows]
    idents: list[Any] = [ident for ident, rows in games for _ in rows]
    # `zip` would make an object per row and trigger the garbage collector.
    others: Iterator[list[Any]] = (
        [row[number] for row in every] for number in range(len(schema) - 1)
    )
    arrays = [
        _array(values, field.type)
        for values, field in zip(chain([idents], others), schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Numbers that are too large become null."""
    if pa.types.is_map(kind):
        values = [None if value is None else [*value.items()] for value in values]
    try:
        return pa.array(values, kind)
    except (OverflowError, pa.ArrowInvalid):
        most = 2 ** (kind.bit_width - 1)
        fits = [
            None if isinstance(value, int) and not -most <= value < most else value
            for value in values
        ]
        return pa.array(fits, kind)
