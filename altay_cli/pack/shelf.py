"""A compiled pack as bytes, of which a start reads no more than it needs to judge legal moves.

What explains, lists, lays out and draws (how an expression is written, the tree of effects, the
rules' own functions, the view) is half of a pack. It stays packed until it is first asked for.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from altay_cli.pack.model import Effects, Expr, Pack
from altay_cli.values import UNRECORDED, Entity

LATER = frozenset({
    "codes", "functions", "hints", "lints", "measures", "opening", "plurals", "policies",
    "procedures", "quick", "rules", "rulings", "tells", "view", "words",
})  # fmt: skip
"""The fields of a pack that are read when one of them is first asked for."""

Packed = tuple[list[str], list[str], bytes, bytes, bytes]
"""The keys of expressions and of effects; the fields; those for later; the details of both."""


class Shelf:
    """What has not been read yet of a pack."""

    def __init__(self, pack: Pack, later: bytes, details: bytes) -> None:
        self._pack = pack
        self._later = later
        self._details = details

    def read_fields(self) -> None:
        """Give the pack the fields for later."""
        values = _Unpickler(self._later, _pool(self._pack)).load()
        self._pack.__dict__.update(values)

    def read_details(self) -> None:
        """Give the expressions and lists of effects of the pack their details."""
        pack = self._pack
        exprs, routines = _Unpickler(self._details, _pool(pack)).load()
        for items, told in ((pack.exprs, exprs), (pack.routines, routines)):
            for item, details in zip(items, told, strict=True):
                item.describe(*details)


def pack_up(pack: Pack) -> Packed:
    """Return a compiled pack as bytes, for ``unpack``.

    Raises:
        pickle.PicklingError: if it cannot be packed.

    """
    left_out = LATER | {"exprs", "routines", "makers"}
    now = {name: getattr(pack, name) for name in pack._fields if name not in left_out}
    later = {name: getattr(pack, name) for name in LATER}
    details = [
        [expr.details() for expr in pack.exprs],
        [effects.details() for effects in pack.routines],
    ]
    return (
        [expr.key for expr in pack.exprs],
        [effects.key for effects in pack.routines],
        _pickled(now, [*pack.exprs, *pack.routines], strict=False),
        _pickled(later, _pool(pack)),
        _pickled(details, _pool(pack)),
    )


def unpack(packed: Packed, kept_as: str = "") -> Pack:
    """Return a pack from what ``pack_up`` returned; its functions are not linked yet.

    ``kept_as`` tells it apart from all others.
    """
    keys, routine_keys, now, later, details = packed
    pack = Pack.__new__(Pack)
    shelf = Shelf(pack, later, details)
    exprs = [Expr.on(shelf, key) for key in keys]
    routines = [Effects.on(shelf, key) for key in routine_keys]
    fields: Mapping[str, Any] = _Unpickler(now, [*exprs, *routines]).load()
    own = {"exprs": exprs, "routines": routines, "makers": [], "kept_as": kept_as}
    pack.__dict__.update(fields, **own, shelf=shelf)
    return pack


def pack_beside(pack: Pack, value: object) -> bytes:
    """Return as bytes what is made of parts of a pack, which it goes on sharing with the pack.

    Raises:
        pickle.PicklingError: if it cannot be packed.

    """
    return _pickled(value, _parts(pack))


def unpack_beside(pack: Pack, packed: bytes) -> Any:
    """Return what ``pack_beside`` was given for an equal pack, with parts of this one."""
    return _Unpickler(packed, _parts(pack)).load()


def _parts(pack: Pack) -> Sequence[object]:
    slots = [slot for move in pack.moves for slot in move.slots.values()]
    return [*_pool(pack), *pack.moves, *slots, UNRECORDED]


def _pool(pack: Pack) -> Sequence[object]:
    """Return what is not packed twice: what is the same only if it is the same object."""
    things = [thing for things in pack.entities.values() for thing in things]
    parents = [thing.parent for thing in things if thing.parent is not None]
    return [*pack.exprs, *pack.routines, *things, *parents]


def _pickled(value: object, pool: Sequence[object], *, strict: bool = True) -> bytes:
    file = io.BytesIO()
    _Pickler(file, pool, strict=strict).dump(value)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Writes the number of what is in the pool in its place; ``strict`` pools know all things."""

    def __init__(self, file: io.BytesIO, pool: Sequence[object], *, strict: bool) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._numbers = {id(one): number for number, one in enumerate(pool)}
        self._strict = strict

    def persistent_id(self, obj: object) -> int | None:
        number = self._numbers.get(id(obj))
        if number is None and self._strict and isinstance(obj, Entity):
            raise pickle.PicklingError(f"{obj} is no thing of the pack")
        return number


class _Unpickler(pickle.Unpickler):
    """Reads what a ``_Pickler`` with the same pool wrote."""

    def __init__(self, data: bytes, pool: Sequence[object]) -> None:
        # Not a method: there are thousands of numbers, and this needs no call of Python code.
        self.persistent_load = pool.__getitem__  # type: ignore[method-assign]
        super().__init__(io.BytesIO(data))
