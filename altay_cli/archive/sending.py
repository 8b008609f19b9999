"""Run work in processes that share the program but no files.

Rules that do not ship with the program are sent by content. A worker keeps them in a private
temporary folder, with the same relative paths. Sent are only plain data and names of functions;
caches are not, since each worker signs its own.
"""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, NamedTuple

from altay_cli.base.files import MAX_RULES, Access, named_file, read_regular, why
from altay_cli.base.findings import ImpossibleError
from altay_cli.base.garbage import OBJECTS
from altay_cli.base.resources import PACKS, data_folder, pack_folders, restore_pack_search
from altay_cli.base.version import __version__
from altay_cli.source.variants import extension

VariantName = tuple[Path, str]
"""The folder to look in, and the file's name from there."""

_DATA = ("rules", "schemas", "grammar", "languages")
_RULES = (".yaml", ".yml", ".json", ".lark")
_PROGRAM = (*_RULES, ".py", ".mo")

MAX_PLACES = 4
"""Sets of packs that a worker keeps."""


class Program(NamedTuple):
    """``digest`` is of the program's files."""

    version: str
    digest: str


class Parcel(NamedTuple):
    """A unit of work, complete but for the contents of files.

    packs: digest of the packs of ``ALTAY_PACKS``; empty without.
    files: digests of variant files by location; None for missing files.
    work: the pickled function and argument.
    """

    program: Program
    packs: str
    files: tuple[tuple[str, str | None], ...]
    work: bytes


class Missing(NamedTuple):
    """A worker lacks the contents for these digests."""

    digests: tuple[str, ...]


class OtherProgram(NamedTuple):
    """A worker runs another program."""

    program: Program


@cache
def program() -> Program:
    """Identify this program."""
    package = Path(__file__).parents[1]
    files = [(f"altay_cli/{name}", path) for name, path in _below(package, (".py",))]
    for folder in _DATA:
        found = _below(data_folder(folder), _PROGRAM)
        files += [(f"{folder}/{name}", path) for name, path in found]
    digest = blake2b(digest_size=16)
    for name, path in files:
        digest.update(f"{name} {digest_of(path.read_bytes())}\n".encode())
    return Program(__version__, digest.hexdigest())


def digest_of(data: bytes) -> str:
    """Return a digest as text."""
    return blake2b(data, digest_size=16).hexdigest()


def _below(folder: Path, endings: tuple[str, ...]) -> list[tuple[str, Path]]:
    found = (path for path in folder.rglob("*") if path.name.endswith(endings) and path.is_file())
    return sorted((path.relative_to(folder).as_posix(), path) for path in found)


class Sender:
    """Makes parcels; ``contents`` has the packs they may need, by digest."""

    def __init__(self) -> None:
        shipped = data_folder("rules")
        installed = {
            name: folder
            for name, folder in pack_folders().items()
            if not folder.is_relative_to(shipped)
        }
        # A path on the worker is relative to its program, or to a pack that is sent.
        self._roots = [(data_folder(name).resolve(), f"program/{name}") for name in _DATA]
        self._roots += [(folder.resolve(), f"packs/{name}") for name, folder in installed.items()]
        self.contents: dict[str, bytes] = {}
        self._packs = ""
        if installed:
            packed = pickle.dumps({name: _pack(name, folder) for name, folder in installed.items()})
            self._packs = digest_of(packed)
            self.contents[self._packs] = packed
        self._place = lru_cache(maxsize=1_000)(self._place_of)
        self._files = lru_cache(maxsize=1_000)(self._files_of)

    def parcel(
        self, call: Callable[..., Any], arguments: Sequence[Any], variants: Iterable[VariantName]
    ) -> tuple[Parcel, Mapping[str, bytes]] | None:
        """Return a call as a parcel, with the contents of its variant files by digest.

        None if a file cannot have the same relative path on a worker: a link, say, or an absolute
        name.
        """
        files: dict[str, str | None] = {}
        contents: dict[str, bytes] = {}
        for folder, name in variants:
            found = self._files(folder, name)
            if found is None:
                return None
            for place, data in found:
                files[place] = None if data is None else digest_of(data)
                if data is not None:
                    contents[digest_of(data)] = data
        written = BytesIO()
        _Pickler(written, self._place).dump((call, arguments))
        parcel = Parcel(program(), self._packs, tuple(files.items()), written.getvalue())
        return parcel, contents

    def _place_of(self, path: Path) -> str:
        real = Path(os.path.realpath(path))
        for root, place in self._roots:
            if real.is_relative_to(root):
                return f"{place}/{real.relative_to(root).as_posix()}"
        return "/".join(["files", *(part.strip(":\\/") or "_" for part in real.parts)])

    def _files_of(self, folder: Path, name: str) -> list[tuple[str, bytes | None]] | None:
        """Return the location and contents of a variant file and of those it extends.

        Contents are None for a missing file. Return None if a worker would look elsewhere.
        """
        folder = root = Path(os.path.realpath(folder))
        found: dict[str, bytes | None] = {}
        read: set[Path] = set()
        while (not read or name.endswith((".yaml", ".yml"))) and "\0" not in name:
            path, access = named_file(name, folder, root)
            real = Path(os.path.realpath(path))
            is_link = str(real) != os.path.normpath(path)
            if Path(name).is_absolute() or is_link:
                return list(found.items()) if access is Access.OUTSIDE and not is_link else None
            if access in {Access.OUTSIDE, Access.HIDDEN} or real in read:
                break
            data = None
            if access is Access.THERE:
                try:
                    data = read_regular(real, MAX_RULES)
                except OSError:
                    return None
            place = self._place(real)
            if place.startswith("files/"):  # workers get the others with the packs
                found[place] = data
            if data is None:
                break
            name, folder = extension(real), real.parent
            root = root if read else folder
            read.add(real)
        return list(found.items())


