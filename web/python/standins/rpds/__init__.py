"""A stand-in for rpds, whose maps, sets and lists no operation changes.

WebAssembly has no compiled rpds. This has what `jsonschema` and `referencing` use of it, and copies
where rpds shares: their collections hold some dozens of entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class HashTrieMap(Mapping[K, V]):
    """A map; what would change it returns another."""

    __slots__ = ("_entries",)

    def __init__(self, value: Any = (), **entries: V) -> None:
        self._entries: dict[K, V] = dict(value, **entries)

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap[K, V]:
        """Return a map as it is, or one of these entries."""
        return value if isinstance(value, cls) else cls(value)

    @classmethod
    def fromkeys(cls, keys: Iterable[K], value: Any = None) -> HashTrieMap[K, V]:
        """Return a map with one value for all keys."""
        return cls(dict.fromkeys(keys, value))

    def __getitem__(self, key: K) -> V:
        return self._entries[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._entries!r})"

    def insert(self, key: K, value: V) -> HashTrieMap[K, V]:
        """Return a map with one more entry."""
        return HashTrieMap({**self._entries, key: value})

    def remove(self, key: K) -> HashTrieMap[K, V]:
        """Return a map without an entry; raise KeyError if there is none."""
        entries = dict(self._entries)
        del entries[key]
        return HashTrieMap(entries)

    def discard(self, key: K) -> HashTrieMap[K, V]:
        """Return a map without an entry."""
        return self.remove(key) if key in self._entries else self

    def update(self, value: Any = (), **entries: V) -> HashTrieMap[K, V]:
        """Return a map with further entries."""
        return HashTrieMap({**self._entries, **dict(value, **entries)})


class HashTrieSet(Set[T]):
    """A set; what would change it returns another."""

    __slots__ = ("_items",)

    def __init__(self, value: Iterable[T] = ()) -> None:
        self._items = frozenset(value)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"HashTrieSet({{{', '.join(map(repr, self._items))}}})"

    def insert(self, item: T) -> HashTrieSet[T]:
        """Return a set with one more item."""
        return HashTrieSet((*self._items, item))

    def remove(self, item: T) -> HashTrieSet[T]:
        """Return a set without an item; raise KeyError if there is none."""
        if item not in self._items:
            raise KeyError(item)
        return HashTrieSet(self._items - {item})

    def discard(self, item: T) -> HashTrieSet[T]:
        """Return a set without an item."""
        return HashTrieSet(self._items - {item})

    def update(self, *others: Iterable[T]) -> HashTrieSet[T]:
        """Return a set with further items."""
        return HashTrieSet(self._items.union(*others))


class List(Iterable[T]):
    """A list; what would change it returns another."""

    __slots__ = ("_items",)

    def __init__(self, *items: Any) -> None:
        only = items[0] if len(items) == 1 else None
        self._items: tuple[T, ...] = tuple(only) if isinstance(only, Iterable) else items

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __reversed__(self) -> Iterator[T]:
        return reversed(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return self._items == other._items if isinstance(other, List) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"List({[*self._items]!r})"

    @property
    def first(self) -> T:
        """The first item; raise IndexError if there is none."""
        if not self._items:
            raise IndexError("empty list has no first element")
        return self._items[0]

    @property
    def rest(self) -> List[T]:
        """The list without its first item."""
        return List(self._items[1:])

    def push_front(self, item: T) -> List[T]:
        """Return a list with one more item at its front."""
        return List((item, *self._items))

    def drop_first(self) -> List[T]:
        """Return the list without its first item; raise IndexError if there is none."""
        if not self._items:
            raise IndexError("empty list has no first element")
        return self.rest
