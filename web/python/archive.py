"""Archives of compiled modules and data files, and their import.

An archive is a line of JSON and what it points to: `[start, length]` of each module's code (its
key is the name; packages end in a dot) and of each file (its key is the path), and the names of
modules in other archives.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

PACKAGE = "."
"""Ends the name of a package."""


def written(
    modules: Mapping[str, CodeType],
    files: Mapping[str, bytes],
    elsewhere: Mapping[str, str] | None = None,
) -> bytes:
    """Return an archive of modules by name and of files by path.

    elsewhere: the archives of other modules, by name.
    """
    body = bytearray()
    tables: list[Mapping[str, object]] = []
    for table in ({name: marshal.dumps(code) for name, code in modules.items()}, files):
        places: dict[str, tuple[int, int]] = {}
        for key, data in sorted(table.items()):
            places[key] = len(body), len(data)
            body += data
        tables.append(places)
    return json.dumps([*tables, elsewhere or {}]).encode() + b"\n" + body


class _Code(NamedTuple):
    data: memoryview
    is_package: bool


class Archive:
    """Imports the modules of archives, whose files are unpacked below ``top``.

    fetch: returns an archive by its name.
    """

    def __init__(self, top: Path, fetch: Callable[[str], bytes | None]) -> None:
        self.top = top
        self.fetch = fetch
        self._codes: dict[str, _Code] = {}
        self._files: dict[str, memoryview] = {}
        self._elsewhere: dict[str, str] = {}

    def add(self, archive: bytes) -> None:
        """Make the modules of an archive importable, and unpack its files."""
        head, _, _ = archive.partition(b"\n")
        body = memoryview(archive)[len(head) + 1 :]
        modules, files, elsewhere = json.loads(head)
        for name, (start, length) in modules.items():
            code = _Code(body[start : start + length], name.endswith(PACKAGE))
            self._codes[name.removesuffix(PACKAGE)] = code
        added = {path: body[start : start + length] for path, (start, length) in files.items()}
        self._files |= added
        self._elsewhere |= elsewhere
        self._write(added)

    def unpack(self) -> None:
        """Write all files again."""
        self._write(self._files)

    def _write(self, files: Mapping[str, memoryview]) -> None:
        for folder in {(self.top / path).parent for path in files}:
            folder.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (self.top / path).write_bytes(data)

    def _code(self, name: str) -> _Code | None:
        part = self._elsewhere.get(name)
        if name not in self._codes and part is not None:
            self._elsewhere = {key: at for key, at in self._elsewhere.items() if at != part}
            data = self.fetch(part)
            if data is not None:
                self.add(data)
        return self._codes.get(name)

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, if it is here; Python calls this."""
        code = self._code(name)
        if code is None:
            return None
        place = self.top.joinpath(*name.split("."))
        file = place / "__init__.py" if code.is_package else place.with_suffix(".py")
        loader = _Loader(code.data, str(file))
        spec = ModuleSpec(name, loader, origin=str(file), is_package=code.is_package)
        spec.has_location = True
        if code.is_package:
            spec.submodule_search_locations = [str(place)]
        return spec


class _Loader:
    def __init__(self, data: memoryview, path: str) -> None:
        self.data = data
        self.path = path  # where resources of the module are looked up

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of a module."""
        exec(marshal.loads(self.data), vars(module))  # noqa: S102, S302 - made by the build

    def get_resource_reader(self, _name: str) -> object:
        """Return the reader of files beside a module; `importlib.resources` calls this."""
        from importlib.resources.readers import FileReader

        return FileReader(self)  # type: ignore[arg-type]