def _pack(name: str, folder: Path) -> dict[str, bytes]:
    files = {}
    for inner, path in _below(folder, _RULES):
        try:
            files[inner] = read_regular(path, MAX_RULES, within=folder)
        except OSError as error:
            message = "the rules `{name}` cannot be sent to other machines: {file}: {reason}"
            raise ImpossibleError(message, name=name, file=inner, reason=why(error)) from error
    return files


class _Pickler(pickle.Pickler):
    """Pickles paths as locations on the worker."""

    def __init__(self, file: BytesIO, place_of: Callable[[Path], str]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._place_of = place_of

    def persistent_id(self, value: object) -> str | None:
        return self._place_of(value) if isinstance(value, Path) else None


class _Unpickler(pickle.Unpickler):
    """Allows only plain data and names of this program."""

    def __init__(self, data: bytes, folder: Path | None = None) -> None:
        super().__init__(BytesIO(data))
        self._folder = folder

    def persistent_load(self, place: str) -> Path:
        first, _, rest = place.partition("/")
        if self._folder is None or first not in {"program", "packs", "files"}:
            raise pickle.UnpicklingError(place)
        if first != "program":
            return self._folder / place
        name, _, rest = rest.partition("/")
        return data_folder(name) / rest

    def find_class(self, module: str, name: str) -> Any:
        known = module.startswith("altay_cli.") or module in {"collections", "fractions"}
        if known or (module, name) == ("functools", "partial"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def unpacked(results: bytes) -> Any:
    """Unpickle the results that a worker sent."""
    return _Unpickler(results).load()


_working = Lock()
"""Held during a parcel: language and packs are set per process, not per thread."""


class _Place:
    """A worker's private folder with received packs and variant files."""

    def __init__(self, parent: str | None) -> None:
        self._folder = TemporaryDirectory(prefix="altay-", dir=parent)
        self.root = Path(os.path.realpath(self._folder.name))
        self.files: dict[str, str | None] = {}

    def remove(self) -> None:
        self._folder.cleanup()

    def write_packs(self, packed: bytes) -> None:
        for name, files in _Unpickler(packed).load().items():
            for inner, data in files.items():
                self._write(f"packs/{name}/{inner}", data)

    def differs(self, files: Iterable[tuple[str, str | None]]) -> bool:
        return any(self.files.get(place, digest) != digest for place, digest in files)

    def write(self, files: Iterable[tuple[str, str | None]], contents: Mapping[str, bytes]) -> None:
        for place, digest in files:
            if digest is not None and place not in self.files:
                self._write(place, contents[digest])
            self.files[place] = digest

    def _write(self, place: str, data: bytes) -> None:
        path = self.root / place
        if not Path(os.path.normpath(path)).is_relative_to(self.root):
            raise ValueError(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


_places: dict[str, _Place] = {}
"""Folders on this worker by digest of packs, the last used last."""


def work_on(
    parcel: Parcel, contents: Mapping[str, bytes], parent: str | None = None
) -> bytes | Missing | OtherProgram:
    """Run a parcel and return the pickled results, or say why that is impossible.

    Received files go to a private folder in ``parent``, or the system's temporary one.
    """
    if parcel.program != program():
        return OtherProgram(program())
    with _working:
        place = _places.get(parcel.packs)
        if place is not None and place.differs(parcel.files):
            _places.pop(parcel.packs).remove()
            place = None
        there: Mapping[str, object] = {} if place is None else place.files
        needed = {digest for name, digest in parcel.files if digest and name not in there}
        if place is None and parcel.packs:
            needed.add(parcel.packs)
        if missing := needed - contents.keys():
            return Missing(tuple(sorted(missing)))
        if place is None:
            place = _Place(parent)
            if parcel.packs:
                place.write_packs(contents[parcel.packs])
        _places.pop(parcel.packs, None)
        _places[parcel.packs] = place
        while len(_places) > MAX_PLACES:
            _places.pop(next(iter(_places))).remove()
        place.write(parcel.files, contents)
        with _set_up(place.root / "packs" if parcel.packs else None):
            call, arguments = _Unpickler(parcel.work, place.root).load()
            return pickle.dumps(call(*arguments), pickle.HIGHEST_PROTOCOL)


@contextmanager
def _set_up(packs: Path | None) -> Iterator[None]:
    often = gc.get_threshold()
    with restore_pack_search():
        os.environ.pop(PACKS, None)
        if packs is not None:
            os.environ[PACKS] = str(packs)
        gc.set_threshold(OBJECTS)
        try:
            yield
        finally:
            gc.set_threshold(*often)
