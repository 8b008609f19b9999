"""A compiled pack as bytes: the parts that most games need, and others loaded when first used.

Printed moves judge a legal game. Few of the other functions run in it, and few texts are shown.
"""

from __future__ import annotations

import marshal
import pickle
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from io import BytesIO
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from altay_cli.pack.model import RARE, Effects, Expr, Linked, MoveDef, Pack
from altay_cli.pack.words import FILE

_Path = tuple[str | int, ...]
"""A field of a pack, and keys in it."""


class PackEntry(NamedTuple):
    """A pack as bytes.

    needed: all fields but those in RARE, which are ``rare``.
    details: by key, all attributes of a part but its function.
    code: ``LINES``, and by name the functions that no part has, with those that they call.
    functions: by key of a part, its function, with those that it calls.
    """

    needed: bytes
    rare: bytes
    details: bytes
    code: bytes
    functions: Mapping[str, bytes]


def pack_entry(pack: Pack, namespace: Mapping[str, Any]) -> PackEntry:
    """Return a pack whose functions are in ``namespace`` as bytes."""
    codes = {
        name: value.__code__
        for name, value in namespace.items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == FILE
    }
    parts = {part.key for part in (*pack.exprs, *pack.routines)}
    code = _with_called([name for name in codes if name not in parts], codes)
    left = {key: codes[key] for key in codes if key not in code}
    # Equal expressions share a function.
    first = {of_part.co_name: key for key, of_part in reversed(left.items())}
    printed = {key: marshal.dumps(_with_called([key], left)) for key in first.values()}
    functions = {key: printed[first[left[key].co_name]] for key in left}
    return repacked(pack, marshal.dumps((namespace["LINES"], code)), functions)


def repacked(pack: Pack, code: bytes, functions: Mapping[str, bytes]) -> PackEntry:
    """Return a pack with the code of its functions as bytes."""
    fields = pack.__getstate__()
    paths = {id(thing): path for thing, path in _shared(pack)}
    details = {
        part.key: tuple([getattr(part, name) for name in type(part).__slots__])
        for part in (*pack.exprs, *pack.routines)
    }
    return PackEntry(
        _dumped({name: value for name, value in fields.items() if name not in RARE}, {}),
        _dumped({name: fields[name] for name in RARE}, paths),
        _dumped(details, paths),
        code,
        functions,
    )


def restored(entry: PackEntry, names: Mapping[str, object]) -> tuple[Pack, dict[str, Any]]:
    """Return the pack of an entry and its functions; ``names`` are the others that these use."""
    pack = Pack.__new__(Pack)
    shelf = Shelf(pack, entry)
    vars(pack).update(shelf.loaded(entry.needed), shelf=shelf)
    lines, code = marshal.loads(entry.code)  # noqa: S302 - the caller trusts the entry
    shelf.namespace.update(names, LINES=lines, **pack.constants)
    shelf.link(code)
    return pack, shelf.namespace


class Shelf:
    """Loads the parts of a pack when they are first asked for."""

    def __init__(self, pack: Pack, entry: PackEntry) -> None:
        self._pack = pack
        self._entry = entry
        self._parts: dict[str, Linked] = {}
        self.namespace: dict[str, Any] = {}

    def part(self, key: str) -> Linked:
        """Return the expression or the effects with a key."""
        part = self._parts.get(key)
        if part is None:
            kind = Effects if key.startswith("d_") else Expr
            part = self._parts[key] = kind.__new__(kind)
            part.key, part.shelf = key, self
        return part

    def function(self, key: str) -> Any:
        """Return the function of a part."""
        if key not in self.namespace:
            code = marshal.loads(self._entry.functions[key])  # noqa: S302 - as above
            self.link(code)
            self.namespace[key] = self.namespace[next(iter(code))]
        return self.namespace[key]

    @cached_property
    def details(self) -> Mapping[str, tuple[Any, ...]]:
        """By key: the attributes of each part, in the order of its slots."""
        details: Mapping[str, tuple[Any, ...]] = self.loaded(self._entry.details)
        return details

    def rare_fields(self) -> dict[str, Any]:
        """Return the fields that few games need."""
        found: dict[str, Any] = self.loaded(self._entry.rare)
        return found

    def loaded(self, data: bytes) -> Any:
        """Return what an entry holds, with the parts and things that were loaded before."""
        return _PartUnpickler(data, self._pack, self).load()

    def link(self, code: Mapping[str, CodeType]) -> None:
        """Make functions that are not there yet."""
        for name, of_function in code.items():
            self.namespace.setdefault(name, FunctionType(of_function, self.namespace))


def _shared(pack: Pack) -> Iterator[tuple[object, _Path]]:
    """Yield the things among the needed fields that others refer to."""
    for number, zone in enumerate(pack.zones):
        yield zone, ("zones", number)
    for kind, entities in pack.entities.items():
        for number, entity in enumerate(entities):
            yield entity, ("entities", kind, number)
    slots, requires = MoveDef._fields.index("slots"), MoveDef._fields.index("requires")
    for name, moves in (("moves", pack.moves), ("claims", pack.claims)):
        for number, move in enumerate(moves):
            yield move, (name, number)
            for slot in move.slots.values():
                yield slot, (name, number, slots, slot.name)
            for place, requirement in enumerate(move.requires):
                yield requirement.text, (name, number, requires, place, 0)


def _with_called(names: Iterable[str], codes: Mapping[str, CodeType]) -> dict[str, CodeType]:
    """Return the code of functions, then that of all that they call."""
    found: dict[str, CodeType] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in codes and name not in found:
            found[name] = codes[name]
            waiting += _names_in(codes[name])
    return found


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _dumped(thing: object, paths: Mapping[int, _Path]) -> bytes:
    file = BytesIO()
    _PartPickler(file, paths).dump(thing)
    return file.getvalue()


class _PartPickler(pickle.Pickler):
    """Refers to parts by their keys, and to things of another file by their paths."""

    def __init__(self, file: BytesIO, paths: Mapping[int, _Path]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._paths = paths

    def persistent_id(self, thing: object) -> str | _Path | None:
        return thing.key if isinstance(thing, Linked) else self._paths.get(id(thing))


class _PartUnpickler(pickle.Unpickler):
    def __init__(self, data: bytes, pack: Pack, shelf: Shelf) -> None:
        super().__init__(BytesIO(data))
        self._pack = pack
        self._shelf = shelf

    def persistent_load(self, place: str | _Path) -> Any:
        if isinstance(place, str):
            return self._shelf.part(place)
        name, *keys = place
        thing = getattr(self._pack, str(name))
        for key in keys:
            thing = thing[key]
        return thing
