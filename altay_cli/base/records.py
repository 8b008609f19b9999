"""Records: values with named fields, of which a pack has dozens of kinds."""

from __future__ import annotations

from typing import ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """A value of named fields, which is never changed unless it is declared ``frozen=False``.

    Used like a dataclass without default factories. Python writes and compiles code for each kind
    of dataclass or named tuple, at every start; defining a kind of record costs next to nothing,
    creating one slightly more.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, frozen: bool = True) -> None:
        del frozen  # for type checkers
        cls._fields = tuple(dict.fromkeys((*cls._fields, *cls.__annotations__)))
        type.__setattr__(cls, "__match_args__", cls._fields)

    def __init__(self, *values: object, **named: object) -> None:
        fields = self._fields
        if len(values) == len(fields) and not named:
            self.__dict__.update(zip(fields, values, strict=True))
            return
        state = {**dict(zip(fields, values, strict=False)), **named}
        wanted = [name for name in fields if name not in state and not hasattr(type(self), name)]
        if wanted or len(state) < len(values) + len(named) or not state.keys() <= set(fields):
            raise TypeError(f"{type(self).__name__} is made of {', '.join(fields)}")
        self.__dict__.update(state)

    def _replace(self, **changes: object) -> Self:
        """Return a copy of this record with some fields replaced."""
        return type(self)(**{**dict(zip(self._fields, self._values(), strict=True)), **changes})

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = zip(self._fields, self._values(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in fields)})"
