"""What was found out about expressions of rules, kept for the next time that they are checked.

Whoever writes a house rule checks it again and again, and most of the rules stay as they are. So
what an expression can be is kept by all that this depends on: what it says, the functions that it
calls, the things and words that it mentions, and what the zones can hold that it reads. Nothing is
kept by where it stands, or by which rules it is a part of.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from altay_cli.digests import blake2b
from altay_cli.pack.cache import fingerprint, load, store
from altay_cli.pack.load import program
from altay_cli.pack.vocabulary import function_keys
from altay_cli.rulecheck.known import Among, Exactly, Known, Sized

if TYPE_CHECKING:
    from altay_cli.pack.building import Compiled
    from altay_cli.values import Entity

KEPT = 30_000
"""The number of answers kept; of more, those that were not used are dropped."""

Print = bytes
"""A digest: equal for everything that says the same."""


def printed(*parts: str | bytes) -> Print:
    """Return a digest of some texts."""
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.digest()


class Memory:
    """What is known of expressions, by what they and all that they depend on say."""

    def __init__(self) -> None:
        self._key = fingerprint((), *program(), "what is known of expressions")
        data = load(self._key)
        self._kept: dict[Print, Known] = {} if data is None else pickle.loads(data)  # noqa: S301
        self._used: dict[Print, Known] = {}
        self._new = 0

    def __contains__(self, key: Print) -> bool:
        return key in self._used or key in self._kept

    def __getitem__(self, key: Print) -> Known:
        if key not in self._used:
            self._used[key] = self._kept[key]
        return self._used[key]

    def add(self, key: Print, known: Known) -> None:
        """Store an answer, if it can be expressed without naming things."""
        self._used[key] = known
        self._new += 1

    def keep(self) -> None:
        """Keep what is new for the next time."""
        if not self._new:
            return
        found = {key: known for key, known in self._used.items() if _is_plain(known)}
        rest = [pair for pair in self._kept.items() if pair[0] not in found]
        found.update(rest[: max(KEPT - len(found), 0)])
        store(self._key, pickle.dumps(found, pickle.HIGHEST_PROTOCOL))
        self._new = 0


def _is_plain(known: Known) -> bool:
    match known:
        case Exactly(value):
            return value is None or isinstance(value, bool | int | str)
        case Among(values):
            return all(value is None or isinstance(value, bool | int | str) for value in values)
        case Sized():
            return _is_plain(known.of)
        case _:
            return True


class Prints:
    """Tells what expressions of compiled rules say, with all that they depend on."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.pack = compiled.pack
        data = compiled.data
        self._kinds = printed(json.dumps(data.get("kinds", {})))
        self._names: dict[str, Print] = {}
        self._things: dict[str, Print] = {}
        self._found: dict[str, Print] = {}
        self._read: dict[str, frozenset[int]] = {}
        self._zones: dict[tuple[int, Known], str] = {}
        self._fields = {
            kind: re.findall(r"\w+", " ".join(
                [*map(str, entry.get("fields", {}).values()), entry.get("parent", "")]
            ))
            for kind, entry in data.get("kinds", {}).items()
        }  # fmt: skip

    def of(self, key: str) -> Print:
        """Return what an expression says, by its key; of a function, by `fn` and its name."""
        found = self._found.get(key)
        if found is None:
            self._found[key] = b"?"  # where a function calls itself
            checked = self.compiled.checked[key]
            inner = [part for name in sorted(checked.calls) for part in self._function(name)]
            names = [self._name(name) for name in sorted(checked.names)]
            found = self._found[key] = printed(
                checked.source, checked.code, checked.types, *names, *map(self.of, inner)
            )
        return found

    def _function(self, name: str) -> tuple[str, ...]:
        return function_keys(name, self.compiled.data["functions"][name])

    def _name(self, name: str) -> Print:
        """Return what a name of the environment stands for."""
        found = self._names.get(name)
        if found is None:
            known = self.compiled.env.names.get(name)
            parts: list[str | bytes] = [name, "" if known is None else f"{known.type} {known.code}"]
            if known is not None and known.local is None and not known.reads:
                kind = (known.type.args or (known.type,))[0].name
                if kind in self._fields:  # a thing, or all of a kind
                    parts.append(self._thing(kind))
            if name.startswith("options."):
                option = self.pack.options.get(name.removeprefix("options."))
                parts.append("" if option is None else repr(option.values))
            found = self._names[name] = printed(*parts)
        return found

    def _thing(self, kind: str) -> Print:
        """Return what there is of a kind, and of the kinds that its fields name."""
        if kind not in self._things:
            kinds, waiting = {kind}, [kind]
            while waiting:
                for other in self._fields.get(waiting.pop(), ()):
                    if other in self._fields and other not in kinds:
                        kinds.add(other)
                        waiting.append(other)
            # What stands inside of others, such as copies, is of a kind that others name.
            kinds |= {k for k, fields in self._fields.items() if not kinds.isdisjoint(fields)}
            entities = self.compiled.data.get("entities", {})
            told = json.dumps([[one, entities.get(one)] for one in sorted(kinds)])
            self._things[kind] = printed(self._kinds, told)
        return self._things[kind]

    def reads(self, key: str) -> frozenset[int]:
        """Return the zones that an expression reads, itself or in functions that it calls."""
        found = self._read.get(key)
        if found is None:
            self._read[key] = frozenset()  # where a function calls itself
            checked = self.compiled.checked[key]
            indexes = checked.zones
            for name in checked.calls:
                indexes = indexes.union(*map(self.reads, self._function(name)))
            found = self._read[key] = indexes
        return found

    def at(
        self,
        about: str,
        keys: Iterable[str],
        zones: Sequence[Known],
        stock: Mapping[str, Mapping[Entity, int]],
        values: Mapping[str, Known],
    ) -> Print | None:
        """Return what expressions say where zones and local values can be so; None if unknown.

        ``about`` is what is asked of them.
        """
        keys = list(keys)
        parts: list[str | bytes] = [about, self._kinds, *map(self.of, keys)]
        try:
            for index in sorted(frozenset().union(*map(self.reads, keys))):
                parts.append(self._zone(index, zones[index]))
                held = stock.get(self.pack.zones[index].kind) if stock else None
                if held is not None:
                    parts.append(repr(sorted((repr(thing), n) for thing, n in held.items())))
        except TypeError:  # it holds something that cannot be told apart
            return None
        parts += [
            f"{name} {known!r}" for name, known in sorted(values.items()) if known is not None
        ]
        return printed(*parts)

    def _zone(self, index: int, known: Known) -> str:
        found = self._zones.get((index, known))
        if found is None:
            zone = self.pack.zones[index]
            spec = zone.name, zone.per, zone.shape, zone.kind, zone.least, zone.most
            found = self._zones[index, known] = f"{index} {spec} {known!r}"
        return found
